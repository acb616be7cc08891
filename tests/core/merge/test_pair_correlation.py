"""Correlations pair by pair, which HEMs depend on which, and the parameters of the Gaussian."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hemcore.errors import ParameterError, TableError, UnknownNameError
from hemcore.merge import (
    correlation_matrix,
    dep_lvl_path,
    dependent_hems,
    generate_mvg_params,
    get_independent_matrix,
    pair_readings,
    simulate_and_merge,
)
from hemcore.merge.trust.outliers import inliers


def matrix(rows, names="ABCDEFGH"):
    return pd.DataFrame(rows, index=list(names[: len(rows)]), columns=list(names[: len(rows)]), dtype=float)


def test_no_outlier_keeps_every_row():
    """R drops all rows of a subexperiment without an outlier; here its r is Pearson's over all of them."""
    frame = pd.DataFrame({"A": [1, 2, 3, 4], "B": [1, 2, 3, 5]})
    assert correlation_matrix([frame]).loc["A", "B"] == pytest.approx(np.corrcoef(frame.to_numpy().T)[0, 1], rel=1e-12)
    assert generate_mvg_params([frame], correlation_matrix([frame])).counts.tolist() == [4, 4]


def test_an_outlier_is_left_out_and_infinity_keeps_it():
    frame = pd.DataFrame({"A": [*range(30), 10_000], "B": [*range(30), -10_000]})
    assert correlation_matrix([frame]).loc["A", "B"] == pytest.approx(1)
    assert correlation_matrix([frame], outlier_zscore=np.inf).loc["A", "B"] < -0.9


def test_a_run_exactly_at_the_bound_is_left_out():
    """Squared distances 0, 0, 0, 4: mean 1, standard deviation 2, so that 4 is exactly 1.5 of these above."""
    assert inliers(np.array([0.0, 0, 0, 4]), 1.5).tolist() == [True, True, True, False]
    assert inliers(np.array([0.0, 0, 0, 4]), 1.5000001).all()


def test_parts_are_stacked_before_r_is_taken():
    low, high = pd.DataFrame({"A": [1, 2, 3], "B": [3, 2, 1]}), pd.DataFrame({"A": [11, 12, 13], "B": [13, 12, 11]})
    stacked = pd.concat([low, high])
    assert correlation_matrix([low, high]).loc["A", "B"] == pytest.approx(stacked.corr().loc["A", "B"], rel=1e-12)


def test_large_counts_lose_no_digits():
    random = np.random.default_rng(3)
    small = random.normal(size=(50, 2)).round(3)
    r = correlation_matrix([pd.DataFrame(small + 1e10, columns=["A", "B"])], outlier_zscore=np.inf).loc["A", "B"]
    assert r == pytest.approx(np.corrcoef(small.T)[0, 1], abs=1e-5)


def test_huge_counts_have_the_r_of_smaller_ones():
    """Times 2**80, and one of two times 2**80; each HEM in two subexperiments, an outlier in the first."""
    random = np.random.default_rng(4)
    low = pd.DataFrame({"A": [*range(30), 10_000], "B": [*random.integers(0, 40, 30), 3]})
    frames = [low, pd.DataFrame({"A": [1, 2, 5, 9], "B": [3, 1, 7, 8]})]
    huge = [frame * 2.0**80 for frame in frames]
    for zscore in (3.0, np.inf):
        pd.testing.assert_frame_equal(
            correlation_matrix(huge, outlier_zscore=zscore), correlation_matrix(frames, outlier_zscore=zscore), check_exact=True
        )
    one_huge = [frame.astype(float).assign(B=frame["B"] * 2.0**80) for frame in frames]
    expected = correlation_matrix(frames, outlier_zscore=np.inf)
    pd.testing.assert_frame_equal(correlation_matrix(one_huge, outlier_zscore=np.inf), expected, check_exact=True)


def test_the_outlier_of_the_larger_hem_decides_if_the_other_is_tiny():
    """B is 2**80 times as large: the distances in A do not matter, and only the run far off in B is left out."""
    a, b = np.array([*range(30), 10_000.0, 7]), np.array([*range(30), 0.0, 10_000])
    huge = pd.DataFrame({"A": a, "B": b * 2.0**80})
    without = pd.DataFrame({"A": a[:-1], "B": b[:-1]})
    for frame in (huge, huge[["B", "A"]]):
        r = correlation_matrix([frame]).loc["A", "B"]
        assert r == pytest.approx(correlation_matrix([without], outlier_zscore=np.inf).loc["A", "B"], rel=1e-12)


def test_the_spread_of_huge_counts_is_exact():
    counts = np.array([1.0, 2, 3, 5])
    params = generate_mvg_params([pd.DataFrame({"A": counts * 2.0**90})], matrix([[1]]))
    assert params.sds["A"] == pytest.approx(np.std(counts, ddof=1) * 2.0**90, rel=1e-15)
    assert params.means["A"] == 2.75 * 2.0**90


def test_a_list_of_frames_is_held_to_the_bound_of_a_table():
    with pytest.raises(TableError, match=r"^subexperiment 1: column 'B', row 2: 1e\+31 must be at most 1e\+30"):
        correlation_matrix([pd.DataFrame({"A": [1.0, 2.0], "B": [1.0, 1e31]})])


def test_a_constant_hem_and_a_pair_never_read_are_nan():
    frames = [pd.DataFrame({"A": [1, 2, 3], "B": [5, 5, 5]}), pd.DataFrame({"C": [1, 2, 4], "A": [2, 1, 3]})]
    found = correlation_matrix(frames)
    assert list(found.columns) == ["A", "B", "C"]
    assert found.isna().to_numpy().tolist() == [[False, True, False], [True, True, True], [False, True, False]]
    assert pair_readings(frames).to_numpy().tolist() == [[6, 3, 3], [3, 3, 0], [3, 0, 3]]


def test_a_constant_that_floating_point_cannot_average_is_constant():
    frame = pd.DataFrame({"A": [0.1] * 7, "B": range(7), "C": [0.1] * 7})
    found = correlation_matrix([frame])
    assert np.isnan(found.loc["A", "B"])
    assert np.isnan(found.loc["B", "C"])


def test_one_row_has_no_correlation():
    found = correlation_matrix([pd.DataFrame({"A": [1], "B": [2]})])
    assert found.isna().to_numpy().all()


@pytest.mark.parametrize("zscore", [0, -1, np.nan])
def test_outlier_zscore_bound(pairs, zscore):
    with pytest.raises(ParameterError, match="outlier_zscore"):
        correlation_matrix(pairs, outlier_zscore=zscore)


@given(st.integers(0, 1000), st.permutations(list("ABCD")), st.integers(2, 30))
@settings(max_examples=40, deadline=None)
def test_column_order_does_not_matter_and_arguments_stay(seed, order, rows):
    frame = pd.DataFrame(np.random.default_rng(seed).integers(0, 1000, (rows, 4)), columns=list("ABCD"))
    before = frame.copy()
    one, other = correlation_matrix([frame]), correlation_matrix([frame[order]])
    assert list(other.columns) == list(order)
    pd.testing.assert_frame_equal(one, other.loc[one.index, one.columns], rtol=1e-12)
    pd.testing.assert_frame_equal(frame, before)


def test_walk_keeps_the_first_and_names_the_cause():
    r = matrix([[1, 0.9, 0.2, -0.99], [0.9, 1, 0.95, 0], [0.2, 0.95, 1, 0.1], [-0.99, 0, 0.1, 1]])
    assert list(get_independent_matrix(r, 0.85).columns) == ["A", "C", "D"]  # C depends on B alone, and B is gone
    assert dependent_hems(r, 0.85).to_numpy().tolist() == [["B", "A", 0.9]]
    assert list(get_independent_matrix(r, 0.85, absolute=True).columns) == ["A", "C"]
    assert dependent_hems(r, 0.85, absolute=True).to_numpy().tolist() == [["B", "A", 0.9], ["D", "A", -0.99]]
    assert get_independent_matrix(r, 1.0).equals(r)
    assert get_independent_matrix(matrix([]), 0.5).shape == (0, 0)


def test_path_by_hand():
    r = matrix([[1, 0.9, 0.2], [0.9, 1, 0.95], [0.2, 0.95, 1]])
    path = dep_lvl_path(r)
    # Below 0.2 A alone; from 0.2 A and C; from 0.9 A and B, because C is above 0.9 to B; from 0.95 all.
    assert path["dep_lvl"].tolist() == [0.01, 0.2, 0.9, 0.95, 1.0]
    assert path["n_kept"].tolist() == [1, 2, 2, 3, 3]
    np.testing.assert_allclose(path["smallest_eigenvalue"][:3], [1, 0.8, 0.1])


@pytest.mark.slow
@given(st.integers(0, 500), st.integers(1, 7), st.booleans())
@settings(max_examples=40, deadline=None)
def test_path_agrees_with_the_walk_everywhere(seed, k, absolute):
    r = np.round(np.random.default_rng(seed).uniform(-1, 1, (k, k)), 1)
    r = np.triu(r, 1) + np.triu(r, 1).T + np.eye(k)
    path = dep_lvl_path(matrix(r), absolute=absolute)
    assert path["dep_lvl"].is_monotonic_increasing
    assert path["dep_lvl"].is_unique
    for dep_lvl in np.linspace(0.05, 1, 20):  # between any two steps of .1, and at each
        kept = path.loc[path["dep_lvl"] <= dep_lvl, "n_kept"].iloc[-1]
        assert kept == len(get_independent_matrix(matrix(r), dep_lvl, absolute=absolute))


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (np.eye(2), "a ndarray"),
        (matrix([[1, 0.5], [0.4, 1]]), "the same both ways"),
        (matrix([[1, np.nan], [0.5, 1]]), "'A' with 'B' is nan; it must be the same both ways"),
        (matrix([[1, 0.5], [np.nan, 1]]), "'A' with 'B' is 0.5; it must be the same both ways"),
        (matrix([[1, 1.5], [1.5, 1]]), "within -1 and 1"),
        (matrix([[2, 0], [0, 1]]), "within -1 and 1"),
        (matrix([[0.5, 0], [0, 1]]), "1 on the diagonal"),
        (matrix([[1, 0], [0, 1]]).set_axis(["X", "Y"]), "they must be the same"),
        (pd.DataFrame([[1, 0], [0, 1]], index=["A", "A"], columns=["A", "A"]), "more than once"),
    ],
)
def test_what_is_no_correlation_matrix_is_named(bad, message):
    with pytest.raises(TableError, match=message):
        get_independent_matrix(bad, 0.85)


@pytest.mark.parametrize("dep_lvl", [0, -1, 1.01, np.nan])
def test_dep_lvl_bound(dep_lvl):
    with pytest.raises(ParameterError, match="dep_lvl"):
        get_independent_matrix(matrix([[1]]), dep_lvl)


def test_parameters_by_hand():
    params = generate_mvg_params([pd.DataFrame({"A": [1, 2, 3]}), pd.DataFrame({"A": [5]})], matrix([[1]]))
    assert params.means["A"] == 2.75
    assert params.sigma_matrix.loc["A", "A"] == pytest.approx(np.var([1, 2, 3, 5], ddof=1))
    assert params.readings["A"].tolist() == [1, 2, 3, 5]


def test_simulate_refuses_what_it_cannot_use(pairs):
    r = correlation_matrix(pairs)
    params = generate_mvg_params(pairs, r)
    with pytest.raises(UnknownNameError, match="'D' is read in no"):
        generate_mvg_params(pairs, matrix(np.eye(4)))
    with pytest.raises(ParameterError, match="differ from those of mvg_params"):
        simulate_and_merge(params, 10, 1, r.iloc[:2, :2])
    with pytest.raises(ParameterError, match="n_runs: 1 is out of bounds"):
        simulate_and_merge(params, 1, 1, r)
    unknown = r.copy()
    unknown.loc["A", "B"] = unknown.loc["B", "A"] = np.nan
    with pytest.raises(ParameterError, match="'A', 'B' is unknown"):
        simulate_and_merge(generate_mvg_params(pairs, unknown), 10, 1, unknown)
    with pytest.raises(ParameterError, match="no HEM"):
        simulate_and_merge(generate_mvg_params(pairs, matrix([])), 10, 1, matrix([]))


def test_more_simulations_are_no_worse(pairs):
    r = correlation_matrix(pairs)
    params = generate_mvg_params(pairs, r)
    errors = [((simulate_and_merge(params, 50, n, r, seed=1).corr() - r).to_numpy() ** 2).mean() for n in (1, 10, 50)]
    assert errors == sorted(errors, reverse=True)
