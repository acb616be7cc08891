"""The curves of dep_lvl and of the merged rows."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.merge import CopulaParams, MuchParams
from hemcore.merge.analysis import COPULA, MUCH
from hemcore.merge.merge_curves import COPULA_ROWS, MUCH_ROWS, TRIED, dep_lvl_curves, rows_curve


def test_hems_kept_at_a_dep_lvl_and_above() -> None:
    path = pd.DataFrame({"dep_lvl": [0.01, 0.6, 1.0], "n_kept": [2, 3, 3], "smallest_eigenvalue": [0.8, 0.2, 0.2]})
    kept, eigenvalue = dep_lvl_curves(path)
    assert [kept.at(each) for each in (0.01, 0.59, 0.6, 1.0)] == [2, 2, 3, 3]
    assert kept.sentence(0.5, 0.85) == "dep_lvl 0.85 (default) → 0.5: HEMs kept 3 → 2, −33%."
    assert eigenvalue.at(0.7) == 0.2


@pytest.fixture
def table() -> Subexperiments:
    random = np.random.default_rng(0)
    counts = 1e6 + 1e4 * random.multivariate_normal([0, 0, 0], [[1, 0.5, 0.2], [0.5, 1, 0.4], [0.2, 0.4, 1]], 400)
    frames = [pd.DataFrame(np.round(counts[:, pair]), columns=[f"HEM_{place}" for place in pair]) for pair in ([0, 1], [1, 2], [0, 2])]
    return Subexperiments(frames=frames, n_pmcs=2)


def test_more_rows_are_nearer_to_what_was_measured(table: Subexperiments) -> None:
    curve = rows_curve(MUCH_ROWS.of(table, MuchParams(dep_lvl=1.0, outlier_zscore=1000)))
    assert curve.x.tolist() == list(TRIED)
    assert curve.at(10_000) < 0.5 * curve.at(30)
    assert curve.at(10_000) == pytest.approx(0, abs=0.03)


def test_each_number_of_rows_is_that_merge_and_the_merge_that_is_shown_is_a_point(table: Subexperiments) -> None:
    for merge, rows, params in ((MUCH, MUCH_ROWS, MuchParams(seed=2)), (COPULA, COPULA_ROWS, CopulaParams(seed=2, swaps=500))):
        tried = rows.of(table, params)
        for n_runs in (100, 150):
            report = merge.of(table, params.but(n_runs=n_runs))
            curve = rows_curve(tried, report)
            # Both are the merge itself: no point between two of the curve stands for one that was not merged.
            assert curve.at(n_runs) == rows_curve(None, report).at(n_runs)
            assert (curve.at(n_runs) == rows_curve(tried).at(n_runs)) == (n_runs == 100)
            assert curve.x.tolist() == sorted({*TRIED, n_runs})


def test_off_is_the_median_and_quartiles_of_differences_of_either_sign(table: Subexperiments) -> None:
    report = MUCH.of(table, MuchParams(n_runs=30))
    intervals = pd.DataFrame({"r": [0.5, 0.5, 0.5, 0.5, np.nan], "merged": [0.6, 0.3, 0.8, 0.1, 0.2]})  # off by .1 .2 .3 .4
    curve = rows_curve(None, replace(report, intervals=intervals))
    assert (curve.at(30), *curve.band(30)) == pytest.approx((0.25, 0.175, 0.325))  # type: ignore[misc]
    # Merges that are as far off are two points all the same.
    other = replace(report, intervals=intervals, merged=report.merged.head(20))
    assert rows_curve(None, replace(report, intervals=intervals), other).x.tolist() == [20, 30]
    tried = pd.DataFrame({"n_runs": [30, 40], "off": 0.25, "lower": 0.1, "upper": 0.4})
    assert rows_curve(tried, other).x.tolist() == [20, 30, 40]
