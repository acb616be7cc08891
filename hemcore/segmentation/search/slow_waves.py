"""Steps beside a slow wave: which of the steps through a course are left where smooth waves explain the others."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hemcore.segmentation.search.residuals import mean_square_left

# Parts of a wave, at most and from one try to the next; the price of each and of a step, in log n.
_MOST_PARTS, _MORE = 12, 2
_PART, _STEP = 2.0, 3.0
# Longer series are thinned to so many samples; shorter ones than the least are not tried.
_MOST_SAMPLES, _FEWEST = 5_000, 40

Samples = NDArray[np.float64]
Points = NDArray[np.integer]


def beside_a_wave(samples: Samples, segmentations: Sequence[Points], kept: int, most: int, correlated: float) -> int | None:
    """Which of `segmentations` is left beside a slow wave; None if that fits no better than segmentations[kept] without one.

    samples: shape (n,). segmentations: change points of each, the fewest last. Those with at most `most` are tried, each with 0, 2, ... 12
    parts of a wave (a line, a parabola, which let it end anyhow, and cosines with 1, 2, ... half periods over the series), steps and parts
    together at most n / 8. The best has the lowest n log(v) + 3 log(n) per step + 2 log(n) per part, with v the mean square of the
    residuals after a first-order autoregression with a coefficient of at most `correlated`. None for n < 40.
    """
    n = len(samples)
    if n < _FEWEST:
        return None
    thin = -(-n // _MOST_SAMPLES)
    samples = samples[::thin]
    rows = len(samples)
    at = np.linspace(-1, 1, rows)[:, None]
    cosines = np.cos(np.pi * (np.arange(rows)[:, None] + 0.5) / rows * np.arange(1, _MOST_PARTS - 1))
    waves = np.hstack([at, at * at, cosines])

    def misfits(points: Points) -> list[float]:
        """Of 0, 2, ... parts beside these steps."""
        edges = np.concatenate([[0], np.unique(-(-points // thin)), [rows]])
        lengths = np.diff(edges)
        both = np.column_stack([samples, waves])
        both -= np.repeat(np.add.reduceat(both, edges[:-1], axis=0) / lengths[:, None], lengths, axis=0)
        left, beside = both[:, 0], both[:, 1:]
        found = []
        for many in range(0, min(_MOST_PARTS, rows // 8 - len(points)) + 1, _MORE):
            part = beside[:, :many]
            rest = left - part @ np.linalg.lstsq(part, left, rcond=None)[0] if many else left
            found.append(rows * np.log(mean_square_left(rest, correlated)) + (_STEP * len(points) + _PART * many) * np.log(rows))
        return found

    best, chosen = misfits(segmentations[kept])[0], None
    for row in range(len(segmentations) - 1, -1, -1):
        if len(segmentations[row]) > most:
            break
        for many, misfit in enumerate(misfits(segmentations[row])):
            if misfit < best:
                best, chosen = misfit, row if many else None
    return chosen
