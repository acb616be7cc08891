"""The Metrics page: its tabs on the sample, definitions of one's own, and what a constant or a missing event says."""

import pytest

from hemcore.datasets.shelf import library, samples
from hemcore.web import shelf

pytestmark = pytest.mark.detail

SAMPLE = "Request server, HRM collection · sample"
TABS = ["Top-down", "All metrics", "How sure", "What if", "Sums that must agree"]


@pytest.fixture
def own(workbench):
    """The label of a set of two metrics, of which one needs an event that nobody read."""
    text = b"name,formula\nshare of branches,Bc / Ir\nvector share,VECTOR_OPS / Ir * #width\n"
    return workbench.stored(("mine.csv", text), name="mine").label


def test_it_opens_on_the_tree_of_its_sample(workbench) -> None:
    at = workbench.open("metrics", {"dataset": SAMPLE})
    assert not at.error
    assert workbench.tabs(at) == TABS
    assert workbench.metrics(at)["Metrics known"] == "31 of 31"
    assert len(workbench.pictures(workbench.in_tab(at, "Top-down"))) == 1


def test_own_definitions_are_chosen_and_say_what_is_missing(workbench, own) -> None:
    at = workbench.open("metrics", {"dataset": SAMPLE, "definitions": own})
    assert not at.error
    assert not at.info  # the link is understood
    assert workbench.metrics(at)["Metrics known"] == "1 of 2"
    assert workbench.tabs(at) == ["All metrics", "How sure", "What if", "Missing"]
    shown = workbench.in_tab(at, "Missing").dataframe[0].value
    assert shown.to_numpy().tolist() == [["vector share", "#width, VECTOR_OPS"]]
    shown = workbench.in_tab(at, "All metrics").dataframe[0].value
    assert shown["metric"].tolist() == ["share of branches", "vector share"]


def test_what_lacks_an_event_is_planned_in_one_click(workbench, own) -> None:
    at = workbench.open("metrics", {"dataset": SAMPLE, "definitions": own})
    at.button(key="metrics.offer-Plan the missing events").click()
    workbench.run(at)
    # The one metric that lacks an event needs two; the other metric of the set is not planned.
    assert any("All 2 HEMs fit into one subexperiment" in each.value for each in at.markdown)


def test_definitions_are_found_by_their_id_too(workbench, own) -> None:
    at = workbench.open("metrics", {"dataset": SAMPLE, "definitions": workbench.records[0].id})
    assert not at.info
    assert workbench.metrics(at)["Metrics known"] == "1 of 2"


def test_a_constant_that_is_no_number_is_told(workbench) -> None:
    at = workbench.open("metrics", {"dataset": SAMPLE, "constants": "SMT_on = yes"})
    assert any("must be a name, = and a number" in each for each in workbench.sentences(at))


SERIES = f"{samples.title('series-ocoe')} · sample"
PHASES = f"{samples.title('phases')} · sample"


def test_a_series_is_shown_over_time_and_kept_for_segmentation(workbench) -> None:
    at = workbench.settled(workbench.open("metrics", {"dataset": SERIES, "metric": "LL miss ratio"}))
    assert not at.error
    assert workbench.tabs(at) == ["Over time", "All metrics", "Missing"]
    line, stack = (workbench.spec(each) for each in workbench.pictures(workbench.in_tab(at, "Over time")))
    assert line["figure"]["layout"]["title"]["text"].startswith("Which phases does the metric show?")
    assert stack["figure"]["data"][0]["name"] == "Retiring"
    at = workbench.open_box(at, "Keep")
    at.button(key="metrics.keep").click()
    workbench.run(at)
    (record,) = workbench.records
    assert (record.kind, record.lineage.analysis) == ("CounterSeries", "metrics.over_time")
    assert "IPC" not in shelf.table(record.id).events
    kept = next(entry.label for entry in library.entries(shelf.store(), "CounterSeries") if entry.id == record.id)
    opened = workbench.open("segmentation", {"dataset": kept, "event": "LL miss ratio", "application": "sensor_control"})
    assert not workbench.settled(opened).error


def test_phases_are_a_heatmap_that_search_and_program_narrow(workbench) -> None:
    at = workbench.open("metrics", {"dataset": PHASES})
    assert workbench.tabs(at) == ["By phase", "All metrics"]
    (picture,) = workbench.pictures(workbench.in_tab(at, "By phase"))
    assert len(workbench.spec(picture)["figure"]["data"][0]["x"]) == 31
    at = workbench.open_box(at, "Options")
    at.text_input(key="metrics.search").set_value("MPKI")
    program = at.selectbox(key="metrics.program")
    program.set_value(program.options[1])
    workbench.run(at)
    (picture,) = workbench.pictures(workbench.in_tab(at, "By phase"))
    cells = workbench.spec(picture)["figure"]["data"][0]
    assert cells["x"] == ["L1I MPKI", "L1D MPKI", "LL MPKI", "Branch MPKI"]
    assert len(cells["y"]) > 32


def test_the_table_is_searched_and_a_clicked_row_shows_its_numbers(workbench) -> None:
    at = workbench.open("metrics", {"dataset": SAMPLE, "view": "All metrics", "search": "miss", "group": "Caches"})
    table = at.dataframe[0]
    assert table.value["metric"].tolist()[:2] == ["L1I miss ratio", "L1I MPKI"]
    at.session_state["metrics:detail"] = "L1D miss ratio"
    workbench.run(at)
    formula, numbers, *_ = (each.value for each in at.code)
    assert formula == "(D1mr + D1mw) / (Dr + Dw)"
    assert numbers.startswith("(64,372 + 38,662) / (758,079 + 575,557) = ")


def test_a_baseline_has_a_picture_of_what_changed(workbench) -> None:
    pin = '["metrics.over_runs","sample-subexperiments-much",{}]'
    at = workbench.open("metrics", {"dataset": SAMPLE, "pin": pin})
    assert "Change" in workbench.tabs(at)
    assert len(workbench.pictures(workbench.in_tab(at, "Change"))) == 3


def test_constants_of_the_what_if_are_written_to_the_link(workbench, own) -> None:
    at = workbench.open("metrics", {"dataset": SAMPLE, "definitions": own, "view": "What if", "constants": "other = 2"})
    at.number_input(key="metrics.constant-width").set_value(4.0)
    workbench.run(at)
    assert at.session_state["metrics.constants"] == "other = 2; width = 4.0"
    assert at.query_params["metrics.constants"] == "other = 2; width = 4.0"
    at.number_input(key="metrics.constant-width").set_value(None)
    workbench.run(at)
    assert at.session_state["metrics.constants"] == "other = 2"


def test_the_step_of_a_missing_constant_leads_to_its_field(workbench) -> None:
    named = workbench.stored(("own.csv", b"name,formula\nshare of branches,Bc / Ir\nper lane,Ir / #width\n"), name="own").label
    at = workbench.open("metrics", {"dataset": SAMPLE, "definitions": named})
    next(each for each in at.button if each.label == "Enter constants").click()
    workbench.run(at)
    assert at.session_state["metrics.view"] == "Missing"
    (field,) = [each for each in workbench.in_tab(at, "Missing").number_input if each.key.startswith("metrics.constant-")]
    assert (field.key, field.value) == ("metrics.constant-width", None)
    field.set_value(4.0)
    workbench.run(at)
    assert at.session_state["metrics.constants"] == "width = 4.0"
    assert workbench.metrics(at)["Metrics known"] == "2 of 2"
    assert "Missing" not in workbench.tabs(at)


def test_the_data_page_says_which_datasets_have_the_events(workbench, own) -> None:
    at = workbench.select(workbench.open("data"), "mine")
    assert [each.label for each in at.tabs] == ["Metrics", "Columns", "Preview", "Repairs", "Origin"]
    shown = next(each.value for each in at.dataframe if "lacks" in each.value)
    assert shown["metric"].tolist() == ["share of branches", "vector share"]
    assert shown["lacks"].tolist() == ["", "VECTOR_OPS"]
    assert shown["events"].tolist() == ["Bc, Ir", "VECTOR_OPS, Ir"]
    fits = next(each.value for each in at.dataframe if "metrics with all events" in each.value)
    assert fits["metrics with all events"].max() == 1
    link = next(each for each in at.get("page_link") if "Evaluate" in each.proto.label)
    assert workbench.query_of(link)["definitions"] == own


def test_runs_with_metrics_go_on_to_a_merge_that_takes_them(workbench) -> None:
    at = workbench.open("metrics", {"dataset": f"{samples.title('subexperiments-much')} · sample"})
    at.button(key="metrics.continue-merge").click()
    workbench.run(at)
    (record,) = workbench.records
    table = shelf.table(record.id)
    assert record.kind == "Subexperiments"
    assert {"L1D read miss ratio", "Misprediction ratio"} <= set(table.hems)
    assert "Modelled cycles" not in table.hems  # no subexperiment read all its events
    assert at.query_params["merge.family"] == "Copula"


def test_groups_of_likwid_that_alone_fit_its_readings_are_what_the_page_opens_with(workbench) -> None:
    rows = ["TABLE,Group 1 Raw,MINE,2", "Event,Counter,HWThread 0", "INSTR_RETIRED_ANY,FIXC0,640000", "L2_LINES_IN_ALL,PMC0,5120"]
    group = (
        "SHORT L2\n\nEVENTSET\nFIXC0 INSTR_RETIRED_ANY\nPMC0 L2_LINES_IN_ALL\n\nMETRICS\nL2 lines per instruction PMC0/FIXC0\n\nLONG\nL2\n"
    )
    workbench.upload(("run.csv", "\n".join(["STRUCT,Info,3", "CPU name:,Intel", *rows, ""]).encode()))
    workbench.upload(("L2.txt", group.encode()))
    assert sorted(each.kind for each in workbench.records) == ["CounterSeries", "MetricDefinitions"]
    label = next(each.label for each in library.entries(shelf.store()) if each.kind == "CounterSeries")
    at = workbench.open("metrics", {"dataset": label})
    assert not at.error
    # 5,120 lines of 640,000 instructions.
    (value,) = workbench.in_tab(at, "All metrics").dataframe[0].value["median"]
    assert value == "0.008"
