"""What changed from the baseline: the tree's nodes, relative changes and points, each with its interval."""

from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import MUTED, RULE, SERIES
from hemcore.charts.look import figure, label_width, plain, short_names
from hemcore.charts.picture import Scene
from hemcore.headline import amount, counted_noun, percent
from hemcore.metrics.metric_changes import changes, node_changes
from hemcore.metrics.results import MetricsReport

_MOST = 20
_MEASURES = {
    "relative": ("Which metrics changed, relative to the baseline?", "change, relative to the baseline", "~%"),
    "points": ("Which percentages changed?", "change, percentage points", "~%"),
    "difference": ("Which others changed?", "change, in the metric's unit", ""),
}
_found: WeakKeyDictionary[MetricsReport, WeakKeyDictionary[MetricsReport, tuple[pd.DataFrame, pd.DataFrame]]] = WeakKeyDictionary()


def change_figures(scene: Scene[MetricsReport]) -> list[go.Figure]:
    """The nodes of the tree in its order, then the 20 largest changes of each measure."""
    if scene.baseline is None:
        return []
    nodes, rows = _changes(scene)
    figures = []
    if len(nodes):
        indented = nodes.assign(
            metric=["\u2003" * (int(level) - 1) + name for name, level in zip(nodes["metric"], nodes["level"], strict=True)]
        )
        title = "Where does more of the whole go than in the baseline?"
        figures.append(_dots(scene, indented.head(2 * _MOST), title, "change, percentage points", "~%", "nodes"))
    for measure, (title, axis, form) in _MEASURES.items():
        some = rows[rows["measure"] == measure].head(_MOST)
        if len(some):
            figures.append(_dots(scene, some, title, axis, form, measure))
    return figures


def change_caption(scene: Scene[MetricsReport]) -> str:
    """How many metrics changed by more than chance."""
    if scene.baseline is None:
        return ""
    _, rows = _changes(scene)
    sure = int((rows["differs"] == 1).sum())
    text = f"The interval excludes 0 for {sure:,} of {counted_noun(len(rows), 'metric')}; these are filled."
    return f"{text} Without any change it would for about a fifth."


def change_table(scene: Scene[MetricsReport]) -> pd.DataFrame | None:
    """Every metric of both, with what changed."""
    if scene.baseline is None:
        return None
    _, rows = _changes(scene)
    shown = rows[["metric"]].copy()
    for name in ("now", "baseline"):
        shown[name] = [amount(each, 4) for each in rows[name]]
    shown["unit"] = rows["unit"]
    for name in ("change", "low", "high"):
        shown[name] = [_as_text(value, measure) for value, measure in zip(rows[name], rows["measure"], strict=True)]
    return shown.assign(differs=rows["differs"].map({1.0: "yes", 0.0: "no"}).fillna(""))


def _changes(scene: Scene[MetricsReport]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """(of the nodes, of the metrics), once per pair of answers."""
    before = scene.baseline
    assert before is not None
    of_now = _found.setdefault(scene.result, WeakKeyDictionary())
    if before not in of_now:
        of_now[before] = node_changes(scene.result, before), changes(scene.result, before)
    return of_now[before]


def _as_text(value: float, measure: str) -> str:
    if not np.isfinite(value):
        return ""
    sign = "+" if value > 0 else ""
    if measure == "points":
        return f"{sign}{amount(100 * value)} points"
    return f"{sign}{percent(value, 1)}" if measure == "relative" else f"{sign}{amount(value)}"


def _dots(scene: Scene[MetricsReport], rows: pd.DataFrame, title: str, axis: str, form: str, name: str) -> go.Figure:
    names = short_names(rows["metric"].tolist(), 34)
    places = np.arange(len(rows))
    middle, low, high = (rows[each].to_numpy(dtype=float) for each in ("change", "low", "high"))
    sure = (rows["differs"] == 1).to_numpy()
    measure = "points" if name == "nodes" else name
    as_share = name == "nodes"
    dots: dict[str, object] = {
        "type": "scatter",
        "mode": "markers",
        "x": middle,
        "y": places,
        "marker": {
            "size": 9,
            "color": [SERIES[1] if each else MUTED for each in sure],
            "symbol": ["circle" if each else "circle-open" for each in sure],
        },
        "error_x": {
            "array": np.nan_to_num(high - middle),
            "arrayminus": np.nan_to_num(middle - low),
            "color": MUTED,
            "thickness": 1.5,
            "width": 3,
        },
        "customdata": [
            f"<b>{plain(str(metric).strip())}</b><br>{percent(before, 1) if as_share else amount(before, 4)} →"
            f" {percent(now, 1) if as_share else amount(now, 4)}"
            f"<br>{_as_text(change, measure)} ({_as_text(at, measure)} to {_as_text(to, measure)})"
            for metric, before, now, change, at, to in rows[["metric", "baseline", "now", "change", "low", "high"]].to_numpy().tolist()
        ],
        "hovertemplate": "%{customdata}<extra></extra>",
    }
    known = np.abs(np.concatenate([middle, low, high]))
    reach = max(float(np.nanmax(known, initial=0.0)), 1e-6) * 1.08
    return figure(
        [dots],
        title=title,
        subtitle=f"with the 80% interval; filled: it excludes 0; baseline: {scene.baseline_words}"[:200],
        height=64 + 22 * len(rows),
        uirevision=f"{scene.question.dataset}|change|{name}",
        sides=(label_width(names, 11) + 16, 48),
        xaxis={"title": axis, "range": [-reach, reach], "zeroline": True, "zerolinecolor": RULE, **({"tickformat": form} if form else {})},
        yaxis={"tickvals": places, "ticktext": names, "range": [len(rows) - 0.4, -0.6], "showgrid": False},
    )
