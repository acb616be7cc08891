"""How sure each metric is, and which subexperiment its doubt is from; and sums that must agree."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from hemcore.charts.colours import MUTED, SERIES, TEXT, faint
from hemcore.charts.look import figure, label_width, plain, short, short_names, wrapped
from hemcore.charts.picture import Scene
from hemcore.headline import amount, counted_noun, percent
from hemcore.metrics.identities import in_doubt
from hemcore.metrics.results import MetricsReport

_MOST = 20
_OTHERS = "the others"
_ALL, _NAMED = 10, 7  # subexperiments: up to so many all are named, of more so many, in the clearest colors
_HOLDS, _BEYOND, _FAILS = (SERIES[0], "circle"), (SERIES[1], "diamond-open"), (SERIES[3], "x")
_LEAST_REACH = 0.005  # of an axis of relative differences


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
    shares = _fewer(_by_subexperiment(scene.result).reindex(shown["metric"]), shown["half"].to_numpy())
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
                "marker": {"color": MUTED if part == _OTHERS else _colour(number)},
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
                "hovertemplate": "%{x:.1%}<extra></extra>",
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


def _fewer(shares: pd.DataFrame, half: NDArray[np.float64]) -> pd.DataFrame:
    """The shares of each subexperiment (column); of more than _ALL, those that cause the least doubt in these metrics are added up."""
    if shares.shape[1] <= _ALL:
        return shares
    caused = shares.mul(half, axis=0).sum()
    kept = set(caused.nlargest(_NAMED).index)
    named = [each for each in shares.columns if each in kept]
    rest = shares.drop(columns=named)
    return shares[named].assign(**{_OTHERS: rest.sum(axis=1, skipna=False)})


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
    return known.merge(_by_subexperiment(scene.result).add_prefix("variance from "), left_on="metric", right_index=True, how="left")


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
    doubtful = in_doubt(shown)
    states = [_BEYOND if beyond else _HOLDS if holds == 1 else _FAILS for beyond, holds in zip(doubtful, shown["holds"], strict=True)]
    dots = {
        "type": "scatter",
        "mode": "markers",
        "x": middle,
        "y": places,
        "marker": {"size": 9, "color": [colour for colour, _ in states], "symbol": [symbol for _, symbol in states]},
        "error_x": {"array": np.nan_to_num(high - middle), "arrayminus": np.nan_to_num(middle - low), "color": TEXT, "thickness": 1.5},
        "customdata": [wrapped(each, 70) for each in shown["sentence"]],
        "hovertemplate": "%{customdata}<extra></extra>",
    }
    reach = max(float(np.nanmax(np.abs([middle, low, high]))) * 1.1, _LEAST_REACH)
    return [
        figure(
            [dots],
            title="Do sums agree that must be equal?",
            subtitle="left side less right side, relative to the larger; open: the 80% interval excludes 0; cross: more than chance",
            height=70 + 30 * len(shown),
            uirevision=f"{scene.question.dataset}|sums",
            sides=(label_width(names, 11) + 16, 48),
            xaxis={"title": "difference", "tickformat": "~%", "range": [-reach, reach], "zeroline": True, "nticks": 4, "tickangle": 0},
            yaxis={"tickvals": places, "ticktext": names, "range": [len(shown) - 0.4, -0.6], "showgrid": False},
        )
    ]


def sums_caption(scene: Scene[MetricsReport]) -> str:
    """How many differ by more than their interval, beside how many chance lets differ."""
    found = scene.result.identities
    known = int((found["low"] < found["high"]).sum())
    beyond = int(in_doubt(found).sum())
    if not beyond:
        return ""
    text = (
        f"{counted_noun(beyond, 'interval')} {'excludes' if beyond == 1 else 'exclude'} 0, of {known:,}; chance alone does that to 1 in 5."
    )
    return f"{text} Sides read in different subexperiments carry the chance of both: plan them together to be sure."
