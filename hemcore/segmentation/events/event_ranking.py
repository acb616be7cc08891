"""Ranks events and statistics by how clearly they show the phases of an application, without knowing the phases."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.analysis import Progress
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ParameterError
from hemcore.headline import few_counts, percent
from hemcore.segmentation.event_runs import application_shape
from hemcore.segmentation.params import SegmentationParams, Statistic
from hemcore.segmentation.results import in_units
from hemcore.segmentation.search.searches import LARGEST
from hemcore.segmentation.search.thresholds import optimal_threshold
from hemcore.segmentation.segments import segment
from hemcore.segmentation.smooth_courses import gradual

STATISTICS: tuple[Statistic, ...] = ("rms", "mean")
COLUMNS = ("event", "statistic", "clearness", "agreement", "explained", "n_change_points", "threshold")
# The lowest clearness of an event worth opening: noise stays below it.
CLEAR = 0.2
_RUNS = 5
_CELLS = 4_000  # per run; longer ones are averaged over neighbouring intervals
_MAX_THRESHOLD = 100
_TOLERANCE = 2  # cells
_FEWEST, _MOST = 2, 20  # change points of an event that is worth a profile (Imtiaz et al. 2022, section III-B)
_Marks = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True, eq=False)
class EventRanking:
    """Events and statistics of one application, those that show phases most clearly first.

    ranked: one row per event and statistic, clearness descending, then those with few counts last: event, statistic, clearness (0 to 1),
        agreement (of its change points with those of the other events, mean F1 over them; NaN if no other event has any), explained (the
        share of its variance that its segments explain), n_change_points, threshold (Algorithm 1's); medians over the runs used.
    application; n_events: the number of counted events; runs: the runs used.
    """

    ranked: pd.DataFrame
    application: str
    n_events: int
    runs: tuple[int, ...]

    @property
    def best(self) -> tuple[str, str] | None:
        """The event and statistic that show phases most clearly; None if none shows them clearly."""
        first = self.ranked.iloc[0]
        return (str(first["event"]), str(first["statistic"])) if first["clearness"] >= CLEAR else None

    @property
    def of_each(self) -> pd.DataFrame:
        """One row per event, with its best statistic, the clearest event first."""
        return self.ranked.drop_duplicates("event", ignore_index=True)

    @property
    def why(self) -> str:
        """The reason for `best`, as the rest of a sentence that names it; a whole sentence if there is none."""
        first = self.ranked.iloc[0]
        if self.best is None:
            return f"None of the {self.n_events} events of {self.application} shows phases clearly."
        one = first["n_change_points"] == 1
        share = percent(int(100 * first["explained"]) / 100)  # rounded down: 99.9% is not all
        explain = f"its {'change point explains' if one else 'change points explain'} {share} of its variance"
        if self.n_events == 1:
            return f"{explain}."
        shared = "" if np.isnan(first["agreement"]) else f", and other events have {'it' if one else 'them'} too"
        return f"clearest of {self.n_events} events, because {explain}{shared}."


def rank_events(table: CounterSeries, params: SegmentationParams, progress: Progress | None = None) -> EventRanking:
    """Rank the events of `params.application` (empty: the first), with the statistics rms and mean, by how clearly they show phases.

    Each is segmented at Algorithm 1's threshold in at most 5 runs, averaged to at most 4,000 cells each. A phase of a program shows in
    several events at once, noise in each alone. Clearness is therefore the product of the change points' agreement with those of the other
    events (mean F1 within two cells, the better statistic of each; 1 if no other event has any), the share of variance they explain (0 of
    a smooth curve or of few counts), and a factor for their number: 0 for none, 0.5 for one, 20 / number above 20, otherwise 1.

    Raises UnknownNameError for an unknown application, ParameterError if nothing of it was counted.
    """
    application = params.application or table.applications[0]
    shape = application_shape(table, application)
    taken = sorted({int(place) for place in np.linspace(0, len(shape.runs) - 1, _RUNS)})
    runs = tuple(shape.runs[place] for place in taken)
    if not shape.events:
        raise ParameterError(f"application: no event of {application!r} was counted in any interval. Choose another application.")
    rows = [_rows(table, application, run) for run in runs]
    found, few = [], []
    for number, event in enumerate(shape.events):
        if progress is not None:
            progress(0.95 * number / len(shape.events), f"{event} ({number + 1} of {len(shape.events)})")
        values = table.counts[event].to_numpy(dtype=float, na_value=np.nan)
        cells = [_cells(values[each]) for each in rows]
        # Neither a smooth curve nor a handful of counts has phases, however well segments fit it.
        sparse = bool(few_counts(event, values[np.concatenate(rows)]))
        phaseless = [sparse or gradual(each) is not None for _, each in cells]
        found += [_cut(event, statistic, cells, phaseless) for statistic in STATISTICS]
        few += [sparse] * len(STATISTICS)
    agreement = _agreement(found, [_n_cells(len(each)) for each in rows])
    ranked = pd.DataFrame(
        [
            (each.event, each.statistic, each.worth * (1.0 if np.isnan(shared) else shared), shared, each.explained, each.n, each.threshold)
            for each, shared in zip(found, agreement, strict=True)
        ],
        columns=list(COLUMNS),
    ).assign(few=few)
    if progress is not None:
        progress(1.0, "done")
    return EventRanking(
        ranked=ranked.sort_values(["clearness", "few"], ascending=[False, True], ignore_index=True).drop(columns="few"),
        application=application,
        n_events=len(shape.events),
        runs=runs,
    )


@dataclass(frozen=True, kw_only=True)
class _Cut:
    """An event with a statistic: the cell of each change point of each run, and medians over runs. spacing: cells per sample."""

    event: str
    statistic: Statistic
    marks: tuple[_Marks, ...]
    spacing: int
    explained: float = 0.0
    n: float = 0.0
    threshold: float = 0.0

    @property
    def worth(self) -> float:
        """Clearness without the agreement with other events."""
        few = 0.0 if self.n < 1 else 0.5 if self.n < _FEWEST else 1.0
        return self.explained * few * min(1.0, _MOST / max(self.n, 1.0))


def _rows(table: CounterSeries, application: str, run: int) -> NDArray[np.int64]:
    chosen = (table.intervals["application"] == application) & (table.intervals["run"] == run)
    return np.flatnonzero(chosen.to_numpy())


def _n_cells(n: int) -> int:
    return -(-n // -(-n // _CELLS)) if n else 0


def _cells(values: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """(cells with a counted value, the mean of each); the run's intervals are split into at most 4,000 cells of equal length."""
    width = -(-len(values) // _CELLS) or 1
    counted = np.flatnonzero(np.isfinite(values) & (values <= LARGEST))
    cells, starts, sizes = np.unique(counted // width, return_index=True, return_counts=True)
    return cells, np.add.reduceat(values[counted], starts) / sizes if len(counted) else np.empty(0)


def _cut(
    event: str, statistic: Statistic, cells: Sequence[tuple[NDArray[np.int64], NDArray[np.float64]]], phaseless: Sequence[bool]
) -> _Cut:
    """The event segmented at Algorithm 1's threshold in each run that counted it; no change point if none did.

    phaseless: for each run, whether its segments explain nothing, whatever their share of the variance.
    """
    series = [in_units(values, statistic) for _, values in cells]
    counted = [each for each in series if len(each)]
    spacing = max((round((places[-1] + 1) / len(places)) for places, _ in cells if len(places)), default=1)
    if not counted:
        return _Cut(event=event, statistic=statistic, marks=tuple(np.empty(0, dtype=np.int64) for _ in cells), spacing=1)
    threshold = optimal_threshold(counted, _MAX_THRESHOLD, statistic=statistic).threshold
    marks, shares, numbers = [], [], []
    for (places, _), each, no_phases in zip(cells, series, phaseless, strict=True):
        if not len(each):
            marks.append(np.empty(0, dtype=np.int64))
            continue
        cut = segment(each, threshold, statistic=statistic)
        marks.append(places[np.array(cut.change_points, dtype=np.int64)])
        shares.append(cut.explained if np.isfinite(cut.explained) and not no_phases else 0.0)
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


def _agreement(found: Sequence[_Cut], n_cells: Sequence[int]) -> NDArray[np.float64]:
    """For each cut the mean F1 of its change points with those of each other event (better statistic); NaN if no other has any."""
    n, events = len(found), len(found) // len(STATISTICS)
    total, runs = np.zeros((n, events)), 0
    for run, cells in enumerate(n_cells):
        marks = [each.marks[run] for each in found]
        if not any(len(each) for each in marks):
            continue
        total += _f1(marks, [each.spacing for each in found], cells).reshape(n, events, -1).max(axis=2)
        runs += 1
    any_point = np.array([[any(len(each) for each in cut.marks)] for cut in found]).reshape(events, -1).any(axis=1)
    mean = np.full(n, np.nan)
    for place in range(n):
        others = any_point & (np.arange(events) != place // len(STATISTICS))
        if others.any():
            mean[place] = total[place, others].mean() / runs
    return mean


def _f1(marks: Sequence[_Marks], spacing: Sequence[int], n_cells: int) -> NDArray[np.float64]:
    """F1 of each pair of sets of marks in `n_cells` cells, shape (n, n); marks match within 2 cells, or 2 of the rarer samples."""
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
    return np.where(precision + recall > 0, 2 * precision * recall / np.maximum(precision + recall, 1.0 / n_cells), 0.0)
