"""Correlation matrices as heatmaps whose cells can be clicked."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.look import CORRELATION_SCALE, DIFFERENCE_SCALE, finished, plain, short

_TEXT_UP_TO = 16
_LEAST_DIFFERENCE = 0.02  # differences below it shall look as small as they are


def correlation_heatmap(
    matrix: pd.DataFrame,
    *,
    title: str,
    readings: pd.DataFrame | None = None,
    difference: bool = False,
    limit: float | None = None,
    height: int | None = None,
) -> go.Figure:
    """A square heatmap of `matrix` (HEMs x HEMs; NaN = unknown, left blank).

    readings: how many readings stand behind each pair (0 = never read together), for the hover.
    difference: the matrix is a difference of correlations: another colour scale, symmetric to `limit` (default: the largest |value|,
        at least 0.02).
    Correlations are always coloured from -1 to 1. Over the cells lies a transparent scatter, because a heatmap reports no clicks;
    its customdata are the two HEMs' names.
    """
    names = [str(name) for name in matrix.index]
    values = matrix.to_numpy(dtype=float)
    largest = float(np.nanmax(np.abs(values))) if np.isfinite(values).any() else 0.0
    bound = (limit or max(largest, _LEAST_DIFFERENCE)) if difference else 1.0
    positions = np.arange(len(names))
    across, down = (grid.ravel() for grid in np.meshgrid(positions, positions))
    figure = go.Figure(
        go.Heatmap(
            z=values.astype(np.float32),
            x=positions,
            y=positions,
            zmin=-bound,
            zmax=bound,
            colorscale=DIFFERENCE_SCALE if difference else CORRELATION_SCALE,
            colorbar={"thickness": 8, "len": 0.8, "tickformat": ".3~f", "nticks": 5, "xpad": 4},
            texttemplate="%{text}" if len(names) <= _TEXT_UP_TO else None,
            text=[["" if np.isnan(value) else _number(value, difference) for value in row] for row in values],
            textfont={"size": 9},
            hoverinfo="skip",
            xgap=1,
            ygap=1,
        )
    )
    figure.add_trace(
        go.Scatter(
            x=across,
            y=down,
            mode="markers",
            marker={"size": max(6, min(34, 420 // max(1, len(names)))), "symbol": "square", "opacity": 0},
            customdata=np.array([[names[row], names[column]] for row, column in zip(down, across, strict=True)], dtype=object),
            text=[
                _hover(names, values, readings, row, column, difference) for row, column in zip(down.tolist(), across.tolist(), strict=True)
            ],
            hovertemplate="%{text}<extra></extra>",
            showlegend=False,
        )
    )
    ticks = {"tickvals": positions, "ticktext": [short(name) for name in names], "showgrid": False, "zeroline": False}
    edge = [-0.5, len(names) - 0.5]
    figure.update_xaxes(**ticks, tickangle=-45, range=edge)
    figure.update_yaxes(**ticks, range=edge[::-1])
    return finished(figure, title=title, height=height or min(760, max(380, 200 + 26 * len(names))))


def _number(value: float, difference: bool) -> str:
    if difference:
        return f"{value:+.3f}".replace("0.", ".", 1) if abs(value) >= 0.0005 else "0"
    return f"{value:.2f}".replace("0.", ".", 1)


def _hover(names: list[str], values: np.ndarray, readings: pd.DataFrame | None, row: int, column: int, difference: bool) -> str:
    value = values[row, column]
    shown = "not known" if np.isnan(value) else f"{value:+.4f}"
    lines = [f"<b>{plain(names[row])}</b>", f"<b>{plain(names[column])}</b>", f"{'Δr' if difference else 'r'} = {shown}"]
    if readings is not None and row != column:
        n = readings.to_numpy()[row, column]
        known = "left out of this merge" if np.isnan(n) else "never read together"
        lines.append(f"{n:,.0f} readings behind the pair, read together" if n > 0 else known)
    return "<br>".join(lines)
