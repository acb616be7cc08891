"""How evenly an event is counted over the cores (threads, sockets, nodes) of a run: over time, and event by event.

Imbalance is (most - mean) / mean over the places: 0 where all count the same, and what waiting for the slowest costs where the event is
time or work. Source: L. DeRose, B. Homer, D. Johnson, "Detecting application load imbalance on high end massively parallel systems",
Euro-Par 2007, doi:10.1007/978-3-540-74466-5_17.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.analysis import Progress
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.hardware_levels import PROGRAM, place_name, tasks, tree_columns
from hemcore.errors import ParameterError, Remedy
from hemcore.events.event_units import is_counted
from hemcore.events.hardware_tree import TREE, adds_up
from hemcore.headline import ADD_RUNS, ANSWER_WORDS, FEW_COUNTS, Card, Doubt, Verdict, doubted, few_counts, few_runs, percent
from hemcore.segmentation.chosen import with_event_and_run
from hemcore.segmentation.event_runs import interval_edges
from hemcore.segmentation.params import SegmentationParams

# Below this share above the mean, places count alike.
EVEN = 0.05


@dataclass(frozen=True, kw_only=True)
class CoreBalance:
    """The places of one run of one program.

    places: their names. level: what they are ("core"). times: shape (intervals + 1,), from where to where each interval lasts, in s from
    the start of the run, or half a number before and after its own. seconds: which of the two. over_time: shape (places, intervals), the
    counts of the event, NaN = not counted. events: one row per event that two places count: event, mean (per place), most, place (that
    counts most), imbalance; sorted by imbalance. relative: shape (places, events in that order), each place's total over the mean of all,
    minus 1; NaN where a place does not count the event. used: intervals of the event in which every place counted. n_runs: how many runs
    the program has. same: in how many of them the same place counts most.
    """

    places: tuple[str, ...]
    level: str
    times: NDArray[np.float64]
    seconds: bool
    over_time: NDArray[np.float64]
    events: pd.DataFrame
    relative: NDArray[np.float64]
    used: int
    n_runs: int
    same: int
    params: SegmentationParams

    @property
    def own(self) -> pd.Series | None:
        """The row of the chosen event; None if fewer than two places count it."""
        found = self.events[self.events["event"] == self.params.event]
        return None if found.empty else found.iloc[0]


def has_places(table: CounterSeries) -> bool:
    """Whether the series, or the one that it is the sums of, tells two places of one program apart."""
    intervals = (table.finer or table).intervals
    if not tree_columns(intervals):
        return False
    places = intervals.drop_duplicates(["application", "run"])
    return bool(places.duplicated([PROGRAM, "run"]).any())


def core_balance(table: CounterSeries, params: SegmentationParams, progress: Progress | None = None) -> CoreBalance:
    """The places, as fine as they were measured, of the program and run that params.application and params.run choose.

    Raises ParameterError where none are told apart.
    """
    params = with_event_and_run(table, params)
    if not has_places(table):
        raise ParameterError(f"{params.application}: its series does not tell cores apart. Measure with perf stat -A or --per-core.")
    finest = table.finer or table
    columns = tree_columns(finest.intervals)
    program = str(table.intervals.loc[table.intervals["application"] == params.application, PROGRAM].iloc[0])
    of_program = finest.where((finest.intervals[PROGRAM] == program).to_numpy())
    columns = _telling(of_program.intervals, columns)
    runs = of_program.intervals["run"].unique()
    chosen = of_program.where((of_program.intervals["run"] == params.run).to_numpy())
    labels = _labels(chosen.intervals, columns)
    rows_of = _rows(chosen.intervals, columns, labels)
    grids = {event: _grid(chosen, event, rows_of, len(labels)) for event in chosen.events}
    own = grids[params.event]
    edges, numbers = _edges(chosen)
    rows, relative = [], {}
    for event, grid in grids.items():
        totals = _totals(grid, event)
        known = np.isfinite(totals)
        mean = float(totals[known].mean()) if known.sum() > 1 else 0.0
        if mean > 0:
            most = int(np.nanargmax(totals))
            row = {
                "event": event,
                "mean": mean,
                "most": float(totals[most]),
                "place": labels[most],
                "imbalance": float(totals[most]) / mean - 1,
            }
            rows.append(row)
            relative[event] = totals / mean - 1
    events = pd.DataFrame(rows, columns=["event", "mean", "most", "place", "imbalance"])
    events = events.sort_values("imbalance", ascending=False, kind="stable").reset_index(drop=True)
    counted = np.isfinite(own).any(axis=1)
    return CoreBalance(
        places=tuple(labels),
        level=columns[-1],
        times=numbers if edges is None else edges,
        seconds=edges is not None,
        over_time=own,
        events=events,
        relative=np.array([relative[event] for event in events["event"]]).reshape(len(events), len(labels)).T,
        used=int(np.isfinite(own[counted]).all(axis=0).sum()) if counted.any() else 0,
        n_runs=len(runs),
        same=_same_place(of_program, runs, params.event, columns),
        params=params,
    )


def _telling(intervals: pd.DataFrame, columns: list[str]) -> list[str]:
    """The fewest of `columns`, from the finest, that tell all places apart: threads that are numbered through need no socket."""
    places = intervals[columns].fillna("").astype(str).drop_duplicates()
    return next(columns[first:] for first in range(len(columns) - 1, -1, -1) if not places[columns[first:]].duplicated().any())


def _labels(intervals: pd.DataFrame, columns: list[str]) -> list[str]:
    """The places in the order of first appearance, numbers among them by their value."""
    places = intervals[columns].fillna("").astype(str).drop_duplicates()
    order = sorted(places.itertuples(index=False, name=None), key=lambda each: [(len(part), part) for part in each])
    return [_label(place, columns) for place in order]


def _label(place: tuple[str, ...], columns: list[str]) -> str:
    return " ".join(place_name(level, part) for level, part in zip(columns, place, strict=True) if part) or "whole"


def _rows(intervals: pd.DataFrame, columns: list[str], labels: list[str]) -> NDArray[np.intp]:
    """The number of the place of each interval, among `labels`."""
    codes, places = pd.factorize(pd.MultiIndex.from_frame(intervals[columns].fillna("").astype(str)))
    return np.array([labels.index(_label(tuple(place), columns)) for place in places], dtype=np.intp)[codes]


def _grid(series: CounterSeries, event: str, rows: NDArray[np.intp], n_places: int) -> NDArray[np.float64]:
    """The counts of the event, shape (places, intervals)."""
    numbers = np.sort(series.intervals["interval"].unique())
    grid = np.full((n_places, len(numbers)), np.nan)
    grid[rows, np.searchsorted(numbers, series.intervals["interval"].to_numpy())] = series.counts[event].to_numpy(dtype=float)
    idle = np.zeros(n_places, dtype=bool)
    idle[rows] = tasks(series)
    # A task that did not run counted nothing, where others were counted.
    grid[np.isnan(grid) & idle[:, None] & np.isfinite(grid).any(axis=0)] = 0.0
    return grid


def _edges(series: CounterSeries) -> tuple[NDArray[np.float64] | None, NDArray[np.float64]]:
    """(from where to where each interval lasts in s, None if it is not known; the same in numbers of intervals), shape (intervals + 1,)."""
    numbers = np.sort(series.intervals["interval"].unique()).astype(float)
    ends = series.intervals.groupby("interval")["time"].max().to_numpy(dtype=float) if "time" in series.intervals else None
    return interval_edges(ends), np.append(numbers - 0.5, numbers[-1] + 0.5)


def _totals(grid: NDArray[np.float64], event: str) -> NDArray[np.float64]:
    """The sum of each place, or the mean of what does not add up over time, over the intervals in which all that count the event did."""
    counts = np.isfinite(grid).any(axis=1)
    whole = np.isfinite(grid[counts]).all(axis=0)
    totals = np.full(len(grid), np.nan)
    if counts.any() and whole.any():
        found = grid[counts][:, whole].sum(axis=1)
        totals[counts] = found if adds_up(event) else found / whole.sum()
    return totals


def _same_place(series: CounterSeries, runs: NDArray[np.generic], event: str, columns: list[str]) -> int:
    """In how many runs the place counts most that does so most often."""
    found = []
    for run in runs:
        part = series.where((series.intervals["run"] == run).to_numpy())
        labels = _labels(part.intervals, columns)
        totals = _totals(_grid(part, event, _rows(part.intervals, columns, labels), len(labels)), event)
        if np.isfinite(totals).sum() > 1:
            found.append(labels[int(np.nanargmax(totals))])
    return max((found.count(each) for each in set(found)), default=0)


def balance_sentence(found: CoreBalance) -> str:
    """ "thread 3 counts 60% more task-clock than the mean of 4 threads"; that they count alike; or that one place alone counts."""
    own, event, many = found.own, found.params.event, _many(found)
    verb = "count" if is_counted(event) else "have"
    if own is None:
        return f"fewer than two {found.level}s {verb} {event}"
    if own["imbalance"] < EVEN:
        return f"{many} {verb} {event} alike: the most is {percent(float(own['imbalance']), 1)} above the mean"
    if verb == "have":
        return f"{own['place']} has {event} {percent(float(own['imbalance']))} above the mean of {many}"
    return f"{own['place']} counts {percent(float(own['imbalance']))} more {event} than the mean of {many}"


def _n_counting(found: CoreBalance) -> int:
    return int(np.isfinite(found.over_time).any(axis=1).sum())


def _many(found: CoreBalance) -> str:
    return f"{_n_counting(found)} {found.level}s"


def capital(sentence: str) -> str:
    """`sentence` with a capital, unless it begins with a name (worker3-4711)."""
    first = sentence.partition(" ")[0]
    return sentence if first not in (*TREE, "fewer") else f"{sentence[:1].upper()}{sentence[1:]}"


def balance_verdict(found: CoreBalance) -> Verdict:
    """How uneven the chosen event is, and whether the same place counts most in every run."""
    answer = f"{capital(balance_sentence(found))}."
    if len(answer.split()) > ANSWER_WORDS:
        answer = answer.replace(f" of {_many(found)}.", ".")
    if found.own is None:
        return Verdict(answer=answer, trust="There is nothing to compare.", level="poor", remedies=(_another_event(found),))
    doubts = []
    if few := few_counts(found.params.event, found.over_time):
        doubts.append(Doubt(sentence=few, remedy=_another_event(found)))
    if found.n_runs > 1 and found.own["imbalance"] >= EVEN and found.same < found.n_runs:
        sentence = f"The same {found.level} is highest in only {found.same:,} of {found.n_runs:,} runs."
        doubts.append(Doubt(sentence=sentence, remedy=ADD_RUNS))
    doubts += few_runs(found.n_runs)
    trust = f"{found.same:,} of {found.n_runs:,} runs agree on which {found.level} is highest."
    missing = found.over_time.shape[1] - found.used
    why = (f"{missing:,} intervals in which some {found.level} did not count are left out.",) if missing else ()
    return doubted(Verdict(answer=answer, trust=trust, why=why), doubts)


def _another_event(found: CoreBalance) -> Remedy:
    """The step to the most uneven other event that is counted often enough; to more runs if there is none."""
    others = found.events[(found.events["event"] != found.params.event) & (found.events["mean"] * len(found.places) >= FEW_COUNTS)]
    return ADD_RUNS if others.empty else Remedy(label=f"Show {others['event'].iloc[0]}", choose={"event": str(others["event"].iloc[0])})


def balance_cards(found: CoreBalance) -> list[Card]:
    """The headline figures."""
    own = found.own
    worst = found.events.iloc[0] if len(found.events) else None
    return [
        Card(
            label="Imbalance",
            value=None if own is None else float(own["imbalance"]),
            form=".1%",
            note="" if own is None else f"{own['place']} is highest",
            help="How far the highest place is above the mean of all: 0 where all count the same.",
            better="lower",
            of=found.params.event,
        ),
        Card(
            label=f"{found.level[:1].upper()}{found.level[1:]}s",
            value=_n_counting(found),
            note=f"of {found.params.application}",
            help=f"Those for which {found.params.event} was measured.",
        ),
        Card(
            label="Most uneven event",
            value=None if worst is None else float(worst["imbalance"]),
            form=".1%",
            note="" if worst is None else str(worst["event"]),
            help="The event with the largest imbalance.",
        ),
    ]
