"""Choices that come from elsewhere (a baseline, an undone step, a link) and meet widgets that are not as they were."""

import pytest

from hemcore.analysis import Question
from hemcore.datasets.shelf.library import entries
from hemcore.merge import HrmParams, MuchParams
from hemcore.merge.analysis import HRM, MUCH
from hemcore.segmentation import SegmentationParams
from hemcore.segmentation.analysis import SEGMENTATION
from hemcore.web import shelf

pytestmark = pytest.mark.detail

SAMPLE = "Request server, MUCH collection · sample"
SERIES = "Request server and 8 others, every event counted · sample"
PHASES = {"dataset": SERIES, "application": "sensor_control", "event": "Dr"}


def press(workbench, at, label: str):
    (button,) = [each for each in at.button if each.label == label]
    button.click()
    return workbench.run(at)


def told(workbench, at) -> str:
    return " ".join(workbench.read(each.value) for each in at.markdown)


@pytest.fixture
def two_anchors(workbench, csv_of, readings):
    """A dataset in which two HEMs are read in every subexperiment and every pair is read together."""
    files = [(f"s{seed}.csv", csv_of(readings(["A", "B", last], seed=seed))) for seed, last in enumerate("CD")]
    return workbench.stored(*files, name="two anchors")


def test_back_to_a_baseline_sets_what_was_never_on_the_screen(workbench, two_anchors) -> None:
    pin = Question(analysis=HRM, dataset=two_anchors.id, params=HrmParams(anchor_hem="B")).link
    at = workbench.open("merge", {"dataset": SAMPLE, "pin": pin})
    at = press(workbench, at, "Back to baseline")
    assert at.selectbox(key="merge.dataset").value == two_anchors.label
    assert at.selectbox(key="merge.anchor_hem").value == "B"
    assert "This is the baseline." in told(workbench, at)


def test_back_to_a_baseline_of_another_dataset_keeps_its_method(workbench, two_anchors) -> None:
    """Choosing a dataset goes over to the method that fits it; a baseline says its own."""
    pin = Question(analysis=MUCH, dataset=two_anchors.id, params=MuchParams(unmeasured="complete")).link
    at = workbench.open("merge", {"dataset": SAMPLE, "pin": pin})
    at = press(workbench, at, "Back to baseline")
    assert at.session_state["merge.family"] == "MUCH"
    assert "This is the baseline." in told(workbench, at)


def test_undo_of_another_dataset_brings_its_method_back(workbench, two_anchors) -> None:
    at = workbench.open("merge", {"dataset": two_anchors.label, "family": "MUCH", "unmeasured": "complete"})
    at.selectbox(key="merge.dataset").set_value("Request server, HRM collection · sample")
    at = workbench.run(at)
    assert at.session_state["merge.family"] == "HRM"
    at = press(workbench, at, "Undo")
    assert at.selectbox(key="merge.dataset").value == two_anchors.label
    assert at.session_state["merge.family"] == "MUCH"


@pytest.mark.slow
def test_a_baseline_beyond_a_slider_is_told_and_the_nearest_is_shown(workbench) -> None:
    params = SegmentationParams(application="sensor_control", event="Dr", run=1, tolerance=500, threshold=3.0)
    pin = Question(analysis=SEGMENTATION, dataset="sample-series-ocoe", params=params).link
    at = workbench.open("segmentation", {**PHASES, "pin": pin})
    at = press(workbench, at, "Back to baseline")
    assert at.slider(key="segmentation.tolerance").value == 50
    assert "Tolerance: 500 is outside 0 to 50" in " ".join(workbench.read(each.value) for each in at.warning)
    assert at.select_slider(key="segmentation.threshold").value == 3.0


@pytest.mark.parametrize("label", ["Swap", "Back to baseline"])
def test_a_baseline_whose_dataset_is_gone_changes_nothing(workbench, two_anchors, label) -> None:
    pin = Question(analysis=HRM, dataset=two_anchors.id, params=HrmParams(anchor_hem="B")).link
    shelf.store().delete(two_anchors.id)
    at = workbench.open("merge", {"dataset": SAMPLE, "pin": pin})
    at = press(workbench, at, label)
    assert at.selectbox(key="merge.dataset").value == SAMPLE
    assert at.session_state["merge:pin"] == pin
    assert "was removed" in " ".join(each.value for each in at.toast)


@pytest.mark.slow
@pytest.mark.parametrize("other", ["home", "data", "report"])
def test_a_baseline_is_there_again_after_any_other_page(workbench, other) -> None:
    at = press(workbench, workbench.merge(SAMPLE), "Pin as baseline")
    at.switch_page(f"pages/{other}.py")
    at.query_params.clear()  # as a page switch does in a browser
    at = workbench.run(at)
    at.switch_page("pages/merge.py")
    at = workbench.run(at)
    assert "This is the baseline." in told(workbench, at)
    assert "merge.pin" in at.query_params


def test_a_link_carries_every_digit_of_a_threshold(workbench) -> None:
    at = workbench.open("segmentation", {**PHASES, "threshold": "54.321987"})
    slider = at.select_slider(key="segmentation.threshold")
    assert slider.value == 54.321987
    assert "54.321987" in slider.options


@pytest.mark.slow
def test_undo_that_changes_nothing_does_not_swallow_the_next_step(workbench) -> None:
    at = workbench.merge(SAMPLE)
    at.slider(key="merge.dep_lvl").set_value(0.6)
    at = workbench.run(at)
    # Another choice was taken back to where Undo leads, by hand.
    at.session_state["merge:steps"] = [*at.session_state["merge:steps"], dict(at.session_state["merge:now"])]
    at = press(workbench, at, "Undo")
    at.slider(key="merge.dep_lvl").set_value(0.5)
    at = workbench.run(at)
    at = press(workbench, at, "Undo")
    assert at.slider(key="merge.dep_lvl").value == 0.6


def test_a_click_on_a_cell_gets_into_the_link_before_the_pair_is_drawn(workbench) -> None:
    at = workbench.merge(SAMPLE)
    hems = [str(hem) for hem in shelf.table("sample-subexperiments-much").hems[:2]]
    workbench.pick(at, workbench.pictures(at)[1], hems)
    assert at.session_state["merge.second_hem"] == hems[1]
    assert at.query_params["merge.first_hem"] in (hems[0], [hems[0]])


def test_what_the_browser_sends_of_a_closed_box_is_old(workbench) -> None:
    """It goes on sending what it showed there last: a pair that a click set stays, until one is chosen in the open box."""
    at = workbench.merge(SAMPLE)
    hems = [str(hem) for hem in shelf.table("sample-subexperiments-much").hems[:3]]
    workbench.pick(at, workbench.pictures(at)[1], hems[:2])
    at.selectbox(key="merge.first_hem").set_value("")
    at = workbench.run(at)
    assert at.selectbox(key="merge.first_hem").value == hems[0]
    at.selectbox(key="merge.first_hem").set_value("")
    at = workbench.open_box(at, "Options")
    assert at.selectbox(key="merge.first_hem").value == hems[0]
    at.selectbox(key="merge.first_hem").set_value(hems[2])
    at = workbench.run(at)
    assert at.selectbox(key="merge.first_hem").value == hems[2]
    # What is chosen just before the box closes counts too.
    at.selectbox(key="merge.second_hem").set_value("")
    at.session_state["merge.options-box"] = False
    at = workbench.run(at)
    assert (at.selectbox(key="merge.first_hem").value, at.selectbox(key="merge.second_hem").value) == (hems[2], "")


def test_what_is_chosen_before_the_opening_of_a_box_is_through_counts(workbench) -> None:
    """The choice cuts short the run that opened the box, which is then open for the first time in the run of the choice."""
    at = workbench.run(workbench.merge(SAMPLE))
    second = at.segmented_control(key="merge.order").options[1]
    at.segmented_control(key="merge.order").set_value("clustered")
    at = workbench.open_box(at, "Options")
    assert second == "clustered"
    assert at.segmented_control(key="merge.order").value == "clustered"
    assert workbench.run(at).segmented_control(key="merge.order").value == "clustered"


def test_another_dataset_takes_a_choice_out_of_a_closed_box(workbench) -> None:
    pilot = workbench.pilot()
    at = workbench.merge(SAMPLE)
    hems = [str(hem) for hem in shelf.table("sample-subexperiments-much").hems[:2]]
    workbench.pick(at, workbench.pictures(at)[1], hems)
    at.selectbox(key="merge.dataset").set_value(next(each.label for each in entries(shelf.store()) if each.id == pilot))
    at = workbench.run(at)
    assert at.selectbox(key="merge.first_hem").value == ""


@pytest.mark.slow
def test_what_changes_by_itself_is_no_step_of_its_own(workbench) -> None:
    """A HEM that is left out goes from the pair; one Undo brings it and dep_lvl back."""
    at = workbench.open_box(workbench.open("merge", {"dataset": SAMPLE, "view": "Pairs"}), "Options")
    kept = set(at.selectbox(key="merge.first_hem").options)
    at.slider(key="merge.dep_lvl").set_value(0.3)
    left_out = sorted(kept - set(workbench.run(at).selectbox(key="merge.first_hem").options))[0]
    at = press(workbench, at, "Undo")
    at.selectbox(key="merge.first_hem").set_value(left_out)
    at = workbench.run(at)
    at.slider(key="merge.dep_lvl").set_value(0.3)
    at = workbench.run(workbench.run(at))
    assert at.selectbox(key="merge.first_hem").value != left_out
    at = press(workbench, at, "Undo")
    assert at.slider(key="merge.dep_lvl").value == 0.85
    assert at.selectbox(key="merge.first_hem").value == left_out
