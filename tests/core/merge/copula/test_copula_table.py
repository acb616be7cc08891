"""The copula merge: any plan, the accuracy that was achieved on known truth, and what it refuses."""

import dataclasses

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import ks_2samp

from hemcore.datasets import load
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import HemError, ParameterError, TableError
from hemcore.likeness import classifier_auc, energy_distance, mid_shares
from hemcore.merge import connected_components, copula_merge, much_merge
from hemcore.merge.copula.copula_fit import fitted_copula, fitted_mixture
from hemcore.merge.copula.normal_scores import scored
from hemcore.merge.inputs import complete_subexperiments


def mse(merged: pd.DataFrame, truth: pd.DataFrame, method: str) -> float:
    """Mean squared difference of the correlations, off the diagonal."""
    apart = (merged.corr(method) - truth[merged.columns].corr(method)).to_numpy()  # type: ignore[arg-type]
    return float((apart[np.triu_indices(len(apart), 1)] ** 2).mean())


@pytest.fixture(scope="module")
def sample() -> Subexperiments:
    table = load("sample-subexperiments-much")
    assert isinstance(table, Subexperiments)
    return table


def chain() -> list[pd.DataFrame]:
    """A goes with B and B with C, in curves that no Gaussian has; A and C are never read together."""
    random = np.random.default_rng(3)
    frames = []
    for names in ("AB", "BC"):
        level = random.gamma(2.0, 1000, 400)
        columns = {"A": level + random.normal(0, 60, 400), "B": (level - 2000) ** 2 / 100, "C": 9e6 / (level + 500)}
        frames.append(pd.DataFrame({name: columns[name] + 5000 for name in names}))
    return frames


@pytest.mark.long
@pytest.mark.slow
def test_merged_rows_cannot_be_told_from_rows_read_together(sample: Subexperiments) -> None:
    truth = sample.truth
    assert truth is not None
    merged = copula_merge(sample, 1000).merged
    assert mse(merged, truth, "pearson") <= 2.5e-3  # 2.3e-3; half the truth against the other half has 2.7e-3 to 4.4e-3
    assert mse(merged, truth, "spearman") <= 2.9e-3  # 2.6e-3
    assert energy_distance(truth, merged) <= 0.0  # -3.2e-4
    assert classifier_auc(truth, merged) <= 0.55
    # MUCH's rows are told, and its ranks are farther off.
    much = much_merge(sample, 1000, 100, 1.0).merged
    assert classifier_auc(truth, much) >= 0.78
    assert mse(much, truth, "spearman") >= 2 * mse(merged, truth, "spearman")


@pytest.mark.long
@pytest.mark.slow
def test_fewer_runs_a_subexperiment(sample: Subexperiments) -> None:
    assert sample.truth is not None
    off, told = [], []
    for seed in range(3):
        frames = [frame.sample(350, random_state=seed) for frame in sample.frames]
        merged = copula_merge(frames, 1000, seed=seed).merged
        off.append(mse(merged, sample.truth, "spearman"))
        told.append(classifier_auc(sample.truth, merged))
    assert np.median(off) <= 3.0e-3  # 2.6e-3
    assert np.median(told) <= 0.58  # 0.54


@pytest.mark.slow
def test_a_subexperiment_held_out_of_the_t2080_readings(much_frames: list[pd.DataFrame]) -> None:
    held = much_frames[9]
    merged = copula_merge(much_frames[:9] + much_frames[10:], 1000).merged[held.columns]
    assert mse(merged, held, "spearman") <= 2.3e-3  # 1.9e-3
    assert mse(merged, held, "pearson") <= 1.8e-3  # 1.4e-3
    assert energy_distance(held, merged) <= 0.0  # -7.5e-4
    assert classifier_auc(held, merged) <= 0.60


def test_each_column_is_nearly_the_quantiles_of_the_readings(sample: Subexperiments) -> None:
    merged = copula_merge(sample, 300, swaps=20_000).merged
    assert list(merged.columns) == sample.hems
    for hem, column in merged.items():
        readings = pd.concat([frame[hem] for frame in sample.frames if hem in frame])
        assert set(column) <= set(readings)
        # Weights of the runs move them by what other subexperiments know of their share of slow runs.
        assert ks_2samp(column, readings).statistic < 0.04
        assert column.dtype == readings.dtype


def test_the_same_seed_gives_the_same_table_and_arguments_stay(pairs: list[pd.DataFrame]) -> None:
    before = [frame.copy() for frame in pairs]
    one, same, other = (copula_merge(pairs, 200, swaps=70_000, seed=seed) for seed in (3, 3, 4))
    pd.testing.assert_frame_equal(one.merged, same.merged)
    assert not one.merged.equals(other.merged)
    for frame, old in zip(pairs, before, strict=True):
        pd.testing.assert_frame_equal(frame, old)
    assert (one.seed, sum(one.weights)) == (3, pytest.approx(1.0))
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.weights = ()  # type: ignore[misc]


def test_known_correlations_come_back(pairs: list[pd.DataFrame]) -> None:
    result = copula_merge(pairs, 2000)
    for first, second in (("A", "B"), ("A", "C"), ("B", "C")):
        r = result.merged[first].corr(result.merged[second])
        assert r == pytest.approx(result.measured_correlation.loc[first, second], abs=0.02)
        assert r == pytest.approx(result.achieved_correlation.loc[first, second])
    assert result.filled.empty
    assert result.pair_readings.loc["A", "B"] == 400


def test_pairs_never_read_together_are_filled_and_marked() -> None:
    result = copula_merge(chain(), 1000)
    assert result.filled[["hem_a", "hem_b"]].to_numpy().tolist() == [["A", "C"]]
    assert result.filled["r"][0] == result.achieved_correlation.loc["A", "C"]
    assert np.isnan(result.measured_correlation.loc["A", "C"])
    # B tells how far the level is from 2,000 and not on which side: the merged pair is as bent as the one read.
    for number, pair in enumerate((["A", "B"], ["B", "C"])):
        assert energy_distance(chain()[number][pair], result.merged[pair]) < 0.002


def test_a_star_with_whole_groups_is_merged() -> None:
    table = load("sample-subexperiments-hrm")
    assert isinstance(table, Subexperiments)
    result = copula_merge(table, 500)
    assert result.merged.shape == (500, 14)
    assert len(result.filled) == int((np.triu(result.pair_readings == 0, 1)).sum()) > 0
    for frame in table.frames:
        apart = (
            result.achieved_correlation.loc[frame.columns, frame.columns] - result.measured_correlation.loc[frame.columns, frame.columns]
        )
        assert np.abs(apart.to_numpy()).max() < 0.12


def test_no_run_is_left_out() -> None:
    random = np.random.default_rng(2)
    tail = pd.DataFrame({"A": random.lognormal(0, 2.0, 2000), "B": random.lognormal(0, 2.0, 2000)})
    merged = copula_merge([tail], 2000, swaps=0).merged
    assert merged["A"].max() == tail["A"].max()
    assert merged["A"].mean() == pytest.approx(tail["A"].mean())


def test_the_copula_of_a_star_is_independent_given_the_anchor() -> None:
    random = np.random.default_rng(5)
    frames = []
    for name in "BC":
        anchor = random.normal(1000, 100, 3000)
        frames.append(pd.DataFrame({"A": anchor, name: anchor + random.normal(0, 80, 3000)}))
    data = scored(complete_subexperiments(frames))
    r = fitted_copula(data.places, data.normal, 3)
    assert data.hems == ["A", "B", "C"]
    assert r[1, 2] == pytest.approx(r[0, 1] * r[0, 2], abs=5e-3)
    assert r[0, 1] == pytest.approx(100 / np.hypot(100, 80), abs=0.02)


def test_the_mixture_finds_two_clouds_in_runs_that_know_two_hems_each() -> None:
    random = np.random.default_rng(6)
    places, scores = [], []
    for pair in ([0, 1], [0, 2], [1, 2]):
        far = random.random(4000) < 0.3
        full = np.where(far[:, None], random.normal(0, 2.0, (4000, 3)), random.normal(0, 0.5, (4000, 3)))
        places.append(np.array(pair))
        scores.append(full[:, pair])
    mixture = fitted_mixture(places, scores, np.eye(3), 2)
    near, wide = sorted(range(2), key=lambda each: mixture.covariances[each, 0, 0])
    assert mixture.weights[wide] == pytest.approx(0.3, abs=0.03)
    assert np.sqrt(np.diag(mixture.covariances[wide])) == pytest.approx(2.0, abs=0.15)
    assert np.sqrt(np.diag(mixture.covariances[near])) == pytest.approx(0.5, abs=0.05)


def test_equal_readings_share_the_mean_of_their_ranks() -> None:
    assert mid_shares(np.array([3, 5, 5, 9])).tolist() == [0.125, 0.5, 0.5, 0.875]
    assert mid_shares(np.array([7.0])).tolist() == [0.5]


@pytest.mark.parametrize("swaps", [0, 30_000])
def test_hems_that_never_change_and_hems_twice(swaps: int) -> None:
    random = np.random.default_rng(1)
    level = random.integers(0, 50, 300)
    frames = [pd.DataFrame({"A": level, "twice": level * 2, "K": 7}), pd.DataFrame({"A": level, "B": level[::-1]})]
    merged = copula_merge(frames, 250, swaps=swaps).merged
    assert set(merged["K"]) == {7}
    assert (merged["twice"] == 2 * merged["A"]).all()


def test_one_hem_one_run_and_constants_merge() -> None:
    assert sorted(copula_merge([pd.DataFrame({"A": [4, 1, 3, 2]})], 4).merged["A"]) == [1, 2, 3, 4]
    assert copula_merge([pd.DataFrame({"A": [4], "B": [1]})], 3).merged.to_numpy().tolist() == [[4, 1]] * 3
    assert len(copula_merge([pd.DataFrame({"A": [4, 5], "B": [1, 2]}), pd.DataFrame({"B": [3], "C": [1]})], 10).merged) == 10


@pytest.mark.slow
@given(st.integers(0, 300), st.integers(2, 50), st.integers(2, 4), st.integers(1, 3))
@settings(max_examples=25, deadline=None)
def test_any_readings_merge(seed: int, n_runs: int, k: int, components: int) -> None:
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(random.poisson(3, (int(random.integers(2, 60)), k)) * random.integers(1, 1000), columns=list("ABCD"[:k]))
    other = frame[["B"]].assign(Z=random.integers(0, 9, len(frame)))
    merged = copula_merge([frame, other], n_runs, components=components, swaps=2_000).merged
    assert merged.shape == (n_runs, k + 1)
    assert merged["A"].isin(frame["A"]).all()


def test_huge_counts_merge_as_smaller_ones(pairs: list[pd.DataFrame]) -> None:
    one, large = (copula_merge([frame * unit for frame in pairs], 150, swaps=20_000) for unit in (1.0, 2.0**70))
    pd.testing.assert_frame_equal(large.merged, one.merged * 2.0**70, check_exact=True)


def test_parts_that_share_no_hem_are_named() -> None:
    frames = [pd.DataFrame({name: range(5) for name in names}) for names in ("AB", "CD", "BE", "F")]
    assert connected_components(frames) == [["A", "B", "E"], ["C", "D"], ["F"]]
    with pytest.raises(TableError, match="they form 3 groups that share no HEM: 'A', 'B', 'E'; 'C', 'D'; 'F'. The readings do not relate"):
        copula_merge(frames, 10)


@pytest.mark.parametrize(("argument", "value"), [("n_runs", 1), ("components", 0), ("features", 13), ("swaps", -1), ("seed", -1)])
def test_parameters_out_of_bounds_are_named(pairs: list[pd.DataFrame], argument: str, value: int) -> None:
    with pytest.raises(ParameterError, match=f"^{argument}: {value} is out of bounds"):
        copula_merge(pairs, **({"n_runs": 10} | {argument: value}))


@pytest.mark.slow
def test_what_does_not_fit_into_memory_is_told() -> None:
    wide = pd.DataFrame(np.random.default_rng(0).random((3, 520)), columns=[f"H{at}" for at in range(520)])
    with pytest.raises(TableError, match="520 HEMs with 10 features each are 5,200 features; 5,000 at most.*features to 9"):
        copula_merge([wide], 10)
    with pytest.raises(ParameterError, match=r"^n_runs: 1,000,000 runs of 100 HEMs .* Ask for 100,000 runs or fewer"):
        copula_merge([wide.iloc[:, :100]], 1_000_000)


def test_progress_rises_and_an_exception_from_it_ends_the_merge(pairs: list[pd.DataFrame]) -> None:
    told: list[float] = []
    copula_merge(pairs, 100, swaps=200_000, progress=lambda share, note: told.append(share))
    assert told == sorted(told)
    assert len(told) > 10
    assert told[-1] == pytest.approx(1.0)

    class Cancelled(Exception):
        pass

    def cancel(share: float, note: str) -> None:
        if share > 0.7:
            raise Cancelled

    with pytest.raises(Cancelled):
        copula_merge(pairs, 100, swaps=10_000_000, progress=cancel)


def test_bad_tables_are_sentences() -> None:
    for bad in ([], [pd.DataFrame()], pd.DataFrame({"A": [1]})):
        with pytest.raises(HemError):
            copula_merge(bad, 10)
