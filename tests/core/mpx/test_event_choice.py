"""The estimator chosen per event: by hand, on made courses, and never far from harmonic where harmonic is right."""

from itertools import chain

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets import CounterSeries, load
from hemcore.mpx import MpxParams
from hemcore.mpx.analysis import ESTIMATE
from hemcore.mpx.estimators import ESTIMATORS, choice_by_event
from hemcore.mpx.estimators.event_choice import choice_of
from hemcore.mpx.hidden_slots import filled_by
from hemcore.mpx.sampled import Floats, Sampled
from tests.core.mpx.made import series


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
    filled = filled_by(both, ESTIMATORS["by event"])
    for event, best in enumerate(choice.best):
        np.testing.assert_array_equal(filled[event], filled_by(both, ESTIMATORS[names[best]])[event])


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
