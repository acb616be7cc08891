"""What a case of the corpus is: files, and the table that must come out of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from zlib import crc32

from tests.core.datasets.importing.people.dialects import DIALECTS, Dialect

Row = dict[str, float | None]


@dataclass(frozen=True, kw_only=True)
class Expected:
    """The table. rows: of a series its intervals, of phases the phases, of subexperiments the runs of each.

    keys: (application, run, interval) of each interval, or the program of each phase. said: what repairs and notes must name.
    """

    kind: str
    rows: Sequence[Row] | Sequence[Sequence[Row]]
    keys: Sequence[object] = ()
    mode: str = "OCOE"
    times: Sequence[float] | None = None
    dates: Sequence[str] | None = None
    stages: Sequence[str] | None = None
    unit: str | None = None
    share: dict[str, Sequence[float | None]] | None = None
    said: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Case:
    shape: str
    dialect: str
    files: list[tuple[str, bytes]]
    expected: Expected = field(repr=False)

    @property
    def name(self) -> str:
        return f"{self.shape} {self.dialect}"

    @property
    def held_out(self) -> bool:
        """Whether its shape was kept aside until the guesses were finished, or written after it."""
        return self.is_unseen or crc32(self.shape.encode()) % 3 == 0

    @property
    def is_unseen(self) -> bool:
        """Whether its shape was written when the guesses were finished."""
        return self.shape.startswith("unseen")


Made = tuple[list[tuple[str, bytes]], Expected]
SHAPES: dict[str, Callable[[Dialect], Made | None]] = {}


def shape(function: Callable[[Dialect], Made | None]) -> Callable[[Dialect], Made | None]:
    """Register a shape; it may give None where a dialect cannot write it."""
    SHAPES[function.__name__] = function
    return function


def pairs() -> list[tuple[str, Dialect]]:
    """Every shape in every dialect; none is written yet."""
    from tests.core.datasets.importing.people import further_shapes, runs_shapes, series_shapes, unseen_shapes  # noqa: F401

    return [(name, dialect) for name in SHAPES for dialect in DIALECTS]


def case_of(shape: str, dialect: Dialect) -> Case | None:
    """None where the dialect cannot write it."""
    made = SHAPES[shape](dialect)
    return None if made is None else Case(shape=shape, dialect=dialect.name, files=made[0], expected=made[1])


def all_cases() -> list[Case]:
    """Takes seconds, most of them for the workbooks."""
    return [case for pair in pairs() if (case := case_of(*pair)) is not None]
