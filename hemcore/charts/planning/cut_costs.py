"""What fewer runs, or fewer subexperiments, would cost a merge: quality against the time of measuring, and a verdict from the figures."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import SERIES, TEXT
from hemcore.charts.look import made
from hemcore.planning.cut_quality import ALL, FEWER_GROUPS, FEWER_RUNS
from hemcore.planning.results import PlanReport

# Differences of AUC that half the runs of a pilot cannot tell from none.
_NOISE = 0.02
_LINES = (
    (FEWER_RUNS, "fewer runs, all subexperiments", SERIES[0], "circle"),
    (FEWER_GROUPS, "fewer subexperiments, all runs", SERIES[3], "diamond"),
)


def cuts(rows: pd.DataFrame, *, kept: str = "") -> go.Figure:
    """AUC against the share of the measuring time, a line for each way to cut; both begin where nothing is cut."""
    traces = [_line(rows, what, name, colour, symbol) for what, name, colour, symbol in _LINES if (rows["what"] == what).any()]
    largest = float(np.nanmax([0.6, *rows["auc"]]))
    return made(
        traces,
        title="What do fewer runs or subexperiments cost?",
        subtitle="merged rows told from rows as read; lower is better",
        height=340,
        kept=kept,
        legend=True,
        xaxis={"title": "share of the pilot's measuring time", "tickformat": ".0%", "range": [0, 1.05]},
        yaxis={"title": "AUC, 0.5 = cannot be told", "range": [0.45, min(1.02, largest + 0.05)], "tickformat": ".2f"},
    )


def cuts_table(rows: pd.DataFrame, report: PlanReport, baseline: PlanReport | None) -> pd.DataFrame:
    """A row a cut: what is left of runs, subexperiments and time, what this plan would take so, and the merge's figures."""
    share = _shares(rows)
    table = pd.DataFrame(
        {"cut": rows["what"], "subexperiments": rows["subexperiments"], "runs each": rows["runs"], "share of time": share.round(3)}
    )
    table["this plan, h"] = (share * report.seconds / 3600).round(2)
    if baseline is not None:
        table["baseline, h"] = (share * baseline.seconds / 3600).round(2)
    for name, words in (("auc", "AUC"), ("energy", "energy"), ("spearman_mse", "Spearman MSE"), ("pearson_mse", "Pearson MSE")):
        table[words] = rows[name].round(4)
    return table


def cuts_words(rows: pd.DataFrame, pilot: str) -> str:
    """Which of the two to cut, with the figures that say so, and of which readings."""
    half = f"Of half the runs of {pilot}: one half is merged, the other judges, so that all of the runs merge better than this says."
    whole = rows[rows["what"] == ALL]["auc"].iloc[0]
    groups, runs = rows[rows["what"] == FEWER_GROUPS], rows[rows["what"].isin((ALL, FEWER_RUNS))].sort_values("seconds")
    if not np.isfinite(whole) or rows["auc"].isna().any():
        return f"Too few runs to tell what a cut costs. {half}"
    if groups.empty:
        fewest = runs.iloc[0]
        return (
            f"Cut runs: no subexperiment can be left out, since each reads what joins the HEMs and no other does. {fewest['runs']:,.0f} "
            f"runs each in place of {runs['runs'].iloc[-1]:,.0f} raise the AUC from {whole:.2f} to {fewest['auc']:.2f}. {half}"
        )
    # What cutting runs costs in the time that each plan of fewer subexperiments takes.
    by_runs = np.interp(groups["seconds"], runs["seconds"], runs["auc"])
    dearer = groups["auc"].to_numpy() - by_runs
    at = int(np.abs(dearer).argmax())
    group = groups.iloc[at]
    left, every = f"{group['subexperiments']:,.0f}", f"{rows['subexperiments'].iloc[0]:,.0f}"
    shown = (
        f"in {_shares(rows)[groups.index[at]]:.0%} of the time, {left} of {every} subexperiments have an AUC of {group['auc']:.2f}, all of"
        f" them with fewer runs {by_runs[at]:.2f}"
    )
    if dearer.mean() > _NOISE:
        answer = f"Cut runs, not subexperiments: {shown}."
    elif dearer.mean() < -_NOISE:
        answer = f"Here fewer subexperiments cost less than fewer runs: {shown}."
    else:
        answer = f"These runs show no difference between the two cuts: {shown}."
    return f"{answer} {half}"


def _shares(rows: pd.DataFrame) -> pd.Series:
    whole = float(rows["seconds"].iloc[0])
    return rows["seconds"] / whole if whole else rows["seconds"] * 0 + 1


def _line(rows: pd.DataFrame, what: str, name: str, colour: str, symbol: str) -> dict[str, object]:
    mine = rows[rows["what"].isin((ALL, what))].sort_values("seconds")
    labels = [
        f"{row['subexperiments']:,} x {row['runs']:,} runs<br>AUC {row['auc']:.3f}, energy {row['energy']:.5f}<br>"
        f"MSE: Spearman {row['spearman_mse']:.1e}, Pearson {row['pearson_mse']:.1e}"
        for row in mine.to_dict("records")
    ]
    said = mine["runs"].map("{:,} runs".format) if what == FEWER_RUNS else mine["subexperiments"].map("{:,} of them".format)
    return {
        "type": "scatter",
        "mode": "lines+markers+text",
        "name": name,
        "x": _shares(rows)[mine.index].to_numpy(np.float32),
        "y": mine["auc"].to_numpy(np.float32),
        "line": {"color": colour, "width": 2},
        "marker": {"symbol": symbol, "size": 9, "color": colour},
        "text": [words if row != ALL else "" for words, row in zip(said, mine["what"], strict=True)],
        "textposition": "bottom left" if what == FEWER_RUNS else "top right",
        "textfont": {"color": TEXT, "size": 11},
        "customdata": labels,
        "hovertemplate": "%{customdata}<extra></extra>",
    }
