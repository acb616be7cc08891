"""Correlations by hand and against scipy; rows behind each value; NaN where there is nothing to correlate."""

import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau, pearsonr, spearmanr

from hemcore.datasets.shelf import samples
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import ParameterError, UnknownNameError
from hemcore.prediction.explore.correlations import correlate

OTHERS = {"pearson": pearsonr, "spearman": spearmanr, "kendall": kendalltau}


def test_four_rows_by_hand() -> None:
    frame = pd.DataFrame({"a": [1, 2, 3, 4], "b": [1, 3, 2, 4]})
    # Pearson and Spearman: 1 - 6 * 2 / (4 * 15); Kendall: 5 pairs in order, 1 not, of 6.
    assert correlate(frame).matrix.loc["a", "b"] == pytest.approx(0.8)
    assert correlate(frame, method="spearman").matrix.loc["a", "b"] == pytest.approx(0.8)
    assert correlate(frame, method="kendall").matrix.loc["a", "b"] == pytest.approx(4 / 6)


@pytest.mark.parametrize("method", OTHERS)
def test_it_is_symmetric_and_counts_the_rows_behind_each_value(method: str) -> None:
    frame = pd.DataFrame({"a": [1.0, 2, 3, 4, 9], "b": [5.0, np.nan, 1, 2, 3], "c": [1.0, 2, np.nan, 4, 5]})
    found = correlate(frame, method=method)
    pd.testing.assert_frame_equal(found.matrix, found.matrix.T)
    assert found.rows.loc["a", "b"] == 4
    assert found.rows.loc["b", "c"] == 3
    assert np.diag(found.rows).tolist() == [5, 4, 4]
    both = frame[["b", "c"]].dropna()
    assert found.matrix.loc["b", "c"] == pytest.approx(OTHERS[method](both["b"], both["c"]).statistic)


@pytest.mark.parametrize("method", OTHERS)
@settings(max_examples=30, deadline=None)
@given(rows=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=3, max_size=30))
def test_it_is_what_scipy_says_ties_and_all(method: str, rows: list[tuple[int, int]]) -> None:
    frame = pd.DataFrame(rows, columns=["a", "b"])
    found = correlate(frame, method=method).matrix.loc["a", "b"]
    if frame["a"].nunique() < 2 or frame["b"].nunique() < 2:
        assert np.isnan(found)
    else:
        assert found == pytest.approx(OTHERS[method](frame["a"], frame["b"]).statistic, abs=1e-12)


@pytest.mark.parametrize("method", OTHERS)
def test_a_constant_has_none_and_one_row_has_none(method: str) -> None:
    found = correlate(pd.DataFrame({"a": [1, 2, 3], "b": [7, 7, 7]}), method=method)
    assert np.isnan(found.matrix.loc["b"]).all()
    assert found.matrix.loc["a", "a"] == 1
    assert found.against("a")["counter"].tolist() == ["b"]
    assert found.pairs.empty
    assert np.isnan(correlate(pd.DataFrame({"a": [1], "b": [2]}), method=method).matrix.to_numpy()).all()


def test_counts_around_2_to_the_63_keep_their_differences() -> None:
    whole = pd.DataFrame({"a": np.arange(5, dtype=np.uint64) + 2**63, "b": [1, 2, 3, 4, 5]})
    assert correlate(whole).matrix.loc["a", "b"] == pytest.approx(1.0)


def test_the_counters_are_ranked_against_a_target() -> None:
    random = np.random.default_rng(0)
    a = random.normal(10, 1, 500)
    frame = pd.DataFrame({"far": random.normal(10, 1, 500), "near": -a + random.normal(0, 0.1, 500), "t": a, "none": 5.0})
    found = correlate(frame).against("t")
    assert found["counter"].tolist() == ["near", "far", "none"]
    assert found["r"].iloc[0] < -0.99
    assert found["rows"].tolist() == [500] * 3
    with pytest.raises(UnknownNameError, match="target: 'x' is not a counter"):
        correlate(frame).against("x")


def test_pairs_go_by_size_whatever_their_sign() -> None:
    # 1 - 6 * 2 / 60 = 0.8, -(1 - 6 * 4 / 60) = -0.6, 1 - 6 * 10 / 60 = 0.
    frame = pd.DataFrame({"b": [1, 3, 2, 4], "d": [3, 4, 1, 2], "a": [1, 2, 3, 4]})
    found = correlate(frame).pairs
    assert found[["first", "second"]].to_numpy().tolist() == [["b", "a"], ["d", "a"], ["b", "d"]]
    assert found["r"].tolist() == pytest.approx([0.8, -0.6, 0.0])


def test_of_phases_the_counters_alone_are_taken() -> None:
    table = samples.load("phases")
    assert isinstance(table, PhaseTable)
    some = table.frame[(table.frame["granularity"] == 10_000) & (table.frame["load"] == "single core")]
    found = correlate(PhaseTable(frame=some, counters=table.counters))
    assert found.counters == list(table.counters)
    expected = some[list(table.counters)].astype(float).corr()
    np.testing.assert_allclose(found.matrix.to_numpy(), expected.to_numpy(), atol=1e-12)
    assert found.against("CYCLES")["counter"].iloc[0] == "Bcm"


def test_what_cannot_be_correlated_is_told() -> None:
    with pytest.raises(ParameterError, match=r"method: 'cosine' is not known. Choose pearson, spearman or kendall\."):
        correlate(pd.DataFrame({"a": [1]}), method="cosine")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="no numeric column"):
        correlate(pd.DataFrame({"program": ["x"], "phase": [0], "note": ["y"]}))


@pytest.mark.slow
def test_kendall_of_a_hundred_thousand_rows_is_a_matter_of_seconds() -> None:
    random = np.random.default_rng(1)
    frame = pd.DataFrame(random.poisson(1000, (100_000, 3)), columns=list("abc"))
    begin = time.thread_time()
    found = correlate(frame, method="kendall")
    assert time.thread_time() - begin < 15  # about 1 s; all pairs of rows take minutes
    assert abs(found.matrix.loc["a", "b"]) < 0.01
