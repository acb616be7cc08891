"""The top-down tree as tiles: each as wide as its share, children below their parent, an interval at the right edge."""

import re
from collections.abc import Mapping, Sequence
from textwrap import shorten, wrap

import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import MUTED, SERIES, TEXT, TRUTH, faint
from hemcore.charts.look import Layout, figure, plain, short, wrapped
from hemcore.charts.picture import Scene
from hemcore.headline import percent
from hemcore.metrics.results import MetricsReport
from hemcore.metrics.tree import TopDown

_PAST, _ELSE, _FRAME = faint(SERIES[1], 0.5), faint(MUTED, 0.16), SERIES[1]
_ROW = 100
_HOVER = 70  # letters per line
_LETTERS = 120  # of a label that fits into the whole width
_PHONE = 0.34  # of that width on a phone
_MOST_LINES = 3  # of a name
_UPRIGHT, _SHORTENED = 16, 13  # letters per line of a name that is turned upright, and of one that fits a phone's tile
_FREE, _LINE = 0.76, 0.033  # of a tile's height over its interval; the share that a line takes where nobody measures
_DIVISOR = re.compile(r'/\s*(?:"([^"]+)"|([\w.:-]+))\s*$')


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
    labels = _labels(shown)
    bars: Layout = {
        "type": "bar",
        "orientation": "h",
        "x": shown["width"].tolist(),
        "base": shown["start"].tolist(),
        "y": shown["level"].tolist(),
        "width": 0.94,
        "text": labels,
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
    narrow, rooms = _upright_names(shown, labels, reach, len(levels))
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
            annotations=narrow,
            meta={"upright": rooms},
            xaxis={"title": f"share of {_whole(scene.result.rows, shown)}", "range": [0, reach], "tickformat": "~%", "showgrid": False},
            yaxis={
                "range": [max(levels) + 0.55, min(levels) - 0.55],
                "tickvals": levels,
                "ticktext": [f"level {level}" for level in levels],
                "showgrid": False,
            },
        )
    ]


def _labels(shown: pd.DataFrame) -> list[str]:
    """The name and share of each tile that is wide enough for them, else ""."""
    rows = zip(shown["metric"], shown["share"], shown["width"], strict=True)
    return [
        f"<b>{lines}</b><br>{percent(share, 1)}" if (lines := _lines(name, int(width * _LETTERS))) else "" for name, share, width in rows
    ]


def _upright_names(shown: pd.DataFrame, labels: Sequence[str], reach: float, levels: int) -> tuple[list[Layout], list[Layout]]:
    """(annotations, what picture.js makes of them by their room) of the tiles whose label does not fit a phone's: the number of the tile,
    its shares of the width and height, the letters of its label's longest line (0: none), and the texts with their lines and letters."""
    notes: list[Layout] = []
    rooms: list[Layout] = []
    for place, (name, share, start, width, level) in enumerate(shown[["metric", "share", "start", "width", "level"]].to_numpy().tolist()):
        lying = max(map(len, re.sub("</?b>", "", labels[place]).split("<br>")))
        if 0 < lying <= width * _LETTERS * _PHONE:
            continue
        texts = [
            {"text": "<br>".join(map(plain, lines)), "lines": len(lines), "letters": max(map(len, lines))}
            for lines in _upright(name, percent(share, 1))
        ]
        rooms.append({"tile": place, "width": width / reach, "height": _FREE / (levels + 0.1), "lying": lying, "texts": texts})
        notes.append(
            {
                "text": texts[-1]["text"], "x": start + width / 2, "y": level - 0.44, "xanchor": "center", "yanchor": "top",
                "textangle": 90, "showarrow": False, "font": {"size": 10, "color": TEXT}, "visible": not lying and width >= _LINE,
            }
        )  # fmt: skip
    return notes, rooms


def _upright(name: str, text: str) -> list[Sequence[str]]:
    """The lines of a name that is turned upright: with its share in short lines, with it in one line, alone, and shortened."""
    whole = f"{name} {text}"
    shortened = shorten(name, _SHORTENED, placeholder="…")
    return [wrap(whole, _UPRIGHT, break_on_hyphens=False), [whole], [name], [shortened if len(shortened) > 1 else short(name, _SHORTENED)]]


def _whole(rows: pd.DataFrame, shown: pd.DataFrame) -> str:
    """What the shares are of: what the formulas of level 1 all divide by, "the whole" where they do not."""
    first = rows.loc[rows["metric"].isin(shown.loc[shown["level"] == shown["level"].min(), "metric"]), "formula"]
    divisors = {(match[1] or match[2]) if (match := _DIVISOR.search(str(each))) else "" for each in first}
    name = divisors.pop() if len(divisors) == 1 else ""
    return f"the {name[0].lower()}{name[1:]}" if name in set(rows["metric"]) else plain(name) or "the whole"


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
