"""Several events of one run under one another over one time axis."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from hemcore.charts.colours import BAND, CHOSEN, MUTED, QUIET, TRUTH
from hemcore.charts.look import made, number_form, plain, short, unit_of
from hemcore.charts.segments import SEGMENTS, drawn_counts, stages
from hemcore.charts.series import boxes, levels, nth, reduced, uprights, x_at, x_end, x_title
from hemcore.segmentation.results import RunSegments
from hemcore.segmentation.runs import RunSamples

MOST = 6
_TRACK, _WORDS, _RIBBON = 84, 22, 24  # px: the curve of an event, the line over it, the stages that the data knows
_TRUTHS = 800


@dataclass(frozen=True, kw_only=True)
class Track:
    """An event, the run as it cuts it, and the event's colour."""

    event: str
    run: RunSegments
    colour: str


def tracks(
    shown: Sequence[Track],
    *,
    unit: str,
    title: str,
    subtitle: str = "",
    kept: str = "",
    own: bool = True,
    span: tuple[float, float] | None = None,
    select: bool = False,
) -> go.Figure:
    """A curve an event, the first on top, each with its own segments; one time axis, one cursor, one zoom for all.

    shown: at least one, of the same run, all with times or all without. own: whether each is cut by a threshold of its own, which is said.
    span: from where to where on the time axis is marked. select: whether dragging chooses a span instead of zooming.
    The stages that the data knows lie over them. Above 3,000 samples
    the least and the largest of each of 1,500 bins are drawn; above 800 segments those of 400 bins of segments, none shaded.
    """
    # Of the events the one counted most often knows best where a stage begins.
    known = [each.run.samples for each in shown if each.run.samples.boundaries is not None and 1 < len(each.run.samples.stages) <= _TRUTHS]
    finest = max(known, key=lambda samples: len(samples.counts), default=None)
    top = _RIBBON if finest is not None else 0
    whole = top + len(shown) * (_TRACK + _WORDS)
    traces: list[dict[str, Any]] = []
    axes: dict[str, Any] = {}
    notes = []
    for number, track in enumerate(shown):
        under = top + number * (_TRACK + _WORDS) + _WORDS
        high, low = 1 - under / whole, max(0.0, 1 - (under + _TRACK) / whole)
        axis = "y" if number == 0 else f"y{number + 1}"
        drawn, ends = _of_track(track, axis)
        traces += drawn
        axes[axis.replace("y", "yaxis")] = {
            "domain": [low, high],
            "range": list(ends),
            "nticks": 4,
            "tickformat": "~s",
            "tickfont": {"size": 10, "color": QUIET},
            "fixedrange": True,
            "anchor": "x",
        }
        notes.append(_words(track, high, own))
    if finest is not None:
        ribbon = f"y{len(shown) + 1}"
        traces += [stages(finest, ribbon), _stage_of_each(finest, ribbon)]
        axes[f"yaxis{len(shown) + 1}"] = {
            "domain": [1 - 0.9 * top / whole, 1], "range": [0, 1], "visible": False, "fixedrange": True, "anchor": "x"
        }  # fmt: skip
    first = shown[0].run.samples
    seconds = first.edges is not None
    return made(
        traces,
        title=title,
        subtitle=subtitle,
        height=whole,
        kept=kept,
        sides=(46, 46),
        hovermode="x unified",
        hoversubplots="axis",
        barmode="overlay",
        uniformtext={"mode": "hide", "minsize": 9},
        annotations=notes,
        shapes=[] if span is None else [_marked(*span)],
        dragmode="select" if select else "zoom",
        selectdirection="h",
        # The box goes once it has been told: the marked span stays.
        selectionrevision=str(span),
        xaxis={
            "title": x_title(first, unit),
            "showgrid": False,
            "anchor": "y" if len(shown) == 1 else f"y{len(shown)}",
            "hoverformat": ",.6~g" if seconds else ",.0f",
            "unifiedhovertitle": {"text": "%{x} s" if seconds else "interval %{x}"},
            "showspikes": True,
            "spikemode": "across",
            "spikesnap": "cursor",
            "spikethickness": 1,
            "spikedash": "solid",
            "spikecolor": MUTED,
        },
        **axes,
    )


def _marked(start: float, stop: float) -> dict[str, Any]:
    return {
        "type": "rect", "xref": "x", "yref": "paper", "x0": start, "x1": stop, "y0": 0, "y1": 1, "layer": "below",
        "fillcolor": CHOSEN, "line": {"color": MUTED, "width": 1, "dash": "dot"},
    }  # fmt: skip


def _of_track(track: Track, axis: str) -> tuple[list[dict[str, Any]], tuple[float, float]]:
    """The traces of one event, and the ends of its count axis."""
    samples, models = track.run.samples, track.run.models
    low, high = float(samples.counts.min()), float(samples.counts.max())
    room = 0.08 * (high - low) or 1.0
    low, high = (0.0 if low <= 0.6 * high else low - room), high + room
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
    return [each | {"yaxis": axis} for each in drawn], (low, high)


def _counts(track: Track, high: float) -> dict[str, Any]:
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
        "customdata": points.told[:, :2],
        "hovertemplate": f"<b>{short(track.event)}</b> %{{y:{form}}}, segment %{{customdata[0]:,.0f}} of {len(track.run.models):,}, "
        f"mean %{{customdata[1]:{form}}}<extra></extra>",
        "showlegend": False,
    }


def _stage_of_each(samples: RunSamples, axis: str) -> dict[str, Any]:
    """Nothing to be seen: it tells the cursor's box which stage is under it."""
    places = np.unique(np.concatenate([reduced(samples.counts)[0], np.array(samples.boundaries, dtype=int)]))
    names = np.array([plain(name) for name in samples.stages], dtype=object)
    return {
        "type": "scatter",
        "x": x_at(samples, places),
        "y": np.full(len(places), 0.5, dtype=np.float32),
        "mode": "lines",  # markers would widen the time axis
        "line": {"color": TRUTH, "width": 0},
        "name": "stage",
        "text": names[np.searchsorted(np.array(samples.boundaries, dtype=int), places, side="right")],
        "hovertemplate": "stage %{text}<extra></extra>",
        "yaxis": axis,
        "showlegend": False,
    }


def _line(x: Any, y: Any, colour: str, width: float, opacity: float) -> dict[str, Any]:
    line = {"color": colour, "width": width}
    return {"type": "scatter", "x": x, "y": y, "mode": "lines", "line": line, "opacity": opacity, "hoverinfo": "skip", "showlegend": False}


def _words(track: Track, at: float, own: bool) -> dict[str, Any]:
    """What stands over a track: the event, its unit, and how it is cut."""
    n, unit = len(track.run.models), unit_of(track.event)
    said = [
        f"<b>{short(track.event, 24)}</b>{f', {plain(unit)}' if unit else ''}",
        *([f"{n:,} segment{'' if n == 1 else 's'} at threshold {track.run.segmentation.threshold:g}"] if own else []),
    ]
    return {
        "text": " · ".join(said),
        "x": 0,
        "xref": "paper",
        "xanchor": "left",
        "y": at,
        "yref": "paper",
        "yanchor": "bottom",
        "showarrow": False,
        "font": {"size": 11, "color": QUIET},
    }
