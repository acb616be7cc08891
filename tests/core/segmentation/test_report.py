"""Views of a counter series: places in it, what is exported, true boundaries, on made series, the samples and real readings."""

import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.readers.files import UploadedFile
from hemcore.datasets.readers.series import cortex_a15 as cortex_a15_log
from hemcore.datasets.shelf import samples
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ParameterError, UnknownNameError
from hemcore.segmentation import (
    application_runs,
    application_shape,
    events_of,
    optimal_threshold,
    profile_events,
    run_samples,
    segment,
    threshold_path,
)
from hemcore.segmentation.params import ComparisonParams, EventParams, PathParams, ProfileParams, RunsParams
from hemcore.segmentation.report import at_threshold, comparison, comparison_is_long, path, profile, thresholds

CORTEX = Path(__file__).resolve().parents[4] / "shared" / "data" / "cortex_a15_cbench" / "runs_1GHz"
LEVELS = (10.0, 1000.0, 50.0)  # 20 intervals each
NAN = math.nan


def counts_of(run: int) -> np.ndarray:
    """Three levels with little noise; a change every 20 intervals."""
    return np.rint(np.repeat(LEVELS, 20) * np.random.default_rng(run).uniform(0.9, 1.1, 60))


def table(*, stages: bool = True, times: bool = True) -> CounterSeries:
    """Two applications; `prog` has runs 4 and 2: A with gaps in run 4, B counted in run 2 alone, C never."""
    frames, counts = [], []
    for application, run in (("prog", 4), ("prog", 2), ("other", 1)):
        rows = pd.DataFrame({"application": application, "run": run, "interval": np.arange(100, 160)})
        if stages:
            rows["stage"] = np.repeat(["start", "work", "end"], 20)
        if times:
            rows["time"] = 5 + 0.5 * np.arange(60)  # ends of intervals of half a second
        a = counts_of(run)
        if run == 4:
            a[[0, 5, 6, 30, 59]] = NAN
        frames.append(rows)
        counts.append(pd.DataFrame({"A": a, "B": counts_of(run) if run == 2 else NAN, "C": NAN}))
    return CounterSeries(
        intervals=pd.concat(frames, ignore_index=True), counts=pd.concat(counts, ignore_index=True), mode="OCOE", interval_unit="0.5 s"
    )


def runs_params(**changes: Any) -> RunsParams:
    return RunsParams(**{"application": "prog", "event": "A", "threshold": 10.0, **changes})


def path_params(**changes: Any) -> PathParams:
    return PathParams(**{"application": "prog", "event": "A", "run": 4, **changes})


# Samples of a run


def test_samples_are_the_counted_intervals_and_know_their_place_in_the_run() -> None:
    run = run_samples(table(), "prog", "A", 4)
    raw = counts_of(4)
    assert run.n_intervals == 60
    assert run.not_counted == 5
    assert run.positions.tolist() == [place for place in range(60) if place not in (0, 5, 6, 30, 59)]
    np.testing.assert_array_equal(run.counts, raw[run.positions])
    assert run.interval([0, 4, 54, 55]).tolist() == [1, 7, 58, 59]


def test_trims_are_intervals_of_the_run_counted_or_not() -> None:
    run = run_samples(table(), "prog", "A", 4, trim_head=6, trim_tail=10)
    assert run.positions.tolist() == [place for place in range(7, 50) if place != 30]
    assert run.not_counted == 2  # 6 and 30 lie between the trims
    assert run.n_intervals == 60
    assert run.interval([0]).tolist() == [7]


def test_runs_come_in_the_order_of_the_table_and_those_without_the_event_are_left_out() -> None:
    assert [run.run for run in application_runs(table(), "prog", "A")] == [4, 2]
    assert [run.run for run in application_runs(table(), "prog", "B")] == [2]
    assert events_of(table(), "prog") == ["A", "B"]
    assert events_of(table(), "other") == ["A"]


def test_boundaries_are_where_the_stage_changes_among_the_samples() -> None:
    run = run_samples(table(), "prog", "A", 4)
    assert run.boundaries == (17, 36)  # 3 and 4 samples before them were not counted
    assert run.interval(run.boundaries).tolist() == [20, 40]
    assert run.stages == ("start", "work", "end")
    trimmed = run_samples(table(), "prog", "A", 2, trim_head=20, trim_tail=10)
    assert (trimmed.boundaries, trimmed.stages) == ((20,), ("work", "end"))
    unknown = run_samples(table(stages=False), "prog", "A", 4)
    assert (unknown.boundaries, unknown.stages) == (None, ())


def test_a_missing_stage_is_a_stage_of_its_own() -> None:
    series = table()
    intervals = series.intervals.copy()
    intervals.loc[10:19, "stage"] = None
    run = run_samples(CounterSeries(intervals=intervals, counts=series.counts, mode="OCOE"), "prog", "A", 4)
    assert run.stages == ("start", "", "work", "end")
    assert run.interval(run.boundaries or ()).tolist() == [10, 20, 40]


def test_seconds_are_those_at_which_an_interval_begins() -> None:
    run = run_samples(table(), "prog", "A", 4)
    assert run.edges is not None
    assert run.edges[[0, 1, 60]].tolist() == [4.5, 5, 34.5]
    seconds = run.seconds([0, 17, 55])
    assert seconds is not None
    assert seconds.tolist() == [5, 14.5, 34]  # interval 1, 20, and the end of interval 58
    assert run_samples(table(times=False), "prog", "A", 4).seconds([0]) is None


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("prog", "D"), UnknownNameError, "^event: 'D' is not in this series"),
        (("nothing", "A"), UnknownNameError, "^application: 'nothing'"),
        (("prog", "C"), ParameterError, "^prog: 'C' was counted in no interval of its 2 run"),
    ],
)
def test_names_that_are_not_there_and_events_without_a_count_are_told(arguments: tuple[str, str], error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        application_runs(table(), *arguments)


def test_trims_that_leave_nothing_and_a_run_without_the_event_are_told() -> None:
    for head, tail in ((60, 0), (0, 60), (40, 30), (10**7, 10**7)):
        with pytest.raises(ParameterError, match=f"once {head:,} intervals are trimmed at the head and {tail:,} at the tail"):
            application_runs(table(), "prog", "A", trim_head=head, trim_tail=tail)
    with pytest.raises(UnknownNameError, match="^run: 4 of 'prog' has no counted interval of 'B'; runs that have: '2'"):
        run_samples(table(), "prog", "B", 4)


# Every run at one threshold


def test_exported_segments_are_intervals_of_the_run_with_their_figures_and_seconds() -> None:
    found = at_threshold(table(), runs_params()).segments
    assert list(found.columns) == [
        "application", "event", "run", "segment", "start", "stop", "unit", "n_samples", "mean", "std", "rms", "min", "max",
        "start_s", "stop_s",
    ]  # fmt: skip
    assert found["run"].tolist() == [4, 4, 4, 2, 2, 2]
    assert found["segment"].tolist() == [1, 2, 3] * 2
    assert found["start"].tolist() == [1, 20, 40, 0, 20, 40]
    assert found["stop"].tolist() == [20, 40, 59, 20, 40, 60]
    assert found["n_samples"].tolist() == [17, 19, 19, 20, 20, 20]
    assert found["start_s"].tolist() == [5, 14.5, 24.5, 4.5, 14.5, 24.5]
    assert found["stop_s"].tolist() == [14.5, 24.5, 34, 14.5, 24.5, 34.5]
    assert set(found["application"]) == {"prog"}
    assert set(found["event"]) == {"A"}
    assert set(found["unit"]) == {"0.5 s"}
    for row in found.itertuples():
        part = table().run("prog", row.run).counts["A"][row.start : row.stop].dropna()
        assert (row.n_samples, row.min, row.max) == (len(part), part.min(), part.max())
        assert row.mean == pytest.approx(part.mean())
        assert row.std == pytest.approx(part.std(ddof=0))
        assert row.rms == pytest.approx(math.sqrt((part**2).mean()))


def test_without_times_there_are_no_seconds() -> None:
    assert "start_s" not in at_threshold(table(times=False), runs_params()).segments


def test_each_runs_segmentation_is_that_of_segment_on_its_samples() -> None:
    params = runs_params(statistic="std", min_distance=5, early_exit=True, trim_head=3, trim_tail=2)
    found = at_threshold(table(), params)
    assert [each.samples.run for each in found.runs] == [4, 2]
    for each in found.runs:
        expected = segment(each.samples.counts, 10.0, statistic="std", min_distance=5, early_exit=True)
        assert each.segmentation.change_points == expected.change_points
        assert each.segmentation.residual == expected.residual
        np.testing.assert_array_equal(each.models, expected.models)
    assert found.params == params


def test_runs_are_compared_with_the_first_and_with_the_true_boundaries() -> None:
    found = at_threshold(table(), runs_params(tolerance=4)).agreement
    assert found["run"].astype(str).tolist() == ["4", "2"]
    assert found["n_samples"].tolist() == [55, 60]
    assert found["n_change_points"].tolist() == [2, 2]
    assert found.loc[0, ["covering", "precision", "recall", "f1"]].tolist() == [1, 1, 1, 1]
    assert found.loc[:, ["covering_true", "precision_true", "recall_true"]].to_numpy().tolist() == [[1] * 3] * 2
    assert found["residual"].tolist() == [each.segmentation.residual for each in at_threshold(table(), runs_params()).runs]
    assert "recall_true" not in at_threshold(table(stages=False), runs_params()).agreement


def test_boundaries_further_away_than_the_tolerance_are_not_found() -> None:
    series = table()
    intervals = series.intervals.copy()
    intervals["stage"] = np.tile(np.repeat(["start", "work", "end"], [23, 17, 20]), 3)
    moved = CounterSeries(intervals=intervals, counts=series.counts, mode="OCOE")
    run = at_threshold(moved, runs_params()).runs[1]
    for tolerance, recall in ((2, 0.5), (3, 1.0)):
        truth = run.truth(tolerance)
        assert truth is not None
        assert (truth.recall, truth.precision, truth.n_true, truth.n_found) == (recall, recall, 2, 2)
    assert at_threshold(table(stages=False), runs_params()).runs[0].truth(2) is None


def test_the_spread_of_the_residual_over_runs() -> None:
    found = at_threshold(table(), runs_params())
    residuals = found.agreement["residual"]
    assert found.residual_cov_percent == pytest.approx(100 * residuals.std() / abs(residuals.mean()))
    assert math.isnan(at_threshold(table(), runs_params(event="B")).residual_cov_percent)


def test_the_mean_is_searched_in_units_of_the_standard_deviation_and_told_in_counts() -> None:
    series = table()
    found = at_threshold(series, runs_params(statistic="mean", threshold=2.0))
    for each in found.runs:
        counts = each.samples.counts
        expected = segment(counts / np.std(counts), 2.0, statistic="mean")
        assert each.segmentation.change_points == expected.change_points
        assert each.segmentation.residual == pytest.approx(expected.residual)
        edges = [0, *expected.change_points, len(counts)]
        assert each.models[:, 3].tolist() == pytest.approx([counts[a:b].mean() for a, b in pairwise(edges)])
        assert each.models[:, 7].max() == counts.max()
    thousand = CounterSeries(intervals=series.intervals, counts=series.counts * 1000, mode="OCOE")
    in_thousandths = at_threshold(thousand, runs_params(statistic="mean", threshold=2.0))
    assert in_thousandths.segments["start"].tolist() == found.segments["start"].tolist()
    np.testing.assert_allclose(in_thousandths.segments["mean"], 1000 * found.segments["mean"])


def test_a_constant_run_has_one_segment_whatever_the_statistic() -> None:
    intervals = pd.DataFrame({"application": "p", "run": 1, "interval": range(30)})
    constant = CounterSeries(intervals=intervals, counts=pd.DataFrame({"A": [7.0] * 30, "Z": [0.0] * 30}), mode="OCOE")
    for event in "AZ":
        for statistic in ("rms", "mean"):
            found = at_threshold(constant, runs_params(application="p", event=event, statistic=statistic)).segments
            assert found[["start", "stop", "std"]].to_numpy().tolist() == [[0, 30, 0]]


def test_segments_at_the_floor_of_the_cost_are_all_zeros_for_rms_and_all_alike_for_std() -> None:
    """Sevens, what varies, zeros, sevens, what varies."""
    random = np.random.default_rng(0)
    levels = np.concatenate(
        [np.full(30, 7.0), random.uniform(900, 1100, 30), np.zeros(30), np.full(30, 7.0), random.uniform(900, 1100, 30)]
    )
    series = made({"run": 1, "interval": np.arange(150)}, A=levels)
    for statistic, n_constant in (("rms", 1), ("std", 3), ("mean", 0)):
        found = at_threshold(series, RunsParams(application="p", event="A", threshold=3, statistic=statistic, min_distance=20)).runs[0]
        if statistic != "mean":
            assert found.segmentation.change_points == (30, 60, 90, 120), statistic
        assert found.n_constant == n_constant, statistic


# Thresholds, path, profile, comparison


def test_thresholds_are_those_of_algorithm_1_over_the_runs() -> None:
    params = EventParams(application="prog", event="A", max_threshold=60, trim_head=2)
    found = thresholds(table(), params)
    expected = optimal_threshold([run.counts for run in application_runs(table(), "prog", "A", trim_head=2)], 60)
    assert found.optimal.threshold == expected.threshold
    pd.testing.assert_frame_equal(found.optimal.per_run, expected.per_run)
    assert found.runs == (4, 2)
    assert found.params == params


def test_the_path_of_one_run_reads_the_segments_that_every_threshold_has() -> None:
    for statistic in ("rms", "mean"):
        found = path(table(), path_params(max_threshold=40, statistic=statistic, trim_tail=3))
        assert (found.path.min_threshold, found.path.max_threshold) == (1, 40)
        for threshold in (1, 4.5, 10, 40):
            read = found.at(threshold)
            direct = at_threshold(table(), runs_params(threshold=threshold, statistic=statistic, trim_tail=3)).runs[0]
            assert read.segmentation.change_points == direct.segmentation.change_points
            np.testing.assert_array_equal(read.models, direct.models)
            assert read.truth(2) == direct.truth(2)
    counts = found.samples.counts
    pd.testing.assert_frame_equal(found.path.intervals, threshold_path(counts / np.std(counts), 1, 40, statistic="mean").intervals)


def test_the_profile_has_a_row_for_each_event_that_a_run_counted() -> None:
    found = profile(table(), ProfileParams(application="prog", max_threshold=60, trim_head=1))
    runs = {event: [run.counts for run in application_runs(table(), "prog", event, trim_head=1)] for event in ("A", "B")}
    pd.testing.assert_frame_equal(found.drop(columns=["recall_true", "precision_true"]), profile_events(runs, 60))
    assert found["n_runs"].tolist() == [2, 1]
    assert found["kept"].all()


def test_progress_is_told_between_nothing_and_all() -> None:
    shares: list[float] = []

    def progress(share: float, note: str) -> None:
        assert note
        shares.append(share)

    thresholds(table(), EventParams(application="prog", event="A"), progress)
    path(table(), path_params(), progress)
    at_threshold(table(), runs_params(), progress)
    profile(table(), ProfileParams(application="prog"), progress)
    assert len(shares) > 5
    assert all(0 <= share <= 1 for share in shares)
    assert shares[-1] == 1


def test_the_comparison_holds_ours_beside_ruptures_on_the_samples_of_the_run() -> None:
    found = comparison(table(), ComparisonParams(application="prog", event="A", run=4, threshold=10.0, tolerance=2))
    ours = at_threshold(table(), runs_params()).runs[0]
    assert len(found) > 1
    assert ours.segmentation.n_change_points in found.select_dtypes("number").iloc[0].tolist()


def test_a_series_is_long_when_a_run_or_all_its_runs_are() -> None:
    def of(n_intervals: int, n_runs: int) -> CounterSeries:
        intervals = pd.DataFrame({"application": "p", "run": np.repeat(np.arange(n_runs), n_intervals)})
        intervals["interval"] = np.tile(np.arange(n_intervals), n_runs)
        return CounterSeries(intervals=intervals, counts=pd.DataFrame({"A": np.ones(len(intervals))}), mode="OCOE")

    assert not application_shape(of(20_000, 1), "p").is_long
    assert application_shape(of(20_001, 1), "p").is_long
    assert not application_shape(of(10_000, 20), "p").is_long
    assert application_shape(of(10_000, 21), "p").is_long
    assert not comparison_is_long(run_samples(of(1_000, 2), "p", "A", 0))
    assert comparison_is_long(run_samples(of(1_001, 2), "p", "A", 0))


def test_the_shape_of_an_application() -> None:
    shape = application_shape(table(), "prog")
    assert (shape.runs, shape.events) == ((4, 2), ("A", "B"))
    assert shape.lengths == tuple(len(table().run("prog", run).counts) for run in (4, 2))
    with pytest.raises(UnknownNameError, match="'nothing'"):
        application_shape(table(), "nothing")


def test_after_a_gap_in_the_times_a_segment_begins_late_and_ends_where_it_ended() -> None:
    """Half a minute is lost after the tenth interval of 1 s."""
    times = np.concatenate([np.arange(1.0, 11.0), np.arange(41.0, 51.0)])
    intervals = pd.DataFrame({"application": "p", "run": 1, "interval": np.arange(20), "time": times})
    counts = pd.DataFrame({"A": np.repeat([10.0, 900.0], 10)})
    series = CounterSeries(intervals=intervals, counts=counts, mode="OCOE")
    samples = run_samples(series, "p", "A", 1)
    assert samples.time_gaps == (10,)
    found = at_threshold(series, RunsParams(application="p", event="A", threshold=3))
    assert found.segments[["start", "stop"]].to_numpy().tolist() == [[0, 10], [10, 20]]
    assert found.segments[["start_s", "stop_s"]].to_numpy().tolist() == [[0.0, 10.0], [40.0, 50.0]]


def test_where_the_truth_is_known_a_profile_tells_how_much_of_it_each_event_finds() -> None:
    series = table()
    profiled = profile(series, ProfileParams(application="prog"))
    at = at_threshold(series, RunsParams(application="prog", event="A", threshold=profiled["optimal_threshold"].iloc[0]))
    assert (profiled["recall_true"].iloc[0], profiled["precision_true"].iloc[0]) == at.median_truth
    assert "recall_true" not in profile(table(stages=False), ProfileParams(application="prog"))


def made(columns: dict[str, object], **counts: object) -> CounterSeries:
    return CounterSeries(intervals=pd.DataFrame({"application": "p", **columns}), counts=pd.DataFrame(counts), mode="OCOE")


def test_a_segment_stops_after_its_last_counted_interval() -> None:
    """Intervals 6 to 8 were not counted, and the level changes there."""
    counts = np.array([10.0] * 6 + [NAN] * 3 + [900.0] * 11)
    series = made({"run": 1, "interval": np.arange(20), "time": np.arange(1.0, 21.0)}, A=counts)
    found = at_threshold(series, RunsParams(application="p", event="A", threshold=3)).segments
    assert found[["start", "stop", "n_samples"]].to_numpy().tolist() == [[0, 6, 6], [9, 20, 11]]
    assert found[["start_s", "stop_s"]].to_numpy().tolist() == [[0.0, 6.0], [9.0, 20.0]]


def test_times_of_a_clock_count_from_the_start_of_each_run() -> None:
    times = np.concatenate([1.7e9 + np.arange(1.0, 21.0), 1.8e9 + np.arange(1.0, 21.0)])
    counts = np.tile(np.repeat([10.0, 900.0], 10), 2)
    series = made({"run": np.repeat([1, 2], 20), "interval": np.tile(np.arange(20), 2), "time": times}, A=counts)
    found = at_threshold(series, RunsParams(application="p", event="A", threshold=3)).segments
    assert found[["run", "start_s", "stop_s"]].to_numpy().tolist() == [[1, 0, 10], [1, 10, 20], [2, 0, 10], [2, 10, 20]]


@pytest.mark.parametrize("broken", [5.0, NAN, -3.0])
def test_times_that_do_not_ascend_in_one_run_are_used_in_none(broken) -> None:
    times = np.concatenate([np.arange(1.0, 21.0), np.arange(1.0, 21.0)])
    times[30] = broken
    counts = np.tile(np.repeat([10.0, 900.0], 10), 2)
    series = made({"run": np.repeat([1, 2], 20), "interval": np.tile(np.arange(20), 2), "time": times}, A=counts)
    assert [each.edges for each in application_runs(series, "p", "A")] == [None, None]
    assert "start_s" not in at_threshold(series, RunsParams(application="p", event="A", threshold=3)).segments


def test_an_event_that_the_trims_leave_nothing_of_is_told_beside_the_others() -> None:
    early = np.array([5.0] * 3 + [NAN] * 17)
    series = made({"run": 1, "interval": np.arange(20)}, A=np.repeat([10.0, 900.0], 10), B=early)
    found = profile(series, ProfileParams(application="p", trim_head=5))
    assert found["event"].tolist() == ["A", "B"]
    assert found["why"].iloc[1] == "no run has a counted sample of it"
    assert np.isfinite(found["optimal_threshold"].iloc[0])


def test_below_what_the_path_knows_the_run_is_searched(monkeypatch) -> None:
    monkeypatch.setattr("hemcore.segmentation.path._MAX_POINTS", 30)
    counts = np.exp(np.random.default_rng(1).normal(0, 2, 200))
    series = made({"run": 1, "interval": np.arange(200)}, A=counts)
    found = path(series, PathParams(application="p", event="A", run=1))
    assert found.path.min_threshold > 1
    for threshold in (1.0, found.path.min_threshold, 20.0):
        assert found.at(threshold).segmentation.change_points == segment(counts, threshold).change_points


def test_the_table_stays_as_it_was() -> None:
    series = table()
    for statistic in ("rms", "mean"):
        at_threshold(series, runs_params(statistic=statistic, trim_head=2))
        path(series, path_params(statistic=statistic)).at(3)
    pd.testing.assert_frame_equal(series.counts, table().counts)
    pd.testing.assert_frame_equal(series.intervals, table().intervals)


# The project's own readings


def test_the_stages_of_the_sample_program_are_all_found_by_the_mean_of_its_instructions() -> None:
    series = samples.load("series-ocoe")
    assert isinstance(series, CounterSeries)
    params = EventParams(application="grid_solver", event="Ir", statistic="mean")
    best = thresholds(series, params).optimal.threshold
    found = at_threshold(series, RunsParams(**params.model_dump(), threshold=best))
    assert len(found.runs) == len(series.runs("grid_solver"))
    assert found.agreement["recall_true"].min() == 1
    assert found.agreement["precision_true"].min() >= 0.6
    ends = found.segments.groupby("run", sort=False)["stop"].last()
    mine = (series.intervals["application"] == "grid_solver").to_numpy()
    assert ends.to_dict() == series.intervals[mine].groupby("run", sort=False).size().to_dict()
    truth = samples.truth("series-ocoe")
    assert isinstance(truth, pd.Series)
    for run in found.runs[:3]:
        stage = truth[mine & (series.intervals["run"] == run.samples.run).to_numpy()].to_numpy()
        assert run.samples.interval(run.samples.boundaries or ()).tolist() == (np.flatnonzero(stage[1:] != stage[:-1]) + 1).tolist()


# Thirty programs on a Cortex-A15, one after the other


@pytest.fixture(scope="module")
def cortex() -> CounterSeries:
    if not CORTEX.is_dir():
        pytest.skip(f"the Cortex-A15 readings are not at {CORTEX}")
    files = [UploadedFile(str(file.relative_to(CORTEX)), file.read_bytes()) for file in sorted(CORTEX.glob("events_list_1/*/*.data"))]
    return cortex_a15_log.read(files).table


@pytest.mark.parametrize(("event", "recall", "precision"), [("L1D_CACHE_ACCESS", 0.8, 0.95), ("L1D_CACHE_REFILL", 0.9, 0.7)])
def test_the_boundaries_of_thirty_programs_are_found_at_the_optimal_threshold(
    cortex: CounterSeries, event: str, recall: float, precision: float
) -> None:
    """Within two intervals of half a second, of some 2,340."""
    application = cortex.applications[0]
    best = thresholds(cortex, EventParams(application=application, event=event)).optimal
    assert best.per_run["settled"].all()
    found = at_threshold(cortex, RunsParams(application=application, event=event, threshold=best.threshold, tolerance=2))
    assert len(found.runs) == 2
    assert all(len(run.samples.boundaries or ()) == 29 for run in found.runs)
    assert found.agreement["recall_true"].min() >= recall
    assert found.agreement["precision_true"].min() >= precision
    seconds = found.segments.groupby("run")[["start_s", "stop_s"]].agg(["first", "last"])
    assert seconds["start_s", "first"].max() < 1
    assert seconds["stop_s", "last"].min() > 1000
