"""The steps of CLARA on a few rows: samples, the geometric median, medoids that are moved on."""

import numpy as np

from hemcore.signatures.clusters import clara


def at(*values: float) -> np.ndarray:
    """Rows whose four metrics are one value."""
    return np.repeat(np.array(values, dtype=float)[:, None], 4, axis=1)


def test_the_sample_is_of_the_least_keys() -> None:
    n, most = 12_000, clara.SAMPLES * clara.SAMPLE_ROWS
    found = clara.survey((clara.InMemory(at(*range(1, n + 1))), (7, 0)), "z-score")
    drawn = np.random.default_rng((7, 0)).random(n)
    np.testing.assert_array_equal(found.keys, np.sort(drawn)[:most])
    np.testing.assert_array_equal(found.sample[:, 0], np.argsort(drawn)[:most] + 1)


def test_the_geometric_median_of_a_line_is_its_middle() -> None:
    # The mean of 0, 1 and 100 is 33.7; from 1 the sum of distances is least.
    assert np.abs(clara._geometric_median(at(0, 1, 100)) - 1).max() < 0.1


def test_the_best_set_of_medoids_is_moved_on() -> None:
    # Bunches around 0, 10 and 1000. From two medoids at 1000 no move leads to one of them at 10: that set must not be the one chosen.
    rows = at(0, 0.1, 0.2, 10, 10.1, 10.2, 1000, 1000.1, 1000.2)
    bad, good = at(0, 1000, 1000.2), at(0, 10, 1000)
    found = clara.refined(rows, np.stack([bad, good]), "z-score", np.zeros(4), np.ones(4))
    np.testing.assert_allclose(np.sort(found[:, 0]), [0.1, 10.1, 1000.1])
