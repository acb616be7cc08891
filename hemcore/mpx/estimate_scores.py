"""How good an estimate of counts is. No score stands alone: RA rewards low guesses, the total shows them.

Source: Wang et al. (2022), section 4.2 (RA, Eq. 4; DTW-cost), and section 2.4 (Pearson's r, Eq. 3).
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hemcore.errors import ParameterError
from hemcore.mpx.sampled import Flags, Floats

LEAST_SCORED = 20
"""Slots with a truth above 0 that a series must have to get a relative accuracy."""
LARGEST = 1e150
"""Counts above it cannot be added up and squared."""


def relative_accuracy(
    estimate: ArrayLike, ocoe: ArrayLike, *, hidden: ArrayLike | None = None, clamp: bool = False, least: int = LEAST_SCORED
) -> float:
    """RA of one event in one run (Wang et al. 2022, Eq. 4): 1 - mean(|estimate - ocoe| / ocoe).

    estimate, ocoe: shape (slots,), counts per slot, NaN = not known. hidden: shape (slots,), True where the slot was hidden: these alone
    count, since counted slots are exact and flatter the score; None: all slots count. Slots where ocoe is 0 are left out, as are slots
    that one side does not know (`scored_slots` counts both). clamp: a negative RA becomes 0, as the paper does before averaging.

    NaN where fewer than `least` slots count. Raises ParameterError for other lengths, negative counts, and where no slot is hidden.
    """
    one, true, looked = _checked(estimate, ocoe, hidden)
    scored = looked & (true > 0)
    if scored.sum() < least or not scored.any():
        return float("nan")
    found = 1 - float(np.mean(np.abs(one[scored] - true[scored]) / true[scored]))
    return max(found, 0.0) if clamp else found


def weighted_accuracy(estimate: ArrayLike, ocoe: ArrayLike, *, hidden: ArrayLike | None = None) -> float:
    """WA of one event in one run: 1 - sum |estimate - ocoe| / sum ocoe.

    The slots that count are the hidden ones where `hidden` is given, else all; zeros of ocoe count here. NaN where the truths add up to
    0, or no slot is known. Raises as relative_accuracy.
    """
    one, true, looked = _checked(estimate, ocoe, hidden)
    total = float(true[looked].sum())
    return 1 - float(np.abs(one[looked] - true[looked]).sum()) / total if total > 0 else float("nan")


def signed_total_error(estimate: ArrayLike, ocoe: ArrayLike) -> float:
    """(sum of the estimate - sum of ocoe) / sum of ocoe, over every slot that both know, counted ones included: below 0 is too low.

    NaN where ocoe adds up to 0. Raises ParameterError for other lengths and negative counts.
    """
    one, true, looked = _checked(estimate, ocoe, None)
    total = float(true[looked].sum())
    return float((one[looked] - true[looked]).sum()) / total if total > 0 else float("nan")


def pearson_r(one: ArrayLike, other: ArrayLike) -> float:
    """Pearson's r (Wang et al. 2022, Eq. 3) over every slot that both know, in [-1, 1]; NaN for fewer than 2 slots or a constant side.

    Raises ParameterError for other lengths and negative counts.
    """
    first, second, looked = _checked(one, other, None)
    a, b = first[looked], second[looked]
    if len(a) < 2 or a.min() == a.max() or b.min() == b.max():
        return float("nan")
    a, b = a / a.max(), b / b.max()
    a, b = a - a.mean(), b - b.mean()
    spread = float(np.sqrt((a @ a) * (b @ b)))
    return float(np.clip((a @ b) / spread, -1, 1)) if spread > 0 else float("nan")


def scored_slots(ocoe: ArrayLike, *, hidden: ArrayLike | None = None) -> tuple[int, int]:
    """(slots that RA looks at, slots left out of it because their truth is 0). Raises as relative_accuracy."""
    _, true, looked = _checked(ocoe, ocoe, hidden)
    return int((looked & (true > 0)).sum()), int((looked & (true == 0)).sum())


def _checked(estimate: ArrayLike, ocoe: ArrayLike, hidden: ArrayLike | None) -> tuple[Floats, Floats, Flags]:
    one, true = counts_of(estimate, "estimate"), counts_of(ocoe, "ocoe")
    if len(one) != len(true):
        raise ParameterError(f"estimate: {len(one):,} slots, but ocoe has {len(true):,}; slot i of both is one slot. Cut the longer one.")
    looked = ~(np.isnan(one) | np.isnan(true))
    if hidden is None:
        return one, true, looked
    mask = np.asarray(hidden, dtype=bool)
    if mask.shape != one.shape:
        raise ParameterError(f"hidden: shape {mask.shape}, but there are {len(one):,} slots. Give True or False for each slot.")
    if not mask.any():
        raise ParameterError("hidden: no slot is hidden, so there is nothing to score. Leave it out to score every slot.")
    return one, true, looked & mask


def counts_of(values: ArrayLike, name: str) -> NDArray[np.float64]:
    """`values` as counts, shape (slots,). Raises ParameterError for another shape, negative or infinite values and what is too large."""
    found = np.asarray(values, dtype=float)
    if found.ndim != 1 or not len(found):
        raise ParameterError(f"{name}: shape {found.shape}; it must be counts one after the other, at least one.")
    known = found[~np.isnan(found)]
    if len(known) and known.min() < 0:
        place = int(np.nanargmin(found))
        raise ParameterError(f"{name}: {found[place]:g} in slot {place} must be at least 0. A count cannot be negative.")
    if len(known) and known.max() > LARGEST:
        place = int(np.nanargmax(found))
        raise ParameterError(f"{name}: {found[place]:g} in slot {place} must be at most {LARGEST:g}. Give counts in a larger unit.")
    return found
