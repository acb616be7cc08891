"""With candidates set aside, the optimum is that of looking at every candidate at every sample."""

import numpy as np
import pytest

from hemcore.segmentation.search.partitioning import optimal_partition
from hemcore.segmentation.search.segment_costs import MEAN, RMS, STD

RANDOM = np.random.default_rng(7)
N = 700
SERIES = {
    "noise": RANDOM.normal(size=N),
    "steps": np.repeat([1.0, 5.0, 4.0, 9.0, 2.0, 3.0, 8.0], 100) + RANDOM.normal(0, 1, N),
    "heavy tails": RANDOM.lognormal(0, 2, N),
    "a walk": np.cumsum(RANDOM.normal(size=N)),
    "zeros between counts": RANDOM.poisson(1.0, N) * np.repeat([1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0], 100),
    "ties": np.repeat(RANDOM.integers(0, 3, N // 5), 5).astype(float),
    "ones after 2**53": np.where(np.arange(N) < N // 2, 2.0**53, 1.0) * RANDOM.integers(1, 3, N),
    "spread on an offset": 1e9 + RANDOM.normal(0, 1, N) * np.repeat([0.1, 4.0, 1.0, 0.5, 3.0, 1.0, 0.2], 100),
}


@pytest.mark.parametrize("window", [4, 64])
@pytest.mark.parametrize("statistic", [RMS, STD, MEAN])
@pytest.mark.parametrize("kind", SERIES)
def test_every_last_change_point_is_that_of_the_whole_search(kind: str, statistic: int, window: int) -> None:
    samples = SERIES[kind]
    unit = float(samples.var()) if statistic == MEAN else 1.0
    for threshold, min_distance in ((0.05, 2), (3.0, 2), (3.0, 40), (30.0, 10)):
        whole = optimal_partition(samples, statistic, threshold * unit, min_distance, 0)
        assert np.array_equal(optimal_partition(samples, statistic, threshold * unit, min_distance, window), whole)
