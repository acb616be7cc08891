"""Figures in an HTML file: the data once, plus the values that the dark theme changes."""

import html
import json
import re
from typing import Any

import plotly.graph_objects as go

from hemcore.charts.look import themed
from hemcore.report.plain_text import plain

# plotly draws these with WebGL, which the security policy of the file forbids and which does not print; SVG replaces it.
_SVG_KIND = {"scattergl": "scatter", "scatterpolargl": "scatterpolar"}
_TOP = 8  # the margin above a picture without a title
_BUTTONS = {False: {"color": "#56636F", "activecolor": "#17212B"}, True: {"color": "#A9B6C2", "activecolor": "#E6ECF1"}}


def drawn(figure: go.Figure) -> dict[str, Any]:
    """`figure` as plain values: data, layout (without the title) and dark, a list of [path, value] that the dark theme changes.

    A null in dark removes the entry. Texts have no control characters. The page writes the title itself (see `title_of`), so it wraps.
    """
    light, dark = (_values(themed(figure, ground), ground) for ground in (False, True))
    changed: list[list[object]] = []
    _compare(light, dark, [], changed)
    return light | {"dark": changed}


def title_of(figure: go.Figure) -> tuple[str, str]:
    """(title, subtitle) of `figure` as plain text, "" if it has none."""
    title, _, subtitle = (figure.layout.title.text or "").partition("<br><span")
    return _plain_text(title), _plain_text(subtitle and f"<span{subtitle}")


def _plain_text(text: str) -> str:
    return " ".join(plain(html.unescape(re.sub(r"<[^>]*>", " ", text))).split())


def _values(figure: go.Figure, dark: bool) -> dict[str, object]:
    values = _clean(json.loads(figure.to_json()))
    data, layout = values.get("data", []), values.get("layout", {})
    margin = layout.get("margin", {})
    room = margin.get("t", 0) - _TOP
    if layout.pop("title", {}).get("text") and room > 0 and "height" in layout:
        layout |= {"height": layout["height"] - room, "margin": margin | {"t": _TOP}}
    for trace in data:
        trace["type"] = _SVG_KIND.get(trace.get("type"), trace.get("type", "scatter"))
    # So that zoom survives a change of theme.
    return {"data": data, "layout": {"uirevision": "kept"} | layout | {"modebar": {"bgcolor": "rgba(0,0,0,0)"} | _BUTTONS[dark]}}


def _clean(part: Any) -> Any:
    if isinstance(part, str):
        return plain(part)
    if isinstance(part, dict):
        return {plain(name): _clean(value) for name, value in part.items()}
    return [_clean(each) for each in part] if isinstance(part, list) else part


def _compare(light: object, dark: object, path: list[str | int], changed: list[list[object]]) -> None:
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
