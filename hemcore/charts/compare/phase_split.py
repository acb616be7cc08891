"""Which phase carries the change? The phases of a program before and after under one another, and the change of a HEM split into them."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import BASELINE, SERIES, TEXT, faint
from hemcore.charts.compare.runs_in_order import hem_of
from hemcore.charts.compare.view import CompareView
from hemcore.charts.look import Layout, figure, plain, short
from hemcore.charts.picture import Scene
from hemcore.compare.results import Comparison
from hemcore.compare.stages import StageChanges
from hemcore.headline import amount, counted_noun, percent

_LONGER, _FASTER = SERIES[5], SERIES[1]
_MOST = 60


def _found(scene: Scene[Comparison]) -> StageChanges:
    """The split at the level and rate of the page."""
    found: StageChanges = scene.more
    return found.at(scene.result.params)


def _of_hem(scene: Scene[Comparison]) -> pd.DataFrame:
    """The rows of the chosen HEM."""
    table = _found(scene).table
    hem = hem_of(scene)
    return table[table["hem"] == (hem if (table["hem"] == hem).any() else table["hem"].iloc[0])]


def programs_by_change(scene: Scene[Comparison]) -> list[str]:
    """The programs, that with the largest change of the chosen HEM first; those cut into phases before the others."""
    rows, cut = _of_hem(scene), _found(scene).cut
    sums = rows.groupby("program", sort=False)["change"].sum().abs()
    return sorted(sums.index.astype(str), key=lambda name: (name not in cut, -float(sums[name])))


def _program(scene: Scene[Comparison]) -> str:
    known = programs_by_change(scene)
    chosen = scene.view.program if isinstance(scene.view, CompareView) else ""
    return chosen if chosen in known else known[0]


def split_figures(scene: Scene[Comparison]) -> list[go.Figure]:
    """Two figures: counts per length in each phase, before above after; and the change of each phase with its interval."""
    found, program, every = _found(scene), _program(scene), _of_hem(scene)
    rows = every[every["program"] == program].head(_MOST)
    lengths = found.lengths[found.lengths["program"] == program].set_index("phase").loc[rows["phase"]]
    hem = str(rows["hem"].iloc[0])
    shared = f"{scene.question.dataset}|{scene.result.params.before}|phases|{program}|{hem}"
    return [_courses(rows, lengths, found.unit, program, hem, shared), _bars(rows, scene, program, hem, shared)]


def _courses(rows: pd.DataFrame, lengths: pd.DataFrame, unit: str, program: str, hem: str, shared: str) -> go.Figure:
    traces: list[Layout] = []
    ends = {name: np.nan_to_num(lengths[name].to_numpy(dtype=float)).cumsum() for name in ("before", "after")}
    top = 0.0
    for name, axis in (("before", "y"), ("after", "y2")):
        begin = 0.0
        for number, count, end in zip(rows["phase"], rows[name], ends[name], strict=True):
            if end > begin:
                rate = float(count) / (end - begin)
                top = max(top, rate)
                traces.append(_block(int(number), name, axis, begin, end, rate, f"{amount(float(count), 4)} in {amount(end - begin, 3)}"))
            begin = end
    last = max(ends["before"][-1], ends["after"][-1])
    mark = {"x": 1, "xref": "paper", "yref": "paper", "showarrow": False, "xanchor": "right", "yanchor": "top", "font": {"size": 12}}
    marks = [{"text": name, "y": y} | mark for name, y in (("before", 1.0), ("after", 0.47))]
    shown = {"range": [0, 1.25 * top if top > 0 else 1], "title": "per length", "nticks": 4}
    return figure(
        traces,
        title="Where are the phases, before and after?",
        subtitle=f"{plain(short(hem, 24))} in {plain(short(program, 30))}; an area is a count",
        height=300,
        uirevision=f"{shared}|courses",
        xaxis={"title": plain(f"length, in {unit}"), "range": [0, last * 1.01], "anchor": "y2"},
        yaxis={**shown, "domain": [0.56, 1.0]},
        yaxis2={**shown, "domain": [0.0, 0.44]},
        annotations=marks,
    )


def _block(number: int, name: str, axis: str, begin: float, end: float, rate: float, text: str) -> Layout:
    colour = SERIES[(number - 1) % len(SERIES)]
    return {
        "type": "scatter",
        "mode": "lines+text",
        "x": [begin, begin, (begin + end) / 2, end, end],
        "y": [0, rate, rate, rate, 0],
        "text": ["", "", str(number), "", ""],
        "textposition": "top center",
        "textfont": {"size": 11, "color": TEXT},
        "yaxis": axis,
        "fill": "tozeroy",
        "fillcolor": faint(colour, 0.3),
        "line": {"color": colour, "width": 1.5},
        "hovertemplate": f"phase {number}, {name}: {text}<extra></extra>",
        "showlegend": False,
    }


def _bars(rows: pd.DataFrame, scene: Scene[Comparison], program: str, hem: str, shared: str) -> go.Figure:
    names = [f"phase {number}" for number in rows["phase"]]
    places = np.arange(len(rows))
    traces: list[Layout] = [
        {
            "type": "bar",
            "orientation": "h",
            "name": label,
            "y": places,
            "x": rows[column].to_numpy(dtype=float),
            "marker": {"color": colour},
            "hovertemplate": f"%{{x:+,.4s}} {label}<extra></extra>",
        }
        for column, label, colour in (("by_length", "lasts longer or shorter", _LONGER), ("by_rate", "counts more or less", _FASTER))
    ]
    change, low, high = (rows[name].to_numpy(dtype=float) for name in ("change", "low", "high"))
    traces.append(
        {
            "type": "scatter",
            "mode": "markers",
            "name": "change",
            "x": change,
            "y": places,
            "marker": {"size": 9, "color": BASELINE, "symbol": np.where(rows["changed"], "diamond", "circle-open").tolist()},
            "error_x": {
                "array": np.nan_to_num(high - change),
                "arrayminus": np.nan_to_num(change - low),
                "color": BASELINE,
                "thickness": 1.5,
                "width": 3,
            },
            "customdata": [_hover(row) for _, row in rows.iterrows()],
            "hovertemplate": "%{customdata}<extra></extra>",
        }
    )
    return figure(
        traces,
        title="Which phase carries the change?",
        subtitle=f"{plain(short(hem, 24))} in {plain(short(program, 30))}, with the {percent(scene.result.params.level)} interval",
        height=300,
        uirevision=f"{shared}|bars",
        legend=True,
        barmode="relative",
        xaxis={"title": "change, counts per run", "zeroline": True, "zerolinecolor": BASELINE},
        yaxis={"tickvals": places, "ticktext": names, "range": [len(rows) - 0.4, -0.6], "showgrid": False},
    )


def _hover(row: pd.Series) -> str:
    judged = "surely changed" if row["changed"] else "may be noise"
    span = f"<br>{amount(float(row['low']), 3)} to {amount(float(row['high']), 3)}: {judged}" if np.isfinite(row["low"]) else ""
    return f"<b>phase {row['phase']}</b>: {amount(float(row['change']), 4)}{span}"


def split_caption(scene: Scene[Comparison]) -> str:
    """Which program and phase carries most of the change, and what was left out."""
    rows, found = _of_hem(scene), _found(scene)
    hem, total = str(rows["hem"].iloc[0]), float(rows["change"].sum())
    sure = rows[rows["changed"]]
    parts = [f"{hem} changes by {amount(total, 3)} per run, over {counted_noun(rows['program'].nunique(), 'program')}."]
    if len(sure):
        most = sure.iloc[int(sure["change"].abs().to_numpy().argmax())]
        why = "lasts longer or shorter" if abs(most["by_length"]) > abs(most["by_rate"]) else "counts more or less"
        parts.append(f"Most in phase {most['phase']} of {most['program']} ({amount(float(most['change']), 3)}), which {why}.")
    else:
        parts.append("In no phase is the change surely more than noise.")
    others = found.table.query("changed and hem != @hem")
    if len(others):
        first = others.iloc[int(others["probability"].to_numpy().argmin())]
        more = counted_noun(others["hem"].nunique(), "other HEM")
        parts.append(f"Phases of {more} surely changed, such as {first['hem']} in phase {first['phase']} of {first['program']}.")
    return " ".join([*parts, "The parts sum to the change.", *found.notes])


def split_table(scene: Scene[Comparison]) -> pd.DataFrame:
    """The chosen HEM in every program and phase: the change with its interval and its two parts."""
    rows = _of_hem(scene)
    shown = rows[["program", "phase"]].reset_index(drop=True)
    for name, label in (
        ("before", "before"), ("after", "after"), ("change", "change"), ("low", "from"), ("high", "to"),
        ("by_length", "by its length"), ("by_rate", "by its counts per length"),
    ):  # fmt: skip
        shown[label] = [amount(float(each), 4) if np.isfinite(each) else "" for each in rows[name]]
    shown["of the change"] = [percent(float(each), 1) if np.isfinite(each) else "" for each in rows["share"]]
    shown["surely changed"] = np.where(rows["changed"], "yes", "no")
    return shown
