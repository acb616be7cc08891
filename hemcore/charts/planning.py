"""The pictures of a plan of measurement: what is read with what, how often pairs are together, and how near the plan is to its bound."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import MUTED, QUIET, SERIES, TEXT, UNKNOWN, sequential
from hemcore.charts.look import colour_bar, label_width, made, plain, short_names
from hemcore.charts.picture import Picture, Scene
from hemcore.params import Params, parameter
from hemcore.planning.headline import duration
from hemcore.planning.plan import Plan

__all__ = ["PICTURES", "VIEW", "PlanView"]

# Columns of the plan, HEMs of either heatmap, points of a curve: what more there is, is in the table and the downloads.
MOST_GROUPS, MOST_HEMS, MOST_POINTS = 200, 300, 2_000
ROWS = 1_000


class PlanView(Params):
    """How a plan is looked at, and how it is measured."""

    tool: Literal["perf", "papi"] = parameter(
        "perf",
        title="Measured with",
        description="perf: a shell script for perf stat. papi: the lists for PAPI's high-level API.",
    )
    program: str = parameter(
        "./program",
        title="Program",
        description="The command that is measured, as a shell would split it. Pipes and the like are plain words, unless in sh -c '...'.",
    )


def _plan(scene: Scene) -> list[go.Figure]:
    figures = [_matrix(scene.result.plan, "Which HEMs does each subexperiment read?", f"{scene.question.dataset}|plan")]
    if scene.baseline is not None:
        figures.append(_matrix(scene.baseline.plan, "Which did they read in the baseline?", f"{scene.question.dataset}|pinned"))
    return figures


def _matrix(plan: Plan, title: str, kept: str) -> go.Figure:
    groups, hems = plan.positions[:MOST_GROUPS], list(plan.hems[:MOST_HEMS])
    read = np.zeros((len(hems), len(groups)), np.int8)
    for column, group in enumerate(groups):
        read[[hem for hem in group if hem < len(hems)], column] = 1
    words = [[f"{'read' if value else 'not read'} in subexperiment {column + 1}" for column, value in enumerate(row)] for row in read]
    trace = {
        "type": "heatmap",
        "z": read,
        "x": np.arange(1, len(groups) + 1),
        "y": np.arange(len(hems)),
        "zmin": 0,
        "zmax": 1,
        "colorscale": sequential(SERIES[0]),
        "showscale": False,
        "xgap": 1 if len(groups) <= 60 else 0,
        "ygap": 1 if len(hems) <= 60 else 0,
        "customdata": words,
        "text": [[plain(hem)] * len(groups) for hem in hems],
        "hovertemplate": "<b>%{text}</b><br>%{customdata}<extra></extra>",
    }
    size = 11 if len(hems) <= 24 else 9
    shown = short_names(hems, 18)
    step = max(1, -(-len(hems) * (size + 3) // 640))
    return made(
        [trace],
        title=title,
        subtitle=f"{len(plan.subexperiments):,} subexperiments, {plan.n_pmcs:,} PMCs; filled: read",
        height=min(700, max(220, 60 + (size + 6) * len(hems))),
        kept=f"{kept}|{len(hems)}|{len(groups)}",
        sides=(label_width(shown, size) + 12, 48),
        xaxis={"title": "subexperiment", "showgrid": False, "range": [0.5, len(groups) + 0.5], "tickformat": ",d"},
        yaxis={
            "showgrid": False,
            "showline": False,
            "ticks": "",
            "tickvals": np.arange(len(hems))[::step],
            "ticktext": shown[::step],
            "tickfont": {"size": size, "color": QUIET},
            "range": [len(hems) - 0.5, -0.5],
        },
    )


def _plan_words(scene: Scene) -> str:
    plan: Plan = scene.result.plan
    groups, hems = len(plan.subexperiments), len(plan.hems)
    if groups <= MOST_GROUPS and hems <= MOST_HEMS:
        return "The subexperiments that add most new pairs stand first, so who stops early has most pairs."
    parts = [f"the first {MOST_GROUPS:,} of {groups:,} subexperiments"] if groups > MOST_GROUPS else []
    parts += [f"the first {MOST_HEMS:,} of {hems:,} HEMs"] if hems > MOST_HEMS else []
    return f"Drawn: {' and '.join(parts)}; all of them are in the downloads."


def _coverage(scene: Scene) -> list[go.Figure]:
    plan: Plan = scene.result.plan
    counts = plan.pairs_together.iloc[:MOST_HEMS, :MOST_HEMS]
    hems, values = [str(hem) for hem in counts.index], counts.to_numpy()
    n = len(hems)
    drawn = values.astype(np.float32)
    drawn[(values == 0) | np.eye(n, dtype=bool)] = np.nan
    pairs = values[~np.eye(n, dtype=bool)]
    most = max(2, int(pairs.max(initial=0)))
    shown = short_names(hems, 18 if n <= 10 else 16 if n <= 20 else 14)
    size = 11 if n <= 10 else 10 if n <= 20 else 9
    step = max(1, -(-n * size // 300))
    wide = label_width(shown, size)
    axis = {"showgrid": False, "showline": False, "ticks": "", "tickfont": {"size": size, "color": QUIET}}
    trace = {
        "type": "heatmap",
        "z": drawn,
        "x": np.arange(n),
        "y": np.arange(n),
        # Once is more than nothing, and shall look so beside pairs that are read together often.
        "zmin": min(0.0, 1 - 0.6 * (most - 1)),
        "zmax": most,
        "colorscale": sequential(SERIES[0]),
        "colorbar": colour_bar(tickformat=",d", tickvals=np.unique(np.linspace(1, most, min(most, 6)).round())),
        "xgap": 1 if n <= 30 else 0,
        "ygap": 1 if n <= 30 else 0,
        "hoverinfo": "skip",
    }
    cells = {
        "type": "heatmap",
        "z": values,
        "x": np.arange(n),
        "y": np.arange(n),
        "opacity": 0,
        "showscale": False,
        "hovertemplate": "%{customdata}<extra></extra>",
        "customdata": _hovers(hems, values),
    }
    traces = [trace, cells] if n <= 120 else [trace | {"hoverinfo": "z"}]
    return [
        made(
            traces,
            title="How often are two HEMs read together?",
            subtitle="subexperiments that read both; grey: none",
            height=min(700, max(300, 130 + (26 if n <= 20 else 15) * n)),
            kept=f"{scene.question.dataset}|coverage|{n}",
            sides=(wide + 12, 12 + round(wide * 0.71 + size if n <= 12 else wide)),
            right=52,
            plot_bgcolor=UNKNOWN,
            xaxis=axis
            | {"tickvals": np.arange(n)[::step], "ticktext": shown[::step], "tickangle": -45 if n <= 12 else -90, "range": [-0.5, n - 0.5]},
            yaxis=axis | {"tickvals": np.arange(n)[::step], "ticktext": shown[::step], "range": [n - 0.5, -0.5]},
        )
    ]


def _hovers(hems: Sequence[str], values: np.ndarray) -> list[list[str]]:
    return [
        [
            f"<b>{plain(first)}</b><br>"
            + (f"read {values[i, i]:,} times" if i == j else f"<b>{plain(second)}</b><br>{_together(values[i, j])}")
            for j, second in enumerate(hems)
        ]
        for i, first in enumerate(hems)
    ]


def _together(times: int) -> str:
    return "never read together" if times == 0 else f"read together in {times:,} subexperiment{'' if times == 1 else 's'}"


def _coverage_words(scene: Scene) -> str:
    plan: Plan = scene.result.plan
    never = f" {len(plan.never):,} pairs cannot be together by the counters and limits." if plan.never else ""
    missed = len(plan.wanted) - plan.pairs_read
    left = f" {missed:,} pairs are left to a merge's model." if missed else ""
    return f"A pair that is read together more often is known better.{never}{left}"


def _bound(scene: Scene) -> list[go.Figure]:
    plan: Plan = scene.result.plan
    budget = plan.goal == "budget"
    rows = [("at least needed", plan.bound, MUTED), ("this plan", len(plan.subexperiments), SERIES[0])]
    if not budget:
        rows.append(("greedy plan", plan.greedy, MUTED))
    if scene.baseline is not None:
        rows.append(("baseline", len(scene.baseline.plan.subexperiments), SERIES[1]))
    rows.reverse()
    largest = max(count for _, count, _ in rows)
    bars = {
        "type": "bar",
        "orientation": "h",
        "x": [count for _, count, _ in rows],
        "y": [name for name, _, _ in rows],
        "marker": {"color": [colour for _, _, colour in rows]},
        "text": [f"{count:,}" for _, count, _ in rows],
        "textposition": "outside",
        "textfont": {"color": TEXT, "size": 12},
        "cliponaxis": False,
        "hovertemplate": "%{y}: %{x:,} subexperiments<extra></extra>",
    }
    reached = made(
        [bars],
        title="How near is the plan to what is possible?",
        subtitle=f"subexperiments; bound: {plan.bound_name}",
        height=60 + 46 * len(rows),
        kept=f"{scene.question.dataset}|bound",
        sides=(116, 48),
        right=40,
        xaxis={"title": "subexperiments", "range": [0, largest * 1.1], "tickformat": ",d"},
        yaxis={"showgrid": False, "ticks": ""},
    )
    return [reached, _search(scene, plan, budget)]


def _search(scene: Scene, plan: Plan, budget: bool) -> go.Figure:
    work = [1e-6 * work for work, _ in plan.found]
    sizes = [size for _, size in plan.found]
    line = {
        "type": "scatter",
        "mode": "lines+markers",
        "x": work,
        "y": sizes,
        "line": {"shape": "hv", "color": SERIES[0], "width": 2},
        "marker": {"size": 5, "color": SERIES[0]},
        "hovertemplate": "%{y:,} after %{x:,.1f} million places<extra></extra>",
    }
    low, high = min(sizes), max(sizes)
    room = max(1.0, 0.08 * (high - low))
    return made(
        [line],
        title="When were better plans found?",
        subtitle=f"{'pairs read together' if budget else 'subexperiments'} against the work of the search",
        height=220,
        kept=f"{scene.question.dataset}|search",
        sides=(64, 48),
        xaxis={"title": "places looked at, million", "rangemode": "tozero"},
        yaxis={"title": "pairs" if budget else "subexperiments", "range": [low - room, high + room], "tickformat": ",d"},
    )


def _bound_words(scene: Scene) -> str:
    plan: Plan = scene.result.plan
    ended = {
        "bound": "The search ended because nothing better exists.",
        "work": "The search ended with the work that its time allows; more time may find a better plan.",
        "time": "The clock ended the search; more time may find a better plan.",
    }
    return f"The bound holds for every plan; whether one reaches it is often not known. {ended[plan.ended]}"


def _curve(scene: Scene) -> list[go.Figure]:
    traces = [_steps(scene.result, "this plan", SERIES[0])]
    if scene.baseline is not None:
        traces.append(_steps(scene.baseline, "baseline", SERIES[1], dash="dash"))
    return [
        made(
            traces,
            title="What does each further subexperiment add?",
            subtitle="wanted pairs read together, in the order of the plan",
            height=300,
            kept=f"{scene.question.dataset}|curve",
            legend=scene.baseline is not None,
            xaxis={"title": "subexperiments", "rangemode": "tozero", "tickformat": ",d"},
            yaxis={"title": "pairs together", "range": [0, 1.03], "tickformat": ".0%"},
        )
    ]


def _steps(report: Any, name: str, colour: str, dash: str = "solid") -> dict[str, Any]:
    shares = np.concatenate([[0.0], report.plan.coverage_by_groups])
    places = np.unique(np.linspace(0, len(shares) - 1, min(len(shares), MOST_POINTS)).round().astype(int))
    each = report.seconds / max(1, len(shares) - 1)
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x": places,
        "y": shares[places].astype(np.float32),
        "line": {"color": colour, "width": 2, "dash": dash},
        "customdata": [duration(each * int(place)) for place in places],
        "hovertemplate": "%{x:,} subexperiments, %{customdata}<br>%{y:.1%} of the pairs<extra></extra>",
    }


def _curve_words(scene: Scene) -> str:
    plan: Plan = scene.result.plan
    half = int(np.searchsorted(plan.coverage_by_groups, 0.5)) + 1
    many = f"{half:,} subexperiment{'' if half == 1 else 's'}"
    return f"Half of the pairs are together after {many}. To save time, cut runs rather than subexperiments: a merge loses less by it."


def _no_figure(scene: Scene) -> list[go.Figure]:
    return []


def _table_words(scene: Scene) -> str:
    rows = len(scene.result.plan.subexperiments)
    return f"{rows:,} subexperiments." if rows <= ROWS else f"The first {ROWS:,} of {rows:,} subexperiments."


def _table(scene: Scene) -> pd.DataFrame | None:
    shown: pd.DataFrame = scene.result.plan.table.head(ROWS)
    return shown


def _script_words(scene: Scene) -> str:
    runs = scene.result.params.runs
    if scene.view is not None and scene.view.tool == "papi":
        return f"A line is what PAPI_EVENTS is set to for {runs:,} runs of a subexperiment."
    return (
        f"Run it where the HEMs can be counted: sh plan.sh. It takes {runs:,} runs of each subexperiment in turns, goes on where it was "
        "stopped, and ends with a .zip: upload that on the Data page, and Merge takes it."
    )


VIEW = PlanView
PICTURES = (
    Picture(name="plan", tab="Plan", draw=_plan, analyses=("planning.plan",), caption=_plan_words, arranged=lambda scene: "stack", view=()),
    Picture(name="coverage", tab="Pairs together", draw=_coverage, analyses=("planning.plan",), caption=_coverage_words),
    Picture(name="curve", tab="Coverage", draw=_curve, analyses=("planning.plan",), caption=_curve_words),
    Picture(
        name="bound",
        tab="Against the bound",
        draw=_bound,
        analyses=("planning.plan",),
        caption=_bound_words,
    ),
    Picture(name="table", tab="Table", draw=_no_figure, analyses=("planning.plan",), caption=_table_words, table=_table),
    Picture(name="script", tab="Script", draw=_no_figure, analyses=("planning.plan",), caption=_script_words, view=("tool", "program")),
)
