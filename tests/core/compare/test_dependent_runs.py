"""What the order of the runs says: drift, dependence, warm-up; and that independent runs say nothing."""

import numpy as np
import pandas as pd
import pytest

from hemcore.compare import compare
from hemcore.compare.dependent_runs import RunOrder, run_order
from hemcore.compare.headline import verdict
from hemcore.datasets.tables.subexperiments import Subexperiments


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


def test_a_drift_is_told_and_the_answer_doubted() -> None:
    rng = np.random.default_rng(5)
    drift = np.arange(100.0) + rng.normal(0, 5, 100) + 1_000
    sides = [Subexperiments(frames=(pd.DataFrame({"A": each}),), n_pmcs=1, labels=("a",)) for each in (drift, drift + 50)]
    found = compare(*sides)
    assert found.notes[0].startswith("Drift before: A moves with the order of the runs; A rises")
    assert verdict(found).level != "good"
