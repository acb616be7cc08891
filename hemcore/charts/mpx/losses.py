"""The loss curve of a training, while it runs and afterwards."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import SERIES
from hemcore.charts.look import figure, plain


def draw(losses: pd.DataFrame, *, key: str) -> go.Figure:
    """One line per loss against the step, both axes as they are; of networks an event, those of the event that is trained now.

    losses: as learned.losses.losses_of gives them, at least one row. key: what makes it the curve of another training.
    """
    of = str(losses["of"].iloc[-1])
    own = losses[losses["of"] == of]
    traces = []
    for number, (name, rows) in enumerate(own.groupby("loss", sort=False)):
        traces.append(
            {
                "type": "scatter",
                "x": rows["step"].to_numpy(),
                "y": rows["value"].to_numpy(dtype=np.float32),
                "mode": "lines",
                "name": plain(str(name)),
                "line": {"color": SERIES[number % len(SERIES)], "width": 2},
                "hovertemplate": f"{plain(str(name))} %{{y:.4f}}<extra></extra>",
            }
        )
    return figure(
        traces,
        title="Does it still learn?",
        height=170,
        legend=True,
        uirevision=key,
        xaxis={"title": plain(of), "showgrid": False},
        yaxis={"title": "loss", "rangemode": "tozero"},
    )
