"""The three verdicts side by side: how many of each class, where two strategies agree, and the jobs on which they do not."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import CLASS_COLOURS, NOTHING, TEXT, faint
from hemcore.charts.look import figure
from hemcore.charts.picture import Scene
from hemcore.charts.signatures.points import identified
from hemcore.charts.signatures.view import SignatureView, uirevision, view_of
from hemcore.datasets.tables.signature_table import METRICS
from hemcore.errors import UnknownNameError
from hemcore.headline import formatted, percent
from hemcore.signatures.class_rules import CLASSES, GPU, TABLE_CLASSES
from hemcore.signatures.results import ClassifiedSignatures

ROWS = 1_000
_ACCENT = "#0F6E84"


def pair(found: ClassifiedSignatures, view: SignatureView) -> tuple[str, str]:
    """The two strategies that are compared: those chosen, else those that differ most. Raises UnknownNameError for one not at hand."""
    for name in (view.one, view.other):
        if name and name not in found.strategies:
            raise UnknownNameError(f"Strategy: {name[:40]!r} is not at hand; there are {', '.join(found.strategies)}.")
    one, other = worst(found)
    one = view.one or next(each for each in (one, other) if each != view.other)
    return one, view.other or next(each for each in (other, *worst(found), *found.strategies) if each != one)


def worst(found: ClassifiedSignatures) -> tuple[str, str]:
    """The two strategies that agree least."""
    pairs = found.pairs
    place = int(pairs["agree"].to_numpy().argmin())
    return str(pairs["one"].iloc[place]), str(pairs["other"].iloc[place])


def draw(scene: Scene[ClassifiedSignatures]) -> list[go.Figure]:
    """The confusion table of two strategies, and the sizes of the classes by each."""
    found: ClassifiedSignatures | None = scene.more
    if found is None:
        return []
    one, other = pair(found, view_of(scene))
    return [_confusion(scene, one, other), _sizes(scene)]


def _confusion(scene: Scene[ClassifiedSignatures], one: str, other: str) -> go.Figure:
    found: ClassifiedSignatures = scene.more
    counts = found.confusion(one, other)
    before = _before(scene, one, other)
    values = counts.to_numpy(dtype=float)
    n = max(1.0, values.sum())
    names = list(CLASSES)
    down, across = np.divmod(np.arange(9), 3)
    flat = values.ravel().astype(int).tolist()
    words = [f"{count:,}<br>{percent(count / n, 1)}" for count in flat]
    if before is not None:
        words = [
            f"{word}<br>{formatted(count - was, '+,')}"
            for word, count, was in zip(words, flat, before.to_numpy().ravel().tolist(), strict=True)
        ]
    strong = values.max() if values.max() > 0 else 1.0
    traces: list[dict[str, object]] = [
        {
            "type": "heatmap",
            "z": values,
            "x": [0, 1, 2],
            "y": [0, 1, 2],
            "zmin": 0,
            "zmax": strong,
            # Thin enough that the text reads on it, on either ground.
            "colorscale": [(0.0, faint(_ACCENT, 0.03)), (1.0, faint(_ACCENT, 0.4))],
            "showscale": False,
            "xgap": 2,
            "ygap": 2,
            "hoverinfo": "skip",
        },
        {
            "type": "scatter",
            "x": across,
            "y": down,
            "mode": "markers+text",
            "marker": {"symbol": "square", "size": 60, "color": NOTHING},
            "text": words,
            "textfont": {"size": 12, "color": TEXT},
            "customdata": [[names[row], names[column]] for row, column in zip(down, across, strict=True)],
            "hovertemplate": f"{one}: %{{customdata[0]}}<br>{other}: %{{customdata[1]}}<br>%{{text}}<extra></extra>",
            "showlegend": False,
        },
    ]
    share = float(np.trace(values)) / n
    axis = {"tickvals": [0, 1, 2], "ticktext": names, "showgrid": False, "showline": False, "ticks": ""}
    return figure(
        traces,
        title=f"Do {one} and {other} say the same?",
        subtitle=f"the same for {percent(share)} of {int(n):,} {found.seen.name}"
        + (", change from the baseline below" if before is not None else ""),
        height=330,
        uirevision=uirevision(scene, one, other),
        xaxis=axis | {"title": other, "range": [-0.5, 2.5]},
        yaxis=axis | {"title": one, "range": [2.5, -0.5]},
    )


def _before(scene: Scene[ClassifiedSignatures], one: str, other: str) -> pd.DataFrame | None:
    pinned: ClassifiedSignatures | None = scene.baseline
    if pinned is None or one not in pinned.strategies or other not in pinned.strategies:
        return None
    return pinned.confusion(one, other)


def _sizes(scene: Scene[ClassifiedSignatures]) -> go.Figure:
    found: ClassifiedSignatures = scene.more
    counts = found.counts.loc[list(found.strategies)]
    shares = counts.div(counts.sum(axis=1).clip(lower=1), axis=0)
    traces = [
        {
            "type": "bar",
            "orientation": "h",
            "x": shares[name].to_numpy(),
            "y": list(shares.index),
            "name": name,
            "marker": {"color": CLASS_COLOURS[name]},
            "customdata": counts[name].to_numpy(),
            "hovertemplate": f"%{{y}}: {name}<br>%{{customdata:,}}, %{{x:.1%}}<extra></extra>",
        }
        for name in TABLE_CLASSES
        if name != GPU or counts[name].any()
    ]
    return figure(
        traces,
        title="How many of each class, by each strategy?",
        subtitle=f"{len(found.classes):,} {found.seen.name}",
        height=300,
        legend=True,
        uirevision=uirevision(scene, "sizes"),
        barmode="relative",
        xaxis={"title": "share of the signatures", "tickformat": "~%", "range": [0, 1]},
        yaxis={"title": "strategy", "autorange": "reversed", "showgrid": False},
    )


def rows_of(scene: Scene[ClassifiedSignatures]) -> pd.Series:
    """Of each signature, whether the table lists it: those of the cell that was clicked, else those on which not all agree."""
    found: ClassifiedSignatures = scene.more
    view, classes = view_of(scene), found.classes
    if len(view.cell) == 2:
        one, other = pair(found, view)
        return (classes[one] == view.cell[0]) & (classes[other] == view.cell[1])
    return ~classes["agree"]


def table(scene: Scene[ClassifiedSignatures]) -> pd.DataFrame:
    """The first signatures of the cell, or those on which the strategies differ, with the reasons in words."""
    found: ClassifiedSignatures | None = scene.more
    if found is None:
        return pd.DataFrame()
    listed = found.classes[rows_of(scene)].iloc[:ROWS]
    whys = [name for name in listed.columns if name.startswith("why ")]
    shown = pd.concat([identified(listed), listed[[*found.strategies, *whys, *METRICS]]], axis=1)
    return shown if len(shown) else found.pairs


def caption(scene: Scene[ClassifiedSignatures]) -> str:
    """The number of differences, the listed rows, and the strategy that counts."""
    found: ClassifiedSignatures | None = scene.more
    if found is None:
        return ""
    view, n = view_of(scene), int(rows_of(scene).sum())
    first = f"; the first {ROWS:,} are listed" if n > ROWS else ""
    if len(view.cell) == 2:
        one, other = pair(found, view)
        text = f"Listed: {n:,} classified {view.cell[0]} by {one} and {view.cell[1]} by {other}{first}."
    elif n:
        text = f"The strategies differ on {n:,}{first}; the table gives the reason of each."
    else:
        text = "The strategies agree on every signature; the table shows the agreement of each pair."
    lacking = "" if "k-medoids" in found.strategies else " There are too few signatures for k-medoids; EAR's files can be loaded."
    gpu = found.class_counts[GPU]
    apart = f" {gpu:,} GPU {found.seen.noun if gpu == 1 else found.seen.noun + 's'} are in neither count." if gpu else ""
    return f"{text}{apart} The class that counts is by {found.strategy.name}. {found.strategy.why}{lacking}"
