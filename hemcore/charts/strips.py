"""Curves under one another over one time axis: one cursor, one zoom, the stages that the data knows over them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from hemcore.charts.colours import MUTED, QUIET, TRUTH
from hemcore.charts.look import Layout, figure, plain
from hemcore.charts.segmentation.segments import stages
from hemcore.charts.series import reduced, x_at, x_title
from hemcore.segmentation.event_runs import RunSamples

STRIP, WORDS, RIBBON = 84, 22, 24  # px: a curve, the line over it, the stages that the data knows
_TRUTHS = 800


@dataclass(frozen=True, kw_only=True)
class Strip:
    """One of the curves.

    traces: of plotly, without a y axis. ends: of its own y axis. words: what stands over it, in plotly's little HTML. form: of its ticks.
    """

    traces: Sequence[dict[str, object]]
    ends: tuple[float, float]
    words: str
    form: str = "~s"


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
    """The strips, at least one, the first on top. time: samples that say what the time axis is.

    known: samples of the run; of those that know its stages, the one counted most often gives the ribbon. legend: whether one is shown.
    reach: the ends of the time axis; None: of what is drawn, which markers widen. layout: the rest.
    """
    of_stages = [each for each in known if each.boundaries is not None and 1 < len(each.stages) <= _TRUTHS]
    finest = max(of_stages, key=lambda samples: len(samples.counts), default=None)
    top = RIBBON if finest is not None else 0
    whole = top + len(strips) * (STRIP + WORDS)
    traces: list[dict[str, object]] = []
    axes: Layout = {}
    notes = []
    for number, strip in enumerate(strips):
        under = top + number * (STRIP + WORDS) + WORDS
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
        notes.append(_words(strip.words, high))
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


def ends_of(low: float, high: float) -> tuple[float, float]:
    """The ends of an axis of counts from `low` to `high`: from 0 unless that would flatten the curve."""
    room = 0.08 * (high - low) or 1.0
    return (0.0 if low <= 0.6 * high else low - room), high + room


def _stage_of_each(samples: RunSamples, axis: str) -> dict[str, object]:
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


def _words(words: str, at: float) -> dict[str, object]:
    return {
        "text": words,
        "x": 0,
        "xref": "paper",
        "xanchor": "left",
        "y": at,
        "yref": "paper",
        "yanchor": "bottom",
        "showarrow": False,
        "font": {"size": 11, "color": QUIET},
    }
