"""How sure each metric is, and which subexperiment its doubt is from; and sums that must agree."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import MUTED, SERIES, TEXT, faint
from hemcore.charts.look import figure, label_width, plain, short, short_names, wrapped
from hemcore.charts.picture import Scene
from hemcore.headline import amount, percent
from hemcore.metrics.results import MetricsReport

_MOST = 20


def widest(report: MetricsReport) -> pd.DataFrame:
    """The metrics with a value other than 0 and an interval, the widest relative to its value first: `half`, half of its width."""
    rows = report.rows
    known = rows[rows["value"].notna() & rows["low"].notna() & (rows["value"] != 0)]
    half = (known["high"] - known["low"]) / 2 / known["value"].abs()
    return known.assign(half=half).sort_values("half", ascending=False, kind="stable")


def doubt_figure(scene: Scene[MetricsReport]) -> list[go.Figure]:
    """Half the interval of each of the 20 widest metrics, split by subexperiment as its variance is."""
    shown = widest(scene.result).head(_MOST)
    if shown.empty:
        return []
    names = short_names(shown["metric"].tolist(), 34)
    shares = _by_subexperiment(scene.result).reindex(shown["metric"])
    parts = list(shares.columns)
    places, worked = np.arange(len(shown)), scene.result.worked
    traces = []
    for number, part in enumerate(parts):
        share = shares[part].to_numpy(dtype=float)
        traces.append(
            {
                "type": "bar",
                "orientation": "h",
                "name": short(str(part), 24),
                "x": np.nan_to_num(share) * shown["half"].to_numpy(),
                "y": places,
                "marker": {"color": _colour(number)},
                "customdata": [
                    f"{plain(str(part))}: {percent(each)} of its variance<br>{wrapped(worked.get(name, ''), 70)}" if each == each else ""
                    for each, name in zip(share, shown["metric"], strict=True)
                ],
                "hovertemplate": "%{customdata}<extra></extra>",
            }
        )
    unknown = ~np.isfinite(shares.to_numpy(dtype=float)).all(axis=1) if parts else np.ones(len(shown), dtype=bool)
    if unknown.any():
        traces.append(
            {
                "type": "bar",
                "orientation": "h",
                "name": "all runs",
                "x": np.where(unknown, shown["half"], 0.0),
                "y": places,
                "marker": {"color": MUTED},
                "hovertemplate": "%{x:.2%}<extra></extra>",
            }
        )
    return [
        figure(
            traces,
            title="Which metrics are least sure, and what to read more?",
            subtitle="half the 80% interval, relative to the metric; split by the subexperiment that its variance is from",
            height=60 + 24 * len(shown),
            uirevision=f"{scene.question.dataset}|doubt",
            legend=len(traces) > 1,
            sides=(label_width(names, 11) + 16, 70 if len(traces) > 1 else 48),
            barmode="stack",
            xaxis={"title": "half the interval", "tickformat": "~%", "rangemode": "tozero"},
            yaxis={"tickvals": places, "ticktext": names, "range": [len(shown) - 0.4, -0.6], "showgrid": False},
        )
    ]


def _colour(number: int) -> str:
    """Of a subexperiment; those after the eighth are paler, in the legend too."""
    colour = SERIES[number % len(SERIES)]
    return colour if number < len(SERIES) else faint(colour, 0.55)


def doubt_caption(scene: Scene[MetricsReport]) -> str:
    """What would halve the widest interval."""
    known = widest(scene.result)
    if known.empty or len(scene.result.runs) < 2:
        return ""
    name, part, share, runs = known[["metric", "needs_most", "its_share", "runs_to_halve"]].to_numpy().tolist()[0]
    if not part:
        return ""
    more = f" {amount(runs)} more runs of it halve that interval." if runs == runs else " More runs of it alone do not halve that interval."
    return f"{name} is least sure; {percent(share)} of its variance is from {part}.{more}"


def doubt_table(scene: Scene[MetricsReport]) -> pd.DataFrame | None:
    """By metric: half the interval, and the share of each subexperiment in its variance."""
    known = widest(scene.result)[["metric", "half"]].rename(columns={"half": "half the interval"})
    return known.merge(_by_subexperiment(scene.result), left_on="metric", right_index=True, how="left")


def _by_subexperiment(report: MetricsReport) -> pd.DataFrame:
    """The share of each subexperiment (columns) in the variance of each metric (index)."""
    wide = report.shares.pivot(index="metric", columns="subexperiment", values="share")
    return wide[list(dict.fromkeys(report.shares["subexperiment"]))]


def sums_figure(scene: Scene[MetricsReport]) -> list[go.Figure]:
    """How far the two sides of each identity are apart, with the interval of that."""
    shown = scene.result.identities
    shown = shown[shown["difference"].notna()].head(_MOST)
    if shown.empty:
        return []
    names = short_names(shown["identity"].tolist(), 40)
    size = np.maximum(shown[["left", "right"]].abs().max(axis=1).to_numpy(dtype=float), np.finfo(float).tiny)
    middle, low, high = (shown[each].to_numpy(dtype=float) / size for each in ("difference", "low", "high"))
    places = np.arange(len(shown))
    dots = {
        "type": "scatter",
        "mode": "markers",
        "x": middle,
        "y": places,
        "marker": {"size": 9, "color": [SERIES[0] if holds == 1 else SERIES[3] for holds in shown["holds"]],
                   "symbol": ["circle" if holds == 1 else "x" for holds in shown["holds"]]},
        "error_x": {"array": np.nan_to_num(high - middle), "arrayminus": np.nan_to_num(middle - low), "color": TEXT, "thickness": 1.5},
        "customdata": [plain(each) for each in shown["sentence"]],
        "hovertemplate": "%{customdata}<extra></extra>",
    }  # fmt: skip
    reach = max(float(np.nanmax(np.abs([middle, low, high]))), 1e-6) * 1.1
    return [
        figure(
            [dots],
            title="Do sums agree that must be equal?",
            subtitle="left side less right side, relative to the larger; cross: more than chance",
            height=70 + 30 * len(shown),
            uirevision=f"{scene.question.dataset}|sums",
            sides=(label_width(names, 11) + 16, 48),
            xaxis={"title": "difference", "tickformat": "~%", "range": [-reach, reach], "zeroline": True},
            yaxis={"tickvals": places, "ticktext": names, "range": [len(shown) - 0.4, -0.6], "showgrid": False},
        )
    ]
