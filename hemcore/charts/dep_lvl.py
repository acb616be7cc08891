"""What dep_lvl keeps: the small picture under its slider."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import QUIET, SERIES, TEXT
from hemcore.charts.look import made

_SMALL = {"size": 10, "color": QUIET}


def dep_lvl_curve(path: pd.DataFrame, dep_lvl: float) -> go.Figure:
    """HEMs kept, and the smallest eigenvalue of their correlation matrix, at every dep_lvl; a line where the slider stands."""
    traces: list[dict[str, Any]] = []
    layout: dict[str, Any] = {}
    for axis, column, name, colour, domain in (
        ("", "n_kept", "HEMs kept", SERIES[0], [0.6, 0.94]),
        ("2", "smallest_eigenvalue", "smallest eigenvalue", SERIES[2], [0.0, 0.34]),
    ):
        traces.append(
            {
                "type": "scatter",
                "x": path["dep_lvl"].to_numpy(dtype=float),
                "y": path[column].to_numpy(dtype=float),
                "xaxis": f"x{axis}",
                "yaxis": f"y{axis}",
                "mode": "lines",
                "name": name,
                "line": {"color": colour, "shape": "hv"},
                "hovertemplate": f"dep_lvl %{{x:.3f}}<br>{name}: %{{y:.4g}}<extra></extra>",
            }
        )
        layout[f"xaxis{axis}"] = {
            "anchor": f"y{axis}",
            "range": [0, 1.02],
            "tickfont": _SMALL,
            **({"title": "dep_lvl"} if axis else {"matches": "x2", "showticklabels": False}),
        }
        layout[f"yaxis{axis}"] = {"anchor": f"x{axis}", "domain": domain, "nticks": 4, "tickfont": _SMALL, "zeroline": True}
    # What an axis counts stands over it: beside it a small picture has no room.
    words = [
        {"text": text, "x": 0, "y": y, "xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "bottom", "showarrow": False,
         "font": {"size": 11, "color": TEXT}}
        for text, y in (("HEMs kept", 0.95), ("smallest eigenvalue", 0.35))
    ]  # fmt: skip
    here = [
        {"type": "line", "xref": f"x{axis}", "yref": f"y{axis} domain", "x0": dep_lvl, "x1": dep_lvl, "y0": 0, "y1": 1,
         "line": {"color": SERIES[3], "dash": "dash", "width": 1.5}}
        for axis in ("", "2")
    ]  # fmt: skip
    return made(traces, title="What dep_lvl keeps", height=220, annotations=words, shapes=here, dragmode=False, **layout)
