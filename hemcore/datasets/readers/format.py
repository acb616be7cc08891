"""What a format of files is: how it is recognised, how it is read, which options it takes, and a small example."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

import pandas as pd

from hemcore.datasets.readers.raw_experiments import MIN_MEAN
from hemcore.datasets.readers.repairs import Repair, repairs_table
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.kinds import Table
from hemcore.params import Params, parameter

Example = Mapping[str, str]
_OPEN_ENDED = "the last line has no line break. If the file was cut off, its last value may be incomplete."
# How a whole text ends, in UTF-16 too: with a line break, or with the end of an object in JSON.
_BLANKS, _ENDS = b" \t\x00", (b"\n", b"\r", b"}", b"]")
T_co = TypeVar("T_co", bound=Table, covariant=True)
T = TypeVar("T", bound=Table)
P = TypeVar("P", bound=Params)


class NoOptions(Params):
    """The options of a format that is always read the same way."""


NO_OPTIONS = NoOptions()


class SubexperimentOptions(Params):
    """How subexperiments are read."""

    n_pmcs: int | None = parameter(
        None,
        title="HEMs per subexperiment (n_pmcs)",
        description="Columns per subexperiment in a file that holds several side by side. Empty: from where the first HEM repeats.",
        ge=1,
        le=1_000,
    )
    min_mean: float = parameter(
        MIN_MEAN,
        title="Minimum mean",
        description="HEMs with a mean at or below this are dropped and listed under Repairs; 0: those never counted.",
        ge=0,
        le=1e15,
        step=10.0,
        unit="counts per run",
    )


class PhaseOptions(Params):
    """How phases in CSV are read."""

    counters: str = parameter(
        "",
        title="Counter columns",
        description="Names of the counter columns, separated by semicolons. Empty: every column of numbers that are 0 or above.",
    )


class ReadOptions(PhaseOptions, SubexperimentOptions):
    """The options of every format here, for a caller who does not know the format yet: each format takes its own."""


class ReadResult(NamedTuple, Generic[T_co]):
    """A typed table, a row per repair or drop made on the way (the columns of Repair), and notes, one sentence each."""

    table: T_co
    repairs: pd.DataFrame
    notes: tuple[str, ...] = ()


def read_result(table: T, repairs: Iterable[Repair], notes: Iterable[str]) -> ReadResult[T]:
    """A ReadResult of repairs one by one."""
    return ReadResult(table, repairs_table(repairs), tuple(notes))


@dataclass(frozen=True, kw_only=True)
class Format(Generic[P]):
    """A format that files can have; hemcore.datasets.readers.formats lists them.

    key: its name in datasets and links, never changed. title: its name on the page. kind: the name of the class of its tables.
    recognise: how likely the files are of this format (0 to 1) and why, from their names and first lines; it may raise HemError, which
    counts as 0. read: the table of the files and what was repaired; raises HemError, one sentence, for files that it cannot read.
    options: the Params that `read` takes. example: the text of a small file or files, by name; recognised as this format.
    """

    key: str
    title: str
    kind: str
    recognise: Callable[[Sequence[UploadedFile]], tuple[float, str]] = field(repr=False)
    read: Callable[[Sequence[UploadedFile], P], ReadResult[Table]] = field(repr=False)
    example: Example = field(repr=False, hash=False)
    options: type[P] = field(repr=False)

    def read_with(self, files: Sequence[UploadedFile], options: Params | None = None) -> ReadResult[Table]:
        """`read` with those of `options` that this format takes, the others at their defaults, and a note for each file without an end.

        Raises as `read` does.
        """
        given = dict(options) if options is not None else {}
        result = self.read(files, self.options(**{name: given[name] for name in self.options.model_fields if name in given}))
        open_ended = [file.name for file in files if file.content.rstrip(_BLANKS)[-1:] not in _ENDS]
        notes = (f"{name}: {_OPEN_ENDED}" for name in open_ended)
        return result._replace(notes=(*result.notes, *notes))


AnyFormat: TypeAlias = Format[Any]


def options_key(options: Params) -> str:
    """`options` as text for the id of a dataset. Ids of stored datasets depend on it, so later options at their defaults add nothing."""
    given = dict(options)
    known = ReadOptions(**{name: value for name, value in given.items() if name in ReadOptions.model_fields})
    own = type(options)()
    others = options.model_dump_json(include={n for n in given if n not in ReadOptions.model_fields and given[n] != getattr(own, n)})
    return known.model_dump_json(exclude=None if known.counters else {"counters"}) + ("" if others == "{}" else others)
