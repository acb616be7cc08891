"""Figures as a file keeps them: the data once, what the dark ground changes beside it, one template for all."""

import html
import json
import re
from typing import Any

import plotly.graph_objects as go
import plotly.io as pio

from hemcore.charts.colours import SERIES
from hemcore.charts.look import themed
from hemcore.report.text import plain

# plotly draws these with WebGL, which compiles code at run time: a file that allows none of that, and paper, take the SVG kind.
_SVG_KIND = {"scattergl": "scatter", "scatterpolargl": "scatterpolar"}
_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'DejaVu Sans', sans-serif"
_INK, _LINE, _GROUND, _SOFT = ("#17212B", "#E6ECF1"), ("#DDE3E9", "#2A3642"), ("#FFFFFF", "#18212A"), ("#5A6875", "#A9B6C2")
_GRID = ("#EBEFF3", "#24303B")
_TITLE_HEIGHT = 32  # what `look.finished` leaves for a title


def drawn(figure: go.Figure) -> dict[str, Any]:
    """`figure` as plain values: data, layout (without template and title) and dark, a list of [path, value] that the dark ground changes.

    A null in dark takes the entry away. Texts hold no control characters. The page writes the title itself, see `title_of`: it wraps.
    """
    light, dark = (_values(each) for each in (figure, themed(figure, True)))
    changed: list[list[Any]] = []
    _compare(light, dark, [], changed)
    return light | {"dark": changed}


def title_of(figure: go.Figure) -> str:
    """The title of `figure` as plain text, "" where it has none."""
    return plain(html.unescape(re.sub(r"<[^>]*>", " ", figure.layout.title.text or ""))).strip()


def templates() -> dict[str, dict[str, Any]]:
    """The template of the light and of the dark ground, in the tokens of the pages; a figure says only what is its own."""
    return {name: _template(base, dark) for dark, (name, base) in enumerate((("light", "plotly_white"), ("dark", "plotly_dark")))}


def _values(figure: go.Figure) -> dict[str, Any]:
    values = _clean(json.loads(figure.to_json()))
    layout = values.get("layout", {})
    layout.pop("template", None)
    if layout.pop("title", {}).get("text"):
        margin = layout.get("margin", {})
        if margin.get("t", 0) > _TITLE_HEIGHT and "height" in layout:
            layout |= {"height": layout["height"] - _TITLE_HEIGHT, "margin": margin | {"t": margin["t"] - _TITLE_HEIGHT}}
    data = values.get("data", [])
    for trace in data:
        trace["type"] = _SVG_KIND.get(trace.get("type"), trace.get("type", "scatter"))
    return {"data": data, "layout": layout | {"uirevision": "kept"}}


def _clean(part: Any) -> Any:
    if isinstance(part, str):
        return plain(part)
    if isinstance(part, dict):
        return {plain(name): _clean(value) for name, value in part.items()}
    return [_clean(each) for each in part] if isinstance(part, list) else part


def _compare(light: Any, dark: Any, path: list[str | int], changed: list[list[Any]]) -> None:
    if light == dark:
        return
    if isinstance(light, dict) and isinstance(dark, dict):
        for name in {**light, **dark}:
            _compare(light.get(name), dark.get(name), [*path, name], changed)
    elif isinstance(light, list) and isinstance(dark, list) and len(light) == len(dark) and any(isinstance(each, dict) for each in light):
        for place, (one, other) in enumerate(zip(light, dark, strict=True)):
            _compare(one, other, [*path, place], changed)
    else:
        changed.append([path, dark])


def _template(base: str, dark: int) -> dict[str, Any]:
    template: dict[str, Any] = json.loads(json.dumps(pio.templates[base].to_plotly_json()))
    layout = template["layout"]
    layout |= {
        "font": {"family": _FONT, "size": 12, "color": _INK[dark]},
        "title": layout.get("title", {}) | {"font": {"color": _INK[dark]}},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "colorway": list(_lighter_series() if dark else SERIES),
        "hoverlabel": {
            "align": "left",
            "bgcolor": _GROUND[dark],
            "bordercolor": _LINE[dark],
            "font": {"color": _INK[dark], "family": _FONT},
        },
        "modebar": {"bgcolor": "rgba(0,0,0,0)", "color": _SOFT[dark], "activecolor": _INK[dark]},
    }
    for axis in ("xaxis", "yaxis"):
        layout[axis] |= {"gridcolor": _GRID[dark], "linecolor": _LINE[dark], "zerolinecolor": _LINE[dark], "zerolinewidth": 1}
    return template


def _lighter_series() -> list[str]:
    probe = go.Figure([go.Scatter(line={"color": colour}) for colour in SERIES])
    return [trace.line.color for trace in themed(probe, True).data]
