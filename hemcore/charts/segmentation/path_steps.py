"""Chart of a run's threshold path: the result at each threshold."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import BAND, QUIET, SERIES, TEXT
from hemcore.charts.look import figure, legend_line, tick_texts
from hemcore.headline import amount
from hemcore.segmentation.results import RunPath
from hemcore.segmentation.search.thresholds import OptimalThreshold


def threshold_path(
    path: RunPath,
    optimal: OptimalThreshold,
    runs: Sequence[int],
    *,
    chosen: float,
    bounds: tuple[int, int],
    title: str,
    subtitle: str = "",
    uirevision: str = "",
) -> go.Figure:
    """Change points and residual against the threshold, with the bounds as a band, and primary, Algorithm 1's and chosen thresholds.

    The point in the middle of each step carries its threshold as customdata, so that a click can choose it.
    """
    steps = path.path.intervals
    middle = np.sqrt(steps["threshold_from"].to_numpy() * steps["threshold_to"].to_numpy())
    reaches = _reaches(steps)
    traces: list[dict[str, object]] = []
    for axis, column, name in (("", "n_change_points", "change points"), ("2", "residual", "residual error")):
        places = {"xaxis": f"x{axis}", "yaxis": f"y{axis}"}
        traces.append(_steps(steps, column, name) | places)
        traces.append(
            {
                "type": "scatter",
                "x": middle,
                "y": steps[column].to_numpy(),
                "mode": "markers",
                "marker": {"color": SERIES[0], "size": 6},
                "showlegend": False,
                "name": name,
                "customdata": middle,
                "text": reaches,
                "hovertemplate": f"%{{text}}<br>{name}: %{{y:,.6~r}}<extra></extra>",
                **places,
            }
        )
    counts = optimal.per_run["threshold"].value_counts().sort_index()
    traces.append(
        {
            "type": "scatter",
            "x": counts.index.to_numpy(),
            "y": np.zeros(len(counts)),
            "mode": "markers+text",
            "text": [f"{n}" for n in counts],
            "hovertext": [f"{n} run{'' if n == 1 else 's'}" for n in counts],
            "textposition": "top right",
            "textfont": {"size": 10, "color": TEXT},
            "marker": {"symbol": "triangle-up", "size": 9, "color": SERIES[2]},
            "name": "each run's own threshold (number of runs)",
            "customdata": [_runs_at(each, runs, optimal) for each in counts.index],
            "hovertemplate": "own threshold %{x}: %{hovertext}<br>%{customdata}<extra></extra>",
            "cliponaxis": False,
        }
    )
    square = {"symbol": "square", "size": 12, "color": BAND, "line": {"color": QUIET, "width": 1}}
    traces.append(legend_line("allowed numbers of change points", BAND, "solid") | {"mode": "markers", "marker": square})
    same = chosen == optimal.threshold
    traces.append(legend_line("Algorithm 1's threshold, chosen" if same else "Algorithm 1's threshold", SERIES[4], "dash"))
    if not same:
        traces.append(legend_line("chosen threshold", SERIES[3], "solid"))
    across = _threshold_axis(steps, (1, 2, 5))
    return figure(
        traces,
        title=title,
        subtitle=subtitle,
        height=420,
        uirevision=uirevision,
        legend=True,
        xaxis=across | {"anchor": "y", "matches": "x2", "showticklabels": False},
        xaxis2=across | {"anchor": "y2", "title": "threshold"},
        yaxis=_counting_axis(steps, bounds) | {"title": "change points", "domain": [0.53, 1], "anchor": "x"},
        yaxis2={"title": "residual error (axis not from 0)", "domain": [0, 0.47], "anchor": "x2"},
        shapes=[_band(bounds, "x domain"), *_threshold_lines(optimal, chosen, "y domain"), *_threshold_lines(optimal, chosen, "y2 domain")],
    )


def _steps(steps: pd.DataFrame, column: str, name: str) -> dict[str, object]:
    return {
        "type": "scatter",
        "x": np.append(steps["threshold_from"].to_numpy(), steps["threshold_to"].iloc[-1]),
        "y": np.append(steps[column].to_numpy(), steps[column].iloc[-1]),
        "mode": "lines",
        "line": {"color": SERIES[0], "shape": "hv"},
        "name": name,
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _threshold_axis(steps: pd.DataFrame, digits: tuple[int, ...]) -> dict[str, object]:
    ends = [steps["threshold_from"].iloc[0] * 0.9, steps["threshold_to"].iloc[-1] * 1.1]
    ticks = [digit * 10**power for power in range(7) for digit in digits if digit * 10**power <= ends[1]]
    return {"type": "log", "tickvals": ticks, "ticktext": tick_texts(ticks), "range": np.log10(ends).tolist()}


def _counting_axis(steps: pd.DataFrame, bounds: tuple[int, int]) -> dict[str, object]:
    most = max(int(steps["n_change_points"].max()), bounds[1], 1)
    return {"range": [-0.06 * most, 1.06 * most]}


def _band(bounds: tuple[int, int], across: str) -> dict[str, object]:
    return {"type": "rect", "xref": across, "x0": 0, "x1": 1, "y0": bounds[0], "y1": bounds[1], "fillcolor": BAND, "line": {"width": 0}}


def _threshold_lines(optimal: OptimalThreshold, chosen: float, along: str) -> list[dict[str, object]]:
    axis = "x" if along == "y domain" else "x2"
    lines = [(float(optimal.threshold), {"color": SERIES[4], "dash": "dash", "width": 2})]
    if chosen != optimal.threshold:
        lines.append((chosen, {"color": SERIES[3], "width": 1.5}))
    return [{"type": "line", "xref": axis, "yref": along, "x0": x, "x1": x, "y0": 0, "y1": 1, "line": line} for x, line in lines]


def _reaches(steps: pd.DataFrame) -> list[str]:
    return [
        f"threshold {amount(low, 4)} to {amount(high, 4)}" for low, high in zip(steps["threshold_from"], steps["threshold_to"], strict=True)
    ]


def _runs_at(threshold: int, runs: Sequence[int], optimal: OptimalThreshold) -> str:
    text = "run " + ", ".join(str(run) for run, own in zip(runs, optimal.per_run["threshold"], strict=True) if own == threshold)
    return text if len(text) <= 60 else f"{text[:57]}..."
