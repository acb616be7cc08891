"""What the order of the runs says: drift, dependence, warm-up; and that independent runs say nothing."""

import numpy as np
import pandas as pd
import pytest

from hemcore.compare import compare
from hemcore.compare.dependent_runs import (
    FewRuns,
    RunOrder,
    _block,
    few_dependent_runs,
    run_order,
    shared_block,
    time_of_median,
    unseen_by_blocks,
    unseen_by_shared_blocks,
)
from hemcore.compare.group_changes import batches
from hemcore.compare.group_matching import MatchedGroup
from hemcore.compare.headline import verdict
from hemcore.compare.medians import median_and_variance
from hemcore.compare.params import CompareParams
from hemcore.compare.relations import relations
from hemcore.compare.releases.levels_of_sets import _level
from hemcore.compare.stages.program_runs import ProgramRuns
from hemcore.compare.stages.stage_changes import stage_changes_of
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.headline import Verdict

# 14 runs leave blocks of one run; neighbours are alike: six of 10, six of 20, two of 10.
WAVES = np.repeat([10.0, 20.0, 10.0], [6, 6, 2])


def autoregressive(rng: np.random.Generator, n: int, phi: float = 0.8) -> np.ndarray:
    found = np.zeros(n)
    for place in range(1, n):
        found[place] = phi * found[place - 1] + rng.normal()
    return 100 + found


def test_independent_runs_say_nothing() -> None:
    rng = np.random.default_rng(0)
    orders = [run_order(rng.lognormal(0, 1, 100)) for _ in range(200)]
    assert sum(not each.independent for each in orders) <= 8


def test_few_or_constant_runs_say_nothing() -> None:
    assert run_order(np.arange(11.0)) == RunOrder()
    assert run_order(np.full(50, 3.0)) == RunOrder()
    assert run_order(np.array([np.nan] * 40 + [1.0, 2.0])) == RunOrder()
    # Means of two runs each, which are constant.
    assert run_order(np.tile([1.0, 2.0], 4_000)).drift == 0


def test_a_drift_is_the_rank_correlation_with_the_order() -> None:
    assert run_order(np.arange(40.0)).drift == 1
    assert run_order(-(np.arange(40.0) ** 3)).drift == -1
    wave = np.arange(40) + np.random.default_rng(1).normal(0, 10, 40)
    expected = np.corrcoef(pd.Series(wave).rank(), np.arange(40))[0, 1]
    assert run_order(wave).drift == expected


def test_dependent_runs_have_blocks_and_their_autocorrelation_time() -> None:
    rng = np.random.default_rng(2)
    found = [run_order(autoregressive(rng, 1_000)) for _ in range(40)]
    assert np.mean([each.autocorrelation for each in found]) == pytest.approx(0.78, abs=0.04)
    # (1 + .8) / (1 - .8) = 9 runs.
    assert np.mean([each.time for each in found]) == pytest.approx(8.5, abs=1)
    assert min(each.block for each in found) >= 8
    # They wander, which is no drift.
    assert sum(each.drift != 0 for each in found) <= 2


def test_first_runs_beyond_all_later_ones_are_a_warm_up() -> None:
    later = np.random.default_rng(3).uniform(100, 110, 60)
    assert run_order(np.concatenate([[200, 190, 180], later])).warm_up == 3
    assert run_order(np.concatenate([[500], later])).warm_up == 1
    assert run_order(np.concatenate([[111], later])).warm_up == 0


def test_of_dependent_runs_the_interval_is_wider_and_the_notes_say_why() -> None:
    rng = np.random.default_rng(4)
    sides = [autoregressive(rng, 400) for _ in range(2)]
    shuffled = [rng.permutation(each) for each in sides]
    widths = []
    for before, after in (sides, shuffled):
        found = compare(*(Subexperiments(frames=(pd.DataFrame({"A": each}),), n_pmcs=1, labels=("a",)) for each in (before, after)))
        widths.append(float((found.table["high"] - found.table["low"]).iloc[0]))
        told = " ".join(found.notes)
        assert ("depend on their neighbours" in told) == (before is sides[0])
    assert 2 < widths[0] / widths[1] < 4  # 9 ** .5


def test_what_short_blocks_do_not_show_by_hand() -> None:
    # An AR(1) process of .6 has a time of (1 + .6) / (1 - .6) = 4 runs: the variance of a mean is 4 times that of independent runs.
    assert unseen_by_blocks(4.0, 1) == pytest.approx(4)
    # Blocks of two show 1 + .6 of it, of three 1 + 2 (2/3 .6 + 1/3 .36) = 2.04.
    assert unseen_by_blocks(4.0, 2) == pytest.approx(4 / 1.6)
    assert unseen_by_blocks(4.0, 3) == pytest.approx(4 / 2.04)
    assert unseen_by_blocks(4.0, 1_000) == pytest.approx(1, abs=0.01)
    assert [unseen_by_blocks(1.0, length) for length in (1, 2, 8)] == [1, 1, 1]


def test_few_dependent_runs_have_the_error_of_their_time_not_of_their_short_blocks() -> None:
    (batch,) = batches(
        MatchedGroup(label="", program="", hems=("A",), before=WAVES[:, None], after=WAVES[::-1, None]), {"A": True}, "mean", paired=False
    )
    (change,) = batch.changes
    assert change.block == 1
    # Deviations in ranks are -3, 4 and -3: squares 6 x 9 + 6 x 16 + 2 x 9 = 168, products of neighbours 5 x 9 - 12 + 5 x 16 - 12 + 9
    # = 110; r = 110 / 168 = .655, without its bias .655 + 3.62 / 14 = .913, at most .8: a time of 9.
    assert few_dependent_runs(WAVES, WAVES[::-1]) == FewRuns(time=pytest.approx(9), freedom=2, autocorrelation=0.8)
    # Of a mean: variance / (runs x mean^2), twice; times the time.
    assert change.variance == pytest.approx(9 * 2 * WAVES.var(ddof=1) / 14 / WAVES.mean() ** 2)
    assert (change.freedom, change.student) == (2, True)


def test_two_sets_share_the_longest_block_that_leaves_eight() -> None:
    orders = RunOrder(block=4, time=2.0), RunOrder(block=2, time=4.0)
    assert [shared_block(orders, runs) for runs in (7, 16, 31, 32, 1_000)] == [1, 2, 3, 4, 4]
    # The time of 4 runs decides: of single runs 4 times, of pairs 4 / 1.6 times.
    assert [unseen_by_shared_blocks(orders, length) for length in (1, 2)] == pytest.approx([4, 2.5])


def test_phases_of_few_dependent_runs_have_the_error_of_their_time() -> None:
    sides = [
        [
            ProgramRuns(
                name="p", hems=("A",), runs=tuple(np.full((1, 1), each) for each in runs), lengths=(np.ones(1),) * 14, unit="x", cut=True
            )
        ]
        for runs in (WAVES, WAVES[::-1])
    ]
    (row,) = stage_changes_of(*sides, CompareParams(), lambda signals: []).rows.to_dict("records")
    time = max(run_order(each).time for each in (WAVES, WAVES[::-1]))
    assert time > 2
    # Twice the variance of a mean of independent runs, times the larger time.
    assert row["error"] == pytest.approx(np.sqrt(2 * WAVES.var(ddof=1) / 14 * time))
    # In pairs, what both share is gone, and their differences are what they are.
    (paired,) = stage_changes_of(*sides, CompareParams(paired=True), lambda signals: []).rows.to_dict("records")
    assert paired["error"] == pytest.approx(np.sqrt((WAVES[::-1] - WAVES).var(ddof=1) / 14))


def test_correlations_of_few_dependent_runs_have_the_error_of_the_time_of_their_products() -> None:
    other = WAVES + np.random.default_rng(8).normal(0, 2, 14)
    runs = pd.DataFrame({"A": WAVES + np.arange(14) / 100, "B": other})
    shuffled = runs.sample(frac=1, random_state=3)
    orders = [[run_order(frame[name].to_numpy(), tests=2).time for name in runs] for frame in (runs, shuffled)]
    assert min(orders[0]) > 1
    assert orders[1] == [1, 1]
    found = [
        relations(*(Subexperiments(frames=(each,), n_pmcs=2, labels=("a",)) for each in (frame, frame))).rows.iloc[0]
        for frame in (runs, shuffled)
    ]
    # r is the same, and so is the error of independent runs. Autocorrelations of products are products of autocorrelations.
    assert found[0]["before"] == pytest.approx(found[1]["before"])
    phi = np.prod([(time - 1) / (time + 1) for time in orders[0]])
    assert found[0]["error_before"] == pytest.approx(found[1]["error_before"] * np.sqrt((1 + phi) / (1 - phi)))


def test_a_drift_is_told_and_the_answer_doubted() -> None:
    rng = np.random.default_rng(5)
    drift = np.arange(100.0) + rng.normal(0, 5, 100) + 1_000
    sides = [Subexperiments(frames=(pd.DataFrame({"A": each}),), n_pmcs=1, labels=("a",)) for each in (drift, drift + 50)]
    found = compare(*sides)
    assert found.notes[0].startswith("Drift before: A moves with the order of the runs; A rises")
    assert verdict(found).level != "good"


def _verdict_of(*sides: np.ndarray) -> Verdict:
    return verdict(compare(*(Subexperiments(frames=(pd.DataFrame({"A": each}),), n_pmcs=1, labels=("a",)) for each in sides)))


def test_few_runs_that_depend_on_their_neighbours_are_told_and_doubted() -> None:
    rng = np.random.default_rng(6)
    few, independent = autoregressive(rng, 40), rng.normal(1_000, 10, 40)
    dependent = _verdict_of(few[:28], few[27::-1] + 1)
    assert dependent.trust == "Runs depend on their neighbours and are few, so intervals may be too narrow."
    assert dependent.level != "good"
    # Of 40 the larger error is right; it is still told.
    assert "depend on their neighbours" in " ".join(_verdict_of(few, few[::-1] + 1).why)
    assert "neighbours" not in " ".join([*_verdict_of(independent, independent[::-1]).why])


def test_sets_too_small_to_see_dependence_say_so() -> None:
    runs = np.random.default_rng(7).normal(1_000, 10, 30)
    assert not any("seldom noticed" in each for each in _verdict_of(runs, runs[::-1]).why)
    assert any("seldom noticed" in each for each in _verdict_of(runs, runs[:29]).why)


def test_few_runs_are_dependent_if_both_sets_together_say_so() -> None:
    # Products of neighbours' deviations 14.75, squares 42: r = .351; without its bias .351 + 2.405 / 8 = .652, a time of 1.652 / .348.
    runs = np.array([1.0, 3, 2, 5, 4, 8, 6, 7])
    found = few_dependent_runs(runs, runs)
    assert found is not None
    assert found.time == pytest.approx(4.7436, rel=1e-4)
    # 4 (.351 + .125) = 1.9 deviations from chance: reckoned with, but not surely so.
    assert (found.freedom, found.autocorrelation) == (2, 0)
    assert few_dependent_runs(np.array([1.0, 2, 7, 8, 3, 4, 6, 5]), runs[[3, 0, 5, 1, 7, 2, 6, 4]]) == FewRuns()
    assert few_dependent_runs(runs[:7], runs) is None
    assert few_dependent_runs(np.arange(100.0), np.arange(100.0)) is None


def test_the_probability_of_few_dependent_runs_is_student_s() -> None:
    tables = [Subexperiments(frames=(pd.DataFrame({"A": each}),), n_pmcs=1, labels=("a",)) for each in (WAVES, 1.5 * WAVES[::-1])]
    row = compare(*tables).table.iloc[0]
    # With two degrees of freedom: 1 - t / (2 + t ** 2) ** .5.
    t = np.log(1.5) / row["error"]
    assert row["probability"] == pytest.approx(1 - t / np.sqrt(2 + t * t))


def test_the_median_of_a_set_of_dependent_runs_has_the_error_of_its_time() -> None:
    runs = autoregressive(np.random.default_rng(0), 60)
    time = run_order(runs).time
    assert time > 2
    log, variance, middle, freedom = _level(runs, "median")
    assert (np.exp(log), middle, freedom) == pytest.approx((np.median(runs), np.median(runs), np.sqrt(60)))
    assert variance == pytest.approx(median_and_variance(np.sort(runs), True)[1] * time_of_median(time))


def test_blocks_are_as_long_as_runs_depend_on_each_other() -> None:
    # A correlation time of 3 is a correlation of 0.5 of neighbours: (sqrt(6) x 0.5 / 0.75)^(2/3) x 10 = 13.9 of 1,000 runs.
    assert [_block(time, 1_000) for time in (1.0, 3.0)] == [2, 16]
