"""The curves of dep_lvl and of the merged rows."""

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.merge import MuchParams
from hemcore.merge.merge_curves import MUCH_ROWS, TRIED, dep_lvl_curves, rows_curve


def test_hems_kept_at_a_dep_lvl_and_above() -> None:
    path = pd.DataFrame({"dep_lvl": [0.01, 0.6, 1.0], "n_kept": [2, 3, 3], "smallest_eigenvalue": [0.8, 0.2, 0.2]})
    kept, eigenvalue = dep_lvl_curves(path)
    assert [kept.at(each) for each in (0.01, 0.59, 0.6, 1.0)] == [2, 2, 3, 3]
    assert kept.sentence(0.5, 0.85) == "dep_lvl 0.85 (default) → 0.5: HEMs kept 3 → 2, −33%."
    assert eigenvalue.at(0.7) == 0.2


def test_more_rows_are_nearer_to_what_was_measured() -> None:
    random = np.random.default_rng(0)
    counts = 1e6 + 1e4 * random.multivariate_normal([0, 0, 0], [[1, 0.5, 0.2], [0.5, 1, 0.4], [0.2, 0.4, 1]], 400)
    frames = [pd.DataFrame(np.round(counts[:, pair]), columns=[f"HEM_{place}" for place in pair]) for pair in ([0, 1], [1, 2], [0, 2])]
    curve = rows_curve(MUCH_ROWS.of(Subexperiments(frames=frames, n_pmcs=2), MuchParams(dep_lvl=1.0, outlier_zscore=1000)))
    assert curve.x.tolist() == list(TRIED)
    assert curve.at(10_000) < 0.5 * curve.at(30)
    assert curve.at(10_000) == pytest.approx(0, abs=0.03)
