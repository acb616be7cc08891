"""Energy, time and power of a run against the frequency, with what was measured and what was asked for."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import SERIES, TEXT, faint
from hemcore.charts.look import Layout, figure, short
from hemcore.charts.picture import Scene
from hemcore.charts.point_groups import lean
from hemcore.charts.prediction.view import uirevision
from hemcore.headline import amount, percent
from hemcore.prediction.power.another_frequency import PowerWhatIf
from hemcore.prediction.power.left_out_power import PROMISED
from hemcore.prediction.power.power_headline import watts_verdict

# Column of the curve, title with the unit, and colour.
_PANELS = (("joules", "energy, J", SERIES[0]), ("seconds", "time, s", SERIES[1]), ("watts", "power, W", SERIES[2]))
_DOMAINS = ([0.5, 1.0], [0.26, 0.43], [0.0, 0.17])


def draw(scene: Scene[PowerWhatIf]) -> list[go.Figure]:
    """Three curves over the measured frequencies, one above the other; none if no frequency was measured."""
    found = scene.result
    if not len(found.curve):
        return []
    measured = found.model.measured[found.model.measured["program"] == found.program]
    traces: list[Layout] = []
    axes: Layout = {}
    for number, (column, title, colour) in enumerate(_PANELS):
        suffix = "" if number == 0 else str(number + 1)
        place = {"xaxis": "x", "yaxis": f"y{suffix}"}
        if column == "joules" and found.curve["low"].notna().all():
            mhz, low, top = (found.curve[name].to_numpy(dtype=float) for name in ("mhz", "low", "high"))
            traces.append(
                {
                    "type": "scatter", "x": lean(np.concatenate([mhz, mhz[::-1]])), "y": lean(np.concatenate([top, low[::-1]])),
                    "fill": "toself", "fillcolor": faint(colour, 0.35), "line": {"width": 0}, "hoverinfo": "skip", "mode": "lines",
                    "name": f"{percent(PROMISED)} interval", **place,
                }
            )  # fmt: skip
        traces.append(
            {
                "type": "scatter", "mode": "lines", "x": lean(found.curve["mhz"].to_numpy()), "y": lean(found.curve[column].to_numpy()),
                "line": {"color": colour, "width": 2}, "name": f"predicted {title.partition(',')[0]}", "showlegend": False,
                "hovertemplate": f"%{{x:,.0f}} MHz: %{{y:,.4~r}} {title.rpartition(' ')[2]}<extra></extra>", **place,
            }
        )  # fmt: skip
        traces.append(
            {
                "type": "scatter", "mode": "markers", "x": lean(measured["mhz"].to_numpy()), "y": lean(measured[column].to_numpy()),
                "marker": {"color": TEXT, "size": 8, "symbol": "circle-open", "line": {"width": 2}}, "name": "measured",
                "showlegend": number == 0,
                "hovertemplate": f"measured, %{{x:,.0f}} MHz: %{{y:,.4~r}} {title.rpartition(' ')[2]}<extra></extra>", **place,
            }
        )  # fmt: skip
        value = {"joules": found.changed.joules, "seconds": found.changed.seconds, "watts": found.changed.watts}[column]
        traces.append(
            {
                "type": "scatter", "mode": "markers", "x": [found.changed.ghz * 1e3], "y": [value], "name": "what you asked for",
                "marker": {"color": SERIES[3], "size": 12, "symbol": "diamond"}, "showlegend": number == 0,
                "hovertemplate": f"%{{x:,.0f}} MHz: %{{y:,.4~r}} {title.rpartition(' ')[2]}<extra></extra>", **place,
            }
        )  # fmt: skip
        axes[f"yaxis{suffix}"] = {"title": title, "domain": _DOMAINS[number], "rangemode": "tozero", "nticks": 5}
    far = ": an extrapolation" if found.outside else ""
    return [
        figure(
            traces,
            title=f"What would {short(found.program, 24)} take at another frequency{far}?",
            subtitle=f"one run; {short(found.model.target, 24)}, voltage as measured at each frequency",
            height=380,
            legend=True,
            uirevision=uirevision(scene, "frequency", found.program),
            xaxis={"title": "frequency, MHz", "anchor": "y3"},
            **axes,
        )
    ]


def table(scene: Scene[PowerWhatIf]) -> pd.DataFrame | None:
    """The measured and the changed run."""
    return scene.result.summary


def caption(scene: Scene[PowerWhatIf]) -> str:
    """The change with its interval, and what else the reader must know."""
    found = scene.result
    edp = f" EDP {amount(found.changed.edp)} J s."
    best = found.curve.loc[[int(found.curve["edp"].to_numpy().argmin())], "mhz"].iloc[0] if len(found.curve) else float("nan")
    lowest = f" The lowest EDP of the curve is at {best:,.0f} MHz." if np.isfinite(best) else ""
    return f"{watts_verdict(found).text}{edp}{lowest}"
