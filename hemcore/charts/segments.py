"""Pictures of segments: the curve of a run, and all runs under one another."""

from itertools import pairwise

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from hemcore.charts.look import BAND, MUTED, SERIES, TOP_LEGEND, TRUTH, counted_title, faint, finished, made, plain, short
from hemcore.charts.series import POINTS, boxes, nth, reduced, with_gaps, x_at, x_end, x_title
from hemcore.segmentation.results import RunsAtThreshold, RunSegments, SegmentedRun
from hemcore.segmentation.runs import RunSamples

SEGMENTS = 800
MARKS = 4_000
_COLUMNS = 800
_CELLS = 200_000
_TRUTHS = 1_000
_STAGES = 15


def curve(run: RunSegments, *, event: str, unit: str, colour: str, title: str, baseline: SegmentedRun | None = None) -> go.Figure:
    """The counts of one run, every second segment shaded, each segment's mean with its standard deviation, true boundaries where known.

    Above 4,000 samples the least and the largest of each of 2,000 bins are drawn; above 800 segments none is shaded and those with the
    least and the largest mean of each of 400 bins are drawn.
    """
    samples, models = run.samples, run.models
    traces: list[go.Scatter] = []
    places, values = reduced(samples.counts)
    drawn = np.concatenate([samples.counts, samples.outside_counts])
    lowest, highest = float(drawn.min()), float(drawn.max())
    top = max(highest, float((models[:, 3] + models[:, 4]).max()))
    low, high = (min(0.0, lowest), top * 1.06) if lowest <= 0.6 * highest else (lowest - 0.1 * (top - lowest), top + 0.1 * (top - lowest))
    numbers = reduced(models[:, 3], SEGMENTS)[0]
    shown = models[numbers]
    starts, stops = x_at(samples, shown[:, 0].astype(int)), x_end(samples, shown[:, 1].astype(int))
    if 1 < len(models) <= SEGMENTS:
        left, right = starts[1::2], stops[1::2]
        traces.append(boxes(left, right, np.full(len(left), low), np.full(len(left), high), BAND, ""))
    x, y = x_at(samples, places), values
    sparse = samples.not_counted > len(samples.counts) / 4
    if (samples.not_counted or samples.time_gaps) and not sparse:
        x, y = with_gaps(samples, places, x, y)
    traces.append(
        go.Scatter(
            x=x,
            y=y.astype(np.float32),
            # Between two gaps a single sample has no line.
            mode="markers" if sparse else "lines+markers" if samples.not_counted or len(x) == 1 else "lines",
            name="counts",
            line={"color": colour, "width": 1},
            marker={"color": colour, "size": 4 if sparse or len(x) == 1 else 2},
            opacity=0.75,
            hovertemplate="%{x:,}: %{y:,.0f}<extra></extra>",
        )
    )
    if len(samples.outside):
        traces.append(_trimmed(samples))
    means, deviations = shown[:, 3], shown[:, 4]
    traces.append(
        boxes(starts, stops, np.maximum(means - deviations, low), np.minimum(means + deviations, high), faint(colour), "mean ± std")
    )
    traces.append(
        go.Scatter(
            x=np.stack([starts, stops, np.full(len(starts), np.nan)], axis=1).ravel(),
            y=np.repeat(means, 3),
            mode="lines",
            name="mean of the segment",
            line={"color": colour, "width": 3},
            connectgaps=False,
            text=np.repeat([_model_text(number, row) for number, row in zip(numbers + 1, shown, strict=True)], 3),
            hovertemplate="%{text}<extra></extra>",
        )
    )
    if samples.boundaries is not None:
        traces.append(_truth_lines(samples, low, high))
        if 1 < len(samples.stages) <= _STAGES:
            traces.append(_stage_names(samples, high))
    if baseline is not None:
        traces += _ghost(baseline, low, high, means=baseline.params.event == event)
    return made(
        traces,
        title=title,
        height=430,
        legend=TOP_LEGEND,
        xaxis={"title": {"text": x_title(samples, unit)}, "zeroline": False},
        yaxis={"title": {"text": counted_title(event)}, "range": [low, high], "zeroline": False},
    )


def all_runs(found: RunsAtThreshold, *, unit: str, title: str) -> go.Figure:
    """Every run as a row of its segments, coloured by their mean; ticks where a segment begins."""
    runs = found.runs
    ends = [x_end(each.samples, np.array([len(each.samples.counts)]))[0] for each in runs]
    first = min(float(x_at(each.samples, np.array([0]))[0]) for each in runs)
    columns = min(_COLUMNS, max(1, _CELLS // len(runs)), max(each.samples.n_intervals for each in runs))
    edges = np.linspace(first, max(ends), columns + 1)
    middles = (edges[:-1] + edges[1:]) / 2
    means = np.full((len(runs), columns), np.nan, dtype=np.float32)
    ticks: list[tuple[NDArray, NDArray]] = []
    for row, each in enumerate(runs):
        starts = x_at(each.samples, each.models[:, 0].astype(int))
        inside = (middles >= starts[0]) & (middles < ends[row])
        means[row, inside] = each.models[np.searchsorted(starts, middles[inside], side="right") - 1, 3]
        ticks.append((starts[1:], np.full(len(starts) - 1, row)))
    figure = go.Figure(
        go.Heatmap(
            x=middles,
            y=np.arange(len(runs)),
            z=means,
            colorscale="Tealgrn",
            colorbar={"title": {"text": "mean", "font": {"size": 11}}, "thickness": 8, "len": 0.8},
            hovertemplate="%{x:,.4~g}: mean %{z:,.4~g}<extra></extra>",
            ygap=1,
        )
    )
    x, y = (np.concatenate(parts) for parts in zip(*ticks, strict=True))
    every = nth(x, MARKS)
    figure.add_trace(
        go.Scatter(
            x=x[::every],
            y=y[::every],
            mode="markers",
            marker={"symbol": "line-ns", "size": max(4, min(14, 480 // len(runs))), "line": {"width": 1.5, "color": SERIES[3]}},
            name="change points",
            hovertemplate="change point at %{x:,.4~g}<extra></extra>",
        )
    )
    known = [(row, each.samples) for row, each in enumerate(runs) if each.samples.boundaries]
    if known:
        x = np.concatenate([x_at(samples, np.array(samples.boundaries, dtype=int)) for _, samples in known])
        y = np.concatenate([np.full(len(samples.boundaries or ()), row) for row, samples in known])
        every = nth(x, MARKS)
        figure.add_trace(
            go.Scatter(
                x=x[::every],
                y=y[::every],
                mode="markers",
                marker={"symbol": "circle", "size": 5, "color": TRUTH},
                name="true boundaries of the run",
                hovertemplate="true boundary at %{x:,.4~g}<extra></extra>",
            )
        )
    every = nth(runs, 30)
    figure.update_yaxes(
        title="run", range=[len(runs) - 0.5, -0.5], tickvals=list(range(0, len(runs), every)),
        ticktext=[str(each.samples.run) for each in runs[::every]], showgrid=False, zeroline=False,
    )  # fmt: skip
    figure.update_xaxes(title=x_title(runs[0].samples, unit), showgrid=False)
    return finished(figure, title=title, height=max(260, min(760, 170 + 24 * len(runs))), legend=TOP_LEGEND)


def _trimmed(samples: RunSamples) -> go.Scatter:
    """What falls out: the counts before and after the trims, with a break between."""
    places, values = reduced(samples.outside_counts, POINTS // 4)
    positions = samples.outside[places]
    x = positions.astype(float) if samples.edges is None else samples.edges[positions]
    breaks = np.flatnonzero((positions[:-1] < samples.positions[0]) & (positions[1:] > samples.positions[0])) + 1
    return go.Scatter(
        x=np.insert(x, breaks, np.nan), y=np.insert(values, breaks, np.nan).astype(np.float32), mode="lines", name="trimmed",
        line={"color": MUTED, "width": 1, "dash": "dot"}, hovertemplate="%{x:,}: %{y:,.0f}<extra>trimmed</extra>",
    )  # fmt: skip


def _ghost(baseline: SegmentedRun, low: float, high: float, *, means: bool) -> list[go.Scatter]:
    """The baseline's change points as dotted lines and, where its counts are of the same event, the means of its segments, faint."""
    samples, models = baseline.run.samples, baseline.run.models[reduced(baseline.run.models[:, 3], SEGMENTS)[0]]
    starts, stops = x_at(samples, models[:, 0].astype(int)), x_end(samples, models[:, 1].astype(int))
    gap = np.full(len(starts), np.nan)
    edges = go.Scatter(
        x=np.stack([starts, starts, gap], axis=1)[1:].ravel(),
        y=np.tile([low, high, np.nan], len(starts) - 1),
        mode="lines",
        name="baseline",
        line={"color": MUTED, "dash": "dot", "width": 1},
        hoverinfo="skip",
        legendgroup="baseline",
        showlegend=True,
    )
    levels = go.Scatter(
        x=np.stack([starts, stops, gap], axis=1).ravel(),
        y=np.repeat(models[:, 3], 3),
        mode="lines",
        name="mean of the baseline's segment",
        line={"color": MUTED, "width": 2},
        opacity=0.6,
        legendgroup="baseline",
        showlegend=False,
        hovertemplate="baseline: mean %{y:,.4g}<extra></extra>",
    )
    return [edges, *([levels] if means else [])]


def _truth_lines(samples: RunSamples, low: float, high: float) -> go.Scatter:
    every = nth(samples.boundaries or (), _TRUTHS)
    boundaries = np.array((samples.boundaries or ())[::every], dtype=int)
    x = np.repeat(x_at(samples, boundaries), 3)
    y = np.tile([low, high, np.nan], len(boundaries))
    x[2::3] = np.nan
    names = [f"{plain(before)} → {plain(after)}" for before, after in list(pairwise(samples.stages))[::every]]
    return go.Scatter(
        x=x, y=y, mode="lines", name="true boundaries", line={"color": TRUTH, "dash": "dot", "width": 1.5},
        text=np.repeat(names, 3) if names else None, hovertemplate="%{text}<extra></extra>",
    )  # fmt: skip


def _stage_names(samples: RunSamples, high: float) -> go.Scatter:
    edges = [0, *(samples.boundaries or ()), len(samples.counts)]
    middles = np.array([(start + stop) // 2 for start, stop in pairwise(edges)], dtype=int)
    return go.Scatter(
        x=x_at(samples, middles), y=np.full(len(middles), high), mode="text", text=[short(name, 14) for name in samples.stages],
        textposition="bottom center", textfont={"size": 9, "color": TRUTH}, showlegend=False, hoverinfo="skip", name="stages",
    )  # fmt: skip


def _model_text(number: int, model: NDArray[np.float64]) -> str:
    return f"segment {number}: {model[2]:,.0f} samples<br>mean {model[3]:,.4g}<br>std {model[4]:,.4g}<br>rms {model[5]:,.4g}"
