"""Cores (threads, sockets, nodes) over time, and by event: where a run is uneven."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from hemcore.charts.colours import DIFFERENCE_SCALE, QUIET, TEXT, event_colour, sequential
from hemcore.charts.look import colour_bar, figure, number_form, short, short_names
from hemcore.charts.picture import Picture, Scene
from hemcore.events.event_units import is_counted, unit_with_name
from hemcore.headline import formatted
from hemcore.segmentation.results import SegmentedRun
from hemcore.segmentation.uneven_cores import CoreBalance, balance_sentence, capital, has_places

_COLUMNS, _CELLS, _EVENTS = 600, 24_000, 40


def shown(scene: Scene[SegmentedRun]) -> bool:
    """Whether the series tells places of the machine apart."""
    return has_places(scene.table)


def cores(scene: Scene[SegmentedRun]) -> list[go.Figure]:
    """The event over time, and the other events, by place; none before the result is available."""
    found: CoreBalance | None = scene.more
    return [] if found is None else _figures(scene, found)


def _figures(scene: Scene[Any], found: CoreBalance) -> list[go.Figure]:
    over_time = [_over_time(scene, found)] if found.over_time.shape[1] > 1 else []
    return [*over_time, *([_by_event(scene, found)] if len(found.events) else [])]


def caption(scene: Scene[SegmentedRun]) -> str:
    """What the colours mean, and which intervals are left out."""
    found: CoreBalance | None = scene.more
    return "" if found is None else _caption(found)


def _caption(found: CoreBalance) -> str:
    if found.over_time.shape[1] == 1:
        return (
            f"Imbalance is how far the highest {found.level} is above the mean of all. Ratios and frequencies are averaged, never summed."
        )
    return (
        f"Imbalance is how far the highest {found.level} is above the mean of all, over the {found.used:,} intervals in which all were"
        " counted. Ratios and frequencies are averaged, never summed."
    )


def _rows(places: Sequence[str]) -> dict[str, object]:
    every = max(1, len(places) // 40)
    labels = short_names(list(places), 24)
    return {
        "title": "",
        "range": [len(labels) - 0.5, -0.5],
        "tickvals": list(range(0, len(labels), every)),
        "ticktext": labels[::every],
        "showgrid": False,
        "tickfont": {"size": 10, "color": QUIET},
    }


def _over_time(scene: Scene[Any], found: CoreBalance) -> go.Figure:
    counting = np.isfinite(found.over_time).any(axis=1)  # nodes have no row where cores count the event
    counts, places = found.over_time[counting], [found.places[row] for row in np.flatnonzero(counting)]
    columns = min(counts.shape[1], _COLUMNS, max(1, _CELLS // max(1, len(counts))))
    starts = np.linspace(0, counts.shape[1], columns + 1).astype(int)[:-1]
    there = np.isfinite(counts)
    with np.errstate(invalid="ignore", divide="ignore"):
        sums = np.add.reduceat(np.where(there, counts, 0.0), starts, axis=1)
        means = (sums / np.add.reduceat(there, starts, axis=1)).astype(np.float32)
    known = means[np.isfinite(means)]
    high = float(known.max()) if known.size and known.max() > 0 else 1.0
    event = found.params.event
    counted = is_counted(event)
    title = "count" if counted else short(unit_with_name(event), 14)
    where = "%{x:,.6~r} s" if found.seconds else "interval %{x:,.0f}"
    cells = {
        "type": "heatmap",
        "x": found.times[np.append(starts, -1)].astype(np.float32),  # from where to where
        "y": np.arange(len(counts), dtype=np.int32),
        "z": means,
        "customdata": np.repeat(np.array(places, dtype=object)[:, None], columns, axis=1),
        "zmin": 0.0,
        "zmax": high,
        "colorscale": sequential(event_colour(scene.table.events, event)),
        "colorbar": colour_bar(title={"text": title, "font": {"size": 11, "color": TEXT}}),
        "hovertemplate": f"<b>%{{customdata}}</b>, {where}<br>%{{z:{number_form(high)}}}<extra></extra>",
        "ygap": 1 if len(counts) <= 100 else 0,
    }
    return figure(
        [cells],
        title=f"When does each {found.level} count {event}?" if counted else f"How high is {event} on each {found.level}?",
        subtitle=capital(balance_sentence(found)),
        height=max(200, min(520, 110 + 22 * len(counts))),
        uirevision=f"{scene.question.dataset}|{event}|{found.params.run}",
        xaxis={"title": "time in the run, s" if found.seconds else "interval of the run", "showgrid": False},
        yaxis=_rows(places) | {"title": found.level},
    )


def _by_event(scene: Scene[Any], found: CoreBalance) -> go.Figure:
    events = found.events["event"].tolist()[:_EVENTS]
    values = found.relative[:, : len(events)]
    largest = max(0.05, float(np.nanmax(np.abs(values))))
    bound = min(1.0, largest)
    more = f", the {_EVENTS} most uneven of {len(found.events)}" if len(found.events) > _EVENTS else ""
    cells = {
        "type": "heatmap",
        "x": np.arange(len(events), dtype=np.int32),
        "y": np.arange(len(values), dtype=np.int32),
        "z": values.astype(np.float32),
        "customdata": np.array([[f"{place}, {event}" for event in events] for place in found.places], dtype=object),
        "zmin": -bound,
        "zmax": bound,
        "colorscale": DIFFERENCE_SCALE,
        "colorbar": colour_bar(
            title={"text": "from the mean", "font": {"size": 11, "color": TEXT}},
            tickvals=[-bound, -bound / 2, 0, bound / 2, bound],
            ticktext=[formatted(each, "+.0%") for each in (-bound, -bound / 2, 0.0, bound / 2, bound)],
        ),
        "hovertemplate": "<b>%{customdata}</b><br>%{z:+.1%} from the mean<extra></extra>",
        "xgap": 1,
        "ygap": 1 if len(values) <= 100 else 0,
    }
    return figure(
        [cells],
        title="Which events are uneven?",
        subtitle=f"Each {found.level} against the mean of all{more}",
        height=max(200, min(520, 150 + 22 * len(values))),
        uirevision=f"{scene.question.dataset}|{found.params.run}",
        xaxis={"title": "event", "tickvals": list(range(len(events))), "ticktext": short_names(events, 18), "showgrid": False},
        yaxis=_rows(found.places) | {"title": found.level},
    )


# Of runs that are one total each, which have no phases to show.
TOTALS: Sequence[Picture[CoreBalance]] = (
    Picture(
        name="totals",
        tab="Balance",
        draw=lambda scene: _figures(scene, scene.result),
        caption=lambda scene: _caption(scene.result),
        table=lambda scene: scene.result.events,
        arranged=lambda scene: "stack",
    ),
)
