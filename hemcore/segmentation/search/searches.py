"""Segments of a series: searches of checked samples, costs, and the statistical model of each segment."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd
from numba import njit
from numpy.typing import ArrayLike, NDArray

from hemcore.datasets.tables.checks import listed
from hemcore.errors import ParameterError
from hemcore.segmentation.params import Statistic
from hemcore.segmentation.search.partitioning import optimal_partition
from hemcore.segmentation.search.segment_costs import LOG_REALMIN, MEAN, REALMIN, RMS, STD

STATISTICS: dict[str, int] = {"rms": RMS, "std": STD, "mean": MEAN}
# The defaults of findchangepts; a scale or a variance means nothing for one sample.
LEAST_MIN_DISTANCE = {"rms": 2, "std": 2, "mean": 1}
# The deviation of fewer samples is often close to 0 by chance; a segment then pays at any threshold.
LEAST_STD = 10
MODEL_COLUMNS = {"start": int, "stop": int, "n_samples": int, **dict.fromkeys(("mean", "std", "rms", "min", "max"), float)}
# The sum of squares of 1e9 such samples is still finite.
LARGEST = 1e140
# In a longer series, candidates for change points are set aside once in so many samples.
_SHORT, _WINDOW = 8_192, 64


@dataclass(frozen=True, kw_only=True, eq=False)
class Segmentation:
    """A series cut into segments.

    change_points: the first index of each new segment, ascending, from 1 to n_samples - 1; empty for one segment.
    residual: the sum of segment costs without the penalty. For rms and std it is a logarithm: it can be negative, and scaling the
        data by c shifts it by 2 * n_samples * log(c). For mean it is the sum of squared deviations.
    models: shape (segments, 8), the columns of `segments`.
    n_samples: length of the series. threshold, statistic, min_distance, early_exit: as given or chosen.
    chosen_by: how statistic and threshold were chosen, in a sentence; empty if a threshold was given.
    """

    change_points: tuple[int, ...]
    residual: float
    models: NDArray[np.float64] = field(repr=False)
    n_samples: int
    threshold: float
    statistic: Statistic
    min_distance: int
    early_exit: bool
    chosen_by: str = ""

    @cached_property
    def segments(self) -> pd.DataFrame:
        """One row per segment: start, stop (the first index after it), n_samples, mean, std (of the population), rms, min, max."""
        return pd.DataFrame({name: self.models[:, place].astype(kind) for place, (name, kind) in enumerate(MODEL_COLUMNS.items())})

    @property
    def n_change_points(self) -> int:
        """The number of change points, one less than the number of segments."""
        return len(self.change_points)

    @property
    def explained(self) -> float:
        """The share of the series' variance that the segments' means explain, 0 to 1; NaN for a series of one value.

        The same measure for every statistic, so that rms, std and mean can be compared.
        """
        return explained_by(self.models)

    @property
    def objective(self) -> float:
        """The value that the search minimises: residual + threshold * number of change points."""
        return self.residual + self.threshold * len(self.change_points)


def explained_by(models: NDArray[np.float64]) -> float:
    """The share of the variance that the segments' means explain, 0 to 1; NaN if nothing varies. models: as in Segmentation."""
    if models[:, 6].min() == models[:, 7].max():
        return float("nan")
    length, mean, std = models[:, 2], models[:, 3], models[:, 4]
    centre = mean[0] + length @ (mean - mean[0]) / length.sum()
    between, within = float(length @ (mean - centre) ** 2), float(length @ std**2)
    return between / (between + within) if between + within > 0 else float("nan")


def described(
    samples: NDArray[np.float64],
    change_points: NDArray[np.int64],
    *,
    threshold: float,
    statistic: Statistic,
    min_distance: int,
    early_exit: bool,
) -> Segmentation:
    """The Segmentation of checked samples at known change points."""
    return Segmentation(
        change_points=tuple(change_points.tolist()),
        residual=residual_at(samples, change_points, statistic),
        models=_models(samples, change_points),
        n_samples=len(samples),
        threshold=float(threshold),
        statistic=statistic,
        min_distance=min_distance,
        early_exit=early_exit,
    )


def search(samples: NDArray[np.float64], threshold: float, statistic: str, min_distance: int) -> NDArray[np.int64]:
    """The change points of checked samples, shape (k,), ascending."""
    if threshold > 0 and samples.min() == samples.max():
        # Nothing changes: no change point can pay, and pruning would drop no candidate.
        return np.empty(0, dtype=np.int64)
    window = _WINDOW if len(samples) > _SHORT else 0
    last = optimal_partition(samples, STATISTICS[statistic], float(threshold), int(min_distance), window)
    points = []
    here = int(last[-1])
    while here > 0:
        points.append(here)
        here = int(last[here])
    return np.array(points[::-1], dtype=np.int64)


def residual_at(samples: NDArray[np.float64], change_points: NDArray[np.int64], statistic: str) -> float:
    """The sum of segment costs of checked samples cut at `change_points`."""
    return float(_residual(samples, change_points, STATISTICS[statistic]))


def single_gain(samples: NDArray[np.float64], statistic: str, min_distance: int) -> float:
    """How much the best single change point lowers the residual of checked samples; -inf if there is no room for one."""
    return float(_single_gain(samples, STATISTICS[statistic], min_distance))


def checked_series(series: ArrayLike, name: str = "series", *, column: bool = False) -> NDArray[np.float64]:
    """`series` as contiguous float64, shape (n,). Raises ParameterError as `segment` does; messages count samples from 1.

    column: whether shape (n, 1), as in ruptures, is allowed too.
    """
    try:
        given = np.asarray(np.ma.filled(series.astype(float), np.nan) if isinstance(series, np.ma.MaskedArray) else series)
        if given.dtype.kind not in "iufbO":
            raise TypeError
        if column and given.ndim == 2 and given.shape[1] == 1:
            given = given[:, 0]
        # Writeable, though nothing is written: the searches would be compiled anew for a read-only series.
        samples = np.require(given, np.float64, ["C", "W"])
    except (TypeError, ValueError, OverflowError):
        raise ParameterError(
            f"{name}: it must be numbers, one per sample; it is {type(series).__name__}. Give an array of counts."
        ) from None
    if given.ndim != 1:
        raise ParameterError(f"{name}: shape {given.shape} has {given.ndim} dimensions; one is needed. Give one event of one run.")
    if len(samples) == 0:
        raise ParameterError(f"{name}: no samples; at least one is needed. Trim less, or choose another run.")
    for broken, bound, remedy in (
        (np.isnan(samples), "counted", "Leave out samples that were not counted, or estimate them first."),
        (~(np.abs(samples) <= LARGEST), f"a finite number of at most {LARGEST:g}", "Correct it or leave it out."),
    ):
        if broken.any():
            at = int(broken.argmax())
            raise ParameterError(f"{name}: sample {at + 1} of {len(samples):,} is {samples[at]:g}; each must be {bound}. {remedy}")
    return samples


def least_segment(min_distance: int | None, statistic: str, n_samples: int) -> int:
    """min_distance, or if it is None the default of the statistic: 2 samples; for std 10, a quarter of a series shorter than 40."""
    if min_distance is not None:
        return min_distance
    return max(2, min(LEAST_STD, n_samples // 4)) if statistic == "std" else 2


def check_search(threshold: float, statistic: str, min_distance: int, *, name: str = "threshold") -> None:
    """Raises ParameterError unless the three are within their bounds."""
    if not isinstance(statistic, str) or statistic not in STATISTICS:
        raise ParameterError(f"statistic: {statistic!r} is not known; it is one of {listed(STATISTICS)}.")
    least = LEAST_MIN_DISTANCE[statistic]
    if isinstance(min_distance, bool) or not isinstance(min_distance, int | np.integer) or min_distance < least:
        raise ParameterError(f"min_distance: {min_distance!r} must be a whole number of at least {least} for {statistic}.")
    if isinstance(threshold, bool) or not isinstance(threshold, int | float | np.number) or not 0 <= threshold < np.inf:
        raise ParameterError(f"{name}: {threshold!r} must be a finite number of at least 0: the gain that a change point needs.")


@njit(cache=True, error_model="numpy", nogil=True)
def _sums(x: NDArray[np.float64], start: int, stop: int) -> tuple[float, float, float]:
    """Mean, sum of squares and sum of squared deviations of x[start:stop], each with compensated summation (Neumaier 1974)."""
    n = stop - start
    first = x[start]
    total, lost = 0.0, 0.0
    squares, squares_lost = 0.0, 0.0
    for i in range(start, stop):
        y = x[i] - first
        new = total + y
        lost += (total - new) + y if abs(total) >= abs(y) else (y - new) + total
        total = new
        y = x[i] * x[i]
        new = squares + y
        squares_lost += (squares - new) + y
        squares = new
    shift = (total + lost) / n
    deviations, deviations_lost = 0.0, 0.0
    for i in range(start, stop):
        d = (x[i] - first) - shift
        y = d * d
        new = deviations + y
        deviations_lost += (deviations - new) + y if deviations >= y else (y - new) + deviations
        deviations = new
    return first + shift, squares + squares_lost, deviations + deviations_lost


@njit(cache=True, error_model="numpy", nogil=True)
def _cost(energy: float, n: int, statistic: int) -> float:
    if statistic == MEAN:
        return energy
    if energy < REALMIN:
        return n * (LOG_REALMIN - np.log(n))
    return n * np.log(energy / n)


@njit(cache=True, error_model="numpy", nogil=True)
def _residual(x: NDArray[np.float64], change_points: NDArray[np.int64], statistic: int) -> float:
    total = 0.0
    start = 0
    for number in range(len(change_points) + 1):
        stop = change_points[number] if number < len(change_points) else len(x)
        _, squares, deviations = _sums(x, start, stop)
        total += _cost(squares if statistic == RMS else deviations, stop - start, statistic)
        start = stop
    return total


@njit(cache=True, error_model="numpy", nogil=True)
def _models(x: NDArray[np.float64], change_points: NDArray[np.int64]) -> NDArray[np.float64]:
    rows = np.empty((len(change_points) + 1, 8))
    start = 0
    for number in range(len(change_points) + 1):
        stop = change_points[number] if number < len(change_points) else len(x)
        mean, squares, deviations = _sums(x, start, stop)
        n = stop - start
        rows[number, 0], rows[number, 1], rows[number, 2], rows[number, 3] = start, stop, n, mean
        rows[number, 4], rows[number, 5] = np.sqrt(deviations / n), np.sqrt(squares / n)
        rows[number, 6], rows[number, 7] = np.min(x[start:stop]), np.max(x[start:stop])
        start = stop
    return rows


@njit(cache=True, error_model="numpy", nogil=True)
def _single_gain(x: NDArray[np.float64], statistic: int, min_distance: int) -> float:
    n = len(x)
    before = _running_energy(x, statistic)
    after = _running_energy(x[::-1].copy(), statistic)
    whole = _cost(before[n], n, statistic)
    best = -np.inf
    for split in range(min_distance, n - min_distance + 1):
        gain = whole - _cost(before[split], split, statistic) - _cost(after[n - split], n - split, statistic)
        best = max(best, gain)
    return best


@njit(cache=True, error_model="numpy", nogil=True)
def _running_energy(x: NDArray[np.float64], statistic: int) -> NDArray[np.float64]:
    """Entry t: the energy of x[:t]."""
    energy = np.zeros(len(x) + 1)
    mean = 0.0
    for t in range(len(x)):
        if statistic == RMS:
            energy[t + 1] = energy[t] + x[t] * x[t]
        else:
            deviation = (x[t] - x[0]) - mean
            mean += deviation / (t + 1)
            energy[t + 1] = energy[t] + deviation * ((x[t] - x[0]) - mean)
    return energy
