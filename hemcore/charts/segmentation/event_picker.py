"""Chart of several events of a run: the choice of events, the figure and its caption."""

from collections.abc import Sequence
from typing import Literal

import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import event_colour
from hemcore.charts.picture import Scene
from hemcore.charts.segmentation.track_stack import MOST, Track, tracks
from hemcore.errors import ParameterError, UnknownNameError
from hemcore.headline import amount
from hemcore.params import Params, parameter
from hemcore.segmentation.event_runs import application_shape
from hemcore.segmentation.events.event_tracks import EventTracks, with_axis_of
from hemcore.segmentation.events.spans import compare_span
from hemcore.segmentation.results import RunSegments, SegmentedRun

_FIRST = 4  # events shown if none was chosen


class SegmentationView(Params):
    """View settings of a segmentation."""

    events: tuple[str, ...] = parameter(
        (), title="Events", description=f"Events over one time axis, at most {MOST}. Empty: the chosen one and the next ones in the data."
    )
    drag: Literal["zoom", "compare"] = parameter(
        "zoom",
        title="Dragging",
        description="Dragging over the events zooms in, or compares a span of the run with the rest of it.",
    )
    span: tuple[float, ...] = parameter((), title="Span", description="Start and end of the span on the time axis. Empty: none.")


def has_several(scene: Scene[SegmentedRun]) -> bool:
    """Whether the application has more than one event."""
    return len(application_shape(scene.table, scene.result.params.application).events) > 1


def shown_events(scene: Scene[SegmentedRun], ranked: Sequence[str] = ()) -> list[str]:
    """The events to show: those of the view, otherwise the chosen one and then the first of `ranked` or of the data.

    Raises UnknownNameError for an event that the application does not have, ParameterError for more than 6.
    """
    params = scene.result.params
    counted = application_shape(scene.table, params.application).events
    if scene.view is None or not scene.view.events:
        order = dict.fromkeys([params.event, *(each for each in ranked if each in counted), *counted])
        return list(order)[:_FIRST]
    if len(scene.view.events) > MOST:
        raise ParameterError(f"Events: {len(scene.view.events)} are chosen; at most {MOST} fit over one time axis. Remove some.")
    unknown = [each for each in scene.view.events if each not in counted]
    if unknown:
        raise UnknownNameError(f"Events: {unknown[0]!r} was not counted in {params.application!r}; these were: {', '.join(counted)}.")
    return list(scene.view.events)


def several(scene: Scene[SegmentedRun]) -> list[go.Figure]:
    """The figure of the events of the view. Raises as shown_events does."""
    if scene.more is None:
        return []
    found: SegmentedRun = scene.result
    shown = [Track(event=event, run=run, colour=event_colour(found.events, event)) for event, run in _runs(scene).items()]
    if not shown:
        return []
    params = found.params
    return [
        tracks(
            shown,
            unit=found.unit,
            title="Do several events change together?",
            subtitle=f"Run {found.run.samples.run} of {params.application}; {params.statistic}, one threshold per event",
            uirevision="|".join([scene.question.dataset, params.application, str(params.run)]),
            span=_span(scene),
            select=scene.view is not None and scene.view.drag == "compare",
        )
    ]


def span_table(scene: Scene[SegmentedRun]) -> pd.DataFrame | None:
    """Each event inside and outside the chosen span; None if none is chosen."""
    span = _span(scene)
    return None if span is None or scene.more is None else compare_span(_runs(scene), *span)


def _runs(scene: Scene[SegmentedRun]) -> dict[str, RunSegments]:
    """The shown events with the run segmented by each; without those that it did not count."""
    cut: EventTracks = scene.more
    runs = {event: cut.segments(scene.table, event) for event in shown_events(scene)}
    return {event: with_axis_of(run, scene.result.run.samples) for event, run in runs.items() if run is not None}


def _span(scene: Scene[SegmentedRun]) -> tuple[float, float] | None:
    if scene.view is None or len(scene.view.span) != 2:
        return None
    return scene.view.span[0], scene.view.span[1]


def several_caption(scene: Scene[SegmentedRun]) -> str:
    """The caption of the figure."""
    if scene.more is None:
        return ""
    missing = [event for event in shown_events(scene) if event not in scene.more.cuts]
    sentences = ["Each event is segmented at its own Algorithm 1 threshold. Shaded: every second segment; thick line: the mean of each."]
    if scene.result.run.samples.boundaries:
        sentences.append("Vertical lines: true boundaries.")
    span = _span(scene)
    if span is not None:
        unit = "s" if scene.result.run.samples.edges is not None else "intervals"
        sentences.append(
            f"The table compares the marked span, {amount(span[0], 6)} to {amount(span[1], 6)} {unit}, with the rest of the run."
        )
    if missing:
        sentences.append(f"Not counted in this run: {', '.join(missing)}.")
    return " ".join(sentences)
