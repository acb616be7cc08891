"""The heatmaps of a plan: HEMs by subexperiments, and HEMs by HEMs."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import SERIES, sequential
from hemcore.charts.heatmap_parts import cell_axis, cells, thinned_square
from hemcore.charts.look import colour_bar, figure, label_width, plain, short_names, whole_ticks
from hemcore.charts.picture import Scene
from hemcore.headline import counted_noun
from hemcore.planning.plan import Plan
from hemcore.planning.results import PlanReport

# Columns of the plan, and HEMs of both heatmaps; the rest is in the table and the downloads.
MOST_GROUPS, MOST_HEMS = 200, 300
# Up to this many HEMs single cells can be marked.
MOST_MARKED = 60
# Rows of the table of pairs that are not read together.
MOST_PAIRS = 1_000
# Of the pairs, how many the color scale tells apart.
_OF_PAIRS = 0.95


def plan_matrix(scene: Scene[PlanReport]) -> list[go.Figure]:
    """Which HEMs each subexperiment reads, also in the baseline."""
    figures = [_matrix(scene.result.plan, "Which HEMs does each subexperiment read?", f"{scene.question.dataset}|plan")]
    if scene.baseline is not None:
        figures.append(_matrix(scene.baseline.plan, "Which does each read in the baseline?", f"{scene.question.dataset}|pinned"))
    return figures


def _matrix(plan: Plan, title: str, uirevision: str) -> go.Figure:
    groups, hems = plan.positions[:MOST_GROUPS], list(plan.hems[:MOST_HEMS])
    read = np.zeros((len(hems), len(groups)), np.int8)
    for column, group in enumerate(groups):
        read[[hem for hem in group if hem < len(hems)], column] = 1
    status = [[f"{'read' if value else 'not read'} in subexperiment {column + 1}" for column, value in enumerate(row)] for row in read]
    trace = cells(
        read, sequential(SERIES[0]), (0, 1), gap_up_to=60, first_column=1, hover="<b>%{text}</b><br>%{customdata}<extra></extra>"
    ) | {
        "customdata": status,
        "text": [[plain(hem)] * len(groups) for hem in hems],
    }
    size = 11 if len(hems) <= 24 else 9
    shown = short_names(hems, 28)
    step = max(1, -(-len(hems) * (size + 3) // 640))
    return figure(
        [trace],
        title=title,
        subtitle=f"{len(plan.subexperiments):,} subexperiments, {plan.n_pmcs:,} PMCs; filled: read",
        height=min(700, max(220, 60 + (size + 6) * len(hems))),
        uirevision=f"{uirevision}|{len(hems)}|{len(groups)}",
        meta={"down": {"names": hems, "ticks": shown, "size": size}},  # a page shows as many of the names as fit its height
        sides=(label_width(shown, size) + 12, 48),
        xaxis={"title": "subexperiment", "showgrid": False, "range": [0.5, len(groups) + 0.5], **whole_ticks(len(groups))},
        yaxis=cell_axis(size, list(range(0, len(hems), step)), shown[::step]) | {"range": [len(hems) - 0.5, -0.5]},
    )


def plan_caption(scene: Scene[PlanReport]) -> str:
    """Their order, or how many of them are drawn."""
    plan: Plan = scene.result.plan
    groups, hems = len(plan.subexperiments), len(plan.hems)
    if groups <= MOST_GROUPS and hems <= MOST_HEMS:
        return "Subexperiments are ordered by the new pairs they add: if you stop early, you have the most pairs possible."
    drawn = [f"the first {MOST_GROUPS:,} of {groups:,} subexperiments"] if groups > MOST_GROUPS else []
    drawn += [f"the first {MOST_HEMS:,} of {hems:,} HEMs"] if hems > MOST_HEMS else []
    return f"Shown: {' and '.join(drawn)}; all are in the downloads."


def coverage(scene: Scene[PlanReport]) -> list[go.Figure]:
    """Number of subexperiments that read both HEMs of each pair."""
    plan: Plan = scene.result.plan
    counts = plan.pairs_together.iloc[:MOST_HEMS, :MOST_HEMS]
    hems, values = [str(hem) for hem in counts.index], counts.to_numpy()
    n = len(hems)
    drawn = values.astype(np.float32)
    drawn[(values == 0) | np.eye(n, dtype=bool)] = np.nan
    pairs = values[~np.eye(n, dtype=bool)]
    # HEMs on fixed counters are together in every subexperiment: their few pairs would take the whole scale.
    largest = int(pairs.max(initial=0))
    most = max(2, int(np.quantile(pairs, _OF_PAIRS)) if pairs.size else 0)
    # A pair read together once must look different from one that never was, even next to pairs read together often.
    least = min(0.0, 1 - 0.6 * (most - 1))
    ticks = np.unique(np.linspace(1, most, min(most, 6)).round())
    bar = colour_bar(tickvals=ticks, ticktext=[*(f"{tick:,.0f}" for tick in ticks[:-1]), f"{most:,}{' or more' if largest > most else ''}"])
    trace = cells(drawn, sequential(SERIES[0]), (least, most), bar=bar)
    hovers = {
        "type": "heatmap",
        "z": values,
        "x": np.arange(n),
        "y": np.arange(n),
        "opacity": 0,
        "showscale": False,
        "hovertemplate": "%{customdata}<extra></extra>",
        "customdata": _hovers(hems, values, set(map(tuple, plan.wanted.tolist()))),
    }
    traces = [trace, hovers] if n <= 120 else [trace | {"hoverinfo": "z"}]
    wanted = _marked(plan, n)
    if len(wanted):
        marks = {"type": "scatter", "mode": "markers", "x": wanted[:, 0], "y": wanted[:, 1], "hoverinfo": "skip"}
        traces.insert(1, marks | {"marker": {"size": 5, "color": SERIES[1]}, "showlegend": False})
    never = _never(plan, n)
    if len(never):
        crosses = {"type": "scatter", "mode": "markers", "x": never[:, 0], "y": never[:, 1], "hoverinfo": "skip", "showlegend": False}
        traces.insert(1, crosses | {"marker": {"size": 7, "symbol": "x", "color": SERIES[3]}})
    dot, cross = "; dot: wanted" if len(wanted) else "", "; cross: cannot be" if len(never) else ""
    return [
        figure(
            traces,
            title="How often are two HEMs read together?",
            subtitle=f"number of subexperiments that read both; grey: none, or a HEM with itself{dot}{cross}",
            uirevision=f"{scene.question.dataset}|coverage|{n}",
            **(thinned_square(hems) | ({"right": 80} if largest > most else {})),
        )
    ]


def _marked(plan: Plan, n: int) -> np.ndarray:
    """The cells of the wanted pairs, in both orders, shape (cells, 2); none if all pairs are wanted or the cells are too small."""
    pairs = plan.wanted[(plan.wanted < n).all(axis=1)]
    every = len(plan.wanted) + len(plan.never) == len(plan.hems) * (len(plan.hems) - 1) // 2
    return np.empty((0, 2), np.int64) if every or n > MOST_MARKED else np.concatenate([pairs, pairs[:, ::-1]])


def _never(plan: Plan, n: int) -> np.ndarray:
    """The cells of the pairs that cannot be read together, in both orders, shape (cells, 2); none if the cells are too small."""
    place = {hem: at for at, hem in enumerate(plan.hems)}
    pairs = np.array([(place[one], place[other]) for one, other in plan.never], np.int64).reshape(-1, 2)
    return np.empty((0, 2), np.int64) if n > MOST_MARKED else np.concatenate([pairs, pairs[:, ::-1]])


def _hovers(hems: Sequence[str], values: np.ndarray, wanted: set[tuple[int, ...]]) -> list[list[str]]:
    return [
        [
            f"<b>{plain(first)}</b><br>"
            + (
                f"read {values[i, i]:,} times"
                if i == j
                else f"<b>{plain(second)}</b><br>{_together(values[i, j])}{'' if (min(i, j), max(i, j)) in wanted else ', not wanted'}"
            )
            for j, second in enumerate(hems)
        ]
        for i, first in enumerate(hems)
    ]


def _together(times: int) -> str:
    return "never read together" if times == 0 else f"read together in {times:,} subexperiment{'' if times == 1 else 's'}"


def pairs_left(scene: Scene[PlanReport]) -> pd.DataFrame | None:
    """The pairs that no subexperiment reads together, at most MOST_PAIRS, and why; None if there are none."""
    plan: Plan = scene.result.plan
    rows = [(*pair, "counters and limits") for pair in plan.never] + [(*pair, "too few subexperiments") for pair in plan.missed]
    return pd.DataFrame(rows[:MOST_PAIRS], columns=["HEM", "never read with", "because of"]) if rows else None


def coverage_caption(scene: Scene[PlanReport]) -> str:
    """What it means, and how many pairs are never together."""
    plan: Plan = scene.result.plan
    never = f" {counted_noun(len(plan.never), 'pair')} cannot be read together because of counters and limits." if plan.never else ""
    missed = len(plan.wanted) - plan.pairs_read
    left = f" {counted_noun(missed, 'pair')} must be filled by a merge's model." if missed else ""
    return f"The more often a pair is read together, the more accurate its correlation.{never}{left}"
