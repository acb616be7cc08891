"""Which event and statistic show the phases of an application most clearly, found without knowing them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.analysis import Progress
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ParameterError
from hemcore.segmentation.event_runs import application_shape
from hemcore.segmentation.params import SegmentationParams, Statistic
from hemcore.segmentation.search.searches import LARGEST
from hemcore.segmentation.search.thresholds import optimal_threshold
from hemcore.segmentation.segments import segment

STATISTICS: tuple[Statistic, ...] = ("rms", "mean")
COLUMNS = ("event", "statistic", "clearness", "agreement", "explained", "n_change_points", "threshold")
# From which clearness on an event is worth opening: noise stays below it.
CLEAR = 0.2
_RUNS = 5
_CELLS = 4_000  # a run; longer ones are averaged over neighbouring intervals
_MAX_THRESHOLD = 100
_TOLERANCE = 2  # cells
_FEWEST, _MOST = 2, 20  # change points of an event that is worth a profile (document 002, section III-B)
_Marks = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True, eq=False)
class EventRanking:
    """Events and statistics of one application, those that show phases most clearly first.

    ranked: one row an event and statistic, clearness descending: event, statistic, clearness (0 to 1), agreement (of its change points
        with those of the other events, mean F1 over them; NaN where no other event has one), explained (share of its variation that its
        segments account for), n_change_points, threshold (Algorithm 1's); medians over the runs that were looked at.
    application; n_events: how many were counted; runs: which were looked at.
    """

    ranked: pd.DataFrame
    application: str
    n_events: int
    runs: tuple[int, ...]

    @property
    def best(self) -> tuple[str, str] | None:
        """The event and the statistic that show phases most clearly; None where none does."""
        first = self.ranked.iloc[0]
        return (str(first["event"]), str(first["statistic"])) if first["clearness"] >= CLEAR else None

    @property
    def of_each(self) -> pd.DataFrame:
        """One row an event, with the statistic that suits it best, the clearest event first."""
        return self.ranked.drop_duplicates("event", ignore_index=True)

    @property
    def why(self) -> str:
        """Why `best` is, as the rest of a sentence that names it; a whole sentence where there is none."""
        first = self.ranked.iloc[0]
        if self.best is None:
            return f"None of the {self.n_events} events of {self.application} shows phases clearly."
        one = first["n_change_points"] == 1
        explain = f"its {'change point explains' if one else 'change points explain'} {int(100 * first['explained'])} % of its variation"
        if self.n_events == 1:
            return f"{explain}."
        shared = "" if np.isnan(first["agreement"]) else f" and other events have {'it' if one else 'them'} too"
        return f"of {self.n_events} events it shows the phases most clearly: {explain}{shared}."


def rank_events(table: CounterSeries, params: SegmentationParams, progress: Progress | None = None) -> EventRanking:
    """Rank the events of `params.application` (empty: the first), each with the statistics rms and mean, by how clearly they show phases.

    Each is segmented as Algorithm 1 has it, in at most 5 runs, averaged to at most 4,000 cells each. A phase of a program shows in several
    events at once and noise in each by itself, so clearness is the product of the change points' agreement with those of the other events
    (mean F1 within two cells, the better statistic of each; 1 where no other event has any), the share of variation that they explain,
    and a share below 1 where there are fewer than 2 change points or more than 20 (20 / number). It is 0 without a change point.

    Raises UnknownNameError for an unknown application, ParameterError where nothing of it was counted.
    """
    application = params.application or table.applications[0]
    shape = application_shape(table, application)
    taken = sorted({int(place) for place in np.linspace(0, len(shape.runs) - 1, _RUNS)})
    runs = tuple(shape.runs[place] for place in taken)
    if not shape.events:
        raise ParameterError(f"application: no event of {application!r} was counted in any interval. Choose another application.")
    rows = [_rows(table, application, run) for run in runs]
    found = []
    for number, event in enumerate(shape.events):
        if progress is not None:
            progress(0.95 * number / len(shape.events), f"{event} ({number + 1} of {len(shape.events)})")
        values = table.counts[event].to_numpy(dtype=float, na_value=np.nan)
        cells = [_cells(values[each]) for each in rows]
        found += [_cut(event, statistic, cells) for statistic in STATISTICS]
    agreement = _agreement(found, [_n_cells(len(each)) for each in rows])
    ranked = pd.DataFrame(
        [
            (each.event, each.statistic, each.worth * (1.0 if np.isnan(shared) else shared), shared, each.explained, each.n, each.threshold)
            for each, shared in zip(found, agreement, strict=True)
        ],
        columns=list(COLUMNS),
    )
    if progress is not None:
        progress(1.0, "done")
    return EventRanking(
        ranked=ranked.sort_values("clearness", ascending=False, kind="stable", ignore_index=True),
        application=application,
        n_events=len(shape.events),
        runs=runs,
    )


def seconds_of_ranking(table: CounterSeries, params: SegmentationParams) -> float:
    """About how long `rank_events` takes on a laptop."""
    shape = application_shape(table, params.application or table.applications[0])
    samples = sum(sorted((min(length, _CELLS) for length in shape.lengths), reverse=True)[:_RUNS])
    return len(shape.events) * (0.01 + 8e-6 * samples + 1e-8 * len(table.counts))


@dataclass(frozen=True, kw_only=True)
class _Cut:
    """An event with a statistic: in which cell each change point of each run lies, and medians over runs. spacing: cells a sample."""

    event: str
    statistic: Statistic
    marks: tuple[_Marks, ...]
    spacing: int
    explained: float = 0.0
    n: float = 0.0
    threshold: float = 0.0

    @property
    def worth(self) -> float:
        """Clearness, but for the agreement with other events."""
        few = 0.0 if self.n < 1 else 0.5 if self.n < _FEWEST else 1.0
        return self.explained * few * min(1.0, _MOST / max(self.n, 1.0))


def _rows(table: CounterSeries, application: str, run: int) -> NDArray[np.int64]:
    chosen = (table.intervals["application"] == application) & (table.intervals["run"] == run)
    return np.flatnonzero(chosen.to_numpy())


def _n_cells(n: int) -> int:
    return -(-n // -(-n // _CELLS)) if n else 0


def _cells(values: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """(cells with a counted value, the mean in each); the run's intervals fall into at most 4,000 cells of equal length."""
    width = -(-len(values) // _CELLS) or 1
    counted = np.flatnonzero(np.isfinite(values) & (values <= LARGEST))
    cells, starts, sizes = np.unique(counted // width, return_index=True, return_counts=True)
    return cells, np.add.reduceat(values[counted], starts) / sizes if len(counted) else np.empty(0)


def _cut(event: str, statistic: Statistic, cells: Sequence[tuple[NDArray[np.int64], NDArray[np.float64]]]) -> _Cut:
    """The event cut by Algorithm 1 in each run that counted it; without a change point where none did."""
    series = [_in_units(values, statistic) for _, values in cells]
    counted = [each for each in series if len(each)]
    spacing = max((round((places[-1] + 1) / len(places)) for places, _ in cells if len(places)), default=1)
    if not counted:
        return _Cut(event=event, statistic=statistic, marks=tuple(np.empty(0, dtype=np.int64) for _ in cells), spacing=1)
    threshold = optimal_threshold(counted, _MAX_THRESHOLD, statistic=statistic).threshold
    marks, shares, numbers = [], [], []
    for (places, _), each in zip(cells, series, strict=True):
        if not len(each):
            marks.append(np.empty(0, dtype=np.int64))
            continue
        cut = segment(each, threshold, statistic=statistic)
        marks.append(places[np.array(cut.change_points, dtype=np.int64)])
        shares.append(cut.explained if np.isfinite(cut.explained) else 0.0)
        numbers.append(cut.n_change_points)
    return _Cut(
        event=event,
        statistic=statistic,
        marks=tuple(marks),
        spacing=spacing,
        explained=float(np.median(shares)),
        n=float(np.median(numbers)),
        threshold=float(threshold),
    )


def _in_units(values: NDArray[np.float64], statistic: Statistic) -> NDArray[np.float64]:
    """What is searched: for the mean in units of the standard deviation, as on the page."""
    spread = float(np.std(values)) if statistic == "mean" and len(values) else 0.0
    return values / spread if spread > 0 else values


def _agreement(found: Sequence[_Cut], n_cells: Sequence[int]) -> NDArray[np.float64]:
    """For each cut the mean F1 of its change points with those of each other event, its better statistic; NaN where no other has any."""
    n, events = len(found), len(found) // len(STATISTICS)
    total, runs = np.zeros((n, events)), 0
    for run, cells in enumerate(n_cells):
        marks = [each.marks[run] for each in found]
        if not any(len(each) for each in marks):
            continue
        total += _f1(marks, [each.spacing for each in found], cells).reshape(n, events, -1).max(axis=2)
        runs += 1
    any_point = np.array([[any(len(each) for each in cut.marks)] for cut in found]).reshape(events, -1).any(axis=1)
    told = np.full(n, np.nan)
    for place in range(n):
        others = any_point & (np.arange(events) != place // len(STATISTICS))
        if others.any():
            told[place] = total[place, others].mean() / runs
    return told


def _f1(marks: Sequence[_Marks], spacing: Sequence[int], n_cells: int) -> NDArray[np.float64]:
    """F1 of each two sets of marks among `n_cells` cells, shape (n, n); two marks are one within 2 cells, or 2 of the rarer samples."""
    own = np.zeros((len(marks), n_cells), dtype=np.float32)
    for row, each in zip(own, marks, strict=True):
        row[each] = 1
    coarser = np.maximum.outer(spacing, spacing)
    hits = np.zeros(coarser.shape)
    for size in np.unique(coarser):
        near = np.zeros_like(own)
        for row, each in zip(near, marks, strict=True):
            for shift in range(-_TOLERANCE * size, _TOLERANCE * size + 1):
                row[np.clip(each + shift, 0, n_cells - 1)] = 1
        hits = np.where(coarser == size, own @ near.T, hits)
    numbers = np.maximum([len(each) for each in marks], 1)
    precision, recall = hits / numbers[:, None], hits.T / numbers[None, :]
    return np.where(precision + recall > 0, 2 * precision * recall / np.maximum(precision + recall, 1e-300), 0.0)
