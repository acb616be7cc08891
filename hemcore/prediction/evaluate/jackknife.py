"""Jackknife+ over programs: intervals from a model's errors on each training program when it was fitted without it.

Barber, Candes, Ramdas, Tibshirani: Predictive inference with the jackknife+ (2021), DOI 10.1214/20-AOS1965; a program is one observation,
and its phases share its weight (Dunn, Wasserman, Ramdas: Distribution-free prediction sets for two-layer hierarchical models, 2023,
DOI 10.1080/01621459.2022.2060112). Errors are relative to the prediction, because long phases have larger errors.
"""

import numpy as np

from hemcore.prediction.arrays import Floats


def whole_interval(predicted: Floats, off: Floats, promised: float) -> tuple[float, float]:
    """The interval of one total. predicted: by the model without program q, shape (programs,); off: |measured / predicted - 1| of q."""
    n = len(predicted)
    # The ceil(promised (n + 1))-th smallest upper end and, mirrored, largest lower end.
    rank = int(np.ceil(promised * (n + 1) - 1e-9))
    high = np.sort(predicted * (1 + off))
    low = np.sort(predicted * (1 - off))
    if rank > n:
        return 0.0, float(high[-1])
    return max(0.0, float(low[n - rank])), float(high[rank - 1])


def phase_intervals(predicted: Floats, off: Floats, promised: float) -> tuple[Floats, Floats]:
    """The intervals of many phases: (low, high), each of shape (phases,).

    predicted: shape (programs, phases), by the model without program q. off: shape (programs, k), k quantiles of the errors of q's
    phases, from `errors_at_steps`.
    """
    programs, k = off.shape
    share = min(1.0, promised * (programs + 1) / programs)
    place = min(programs * k - 1, int(np.ceil(share * programs * k - 1e-9)) - 1)
    lows, highs = np.empty(predicted.shape[1]), np.empty(predicted.shape[1])
    for at in range(predicted.shape[1]):
        values = predicted[:, at][:, None]
        highs[at] = np.partition((values * (1 + off)).ravel(), place)[place]
        lows[at] = np.partition((values * (1 - off)).ravel(), programs * k - 1 - place)[programs * k - 1 - place]
    return np.maximum(lows, 0.0), highs


def errors_at_steps(off: Floats, k: int = 40) -> Floats:
    """k evenly spaced quantiles (the middles of k equal steps) of the errors of a program's phases, shape (k,)."""
    found: Floats = np.quantile(off, (np.arange(k) + 0.5) / k)
    return found
