"""One set of change points from several events of a run."""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.errors import ParameterError
from hemcore.segmentation.joint.joint_optimum import joint_energies, joint_partition
from hemcore.segmentation.joint.joint_readings import Readings, readings
from hemcore.segmentation.search.crops import MAX_SEGMENTATIONS, optima

# The default penalty, in log(n) per event, and the minimum segment length, as a share of the run.
PENALTY = 2.6
LEAST_SHARE = 0.02
_ROUNDING = 1e-14


@dataclass(frozen=True, kw_only=True, eq=False)
class JointSegmentation:
    """Several events of one run, segmented at the same change points.

    change_points: the first index of each new segment, ascending, from 1 to n_samples - 1; empty for one segment.
    residual: sum over events of squared deviations from the segments' means, in squares of each event's standard deviation.
    explained: the share of the variance that the segments' means explain, 0 to 1; NaN if nothing varies.
    explained_by: the same for each event that varies, index: the events.
    constant: events that were left out because they do not vary.
    n_samples: length of the run. penalty, min_segment, bursts: the arguments of the search.
    """

    change_points: tuple[int, ...]
    residual: float
    explained: float
    explained_by: pd.Series = field(repr=False)
    constant: tuple[str, ...]
    n_samples: int
    penalty: float
    min_segment: int
    bursts: bool

    @property
    def events(self) -> tuple[str, ...]:
        """The events that vary, in the order of the columns."""
        return tuple(self.explained_by.index)

    @property
    def n_change_points(self) -> int:
        """The number of change points, one less than the number of segments."""
        return len(self.change_points)

    def segments(self, counts: pd.DataFrame) -> pd.DataFrame:
        """One row per segment: start, stop (the first index after it), n_samples, and each event's mean count (NaN: not counted in it).

        counts: the segmented table. Raises ParameterError for a table of another length.
        """
        if len(counts) != self.n_samples:
            raise ParameterError(f"counts: it has {len(counts):,} rows; the segmented table has {self.n_samples:,}.")
        edges = list(pairwise([0, *self.change_points, self.n_samples]))
        means = [counts.iloc[start:stop].mean() for start, stop in edges]
        table = pd.DataFrame(edges, columns=["start", "stop"])
        table["n_samples"] = table["stop"] - table["start"]
        return pd.concat([table, pd.DataFrame(means).reset_index(drop=True)], axis=1)


@dataclass(frozen=True, kw_only=True, eq=False)
class JointPath:
    """The joint segmentations of one run between two penalties.

    intervals: one row per distinct segmentation, penalties ascending: penalty_from (included), penalty_to (excluded except in the last
        row), n_change_points, residual. At least one row. Only with bursts can a row have more change points than the one before it.
    points: the change points of each row.
    """

    intervals: pd.DataFrame
    points: tuple[tuple[int, ...], ...]
    read: Readings = field(repr=False)
    min_segment: int
    bursts: bool

    def at(self, penalty: float) -> JointSegmentation:
        """The result of `segment_jointly` at `penalty`, without another search. Raises ParameterError outside the path."""
        lowest, highest = self.intervals["penalty_from"].iloc[0], self.intervals["penalty_to"].iloc[-1]
        if not lowest <= penalty <= highest:
            raise ParameterError(f"penalty: {penalty:g} is outside this path, {lowest:g} to {highest:g}. Compute a wider path.")
        row = int(np.searchsorted(self.intervals["penalty_from"].to_numpy(), penalty, side="right")) - 1
        return _described(self.read, self.points[row], penalty, self.min_segment, self.bursts)


def segment_jointly(
    counts: pd.DataFrame, *, penalty: float | None = None, min_segment: int | None = None, bursts: bool = True
) -> JointSegmentation:
    """One set of change points for all events that minimises squared deviations from the segments' means + penalties; exact.

    counts: shape (n, events), n >= 1, one row per sample and one column per event; NaN: not counted, which costs nothing. Of each event the
        square root of its counts is searched, with the lowest and highest 4% clipped, divided by its standard deviation, so that every
        event has the same weight whatever its unit. Events that do not vary are left out.
    penalty: how much a change point must lower the sum, in squared standard deviations over all events, > 0. None: 2.6 log(n) per event;
        `segment_runs_jointly` chooses one from several runs of a program.
    min_segment: the minimum segment length in samples, >= 1. None: 2% of the samples, at least 2.
    bursts: whether a change point costs half if at least two events burst in its first sample or in the one before. A burst is a rare
        excess over the running median of 9 samples (over a tenth of the event's highest excess, in at most 5% of the samples): instruction
        cache misses, above all, burst when new code starts. False: every change point costs the same.

    On the sample's 60 runs of 9 programs the defaults give an F1 of .85 within 2 intervals, see benchmarks/bench_joint_segmentation.py (on
    8 of them .83, and .78 without bursts and clipping). If no event varies: one segment, explained NaN.
    Time grows about as n * events if samples vary, and with the square of the segments' lengths if little changes.

    Raises ParameterError for a table without rows or columns, a column that is not numeric or is there twice, an infinite value, a penalty
    that is not above 0 and a min_segment below 1.
    Source: Killick et al. 2012, doi:10.1080/01621459.2012.737745, with the pruning of `joint_partition`.
    """
    read = readings(counts, bursts=bursts)
    least = checked_segment(min_segment, len(counts))
    given = default_penalty(read, len(counts)) if penalty is None else checked_penalty(penalty)
    return _described(read, _search(read, given, least), given, least, bursts)


def joint_path(
    counts: pd.DataFrame,
    min_penalty: float,
    max_penalty: float,
    *,
    min_segment: int | None = None,
    bursts: bool = True,
    max_segmentations: int = MAX_SEGMENTATIONS,
    progress: Callable[[float, str], object] | None = None,
) -> JointPath:
    """Every distinct joint segmentation for penalties from min_penalty to max_penalty, both included; arguments as `segment_jointly`.

    With more than max_segmentations the path begins at the lowest penalty reached from the highest downwards.
    Raises ParameterError as `segment_jointly` does, and if min_penalty > max_penalty.
    """
    low, high = checked_penalty(min_penalty, "min_penalty"), checked_penalty(max_penalty, "max_penalty")
    if low > high:
        raise ParameterError(f"min_penalty: {low:g} is above max_penalty, {high:g}. Swap them.")
    read = readings(counts, bursts=bursts)
    least = checked_segment(min_segment, len(counts))
    searcher = _Search(read, least)
    # Penalties are halved, because weights count halves and must be whole numbers here.
    order, starts = optima(searcher, low / 2, high / 2, max_segmentations=max_segmentations, progress=progress)
    points = tuple(searcher.points[number] for number in order)
    begins = [2 * start for start in starts]
    return JointPath(
        intervals=pd.DataFrame(
            {
                "penalty_from": begins,
                "penalty_to": [*begins[1:], high],
                "n_change_points": [len(each) for each in points],
                "residual": [searcher.residual[number] for number in order],
            }
        ),
        points=points,
        read=read,
        min_segment=least,
        bursts=bursts,
    )


def default_penalty(read: Readings, n_samples: int, factor: float = PENALTY) -> float:
    """factor * log(n) for each event that varies; for one event if none varies."""
    return factor * max(1, len(read.events)) * float(np.log(max(2, n_samples)))


def checked_penalty(penalty: float, name: str = "penalty") -> float:
    """`penalty` as a float. Raises ParameterError unless it is a finite number above 0."""
    if isinstance(penalty, bool) or not isinstance(penalty, int | float | np.number) or not 0 < penalty < np.inf:
        raise ParameterError(f"{name}: {penalty!r} must be a finite number above 0: the gain that a change point needs.")
    return float(penalty)


def checked_segment(min_segment: int | None, n_samples: int) -> int:
    """The minimum segment length: as given, or 2% of the samples, at least 2. Raises ParameterError below 1."""
    if min_segment is None:
        return max(2, round(LEAST_SHARE * n_samples))
    if isinstance(min_segment, bool) or not isinstance(min_segment, int | np.integer) or min_segment < 1:
        raise ParameterError(f"min_segment: {min_segment!r} must be a whole number of at least 1.")
    return int(min_segment)


def _described(read: Readings, points: tuple[int, ...], penalty: float, min_segment: int, bursts: bool) -> JointSegmentation:
    n = read.samples.shape[1]
    left = joint_energies(read.samples, read.counted, np.array(points, dtype=np.int64))
    whole = joint_energies(read.samples, read.counted, np.empty(0, dtype=np.int64))
    return JointSegmentation(
        change_points=points,
        residual=float(left.sum()),
        explained=max(0.0, 1.0 - float(left.sum() / whole.sum())) if len(whole) else float("nan"),
        explained_by=pd.Series(np.maximum(0.0, 1.0 - left / whole), index=list(read.events), name="explained", dtype=float),
        constant=read.constant,
        n_samples=n,
        penalty=penalty,
        min_segment=min_segment,
        bursts=bursts,
    )


def _search(read: Readings, penalty: float, min_segment: int) -> tuple[int, ...]:
    if not read.events:
        return ()
    last = joint_partition(read.samples, read.counted, read.weights.astype(np.float64) * (penalty / 2), min_segment)
    points = []
    here = int(last[-1])
    while here > 0:
        points.append(here)
        here = int(last[here])
    return tuple(points[::-1])


class _Search:
    """Searches of one run, cached by the sum of their change points' weights."""

    def __init__(self, read: Readings, min_segment: int) -> None:
        self._read, self._min_segment = read, min_segment
        self.residual: dict[int, float] = {}
        self.points: dict[int, tuple[int, ...]] = {}
        self.lowest: dict[int, float] = {}
        self.n_points = 0

    def run(self, threshold: float) -> int:
        points = _search(self._read, 2 * threshold, self._min_segment)
        residual = float(joint_energies(self._read.samples, self._read.counted, np.array(points, dtype=np.int64)).sum())
        number = int(self._read.weights[list(points)].sum())
        if number not in self.residual or residual < self.residual[number]:
            self.n_points += len(points) if number not in self.residual else 0
            self.residual[number], self.points[number] = residual, points
        self.lowest[number] = min(threshold, self.lowest.get(number, np.inf))
        return number

    def better(self, number: int, than: int, threshold: float) -> bool:
        ours, theirs = (self.residual[each] + threshold * each for each in (number, than))
        return ours < theirs - _ROUNDING * (1.0 + abs(theirs) + abs(self.residual[than]))


def joint_segments_of(table: NDArray[np.float64], change_points: tuple[int, ...]) -> NDArray[np.float64]:
    """Shape (segments, events): the mean of each event in each segment of `table`, shape (n, events); NaN if it was not counted."""
    found = np.full((len(change_points) + 1, table.shape[1]), np.nan)
    for number, (start, stop) in enumerate(pairwise([0, *change_points, len(table)])):
        part = table[start:stop]
        counted = np.isfinite(part)
        many = counted.sum(axis=0)
        np.divide(np.where(counted, part, 0.0).sum(axis=0), many, out=found[number], where=many > 0)
    return found
