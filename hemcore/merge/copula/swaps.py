"""Polishing a merged table: two rows exchange their readings of one HEM if that brings its moments closer to the target; compiled."""

from collections.abc import Callable

import numpy as np
from numba import njit
from numpy.typing import NDArray

Features = NDArray[np.float32]

_AT_ONCE = 50_000
# Swaps of one HEM in turn: a share of all, up to so many times the rows.
_TURNS, _A_ROW = 8, 5


def polish(
    features: Features, ranks: NDArray[np.int32], missing: Features, swaps: int, seed: int, tell: Callable[[float], object] | None = None
) -> int:
    """Try `swaps` swaps, in place; returns how many were kept.

    features: shape (n, k * f), of each row's k readings; ranks: (n, k), of these readings in their columns; missing: (k * f, k * f), the
    mean products of the features minus the target. A swap is kept if it reduces the sum of squares of `missing`; no swap changes products
    of a HEM's own features. Swaps of one HEM are tried in turn: as many as a few times its rows, or an eighth of its share of all. tell:
    called with the fraction done. The same seed gives the same swaps.
    """
    state, kept, done = np.uint64(seed), 0, 0
    n, k = ranks.shape
    width = features.shape[1] // k
    turn = max(1, min(_A_ROW * n, swaps // (_TURNS * k)))
    at_once = max(1, _AT_ONCE // turn) * turn
    while done < swaps:
        now = min(at_once, swaps - done)
        found, following = _swap(features, ranks, missing, width, now, turn, state)
        state = np.uint64(following)
        kept += int(found)
        done += now
        if tell is not None:
            tell(done / swaps)
    return kept


@njit(cache=True, error_model="numpy", nogil=True, fastmath={"reassoc", "contract", "nsz"})
def _pulls(features: Features, missing: Features, first: int, width: int) -> Features:
    """What a step of each row's features of one HEM, from column `first` on, adds to the sum of squares of `missing`: (n, width)."""
    n, wide = features.shape
    pulls = np.empty((n, width), np.float32)
    for row in range(n):
        for place in range(width):
            total = np.float32(0)
            for at in range(wide):
                total += missing[first + place, at] * features[row, at]
            for at in range(first, first + width):
                total -= missing[first + place, at] * features[row, at]
            pulls[row, place] = total
    return pulls


@njit(cache=True, error_model="numpy", nogil=True, fastmath={"reassoc", "contract", "nsz"})
def _swap(
    features: Features, ranks: NDArray[np.int32], missing: Features, width: int, swaps: int, turn: int, state: np.uint64
) -> tuple[int, np.uint64]:
    n, wide = features.shape
    k = wide // width
    apart, gain = np.empty(wide, np.float32), np.empty(wide, np.float32)
    own = np.empty(width, np.float32)
    share = np.float32(1.0 / n)
    kept = 0
    hem = first = np.int64(0)
    # Where a turn is long, swaps that were worthless at its start are passed over: most are.
    sifted = turn >= n
    pulls = np.empty((0, width), np.float32)
    for number in range(swaps):
        # SplitMix64 (Steele, Lea and Flood 2014, DOI 10.1145/2660193.2660195).
        state += np.uint64(0x9E3779B97F4A7C15)
        bits = state
        bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        bits ^= bits >> np.uint64(31)
        if number % turn == 0:
            hem = np.int64(((bits >> np.uint64(48)) * np.uint64(k)) >> np.uint64(16))
            first = hem * width
            if sifted:
                pulls = _pulls(features, missing, int(first), width)
        one = np.int64((((bits >> np.uint64(24)) & np.uint64(0xFFFFFF)) * np.uint64(n)) >> np.uint64(24))
        other = np.int64(((bits & np.uint64(0xFFFFFF)) * np.uint64(n)) >> np.uint64(24))
        if ranks[one, hem] == ranks[other, hem]:
            continue
        length, slope = np.float32(0), np.float32(0)
        for place in range(width):
            own[place] = features[other, first + place] - features[one, first + place]
            length += own[place] * own[place]
        if sifted:
            for place in range(width):
                slope += own[place] * (pulls[one, place] - pulls[other, place])
            if slope >= 0:
                continue
        bend = np.float32(0)
        for at in range(wide):
            apart[at] = features[one, at] - features[other, at]
        for place in range(first, first + width):
            apart[place] = 0
        for at in range(wide):
            bend += apart[at] * apart[at]
        if sifted and 2 * slope + length * bend * share >= 0:
            continue
        gain[:] = 0
        for place in range(width):
            step = own[place]
            for at in range(wide):
                gain[at] += step * missing[first + place, at]
        slope = np.float32(0)
        for at in range(wide):
            slope += gain[at] * apart[at]
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
