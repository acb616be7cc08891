"""Monotone cubic interpolation from count to count (PCHIP; Fritsch and Butland 1984, doi:10.1137/0905021)."""

import numpy as np
from numba import njit

from hemcore.mpx.estimators.estimator import Estimator
from hemcore.mpx.sampled import Floats, Places, Sampled


def fill(sampled: Sampled) -> Floats:
    """As scipy's PchipInterpolator between the first and the last count of a run; held outside them."""
    out = sampled.gaps.before.copy()
    _interpolate(sampled.counts, sampled.starts, out)
    before, after, _ = sampled.gaps
    return np.clip(out, np.minimum(before, after), np.maximum(before, after))


@njit(cache=True)
def _end_slope(h0: float, h1: float, m0: float, m1: float) -> float:
    slope = ((2 * h0 + h1) * m0 - h0 * m1) / (h0 + h1)
    if slope * m0 <= 0:
        return 0.0
    if m0 * m1 < 0 and abs(slope) > 3 * abs(m0):
        return 3 * m0
    return slope


@njit(cache=True)
def _interpolate(values: Floats, starts: Places, out: Floats) -> None:
    places = np.empty(values.shape[1], dtype=np.int64)
    slopes = np.empty(values.shape[1])
    for event in range(values.shape[0]):
        for run in range(len(starts) - 1):
            n = 0
            for slot in range(starts[run], starts[run + 1]):
                if not np.isnan(values[event, slot]):
                    places[n] = slot
                    n += 1
            if n < 2:
                continue
            y = values[event]
            for i in range(n):
                if n == 2:
                    slopes[i] = (y[places[1]] - y[places[0]]) / (places[1] - places[0])
                    continue
                left, right = min(max(i - 1, 0), n - 3), min(max(i, 1), n - 2)
                h0, h1 = float(places[left + 1] - places[left]), float(places[right + 1] - places[right])
                m0, m1 = (y[places[left + 1]] - y[places[left]]) / h0, (y[places[right + 1]] - y[places[right]]) / h1
                if i == 0:
                    slopes[i] = _end_slope(h0, h1, m0, m1)
                elif i == n - 1:
                    slopes[i] = _end_slope(h1, h0, m1, m0)
                elif m0 * m1 <= 0:
                    slopes[i] = 0.0
                else:
                    w0, w1 = 2 * h1 + h0, h1 + 2 * h0
                    slopes[i] = (w0 + w1) / (w0 / m0 + w1 / m1)
            for i in range(n - 1):
                a, b, h = y[places[i]], y[places[i + 1]], float(places[i + 1] - places[i])
                for slot in range(places[i] + 1, places[i + 1]):
                    s = (slot - places[i]) / h
                    bend = (1 - s) * h * slopes[i] * (1 - s) * s - s * h * slopes[i + 1] * (1 - s) * s
                    out[event, slot] = a + (b - a) * s * s * (3 - 2 * s) + bend


PCHIP = Estimator(
    name="pchip",
    title="pchip",
    description="A smooth curve through the counts that never overshoots them.",
    source="Fritsch and Butland 1984, doi:10.1137/0905021",
    fill=fill,
)
