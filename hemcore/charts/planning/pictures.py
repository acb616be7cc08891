"""The pictures of a measurement plan: what is read together, how often, and how close the plan is to its lower bound."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import BASELINE, MUTED, SERIES, TEXT
from hemcore.charts.look import figure, whole_ticks
from hemcore.charts.picture import Picture, Scene
from hemcore.charts.planning.cut_costs import cut_curves, cuts_caption, cuts_table
from hemcore.charts.planning.plan_heatmaps import coverage, coverage_caption, pairs_left, plan_caption, plan_matrix
from hemcore.charts.planning.width_curves import widths_caption, widths_figures, widths_table
from hemcore.headline import duration
from hemcore.params import Params, parameter
from hemcore.planning.analysis import CUTS, WIDTHS
from hemcore.planning.plan import Plan
from hemcore.planning.results import PlanReport

__all__ = ["PICTURES", "PlanView"]

MOST_POINTS = 2_000  # of a curve; all are in the table and the downloads
ROWS = 1_000


class PlanView(Params):
    """The view of a plan: the tool and program that measure it."""

    tool: Literal["perf", "papi"] = parameter(
        "perf",
        title="Measurement tool",
        description="perf: a shell script for perf stat. papi: a script for a program that calls PAPI's high-level API, or event lists"
        " if no program is given.",
    )
    program: str = parameter(
        "./program",
        title="Program",
        description="The command to measure, split like in a shell. Pipes and similar are plain text, except in sh -c '...'.",
    )


def _bound(scene: Scene[PlanReport]) -> list[go.Figure]:
    plan: Plan = scene.result.plan
    budget = plan.goal == "budget"
    rows = [("lower bound", plan.bound, MUTED), ("this plan", len(plan.subexperiments), SERIES[0])]
    if not budget:
        rows.append(("greedy plan", plan.greedy, MUTED))
    if scene.baseline is not None:
        rows.append(("baseline", len(scene.baseline.plan.subexperiments), BASELINE))
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
    reached = figure(
        [bars],
        title="How close is the plan to the minimum?",
        subtitle=f"subexperiments; bound: {plan.bound_name}",
        height=60 + 46 * len(rows),
        uirevision=f"{scene.question.dataset}|bound",
        sides=(116, 48),
        right=40,
        xaxis={"title": "subexperiments", "range": [0, largest * 1.1], **whole_ticks(largest * 1.1)},
        yaxis={"showgrid": False, "ticks": ""},
    )
    return [reached, _search(scene, plan, budget)]


def _search(scene: Scene[PlanReport], plan: Plan, budget: bool) -> go.Figure:
    work = [work for work, _ in plan.found]
    sizes = [size for _, size in plan.found]
    line = {
        "type": "scatter",
        "mode": "lines+markers",
        "x": work,
        "y": sizes,
        "line": {"shape": "hv", "color": SERIES[0], "width": 2},
        "marker": {"size": 5, "color": SERIES[0]},
        "hovertemplate": "%{y:,} after %{x:,.0f} places<extra></extra>",
    }
    low, high = min(sizes), max(sizes)
    room = max(1.0, 0.08 * (high - low))
    # Pairs are thousands, of which a search changes few.
    ends = [low - room, high + room] if budget else [0, high + room]
    return figure(
        [line],
        title="When were better plans found?",
        subtitle=f"{'pairs read together' if budget else 'subexperiments'} against the work of the search",
        height=220,
        uirevision=f"{scene.question.dataset}|search",
        sides=(64, 48),
        xaxis={"title": "places examined", "rangemode": "tozero"},
        yaxis={"title": "pairs (not from 0)" if budget else "subexperiments", "range": ends, **whole_ticks(ends[1] - ends[0])},
    )


def _bound_caption(scene: Scene[PlanReport]) -> str:
    plan: Plan = scene.result.plan
    ended = {
        "bound": "The search ended because nothing better exists.",
        "work": "The search used the work its time allows; more time may find a better plan.",
        "time": "The clock ended the search; more time may find a better plan.",
    }
    return f"No plan can be below the bound; whether one reaches it is often unknown. {ended[plan.ended]}"


def _curve(scene: Scene[PlanReport]) -> list[go.Figure]:
    traces = [] if scene.baseline is None else [_steps(scene.baseline, "baseline", BASELINE, dash="dot")]
    traces.append(_steps(scene.result, "this plan", SERIES[0]))
    most = max(len(each.plan.coverage_by_groups) for each in (scene.result, scene.baseline) if each is not None)
    return [
        figure(
            traces,
            title="What does each further subexperiment add?",
            subtitle="wanted pairs read together, in the order of the plan",
            height=300,
            uirevision=f"{scene.question.dataset}|curve",
            legend=scene.baseline is not None,
            xaxis={"title": "subexperiments", "rangemode": "tozero", **whole_ticks(most)},
            yaxis={"title": "pairs together", "range": [0, 1.03], "tickformat": "~%"},
        )
    ]


def _steps(report: PlanReport, name: str, colour: str, dash: str = "solid") -> dict[str, object]:
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


def _curve_caption(scene: Scene[PlanReport]) -> str:
    plan: Plan = scene.result.plan
    half = int(np.searchsorted(plan.coverage_by_groups, 0.5)) + 1
    many = f"{half:,} subexperiment{'' if half == 1 else 's'}"
    return f"Half of the pairs are read together after {many}. To save time, see What cuts cost: fewer runs or fewer subexperiments?"


def _no_figure(scene: Scene[PlanReport]) -> list[go.Figure]:
    return []


def _table_caption(scene: Scene[PlanReport]) -> str:
    rows = len(scene.result.plan.subexperiments)
    return f"{rows:,} subexperiments." if rows <= ROWS else f"The first {ROWS:,} of {rows:,} subexperiments."


def _table(scene: Scene[PlanReport]) -> pd.DataFrame | None:
    shown: pd.DataFrame = scene.result.plan.table.head(ROWS)
    return shown


def _script_caption(scene: Scene[PlanReport]) -> str:
    runs = scene.result.params.runs
    papi = scene.view is not None and scene.view.tool == "papi"
    if papi and not scene.view.program.strip():
        return f"Each line is a value of PAPI_EVENTS for {runs:,} runs of one subexperiment. Enter a program to get a script instead."
    built = " The program must be built with PAPI and call PAPI_hl_region_begin and _end around the code to measure." if papi else ""
    return (
        f"Run it where the HEMs can be counted: sh plan.sh. It measures {runs:,} runs of each subexperiment in turn, continues if "
        f"interrupted, and writes a .zip file: upload it on the Data page to merge it.{built}"
    )


def _cuts(scene: Scene[PlanReport]) -> list[go.Figure]:
    return [] if scene.more is None else [cut_curves(scene.more.rows, uirevision=f"{scene.more.pilot}|cuts")]


def _cuts_caption(scene: Scene[PlanReport]) -> str:
    return "" if scene.more is None else cuts_caption(scene.more.rows, "the pilot readings")


def _cuts_table(scene: Scene[PlanReport]) -> pd.DataFrame | None:
    return None if scene.more is None else cuts_table(scene.more.rows, scene.result, scene.baseline)


def _widths(scene: Scene[PlanReport]) -> list[go.Figure]:
    return [] if scene.more is None else widths_figures(scene.more, uirevision=f"{scene.question.dataset}|widths")


def _widths_caption(scene: Scene[PlanReport]) -> str:
    return "" if scene.more is None else widths_caption(scene.more)


def _widths_table(scene: Scene[PlanReport]) -> pd.DataFrame | None:
    return None if scene.more is None else widths_table(scene.more)


def _for_metrics(scene: Scene[PlanReport]) -> bool:
    return bool(scene.result.plan.metrics)


PICTURES: Sequence[Picture[PlanReport]] = (
    Picture(name="plan", tab="Plan", draw=plan_matrix, caption=plan_caption, arranged=lambda scene: "stack", view=()),
    Picture(name="coverage", tab="Pairs together", draw=coverage, caption=coverage_caption, table=pairs_left),
    Picture(name="curve", tab="Coverage", draw=_curve, caption=_curve_caption),
    Picture(
        name="bound",
        tab="Against the bound",
        draw=_bound,
        caption=_bound_caption,
    ),
    Picture(name="cuts", tab="What cuts cost", draw=_cuts, needs=CUTS, caption=_cuts_caption, table=_cuts_table),
    Picture(
        name="widths",
        tab="Fewer subexperiments",
        draw=_widths,
        needs=WIDTHS,
        caption=_widths_caption,
        table=_widths_table,
        shown=_for_metrics,
    ),
    Picture(name="table", tab="Table", draw=_no_figure, caption=_table_caption, table=_table),
    Picture(name="script", tab="Script", draw=_no_figure, caption=_script_caption, view=("tool", "program")),
)
