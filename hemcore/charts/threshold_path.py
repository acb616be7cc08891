"""The threshold path of a run: what each threshold would find."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from hemcore.charts.look import SERIES, TOP_LEGEND, finished, legend_line
from hemcore.segmentation.report import RunPath
from hemcore.segmentation.thresholds import OptimalThreshold

_BAND = "rgba(124, 138, 151, 0.16)"


def threshold_path(
    path: RunPath,
    optimal: OptimalThreshold,
    runs: Sequence[int],
    *,
    chosen: float,
    bounds: tuple[int, int],
    title: str,
    small: bool = False,
) -> go.Figure:
    """Change points and residual against the threshold; the bounds as a band; primary thresholds, the optimal and the chosen one.

    Points in the middle of each step carry the threshold as customdata, so that a click can choose it.
    """
    steps = path.path.intervals
    middle = np.sqrt(steps["threshold_from"].to_numpy() * steps["threshold_to"].to_numpy())
    figure = make_subplots(rows=1 if small else 2, cols=1, shared_xaxes=True, vertical_spacing=0.07)
    x = np.append(steps["threshold_from"].to_numpy(), steps["threshold_to"].iloc[-1])
    for row, (column, name) in enumerate((("n_change_points", "change points"), ("residual", "residual error")), 1):
        if small and row > 1:
            break
        values = steps[column].to_numpy()
        figure.add_trace(
            go.Scatter(x=x, y=np.append(values, values[-1]), mode="lines", line={"color": SERIES[0], "shape": "hv"}, name=name,
                       hoverinfo="skip", showlegend=False),
            row=row, col=1,
        )  # fmt: skip
        figure.add_trace(
            go.Scatter(
                x=middle, y=values, mode="markers", marker={"color": SERIES[0], "size": 6 if not small else 4}, showlegend=False, name=name,
                customdata=middle,
                text=_reaches(steps),
                hovertemplate=f"%{{text}}<br>{name}: %{{y:,.6~g}}<extra></extra>",
            ),
            row=row, col=1,
        )  # fmt: skip
        figure.update_yaxes(title={"text": name, "font": {"size": 10 if small else 12}}, row=row, col=1)
        if chosen != optimal.threshold:
            figure.add_vline(x=chosen, line={"color": SERIES[3], "width": 1.5}, row=row, col=1)
        figure.add_vline(x=optimal.threshold, line={"color": SERIES[4], "dash": "dash", "width": 2}, row=row, col=1)
    figure.add_hrect(y0=bounds[0], y1=bounds[1], fillcolor=_BAND, line_width=0, row=1, col=1)
    if not small:
        counts = optimal.per_run["threshold"].value_counts().sort_index()
        whose = [_runs_at(each, runs, optimal) for each in counts.index]
        figure.add_trace(
            go.Scatter(
                x=counts.index, y=np.zeros(len(counts)), mode="markers+text", text=[f"{n}" for n in counts], textposition="top right",
                marker={"symbol": "triangle-up", "size": 9, "color": SERIES[2]}, name="primary thresholds (runs)",
                customdata=whose,
                hovertemplate="primary threshold %{x}: %{text} run(s)<br>%{customdata}<extra></extra>", cliponaxis=False,
            ),
            row=1, col=1,
        )  # fmt: skip
        at_optimal = chosen == optimal.threshold
        figure.add_trace(
            legend_line("optimal and chosen threshold" if at_optimal else "optimal threshold", SERIES[4], "dash"), row=1, col=1
        )
        if not at_optimal:
            figure.add_trace(legend_line("chosen threshold", SERIES[3], "solid"), row=1, col=1)
    ticks = [digit * 10**power for power in range(7) for digit in ((1, 10) if small else (1, 2, 5))]
    figure.update_xaxes(
        type="log", tickvals=ticks, ticktext=[f"{tick:,}" for tick in ticks], range=np.log10([x[0] * 0.9, x[-1] * 1.1]).tolist()
    )
    figure.update_xaxes(title={"text": "threshold", "font": {"size": 10 if small else 12}}, row=1 if small else 2, col=1)
    most = max(int(steps["n_change_points"].max()), bounds[1])
    figure.update_yaxes(range=[-0.06 * most, 1.06 * most], zeroline=False, row=1, col=1)
    if small:
        figure.update_layout(dragmode=False)
        return finished(figure, title=title, height=210)
    return finished(figure, title=title, height=520, legend=TOP_LEGEND)


def _reaches(steps: pd.DataFrame) -> list[str]:
    return [f"threshold {low:.4g} to {high:.4g}" for low, high in zip(steps["threshold_from"], steps["threshold_to"], strict=True)]


def _runs_at(threshold: int, runs: Sequence[int], optimal: OptimalThreshold) -> str:
    words = "run " + ", ".join(str(run) for run, own in zip(runs, optimal.per_run["threshold"], strict=True) if own == threshold)
    return words if len(words) <= 60 else f"{words[:57]}..."
