"""The Plan page: verdict, tabs, HEMs pasted and picked, counters and limits, goals, the script, the baseline, what cannot be planned."""

import base64
import json
import re

import pandas as pd
import pytest

from hemcore import jobs
from hemcore.datasets.shelf.library import entries
from hemcore.datasets.tables.hem_list import HemList
from hemcore.datasets.tables.metric_definitions import MetricDefinitions
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.web import shelf
from hemcore.web.plan import form

SAMPLE = "16 HEMs of an NXP T2080 · sample"
TABS = ["Plan", "Pairs together", "Coverage", "Against the bound", "What cuts cost", "Table", "Script"]

pytestmark = [pytest.mark.usefixtures("no_jobs", "workers"), pytest.mark.detail]


def opened(workbench, label: str = SAMPLE, **query: str):
    return workbench.settled(workbench.open("plan", {"dataset": label, **query}))


def listed(*hems: str, **columns: list[str]) -> str:
    """The label of a list on the shelf."""
    record = shelf.store().take(HemList(frame=pd.DataFrame({"hem": hems} | columns)), name="list", source="a test")
    return next(entry.label for entry in entries(shelf.store()) if entry.id == record.id)


def verdict(workbench, at) -> str:
    return workbench.read(next(each.value for each in at.markdown if "subexperiment" in each.value and "**" in each.value)).replace(
        "**", ""
    )


def test_it_says_how_many_subexperiments_and_that_no_plan_needs_fewer(workbench) -> None:
    at = opened(workbench)
    assert "10 subexperiments read every pair of 16 HEMs together with 6 PMCs." in verdict(workbench, at)
    assert workbench.metrics(at)["Subexperiments"] == "10"
    assert workbench.metrics(at)["Pairs together"] == "100%"
    assert workbench.metrics(at)["Total measurement time"] == "0.97 h"
    assert workbench.tabs(at) == TABS


@pytest.mark.slow
def test_the_vignettes_anchor_takes_13_instead_of_its_24(workbench) -> None:
    at = opened(workbench, goal="anchor")
    assert "13 subexperiments, each with PROCESSOR_CYCLES, read every pair of 16 HEMs together." in verdict(workbench, at)
    other = opened(workbench, goal="anchor", anchor="L2_MISSES")
    assert "each with L2_MISSES," in verdict(workbench, other)


@pytest.mark.slow
def test_a_budget_reads_what_it_can_and_offers_no_anchor_unless_asked(workbench) -> None:
    at = opened(workbench, goal="budget", groups="5")
    assert "5 subexperiments read 71 of 120 pairs" in verdict(workbench, at)
    assert at.selectbox(key="plan.anchor").value == ""


@pytest.mark.slow
def test_runs_and_the_time_of_a_run_make_the_time(workbench) -> None:
    at = opened(workbench)
    known = len(jobs.jobs())
    at.number_input(key="plan.seconds_per_run").set_value(36.0)
    at = workbench.run(at)
    assert workbench.metrics(at)["Total measurement time"] == "35.00 h"
    assert len(jobs.jobs()) == known  # the plan is the same


@pytest.mark.slow
def test_every_tab_says_something(workbench) -> None:
    workbench.pilot()
    at = opened(workbench, goal="budget", groups="4")
    for label in TABS:
        workbench.in_tab(at, label)
        at = workbench.settled(at)
        tab = workbench.in_tab(at, label)
        assert not at.error, label
        assert workbench.pictures(tab) or tab.code or at.dataframe, label


def test_the_script_is_of_this_plan_and_its_program_is_chosen(workbench) -> None:
    label = listed("cycles", "instructions", "branch-misses")
    at = opened(workbench, label, n_pmcs="2", runs="20", program="./solver --size '10 20'")
    (code,) = workbench.in_tab(at, "Script").code
    assert "{cycles,instructions}" in code.value
    assert "runs=20" in code.value
    assert "-- ./solver --size '10 20' >" in code.value
    papi = opened(workbench, label, n_pmcs="2", tool="papi")
    (code,) = workbench.in_tab(papi, "Script").code
    assert "PAPI_EVENTS=$2 PAPI_OUTPUT_DIRECTORY=$out/.papi ./program >" in code.value
    assert "measure subexperiment_0001 cycles,instructions" in code.value
    lists = opened(workbench, label, n_pmcs="2", tool="papi", program=" ")
    (code,) = workbench.in_tab(lists, "Script").code
    assert "\ncycles,instructions\n" in code.value


@pytest.mark.parametrize(
    ("label", "query", "said"),
    [
        ("script", {"program": "echo 'a"}, "unbalanced quotes"),
        ("script", {"program": " "}, "program: it is empty"),
    ],
)
def test_a_program_that_cannot_be_run_is_said_in_its_tab(workbench, label: str, query: dict[str, str], said: str) -> None:
    at = opened(workbench, listed("a", "b", "c"), n_pmcs="2", view="Script", **query)
    (sentence,) = workbench.sentences(at)
    assert said in sentence
    assert at.metric


@pytest.mark.slow
@pytest.mark.parametrize(
    ("columns", "hems", "query", "said"),
    [
        ({}, ["A"], {}, "hems: 1 given; a plan needs at least 2."),
        ({"counters": ["99", "", ""]}, ["A", "B", "C"], {}, "A names counter 99, but the 6 PMCs are 0 to 5."),
        (
            {"counters": ["0", "0", ""]},
            ["A", "B", "C"],
            {"goal": "anchor", "n_pmcs": "2"},
            "no counter is left for 'B' after the HEMs in every group.",
        ),
        ({}, [f"H{number}" for number in range(5_000)], {}, "5,000 HEMs; a plan can have at most 2,000."),
        (
            {},
            [f"H{number}" for number in range(1_000)],
            {"n_pmcs": "2"},
            "need at least 499,500 subexperiments; a plan can have at most 100,000.",
        ),
    ],
)
def test_what_cannot_be_planned_is_a_sentence(workbench, columns: dict, hems: list[str], query: dict[str, str], said: str) -> None:
    at = opened(workbench, listed(*hems, **columns), **query)
    (sentence,) = workbench.sentences(at)
    assert said in sentence
    assert not at.tabs


def test_more_pmcs_than_hems_take_one_subexperiment(workbench) -> None:
    at = opened(workbench, listed("a", "b", "c"), n_pmcs="12")
    assert verdict(workbench, at).endswith("All 3 HEMs fit into one subexperiment: there is nothing to merge.")
    assert workbench.metrics(at)["Subexperiments"] == "1"


def test_an_anchor_that_is_not_in_the_list_is_a_sentence(workbench) -> None:
    at = workbench.open("plan", {"dataset": listed("a", "b", "c"), "goal": "anchor", "anchor": "Ir"})
    (said,) = (workbench.read(each.value) for each in at.warning)
    assert said.startswith("The link asks for Anchor")
    assert "'Ir', which is not available" in said


def test_a_plan_in_parts_names_them(workbench) -> None:
    at = opened(workbench, listed(*"ABCDEFGH"), goal="budget", groups="1", n_pmcs="4")
    assert "5 unconnected groups of HEMs" in verdict(workbench, at)


def test_long_planning_is_a_job_that_is_watched_and_cancelled(workbench, never_done) -> None:
    submitted, known = never_done
    at = workbench.open("plan", {"dataset": listed(*(f"H{number}" for number in range(60)))})
    assert len(submitted) == 1
    assert not at.metric
    cancel = next(each for each in at.button if each.label == "Cancel")
    cancel.click()
    workbench.run(at)
    assert known[submitted[0]].cancel_asked


def test_a_plan_that_waits_is_withdrawn_for_the_next_one_unless_another_window_shows_it(workbench, never_done, monkeypatch) -> None:
    submitted, known = never_done
    gone: list[str] = []
    monkeypatch.setattr(jobs, "withdraw", lambda job: gone.append(job.id))
    dataset = listed(*(f"H{number}" for number in range(60)))
    at = workbench.open("plan", {"dataset": dataset})
    at.slider(key="plan.n_pmcs").set_value(5)
    workbench.run(at)
    workbench.run(at)
    assert gone == submitted[:1]
    other = workbench.open("plan", {"dataset": dataset, "n_pmcs": "5"})
    assert any(each.label == "Cancel" for each in other.button)
    assert len(submitted) == 2
    at.slider(key="plan.n_pmcs").set_value(7)
    workbench.run(at)
    assert len(known) == 3
    assert gone == submitted[:1]


@pytest.mark.slow
def test_a_job_plans_what_takes_long(workbench) -> None:
    at = opened(workbench, listed(*(f"H{number}" for number in range(30))), time_limit="3", n_pmcs="5")
    (job,) = jobs.jobs()
    assert job.state == "done"
    assert "subexperiments read every pair of 30 HEMs together with 5 PMCs." in verdict(workbench, at)


def test_a_pinned_plan_stands_beside_the_new_one(workbench) -> None:
    pin = json.dumps(["planning.plan", "sample-hems-t2080", {}])
    at = opened(workbench, goal="anchor", pin=pin)
    card = next(each for each in at.metric if each.label == "Subexperiments")
    assert card.delta == "+3 worse"
    assert len(workbench.pictures(workbench.in_tab(at, "Plan"))) == 2


# Wanted pairs.


@pytest.mark.slow
def test_wanted_pairs_are_pasted_and_the_link_has_them(workbench) -> None:
    at = opened(workbench, goal="budget", groups="2")
    at.text_area(key="plan.wanted").set_value("PROCESSOR_CYCLES with *\nL2_MISSES, L2_ACCESSES")
    at = workbench.settled(workbench.run(at))
    assert "2 subexperiments read 11 of 16 wanted pairs of 16 HEMs together" in verdict(workbench, at)
    assert "wanted='PROCESSOR_CYCLES with *" in workbench.snippet(at)
    same = opened(workbench, goal="budget", groups="2", wanted="PROCESSOR_CYCLES with *\nL2_MISSES, L2_ACCESSES")
    assert verdict(workbench, same) == verdict(workbench, at)
    picture = workbench.spec(workbench.pictures(workbench.in_tab(same, "Pairs together"))[0])
    marks = next(trace for trace in picture["figure"]["data"] if trace.get("mode") == "markers")
    assert len(base64.b64decode(marks["x"]["bdata"])) == 2 * 16


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ("L2_MISSES", "wanted: pair 1, 'L2_MISSES': only one name; a pair needs two."),
        ("PROCESSOR_CYCLES with *\nL2_MISSES with NONE", "pair 2, 'L2_MISSES with NONE': 'NONE' is not among the HEMs."),
        ("L2_MISSES with L2_MISSES", "a HEM cannot be paired with itself."),
        ("x" * 20_001, "at most 20,000 characters"),
    ],
)
def test_a_wanted_pair_that_is_none_is_a_sentence(workbench, wanted: str, said: str) -> None:
    at = opened(workbench, goal="budget", wanted=wanted)
    (sentence,) = workbench.sentences(at)
    assert said in sentence
    assert at.text_area(key="plan.wanted").value == wanted


def test_a_baseline_without_wanted_pairs_is_gone_back_to(workbench) -> None:
    pin = json.dumps(["planning.plan", "sample-hems-t2080", {}])
    at = opened(workbench, wanted="L2_MISSES with *", pin=pin)
    next(each for each in at.button if each.label == "Back to baseline").click()
    at = workbench.settled(workbench.run(at))
    assert at.text_area(key="plan.wanted").value == ""
    assert "read every pair of 16 HEMs" in verdict(workbench, at)


# What cuts cost.


@pytest.mark.slow
def test_cuts_are_judged_by_the_visitors_own_pilot_in_a_job(workbench) -> None:
    id = workbench.pilot()
    at = opened(workbench, view="What cuts cost", runs="36", seconds_per_run="100.0")
    assert at.selectbox(key="plan.pilot").value == id
    at = workbench.settled(at)
    tab = workbench.in_tab(at, "What cuts cost")
    assert len(workbench.pictures(tab)) == 1
    words = workbench.read(" ".join(each.value for each in tab.caption))
    assert re.search("Reduce runs, not subexperiments|fewer subexperiments cost less|no difference between fewer runs and", words)
    table = next(each.value for each in at.dataframe if "fraction of time" in each.value)
    assert table["cut"].tolist() == ["all", "fewer runs", "fewer runs", "fewer runs", "fewer subexperiments"]
    assert table["this plan, h"].iloc[:3].tolist() == [10.0, 7.0, 5.0]
    assert table["AUC"].between(0.3, 1).all()
    box = workbench.open_box(at, "Download")
    snippets = [each.value for each in box.code if each.language == "python"]
    assert len(snippets) == 2
    assert f"pilot='{id}'" in snippets[1]
    assert "analysis_named('planning.cuts')" in snippets[1]
    assert snippets[1].endswith("rows = analysis.of(table, params).rows")
    link = json.dumps(["planning.plan", "sample-hems-t2080", {"n_pmcs": 4}])
    compared = opened(workbench, view="What cuts cost", pin=link)
    assert "baseline, h" in next(each.value for each in compared.dataframe if "fraction of time" in each.value)


def test_newer_readings_of_other_hems_are_not_the_pilot(workbench) -> None:
    own = workbench.pilot()
    others = tuple(pd.DataFrame({hem: range(40) for hem in pair}) for pair in ("XY", "YZ"))
    shelf.store().take(Subexperiments(frames=others, n_pmcs=2), name="newer", source="a test")
    at = workbench.open("plan", {"dataset": listed(*"ABC")})
    assert at.selectbox(key="plan.pilot").value == own


def test_a_cut_is_watched_and_cancelled(workbench, never_done) -> None:
    submitted, known = never_done
    at = workbench.open("plan", {"dataset": listed(*"ABC"), "pilot": workbench.pilot(), "view": "What cuts cost"})
    assert len(submitted) == 1
    assert at.metric
    next(each for each in at.button if each.label == "Cancel").click()
    workbench.run(at)
    assert known[submitted[0]].cancel_asked


def test_a_pilot_of_too_few_runs_is_a_sentence_in_its_tab(workbench) -> None:
    at = opened(workbench, pilot=workbench.pilot(8), view="What cuts cost")
    at = workbench.settled(at)
    (sentence,) = workbench.sentences(at)
    assert "no subexperiment has two HEMs and 20 runs" in sentence
    assert at.metric


# For metrics.


def test_a_plan_is_filled_with_what_metrics_need_and_says_which_are_whole(workbench) -> None:
    formulas = {"IPC": "i / c", "MPKI": "1000 * m / i", "three": "a + b + i"}
    definitions = MetricDefinitions(
        frame=pd.DataFrame({"name": list(formulas), "formula": list(formulas.values())}),
        events=pd.DataFrame({"event": ["i", "c"], "counters": ["0 1", "fixed1"]}),
    )
    id = shelf.store().take(definitions, name="mine", source="a test").id
    at = workbench.open_box(opened(workbench), "For metrics")
    at = workbench.run(_define(at, "mine"))
    by_name = next(each for each in at.multiselect if each.label == "Metrics")
    assert by_name.options == list(formulas)
    assert "use-metrics" not in " ".join(each.key or "" for each in at.button)
    by_name.set_value(["IPC", "three"])
    at = workbench.run(at)
    assert any("2 metrics need 4 HEMs." in workbench.read(each.value) for each in at.caption)
    at.button(key="plan.use-metrics").click()
    at = workbench.settled(workbench.run(at))
    # a and b, a and i, b and i with two PMCs; c has a counter of its own.
    assert "3 subexperiments read every pair inside 2 metrics together with 2 PMCs." in verdict(workbench, at)
    assert workbench.metrics(at)["Whole metrics"] == "1"
    assert (at.slider(key="plan.n_pmcs").value, at.selectbox(key="plan.definitions").value) == (2, id)
    assert workbench.tabs(at) == [*TABS[:5], "Fewer subexperiments", *TABS[5:]]
    record = next(each for each in shelf.store().records() if each.kind == "HemList")
    assert shelf.table(record.id).metrics == {"IPC": ("i", "c"), "three": ("i", "a", "b")}


@pytest.mark.slow
def test_fewer_subexperiments_are_drawn_against_the_width_of_the_metrics(workbench) -> None:
    at = workbench.open_box(opened(workbench), "For metrics")
    assert _definitions(at).value == "own set: NXP T2080 (e6500 core)"  # fits the list
    at = workbench.run(_define(at, "own set: Valgrind"))
    at.button(key="plan.use-metrics").click()
    at = workbench.settled(workbench.run(at))
    assert "inside 12 metrics" in verdict(workbench, at)
    tab = workbench.in_tab(at, "Fewer subexperiments")
    words = workbench.read(" ".join(each.value for each in tab.caption))
    assert "subexperiments instead of" in words
    assert "Drawn from the pilot's runs" in words


def _definitions(at):
    return next(each for each in at.selectbox if each.label == "Definitions" and "metrics-from" in str(each.key))


def _define(at, name: str):
    """Choose the definitions whose label begins so, in the open box."""
    box = _definitions(at)
    box.set_value(next(each for each in box.options if each.startswith(name)))
    return at


# HEMs of one's own.


def test_pasted_names_become_a_list_and_are_planned(workbench) -> None:
    at = workbench.open_box(workbench.open("plan"), "New list")
    at.text_area(key="plan.pasted").set_value("cycles, instructions\nbranch-misses; page-faults\ncycles")
    at = workbench.run(at)
    at.button(key="plan.use").click()
    at = workbench.settled(workbench.run(at))
    assert "subexperiment" in verdict(workbench, at)
    record = shelf.store().records()[0]
    assert (record.kind, record.shape) == ("HemList", "4 HEMs")
    assert at.session_state["plan.dataset"].startswith("HEMs to read")


def test_what_is_pasted_and_is_no_list_is_told_and_nothing_is_kept(workbench) -> None:
    at = workbench.open_box(workbench.open("plan"), "New list")
    at.text_area(key="plan.pasted").set_value("hem,limit\nA,x")
    at = workbench.run(at)
    at.button(key="plan.use").click()
    at = workbench.run(at)
    assert "must be a name, a colon and a number" in workbench.read(at.toast[0].value)
    assert shelf.store().records() == []


def test_the_hems_of_a_dataset_can_be_taken(workbench) -> None:
    at = workbench.open_box(workbench.open("plan", {"source": "a dataset"}), "New list")
    at.session_state["plan.source"] = "a dataset"
    at = workbench.run(at)
    at.selectbox(key="plan.from-dataset").select("Request server, MUCH collection · sample")
    at = workbench.run(at)
    at.button(key="plan.use").click()
    at = workbench.settled(workbench.run(at))
    assert "7 subexperiments read every pair of 14 HEMs together with 6 PMCs." in verdict(workbench, at)


@pytest.mark.parametrize("source", ["T2080 (e6500)", "PAPI presets"])
def test_events_of_a_processor_can_be_picked(workbench, source: str) -> None:
    at = workbench.open_box(workbench.open("plan"), "New list")
    at.session_state["plan.source"] = source
    at = workbench.run(at)
    picker = next(each for each in at.multiselect if each.label == "HEMs")
    picker.set_value(picker.options[:3])
    at = workbench.run(at)
    at.button(key="plan.use").click()
    at = workbench.settled(workbench.run(at))
    assert "All 3 HEMs fit into one subexperiment" in verdict(workbench, at)


@pytest.mark.slow
def test_edited_counters_and_limits_are_another_list(workbench) -> None:
    at = opened(workbench)
    at = workbench.open_box(at, "Counters and limits")
    edited = shelf.table("sample-hems-t2080").frame.assign(limit=["apart:1", "apart:1", *[""] * 14])
    form._store(form_page(), edited, "with a limit", "a test")
    label = next(entry.label for entry in entries(shelf.store()) if not entry.bundled)
    other = opened(workbench, label)
    assert "Counters and limits keep 1 pair apart." in verdict(workbench, other)
    assert shelf.table("sample-hems-t2080").limits == []


def form_page():
    from hemcore.web.plan import PAGE

    return PAGE


def test_the_data_page_shows_a_list_and_leads_to_the_plan(workbench) -> None:
    listed("A", "B", "C")
    at = workbench.open("data")
    at = workbench.select(at, "list")
    assert [link.proto.label for link in at.page_link if link.proto.page == "plan"] == ["Plan the measurement of these HEMs"]


def test_the_step_to_the_pairs_opens_their_tab_and_says_that_they_are_shown(workbench) -> None:
    """h0 and h1 need the same counter, h2 may take either of two."""
    at = opened(workbench, listed("h0", "h1", "h2", counters=["0", "0", "0 1"]))
    step = "plan.offer-Show these pairs"
    assert not any("Shown below" in each.value for each in at.caption)
    at.button(key=step).click()
    at = workbench.settled(workbench.run(at))
    assert at.session_state["plan.view"] == "Pairs together"
    assert "Counters and limits keep 1 pair apart." in verdict(workbench, at)
    assert step not in [each.key for each in at.button]
    assert sum("Shown below" in each.value for each in at.caption) == 1
    (pairs,) = [each.value for each in at.dataframe if "never read with" in each.value]
    assert pairs.to_numpy().tolist() == [["h0", "h1", "counters and limits"]]
