"""How many phases are enough: errors and intervals of totals that can be worked out by hand."""

import math
from dataclasses import replace

import numpy as np
import pytest

from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import ParameterError
from hemcore.prediction.analysis import MEASURE, TOTALS
from hemcore.prediction.explore.headline import phases_cards, phases_verdict
from hemcore.prediction.explore.headline_totals import enough_text, totals_cards, totals_verdict
from hemcore.prediction.explore.params import ExploreParams
from hemcore.prediction.explore.total_errors import NUMBERS, SEEDS, ProgramTotals, conformal_width, interval_of
from tests.core.prediction.few_programs import programs_of_cost


def totals(by_number: list[list[float]], numbers: tuple[int, ...] = (1, 2, 4), not_counted: tuple[str, ...] = ()) -> ProgramTotals:
    """by_number: signed errors, one row per program, one seed."""
    errors = np.array(by_number)[:, :, None]
    return ProgramTotals(
        programs=tuple(f"p{number}" for number in range(len(by_number))), numbers=numbers, errors=errors, random=np.abs(errors) * 3,
        not_counted=not_counted, target="CYCLES", of="10 blocks, single core", params=ExploreParams(),
    )  # fmt: skip


def of_programs(program_errors: list[float], numbers: tuple[int, ...] = (1, 2, 4)) -> ProgramTotals:
    """Programs whose error is the one given with one phase, a tenth of it with two, a hundredth with four."""
    return totals([[error, error / 10, error / 100][: len(numbers)] for error in program_errors], numbers)


@pytest.mark.parametrize(
    ("off", "promised", "width"),
    [
        # The ceil(0.8 x 5) = 4th of four; of three the 4th does not exist; of nine the 8th; half of 3 + 1 is the 2nd.
        ([0.1, 0.4, 0.2, 0.3], 0.8, 0.4),
        ([0.1, 0.2, 0.3], 0.8, math.inf),
        ([0.9, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8], 0.8, 0.8),
        ([0.1, 0.2, 0.3], 0.5, 0.2),
    ],
)
def test_the_error_that_a_further_program_stays_below(off: list[float], promised: float, width: float) -> None:
    assert conformal_width(np.array(off)[:, None], promised) == width


def test_seeds_share_the_weight_of_their_program() -> None:
    # ceil(0.6 x 5 x 2) = 6th of eight errors, where one value per program would be the third of four.
    off = np.array([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6], [0.7, 0.8]])
    assert conformal_width(off, 0.6) == 0.6


def test_an_estimate_that_is_too_high_by_the_width_ends_at_the_truth() -> None:
    assert interval_of(100, 0.25) == pytest.approx((80, 400 / 3))
    # Half of the truth is an error of -50%: the truth may be twice the estimate.
    assert interval_of(100, 0.5)[1] == 200
    assert interval_of(100, 1.0) == (50, math.inf)


def test_a_program_s_interval_comes_from_the_others() -> None:
    found = of_programs([-0.1, 0.2, -0.3, 0.4, 0.5])
    # Of all five, the ceil(0.8 x 6) = 5th; without the last, the 4th of the other four.
    assert found.half_width(1) == pytest.approx(0.5)
    assert found.half_width(1, without="p4") == pytest.approx(0.4)
    assert found.half_width(1, without="p0") == pytest.approx(0.5)
    # Three phases are judged as two, none as one, nine as four.
    assert [found.half_width(n) for n in (0, 2, 3, 4, 9)] == pytest.approx([0.5, 0.05, 0.05, 0.005, 0.005])


def test_the_curve_says_how_many_are_inside_the_interval_of_the_others() -> None:
    row = of_programs([-0.1, 0.2, -0.3, 0.4, 0.5]).curve.iloc[0]
    # Only the last is outside: the largest of the others is 0.4.
    assert (row["n"], row["error"], row["half_width"], row["covered"], row["largest"]) == pytest.approx((1, 0.3, 0.5, 0.8, 0.5))
    assert row["random"] == pytest.approx(0.9)


def test_enough_is_where_it_stays_below_the_limit() -> None:
    assert of_programs([0.1, 0.2, 0.3, 0.4]).enough(0.05) == 2
    assert of_programs([0.1, 0.2, 0.3, 0.4]).enough(0.04) == 2  # not above the limit
    assert of_programs([0.1, 0.2, 0.3, 0.4]).enough(0.4) == 1
    assert of_programs([0.1, 0.2, 0.3, 0.4]).enough(0.001) is None
    # Two phases were good by chance: four are worse.
    assert totals([[0.5, 0.01, 0.3]] * 5).enough(0.02) is None
    assert totals([[0.01, 0.5, 0.01]] * 5).enough(0.02) == 4


def two_kinds(*costs: int) -> PhaseTable:
    """Two programs of four phases of 100 instructions: two without misses and two with 10."""
    table = programs_of_cost({"a": 1.0, "b": 1.0}, (100,) * 4, D1mr=(0, 0, 10, 10))
    return PhaseTable(frame=table.frame.assign(CYCLES=[*costs] * 2), counters=table.counters)


def test_errors_by_number_of_phases() -> None:
    found = TOTALS.of(two_kinds(100, 100, 300, 500))
    assert found.programs == ("a", "b")
    assert found.errors.shape == (2, len(NUMBERS), SEEDS)
    # One phase stands for four: 400 or 400, 1,200 or 2,000 instead of 1,000; two for 800 or 1,200; four are all.
    assert set(np.round(found.errors[:, 0].ravel(), 9)) <= {-0.6, 0.2, 1.0}
    assert set(np.round(found.errors[:, 1].ravel(), 9)) <= {-0.2, 0.2}
    assert not found.errors[:, 3:].any()
    assert not found.random[:, 3:].any()
    assert (found.random[:, 0] >= 0).all()
    again = TOTALS.of(two_kinds(100, 100, 300, 500))
    np.testing.assert_array_equal(found.errors, again.errors)


def test_a_program_without_the_target_in_a_phase_is_left_out() -> None:
    table = two_kinds(100, 100, 300, 500)
    frame = table.frame.assign(CYCLES=table.frame["CYCLES"].astype(float))
    frame.loc[0, "CYCLES"] = np.nan
    found = TOTALS.of(PhaseTable(frame=frame, counters=table.counters))
    assert (found.programs, found.not_counted) == (("b",), ("a",))
    with pytest.raises(ParameterError, match="Choose another target"):
        TOTALS.of(PhaseTable(frame=frame.assign(CYCLES=np.nan), counters=table.counters))
    with pytest.raises(ParameterError, match="only counter"):
        TOTALS.of(PhaseTable(frame=table.frame, counters=("CYCLES",)))


def test_the_verdict_has_the_number() -> None:
    found = of_programs([0.05 + 0.01 * number for number in range(9)])
    verdict = totals_verdict(found)
    assert verdict.answer == "2 phases per program give its CYCLES within 2%."
    # Each program's interval is the largest error of the eight others: only the program with the largest is outside.
    assert verdict.trust == "For 80% of unseen programs: of 9, each left out in turn, 89% are inside."
    assert (verdict.level, verdict.too_long()) == ("good", False)
    cards = {card.label: card.shown for card in totals_cards(found)}
    assert cards["Enough for 2%"] == "2"
    assert cards["80% interval"] == "±1.2%"
    assert enough_text(of_programs([0.01] * 4, (1,))) == "1 phase per program gives its CYCLES within 2%"
    assert totals_verdict(of_programs([0.05] * 5)).level == "limited"  # few programs
    # All have four phases: measuring four says nothing, three little; two are half.
    whole = totals([[0.3, 0.1, 0.0]] * 9)
    assert (whole.usual_size, found.usual_size) == (4, math.inf)
    verdict = totals_verdict(whole)
    assert (verdict.level, verdict.answer) == ("limited", "Only all phases of a program give its CYCLES within 2%.")
    assert verdict.trust == "Most programs have at most 4 phases: all are measured, so nothing is estimated."
    # One phase is exact: programs have one, or all of theirs are alike.
    alike = totals([[0.0, 0.0, 0.0]] * 9, (1, 2, 4))
    assert (alike.usual_size, enough_text(alike)) == (1, "1 phase per program gives its CYCLES within 2%")
    verdict = totals_verdict(alike)
    assert (verdict.level, verdict.trust) == (
        "limited", "Most programs have 1 phase, or phases that are all alike: nothing is estimated."
    )  # fmt: skip
    most = totals([[0.3, 0.1, 0.01, 0.0]] * 9, (1, 2, 4, 6))
    assert enough_text(most) == "4 of a program's at most 6 phases give its CYCLES within 2%"
    assert "measuring most of them saves little" in totals_verdict(most).trust
    half = totals([[0.3, 0.01, 0.01, 0.0]] * 9, (1, 2, 3, 4))
    assert (totals_verdict(half).level, half.usual_size) == ("good", 4)
    never = totals_verdict(totals([[0.5, 0.4, 0.3]] * 9, not_counted=("lost",)))
    assert never.answer == "Even 4 phases per program do not give CYCLES within 2%."
    assert never.trust == "They are within 30.0% for 80% of unseen programs."
    assert "Without lost" in never.full_text
    assert totals_cards(totals([[0.5, 0.4, 0.3]] * 9))[0].shown == ">4"
    few = totals_verdict(of_programs([0.1, 0.2, 0.3]))
    assert (few.level, "3 programs measured in full" in few.trust) == ("poor", True)
    # Four programs give an interval, but the three others of each do not: nothing can be checked.
    assert np.isnan(of_programs([0.1, 0.2, 0.3, 0.4]).curve["covered"]).all()
    assert np.isnan(of_programs([0.1, 0.2, 0.3]).curve["half_width"]).all()


def test_the_phases_of_one_program_have_an_interval() -> None:
    found = MEASURE.of(two_kinds(100, 100, 300, 500), ExploreParams(program="a", n_measured=2))
    assert found.half_width == math.inf  # one other program
    assert len(phases_cards(found)) == 4
    known = replace(found, totals=of_programs([0.5, 0.5, 0.5, 0.5]))
    assert known.half_width == pytest.approx(0.05)
    assert known.interval == pytest.approx((known.estimate / 1.05, known.estimate / 0.95))
    assert phases_verdict(known).trust == "80% interval ±5.0%, from 4 other programs; 4 phases are enough for 2%."
    assert [card.shown for card in phases_cards(known) if card.label == "80% interval"] == ["±5.0%"]
    without = replace(found, totals=None)
    assert math.isnan(without.half_width)
    assert "80%" not in phases_verdict(without).text
