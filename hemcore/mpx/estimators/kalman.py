"""A Kalman smoother per run and event: log(1 + count) as a level that drifts, read with noise (Durbin and Koopman 2012, chapter 2)."""

import numpy as np
from numba import njit

from hemcore.mpx.estimators.estimator import Estimator
from hemcore.mpx.sampled import Floats, Places, Sampled


def fill(sampled: Sampled) -> Floats:
    """The smoothed level in every slot. Drift and noise are those that the differences of successive counts show, per run and event."""
    logs = np.log1p(sampled.counts)
    out = sampled.gaps.before.copy()
    _smooth(logs, sampled.starts, out)
    return np.clip(np.expm1(out), 0.0, np.nanmax(sampled.counts, initial=0.0))


@njit(cache=True)
def _smooth(logs: Floats, starts: Places, out: Floats) -> None:
    slots = logs.shape[1]
    places = np.empty(slots, dtype=np.int64)
    level, spread = np.empty(slots), np.empty(slots)
    for event in range(logs.shape[0]):
        y = logs[event]
        for run in range(len(starts) - 1):
            first, end = starts[run], starts[run + 1]
            n = 0
            for slot in range(first, end):
                if not np.isnan(y[slot]):
                    places[n] = slot
                    n += 1
            if n == 0:
                continue
            # Of differences d of counts K slots apart: var d = K drift + 2 noise, and neighbours share -noise.
            squares = shared = apart = 0.0
            for i in range(1, n):
                d = y[places[i]] - y[places[i - 1]]
                squares += d * d
                apart += places[i] - places[i - 1]
                if i > 1:
                    shared += d * (y[places[i - 1]] - y[places[i - 2]])
            noise = max(0.0, -shared / (n - 2)) if n > 2 else 0.0
            drift = max(squares - 2 * noise * (n - 1), 1e-6 * squares) / apart if n > 1 else 0.0
            if drift <= 0.0:
                drift = 1e-12
            # Filter forwards from the first count, then smooth backwards.
            at, doubt = y[places[0]], noise + drift
            for slot in range(first, end):
                if slot > first:
                    doubt += drift
                if not np.isnan(y[slot]):
                    gain = doubt / (doubt + noise)
                    at += gain * (y[slot] - at)
                    doubt *= 1 - gain
                level[slot], spread[slot] = at, doubt
            out[event, end - 1] = level[end - 1]
            for slot in range(end - 2, first - 1, -1):
                out[event, slot] = level[slot] + spread[slot] / (spread[slot] + drift) * (out[event, slot + 1] - level[slot])


KALMAN = Estimator(
    name="kalman",
    title="Kalman",
    description="A smoother that reads the counts as a drifting level with noise, in log(1 + count).",
    source="Durbin and Koopman 2012, chapter 2",
    fill=fill,
)
