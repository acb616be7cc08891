"""The Segmentation page: empty state, the threshold slider, every tab, links, jobs, downloads, and series that are hard to segment."""

import io
import json
import re
import runpy
from functools import cache

import numpy as np
import pandas as pd
import pytest

from hemcore import jobs
from hemcore.analysis import Analysis
from hemcore.datasets import CounterSeries
from hemcore.datasets.shelf import samples
from hemcore.segmentation import SegmentationParams, analysis, segment
from hemcore.segmentation.event_runs import run_samples
from hemcore.segmentation.results import EventThresholds
from hemcore.web import ask, frame
from hemcore.web.actions import downloads

OCOE = "Request server and 8 others, every event counted · sample"
MPX = "Request server and 8 others, one slot in four counted · sample"
SYNTHETIC = "Synthetic processor, a program in four phases · sample"
SEVERAL = "Several events"
TOGETHER = "All events together"
TABS = ["Segments", "Threshold path", SEVERAL, TOGETHER, "All runs", "All events", "Other searches"]
CHOSEN = {"application": "sensor_control", "event": "Dr"}
COLUMNS = ["application", "event", "run", "segment", "start", "stop", "unit", "n_samples", "mean", "std", "rms", "min", "max"]
PATIENCE_S = 120


pytestmark = [pytest.mark.usefixtures("no_jobs", "workers"), pytest.mark.detail]


def as_jobs(monkeypatch, *names: str) -> None:
    """Of the room's analyses these alone take long."""
    monkeypatch.setattr(Analysis, "is_long", lambda self, table, params: self.name.removeprefix("segmentation.") in names)


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> dict:
    """What the page last handed to its downloads."""
    handed: dict = {}
    draw = downloads.popover

    def popover(page, question, dataset, picture, figures) -> None:
        asked = question.about(question.analysis.table_from)
        handed["name"], handed["figure"] = downloads.file_name(question, dataset), next(iter(figures), None)
        handed["table"] = lambda: asked.analysis.table_of(ask.at_hand(asked))
        handed["json"] = lambda: asked.analysis.json(ask.at_hand(asked))
        draw(page, question, dataset, picture, figures)

    monkeypatch.setattr(frame.downloads, "popover", popover)
    return handed


def opened(workbench, label: str = OCOE, **query: str):
    """The page on a dataset; on the sample, at the application and event that its one click shows."""
    return workbench.open("segmentation", {"dataset": label, **(CHOSEN if label in (OCOE, MPX) else {}), **query})


def tab(workbench, at, label: str):
    """The tab of this label, opened."""
    return workbench.in_tab(at, label)


def segments_of(workbench, at) -> pd.DataFrame:
    """The table under the curve."""
    shown = workbench.in_tab(at, "Segments")
    return (shown if shown.dataframe else tab(workbench, at, "Segments")).dataframe[0].value


def field_of(at, key: str):
    """The slider, or the box of a number, of this key."""
    return next(each for kind in (at.slider, at.select_slider, at.number_input) for each in kind if each.key == f"segmentation.{key}")


def move(workbench, at, threshold: float):
    field_of(at, "threshold").set_value(threshold)
    return workbench.run(at)


def pick(workbench, at, key: str, value: object):
    at.selectbox(key=f"segmentation.{key}").select(value)
    return workbench.run(at)


def put(workbench, at, **numbers: int):
    """Sliders moved, then the page run."""
    for key, value in numbers.items():
        field_of(at, key).set_value(value)
    return workbench.run(at)


def profiled(workbench, at):
    """The tab All events with its table."""
    tab(workbench, at, "All events")
    return workbench.run(workbench.settled(at))


def refused(*args: object, **kwargs: object) -> None:
    raise AssertionError("searched again")


def click(at, element, selection: dict) -> None:
    """What a click in a chart or a table sends, and the run that it causes."""
    states = at._tree.get_widget_states()
    states.widgets.add(id=element.proto.id, string_value=json.dumps({"selection": selection}))
    at._run(states)
    assert not at.exception, [f"{each.message}\n{each.stack_trace}" for each in at.exception]


def captions(block) -> str:
    """The captions, and what stands under the figures."""
    return "\n".join([*(each.value for each in block.caption), *(each.delta for each in block.metric)])


def only_a_sentence(workbench, at) -> str:
    """The one error box; nothing of a result is shown under it."""
    (told,) = workbench.sentences(at)
    assert told.endswith((".", "?"))
    assert not at.tabs
    assert not at.metric
    return told


def threshold_of(at) -> float:
    return field_of(at, "threshold").value


@cache
def ocoe() -> CounterSeries:
    """The sample, read once: nobody changes it."""
    return samples.load("series-ocoe")


def counts_of(event: str = "Dr", run: int = 1, application: str = "sensor_control") -> np.ndarray:
    return run_samples(ocoe(), application, event, run).counts


@cache
def thresholds_of(event: str = "Dr", **search) -> EventThresholds:
    return analysis.thresholds(ocoe(), SegmentationParams(application="sensor_control", event=event, **search))


def stored(workbench, csv_of, columns: list[tuple[str, object]], name: str = "mine.csv") -> str:
    """The label of a series of these columns, one an event, times in s where there are none."""
    n = len(next(values for _, values in columns))
    timed = columns if columns[0][0] == "time" else [("time", np.arange(1, n + 1) * 0.5), *columns]
    return workbench.stored((name, csv_of(timed))).label


def levels(seed: int = 3) -> np.ndarray:
    """Whole counts at three levels, 30 intervals each."""
    return np.rint(np.repeat([1000, 9000, 3000], 30) * np.random.default_rng(seed).uniform(0.97, 1.03, 90))


# The empty state.


def test_empty_state_offers_the_sample_and_uploading(workbench) -> None:
    at = workbench.open("segmentation")
    assert not at.error
    assert not at.tabs
    assert [each.label for each in at.button] == [samples.title("series-ocoe")]
    assert [link.proto.page for link in at.page_link] == ["data"]


def test_one_click_opens_the_sample_where_it_shows_its_phases(workbench) -> None:
    at = workbench.open("segmentation")
    at.button(key="segmentation.start-series-ocoe").click()
    workbench.run(at)
    assert not at.error
    assert at.selectbox(key="segmentation.dataset").value == OCOE
    chosen = {"application": "request_server_day", "event": "Dr"}
    assert {key: at.selectbox(key=f"segmentation.{key}").value for key in chosen} == chosen
    assert workbench.metrics(at)["True boundaries"] == "6 of 6"
    assert workbench.tabs(at) == TABS


def test_only_counter_series_can_be_chosen(workbench, csv_of, readings) -> None:
    workbench.stored(("merge.csv", csv_of(readings(["A", "B"]))))
    label = stored(workbench, csv_of, [("cycles", levels())])
    assert workbench.open("segmentation").selectbox(key="segmentation.dataset").options == [label, OCOE, MPX, SYNTHETIC]


# The headline.


@pytest.mark.slow
def test_the_headline_is_what_hemcore_finds(workbench) -> None:
    at = opened(workbench)
    table, optimal = ocoe(), thresholds_of().optimal
    found = analysis.at_threshold(table, SegmentationParams(**CHOSEN, threshold=optimal.threshold))
    own = segment(counts_of(), optimal.threshold)
    metrics = workbench.metrics(at)
    assert list(metrics) == ["Segments", "Threshold", "Variation explained", "Agreement of runs", "True boundaries"]
    assert metrics["Segments"] == f"{own.n_change_points + 1}"
    assert metrics["Threshold"] == f"{optimal.threshold}"
    assert metrics["Variation explained"] == f"{own.explained:.0%}"
    assert metrics["Agreement of runs"] == f"{found.agreement['in_order'].iloc[1:].median():.0%}"
    notes = workbench.read(captions(at))
    assert f"{own.n_change_points} change points, within 2 to 20" in notes
    assert f"residual error {own.residual:,.0f}" in notes
    assert f"CoV over 60 runs {found.residual_cov_percent:.2g}%" in notes
    assert "Algorithm 1's" in notes
    assert "precision 100%; median run 100%, 100%" in notes


def test_the_headline_says_when_the_change_points_are_outside_the_bounds(workbench) -> None:
    at = put(workbench, opened(workbench), min_change_points=10)
    assert "9 change points, outside 10 to 20" in captions(at)
    at = put(workbench, at, min_change_points=0, max_change_points=8)
    assert "9 change points, outside 0 to 8" in captions(at)


def test_the_tolerance_is_that_of_the_true_boundaries(workbench) -> None:
    at = opened(workbench, tolerance="0")
    path = analysis.path(ocoe(), SegmentationParams(**CHOSEN, run=1))
    truth = path.at(thresholds_of().optimal.threshold).truth(0)
    assert truth is not None
    assert workbench.metrics(at)["True boundaries"] == f"{round(truth.recall * truth.n_true)} of {truth.n_true}"


# The slider.


def test_the_slider_stands_at_the_optimal_threshold(workbench) -> None:
    at = opened(workbench)
    optimal = thresholds_of().optimal.threshold
    slider = field_of(at, "threshold")
    assert (slider.options[0], slider.options[-1], slider.value) == ("1", "100", optimal)
    assert at.button(key="segmentation.to_optimal").disabled
    assert at.button(key="segmentation.to_optimal").label == f"Algorithm 1: {optimal}"


@pytest.mark.slow
def test_moving_the_slider_shows_what_segment_finds(workbench) -> None:
    at = opened(workbench)
    for threshold in (1.0, 3.5, 10.0, 48.0, 100.0):
        move(workbench, at, threshold)
        own = segment(counts_of(), threshold)
        shown = segments_of(workbench, at)
        assert shown["start"].tolist() == [0, *own.change_points]
        assert shown["stop"].tolist() == [*own.change_points, own.n_samples]
        np.testing.assert_allclose(shown[["mean", "std", "rms", "min", "max"]], own.models[:, 3:], atol=1)
        assert workbench.metrics(at)["Segments"] == f"{own.n_change_points + 1:,}"
        assert f"threshold={threshold}" in workbench.snippet(at)


@pytest.mark.slow
def test_the_slider_reads_from_the_path_and_searches_it_no_more(workbench, nothing_known, monkeypatch) -> None:
    at = opened(workbench)
    for name in ("threshold_path", "optimal_threshold"):
        monkeypatch.setattr(analysis, name, refused)
    for threshold in (5.0, 20.0):
        assert threshold_of(move(workbench, at, threshold)) == threshold


def test_the_button_goes_back_to_the_optimal_threshold(workbench) -> None:
    at = move(workbench, opened(workbench), 30.0)
    assert "Algorithm 1's: 2" in workbench.read(captions(at))
    assert not at.button(key="segmentation.to_optimal").disabled
    at.button(key="segmentation.to_optimal").click()
    workbench.run(at)
    assert threshold_of(at) == thresholds_of().optimal.threshold
    assert workbench.metrics(at)["True boundaries"] == "9 of 9"
    assert at.button(key="segmentation.to_optimal").disabled


@pytest.mark.slow
@pytest.mark.parametrize(("key", "value"), [("event", "Bc"), ("application", "log_pipeline")])
def test_another_series_starts_at_its_own_optimal_threshold(workbench, key, value) -> None:
    table = ocoe()
    value = value if key == "event" else next(each for each in table.applications if each != "sensor_control")
    at = pick(workbench, move(workbench, opened(workbench), 30.0), key, value)
    optimal = analysis.thresholds(table, SegmentationParams(**CHOSEN | {key: value})).optimal.threshold
    assert threshold_of(at) == optimal
    assert f"Algorithm 1: {optimal}" in [each.label for each in at.button]


def test_another_run_keeps_the_threshold(workbench) -> None:
    at = pick(workbench, move(workbench, opened(workbench), 30.0), "run", 5)
    assert threshold_of(at) == 30
    own = segment(counts_of(run=5), 30.0)
    assert segments_of(workbench, at)["start"].tolist() == [0, *own.change_points]


def test_another_search_starts_at_its_own_optimal_threshold(workbench) -> None:
    at = put(workbench, move(workbench, opened(workbench), 30.0), min_distance=6)
    assert threshold_of(at) == thresholds_of(min_distance=6).optimal.threshold


@pytest.mark.slow
def test_going_over_to_the_other_sample_starts_anew(workbench) -> None:
    at = pick(workbench, move(workbench, opened(workbench), 30.0), "run", 5)
    at = pick(workbench, at, "dataset", MPX)
    assert not at.error
    assert at.selectbox(key="segmentation.run").value in samples.load("series-mpx").runs("sensor_control")
    assert f"Algorithm 1: {threshold_of(at):g}" in [each.label for each in at.button]
    at = pick(workbench, at, "dataset", OCOE)
    assert threshold_of(at) == thresholds_of().optimal.threshold


def test_bounds_and_tolerance_keep_the_threshold(workbench) -> None:
    at = put(workbench, move(workbench, opened(workbench), 30.0), min_change_points=1, max_change_points=50, tolerance=4)
    assert threshold_of(at) == 30


def test_a_largest_threshold_below_the_chosen_one_goes_to_the_optimal(workbench) -> None:
    at = put(workbench, move(workbench, opened(workbench), 60.0), max_threshold=50.0)
    assert field_of(at, "threshold").options[-1] == "50"
    assert threshold_of(at) == thresholds_of(max_threshold=50).optimal.threshold


# Links.


def test_a_link_carries_what_is_shown(workbench) -> None:
    given = {
        "run": "4",
        "threshold": "12.5",
        "tolerance": "3",
        "statistic": "std",
        "min_distance": "5",
        "max_threshold": "70",
        "trim_head": "2",
        "trim_tail": "1",
        "early_exit": "true",
        "min_change_points": "1",
        "max_change_points": "9",
        "view": "All runs",
    }
    at = opened(workbench, **given)
    wanted = SegmentationParams(
        **CHOSEN,
        run=4,
        threshold=12.5,
        tolerance=3,
        statistic="std",
        min_distance=5,
        max_threshold=70,
        trim_head=2,
        trim_tail=1,
        early_exit=True,
        min_change_points=1,
        max_change_points=9,
    )
    snippet = workbench.snippet(at)
    of_all_events = {"joint_penalty", "joint_bursts"}  # another question's
    missing = {name for name, value in wanted.model_dump().items() if f"{name}={value!r}" not in snippet}
    assert missing == of_all_events
    assert at.selectbox(key="segmentation.run").value == 4
    assert (field_of(at, "min_change_points").value, field_of(at, "max_change_points").value) == (1, 9)
    assert len(workbench.pictures(workbench.in_tab(at, "All runs"))) == 1
    own = segment(counts_of(run=4)[2:-1], 12.5, statistic="std", min_distance=5, early_exit=True)
    assert workbench.metrics(at)["Segments"] == f"{own.n_change_points + 1}"


@pytest.mark.parametrize("threshold", ["0", "-3", "1e9", "nan", "inf", "many", ""])
def test_a_threshold_out_of_bounds_in_a_link_does_no_harm(workbench, threshold) -> None:
    at = opened(workbench, threshold=threshold)
    assert not at.error
    assert 1 <= threshold_of(at) <= 100
    assert workbench.tabs(at) == TABS


def test_a_link_out_of_bounds_still_opens(workbench) -> None:
    nonsense = {"run": "99999", "min_distance": "-4", "statistic": "other", "max_threshold": "1e99", "tolerance": "x", "trim_head": "-1"}
    at = opened(workbench, **nonsense, view="Nothing", early_exit="perhaps", min_change_points="-9")
    assert workbench.metrics(at)["Segments"]


@pytest.mark.slow
@pytest.mark.parametrize("lost", [{"application": "gone"}, {"event": "gone"}, {"application": "<b>x</b>", "event": "$x$"}])
def test_a_link_to_an_application_or_event_that_is_not_there_opens_another(workbench, lost) -> None:
    at = opened(workbench, **lost)
    assert at.selectbox(key="segmentation.application").value in ocoe().applications
    assert workbench.tabs(at) == TABS


def test_a_link_to_a_dataset_that_is_not_there(workbench) -> None:
    at = opened(workbench, "Lost · 12345678")
    assert "Lost · 12345678" in only_a_sentence(workbench, at)
    assert at.button(key="segmentation.start-series-ocoe")  # the way on is still offered


def test_a_link_to_a_dataset_of_another_kind(workbench) -> None:
    assert "it holds signatures. Choose another." in only_a_sentence(
        workbench, opened(workbench, f"{samples.title('signatures')} · sample")
    )


def test_the_dataset_is_deleted_in_another_tab(workbench, second_store, csv_of) -> None:
    label = stored(workbench, csv_of, [("cycles", levels())])
    at = opened(workbench, label)
    assert at.metric
    second_store.delete(workbench.records[0].id)
    workbench.run(at)
    assert not at.metric


# Tabs.


@pytest.mark.slow
@pytest.mark.parametrize("label", TABS)
def test_only_the_open_tab_is_drawn(workbench, label) -> None:
    at = opened(workbench, view=label)
    assert not at.error
    drawn = {each.label: len(list(each)) > 1 for each in at.tabs}
    assert drawn == {each: each == label for each in TABS}


def test_the_first_tab_is_open_at_first_and_another_one_opens(workbench) -> None:
    at = opened(workbench)
    for label in [TABS[0], *TABS[1:]]:
        assert len(list(tab(workbench, at, label))) > 1


def test_the_threshold_path_says_how_to_use_it(workbench) -> None:
    path = tab(workbench, opened(workbench), "Threshold path")
    assert len(workbench.pictures(path)) == 1
    assert "Click a point to choose its threshold" in captions(path)


@pytest.mark.parametrize("value", [7.0711, [7.0711]], ids=["number", "list"])
def test_a_click_on_the_path_chooses_its_threshold(workbench, value) -> None:
    at = opened(workbench, view="Threshold path")
    figure = workbench.pictures(workbench.in_tab(at, "Threshold path"))[0]
    workbench.pick(at, figure, value)
    assert threshold_of(at) == 7.071
    assert "threshold=7.071," in workbench.snippet(at)


def test_runs_whose_primary_threshold_is_not_settled_are_told(workbench) -> None:
    settled = thresholds_of(max_threshold=2).optimal.per_run["settled"]
    path = tab(workbench, opened(workbench, max_threshold="2"), "Threshold path")
    told = f"For {int((~settled).sum())} of {len(settled)} runs" in captions(path)
    assert told == (not settled.all())


def test_all_runs_are_compared_with_the_first(workbench) -> None:
    shown = tab(workbench, opened(workbench, threshold="10"), "All runs")
    found = analysis.at_threshold(ocoe(), SegmentationParams(**CHOSEN, threshold=10.0))
    assert len(workbench.pictures(shown)) == 1
    # Shares have one decimal of a percentage.
    pd.testing.assert_frame_equal(shown.dataframe[0].value, found.agreement, check_dtype=False, rtol=1e-3, atol=0.0006)
    assert {"covering_true", "precision_true", "recall_true"} <= set(found.agreement)
    assert "true boundaries" in captions(shown)


def test_other_searches_stand_beside_ours(workbench) -> None:
    shown = tab(workbench, opened(workbench), "Other searches")
    assert len(workbench.pictures(shown)) == 1
    table = shown.dataframe[0].value
    threshold = float(thresholds_of().optimal.threshold)
    wanted = analysis.peers(ocoe(), SegmentationParams(**CHOSEN, threshold=threshold, run=1))
    same = ["search", "asks_for", "n_change_points", "objective", "covering", "f1", "covering_true"]
    # Shares have one decimal of a percentage, objectives two.
    pd.testing.assert_frame_equal(table[same], wanted[same], check_dtype=False, rtol=1e-6, atol=0.0006)
    assert table["objective"].iloc[0] == pytest.approx(table["objective"].min())
    assert "change_points" not in table


def test_other_searches_without_a_truth_leave_its_columns_out(workbench, csv_of) -> None:
    label = stored(workbench, csv_of, [("cycles", levels())])
    table = tab(workbench, opened(workbench, label), "Other searches").dataframe[0].value
    assert not {"covering_true", "f1_true"} & set(table)
    assert table["n_change_points"].iloc[0] == 2


@pytest.mark.slow
def test_other_searches_keep_the_statistic_of_the_page(workbench) -> None:
    shown = tab(workbench, opened(workbench, statistic="mean", min_distance="1"), "Other searches")
    assert "Pelt, Binseg and Window use the statistic mean, as the page does" in workbench.read(captions(shown))


@pytest.mark.slow
def test_other_searches_on_a_long_run_are_a_job_that_opening_their_tab_starts(workbench, monkeypatch) -> None:
    as_jobs(monkeypatch, "peers")
    at = opened(workbench)
    assert jobs.jobs() == []
    assert not tab(workbench, at, "Other searches").dataframe
    assert len(jobs.jobs()) == 1
    at = workbench.settled(at)
    assert len(workbench.in_tab(at, "Other searches").dataframe[0].value) == 10


# All events.


@pytest.mark.long
@pytest.mark.slow
def test_all_events_are_profiled_and_bounds_move_them_in_and_out(workbench, monkeypatch) -> None:
    at = profiled(workbench, opened(workbench))
    wanted = analysis.PROFILE.of(ocoe(), SegmentationParams(application="sensor_control"))
    # Those that find most stand first, kept or not.
    shown = at.dataframe(key="segmentation.profile-table").value
    same = wanted.set_index("event").loc[shown["event"]].reset_index()[list(wanted)]
    pd.testing.assert_frame_equal(shown[list(wanted)], same, check_dtype=False, rtol=1e-3, atol=0.0006)
    assert shown["event"].tolist() == wanted["event"].tolist()

    # Bounds are applied to what was measured: nothing is searched again.
    with monkeypatch.context() as patch:
        for name in ("threshold_path", "optimal_threshold"):
            patch.setattr(analysis, name, refused)
        at = put(workbench, at, min_change_points=0, max_change_points=100)
        assert at.dataframe(key="segmentation.profile-table").value["kept"].all()
        assert "13 of 13 events" in captions(workbench.in_tab(at, "All events"))
        at = put(workbench, at, min_change_points=100)
        assert not at.dataframe(key="segmentation.profile-table").value["kept"].any()
        at = put(workbench, at, min_change_points=5, max_change_points=15)
        table = at.dataframe(key="segmentation.profile-table").value
        inside = table["n_segments"].between(6, 16)
        assert table["kept"].tolist() == inside.tolist()
        assert 0 < inside.sum() < 13

    # A click opens the event of that row of the table on the screen, at its optimal threshold, with its curve.
    event = table["event"].iloc[-1]
    assert event != at.selectbox(key="segmentation.event").value
    click(at, at.dataframe(key="segmentation.profile-table"), {"rows": [len(table) - 1], "columns": [], "cells": []})
    assert at.selectbox(key="segmentation.event").value == event
    assert threshold_of(at) == table["optimal_threshold"].iloc[-1]
    assert dict(at.query_params)["segmentation.event"] in (event, [event])
    assert len(workbench.pictures(workbench.in_tab(at, "Segments"))) == 1

    # No event is kept: all are told as left out, no traceback.
    tab(workbench, at, "All events")
    at = put(workbench, at, max_change_points=100, min_change_points=100)
    assert not at.dataframe(key="segmentation.profile-table").value["kept"].any()
    assert "0 of 13 events" in captions(workbench.in_tab(at, "All events"))

    # Another search is another profile.
    at = put(workbench, at, min_distance=4, min_change_points=2, max_change_points=20)
    other = analysis.PROFILE.of(ocoe(), SegmentationParams(application="sensor_control", min_distance=4))
    again = workbench.run(workbench.settled(at)).dataframe(key="segmentation.profile-table").value
    assert sorted(again["n_segments"]) == sorted(other["n_segments"])


# Bounds and search.


def test_fewest_above_most_is_told(workbench) -> None:
    told = only_a_sentence(workbench, put(workbench, opened(workbench), min_change_points=30))
    assert "30" in told
    assert "above the maximum, 20" in told


@pytest.mark.parametrize("statistic", ["rms", "std"])
def test_a_least_segment_of_one_is_told_where_the_statistic_needs_two(workbench, statistic) -> None:
    told = only_a_sentence(workbench, opened(workbench, statistic=statistic, min_distance="1"))
    assert f"1 is too short for {statistic}" in told


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("statistic", ["std", "mean"])
def test_each_tab_with_each_statistic(workbench, statistic) -> None:
    at = opened(workbench, statistic=statistic)
    for label in TABS:
        assert len(list(tab(workbench, at, label))) > 1
        assert not at.error


@pytest.mark.slow
def test_std_has_a_least_segment_that_suits_it_unless_one_is_chosen(workbench) -> None:
    at = opened(workbench, statistic="std", threshold="5")
    assert segments_of(workbench, at)["n_samples"].min() >= 10
    assert "at least 10 intervals each" in captions(at)
    field = field_of(at, "min_distance")
    assert (field.value, field.proto.placeholder) == (None, "automatic: 10 for std")
    assert threshold_of(at) == 5
    # An old link that asks for 2 is held to, and so is who types it.
    for chosen in (opened(workbench, statistic="std", threshold="5", min_distance="2"), put(workbench, at, min_distance=2)):
        assert segments_of(workbench, chosen)["n_samples"].min() < 10
        assert "at least" not in captions(chosen)
    assert thresholds_of(statistic="std").optimal.min_distance == 10


@pytest.mark.parametrize("back", ["Undo", "Defaults"])
def test_a_least_segment_goes_back_to_automatic(workbench, back) -> None:
    at = put(workbench, opened(workbench), min_distance=40)
    shortest = segments_of(workbench, at)["n_samples"].min()
    assert shortest >= 40
    next(each for each in at.button if each.label == back).click()
    at = workbench.run(at)
    assert field_of(at, "min_distance").value is None
    assert segments_of(workbench, at)["n_samples"].min() < 40


def test_mean_is_searched_in_units_of_the_run_and_described_in_counts(workbench) -> None:
    at = opened(workbench, statistic="mean", min_distance="1", threshold="5")
    counts = counts_of()
    own = segment(counts / counts.std(), 5.0, statistic="mean", min_distance=1)
    shown = segments_of(workbench, at)
    assert shown["start"].tolist() == [0, *own.change_points]
    assert shown["mean"].tolist() == pytest.approx([part.mean() for part in np.split(counts, own.change_points)], abs=1)


def headline(workbench, at) -> str:
    """The verdict: the first text of the page in bold after an icon."""
    return next(workbench.read(each.value) for each in at.markdown if each.value.startswith(":material/") and "**" in each.value)


def test_over_the_joint_picture_verdict_and_figures_are_those_of_all_events(workbench, csv_of) -> None:
    """Two events change twice; the chosen one, which does not, would be red above their good picture."""
    random = np.random.default_rng(0)
    changing = [np.repeat([100, 900, 300], 40) + random.integers(-9, 9, 120) for _ in range(2)]
    columns = [("cycles", changing[0]), ("loads", changing[1] * 3), ("flat", random.integers(95, 105, 120))]
    label = stored(workbench, csv_of, columns)
    at = opened(workbench, label, event="flat", threshold="90")
    assert "flat shows no phases" in headline(workbench, at)
    assert "Penalty" not in workbench.metrics(at)
    workbench.in_tab(at, TOGETHER)
    at = workbench.settled(at)
    assert "3 events together show 3 phases" in headline(workbench, at)
    assert "flat shows" not in headline(workbench, at)
    assert "Penalty" in workbench.metrics(at)
    by_link = workbench.settled(opened(workbench, label, event="flat", threshold="90", view=TOGETHER))
    assert "3 events together show 3 phases" in headline(workbench, by_link)
    assert "flat shows" not in headline(workbench, by_link)
    workbench.in_tab(at, "Segments")
    assert "flat shows no phases" in headline(workbench, at)


def test_early_exit_is_that_of_segment(workbench, csv_of) -> None:
    """Two change points together pay here; the best single one does not."""
    bump = np.repeat([1000, 9000, 1000], [40, 10, 40])
    assert segment(bump, 70.0).change_points == (40, 50)
    assert segment(bump, 70.0, early_exit=True).change_points == ()
    at = opened(workbench, stored(workbench, csv_of, [("cycles", bump)]), threshold="70")
    assert segments_of(workbench, at)["start"].tolist() == [0, 40, 50]
    at.toggle(key="segmentation.early_exit").set_value(True)
    move(workbench, workbench.run(at), 70.0)
    assert segments_of(workbench, at)["start"].tolist() == [0]


def test_trims_shift_the_start_and_are_told(workbench) -> None:
    at = opened(workbench, trim_head="25", trim_tail="10", threshold="2")
    counts = counts_of()
    own = segment(counts[25:-10], 2.0)
    shown = segments_of(workbench, at)
    assert shown["start"].tolist() == [25, *(25 + point for point in own.change_points)]
    assert shown["stop"].iloc[-1] == len(counts) - 10
    assert "25 at the head, 10 at the tail" in captions(at)


@pytest.mark.parametrize("trims", [{"trim_head": "470", "trim_tail": "100"}, {"trim_head": "300", "trim_tail": "300"}])
def test_trims_that_leave_nothing_are_told(workbench, trims) -> None:
    assert "'Dr'" in only_a_sentence(workbench, opened(workbench, **trims))


def test_trims_that_leave_less_than_a_run_are_told_or_shown(workbench, csv_of) -> None:
    """Run 2 is shorter than the trims: it is left out of all runs, and told when it is chosen."""
    columns = [("run", [1] * 90 + [2] * 5), ("interval", [*range(90), *range(5)]), ("cycles", [*levels(), *[7] * 5])]
    label = workbench.stored(("runs.csv", csv_of(columns))).label
    at = opened(workbench, label, trim_head="10")
    assert not at.error
    told = only_a_sentence(workbench, pick(workbench, at, "run", 2))
    assert "run" in told


def test_the_least_segment_longer_than_the_run_gives_one_segment(workbench) -> None:
    at = opened(workbench, min_distance="100", trim_head="300")
    assert workbench.metrics(at)["Segments"] == "1"


@pytest.mark.parametrize("key", ["trim_head", "min_distance", "max_threshold", "tolerance", "min_change_points", "max_change_points"])
def test_the_number_fields_are_the_models(workbench, key) -> None:
    field, widget = SegmentationParams.model_fields[key], field_of(opened(workbench), key)
    assert widget.label.startswith(field.title)
    assert widget.help.startswith(field.description)
    assert widget.value == field.default


# Uploads.

PERF_LEVELS = np.rint(np.repeat([2000, 60_000, 9000], 20) * np.random.default_rng(4).uniform(0.95, 1.05, 60)).astype(int)
PERF_LOST = (11, 47)


def perf_text() -> bytes:
    """What perf stat -I 500 -x, -e task-clock,page-faults writes, two intervals of page-faults not counted."""
    lines = []
    for number, faults in enumerate(PERF_LEVELS):
        time = f"{(number + 1) * 0.5 + 0.00012:>16.9f}"
        lines.append(f"{time},{498.21 + number % 3:.2f},msec,task-clock,498210000,100.00,0.996,CPUs utilized")
        value, running = ("<not counted>", "0") if number in PERF_LOST else (faults, "498210000")
        lines.append(f"{time},{value},,page-faults,{running},100.00,,")
    return ("\n".join(lines) + "\n").encode()


@pytest.mark.slow
def test_perf_stat_intervals_go_from_the_data_page_to_their_segments(workbench) -> None:
    at = workbench.upload(("build.csv", perf_text()))
    assert not at.error
    (link,) = (each for each in at.page_link if each.proto.page == "segmentation")
    at = workbench.open("segmentation", {**workbench.query_of(link), "event": "page-faults"})
    assert not at.error
    assert at.selectbox(key="segmentation.application").value == "build"
    metrics = workbench.metrics(at)
    assert metrics["Samples"] == "58"
    assert metrics["Segments"] == "3"
    assert metrics["Agreement of runs"] == "–"
    notes = captions(at)
    assert "2 intervals that were not counted" in notes
    assert "one run only" in notes
    shown = segments_of(workbench, at)
    assert shown["start"].tolist() == [0, 20, 40]
    assert shown["n_samples"].tolist() == [19, 20, 19]
    assert shown["start_s"].tolist() == pytest.approx([0, 10, 20], abs=0.01)
    chart = workbench.spec(workbench.pictures(workbench.in_tab(at, "Segments"))[0])
    assert "time in the run, s" in json.dumps(chart)
    for label in TABS:
        assert len(list(tab(workbench, at, label))) > 1


@pytest.mark.slow
def test_multiplexed_series_say_what_was_not_counted(workbench) -> None:
    at = opened(workbench, MPX)
    table = samples.load("series-mpx")
    run = table.runs("sensor_control")[0]
    part = run_samples(table, "sensor_control", "Dr", run)
    assert part.not_counted > len(part.counts)
    assert f"{part.not_counted:,} intervals that were not counted" in captions(workbench.in_tab(at, "Segments"))
    shown = segments_of(workbench, at)
    assert shown["n_samples"].sum() == len(part.counts)
    assert shown["stop"].iloc[-1] <= part.n_intervals
    for label in TABS:
        assert len(list(tab(workbench, at, label))) > 1
        assert not at.error


def test_an_event_that_no_run_of_the_application_counted_is_not_offered(workbench, csv_of) -> None:
    columns = [
        ("application", ["a"] * 20 + ["b"] * 20),
        ("interval", [*range(20)] * 2),
        ("cycles", [5, 9] * 20),
        ("faults", [""] * 20 + [5] * 20),
    ]
    label = workbench.stored(("two.csv", csv_of(columns))).label
    at = opened(workbench, label, event="faults")
    assert at.selectbox(key="segmentation.event").options == ["cycles"]
    at = pick(workbench, at, "application", "b")
    assert at.selectbox(key="segmentation.event").options == ["cycles", "faults"]
    assert not at.error


HARD = {
    "two intervals": [7, 8],
    "three intervals": [7, 8, 1],
    "zeros": [0] * 40,
    "constant": [5000] * 40,
    "one counted": [5, *[""] * 39],
    "one counted, last": [*[""] * 39, 5],
    "one spike": [*[0] * 20, 10**9, *[0] * 20],
    "huge": [2.0**53, 2.0**52, 1.0, 0.0] * 10,
    "not whole": [0.1, 0.2, 0.4] * 10,
    "beyond": [1e30, 1e-300, 1e30, 1e-300] * 5,
}


@pytest.mark.sweep(of=3)
@pytest.mark.slow
@pytest.mark.parametrize("case", HARD)
def test_hard_series_give_a_sentence_or_segments(workbench, csv_of, case) -> None:
    label = stored(workbench, csv_of, [("cycles", HARD[case])])
    at = opened(workbench, label)
    for statistic in ("std", "mean", "rms"):
        at.get_by_key("segmentation.statistic").set_value(statistic)
        workbench.run(at)
        if at.error:
            only_a_sentence(workbench, at)
            continue
        table = segments_of(workbench, at)
        assert table["n_samples"].sum() == sum(value != "" for value in HARD[case])
        assert workbench.metrics(at)["Segments"] == f"{len(table)}"


@pytest.mark.slow
@pytest.mark.parametrize("case", ["three intervals", "zeros", "one counted", "huge"])
def test_each_tab_of_hard_series(workbench, csv_of, case) -> None:
    label = stored(workbench, csv_of, [("cycles", HARD[case])])
    at = opened(workbench, label, statistic="mean", min_distance="1")
    assert workbench.metrics(at)
    for label in (each for each in TABS if each not in (SEVERAL, TOGETHER)):
        shown = tab(workbench, at, label)
        assert len(list(shown)) > 1
        # ruptures has bounds of its own.
        assert all(label == "Other searches" and told.endswith(".") for told in workbench.sentences(at))


NAMES = ["<img src=x onerror=alert(1)>", "*bold* _it_ $x$ :red[y]", "=cmd()", "a\\b`c`", "E" * 400, "über 🙂"]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_names_of_events_and_applications_are_text(workbench, csv_of, name) -> None:
    columns = [
        ("application", [name] * 90),
        ("stage", [name] * 45 + ["b"] * 45),
        ("interval", range(90)),
        (name, levels()),
        ("other", levels(9)),
    ]
    label = workbench.stored(("named.csv", csv_of(columns)), name=name[:100]).label
    at = opened(workbench, label, event=name)
    assert not at.error
    assert at.selectbox(key="segmentation.application").value == name
    for label in TABS if name in NAMES[:2] else TABS[:1]:
        shown = tab(workbench, at, label)
        words = [each.value for each in (*at.caption, *at.markdown, *at.button) if isinstance(each.value, str)]
        assert [each for each in words if re.search(r"(?<!\\)(<img|\*bold|\$x|:red\[)", each)] == []
        for chart in workbench.pictures(shown):
            spec = workbench.spec(chart)["figure"]
            spec["layout"].pop("uirevision", None)  # a key that is never shown
            assert "<img" not in json.dumps(spec)


@pytest.mark.slow
def test_a_profile_of_events_of_markup(workbench, csv_of) -> None:
    columns = [("application", ["<b>a</b>"] * 90), ("interval", range(90)), *((each, levels(n)) for n, each in enumerate(NAMES))]
    at = profiled(workbench, opened(workbench, workbench.stored(("named.csv", csv_of(columns))).label))
    assert at.dataframe(key="segmentation.profile-table").value["event"].sort_values().tolist() == sorted(NAMES)


# Long series.


@pytest.mark.slow
def test_a_long_series_is_searched_by_jobs_and_then_shown(workbench, csv_of, monkeypatch) -> None:
    label = stored(workbench, csv_of, [("cycles", levels())])
    as_jobs(monkeypatch, "thresholds", "path", "segments", "by_rule", "profile", "joint", "event_thresholds")
    at = opened(workbench, label)
    assert not at.metric
    at = workbench.settled(at)
    assert workbench.metrics(at)["Segments"] == "3"
    assert segments_of(workbench, at)["start"].tolist() == [0, 30, 60]
    first = [job.kind for job in jobs.jobs()]
    assert first[:2] == ["thresholds of an event", "threshold path of a run"]
    assert len(first) == len(set(first))

    # Moving the slider searches nothing again; all runs at another threshold are asked for where they are shown.
    at = workbench.settled(move(workbench, at, 50.0))
    assert {job.kind for job in jobs.jobs()[len(first) :]}.isdisjoint(first[:2])
    tab(workbench, at, "All runs")
    at = workbench.settled(at)
    assert len(workbench.in_tab(at, "All runs").dataframe[0].value) == 1
    for other in (each for each in TABS if each not in (SEVERAL, TOGETHER)):
        tab(workbench, at, other)
        at = workbench.settled(at)
        assert len(list(workbench.in_tab(at, other))) > 1


@pytest.mark.slow
def test_a_cancelled_job_says_so_and_starts_again(workbench, csv_of, monkeypatch) -> None:
    label = stored(workbench, csv_of, [("cycles", levels())])
    as_jobs(monkeypatch, "thresholds", "path", "segments", "by_rule", "profile", "joint", "event_thresholds")
    at = opened(workbench, label)
    (job,) = jobs.jobs()
    job.cancel()
    assert job.wait(PATIENCE_S)
    if job.state == "done":
        return  # it was quicker
    at = workbench.run(at)
    # As the visitor wished: no error.
    assert not workbench.sentences(at)
    assert not at.tabs
    assert any(each.value.endswith("Start it again if you want the result\\.") for each in at.info), [each.value for each in at.info]
    next(each for each in at.button if each.label == "Start again").click()
    at = workbench.settled(workbench.run(at))
    assert workbench.metrics(at)["Segments"] == "3"


# What can be taken away.


def test_csv_and_parquet_hold_the_segments_of_every_run(workbench, taken) -> None:
    opened(workbench, threshold="10")
    wanted = analysis.at_threshold(ocoe(), SegmentationParams(**CHOSEN, threshold=10.0)).segments
    read = pd.read_csv(io.BytesIO(downloads.csv_bytes(taken["table"]())))
    assert list(read.columns) == COLUMNS
    pd.testing.assert_frame_equal(read, wanted, check_dtype=False)
    assert read["run"].nunique() == 60
    assert taken["name"] == "Request-server-and-8-others-every-event-counted_segmentation_sensor_control_Dr_threshold-10"
    pd.testing.assert_frame_equal(pd.read_parquet(io.BytesIO(downloads.parquet_bytes(taken["table"]()))), wanted)


def test_json_holds_what_a_scheduler_reads(workbench, taken) -> None:
    opened(workbench, threshold="10")
    document = json.loads(taken["json"]())
    assert (document["application"], document["event"], document["unit"]) == ("sensor_control", "Dr", "8,000 basic blocks")
    assert document["parameters"]["threshold"] == 10
    assert {"event", "run", "start", "stop", "unit", "mean", "std"} <= set(document["segments"][0])
    own = segment(counts_of(), 10.0)
    first = [entry for entry in document["segments"] if entry["run"] == 1]
    assert [entry["start"] for entry in first] == [0, *own.change_points]
    assert [entry["mean"] for entry in first] == pytest.approx(own.models[:, 3].tolist())


def test_what_is_taken_away_follows_times_and_names(workbench, csv_of, taken) -> None:
    label = stored(workbench, csv_of, [("=cmd()/..", levels())], name="time.csv")
    opened(workbench, label)
    table = taken["table"]()
    assert list(table.columns) == [*COLUMNS, "start_s", "stop_s"]
    assert table["start_s"].tolist() == pytest.approx([0, 15, 30])
    assert json.loads(taken["json"]())["segments"][0]["stop_s"] == pytest.approx(15)


@pytest.mark.slow
@pytest.mark.parametrize("label", [each for each in TABS if each not in ("All events", TOGETHER)])
def test_the_picture_taken_away_is_that_of_the_open_tab(workbench, taken, label) -> None:
    workbench.settled(opened(workbench, view=label))
    titles = {
        "Segments": "Which phases does run 1 of sensor_control",
        "Threshold path": "What does each threshold find in run 1?",
        "All runs": "Do all runs have the same segments?",
        "Other searches": "Where do other searches split run 1?",
        SEVERAL: "Do several events change together?",
    }
    assert taken["figure"].layout.title.text.startswith(titles[label])


@pytest.mark.slow
@pytest.mark.parametrize("query", [{}, {"threshold": "12.5", "statistic": "mean", "min_distance": "3", "trim_head": "4", "tolerance": "1"}])
@pytest.mark.parametrize("label", [OCOE, MPX])
def test_the_snippet_makes_the_table_that_is_taken_away(workbench, taken, tmp_path, label, query) -> None:
    at = opened(workbench, label, **query)
    script = tmp_path / "snippet.py"
    script.write_text(workbench.snippet(at))
    pd.testing.assert_frame_equal(runpy.run_path(str(script))["segments"], taken["table"]())


@pytest.mark.slow
@pytest.mark.parametrize("name", ["plain", "quotes \" and '\n\nimport nothing_of_this_name", "<img src=x>", "a\u2028b\\"])
def test_the_snippet_of_an_upload(workbench, csv_of, taken, tmp_path, name) -> None:
    event = 'it\'s so "called" \\ <b>'
    columns = [("time", np.arange(1, 91) * 0.5), (event, levels())]
    at = opened(workbench, workbench.stored(("given.csv", csv_of(columns)), name=name).label)
    script = tmp_path / "snippet.py"
    script.write_text(workbench.snippet(at))
    found = runpy.run_path(str(script))["segments"]
    pd.testing.assert_frame_equal(found, taken["table"]())
    assert found["event"].unique().tolist() == [event]


def test_an_application_of_which_nothing_was_counted_is_told(workbench, csv_of) -> None:
    columns = [("time", [*range(1, 10), 1, 2]), ("application", ["a"] * 9 + ["b"] * 2), ("cyc", [5, 6, 5, 90, 91, 92, 5, 6, 5, None, None])]
    label = stored(workbench, csv_of, columns)
    assert not opened(workbench, label, application="a").error
    assert "no event of 'b' was counted" in only_a_sentence(workbench, opened(workbench, label, application="b"))


def test_a_text_that_a_spreadsheet_would_run_is_taken_away_as_text() -> None:
    table = pd.DataFrame({"event": ["=cmd|' /C calc'!A0", "cycles", "+1"], "=mean": [1.0, -2.0, 3.0]})
    read = downloads.csv_bytes(table).decode().splitlines()
    assert read == ["event,'=mean", "'=cmd|' /C calc'!A0,1.0", "cycles,-2.0", "'+1,3.0"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("query", "told"),
    [
        ({"run": "99999"}, "asks for Run '99999', which is not available"),
        ({"event": "<b>none</b>"}, "asks for Event '<b>none</b>', which is not available"),
        ({"statistic": "other"}, "asks for Statistic 'other', which is not available"),
        ({"threshold": "1e9"}, "asks for Threshold '1e9', which is outside 1 to 100"),
        ({"trim_head": "many"}, "asks for Trim head 'many', which is outside 0 to"),
    ],
)
def test_what_a_link_asks_for_in_vain_is_said_once(workbench, query, told) -> None:
    at = opened(workbench, **query)
    assert [told in workbench.read(each.value) for each in at.warning] == [True]
    assert workbench.tabs(at) == TABS
    assert not workbench.run(at).warning


def test_a_link_that_can_be_followed_says_nothing(workbench) -> None:
    assert not opened(workbench, run="4", threshold="12.5", statistic="std", trim_head="2", max_threshold="200").warning


# The event that it opens on.


@pytest.mark.slow
def test_it_opens_on_the_event_and_statistic_that_show_phases_most_clearly(workbench) -> None:
    at = workbench.open("segmentation", {"dataset": OCOE, "application": "tiny_compiler"})
    ranking = analysis.RANKING.of(ocoe(), SegmentationParams(application="tiny_compiler"))
    event, statistic = ranking.best
    assert event != ocoe().events[0]
    assert at.selectbox(key="segmentation.event").value == event
    assert at.get_by_key("segmentation.statistic").value == statistic
    assert f"Opened on {event}, statistic {statistic}" in workbench.read(captions(at))
    assert workbench.metrics(at)["True boundaries"] == "5 of 5"
    assert at.button(key="segmentation.undo").disabled
    assert dict(at.query_params)["segmentation.event"] in (event, [event])


@pytest.mark.slow
def test_a_links_event_and_statistic_win(workbench) -> None:
    at = workbench.open("segmentation", {"dataset": OCOE, "application": "tiny_compiler", "event": "Bc"})
    assert at.selectbox(key="segmentation.event").value == "Bc"
    assert at.get_by_key("segmentation.statistic").value == "rms"
    assert "Opened on" not in captions(at)
    at = workbench.open("segmentation", {"dataset": OCOE, "application": "tiny_compiler", "statistic": "std"})
    assert at.get_by_key("segmentation.statistic").value == "std"


@pytest.mark.slow
def test_what_was_chosen_stays_where_another_application_is_opened(workbench) -> None:
    at = workbench.open("segmentation", {"dataset": OCOE, "application": "tiny_compiler"})
    at = pick(workbench, at, "application", "sales_query")
    best = analysis.RANKING.of(ocoe(), SegmentationParams(application="sales_query")).best
    assert (at.selectbox(key="segmentation.event").value, at.get_by_key("segmentation.statistic").value) == best
    at = pick(workbench, at, "event", "Bc")
    at = pick(workbench, at, "application", "tiny_compiler")
    assert at.selectbox(key="segmentation.event").value == "Bc"
    assert "Opened on" not in captions(at)


def long_ranking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ranking is long work, as of hundreds of events."""
    ranked = analysis.RANKING
    monkeypatch.setattr(type(ranked), "is_long", lambda self, table, params: self is ranked)


@pytest.mark.slow
def test_a_long_ranking_goes_on_beside_the_first_event_and_then_opens_the_clearest(
    workbench, nothing_known, never_done, monkeypatch
) -> None:
    long_ranking(monkeypatch)
    submitted, known = never_done
    at = workbench.open("segmentation", {"dataset": OCOE, "application": "tiny_compiler"})
    assert len(set(submitted)) == 1
    assert at.selectbox(key="segmentation.event").value == ocoe().events[0]
    assert workbench.metrics(at)
    assert "Looking for the event" in captions(at)
    finished(known, submitted[0])
    workbench.run(at)
    best = analysis.RANKING.of(ocoe(), SegmentationParams(application="tiny_compiler")).best
    assert (at.selectbox(key="segmentation.event").value, at.get_by_key("segmentation.statistic").value) == best
    assert "Opened on" in captions(at)
    assert at.button(key="segmentation.undo").disabled


@pytest.mark.slow
@pytest.mark.parametrize(
    "choose", [lambda workbench, at: pick(workbench, at, "event", "Bc"), lambda workbench, at: move(workbench, at, 30.0)]
)
def test_nothing_jumps_after_something_was_chosen(workbench, nothing_known, never_done, monkeypatch, choose) -> None:
    long_ranking(monkeypatch)
    submitted, known = never_done
    at = workbench.open("segmentation", {"dataset": OCOE, "application": "tiny_compiler"})
    choose(workbench, at)
    stands = at.selectbox(key="segmentation.event").value, threshold_of(at)
    finished(known, submitted[0])
    workbench.run(workbench.run(at))
    assert (at.selectbox(key="segmentation.event").value, threshold_of(at)) == stands
    assert "Opened on" not in captions(at)


def finished(known: dict, id: str) -> None:
    """The job of that id, done with its answer."""
    job = known[id]
    answer = job.question.answer(ocoe())
    known[id] = type("Done", (), {"state": "done", "finished": True, "result": lambda self: answer, "id": id})()


@pytest.mark.slow
def test_a_row_of_the_ranked_list_opens_its_event(workbench) -> None:
    at = workbench.open_box(workbench.open("segmentation", {"dataset": OCOE, "application": "tiny_compiler"}), "Ranked events")
    (listed,) = [each for each in at.dataframe if each.key == "segmentation.ranked-table"]
    third = listed.value.iloc[2]
    click(at, listed, {"rows": [2], "columns": [], "cells": []})
    assert at.selectbox(key="segmentation.event").value == third["event"]
    assert at.get_by_key("segmentation.statistic").value == third["statistic"]


def test_a_move_of_the_threshold_ranks_nothing(workbench, monkeypatch) -> None:
    at = workbench.open("segmentation", {"dataset": OCOE, "application": "tiny_compiler"})
    before = len(list(at._tree))
    monkeypatch.setattr("hemcore.segmentation.events.event_ranking._cut", refused)
    monkeypatch.setattr("hemcore.segmentation.events.event_tracks.segment", refused)
    move(workbench, at, 20.0)
    assert len(list(at._tree)) <= before


def test_one_segment_at_every_threshold_offers_another_event_and_the_mean(workbench, csv_of) -> None:
    random = np.random.default_rng(5)
    steps = np.repeat([10_000.0, 50_000.0, 20_000.0], 40) * random.uniform(0.95, 1.05, 120)
    also = np.repeat([900.0, 100.0, 500.0], 40) * random.uniform(0.95, 1.05, 120)
    clock = 1e9 + 1e5 * np.repeat([0, 1, 0], 40) + random.normal(0, 3e4, 120)
    label = stored(workbench, csv_of, [("clock", np.rint(clock)), ("misses", np.rint(steps)), ("branches", np.rint(also))])
    at = opened(workbench, label)
    assert at.selectbox(key="segmentation.event").value in ("misses", "branches")
    at = opened(workbench, label, event="clock")
    assert "One segment at every threshold up to 100" in captions(at)
    at.button(key="segmentation.to_mean").click()
    workbench.run(at)
    assert at.get_by_key("segmentation.statistic").value == "mean"
    assert workbench.metrics(at)["Segments"] == "3"
    at = opened(workbench, label, event="clock")
    at.button(key="segmentation.to_clearer").click()
    workbench.run(at)
    assert at.selectbox(key="segmentation.event").value in ("misses", "branches")
    assert workbench.metrics(at)["Segments"] == "3"


def test_totals_of_one_interval_are_refused_in_a_sentence_and_not_offered(workbench, csv_of) -> None:
    at = opened(workbench, stored(workbench, csv_of, [("cycles", [7])]))
    assert "nothing to segment" in only_a_sentence(workbench, at)
    at = workbench.upload(("total.csv", csv_of([("application", ["a", "b"]), ("interval", [1, 1]), ("cycles", [7, 8])])))
    assert [each for each in at.page_link if each.proto.page == "segmentation"] == []


# Several events over one time axis.


@pytest.mark.slow
def test_several_events_stand_over_one_axis_and_are_chosen(workbench) -> None:
    at = workbench.open_box(opened(workbench, view=SEVERAL), "Options")
    shown = at.multiselect(key="segmentation.tracks")
    assert shown.value[0] == "Dr"
    assert len(shown.value) == 4
    (picture,) = workbench.pictures(tab(workbench, at, SEVERAL))
    assert [each["text"].split("</b>")[0] for each in workbench.spec(picture)["figure"]["layout"]["annotations"]] == [
        f"<b>{event}" for event in shown.value
    ]
    shown.set_value(["Bc", "Ir"])
    workbench.run(at)
    (picture,) = workbench.pictures(tab(workbench, at, SEVERAL))
    assert len(workbench.spec(picture)["figure"]["layout"]["annotations"]) == 2


def test_a_link_carries_the_events_over_one_axis(workbench) -> None:
    at = opened(workbench, view=SEVERAL, tracks=["Bc", "D1mr"])
    assert at.multiselect(key="segmentation.tracks").value == ["Bc", "D1mr"]
    at = opened(workbench, view=SEVERAL, tracks=["nothing"])
    assert any("asks for Events" in workbench.read(each.value) for each in at.warning)


def test_events_that_another_dataset_lacks_are_let_go(workbench, csv_of) -> None:
    label = stored(workbench, csv_of, [("cycles", levels()), ("misses", levels(4))])
    at = opened(workbench, view=SEVERAL)
    at = pick(workbench, at, "dataset", label)
    assert not at.error
    assert set(at.multiselect(key="segmentation.tracks").value) <= {"cycles", "misses"}


@pytest.mark.slow
def test_a_dragged_span_is_compared_kept_in_the_link_and_forgotten_with_the_run(workbench) -> None:
    at = workbench.open_box(opened(workbench, view=SEVERAL, tracks=["Dr", "Bc"]), "Options")
    at.segmented_control(key="segmentation.drag").set_value("compare")
    workbench.run(at)
    (picture,) = workbench.pictures(tab(workbench, at, SEVERAL))
    assert workbench.spec(picture)["figure"]["layout"]["dragmode"] == "select"
    workbench.pick(at, picture, {"box": [10.25, 60.5, 0.0, 1.0]})
    workbench.run(at)
    assert at.query_params["segmentation.span"] == "10.25 60.5"
    (table,) = tab(workbench, at, SEVERAL).dataframe
    assert list(table.value["event"]) == ["Dr", "Bc"]
    assert table.value["samples inside"].tolist() == [50, 50]
    again = opened(workbench, view=SEVERAL, tracks=["Dr", "Bc"], span="10.25 60.5")
    (table,) = tab(workbench, again, SEVERAL).dataframe
    assert table.value["samples inside"].tolist() == [50, 50]
    again = pick(workbench, again, "run", 2)
    assert not tab(workbench, again, SEVERAL).dataframe
    assert "segmentation.span" not in again.query_params


@pytest.mark.slow
@pytest.mark.parametrize("text", ["", "5", "9 2", "a b", "nan 3", "1 2 3", "0 inf"])
def test_a_link_with_a_span_that_is_none_says_so(workbench, text: str) -> None:
    at = opened(workbench, view=SEVERAL, span=text)
    assert any("asks for the selection" in workbench.read(each.value) for each in at.warning)
    assert not at.exception


def test_a_ramp_is_detrended_by_the_verdicts_button(workbench, csv_of) -> None:
    ramp = np.rint(6000 - 50 * np.arange(90.0) + np.random.default_rng(0).normal(0, 20, 90))
    at = opened(workbench, stored(workbench, csv_of, [("cycles", ramp)]), event="cycles", statistic="mean")
    (step,) = (each for each in at.button if each.label == "Remove the line")
    step.click()
    workbench.run(at)
    assert at.session_state["segmentation.detrend"] == "line"
    assert not [each for each in at.button if each.label == "Remove the line"]
    assert any("its line removed" in workbench.read(each.value) for each in at.markdown)


def per_core() -> bytes:
    """perf stat -A of two CPUs: CPU1 counts twice as much, and both fall to a tenth in the middle."""
    rows = []
    for interval in range(60):
        for cpu in (0, 1):
            count = (1_000 if 20 <= interval < 40 else 10_000) * (cpu + 1) + interval % 7
            rows.append(f"{0.1 * (interval + 1):.9f};CPU{cpu};{count};;cycles;100000000;100.00;;\n")
    return "".join(rows).encode()


def test_the_level_of_the_machine_is_a_choice_and_part_of_the_link(workbench) -> None:
    label = workbench.stored(("f.csv", per_core())).label
    at = opened(workbench, label, event="cycles", view="Balance", machine_level="thread")
    assert "Balance" in workbench.tabs(at)
    drawn = workbench.spec(workbench.pictures(workbench.in_tab(at, "Balance"))[0])["figure"]["layout"]["title"]["text"]
    assert "thread 1 counts 33% more cycles" in drawn.replace("<br>", " ").lower()
    level = next(each for each in at.selectbox if each.label == "Level of the machine")
    assert list(level.options) == ["machine", "thread"]
    # It opens on the whole machine, and says so; links name the level in this way too.
    assert "@machine')" in workbench.snippet(opened(workbench, label, event="cycles"))
    assert "@machine')" not in workbench.snippet(opened(workbench, label, event="cycles", level="thread"))
    whole = opened(workbench, label, event="cycles", level="machine")
    assert any("counts of its threads are summed" in each.value for each in whole.caption)
    # The heatmaps and the imbalance are there at the whole machine, too: the sums know what they are sums of.
    assert "Balance" in workbench.tabs(whole)
    assert any("Thread 1 counts 33% more cycles than the mean of 2 threads." in workbench.read(each.value) for each in whole.markdown)
    at_machine = opened(workbench, label, event="cycles", view="Balance", machine_level="machine")
    assert workbench.spec(workbench.pictures(workbench.in_tab(at_machine, "Balance"))[0])["figure"]["data"][0]["y"]
    # There the verdict is about them.
    assert any("Only 1 run" in each.value and "counts 33% more cycles" in workbench.read(each.value) for each in at_machine.markdown)
    assert "@machine')" in workbench.snippet(whole)
    application = next(each for each in whole.selectbox if each.label == "Application")
    assert list(application.options) == ["f"]


def test_nodes_of_a_job_are_summed_together_not_a_machine(workbench) -> None:
    series = [{"hostname": host, "data": [1.0 + (20 <= minute < 40) for minute in range(60)]} for host in ("f1", "f2")]
    archive = {"flops_any": {"node": {"unit": {"base": "F/s", "prefix": "G"}, "timestep": 60, "series": series}}}
    at = opened(workbench, workbench.stored(("data.json", json.dumps(archive).encode())).label)
    assert any(each.value.startswith("All nodes together: their counts are summed.") for each in at.caption)


def test_totals_of_cores_show_how_even_they_are(workbench) -> None:
    """perf stat -A without -I: CPU1 counts 30,000 of 40,000 cycles, half more than the mean of 20,000."""
    rows = [f"CPU{cpu};{count};;cycles;100000000;100.00;;\n" for cpu, count in ((0, 10_000), (1, 30_000))]
    rows += [f"CPU{cpu};5000;;instructions;100000000;100.00;;\n" for cpu in (0, 1)]
    at = opened(workbench, workbench.stored(("f.csv", "".join(rows).encode())).label, event="cycles")
    assert not at.error
    assert workbench.tabs(at) == ["Balance"]
    assert any("Thread 1 counts 50% more cycles than the mean of 2 threads." in workbench.read(each.value) for each in at.markdown)
    (figure,) = [workbench.spec(each)["figure"] for each in workbench.pictures(workbench.in_tab(at, "Balance"))]
    assert "Which events are uneven?" in figure["layout"]["title"]["text"]
    # Of totals without cores there is nothing to show.
    plain = "10000;;cycles;100000000;100.00;;\n5000;;instructions;100000000;100.00;;\n"
    assert any("each run is one total" in each.value for each in opened(workbench, workbench.stored(("g.csv", plain.encode())).label).error)
