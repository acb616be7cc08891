"""The top-down tree as tiles: each as wide as its share, children below their parent, an interval at the right edge."""

from collections.abc import Mapping
from textwrap import wrap

import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import MUTED, SERIES, TEXT, TRUTH, faint
from hemcore.charts.look import Layout, figure, plain, short, wrapped
from hemcore.charts.picture import Scene
from hemcore.headline import percent
from hemcore.metrics.results import MetricsReport
from hemcore.metrics.tree import TopDown

_PAST, _ELSE, _FRAME = faint(SERIES[1], 0.5), faint(MUTED, 0.16), SERIES[1]
_ROW = 74
_HOVER = 70  # letters per line
_LETTERS = 120  # of a label that fits into the whole width
_PHONE = 0.34  # of that width on a phone
_MOST_LINES = 3  # of a name
_UPRIGHT, _LINE = 16, 2.1  # letters per line of a name that is turned upright, and letters' widths that its line takes


def tiles(tree: TopDown) -> pd.DataFrame:
    """The nodes that have a share, with `start` and `width` on an axis of shares.

    Children begin where their parent does and lie side by side. Those whose sum is more than the parent are made narrower together.
    """
    nodes = tree.nodes[tree.nodes["share"].notna()].reset_index(drop=True)
    placed: dict[str, tuple[float, float]] = {}
    for parent in ["", *nodes["metric"]]:
        children = nodes[nodes["parent"] == parent]
        start, room = placed.get(parent, (0.0, float("inf")))
        total = float(children["share"].clip(lower=0).sum())
        narrower = min(1.0, room / total) if total > 0 else 1.0
        for name, share in zip(children["metric"], children["share"].clip(lower=0), strict=True):
            placed[name] = (start, float(share) * narrower)
            start += float(share) * narrower
    spans = [placed[name] for name in nodes["metric"]]
    return nodes.assign(start=[start for start, _ in spans], width=[width for _, width in spans])


def tree_figure(scene: Scene[MetricsReport]) -> list[go.Figure]:
    """The tiles; none without a tree or without a share in it."""
    tree = scene.result.tree
    if tree is None:
        return []
    shown = tiles(tree)
    if shown.empty:
        return []
    known = bool(shown["truth"].notna().any())
    levels = sorted(shown["level"].unique())
    bars: Layout = {
        "type": "bar",
        "orientation": "h",
        "x": shown["width"].tolist(),
        "base": shown["start"].tolist(),
        "y": shown["level"].tolist(),
        "width": 0.94,
        "text": _labels(shown),
        "textposition": "inside",
        "insidetextanchor": "start",
        "textfont": {"color": TEXT, "size": 12},
        "marker": {
            "color": [_PAST if passed == 1 else _ELSE for passed in shown["passed"]],
            "line": {
                "color": [_FRAME if on else faint(MUTED, 0.6) for on in shown["on_path"]],
                "width": [2.5 if on else 1 for on in shown["on_path"]],
            },
        },
        "customdata": _hovers(shown, scene.result.worked),
        "hovertemplate": "%{customdata}<extra></extra>",
    }
    ends: Layout = {
        "type": "scatter",
        "mode": "markers",
        "x": (shown["start"] + shown["width"]).tolist(),
        "y": [level + 0.36 for level in shown["level"]],
        "marker": {"size": 1, "color": TEXT},
        "error_x": {
            "array": (shown["high"] - shown["share"]).clip(lower=0).tolist(),
            "arrayminus": (shown["share"] - shown["low"]).clip(lower=0).tolist(),
            "color": TEXT,
            "thickness": 1.5,
            "width": 4,
        },
        "hoverinfo": "skip",
    }
    true_ends: Layout = {
        "type": "scatter",
        "mode": "markers",
        "x": (shown["start"] + shown["truth"]).tolist(),
        "y": [level + 0.36 for level in shown["level"]],
        "marker": {"size": 13, "symbol": "line-ns", "line": {"color": TRUTH, "width": 2.5}},
        "cliponaxis": False,
        "hoverinfo": "skip",
    }
    reach = max(1.0, float((shown["start"] + shown["width"]).max()))
    return [
        figure(
            [bars, ends, *([true_ends] if known else [])],
            title="What is the bottleneck?",
            subtitle="width: share, with its 80% interval; filled: past its threshold; framed: path of the bottleneck"
            + ("; violet: truth" if known else ""),
            height=48 + _ROW * len(levels),
            uirevision=f"{scene.question.dataset}|tree",
            sides=(64, 48),
            right=32,
            barmode="overlay",
            uniformtext={"mode": "hide", "minsize": 11},
            xaxis={"title": "share of the whole", "range": [0, reach], "tickformat": "~%", "showgrid": False},
            yaxis={
                "range": [max(levels) + 0.55, min(levels) - 0.55],
                "tickvals": levels,
                "ticktext": [f"level {level}" for level in levels],
                "showgrid": False,
            },
        )
    ]


def _labels(shown: pd.DataFrame) -> list[str]:
    """What fits into each tile: name and share, lying or upright, the name alone, or nothing."""
    found = []
    for name, share, width in zip(shown["metric"], shown["share"], shown["width"], strict=True):
        letters, text = int(width * _LETTERS), percent(share, 1)
        lines = _lines(name, letters)
        found.append(f"<b>{lines}</b><br>{text}" if lines else _upright(name, text, width * _LETTERS))
    return found


def _upright(name: str, text: str, letters: float) -> str:
    """Name and share in lines that stand side by side in a tile, or as much of the name as one line takes; "" without room for a line."""
    most = int(letters / _LINE)
    lines = wrap(f"{name} {text}", _UPRIGHT, break_on_hyphens=False)
    return "<br>".join(map(plain, lines)) if len(lines) <= most else short(name, _UPRIGHT) if most else ""


def _lines(name: str, letters: int) -> str:
    """The name in lines that fit a tile of so many letters, and a phone's where the words allow; "" where they do not fit."""
    lines = wrap(name, max(1, int(letters * _PHONE), *map(len, name.split())), break_on_hyphens=False)
    if letters >= max(map(len, lines), default=0) and len(lines) <= _MOST_LINES:
        return "<br>".join(map(plain, lines))
    return short(name, letters) if letters >= 10 else ""


def _hovers(shown: pd.DataFrame, worked: Mapping[str, str]) -> list[str]:
    found = []
    columns = ["metric", "share", "low", "high", "truth", "passed", "passed_share"]
    for name, share, low, high, truth, passed, draws in shown[columns].to_numpy().tolist():
        lines = [f"<b>{plain(name)}</b>", f"{percent(share, 1)} ({percent(low, 1)} to {percent(high, 1)})"]
        if truth == truth:
            lines.append(f"truth: {percent(truth, 1)}")
        if passed in (0, 1):
            lines.append(f"{'past' if passed == 1 else 'not past'} its threshold, which {percent(draws)} of the draws pass")
        if name in worked:
            lines.append(wrapped(worked[name], _HOVER))
        found.append("<br>".join(lines))
    return found


def tree_caption(scene: Scene[MetricsReport]) -> str:
    """The path in a sentence."""
    return "" if scene.result.tree is None else scene.result.tree.sentence


def tree_table(scene: Scene[MetricsReport]) -> pd.DataFrame | None:
    """The nodes, and how they changed from the baseline where one is pinned."""
    tree = scene.result.tree
    if tree is None:
        return None
    nodes = tree.nodes if tree.nodes["truth"].notna().any() else tree.nodes.drop(columns="truth")
    shown = nodes.rename(columns={"truth": "share_true", "passed_share": "draws past it", "low": "share_low", "high": "share_high"}).drop(
        columns=["on_path", "to_share"], errors="ignore"
    )
    shown["passed"] = shown["passed"].map({1.0: "yes", 0.0: "no"}).fillna("")
    before = None if scene.baseline is None else scene.baseline.tree
    if before is None:
        return shown
    known = before.nodes.set_index("metric")["share"]
    return shown.assign(baseline=shown["metric"].map(known), change=shown["share"] - shown["metric"].map(known))
