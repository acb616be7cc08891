"""How much fewer runs, or fewer subexperiments, would harm a merge: quality against measuring time."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import SERIES, TEXT
from hemcore.charts.look import figure
from hemcore.headline import amount, percent
from hemcore.planning.cut_quality import ALL, FEWER_GROUPS, FEWER_RUNS
from hemcore.planning.results import PlanReport

# Differences of AUC up to this are within the noise of half a pilot's runs.
_NOISE = 0.02
_NEAR_END = 0.75  # of the time of all
_LINES = (
    (FEWER_RUNS, "fewer runs, all subexperiments", SERIES[0], "circle"),
    (FEWER_GROUPS, "fewer subexperiments, all runs", SERIES[3], "diamond"),
)


def cut_curves(rows: pd.DataFrame, *, uirevision: str = "") -> go.Figure:
    """AUC against the fraction of the measuring time, one line per way to save time; both start at the full measurement."""
    traces = [_line(rows, what, name, colour, symbol) for what, name, colour, symbol in _LINES if (rows["what"] == what).any()]
    largest = float(np.nanmax([0.6, *rows["auc"]]))
    return figure(
        traces,
        title="What do fewer runs or subexperiments cost?",
        subtitle="how well a classifier tells merged runs from real ones: 0.5 not at all, 1 always; lower is better",
        height=340,
        uirevision=uirevision,
        legend=True,
        xaxis={"title": "fraction of the measuring time", "tickformat": "~%", "range": [0, 1.05]},
        yaxis={"title": "AUC of the classifier (axis not from 0)", "range": [0.45, min(1.02, largest + 0.05)], "tickformat": ".2f"},
    )


def cuts_table(rows: pd.DataFrame, report: PlanReport, baseline: PlanReport | None) -> pd.DataFrame:
    """One row per option: remaining runs, subexperiments and time, the resulting time of this plan, and the merge's figures."""
    share = _shares(rows)
    table = pd.DataFrame(
        {"cut": rows["what"], "subexperiments": rows["subexperiments"], "runs each": rows["runs"], "fraction of time": share.round(3)}
    )
    table["this plan, h"] = (share * report.seconds / 3600).round(2)
    if baseline is not None:
        table["baseline, h"] = (share * baseline.seconds / 3600).round(2)
    for name, title in (("auc", "AUC"), ("energy", "energy"), ("spearman_mse", "Spearman MSE"), ("pearson_mse", "Pearson MSE")):
        table[title] = rows[name].round(4)
    return table


def cuts_caption(rows: pd.DataFrame, pilot: str) -> str:
    """Which of the two to reduce, with the figures, and the readings they are based on."""
    half = f"Based on half the runs of {pilot}: one half is merged, the other judges. A merge of all runs is better."
    whole = rows[rows["what"] == ALL]["auc"].iloc[0]
    groups, runs = rows[rows["what"] == FEWER_GROUPS], rows[rows["what"].isin((ALL, FEWER_RUNS))].sort_values("seconds")
    if not np.isfinite(whole) or rows["auc"].isna().any():
        return f"Too few runs to compare the options. {half}"
    if groups.empty:
        fewest = runs.iloc[0]
        return (
            f"Reduce runs: no subexperiment can be left out without disconnecting HEMs. {fewest['runs']:,.0f} "
            f"runs each instead of {runs['runs'].iloc[-1]:,.0f} raise the AUC from {whole:.2f} to {fewest['auc']:.2f}. {half}"
        )
    # The AUC with fewer runs, at the measuring time of each plan with fewer subexperiments.
    by_runs = np.interp(groups["seconds"], runs["seconds"], runs["auc"])
    dearer = groups["auc"].to_numpy() - by_runs
    at = int(np.abs(dearer).argmax())
    group = groups.iloc[at]
    left, every = f"{group['subexperiments']:,.0f}", f"{rows['subexperiments'].iloc[0]:,.0f}"
    shown = (
        f"in {percent(_shares(rows)[groups.index[at]])} of the time, {left} of {every} subexperiments have an AUC of {group['auc']:.2f},"
        f" all with fewer runs {by_runs[at]:.2f}"
    )
    if dearer.mean() > _NOISE:
        answer = f"Reduce runs, not subexperiments: {shown}."
    elif dearer.mean() < -_NOISE:
        answer = f"Here, fewer subexperiments cost less than fewer runs: {shown}."
    else:
        answer = f"These runs show no difference between fewer runs and fewer subexperiments: {shown}."
    return f"{answer} {half}"


def _shares(rows: pd.DataFrame) -> pd.Series:
    whole = float(rows["seconds"].iloc[0])
    return rows["seconds"] / whole if whole else rows["seconds"] * 0 + 1


def _line(rows: pd.DataFrame, what: str, name: str, colour: str, symbol: str) -> dict[str, object]:
    mine = rows[rows["what"].isin((ALL, what))].sort_values("seconds")
    labels = [
        f"{row['subexperiments']:,} x {row['runs']:,} runs<br>AUC {row['auc']:.3f}, energy {row['energy']:.5f}<br>"
        f"MSE: Spearman {amount(row['spearman_mse'], 2)}, Pearson {amount(row['pearson_mse'], 2)}"
        for row in mine.to_dict("records")
    ]
    texts = mine["runs"].map("{:,} runs".format) if what == FEWER_RUNS else mine["subexperiments"].map("{:,} subexperiments".format)
    return {
        "type": "scatter",
        "mode": "lines+markers+text",
        "name": name,
        "x": _shares(rows)[mine.index].to_numpy(np.float32),
        "y": mine["auc"].to_numpy(np.float32),
        "line": {"color": colour, "width": 2},
        "marker": {"symbol": symbol, "size": 9, "color": colour},
        "text": [text if row != ALL else "" for text, row in zip(texts, mine["what"], strict=True)],
        # Near the right end a label would be cut off.
        "textposition": ["bottom left" if what == FEWER_RUNS or at > _NEAR_END else "top right" for at in _shares(rows)[mine.index]],
        "textfont": {"color": TEXT, "size": 11},
        "customdata": labels,
        "hovertemplate": "%{customdata}<extra></extra>",
    }
