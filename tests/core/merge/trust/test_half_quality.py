"""Merges judged by halves of the user's own runs: the ranking is the truth's, and a star plan will do."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets import load
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import ParameterError, TableError
from hemcore.likeness import MEASURES, classifier_auc, compared, energy_distance
from hemcore.merge import merge_quality
from hemcore.merge.params import MergeParams
from hemcore.merge.trust.comparison import COMPARE, Comparison, every_comparison
from hemcore.merge.trust.half_quality import TRUE_ROWS, MergeQuality
from hemcore.merge.trust.judge_sight import auc_of_all, auc_seen, auc_told
from hemcore.merge.trust.side_by_side_merges import METHODS


def cloud(seed: int, n: int = 400, r: float = 0.8) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    return pd.DataFrame(random.multivariate_normal([1000, 1000], [[100, 100 * r], [100 * r, 100]], n), columns=["A", "B"])


@pytest.mark.slow
def test_rows_of_one_law_cannot_be_told_and_others_can() -> None:
    same, other = compared(cloud(1), cloud(2)), compared(cloud(1, r=0.0), cloud(2))
    assert same["auc"] == pytest.approx(0.5, abs=0.08)
    assert same["energy"] == pytest.approx(0.0, abs=0.003)
    assert other["auc"] > 0.65
    assert other["energy"] > 0.01
    assert other["pearson_mse"] == pytest.approx(0.64, abs=0.1)
    assert list(same) == MEASURES


def test_energy_distance_by_hand() -> None:
    """Ranks 1/8, 3/8 against 5/8, 7/8: 2 * mean(4/8, 6/8, 2/8, 4/8) - 2/8 - 2/8."""
    one, other = pd.DataFrame({"A": [1, 2]}), pd.DataFrame({"A": [3, 4]})
    assert energy_distance(one, other) == pytest.approx(0.5)
    assert np.isnan(energy_distance(one.iloc[:1], other))
    assert np.isnan(classifier_auc(one, other))
    with pytest.raises(TableError, match="it has no column 'A'"):
        energy_distance(one, other.rename(columns={"A": "B"}))


@pytest.mark.slow
def test_no_unit_matters() -> None:
    one, other = cloud(3), cloud(4, r=0.5)
    assert energy_distance(one, other) == energy_distance(one**3, other**3)
    assert classifier_auc(one, other) == classifier_auc(one**3, other**3)


@pytest.mark.slow
@pytest.mark.long
def test_a_star_is_judged_and_the_better_merge_is_ranked_first() -> None:
    table = load("sample-subexperiments-hrm")
    assert isinstance(table, Subexperiments)

    def shuffled(frames: list[pd.DataFrame], n_runs: int) -> pd.DataFrame:
        random = np.random.default_rng(0)
        pooled = pd.concat(frames)
        return pd.DataFrame({hem: random.choice(pooled[hem].dropna(), n_runs) for hem in pooled})

    from hemcore.merge import copula_merge

    told: list[float] = []
    found = merge_quality(
        [frame.head(300) for frame in table.frames],
        {"copula": lambda frames, n_runs: copula_merge(frames, n_runs, swaps=300_000).merged, "shuffled": shuffled},
        progress=lambda share, note: told.append(share),
    )
    assert found.rows["method"].tolist() == [TRUE_ROWS, "copula", "shuffled"]
    assert found.judges == table.labels
    assert found.runs == 150
    assert told == sorted(told)
    for measure in MEASURES:
        assert found.of("copula")[measure] < found.of("shuffled")[measure]
    assert found.of("copula")["auc"] == pytest.approx(found.of(TRUE_ROWS)["auc"], abs=0.1)
    assert found.of("shuffled")["auc"] > 0.7


@pytest.mark.slow
def test_a_method_that_cannot_merge_says_why() -> None:
    frames = [cloud(1, 40), cloud(2, 40).rename(columns={"A": "C"})]
    frames.append(pd.concat([cloud(3, 40).rename(columns={"B": "D"}), cloud(4, 40)[["B"]].rename(columns={"B": "C"})], axis=1))
    found = merge_quality(frames, ["hrm"])
    assert "have no HEM in common" in found.of("hrm")["why"]
    assert np.isnan(found.of("hrm")["auc"])
    assert found.of(TRUE_ROWS)["why"] == ""


def test_bad_input_is_told() -> None:
    with pytest.raises(ParameterError, match="methods: 'best' is not a merge; choose from hrm, simulated, calibrated, copula"):
        merge_quality([cloud(1)], ["best"])
    with pytest.raises(ParameterError, match="methods: none is named"):
        merge_quality([cloud(1)], [])
    with pytest.raises(TableError, match="none has two HEMs and 20 runs"):
        merge_quality([cloud(1, 19)])
    with pytest.raises(TableError, match="form 2 groups"):
        merge_quality([cloud(1), cloud(2).rename(columns={"A": "C", "B": "D"})])


def compared_rows(**auc: float) -> pd.DataFrame:
    return pd.DataFrame({"method": list(auc), "auc": list(auc.values())})


def test_the_closest_merge_is_judged_by_the_truth_where_it_is_known_and_hrm_never_by_halves() -> None:
    halves = MergeQuality(rows=compared_rows(**{TRUE_ROWS: 0.4, "hrm": 0.5, "much": 0.61, "copula": 0.6}), judges=("s",), runs=20)
    assert Comparison(quality=halves, truth=None).closest == ("copula", 0.6, False)
    truth = compared_rows(**{TRUE_ROWS: 0.3, "hrm": 0.55, "much": 0.7, "copula": np.nan})
    assert Comparison(quality=halves, truth=truth).closest == ("hrm", 0.55, True)
    # Up to what rows read together reach themselves, none is closer than another.
    for told, alike, closest in ((0.6, ["copula"], "copula"), (0.61, ["copula", "much"], ""), (0.7, ["copula", "much"], "")):
        seen = Comparison(quality=replace(halves, told=told), truth=None)
        assert [str(each) for each in seen.alike.index] == alike
        assert (seen.closest or ("",))[0] == closest
    assert Comparison(quality=replace(halves, told=0.7), truth=truth).closest == ("hrm", 0.55, True)
    none = MergeQuality(rows=compared_rows(**{TRUE_ROWS: 0.5, "hrm": 0.5, "copula": np.nan}), judges=("s",), runs=20)
    assert Comparison(quality=none, truth=None).closest is None
    # A star: no half judges the pairs never read together, the truth does.
    star = replace(halves, n_unread=1, n_pairs=3)
    assert Comparison(quality=star, truth=None).closest is None
    assert Comparison(quality=star, truth=truth).closest == ("hrm", 0.55, True)


def test_what_judges_notice_by_hand() -> None:
    """One judge of 100 rows: the Mann-Whitney statistic has sd sqrt(201 / 120,000) = 0.04093, trained trees 1.35 times that."""
    assert auc_told(100, 1) == pytest.approx(0.5 + 1.645 * 1.35 * 0.040927, abs=1e-4)
    assert auc_seen(100, 1) == pytest.approx(0.5 + 2.927 * 1.35 * 0.040927, abs=1e-4)
    # 26 judges: a sum of 26 variances and 650 covariances of 0.04, over 26 * 26: (1 + 1) / 26.
    assert auc_told(100, 26) - 0.5 == pytest.approx((auc_told(100, 1) - 0.5) * (2 / 26) ** 0.5)
    assert auc_told(400, 12) - 0.5 == pytest.approx((auc_told(100, 12) - 0.5) / 2, rel=0.01)
    assert auc_seen(1, 1) == 1.0
    # Two HEMs are one pair, five are ten: 0.1 times sqrt(10) standard deviations; and none is none.
    assert auc_of_all(0.5398, 2, 5) == pytest.approx(0.6241, abs=2e-4)
    assert auc_of_all(0.5, 2, 5) == 0.5


def test_a_comparison_says_what_it_could_have_noticed() -> None:
    found = merge_quality(
        [cloud(1, 40), cloud(2, 60).rename(columns={"B": "C"})], {"first": lambda frames, n_runs: frames[0].assign(C=1.0)}
    )
    # Two judges of 20 and 30 runs, both ways.
    assert (found.hems, found.n_hems, found.n_unread, found.n_pairs, found.runs) == (2, 3, 1, 3, 20)
    assert (found.told, found.seen) == (auc_told(25, 4), auc_seen(25, 4))
    assert found.sight == (
        f"2 judges of 2 HEMs and 20 runs cannot tell an AUC up to {found.told:.2f} from 0.5 and notice {found.seen:.2f} in nine of ten "
        f"collections. To a judge of all 3 HEMs, {found.told:.2f} is {auc_of_all(found.told, 2, 3):.2f} or more."
    )
    assert replace(found, n_hems=2).sight.endswith(" A judge of more runs would see more.")
    assert replace(found, told=float("nan")).sight == ""


@pytest.mark.slow
def test_each_merge_is_a_part_of_the_comparison_by_each_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hemcore.likeness._TREES", 2)
    for slow in ("copula", "simulated"):
        monkeypatch.delitem(METHODS, slow)
    frames = (cloud(1, 40), cloud(2, 40).rename(columns={"B": "C"}))
    table = Subexperiments(frames=frames, labels=("1", "2"), n_pmcs=2, truth=cloud(3, 40).assign(C=cloud(4, 40)["A"]))
    parts = every_comparison(table, MergeParams())
    names = ["calibrated", "hrm", TRUE_ROWS]
    assert [(each.compared, each.by_truth) for each in parts] == [(name, judge) for judge in (False, True) for name in names]
    found = COMPARE.of(table)
    assert found.truth is not None
    assert found.truth["method"].tolist() == found.quality.rows["method"].tolist() == names[::-1]
    # No row depends on the merges beside it.
    pd.testing.assert_frame_equal(
        found.quality.rows.drop(columns="seconds"), merge_quality(table, ["hrm", "calibrated"]).rows.drop(columns="seconds")
    )
    assert len(every_comparison(replace(table, truth=None), MergeParams())) == 3
    with pytest.raises(TableError, match="none has two HEMs and 20 runs"):
        every_comparison(replace(table, frames=tuple(frame.head(19) for frame in frames)), MergeParams())
