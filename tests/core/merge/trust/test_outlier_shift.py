"""What R's outlier rule takes from a HEM with a long tail is said, and can be switched off."""

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.headline import Card
from hemcore.merge import HrmParams, MuchParams, correlation_matrix, merge_much, much_merge
from hemcore.merge.analysis import DEP_LVL, HRM, MUCH
from hemcore.merge.headline import verdict
from hemcore.merge.merge_cards import cards
from hemcore.merge.outlier_words import shifts_of
from hemcore.merge.trust.outlier_shift import OutlierEffect, outlier_effect

PAIRS = (["A", "B"], ["A", "C"], ["B", "C"])


def long_tails(sigma: float = 2.0, runs: int = 1000, seed: int = 3) -> Subexperiments:
    """Three lognormal HEMs, each pair read together; the normal scores of any two have r = 0.7."""
    random = np.random.default_rng(seed)
    scores = np.full((3, 3), 0.7) + 0.3 * np.eye(3)
    frames = []
    for chosen in PAIRS:
        counts = np.exp(8 + sigma * random.multivariate_normal(np.zeros(3), scores, runs))
        frames.append(pd.DataFrame(counts, columns=list("ABC"))[chosen])
    return Subexperiments(frames=tuple(frames), n_pmcs=2)


def read_mean(table: Subexperiments, hem: str) -> float:
    return float(np.concatenate([frame[hem] for frame in table.frames if hem in frame]).mean())


def labels(found: list[Card]) -> list[str]:
    return [each.label for each in found]


def test_a_lognormal_of_sigma_2_loses_its_tail_and_it_is_said() -> None:
    table = long_tails()
    report = MUCH.of(table, MuchParams(dep_lvl=1.0, n_runs=2000))
    shares = {hem: report.merged[hem].mean() / read_mean(table, hem) for hem in "ABC"}
    assert all(0.70 <= share <= 0.90 for share in shares.values()), shares
    assert isinstance(report.outliers, OutlierEffect)
    margins = report.outliers.margins.set_index("hem")
    for hem, share in shares.items():
        assert margins.loc[hem, "mean_read"] == pytest.approx(read_mean(table, hem), rel=1e-12)
        assert margins.loc[hem, "moved"] == pytest.approx(share, abs=0.02)
        assert margins.loc[hem, "readings"] == 2000
        assert 0 < margins.loc[hem, "left_out"] < 60
    worst = report.outliers.r_moved
    assert worst is not None
    assert abs(worst[3] - worst[2]) > 0.1
    # The reported error sees nothing of it.
    assert report.mse < 1e-3
    said = verdict(report)
    assert said.level == ("poor" if abs(worst[3] - worst[2]) >= 0.15 else "limited")
    mean = report.outliers.mean_moved
    assert mean is not None
    assert shares[mean[0]] == min(shares.values())
    assert f"changes the mean of {mean[0]} to {mean[1]:.2f} of its value and r of" in said.why[0]
    assert said.trust == f"Runs left out as outliers move r of {worst[0]} with {worst[1]} from {worst[2]:.2f} to {worst[3]:.2f}."
    assert said.why[1].endswith("set the outlier z-score to 1,000, which leaves no run out.")
    assert "every pair can be read" not in said.full_text
    card = cards(report)[-1]
    assert card.label == "Left out as outliers"
    assert card.shown == f"{report.outliers.left_out:.1%}"
    assert "of the mean read" in card.note


def test_leaving_no_run_out_keeps_means_and_correlations_as_read() -> None:
    table = long_tails()
    report = MUCH.of(table, MuchParams(dep_lvl=1.0, n_runs=2000, outlier_zscore=1000.0))
    for hem in "ABC":
        assert report.merged[hem].mean() == pytest.approx(read_mean(table, hem), rel=1e-12)
    for one, other in PAIRS:
        frame = next(frame for frame in table.frames if list(frame) == [one, other])
        assert report.target.loc[one, other] == pytest.approx(np.corrcoef(frame[one], frame[other])[0, 1], abs=1e-12)
    assert report.outliers is not None
    assert report.outliers.margins["left_out"].tolist() == [0, 0, 0]
    assert not report.outliers.matters
    assert "Left out as outliers" not in labels(cards(report))
    assert "outliers" not in verdict(report).full_text


def test_the_upper_end_of_the_z_score_leaves_no_run_out() -> None:
    params = MuchParams(outlier_zscore=1000.0)
    assert params.zscore == math.inf
    assert MuchParams(outlier_zscore=2.0).zscore == 2.0
    assert "outlier_zscore" in set(MUCH.reads) & set(DEP_LVL.reads)
    table = long_tails()
    asked = MuchParams(dep_lvl=1.0, n_runs=500, n_sims=10, outlier_zscore=1000.0)
    pd.testing.assert_frame_equal(much_merge(table, 500, 10, 1.0, outlier_zscore=1000.0).merged, merge_much(table, asked).merged)
    every = correlation_matrix(table, outlier_zscore=math.inf)
    pd.testing.assert_frame_equal(MUCH.of(table, MuchParams(dep_lvl=1.0, outlier_zscore=1000.0)).target, every)
    path = DEP_LVL.of(table, MuchParams(outlier_zscore=1000.0))
    assert not path.equals(DEP_LVL.of(table, MuchParams()))


def test_normal_readings_are_not_spoken_of(pairs: list[pd.DataFrame]) -> None:
    report = MUCH.of(Subexperiments(frames=tuple(pairs), n_pmcs=2), MuchParams(dep_lvl=1.0))
    assert report.outliers is not None
    assert 0 < report.outliers.left_out < 0.05
    assert not report.outliers.matters
    assert "outliers" not in verdict(report).full_text
    assert "Left out as outliers" not in labels(cards(report))


def test_hrm_leaves_no_run_out_of_its_table() -> None:
    frames = tuple(frame.assign(T=np.arange(len(frame))) for frame in long_tails().frames)
    report = HRM.of(Subexperiments(frames=frames, n_pmcs=3), HrmParams(anchor_hem="T"))
    assert report.outliers is None
    assert "Left out as outliers" not in labels(cards(report))


def test_no_hem_and_a_mean_of_nothing() -> None:
    table = long_tails(runs=50)
    chosen = merge_much(table, MuchParams(dep_lvl=1.0, n_runs=50))
    nothing = OutlierEffect(margins=chosen.outliers.margins.iloc[:0], pairs=chosen.outliers.pairs.iloc[:0])
    assert (nothing.left_out, nothing.mean_moved, nothing.r_moved, nothing.matters) == (0.0, None, None, False)
    of_zero = [pd.DataFrame({"Z": np.zeros(5), "Y": np.arange(5.0)})]
    effect = outlier_effect(of_zero, merge_much(of_zero, MuchParams(n_runs=5)).mvg_params, correlation_matrix(of_zero))
    assert effect.margins["hem"].tolist() == ["Y"]
    assert effect.pairs.empty


def test_correlations_that_moved_have_real_minus_signs() -> None:
    effect: Any = SimpleNamespace(mean_moved=None, r_moved=("a", "b", -0.08, -0.394))
    assert shifts_of(effect) == ["r of a with b from −0.08 to −0.39"]


def test_the_level_follows_how_far_r_moved() -> None:
    levels = {}
    for seed in (0, 1):
        report = MUCH.of(long_tails(seed=seed), MuchParams(dep_lvl=1.0, n_runs=2000))
        assert report.outliers is not None
        assert report.outliers.r_moved is not None
        _, _, read, used = report.outliers.r_moved
        levels[round(abs(used - read), 2)] = verdict(report).level
    assert levels == {0.33: "poor", 0.07: "limited"}
