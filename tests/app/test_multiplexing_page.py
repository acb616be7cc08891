"""The Multiplexing page: verdict, every tab, k as a slider, clicks on cells, pairs, and what is kept."""

import pandas as pd
import pytest

from hemcore import jobs
from hemcore.datasets.shelf.library import entries
from hemcore.datasets.shelf.records import Lineage
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.mpx import virtual_multiplex
from hemcore.mpx.learned import ModelShelf
from hemcore.mpx.learned.train import TRAIN
from hemcore.mpx.learned.training_losses import losses_of
from hemcore.web import shelf
from tests.core.jobs.patience import PATIENCE
from tests.core.mpx.made import bursty

MPX = "Request server and 8 others, one slot in four counted · sample"
OCOE = "Request server and 8 others, every event counted · sample"
TABS = ["Curves", "Estimators", "By event", "All applications", "What if", "Alignment", "Removed"]

pytestmark = [pytest.mark.usefixtures("no_jobs", "workers"), pytest.mark.detail]


def opened(workbench, label: str = MPX, **query: str):
    return workbench.open("multiplexing", {"dataset": label, "application": "sensor_control"} | query)


def kept(table: CounterSeries, name: str) -> str:
    """The label of a table that is put on the shelf."""
    lineage = Lineage(parent="x", parent_name="x", analysis="tests.made", params={"name": name}, version="0", gives=name)
    record = shelf.store().keep(table, name=name, lineage=lineage)
    return next(each.label for each in entries(shelf.store()) if each.id == record.id)


def shown(at) -> pd.DataFrame:
    """The table of the open tab."""
    (table,) = at.dataframe
    return table.value


def verdict(at) -> str:
    return next(each.value for each in at.markdown if "Counting" in each.value).replace("\\", "")


def test_the_verdict_comes_first(workbench) -> None:
    at = opened(workbench)
    assert "**Counting 1 slot in 4, totals are 1.4% off (linear), weighted accuracy 90.1%.**" in verdict(at)
    assert workbench.metrics(at)["Weighted accuracy (WA)"] == "90.1%"
    assert workbench.metrics(at)["Run-to-run ceiling"] == "43.3%"
    assert workbench.tabs(at) == TABS


@pytest.mark.slow
def test_every_tab_draws_its_pictures(workbench) -> None:
    # One event and two runs, so that every application's answer is there at once.
    label = kept(bursty(n_events=5, n_runs=2), "small")
    at = workbench.open("multiplexing", {"dataset": label})
    drawn = {}
    for each in TABS:
        tab = workbench.in_tab(at, each)
        assert not at.error
        drawn[each] = len(workbench.pictures(tab))
    assert drawn == {
        "Curves": 1, "Estimators": 2, "By event": 1, "All applications": 1, "What if": 2, "Alignment": 1, "Removed": 0,
    }  # fmt: skip


@pytest.mark.slow
def test_the_slider_of_k_hides_slots_and_scores_at_once(workbench) -> None:
    at = opened(workbench, OCOE, view="Estimators")
    before = shown(at).set_index("method")["RA"]
    assert at.slider(key="multiplexing.slots_per_count").value == 4
    at.slider(key="multiplexing.slots_per_count").set_value(8)
    workbench.run(at)
    assert "Counting 1 slot in 8" in verdict(at)
    assert (shown(at).set_index("method")["RA"] < before).all()


def test_a_click_on_a_cell_opens_its_curve(workbench) -> None:
    at = opened(workbench, view="By event")
    workbench.pick(at, workbench.pictures(workbench.in_tab(at, "By event"))[0], ["DLmr", "pchip"])
    assert at.selectbox(key="multiplexing.event").value == "DLmr"
    assert at.selectbox(key="multiplexing.method").value == "pchip"
    assert at.session_state["multiplexing.view"] == "Curves"
    assert at.multiselect(key="multiplexing.events").value[0] == "DLmr"
    (picture,) = workbench.pictures(workbench.in_tab(at, "Curves"))
    assert "pchip" in {trace.get("name") for trace in workbench.spec(picture)["figure"]["data"]}


def test_a_click_on_a_point_takes_its_k(workbench) -> None:
    at = workbench.open("multiplexing", {"dataset": kept(bursty(n_events=6), "six"), "view": "What if"})
    workbench.pick(at, workbench.pictures(workbench.in_tab(at, "What if"))[0], 6)
    assert at.slider(key="multiplexing.slots_per_count").value == 6
    assert "Counting 1 slot in 6" in verdict(at)


def test_a_multiplexed_series_is_as_measured_and_its_truth_can_be_tried_at_other_k(workbench) -> None:
    at = workbench.open("multiplexing", {"dataset": kept(virtual_multiplex(bursty(n_events=6), 3), "seen"), "view": "What if"})
    k = at.selectbox(key="multiplexing.slots_per_count")
    assert (k.value, k.options) == (0, ["0", "2", "3", "4", "5", "6"])
    assert any("0: as measured, 1 in 3" in each.value for each in at.caption)
    assert "Counting 1 slot in 3" in verdict(at)
    workbench.pick(at, workbench.pictures(workbench.in_tab(at, "What if"))[0], 6)
    assert at.selectbox(key="multiplexing.slots_per_count").value == 6
    assert "Counting 1 slot in 6" in verdict(at)


def test_a_link_asks_for_another_k_of_a_multiplexed_series(workbench) -> None:
    at = opened(workbench, slots_per_count="2")
    assert "Counting 1 slot in 2" in verdict(at)
    assert not at.warning


def test_k_of_an_ocoe_series_is_not_that_of_a_multiplexed_one(workbench) -> None:
    whole = bursty(n_events=6)
    seen, true = kept(virtual_multiplex(whole, 3), "seen"), kept(whole, "all counted")
    at = workbench.open("multiplexing", {"dataset": true})
    at.slider(key="multiplexing.slots_per_count").set_value(5)
    workbench.run(at)
    at.selectbox(key="multiplexing.dataset").set_value(seen)
    workbench.run(at)
    assert at.selectbox(key="multiplexing.slots_per_count").value == 0
    at.selectbox(key="multiplexing.dataset").set_value(true)
    workbench.run(at)
    assert at.slider(key="multiplexing.slots_per_count").value == 4
    assert not at.warning


def perf_of(table: CounterSeries, share: float) -> bytes:
    """`perf stat -I -x,` of the first run, each value counted for `share` of its interval and scaled."""
    run = table.run("p", 1).counts
    lines = [
        f"{0.1 * (slot + 1):.9f},{int(value)},,{event},{int(1e8 * share)},{100 * share:.2f},,"
        for slot, row in run.iterrows()
        for event, value in row.items()
    ]
    return "\n".join([*lines, ""]).encode()


def csv_of(table: CounterSeries) -> bytes:
    run = table.run("p", 1).counts
    return run.assign(time=0.1 * (run.index + 1.0)).to_csv(index=False).encode()


@pytest.mark.slow
def test_uploads_of_two_readers_pair_and_k_is_the_running_shares(workbench) -> None:
    whole = bursty()
    workbench.upload(("seen.csv", perf_of(whole, 0.25)))
    workbench.upload(("all.csv", csv_of(whole)))
    labels = {each.name: each.label for each in entries(shelf.store()) if each.id in {record.id for record in workbench.records}}
    at = workbench.open("multiplexing", {"dataset": labels["seen.csv"]})
    assert at.selectbox(key="multiplexing.slots_per_count").value == 0
    assert any("0: from the running share, 1 in 4" in each.value for each in at.caption)
    assert "Counting 1 slot in 4" in verdict(at)
    assert any("does not record which slots were counted" in each.value for each in at.markdown)  # under "Why?"
    workbench.open_box(at, "Pair with OCOE runs")
    at.selectbox(key="multiplexing.pair-with").set_value(labels["all.csv"])
    at.button(key="multiplexing.pair").click()
    workbench.run(at)
    assert "totals are" in verdict(at)
    at.selectbox(key="multiplexing.slots_per_count").set_value(2)
    workbench.run(at)
    assert "Counting 1 slot in 2" in verdict(at)


def test_k_is_asked_for_where_nothing_says_it(workbench) -> None:
    whole = bursty()
    at = workbench.open(
        "multiplexing", {"dataset": kept(CounterSeries(intervals=whole.intervals, counts=whole.counts, mode="MPX"), "seen")}
    )
    k = at.selectbox(key="multiplexing.slots_per_count")
    assert k.options == ["2", "3", "4"]
    assert any("does not record how often it counted" in each.value for each in at.caption)
    assert "Counting 1 slot in" in verdict(at)


def test_the_control_is_called_one(workbench) -> None:
    at = opened(workbench, method="minimum")
    assert "guesses low" in verdict(at)


def test_no_event_chosen_is_a_sentence(workbench) -> None:
    at = workbench.open_box(opened(workbench), "Options")
    at.multiselect(key="multiplexing.events").set_value([])
    workbench.run(at)
    assert workbench.sentences(at) == ["Events: none is chosen. Choose at least one."]


def test_a_pair_is_kept_and_opened(workbench) -> None:
    whole = bursty()
    mpx = virtual_multiplex(whole, 4)
    blind = CounterSeries(intervals=mpx.intervals, counts=mpx.counts, mode="MPX", share=mpx.share)
    seen, true = kept(blind, "seen"), kept(whole, "all counted")
    at = workbench.open("multiplexing", {"dataset": seen})
    assert "truth is not known" in verdict(at)
    assert workbench.tabs(at) == ["Curves", "Removed"]
    workbench.open_box(at, "Pair with OCOE runs")
    at.selectbox(key="multiplexing.pair-with").set_value(true)
    at.button(key="multiplexing.pair").click()
    workbench.run(at)
    assert at.selectbox(key="multiplexing.dataset").value.startswith("seen, with all counted · ")
    assert "totals are" in verdict(at)
    assert workbench.tabs(at) == TABS


def test_what_does_not_pair_is_a_toast(workbench) -> None:
    mpx = virtual_multiplex(bursty(), 4)
    seen = kept(CounterSeries(intervals=mpx.intervals.assign(application="q"), counts=mpx.counts, mode="MPX"), "seen")
    at = workbench.open("multiplexing", {"dataset": seen})
    workbench.open_box(at, "Pair with OCOE runs")
    at.selectbox(key="multiplexing.pair-with").set_value(OCOE)
    at.button(key="multiplexing.pair").click()
    workbench.run(at)
    assert any("no event in common" in each.value for each in at.toast)


@pytest.mark.slow
def test_the_kept_series_is_one_that_segmentation_opens(workbench) -> None:
    at = opened(workbench, application="text_index")
    workbench.open_box(at, "Keep")
    at.button(key="multiplexing.keep").click()
    workbench.run(at)
    record = workbench.records[0]
    assert record.kind == "CounterSeries"
    entry = next(each for each in entries(shelf.store()) if each.id == record.id)
    there = workbench.open("segmentation", {"dataset": entry.label, "event": "Dr"})
    assert not there.error
    assert there.metric


def test_the_paper_cuts_more_off_and_it_is_listed(workbench) -> None:
    at = opened(workbench, tail="paper", view="Removed")
    assert shown(at)["slots"].min() > 5
    assert at.slider(key="multiplexing.tail_steps").value == 5


@pytest.mark.slow
def test_a_model_is_scored_by_program_beside_by_run(workbench) -> None:
    whole = bursty()
    two = CounterSeries(
        intervals=pd.concat([whole.intervals, whole.intervals.assign(application="q")], ignore_index=True),
        counts=pd.concat([whole.counts, whole.counts * 3], ignore_index=True),
        mode="OCOE",
    )
    at = opened(workbench, dataset=kept(two, "two programs"), application="p")
    workbench.open_box(at, "Train a model")
    at.number_input(key="multiplexing.train-steps").set_value(2)
    at.number_input(key="multiplexing.train-held_out").set_value(0.34)
    at.multiselect(key="multiplexing.train-left_out").set_value(["q"])
    workbench.run(at)
    at.button(key="multiplexing.train").click()
    workbench.run(at)
    (job,) = [each for each in jobs.jobs() if each.kind == TRAIN.title]
    assert job.wait(240)
    workbench.run(at)
    (table,) = [each.value for each in at.markdown if "RA, programs" in each.value]
    rows = {line.split(" | ")[0].strip("| "): line for line in table.splitlines()}
    assert {"harmonic", "trained curve", "trained curve, everywhere"} <= set(rows)
    # A program left out gets the untrained estimate.
    last = [rows[name].split(" | ")[3] for name in ("harmonic", "trained curve")]
    assert last[0] == last[1]
    at.button(key=f"multiplexing.keep-{job.id}").click()
    workbench.run(at)
    said = " ".join(workbench.read(each.value) for each in at.caption)
    assert "By run: RA" in said
    assert "By program (q left out): RA" in said
    at.selectbox(key="multiplexing.application").set_value("q")
    workbench.run(at)
    assert any("It was not trained on q" in workbench.read(each.value) for each in at.caption)
    # Against k, where a model is there for that k and has seen the program.
    at.selectbox(key="multiplexing.application").set_value("p")
    workbench.run(at)
    tab = workbench.in_tab(at, "What if")
    (one, _) = workbench.pictures(tab)
    drawn = {each.get("name"): each["x"] for each in workbench.spec(one)["figure"]["data"]}
    assert "trained curve" in drawn
    assert any("the stored ones trained on p have k = 4" in workbench.read(each.value) for each in tab.caption)


@pytest.mark.slow
def test_the_step_of_a_training_without_a_score_trains_anew(workbench) -> None:
    """Of six runs a tenth, rounded, is one; of none held out, the step holds out a fifth, and has a score."""
    at = opened(workbench, dataset=kept(bursty(), "short runs"), application="p")
    workbench.open_box(at, "Train a model")
    at.number_input(key="multiplexing.train-steps").set_value(2)
    at.number_input(key="multiplexing.train-held_out").set_value(0.0)
    workbench.run(at)
    at.button(key="multiplexing.train").click()
    workbench.run(at)
    (first,) = [each for each in jobs.jobs() if each.kind == TRAIN.title]
    assert first.wait(PATIENCE)
    workbench.run(at)
    next(each for each in at.button if each.label == "Hold out a fifth").click()
    workbench.run(at)
    (second,) = [each for each in jobs.jobs() if each.kind == TRAIN.title and each.id != first.id]
    assert second.question.params == first.question.params.but(held_out=0.2)
    assert at.number_input(key="multiplexing.train-held_out").value == 0.2
    assert second.wait(PATIENCE)
    assert second.result().held_out == 1
    workbench.run(at)
    next(each for each in at.button if each.label == "Estimate by harmonic").click()
    workbench.run(at)
    assert at.selectbox(key="multiplexing.method").value == "harmonic"


@pytest.mark.slow
def test_a_model_is_trained_kept_and_used(workbench) -> None:
    at = opened(workbench, dataset=kept(bursty(), "short runs"), application="p")
    assert not any(each.key == "multiplexing.model" for each in at.selectbox)
    workbench.open_box(at, "Train a model")
    at.number_input(key="multiplexing.train-steps").set_value(2)
    at.number_input(key="multiplexing.train-held_out").set_value(0.34)
    workbench.run(at)
    at.button(key="multiplexing.train").click()
    workbench.run(at)
    (job,) = [each for each in jobs.jobs() if each.kind == TRAIN.title]
    assert job.wait(PATIENCE)
    assert job.state == "done", job.error
    # The loss curve as far as it was told: of two steps within a tenth of a second, one alone.
    losses = losses_of(note for _, note in job.trail)
    assert set(losses["step"]) <= {1, 2}
    assert len(losses)
    assert set(losses["loss"]) == {"curves", "counts"}
    workbench.run(at)
    at.button(key=f"multiplexing.keep-{job.id}").click()
    workbench.run(at)
    assert at.selectbox(key="multiplexing.method").value == "trained curve"
    (id,) = ModelShelf().ids()
    assert at.selectbox(key="multiplexing.model").value.endswith(id[:8])
    assert ModelShelf().load(id).parent == job.question.dataset
    # A link opens what it opened before the model was kept; the new one is in links by its name.
    again = opened(workbench, dataset=at.selectbox(key="multiplexing.dataset").value, application="p")
    assert again.selectbox(key="multiplexing.method").value == "by event"
    assert again.selectbox(key="multiplexing.model").value == "none"
    named = opened(
        workbench, dataset=at.selectbox(key="multiplexing.dataset").value, application="p", method="trained curve",
        model=at.selectbox(key="multiplexing.model").value,
    )  # fmt: skip
    assert named.selectbox(key="multiplexing.method").value == "trained curve"
    linked = opened(workbench, dataset=at.selectbox(key="multiplexing.dataset").value, application="p", method="linear")
    assert linked.selectbox(key="multiplexing.method").value == "linear"
    assert "totals are" in verdict(at)
