"""Cost shares: the stack of each program, the groups over all programs, and the cost per event."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import MUTED, QUIET, SERIES, TEXT
from hemcore.charts.dots_and_rings import baseline_ticks
from hemcore.charts.look import figure, label_width, plain, short, short_names
from hemcore.charts.picture import Scene
from hemcore.charts.prediction.view import uirevision
from hemcore.headline import amount, percent
from hemcore.prediction.evaluate.cycle_costs import CostStack
from hemcore.prediction.explore.event_groups import GROUPS

MOST = 60
COLOURS: dict[str, str] = dict(zip(GROUPS, (SERIES[0], SERIES[1], SERIES[5], SERIES[4], SERIES[3]), strict=True))
MEANINGS = {
    "base": "base work",
    "branches": "mispredicted branches",
    "L1": "first-level misses",
    "TLB": "address translation",
    "last level": "last-level misses",
}


def draw(scene: Scene) -> list[go.Figure]:
    """The stacks by program, and each group with its interval."""
    found: CostStack = scene.result
    return [_stacks(scene, found), _groups(scene, found)]


def _stacks(scene: Scene, found: CostStack) -> go.Figure:
    wide = found.programs.pivot_table(index="program", columns="group", values="share", sort=False, dropna=False)
    low, high = (
        found.programs.pivot_table(index="program", columns="group", values=end, sort=False, dropna=False) for end in ("low", "high")
    )
    first = found.groups[0]
    order = wide[first].sort_values(kind="stable").index[:MOST]
    wide, low, high = wide.loc[order], low.loc[order], high.loc[order]
    names, places = short_names([str(each) for each in order], 20), np.arange(len(order))
    traces: list[dict[str, object]] = [
        {
            "type": "bar", "orientation": "h", "name": group, "x": wide[group].to_numpy(dtype=np.float32), "y": places,
            "marker": {"color": COLOURS[group]},
            "text": [
                f"{plain(str(program))}<br>{MEANINGS[group]}: {percent(share, 1)}<br>"
                f"90% interval {percent(least, 1)} to {percent(most, 1)}"
                for program, share, least, most in zip(order, wide[group], low[group], high[group], strict=True)
            ],
            "textposition": "none", "hovertemplate": "%{text}<extra></extra>",
        }
        for group in found.groups
    ]  # fmt: skip
    target = short(found.target, 20)
    return figure(
        traces,
        title=f"What accounts for {target} in each program?",
        subtitle=f"share of the predicted {target}; smallest base share at the top",
        height=max(170, 54 + 19 * len(order)),
        legend=True,
        uirevision=uirevision(scene, "stacks"),
        sides=(label_width(names, 11) + 12, 72),
        barmode="stack",
        xaxis={"title": f"share of {target}", "tickformat": "~%", "range": [0, 1]},
        yaxis={"tickvals": places, "ticktext": names, "range": [len(order) - 0.4, -0.6], "showgrid": False},
    )


def _groups(scene: Scene, found: CostStack) -> go.Figure:
    rows, places = found.overall, np.arange(len(found.overall))
    share = rows["share"].to_numpy(dtype=float)
    names = [f"{group}: {MEANINGS[str(group)]}" for group in rows.index]
    traces: list[dict[str, object]] = [
        {
            "type": "scatter", "mode": "markers", "name": "mean program", "x": share.astype(np.float32), "y": places,
            "marker": {"size": 12, "color": [COLOURS[group] for group in rows.index]}, "showlegend": False,
            "error_x": {
                "type": "data", "symmetric": False, "array": rows["high"].to_numpy(dtype=float) - share,
                "arrayminus": share - rows["low"].to_numpy(dtype=float), "color": QUIET, "thickness": 2, "width": 6,
            },
            "hovertext": [
                f"{plain(name)}<br>{percent(each['share'], 1)}, 90% interval {percent(each['low'], 1)} to {percent(each['high'], 1)}"
                for name, each in zip(names, rows.to_dict("records"), strict=True)
            ],
            "hovertemplate": "%{hovertext}<extra></extra>",
        },
        # Above the dots, from the left: next to them they would not fit a narrow picture.
        {
            "type": "scatter", "mode": "text", "x": np.zeros(len(rows)), "y": places - 0.3, "text": [plain(name) for name in names],
            "textposition": "middle right", "textfont": {"size": 12, "color": TEXT}, "showlegend": False, "hoverinfo": "skip",
        },
    ]  # fmt: skip
    before = scene.baseline.overall["share"] if isinstance(scene.baseline, CostStack) and scene.baseline.target == found.target else None
    if before is not None:
        own = [place for place, group in enumerate(rows.index) if group in before.index]
        ticked = before[[rows.index[place] for place in own]].to_numpy(dtype=float)
        traces.insert(0, baseline_ticks(ticked, np.array(own), f"baseline: {plain(scene.baseline_words[:60])}"))
    return figure(
        traces,
        title="How certain are the shares?",
        subtitle=f"mean over programs; lines: 90% intervals from {found.params.n_bootstrap:,} bootstrap samples of programs",
        height=80 + 62 * len(rows),
        legend=before is not None,
        uirevision=uirevision(scene, "groups"),
        xaxis={"title": f"share of {short(found.target, 20)}", "tickformat": "~%", "range": [-0.02, 1.0]},
        yaxis={"showticklabels": False, "ticks": "", "range": [len(rows) - 0.5, -0.6], "showgrid": False},
    )


def table(scene: Scene) -> pd.DataFrame | None:
    """Every program's shares with their intervals."""
    found: CostStack = scene.result
    shown = found.programs[["program", "group", "share", "low", "high", "predicted_over_measured"]]
    return shown.rename(columns={"low": "share_low", "high": "share_high"})


def caption(scene: Scene) -> str:
    """How the shares were computed, and what is left out."""
    found: CostStack = scene.result
    n = found.programs["program"].nunique()
    parts = [
        *found.notes,
        f"From the non-negative costs per event that predict {found.target} best, as shares of the prediction. Shares of "
        "groups are more certain than costs of single counters.",
    ]
    if n > MOST:
        parts.append(f"The {MOST} of {n:,} programs with the smallest base share are shown.")
    return " ".join(parts)


def draw_costs(scene: Scene) -> list[go.Figure]:
    """The cost of one event of each counter."""
    found: CostStack = scene.result
    rows = found.costs.sort_values("cost", ascending=False, kind="stable").iloc[:MOST]
    names, places = short_names([str(name) for name in rows["counter"]], 20), np.arange(len(rows))
    cost = rows["cost"].to_numpy(dtype=float)
    traces: list[dict[str, object]] = []
    for group in found.groups:
        own = (rows["group"] == group).to_numpy()
        if not own.any():
            continue
        part = rows[own]
        traces.append(
            {
                "type": "scatter", "mode": "markers", "name": group, "x": cost[own].astype(np.float32), "y": places[own],
                "marker": {"size": 10, "color": COLOURS[group]},
                "error_x": {
                    "type": "data", "symmetric": False, "color": MUTED, "thickness": 2, "width": 5,
                    "array": part["high"].to_numpy(dtype=float) - cost[own], "arrayminus": cost[own] - part["low"].to_numpy(dtype=float),
                },
                "hovertext": [
                    f"{plain(str(each['counter']))}: {amount(each['cost'])} per event<br>"
                    f"90% interval {amount(each['low'])} to {amount(each['high'])}"
                    for each in part.to_dict("records")
                ],
                "hovertemplate": "%{hovertext}<extra></extra>",
            }
        )  # fmt: skip
    target = short(found.target, 20)
    return [
        figure(
            traces,
            title="What does one event cost?",
            subtitle=f"{target} per event, 90% intervals; wide for correlated counters",
            height=max(170, 60 + 26 * len(rows)),
            legend=True,
            uirevision=uirevision(scene, "costs"),
            sides=(label_width(names, 11) + 12, 72),
            xaxis={"title": f"{target} per event", "rangemode": "tozero"},
            yaxis={"tickvals": places, "ticktext": names, "range": [len(rows) - 0.4, -0.6], "showgrid": False},
        )
    ]


def costs_table(scene: Scene) -> pd.DataFrame | None:
    """Every counter with its cost."""
    return scene.result.costs


def costs_caption(scene: Scene) -> str:
    """Why costs of single counters are uncertain."""
    return (
        "A cost of 0 means that other counters explain the same. Correlated counters share one cost, and which of them carries it varies "
        "between sets of programs."
    )
