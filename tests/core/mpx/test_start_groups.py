"""Totals that depend on where the rotation starts are found, and others are not."""

import numpy as np
import pytest

from hemcore.mpx import MpxParams
from hemcore.mpx.analysis import ESTIMATE
from hemcore.mpx.sampled import Floats, Sampled
from hemcore.mpx.start_groups import jumping_totals
from tests.core.mpx.made import series


def rotated(values: Floats, k: int = 4) -> Sampled:
    """One event, values of shape (runs, slots); run r counts the slots r, r + k, ..."""
    runs, slots = values.shape
    seen = np.where(np.arange(slots) % k == np.arange(runs)[:, None] % k, values, np.nan)
    return Sampled(counts=seen.reshape(1, -1), starts=np.arange(runs + 1) * slots)


def test_a_program_with_the_rotations_period_jumps() -> None:
    # Counts 10, 20, 30, 60 in turn: runs that start alike see one of them; the mean is 30.
    table = rotated(np.tile([10.0, 20, 30, 60], (8, 25)))
    (row,) = jumping_totals(table, None).itertuples(index=False)
    assert (row.event, row.low, row.high) == (0, pytest.approx(10 / 30 - 1), pytest.approx(60 / 30 - 1))
    # Divided by the truth, whose mean is 30 a slot, the same.
    truth = np.tile([10.0, 20, 30, 60], 8 * 25)[None]
    assert jumping_totals(table, truth)["high"].tolist() == pytest.approx([1.0])


def test_runs_that_differ_for_other_reasons_do_not() -> None:
    random = np.random.default_rng(1)
    level = random.lognormal(0, 0.5, (12, 1)) * 1_000
    assert jumping_totals(rotated(random.poisson(np.repeat(level, 200, axis=1)).astype(float)), None).empty
    # A jump of under a fifth is none to speak of; one run alone says nothing, nor runs that all start alike.
    assert jumping_totals(rotated(np.tile([100.0, 109, 100, 91], (8, 25))), None).empty
    assert jumping_totals(rotated(np.tile([10.0, 20, 30, 60], (1, 25))), None).empty
    same = np.tile([[10.0, np.nan, np.nan, np.nan]], (8, 25))
    assert jumping_totals(Sampled(counts=same.reshape(1, -1), starts=np.arange(9) * 100), None).empty
    rare = np.where(np.arange(100) % 20 == 0, [[900.0]] * 8, 0)
    assert jumping_totals(rotated(rare), None).empty, "mostly 0"
    # Four runs that all start otherwise: nothing tells runs from starts.
    assert jumping_totals(rotated(np.tile([10.0, 20, 30, 60], (4, 25))), None).empty


def test_a_program_that_counts_most_in_its_first_slots_does_not() -> None:
    # 1,000, 700, 400 and 100, then 10 in every slot: totals hang on the first group, but nothing repeats with it. 100 and 102 slots.
    values = np.full((8, 102), 10.0)
    values[:, :4] = [1_000, 700, 400, 100]
    for shorter in (values, np.where(np.arange(102) < 100 + 2 * (np.arange(8)[:, None] % 2), values, np.nan)):
        assert jumping_totals(rotated(shorter), None).empty
        assert jumping_totals(rotated(shorter), shorter.reshape(1, -1)).empty
    # Where it repeats as well, it is told.
    values[:, 4:] = np.resize([10.0, 20, 30, 60], 98)
    assert len(jumping_totals(rotated(values), None)) == 1


def test_runs_of_longer_inputs_do_not_hide_the_jump() -> None:
    # Counts 1, 4, 16, 64 in turn, in runs with inputs 1, 2 and 4 times as long. In logs (base 2) starts are 2 apart and inputs 1:
    # F = 3 x 20 / 3 / (2 x 4 / 8) = 20 of 3 and 8, p = 0.0004; of the counts themselves F is 5, p = 0.02.
    turn = np.tile([1.0, 4, 16, 64], 25)
    assert len(jumping_totals(rotated(np.concatenate([[turn * times] * 4 for times in (1, 2, 4)])), None)) == 1


def test_the_other_events_tell_the_sizes_of_runs() -> None:
    """Eight runs whose inputs differ by a third hide a jump in one event alone; four events, one counted in each slot, show it."""
    random = np.random.default_rng(3)
    size = random.lognormal(0, 0.4, 8).repeat(200) * 1_000
    for turn, named in (([0.4, 0.6, 0.8, 2.2], [0, 1, 2, 3]), ([1, 1, 1, 1], [])):
        values = size * np.tile(turn, 400) * random.lognormal(0, 0.05, (4, 1_600))
        place = np.arange(200)[None, :] % 4
        seen = [(place == (np.arange(8)[:, None] + event) % 4).ravel() for event in range(4)]
        table = Sampled(counts=np.where(seen, values, np.nan), starts=np.arange(9) * 200)
        assert sorted(jumping_totals(table, None)["event"]) == named
        assert jumping_totals(Sampled(counts=table.counts[:3], starts=table.starts), None).empty


def test_false_alarms_are_rare() -> None:
    random = np.random.default_rng(7)
    alarms = 0
    for _ in range(300):
        level = random.lognormal(0, 0.3, (12, 1)) * 50
        alarms += len(jumping_totals(rotated(random.poisson(np.repeat(level, 100, axis=1)).astype(float)), None))
    assert alarms <= 2


def test_the_verdict_warns() -> None:
    beat = np.tile([100.0, 200, 300, 600], 100)
    steady = 1_000.0 + np.random.default_rng(0).integers(0, 50, 400)
    table = series(
        {"beat": np.tile(beat, 8), "b": np.tile(steady, 8), "c": np.tile(steady, 8), "d": np.tile(steady, 8)}, mode="OCOE", runs=[400] * 8
    )
    found = ESTIMATE.of(table, MpxParams(tail="nothing", slots_per_count=4))
    told = ESTIMATE.verdict(found)
    assert found.jumps["event"].tolist() == ["beat"]
    assert told.level == "poor"
    assert told.trust == "Totals of beat jump with the first group (−67% to +100%): the program repeats with the rotation."


def test_jumps_are_sorted_and_found_for_two_groups_short_runs_and_runs_of_zeros() -> None:
    # 10 and 30 in turn: their mean is 20. Beside it an event of 10 and 70, whose jump is larger, and each counted twice a run alone.
    small, large = (rotated(np.tile([10.0, other], (8, 20)), k=2).counts for other in (30, 70))
    both = Sampled(counts=np.concatenate([small, large]), starts=np.arange(9) * 40)
    found = jumping_totals(both, None)
    assert found["event"].tolist() == [1, 0]
    assert found["low"].tolist() == pytest.approx([-0.75, -0.5])
    assert found["high"].tolist() == pytest.approx([0.75, 0.5])
    # Runs of 8 slots, in which each event is counted twice: half of them, its second count, is too little to say that it lasts.
    assert jumping_totals(rotated(np.tile([10.0, 20, 30, 60], (8, 2))), None).empty
    # Four counts a run are enough; a run that starts at the first slot counts but zeros.
    found = jumping_totals(rotated(np.tile([0.0, 20, 30, 60], (8, 4))), None)
    assert found[["low", "high"]].to_numpy().ravel().tolist() == pytest.approx([-1, 60 / 27.5 - 1])
