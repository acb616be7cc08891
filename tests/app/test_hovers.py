"""What names mean stands behind them: verdict, figures, heads of tables and the chosen event."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from streamlit.testing.v1 import AppTest

from hemcore.datasets.shelf import library
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.metric_definitions import EVENT_COLUMNS, MetricDefinitions
from hemcore.web import shelf
from hemcore.web.everywhere import described_events
from hemcore.web.everywhere.described_events import described_event, described_in
from hemcore.web.hover_help import meanings_in


def drawn() -> None:
    import pandas as pd

    from hemcore.headline import Card, Verdict
    from hemcore.web import cards, tables

    cards.verdict(Verdict(answer="14 HEMs are one table.", trust="See dep_lvl.", why=("Each pair was read.", "[Noise] is 0.02.")))
    cards.row([Card(label="Segments", value=3), Card(label="MSE", value=1.0, help="Its own."), Card(label="Rows", value=2)])
    tables.show(pd.DataFrame({"Dr": [1.0], "n_change_points": [2], "nothing": ["x"], "cycles": [1], "covering": [0.5]}), alt="a table")


@pytest.fixture(scope="module")
def at() -> AppTest:
    done = AppTest.from_function(drawn).run()
    assert not done.exception
    return done


def test_the_verdict_tells_its_trust_and_the_names_in_it(at: AppTest) -> None:
    told = at.markdown[0].proto.help.replace("\\", "")
    assert told.startswith("Trust: good.")
    assert "**HEM**: Hardware event monitor" in told
    assert "**dep_lvl**: Dependence level" in told


def test_the_reasons_of_a_verdict_are_under_why(at: AppTest) -> None:
    assert at.markdown[0].value == ":material/check_circle: **14 HEMs are one table\\.** See dep\\_lvl\\."
    assert at.markdown[1].value.replace("\\", "") == "Each pair was read.\n\n[Noise] is 0.02."


def test_a_figure_tells_its_own_help_or_the_names_of_its_label(at: AppTest) -> None:
    told = [each.help.replace("\\", "") for each in at.metric]
    assert told[0] == "**segment**: A part of a run in which an event stays at one level."
    assert told[1] == "Its own."
    assert told[2] == ""


def test_the_heads_of_columns_tell_what_they_are(at: AppTest) -> None:
    import json

    columns = json.loads(at.dataframe[0].proto.columns)
    assert columns["Dr"]["help"] == "**Dr**: Data reads\\."
    assert "first interval of a new segment" in columns["n_change_points"]["help"]
    assert "Core clock cycles" in columns["cycles"]["help"]
    assert "overlaps the one that fits it best" in columns["covering"]["help"]
    assert columns["nothing"].get("help") is None


def test_the_chosen_event_tells_what_it_counts(workbench) -> None:
    label = "Request server and 8 others, every event counted · sample"
    asked = {"dataset": label, "application": "sensor_control", "event": "Bcm"}
    at = workbench.open("segmentation", asked)
    box = at.selectbox(key="segmentation.event")
    assert "Conditional branches that were mispredicted" in box.help
    box.set_value("Dr")
    workbench.run(at)
    assert "Data reads" in at.selectbox(key="segmentation.event").help
    assert at.selectbox(key="segmentation.event").value == "Dr"
    assert "\n" not in at.selectbox(key="segmentation.application").help


@pytest.fixture
def described() -> None:
    """Definitions on the shelf that say what two events count, as `perf list` does."""
    events = pd.DataFrame([["L2_RQSTS.MISS", "Requests that missed L2.", "", "", ""], ["offcore", "", "", "", ""]], columns=EVENT_COLUMNS)
    frame = pd.DataFrame({"name": ["misses"], "formula": ["L2_RQSTS.MISS"]})
    shelf.store().take(MetricDefinitions(frame=frame, events=events), name="definitions", source="a test")


def test_uploaded_definitions_tell_what_their_events_count(workbench, described: None) -> None:
    assert described_event("l2_rqsts.miss:u") == "Requests that missed L2."
    assert described_event("offcore") is None
    assert described_event("L2_RQSTS.HIT") is None
    assert described_in("l2_rqsts.miss, L2_RQSTS.MISS and the rest.") == [
        ("l2_rqsts.miss", "Requests that missed L2."),
        ("L2_RQSTS.MISS", "Requests that missed L2."),
    ]
    counts = pd.DataFrame({"l2_rqsts.miss:u": np.repeat([10.0, 90.0], 20), "other": np.arange(40.0)})
    intervals = pd.DataFrame({"application": "p", "run": 1, "interval": range(40)})
    shelf.store().take(CounterSeries(intervals=intervals, counts=counts, mode="OCOE"), name="series", source="a test")
    label = next(entry.label for entry in library.entries(shelf.store(), "CounterSeries"))
    at = workbench.open("segmentation", {"dataset": label, "event": "l2_rqsts.miss:u"})
    assert "Requests that missed L2" in at.selectbox(key="segmentation.event").help


def test_a_picture_tells_what_the_events_in_its_hovers_count(workbench, described: None) -> None:
    bars = {
        "type": "bar",
        "x": [1.0, 2.0],
        "y": ["<b>l2_rqsts.miss:u</b>", "L2_RQSTS.HIT"],
        "customdata": np.array([["offcore", 1.0]], dtype=object),
    }
    figure = go.Figure({"data": [bars], "layout": {"title": {"text": "L2_RQSTS.MISS"}}})
    told = "Requests that missed L2."
    assert meanings_in(figure) == {"l2_rqsts.miss:u": told, "L2_RQSTS.MISS": told}
    assert meanings_in(go.Figure({"data": [{"type": "bar", "x": [1.0]}]})) == {}
    events = pd.DataFrame([["L2_RQSTS.HIT", "<b>Hits</b> " * 20, "", "", ""]], columns=EVENT_COLUMNS)
    frame = pd.DataFrame({"name": ["hits"], "formula": ["L2_RQSTS.HIT"]})
    shelf.store().take(MetricDefinitions(frame=frame, events=events), name="more", source="a test")
    long = meanings_in(figure)["L2_RQSTS.HIT"]
    assert long.startswith("<b>Hits</b> <b>Hits")  # the page writes it as text
    assert long.endswith(" …")
    assert len(long) <= 90


def test_damaged_definitions_disturb_no_hover(workbench, described: None) -> None:
    record = next(each for each in shelf.store().records() if each.kind == "MetricDefinitions")
    for path in (shelf.store().root / "datasets" / record.id).glob("*.parquet"):
        path.write_bytes(b"")
    described_events._descriptions.cache_clear()
    assert described_event("L2_RQSTS.MISS") is None


def test_without_definitions_events_of_others_are_not_told(workbench) -> None:
    assert described_event("L2_RQSTS.MISS") is None
    assert described_in("L2_RQSTS.MISS") == []
    assert meanings_in(go.Figure({"data": [{"type": "bar", "x": ["L2_RQSTS.MISS"]}]})) == {}
