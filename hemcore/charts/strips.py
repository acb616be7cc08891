"""Curves stacked over one time axis, with one cursor and zoom and the stages of the data on top."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from hemcore.charts.colours import MUTED, QUIET, TRUTH
from hemcore.charts.look import Layout, figure, plain
from hemcore.charts.segmentation.run_curve import stages
from hemcore.charts.series import reduced, x_at, x_title
from hemcore.segmentation.event_runs import RunSamples

STRIP, HEADING, RIBBON = 76, 28, 34  # px: a curve, the line above it, the stages of the data
_TRUTHS = 800


@dataclass(frozen=True, kw_only=True)
class Strip:
    """One of the curves.

    traces: of plotly, without a y axis. ends: of its y axis. words: the line above it, in plotly's HTML. form: of its ticks.
    """

    traces: Sequence[dict[str, object]]
    ends: tuple[float, float]
    words: str
    form: str = ""


def stacked(
    strips: Sequence[Strip],
    *,
    time: RunSamples,
    known: Sequence[RunSamples],
    unit: str,
    title: str,
    subtitle: str = "",
    uirevision: str = "",
    legend: bool = False,
    reach: tuple[float, float] | None = None,
    **layout: Any,
) -> go.Figure:
    """The strips, at least one, the first on top. time: samples whose time axis is used.

    known: samples of the run; of those with stages, the one counted most often gives the ribbon. legend: whether one is shown.
    reach: the ends of the time axis; None: those of the data, which markers widen. layout: further layout.
    """
    of_stages = [each for each in known if each.boundaries is not None and 1 < len(each.stages) <= _TRUTHS]
    finest = max(of_stages, key=lambda samples: len(samples.counts), default=None)
    top = RIBBON if finest is not None else 0
    whole = top + len(strips) * (STRIP + HEADING)
    traces: list[dict[str, object]] = []
    axes: Layout = {}
    notes = []
    for number, strip in enumerate(strips):
        under = top + number * (STRIP + HEADING) + HEADING
        high, low = 1 - under / whole, max(0.0, 1 - (under + STRIP) / whole)
        axis = "y" if number == 0 else f"y{number + 1}"
        traces += [each | {"yaxis": axis} for each in strip.traces]
        axes[axis.replace("y", "yaxis")] = {
            "domain": [low, high],
            "range": list(strip.ends),
            "nticks": 4,
            "tickformat": strip.form,
            "tickfont": {"size": 10, "color": QUIET},
            "fixedrange": True,
            "anchor": "x",
        }
        notes.append(_heading(strip.words, high))
    if finest is not None:
        ribbon = f"y{len(strips) + 1}"
        traces += [stages(finest, ribbon), _stage_of_each(finest, ribbon)]
        axes[f"yaxis{len(strips) + 1}"] = {
            "domain": [1 - 0.9 * top / whole, 1], "range": [0, 1], "visible": False, "fixedrange": True, "anchor": "x"
        }  # fmt: skip
    seconds = time.edges is not None
    return figure(
        traces,
        title=title,
        subtitle=subtitle,
        height=whole,
        uirevision=uirevision,
        legend=legend,
        sides=(46, 70 if legend else 46),
        hovermode="x unified",
        hoversubplots="axis",
        barmode="overlay",
        uniformtext={"mode": "hide", "minsize": 9},
        annotations=notes,
        **layout,
        xaxis={
            "title": x_title(time, unit),
            "showgrid": False,
            **({} if reach is None else {"range": list(reach)}),
            "anchor": "y" if len(strips) == 1 else f"y{len(strips)}",
            "hoverformat": ",.6~r" if seconds else ",.0f",
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


def ends_of(low: float, high: float) -> tuple[float, float]:
    """The ends of an axis of counts from `low` to `high`, starting at 0 unless that would flatten the curve."""
    room = 0.08 * (high - low) or 1.0
    return (0.0 if low <= 0.6 * high else low - room), high + room


def _stage_of_each(samples: RunSamples, axis: str) -> dict[str, object]:
    """An invisible line that adds the stage to the cursor's hover box."""
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


def _heading(text: str, at: float) -> dict[str, object]:
    return {
        "text": text,
        "x": 0,
        "xref": "paper",
        "xanchor": "left",
        "y": at,
        "yref": "paper",
        "yanchor": "bottom",
        "showarrow": False,
        "font": {"size": 11, "color": QUIET},
    }
