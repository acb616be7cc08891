"""Chart of the counts of a run and its segments."""

from collections.abc import Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from hemcore.charts.colours import BAND, BASELINE, MUTED, TEXT, TRUTH, faint
from hemcore.charts.live import Frame, HoverColumns, Live
from hemcore.charts.look import counted_title, figure, number_form, plain, short, unit_of
from hemcore.charts.series import (
    POINTS,
    are_whole,
    area,
    breaks,
    corners,
    levels,
    nth,
    reduced,
    uprights,
    x_at,
    x_end,
    x_title,
)
from hemcore.events.event_units import is_counted
from hemcore.segmentation.event_runs import RunSamples
from hemcore.segmentation.results import RunPath, RunSegments, SegmentedRun

SEGMENTS = 800
_TRUTHS = 1_000
_SENT = 4_000  # segments of all steps of a path that are sent to the browser, once
_SHADES, _SPREADS, _MEANS, _COUNTS = "shades", "spreads", "means", "counts"
_live: WeakKeyDictionary[RunPath, Live] = WeakKeyDictionary()
_NARROW, _LETTER = 430, 6  # px: width of the ribbon on a narrow page, and of a letter
_WHOLE, _LEGIBLE = 12, 7  # letters: of a name that is never shortened, and of the shortest useful one
_RIBBON = (0.935, 1.0)  # part of the figure's height for the stages of the data


def curve(
    run: RunSegments,
    *,
    event: str,
    unit: str,
    colour: str,
    title: str,
    subtitle: str = "",
    uirevision: str = "",
    baseline: SegmentedRun | None = None,
) -> go.Figure:
    """The counts of one run with every second segment shaded, each segment's mean and standard deviation, and true boundaries if known.

    Above 3,000 samples the minimum and maximum of each of 1,500 bins are drawn; above 800 segments none is shaded, and those with the
    lowest and highest mean in each of 400 bins are drawn. baseline: its change points as dotted lines and, for the same
    event, the means of its segments, below what is new.
    """
    samples, models = run.samples, run.models
    low, high = _range(samples)
    places = _places(samples, models, low, high)
    traces: list[dict[str, object]] = [
        area(*places[_SHADES], BAND, "") | {"meta": _SHADES},
        area(*places[_SPREADS], faint(colour), "mean ± std") | {"meta": _SPREADS, "line": {"color": colour, "width": 1, "dash": "dot"}},
        *([] if baseline is None else _ghost(baseline, low, high, means=baseline.params.event == event)),
        *_truth(samples, low, high),
        _counts(run, event, colour, high),
    ]
    if len(samples.outside):
        traces.append(_trimmed(samples))
    traces.append(_line(*places[_MEANS], "mean of the segment", colour, 3, meta=_MEANS))
    ribbon = samples.boundaries is not None and len(samples.stages) > 1
    if ribbon and len(samples.stages) <= _TRUTHS:
        traces.append(stages(samples, "y2"))
    seconds = samples.edges is not None
    axis = {"title": x_title(samples, unit), "showgrid": False, "hoverformat": ",.6~r" if seconds else ",.0f"}
    return figure(
        traces,
        title=title,
        subtitle=subtitle,
        height=384,
        uirevision=uirevision,
        legend=True,
        sides=(66, 70),
        hovermode="x",
        barmode="overlay",
        uniformtext={"mode": "hide", "minsize": 9},
        xaxis=axis,
        yaxis={
            "title": counted_title(event, whole=are_whole(samples.counts)),
            "range": [low, high],
            "domain": [0, _RIBBON[0] - 0.01 if ribbon else 1],
        },
        yaxis2={"domain": list(_RIBBON), "range": [0, 1], "visible": False, "fixedrange": True, "anchor": "x"},
    )


def _truth(samples: RunSamples, low: float, high: float) -> list[dict[str, object]]:
    """The true boundaries, under the counts; nothing where they are not known."""
    if samples.boundaries is None:
        return []
    known = np.array(samples.boundaries[:: nth(samples.boundaries, _TRUTHS)], dtype=int)
    return [_line(*uprights(x_at(samples, known), low, high), "true boundaries", TRUTH, 1.5)]


def live(path: RunPath) -> Live:
    """The frames of `curve` at the thresholds of `path`, from the highest down while their segments are few enough to send."""
    if path not in _live:
        steps = path.path.intervals
        sizes = steps["n_change_points"].to_numpy() + 1
        fit = int(max(1, (np.cumsum(sizes[::-1]) <= _SENT).sum()))
        stops = steps["threshold_from"].to_numpy()[-fit:].tolist()
        low, high = _range(path.samples)
        models = [path.at(threshold).models for threshold in stops]
        _live[path] = Live(
            field="threshold",
            stops=stops,
            highest=path.path.max_threshold,
            frames=[_places(path.samples, each, low, high) for each in models],
            hover=[{_COUNTS: _hover_columns(path.samples, each)} for each in models],
            title_prefix="threshold ",
        )
    return _live[path]


def _hover_columns(samples: RunSamples, models: NDArray[np.float64]) -> HoverColumns:
    """For the hover of the counts: number, mean and standard deviation of each segment, from its first sample on."""
    numbers = np.arange(1, len(models) + 1)
    return x_at(samples, models[:, 0].astype(int)), (numbers, models[:, 3].astype(np.float32), models[:, 4].astype(np.float32))


def _places(samples: RunSamples, models: NDArray[np.float64], low: float, high: float) -> Frame:
    """(x, y) of the traces that depend on the threshold: shades of every second segment, spreads and means of all."""
    shown = models[reduced(models[:, 3], SEGMENTS)[0]]
    starts, stops = x_at(samples, shown[:, 0].astype(int)), x_end(samples, shown[:, 1].astype(int))
    means, deviations = shown[:, 3], shown[:, 4]
    every_second = slice(1, None, 2) if len(models) <= SEGMENTS else slice(0)
    left, right = starts[every_second], stops[every_second]
    return {
        _SHADES: corners(left, right, np.full(len(left), low), np.full(len(left), high)),
        _SPREADS: corners(starts, stops, np.clip(means - deviations, low, high), np.clip(means + deviations, low, high)),
        _MEANS: levels(starts, stops, means, means),
    }


def _range(samples: RunSamples) -> tuple[float, float]:
    """The ends of the count axis, from the counts alone so that they do not change with the threshold."""
    drawn = np.concatenate([samples.counts, samples.outside_counts])
    lowest, highest = float(drawn.min()), float(drawn.max())
    if lowest <= 0.6 * highest or lowest == highest:
        low, high = min(0.0, lowest), max(0.0, highest)
        return (low - 0.06 * (high - low) if low < 0 else low), high + (0.06 * (high - low) or 1.0)
    return lowest - 0.1 * (highest - lowest), highest + 0.1 * (highest - lowest)


class DrawnCounts(NamedTuple):
    """The counts of a run as points of a line.

    places: indices of the drawn samples. x, values, segments: those points, with a break (NaN) before each of `gaps` in `places`; segments:
    number, mean and standard deviation of the segment, shape (points, 3). sparse: so few were counted that points replace the line.
    """

    places: NDArray[np.int64]
    gaps: NDArray[np.int64]
    x: NDArray[np.float64]
    values: NDArray[np.float64]
    segments: NDArray[np.float32]
    sparse: bool


def drawn_counts(run: RunSegments) -> DrawnCounts:
    """The points to draw: at most 3,000 that keep the spikes, with breaks where nothing was counted."""
    samples, models = run.samples, run.models
    places, values = reduced(samples.counts)
    segment = np.searchsorted(models[:, 0], places, side="right") - 1
    segments = np.stack([segment + 1, models[segment, 3], models[segment, 4]], axis=1).astype(np.float32)
    sparse = samples.not_counted > len(samples.counts) / 4
    broken = (samples.not_counted or samples.time_gaps) and not sparse
    gaps = breaks(samples, places) if broken else np.empty(0, dtype=np.int64)
    x = np.insert(x_at(samples, places), gaps, np.nan)
    return DrawnCounts(places, gaps, x, np.insert(values, gaps, np.nan), np.insert(segments, gaps, np.nan, axis=0), sparse)


def _counts(run: RunSegments, event: str, colour: str, high: float) -> dict[str, object]:
    """The curve; the hover shows interval, count, segment, the segment's mean and the stage."""
    samples, points = run.samples, drawn_counts(run)
    x, values, segments, sparse = points.x, points.values, points.segments, points.sparse
    stages = None
    if samples.boundaries is not None and samples.stages:
        names = np.array([plain(name) for name in samples.stages], dtype=object)
        stages = names[np.searchsorted(np.array(samples.boundaries, dtype=int), points.places, side="right")]
        stages = np.insert(stages, points.gaps, "")
    form = number_form(high)
    where = "%{x} s" if samples.edges is not None else "interval %{x}"
    per = unit_of(event, whole=are_whole(samples.counts))
    counted = f"{short(event, 40)}, {plain(per)}" if per else plain(event)
    stage = "" if stages is None else "<br>stage %{text}"
    return {
        "type": "scatter",
        "x": x.astype(np.float32) if samples.edges is None and samples.n_intervals < 2**24 else x,
        "y": values.astype(np.float32),
        # A single sample between two gaps has no line.
        "mode": "markers" if sparse else "lines+markers" if samples.not_counted or len(x) == 1 else "lines",
        "name": "counts" if is_counted(event) else "readings",
        "line": {"color": colour, "width": 1},
        "marker": {"color": colour, "size": 4 if sparse or len(x) == 1 else 2},
        "opacity": 0.75,
        "customdata": segments,
        "meta": _COUNTS,
        "hovertemplate": f"<b>{where}</b><br>{counted}: %{{y:{form}}}<br>segment %{{customdata[0]:,.0f}}, "
        f"mean %{{customdata[1]:{form}}} ± %{{customdata[2]:{form}}}"
        f"{stage}<extra></extra>",
        **({} if stages is None else {"text": stages}),
    }


def _line(x: NDArray, y: NDArray, name: str, colour: str, width: float, **more: object) -> dict[str, object]:
    line = {"color": colour, "width": width, "dash": more.pop("dash", "solid")}
    return {"type": "scatter", "x": x, "y": y, "mode": "lines", "name": name, "line": line, "hoverinfo": "skip", **more}


def _trimmed(samples: RunSamples) -> dict[str, object]:
    """The trimmed counts at the start and the end, with a break between."""
    places, values = reduced(samples.outside_counts, POINTS // 4)
    positions = samples.outside[places]
    x = positions.astype(float) if samples.edges is None else samples.edges[positions]
    middle = np.flatnonzero((positions[:-1] < samples.positions[0]) & (positions[1:] > samples.positions[0])) + 1
    return _line(np.insert(x, middle, np.nan), np.insert(values, middle, np.nan).astype(np.float32), "trimmed", MUTED, 1, dash="dot")


def _ghost(baseline: SegmentedRun, low: float, high: float, *, means: bool) -> list[dict[str, object]]:
    samples, models = baseline.run.samples, baseline.run.models[reduced(baseline.run.models[:, 3], SEGMENTS)[0]]
    starts, stops = x_at(samples, models[:, 0].astype(int)), x_end(samples, models[:, 1].astype(int))
    edges = _line(*uprights(starts[1:], low, high), "baseline", BASELINE, 1.5, dash="dot", legendgroup="baseline", showlegend=True)
    of_means = _line(
        *levels(starts, stops, models[:, 3], models[:, 3]), "baseline", BASELINE, 1.5, dash="dot", legendgroup="baseline", showlegend=False
    )
    return [edges, *([of_means] if means else [])]


def stages(samples: RunSamples, axis: str) -> dict[str, object]:
    """The true stages as a ribbon on this y axis; as bars, because plotly hides a name that does not fit its bar at any width."""
    edges = np.array([0, *(samples.boundaries or ()), len(samples.counts)])
    left, right = x_at(samples, edges[:-1]), x_end(samples, edges[1:])
    tints = [faint(TRUTH, 0.22 if number % 2 else 0.12) for number in range(len(left))]
    return {
        "type": "bar",
        "orientation": "h",
        "x": right - left,
        "base": left,
        "y": np.full(len(left), 0.5),
        "width": 1,
        "yaxis": axis,
        "name": "stages",
        "marker": {"color": tints, "line": {"width": 0}},
        "text": _fitting(samples.stages, (right - left) / (right[-1] - left[0])),
        "textposition": "inside",
        "insidetextanchor": "middle",
        "textangle": 0,
        "constraintext": "inside",
        "textfont": {"size": 10, "color": TEXT},
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _fitting(names: Sequence[str], shares: NDArray[np.float64]) -> list[str]:
    """The names, shortened to fit their share of a narrow figure; the hover has them in full. Names that do not fit are not drawn."""
    letters = np.clip(shares * _NARROW / _LETTER, _LEGIBLE, 24).astype(int)
    return [short(name, max(_WHOLE, room) if len(name) <= _WHOLE else room) for name, room in zip(names, letters.tolist(), strict=True)]
