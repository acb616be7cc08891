"""From which set on did a HEM change? The course of one HEM over the sets, beside the change points of all."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import QUIET, SERIES
from hemcore.charts.compare.forest import signed
from hemcore.charts.compare.view import CompareView
from hemcore.charts.look import Layout, figure, label_width, plain, short, short_names, wrapped
from hemcore.charts.picture import Scene
from hemcore.compare.releases import Releases
from hemcore.compare.releases.course_headline import since
from hemcore.compare.results import Comparison
from hemcore.headline import amount, counted_noun, percent

MOST_ROWS, _MOST_TICKS, _TICK = 25, 12, 13  # _TICK: letters
_FLAT = 4  # as many names of sets fit beside one another
_WAYS = (("less", SERIES[0], "triangle-down"), ("more", SERIES[1], "triangle-up"))


def followed_hems(found: Releases) -> list[str]:
    """The HEMs to choose from, the surest change first."""
    return found.table["hem"].astype(str).tolist()


def _hem_of(scene: Scene[Comparison]) -> str:
    known = followed_hems(scene.more)
    chosen = scene.view.hem if isinstance(scene.view, CompareView) else ""
    return chosen if chosen in known else known[0]


def release_figures(scene: Scene[Comparison]) -> list[go.Figure]:
    """The course of the chosen HEM; and where any HEM changed, if one did."""
    found: Releases = scene.more
    params = scene.result.params
    shared = f"{scene.question.dataset}|{params.before}|{params.between}|releases"
    course = _course(found, _hem_of(scene), shared)
    return [course, _dates(found, shared)] if len(found.changes) else [course]


def _course(found: Releases, hem: str, shared: str) -> go.Figure:
    rows = found.courses[found.courses["hem"] == hem]
    places = rows["place"].to_numpy()
    middle, low, high = (rows[name].to_numpy(dtype=float) for name in ("change", "low", "high"))
    counts = found.levels.counts[:, found.levels.hems.index(hem)]
    changes = found.changes[found.changes["hem"] == hem]
    cuts = changes["place"].to_numpy(dtype=int)
    traces: list[Layout] = [
        {
            "type": "scatter",
            "mode": "lines",
            "name": "level",
            "x": _gapped(places.astype(float), cuts),
            "y": _gapped(rows["segment"].to_numpy(dtype=float), cuts),
            "line": {"color": SERIES[1], "width": 2.5},
            "hoverinfo": "skip",
            # A level of one set alone has no line, its dot says it.
            "showlegend": len(places) > len(cuts) + 1,
        },
        {
            "type": "scatter",
            "mode": "markers",
            "name": f"set, {percent(found.params.level)} interval of its runs",
            "x": places,
            "y": middle,
            "error_y": {
                "array": np.nan_to_num(high - middle),
                "arrayminus": np.nan_to_num(middle - low),
                "color": SERIES[0],
                "thickness": 1.4,
                "width": 3,
            },
            "marker": {"size": 8, "color": SERIES[0]},
            "customdata": [
                f"<b>{plain(str(label))}</b><br>{amount(float(count), 4)} per run, {signed(float(change))}"
                for label, count, change in zip(rows["set"], counts, middle, strict=True)
            ],
            "hovertemplate": "%{customdata}<extra></extra>",
        },
    ]
    lines = [
        {"type": "line", "xref": "x", "yref": "paper", "x0": cut - 0.5, "x1": cut - 0.5, "y0": 0, "y1": 1, "line": _DASH}
        for cut in cuts.tolist()
    ]
    notes = [
        {
            "x": int(row["place"]) - 0.5,
            "y": 1,
            "yref": "paper",
            "yanchor": "top",
            "xanchor": "left",
            "xshift": 3,
            "showarrow": False,
            "text": signed(float(row["change"])),
            "font": {"size": 12},
        }
        for _, row in changes.iterrows()
    ]
    return figure(
        traces,
        title="From which set on did it change?",
        subtitle=f"{plain(short(hem, 40))}, against the first set; at a dashed line: the change from the level before",
        height=330,
        uirevision=f"{shared}|{hem}",
        legend=True,
        shapes=lines,
        annotations=notes,
        xaxis=_sets_axis(found) | {"title": "set, in order"},
        yaxis={"title": f"change of the {found.params.statistic}, %", "tickformat": "~%"},
    )


_DASH = {"color": QUIET, "width": 1.5, "dash": "dash"}


def _gapped(values: np.ndarray, cuts: np.ndarray) -> np.ndarray:
    """A gap before each cut; a segment of one set has no line, its dot says it."""
    return np.insert(values, cuts, np.nan)


def _sets_axis(found: Releases) -> Layout:
    labels = _without_what_they_share([str(each) for each in found.levels.labels])
    step = -(-len(labels) // _MOST_TICKS)
    shown = list(range(0, len(labels), step))
    names = [labels[place] for place in shown]
    two_lines = len(shown) <= _FLAT and all(wrapped(each, _TICK).count("<br>") < 2 for each in names)
    return {
        "tickvals": shown,
        "ticktext": [wrapped(each, _TICK) for each in names] if two_lines else short_names(names, _TICK),
        "tickangle": -30 if len(shown) > _FLAT else 0,
        "range": [-0.6, len(labels) - 0.4],
    }


def _without_what_they_share(labels: list[str]) -> list[str]:
    """ "box: before" and "box: after" are "before" and "after"; the newest set has no name of its own."""
    heads = {label.rpartition(": ")[0] for label in labels[:-1]}
    if len(heads) == 1:
        labels = [label.removeprefix(f"{next(iter(heads))}: ") for label in labels]
    words = [label.split() for label in labels[:-1]]
    # One shared word stays before what differs: "build 3".
    first, last = max(_shared(words) - 1, 0), _shared([each[::-1] for each in words])
    if max(map(len, labels)) <= _TICK or any(len(each) - last <= first for each in words):
        return labels
    return [*(" ".join(each[first : len(each) - last]) for each in words), labels[-1]]


def _shared(words: list[list[str]]) -> int:
    """With how many equal words all begin."""
    return next((place for place, each in enumerate(zip(*words, strict=False)) if len(set(each)) > 1), min(map(len, words)))


def _dates(found: Releases, shared: str) -> go.Figure:
    hems = list(dict.fromkeys(found.changes["hem"]))[:MOST_ROWS]
    rows = found.changes[found.changes["hem"].isin(hems)]
    heights = rows["hem"].map({hem: place for place, hem in enumerate(hems)}).to_numpy()
    more = rows["change"].to_numpy(dtype=float) > 0
    names = short_names([str(each) for each in hems], 26)
    traces = [
        {
            "type": "scatter",
            "mode": "markers+text",
            "name": name,
            "x": rows["place"].to_numpy(dtype=int)[more == bool(way)],
            "y": heights[more == bool(way)],
            "marker": {"size": 11, "color": colour, "symbol": symbol},
            "text": [signed(float(each)) for each in rows["change"][more == bool(way)]],
            "textposition": "middle right",
            "textfont": {"size": 11},
            "customdata": [_hover(row) for _, row in rows[more == bool(way)].iterrows()],
            "hovertemplate": "%{customdata}<extra></extra>",
        }
        for way, (name, colour, symbol) in enumerate(_WAYS)
        if (more == bool(way)).any()
    ]
    axis = _sets_axis(found)
    return figure(
        traces,
        title="What changed when?",
        subtitle="the first set of each new level; triangles up: more, down: less",
        height=64 + max(22, min(34, 300 // len(hems))) * len(hems),
        uirevision=f"{shared}|dates",
        legend=True,
        sides=(label_width(names, 11) + 16, 96),
        xaxis=axis | {"title": "set, in order", "range": [axis["range"][0], axis["range"][1] + 0.8]},
        yaxis={"tickvals": np.arange(len(hems)), "ticktext": names, "range": [len(hems) - 0.4, -0.6]},
    )


def _hover(row: pd.Series) -> str:
    return (
        f"<b>{plain(str(row['hem']))}</b>: {signed(float(row['change']))} ({signed(float(row['low']))} to {signed(float(row['high']))})"
        f"<br>{plain(since(row['set']))}"
    )


def release_caption(scene: Scene[Comparison]) -> str:
    """How many HEMs changed and what noise is."""
    found: Releases = scene.more
    n = int(found.table["changed"].sum())
    parts = [f"{n:,} of {counted_noun(len(found.table), 'HEM')} surely changed over {counted_noun(len(found.levels.labels), 'set')}."]
    if found.over_sets:
        parts.append("Noise is the scatter of the sets around their course, so nights that differ are no change.")
    else:
        parts.append("Noise is the scatter of the runs alone: six sets are needed to tell a change from nights that differ.")
    if found.changes["hem"].nunique() > MOST_ROWS:
        parts.append(f"The {MOST_ROWS} surest are drawn.")
    return " ".join(parts)


def release_table(scene: Scene[Comparison]) -> pd.DataFrame:
    """A row per change point; HEMs without one below."""
    found: Releases = scene.more
    changes = found.changes
    shown = pd.DataFrame(
        {
            "hem": changes["hem"].astype(str),
            "from": changes["set"].astype(str),
            "change": [signed(float(each)) for each in changes["change"]],
            "low": [signed(float(each)) for each in changes["low"]],
            "high": [signed(float(each)) for each in changes["high"]],
            "chance": [percent(float(each), 2) for each in changes["adjusted"]],
            "would have shown": "",
        }
    )
    rest = found.table[~found.table["changed"]]
    steady = pd.DataFrame(
        {
            "hem": rest["hem"].astype(str),
            "from": "no change",
            "chance": [percent(float(each), 2) for each in rest["adjusted"]],
            "would have shown": [percent(float(each), 1) for each in rest["provable"]],
        }
    )
    return pd.concat([shown, steady], ignore_index=True).fillna("")
