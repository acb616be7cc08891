"""Every text of every picture can be read, on the light ground and on the dark one."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from hemcore.charts.colours import GROUNDS
from hemcore.charts.look import DIGITS, themed

AA = 4.5  # WCAG 2.2, contrast of text


# What colours there are, told from the figure's own JSON.


def channels(colour: str, ground: np.ndarray | None = None) -> np.ndarray:
    """(3,) from 0 to 255; a colour that lets the ground through, as it looks on it."""
    if colour.startswith("#"):
        return np.array([int(colour[place : place + 2], 16) for place in (1, 3, 5)], dtype=float)
    *rgb, share = (float(part) for part in colour[colour.index("(") + 1 : -1].split(","))
    assert ground is not None
    return share * np.array(rgb) + (1 - share) * ground


def contrast(one: np.ndarray, other: np.ndarray) -> float:
    light = []
    for rgb in (one, other):
        share = rgb / 255
        light.append(float(np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4) @ [0.2126, 0.7152, 0.0722]))
    return (max(light) + 0.05) / (min(light) + 0.05)


def words_of(figure: go.Figure, ground: np.ndarray) -> Iterator[tuple[str, str, float, np.ndarray]]:
    """(where, colour, size, what lies under it) of every text of the figure."""
    whole = {"data": [trace.to_plotly_json() for trace in figure.data], "layout": figure.layout.to_plotly_json()}
    layout, usual = whole["layout"], whole["layout"]["font"]

    def said(where: str, font: dict[str, Any], under: np.ndarray = ground) -> tuple[str, str, float, np.ndarray]:
        font = usual | font
        return where, font["color"], font["size"], under

    yield said("title", layout["title"]["font"])
    for name, axis in layout.items():
        if name.startswith(("xaxis", "yaxis")) and axis.get("visible", True):
            if axis.get("showticklabels", True):
                yield said(f"ticks of {name}", axis["tickfont"])
            if "title" in axis:
                yield said(f"title of {name}", axis["title"]["font"])
    for name, axis in layout.get("scene", {}).items():
        if name.endswith("axis"):
            yield said(f"ticks of {name}", axis["tickfont"])
            yield said(f"title of {name}", axis["title"]["font"])
    if layout["showlegend"]:
        yield said("legend", layout["legend"]["font"])
    for each in layout.get("annotations", ()):
        yield said(f"annotation {each['text']}", each["font"])
    yield said("hover", layout["hoverlabel"]["font"], channels(layout["hoverlabel"]["bgcolor"]))
    bands = [channels(shape["fillcolor"], ground) for shape in layout.get("shapes", ()) if shape["type"] == "rect" and "fillcolor" in shape]
    cells = next((trace for trace in whole["data"] if trace["type"] == "heatmap"), None)
    for trace in whole["data"]:
        where = f"text of {trace.get('name') or trace['type']}"
        if "colorbar" in trace:
            yield said("colour bar", trace["colorbar"]["tickfont"])
            if "title" in trace["colorbar"]:
                yield said("title of the colour bar", trace["colorbar"]["title"]["font"])
        if trace.get("name") == DIGITS:
            assert cells is not None
            for text, value in zip(trace["text"], np.ravel(cells["z"]).tolist(), strict=True):
                if text:
                    yield said(f"{text} on its cell", trace["textfont"], cell_colour(cells, value))
        elif trace["type"] == "bar" and trace.get("textposition", "none") != "none":
            colours = trace["marker"]["color"]
            inside = [channels(each, ground) for each in colours] if trace["textposition"] == "inside" else [ground]
            yield from (said(where, trace["textfont"], under) for under in inside)
        elif "text" in str(trace.get("mode", "")):
            yield from (said(where, trace["textfont"], under) for under in (ground, *bands))


def cell_colour(cells: dict[str, Any], value: float) -> np.ndarray:
    at = (value - cells["zmin"]) / (cells["zmax"] - cells["zmin"])
    places = [place for place, _ in cells["colorscale"]]
    stops = np.array([channels(colour) for _, colour in cells["colorscale"]])
    return np.array([np.interp(at, places, stops[:, each]) for each in range(3)])


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_all_text_can_be_read_on_its_ground(shown, theme) -> None:
    _, _, figures = shown
    for figure in figures:
        on_ground = themed(figure, theme == "dark")
        for ground in GROUNDS[theme]:
            words = list(words_of(on_ground, channels(ground)))
            assert len(words) >= 5
            weak = [(where, colour) for where, colour, _, under in words if contrast(channels(colour, under), under) < AA]
            assert weak == []
            assert [(where, size) for where, _, size, _ in words if size < 9] == []


def test_a_weak_colour_would_be_found() -> None:
    white = channels("#FFFFFF")
    assert contrast(channels("#000000"), white) == pytest.approx(21)
    assert contrast(channels("#767676"), white) == pytest.approx(4.54, abs=0.01)  # the lightest grey that passes
    assert contrast(channels("#7C8A97"), white) < AA


@pytest.mark.slow
def test_every_figure_is_valid(shown) -> None:
    """Pictures are made unchecked."""
    _, _, figures = shown
    for figure in figures:
        for drawn in (figure, themed(figure, dark=True)):
            go.Figure({"data": [trace.to_plotly_json() for trace in drawn.data], "layout": drawn.layout.to_plotly_json()})
