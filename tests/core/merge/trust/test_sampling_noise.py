"""The sampling noise of correlations: against draws, against the truth's own halves, and where there is none."""

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.shelf import samples
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.merge import MuchParams
from hemcore.merge.analysis import HRM, MUCH
from hemcore.merge.trust.fidelity import mean_squared_difference
from hemcore.merge.trust.sampling_noise import Noise, noise_of, standard_errors, truth_error, typical_error


def known(truth: pd.DataFrame) -> Noise:
    return noise_of(Subexperiments(frames=(abs(truth),), n_pmcs=truth.shape[1], truth=abs(truth)))


def drawn(n: int, r: float, random: np.random.Generator, *, tails: bool = False) -> pd.DataFrame:
    a, b = random.normal(size=(2, n))
    frame = pd.DataFrame({"A": a, "B": r * a + np.sqrt(1 - r * r) * b})
    return np.exp(frame) if tails else frame


@pytest.mark.slow
@pytest.mark.parametrize(("r", "tails"), [(0.0, False), (0.6, False), (0.9, False), (0.6, True)])
def test_the_standard_error_is_how_far_r_scatters(r: float, tails: bool) -> None:
    random = np.random.default_rng(1)
    tables = [drawn(2_000, r, random, tails=tails) for _ in range(300)]
    scatter = np.std([table.corr().iloc[0, 1] for table in tables])
    said = np.sqrt(np.mean([standard_errors([table], ["A", "B"], outlier_zscore=np.inf).iloc[0, 1] ** 2 for table in tables]))
    assert said == pytest.approx(scatter, rel=0.15)


def test_runs_of_several_subexperiments_count_together() -> None:
    table = drawn(4_000, 0.5, np.random.default_rng(2))
    apart = [table[:1_000], table[1_000:][["B", "A"]]]
    whole = standard_errors([table], ["A", "B"]).iloc[0, 1]
    assert standard_errors(apart, ["A", "B"]).iloc[0, 1] == pytest.approx(whole, rel=0.05)
    assert whole == pytest.approx((1 - 0.5**2) / np.sqrt(4_000), rel=0.1)


def test_a_stray_run_that_the_correlations_leave_out_is_no_noise() -> None:
    table = drawn(500, 0.5, np.random.default_rng(3))
    stray = pd.concat([table, pd.DataFrame({"A": [1e4], "B": [-1e4]})], ignore_index=True)
    clean = standard_errors([table], ["A", "B"]).iloc[0, 1]
    assert standard_errors([stray], ["A", "B"]).iloc[0, 1] == pytest.approx(clean, rel=0.1)


def test_what_was_never_read_together_or_never_changes_has_no_error() -> None:
    random = np.random.default_rng(4)
    frames = [drawn(50, 0.5, random).assign(C=7.0), drawn(50, 0.5, random).rename(columns={"B": "D"})]
    errors = standard_errors(frames, ["A", "B", "C", "D"])
    assert np.isnan(errors.loc["B", "D"])
    assert np.isnan(errors.loc["A", "C"])
    assert (np.diag(errors) == 0).all()
    assert np.isfinite(typical_error(errors))
    assert np.isnan(typical_error(errors.loc[["B", "D"], ["B", "D"]]))


def test_the_truths_halves_differ_by_its_noise() -> None:
    truth = samples.truth("subexperiments-much").frames[0]  # type: ignore[union-attr]
    half = len(truth) // 2
    found = []
    for seed in range(20):
        order = np.random.default_rng(seed).permutation(len(truth))
        one, other = truth.iloc[order[:half]], truth.iloc[order[half:]]
        found.append(mean_squared_difference(one.corr(), other.corr()))
    behind = pd.DataFrame(half, index=truth.columns, columns=truth.columns)
    said = truth_error(truth[:half].corr(), known(truth[half:]), behind)
    assert said is not None
    assert said.noise == pytest.approx(np.mean(found), rel=0.15)
    assert (said.n_runs, said.n_pairs) == (half, 91)


def test_the_excess_is_the_typical_error_of_a_pair_that_is_no_noise() -> None:
    truth = drawn(100_000, 0.5, np.random.default_rng(5)) + 100
    off = truth.corr() + pd.DataFrame([[0, 0.2], [0.2, 0]], index=["A", "B"], columns=["A", "B"])
    said = truth_error(off, known(truth), pd.DataFrame(100_000, index=["A", "B"], columns=["A", "B"]))
    assert said is not None
    assert said.mse == pytest.approx(0.02)
    assert said.excess == pytest.approx(0.2, abs=0.001)
    assert (said.n_beyond, said.n_pairs) == (1, 1)
    assert truth_error(truth.corr(), known(truth), pd.DataFrame(1, index=["A", "B"], columns=["A", "B"])).excess == 0  # type: ignore[union-attr]
    assert truth_error(off.iloc[:1, :1], known(truth), off) is None
    assert truth_error(off, Noise(errors=off), off) is None


def test_a_sample_carries_its_truth_and_a_report_what_it_says() -> None:
    table = samples.load("subexperiments-much")
    report = MUCH.of(table, MuchParams())
    assert report.truth.mse == pytest.approx(3.0e-3, rel=0.02)
    assert report.truth.noise == pytest.approx(2.3e-3, rel=0.1)
    assert report.truth.n_runs == 1_000
    assert 0 < report.truth.n_beyond < report.truth.n_pairs == 78
    assert 0.01 < report.noise < 0.1
    hrm = HRM.of(samples.load("subexperiments-hrm"))
    assert hrm.truth.mse == pytest.approx(0.0264211, rel=1e-5)
    assert hrm.truth.excess > 0.15
