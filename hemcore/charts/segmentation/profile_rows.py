"""Chart of the profile of events: what each of them finds, one row per event."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import BAND, MUTED, SERIES, TRUTH
from hemcore.charts.look import figure, log_axis, plain, short

MOST_EVENTS = 60


def event_profile(
    profile: pd.DataFrame, *, bounds: tuple[int, int], chosen: str = "", subtitle: str = "", uirevision: str = ""
) -> go.Figure:
    """One row per event in the order given, the first on top: recall and precision if the truth is known, otherwise numbers of segments.

    profile: from `profile_events`. bounds: minimum and maximum change points, drawn as a band over numbers of segments. chosen: the event
    in bold. Events pruned by the bounds are marked; those that cannot be segmented have no dot. Only the first 60 events are drawn.
    """
    shown = profile.head(MOST_EVENTS)
    names = [
        f"{'<b>' if event == chosen else ''}{short(str(event), 20)}{'</b>' if event == chosen else ''}{'' if kept_one else ' (pruned)'}"
        for event, kept_one in zip(shown["event"], shown["kept"], strict=True)
    ]
    rows = list(range(len(shown)))
    why = [plain(f"{event}: {why}") for event, why in zip(shown["event"], shown["why"], strict=True)]
    truth = "recall_true" in shown.columns
    if truth:
        traces = [
            _dots(
                100 * shown["recall_true"],
                rows,
                "true boundaries found (recall)",
                TRUTH,
                "circle",
                why,
                "%{x:.0f}% of the true boundaries found",
            ),
            _dots(
                100 * shown["precision_true"],
                rows,
                "change points that are true (precision)",
                SERIES[0],
                "diamond-open",
                why,
                "%{x:.0f}% of its change points are true",
            ),
        ]
        axis: dict[str, object] = {"title": "share in the median run", "range": [-4, 104], "ticksuffix": "%"}
        title = "Which events find the true boundaries?"
    else:
        spread = [value for low, high in zip(shown["fewest_segments"], shown["most_segments"], strict=True) for value in (low, high, None)]
        traces = [
            {
                "type": "scatter",
                "x": spread,
                "y": [row for row in rows for _ in range(3)],
                "mode": "lines",
                "name": "minimum to maximum of the runs",
                "line": {"color": MUTED, "width": 2},
                "hoverinfo": "skip",
            },
            _dots(shown["n_segments"], rows, "segments, median run", SERIES[0], "circle", why, "%{x:g} segments in the median run"),
        ]
        axis = {"title": "segments"} | (log_axis(np.array(spread, dtype=float)) if shown["most_segments"].max() > 100 else {})
        title = "Which events show phases?"
    low, high = (edge + 1 for edge in bounds)
    band = {"type": "rect", "yref": "paper", "y0": 0, "y1": 1, "x0": low, "x1": high, "fillcolor": BAND, "line": {"width": 0}}
    return figure(
        traces,
        title=title,
        subtitle=subtitle,
        height=80 + 24 * len(shown),
        uirevision=uirevision,
        legend=True,
        xaxis=axis,
        yaxis={"tickvals": rows, "ticktext": names, "range": [len(shown) - 0.4, -0.6]},
        shapes=[] if truth else [band],
    )


def _dots(values: pd.Series, rows: list[int], name: str, colour: str, symbol: str, why: list[str], hover: str) -> dict[str, object]:
    return {
        "type": "scatter",
        "x": values.to_numpy(dtype=float),
        "y": rows,
        "mode": "markers",
        "name": name,
        "text": why,
        "marker": {"color": colour, "symbol": symbol, "size": 9},
        "hovertemplate": f"%{{text}}<br>{hover}<extra></extra>",
    }
