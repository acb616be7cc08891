"""A figure in a file: the data once, what the dark ground changes beside it."""

import copy
import json

import numpy as np
import plotly.graph_objects as go

from hemcore.charts.colours import SERIES
from hemcore.charts.look import figure, themed
from hemcore.report.figures import _compare, drawn, title_of


def patched(values: dict) -> dict:
    """What the page's script does with `dark`."""
    figure = {"data": copy.deepcopy(values["data"]), "layout": copy.deepcopy(values["layout"])}
    for path, value in values["dark"]:
        place = figure
        for step in path[:-1]:
            place = place.setdefault(step, {}) if isinstance(place, dict) else place[step]
        if value is None:
            place.pop(path[-1], None)
        else:
            place[path[-1]] = value
    return figure


def example() -> go.Figure:
    n = 2_000
    traces = [
        {"type": "scattergl", "x": np.arange(n), "y": np.arange(n, dtype=np.float32), "line": {"color": SERIES[0]}},
        {"type": "bar", "x": [1, 2], "y": [3, 4], "marker": {"color": [SERIES[3], SERIES[5]]}},
    ]
    return figure(traces, title="Is a < b? " + "Yes. " * 20, subtitle="Of <b>", height=400, uirevision="this")


def test_dark_is_what_the_theme_makes_of_it_and_the_data_is_there_once():
    values = drawn(example())
    dark = json.loads(themed(example(), True).to_json())
    assert [trace.get("line") for trace in patched(values)["data"]] == [trace.get("line") for trace in dark["data"]]
    assert patched(values)["data"][1]["marker"] == dark["data"][1]["marker"]
    assert values["data"][0]["line"]["color"] == SERIES[0]
    assert patched(values)["layout"]["font"] == dark["layout"]["font"] != values["layout"]["font"]
    assert len(json.dumps(values["dark"])) < 3_000 < len(json.dumps(values["data"]))


def test_nothing_is_drawn_with_webgl():
    assert [trace["type"] for trace in drawn(example())["data"]] == ["scatter", "bar"]


def test_the_title_is_the_pages_and_its_room_is_given_back():
    assert title_of(example()) == ("Is a < b? " + "Yes. " * 19 + "Yes.", "Of <b>")
    assert title_of(go.Figure()) == ("", "")
    layout, whole = drawn(example())["layout"], example().layout
    assert "title" not in layout
    assert layout["margin"]["t"] == 8
    assert whole.height - layout["height"] == whole.margin.t - 8 > 0


def test_zoom_stays_on_the_other_ground():
    values = drawn(example())
    assert values["layout"]["uirevision"] == patched(values)["layout"]["uirevision"] == "this"
    assert drawn(go.Figure())["layout"]["uirevision"] == "kept"


def test_control_characters_of_names_are_marked():
    values = drawn(go.Figure(go.Bar(x=["a\x00b"], y=[1], name="c\u2028d")))
    assert (values["data"][0]["x"], values["data"][0]["name"]) == (["a\ufffdb"], "c\nd")


def test_lists_of_values_change_as_a_whole_and_lists_of_entries_each():
    light = {"colors": ["a", "b"], "lines": [{"w": 1}, {"w": 2}], "more": [{"w": 1}], "same": 1, "gone": 2}
    dark = {"colors": ["a", "c"], "lines": [{"w": 1}, {"w": 3}], "more": [{"w": 1}, {"w": 2}], "same": 1, "new": 4}
    changed: list[list[object]] = []
    _compare(light, dark, ["layout"], changed)
    assert changed == [
        [["layout", "colors"], ["a", "c"]],
        [["layout", "lines", 1, "w"], 3],
        [["layout", "more"], [{"w": 1}, {"w": 2}]],
        [["layout", "gone"], None],
        [["layout", "new"], 4],
    ]
