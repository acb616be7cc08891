"""Verdicts and headline figures: how a figure is shown, and how it differs from the baseline's."""

import math
from dataclasses import replace

import numpy as np
import pytest

from hemcore.errors import Remedy
from hemcore.headline import (
    ANSWER_WORDS,
    TRUST_WORDS,
    Card,
    Change,
    Doubt,
    Verdict,
    amount,
    changes,
    data_size,
    doubted,
    few_counts,
    percent,
    with_step,
)


def change(now: float | None, before: float | None, form: str = ",", better: str = "") -> Change | None:
    return Card(label="x", value=now, form=form, better=better).change_from(Card(label="x", value=before, form=form))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("value", "form", "shown"),
    [
        (1234567, ",", "1,234,567"),
        (0, ",", "0"),
        (0.1234, ".1%", "12.3%"),
        (3.8e-9, ".2g", "3.8 × 10⁻⁹"),
        (0.00218, ".2g", "0.0022"),
        (1.0, ".1%", "100%"),
        (-0.25, ".3f", "−0.250"),
        (0.05, "+.1%", "+5.0%"),
        (0.0, "+.1%", "0%"),
        (np.int64(1000), ",", "1,000"),
        (None, ",", "–"),
        (math.nan, ".1%", "–"),
        (np.nan, ".1%", "–"),
        (math.inf, ",", "–"),
        (-math.inf, ".2g", "–"),
    ],
)
def test_a_figure_as_text(value: float | None, form: str, shown: str) -> None:
    assert Card(label="x", value=value, form=form).shown == shown


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (0, 3, "0"),
        (1, 3, "1"),
        (1.25, 2, "1.2"),
        (12.345, 3, "12.3"),
        (999.6, 3, "1,000"),
        (12345.67, 3, "12,346"),
        (-0.0031, 2, "−0.0031"),
        (0.0001, 2, "0.0001"),
        (9.94e-5, 2, "9.9 × 10⁻⁵"),
        (9.96e-5, 2, "0.0001"),
        (999e12, 3, "999,000,000,000,000"),
        (2.5e18, 2, "2.5 × 10¹⁸"),
        (-2.5e18, 2, "−2.5 × 10¹⁸"),
        (math.nan, 2, "–"),
    ],
)
def test_an_amount_has_no_exponent_a_reader_must_decode(value: float, digits: int, text: str) -> None:
    assert amount(value, digits) == text


@pytest.mark.parametrize(
    ("share", "digits", "text"),
    [
        (0.914, 0, "91%"),
        (0.914, 1, "91.4%"),
        (1, 1, "100%"),
        (0, 1, "0%"),
        (0.996, 0, "99.6%"),
        (0.9996, 0, "99.96%"),
        (0.99999, 0, ">99.99%"),
        (0.004, 0, "0.4%"),
        (1e-6, 0, "<0.01%"),
        (0.10, 0, "10%"),
        (1.004, 0, "100.4%"),
        (1.0000001, 0, "100%"),
        (-0.12, 0, "−12%"),
        (math.nan, 0, "–"),
    ],
)
def test_a_share_never_reads_as_none_or_all_unless_it_is(share: float, digits: int, text: str) -> None:
    assert percent(share, digits) == text


def test_a_text_of_its_own_stands_for_the_figure_that_is_still_compared() -> None:
    now, before = Card(label="x", value=10, text="10 of 14", better="higher"), Card(label="x", value=8, text="8 of 14")
    assert now.shown == "10 of 14"
    assert now.change_from(before) == Change(text="+2", better=True)
    assert Card(label="x", value=None, text="none").shown == "none"


@pytest.mark.parametrize(
    ("now", "before", "form", "text"),
    [
        (5, 2, ",", "+3"),
        (2, 5, ",", "−3"),
        (2_000_000, 1, ",", "+1,999,999"),
        (0.875, 0.5, ".1%", "+37.5 points"),
        (0.5, 0.51, ".0%", "−1 point"),
        (0.5, 0.48, ".0%", "+2 points"),
        (0.51, 0.5, ".1%", "+1.0 points"),
        (-5, 5, ",", "−10"),
        (2e-6, 1e-6, ".2g", "+1.0 × 10⁻⁶"),
        (0.25, 0.5, ".3f", "−0.250"),
        (10.5, 10, ",.10g", "+0.5"),
        (5, 5, ",", "no change"),
        (0.5, 0.5, ".0%", "no change"),
        (0.5001, 0.5, ".1%", "no change"),
        (0.5, 0.5001, ".1%", "no change"),
        (1.0004, 1, ".3f", "no change"),
        (1.0006, 1, ".3f", "+0.001"),
        # Rounding of sums is no change, though a format of significant digits would show it.
        (1e-3, 1e-3 + 1e-17, ".2g", "no change"),
        (1.04e-3, 1.01e-3, ".2g", "no change"),
        (0.0, 0.0, ".2g", "no change"),
        (0.0003, 0.0003 + 1e-12, ".2g", "no change"),
        (1e-10, 2e-10, ".2g", "−1.0 × 10⁻¹⁰"),
    ],
)
def test_a_difference_has_its_sign_and_percentages_differ_by_points(now: float, before: float, form: str, text: str) -> None:
    found = change(now, before, form)
    assert found == Change(text=text, better=None)


@pytest.mark.parametrize("better", ["higher", "lower"])
def test_a_difference_is_better_or_worse_or_neither(better: str) -> None:
    more, less = change(2, 1, better=better), change(1, 2, better=better)
    assert more is not None
    assert less is not None
    assert (more.better, less.better) == ((True, False) if better == "higher" else (False, True))
    assert change(2, 1) == Change(text="+1", better=None)
    assert change(1, 1, better=better) == Change(text="no change", better=None)


@pytest.mark.parametrize("unknown", [None, math.nan, math.inf, -math.inf])
def test_what_is_not_known_is_not_compared(unknown: float | None) -> None:
    assert change(unknown, 1) is None
    assert change(1, unknown) is None
    assert change(unknown, unknown) is None


def test_figures_of_different_things_are_not_compared() -> None:
    now, before = Card(label="Residual error", value=10, of="rms"), Card(label="Residual error", value=8, of="mean")
    assert now.change_from(before) is None
    assert now.change_from(Card(label="Residual error", value=8, of="rms")) == Change(text="+2", better=None)


def test_the_baselines_figure_of_the_same_label_is_compared_wherever_it_stands() -> None:
    now = [Card(label="a", value=1), Card(label="b", value=2), Card(label="c", value=3)]
    before = [Card(label="c", value=1), Card(label="a", value=1)]
    assert changes(now, before) == [Change(text="no change", better=None), None, Change(text="+2", better=None)]
    assert changes([], before) == []
    assert changes(now, []) == [None] * 3


GOOD = Verdict(answer="It is so.", trust="All agree.", why=("A figure.",))


def test_a_doubt_takes_the_place_of_trust_in_a_good_verdict() -> None:
    more, other = Remedy(label="Add runs", page="data"), Remedy(label="Use the mean", choose={"statistic": "mean"})
    told = doubted(
        GOOD, [Doubt(sentence="Only 2 runs.", remedy=more), Doubt(sentence="One level.", remedy=other), Doubt(sentence="Odd.", remedy=more)]
    )
    assert (told.level, told.trust, told.why) == ("limited", "Only 2 runs.", ("One level.", "Odd.", "All agree.", "A figure."))
    assert told.remedies == (more, other)
    assert doubted(GOOD, []) == GOOD
    # A worse verdict keeps its own trust and first step.
    poor = doubted(replace(GOOD, level="poor", remedies=(other,)), [Doubt(sentence="Only 2 runs.", remedy=more)])
    assert (poor.level, poor.trust, poor.why) == ("poor", "All agree.", ("A figure.", "Only 2 runs."))
    assert poor.remedies == (other, more)


def test_what_is_not_good_has_a_step_and_keeps_its_own() -> None:
    more, other = Remedy(label="Add runs", page="data"), Remedy(label="Use the mean", choose={"statistic": "mean"})
    assert with_step(GOOD, more).remedies == ()
    poor = replace(GOOD, level="poor")
    assert with_step(poor, more).remedies == (more,)
    assert with_step(replace(poor, remedies=(other,)), more).remedies == (other,)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ([0, 0, 20, 29], "E counted 49 in all: too few to tell."),
        ([0, 0, 20, 30], ""),
        ([5, 5, 500, 500], "E has only 2 different values."),
        ([7.0] * 9, "E has only 1 different value."),
        ([math.nan, 100, 200, 300], ""),
        ([0.25, 0.5, 0.75], ""),  # fractions are no counts
        ([-3, 1, 2], ""),
        ([], "E counted 0 in all: too few to tell."),
    ],
)
def test_few_counts_or_levels_are_told(values: list[float], sentence: str) -> None:
    assert few_counts("E", values) == sentence


def test_a_verdict_in_words() -> None:
    assert Verdict(answer="All is merged.").text == Verdict(answer="All is merged.").full_text == "All is merged."
    found = Verdict(answer="All is merged.", trust="To 0.01.", why=("Nine pairs were read.", "Noise is 0.02."), level="limited")
    assert found.text == "All is merged. To 0.01."
    assert found.full_text == "All is merged. To 0.01. Nine pairs were read. Noise is 0.02."
    assert Verdict(answer="All is merged.").level == "good"


def test_a_verdict_is_read_at_a_glance() -> None:
    answer, trust = " ".join(["a"] * ANSWER_WORDS), " ".join(["a"] * TRUST_WORDS)
    assert not Verdict(answer=answer, trust=trust, why=(" ".join(["a"] * 100),)).too_long()
    assert Verdict(answer=f"{answer} a").too_long()
    assert Verdict(answer="a", trust=f"{trust} a").too_long()


@pytest.mark.parametrize(
    ("n_bytes", "text"), [(0, "0 kB"), (1_600, "2 kB"), (999_000, "999 kB"), (1_250_000, "1.2 MB"), (1_234_567_890_000, "1,234.57 GB")]
)
def test_sizes_of_data(n_bytes: int, text: str) -> None:
    assert data_size(n_bytes) == text
