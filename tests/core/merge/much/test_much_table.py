"""MUCH: the calibrated merge, its defects left behind, and what it says about itself."""

import dataclasses

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import ParameterError, TableError
from hemcore.merge import MuchParams, correlation_matrix, merge_much, much_merge
from hemcore.merge.much.max_determinant import nearest_completion, strongest_chains
from hemcore.merge.much.pair_completion import completion
from hemcore.merge.much.repaired_matrix import nearest_correlation, rescaled_to_correlation, square_root


def star(extra=0):
    """B and C were each read with A, never together."""
    random = np.random.default_rng(5)
    a = random.normal(1000, 100, (2, 300))
    frames = [pd.DataFrame({"A": a[0], "B": a[0] + random.normal(0, 80, 300)})]
    frames.append(pd.DataFrame({"A": a[1], "C": random.normal(0, 60, 300) - a[1] + 2000}))
    return frames


@pytest.mark.parametrize("method", ["calibrated", "simulated"])
def test_deterministic_and_arguments_stay(pairs, method):
    before = [frame.copy() for frame in pairs]
    one, same, other = (much_merge(pairs, 200, 5, 1.0, method=method, seed=seed) for seed in (3, 3, 4))
    pd.testing.assert_frame_equal(one.merged, same.merged)
    assert not one.merged.equals(other.merged)
    for frame, old in zip(pairs, before, strict=True):
        pd.testing.assert_frame_equal(frame, old)


def test_result_tells_about_itself(pairs):
    result = much_merge(pairs, 500, 10, 0.7, seed=9)
    assert list(result.merged.columns) == ["A", "C"]
    assert result.dropped[["hem", "because_of"]].to_numpy().tolist() == [["B", "A"]]
    assert result.dropped["r"][0] == pytest.approx(correlation_matrix(pairs).loc["A", "B"])
    assert (result.seed, result.params.dep_lvl, result.nearest_distance) == (9, 0.7, 0)
    assert result.pair_readings.loc["A", "B"] == 400
    first, second, apart = result.worst_pair
    assert {first, second} == {"A", "C"}
    assert apart == pytest.approx(result.merged.corr().loc["A", "C"] - result.target_correlation.loc["A", "C"])
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.mse = 0


def test_typed_table_and_params_give_the_same(pairs):
    table = Subexperiments(frames=tuple(pairs), n_pmcs=2)
    params = MuchParams(dep_lvl=1.0, n_runs=100, seed=2)
    pd.testing.assert_frame_equal(merge_much(table, params).merged, much_merge(pairs, 100, 100, 1.0, seed=2).merged)


def test_margins_are_the_readings_own(pairs):
    result = much_merge(pairs, 333, 10, 1.0)
    for hem, column in result.merged.items():
        readings = result.mvg_params.readings[hem]
        assert column.isin(readings).all()
        expected = np.quantile(readings, (np.arange(333) + 0.5) / 333, method="inverted_cdf")
        assert np.sort(column).tolist() == expected.tolist()
        assert column.dtype == np.int64


@pytest.mark.slow
@given(st.integers(0, 200), st.integers(2, 60), st.integers(2, 5))
@settings(max_examples=25, deadline=None)
def test_any_readings_merge(seed, n_runs, k):
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(random.poisson(5, (30, k)) * random.integers(1, 1000), columns=list("ABCDE"[:k]))
    result = much_merge([frame], n_runs, 3, 1.0)
    assert result.merged.shape[0] == n_runs
    assert not result.merged.isna().to_numpy().any()
    for hem in result.merged:
        assert result.merged[hem].isin(frame[hem]).all()


@pytest.mark.slow
@pytest.mark.parametrize("n_runs", [2, 3, 10, 200_000])
def test_sizes(pairs, n_runs):
    result = much_merge(pairs, n_runs, 2, 1.0)
    assert result.merged.shape == (n_runs, 3)
    if n_runs > 1000:
        assert result.mse < 3e-15  # 2.4e-16


def test_200_000_rows_of_readings():
    random = np.random.default_rng(1)
    frame = pd.DataFrame(random.multivariate_normal([1e6, 1e6], [[9, 5], [5, 9]], 200_000), columns=["A", "B"])
    assert much_merge([frame], 1000, 2, 1.0).mse < 2e-13  # 1.8e-14


def test_never_read_together_is_named():
    with pytest.raises(TableError, match=r"1 pair .*'B' with 'C' \(never read together\).*'complete'.*'drop'"):
        much_merge(star(), 100, 2, 1.0)


def test_many_pairs_are_counted():
    frames = [pd.DataFrame({name: range(5)}) for name in "ABCDEF"]
    with pytest.raises(TableError, match="15 pairs.* and 9 more"):
        much_merge(frames, 100, 2, 1.0)


def test_completed_star():
    result = much_merge(star(), 1000, 2, 1.0, unmeasured="complete")
    r = result.target_correlation
    assert r.loc["B", "C"] == pytest.approx(r.loc["A", "B"] * r.loc["A", "C"], abs=1e-9)
    assert result.completed[["hem_a", "hem_b"]].to_numpy().tolist() == [["B", "C"]]
    assert result.completed["r"][0] == r.loc["B", "C"]
    assert np.isnan(result.measured_correlation.loc["B", "C"])
    assert result.mse < 4e-9  # 4.0e-10


def test_dropped_until_all_pairs_are_known():
    result = much_merge(star(), 100, 2, 1.0, unmeasured="drop")
    assert list(result.merged.columns) == ["A", "B"]
    assert result.dropped[["hem", "because_of", "why"]].to_numpy().tolist() == [["C", "B", "never read together"]]


def test_a_constant_hem_is_left_out_and_told(pairs):
    frames = [frame.assign(K=12345) for frame in pairs]
    result = much_merge(frames, 100, 2, 1.0)
    assert list(result.merged.columns) == ["A", "B", "C"]
    assert result.dropped[["hem", "why"]].to_numpy().tolist() == [["K", "it never changes"]]
    assert np.isfinite(result.mse)


def test_constant_only_where_read_together_is_named():
    frames = [pd.DataFrame({"A": [1, 2, 3], "B": [5, 5, 5]}), pd.DataFrame({"B": [1, 2, 3]})]
    with pytest.raises(TableError, match="3 runs, but one never changes in them"):
        much_merge(frames, 10, 2, 1.0)


@pytest.mark.parametrize("frame", [pd.DataFrame({"A": [1], "B": [2]}), pd.DataFrame({"A": [7, 7, 7], "B": [2, 2, 2]})])
def test_one_row_or_nothing_that_changes_is_an_error(frame):
    with pytest.raises(TableError, match="no HEM changes"):
        much_merge([frame], 10, 2, 1.0)


def test_all_nan_column_is_named(pairs):
    with pytest.raises(TableError, match=r"subexperiment 2: .*'N' has no value in 400"):
        much_merge([pairs[0], pairs[1].assign(N=np.nan), pairs[2]], 10, 2, 1.0)


def test_names_are_data(pairs):
    names = {"A": "<img src=x onerror=alert(1)>", "B": "=cmd()", "C": "loc"}
    result = much_merge([frame.rename(columns=names) for frame in pairs], 50, 2, 1.0)
    assert list(result.merged.columns) == list(names.values())


@pytest.mark.parametrize("method", ["calibrated", "simulated"])
def test_huge_counts_merge_as_smaller_ones(pairs, method):
    one, large = (much_merge([frame * unit for frame in pairs], 200, 3, 1.0, method=method) for unit in (1.0, 2.0**70))
    pd.testing.assert_frame_equal(large.merged, one.merged * 2.0**70, check_exact=True)
    assert (large.mse, large.worst_pair) == (one.mse, one.worst_pair)


def test_one_hem_alone():
    result = much_merge([pd.DataFrame({"A": [1, 2, 3, 4]})], 4, 2, 1.0)
    assert sorted(result.merged["A"]) == [1, 2, 3, 4]
    assert (result.mse, result.worst_pair) == (0, None)


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("dep_lvl", 0),
        ("dep_lvl", 1.5),
        ("n_runs", 1),
        ("n_runs", 10**7),
        ("n_sims", 0),
        ("method", "copula"),
        ("seed", -1),
        ("unmeasured", "no"),
        ("outlier_zscore", 0),
        ("dep_lvl", "much"),
    ],
)
def test_parameters_out_of_bounds_are_named(pairs, argument, value):
    arguments = {"n_runs": 10, "n_sims": 1, "dep_lvl": 1.0, argument: value}
    fault = "does not fit" if isinstance(value, str) else "is out of bounds"
    with pytest.raises(ParameterError, match=rf"^{argument}: {value!r} {fault}; it must be"):
        much_merge(pairs, **arguments)


def test_every_parameter_describes_itself():
    for field in MuchParams.model_fields.values():
        assert field.title
        assert field.description
    with pytest.raises(ValueError, match="frozen"):
        MuchParams().seed = 1


def test_nearest_by_higham():
    """The example of Higham 2002, section 4 and of the NAG library: (2 -1 0 0; ...) with unit diagonal."""
    matrix = np.array([[1, 1, 0], [1, 1, 1], [0, 1, 1]], dtype=float)
    expected = np.array([[1, 0.7607, 0.1573], [0.7607, 1, 0.7607], [0.1573, 0.7607, 1]])
    np.testing.assert_allclose(nearest_correlation(matrix), expected, atol=1e-4)
    assert nearest_correlation(np.eye(3)).tolist() == np.eye(3).tolist()
    assert nearest_correlation(np.empty((0, 0))).shape == (0, 0)


@given(st.integers(0, 300), st.integers(2, 6))
@settings(max_examples=30, deadline=None)
def test_nearest_is_a_correlation_matrix_and_nearer_than_one_step(seed, k):
    values = np.random.default_rng(seed).uniform(-1, 1, (k, k))
    matrix = np.triu(values, 1) + np.triu(values, 1).T + np.eye(k)
    nearest = nearest_correlation(matrix)
    assert np.linalg.eigvalsh(nearest)[0] > -1e-9
    assert np.allclose(np.diag(nearest), 1)
    assert np.linalg.norm(nearest - matrix) <= np.linalg.norm(rescaled_to_correlation(matrix) - matrix) + 1e-7
    np.testing.assert_allclose(square_root(nearest) @ square_root(nearest), nearest, atol=1e-7)


def test_completion_has_the_largest_determinant():
    matrix = np.array([[1, 0.5, np.nan, 0.3], [0.5, 1, 0.4, np.nan], [np.nan, 0.4, 1, 0.2], [0.3, np.nan, 0.2, 1]])
    full = completion(matrix).matrix
    inverse = np.linalg.inv(full)
    assert abs(inverse[0, 2]) < 1e-8  # never read together: independent given the others
    assert abs(inverse[1, 3]) < 1e-8
    known = ~np.isnan(matrix)
    assert (full[known] == matrix[known]).all()


def test_a_gap_begins_as_the_chain_of_largest_product_whatever_its_sign():
    """Between A and C: 0.9 * -0.9 by B, 0.1 * 0.2 by D."""
    gap = np.nan
    matrix = np.array([[1, 0.9, gap, 0.1], [0.9, 1, -0.9, gap], [gap, -0.9, 1, 0.2], [0.1, gap, 0.2, 1]])
    chained = strongest_chains(matrix)
    assert chained[0, 2] == chained[2, 0] == pytest.approx(-0.81)
    assert chained[1, 3] == chained[3, 1] == pytest.approx(-0.18)  # by C; by A it is 0.09
    star = np.array([[1, 0.9, gap], [0.9, 1, -0.9], [gap, -0.9, 1]])
    assert nearest_completion(star)[0, 2] == pytest.approx(-0.81)


def test_completion_of_contradicting_pairs_is_finite():
    matrix = np.array([[1, 0.9, 0.9, np.nan], [0.9, 1, -0.9, 0.1], [0.9, -0.9, 1, 0.2], [np.nan, 0.1, 0.2, 1]])
    full = completion(matrix).matrix
    assert np.isfinite(full).all()
    assert np.abs(full).max() <= 1


def completable(number: int) -> tuple[np.ndarray, np.ndarray]:
    """A correlation matrix with a smallest eigenvalue down to about 1e-6, and the same with gaps: one completion exists, itself."""
    random = np.random.default_rng(number)
    k, rank = int(random.integers(6, 17)), int(random.integers(2, 7))
    loads = random.normal(size=(k, rank))
    full = loads @ loads.T / rank + 10.0 ** -float(random.integers(1, 7)) * np.eye(k)
    full /= np.sqrt(np.outer(np.diag(full), np.diag(full)))
    gaps = np.triu(random.random((k, k)) < random.uniform(0.1, 0.6), 1)
    return full, np.where(gaps | gaps.T, np.nan, full)


@pytest.mark.parametrize("number", range(40))
def test_wherever_a_completion_exists_it_is_the_one_of_largest_determinant(number):
    full, gaps = completable(number)
    found = completion(gaps)
    missing = np.isnan(gaps)
    assert found.exists
    assert (found.matrix[~missing] == gaps[~missing]).all()
    assert np.linalg.eigvalsh(found.matrix)[0] > 0
    assert np.linalg.slogdet(found.matrix)[1] >= np.linalg.slogdet(full)[1] - 1e-6
    inverse = np.linalg.inv(found.matrix)
    partial = inverse / np.sqrt(np.outer(np.diag(inverse), np.diag(inverse)))
    assert np.abs(partial[missing]).max() < 1e-5  # independent given the others


def test_a_star_of_sixty_hems_is_completed_by_the_products():
    r = np.random.default_rng(1).uniform(-0.95, 0.95, 59)
    matrix = np.full((60, 60), np.nan)
    matrix[0, 1:] = matrix[1:, 0] = r
    np.fill_diagonal(matrix, 1.0)
    expected = np.outer(r, r)
    np.fill_diagonal(expected, 1.0)
    np.testing.assert_allclose(completion(matrix).matrix[1:, 1:], expected, atol=1e-8)


def test_where_no_completion_exists_it_is_said():
    gap = np.nan
    against = np.array([[1, 0.9, 0.9, gap], [0.9, 1, -0.9, 0.1], [0.9, -0.9, 1, 0.2], [gap, 0.1, 0.2, 1]])
    assert not completion(against).exists
    level = np.random.default_rng(2).normal(1000, 100, (3, 400))
    other = np.random.default_rng(3).normal(0, 30, (3, 400))
    frames = [pd.DataFrame({"A": level[0], "B": level[0] + other[0]}), pd.DataFrame({"B": level[1], "C": level[1] + other[1]})]
    assert much_merge(frames, 100, 2, 1.0, unmeasured="complete").completable
    frames.append(pd.DataFrame({"A": level[2], "C": 2000 - level[2] + other[2], "D": level[0]}))
    assert not much_merge(frames, 100, 2, 1.0, unmeasured="complete").completable
