"""Segments or phases of two runs matched in their order, whatever their durations."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numba import njit
from numpy.typing import ArrayLike, NDArray

from hemcore.errors import ParameterError

# Two segments can match if their levels differ by at most this many standard deviations of all levels.
ALIKE = 0.5
# Runs with more segments are not aligned, because that takes a table of all pairs.
MOST_SEGMENTS = 2_000


@dataclass(frozen=True, kw_only=True)
class OrderAgreement:
    """The segments of two runs, matched in order by `agreement_in_order`.

    matched: pairs of segment numbers (from 0) of the first and the second run, ascending. in_order: 2 * pairs / segments of both, 0 to 1.
    duration_change: by how much the segments' shares of their runs differ, median over pairs: 0.2 means a fifth longer or shorter; NaN
        without a pair.
    """

    matched: tuple[tuple[int, int], ...]
    in_order: float
    duration_change: float


def agreement_in_order(
    first: ArrayLike, second: ArrayLike, first_lengths: ArrayLike, second_lengths: ArrayLike, *, unit: ArrayLike | None = None
) -> OrderAgreement:
    """The segments of two runs, aligned by their order: pairs ascend in both runs, and each segment is in at most one pair.

    first, second: levels, shape (segments,) or (segments, events), at least one segment; finite, or NaN for an event that was not counted
        in a segment and is ignored. Two segments can match if their levels differ by at most half a unit (root mean square over events).
    first_lengths, second_lengths: samples of each segment, >= 1.
    unit: shape () or (events,), the difference that counts as 1. None: the standard deviation of the levels of both runs.

    The alignment maximises the sum over pairs of 1 - distance: 1 for equal levels, 0.5 at the limit (global alignment, Needleman and Wunsch
    1970, doi:10.1016/0022-2836(70)90057-4). With more than 2,000 segments in a run, in_order and duration_change are NaN.
    Raises ParameterError if levels and lengths differ in number, for no segment, and for lengths below 1.
    """
    one, lengths_one = levels_of(first, first_lengths, "first")
    two, lengths_two = levels_of(second, second_lengths, "second")
    if one.shape[1] != two.shape[1]:
        raise ParameterError(f"second: its levels have {two.shape[1]} events, those of first have {one.shape[1]}. Give the same events.")
    if max(len(one), len(two)) > MOST_SEGMENTS:
        return OrderAgreement(matched=(), in_order=float("nan"), duration_change=float("nan"))
    scale = level_unit([one, two]) if unit is None else np.broadcast_to(np.asarray(unit, dtype=np.float64), (one.shape[1],))
    near, far = _aligned(one, two, np.ascontiguousarray(scale, dtype=np.float64))
    shares = (lengths_one[near] / lengths_one.sum()) / (lengths_two[far] / lengths_two.sum())
    return OrderAgreement(
        matched=tuple(zip(near.tolist(), far.tolist(), strict=True)),
        in_order=2 * len(near) / (len(one) + len(two)),
        duration_change=float(np.median(np.exp(np.abs(np.log(shares))) - 1)) if len(near) else float("nan"),
    )


def level_unit(levels: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Shape (events,): the standard deviation of each event's levels over all segments of all runs; 0 if none was counted."""
    return pd.DataFrame(np.concatenate(levels)).std(ddof=0).fillna(0.0).to_numpy()


def levels_of(given: ArrayLike, lengths: ArrayLike, name: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The levels, shape (segments, events), and the samples of each segment. Raises ParameterError as `agreement_in_order`."""
    levels = np.asarray(given, dtype=np.float64)
    levels = np.ascontiguousarray(levels[:, None] if levels.ndim == 1 else levels)
    samples = np.asarray(lengths, dtype=np.float64)
    if levels.ndim != 2 or not len(levels) or not levels.shape[1] or len(levels) != len(samples):
        raise ParameterError(f"{name}: shape {np.shape(given)} for {len(samples)} segments; one level per segment is needed, at least one.")
    if (samples < 1).any():
        raise ParameterError(f"{name}: a segment of {samples.min():g} samples; each needs at least 1.")
    return levels, samples


@njit(cache=True, error_model="numpy", nogil=True)
def _aligned(one: NDArray[np.float64], two: NDArray[np.float64], unit: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    n, m, events = len(one), len(two), one.shape[1]
    pair = np.full((n, m), -1.0)  # the value of a pair; below 0: no match
    for i in range(n):
        for j in range(m):
            total, many = 0.0, 0
            for e in range(events):
                if np.isnan(one[i, e]) or np.isnan(two[j, e]):
                    continue
                many += 1
                if unit[e] > 0:
                    total += ((one[i, e] - two[j, e]) / unit[e]) ** 2
            distance = np.sqrt(total / many) if many else np.inf
            if distance <= ALIKE:
                pair[i, j] = 1.0 - distance
    best = np.zeros((n + 1, m + 1))
    for i in range(n):
        for j in range(m):
            best[i + 1, j + 1] = max(best[i, j + 1], best[i + 1, j])
            if pair[i, j] >= 0:
                best[i + 1, j + 1] = max(best[i + 1, j + 1], best[i, j] + pair[i, j])
    near, far = np.empty(min(n, m), dtype=np.int64), np.empty(min(n, m), dtype=np.int64)
    found, i, j = 0, n, m
    while i > 0 and j > 0:
        if pair[i - 1, j - 1] >= 0 and best[i, j] == best[i - 1, j - 1] + pair[i - 1, j - 1]:
            near[found], far[found] = i - 1, j - 1
            found, i, j = found + 1, i - 1, j - 1
        elif best[i, j] == best[i - 1, j]:
            i -= 1
        else:
            j -= 1
    return near[:found][::-1].copy(), far[:found][::-1].copy()
