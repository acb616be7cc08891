"""Chart of the segments of every run, one row per run."""

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from hemcore.charts.colours import QUIET, TEXT, TRUTH, sequential
from hemcore.charts.look import colour_bar, figure, number_form, short
from hemcore.charts.series import nth, x_at, x_end, x_title
from hemcore.segmentation.results import RunsAtThreshold

MARKS = 4_000
_COLUMNS = 600
_CELLS = 24_000
_SAMPLES = 50_000


def all_runs(found: RunsAtThreshold, *, unit: str, title: str, colour: str, subtitle: str = "", uirevision: str = "") -> go.Figure:
    """Every run as a row of its segments, coloured by their mean; ticks mark change points, lines part the groups of runs.

    At most 600 columns and 24,000 cells are drawn. The colour scale covers the 1st to 99th percentile of the counts, so that it does not
    change with the threshold.
    """
    runs = [found.runs[place] for group in found.groups for place in group.places]
    ends = [x_end(each.samples, np.array([len(each.samples.counts)]))[0] for each in runs]
    first = min(float(x_at(each.samples, np.array([0]))[0]) for each in runs)
    columns = min(_COLUMNS, max(1, _CELLS // len(runs)), max(each.samples.n_intervals for each in runs))
    edges = np.linspace(first, max(ends), columns + 1)
    middles = (edges[:-1] + edges[1:]) / 2
    means = np.full((len(runs), columns), np.nan, dtype=np.float32)
    ticks: list[NDArray] = []
    for row, each in enumerate(runs):
        starts = x_at(each.samples, each.models[:, 0].astype(int))
        inside = (middles >= starts[0]) & (middles < ends[row])
        means[row, inside] = each.models[np.searchsorted(starts, middles[inside], side="right") - 1, 3]
        ticks.append(starts[1:])
    counts = np.concatenate([each.samples.counts for each in runs])
    low, high = np.percentile(counts[:: nth(counts, _SAMPLES)], [1, 99])
    form = number_form(float(high))
    seconds = runs[0].samples.edges is not None
    where = "%{x:,.6~r} s" if seconds else "interval %{x:,.0f}"
    numbers = np.array([each.samples.run for each in runs])
    labels = [short(str(each.samples.run), 12) for each in runs]
    traces: list[dict[str, object]] = [
        {
            "type": "heatmap",
            "x": middles.astype(np.float32),
            "y": np.arange(len(runs), dtype=np.int32),
            "z": means,
            "customdata": np.repeat(numbers.astype(np.int16 if numbers.max() < 2**15 else np.float64)[:, None], columns, axis=1),
            "zmin": float(low),
            "zmax": float(high) if high > low else float(low) + 1,
            "colorscale": sequential(colour),
            "colorbar": colour_bar(title={"text": "mean", "font": {"size": 11, "color": TEXT}}),
            "hovertemplate": f"<b>run %{{customdata}}</b>, {where}<br>mean of the segment: %{{z:{form}}}<extra></extra>",
            "ygap": 1 if len(runs) <= 100 else 0,
        },
        _marks(
            ticks,
            "change points",
            "change point",
            {"symbol": "line-ns", "size": max(4, min(14, 480 // len(runs))), "line": {"width": 1.5, "color": TEXT}},
        ),
    ]
    known = [x_at(each.samples, np.array(each.samples.boundaries or (), dtype=int)) for each in runs]
    if any(len(each) for each in known):
        traces.append(_marks(known, "true boundaries of the run", "true boundary", {"symbol": "circle", "size": 4, "color": TRUTH}))
    stops = np.cumsum([len(each.places) for each in found.groups])
    if len(stops) > 1:
        traces.append(_lines(stops[:-1] - 0.5, (first, float(max(ends)))))
    every = nth(runs, 30)
    return figure(
        traces,
        title=title,
        subtitle=subtitle,
        height=max(200, min(700, 90 + 24 * len(runs))),
        uirevision=uirevision,
        legend=True,
        xaxis={"title": x_title(runs[0].samples, unit), "showgrid": False},
        yaxis={
            "title": "run",
            "range": [len(runs) - 0.5, -0.5],
            "tickvals": list(range(0, len(runs), every)),
            "ticktext": labels[::every],
            "showgrid": False,
            "tickfont": {"size": 10, "color": QUIET},
        },
    )


def _lines(rows: NDArray, across: tuple[float, float]) -> dict[str, object]:
    """Lines between the groups."""
    gap = np.full(len(rows), np.nan)
    return {
        "type": "scatter",
        "x": np.column_stack([np.full(len(rows), across[0]), np.full(len(rows), across[1]), gap]).ravel(),
        "y": np.column_stack([rows, rows, gap]).ravel(),
        "mode": "lines",
        "line": {"color": TEXT, "width": 1, "dash": "dot"},
        "name": "another number of phases",
        "hoverinfo": "skip",
    }


def _marks(at: list[NDArray], name: str, one: str, marker: dict[str, object]) -> dict[str, object]:
    x = np.concatenate(at)
    y = np.repeat(np.arange(len(at), dtype=np.int32), [len(each) for each in at])
    every = nth(x, MARKS)
    return {
        "type": "scatter",
        "x": x[::every].astype(np.float32),
        "y": y[::every],
        "mode": "markers",
        "marker": marker,
        "name": name,
        "hovertemplate": f"{one} at %{{x:,.4~r}}<extra></extra>",
    }
