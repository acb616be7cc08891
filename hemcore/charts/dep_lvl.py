"""What dep_lvl keeps: the small picture under its slider."""

import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from hemcore.charts.look import MUTED, SERIES, finished


def dep_lvl_curve(path: pd.DataFrame, dep_lvl: float) -> go.Figure:
    """HEMs kept, and the smallest eigenvalue of their correlation matrix, at every dep_lvl; a line where the slider stands."""
    figure = make_subplots(rows=2, cols=1, shared_xaxes=True, vertical_spacing=0.1)
    for row, (column, name, colour) in enumerate(
        (("n_kept", "HEMs kept", SERIES[0]), ("smallest_eigenvalue", "smallest eigenvalue", SERIES[1])), 1
    ):
        figure.add_trace(
            go.Scatter(
                x=path["dep_lvl"],
                y=path[column],
                name=name,
                line={"color": colour, "shape": "hv"},
                hovertemplate=f"dep_lvl %{{x:.3f}}<br>{name}: %{{y:.4g}}<extra></extra>",
                showlegend=False,
            ),
            row=row,
            col=1,
        )
        figure.update_yaxes(title={"text": name, "font": {"size": 10}}, nticks=4, row=row, col=1)
    figure.add_vline(x=dep_lvl, line={"color": SERIES[3], "dash": "dash", "width": 1.5})
    figure.add_hline(y=0, line={"color": MUTED, "width": 1}, row=2, col=1)
    figure.update_xaxes(title={"text": "dep_lvl", "font": {"size": 10}}, range=[0, 1.02], row=2, col=1)
    figure.update_layout(dragmode=False)
    return finished(figure, title="What dep_lvl keeps", height=260)
