"""Why do the cycles differ? A waterfall of the change: a bar per group of events, what no event explains, and the change in all."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import BASELINE, MUTED, SERIES
from hemcore.charts.compare.forest import signed
from hemcore.charts.look import Layout, figure, plain
from hemcore.charts.picture import Scene
from hemcore.compare.cycle_waterfall import UNEXPLAINED, Waterfall
from hemcore.compare.results import Comparison
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.events.usual_names import cycles_of
from hemcore.headline import amount, percent

IN_ALL = "in all"


def has_cycles(scene: Scene[Comparison]) -> bool:
    """Whether two tables of phases, both with cycles, are compared."""
    table: PhaseTable = scene.table
    target = cycles_of(table.counters)
    return bool(scene.result.params.before) and target is not None and bool((scene.result.table["hem"] == target).any())


def _found(scene: Scene[Comparison]) -> Waterfall:
    found: Waterfall = scene.more
    return found.at(scene.result.params)


def cycle_figures(scene: Scene[Comparison]) -> list[go.Figure]:
    """One figure over the cycles before as 0, so that a small change is seen: a floating bar per group of events with its interval,
    unexplained, the change in all."""
    found = _found(scene)
    rows = found.table
    change = rows["change"].to_numpy(dtype=float)
    begins = np.concatenate([[0.0], np.cumsum(change)])[:-1]
    names = [*rows["group"].astype(str), IN_ALL]
    total = found.after - found.before
    share = f" ({signed(total / found.before)})" if found.before > 0 else ""
    colours = [SERIES[1] if each > 0 else SERIES[0] for each in change]
    colours = [MUTED if name == UNEXPLAINED else colour for name, colour in zip(rows["group"], colours, strict=True)]
    low, high = (rows[name].to_numpy(dtype=float) for name in ("low", "high"))
    known = np.isfinite(high)
    traces: list[Layout] = [
        {
            "type": "bar",
            "x": names,
            "y": [*change, total],
            "base": [*begins, 0.0],
            "marker": {"color": [*colours, BASELINE]},
            "customdata": [
                *(_hover(row) for _, row in rows.iterrows()),
                f"<b>{IN_ALL}</b>: {amount(total, 4)} cycles{share}<br>{amount(found.before, 4)} before, {amount(found.after, 4)} after",
            ],
            "hovertemplate": "%{customdata}<extra></extra>",
        },
        # Of their own, since an unknown interval of a bar would be drawn as one of no length.
        {
            "type": "scatter",
            "mode": "markers",
            "x": rows["group"][known].astype(str).to_numpy(),
            "y": (begins + change)[known],
            "marker": {"size": 1, "color": BASELINE},
            "error_y": {
                "array": (high - change)[known],
                "arrayminus": (change - low)[known],
                "color": BASELINE,
                "thickness": 1.5,
                "width": 4,
            },
            "hoverinfo": "skip",
        },
    ]
    return [
        figure(
            traces,
            title="Why do the cycles differ?",
            subtitle=f"{plain(found.target)} per run: {amount(found.before, 4)} before, {amount(found.after, 4)} after{share};"
            + (f" bars with {percent(scene.result.params.level)} intervals" if known.any() else " parts without intervals"),
            height=330,
            uirevision=f"{scene.question.dataset}|{scene.result.params.before}|waterfall",
            xaxis={"title": "events whose counts changed"},
            yaxis={"title": f"change of {plain(found.target)} per run", "zeroline": True},
            bargap=0.35,
        )
    ]


def _hover(row: pd.Series) -> str:
    span = f"<br>{amount(float(row['low']), 3)} to {amount(float(row['high']), 3)}" if np.isfinite(row["low"]) else ""
    return f"<b>{plain(str(row['group']))}</b>: {amount(float(row['change']), 4)} cycles{span}"


def cycle_caption(scene: Scene[Comparison]) -> str:
    """The change, what explains most of it, what remains, and what to mind."""
    found = _found(scene)
    rows = found.table
    total = found.after - found.before
    named = rows[rows["group"] != UNEXPLAINED]
    rest = float(rows["change"].iloc[-1])
    parts = [f"{found.target}: {amount(found.before, 3)} before, {amount(found.after, 3)} after."]
    if len(named):
        most = named.iloc[int(named["change"].abs().to_numpy().argmax())]
        lead = "Most is explained by" if abs(float(most["change"])) >= abs(rest) else "The largest part with a cause is"
        parts.append(f"{lead} {most['group']} ({amount(float(most['change']), 3)}).")
    if abs(rest) > abs(total) / 4:
        parts.append(f"No event explains {amount(rest, 3)}: do not rely on the other bars alone.")
    return " ".join([*parts, "The bars sum to the change; each event has one cost in both sets.", *found.notes])


def cycle_table(scene: Scene[Comparison]) -> pd.DataFrame:
    """Each bar with its interval and its share of the cycles before."""
    rows = _found(scene).table
    shown = pd.DataFrame({"events": rows["group"].astype(str)})
    for name, label in (("change", "cycles"), ("low", "from"), ("high", "to")):
        shown[label] = [amount(float(each), 4) if np.isfinite(each) else "" for each in rows[name]]
    shown["of before"] = [percent(float(each), 1) if np.isfinite(each) else "" for each in rows["share_of_before"]]
    return shown
