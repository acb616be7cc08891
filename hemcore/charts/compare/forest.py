"""What changed, and is it more than noise? A row per HEM: its relative change with the interval, the truth beside it if it is known."""

from collections.abc import Sequence
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import MUTED, QUIET, SERIES, TRUTH
from hemcore.charts.look import figure, label_width, plain, short_names
from hemcore.charts.picture import Scene
from hemcore.compare.analysis import before_table
from hemcore.compare.headline import mean_of
from hemcore.compare.results import Comparison
from hemcore.compare.truth_compared import true_changes
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.headline import amount, counted_noun, percent

MOST_ROWS = 60
# Name, colour, symbol: more and less are told apart by shape too.
_MARKS = (
    ("more, surely", SERIES[1], "triangle-right"),
    ("less, surely", SERIES[0], "triangle-left"),
    ("may be noise", MUTED, "circle-open"),
)
_truths: WeakKeyDictionary[Subexperiments, dict[tuple[str, str], dict[str, float]]] = WeakKeyDictionary()


def by_size(result: Comparison) -> pd.DataFrame:
    """The rows of relative changes: first those that surely changed, then the others, each by size."""
    rows = result.table[result.table["measure"] == "relative"]
    order = np.lexsort((-rows["change"].abs().to_numpy(), ~rows["changed"].to_numpy(dtype=bool)))
    return rows.iloc[order].reset_index(drop=True)


def forest_figures(scene: Scene[Comparison]) -> list[go.Figure]:
    """The 60 first rows; none if no HEM has a relative change."""
    rows = by_size(scene.result).head(MOST_ROWS)
    if rows.empty:
        return []
    truth = truth_of(scene)
    names = short_names(rows["hem"].astype(str).tolist(), 34)
    traces = change_traces(rows, [_hover(row, truth) for _, row in rows.iterrows()])
    true = rows["hem"].map(truth).to_numpy(dtype=float) if truth else np.full(len(rows), np.nan)
    if np.isfinite(true).any():
        traces.append(_true_marks(rows, true))
    ends = np.concatenate([rows[name].to_numpy(dtype=float) for name in ("change", "low", "high")] + [true, [0.0]])
    least, most = float(np.nanmin(ends)), float(np.nanmax(ends))
    pad = 0.06 * max(most - least, 1e-4)
    return [
        figure(
            traces,
            title="What changed, and is it more than noise?",
            subtitle=f"after against before, with the {percent(scene.result.params.level)} interval",
            height=64 + max(18, min(30, 330 // len(rows))) * len(rows),
            uirevision=f"{scene.question.dataset}|{scene.result.params.before}|forest",
            legend=True,
            sides=(label_width(names, 11) + 16, 70),
            xaxis={
                "title": f"change of the {scene.result.params.statistic}, % of before",
                "range": [least - pad, most + pad],
                "tickformat": "~%",
                "zeroline": True,
                "zerolinecolor": QUIET,
                "zerolinewidth": 1.5,
            },
            yaxis={"tickvals": np.arange(len(rows)), "ticktext": names, "range": [len(rows) - 0.4, -0.6], "showgrid": False},
        )
    ]


def change_traces(rows: pd.DataFrame, hovers: Sequence[str]) -> list[dict[str, object]]:
    """A dot with its interval per row, the first at 0: those surely more, surely less, and what may be noise. rows: change, low, high (NaN
    = no interval) and changed; hovers: one per row."""
    kinds = np.where(~rows["changed"].to_numpy(dtype=bool), 2, np.where(rows["change"].to_numpy() > 0, 0, 1))
    return [_dots(rows, np.flatnonzero(kinds == kind), kind, hovers) for kind in range(3) if (kinds == kind).any()]


def _dots(rows: pd.DataFrame, places: np.ndarray, kind: int, hovers: Sequence[str]) -> dict[str, object]:
    name, colour, symbol = _MARKS[kind]
    some = rows.iloc[places]
    middle, low, high = (some[each].to_numpy(dtype=float) for each in ("change", "low", "high"))
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "x": middle,
        "y": places,
        "marker": {"size": 11 if kind < 2 else 8, "color": colour, "symbol": symbol},
        "error_x": {
            "array": np.nan_to_num(high - middle),
            "arrayminus": np.nan_to_num(middle - low),
            "color": colour,
            "thickness": 2 if kind < 2 else 1.2,
            "width": 3,
        },
        "customdata": [hovers[place] for place in places],
        "hovertemplate": "%{customdata}<extra></extra>",
    }


def _true_marks(rows: pd.DataFrame, true: np.ndarray) -> dict[str, object]:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "truth",
        "x": true,
        "y": np.arange(len(rows)),
        "marker": {"size": 13, "symbol": "line-ns", "line": {"color": TRUTH, "width": 2.5}},
        "customdata": [f"<b>{plain(str(hem))}</b><br>truth: {signed(each)}" for hem, each in zip(rows["hem"], true, strict=True)],
        "hovertemplate": "%{customdata}<extra></extra>",
    }


def _hover(row: pd.Series, truth: dict[str, float]) -> str:
    true = f"<br>truth: {signed(truth[row['hem']])}" if row["hem"] in truth else ""
    counts = f"{amount(float(row['before']), 4)} → {amount(float(row['after']), 4)} per run"
    return f"<b>{plain(str(row['hem']))}</b>: {in_words(row)}<br>{counts}{true}"


def in_words(row: pd.Series) -> str:
    """ "12% to 15% more, surely not noise"."""
    low, high = float(row["low"]), float(row["high"])
    if not (np.isfinite(low) and np.isfinite(high)):
        return f"{signed(float(row['change']))}; too few runs for an interval"
    judged = "surely not noise" if row["changed"] else "this may be noise"
    if low * high > 0:
        ends = [percent(each, 1) for each in sorted((abs(low), abs(high)))]
        span = ends[0] if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"
        return f"{span} {'more' if high > 0 else 'less'}, {judged}"
    if low == high == 0:
        return "no change"
    return f"{percent(abs(low), 1)} less to {percent(abs(high), 1)} more, {judged}"


def signed(share: float) -> str:
    """ "+12.5%"; "" if unknown."""
    return "" if not np.isfinite(share) else f"{'+' if share > 0 else ''}{percent(share, 1)}"


def truth_of(scene: Scene[Comparison]) -> dict[str, float]:
    """The true changes by HEM; empty where no truth is known. Kept with the table, for a level that moves."""
    params, table = scene.result.params, scene.table
    if not params.before or not isinstance(table, Subexperiments) or table.truth is None:
        return {}
    kept = _truths.setdefault(table, {})
    key = (params.before, params.statistic)
    if key not in kept:
        kept[key] = true_changes(before_table(params), table, params.statistic)
    return kept[key]


def forest_caption(scene: Scene[Comparison]) -> str:
    """How many changed, and what is not in the picture."""
    table = scene.result.table
    others = int((table["measure"] != "relative").sum())
    relative = len(table) - others
    parts = [f"{len(scene.result.changed):,} of {counted_noun(len(table), 'HEM')} surely changed; hollow circles may be noise."]
    if relative > MOST_ROWS:
        parts.append(f"The {MOST_ROWS} largest of {relative:,} are drawn.")
    if scene.result.programs > 1:
        parts.append(f"A change is the {mean_of(scene.result)}, each counting alike; that of their sum (before and after) can be another.")
    if others:
        parts.append(f"{counted_noun(others, 'HEM')} without a percentage, because the mean is near 0: in the table.")
    if truth_of(scene):
        parts.append("Truth: other runs, with all HEMs read together; they scatter too.")
    return " ".join(parts)


def forest_table(scene: Scene[Comparison]) -> pd.DataFrame:
    """Every HEM: before, after, the change in words of numbers, and whether it is sure."""
    rows = scene.result.table
    relative = (rows["measure"] == "relative").to_numpy()
    shown = rows[["hem"]].copy()
    for name in ("before", "after"):
        shown[name] = [amount(float(each), 4) for each in rows[name]]
    for name in ("change", "low", "high"):
        values = zip(rows[name].astype(float), relative, strict=True)
        shown[name] = [signed(each) if share else amount(each) for each, share in values]
    truth = truth_of(scene)
    if truth:
        shown["truth"] = [signed(truth.get(hem, np.nan)) for hem in rows["hem"]]
    shown["surely changed"] = np.where(rows["changed"], "yes", "no")
    shown["chance"] = [percent(float(each), 1) for each in rows["adjusted"]]
    shown["further runs needed"] = ["" if not np.isfinite(each) else f"{each:,.0f}" for each in rows["runs_needed"].astype(float)]
    return shown
