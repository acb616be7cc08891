"""Measured correlations with one HEM and their intervals, compared with those of the merged table."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import MUTED, SERIES
from hemcore.charts.look import figure, plain, short
from hemcore.headline import formatted, percent
from hemcore.merge.trust.correlation_intervals import LEVEL, RANKS

# After an r of normal scores, which has an interval that holds where a few runs decide Pearson's.
OF_RANKS = " by ranks"


def forest(rows: pd.DataFrame, *, hem: str, title: str, subtitle: str = "", uirevision: str = "") -> go.Figure:
    """r of `hem` with each other HEM, one row each, the first on top.

    rows: other (HEM), r, low, high (measured; NaN if the pair was never read together or its interval is unknown), merged (r in the merged
    table, NaN if it has none), runs, scale (of `measured_intervals`). Merged values outside their interval are diamonds, those of filled
    pairs open circles. customdata: the names of the two HEMs.
    """
    places = np.arange(len(rows), dtype=np.int16)
    values = {name: rows[name].to_numpy(dtype=float) for name in ("r", "low", "high", "merged")}
    read = rows["runs"].to_numpy() > 0
    known = read & np.isfinite(values["low"])
    beyond = known & ((values["merged"] < values["low"]) | (values["merged"] > values["high"]))
    others = [plain(str(name)) for name in rows["other"]]
    by = [OF_RANKS if scale == RANKS else "" for scale in rows["scale"]]
    lines: dict[str, object] = {
        "type": "scatter",
        "x": values["r"][read].astype(np.float32),
        "y": places[read],
        "mode": "markers",
        "name": f"measured, {percent(LEVEL)} interval",
        "marker": {"symbol": "line-ns", "size": 10, "line": {"color": MUTED, "width": 2}},
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": _zero(values["high"] - values["r"])[read].astype(np.float32),
            "arrayminus": _zero(values["r"] - values["low"])[read].astype(np.float32),
            "color": MUTED,
            "thickness": 3,
            "width": 0,
        },
        "text": [
            f"<b>{name}</b><br>measured r{ranked} = {formatted(r, '+.4f')}, {formatted(low, '+.3f')} to {formatted(high, '+.3f')}<br>"
            f"{runs:,} runs read both"
            for name, ranked, r, low, high, runs in zip(
                others, by, *(values[each] for each in ("r", "low", "high")), rows["runs"], strict=True
            )
            if runs > 0
        ],
        "hovertemplate": "%{text}<extra></extra>",
        "customdata": np.array([(hem, str(name)) for name in rows["other"][read]], dtype=object).reshape(-1, 2),
    }
    traces = [lines]
    for chosen, name, symbol, colour in (
        (read & ~beyond, "merged", "circle", SERIES[0]),
        (beyond, "merged, outside", "diamond", SERIES[3]),
        (~read, "filled, no interval", "circle-open", SERIES[1]),
    ):
        at = np.flatnonzero(chosen & np.isfinite(values["merged"]))
        if not len(at):
            continue
        traces.append(
            {
                "type": "scatter",
                "x": values["merged"][at].astype(np.float32),
                "y": places[at],
                "mode": "markers",
                "name": f"{name} ({len(at):,})",
                "marker": {"symbol": symbol, "size": 9, "color": colour, "line": {"color": colour, "width": 2}},
                "text": [f"<b>{others[place]}</b><br>{name}: r{by[place]} = {formatted(values['merged'][place], '+.4f')}" for place in at],
                "hovertemplate": "%{text}<extra></extra>",
                "customdata": np.array([(hem, str(rows["other"].iloc[place])) for place in at], dtype=object).reshape(-1, 2),
            }
        )
    return figure(
        traces,
        title=title,
        subtitle=subtitle,
        height=max(240, 110 + 26 * len(rows)),
        uirevision=uirevision,
        legend=True,
        xaxis={"title": _scale_name(by, short(hem, 36)), "range": _reach(values), "zeroline": True},
        yaxis={
            "tickvals": places,
            "ticktext": [short(str(name), 22) for name in rows["other"]],
            "range": [len(rows) - 0.4, -0.6],
            "showgrid": False,
        },
    )


def _scale_name(by: list[str], hem: str) -> str:
    if not any(by):
        return f"Pearson r with {hem}"
    return f"r{OF_RANKS} with {hem}" if all(by) else f"r with {hem} (Pearson; heavy tails: by ranks)"


def _zero(values: np.ndarray) -> np.ndarray:
    return np.where(np.isfinite(values), np.maximum(values, 0.0), 0.0)


def _reach(values: dict[str, np.ndarray]) -> list[float]:
    every = np.concatenate(list(values.values()))
    every = every[np.isfinite(every)]
    return [min(-0.05, float(every.min(initial=0.0)) - 0.05), max(0.2, float(every.max(initial=0.0)) + 0.05)]
