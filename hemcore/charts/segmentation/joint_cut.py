"""One set of change points for all events of a run: the segments, and how the penalty was chosen."""

import plotly.graph_objects as go

from hemcore.charts.colours import MUTED, SERIES, event_colour
from hemcore.charts.look import figure
from hemcore.charts.picture import Scene
from hemcore.charts.segmentation.event_picker import shown_events
from hemcore.charts.segmentation.track_stack import Track, tracks
from hemcore.headline import amount
from hemcore.segmentation.events.event_tracks import cut_together, with_axis_of
from hemcore.segmentation.joint.joint_results import JointlySegmented
from hemcore.segmentation.results import SegmentedRun


def together(scene: Scene[SegmentedRun]) -> list[go.Figure]:
    """The events of the view, segmented at the same change points, and the share of runs that agree at each penalty tried."""
    if scene.more is None:
        return []
    found: SegmentedRun = scene.result
    joint: JointlySegmented = scene.more
    shown = []
    for event in shown_events(scene, list(joint.explained["event"])):
        run = cut_together(scene.table, joint, event)
        if run is not None:
            shown.append(Track(event=event, run=with_axis_of(run, found.run.samples), colour=event_colour(found.events, event)))
    figures = []
    if shown:
        figures.append(
            tracks(
                shown,
                unit=found.unit,
                own=False,
                title="Where do all events together change?",
                subtitle=f"Run {joint.shown.run} of {joint.params.application}; {len(joint.shown.segmentation.events)} events, one set of "
                f"change points, penalty {amount(joint.factor)}{f', without {joint.trend_text}' if joint.trend_text else ''}",
                uirevision="|".join([scene.question.dataset, joint.params.application, str(joint.shown.run)]),
            )
        )
    if not joint.tried.empty:
        figures.append(_agreeing(joint))
    return figures


def _agreeing(joint: JointlySegmented) -> go.Figure:
    tried = joint.tried
    trace: dict[str, object] = {
        "type": "scatter",
        "x": tried["factor"].to_numpy(),
        "y": tried["agreeing"].to_numpy(),
        "mode": "lines+markers+text",
        "line": {"color": SERIES[0], "width": 2},
        "marker": {"size": 6},
        "text": [f"{n + 1}" for n in tried["n_change_points"]],
        "textposition": "top center",
        "textfont": {"size": 10},
        "customdata": tried["n_change_points"].to_numpy() + 1,
        "hovertemplate": "penalty %{x:,.3~r}<br>%{y:.0%} of the runs have %{customdata} segments<extra></extra>",
        "showlegend": False,
    }
    chosen = {
        "type": "line",
        "x0": joint.factor,
        "x1": joint.factor,
        "y0": 0,
        "y1": 1.15,
        "line": {"color": MUTED, "width": 1.5, "dash": "dash"},
    }
    return figure(
        [trace],
        title="At which penalty do the runs agree?",
        subtitle="Share of runs with the most frequent number of segments, which is the label; dashed: the chosen penalty",
        height=190,
        sides=(52, 46),
        shapes=[chosen],
        xaxis={"title": "penalty per change point, log(samples) per event"},
        yaxis={"title": "runs", "range": [0, 1.15], "tickformat": "~%", "tickvals": [0, 0.5, 1]},
    )


def together_caption(scene: Scene[SegmentedRun]) -> str:
    """What the figure shows; the verdict of all events together stands above it."""
    if scene.more is None:
        return ""
    joint: JointlySegmented = scene.more
    run = "" if joint.shown.run == scene.result.run.samples.run else f" Run {scene.result.run.samples.run} was not fully counted."
    removed = f" Drawn: the counts without {joint.trend_text}, with their mean." if joint.trend_text else ""
    return (
        f"The standardised counts of all events are searched at once.{run}{removed} Shaded: every second segment. Set the penalty under"
        " Bounds and search; 0 chooses the one at which the runs agree."
    )
