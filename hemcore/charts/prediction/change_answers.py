"""What-if as a change: each model's answer, and the answer over the whole range of a counter, or the counters that matter most."""

import functools

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import BASELINE, MUTED, SERIES, TEXT, faint
from hemcore.charts.look import figure, label_width, plain, short, short_names
from hemcore.charts.picture import Scene
from hemcore.charts.prediction.models import colour_of_model, symbol_of_model
from hemcore.charts.prediction.view import uirevision
from hemcore.headline import amount
from hemcore.prediction.evaluate.asked_change import in_words, signed
from hemcore.prediction.evaluate.change_curves import change_curve, most_effect
from hemcore.prediction.evaluate.phase_changes import ChangeAnswer
from hemcore.prediction.evaluate.scenarios import WhatIf

_FAR, _FADED = SERIES[3], 0.35
_MOST = 14
_BESIDE = "in the range of models; another is preferred"


def change_figures(scene: Scene[WhatIf]) -> list[go.Figure]:
    """The models' changes with the curve of the counter that is asked for; the counters that matter most while nothing is."""
    found = scene.result
    if found.change is None:
        return []
    if not found.change.asked:
        return _effects(scene, found)
    return [_answers(scene, found, found.change), *_curve(scene, found, found.change)]


def _answers(scene: Scene[WhatIf], found: WhatIf, change: ChangeAnswer) -> go.Figure:
    rows = change.models[np.isfinite(change.models["change"].to_numpy(dtype=float))]
    rows = pd.concat([rows[rows["answers"]], rows[~rows["answers"]]], ignore_index=True)
    kept = pd.DataFrame(list(found.kept_changes.items()), columns=["model", "change"]).assign(answers=False, why="saved", mape=np.nan)
    rows = pd.concat([rows, kept[np.isfinite(kept["change"].to_numpy(dtype=float))]], ignore_index=True) if len(kept) else rows
    names = [str(each) for each in rows["model"]]
    shown = short_names(names, 26)
    traces: list[dict[str, object]] = []
    for place, row in enumerate(rows.to_dict("records")):
        own = bool(row["answers"])
        colour = _FAR if change.far else colour_of_model(names[place].partition(", saved")[0]) if not row["why"] else MUTED
        symbol = symbol_of_model(names[place].partition(", saved")[0])
        hover = f"{plain(names[place])}: {signed(row['change'])}" + (f"<br>{plain(str(row['why']))}" if row["why"] else "")
        trace: dict[str, object] = {
            "type": "scatter", "mode": "markers", "x": [float(row["change"])], "y": [place], "showlegend": False,
            "opacity": _FADED if change.fades else 1.0, "name": plain(names[place]),
            "marker": {"size": 14 if own else 9, "color": colour, "symbol": symbol + ("-open" if row["why"] else "")},
            "text": [hover + (f"<br>80% interval {signed(change.low)} to {signed(change.high)}" if own else "")],
            "hovertemplate": "%{text}<extra></extra>",
        }  # fmt: skip
        if own and np.isfinite(change.low):
            trace["error_x"] = {
                "type": "data", "symmetric": False, "array": [change.high - row["change"]], "arrayminus": [row["change"] - change.low],
                "color": colour, "thickness": 3, "width": 7,
            }  # fmt: skip
        traces.append(trace)
    pinned = scene.baseline.change if isinstance(scene.baseline, WhatIf) else None
    if pinned is not None and pinned.asked and pinned.model:
        text = f"baseline: {in_words(pinned.asked)}, {signed(pinned.change)}"
        traces.append(
            {"type": "scatter", "mode": "lines", "name": plain(text[:70]), "x": [pinned.change] * 2, "y": [-0.6, len(names) - 0.4],
             "line": {"color": BASELINE, "width": 2, "dash": "dash"}, "hovertemplate": f"{plain(text)}<extra></extra>"}
        )  # fmt: skip
    target = short(found.ready.target, 20)
    question = f"How would {target} change with {short(in_words(change.asked), 36)}?"
    far = f"distance {amount(change.distance, 2)} (far: over {amount(change.far_from, 2)})"
    return figure(
        traces,
        title=f"Extrapolation. {question}" if change.far else question,
        subtitle=f"{short(found.subject, 24)}; line: 80% interval; open: models not used; {far}",
        height=120 + 26 * max(len(names), 3),
        legend=pinned is not None,
        uirevision=uirevision(scene, "changes"),
        sides=(label_width(shown, 11) + 12, 52),
        shapes=[{"type": "line", "x0": 0, "x1": 0, "y0": 0, "y1": 1, "yref": "paper", "line": {"color": TEXT, "width": 1, "dash": "dot"}}],
        xaxis={"title": f"change of {target}", "tickformat": "~%", **_with_zero(traces, change)},
        yaxis={"tickvals": list(range(len(names))), "ticktext": shown, "range": [len(names) - 0.4, -0.6], "showgrid": False},
    )


def _with_zero(traces: list[dict[str, object]], change: ChangeAnswer) -> dict[str, object]:
    """An axis that holds every answer, the interval up to twice their reach, and 0."""
    values = [0.0, *(each for trace in traces for each in trace["x"])]  # type: ignore[attr-defined]
    low, high = min(values), max(values)
    reach = max(high - low, 0.02)
    if np.isfinite(change.low):
        low, high = max(min(low, change.low), low - reach), min(max(high, change.high), high + reach)
    return {"range": [low - 0.06 * (high - low), high + 0.06 * (high - low)]}


@functools.lru_cache(maxsize=8)
def _curve_of(found: WhatIf, counter: str) -> pd.DataFrame:
    return change_curve(found, counter)


def _curve(scene: Scene[WhatIf], found: WhatIf, change: ChangeAnswer) -> list[go.Figure]:
    counter = next(iter(change.asked))
    rows = _curve_of(found, counter)
    if rows.empty:
        return []
    colour = colour_of_model(change.model)
    x, y, far = rows["share"].to_numpy(dtype=float), rows["change"].to_numpy(dtype=float), rows["far"].to_numpy(dtype=bool)
    # The curve goes on, fainter, where it is far.
    near = np.where(far, np.nan, y)
    traces: list[dict[str, object]] = [
        {"type": "scatter", "mode": "lines", "name": "far: an extrapolation", "x": x, "y": y,
         "line": {"color": faint(_FAR, 0.55), "dash": "dot"},
         "hovertemplate": "%{x:+.0%}: %{y:+.1%}, an extrapolation<extra></extra>"},
        {"type": "scatter", "mode": "lines", "name": plain(change.model), "x": x, "y": near, "line": {"color": colour, "width": 2.5},
         "hovertemplate": "%{x:+.0%}: %{y:+.1%}<extra></extra>"},
        {"type": "scatter", "mode": "markers", "name": "as asked", "x": [change.asked[counter]], "y": [change.change],
         "marker": {"size": 12, "symbol": "diamond", "color": _FAR if change.far else TEXT}, "opacity": _FADED if change.fades else 1.0,
         "hovertemplate": "as asked: %{y:+.1%}<extra></extra>"},
    ]  # fmt: skip
    others = f", with {short(in_words({name: each for name, each in change.asked.items() if name != counter}), 30)}"
    return [
        figure(
            traces,
            title=f"And over the whole range of {short(counter, 20)}?",
            subtitle=f"by {change.model}{others if len(change.asked) > 1 else ''}",
            height=300,
            legend=True,
            uirevision=uirevision(scene, "curve", counter),
            xaxis={"title": f"change of {short(counter, 24)}", "tickformat": "~%"},
            yaxis={"title": f"change of {short(found.ready.target, 20)}", "tickformat": "~%"},
        )
    ]


@functools.lru_cache(maxsize=4)
def _effects_of(found: WhatIf) -> pd.DataFrame:
    return most_effect(found)


def _effects(scene: Scene[WhatIf], found: WhatIf) -> list[go.Figure]:
    rows = _effects_of(found).head(_MOST)
    if rows.empty or found.change is None:
        return []
    names, far = short_names([str(each) for each in rows["counter"]], 22), rows["far"].to_numpy(dtype=bool)
    target = short(found.ready.target, 20)
    values = rows["change"].to_numpy(dtype=float)
    traces = [
        {"type": "bar", "orientation": "h", "x": values, "y": np.arange(len(rows)), "showlegend": False,
         "marker": {"color": [faint(_FAR, 0.4) if each else SERIES[0] for each in far]},
         "text": [signed(each) for each in values], "textposition": "outside", "cliponaxis": False, "textfont": {"color": TEXT, "size": 12},
         "hovertext": [f"{plain(str(name))} −50%: {signed(each)}{', an extrapolation' if off else ''}"
                       for name, each, off in zip(rows["counter"], values, far, strict=True)],
         "hovertemplate": "%{hovertext}<extra></extra>"}
    ]  # fmt: skip
    low, high = min(float(np.nanmin(values)), 0.0), max(float(np.nanmax(values)), 0.0)
    room = 0.22 * max(high - low, 0.01)  # for a bar's number, on a phone too
    return [
        figure(
            traces,
            title=f"What would half of each counter do to {target}?",
            subtitle=f"{short(found.subject, 24)}, by {found.change.model}; pale red: an extrapolation. Move a slider to ask for more.",
            height=90 + 26 * len(rows),
            uirevision=uirevision(scene, "effects"),
            sides=(label_width(names, 11) + 12, 52),
            xaxis={"title": f"change of {target}", "tickformat": "~%", "range": [low - room, high + room]},
            yaxis={"tickvals": np.arange(len(rows)), "ticktext": names, "range": [len(rows) - 0.4, -0.6], "showgrid": False},
        )
    ]  # fmt: skip


def change_table(found: WhatIf) -> pd.DataFrame | None:
    """Each model's change, saved models last, and why it does not answer."""
    if found.change is None:
        return None
    own = found.change.models[["model", "change", "mape", "answers", "why"]].rename(columns={"change": "relative change"})
    own["why"] = own["why"].mask(~own["answers"].astype(bool) & (own["why"] == ""), _BESIDE)
    kept = [
        {"model": name, "relative change": change, "mape": found.kept_errors[name].mape, "answers": False, "why": "saved"}
        for name, change in found.kept_changes.items()
    ]
    return pd.concat([own, pd.DataFrame(kept)], ignore_index=True) if kept else own


def change_caption(found: WhatIf) -> str:
    """What is changed, and what stands between the models and an answer."""
    change = found.change
    if change is None:
        return "These models were trained by an older version and cannot say how they respond. Train them again."
    together = "the other counters go along as between the phases of a program here" if found.params.together else "alone"
    asked = f"{in_words(change.asked)} in {found.subject}, {together}." if change.asked else f"Nothing is changed in {found.subject}."
    return " ".join([asked, *found.notes])
