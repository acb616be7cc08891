"""What fewer subexperiments cost the metrics: the width of their intervals against the number of subexperiments."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import SERIES, TEXT
from hemcore.charts.look import figure, whole_ticks
from hemcore.headline import percent
from hemcore.planning.metric_widths import SAME_RUNS, SAME_TIME
from hemcore.planning.results import MetricWidths

THIS = "this plan"
_LINES = (
    (SAME_RUNS, "same runs each: fewer take less time", SERIES[0], "circle"),
    (SAME_TIME, "same total time: fewer get more runs each", SERIES[3], "diamond"),
)
# Widths differ by this factor from one draw of runs to another.
_NOISE = 0.05


def widths_figures(found: MetricWidths, *, uirevision: str = "") -> list[go.Figure]:
    """Median relative width of the metrics' 80% intervals against subexperiments, a line per way to spend the runs; none without values."""
    if found.rows["width"].isna().all():
        return []
    traces = [_line(found.rows, way, name, colour, symbol) for way, name, colour, symbol in _LINES]
    mine = found.rows[found.rows["plan"] == THIS]
    if len(mine):
        traces.append(
            {
                "type": "scatter",
                "mode": "markers+text",
                "name": THIS,
                "x": mine["subexperiments"].to_numpy(),
                "y": mine["width"].to_numpy(np.float32),
                "marker": {"symbol": "circle-open", "size": 15, "color": TEXT, "line": {"width": 2}},
                "text": ["", *[THIS] * (len(mine) - 1)][: len(mine)],
                "textposition": "top center",
                "textfont": {"color": TEXT, "size": 11},
                "hoverinfo": "skip",
                "showlegend": False,
            }
        )
    most, widest = int(found.rows["subexperiments"].max()), float(found.rows["width"].max())
    return [
        figure(
            traces,
            title="What do fewer subexperiments cost the metrics?",
            subtitle="median width of their 80% intervals, as a fraction of the value; lower is better",
            height=340,
            uirevision=uirevision,
            legend=True,
            xaxis={"title": "subexperiments", "range": [0, most * 1.1 + 0.5], **whole_ticks(most * 1.1)},
            yaxis={"title": "width of the interval", "range": [0, widest * 1.15], "tickformat": "~%"},
        )
    ]


def widths_table(found: MetricWidths) -> pd.DataFrame:
    """One row per plan and way to spend the runs."""
    return found.rows.assign(width=found.rows["width"].round(4))


def widths_caption(found: MetricWidths) -> str:
    """What reading each event once costs, or gains, against every pair in a metric; and what it rests on."""
    rows = found.rows[(found.rows["plan"] != THIS) & found.rows["width"].notna()]
    if found.typical:
        n = len(found.typical)
        basis = f"{n:,} of {found.n_hems:,} events have typical variation, since the pilot did not read them."
    else:
        basis = f"Drawn from the pilot's runs, {found.runs:,} per subexperiment."
    by_runs, by_time = (rows[rows["runs are"] == way].sort_values("subexperiments") for way in (SAME_RUNS, SAME_TIME))
    if len(by_runs) < 2:
        return f"Reading each event once takes as many subexperiments as reading every pair in a metric. {basis}"
    few, many = by_runs.iloc[0], by_runs.iloc[-1]
    change = by_time["width"].iloc[0] / by_time["width"].iloc[-1] - 1
    if abs(change) <= _NOISE:
        same = "as wide in the same total time"
    else:
        same = f"{percent(abs(change))} {'wider' if change > 0 else 'narrower'} in the same total time"
    return (
        f"{few['subexperiments']:,} subexperiments instead of {many['subexperiments']:,}: intervals of {percent(few['width'], 1)}"
        f" instead of {percent(many['width'], 1)} with the same runs each, {same}. {_mine(found.rows, many['width'])}{basis}"
    )


def _mine(rows: pd.DataFrame, full: float) -> str:
    """Why the plan that is shown is off the curve, where it is; ends with a space."""
    mine = rows.loc[(rows["plan"] == THIS) & (rows["runs are"] == SAME_RUNS), "width"].dropna()
    if mine.empty or mine.iloc[0] <= (1 + _NOISE) * full:
        return ""
    return f"This plan: {percent(mine.iloc[0], 1)}; the plans on the curve read one HEM in every subexperiment, which narrows intervals. "


def _line(rows: pd.DataFrame, way: str, name: str, colour: str, symbol: str) -> dict[str, object]:
    mine = rows[(rows["runs are"] == way) & (rows["plan"] != THIS)].sort_values("subexperiments")
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": name,
        "x": mine["subexperiments"].to_numpy(),
        "y": mine["width"].to_numpy(np.float32),
        "line": {"color": colour, "width": 2},
        "marker": {"symbol": symbol, "size": 9, "color": colour},
        "customdata": [
            f"<b>{row['plan']}</b><br>{row['subexperiments']:,} subexperiments x {row['runs']:,} runs<br>"
            f"{row['whole metrics']:,} metrics whole"
            for row in mine.to_dict("records")
        ],
        "hovertemplate": "%{customdata}<br>width %{y:.1%}<extra></extra>",
    }
