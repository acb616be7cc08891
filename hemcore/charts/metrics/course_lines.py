"""Metrics over time: one as a line with its segments, and level 1 of the tree stacked over the same axis."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from hemcore.charts.colours import BAND, SERIES, TEXT
from hemcore.charts.look import Layout, figure, plain, short
from hemcore.charts.picture import Scene
from hemcore.charts.series import POINTS, area, boxes, corners, levels, reduced
from hemcore.headline import counted_noun, percent
from hemcore.metrics.results import MetricCourse, MetricRows

_SHOWN = 800  # segments
_BINS = 160  # of the stack
Floats = NDArray[np.float64]


def course_figures(scene: Scene[MetricRows]) -> list[go.Figure]:
    """The line of the chosen metric, and the stack where level 1 has at least two metrics with a value; none without any value."""
    found: MetricCourse = scene.more
    if found is None or not found.course["value"].notna().any():
        return []
    return [_line(scene, found), *_stack(scene, found)]


def course_caption(scene: Scene[MetricRows]) -> str:
    """How many segments, how they were found, and what is missing."""
    found: MetricCourse = scene.more
    if found is None or not found.course["value"].notna().any():
        return "" if found is None else f"{found.metric} has no value in this run."
    gaps = int(found.course["value"].isna().sum())
    parts = [found.why or f"{counted_noun(len(found.segments), 'segment')}. {found.chosen_by}"]
    if gaps:
        parts.append(f"{counted_noun(gaps, 'interval')} of {len(found.course):,} without a value: gaps.")
    if len(found.course) > POINTS:
        parts.append("The line shows the lowest and highest value of each bin.")
    return " ".join(parts)


def course_table(scene: Scene[MetricRows]) -> pd.DataFrame | None:
    """The segments, in the metric's unit."""
    found: MetricCourse = scene.more
    if found is None or found.segments.empty:
        return None
    scale, unit = _unit(scene, found.metric)
    named = f", {unit}" if unit else ""
    shown = found.segments.assign(mean=found.segments["mean"] * scale, deviation=found.segments["deviation"] * scale)
    axis = ", s" if found.in_seconds else ""
    return shown.rename(columns={"begin": f"start{axis}", "end": f"stop{axis}", "mean": f"mean{named}", "deviation": f"std{named}"})


def _unit(scene: Scene[MetricRows], metric: str) -> tuple[float, str]:
    about = scene.result.about
    row = about[about["metric"] == metric]
    return (float(row["scale"].iloc[0]), str(row["unit"].iloc[0])) if len(row) else (1.0, "")


def _axis(found: MetricCourse, unit: str) -> Layout:
    """The same of both pictures, so that one stands under the other."""
    each = "" if unit == "interval" else f" ({plain(unit)} each)"
    first, last = found.course["begin"].iloc[0], found.course["end"].iloc[-1]
    return {"title": "time in the run, s" if found.in_seconds else f"interval of the run{each}", "showgrid": False, "range": [first, last]}


def _line(scene: Scene[MetricRows], found: MetricCourse) -> go.Figure:
    scale, unit = _unit(scene, found.metric)
    x, y = _points(found.course["begin"].to_numpy(), found.course["value"].to_numpy() * scale)
    segments = found.segments.head(_SHOWN)
    begin, end, mean = (segments[name].to_numpy(dtype=float) for name in ("begin", "end", "mean"))
    low, high = float(np.nanmin(y)), float(np.nanmax(y))
    room = 0.06 * (high - low) or max(abs(high) * 0.1, 1e-9)
    low, high = (0.0 if 0 <= low <= 0.6 * high else low - room), high + room
    second = slice(1, None, 2)
    n = len(begin[second])
    lines = levels(begin, end, mean * scale, mean * scale)
    traces = [
        boxes(begin[second], end[second], np.full(n, low), np.full(n, high), BAND, ""),
        _trace(x, y, short(found.metric, 40), SERIES[0], 1.4),
        _trace(*lines, "mean of the segment", SERIES[1], 3),
    ]
    return figure(
        traces,
        title="Which phases does the metric show?" if len(found.course) > 1 else "How high is the metric?",
        subtitle=f"{found.metric}; run {found.run} of {found.application}",
        height=145,
        uirevision=f"{scene.question.dataset}|course|{plain(found.application)}|{found.run}|{plain(found.metric)}",
        legend=True,
        sides=(66, 70),
        hovermode="x",
        xaxis=_axis(found, scene.table.interval_unit),
        yaxis={"title": f"{short(found.metric, 26)}{f', {short(unit, 18)}' if unit else ''}", "range": [low, high]},
    )


def _trace(x: Floats, y: NDArray, name: str, colour: str, width: float) -> Layout:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": x,
        "y": y.astype(np.float32),
        "name": name,
        "line": {"color": colour, "width": width},
        "hovertemplate": "%{y:,.4~g}<extra>%{fullData.name}</extra>",
    }


def _points(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """The points of the line with a break at every gap; above 3,000 the extremes of bins, and breaks over gaps longer than a bin."""
    if len(y) <= POINTS:
        return x, y
    known = np.flatnonzero(np.isfinite(y))
    places, values = reduced(y[known])
    where = known[places]
    missing = np.concatenate([[0], np.cumsum(np.diff(known) > max(1, len(known) // (POINTS // 2)))])
    breaks = np.flatnonzero(np.diff(missing[places]) > 0) + 1
    return np.insert(x[where].astype(float), breaks, np.nan), np.insert(values, breaks, np.nan)


def shares_over_time(scene: Scene[MetricRows], found: MetricCourse) -> pd.DataFrame:
    """Level 1 of the tree in at most 160 bins of successive intervals: begin, end, then a column of mean shares per metric.

    NaN where an interval of the bin lacks one of them. Empty with fewer than two such metrics.
    """
    about, rows = scene.result.about, scene.result.rows
    rows = rows[(rows["application"] == found.application) & (rows["run"] == found.run)]
    top = about[about["level"] == 1]
    top = top[[bool(rows[name].notna().any()) for name in top["metric"]]]
    if len(top) < 2:
        return pd.DataFrame()
    to_share = np.where(top["unit"] == "%", top["scale"] / 100, 1.0)
    shares = (rows[top["metric"].tolist()] * to_share).reset_index(drop=True)
    shares[shares.isna().any(axis=1)] = np.nan
    n = len(shares)
    part = np.arange(n) * min(n, _BINS) // n
    ends = found.course[["begin", "end"]].groupby(part).agg({"begin": "first", "end": "last"})
    means = shares.groupby(part).mean()
    means[shares.isna().any(axis=1).groupby(part).any()] = np.nan
    return pd.concat([ends, means], axis=1)


def _stack(scene: Scene[MetricRows], found: MetricCourse) -> list[go.Figure]:
    shares = shares_over_time(scene, found)
    if shares.empty or not shares.iloc[:, 2:].notna().any(axis=None):
        return []
    names = [str(name) for name in shares.columns[2:]]
    parts = shares[names].to_numpy(dtype=float).clip(min=0)
    known = np.isfinite(parts).all(axis=1)
    begin, end = shares["begin"].to_numpy()[known], shares["end"].to_numpy()[known]
    tops = np.cumsum(parts[known], axis=1)
    traces = []
    for place, name in enumerate(names):
        below = tops[:, place - 1] if place else np.zeros(len(tops))
        traces.append(area(*corners(begin, end, below, tops[:, place]), SERIES[place % len(SERIES)], short(name, 30)))
    hovers = [
        "<br>".join(f"{plain(name[:60])}: {percent(share, 1)}" for name, share in zip(names, row, strict=True)) for row in parts[known]
    ]
    traces.append(
        {
            "type": "scatter",
            "mode": "markers",
            "x": (begin + end) / 2,
            "y": tops[:, -1] / 2,
            "marker": {"size": 10, "opacity": 0, "color": TEXT},
            "text": hovers,
            "hovertemplate": "%{text}<extra></extra>",
            "showlegend": False,
        }
    )
    whole = max(1.0, float(tops[:, -1].max()))
    return [
        figure(
            traces,
            title="What is the bottleneck over time?",
            subtitle="level 1 of the tree, stacked; gaps where an event was not counted",
            height=145,
            uirevision=f"{scene.question.dataset}|stack|{plain(found.application)}|{found.run}",
            legend=True,
            sides=(66, 70),
            hovermode="x",
            xaxis=_axis(found, scene.table.interval_unit),
            yaxis={"title": "share of the whole", "tickformat": "~%", "range": [0, whole]},
        )
    ]
