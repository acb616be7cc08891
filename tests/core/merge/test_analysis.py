"""What can be asked of subexperiments: figures, verdict and what is kept of a merge, what dep_lvl keeps."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import Remedy, TableError
from hemcore.headline import Card, amount
from hemcore.merge import CopulaParams, HrmParams, MuchParams, correlation_matrix, dep_lvl_path, merge_hrm, merge_much
from hemcore.merge.analysis import COPULA, DEP_LVL, HRM, MUCH, _behind
from hemcore.merge.headline import verdict
from hemcore.merge.merge_cards import cards
from hemcore.merge.results import MergeReport

BASE = np.random.default_rng(0).uniform(3000, 9000, 60)
SMALL = np.random.default_rng(1).uniform(1, 9, 60)
NOISE = np.random.default_rng(2).normal(0, 900, 60).clip(-2500)


def subexperiments(*frames: dict[str, object]) -> Subexperiments:
    made = tuple(pd.DataFrame(frame) for frame in frames)
    return Subexperiments(frames=made, n_pmcs=max(frame.shape[1] for frame in made))


def shared_anchor() -> Subexperiments:
    """T is read twice, A and B once, never together."""
    return subexperiments({"T": BASE, "A": BASE * 2 + SMALL}, {"T": BASE, "B": BASE[::-1] + 1})


def every_pair() -> Subexperiments:
    return subexperiments({"T": BASE, "A": BASE + NOISE, "B": SMALL})


def card(report: MergeReport, label: str) -> Card:
    return {each.label: each for each in cards(report)}[label]


def test_hrm_is_held_to_the_correlations_without_outliers() -> None:
    counts = 1000 + SMALL
    counts[7] = 90_000
    table = subexperiments({"T": BASE, "A": counts}, {"T": BASE, "B": BASE})
    report = HRM.of(table)
    assert report.target.loc["T", "A"] == correlation_matrix(table, outlier_zscore=3.0).loc["T", "A"]
    assert report.target.loc["T", "A"] != correlation_matrix(table, outlier_zscore=30.0).loc["T", "A"]
    pd.testing.assert_frame_equal(report.merged, merge_hrm(table, HrmParams()).merged)
    assert report.params == HrmParams(anchor_hem="T")


def test_much_is_held_to_the_correlations_with_its_own_outliers() -> None:
    table = every_pair()
    params = MuchParams(outlier_zscore=1.0, dep_lvl=1.0, n_runs=60)
    report = MUCH.of(table, params)
    hems = list(report.merged)
    pd.testing.assert_frame_equal(report.target, correlation_matrix(table, outlier_zscore=1.0).loc[hems, hems])
    pd.testing.assert_frame_equal(report.merged, merge_much(table, params).merged)


def test_what_dep_lvl_keeps_is_read_from_the_measured_correlations() -> None:
    table = every_pair()
    expected = dep_lvl_path(correlation_matrix(table, outlier_zscore=2.0), absolute=True)
    pd.testing.assert_frame_equal(DEP_LVL.of(table, MuchParams(outlier_zscore=2.0, absolute=True, dep_lvl=0.2)), expected)


def test_the_cards_of_a_merge() -> None:
    report = MUCH.of(every_pair(), MuchParams(dep_lvl=0.5, n_runs=1200))
    others = ["HEMs merged", "Merged runs", "Correlation MSE", "Worst pair, |Δr|"]
    assert [each.label for each in cards(report)] == ["Error of measured r", *others]
    assert (card(report, "HEMs merged").shown, card(report, "HEMs merged").note) == ("2 of 3", "1 left out")
    assert "dep_lvl" in card(report, "HEMs merged").help
    assert (card(report, "Merged runs").shown, card(report, "Merged runs").note) == ("1,200", "from 1 subexperiment")
    assert card(report, "Correlation MSE").value == report.mse
    assert report.worst is not None
    assert card(report, "Worst pair, |Δr|").value == abs(report.worst[2])
    assert card(report, "Worst pair, |Δr|").note == "T with B"
    # HRM leaves no HEM out for a correlation.
    assert "dep_lvl" not in card(HRM.of(shared_anchor()), "HEMs merged").help


def test_the_error_that_matters_comes_first() -> None:
    table = every_pair()
    unknown = MUCH.of(table, MuchParams(dep_lvl=1.0))
    assert (cards(unknown)[0].shown, cards(unknown)[0].note) == (f"±{unknown.noise:.2g}", "sampling noise, 3 of 3 pairs")
    assert f"A measured r has a standard error of ±{unknown.noise:.2g}." in verdict(unknown).why
    # Other runs, in which B goes with T, unlike in the table's own.
    other = pd.DataFrame({"T": BASE, "A": BASE + NOISE, "B": BASE * 2})
    known = MUCH.of(replace(table, truth=other), MuchParams(dep_lvl=1.0))
    assert known.truth is not None
    assert (cards(known)[0].label, cards(known)[0].value) == ("MSE against the truth", known.truth.mse)
    assert cards(known)[0].note == f"{amount(known.truth.noise, 2)} is sampling noise"
    said = verdict(known)
    assert said.why[2].startswith(f"Correlation MSE against the truth: {amount(known.truth.mse, 2)}; sampling noise alone gives ")
    assert said.level == "poor"
    assert verdict(unknown).level != "poor"


def test_the_truth_checks_the_pairs_that_no_reading_does() -> None:
    truth = pd.DataFrame({"T": BASE, "A": BASE * 2 + SMALL, "B": BASE[::-1] + 1})
    said = verdict(HRM.of(replace(shared_anchor(), truth=truth)))
    assert said.trust.endswith("; 1 was never read together.")
    assert "1 pair was never read together: filled by what the anchor implies." in said.why


def test_without_a_measured_pair_the_error_is_not_known() -> None:
    none = HRM.of(subexperiments({"T": BASE, "Z": np.zeros(60)}))
    assert (cards(none)[0].shown, cards(none)[0].value, cards(none)[0].note) == ("–", None, "no pair has a measured correlation")


def test_names_of_any_length_fit_a_card() -> None:
    first, second = "A" * 300, "a name of eighteen"
    report = HRM.of(subexperiments({first: BASE, second: BASE[::-1]}))
    assert card(report, "Worst pair, |Δr|").note == f"{'A' * 9}…{'A' * 8} with {second}"


@pytest.mark.parametrize(("worst", "level", "ends"), [(0.049, "good", ": every pair can be read."), (0.05, "limited", "to within 0.05."),
                                                      (0.15, "poor", ": too far off to read single pairs.")])  # fmt: skip
def test_the_worst_pair_decides_how_far_a_merge_is_trusted(worst: float, level: str, ends: str) -> None:
    many = np.tile(BASE, 10)  # enough runs for an r to within 0.1
    report = HRM.of(subexperiments({"T": many, "A": many[::-1]}))
    said = verdict(MergeReport(**(vars(report) | {"worst": ("T", "A", -worst), "noise": 0.01})))
    assert said.answer == "2 of 2 HEMs merged into one table of 600 runs."
    assert (said.level, said.trust.endswith(ends)) == (level, True), said.trust
    assert f"met to within {worst:.2g}" in said.trust


def test_pairs_that_nobody_read_together_limit_the_trust() -> None:
    said = verdict(HRM.of(shared_anchor()))
    assert said.answer == "3 of 3 HEMs merged into one table of 60 runs."
    assert said.trust == "1 of 3 pairs was never read together and cannot be checked."
    assert "1 pair was never read together: filled by what the anchor implies." in said.why
    assert said.level == "limited"
    completed = verdict(MUCH.of(shared_anchor(), MuchParams(unmeasured="complete", dep_lvl=1.0)))
    assert "1 pair was never read together: filled by the completion of the matrix." in completed.why


def test_a_hem_that_never_changes_is_no_pair_that_was_not_read() -> None:
    constant = HRM.of(subexperiments({"T": BASE, "A": BASE * 3, "Z": np.zeros(60)}))
    assert constant.pairs_compared == 1
    assert verdict(constant).trust == "2 of 3 pairs have no correlation: one HEM of each never changes."
    assert verdict(constant).level == "limited"
    none = HRM.of(subexperiments({"T": BASE, "Z": np.zeros(60)}))
    assert none.worst is None
    assert verdict(none).trust == "No pair has a measured correlation, since one HEM of each never changes: nothing can be checked."
    assert verdict(none).level == "poor"
    assert card(none, "Correlation MSE").shown == "–"
    assert (card(none, "Worst pair, |Δr|").shown, card(none, "Worst pair, |Δr|").note) == ("–", "no pair has a measured correlation")


def test_one_hem_alone_has_no_pair() -> None:
    alone = HRM.of(subexperiments({"T": BASE}))
    said = verdict(alone)
    assert (said.trust, said.level) == ("A single HEM has no correlation to check.", "limited")
    assert [each.label for each in said.remedies] == ["Add HEMs"]
    # Of several of which the others are left out: the copula leaves none out.
    assert [each.label for each in verdict(replace(alone, n_hems=2)).remedies] == ["Merge with the copula"]


def test_what_was_left_out_is_said_with_its_reason() -> None:
    table = subexperiments({"T": BASE, "A": BASE * 2}, {"T": BASE[:50], "A": BASE[:50]})
    again = HRM.of(table).left_out
    assert again[["hem", "because"]].to_numpy().tolist() == [["A", "also read in subexperiment 2; taken from subexperiment 1"]]
    assert again["r"].isna().all()
    report = MUCH.of(subexperiments({"T": BASE, "A": BASE * 2, "Z": np.ones(60), "B": SMALL}))
    assert report.left_out["hem"].tolist() == ["Z", "A"]
    assert report.left_out["because"].tolist() == ["it never changes", "r is above dep_lvl with T"]
    assert report.left_out["r"].tolist() == [pytest.approx(np.nan, nan_ok=True), pytest.approx(1)]
    assert (len(report.merged.columns), report.n_hems, report.n_subexperiments) == (2, 4, 1)


def test_the_merged_table_is_kept_as_phases() -> None:
    table = shared_anchor()
    report = HRM.of(table)
    kept = HRM.keeps[0].make(report, table)
    assert kept.counters == tuple(report.merged.columns)
    assert kept.frame["phase"].tolist() == list(range(60))
    assert set(kept.frame["granularity"]) == {"whole run"}
    np.testing.assert_array_equal(kept.frame[list(kept.counters)], report.merged)


def test_a_hem_that_has_the_name_of_a_phases_column_is_told() -> None:
    table = subexperiments({"phase": BASE, "A": BASE * 2})
    with pytest.raises(TableError, match="'phase' appears more than once"):
        HRM.keeps[0].make(HRM.of(table), table)


def test_progress_says_how_much_is_merged() -> None:
    told: list[tuple[float, str]] = []
    for analysis in (HRM, MUCH):
        analysis.of(every_pair(), progress=lambda share, note: told.append((share, note)))
    assert told == [(pytest.approx(2.02 / 3), "merging 60 runs")] * 2  # after what r is worth and what is known of the readings


def normal_runs(n: int, seed: int = 0) -> Subexperiments:
    """Three HEMs read together in `n` runs, correlated at .8; counts about 10,000."""
    random = np.random.default_rng(seed)
    common = random.normal(size=(n, 1))
    values = np.rint(10_000 + 1_000 * (0.894 * common + 0.447 * random.normal(size=(n, 3))))
    return Subexperiments(frames=(pd.DataFrame(values, columns=list("ABC")),), n_pmcs=4)


def test_no_merge_of_few_runs_or_few_counts_is_good() -> None:
    enough = verdict(COPULA.of(normal_runs(400), CopulaParams(n_runs=400)))
    assert enough.level == "good", enough.full_text
    few = verdict(COPULA.of(normal_runs(25), CopulaParams(n_runs=400)))
    assert few.level != "good"
    assert any(each.startswith("Only 25 runs read some pair; 30 or more are needed.") for each in (few.trust, *few.why))
    assert Remedy(label="Add runs", page="data") in few.remedies
    table = normal_runs(400)
    rare = np.zeros(400)
    rare[::10] = 1.0  # 40 counts in all
    sparse = COPULA.of(Subexperiments(frames=(table.frames[0].assign(D=rare),), n_pmcs=4), CopulaParams(n_runs=400))
    assert sparse.sparse == "D counted 40 in all: too few to tell."
    assert verdict(sparse).level != "good"


@pytest.mark.parametrize(("n_off", "level"), [(2, "good"), (3, "limited")])
def test_more_pairs_outside_their_interval_than_chance_explains_are_never_good(n_off: int, level: str) -> None:
    # 10 pairs at 10%: 3 or more are outside with a probability of 7%, 4 or more of 1.3%; of 9 pairs 3 or more with 5.3%; of 8 with 3.8%.
    report = COPULA.of(normal_runs(400), CopulaParams(n_runs=400))
    pairs = pd.concat([report.intervals.iloc[:1]] * 8, ignore_index=True)
    off = pd.concat([report.intervals.iloc[:1].assign(merged=0.0)] * n_off, ignore_index=True)
    told = verdict(replace(report, intervals=pairs, outside=off))
    assert ("more than by chance" in told.full_text) == (level == "limited")
    assert (told.level == "good") <= (level == "good")


def test_a_noisy_r_is_never_good() -> None:
    report = COPULA.of(normal_runs(400), CopulaParams(n_runs=400))
    assert verdict(replace(report, noise=0.1)).level == verdict(replace(report, noise=0.101)).level == "limited"
    assert "A measured r is uncertain by ±0.12." in verdict(replace(report, noise=0.12)).full_text


def test_correlations_that_a_few_extreme_runs_decide_are_never_good() -> None:
    table = normal_runs(400)
    heavy = np.rint(1000 * np.exp(1.6 * np.random.default_rng(3).normal(size=400)))
    told = verdict(COPULA.of(Subexperiments(frames=(table.frames[0].assign(D=heavy),), n_pmcs=4), CopulaParams(n_runs=400)))
    assert told.level != "good"
    assert "D: a few extreme runs decide its correlations." in told.full_text
    # By hand: one run of 9 far away is all of the variance but an eighth of its square: (64 + 8)^2 / (64^2 + 8) = 1.26.
    assert _behind([np.array([9.0] + [0.0] * 8)]) == pytest.approx(1.263, abs=0.001)
    # Two values, equally often: every run counts; a constant has none.
    assert _behind([np.array([0.0, 1.0] * 5), np.array([0.0, 2.0] * 8)]) == pytest.approx(10)
    assert _behind([np.full(9, 3.0)]) == np.inf
