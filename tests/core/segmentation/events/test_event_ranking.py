"""Ranking events without the truth: on the sample's true stages, on made phases beside noise, and on tables that are hard to rank."""

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.shelf import samples
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ParameterError, UnknownNameError
from hemcore.segmentation import SegmentationParams
from hemcore.segmentation.analysis import RANKING, at_threshold, thresholds
from hemcore.segmentation.event_runs import events_of
from hemcore.segmentation.events.event_ranking import CLEAR, COLUMNS, EventRanking, rank_events

LENGTHS = (60, 45, 80, 55)
N = sum(LENGTHS)


def table(**counts: object) -> CounterSeries:
    """One run of the program `p`."""
    frame = pd.DataFrame(counts)
    intervals = pd.DataFrame({"application": "p", "run": 1, "interval": np.arange(len(frame))})
    return CounterSeries(intervals=intervals, counts=frame, mode="OCOE")


def phases(seed: int, *levels: float, spread: float = 0.05) -> np.ndarray:
    return np.repeat(levels, LENGTHS) * np.random.default_rng(seed).uniform(1 - spread, 1 + spread, N)


def noise(seed: int) -> dict[str, np.ndarray]:
    random = np.random.default_rng(seed)
    return {
        "poisson": random.poisson(1000, N).astype(float),
        "exponential": random.exponential(1000, N),
        "bursts": np.where(random.random(N) < 0.05, 1e6, 10.0),
        "walk": 1e4 + np.abs(100 * np.cumsum(random.normal(size=N))),
    }


def found_of_truth(series: CounterSeries, application: str, event: str, statistic: str) -> tuple[float, float]:
    """(recall, precision) of the median run where the page stands: at Algorithm 1's threshold."""
    asked = SegmentationParams(application=application, event=event, statistic=statistic)
    best = float(thresholds(series, asked).optimal.threshold)
    truth = at_threshold(series, asked.but(threshold=best)).median_truth
    assert truth is not None
    return truth


@pytest.fixture(scope="module")
def ocoe() -> CounterSeries:
    series = samples.load("series-ocoe")
    assert isinstance(series, CounterSeries)
    return series


@pytest.mark.slow
def test_on_the_sample_the_chosen_event_finds_most_true_boundaries(ocoe) -> None:
    """Of particle_world's seven boundaries no event shows more than two without as many false ones."""
    scores = {}
    for application in ocoe.applications:
        ranking = rank_events(ocoe, SegmentationParams(application=application))
        assert ranking.best is not None
        scores[application] = found_of_truth(ocoe, application, *ranking.best)
    recalls = {name: recall for name, (recall, _) in scores.items() if name != "particle_world"}
    assert min(recalls.values()) > 0.5
    assert np.mean([*recalls.values()]) > 0.85
    f1 = [2 * recall * precision / (recall + precision) for recall, precision in scores.values()]
    assert np.mean(f1) > 0.75


@pytest.mark.slow
def test_it_is_better_than_the_first_event(ocoe) -> None:
    for application in ("tiny_compiler", "text_index", "grid_solver"):
        best = rank_events(ocoe, SegmentationParams(application=application)).best
        assert best is not None
        first = found_of_truth(ocoe, application, events_of(ocoe, application)[0], "rms")
        assert found_of_truth(ocoe, application, *best)[0] > first[0]


@pytest.mark.parametrize("seed", range(5))
def test_phases_win_over_noise_of_every_kind(seed) -> None:
    ranking = rank_events(table(**noise(seed), misses=phases(seed, 10, 900, 100, 400), loads=phases(seed + 9, 5e3, 1e3, 9e3, 2e3)), PARAMS)
    assert list(ranking.of_each["event"][:2]) in (["misses", "loads"], ["loads", "misses"])
    assert ranking.best is not None
    rest = ranking.of_each.iloc[2:]
    assert (rest["clearness"] < ranking.ranked["clearness"].iloc[0] / 2).all()


PARAMS = SegmentationParams()


@pytest.mark.parametrize("seed", range(5))
def test_noise_alone_is_not_worth_opening(seed) -> None:
    ranking = rank_events(table(**noise(seed), **{f"{name} 2": each for name, each in noise(seed + 50).items()}), PARAMS)
    assert ranking.best is None
    assert ranking.ranked["clearness"].iloc[0] < CLEAR
    assert ranking.why == "None of the 8 events of p shows phases clearly."


def test_a_clock_of_fixed_frequency_does_not_win() -> None:
    random = np.random.default_rng(1)
    clock = 1e9 + random.normal(0, 1e4, N)
    clock[np.cumsum(LENGTHS)[:-1]] = 8e8  # idle between programs
    ranking = rank_events(
        table(CPU_CYCLES=np.rint(clock), misses=phases(2, 10, 900, 100, 400), loads=phases(3, 5e3, 1e3, 9e3, 2e3)), PARAMS
    )
    assert ranking.of_each["event"].iloc[-1] == "CPU_CYCLES"


def test_columns_order_and_words() -> None:
    ranking = rank_events(table(flat=np.full(N, 7.0), misses=phases(2, 10, 900, 100, 400), loads=phases(3, 5e3, 1e3, 9e3, 2e3)), PARAMS)
    assert tuple(ranking.ranked.columns) == COLUMNS
    assert list(ranking.ranked["clearness"]) == sorted(ranking.ranked["clearness"], reverse=True)
    assert (ranking.n_events, ranking.runs, ranking.application) == (3, (1,), "p")
    assert ranking.ranked.query("event == 'flat'")["clearness"].tolist() == [0, 0]
    assert ranking.why.startswith("clearest of 3 events, because its change points explain ")
    first = ranking.ranked.iloc[0]
    assert (first["n_change_points"], first["agreement"] > 0.9, first["explained"] > 0.95) == (3, True, True)


def test_a_single_change_point_is_one_in_words() -> None:
    step = np.repeat([10.0, 900.0], N // 2)
    ranking = rank_events(table(a=step * phases(1, 1, 1, 1, 1), b=step * phases(2, 2, 2, 2, 2)), PARAMS)
    assert "its change point explains" in ranking.why
    assert ranking.why.endswith("other events have it too.")


def test_clearness_is_the_product_that_it_is_said_to_be(ocoe) -> None:
    ranked = rank_events(ocoe, SegmentationParams(application="sales_query")).ranked
    n = ranked["n_change_points"]
    within = np.where(n < 1, 0, np.where(n < 2, 0.5, np.minimum(1, 20 / n.clip(lower=1))))
    np.testing.assert_allclose(ranked["clearness"], ranked["agreement"] * ranked["explained"] * within)


def test_one_event_is_ranked_by_its_statistics() -> None:
    ranking = rank_events(table(misses=phases(2, 10, 900, 100, 400)), PARAMS)
    assert len(ranking.of_each) == 1
    assert ranking.ranked["agreement"].isna().all()
    assert ranking.best is not None
    assert ranking.why.endswith("of its variance.")


def test_events_counted_in_turns_are_compared_by_their_intervals() -> None:
    """Each counts every third interval, none in the same: their change points lie up to two intervals apart and are the same."""
    places = np.arange(N)
    ranking = rank_events(
        table(**{f"E{part}": np.where(places % 3 == part, phases(part, 10, 900, 100, 400), np.nan) for part in range(3)}), PARAMS
    )
    assert (ranking.ranked.query("statistic == 'rms'")["agreement"] > 0.9).all()


def test_long_runs_are_averaged() -> None:
    slow = np.repeat([100.0, 900.0, 300.0], 30_000) * np.random.default_rng(3).uniform(0.9, 1.1, 90_000)
    ranking = rank_events(table(slow=slow, also=slow[::-1] * 2), PARAMS)
    assert ranking.ranked["n_change_points"].iloc[0] == 2


@pytest.mark.slow
def test_twice_gives_the_same_and_a_job_can_carry_it(ocoe) -> None:
    one, two = (RANKING.of(ocoe, SegmentationParams(application="tiny_compiler")) for _ in range(2))
    assert isinstance(one, EventRanking)
    pd.testing.assert_frame_equal(one.ranked, two.ranked, check_exact=True)
    assert RANKING.reads == ("application",)
    assert not RANKING.is_long(ocoe, SegmentationParams(application="tiny_compiler"))


def test_an_application_that_is_not_there_or_was_not_counted() -> None:
    with pytest.raises(UnknownNameError, match="application"):
        rank_events(table(a=np.arange(9.0)), SegmentationParams(application="x"))
    with pytest.raises(ParameterError, match="no event of 'p' was counted"):
        rank_events(table(a=np.full(9, np.nan)), PARAMS)


def test_one_change_point_counts_half_and_more_than_twenty_less() -> None:
    step = np.repeat([10.0, 900.0], N // 2)
    ranked = rank_events(table(a=step * phases(1, 1, 1, 1, 1), b=step * phases(2, 1, 1, 1, 1)), PARAMS).ranked
    assert ranked["n_change_points"].tolist() == [1] * 4
    assert ranked["agreement"].tolist() == [1] * 4
    assert ranked["clearness"].tolist() == pytest.approx((0.5 * ranked["explained"]).tolist())
    # 39 change points: 20 of 39.
    many = np.repeat([10.0, 900.0] * 20, 6) * np.random.default_rng(3).uniform(0.99, 1.01, 240)
    ranked = rank_events(table(a=many, b=many[::-1]), PARAMS).ranked
    assert ranked["n_change_points"].tolist() == [39] * 4
    assert ranked["clearness"].tolist() == pytest.approx((20 / 39 * ranked["agreement"] * ranked["explained"]).tolist())


def test_where_nothing_is_clear_an_event_of_few_counts_is_not_the_first() -> None:
    """Two counts in 60 intervals, before noise without phases: neither is clear, and the noise is opened."""
    rare, random = np.zeros(60), np.random.default_rng(5)
    rare[[20, 44]] = 1.0
    intervals = pd.DataFrame({"application": "p", "run": 1, "interval": np.arange(60)})
    counts = pd.DataFrame({"rare": rare, "noise": np.rint(random.normal(1e6, 1e4, 60))})
    found = rank_events(CounterSeries(intervals=intervals, counts=counts, mode="OCOE"), SegmentationParams(application="p"))
    assert found.best is None
    assert list(found.of_each["event"]) == ["noise", "rare"]
    assert list(found.ranked.columns) == list(COLUMNS)
