"""Trends that are removed, by hand: what is left are the levels, and the step says so."""

import numpy as np
import pytest

from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.segmentation import SegmentationParams
from hemcore.segmentation.analysis import PATH, SEGMENTATION, SEGMENTS
from hemcore.segmentation.detrend import detrended
from hemcore.segmentation.headline import verdict
from tests.core.segmentation.made import made

N = 120
T = np.arange(N, dtype=float)
WAVE = 400 * np.sin(2 * np.pi * T / 24)
LATE = 100.0 * (T >= 60)


def test_a_line_without_steps_leaves_its_mean() -> None:
    # 1000 to 1595: the mean is 1297.5.
    assert np.unique(detrended(1000 + 5 * T, T.astype(int), "line")).tolist() == [1297.5]


@pytest.mark.parametrize(
    ("trend", "detrend"),
    [
        (2 * T, "line"),
        (-3 * T, "line"),
        (0.05 * T**2, "curve"),
        (0.002 * (T - 50) ** 3, "curve"),
        (WAVE, "season"),
        (WAVE + 3 * T, "season"),
    ],
)
def test_a_step_on_a_trend_stays_as_high_as_it_was(trend: np.ndarray, detrend: str) -> None:
    counts = 1000 + trend + LATE
    rest = detrended(counts, T.astype(int), detrend)  # type: ignore[arg-type]
    # Half of the samples are 50 below the mean, half 50 above.
    np.testing.assert_allclose(rest, counts.mean() - 50 + LATE, atol=2)
    assert rest.mean() == pytest.approx(counts.mean())


def test_a_step_tilts_no_line_in_noise() -> None:
    counts = 1000 + 2 * T + LATE + np.random.default_rng(0).normal(0, 5, N)
    rest = detrended(counts, T.astype(int), "line")
    assert rest[60:].mean() - rest[:60].mean() == pytest.approx(100, abs=3)
    # A line alone would take most of the step: 2 + 1.5 * 100 / 120 per sample.
    assert np.polyfit(T, counts, 1)[0] == pytest.approx(3.25, abs=0.1)


def test_intervals_that_were_not_counted_do_not_bend_the_line() -> None:
    at = np.array([0, 1, 2, 3, 4, 5, 26, 27, 28, 29, 30, 31])
    assert np.ptp(detrended(7.0 * at, at, "line")) == 0


def test_too_few_samples_one_value_and_nothing_are_left_alone() -> None:
    for counts, kind in ((5 * T[:11], "line"), (np.full(40, 7.0), "line"), (5 * T, "nothing")):
        assert detrended(counts, np.arange(len(counts)), kind) is counts  # type: ignore[arg-type]
    # No season to be found: the line alone.
    assert np.ptp(detrended(5 * T[:13], np.arange(13), "season")) == pytest.approx(0, abs=1e-6)


def runs_of(counts: np.ndarray) -> CounterSeries:
    """30 runs of these counts, each with its own noise."""
    noise = np.random.default_rng(1).normal(0, 5, (30, N))
    return made({"run": np.repeat(np.arange(30), N), "interval": np.tile(np.arange(N), 30)}, A=(counts + noise).ravel())


@pytest.mark.parametrize(("trend", "does", "kind"), [(10 * T, "rises steadily", "line"), (0.1 * T**2, "changes gradually", "curve")])
def test_the_verdict_on_a_trend_offers_to_remove_it_and_then_finds_the_step(trend: np.ndarray, does: str, kind: str) -> None:
    params = SegmentationParams(statistic="mean", threshold=10, min_change_points=1)
    said = verdict(SEGMENTATION.of(runs_of(1000 + trend), params))
    assert said.answer == f"A {does} in run 0 of p: no levels to segment."
    (step,) = said.remedies
    assert (step.label, step.choose) == (f"Remove the {kind}", {"detrend": kind})
    alone = verdict(SEGMENTATION.of(runs_of(1000 + trend), params.but(**step.choose)))
    assert alone.answer == f"A shows no phases in run 0 of p, its {kind} removed."
    assert [each.label for each in alone.remedies] == ["Add events"]  # there are 30 runs of one event
    table = runs_of(1000 + trend + LATE)
    then = SEGMENTATION.of(table, params.but(**step.choose))
    assert verdict(then).answer == f"A shows 2 phases in run 0 of p, its {kind} removed."
    assert verdict(then).level == "good"
    assert then.run.segmentation.change_points == (60,)
    low, high = then.run.models[:, 3]
    assert high - low == pytest.approx(100, abs=4)
    # The counts themselves do not change: another question, with its own answer.
    assert PATH.of(table, params).samples.counts.max() > 2_000
    assert {"detrend"} <= set(SEGMENTS.reads)


def test_a_season_is_offered_as_such() -> None:
    said = verdict(SEGMENTATION.of(runs_of(1000 + WAVE), SegmentationParams(statistic="mean", threshold=2, min_change_points=1)))
    assert said.answer == "A repeats every 24 intervals in run 0 of p: no levels to segment."
    assert [step.choose for step in said.remedies] == [{"detrend": "season"}]
