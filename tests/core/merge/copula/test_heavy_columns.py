"""HEMs with a few enormous counts: their ranks, not those counts, decide how the merged runs are arranged."""

import numpy as np
import pandas as pd
import pytest
from scipy.special import ndtri

from hemcore.merge.copula.normal_scores import decided_by_few, scored, standardised
from hemcore.merge.heavy_tails import l_ratios
from hemcore.merge.inputs import complete_subexperiments


def test_what_is_decided_by_few() -> None:
    even = (np.arange(1_000) + 0.5) / 1_000
    # Known L-kurtosis: normal .1226, exponential 1/6, Pareto with exponent 2 3/7.
    assert l_ratios(ndtri(even))[1] == pytest.approx(0.1226, abs=0.005)
    assert l_ratios(-np.log(even))[1] == pytest.approx(1 / 6, abs=0.005)
    assert l_ratios(even**-0.5)[1] == pytest.approx(3 / 7, abs=0.03)
    assert [decided_by_few(each) for each in (ndtri(even), -np.log(even), even**-0.5)] == [False, False, True]
    assert not decided_by_few(np.full(9, 5))


def test_values_are_normal_scores_there_and_counts_elsewhere() -> None:
    shares = np.array([0.125, 0.375, 0.625, 0.875])
    # Mean 3 and sd 2 of 1, 1, 5, 5.
    assert standardised(np.array([1, 1, 5, 5]), shares, heavy=False).tolist() == [-1, -1, 1, 1]
    scores = ndtri(shares)
    np.testing.assert_allclose(standardised(np.array([1, 2, 3, 10**9]), shares, heavy=True), scores / scores.std())
    frame = pd.DataFrame({"even": np.arange(200.0), "few": np.r_[np.arange(199.0), 1e12]})
    data = scored(complete_subexperiments([frame]))
    (values,) = data.values  # noqa: PD011
    np.testing.assert_allclose(values[:, 0], (frame["even"] - 99.5) / frame["even"].std(ddof=0))
    assert values[:, 1].max() < 3
