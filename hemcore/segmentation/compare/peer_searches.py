"""Our segmentation compared with other libraries' searches: ruptures and changeforest (the extra `peers`)."""

import functools
import math
import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TypeVar

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from hemcore.errors import ParameterError
from hemcore.segmentation.compare.segment_agreement import agreement, check_change_points, from_breakpoints
from hemcore.segmentation.params import Statistic
from hemcore.segmentation.search.searches import LEAST_MIN_DISTANCE, checked_series, residual_at

OURS = "HEM Workbench, exact"
PELT, BINSEG, WINDOW = "Pelt", "Binseg", "Window"
_KERNELS = {"KernelCPD, linear (l2)": "linear", "KernelCPD, rbf": "rbf"}
CHANGEFOREST = "changeforest, change in mean"
SEARCHES = (PELT, BINSEG, WINDOW, *_KERNELS, CHANGEFOREST)
"""Every search that `compare_searches` knows, in the order of its rows."""

PEERS = ("ruptures", "changeforest")
"""The packages of the extra `peers`."""

_MEASURES = ("objective", "seconds", "covering", "hausdorff", "f1", "covering_true", "f1_true")
_OWN = "its own penalty"
# A faster search is run again, because a single short time says little.
_SHORT_S, _TIMES = 0.2, 3
# changeforest's default minimum segment length, as a share of the series.
_LEAST_SHARE = 0.01
_Found = TypeVar("_Found")


def compare_searches(
    series: ArrayLike,
    change_points: Iterable[int],
    threshold: float,
    *,
    min_distance: int = 2,
    tolerance: int = 2,
    statistic: Statistic = "rms",
    true_change_points: Iterable[int] | None = None,
    width: int | None = None,
    searches: Sequence[str] = SEARCHES,
    others: Mapping[str, Callable[[], tuple[int, ...]]] | None = None,
    progress: Callable[[float, str], object] | None = None,
) -> pd.DataFrame:
    """Our `change_points` of `series` compared with those of other searches: one row per search, ours first.

    series: counts, shape (n,) or (n, 1), n >= 2. others: further searches, title -> function that returns change points; their rows come
    last. Settings of the searches in SEARCHES:

    - Pelt, Binseg, Window: the cost of `statistic`, `threshold` as penalty, every sample a candidate (jump 1). Window: `width` samples;
      default a tenth of the series, at most 100, even, and at least 4 and 2 * min_distance.
    - KernelCPD: as many change points as ours, since its costs have another unit. It gets the series minus its median, divided by the
      median absolute deviation (by the standard deviation if that is 0), with gamma 1: its default gamma needs a table of all pairs.
    - changeforest: the same input, binary segmentation, its own penalty.

    Columns:

    - search; asks_for: "threshold 12", "5 change points" or "its own penalty";
    - change_points (tuple of first indices of new segments, from 0; None if the search failed), n_change_points (NA if it failed);
    - objective: sum of the costs of all segments + threshold * number of change points, whatever cost the search minimised; lower is
      better; NaN if a search with another cost finds a segment of one sample;
    - seconds: wall time of one search (see `timed`); NaN for ours, whose change points are given;
    - covering, hausdorff, f1: `agreement` with ours; covering_true, f1_true: with true_change_points, NaN if None;
    - note: why the search found nothing, such as a package that is not installed; otherwise empty. A failed search does not raise.

    Pelt of ruptures 1.1.10 is not exact with a minimum segment of 2: it prunes as if segments of one sample were allowed. Binseg and Window
    are approximate by design. Pelt's time grows with the square of the longest segment (2 s for five segments in 3,700 samples), that of
    KernelCPD with the square of the series times the number of change points.

    progress(share, search) is called before each search; what it raises passes through.

    Raises ParameterError for a series of another shape, shorter than two samples or with NaN; a threshold that is negative or not finite;
    min_distance < 2; change points out of range, not ascending or (ours) closer than min_distance to each other or to an end; tolerance
    < 0; width < max(4, 2 * min_distance); a search that is not in SEARCHES.

    Source: Truong, Oudre and Vayatis 2020, doi:10.1016/j.sigpro.2019.107299 (ruptures); Londschien, Buehlmann and Kovacs 2023, Journal of
    Machine Learning Research 24(216) (changeforest).
    """
    samples = checked_series(series, column=True)
    n_samples = len(samples)
    if n_samples < 2:
        raise ParameterError("series has 1 sample; at least 2 are needed to compare searches.")
    if not (math.isfinite(threshold) and threshold >= 0):
        raise ParameterError(f"threshold is {threshold:g}; a finite number of at least 0 is needed.")
    least = LEAST_MIN_DISTANCE[statistic]
    if min_distance < least:
        raise ParameterError(f"min_distance is {min_distance}; the {statistic} cost needs segments of at least {least} samples.")
    ours = _spaced(check_change_points(change_points, n_samples), n_samples, min_distance)
    true = None if true_change_points is None else check_change_points(true_change_points, n_samples, argument="true_change_points")
    width = _width(width, n_samples, min_distance)
    unknown = [search for search in searches if search not in SEARCHES]
    if unknown:
        raise ParameterError(f"searches names {unknown[0]!r}, which is none of {', '.join(map(repr, SEARCHES))}.")

    def row(search: str, setting: str, found: tuple[int, ...] | None, seconds: float, note: str = "") -> dict[str, object]:
        named: dict[str, object] = {"search": search, "asks_for": setting, "change_points": found}
        if found is None:
            return {**named, "n_change_points": None, **dict.fromkeys(_MEASURES, math.nan), "note": note}
        with_ours = agreement(ours, found, n_samples, tolerance=tolerance)
        with_true = agreement(true, found, n_samples, tolerance=tolerance) if true is not None else None
        measures = (
            _objective(samples, found, threshold, statistic),
            seconds,
            with_ours.covering,
            with_ours.hausdorff,
            with_ours.f1,
            with_true.covering if with_true else math.nan,
            with_true.f1 if with_true else math.nan,
        )
        return {**named, "n_change_points": len(found), **dict(zip(_MEASURES, measures, strict=True)), "note": note}

    by_threshold = f"threshold {threshold:g}"
    by_number = f"{len(ours)} change point{'' if len(ours) == 1 else 's'}"
    rows = [row(OURS, by_threshold, ours, math.nan)]
    planned: list[tuple[str, str, Callable[[], tuple[int, ...]]]] = [
        (
            search,
            by_number if search in _KERNELS else _OWN if search == CHANGEFOREST else by_threshold,
            functools.partial(_search, search, samples, len(ours), threshold, min_distance, width, statistic),
        )
        for search in searches
    ]
    planned += [(search, _OWN, find) for search, find in (others or {}).items()]
    for number, (search, setting, find) in enumerate(planned):
        if progress is not None:
            progress(number / len(planned), search)
        found, seconds, note = None, math.nan, ""
        try:
            found, seconds = timed(find)
        except ModuleNotFoundError as missing:
            note = missing_peer(missing)
        except _TooShort as reason:
            note = str(reason)
        except Exception as reason:  # another library's search may raise anything; the other rows still count
            note = f"The search failed: {type(reason).__name__}: {reason}"
        rows.append(row(search, setting, found, seconds, note))
    return pd.DataFrame(rows).astype({"n_change_points": "Int64"})


def missing_peer(error: ModuleNotFoundError) -> str:
    """The sentence for a package of the extra `peers` that is not installed."""
    return f"{(error.name or '').partition('.')[0]} is not installed. Install it: pip install 'hem-workbench[peers]'"


def timed(find: Callable[[], _Found]) -> tuple[_Found, float]:
    """What `find` returns, and the wall time of one call in seconds; what it raises passes through.

    A search faster than 0.2 s is called three more times and the median of those is taken: the first call may load or compile something.
    """
    seconds = []
    for _ in range(1 + _TIMES):
        started = time.perf_counter()
        found = find()
        seconds.append(time.perf_counter() - started)
        if seconds[0] > _SHORT_S:
            return found, seconds[0]
    return found, statistics.median(seconds[1:])


def changeforest_points(samples: NDArray[np.float64], min_distance: int = 1) -> tuple[int, ...]:
    """Change points by changeforest's change_in_mean with its defaults; samples: shape (n, events), finite, of a scale near 1.

    min_distance: the minimum segment length in samples, if larger than its default, 1% of them. Raises ModuleNotFoundError without
    changeforest.
    """
    import changeforest

    if len(samples) < 2:
        return ()
    share = max(_LEAST_SHARE, min_distance / len(samples))
    if share >= 0.5:
        return ()
    control = changeforest.Control(minimal_relative_segment_length=share)
    return tuple(sorted(int(point) for point in changeforest.changeforest(samples, "change_in_mean", "bs", control=control).split_points()))


class _TooShort(Exception):
    """The series has too few samples for a search; the message is the note of its row."""


def _search(
    search: str, samples: NDArray[np.float64], n_ours: int, threshold: float, min_distance: int, width: int, statistic: Statistic
) -> tuple[int, ...]:
    if search == CHANGEFOREST:
        return changeforest_points(_standardised(samples).reshape(-1, 1), min_distance)
    # Imported here: ruptures is optional and slow to load.
    import ruptures
    from ruptures.exceptions import BadSegmentationParameters

    from hemcore.segmentation.search.cost_rms import CostRms
    from hemcore.segmentation.search.cost_variance import CostVariance

    cost = CostRms() if statistic == "rms" else CostVariance(statistic)
    try:
        if search in _KERNELS:
            if not n_ours:  # KernelCPD refuses to look for 0 change points
                return ()
            kernel = _KERNELS[search]
            params = {"gamma": 1.0} if kernel == "rbf" else None
            kernel_cpd = ruptures.KernelCPD(kernel=kernel, min_size=min_distance, params=params)
            return from_breakpoints(kernel_cpd.fit(_standardised(samples)).predict(n_bkps=n_ours))
        if search == WINDOW:
            if len(samples) <= width:
                raise _TooShort(f"The series is too short: {len(samples)} samples, and a window of {width} needs at least {width + 1}.")
            window = ruptures.Window(width=width, custom_cost=cost, min_size=min_distance, jump=1)
            return from_breakpoints(window.fit(samples).predict(pen=threshold))
        if search == PELT:
            pelt = ruptures.Pelt(custom_cost=cost, min_size=min_distance, jump=1)
            return from_breakpoints(pelt.fit(samples).predict(pen=threshold))
        binseg = ruptures.Binseg(custom_cost=cost, min_size=min_distance, jump=1)
        try:
            return from_breakpoints(binseg.fit(samples).predict(pen=threshold))
        finally:
            # Its cache belongs to the class and would hold this series until the program ends.
            ruptures.Binseg.single_bkp.cache_clear()
    except BadSegmentationParameters:
        needed = f"{n_ours} change point{'' if n_ours == 1 else 's'} and segments" if search in _KERNELS else "a segment"
        raise _TooShort(
            f"The series is too short: {len(samples)} samples do not hold {needed} of at least {min_distance} samples."
        ) from None


def _objective(samples: NDArray[np.float64], change_points: tuple[int, ...], threshold: float, statistic: Statistic) -> float:
    """NaN if a segment is too short for the statistic: searches with other costs may find shorter ones."""
    if np.diff([0, *change_points, len(samples)]).min() < LEAST_MIN_DISTANCE[statistic]:
        return math.nan
    return residual_at(samples, np.array(change_points, dtype=np.int64), statistic) + threshold * len(change_points)


def _spaced(change_points: tuple[int, ...], n_samples: int, min_distance: int) -> tuple[int, ...]:
    for start, end in pairwise([0, *change_points, n_samples] if change_points else []):
        if end - start < min_distance:
            raise ParameterError(
                f"change_points makes a segment of {end - start} samples, {start} to {end} (end excluded); min_distance is "
                f"{min_distance}: pass the one that the change points were found with."
            )
    return change_points


def _width(width: int | None, n_samples: int, min_distance: int) -> int:
    # Half a window lies before the first and after the last change point, so it keeps min_distance to the ends.
    lowest = max(4, 2 * min_distance)
    if width is None:
        return max(min(100, n_samples // 10 // 2 * 2), lowest)
    if width < lowest:
        raise ParameterError(f"width is {width}; a window has at least {lowest} samples, min_distance ({min_distance}) on each side.")
    return width // 2 * 2


def _standardised(samples: NDArray[np.float64]) -> NDArray[np.float64]:
    """The samples minus their median, divided by their median absolute deviation (by their standard deviation if that is 0)."""
    around = samples - np.median(samples)
    scale = np.median(np.abs(around)) or around.std()
    return around / scale if scale else around
