"""Smooth courses and spikes are no phases: slopes, curves, seasons by hand, and levels that must stay levels."""

import numpy as np
import pandas as pd
import pytest

from hemcore.segmentation import SegmentationParams, results
from hemcore.segmentation.analysis import PATH, SEGMENTATION, THRESHOLDS
from hemcore.segmentation.events.event_ranking import rank_events
from hemcore.segmentation.headline import verdict
from hemcore.segmentation.smooth_courses import Gradual, bursts, gradual, spikes
from tests.core.segmentation.made import made

N = 120
T = np.arange(N, dtype=float)
STEPS = np.repeat([100.0, 900.0, 300.0, 1200.0], N // 4)


@pytest.mark.parametrize(
    ("counts", "kind", "rises", "text"),
    [
        (1000 + 5 * T, "slope", True, "rises steadily"),
        (1000 - 5 * T, "slope", False, "falls steadily"),
        (1000 + 0.05 * T**2, "curve", True, "changes gradually"),
        (1000 + 400 * np.sin(2 * np.pi * T / 24), "season", False, "repeats every 24 intervals"),
    ],
)
def test_smooth_courses_are_named(counts: np.ndarray, kind: str, rises: bool, text: str) -> None:
    found = gradual(counts + np.random.default_rng(0).normal(0, 5, N))
    assert found is not None
    assert (found.kind, found.text) == (kind, text)
    assert found.explained > 0.95
    if kind == "slope":
        assert found.rises == rises


@pytest.mark.parametrize(("high", "named"), [(15, True), (20, False)])
def test_a_course_explains_four_fifths_of_the_variance(high: int, named: bool) -> None:
    # A line of 120 samples has the variance 1,200; up and down in turn by 15 add 225 (84% are explained), by 20 400 (75%).
    found = gradual(1000 + T + high * (-1) ** np.arange(N))
    assert (found is not None) == named
    assert found is None or found.explained == pytest.approx(1_200 / 1_425, abs=0.005)


@pytest.mark.parametrize("seed", range(5))
def test_levels_stay_levels(seed: int) -> None:
    random = np.random.default_rng(seed)
    staircase = np.repeat(1000.0 + 500 * np.arange(6), N // 6)
    square = np.where(T % 24 < 12, 300.0, 900.0)
    for levels in (STEPS, staircase, square):
        counts = levels + random.normal(0, 20, N)
        assert gradual(counts) is None
    noise = random.normal(1000, 50, N)
    assert gradual(noise) is None


def test_too_few_samples_and_one_value_have_no_course() -> None:
    assert gradual(np.arange(11.0)) is None
    assert gradual(np.full(40, 7.0)) is None
    assert gradual(np.empty(0)) is None
    assert gradual(np.arange(12.0)) == Gradual(
        kind="slope", explained=pytest.approx(1.0), rises=True, period=pytest.approx(np.nan, nan_ok=True)
    )


def models(*parts: tuple[int, float]) -> np.ndarray:
    stops = np.cumsum([length for length, _ in parts])
    rows = np.zeros((len(parts), 8))
    rows[:, 0], rows[:, 1], rows[:, 3] = stops - [length for length, _ in parts], stops, [mean for _, mean in parts]
    return rows


def test_a_season_counts_as_six_parameters() -> None:
    # 18 values, sum of squares 130. Six levels leave 3 * 2/3 = 2: 18 ln(2/130) + 12 ln 18 = -40.5. A season of 6 leaves 8:
    # 18 ln(8/130) + 6 ln 18 = -32.8, so the levels stay. As two parameters (-44.4) it would be preferred.
    assert gradual(np.array([0, 0, 0, 5, 6, 5] * 3, dtype=float)) is None


def test_bursts_rise_from_one_level_and_return_to_it() -> None:
    level, burst = (30, 100.0), (6, 900.0)
    assert bursts(models(level, burst, level, burst, level, (9, 700.0), level)) == (3, 21)
    assert bursts(models(level, burst, level, burst, level)) == (0, 0)  # two only
    assert bursts(models(*[level, (30, 900.0)] * 4)) == (0, 0)  # as long as the level: a square wave
    assert bursts(models((6, 900.0), level, burst, level, burst, level, burst, (30, 500.0), burst, (30, 500.0), burst)) == (0, 0)
    assert bursts(models(*[(10, 100.0 * step) for step in range(9)])) == (0, 0)  # a staircase


def test_a_spike_is_a_short_segment_between_equal_levels() -> None:
    assert spikes(models((30, 100.0), (2, 900.0), (30, 110.0))) == 1
    assert spikes(models((30, 100.0), (4, 900.0), (30, 110.0))) == 0  # longer
    assert spikes(models((30, 100.0), (2, 900.0), (30, 500.0))) == 0  # another level after it
    assert spikes(models((30, 100.0), (2, 900.0))) == 0
    assert spikes(models((9, 1.0), (1, 9.0), (9, 1.0), (2, 9.0), (9, 1.0))) == 2


def many(counts: np.ndarray, **more: np.ndarray) -> pd.DataFrame:
    """30 runs of the same course, each with noise of its own."""
    random = np.random.default_rng(1)
    noisy = {name: np.rint(np.tile(each, 30) + random.normal(0, 5, 30 * N)).clip(0) for name, each in {"A": counts, **more}.items()}
    return made({"run": np.repeat(np.arange(1, 31), N), "interval": np.tile(np.arange(N), 30)}, **noisy)


def answered(counts: np.ndarray) -> object:
    table, params = many(counts), SegmentationParams(min_change_points=0)
    threshold = THRESHOLDS.of(table, params).optimal.threshold
    return verdict(SEGMENTATION.of(table, params.but(threshold=threshold)))


def test_a_ramp_is_no_phases_and_steps_are() -> None:
    ramp = answered(1000 + 5 * T)
    assert (ramp.level, ramp.answer) == ("limited", "A rises steadily in run 1 of p: no levels to segment.")
    assert ramp.trust.startswith("A line explains 9")
    assert not ramp.too_long()
    steps = answered(STEPS + 1000)
    assert (steps.level, steps.answer) == ("good", "A shows 4 phases in run 1 of p.")


def test_a_season_without_any_segment_is_named_and_can_be_removed() -> None:
    season = answered(np.rint(1e6 + 2e5 * np.sin(2 * np.pi * T / 20)))
    assert season.answer == "A repeats every 20 intervals in run 1 of p: no levels to segment."
    assert "No segments are found." in season.trust
    assert [each.label for each in season.remedies] == ["Remove the season"]
    assert not season.too_long()


def test_spikes_are_told() -> None:
    counts = np.full(N, 1000.0)
    counts[[30, 31, 70, 71]] = 9000.0
    told = answered(counts)
    assert told.level == "limited"
    assert told.answer == "A has 2 spikes in run 1 of p, no phases."
    assert told.trust == "Each lasts at most 3 intervals, and the level is the same before and after."


def test_the_page_opens_on_levels_rather_than_on_a_ramp_or_on_two_counts() -> None:
    rare = np.zeros(N)
    table = many(1000 + 5 * T, steps=STEPS + 1000)
    ranking = rank_events(table, SegmentationParams())
    assert ranking.best is not None
    assert ranking.best[0] == "steps"
    assert ranking.ranked.query("event == 'A'")["clearness"].tolist() == [0, 0]
    rare[60:62] = 1
    counted = made({"run": np.ones(N, dtype=int), "interval": np.arange(N)}, rare=rare)
    assert rank_events(counted, SegmentationParams()).best is None


def test_steps_that_a_high_threshold_joins_are_told_with_the_threshold_that_shows_them() -> None:
    # Six equal steps; three segments of two steps each leave the steps within them unexplained.
    staircase = np.repeat(1000.0 + 500 * np.arange(6), N // 6)
    table, params = many(staircase), SegmentationParams(statistic="mean", min_change_points=0)
    path = PATH.of(table, params).path.intervals
    high = float(path.loc[path["n_change_points"] == 2, "threshold_from"].iloc[0])
    coarse = verdict(SEGMENTATION.of(table, params.but(threshold=high)))
    assert (coarse.level, coarse.remedies[0].label) == ("limited", "Show 6 phases")
    finer = verdict(SEGMENTATION.of(table, params.but(**coarse.remedies[0].choose)))
    assert (finer.level, finer.answer) == ("good", "A shows 6 phases in run 1 of p.")


def test_the_course_of_a_run_is_looked_for_once_however_often_the_threshold_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = []
    monkeypatch.setattr(results, "gradual", lambda counts: looked.append(len(counts)))
    found = SEGMENTATION.of(many(STEPS), SegmentationParams(threshold=10))
    for _ in range(3):
        verdict(found)
    assert looked == [N]
