"""Several events, one set of change points: the optimum, its path, what was not counted, and the sample's stages."""

from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ParameterError
from hemcore.headline import Verdict
from hemcore.segmentation import SegmentationParams, agreement, joint_path, segment_jointly, segment_runs_jointly
from hemcore.segmentation.analysis import JOINT
from hemcore.segmentation.joint.joint_optimum import joint_partition
from hemcore.segmentation.joint.joint_readings import readings
from hemcore.segmentation.joint.joint_results import joint_verdict
from hemcore.segmentation.joint.joint_search import default_penalty
from tests.core.segmentation.made import made

SAMPLE = Path(__file__).resolve().parents[4] / "sample_data" / "series" / "ocoe.parquet"


def stairs(seed: int = 0, n: int = 120, events: int = 4, noise: float = 0.3) -> pd.DataFrame:
    """Levels of counts that change at a third and at two thirds, every event in its own way."""
    random = np.random.default_rng(seed)
    levels = np.repeat(random.uniform(20, 60, (3, events)), n // 3, axis=0)
    return pd.DataFrame((levels + noise * random.normal(size=levels.shape)) ** 2, columns=[f"E{e}" for e in range(events)])


def cost(samples: np.ndarray, counted: np.ndarray, start: int, stop: int) -> float:
    total = 0.0
    for row, known in zip(samples[:, start:stop], counted[:, start:stop], strict=True):
        values = row[known]
        total += float(((values - values.mean()) ** 2).sum()) if len(values) else 0.0
    return total


def optimum(samples: np.ndarray, counted: np.ndarray, penalties: np.ndarray, least: int) -> tuple[float, list[int]]:
    """(objective, change points) of optimal partitioning without pruning."""
    n = samples.shape[1]
    best, last = np.full(n + 1, np.inf), np.zeros(n + 1, dtype=int)
    best[0] = 0.0
    for t in range(1, n + 1):
        for start in range(t - least + 1) if n >= least else [0]:
            value = best[start] + (penalties[start] if start else 0.0) + cost(samples, counted, start, t)
            if value < best[t]:
                best[t], last[t] = value, start
    if not np.isfinite(best[n]):
        return cost(samples, counted, 0, n), []
    points, here = [], int(last[n])
    while here > 0:
        points.append(here)
        here = int(last[here])
    return float(best[n]), points[::-1]


def objective(samples: np.ndarray, counted: np.ndarray, penalties: np.ndarray, points: list[int]) -> float:
    edges = [0, *points, samples.shape[1]]
    return sum(cost(samples, counted, a, b) for a, b in pairwise(edges)) + float(penalties[points].sum())


def test_of_more_candidates_than_there_was_room_for_none_is_lost() -> None:
    # 10 samples, 1,090 that were not counted, then a step of 1 in both events, which pays 2 * 10 m / (10 + m) for m samples of it: more
    # than the least penalty, 2, from m = 2 on. It can begin at any of those from 20 on, more than 1,024; at 20 it costs least.
    up = np.repeat([0.0, 1.0], [1_100, 20])
    x = np.stack([up, 1 - up])
    counted = np.ones(x.shape, dtype=bool)
    counted[:, 10:1_100] = False
    penalties = np.full(x.shape[1] + 1, 4.0)
    penalties[20] = 2.0
    last = joint_partition(np.where(counted, x, 0.0), counted, penalties, 1)
    assert last[[1_101, 1_102, 1_120]].tolist() == [0, 20, 20]


def cut(last: np.ndarray) -> list[int]:
    points, here = [], int(last[-1])
    while here > 0:
        points.append(here)
        here = int(last[here])
    return points[::-1]


@pytest.mark.slow
@settings(max_examples=150)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(1, 45),
    events=st.integers(1, 4),
    least=st.integers(1, 6),
    penalty=st.floats(0.01, 60),
    missing=st.sampled_from([0.0, 0.0, 0.3, 0.9]),
    kind=st.sampled_from(["noise", "levels", "ties", "constant"]),
)
def test_no_segmentation_is_better(seed: int, n: int, events: int, least: int, penalty: float, missing: float, kind: str) -> None:
    random = np.random.default_rng(seed)
    levels = np.repeat(random.normal(0, 4, (events, 5)), -(-n // 5), axis=1)[:, :n]
    samples = {
        "noise": random.normal(size=(events, n)),
        "levels": levels + 0.5 * random.normal(size=(events, n)),
        "ties": random.integers(0, 3, (events, n)).astype(float),
        "constant": np.ones((events, n)),
    }[kind]
    counted = random.random((events, n)) >= missing
    samples = np.where(counted, samples, 0.0)
    penalties = penalty * random.integers(1, 3, n + 1) / 2
    found = cut(joint_partition(samples, counted, penalties, least))
    best, _ = optimum(samples, counted, penalties, least)
    assert all(b - a >= least for a, b in pairwise([0, *found, n])) or not found
    assert objective(samples, counted, penalties, found) == pytest.approx(best, rel=1e-9, abs=1e-9)


def test_long_segments_are_cut_where_the_full_search_cuts_them() -> None:
    """More candidates than there is room for at the start, and long stretches in which many are dropped."""
    random = np.random.default_rng(3)
    samples = np.repeat(random.normal(0, 1, (3, 4)), 400, axis=1) + 0.01 * random.normal(size=(3, 1600))
    counted = np.ones(samples.shape, dtype=bool)
    assert cut(joint_partition(samples, counted, np.full(1601, 30.0), 2)) == [400, 800, 1200]
    flat = np.ascontiguousarray(random.normal(size=(2, 3000)))
    assert cut(joint_partition(flat, np.ones(flat.shape, dtype=bool), np.full(3001, 60.0), 2)) == []


def test_all_events_are_cut_where_they_change_together() -> None:
    found = segment_jointly(stairs())
    assert found.change_points == (40, 80)
    assert (found.n_change_points, found.n_samples, found.min_segment) == (2, 120, 2)
    assert found.penalty == pytest.approx(2.6 * 4 * np.log(120))
    assert found.explained > 0.95
    assert found.explained_by.index.tolist() == ["E0", "E1", "E2", "E3"]
    table = found.segments(stairs())
    assert table[["start", "stop", "n_samples"]].to_numpy().tolist() == [[0, 40, 40], [40, 80, 40], [80, 120, 40]]
    assert table["E1"].tolist() == pytest.approx([stairs()["E1"][a:b].mean() for a, b in ((0, 40), (40, 80), (80, 120))])


def test_what_events_alone_place_here_and_there_or_not_at_all_is_found_by_all_in_its_place() -> None:
    random = np.random.default_rng(5)
    signal = np.repeat([0.0, 0.55], 150)[:, None]
    counts = pd.DataFrame((50 + 2 * (signal + random.normal(size=(300, 12)))) ** 2).add_prefix("E")
    alone = {segment_jointly(counts[[event]]).change_points for event in counts}
    assert () in alone
    assert len(alone) > 5
    assert segment_jointly(counts).change_points == (150,)


@given(seed=st.integers(0, 500), by=st.sampled_from([1e-6, 0.5, 3.0, 1e9]))
@settings(max_examples=25)
def test_units_and_the_order_of_events_do_not_matter(seed: int, by: float) -> None:
    counts = stairs(seed, noise=4.0)
    usual = segment_jointly(counts)
    other = segment_jointly(counts.assign(E1=counts["E1"] * by)[["E3", "E1", "E0", "E2"]])
    assert other.change_points == usual.change_points
    assert other.residual == pytest.approx(usual.residual, rel=1e-9)


def test_what_was_not_counted_costs_nothing_and_is_not_zero() -> None:
    counts = stairs(noise=0.5)
    gaps = counts.mask(np.random.default_rng(0).random(counts.shape) < 0.4)
    before = gaps.copy()
    found = segment_jointly(gaps)
    assert all(abs(a - b) <= 2 for a, b in zip(found.change_points, (40, 80), strict=True))
    pd.testing.assert_frame_equal(gaps, before)
    never = segment_jointly(counts.assign(N=np.nan, C=7.0))
    assert never.change_points == (40, 80)
    assert never.constant == ("N", "C")
    assert never.events == ("E0", "E1", "E2", "E3")


@pytest.mark.parametrize("counts", [pd.DataFrame({"A": [5.0]}), pd.DataFrame({"A": [5.0] * 30, "B": [np.nan] * 30})])
def test_where_nothing_varies_there_is_one_segment(counts: pd.DataFrame) -> None:
    found = segment_jointly(counts)
    assert found.change_points == ()
    assert found.residual == 0
    assert np.isnan(found.explained)
    assert joint_path(counts, 1, 10).at(5).change_points == ()


def test_one_spike_is_no_phase() -> None:
    counts = stairs()
    counts.iloc[17] *= 50
    assert segment_jointly(counts).change_points == (40, 80)


def test_where_two_events_burst_at_once_a_change_point_costs_half() -> None:
    """A shift too small for the whole penalty; two events that are else quiet stand up in its first sample."""
    random = np.random.default_rng(1)
    signal = np.repeat([0.0, 1.15], 60)[:, None]
    counts = pd.DataFrame((30 + signal + random.normal(size=(120, 3))) ** 2, columns=["A", "B", "C"])
    quiet = np.zeros(120)
    quiet[60] = 500.0
    counts = counts.assign(MISSES=quiet, MORE=quiet)
    read = readings(counts)
    assert read.constant == ("MISSES", "MORE")
    assert np.flatnonzero(read.weights == 1).tolist() == [60, 61]
    penalty = float(joint_path(counts, 1, 500, bursts=False).intervals["penalty_from"].iloc[-1]) * 1.2
    assert segment_jointly(counts, penalty=penalty, bursts=False).change_points == ()
    assert segment_jointly(counts, penalty=penalty).change_points in {(60,), (61,)}
    one = segment_jointly(counts.drop(columns="MORE"), penalty=penalty)
    assert one.change_points == ()


@given(seed=st.integers(0, 300), bursts=st.booleans())
@settings(max_examples=20)
def test_at_any_penalty_the_path_is_what_a_search_finds(seed: int, bursts: bool) -> None:
    counts = stairs(seed, n=60, noise=5.0)
    path = joint_path(counts, 2.0, 400.0, bursts=bursts)
    rows = path.intervals
    assert rows["penalty_from"].is_monotonic_increasing
    assert (rows["penalty_from"].iloc[0], rows["penalty_to"].iloc[-1]) == (2.0, 400.0)
    for start, stop in zip(rows["penalty_from"], rows["penalty_to"], strict=True):
        middle = (start + stop) / 2
        alone = segment_jointly(counts, penalty=middle, bursts=bursts)
        assert path.at(middle).change_points == alone.change_points
        assert path.at(middle).residual == pytest.approx(alone.residual)
    with pytest.raises(ParameterError, match="^penalty: 401 is outside this path, 2 to 400"):
        path.at(401)


def test_the_least_segment_holds() -> None:
    counts = stairs(noise=8.0)
    for least in (1, 7, 30):
        edges = [0, *segment_jointly(counts, penalty=2.0, min_segment=least).change_points, 120]
        assert min(b - a for a, b in pairwise(edges)) >= least
    assert segment_jointly(counts, penalty=1e-9, min_segment=70).change_points == ()
    assert segment_jointly(stairs(n=600)).min_segment == 12


def test_runs_choose_the_penalty_at_which_most_have_as_many_segments() -> None:
    runs = [stairs(seed, n=3 * (30 + seed), noise=6.0) for seed in range(6)]
    found = segment_runs_jointly(runs)
    assert found.tried["factor"].between(1.8, 4.5).all()
    assert found.agreeing == found.tried["agreeing"].max()
    row = found.tried[found.tried["factor"] == found.factor].iloc[0]
    numbers = [each.n_change_points for each in found.runs]
    assert np.mean([number == row["n_change_points"] for number in numbers]) == found.agreeing
    given_one = segment_runs_jointly(runs, factor=3.0)
    for run, each in zip(runs, given_one.runs, strict=True):
        assert each.penalty == pytest.approx(default_penalty(readings(run), len(run), 3.0))
    alone = segment_runs_jointly(runs[:1])
    assert alone.runs[0].change_points == segment_jointly(runs[0]).change_points
    assert alone.factor == 2.6
    assert alone.tried.empty


@pytest.mark.parametrize(
    ("counts", "how", "message"),
    [
        ([1.0, 2.0], {}, "^counts: it is list; a DataFrame is needed"),
        (pd.DataFrame(), {}, "^counts: it has 0 rows and 0 columns"),
        (pd.DataFrame({"A": []}), {}, "^counts: it has 0 rows and 1 columns"),
        (pd.DataFrame([[1.0, 2.0]], columns=["A", "A"]), {}, "^counts: column 'A' is there twice"),
        (pd.DataFrame({"A": [1.0], "B": ["x"]}), {}, "^counts: column 'B' is not numeric"),
        (pd.DataFrame({"A": [1.0, np.inf]}), {}, "^counts: sample 2 of 'A' is inf; each must be a finite number"),
        (pd.DataFrame({"A": [1.0, -1e200]}), {}, r"^counts: sample 2 of 'A' is -1e\+200"),
        (stairs(), {"penalty": 0}, "^penalty: 0 must be a finite number above 0"),
        (stairs(), {"penalty": np.nan}, "^penalty: nan must be"),
        (stairs(), {"penalty": True}, "^penalty: True must be"),
        (stairs(), {"min_segment": 0}, "^min_segment: 0 must be a whole number of at least 1"),
        (stairs(), {"min_segment": 2.5}, "^min_segment: 2.5 must be"),
    ],
)
def test_what_cannot_be_segmented_is_told(counts: pd.DataFrame, how: dict, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        segment_jointly(counts, **how)


def test_paths_and_runs_that_are_none_are_told() -> None:
    with pytest.raises(ParameterError, match="^min_penalty: 9 is above max_penalty, 5"):
        joint_path(stairs(), 9, 5)
    with pytest.raises(ParameterError, match="^runs: empty"):
        segment_runs_jointly([])
    with pytest.raises(ParameterError, match="^factor: -1 must be"):
        segment_runs_jointly([stairs()], factor=-1)
    with pytest.raises(ParameterError, match="^counts: it has 3 rows; the segmented table has 120"):
        segment_jointly(stairs()).segments(stairs().head(3))


@cache
def sample_runs(every: int) -> dict[str, list[tuple[pd.DataFrame, tuple[int, ...]]]]:
    frame = pd.read_parquet(SAMPLE)
    events = list(frame.columns[5:])
    found: dict[str, list[tuple[pd.DataFrame, tuple[int, ...]]]] = {}
    for (program, run), part in frame.groupby(["program", "run"], sort=True):
        if int(run) % every == 0:
            begins = np.flatnonzero(np.diff(pd.factorize(part["stage"])[0])) + 1
            found.setdefault(str(program), []).append((part[events].astype(float).reset_index(drop=True), tuple(begins.tolist())))
    return found


@pytest.mark.slow
@pytest.mark.long
def test_the_sample_s_stages_are_found_as_well_as_is_said() -> None:
    """F1 within 2 intervals, mean of 9 programs, every fifth run: .84 by default, .85 where runs choose (bench_joint_segmentation)."""
    alone, together = [], []
    for runs in sample_runs(5).values():
        alone.append(np.mean([agreement(true, segment_jointly(counts).change_points, len(counts)).f1 for counts, true in runs]))
        found = segment_runs_jointly([counts for counts, _ in runs])
        figures = [agreement(true, each.change_points, len(counts)).f1 for (counts, true), each in zip(runs, found.runs, strict=True)]
        together.append(np.mean(figures))
    assert np.mean(alone) > 0.84
    assert np.mean(together) > 0.85


def test_a_penalty_at_which_no_run_has_a_change_point_is_not_preferred() -> None:
    """Counts that alternate by 1 around a level; in two of three runs the level rises by 0.8 in the middle.

    Of a variance of 1 + 0.16 in those runs the step explains 0.16 / 1.16 = 14%, so it gains 13.8 of 100 squared standard deviations. It
    pays at a penalty of 1.8 log(100) = 8.3 and not at 4.5 log(100) = 20.7, where all runs agree on having no change point.
    """
    alternating = 1_000.0 + np.tile([1.0, -1.0], 50)
    step = np.repeat([0.0, 0.8], 50)
    runs = [pd.DataFrame({"A": each}) for each in (alternating + step, alternating + step, alternating)]
    found = segment_runs_jointly(runs)
    assert (found.tried["n_change_points"].iloc[0], found.tried["agreeing"].iloc[0]) == (1, pytest.approx(2 / 3))
    assert (found.tried["n_change_points"].iloc[-1], found.tried["agreeing"].iloc[-1]) == (0, 1)
    assert [each.change_points for each in found.runs] == [(50,), (50,), ()]
    # Where nothing else is there, none is what they agree on.
    assert [each.change_points for each in segment_runs_jointly(runs[2:] * 2).runs] == [(), ()]


def test_the_card_of_segments_gives_the_lowest_and_the_highest_number_of_the_runs() -> None:
    # Run 1 has two levels, run 2 three.
    counts = np.concatenate([np.repeat([10.0, 900.0], 30), np.repeat([10.0, 900.0, 10.0], 20)])
    intervals = pd.DataFrame({"application": "p", "run": np.repeat([1, 2], 60), "interval": np.tile(np.arange(60), 2)})
    series = CounterSeries(intervals=intervals, counts=pd.DataFrame({"A": counts}), mode="OCOE")
    (segments, *_) = JOINT.cards(JOINT.of(series, SegmentationParams(joint_penalty=2.0)))
    assert (segments.shown, segments.note) == ("2", "2 to 3 in 2 runs")


def test_two_runs_say_first_what_two_runs_are_worth() -> None:
    levels = np.repeat([10.0, 500.0, 90.0], 40)
    noise = np.random.default_rng(0).normal(0, 3, (40, 120))

    def said(n: int, **given: Any) -> Verdict:
        rows = {"run": np.repeat(np.arange(n), 120), "interval": np.tile(np.arange(120), n)}
        counts = np.abs(levels + noise[:n]).ravel()
        return joint_verdict(JOINT.of(made(rows, A=counts, B=2 * counts[::-1]), SegmentationParams(**given)))

    two = said(2)
    assert two.trust.startswith("Only 2 runs, and the penalty was chosen so that they agree: that confirms little.")
    assert two.level == "limited"
    assert said(2, joint_penalty=4.0).trust.startswith("Only 2 runs: that they agree confirms little.")
    assert "Only 2 runs" not in said(3).full_text
