"""The change of the median of each HEM within one group of runs, with the error that its order statistics give.

Its probability is that of exchanged runs (see `permuted`), as few or equal counts make the error rough; of over 512 runs in a set, and of
dependent runs, that of the normal distribution. Source: R. M. Price, D. G. Bonett 2002, Distribution-free confidence intervals for
difference and ratio of medians, doi 10.1080/00949650212140.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr, ndtri

from hemcore.compare.dependent_runs import run_order
from hemcore.compare.group_changes import Change, GroupChange, cliffs_delta
from hemcore.compare.group_matching import MatchedGroup
from hemcore.compare.permuted import DRAWS

Floats = NDArray[np.float64]
_MOST_EXCHANGED = 512


def of_medians(
    group: MatchedGroup, relative: Sequence[bool], rng: np.random.Generator, *, paired: bool
) -> Iterator[tuple[str, GroupChange]]:
    """The change of the median of each HEM; of paired runs, the median of the changes of the pairs. relative: by HEM, as a ratio."""
    orders_of: dict[tuple[int, int], NDArray[np.intp]] = {}
    for place, hem in enumerate(group.hems):
        before, after = group.before[:, place], group.after[:, place]
        if paired:
            both = np.isfinite(before) & np.isfinite(after)
            before, after = before[both], after[both]
        else:
            before, after = before[np.isfinite(before)], after[np.isfinite(after)]
        if not len(before) or not len(after):
            continue
        ratio = bool(relative[place])
        orders = tuple(run_order(each, tests=len(group.hems)) for each in (before, after))
        estimate, variance = _paired(before, after, ratio) if paired else _unpaired(before, after, ratio, [each.time for each in orders])
        chance = None
        sizes = len(before), len(after)
        if all(each.time == 1 for each in orders) and max(sizes) <= _MOST_EXCHANGED and np.isfinite(variance):
            if sizes not in orders_of:
                orders_of[sizes] = rng.random((DRAWS, len(before) if paired else sum(sizes))).argsort(axis=1)
            chance = (
                _exchanged_pairs(before, after, ratio, orders_of[sizes]) if paired else _exchanged(before, after, ratio, orders_of[sizes])
            )
        yield (
            hem,
            GroupChange(
                program=group.program,
                label=group.label,
                relative=ratio,
                read=Change(estimate=np.float64(estimate), variance=np.float64(variance)),  # type: ignore[arg-type]
                chance=chance,
                around=None,
                before=float(np.median(before)),
                after=float(np.median(after)),
                orders=(orders[0], orders[1]),
                block=max(each.block for each in orders),
                runs=(len(before), len(after)),
                effect=cliffs_delta(before, after),
            ),
        )


def is_relative_median(before: Floats, after: Floats, *, paired: bool) -> bool:
    """Whether the ratio of the medians is defined, or of each pair; counts of shape (runs,), NaN = not counted."""
    sides = [each[np.isfinite(each)] for each in (before, after)]
    return all(len(each) and (each.min() if paired else np.median(each)) > 0 for each in sides)


def _unpaired(before: Floats, after: Floats, ratio: bool, times: Sequence[float]) -> tuple[float, float]:
    first, second = np.median(before), np.median(after)
    variance = sum(float(_variance(each, ratio)) * time for each, time in zip((before, after), times, strict=True))
    return (float(np.log(second / first)) if ratio else float(second - first)), variance


def _paired(before: Floats, after: Floats, ratio: bool) -> tuple[float, float]:
    changes = np.log(after / before) if ratio else after - before
    return float(np.median(changes)), float(_variance(changes, False)) * run_order(changes).time


def _exchanged(before: Floats, after: Floats, ratio: bool, orders: NDArray[np.intp]) -> Change:
    """The changes of the median where runs of both sets are put in these orders, shape (draws, runs), and the first ones are before."""
    pooled = np.concatenate([before, after])
    first, second = pooled[orders[:, : len(before)]], pooled[orders[:, len(before) :]]
    medians = [np.median(each, axis=1) for each in (first, second)]
    with np.errstate(all="ignore"):  # exchanged, the median of a set may be 0
        change = np.log(medians[1] / medians[0]) if ratio else medians[1] - medians[0]
    return Change(estimate=np.nan_to_num(change), variance=_variance(first, ratio) + _variance(second, ratio))


def _exchanged_pairs(before: Floats, after: Floats, ratio: bool, orders: NDArray[np.intp]) -> Change:
    """The median changes where the runs of a pair are exchanged, or not, in each draw."""
    changes = np.log(after / before) if ratio else after - before
    flipped = np.where(orders % 2 == 0, changes, -changes)
    return Change(estimate=np.median(flipped, axis=1), variance=_variance(flipped, False))


def _variance(counts: Floats, ratio: bool) -> Floats:
    """The variance of the median along the last axis (of its logarithm if ratio); NaN for fewer than five values, which no order statistic
    bounds."""
    n = counts.shape[-1]
    if n < 5:
        return np.full(counts.shape[:-1], np.nan)
    c = max(round((n + 1) / 2 - np.sqrt(n)), 1)
    z = -float(ndtri(max(bdtr(c - 1, n, 0.5), 1e-300)))
    ordered = np.partition(counts, (c - 1, n - c), axis=-1)
    low, high = ordered[..., c - 1], ordered[..., n - c]
    if ratio:
        low, high = np.log(np.maximum(low, np.finfo(float).tiny)), np.log(np.maximum(high, np.finfo(float).tiny))
    return np.asarray(((high - low) / (2 * z)) ** 2)
