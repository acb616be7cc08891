"""What is remembered of a table's fit: never of another table or other parameters, and never too much."""

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import TableError
from hemcore.merge import copula_merge
from hemcore.merge.copula import copula_table, remembered_fit
from hemcore.merge.inputs import complete_subexperiments


@pytest.fixture
def table(pairs: list[pd.DataFrame]) -> Subexperiments:
    return Subexperiments(frames=pairs, n_pmcs=2)


def test_a_remembered_fit_gives_the_table_that_a_new_one_gives(table: Subexperiments, pairs: list[pd.DataFrame]) -> None:
    for asked in ({}, {"features": 4}, {"seed": 3}, {"swaps": 0}, {}, {"components": 1}):
        again = copula_merge(table, 60, **{"swaps": 500, **asked})
        fresh = copula_merge([frame.copy() for frame in pairs], 60, **{"swaps": 500, **asked})
        pd.testing.assert_frame_equal(again.merged, fresh.merged, check_exact=True)
        assert again.weights == fresh.weights


def test_it_is_fitted_once_for_any_number_of_rows(table: Subexperiments, monkeypatch: pytest.MonkeyPatch) -> None:
    fits = []
    fit = remembered_fit.fitted_mixture
    monkeypatch.setattr(remembered_fit, "fitted_mixture", lambda *given: fits.append(given[3]) or fit(*given))
    for rows in (30, 60):
        copula_merge(table, rows, swaps=500)
    assert fits == [4]
    copula_merge(table, 30, swaps=500, components=1)
    assert fits == [4, 1]
    monkeypatch.setattr(copula_table, "_MOST_FEATURES", 29)
    with pytest.raises(TableError, match="3 HEMs with 10 features"):  # of a remembered fit too
        copula_merge(table, 30, swaps=500, components=1)


def test_a_large_fit_is_not_kept(table: Subexperiments, monkeypatch: pytest.MonkeyPatch) -> None:
    copula_merge(table, 30, swaps=500)
    found = remembered_fit._known[complete_subexperiments(table)][1]
    assert found.measured is not None
    # 3 x 400 runs of 2 HEMs as shares and as values, and 3 x 800 pooled, of 8 bytes; 3 columns of 20,000 rows x 10 features of 4 bytes;
    # 3 pairs x 10 x 10 products and as many variances.
    assert found.bytes == 8 * (2 * 2400 + 2400 + 2 * 300) + 4 * 3 * 20_000 * 10
    other = Subexperiments(frames=[frame + 1 for frame in table.frames], n_pmcs=2)
    monkeypatch.setattr(remembered_fit, "_MOST_REMEMBERED", found.bytes - 1)
    copula_merge(other, 30, swaps=500)
    assert complete_subexperiments(other) not in remembered_fit._known


def test_hems_that_never_change_need_no_fit() -> None:
    still = Subexperiments(frames=[pd.DataFrame({"A": [1, 1], "B": [2, 2]})], n_pmcs=2)
    merged = copula_merge(still, 5)
    assert merged.merged.to_numpy().tolist() == [[1, 2]] * 5
    assert merged.weights == (1.0,)
    assert np.isnan(merged.achieved_correlation.to_numpy()).all()
