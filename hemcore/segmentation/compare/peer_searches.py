"""Our segmentation beside those of other libraries' searches: ruptures and changeforest."""

import functools
import math
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeVar

import changeforest
import numpy as np
import pandas as pd
import ruptures
from numpy.typing import ArrayLike, NDArray
from ruptures.exceptions import BadSegmentationParameters

from hemcore.errors import ParameterError
from hemcore.segmentation.compare.segment_agreement import agreement, breakpoints, check_change_points, from_breakpoints
from hemcore.segmentation.search.cost_rms import CostRms
from hemcore.segmentation.search.searches import checked_series

OURS = "HEM Workbench, exact"
PELT, BINSEG, WINDOW = "Pelt, rms", "Binseg, rms", "Window, rms"
_KERNELS = {"KernelCPD, linear (l2)": "linear", "KernelCPD, rbf": "rbf"}

_MEASURES = ("objective", "seconds", "covering", "hausdorff", "f1", "covering_true", "f1_true")

CHANGEFOREST = "changeforest, change in mean"
_OWN = "its own penalty"
# A search that takes less is run again, since a clock and whatever else runs say more than one such time does.
_SHORT_S, _TIMES = 0.2, 3
# changeforest's own least segment, a share of the series.
_LEAST_SHARE = 0.01
_Found = TypeVar("_Found")

SEARCHES = (PELT, BINSEG, WINDOW, *_KERNELS, CHANGEFOREST)
"""Every search that `compare_searches` knows, in the order of its rows."""


def compare_searches(
    series: ArrayLike,
    change_points: Iterable[int],
    threshold: float,
    *,
    min_distance: int = 2,
    tolerance: int = 2,
    true_change_points: Iterable[int] | None = None,
    width: int | None = None,
    searches: Sequence[str] = SEARCHES,
    others: Mapping[str, Callable[[], tuple[int, ...]]] | None = None,
    progress: Callable[[float, str], object] | None = None,
) -> pd.DataFrame:
    """What ruptures' searches find in `series` (counts, shape (n,) or (n, 1), n >= 2), beside our `change_points`; one row a search.

    The first row is ours. Pelt, Binseg and Window take the rms cost, the threshold as penalty and every sample as a candidate (jump 1).
    Window looks at `width` samples at a time; when not given, a tenth of the series, at least 4 and 2 * min_distance, at most 100 where
    min_distance allows, even. KernelCPD is asked for as many change points as ours, since a threshold in rms cost means nothing to its
    costs; it reads the series less its median, in units of the median absolute deviation (of the standard deviation where that is 0),
    gamma 1: its default gamma needs a table of all pairs of samples. changeforest takes the same, binary segmentation and its own penalty.
    others: searches beside these, title -> what gives their change points at a penalty of their own; rows after the others.

    Columns:

    - search: its title; asks_for: "threshold 12", "5 change points" or "its own penalty";
    - change_points (tuple of first indices of new segments, from 0; None when the search failed), n_change_points (NA when it failed);
    - objective: sum of the rms costs of all segments + threshold * number of change points, whatever cost the search minimised itself;
      lower is better; NaN where a search of another cost finds a segment of one sample;
    - seconds: wall time of one search, as `timed` takes it; NaN in our row, of which only the change points are known;
    - covering, hausdorff, f1: `agreement` with ours; covering_true, f1_true: with true_change_points, NaN when None;
    - note: empty, or a sentence why the search gives nothing. A search that fails does not raise.

    Pelt of ruptures 1.1.10 with jump 1 and segments of at least two samples is not exact: it drops candidates as if segments of one
    sample were allowed, so its objective can be above ours. It and Binseg run in Python: Pelt's time grows with the square of the
    longest segment (2 s for five segments in 3,700 samples), KernelCPD's with the square of the series times the number of change points:
    leave them out of `searches` where that is too long. Binseg and Window are not exact by design.

    progress(done, note) is called before each search, done from 0 up to 1; what it raises passes through.

    Raises ParameterError for a series of another shape, with fewer than two samples or with NaN; threshold negative or not finite;
    min_distance < 2; change points out of range, not ascending or, ours, closer than min_distance to one another or an end; tolerance
    < 0; width < max(4, 2 * min_distance); a search that is not in SEARCHES.

    Source: Truong, Oudre and Vayatis 2020, doi:10.1016/j.sigpro.2019.107299 (ruptures); Londschien, Buehlmann and Kovacs 2023, Journal of
    Machine Learning Research 24(216) (changeforest).
    """
    samples = checked_series(series, column=True, largest=sys.float_info.max)
    n_samples = len(samples)
    if n_samples < 2:
        raise ParameterError("series has 1 sample; at least 2 are needed to compare searches.")
    if not (math.isfinite(threshold) and threshold >= 0):
        raise ParameterError(f"threshold is {threshold:g}; a finite number of at least 0 is needed.")
    if min_distance < CostRms.min_size:
        raise ParameterError(f"min_distance is {min_distance}; the rms cost needs segments of at least {CostRms.min_size} samples.")
    ours = _spaced(check_change_points(change_points, n_samples), n_samples, min_distance)
    true = None if true_change_points is None else check_change_points(true_change_points, n_samples, argument="true_change_points")
    width = _width(width, n_samples, min_distance)
    unknown = [search for search in searches if search not in SEARCHES]
    if unknown:
        raise ParameterError(f"searches names {unknown[0]!r}, which is none of {', '.join(map(repr, SEARCHES))}.")

    cost = CostRms().fit(samples)

    def row(search: str, asks_for: str, found: tuple[int, ...] | None, seconds: float, note: str = "") -> dict[str, Any]:
        asked = {"search": search, "asks_for": asks_for, "change_points": found}
        if found is None:
            return {**asked, "n_change_points": None, **dict.fromkeys(_MEASURES, math.nan), "note": note}
        with_ours = agreement(ours, found, n_samples, tolerance=tolerance)
        with_true = agreement(true, found, n_samples, tolerance=tolerance) if true is not None else None
        measures = (
            _objective(cost, found, n_samples, threshold) if _holds_cost(found, n_samples) else math.nan,
            seconds,
            with_ours.covering,
            with_ours.hausdorff,
            with_ours.f1,
            with_true.covering if with_true else math.nan,
            with_true.f1 if with_true else math.nan,
        )
        return {**asked, "n_change_points": len(found), **dict(zip(_MEASURES, measures, strict=True)), "note": note}

    by_threshold = f"threshold {threshold:g}"
    by_number = f"{len(ours)} change point{'' if len(ours) == 1 else 's'}"
    rows = [row(OURS, by_threshold, ours, math.nan)]
    asked: list[tuple[str, str, Callable[[], tuple[int, ...]]]] = [
        (
            search,
            by_number if search in _KERNELS else _OWN if search == CHANGEFOREST else by_threshold,
            functools.partial(_search, search, samples, len(ours), threshold, min_distance, width),
        )
        for search in searches
    ]
    asked += [(search, _OWN, find) for search, find in (others or {}).items()]
    for number, (search, asks_for, find) in enumerate(asked):
        if progress is not None:
            progress(number / len(asked), search)
        found, seconds, note = None, math.nan, ""
        try:
            found, seconds = timed(find)
        except BadSegmentationParameters:
            wanted = f"{by_number} and segments" if search in _KERNELS else "a segment"
            note = f"The series is too short: {n_samples} samples do not hold {wanted} of at least {min_distance} samples."
        except _TooShort as reason:
            note = str(reason)
        except Exception as reason:  # another library's search may raise anything; its row says so and the others stand
            note = f"The search failed: {type(reason).__name__}: {reason}"
        rows.append(row(search, asks_for, found, seconds, note))
    return pd.DataFrame(rows).astype({"n_change_points": "Int64"})


def timed(find: Callable[[], _Found]) -> tuple[_Found, float]:
    """What `find` returns, and the wall seconds of one call: of a search under 0.2 s the median of three after the first, which may have
    had to load or to compile something. What it raises passes through."""
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

    min_distance: samples that a segment has at least, where that is more than its default, 1 % of them.
    """
    if len(samples) < 2:
        return ()
    share = max(_LEAST_SHARE, min_distance / len(samples))
    if share >= 0.5:
        return ()
    control = changeforest.Control(minimal_relative_segment_length=share)
    return tuple(sorted(int(point) for point in changeforest.changeforest(samples, "change_in_mean", "bs", control=control).split_points()))


class _TooShort(Exception):
    """The series has too few samples for a search; the message is the note of its row."""


def _search(search: str, samples: NDArray[np.float64], n_ours: int, threshold: float, min_distance: int, width: int) -> tuple[int, ...]:
    if search in _KERNELS:
        if not n_ours:  # KernelCPD refuses to look for none
            return ()
        kernel = _KERNELS[search]
        params = {"gamma": 1.0} if kernel == "rbf" else None
        kernel_cpd = ruptures.KernelCPD(kernel=kernel, min_size=min_distance, params=params)
        return from_breakpoints(kernel_cpd.fit(_standardised(samples)).predict(n_bkps=n_ours))
    if search == CHANGEFOREST:
        return changeforest_points(_standardised(samples).reshape(-1, 1), min_distance)
    if search == WINDOW:
        if len(samples) <= width:
            raise _TooShort(f"The series is too short: {len(samples)} samples, and a window of {width} needs at least {width + 1}.")
        window = ruptures.Window(width=width, custom_cost=CostRms(), min_size=min_distance, jump=1)
        return from_breakpoints(window.fit(samples).predict(pen=threshold))
    if search == PELT:
        pelt = ruptures.Pelt(custom_cost=CostRms(), min_size=min_distance, jump=1)
        return from_breakpoints(pelt.fit(samples).predict(pen=threshold))
    binseg = ruptures.Binseg(custom_cost=CostRms(), min_size=min_distance, jump=1)
    try:
        return from_breakpoints(binseg.fit(samples).predict(pen=threshold))
    finally:
        # Its cache belongs to the class and would keep this series for as long as the program runs.
        ruptures.Binseg.single_bkp.cache_clear()


def _objective(cost: CostRms, change_points: tuple[int, ...], n_samples: int, threshold: float) -> float:
    costs = [cost.error(start, end) for start, end in pairwise([0, *breakpoints(change_points, n_samples)])]
    return math.fsum(costs) + threshold * len(change_points)


def _holds_cost(change_points: tuple[int, ...], n_samples: int) -> bool:
    """Whether every segment is long enough for the rms cost; searches of other costs may find shorter ones."""
    return all(end - start >= CostRms.min_size for start, end in pairwise([0, *change_points, n_samples]))


def _spaced(change_points: tuple[int, ...], n_samples: int, min_distance: int) -> tuple[int, ...]:
    if change_points:
        for start, end in pairwise([0, *change_points, n_samples]):
            if end - start < min_distance:
                raise ParameterError(
                    f"change_points makes a segment of {end - start} samples, {start} to {end} (end excluded); min_distance is "
                    f"{min_distance}: pass the one that the change points were found with."
                )
    return change_points


def _width(width: int | None, n_samples: int, min_distance: int) -> int:
    # Half a window lies before the first and behind the last change point, so it keeps min_distance to the ends.
    lowest = max(4, 2 * min_distance)
    if width is None:
        return max(min(100, n_samples // 10 // 2 * 2), lowest)
    if width < lowest:
        raise ParameterError(f"width is {width}; a window has at least {lowest} samples, min_distance ({min_distance}) on either side.")
    return width // 2 * 2


def _standardised(samples: NDArray[np.float64]) -> NDArray[np.float64]:
    """The samples less their median, over their median absolute deviation, over their standard deviation where that is 0; zeros when both
    are."""
    largest = np.abs(samples).max()
    if not largest:
        return samples
    # Divided first: the squares of the largest floats are none.
    around = samples / largest
    around = around - np.median(around)
    # Beside a deviation of next to nothing the largest sample's square would be no float.
    scale = np.median(np.abs(around))
    if scale < 1e-100:
        scale = around.std()
    return around / scale if scale else around
