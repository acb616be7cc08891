"""The layout shared by all figures, in the light and the dark theme."""

import math
import re
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from hemcore.charts.colours import GRID, HOVER, NOTHING, QUIET, RULE, TEXT, on_dark, takes_black
from hemcore.events.event_units import COUNTS, unit_of_event
from hemcore.headline import amount

FONT = '"Source Sans", system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif'
TITLE_WIDTH = 47  # characters of 14 px that fit a figure 420 px wide
SUBTITLE_WIDTH = 56  # of 12 px
WITHIN_WORD = "\u200b"  # before a line break where there was no blank: see picture.js
DIGITS = "digits"
# Arguments of `figure`, or parts of a figure as plotly takes them.
Layout: TypeAlias = dict[str, Any]
_SHORT_LOG = 2.2  # powers of ten
_SEEN = 7  # px of a mark
_PREFIXES = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))
_NUMBERS = {"exponentformat": "SI", "separatethousands": True}  # 0.5, 1,500, 20k, 3M
_AXIS = {
    "automargin": True,
    "zeroline": False,
    "zerolinecolor": RULE,
    "gridcolor": GRID,
    "linecolor": RULE,
    "tickcolor": RULE,
    "tickfont": {"size": 11, "color": QUIET},
    **_NUMBERS,
}
# Below the picture, where it changes only the margin.
_LEGEND = {
    "orientation": "h",
    "x": 0,
    "xanchor": "left",
    "y": 0,
    "yref": "container",
    "yanchor": "bottom",
    "font": {"size": 11, "color": TEXT},
    "bgcolor": NOTHING,
    "itemwidth": 30,
    "traceorder": "normal",  # stacked bars too: as in the picture, from the left
}


def figure(
    traces: Sequence[Mapping[str, object]],
    *,
    title: str,
    height: int,
    subtitle: str = "",
    uirevision: str = "",
    legend: bool = False,
    sides: tuple[int, int] | None = None,
    right: int = 20,
    **layout: Any,
) -> go.Figure:
    """A complete figure of these traces (plain dicts, for speed) that needs no template.

    title: a question or statement; subtitle: its subject; both are wrapped to fit 420 px. height: without title, subtitle and legend.
    uirevision: zoom and hidden traces survive while it is the same. right: the right margin, with room for half of the last tick's label;
    sides: the left and bottom margins, in px, if known; otherwise the browser measures them and draws twice. layout: everything else; axes
    get the shared style.
    """
    lines, small = wrapped(title, TITLE_WIDTH), wrapped(subtitle, SUBTITLE_WIDTH)
    head = 14 + 18 * (lines.count("<br>") + 1) + (16 * (small.count("<br>") + 1) if subtitle else 0)
    heading: dict[str, object] = {
        "text": f'{lines}<br><span style="font-size:12px;font-weight:400">{small}</span>' if subtitle else lines,
        "font": {"size": 14, "color": TEXT, "weight": 600},
        "x": 0,
        "xanchor": "left",
        "y": 1,
        "yref": "container",
        "yanchor": "top",
        # plotly aligns one line by its top, several by the bottom of the first.
        "pad": {"t": 16 if "<br>" in lines or subtitle else 6},
    }
    titled = any("title" in axis for name, axis in layout.items() if name.startswith("xaxis"))
    left, below = sides if sides is not None else (8, 48 if titled and not legend else 14)
    whole = {
        "template": {},
        "font": {"family": FONT, "size": 12, "color": TEXT},
        "title": heading,
        "height": height + head + 6 + (26 if legend else 0),
        # The automatic margin of an axis ends at its title and cuts off descenders.
        "margin": {"l": left, "r": right, "t": head + 8, "b": below},
        "paper_bgcolor": NOTHING,
        "plot_bgcolor": NOTHING,
        "hoverlabel": {"align": "left", "bgcolor": HOVER, "bordercolor": RULE, "font": {"family": FONT, "size": 12, "color": TEXT}},
        "hovermode": "closest",
        "showlegend": legend,
        "legend": _LEGEND | ({"itemsizing": "constant"} if legend and _has_small_marks(traces) else {}),
    }
    if uirevision:
        whole["uirevision"] = uirevision
    axes = {name: _drawn(name, value, sides is None) for name, value in layout.items()}
    # Without validation, which would double the time; the tests validate every picture.
    return go.Figure({"data": list(traces), "layout": whole | axes}, _validate=False)


def _has_small_marks(traces: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a legend needs marks larger than the picture's: some are hardly seen, and no two lines are told apart by their width, which
    would be one then, too."""
    named = [each for each in traces if each.get("name") and each.get("showlegend", True)]
    sizes = [each.get("marker", {}).get("size", 6) for each in named if each.get("mode") == "markers"]
    return any(isinstance(size, int | float) and size < _SEEN for size in sizes) and len(named) - len(sizes) < 2


def label_width(names: Sequence[str], size: int) -> int:
    """The approximate width in px of the longest of `names` at this font size; 0 if empty."""
    return round(max((len(name) for name in names), default=0) * size * 0.58)


def _is_axis(name: str) -> bool:
    return name.startswith(("xaxis", "yaxis"))


def _drawn(name: str, value: object, automargin: bool) -> object:
    if not (_is_axis(name) and isinstance(value, dict)):
        return value
    title = {"title": {"text": value["title"], "font": {"size": 12, "color": TEXT}, "standoff": 8}} if "title" in value else {}
    # Else plotly measures every label, a third of the time of a redraw; above and below there is a margin for them.
    overflow = {"ticklabeloverflow": "allow"} if name.startswith("yaxis") else {}
    return _AXIS | overflow | {"automargin": automargin} | value | title


def colour_bar(**more: object) -> dict[str, object]:
    """A thin color bar in the shared style."""
    return {"thickness": 8, "len": 0.9, "xpad": 4, "outlinewidth": 0, "tickfont": {"size": 10, "color": QUIET}, **_NUMBERS, **more}


def themed(figure: go.Figure, dark: bool) -> go.Figure:
    """`figure`, drawn for the light theme, unchanged, or for the dark theme a copy in its colors.

    Digits on the cells of a heatmap (two traces named DIGITS, black and white, each with a text per cell) are reassigned to the traces.
    """
    if not dark:
        return figure
    traces = [_on_dark(trace.to_plotly_json()) for trace in figure.data]
    digits = [trace for trace in traces if trace.get("name") == DIGITS]
    if digits:
        cells = next(trace for trace in traces if trace["type"] == "heatmap")
        black = takes_black(np.nan_to_num(np.asarray(cells["z"]).ravel()), float(cells["zmax"]), cells["colorscale"])
        texts = ["".join(each) for each in zip(*(trace["text"] for trace in digits), strict=True)]
        for trace, chosen in zip(digits, (black, ~black), strict=True):
            trace["text"] = [text if here else "" for text, here in zip(texts, chosen.tolist(), strict=True)]
    return go.Figure({"data": traces, "layout": _on_dark(figure.layout.to_plotly_json())}, _validate=False)


def _on_dark(part: Layout) -> Layout:
    return {name: _value_on_dark(name, value) for name, value in part.items()}


def _value_on_dark(name: str, value: Any) -> object:
    if isinstance(value, dict):
        return _on_dark(value)
    if name.endswith("color"):
        return on_dark(value) if isinstance(value, str) else [on_dark(str(each)) for each in value]
    if name == "colorscale":
        return [(place, on_dark(colour)) for place, colour in value]
    if isinstance(value, list | tuple) and value and isinstance(value[0], dict):
        return [_on_dark(each) for each in value]
    return value


def legend_line(name: str, colour: str, dash: str) -> dict[str, object]:
    """A legend entry for lines that are shapes of the layout."""
    return {"type": "scatter", "x": [None], "y": [None], "mode": "lines", "name": name, "line": {"color": colour, "dash": dash, "width": 2}}


def plain(text: str) -> str:
    """`text` escaped for plotly, which interprets some HTML in titles, ticks and hovers."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def wrapped(text: str, characters: int) -> str:
    """`text` escaped for plotly, in lines of at most `characters`; longer words are broken.

    A break where there is no blank follows a zero-width one, so that the browser, which wraps anew, puts no blank into a name.
    """
    text, shown, end = re.sub(r"[ \t\n\r\f\v]+", " ", text).strip(" "), "", 0  # no-break blanks stay
    for line in textwrap.wrap(text, characters):
        start = text.index(line, end)
        shown += ("" if not end else "<br>" if start > end else f"{WITHIN_WORD}<br>") + plain(line)
        end = start + len(line)
    return shown


def short(name: str, length: int = 30) -> str:
    """`name` shortened for a tick: the middle of a long name is left out."""
    if len(name) <= length:
        return plain(name)
    half = (length - 1) // 2
    return plain(f"{name[:half]}…{name[-half:]}")


def log_axis(values: Sequence[float] | NDArray[np.float64]) -> dict[str, object]:
    """A logarithmic axis for the positive `values`, with ticks at powers of ten, or at 1, 2 and 5 on short axes."""
    known = np.asarray(values, dtype=float)
    known = known[np.isfinite(known) & (known > 0)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (1.0, 10.0)
    room = max(0.04 * np.log10(high / low), 0.03)
    ends = [float(np.log10(low) - room), float(np.log10(high) + room)]
    steps = (1, 2, 5) if ends[1] - ends[0] < _SHORT_LOG else (1,)
    powers = range(math.floor(ends[0]), math.ceil(ends[1]) + 1)
    ticks = [step * 10.0**power for power in powers for step in steps if ends[0] <= math.log10(step) + power <= ends[1]]
    return {"type": "log", "range": ends, "tickvals": ticks, "ticktext": tick_texts(ticks)}


def tick_texts(ticks: Sequence[float]) -> list[str]:
    """The ticks of a logarithmic axis in one form: with prefixes from 1,000 on ("1k, 10k") where the axis reaches 10,000.

    By itself plotly writes "1,000" and "10k" on one such axis.
    """
    prefixed = max(ticks, default=0.0) >= 10_000
    return [next((amount(tick / size) + name for size, name in _PREFIXES if prefixed and tick >= size), amount(tick)) for tick in ticks]


def whole_ticks(span: float) -> dict[str, object]:
    """The ticks of an axis of whole numbers, `span` from end to end: never between two of them."""
    return {"tickformat": ",d"} | ({"dtick": 1 if span <= 10 else 2} if span <= 20 else {})


def unit_of(event: str, *, whole: bool = True) -> str:
    """The unit of the readings of `event` for an axis or a hover (hemcore.events.event_units); "" if its name includes it.

    whole: whether all readings are whole numbers; counts that are not, such as means, are "per interval".
    """
    unit = unit_of_event(event)
    return unit if unit != COUNTS else "counts per interval" if whole else "per interval"


def short_names(names: Sequence[str], length: int = 30) -> list[str]:
    """`short` of each of `names`; different names stay different."""
    shown = [short(name, length) for name in names]
    for alike in {each for each in shown if shown.count(each) > 1}:
        places = [place for place, each in enumerate(shown) if each == alike]
        group = [names[place] for place in places]
        for place, text in zip(places, _cut_to_differ(group, length), strict=True):
            shown[place] = plain(text)
    return shown


def _cut_to_differ(names: Sequence[str], length: int) -> list[str]:
    """Names with the same short form, cut elsewhere so that they differ; numbered if that is impossible."""
    for head in (*range(length // 2, 1, -1), *range(length // 2 + 1, length - 1)):
        tail = length - 1 - head
        cut = [name if len(name) <= length else f"{name[:head]}…{name[-tail:]}" for name in names]
        if len(set(cut)) == len(cut):
            return cut
    # They differ in the middle: show the part from there.
    start = next((place for place, letters in enumerate(zip(*names, strict=False)) if len(set(letters)) > 1), 0)
    cut = [f"{name[: length // 3]}…{name[start : start + length - 1 - length // 3]}" for name in names]
    return cut if len(set(cut)) == len(cut) else [f"{name[: length - 5]}… {number}" for number, name in enumerate(names, 1)]


def counted_title(event: str, *, whole: bool = True) -> str:
    """The axis title of the readings of `event`, with their unit (`unit_of`) unless the name includes it."""
    unit = unit_of(event, whole=whole)
    return f"{short(event, 26)}, {unit}" if unit else short(event, 44)


def number_form(largest: float) -> str:
    """The d3 format of hovers with numbers up to `largest`: more digits for small numbers."""
    return ",.4~g" if largest < 100 else ",.1~f" if largest < 10_000 else ",.0f"
