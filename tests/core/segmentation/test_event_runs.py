"""The samples of an event in a run: places, trims, what was not counted, true boundaries, times."""

import numpy as np
import pytest

from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ParameterError, UnknownNameError
from hemcore.segmentation import SegmentationParams, application_runs, application_shape, events_of, run_samples
from hemcore.segmentation.analysis import at_threshold
from tests.core.segmentation.made import NAN, counts_of, made, table, two_levels


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
        with pytest.raises(ParameterError, match=f"after trimming {head:,} intervals at the head and {tail:,} at the tail"):
            application_runs(table(), "prog", "A", trim_head=head, trim_tail=tail)
    with pytest.raises(UnknownNameError, match="^run: 4 of 'prog' has no counted interval of 'B'; runs that have: '2'"):
        run_samples(table(), "prog", "B", 4)


def test_the_shape_of_an_application() -> None:
    shape = application_shape(table(), "prog")
    assert (shape.runs, shape.events) == ((4, 2), ("A", "B"))
    assert shape.lengths == tuple(len(table().run("prog", run).counts) for run in (4, 2))
    with pytest.raises(UnknownNameError, match="'nothing'"):
        application_shape(table(), "nothing")


@pytest.mark.parametrize("broken", [5.0, NAN, -3.0])
def test_times_that_do_not_ascend_in_one_run_are_used_in_none(broken) -> None:
    times = np.concatenate([np.arange(1.0, 21.0), np.arange(1.0, 21.0)])
    times[30] = broken
    counts = np.tile(np.repeat([10.0, 900.0], 10), 2)
    series = made({"run": np.repeat([1, 2], 20), "interval": np.tile(np.arange(20), 2), "time": times}, A=counts)
    assert [each.edges for each in application_runs(series, "p", "A")] == [None, None]
    assert "start_s" not in at_threshold(series, SegmentationParams(application="p", event="A", threshold=3)).segments


@pytest.mark.parametrize(("head", "tail"), [(0, 61), (2, 75), (59, 100), (60, 119)])
def test_trims_that_reach_past_each_other_leave_nothing(head: int, tail: int) -> None:
    with pytest.raises(ParameterError, match="Choose another event, or trim less"):
        application_runs(table(), "prog", "A", trim_head=head, trim_tail=tail)


def test_times_before_zero_count_from_the_start_of_the_run() -> None:
    """A program timed from a mark in its middle: intervals of 1 s that end at -9, -8 and so on."""
    run = run_samples(two_levels(time=np.arange(-9.0, 11.0)), "p", "A", 1)
    assert run.edges is not None
    assert (np.diff(run.edges) >= 0).all()
    assert run.edges[0] == 0
    assert np.diff(run.edges[1:]).tolist() == [1.0] * 19
    seconds = run.seconds([0, 20])
    assert seconds is not None
    assert seconds[0] == 0


def test_what_the_trims_leave_out_is_kept_beside() -> None:
    run = run_samples(table(), "prog", "A", 4, trim_head=6, trim_tail=2)
    raw = counts_of(4)
    assert run.outside.tolist() == [1, 2, 3, 4, 58]
    assert run.outside_counts.tolist() == raw[[1, 2, 3, 4, 58]].tolist()
    assert len(run_samples(table(), "prog", "A", 4).outside) == 0


def test_the_first_interval_is_as_long_as_the_usual_one() -> None:
    # Ends 5, 6, 7, 8 and 20 s: lengths 1, 1, 1 and 12, of which the median is 1 and the mean 3.75.
    series = made({"run": 1, "interval": np.arange(5), "time": [5.0, 6.0, 7.0, 8.0, 20.0]}, A=np.arange(5.0))
    run = run_samples(series, "p", "A", 1)
    assert run.edges is not None
    assert run.edges.tolist() == [4, 5, 6, 7, 8, 20]
    assert run.time_gaps == (4,)


def test_a_run_timed_by_a_clock_starts_at_zero_and_one_timed_by_a_stopwatch_does_not() -> None:
    # Five intervals of 1 s: a start after 10 times 5 s can only be a clock's.
    for start, first in ((50.0, 50.0), (50.5, 0.0)):
        series = made({"run": 1, "interval": np.arange(5), "time": start + np.arange(1.0, 6.0)}, A=np.arange(5.0))
        run = run_samples(series, "p", "A", 1)
        assert run.edges is not None
        assert run.edges.tolist() == [first + each for each in range(6)]
