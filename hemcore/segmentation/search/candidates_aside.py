"""Groups of candidates that are not looked at while none of them can be the best; compiled into partitioning.py, which must change with it.

A candidate whose value was v at sample u has at least v + cost(u..t) at t, since a segment costs no less than its two parts. While that
exceeds the best value, no candidate of the group is looked at, however many there are.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from hemcore.segmentation.search.segment_costs import (
    BASE,
    ENERGY,
    FIRST,
    LENGTH,
    MEAN,
    NEVER,
    OF_MEAN,
    PRUNABLE_ENERGY,
    RMS,
    ROWS,
    START,
    UNTIL,
    least_value,
    log_of,
)

# Candidates that are behind the best by this share of the threshold are set aside.
_BEHIND = 0.05
MOST_GROUPS = 60
# More than the rounding of sums that were added up in two ways, relative to the values.
_SUMMED = 1e-12
# Of a group: where its candidates are and how many; their least value, energy per sample and length when they were last looked at; the
# sums of the samples since then; the sample at which it may be dropped; a value below those of all its candidates now.
_AT, SIZE, _LEAST, _RATIO, _SHORTEST, SINCE, _ITS_FIRST, _ITS_MEAN, _ITS_ENERGY, ITS_UNTIL, BOUND = range(11)


@njit(error_model="numpy", fastmath={"nnan", "nsz"})
def least_of_groups(groups: NDArray[np.float64], n_groups: int, sample: float, statistic: int, unit: float) -> float:
    """Add a sample to the groups. No candidate of a group has a lower value then than its BOUND, and none at all than what is returned."""
    since, its_first, its_mean, its_energy = groups[SINCE], groups[_ITS_FIRST], groups[_ITS_MEAN], groups[_ITS_ENERGY]
    least, ratio, shortest, bound = groups[_LEAST], groups[_RATIO], groups[_SHORTEST], groups[BOUND]
    for g in range(n_groups):
        its_first[g] = sample if since[g] == 0.0 else its_first[g]
        since[g] += 1.0
    if statistic == RMS:
        for g in range(n_groups):
            its_energy[g] += sample * sample
    else:
        for g in range(n_groups):
            deviation = (sample - its_first[g]) - its_mean[g]
            its_mean[g] += deviation / since[g]
            its_energy[g] += deviation * ((sample - its_first[g]) - its_mean[g])
    if statistic == MEAN:
        for g in range(n_groups):
            bound[g] = least[g] + its_energy[g]
    else:
        for g in range(n_groups):
            # No segment has less energy per sample than the floor by now: the samples since then cost least at their own level, or there.
            floor, own = ratio[g] * (shortest[g] / (shortest[g] + since[g])), its_energy[g] / since[g]
            level = max(own, floor)
            bound[g] = least[g] + since[g] * (log_of(level) - 1.0 + own / level)
    for g in range(n_groups):
        bound[g] -= _SUMMED * (unit + abs(bound[g]) + abs(least[g]))
    return least_value(bound, n_groups)


@njit(error_model="numpy")
def _copy(of: NDArray[np.float64], place: int, to: NDArray[np.float64], there: int) -> None:
    for row in range(ROWS):
        to[row, there] = of[row, place]


@njit(error_model="numpy")
def look_into(
    groups: NDArray[np.float64], g: int, aside: NDArray[np.float64], rows: NDArray[np.float64], candidates: int,
    least: float, threshold: float, statistic: int, t: int, min_distance: int,
) -> int:  # fmt: skip
    """Bring the candidates of a group up to sample t. Those that are not behind come back into rows; returns how many are there."""
    begin, since, its_energy = int(groups[_AT, g]), groups[SINCE, g], groups[_ITS_ENERGY, g]
    kept = begin
    groups[_LEAST, g] = groups[_RATIO, g] = groups[_SHORTEST, g] = np.inf
    for place in range(begin, begin + int(groups[SIZE, g])):
        until = min(aside[UNTIL, place], groups[ITS_UNTIL, g])
        if until <= t:
            continue
        before = aside[LENGTH, place]
        length = before + since
        if since > 0.0:
            aside[ENERGY, place] += its_energy
            if statistic != RMS:
                apart = (groups[_ITS_FIRST, g] - aside[FIRST, place]) + (groups[_ITS_MEAN, g] - aside[OF_MEAN, place])
                aside[OF_MEAN, place] += apart * (since / length)
                aside[ENERGY, place] += apart * apart * (before * (since / length))
        energy = aside[ENERGY, place]
        value = aside[BASE, place] + (energy if statistic == MEAN else length * np.log(energy / length))
        if value > (least + threshold) + _SUMMED * (abs(least) + abs(value)) and until == NEVER:
            until = t + min_distance
        aside[LENGTH, place], aside[UNTIL, place] = length, until
        if value <= least + _BEHIND * threshold:
            _copy(aside, place, rows, candidates)
            candidates += 1
        else:
            groups[_LEAST, g], groups[_SHORTEST, g] = min(groups[_LEAST, g], value), min(groups[_SHORTEST, g], length)
            groups[_RATIO, g] = min(groups[_RATIO, g], energy / length)
            if kept < place:
                _copy(aside, place, aside, kept)
            kept += 1
    groups[SIZE, g], groups[SINCE, g], groups[_ITS_MEAN, g], groups[_ITS_ENERGY, g], groups[ITS_UNTIL, g] = (
        kept - begin,
        0.0,
        0.0,
        0.0,
        NEVER,
    )
    return candidates


@njit(error_model="numpy")
def put_in_order(rows: NDArray[np.float64], ordered: int, candidates: int) -> None:
    """Put the last candidates, which came back, into their places by their start."""
    for k in range(ordered, candidates):
        place = k
        while place > 0 and rows[START, place - 1] > rows[START, place]:
            for row in range(ROWS):
                rows[row, place - 1], rows[row, place] = rows[row, place], rows[row, place - 1]
            place -= 1


@njit(error_model="numpy")
def _move(groups: NDArray[np.float64], g: int, aside: NDArray[np.float64], to: int) -> int:
    """Move a group's candidates down; returns the place behind them."""
    size, begin = int(groups[SIZE, g]), int(groups[_AT, g])
    groups[_AT, g] = to
    for place in range(size):
        _copy(aside, begin + place, aside, to + place)
    return to + size


@njit(error_model="numpy")
def set_aside(
    groups: NDArray[np.float64], n_groups: int, aside: NDArray[np.float64], rows: NDArray[np.float64], candidates: int,
    least: float, threshold: float, statistic: int, t: int, min_distance: int,
) -> tuple[int, int]:  # fmt: skip
    """Make a group of the candidates that are behind, and one of groups of a size; returns how many groups and candidates there are."""
    g = n_groups
    for field in range(len(groups)):
        groups[field, g] = 0.0
    groups[_LEAST, g] = groups[_RATIO, g] = groups[_SHORTEST, g] = groups[ITS_UNTIL, g] = np.inf
    begin = int(groups[_AT, n_groups - 1] + groups[SIZE, n_groups - 1]) if n_groups else 0
    if begin + candidates > aside.shape[1]:
        begin = 0
        for number in range(n_groups):
            begin = _move(groups, number, aside, begin)
    end, kept = begin, 0
    for k in range(candidates):
        length, energy = rows[LENGTH, k], rows[ENERGY, k]
        known = rows[UNTIL, k] == NEVER and (statistic == MEAN or energy > PRUNABLE_ENERGY)
        value = rows[BASE, k] + (energy if statistic == MEAN else length * np.log(energy / length)) if known else -np.inf
        if value > least + _BEHIND * threshold:
            _copy(rows, k, aside, end)
            groups[_LEAST, g], groups[_SHORTEST, g] = min(groups[_LEAST, g], value), min(groups[_SHORTEST, g], length)
            groups[_RATIO, g] = min(groups[_RATIO, g], energy / length)
            end += 1
        else:
            if kept < k:
                _copy(rows, k, rows, kept)
            kept += 1
    groups[_AT, g], groups[SIZE, g] = begin, end - begin
    n_groups += end > begin
    candidates = kept
    while n_groups > 3 and (groups[SIZE, n_groups - 4] <= 2 * groups[SIZE, n_groups - 1] or n_groups >= MOST_GROUPS):
        for each in range(n_groups - 4, n_groups):
            candidates = look_into(groups, each, aside, rows, candidates, least, threshold, statistic, t, min_distance)
        one = n_groups - 4
        for each in range(n_groups - 3, n_groups):
            groups[SIZE, one] = _move(groups, each, aside, int(groups[_AT, one] + groups[SIZE, one])) - groups[_AT, one]
            for field in (_LEAST, _RATIO, _SHORTEST):
                groups[field, one] = min(groups[field, one], groups[field, each])
        n_groups -= 3
    put_in_order(rows, kept, candidates)
    return n_groups, candidates
