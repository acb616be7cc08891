"""What segmentations of a counter table give: exported segments, agreement of runs, true boundaries, seconds."""

import math
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import TableError
from hemcore.segmentation import SegmentationParams, run_samples, segment
from hemcore.segmentation.analysis import at_threshold, path
from tests.core.segmentation.made import NAN, made, params_of, table


def test_exported_segments_are_intervals_of_the_run_with_their_figures_and_seconds() -> None:
    found = at_threshold(table(), params_of()).segments
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
    assert "start_s" not in at_threshold(table(times=False), params_of()).segments


def test_each_runs_segmentation_is_that_of_segment_on_its_samples() -> None:
    params = params_of(statistic="std", min_distance=5, early_exit=True, trim_head=3, trim_tail=2)
    found = at_threshold(table(), params)
    assert [each.samples.run for each in found.runs] == [4, 2]
    for each in found.runs:
        expected = segment(each.samples.counts, 10.0, statistic="std", min_distance=5, early_exit=True)
        assert each.segmentation.change_points == expected.change_points
        assert each.segmentation.residual == expected.residual
        np.testing.assert_array_equal(each.models, expected.models)
    assert found.params == params


def test_runs_are_compared_with_the_first_and_with_the_true_boundaries() -> None:
    found = at_threshold(table(), params_of(tolerance=4)).agreement
    assert found["run"].astype(str).tolist() == ["4", "2"]
    assert found["n_samples"].tolist() == [55, 60]
    assert found["n_change_points"].tolist() == [2, 2]
    assert found.loc[0, ["covering", "precision", "recall", "f1"]].tolist() == [1, 1, 1, 1]
    assert found.loc[:, ["covering_true", "precision_true", "recall_true"]].to_numpy().tolist() == [[1] * 3] * 2
    assert found["residual"].tolist() == [each.segmentation.residual for each in at_threshold(table(), params_of()).runs]
    assert "recall_true" not in at_threshold(table(stages=False), params_of()).agreement


def test_boundaries_further_away_than_the_tolerance_are_not_found() -> None:
    series = table()
    intervals = series.intervals.copy()
    intervals["stage"] = np.tile(np.repeat(["start", "work", "end"], [23, 17, 20]), 3)
    moved = CounterSeries(intervals=intervals, counts=series.counts, mode="OCOE")
    run = at_threshold(moved, params_of()).runs[1]
    for tolerance, recall in ((2, 0.5), (3, 1.0)):
        truth = run.truth(tolerance)
        assert truth is not None
        assert (truth.recall, truth.precision, truth.n_true, truth.n_found) == (recall, recall, 2, 2)
    assert at_threshold(table(stages=False), params_of()).runs[0].truth(2) is None


def test_the_spread_of_the_residual_over_runs() -> None:
    found = at_threshold(table(), params_of())
    residuals = found.agreement["residual"]
    assert found.residual_cov_percent == pytest.approx(100 * residuals.std() / abs(residuals.mean()))
    assert math.isnan(at_threshold(table(), params_of(event="B")).residual_cov_percent)


def test_the_mean_is_searched_in_units_of_the_standard_deviation_and_told_in_counts() -> None:
    series = table()
    found = at_threshold(series, params_of(statistic="mean", threshold=2.0))
    for each in found.runs:
        counts = each.samples.counts
        expected = segment(counts / np.std(counts), 2.0, statistic="mean")
        assert each.segmentation.change_points == expected.change_points
        assert each.segmentation.residual == pytest.approx(expected.residual)
        edges = [0, *expected.change_points, len(counts)]
        assert each.models[:, 3].tolist() == pytest.approx([counts[a:b].mean() for a, b in pairwise(edges)])
        assert each.models[:, 7].max() == counts.max()
    thousand = CounterSeries(intervals=series.intervals, counts=series.counts * 1000, mode="OCOE")
    in_thousandths = at_threshold(thousand, params_of(statistic="mean", threshold=2.0))
    assert in_thousandths.segments["start"].tolist() == found.segments["start"].tolist()
    np.testing.assert_allclose(in_thousandths.segments["mean"], 1000 * found.segments["mean"])


def test_a_constant_run_has_one_segment_whatever_the_statistic() -> None:
    intervals = pd.DataFrame({"application": "p", "run": 1, "interval": range(30)})
    constant = CounterSeries(intervals=intervals, counts=pd.DataFrame({"A": [7.0] * 30, "Z": [0.0] * 30}), mode="OCOE")
    for event in "AZ":
        for statistic in ("rms", "mean"):
            found = at_threshold(constant, params_of(application="p", event=event, statistic=statistic)).segments
            assert found[["start", "stop", "std"]].to_numpy().tolist() == [[0, 30, 0]]


def test_after_a_gap_in_the_times_a_segment_begins_late_and_ends_where_it_ended() -> None:
    """Half a minute is lost after the tenth interval of 1 s."""
    times = np.concatenate([np.arange(1.0, 11.0), np.arange(41.0, 51.0)])
    intervals = pd.DataFrame({"application": "p", "run": 1, "interval": np.arange(20), "time": times})
    counts = pd.DataFrame({"A": np.repeat([10.0, 900.0], 10)})
    series = CounterSeries(intervals=intervals, counts=counts, mode="OCOE")
    samples = run_samples(series, "p", "A", 1)
    assert samples.time_gaps == (10,)
    found = at_threshold(series, SegmentationParams(application="p", event="A", threshold=3))
    assert found.segments[["start", "stop"]].to_numpy().tolist() == [[0, 10], [10, 20]]
    assert found.segments[["start_s", "stop_s"]].to_numpy().tolist() == [[0.0, 10.0], [40.0, 50.0]]


def test_a_segment_stops_after_its_last_counted_interval() -> None:
    """Intervals 6 to 8 were not counted, and the level changes there."""
    counts = np.array([10.0] * 6 + [NAN] * 3 + [900.0] * 11)
    series = made({"run": 1, "interval": np.arange(20), "time": np.arange(1.0, 21.0)}, A=counts)
    found = at_threshold(series, SegmentationParams(application="p", event="A", threshold=3)).segments
    assert found[["start", "stop", "n_samples"]].to_numpy().tolist() == [[0, 6, 6], [9, 20, 11]]
    assert found[["start_s", "stop_s"]].to_numpy().tolist() == [[0.0, 6.0], [9.0, 20.0]]


def test_times_of_a_clock_count_from_the_start_of_each_run() -> None:
    times = np.concatenate([1.7e9 + np.arange(1.0, 21.0), 1.8e9 + np.arange(1.0, 21.0)])
    counts = np.tile(np.repeat([10.0, 900.0], 10), 2)
    series = made({"run": np.repeat([1, 2], 20), "interval": np.tile(np.arange(20), 2), "time": times}, A=counts)
    found = at_threshold(series, SegmentationParams(application="p", event="A", threshold=3)).segments
    assert found[["run", "start_s", "stop_s"]].to_numpy().tolist() == [[1, 0, 10], [1, 10, 20], [2, 0, 10], [2, 10, 20]]


def test_below_what_the_path_knows_the_run_is_searched(monkeypatch) -> None:
    monkeypatch.setattr("hemcore.segmentation.search.crops._MAX_POINTS", 30)
    counts = np.exp(np.random.default_rng(1).normal(0, 2, 200))
    series = made({"run": 1, "interval": np.arange(200)}, A=counts)
    found = path(series, SegmentationParams(application="p", event="A", run=1))
    assert found.path.min_threshold > 1
    for threshold in (1.0, found.path.min_threshold, 20.0):
        assert found.at(threshold).segmentation.change_points == segment(counts, threshold).change_points


@pytest.mark.parametrize(("statistic", "n_constant"), [("rms", 1), ("std", 2), ("mean", 0)])
def test_segments_that_pay_at_any_threshold_are_zeros_for_rms_and_equal_counts_for_std(statistic: str, n_constant: int) -> None:
    noise = np.random.default_rng(0).uniform(900, 1100, 20)
    series = made({"run": 1, "interval": np.arange(60)}, A=np.concatenate([np.zeros(20), np.full(20, 40.0), noise]))
    run = at_threshold(series, SegmentationParams(threshold=50, statistic=statistic)).runs[0]
    assert run.n_constant == n_constant
    if statistic != "mean":
        assert run.segmentation.change_points == (20, 40)


def test_above_what_the_path_knows_the_run_is_searched_too() -> None:
    found = path(table(), params_of(max_threshold=40))
    for threshold in (40.0, 40.5, 500.0):
        direct = at_threshold(table(), params_of(threshold=threshold)).runs[0]
        assert found.at(threshold).segmentation.change_points == direct.segmentation.change_points
        assert found.at(threshold).segmentation.residual == direct.segmentation.residual
    assert found.at(500.0).segmentation.n_change_points == 0


@pytest.mark.parametrize("scale", [1e-150, 1.0, 1e29])
def test_the_mean_is_searched_at_any_scale_that_squares_can_be_taken_at(scale: float) -> None:
    counts = np.repeat([1.0, 3.0, 2.0], 20) * scale
    found = at_threshold(made({"run": 1, "interval": np.arange(60)}, A=counts), SegmentationParams(threshold=2, statistic="mean"))
    assert found.runs[0].segmentation.change_points == (20, 40)


def test_counts_that_no_counter_reaches_are_refused() -> None:
    with np.errstate(all="raise"), pytest.raises(TableError, match="column 'A', row 11: 2e\\+30 must be at most 1e\\+30"):
        made({"run": 1, "interval": np.arange(20)}, A=np.repeat([1e30, 2e30], 10))
