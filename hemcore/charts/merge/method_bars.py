"""Merges of the same readings compared: how well a classifier separates merged rows from rows read together."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import MUTED, SERIES, TRUTH
from hemcore.charts.look import figure
from hemcore.headline import amount, counted_noun
from hemcore.merge.trust.comparison import Comparison
from hemcore.merge.trust.half_quality import TRUE_ROWS
from hemcore.merge.trust.side_by_side_merges import METHODS

_LEFT = 0.4
_TITLES = {TRUE_ROWS: "True rows", **{name: method.title for name, method in METHODS.items()}}
_COLUMNS = {
    "auc": "AUC, halves",
    "energy": "energy, halves",
    "spearman_mse": "Spearman MSE, halves",
    "pearson_mse": "Pearson MSE, halves",
}


def method_dots(found: Comparison, *, title: str, subtitle: str = "", uirevision: str = "") -> go.Figure:
    """The AUC of each merge by halves and, if known, against the truth, one row each; a line marks the AUC of true rows."""
    rows = found.quality.rows
    names = [str(name) for name in rows.loc[rows["auc"].notna(), "method"] if name != TRUE_ROWS]
    traces: list[dict[str, object]] = [_dots(rows, names, "judged by the other half of the runs", SERIES[0], "circle")]
    if found.truth is not None:
        traces.append(_dots(found.truth, names, "judged by the truth", TRUTH, "diamond"))
    line = float(found.quality.of(TRUE_ROWS)["auc"])
    return figure(
        traces,
        title=title,
        subtitle=subtitle,
        height=120 + 46 * len(names),
        uirevision=uirevision,
        legend=True,
        xaxis={"title": "AUC of a classifier (0.5: cannot separate, 1: always; axis not from 0)", "range": [_LEFT, 1.02]},
        yaxis={
            "tickvals": list(range(len(names))),
            "ticktext": [_TITLES[name] for name in names],
            "range": [len(names) - 0.4, -0.6],
            "showgrid": False,
        },
        shapes=[*_untold(found.quality.told), *_line(line)],
    )


def _untold(told: float) -> Iterator[dict[str, object]]:
    """The band of AUC that the halves cannot tell from 0.5."""
    if np.isfinite(told):
        band = {"x0": _LEFT, "x1": told, "y0": 0, "y1": 1, "yref": "paper", "fillcolor": MUTED, "opacity": 0.15, "line": {"width": 0}}
        yield {"type": "rect", "layer": "below", **band}


def _line(auc: float) -> Iterator[dict[str, object]]:
    """A dashed line at the AUC of true rows."""
    if np.isfinite(auc):
        yield {
            "type": "line",
            "x0": auc,
            "x1": auc,
            "y0": 0,
            "y1": 1,
            "yref": "paper",
            "line": {"color": MUTED, "dash": "dash", "width": 1.5},
        }


def methods_table(found: Comparison) -> pd.DataFrame:
    """All figures of the methods, one row each, and the reason if a method cannot merge these readings."""
    rows = found.quality.rows
    table = pd.DataFrame({"method": [_TITLES.get(str(name), str(name)) for name in rows["method"]]})
    for name, title in _COLUMNS.items():
        table[title] = rows[name].round(4)
    if found.truth is not None:
        known = found.truth.set_index("method").reindex(rows["method"])
        for name, title in _COLUMNS.items():
            table[title.replace("halves", "truth")] = known[name].round(4).to_numpy()
    table["one merge, s"] = rows["seconds"].round(2)
    if (rows["why"] != "").any():
        # The sentence alone: it begins with the parameter that a call has.
        table["reason"] = [str(why).removeprefix("anchor_hem: ") for why in rows["why"]]
    return table


def methods_caption(found: Comparison) -> str:
    """Which method is best, and what the figures mean."""
    halves = found.quality.rows.set_index("method").drop(index=TRUE_ROWS)["auc"].dropna()
    if halves.empty:
        return "No method can merge halves of these readings; the table gives the reasons."
    quality = found.quality
    true = float(quality.of(TRUE_ROWS)["auc"])
    near = f"true rows have {true:.2f} (dashed line)" if np.isfinite(true) else "there are too few true rows"
    alike = [_TITLES[str(name)] for name in found.alike.index]
    if found.closest is None and alike:
        first = f"No merge is recommended: halves of these runs cannot tell apart: {'; '.join(alike)} ({near})."
    elif found.closest is None:
        first = (
            f"No merge is recommended: {quality.n_unread:,} of {counted_noun(quality.n_pairs, 'pair')} are never read together, and no half"
            f" of the runs can judge them; {near}."
        )
    else:
        best, auc, by_truth = found.closest
        first = f"Closest to rows read together: {_TITLES[best]}, AUC {auc:.2f} {'against the truth' if by_truth else 'by halves'}; {near}."
    runs = " HRM copies whole runs, which halves cannot distinguish from merged ones." if "hrm" in halves else ""
    return (
        f"{first} Halves: one half of each subexperiment's runs is merged, the other half (at least {quality.runs:,} runs) judges the HEMs"
        f" read together. {quality.sight}{runs} MSE and energy of halves include the noise of half the runs: compare them with those of"
        " true rows."
    )


def _dots(rows: pd.DataFrame, names: list[str], judge: str, colour: str, symbol: str) -> dict[str, object]:
    known = rows.set_index("method").reindex(names)
    x = known["auc"].to_numpy(dtype=float)
    at = np.flatnonzero(np.isfinite(x))
    return {
        "type": "scatter",
        "x": x[at].astype(np.float32),
        "y": at.astype(np.int16),
        "mode": "markers",
        "name": judge,
        "marker": {"symbol": symbol, "size": 11, "color": colour},
        "text": [
            f"<b>{_TITLES[names[place]]}</b>, {judge}<br>AUC {x[place]:.3f}, energy {known['energy'].iloc[place]:.5f}<br>"
            f"MSE: Spearman {amount(known['spearman_mse'].iloc[place], 2)}, Pearson {amount(known['pearson_mse'].iloc[place], 2)}"
            for place in at
        ],
        "hovertemplate": "%{text}<extra></extra>",
    }
