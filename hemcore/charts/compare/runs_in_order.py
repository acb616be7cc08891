"""Do the counts drift while the runs are made? The runs of one HEM in their order, before and after."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from hemcore.charts.colours import BASELINE, SERIES, faint
from hemcore.charts.compare.forest import by_size
from hemcore.charts.compare.view import CompareView
from hemcore.charts.look import figure, plain, short
from hemcore.charts.picture import Scene
from hemcore.charts.strips import ends_of
from hemcore.compare.analysis import two_run_sets
from hemcore.compare.results import Comparison
from hemcore.compare.run_sets import RunSet
from hemcore.datasets.tables.signature_table import SignatureTable
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.headline import amount, percent

_MOST = 2_000


def hems_in_order(result: Comparison) -> list[str]:
    """The HEMs to choose from: as the forest lists them, then those without a percentage."""
    return list(dict.fromkeys([*by_size(result)["hem"].astype(str), *result.table["hem"].astype(str)]))


def hem_of(scene: Scene[Comparison]) -> str:
    """The HEM chosen, or the first."""
    known = hems_in_order(scene.result)
    chosen = scene.view.hem if isinstance(scene.view, CompareView) else ""
    return chosen if chosen in known else known[0]


def order_figures(scene: Scene[Comparison]) -> list[go.Figure]:
    """One figure: the runs before, then those after, each with its mean or median."""
    hem, params = hem_of(scene), scene.result.params
    before, after = (_counts(each, hem) for each in two_run_sets(scene.table, params))
    traces: list[dict[str, object]] = []
    for name, counts, start, colour, symbol in (
        ("before", before, 1, BASELINE, "circle-open"),
        ("after", after, len(before) + 1, SERIES[0], "circle"),
    ):
        kept = np.unique(np.linspace(0, len(counts) - 1, min(len(counts), _MOST)).astype(int)) if len(counts) else np.array([], dtype=int)
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": name,
                "x": start + kept,
                "y": counts[kept],
                "marker": {"size": 5, "color": colour if name == "after" else faint(colour, 0.9), "symbol": symbol},
                "hovertemplate": f"{name}, run %{{customdata:,}}: %{{y:,.4s}}<extra></extra>",
                "customdata": kept + 1,
            }
        )
        middle = _middle(counts, params.statistic)
        traces.append(
            {
                "type": "scatter",
                "mode": "lines",
                "name": f"{params.statistic} {name}",
                "x": [start, start + max(len(counts) - 1, 0)],
                "y": [middle, middle],
                "line": {"color": colour, "width": 2, "dash": "dot" if name == "before" else "solid"},
                "hovertemplate": f"{params.statistic} {name}: {amount(middle, 4)}<extra></extra>",
            }
        )
    known = np.concatenate([before, after])
    known = known[np.isfinite(known)]
    ends = ends_of(float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
    unit = f"{'per job' if isinstance(scene.table, SignatureTable) else 'counts per run'}{' (axis not from 0)' if ends[0] > 0 else ''}"
    return [
        figure(
            traces,
            title="Do the counts drift while the runs are made?",
            subtitle=plain(short(hem, 40)),
            height=320,
            uirevision=f"{scene.question.dataset}|{params.before}|order|{hem}",
            legend=True,
            xaxis={"title": "run, in the order of the files"},
            yaxis={"title": f"{plain(short(hem, 24))}, {unit}", "range": list(ends)},
        )
    ]


def _counts(runs: RunSet, hem: str) -> NDArray[np.float64]:
    parts = [group.counts[hem].to_numpy(dtype=float) for group in runs.groups if hem in group.counts.columns]
    return np.concatenate(parts) if parts else np.array([], dtype=float)


def _middle(counts: NDArray[np.float64], statistic: str) -> float:
    known = counts[np.isfinite(counts)]
    return float(getattr(np, statistic)(known)) if len(known) else float("nan")


def order_caption(scene: Scene[Comparison]) -> str:
    """Whether drift was found in this HEM, and what follows one another in the picture."""
    row = scene.result.table[scene.result.table["hem"] == hem_of(scene)].iloc[0]
    drifts = bool(row["drift"] != 0)
    found = "The counts drift in this order: the change may be a matter of time." if drifts else "No drift was found."
    if scene.result.programs > 1:
        return f"{found} Programs follow one another, each at its own level, which is no drift."
    several = isinstance(scene.table, Subexperiments) and len(scene.table.frames) > 1
    return f"{found} Subexperiments follow one another." if several else found


def order_table(scene: Scene[Comparison]) -> pd.DataFrame:
    """Per HEM, what the order of its runs shows."""
    rows = scene.result.table
    return pd.DataFrame(
        {
            "hem": rows["hem"],
            "drifts": np.where(rows["drift"] != 0, "yes", "no"),
            "autocorrelation": [amount(float(each), 2) for each in rows["autocorrelation"]],
            "runs resampled together": rows["block"],
            "chance of the change": [percent(float(each), 1) for each in rows["adjusted"]],
        }
    )
