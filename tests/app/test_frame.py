"""What the frame gives every page: a baseline, undo, what is kept and reported, links that are followed as far as they can be."""

import json
from types import SimpleNamespace

import pytest

from hemcore.analysis import Question
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import Remedy
from hemcore.merge import MuchParams
from hemcore.merge.analysis import MUCH
from hemcore.registry import question_from_link
from hemcore.report import ReportShelf
from hemcore.web import shelf
from hemcore.web.actions import offers, report_box
from hemcore.web.pages import page_named

SAMPLE = "Request server, MUCH collection · sample"
OTHER = "Request server, HRM collection · sample"
SERIES = "Request server and 8 others, every event counted · sample"
PHASES = {"dataset": SERIES, "application": "sensor_control", "event": "Dr"}


def press(workbench, at, label: str):
    buttons = [each for each in at.button if each.label == label]
    assert len(buttons) == 1, [each.label for each in at.button]
    buttons[0].click()
    return workbench.run(at)


def deltas(at) -> dict[str, str]:
    """The changes from the baseline; what stands alone under a figure is its note."""
    return {each.label: each.delta if each.delta[:1] in ("+", "-") or each.delta == "no change" else "" for each in at.metric}


def told(workbench, at) -> str:
    return " ".join(workbench.read(each.value) for each in at.markdown)


def moved(workbench, at, key: str, value):
    slider = at.slider(key=key) if key.endswith("dep_lvl") else at.select_slider(key=key)
    slider.set_value(value)
    return workbench.run(at)


# The next step.


def test_a_step_that_leads_to_where_the_page_is_is_not_offered() -> None:
    steps = [
        Remedy(label="its tab", choose={"view": "Table"}),
        Remedy(label="its own value", choose={"dep_lvl": 0.85}),
        Remedy(label="another value", choose={"dep_lvl": 0.5}),
        Remedy(label="its method", analysis="merge.much"),
        Remedy(label="another method", analysis="merge.hrm"),
        Remedy(label="a page", page="data"),
        Remedy(label="what the page does", choose={"plan_unread": True}),
    ]
    question = Question(analysis=MUCH, dataset="d", params=MuchParams())
    left = ["another value", "another method", "a page", "what the page does"]
    assert [each.label for each in offers.still_to_go(steps, question, "Table")] == left
    assert [each.label for each in offers.still_to_go(steps, question, "Pairs")] == ["its tab", *left]


def test_a_step_that_takes_back_the_last_one_is_not_the_next(monkeypatch) -> None:
    """What the last step set is as it was set: then its opposite leads in a circle; once the visitor moved it, it does not."""
    page = page_named("segmentation")
    lower = Remedy(label="lower", choose={"joint_penalty": 1.3})
    back = Remedy(label="back", choose={"joint_penalty": 0.0})
    other = Remedy(label="other", page="data")
    state: dict[str, object] = {"segmentation.joint_penalty": 0.0}
    monkeypatch.setattr(offers, "st", SimpleNamespace(session_state=state))
    monkeypatch.setattr(offers, "put", state.__setitem__)
    assert offers.ahead(page, [lower, back]) == [lower, back]
    _, press_it = offers.buttons_for(page, "d", [lower])[0]
    assert callable(press_it)
    press_it()
    assert state["segmentation.joint_penalty"] == 1.3
    assert offers.ahead(page, [back, other]) == [other]
    assert offers.ahead(page, [lower]) == [lower]
    state["segmentation.joint_penalty"] = 2.0
    assert offers.ahead(page, [back, other]) == [back, other]


# The baseline.


@pytest.mark.slow
def test_a_pinned_answer_is_what_the_next_ones_are_compared_with(workbench) -> None:
    at = workbench.merge(SAMPLE)
    assert set(deltas(at).values()) == {""}
    at = press(workbench, at, "Pin as baseline")
    assert "This is the baseline." in told(workbench, at)
    link = at.query_params["merge.pin"]
    pinned = question_from_link(link[0] if isinstance(link, list) else link)
    assert (pinned.analysis, pinned.params) == (MUCH, MuchParams())
    at = moved(workbench, at, "merge.dep_lvl", 0.7)
    assert "Compared with the baseline: **dep_lvl 0.85 → 0.7**" in told(workbench, at)
    assert deltas(at)["HEMs merged"] == "-3"
    assert workbench.metrics(at)["HEMs merged"] == "10 of 14"
    at = press(workbench, at, "Swap")
    assert at.slider(key="merge.dep_lvl").value == 0.85
    assert deltas(at)["HEMs merged"] == "+3"
    at = press(workbench, at, "Back to baseline")
    assert at.slider(key="merge.dep_lvl").value == 0.7
    at = press(workbench, at, "Remove")
    assert "Compared with the baseline" not in told(workbench, at)
    assert "merge.pin" not in at.query_params


def test_the_link_carries_the_baseline(workbench) -> None:
    pin = Question(analysis=MUCH, dataset="sample-subexperiments-much", params=MuchParams(dep_lvl=0.7)).link
    at = workbench.open("merge", {"dataset": SAMPLE, "pin": pin})
    assert "dep_lvl 0.7 → 0.85" in told(workbench, at)
    assert deltas(at)["HEMs merged"] == "+3"


def test_another_method_and_another_dataset_can_be_the_baseline(workbench) -> None:
    at = press(workbench, workbench.merge(SAMPLE), "Pin as baseline")
    at.selectbox(key="merge.dataset").set_value(OTHER)
    at = workbench.run(at)
    words = told(workbench, at)
    assert "dataset Request server, MUCH collection → Request server, HRM collection" in words
    assert "MUCH merge → HRM merge" in words
    assert deltas(at)["Merged runs"] == "-500"


@pytest.mark.parametrize(
    ("pin", "words"),
    [
        ("[1,2", "cannot be used"),
        (json.dumps(["merge.much", "sample-subexperiments-much", {"dep_lvl": 7}]), "dep_lvl: 7 is out of bounds"),
        (json.dumps(["nothing.there", "x", {}]), "is not known"),
        (json.dumps(["segmentation.segmentation", "sample-series-ocoe", {}]), "belongs to another page"),
        (json.dumps(["merge.much", "0" * 64, {}]), "can no longer be computed"),
    ],
)
def test_a_baseline_that_cannot_be_followed_is_told_and_the_answer_stands(workbench, pin, words) -> None:
    at = workbench.open("merge", {"dataset": SAMPLE, "pin": pin})
    assert words in " ".join(workbench.read(each.value) for each in at.warning)
    assert workbench.metrics(at)["HEMs merged"] == "13 of 14"
    assert not at.error


# Choices.


def test_undo_takes_the_last_choice_back(workbench) -> None:
    at = workbench.merge(SAMPLE)
    undo = next(each for each in at.button if each.label == "Undo")
    assert undo.disabled
    at = moved(workbench, at, "merge.dep_lvl", 0.6)
    at = moved(workbench, at, "merge.dep_lvl", 0.5)
    at = press(workbench, at, "Undo")
    assert at.slider(key="merge.dep_lvl").value == 0.6
    at = press(workbench, at, "Undo")
    assert at.slider(key="merge.dep_lvl").value == 0.85
    assert next(each for each in at.button if each.label == "Undo").disabled


@pytest.mark.slow
def test_undo_of_another_event_brings_its_threshold_back(workbench) -> None:
    at = workbench.open("segmentation", PHASES)
    at = moved(workbench, at, "segmentation.threshold", 7.0)
    at.selectbox(key="segmentation.event").set_value("Bcm")
    at = workbench.run(at)
    assert at.select_slider(key="segmentation.threshold").value != 7.0
    at = press(workbench, at, "Undo")
    assert at.selectbox(key="segmentation.event").value == "Dr"
    assert at.select_slider(key="segmentation.threshold").value == 7.0


def test_defaults_puts_the_parameters_back_and_keeps_the_data(workbench) -> None:
    at = workbench.open("segmentation", {**PHASES, "threshold": "40", "statistic": "mean"})
    at = press(workbench, at, "Defaults")
    assert at.select_slider(key="segmentation.threshold").value == 2.0
    assert at.selectbox(key="segmentation.event").value == "Dr"
    assert workbench.metrics(at)["True boundaries"] == "9 of 9"


def test_pages_keep_their_own_choices(workbench) -> None:
    at = workbench.open("merge", {"dataset": OTHER})
    at = press(workbench, at, "Pin as baseline")
    at.switch_page("pages/segmentation.py")
    at = workbench.run(at)
    assert at.selectbox(key="segmentation.dataset").value is None
    at.switch_page("pages/merge.py")
    at = workbench.run(at)
    assert at.selectbox(key="merge.dataset").value == OTHER
    assert "This is the baseline." in told(workbench, at)


# Kept and reported.


def test_a_merged_table_is_kept_with_where_it_comes_from(workbench) -> None:
    at = workbench.open_box(workbench.merge(SAMPLE, dep_lvl="0.7"), "Keep")
    at = press(workbench, at, "Save to your data")
    (record,) = workbench.records
    assert record.kind == "PhaseTable"
    assert record.lineage is not None
    assert (record.lineage.parent, record.lineage.analysis) == ("sample-subexperiments-much", "merge.much")
    assert record.lineage.params["dep_lvl"] == 0.7
    kept = shelf.store().load(record.id)
    assert isinstance(kept, PhaseTable)
    assert (len(kept.frame), len(kept.counters)) == (1000, 10)
    press(workbench, at, "Save to your data")
    assert len(workbench.records) == 1


@pytest.mark.slow
def test_segments_are_kept_as_phases_and_as_stages(workbench) -> None:
    at = workbench.open_box(workbench.open("segmentation", PHASES), "Keep")
    at = press(workbench, at, "Save to your data")
    at.radio(key="segmentation.keep-what").set_value(at.radio(key="segmentation.keep-what").options[1])
    press(workbench, workbench.run(at), "Save to your data")
    assert {record.kind for record in workbench.records} == {"PhaseTable", "CounterSeries"}
    series = next(record for record in workbench.records if record.kind == "CounterSeries")
    label = f"{series.name} · {series.id[:8]}"
    again = workbench.open("segmentation", {"dataset": label, "application": "sensor_control", "event": "Bcm"})
    assert workbench.metrics(again)["True boundaries"].endswith("of 9")


def test_the_open_tab_is_added_to_a_report(workbench, data_dir) -> None:
    at = workbench.open_box(workbench.merge(SAMPLE), "Add to report")
    at.text_area(key="merge.report-note").set_value("Look at Bcm.")
    at = press(workbench, workbench.run(at), "Add Merged correlation")
    entries = ReportShelf(data_dir).entries()
    assert [entry.n_items for entry in entries] == [1]
    item = ReportShelf(data_dir).load(entries[0].id).items[0]
    assert (item.picture, item.note, item.dataset_name) == ("correlation", "Look at Bcm.", "Request server, MUCH collection")
    assert item.link.startswith("/merge?merge.dataset=")
    press(workbench, at, "Add Merged correlation")
    assert ReportShelf(data_dir).load(entries[0].id).items[1].question == item.question


# What comes next.


def go_on(workbench, at, page: str):
    """Press "Continue to ..." and return the page that it opens."""
    at.button(key=f"{at.page_opened}.continue-{page}").click()
    at.page_opened = page
    return workbench.run(at)


@pytest.mark.slow
def test_a_merge_continues_on_prediction_with_its_runs_kept(workbench) -> None:
    at = go_on(workbench, workbench.merge(SAMPLE), "prediction")
    (record,) = workbench.records
    assert (record.kind, record.lineage.analysis, record.lineage.gives) == ("PhaseTable", "merge.much", "merged runs")
    assert at.title[0].value == "Prediction"
    assert str(at.selectbox(key="prediction.dataset").value).startswith("Request server, MUCH collection: merged runs")
    assert at.metric


def test_to_continue_twice_keeps_one_dataset(workbench) -> None:
    for _ in range(2):
        at = workbench.open("segmentation", PHASES | {"threshold": "2.0"})
        go_on(workbench, at, "prediction")
    (record,) = workbench.records
    assert record.lineage.gives == "segments"


def test_a_plan_continues_on_data(workbench) -> None:
    at = workbench.open("plan", {"dataset": "16 HEMs of an NXP T2080 · sample"})
    assert go_on(workbench, at, "data").title[0].value == "Data"
    assert at.query_params["data.n_pmcs"] == "6"  # as the plan has counters
    assert workbench.records == []


def test_a_merge_continues_on_metrics_where_definitions_fit(workbench) -> None:
    at = go_on(workbench, workbench.merge(SAMPLE), "metrics")
    (record,) = workbench.records
    assert (record.kind, at.title[0].value) == ("PhaseTable", "Metrics")
    assert not at.error
    assert at.metric
    workbench.pilot()
    own = next(each for each in workbench.records if each.name == "my pilot")
    other = workbench.merge(f"my pilot · {own.id[:8]}")
    assert [each.label for each in other.button if each.label.startswith("Continue")] == ["Continue to Prediction", "Continue to Report"]


def test_an_answer_continues_in_a_report_that_opens(workbench) -> None:
    for items in (1, 2):
        at = go_on(workbench, workbench.merge(SAMPLE), "report")
        assert at.title[0].value == "Report"
        (entry,) = report_box.reports().entries()
        report = report_box.reports().load(entry.id)
        assert [each.picture for each in report.items] == ["correlation"] * items
        assert [each.value for each in at.toast] == [f"Added as item {items}: MUCH merge\\: Merged correlation"]
    assert report.items[0].heading == "MUCH merge: Merged correlation"


def test_a_page_offers_only_what_its_answer_can_become(workbench) -> None:
    at = workbench.open("signatures", {"dataset": "5,000 jobs' signatures (synthetic) · sample"})
    assert [each.label for each in at.button if each.label.startswith("Continue")] == ["Continue to Report"]
