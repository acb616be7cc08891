"""What-if: each model's prediction with its interval, the distance to the training phases, and the starting phase."""

import functools

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import MUTED, SERIES, TEXT
from hemcore.charts.look import figure, label_width, plain, short, short_names
from hemcore.charts.picture import Scene
from hemcore.charts.point_groups import in_front, lean
from hemcore.charts.prediction.change_answers import change_caption, change_figures, change_table
from hemcore.charts.prediction.models import colour_of_model, symbol_of_model
from hemcore.charts.prediction.view import uirevision, view_of
from hemcore.headline import amount, counted_noun, percent
from hemcore.prediction.evaluate.scenarios import WhatIf, starting_phase

_MOST = 1_000
_FAR = SERIES[3]


def start_of(scene: Scene) -> pd.Series:
    """The starting phase: row, program, phase, measured. As chosen, otherwise the one with the median target in the program."""
    view, params = view_of(scene), scene.result.params
    phase = view.start_phase if view.start_phase is not None else params.start_phase
    return starting_phase(scene.result.phases, view.start or params.start, phase)


def counts_of(scene: Scene) -> dict[str, float]:
    """The values of the sliders, for counters used by the models."""
    found: WhatIf = scene.result
    return {name: count for name, count in view_of(scene).counts if name in found.ready.example.counters}


def answer(scene: Scene) -> pd.DataFrame:
    """Each model's prediction."""
    return _answered(scene.result, int(start_of(scene)["row"]), tuple(counts_of(scene).items()), _promised(scene))


def _promised(scene: Scene) -> float:
    return int(view_of(scene).promised.partition(" ")[0]) / 100


@functools.lru_cache(maxsize=4)
def _answered(found: WhatIf, row: int, counts: tuple[tuple[str, float], ...], promised: float) -> pd.DataFrame:
    return found.answer(row, dict(counts), promised=promised)


def in_full(count: float) -> str:
    """A count as text, without decimals if it is large."""
    return f"{count:,.0f}" if abs(count) >= 100 else amount(count, 4)


def draw(scene: Scene) -> list[go.Figure]:
    """The answer as a change, and, where one phase changes, the possible starting phases.

    A report of before holds counts of one phase (PredictionView.counts): the predictions above the distance gauge.
    """
    if view_of(scene).counts or scene.result.change is None:
        return [_answers(scene), _phases(scene)]
    of_phase = scene.result.params.scope == "phase"
    return [*change_figures(scene), *([_phases(scene)] if of_phase else [])]


def _answers(scene: Scene) -> go.Figure:
    found: WhatIf = scene.result
    rows, start = answer(scene), start_of(scene)
    known = rows[np.isfinite(rows["predicted"])].reset_index(drop=True)
    of_ready = rows.iloc[0]
    far = bool(of_ready["far"])
    names, n = [str(name) for name in known["model"]], len(known)
    shown, predicted = short_names(names, 26), known["predicted"].to_numpy(dtype=float)
    beyond = known["far"].tolist()
    colours = [_FAR if off else colour_of_model(name) for name, off in zip(names, beyond, strict=True)]
    traces: list[dict[str, object]] = []
    for place, name in enumerate(names):
        one = known.iloc[place]
        traces.append(
            {
                "type": "scatter", "mode": "markers", "showlegend": False, "x": [predicted[place]], "y": [place], "name": plain(name),
                "marker": {"size": 11, "color": colours[place], "symbol": symbol_of_model(name) + ("-open" if beyond[place] else "")},
                "error_x": {
                    "type": "data", "symmetric": False, "array": [one["high"] - predicted[place]],
                    "arrayminus": [predicted[place] - one["low"]], "color": colours[place], "thickness": 2, "width": 5,
                },
                "hovertemplate": f"{plain(name)}: %{{x:,.5~r}}<br>"
                f"{amount(one['low'], 4)} to {amount(one['high'], 4)}{_apart(one)}<extra></extra>",
            }
        )  # fmt: skip
    own = found.ready.example.X[int(start["row"])]
    moved = {name: count for name, count in counts_of(scene).items() if count != own[found.ready.example.counters.index(name)]}
    line = {
        "type": "line", "x0": float(start["measured"]), "x1": float(start["measured"]), "y0": 0.3, "y1": 1, "yref": "paper",
        "line": {"color": TEXT, "width": 1.5, "dash": "dot"},
    }  # fmt: skip
    measured = {"type": "scatter", "mode": "lines", "x": [None], "y": [None], "name": "measured, with the original counts",
                "line": {"color": TEXT, "dash": "dot", "width": 1.5}}  # fmt: skip
    distance, limit = float(of_ready["distance"]), found.ready.reach.far
    reach = 1.15 * max(distance, 1.5 * limit, 1e-9)
    gauge: list[dict[str, object]] = [
        {
            "type": "scatter", "mode": "markers", "xaxis": "x2", "yaxis": "y2", "x": [distance], "y": [0.5], "showlegend": False,
            "marker": {"size": 14, "color": _FAR if far else SERIES[0], "symbol": "diamond"}, "name": "distance",
            "hovertemplate": "distance %{x:.2f} standard deviations<extra></extra>",
        }
    ]  # fmt: skip
    ground = {
        "type": "rect", "xref": "x2", "yref": "y2", "x0": limit, "x1": reach, "y0": 0, "y1": 1, "line": {"width": 0}, "layer": "below",
        "fillcolor": "rgba(209, 73, 91, 0.22)",
    }  # fmt: skip
    number = counted_noun(len(moved), "count") if moved else "no counts"
    target = short(found.ready.target, 20)
    question = f"What would {target} be with changed counts?"
    height = 170 + 30 * n
    return figure(
        [*traces, measured, *gauge],
        title=f"{question} An extrapolation: do not rely on it" if far else question,
        subtitle=f"{target} with {number} changed; lines: {percent(_promised(scene))} intervals",
        height=height,
        legend=True,
        uirevision=uirevision(scene, "answers"),
        sides=(label_width(shown, 11) + 12, 72),
        shapes=[line, ground],
        annotations=[
            {
                "text": "extrapolation", "x": (limit + reach) / 2, "y": 0.5, "xref": "x2", "yref": "y2", "showarrow": False,
                "font": {"size": 11, "color": TEXT},
            }
        ],
        xaxis={"title": f"{target} of the phase", "rangemode": "tozero", "domain": [0, 1], "anchor": "y"},
        yaxis={"tickvals": list(range(n)), "ticktext": shown, "range": [n - 0.4, -0.6], "showgrid": False, "domain": [130 / height, 1]},
        xaxis2={"title": "distance from training phases, standard deviations", "range": [0, reach], "anchor": "y2"},
        yaxis2={"visible": False, "range": [0, 1], "domain": [0, 26 / height]},
    )  # fmt: skip


def _apart(one: pd.Series) -> str:
    """The distance to the model's training phases, for the hover; "" if unknown."""
    return "" if np.isnan(one["distance"]) else f"<br>distance {one['distance']:.2f}, far above {one['far_from']:.2f}"


def _phases(scene: Scene) -> go.Figure:
    every, start = scene.result.phases, start_of(scene)
    programs = list(dict.fromkeys(every["program"]))
    x, y = every["phase"].to_numpy(dtype=float), every["measured"].to_numpy(dtype=float)
    own = (every["program"] == start["program"]).to_numpy()
    traces: list[dict[str, object]] = []
    for name, shown, colour, size in (("phases of other programs", ~own, MUTED, 4), (str(start["program"]), own, SERIES[0], 6)):
        places = in_front(shown, most=_MOST)
        places = places[shown[places]]
        if len(places):
            traces.append(
                {
                    "type": "scattergl", "mode": "markers", "name": short(name), "x": lean(x[places]), "y": lean(y[places]),
                    "marker": {"color": colour, "size": size, "opacity": 0.7},
                    "customdata": every[["program", "phase"]].to_numpy(dtype=object)[places],
                    "hovertemplate": f"{short(name)}, phase %{{x:,}}: %{{y:,.5~r}}<extra></extra>",
                }
            )  # fmt: skip
    traces.append(
        {
            "type": "scattergl", "mode": "markers", "name": f"starting phase {int(start['phase']):,}", "x": [float(start["phase"])],
            "y": [float(start["measured"])], "hoverinfo": "skip",
            "marker": {"symbol": "circle-open", "size": 14, "color": TEXT, "line": {"width": 2}},
        }
    )  # fmt: skip
    target = short(scene.result.ready.target, 20)
    return figure(
        traces,
        title="Which phase is changed?",
        subtitle=f"{len(every):,} phases of {len(programs):,} program{'' if len(programs) == 1 else 's'}",
        height=300,
        legend=True,
        uirevision=uirevision(scene, "starts"),
        xaxis={"title": "phase"},
        yaxis={"title": f"measured {target}", "rangemode": "tozero"},
    )


def table(scene: Scene) -> pd.DataFrame | None:
    """The changes, or the predictions of a report of before."""
    if not view_of(scene).counts and scene.result.change is not None:
        return change_table(scene.result)
    return answer(scene)[["model", "predicted", "low", "high", "distance", "far"]]


def caption(scene: Scene) -> str:
    """The starting phase, the changed counts, and models without a prediction."""
    found: WhatIf = scene.result
    if not view_of(scene).counts and found.change is not None:
        return change_caption(found)
    start, counts, rows = start_of(scene), counts_of(scene), answer(scene)
    own = dict(zip(found.ready.example.counters, found.ready.example.X[int(start["row"])], strict=True))
    moved = [f"{name} {in_full(count)} instead of {in_full(own[name])}" for name, count in counts.items() if count != own[name]]
    parts = [f"Phase {int(start['phase']):,} of {start['program']}, measured {in_full(float(start['measured']))}."]
    parts.append(f"Changed: {', '.join(moved)}." if moved else "No count is changed: predictions of the phase as it was measured.")
    of_ready = rows.iloc[0]
    beyond = ": no training phase is similar" if of_ready["far"] else ""
    parts.append(f"Distance to the nearest training phase: {of_ready['distance']:.1f} (far above {of_ready['far_from']:.1f}){beyond}.")
    silent = [str(name) for name in rows.loc[~np.isfinite(rows["predicted"]), "model"]]
    if silent:
        parts.append(f"No prediction without instructions: {', '.join(silent)}.")
    return " ".join([*parts, *found.notes])
