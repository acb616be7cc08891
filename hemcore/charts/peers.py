"""Other searches for change points beside ours."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.look import MUTED, SERIES, TRUTH, finished, plain
from hemcore.charts.segments import MARKS
from hemcore.charts.series import nth, x_at, x_end, x_title
from hemcore.segmentation.runs import RunSamples


def searches(compared: pd.DataFrame, samples: RunSamples, *, unit: str, title: str) -> go.Figure:
    """The change points of each search as ticks in a row of their own; true boundaries on top where the data knows them."""
    rows = [("true boundaries", samples.boundaries)] if samples.boundaries is not None else []
    rows += list(zip(compared["search"].astype(str), compared["change_points"], strict=True))
    figure = go.Figure()
    for number, (name, points) in enumerate(rows):
        if points is None:
            continue
        x = x_at(samples, np.array(points[:: nth(points, MARKS)], dtype=int))
        colour = TRUTH if name == "true boundaries" else SERIES[0] if number <= len(rows) - len(compared) else MUTED
        figure.add_trace(
            go.Scatter(
                x=x, y=np.full(len(x), number), mode="markers", name=plain(name), showlegend=False,
                marker={"symbol": "line-ns", "size": 20, "line": {"width": 2, "color": colour}},
                hovertemplate=f"{plain(name)}: %{{x:,.6~g}}<extra></extra>",
            )
        )  # fmt: skip
    figure.update_yaxes(
        tickvals=list(range(len(rows))), ticktext=[plain(name) for name, _ in rows], range=[len(rows) - 0.4, -0.6], zeroline=False
    )
    ends = np.concatenate([x_at(samples, np.array([0])), x_end(samples, np.array([len(samples.counts)]))])
    figure.update_xaxes(title=x_title(samples, unit), range=ends.tolist(), zeroline=False)
    return finished(figure, title=title, height=130 + 34 * len(rows))
