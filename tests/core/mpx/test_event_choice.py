"""The estimator chosen per event: by hand, on made courses, and never far from harmonic where harmonic is right."""

from dataclasses import replace
from itertools import chain

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets import CounterSeries, load
from hemcore.mpx import MpxParams
from hemcore.mpx.analysis import ESTIMATE
from hemcore.mpx.estimators import ESTIMATORS, Estimator, choice_by_event
from hemcore.mpx.estimators.event_choice import as_chosen, by_event, choice_of, errors_of, likeness
from hemcore.mpx.hidden_slots import filled_by
from hemcore.mpx.sampled import Floats, Sampled
from hemcore.mpx.score_sums import compare, tally
from hemcore.mpx.virtual import counted_slots
from tests.core.mpx.made import series

FLAT = Estimator(name="flat", title="flat", description="12 everywhere.", source="", fill=lambda each: np.full(each.counts.shape, 12.0))


def sampled(*runs: list[float]) -> Sampled:
    """One event, a run each."""
    counts = np.array([[*chain(*runs)]], dtype=float)
    return Sampled(counts=counts, starts=np.concatenate([[0], np.cumsum([len(run) for run in runs])]))


def one_in_four(values: Floats) -> list[float]:
    return np.where(np.arange(len(values)) % 4 == 0, values, np.nan).tolist()


def test_every_second_count_is_hidden_and_the_better_estimator_is_chosen() -> None:
    candidates = [ESTIMATORS["fixed"], ESTIMATORS["harmonic"]]
    # Counts 1, 3, 1, 3 ... in every second slot. Hiding the 3s, both say 1: off by 2/3. Hiding the 1s, both say 3: off by 2.
    even = sampled(np.where(np.arange(80) % 2, np.nan, np.tile([1, 1, 3, 3], 20)).tolist())
    found = choice_of(even, candidates)
    assert found.best.tolist() == [1], "harmonic, where nothing is better"
    assert found.counts.tolist() == [40]
    # 1 - (20 * 2/3 + 20 * 2) / 40 is below 0, and so is WA: 1 - 80 / 80 = 0.
    assert (found.ra.tolist(), found.wa.tolist()) == ([0], [0])
    # A line of 40 counts, 100 apart: between m - 100 and m + 100 harmonic has m - 100^2 / m; at the ends the nearest count stands.
    line = sampled(one_in_four(1_000.0 + 25 * np.arange(160)))
    found = choice_of(line, [ESTIMATORS["linear"], ESTIMATORS["harmonic"]])
    inner = np.arange(1_100, 4_900, 100)
    assert found.ra[0] == pytest.approx(1 - (100 / 1_000 + 100 / 4_900 + ((100 / inner) ** 2).sum()) / 40)


def test_few_counts_have_no_score_and_keep_harmonic() -> None:
    found, names = choice_by_event(sampled(one_in_four(np.arange(76.0))))
    assert names[found.best[0]] == "harmonic"
    assert found.counts.tolist() == [18]
    assert np.isnan(found.ra).all()
    assert np.isnan(found.wa).all()
    never, _ = choice_by_event(sampled([np.nan] * 8, one_in_four(np.ones(120))))
    assert never.counts.tolist() == [30], "the other run's"
    assert never.ra[0] == 1


def test_each_event_has_its_own_choice() -> None:
    random = np.random.default_rng(2)
    zeros = np.where(random.random(1_200) < 0.5, 0, 1_000.0)
    steps = np.repeat(random.uniform(200, 2_000, 30), 40)
    both = Sampled(counts=np.array([one_in_four(zeros), one_in_four(steps)]), starts=np.array([0, 400, 1_200]))
    choice, names = choice_by_event(both)
    assert names[choice.best[0]] != "harmonic", "which is 0 next to every 0"
    assert names[choice.best[1]] == "harmonic"
    assert choice.sure.tolist() == [True, True]
    filled = filled_by(both, ESTIMATORS["by event"])
    for event, best in enumerate(choice.best):
        np.testing.assert_array_equal(filled[event], filled_by(both, ESTIMATORS[names[best]])[event])


def test_two_estimates_are_compared_count_by_count() -> None:
    truth = np.array([[10.0, 10, 20, 0, 5, np.nan, 4]])
    one, other = np.array([[11.0, 4, 20, 3, 5, 1, np.nan]]), np.array([[8.0, 9, 20, 9, 0, 9, 4]])
    hidden = np.array([[True, True, True, True, False, True, True]])
    # By 0.2 - 0.1, 0.1 - 0.6 and 0; not where the truth is 0 or unknown, where nothing is hidden, or without an estimate.
    np.testing.assert_allclose(compare(one, other, truth, hidden), [[3, -0.4, 0.26, 1, 1]])


def test_what_is_not_sure_is_filled_halfway_to_harmonic() -> None:
    filled = {"harmonic": np.array([[1.0, 0, 6], [1.0, 0, 6]]), "kalman": np.array([[3.0, 4, 0], [3.0, 4, 0]])}
    # 2 * 1 * 3 / (1 + 3); half of 4, where harmonic has 0; and 0.
    assert as_chosen(filled, ["kalman", "kalman"], [True, False]).tolist() == [[3, 4, 0], [1.5, 2, 0]]
    assert as_chosen(filled, ["harmonic", "harmonic"], [True, True]).tolist() == filled["harmonic"].tolist()


def test_a_few_great_counts_do_not_choose() -> None:
    candidates = [FLAT, ESTIMATORS["harmonic"]]
    # Between two bursts harmonic has 1,000 for a 10: off by 99 times, more than FLAT's 20% of all other counts together.
    quiet = np.full(800, 10.0)
    quiet[::200] = quiet[8::200] = 1_000.0
    assert choice_of(sampled(one_in_four(quiet)), candidates).best.tolist() == [1], "which is right in nine of ten counts"
    # Every third count is 10, the others are 13. 10 between 13 and 13: 12 is nearer. 13 between 10 and 13: harmonic has 11.3, 12 is nearer.
    uneven = np.where(np.arange(800) % 12 == 0, 10.0, 13.0)
    uneven[::200] = uneven[8::200] = 1_000.0
    found = choice_of(sampled(one_in_four(uneven)), candidates)
    assert (found.best.tolist(), found.sure.tolist()) == ([0], [True])


def test_counts_that_go_up_and_down_in_turn_tell_nothing_of_the_slots_between() -> None:
    candidates = [FLAT, ESTIMATORS["harmonic"]]
    # 10 between 30 and 30: harmonic is off by 20, FLAT by 2; yet the slots nearby may be those of a course that harmonic follows.
    in_turn = choice_of(sampled([10, np.nan, 30, np.nan] * 50), candidates)
    assert in_turn.best.tolist() == [1]
    # 30 and then 10, 10, 30, 30: each lies between 10 and 30, for which harmonic has 15: off by 50%. FLAT is off by 20% and 60%.
    in_pairs = choice_of(sampled([30, np.nan, *([10, np.nan, 10, np.nan, 30, np.nan, 30, np.nan] * 50)]), candidates)
    assert (in_pairs.best.tolist(), in_pairs.sure.tolist()) == ([0], [True])
    assert in_pairs.ra[0] == pytest.approx(1 - (100 * 0.2 + 101 * 0.6) / 201)


def test_nearer_to_most_counts_is_sure_and_worse_relative_errors_are_not_chosen() -> None:
    candidates = [FLAT, ESTIMATORS["harmonic"]]
    # 10, 13, 13: FLAT is nearer to each. One 0.05 among them, where both are hundreds of times too high, makes its mean error uncertain.
    low = np.where(np.arange(800) % 12 == 0, 10.0, 13.0)
    low[400] = 0.05
    found = choice_of(sampled(one_in_four(low)), candidates)
    assert (found.best.tolist(), found.sure.tolist()) == ([0], [True])
    # 8, 0.1, 8, 20: FLAT is nearer to the 8s and the 20, but 119 times too high for 0.1, harmonic but 79 times. Both RA are 0.
    steep = np.tile([8.0, 0.1, 8.0, 20.0], 50)
    assert choice_of(sampled(np.column_stack([steep, np.full(200, np.nan)]).ravel().tolist()), candidates).best.tolist() == [1]


def test_harmonic_stays_against_other_lines_where_counts_are_like_the_next_ones() -> None:
    # Long levels of 10, 13, 13 in turn and of 100 times that: FLAT, or 100 times it, is nearer to each count than harmonic.
    counts = np.where(np.arange(200) % 3 == 0, 10.0, 13.0) * np.repeat([1.0, 100], 100)
    runs = sampled(np.column_stack([counts, np.full(200, np.nan)]).ravel().tolist())
    level = replace(FLAT, fill=lambda each: np.where(np.arange(400) < 200, 12.0, 1_200.0)[None])
    assert choice_of(runs, [level, ESTIMATORS["harmonic"]]).best.tolist() == [1]
    # Kalman and gate see from the counts how alike they are, and may be chosen: here for a level that doubles, in noise.
    noise = np.random.default_rng(3).lognormal(0, 0.2, 400) * np.repeat([1_000.0, 2_000], 200)
    found, names = choice_by_event(sampled(np.column_stack([noise, np.full(400, np.nan)]).ravel().tolist()))
    assert names[found.best[0]] == "kalman"


def test_halfway_is_taken_where_it_is_better() -> None:
    low = replace(FLAT, fill=lambda each: 0.6 * ESTIMATORS["harmonic"].fill(each))
    # Between 10 and 30 harmonic has 15, and 9 is better for 10 than it is worse for 30; halfway, 11.25, is off by 12.5% and 62.5%.
    counts = [*([10, 10, 30, 30] * 45), *([10, 10, 30] * 5)]
    found = choice_of(sampled(np.column_stack([counts, np.full(195, np.nan)]).ravel().tolist()), [low, ESTIMATORS["harmonic"]])
    assert (found.best.tolist(), found.sure.tolist()) == ([0], [False])
    # The 30s at the end lie between 10 and 10 (halfway to 6: 7.5), and so does the very last; the first 10 has but a 10 beside it.
    assert found.ra[0] == pytest.approx(1 - (99 * 0.125 + 0.25 + 90 * 0.625 + 5 * 0.75) / 195)


def test_standard_errors_by_hand() -> None:
    # Gains 1, 1, 1 and -1: mean 0.5, standard deviation 1, so 0.5 / (1 / 2) = 1; three of four are nearer: (3 - 1) / 2 = 1.
    better, nearer = errors_of(np.array([[4.0, 2, 4, 3, 1], [4, 4, 4, 4, 0], [0, 0, 0, 0, 0]]))
    assert better.tolist() == pytest.approx([1, 0, 0])
    assert nearer.tolist() == pytest.approx([1, 2, 0])
    # Logs of 1 + count 1, -1, -1, 1 about their mean in two runs of two: in turn in both, 2 pairs: -2 / 4 * sqrt(2).
    counts = np.array([[np.e - 1, np.nan, np.exp(3) - 1, np.exp(3) - 1, np.e - 1], [5, 5, np.nan, 5, np.nan]])
    assert likeness(counts, np.array([0, 3, 5])).tolist() == pytest.approx([-2 / 4 * np.sqrt(2), 0])


def test_the_verdict_tells_what_is_not_sure() -> None:
    counts = {name: np.roll(one_in_four(np.full(160, 7.0)), at).tolist() for at, name in enumerate("ABCDE")}
    found = ESTIMATE.of(series(counts, runs=[160]), MpxParams(tail="nothing", min_share=0))
    unsure = found.chosen.assign(method=["kalman", "harmonic", "kalman", "pchip", "kalman"], sure=[True, True, False, True, True])
    expected = "Of 5 events, with every second count hidden, harmonic suits 1, Kalman 3 (1 not surely: halfway to harmonic), pchip 1."
    assert expected in ESTIMATE.verdict(replace(found, chosen=unsure)).why


def test_short_bursts_and_decaying_spikes_keep_harmonic() -> None:
    """Where every second count is hidden, a level through all counts is better; in the real gaps, half as long, harmonic is."""
    random = np.random.default_rng(44)
    on = np.zeros((12, 1_440), dtype=bool)
    for slot in range(1, 1_440):
        on[:, slot] = random.random(12) < np.where(on[:, slot - 1], 0.5, 0.06)
    bursts = 1_000 * (0.02 + on * random.lognormal(0, 0.7, on.shape))
    spikes = (random.random(on.shape) < 0.06) * random.pareto(2.2, on.shape)
    decaying = 1_000 * (0.05 + np.stack([np.convolve(each, [1, 0.5, 0.25, 0.12])[:1_440] for each in spikes]))
    for truth in (bursts, decaying):
        starts = np.arange(5) * 360
        seen = np.concatenate([counted_slots(360, 12, 4, start=run).T for run in range(4)], axis=1)
        runs = Sampled(counts=np.where(seen, truth, np.nan), starts=starts)
        scored = [tally(filled_by(runs, ESTIMATORS[name]), truth, runs.hidden, starts).sum(axis=1) for name in ("by event", "harmonic")]
        chosen, harmonic = (np.maximum(1 - each[:, 2] / each[:, 0], 0) for each in scored)
        assert (chosen > harmonic - 0.05).all()


def scores(table: CounterSeries, application: str = "") -> pd.DataFrame:
    return ESTIMATE.of(table, MpxParams(application=application)).by_method.set_index("method")


def test_half_zeros_and_small_counts_are_estimated_better_than_by_harmonic() -> None:
    random = np.random.default_rng(3)
    half = {f"E{at}": np.where(random.random(1_200) < 0.5, 0, random.gamma(4, 250, 1_200)).round() for at in range(8)}
    found = scores(series(half, mode="OCOE", runs=[400] * 3))
    assert found.loc["by event", "ra"] > found.loc["harmonic", "ra"] + 0.1
    assert abs(found.loc["by event", "total"]) < 0.15 < abs(found.loc["harmonic", "total"])
    small = {f"E{at}": random.poisson(0.5 + at / 2, 1_200).astype(float) for at in range(8)}
    found = scores(series(small, mode="OCOE", runs=[400] * 3))
    assert found.loc["by event", "ra"] > found.loc["harmonic", "ra"] + 0.15


@pytest.mark.parametrize("application", ["sensor_control", "image_pipeline"])
def test_on_programs_the_choice_costs_nothing(application: str) -> None:
    found = scores(load("sample-series-ocoe"), application)
    assert found.loc["by event", "ra"] > found.loc["harmonic", "ra"] - 0.005
    assert found.loc["by event", "wa"] > found.loc["harmonic", "wa"] - 0.01


def test_without_a_truth_the_verdict_has_the_accuracy_of_hidden_counts() -> None:
    counts = 1_000.0 + 25 * np.arange(160)
    table = series({"A": one_in_four(counts), "B": np.roll(one_in_four(counts), 1).tolist()}, runs=[160])
    found = ESTIMATE.of(table, MpxParams(tail="nothing", min_share=0))
    told = ESTIMATE.verdict(found)
    assert found.same_run is None
    assert 0.98 < found.expected_ra < 1
    assert told.trust == "The truth is not known. With every second count hidden as well, relative accuracy is 99.5%."
    assert "Of 2 events, with every second count hidden, harmonic suits 2." in told.why
    assert told.level == "limited"


def test_what_was_chosen_for_other_counts_fills_these() -> None:
    candidates = [FLAT, ESTIMATORS["harmonic"]]
    pairs = sampled([30, np.nan, *([10, np.nan, 10, np.nan, 30, np.nan, 30, np.nan] * 50)])  # FLAT suits them, surely
    few = sampled([10, np.nan, 40])
    assert by_event(candidates, pairs).fill(few).tolist() == [[12, 12, 12]]
    assert by_event(candidates).fill(few).tolist() == [[10, 16, 40]]
