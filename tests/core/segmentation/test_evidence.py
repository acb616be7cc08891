"""Levels of trust, and verdicts that are short enough to be read at a glance."""

import itertools

import numpy as np
import pandas as pd
import pytest

from hemcore.headline import ANSWER_WORDS, TRUST_WORDS, Trust
from hemcore.segmentation.compare.segment_agreement import agreement
from hemcore.segmentation.evidence import (
    Reason,
    RunAgreement,
    agreement_card,
    counted,
    judged_verdict,
    level_of,
    runs_detail,
    runs_reason,
    share_alike,
    truth_card,
    truth_detail,
    truth_reason,
)


@pytest.mark.parametrize(
    ("share", "level"), [(0.0, "poor"), (0.499, "poor"), (0.5, "limited"), (0.849, "limited"), (0.85, "good"), (1.0, "good")]
)
def test_levels_of_agreement(share: float, level: Trust) -> None:
    assert level_of(share) == level


@pytest.mark.parametrize(
    ("figures", "level", "sentence"),
    [
        ((9, 0.97, 1.0, 0.1), "good", "97% overlap with the segments of the other runs."),
        ((9, 0.62, 1.0, 0.23), "good", "100% of the segments recur in order in other runs."),
        ((9, 0.62, 0.7, 0.23), "limited", "Only 70% of the segments recur in order in other runs."),
        ((9, 0.3, 0.4, 0.5), "poor", "Only 40% of the segments recur in order in other runs."),
        ((9, 0.62, np.nan, np.nan), "limited", "62% overlap with the segments of the other runs."),
        ((2, 0.97, 1.0, 0.1), "limited", "Only 2 runs: 97% overlap with the segments of the other runs."),
        ((2, 0.3, 0.4, 0.5), "poor", "Only 40% of the segments recur in order in other runs."),
        ((3, 0.97, 1.0, 0.1), "good", "97% overlap with the segments of the other runs."),
    ],
)
def test_agreement_between_runs_as_a_reason(figures: tuple[int, float, float, float], level: Trust, sentence: str) -> None:
    assert runs_reason(RunAgreement(*figures), truth_known=False) == (level, sentence)
    assert runs_reason(RunAgreement(*figures), truth_known=True).level == "good"


def test_the_figures_of_the_agreement_between_runs() -> None:
    assert runs_detail(RunAgreement(9, 0.62, 0.7, 0.23), 4) == (
        "The median run against run 4, 9 runs: covering 62%, 70% of the segments in the same order, durations differ by 23%."
    )
    assert runs_detail(RunAgreement(9, 0.62, np.nan, np.nan), 4) == "The median run against run 4, 9 runs: covering 62%."


def test_recall_decides() -> None:
    # 2 of 4 boundaries found by 2 change points, then 2 of 2 found by 4.
    assert truth_reason(agreement([10, 20, 30, 40], [10, 20], 50), 50) == ("limited", "2 of 4 true boundaries found.")
    # What is found within a stage is an inner phase: the boundaries known are a subset.
    inner = agreement([10, 20], [10, 20, 30, 40], 50)
    assert truth_reason(inner, 50) == ("good", "2 of 2 true boundaries found; 2 further changes may be inner phases.")
    assert truth_detail(inner).endswith("The known boundaries may be a subset: changes within a stage are not false.")
    assert truth_reason(agreement([10], [10], 50), 50) == ("good", "1 of 1 true boundary found.")
    assert truth_detail(agreement([10], [10], 50)) == "A change point finds a true boundary if it is at most 2 samples away."


def test_change_points_everywhere_find_boundaries_by_chance() -> None:
    # Each reaches 5 samples: 5 of them half of 50, which finds every other boundary wherever it is.
    found = agreement([10, 20], [10, 20, 30, 40, 45], 50)
    assert truth_reason(found, 50) == ("limited", "2 of 2 true boundaries found, as by chance.")
    assert truth_reason(found, 51).level == "good"
    assert truth_reason(agreement([1, 2, 49], [10, 20, 30, 40, 45], 50), 50).level == "poor"
    assert truth_reason(agreement([10, 20, 30], [10], 50), 50).level == "poor"


def test_the_worst_reason_gives_the_level_and_comes_first() -> None:
    reasons = [Reason("good", "All is well."), Reason("poor", "Nothing fits."), Reason("limited", "Some fit.")]
    said = judged_verdict("A shows 3 phases.", reasons, ["More."])
    assert (said.level, said.trust, said.why) == ("poor", "Nothing fits. Some fit. All is well.", ("More.",))
    long = Reason("limited", " ".join(["word"] * TRUST_WORDS) + ".")
    said = judged_verdict("A shows 3 phases.", [Reason("good", "All is well."), long], ["More."])
    assert (said.trust, said.why) == (long.sentence, ("All is well.", "More."))


def test_every_reason_alone_and_with_another_fits_into_a_verdict() -> None:
    shares = (0.12, 0.86, 1.0)
    reasons = [
        Reason("limited", "12,345 change points: above the bounds, 12,000 to 12,300."),
        *(
            runs_reason(RunAgreement(n, covering, in_order, 0.5), truth_known=False)
            for n in (2, 60)
            for covering in shares
            for in_order in (*shares, np.nan)
        ),
        *(truth_reason(agreement(range(10, 3_000, 10), range(10, last, 10), 3_000), 3_000) for last in (100, 3_000)),
    ]
    for chosen in (*itertools.combinations(reasons, 1), *itertools.combinations(reasons, 2)):
        said = judged_verdict("instructions shows 1,234 phases in run 4 of my program.", chosen, [])
        assert not said.too_long(), said
        assert said.trust.startswith(min(chosen, key=lambda each: ("poor", "limited", "good").index(each.level)).sentence)
        assert len(said.answer.split()) <= ANSWER_WORDS
        assert len(said.trust.split()) <= TRUST_WORDS


def test_cards_of_agreement_and_truth() -> None:
    known = agreement_card(RunAgreement(9, 0.62, 0.7, 0.23), "help", missing="one run only")
    assert (known.shown, known.note) == ("70%", "in the same order; durations differ by 23%, covering 62% (median run)")
    unordered = agreement_card(RunAgreement(9, 0.62, np.nan, np.nan), "help", missing="one run only", against=" of run 4")
    assert (unordered.shown, unordered.note) == ("62%", "covering of run 4, median run")
    missing = agreement_card(None, "help", missing="one run only")
    assert (missing.shown, missing.note) == ("–", "one run only")
    # 3 of 4: of 4 true boundaries, 3 change points.
    truth = truth_card(agreement([10, 20, 30, 40], [10, 20, 30], 50), "note", "help")
    assert (truth.shown, truth.value, truth.of, truth.better) == ("3 of 4", 3, "4 boundaries", "higher")
    none = truth_card(agreement([], [10], 50), "note", "help")
    assert (none.shown, none.value, none.note) == ("none", None, "the run has one stage")


def test_numbers_with_their_nouns() -> None:
    assert [counted(n, "run") for n in (0, 1, 2, 1_200)] == ["0 runs", "1 run", "2 runs", "1,200 runs"]


def test_half_of_the_runs_with_other_segments_are_never_good_though_the_median_run_agrees() -> None:
    # Of 59 other runs, 30 overlap by 100% and 29 by 40%: the median is 100%.
    covering, in_order = pd.Series([1.0] * 30 + [0.4] * 29), pd.Series([np.nan] * 59)
    alike = share_alike(covering, in_order)
    assert alike == 30 / 59
    reason = runs_reason(RunAgreement(60, 1.0, np.nan, np.nan, alike=alike), truth_known=False)
    assert reason == ("limited", "Only 30 of 59 other runs have these segments.")
    # One that overlaps little but has the same segments in order is alike.
    assert share_alike(pd.Series([0.4]), pd.Series([0.9])) == 1.0
    assert share_alike(pd.Series([], dtype=float), pd.Series([], dtype=float)) == 1.0
