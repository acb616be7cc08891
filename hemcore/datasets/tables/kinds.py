"""The kinds of table, one entry each: its name on pages, its frames, and how it is written to files and read back."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
import pandas as pd

from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.hardware_levels import PROGRAM, WHOLE, levels, tree_columns
from hemcore.datasets.tables.hem_list import HemList
from hemcore.datasets.tables.metric_definitions import MetricDefinitions
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.signature_table import SignatureTable, StoredSignatures, first_columns
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import TableError
from hemcore.events.event_units import is_counted

Table = Subexperiments | CounterSeries | PhaseTable | SignatureTable | HemList | MetricDefinitions
T = TypeVar("T", Subexperiments, CounterSeries, PhaseTable, SignatureTable, HemList, MetricDefinitions)
# What is in no frame, as JSON has it.
Rest = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Kind(Generic[T]):
    """A kind of table.

    type: its class. words: its name on pages ("counter series").
    frames: its frames by name, one per subexperiment, or one in all. shape: its shape as text.
    to_files: the frames to keep, and what is in no frame (plain JSON). from_files: the table of both; raises TableError, KeyError,
        IndexError or TypeError where they are not of this kind.
    first, from_first: of a kind in one frame that need not be read whole: the columns to begin with; the table of those, of the names of
        all, and of what reads the others. Raises as from_files.
    """

    type: type[T]
    words: str
    frames: Callable[[T], dict[str, pd.DataFrame]]
    shape: Callable[[T], str]
    to_files: Callable[[T], tuple[list[pd.DataFrame], Rest]]
    from_files: Callable[[list[pd.DataFrame], Rest], T]
    first: Callable[[Sequence[str]], list[str]] | None = None
    from_first: Callable[[pd.DataFrame, Sequence[str], Callable[[], pd.DataFrame]], T] | None = None

    @property
    def name(self) -> str:
        """The key in KINDS and in records: the name of the class."""
        return self.type.__name__


AnyKind = Kind[Any]


def kind_of(table: Table) -> AnyKind:
    """The entry of KINDS that `table` is of. Raises TableError where it is no table."""
    found = next((kind for kind in KINDS.values() if isinstance(table, kind.type)), None)
    if found is None:
        raise TableError(f"table: a {type(table).__name__}; it must be one of {', '.join(KINDS)}.")
    return found


def frames(table: Table) -> dict[str, pd.DataFrame]:
    """The frames of `table` by name: one per subexperiment, those of metrics, or one in all."""
    found: dict[str, pd.DataFrame] = kind_of(table).frames(table)
    return found


def shape(table: Table) -> str:
    """The shape in words, such as "24 subexperiments, 16 HEMs, 1,000 runs each"."""
    return str(kind_of(table).shape(table))


def beginning(table: Table, rows: int) -> tuple[str, pd.DataFrame]:
    """The name and the first `rows` rows of the first frame of `table`; no others are put together."""
    first = table.where(np.arange(len(table.counts)) < rows) if isinstance(table, CounterSeries) else table
    name, frame = next(iter(frames(first).items()))
    return name, frame.head(rows)


def columns(frame: pd.DataFrame) -> pd.DataFrame:
    """One row per numeric column of `frame`: column, measured, missing, least, median, mean, largest, CoV % (NaN for mean 0)."""
    numbers = frame.select_dtypes("number")
    # Squares of counts above 1e154 are over what a float holds: the spread is then not known.
    with np.errstate(over="ignore"):
        mean, spread = numbers.mean(), numbers.std()
    return pd.DataFrame(
        {
            "column": [str(name) for name in numbers.columns],
            "measured": numbers.notna().sum().to_numpy(),
            "missing": numbers.isna().sum().to_numpy(),
            "least": numbers.min().to_numpy(),
            "median": numbers.median().to_numpy(),
            "mean": mean.to_numpy(),
            "largest": numbers.max().to_numpy(),
            "CoV %": (100 * spread.where(np.isfinite(spread)) / mean.where(mean != 0)).to_numpy(),
        }
    )


def _many(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _shape_of_subexperiments(table: Subexperiments) -> str:
    runs = sorted({len(frame) for frame in table.frames})
    each = _many(runs[0], "run") if len(runs) == 1 else f"{runs[0]:,} to {_many(runs[-1], 'run')}"
    parts = [_many(len(table.frames), "subexperiment"), _many(len(table.hems), "HEM")]
    parts += [_many(table.n_pmcs, "PMC")] if all(map(is_counted, table.hems)) else []  # no PMC counts a time or a power
    parts += [f"{_many(len(table.not_read), 'HEM')} not read"] if table.not_read else []
    places = [_many(len(table.places.applications), levels(table.places)[-1])] if table.places is not None else []
    return ", ".join([*parts, f"{each} each", *places])


def _shape_of_series(table: CounterSeries) -> str:
    parts = [_many(len(table.applications), "application"), _many(table.n_runs, "run")]
    if known := levels(table):  # its applications are places of one or more programs
        places = table.intervals[[PROGRAM, "run", *tree_columns(table.intervals)]].drop_duplicates()
        n_places = int(places.drop(columns="run").drop_duplicates()[known[-1]].fillna("").ne("").sum())
        parts = [_many(places[PROGRAM].nunique(), "program"), _many(n_places, known[-1])]
        parts += [_many(len(places[[PROGRAM, "run"]].drop_duplicates()), "run")]
    return ", ".join([*parts, _many(len(table.counts), "interval"), _many(len(table.events), "event"), table.mode])


def _shape_of_phases(table: PhaseTable) -> str:
    parts = [_many(len(table.programs), "program"), _many(len(table.frame), "phase")]
    if known := levels(table):  # its programs are places of one or more
        parts = [_many(table.frame[WHOLE].nunique(), "program"), _many(len(table.programs), known[-1]), *parts[1:]]
    return ", ".join([*parts, _many(len(table.counters), "counter"), _many(len(table.loads), "load")])


def _shape_of_hems(table: HemList) -> str:
    bound, limits = len(table.counters), len(table.limits)
    parts = [_many(len(table.hems), "HEM")]
    parts += [f"{bound:,} bound to counters"] if bound else []
    return ", ".join([*parts, *([_many(limits, "limit")] if limits else [])])


def _subexperiments_to_files(table: Subexperiments) -> tuple[list[pd.DataFrame], Rest]:
    rest: Rest = {"n_pmcs": table.n_pmcs, "labels": table.labels}
    rest |= {"not_read": table.not_read} if table.not_read else {}
    frames = list(table.frames)
    if table.truth is not None:
        frames, rest = [*frames, table.truth], rest | {"truth": True}
    if table.places is not None:
        frames, rest = [*frames, table.places.intervals, table.places.counts], rest | {"places": table.places.mode}
    return frames, rest


def _subexperiments_from_files(frames: list[pd.DataFrame], rest: Rest) -> Subexperiments:
    places = None
    if "places" in rest:
        *frames, intervals, counts = frames
        places = CounterSeries(intervals=intervals, counts=counts, mode=rest["places"])
    has_truth = bool(rest.get("truth"))
    return Subexperiments(
        frames=tuple(frames[:-1] if has_truth else frames),
        n_pmcs=rest["n_pmcs"],
        labels=tuple(rest["labels"]),
        truth=frames[-1] if has_truth else None,
        not_read=tuple(rest.get("not_read", ())),
        places=places,
    )


def _shape_of_metrics(table: MetricDefinitions) -> str:
    events = {event for needed in table.needed_events.values() for event in needed}
    parts = [_many(len(table.frame), "metric"), _many(len(events), "event")]
    return ", ".join([*parts, *([_many(int(table.frame["level"].max()), "level")] if table.frame["level"].max() else [])])


def _metrics_from_files(frames: list[pd.DataFrame], rest: Rest) -> MetricDefinitions:
    return MetricDefinitions(frame=frames[0], events=frames[1], constants=frames[2])


def _series_to_files(table: CounterSeries) -> tuple[list[pd.DataFrame], Rest]:
    beside = {name: frame for name, frame in (("share", table.share), ("truth", table.truth)) if frame is not None}
    rest = {"mode": table.mode, "interval_unit": table.interval_unit}
    # Series without a truth are kept as ever: what is on disk stays readable, and what is read has one id.
    return [table.intervals, table.counts, *beside.values()], rest | ({"beside": list(beside)} if "truth" in beside else {})


def _series_from_files(frames: list[pd.DataFrame], rest: Rest) -> CounterSeries:
    beside = dict(zip(rest.get("beside", ["share"]), frames[2:], strict=False))
    intervals = frames[0]
    texts = {name: intervals[name].cat.categories.dtype for name in intervals.select_dtypes("category")}
    return CounterSeries(
        intervals=intervals.astype(texts) if texts else intervals,
        counts=frames[1],
        share=beside.get("share"),
        mode=rest["mode"],
        interval_unit=rest["interval_unit"],
        truth=beside.get("truth"),
    )


KINDS: dict[str, AnyKind] = {
    kind.name: kind
    for kind in (
        Kind(
            type=Subexperiments,
            words="subexperiments",
            frames=lambda table: dict(zip(table.labels, table.frames, strict=True)),
            shape=_shape_of_subexperiments,
            to_files=_subexperiments_to_files,
            from_files=_subexperiments_from_files,
        ),
        Kind(
            type=CounterSeries,
            words="counter series",
            frames=lambda table: {"intervals": pd.concat([table.intervals, table.counts], axis=1)},
            shape=_shape_of_series,
            to_files=_series_to_files,
            from_files=_series_from_files,
        ),
        Kind(
            type=PhaseTable,
            words="phases",
            frames=lambda table: {"phases": table.frame},
            shape=_shape_of_phases,
            to_files=lambda table: ([table.frame], {"counters": table.counters}),
            from_files=lambda frames, rest: PhaseTable(frame=frames[0], counters=tuple(rest["counters"])),
        ),
        Kind(
            type=SignatureTable,
            words="signatures",
            frames=lambda table: {"signatures": table.frame},
            shape=lambda table: _many(len(table.first), "signature"),
            to_files=lambda table: ([table.frame], {}),
            from_files=lambda frames, rest: SignatureTable(frame=frames[0]),
            first=first_columns,
            from_first=StoredSignatures,
        ),
        Kind(
            type=HemList,
            words="HEMs to read",
            frames=lambda table: {"HEMs": table.frame},
            shape=_shape_of_hems,
            to_files=lambda table: ([table.frame], {}),
            from_files=lambda frames, rest: HemList(frame=frames[0]),
        ),
        Kind(
            type=MetricDefinitions,
            words="metrics",
            frames=lambda table: {"metrics": table.frame, "events": table.events, "constants": table.constants},
            shape=_shape_of_metrics,
            to_files=lambda table: ([table.frame, table.events, table.constants], {}),
            from_files=_metrics_from_files,
        ),
    )
}
