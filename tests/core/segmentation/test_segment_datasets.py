"""Segments as datasets of their own: phases of every event, and the series with its segments as stages."""

import json

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.hardware_levels import at_level, level_of_segments, levels
from hemcore.errors import TableError
from hemcore.segmentation import SegmentationParams, run_samples
from hemcore.segmentation.analysis import PATH, SEGMENTATION, THRESHOLDS, at_threshold, segmented_run
from hemcore.segmentation.results import SegmentedRun
from hemcore.segmentation.segment_datasets import segments_as_phases, series_with_segments
from hemcore.segmentation.segments_export import segments_json
from tests.core.segmentation.made import NAN, made, params_of, table


def one_run(series: CounterSeries, params: SegmentationParams) -> SegmentedRun:
    """What the page has before the other runs were asked for."""
    return segmented_run(series, params, None, THRESHOLDS.of(series, params), PATH.of(series, params), None)


def test_a_phase_is_a_segment_with_the_counts_of_every_event() -> None:
    series = table()
    phases = segments_as_phases(SEGMENTATION.of(series, params_of()), series)
    frame = phases.frame
    assert phases.counters == ("A", "B", "C")
    assert frame["load"].tolist() == ["run 4"] * 3 + ["run 2"] * 3
    assert frame["phase"].tolist() == [0, 1, 2] * 2
    assert set(frame["program"]) == {"prog"}
    assert set(frame["granularity"]) == {"segment"}
    # Run 4: its first segment begins at interval 1 and its last ends at 59; 5, 6 and 30 were not counted.
    assert frame["intervals"].tolist() == [19, 20, 19, 20, 20, 20]
    a = series.run("prog", 4).counts["A"].to_numpy()
    assert frame["A"].isna().tolist() == [True, True, False, False, False, False]
    assert frame["A"].iloc[2] == a[40:59].sum()
    run_2 = series.run("prog", 2).counts
    for name in "AB":
        assert frame[name].iloc[3:].tolist() == [run_2[name].iloc[at : at + 20].sum() for at in (0, 20, 40)]
    assert frame["B"].iloc[:3].isna().all()
    assert frame["C"].isna().all()


def test_of_ratios_temperatures_and_powers_a_phase_has_the_mean() -> None:
    """Ten intervals of 40 degrees and 3 W, ten of 60 degrees and 5 W: 400 degrees or 30 W would be no such thing."""
    columns = {
        "temperature_C": np.repeat([40.0, 60.0], 10),
        "power (W)": np.repeat([3.0, 5.0], 10),
        "energy (J)": np.repeat([2.0, 4.0], 10),
    }
    series = made({"run": 1, "interval": np.arange(20)}, A=np.repeat([10.0, 900.0], 10), **columns)
    frame = segments_as_phases(SEGMENTATION.of(series, SegmentationParams(threshold=3)), series).frame
    assert frame["A"].tolist() == [100, 9000]
    assert frame["temperature_C"].tolist() == [40, 60]
    assert frame["power (W)"].tolist() == [3, 5]
    assert frame["energy (J)"].tolist() == [20, 40]


def test_phases_of_the_run_shown_where_the_others_were_not_asked_for() -> None:
    series = table()
    phases = segments_as_phases(one_run(series, params_of(trim_head=25, trim_tail=5)), series).frame
    assert phases["load"].tolist() == ["run 4"] * 2
    assert phases["intervals"].tolist() == [15, 15]
    assert phases["A"].iloc[1] == series.run("prog", 4).counts["A"].iloc[40:55].sum()


@pytest.mark.parametrize("name", ["program", "granularity", "load", "phase", "intervals"])
def test_an_event_that_has_the_name_of_a_column_is_told(name: str) -> None:
    series = made({"run": 1, "interval": np.arange(20)}, A=np.repeat([10.0, 900.0], 10), **{name: np.ones(20)})
    with pytest.raises(TableError, match=f"'{name}' appears more than once"):
        segments_as_phases(SEGMENTATION.of(series, SegmentationParams(threshold=3)), series)


def by_core() -> CounterSeries:
    """Two sockets of two cores for 30 intervals: core p counts (p + 1) times 100, 10 and 100 cycles, 10 intervals each, at 40 + p degrees;
    core 3 did not count the last interval."""
    core = np.repeat(np.arange(4), 30)
    intervals = pd.DataFrame(
        {"application": [f"a core {p}" for p in core], "run": 1, "interval": np.tile(np.arange(30), 4), "program": "a"}
    )
    intervals["socket"], intervals["core"] = (core // 2).astype(str), core.astype(str)
    cycles = np.tile(np.repeat([100.0, 10.0, 100.0], 10), 4) * (core + 1)
    cycles[-1] = NAN
    return CounterSeries(intervals=intervals, counts=pd.DataFrame({"cycles": cycles, "temp": 40.0 + core}), mode="OCOE")


def test_phases_carry_the_places_of_the_machine() -> None:
    series = by_core()
    found = {}
    for level, application in (("machine", "a"), ("core", "a core 3")):
        seen = at_level(series, level)
        phases = segments_as_phases(SEGMENTATION.of(seen, SegmentationParams(application=application, event="cycles", threshold=3)), seen)
        assert levels(phases) == ["machine", "socket", "core"]
        assert level_of_segments(phases) == level
        found[level] = phases
    phases = found["machine"]
    assert phases.programs == [f"a core {p}" for p in range(4)]
    assert phases.frame["intervals"].tolist() == [10, 10, 9] * 4  # in the last interval the machine's sum is not known
    assert phases.frame["cycles"].tolist() == [(p + 1) * count for p in range(4) for count in (1_000, 100, 900)]
    assert at_level(phases, "machine").frame["cycles"].tolist() == [10_000, 1_000, 9_000]
    assert at_level(phases, "socket").frame["cycles"].tolist() == [3_000, 300, 2_700, 7_000, 700, 6_300]
    assert at_level(phases, "socket").frame["temp"].tolist() == [40.5] * 3 + [42.5] * 3
    # Core 3's own phases are those of the other cores, too.
    assert at_level(found["core"], "machine").frame["cycles"].tolist() == [10_000, 1_000, 9_000]


def test_phases_are_of_the_places_of_their_own_program() -> None:
    series = by_core()
    other = {"application": series.intervals["application"].str.replace("a ", "b "), "program": "b"}
    intervals = pd.concat([series.intervals, series.intervals.assign(**other)], ignore_index=True)
    both = CounterSeries(intervals=intervals, counts=pd.concat([series.counts, series.counts * 7], ignore_index=True), mode="OCOE")
    seen = at_level(both, "machine")
    phases = segments_as_phases(SEGMENTATION.of(seen, SegmentationParams(application="a", event="cycles", threshold=3)), seen)
    assert phases.programs == [f"a core {p}" for p in range(4)]
    assert at_level(phases, "machine").frame["cycles"].tolist() == [10_000, 1_000, 9_000]


def test_a_task_that_did_not_run_counted_nothing_in_a_phase() -> None:
    """w-2 runs in the last 10 of 30 intervals; its first phases are blank, and the machine's are those of w-1."""
    task = np.repeat(["w-1", "w-2"], 30)
    intervals = pd.DataFrame({"application": task, "run": 1, "interval": np.tile(np.arange(30), 2), "program": "a", "thread": task})
    cycles = np.concatenate([np.repeat([100.0, 10.0, 100.0], 10), [NAN] * 25, [7.0] * 5])
    series = at_level(CounterSeries(intervals=intervals, counts=pd.DataFrame({"cycles": cycles}), mode="OCOE"), "machine")
    phases = segments_as_phases(SEGMENTATION.of(series, SegmentationParams(threshold=3)), series)
    np.testing.assert_array_equal(phases.frame["cycles"], [1_000, 100, 1_000, NAN, NAN, 35])
    assert at_level(phases, "machine").frame["cycles"].tolist() == [1_000, 100, 1_035]


def test_segments_become_the_stages_that_other_events_are_judged_by() -> None:
    series = table()
    kept = series_with_segments(SEGMENTATION.of(series, params_of()), series)
    assert kept.applications == ["prog"]
    assert kept.runs("prog") == [4, 2]
    assert (kept.mode, kept.interval_unit) == ("OCOE", "0.5 s")
    for run in (4, 2):
        part = kept.run("prog", run)
        # Intervals 0 and 59 of run 4 were not counted; nothing was trimmed there.
        assert part.intervals["stage"].tolist() == [f"segment {number}" for number in (1, 2, 3) for _ in range(20)]
        pd.testing.assert_frame_equal(part.counts, series.run("prog", run).counts)
    assert run_samples(kept, "prog", "B", 2).boundaries == (20, 40)
    again = at_threshold(kept, params_of())
    assert again.agreement["recall_true"].tolist() == [1, 1]


def test_trimmed_intervals_are_stages_of_their_own() -> None:
    series = table()
    kept = series_with_segments(SEGMENTATION.of(series, params_of(trim_head=6, trim_tail=4)), series)
    stage = kept.run("prog", 4).intervals["stage"].tolist()
    assert stage == ["trimmed"] * 6 + ["segment 1"] * 14 + ["segment 2"] * 20 + ["segment 3"] * 16 + ["trimmed"] * 4
    assert kept.run("prog", 4).counts["A"].isna().sum() == 5


def test_an_interval_without_a_count_belongs_to_the_segment_before_it() -> None:
    counts = np.array([NAN] + [10.0] * 5 + [NAN] * 3 + [900.0] * 10 + [NAN])
    series = made({"run": 1, "interval": np.arange(20)}, A=counts)
    kept = series_with_segments(SEGMENTATION.of(series, SegmentationParams(threshold=3)), series)
    assert kept.intervals["stage"].tolist() == ["segment 1"] * 9 + ["segment 2"] * 11


def test_shares_go_with_their_intervals() -> None:
    series = table()
    shares = pd.DataFrame(np.random.default_rng(0).uniform(0, 1, series.counts.shape), columns=series.events)
    with_shares = CounterSeries(intervals=series.intervals, counts=series.counts, mode="MPX", share=shares)
    kept = series_with_segments(SEGMENTATION.of(with_shares, params_of()), with_shares)
    assert kept.share is not None
    assert kept.mode == "MPX"
    pd.testing.assert_frame_equal(kept.share, shares.iloc[:120])
    alone = series_with_segments(one_run(with_shares, params_of(run=2)), with_shares)
    assert alone.share is not None
    pd.testing.assert_frame_equal(alone.share, shares.iloc[60:120].reset_index(drop=True))


def test_the_series_stays_as_it_was() -> None:
    series = table()
    series_with_segments(SEGMENTATION.of(series, params_of()), series)
    pd.testing.assert_frame_equal(series.intervals, table().intervals)
    pd.testing.assert_frame_equal(series.counts, table().counts)


def test_an_automatic_minimum_length_in_the_json_is_that_of_the_longest_run() -> None:
    # std: a quarter of the 20 intervals of run 1 is 5, run 2 with 60 intervals has the full 10.
    counts = np.concatenate([np.tile([1.0, 9.0], 10), np.tile([1.0, 9.0], 30)])
    series = made({"run": np.repeat([1, 2], [20, 60]), "interval": np.concatenate([np.arange(20), np.arange(60)])}, A=counts)
    found = at_threshold(series, SegmentationParams(statistic="std", threshold=50.0))
    assert [each.segmentation.min_distance for each in found.runs] == [5, 10]
    assert json.loads(segments_json(found))["parameters"]["min_distance"] == 10
