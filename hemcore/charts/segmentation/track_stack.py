"""Several events of one run, stacked over one time axis."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from hemcore.charts.colours import BAND, CHOSEN, MUTED, TRUTH
from hemcore.charts.look import number_form, plain, short, unit_of
from hemcore.charts.segmentation.run_curve import SEGMENTS, drawn_counts
from hemcore.charts.series import are_whole, boxes, levels, nth, reduced, uprights, x_at, x_end
from hemcore.charts.strips import Strip, ends_of, stacked
from hemcore.segmentation.results import RunSegments

MOST = 6
_TRUTHS = 800


@dataclass(frozen=True, kw_only=True)
class Track:
    """An event, the run as segmented by it, and the event's colour."""

    event: str
    run: RunSegments
    colour: str


def tracks(
    shown: Sequence[Track],
    *,
    unit: str,
    title: str,
    subtitle: str = "",
    uirevision: str = "",
    own: bool = True,
    span: tuple[float, float] | None = None,
    select: bool = False,
) -> go.Figure:
    """One curve per event, the first on top, each with its own segments; one time axis, cursor and zoom for all.

    shown: at least one, of the same run, all with times or all without. own: whether each has its own threshold, which is then named.
    span: start and end of the marked part of the time axis. select: whether dragging chooses a span instead of zooming.
    The stages of the data are drawn above. Above 3,000 samples the minimum and maximum of each of 1,500 bins are drawn; above 800 segments
    those of 400 bins of segments, none shaded.
    """
    strips = [_of_track(track, own) for track in shown]
    samples = [each.run.samples for each in shown]
    return stacked(
        strips,
        time=samples[0],
        known=samples,
        unit=unit,
        title=title,
        subtitle=subtitle,
        uirevision=uirevision,
        shapes=[] if span is None else [_marked(*span)],
        dragmode="select" if select else "zoom",
        selectdirection="h",
        # The selection box disappears once the page knows it; the marked span stays.
        selectionrevision=str(span),
    )


def _marked(start: float, stop: float) -> dict[str, object]:
    return {
        "type": "rect", "xref": "x", "yref": "paper", "x0": start, "x1": stop, "y0": 0, "y1": 1, "layer": "below",
        "fillcolor": CHOSEN, "line": {"color": MUTED, "width": 1, "dash": "dot"},
    }  # fmt: skip


def _of_track(track: Track, own: bool) -> Strip:
    samples, models = track.run.samples, track.run.models
    low, high = ends_of(float(samples.counts.min()), float(samples.counts.max()))
    models_drawn = models[reduced(models[:, 3], SEGMENTS)[0]]
    starts, stops = x_at(samples, models_drawn[:, 0].astype(int)), x_end(samples, models_drawn[:, 1].astype(int))
    drawn = []
    if 1 < len(models) <= SEGMENTS:
        left, right = starts[1::2], stops[1::2]
        drawn.append(boxes(left, right, np.full(len(left), low), np.full(len(left), high), BAND, ""))
    if samples.boundaries:
        every = nth(samples.boundaries, _TRUTHS)
        x, y = uprights(x_at(samples, np.array(samples.boundaries[::every], dtype=int)), low, high)
        drawn.append(_line(x, y, TRUTH, 1.5, 0.5))
    drawn.append(_counts(track, high))
    x, y = levels(starts, stops, models_drawn[:, 3], models_drawn[:, 3])
    drawn.append(_line(x, y, track.colour, 2.5, 1.0))
    return Strip(traces=drawn, ends=(low, high), words=_heading(track, own))


def _counts(track: Track, high: float) -> dict[str, object]:
    points, form = drawn_counts(track.run), number_form(high)
    return {
        "type": "scatter",
        "x": points.x,
        "y": points.values.astype(np.float32),
        "mode": "markers" if points.sparse or len(points.x) == 1 else "lines",
        "name": short(track.event),
        "line": {"color": track.colour, "width": 1},
        "marker": {"color": track.colour, "size": 3},
        "opacity": 0.75,
        "customdata": points.segments[:, :2],
        "hovertemplate": f"<b>{short(track.event)}</b> %{{y:{form}}}, segment %{{customdata[0]:,.0f}} of {len(track.run.models):,}, "
        f"mean %{{customdata[1]:{form}}}<extra></extra>",
        "showlegend": False,
    }


def _line(x: np.ndarray, y: np.ndarray, colour: str, width: float, opacity: float) -> dict[str, object]:
    line = {"color": colour, "width": width}
    return {"type": "scatter", "x": x, "y": y, "mode": "lines", "line": line, "opacity": opacity, "hoverinfo": "skip", "showlegend": False}


def _heading(track: Track, own: bool) -> str:
    """The line above a track: the event, its unit, and how it is segmented."""
    n, unit = len(track.run.models), unit_of(track.event, whole=are_whole(track.run.samples.counts))
    parts = [
        f"<b>{short(track.event, 24)}</b>{f', {plain(unit)}' if unit else ''}",
        *([f"{n:,} segment{'' if n == 1 else 's'} at threshold {track.run.segmentation.threshold:g}"] if own else []),
    ]
    return " · ".join(parts)
