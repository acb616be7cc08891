"""Chart of our change points and those of other searches."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import MUTED, SERIES, TRUTH
from hemcore.charts.look import figure, plain, short
from hemcore.charts.segmentation.run_stack import MARKS
from hemcore.charts.series import nth, x_at, x_end, x_title
from hemcore.segmentation.event_runs import RunSamples


def searches(compared: pd.DataFrame, samples: RunSamples, *, unit: str, title: str, subtitle: str = "", uirevision: str = "") -> go.Figure:
    """The change points of each search as ticks, one row per search; true boundaries on top if the data has them."""
    rows = [("true boundaries", samples.boundaries)] if samples.boundaries is not None else []
    ours = len(rows)
    rows += list(zip(compared["search"].astype(str), compared["change_points"], strict=True))
    traces = []
    for number, (name, points) in enumerate(rows):
        if points is None:
            continue
        x = x_at(samples, np.array(points[:: nth(points, MARKS)], dtype=int))
        colour = TRUTH if number < ours else SERIES[0] if number == ours else MUTED
        traces.append(
            {
                "type": "scatter",
                "x": x,
                "y": np.full(len(x), number, dtype=np.int16),
                "mode": "markers",
                "name": plain(name),
                "marker": {"symbol": "line-ns", "size": 20, "line": {"width": 2, "color": colour}},
                "hovertemplate": f"{plain(name)}: %{{x:,.6~r}}<extra></extra>",
            }
        )
    ends = np.concatenate([x_at(samples, np.array([0])), x_end(samples, np.array([len(samples.counts)]))])
    return figure(
        traces,
        title=title,
        subtitle=subtitle,
        height=80 + 34 * len(rows),
        uirevision=uirevision,
        xaxis={"title": x_title(samples, unit), "range": ends.tolist()},
        yaxis={"tickvals": list(range(len(rows))), "ticktext": [short(name, 32) for name, _ in rows], "range": [len(rows) - 0.4, -0.6]},
    )
