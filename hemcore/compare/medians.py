"""The change of the median of each HEM within one group of runs, with the error that its order statistics give.

Source: R. M. Price, D. G. Bonett 2002, Distribution-free confidence intervals for difference and ratio of medians, doi
10.1080/00949650212140.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr, ndtri

from hemcore.compare.dependent_runs import run_order
from hemcore.compare.group_changes import Change, GroupChange, cliffs_delta
from hemcore.compare.group_matching import MatchedGroup

Floats = NDArray[np.float64]


def of_medians(group: MatchedGroup, relative: Sequence[bool], *, paired: bool) -> Iterator[tuple[str, GroupChange]]:
    """The change of the median of each HEM; of paired runs, the median of the changes of the pairs. relative: by HEM, as a ratio."""
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
        yield (
            hem,
            GroupChange(
                program=group.program,
                label=group.label,
                relative=ratio,
                read=Change(estimate=np.float64(estimate), variance=np.float64(variance)),  # type: ignore[arg-type]
                chance=None,
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
    variance = sum(_variance(each, ratio) * time for each, time in zip((before, after), times, strict=True))
    return (float(np.log(second / first)) if ratio else float(second - first)), float(variance)


def _paired(before: Floats, after: Floats, ratio: bool) -> tuple[float, float]:
    changes = np.log(after / before) if ratio else after - before
    return float(np.median(changes)), _variance(changes, False) * run_order(changes).time


def _variance(counts: Floats, ratio: bool) -> float:
    """The variance of the median (of its logarithm if ratio); NaN for fewer than five values, which no order statistic bounds."""
    n = len(counts)
    if n < 5:
        return float("nan")
    c = max(round((n + 1) / 2 - np.sqrt(n)), 1)
    z = -float(ndtri(max(bdtr(c - 1, n, 0.5), 1e-300)))
    low, high = np.partition(counts, (c - 1, n - c))[[c - 1, n - c]]
    if ratio:
        low, high = np.log(max(low, np.finfo(float).tiny)), np.log(high)
    return float(((high - low) / (2 * z)) ** 2)
