"""Where one program loses its cycles: a bar per cause, largest first, with its interval and a reference."""

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import BASELINE, MUTED, TEXT
from hemcore.charts.look import figure, label_width, plain, short
from hemcore.charts.picture import Scene
from hemcore.charts.prediction.stack import COLOURS, MEANINGS
from hemcore.charts.prediction.view import uirevision, view_of
from hemcore.headline import Card, Verdict, amount, percent
from hemcore.prediction.evaluate.causes_of_loss import BEST, NONE, causes_by_size, programs_by_loss, unexplained
from hemcore.prediction.evaluate.cycle_costs import UNEXPLAINED, CostStack
from hemcore.prediction.headline_causes import causes_cards, causes_verdict


def program_of(scene: Scene[CostStack]) -> str:
    """The program whose causes are shown: as chosen, otherwise the one that loses most."""
    return view_of(scene).loses or programs_by_loss(scene.result)[0]


def shown_causes(scene: Scene[CostStack]) -> pd.DataFrame:
    """The causes of the program, with the reference. Raises ParameterError for one that is not there."""
    return causes_by_size(scene.result, program_of(scene), view_of(scene).reference)


def headline(scene: Scene[CostStack]) -> tuple[Verdict, list[Card]]:
    """Verdict and figures of this program."""
    causes = shown_causes(scene)
    return causes_verdict(scene.result, program_of(scene), causes, view_of(scene).reference), causes_cards(scene.result, causes)


def draw_causes(scene: Scene[CostStack]) -> list[go.Figure]:
    """One figure: the causes, largest on top; per instruction if instructions were counted."""
    found, rows, reference = scene.result, shown_causes(scene), view_of(scene).reference
    counted = bool(rows["per_instruction"].notna().all())
    instructions = float(rows["amount"].sum() / rows["per_instruction"].sum()) if counted else 1.0
    x, low, high, other = (rows[name].to_numpy(dtype=float) / instructions for name in ("amount", "low", "high", "reference"))
    places, target = np.arange(len(rows)), short(found.target, 20)
    names = [_name(str(cause)) for cause in rows["cause"]]
    unit = f"{target} per instruction" if counted else target
    traces: list[dict[str, object]] = [
        {
            "type": "bar", "orientation": "h", "x": x, "y": places, "showlegend": False,
            "marker": {"color": [COLOURS.get(str(cause), MUTED) for cause in rows["cause"]]},
            "error_x": {
                "type": "data", "symmetric": False, "array": high - x, "arrayminus": x - low, "color": TEXT, "thickness": 2, "width": 6,
            },
            "hovertext": [_hover(found, each, reference) for each in rows.to_dict("records")],
            "hovertemplate": "%{hovertext}<extra></extra>",
        }
    ]  # fmt: skip
    ticked = np.isfinite(other)
    if ticked.any():
        traces.append(
            {
                "type": "scatter", "mode": "markers", "name": plain(reference), "x": other[ticked], "y": places[ticked],
                "marker": {"symbol": "line-ns-open", "size": 22, "color": BASELINE, "line": {"width": 3}},
                "hovertemplate": "%{x:,.3~r}<extra>%{fullData.name}</extra>",
            }
        )  # fmt: skip
    return [
        figure(
            traces,
            title=f"Where does {short(program_of(scene), 30)} lose its {target}?",
            subtitle=f"{unit}; the bars sum to what was measured; lines: 90% intervals over programs",
            height=90 + 44 * len(rows),
            legend=bool(ticked.any()),
            uirevision=uirevision(scene, "causes", program_of(scene)),
            sides=(label_width(names, 12) + 12, 72 if ticked.any() else 48),
            xaxis={"title": unit, "rangemode": "tozero"},
            yaxis={"tickvals": places, "ticktext": names, "range": [len(rows) - 0.4, -0.6], "showgrid": False},
        )
    ]


def _name(cause: str) -> str:
    return MEANINGS.get(cause, cause)


def _hover(found: CostStack, row: Mapping[Hashable, Any], reference: str) -> str:
    cause, measured = str(row["cause"]), row["amount"] / row["share"] if row["share"] else np.nan
    lines = [f"<b>{_name(cause)}</b>: {amount(row['amount'], 4)} {plain(found.target)}, {percent(row['share'], 1)} of what was measured"]
    if np.isfinite(row["per_instruction"]):
        lines.append(f"{amount(row['per_instruction'])} per instruction")
    span = f"90% interval {amount(row['low'], 3)} to {amount(row['high'], 3)}"
    if np.isfinite(measured):
        span += f" ({percent(row['low'] / measured, 1)} to {percent(row['high'] / measured, 1)})"
    lines.append(span)
    if cause != UNEXPLAINED:
        times = f" ({amount(row['times_as_fast'])} times as fast)" if np.isfinite(row["times_as_fast"]) else ""
        lines.append(f"removing all of it: at most {percent(row['fewer_at_most'], 1)} fewer {plain(found.target)}{times}")
    elif row["amount"] < 0:
        lines.append("the events predict more than was measured")
    if np.isfinite(row["fewer_as_reference"]):
        saved = row["fewer_as_reference"]
        lines.append(f"as in {plain(reference)}: {percent(abs(saved), 1)} {'fewer' if saved >= 0 else 'more'} {plain(found.target)}")
    return "<br>".join(lines)


def caption(scene: Scene[CostStack]) -> str:
    """What the bars are, and what to mind."""
    found, rest, reference = scene.result, unexplained(shown_causes(scene)), view_of(scene).reference
    parts = [*found.notes, f"Costs per event times the program's counts; “unexplained” is measured minus predicted {found.target}."]
    parts.append("In-sample: the costs were fitted with this program among the others; left out, more of it would be unexplained.")
    if rest < 0:
        parts.append(f"It is below 0 here: the costs predict {percent(-rest)} more than was measured, so the other bars are too long.")
    parts.append("Removing a cause saves at most its bar; where events overlap, less.")
    if reference == BEST:
        parts.append("The ticks: for each cause the smallest value per instruction of any program.")
    elif reference != NONE:
        parts.append(f"The ticks: {reference}, with as many instructions.")
    if reference != NONE and found.causes["instructions"].isna().all():
        parts.append("Without a counter of instructions, programs cannot be compared.")
    return " ".join(parts)


def table(scene: Scene[CostStack]) -> pd.DataFrame:
    """Each cause with its interval, what removing it would save, and the reference if there is one."""
    rows = shown_causes(scene)
    return rows if view_of(scene).reference != NONE else rows.drop(columns=["reference", "fewer_as_reference"])
