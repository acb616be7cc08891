"""Errors of power and energy on programs and frequencies that were left out."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import SERIES, TEXT
from hemcore.charts.look import figure, label_width, short, short_names
from hemcore.charts.picture import Scene
from hemcore.charts.point_groups import lean
from hemcore.charts.prediction.view import uirevision
from hemcore.headline import percent
from hemcore.prediction.power.another_frequency import PowerWhatIf
from hemcore.prediction.power.left_out_power import PROMISED
from hemcore.prediction.power.power_headline import model_verdict

_MOST = 60
_ONE = {"type": "line", "x0": 1, "x1": 1, "y0": 0, "y1": 1, "yref": "paper", "line": {"color": TEXT, "width": 1, "dash": "dot"}}


def draw_programs(scene: Scene[PowerWhatIf]) -> list[go.Figure]:
    """Predicted over measured energy of each program, with its interval; the worst first."""
    every = scene.result.model.programs
    shown = every.reindex(every["error"].abs().sort_values(ascending=False).index).head(_MOST)
    names, n = short_names([str(each) for each in shown["program"]], 24), len(shown)
    measured = shown["measured"].to_numpy(dtype=float)
    ratio, low, high = (shown[name].to_numpy(dtype=float) / measured for name in ("predicted", "low", "high"))
    known = bool(np.isfinite(low).all() and np.isfinite(high).all())
    inside = shown["covered"].to_numpy(dtype=float) != 0
    bars = {"error_x": {"type": "data", "symmetric": False, "array": lean(high - ratio), "arrayminus": lean(ratio - low), "width": 3,
                        "thickness": 1.5, "color": SERIES[0]}} if known else {}  # fmt: skip
    return [
        figure(
            [
                {
                    "type": "scatter", "mode": "markers", "x": lean(ratio), "y": list(range(n)), "showlegend": False,
                    "marker": {"size": 8, "color": [SERIES[0] if each else SERIES[3] for each in inside],
                               "symbol": ["circle" if each else "x" for each in inside]},
                    "customdata": np.column_stack([shown["mape"].to_numpy(dtype=float), measured]).tolist(),
                    "hovertemplate": "%{y}: energy %{x:.1%} of %{customdata[1]:,.4~r} J measured<br>"
                    "power per phase %{customdata[0]:.1%} off<extra></extra>", **bars,
                }
            ],
            title="How far off is the energy of a program left out?",
            subtitle=f"predicted over measured, {percent(PROMISED)} intervals from the other programs; cross: outside",
            height=max(200, 60 + 16 * n),
            uirevision=uirevision(scene, "power programs"),
            sides=(label_width(names, 11) + 12, 48),
            shapes=[_ONE],
            xaxis={"title": "predicted / measured energy", "tickformat": ".0%"},
            yaxis={"tickvals": list(range(n)), "ticktext": names, "range": [n - 0.4, -0.6], "showgrid": False},
        )
    ]  # fmt: skip


def programs_table(scene: Scene[PowerWhatIf]) -> pd.DataFrame | None:
    """Measured and predicted energy by program."""
    return scene.result.model.programs


def programs_caption(scene: Scene[PowerWhatIf]) -> str:
    """The errors over all programs."""
    model = scene.result.model
    few = f" The worst {_MOST} of {len(model.programs):,} programs are shown." if len(model.programs) > _MOST else ""
    return f"{model_verdict(model).full_text}{few}"


# Errors: shares, which a table shows as percentages.
_COLUMNS = {
    "power": "power per phase, error",
    "energy": "energy, error",
    "moved_time": "time of a run, error",
    "moved_power": "power of a run, error",
    "moved_energy": "energy of a run, error",
}


def draw_clocks(scene: Scene[PowerWhatIf]) -> list[go.Figure]:
    """Errors at each frequency when it is left out, of a model of the others."""
    model = scene.result.model
    clocks = [f"{mhz:,.0f}" for mhz in model.clocks["mhz"]]
    lines = (
        ("power", "power per phase, program left out too", SERIES[2]),
        ("energy", "energy, program left out too", SERIES[0]),
        ("moved_energy", "energy of a run, program measured elsewhere", SERIES[4]),
        ("moved_time", "time of a run, program measured elsewhere", SERIES[1]),
    )
    return [
        figure(
            [
                {
                    "type": "bar", "x": clocks, "y": lean(model.clocks[column].to_numpy(dtype=float)), "name": name,
                    "marker": {"color": colour}, "hovertemplate": f"%{{x}} MHz: {name} %{{y:.1%}} off<extra></extra>",
                }
                for column, name, colour in lines
            ],
            title="How far off is a frequency that was left out?",
            subtitle=f"mean over programs of the absolute error; {short(model.target, 24)}",
            height=330,
            legend=True,
            uirevision=uirevision(scene, "power clocks"),
            barmode="group",
            xaxis={"title": "frequency left out, MHz", "type": "category"},
            yaxis={"title": "error", "tickformat": "~%", "rangemode": "tozero"},
        )
    ]  # fmt: skip


def several_clocks(scene: Scene[PowerWhatIf]) -> bool:
    """Whether a frequency can be left out."""
    return len(scene.result.model.clocks) > 1


def clocks_table(scene: Scene[PowerWhatIf]) -> pd.DataFrame | None:
    """Errors by frequency left out."""
    return scene.result.model.clocks.rename(columns=_COLUMNS)


def clocks_caption(scene: Scene[PowerWhatIf]) -> str:
    """What was left out."""
    return (
        "Program left out too: a model of the other programs at the other frequencies, with the events counted at this one. Program "
        "measured elsewhere: time and energy of a run from the same program's runs at the other frequencies, as in the what-if."
    )
