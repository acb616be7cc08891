"""Polishing a merged table: two rows exchange their readings of one HEM if that brings its moments closer to the target; compiled."""

from collections.abc import Callable

import numpy as np
from numba import njit
from numpy.typing import NDArray

Features = NDArray[np.float32]

_AT_ONCE = 50_000


def polish(
    features: Features, ranks: NDArray[np.int32], missing: Features, swaps: int, seed: int, tell: Callable[[float], object] | None = None
) -> int:
    """Try `swaps` swaps, in place; returns how many were kept.

    features: shape (n, k * f), of each row's k readings; ranks: (n, k), of these readings in their columns; missing: (k * f, k * f), the
    mean products of the features minus the target. A swap is kept if it reduces the sum of squares of `missing`; no swap changes products
    of a HEM's own features. tell: called with the fraction done. The same seed gives the same swaps.
    """
    state, kept, done = np.uint64(seed), 0, 0
    width = features.shape[1] // ranks.shape[1]
    while done < swaps:
        now = min(_AT_ONCE, swaps - done)
        found, following = _swap(features, ranks, missing, width, now, state)
        state = np.uint64(following)
        kept += int(found)
        done += now
        if tell is not None:
            tell(done / swaps)
    return kept


@njit(cache=True, error_model="numpy", nogil=True, fastmath={"reassoc", "contract", "nsz"})
def _swap(
    features: Features, ranks: NDArray[np.int32], missing: Features, width: int, swaps: int, state: np.uint64
) -> tuple[int, np.uint64]:
    n, wide = features.shape
    k = wide // width
    apart, gain = np.empty(wide, np.float32), np.empty(wide, np.float32)
    own = np.empty(width, np.float32)
    share = np.float32(1.0 / n)
    kept = 0
    for _ in range(swaps):
        # SplitMix64 (Steele, Lea and Flood 2014, DOI 10.1145/2660193.2660195).
        state += np.uint64(0x9E3779B97F4A7C15)
        bits = state
        bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        bits ^= bits >> np.uint64(31)
        hem = np.int64(((bits >> np.uint64(48)) * np.uint64(k)) >> np.uint64(16))
        one = np.int64((((bits >> np.uint64(24)) & np.uint64(0xFFFFFF)) * np.uint64(n)) >> np.uint64(24))
        other = np.int64(((bits & np.uint64(0xFFFFFF)) * np.uint64(n)) >> np.uint64(24))
        if ranks[one, hem] == ranks[other, hem]:
            continue
        first = hem * width
        for at in range(wide):
            apart[at] = features[one, at] - features[other, at]
        length = np.float32(0)
        for place in range(width):
            own[place] = -apart[first + place]
            length += own[place] * own[place]
            apart[first + place] = 0
        gain[:] = 0
        for place in range(width):
            step = own[place]
            for at in range(wide):
                gain[at] += step * missing[first + place, at]
        slope, bend = np.float32(0), np.float32(0)
        for at in range(wide):
            slope += gain[at] * apart[at]
            bend += apart[at] * apart[at]
        if 2 * slope + length * bend * share >= 0:
            continue
        kept += 1
        for place in range(width):
            step = own[place] * share
            for at in range(wide):
                missing[first + place, at] += step * apart[at]
        for at in range(wide):
            step = apart[at] * share
            for place in range(width):
                missing[at, first + place] += step * own[place]
        for place in range(first, first + width):
            features[one, place], features[other, place] = features[other, place], features[one, place]
        ranks[one, hem], ranks[other, hem] = ranks[other, hem], ranks[one, hem]
    return kept, state
