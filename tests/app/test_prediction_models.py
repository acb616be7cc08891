"""The Prediction page's models: programs left out, where the cycles go, a what-if, models kept, and tables that cannot be learnt from."""

import dataclasses
import runpy
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hemcore import __version__
from hemcore.datasets.shelf import library
from hemcore.datasets.shelf.store import Lineage
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.prediction.models.model_files import kept_ids
from hemcore.report import ReportShelf
from hemcore.report.answers import answered
from hemcore.web import shelf
from tests.app.test_contract import _LIVE, HOSTILE, bound, words
from tests.core.prediction.made import COSTS, phases

pytestmark = [pytest.mark.usefixtures("no_jobs", "workers"), pytest.mark.detail]

FEW = {"models": ["Ridge", "cost per event", "copy the other load"]}
TABS = ["By program", "Predicted and measured", "One program", "Shuffled rows", "Settings"]


def kept(table: PhaseTable, name: str = "programs") -> str:
    """The label of `table` on the shelf."""
    lineage = Lineage(
        parent="sample-phases", parent_name=name, analysis="segmentation.segmentation", params={}, version=__version__, gives=name
    )
    record = shelf.store().keep(table, name=name, lineage=lineage)
    return next(entry.label for entry in library.entries(shelf.store()) if entry.id == record.id)


def opened(workbench, table: PhaseTable | None = None, family: str = "Predict", label: str = "", **query: Any):
    """The family's answer on the table, the work that it took done."""
    chosen = {"dataset": label or kept(table or phases()), "family": family} | (FEW if family != "Where the cycles go" else {}) | query
    return workbench.settled(workbench.open("prediction", chosen))


def test_a_link_of_before_names_models_as_they_were_named(workbench) -> None:
    at = opened(workbench, phases(3, 20), models=["Ridge", "RelativeNnls"], model="RelativeNnls")
    assert at.multiselect(key="prediction.models").value == ["Ridge", "cost per event"]
    assert at.selectbox(key="prediction.model").value == "cost per event"
    assert not at.warning


def test_a_load_that_is_the_only_one_is_not_copied(workbench) -> None:
    table = phases(3, 20)
    of_one = dataclasses.replace(table, frame=table.frame[table.frame["load"] == "single core"])
    boxes = [opened(workbench, each, models=["Ridge"]).multiselect(key="prediction.models") for each in (table, of_one)]
    assert ["copy the other load" in box.options for box in boxes] == [True, False]
    assert [box.value for box in boxes] == [["Ridge"], ["Ridge"]]


def verdict(workbench, at) -> str:
    words = [workbench.read(each.value) for each in at.markdown]
    return next(each for each in words if each.startswith(":material/"))


def in_tab(workbench, at, label: str):
    workbench.in_tab(at, label)
    at = workbench.settled(at)
    assert not at.error
    return workbench.in_tab(at, label)


def changed(table: PhaseTable, **columns: Any) -> PhaseTable:
    frame = table.frame.assign(**columns)
    return PhaseTable(frame=frame, counters=(*table.counters, *(name for name in columns if name not in table.counters)))


# Programs left out.


@pytest.mark.slow
def test_the_verdict_says_how_well_an_unseen_program_is_predicted(workbench) -> None:
    at = opened(workbench)
    said = verdict(workbench, at)
    assert "per program, on unseen programs." in said
    assert any("measuring 5 of its phases instead" in workbench.read(each.value) for each in at.markdown)
    assert "Only 6 programs" in said
    assert list(workbench.metrics(at)) == ["Error per phase", "Median program", "Error per program", "Worst program", "Copied load"]
    assert workbench.tabs(at) == TABS


def test_while_the_programs_are_left_out_progress_and_cancel_stand_in_the_place_of_the_answer(
    workbench, never_done, monkeypatch: pytest.MonkeyPatch
) -> None:
    submitted, known = never_done
    monkeypatch.setattr("hemcore.analysis.LONG_S", 0.0)
    monkeypatch.setattr("hemcore.web.ask._COLD_S", 0.0)
    at = workbench.open("prediction", {"dataset": kept(phases(6, 400)), "family": "Predict"} | FEW)
    assert [known[each].question.analysis.name for each in submitted] == ["prediction.evaluation"]
    assert [each.label for each in at.button if each.label == "Cancel"] == ["Cancel"]
    assert not at.metric
    assert at.multiselect(key="prediction.models").value == FEW["models"]


@pytest.mark.slow
def test_every_tab_draws_its_pictures(workbench) -> None:
    at = opened(workbench)
    drawn = {label: len(workbench.pictures(in_tab(workbench, at, label))) for label in TABS}
    assert drawn == {"By program": 2, "Predicted and measured": 2, "One program": 2, "Shuffled rows": 1, "Settings": 0}
    assert set(at.dataframe[0].value["model"]) == {"Ridge"}


@pytest.mark.slow
def test_a_click_on_a_program_shows_its_phases_and_the_link_keeps_it(workbench) -> None:
    at = opened(workbench)
    dots = workbench.pictures(in_tab(workbench, at, "By program"))[0]
    workbench.pick(at, dots, ["program 1"])
    tab = in_tab(workbench, at, "One program")
    assert at.query_params["prediction.unseen"] == "program 1"
    course = workbench.spec(workbench.pictures(tab)[0])["figure"]
    assert "program 1" in course["layout"]["title"]["text"]
    assert {"measured", "cost per event", "80% interval"} <= {trace.get("name") for trace in course["data"]}
    assert len(at.dataframe[0].value) == 40
    again = opened(workbench, label=at.selectbox(key="prediction.dataset").value, view="One program", unseen="program 1", promised="90 %")
    names = [
        trace.get("name") for trace in workbench.spec(workbench.pictures(in_tab(workbench, again, "One program"))[0])["figure"]["data"]
    ]
    assert "90% interval" in names


@pytest.mark.slow
def test_what_is_learnt_from_is_chosen(workbench) -> None:
    table = phases()
    table = dataclasses.replace(table, frame=table.frame.assign(domain=np.where(table.frame["program"] == table.programs[0], "x", "y")))
    at = opened(workbench, table, counters=["Ir", "Bcm"], form="counts per instruction", train_load="dual core full load")
    assert "on unseen programs" in verdict(workbench, at)
    # Whole domains can be left out, where the table has them.
    assert len(at.selectbox(key="prediction.group").options) == 2
    program = workbench.snippet(at)
    assert all(each in program for each in ("counters='Ir; Bcm'", "form='rates'", "train_load='dual core full load'"))


@pytest.mark.slow
def test_longer_phases_are_compared_where_they_were_read(workbench) -> None:
    table = phases()
    longer = table.frame[table.frame["phase"] % 2 == 0].assign(granularity=2000)
    at = opened(workbench, PhaseTable(frame=pd.concat([table.frame, longer], ignore_index=True), counters=table.counters))
    assert "Granularity" in workbench.tabs(at)
    assert len(workbench.pictures(in_tab(workbench, at, "Granularity"))) == 2
    assert set(at.dataframe[0].value["granularity"]) == {1000, 2000}


@pytest.mark.slow
def test_the_score_with_shuffled_rows_stands_beside_the_one_by_program(workbench) -> None:
    at = opened(workbench)
    in_tab(workbench, at, "Shuffled rows")
    said = " ".join(workbench.read(each.value) for each in at.caption)
    assert "with shuffled rows it was trained on other phases of the same program" in said
    assert list(at.dataframe[0].value) == ["model", "shuffled rows", "programs left out"]


@pytest.mark.slow
def test_a_baseline_of_other_features_is_compared_and_gone_back_to(workbench) -> None:
    at = opened(workbench)
    at.button(key="prediction.do-pin").click()
    workbench.run(at)
    at.multiselect(key="prediction.counters").set_value(["Ir"])
    at = workbench.settled(workbench.run(at))
    assert any("Features automatic → Ir" in workbench.read(each.value).replace("features", "Features") for each in at.markdown)
    bars = workbench.spec(workbench.pictures(in_tab(workbench, at, "By program"))[1])["figure"]["data"]
    assert any("baseline" in str(trace.get("name")) for trace in bars)
    at.button(key="prediction.to-pin").click()
    at = workbench.settled(workbench.run(at))
    assert at.multiselect(key="prediction.counters").value == []
    assert at.multiselect(key="prediction.models").value == FEW["models"]
    assert not at.error


# Where the cycles go.


def test_where_the_cycles_go(workbench) -> None:
    at = opened(workbench, family="Where the cycles go")
    assert "of CYCLES" in verdict(workbench, at)
    assert list(workbench.metrics(at)) == ["Base", "Branches", "L1", "Last level"]
    stack = in_tab(workbench, at, "By program")
    assert len(workbench.pictures(stack)) == 2
    shares = at.dataframe[0].value
    assert shares.groupby("program")["share"].sum().to_numpy() == pytest.approx(1, abs=0.002)  # each with one decimal of a percentage
    in_tab(workbench, at, "Cost of an event")
    costs = at.dataframe[0].value.set_index("counter")["cost"]
    assert costs["Bcm"] == pytest.approx(COSTS["Bcm"], rel=0.2)


def test_causes_are_those_of_the_program_that_is_chosen(workbench) -> None:
    at = opened(workbench, family="Where the cycles go", view="Causes", loses="program 2", reference="the suite's best")
    assert not at.error
    assert "program 2" in verdict(workbench, at)
    assert "Unexplained" in workbench.metrics(at)
    rows = at.dataframe[0].value.set_index("cause")
    assert rows["share"].sum() == pytest.approx(1, abs=0.003)  # each is shown to three digits
    assert rows.loc["branches", "reference"] <= rows.loc["branches", "amount"]
    bars = workbench.spec(workbench.pictures(at)[0])["figure"]["data"]
    assert [each.get("name") for each in bars][1:] == ["the suite's best"]
    at.selectbox(key="prediction.loses").set_value("program 3")
    at = workbench.settled(workbench.run(at))
    assert "program 3" in verdict(workbench, at)
    # The other tabs have the verdict of the answer.
    in_tab(workbench, at, "By program")
    assert "of CYCLES goes to" in verdict(workbench, at)


def test_a_report_has_the_verdict_of_the_program_whose_causes_were_shown(workbench) -> None:
    at = opened(workbench, family="Where the cycles go", view="Causes", loses="program 2")
    told = verdict(workbench, at)
    workbench.open_box(at, "Add to report")
    next(each for each in at.button if each.label == "Add Causes").click()
    workbench.run(at)
    reports = ReportShelf(shelf.store().root)
    (entry,) = reports.entries()
    (found,) = answered(reports.load(entry.id))
    assert found.verdict is not None
    assert found.verdict.answer in told
    assert found.table is not None
    assert found.changes == (None,) * len(found.cards)


@pytest.mark.slow
@pytest.mark.parametrize("family", ["Predict", "Where the cycles go", "What-if"])
def test_the_python_makes_the_table_that_is_given_away(workbench, tmp_path, family: str) -> None:
    at = opened(workbench, family=family, **({"n_bootstrap": "20"} if family == "Where the cycles go" else {}))
    program = workbench.snippet(at)
    script = tmp_path / "snippet.py"
    script.write_text(program)
    made = runpy.run_path(str(script))[program.splitlines()[-1].partition(" = ")[0]]
    assert len(made) == {"Predict": 240, "Where the cycles go": 24, "What-if": 2}[family]


@pytest.mark.slow
def test_a_report_draws_the_same_program(workbench) -> None:
    at = opened(workbench, unseen="program 2", view="One program")
    workbench.open_box(at, "Add to report")
    next(each for each in at.button if each.label == "Add One program").click()
    workbench.run(at)
    reports = ReportShelf(shelf.store().root)
    (entry,) = reports.entries()
    (item,) = answered(reports.load(entry.id))
    assert not item.failed
    assert not item.picture_failed
    assert "program 2" in item.figures[0].layout.title.text


# What if.


def test_a_slider_changes_what_every_model_says(workbench) -> None:
    at = opened(workbench, family="What-if")
    assert "2 models predict CYCLES for changed counts" in verdict(workbench, at)
    sliders = [each for each in at.select_slider if each.key.startswith("prediction.move-")]
    assert [each.label for each in sliders] == ["Ir", "Bcm", "D1mr", "DLmr"]  # by what half of each would do
    assert {each.value for each in sliders} == {0.0}
    at.select_slider(key="prediction.move-Bcm").set_value(20.0)
    workbench.run(at)
    assert at.text_input(key="prediction.change").value == "Bcm +20%"
    assert "Bcm +20%" in verdict(workbench, at)
    assert "CYCLES +" in verdict(workbench, at)
    assert any("Bcm +20% in program " in workbench.read(each.value) for each in at.caption)


def test_an_extrapolation_is_told_before_the_number(workbench) -> None:
    at = opened(workbench, family="What-if", together="false", change="DLmr +9000%")
    assert "Extrapolation, so uncertain: DLmr +9,000%, CYCLES +" in verdict(workbench, at)
    answers = workbench.spec(workbench.pictures(in_tab(workbench, at, "What if"))[0])["figure"]
    assert answers["layout"]["title"]["text"].startswith("Extrapolation.")
    assert "far from all seen" in at.select_slider(key="prediction.move-DLmr").label


def test_a_change_is_a_baseline(workbench) -> None:
    at = opened(workbench, family="What-if", change="Bcm -50%")
    at.button(key="prediction.do-pin").click()
    workbench.run(at)
    at.select_slider(key="prediction.move-Bcm").set_value(-80.0)
    workbench.run(at)
    assert any("change Bcm -50% → Bcm -80%" in workbench.read(each.value) for each in at.markdown)
    figure = workbench.spec(workbench.pictures(in_tab(workbench, at, "What if"))[0])["figure"]
    assert any("baseline: Bcm −50%" in str(each.get("name")) for each in figure["data"])
    at.button(key="prediction.to-pin").click()
    workbench.run(at)
    assert at.select_slider(key="prediction.move-Bcm").value == -50.0


def test_a_click_chooses_another_phase(workbench) -> None:
    at = opened(workbench, family="What-if", held_out="program 1", scope="phase")
    starts = workbench.pictures(in_tab(workbench, at, "What if"))[-1]
    workbench.pick(at, starts, ["program 1", 7])
    assert at.number_input(key="prediction.start_phase").value == 7
    assert any("phase 7 of program 1" in workbench.read(each.value) for each in at.caption)


def test_a_link_of_before_with_counts_is_a_change_of_its_phase(workbench) -> None:
    at = opened(workbench, family="What-if", held_out="program 1", start_phase="7", **{"if-Bcm": "12.0"})
    frame = phases().frame
    own = frame[(frame["program"] == "program 1") & (frame["phase"] == 7) & (frame["load"] == "single core")].iloc[0]
    assert at.select_slider(key="prediction.move-Bcm").value == pytest.approx(100 * (12 / own["Bcm"] - 1), abs=1e-3)
    assert any("in phase 7 of program 1, alone" in workbench.read(each.value) for each in at.caption)


def test_nothing_held_out_is_fitted_on_all_and_said(workbench) -> None:
    at = opened(workbench, family="What-if", held_out="none: fitted on all", start="program 4")
    assert "Trained on 6 programs, these included: their own predictions look better" in verdict(workbench, at)
    assert at.selectbox(key="prediction.start").value == "program 4"


@pytest.mark.slow
def test_a_model_is_kept_used_and_deleted(workbench) -> None:
    at = opened(workbench, family="What-if")
    in_tab(workbench, at, "Models")
    at.selectbox(key="prediction.keep-model").set_value("cost per event")
    workbench.run(at)
    at.button(key="prediction.keep-it").click()
    workbench.run(at)
    (id,) = kept_ids(shelf.store().root)
    at.button(key=f"prediction.use-{id[:12]}").click()
    workbench.run(at)
    assert at.session_state["prediction.view"] == "What if"
    assert at.multiselect(key="prediction.kept").value == [f"cost per event · {id[:8]}"]
    lines = next(each.value for each in at.markdown if each.value.startswith("| model")).replace("\\", "").splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    answers = {row[0]: row[1] for row in cells[2:]}
    assert answers[f"cost per event, saved {id[:8]}"] == answers["cost per event"]
    in_tab(workbench, at, "Models")
    at.button(key=f"prediction.delete-{id[:12]}").click()
    workbench.run(at)
    assert kept_ids(shelf.store().root) == []
    assert not at.error
    assert not [each for each in at.multiselect if each.key == "prediction.kept"]


@pytest.mark.slow
def test_a_model_for_other_counters_is_listed_and_not_asked(workbench) -> None:
    at = opened(workbench, family="What-if")
    in_tab(workbench, at, "Models")
    at.button(key="prediction.keep-it").click()
    workbench.run(at)
    (id,) = kept_ids(shelf.store().root)
    narrow = phases()
    fewer = PhaseTable(frame=narrow.frame.drop(columns="Bcm"), counters=tuple(name for name in narrow.counters if name != "Bcm"))
    at = opened(workbench, fewer, family="What-if")
    in_tab(workbench, at, "Models")
    assert at.button(key=f"prediction.use-{id[:12]}").disabled
    assert any("it needs Bcm, which is not among the features" in workbench.read(each.value) for each in at.markdown)


# Tables that cannot be learnt from, or not well.


def said(workbench, at) -> str:
    return " ".join(
        [*workbench.sentences(at), *(workbench.read(each.value) for kind in (at.warning, at.caption, at.markdown) for each in kind)]
    )


def one_program(table: PhaseTable) -> PhaseTable:
    return dataclasses.replace(table, frame=table.frame[table.frame["program"] == "program 0"])


def zero_rows(table: PhaseTable) -> PhaseTable:
    return changed(table, **{name: np.where(table.frame["phase"] < 3, 0, table.frame[name]) for name in COSTS})


CASES: dict[str, tuple[Any, dict[str, Any], str]] = {
    "one program": (one_program, {}, "'program 0' is the only program. Add at least one more, to train on one and predict the other."),
    "a constant feature": (lambda table: changed(table, SW_INCR=0), {}, "SW_INCR is constant and is left out."),
    "NaN cells": (
        lambda table: changed(table, Dr=np.where(table.frame["phase"] == 3, np.nan, 5.0 + table.frame["phase"])),
        {},
        "6 of 240 phases at 1000, single core are left out: a counter or the target was not counted.",
    ),
    "the target under another name": (
        lambda table: changed(table, TOT_CYC=table.frame["CYCLES"] * 2),
        {},
        "TOT_CYC is CYCLES under another name or derived from it: leave it out, or the errors mean nothing.",
    ),
    "a target that was not counted": (
        lambda table: changed(table, CYCLES=np.nan), {"target": "CYCLES"}, "Target: CYCLES was not counted at 1000, single core.",
    ),
    "an unknown target": (lambda table: table, {"target": "TPI"}, "The link asks for Target 'TPI', which is not available"),
    "an unknown feature": (lambda table: table, {"counters": ["TPI"]}, "The link asks for Features 'TPI', which is not available"),
    "zero vectors": (zero_rows, {}, "on unseen programs"),
    "fewer phases than neighbours": (lambda table: table, {"models": ["CLSLR", "CLSLR, thesis"]}, "on unseen programs"),
    "no phase at that pair": (
        lambda table: dataclasses.replace(
            table, frame=table.frame.assign(granularity=np.where(table.frame["load"] == "single core", 1000, 2000))
        ),
        {"granularity": "2000"},
        "there are no phases at 2000, single core",
    ),
    "nothing that learns": (lambda table: table, {"models": ["copy the other load"]}, "only copies of another load are left"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_a_table_that_is_hard_to_learn_from_is_told(workbench, case: str) -> None:
    make, query, words = CASES[case]
    at = workbench.open("prediction", {"dataset": kept(make(phases())), "family": "Predict"} | FEW | query)
    first = said(workbench, at)  # before its job is done
    at = workbench.settled(at)
    assert words in first + said(workbench, at)
    assert bool(at.error) != bool(at.metric)


@pytest.mark.slow
def test_the_target_is_taken_out_of_the_features_by_one_click(workbench) -> None:
    table = phases()
    at = opened(workbench, changed(table, TOT_CYC=table.frame["CYCLES"] * 2))
    assert "The target is among the features" in verdict(workbench, at)
    step = next(each for each in at.button if workbench.read(each.label) == "Leave out TOT_CYC")
    at = workbench.settled(step.click().run())
    others = [name for name in table.counters if name != "CYCLES"]
    assert at.multiselect(key="prediction.counters").value == others
    assert "The target is among the features" not in verdict(workbench, at)
    assert "Leave out TOT_CYC" not in [workbench.read(each.label) for each in at.button]


def test_columns_of_text_are_no_counters(workbench) -> None:
    table = phases()
    at = opened(workbench, dataclasses.replace(table, frame=table.frame.assign(note="text")))
    assert "note" not in at.multiselect(key="prediction.counters").options
    assert "on unseen programs" in verdict(workbench, at)


# Choices taken back, and links that ask for what there is not.


@pytest.mark.slow
def test_undo_and_defaults_put_the_sliders_back(workbench) -> None:
    at = opened(workbench, family="What-if")
    for button in ("Undo", "Defaults"):
        at.select_slider(key="prediction.move-Bcm").set_value(-40.0)
        workbench.run(at)
        assert at.select_slider(key="prediction.move-Bcm").value == -40.0
        next(each for each in at.button if each.label == button).click()
        # Defaults goes back to all models too.
        at = workbench.settled(workbench.run(at))
        assert at.select_slider(key="prediction.move-Bcm").value == 0.0, button


@pytest.mark.slow
def test_going_from_one_question_to_another_keeps_the_phases(workbench) -> None:
    at = opened(workbench, load="dual core full load", view="Settings")
    at.button_group(key="prediction.family").set_value("What-if")
    at = workbench.settled(workbench.run(at))
    assert at.selectbox(key="prediction.load").value == "dual core full load"
    assert workbench.tabs(at) == ["What if", "Models"]
    at.button_group(key="prediction.family").set_value("Explore")
    at = workbench.settled(workbench.run(at))
    assert "correlates most with CYCLES" in verdict(workbench, at)
    assert not at.error


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["markup", "long", "another type", "a number out of range"])
@pytest.mark.parametrize("family", ["Predict", "Where the cycles go", "What-if"])
def test_a_hostile_link_is_told_in_sentences(workbench, family: str, kind: str) -> None:
    table = phases()
    known = bound(opened(workbench, table, family))
    fixed = {"prediction.dataset", "prediction.family"}
    at = opened(workbench, table, family, **{key.partition(".")[2]: HOSTILE[kind] for key in known if key not in fixed})
    told = [workbench.read(each.value) for each in (*at.error, *at.warning)]
    assert told
    assert all(each.endswith((".", "?")) and len(each) < 2_000 for each in told)
    assert [each for each in words(at) if _LIVE.search(each)] == []
