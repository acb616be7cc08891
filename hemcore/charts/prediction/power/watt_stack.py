"""Where the watts go: leakage, the idle clock and events, by program."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import MUTED, SERIES
from hemcore.charts.look import figure, short, short_names
from hemcore.charts.picture import Scene
from hemcore.charts.point_groups import lean
from hemcore.charts.prediction.view import uirevision
from hemcore.headline import percent
from hemcore.prediction.power.another_frequency import PowerWhatIf

_MOST, _TERMS = 40, 7
_OTHERS = "other events"


def stacked(scene: Scene[PowerWhatIf]) -> pd.DataFrame:
    """Watts, one row per program and one column per term, the largest first; small terms together."""
    stack = scene.result.model.stack.pivot(index="program", columns="term", values="watts")
    order = stack.mean().sort_values(ascending=False)
    kept = [str(name) for name in order.index[:_TERMS] if order[name] > 0]
    found = stack[kept].copy()
    rest = stack.drop(columns=kept).sum(axis=1)
    if rest.max() > 0:
        found[_OTHERS] = rest
    return found.loc[found.sum(axis=1).sort_values(ascending=False).index]


def draw(scene: Scene[PowerWhatIf]) -> list[go.Figure]:
    """One bar per program; the terms are stacked."""
    every = stacked(scene)
    shown = every.head(_MOST)
    names, n = short_names([str(each) for each in shown.index], 24), len(shown)
    traces = [
        {
            "type": "bar", "orientation": "h", "y": list(range(n)), "x": lean(shown[term].to_numpy(dtype=float)),
            "name": short(str(term), 20),
            "marker": {"color": MUTED if term == _OTHERS else SERIES[number % len(SERIES)]},
            "hovertemplate": f"{short(str(term), 30)}: %{{x:,.3~r}} W<extra></extra>",
        }
        for number, term in enumerate(shown.columns)
    ]  # fmt: skip
    return [
        figure(
            traces,
            title="Where do the watts go?",
            subtitle=f"mean power of each program by the model of all; {short(scene.result.model.target, 24)}",
            height=max(200, 60 + 16 * n),
            legend=True,
            uirevision=uirevision(scene, "watts"),
            barmode="stack",
            xaxis={"title": "power, W"},
            yaxis={"tickvals": list(range(n)), "ticktext": names, "range": [n - 0.4, -0.6], "showgrid": False},
        )
    ]


def table(scene: Scene[PowerWhatIf]) -> pd.DataFrame | None:
    """Watts by program and term."""
    return stacked(scene).reset_index()


def caption(scene: Scene[PowerWhatIf]) -> str:
    """Shares over all programs, and what they do not show."""
    every = stacked(scene)
    share = (every.div(every.sum(axis=1), axis=0)).mean().sort_values(ascending=False)
    first = ", ".join(f"{term} {percent(float(value))}" for term, value in share.head(3).items() if np.isfinite(value))
    few = f" {_MOST} of {len(every):,} programs are shown." if len(every) > _MOST else ""
    return (
        f"On average: {first}.{few} Events that rise together share their energy, and leakage and idle clock are told apart only by the "
        "frequencies measured, so single terms are uncertain."
    )
