"""What was seen, estimated and true, slot by slot: several events of one run over one time axis, and the errors below."""

from dataclasses import replace
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from hemcore.charts.colours import BAND, QUIET, TEXT, TRUTH, event_colour
from hemcore.charts.look import legend_line, number_form, plain, short, unit_of
from hemcore.charts.mpx.view import MOST_BESIDE, MOST_EVENTS, counting, title_of, uirevision, view_of
from hemcore.charts.picture import Scene
from hemcore.charts.series import are_whole, boxes, reduced, x_at
from hemcore.charts.strips import Strip, ends_of, stacked
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ParameterError, UnknownNameError
from hemcore.mpx.results import Multiplexed, RunCurves
from hemcore.mpx.sampled import Floats, Places
from hemcore.segmentation.event_runs import RunSamples, application_runs

_FIRST, _MARKS = 3, 1_500
_DASHES = ("dot", "dash")
_times: WeakKeyDictionary[CounterSeries, tuple[tuple[str, int], RunSamples]] = WeakKeyDictionary()


def time_of(table: CounterSeries, application: str, run: int) -> RunSamples:
    """Every slot of a run, counted or not: what the time axis and the stages are read from. The last one is remembered with its table."""
    known = _times.get(table)
    if known is None or known[0] != (application, run):
        whole = table.run(application, run)
        slots = replace(whole, counts=pd.DataFrame({"slots": np.zeros(len(whole.counts))}), share=None, truth=None)
        known = (application, run), application_runs(slots, application, "slots")[0]
        _times[table] = known
    return known[1]


def shown_events(scene: Scene[Multiplexed]) -> list[str]:
    """The events that are drawn: the view's, else the chosen one, a middling one, the worst and the best.

    Raises UnknownNameError for an event that the run did not count, ParameterError for more than 5.
    """
    found: Multiplexed = scene.result
    chosen = view_of(scene).events
    if not chosen:
        return list(found.telling[:_FIRST])
    if len(chosen) > MOST_EVENTS:
        raise ParameterError(f"Events: {len(chosen)} are chosen; {MOST_EVENTS} at most fit over one time axis. Take some away.")
    unknown = [each for each in chosen if each not in found.telling]
    if unknown:
        known = ", ".join(found.telling)
        raise UnknownNameError(f"Events: {unknown[0]!r} was not counted in run {found.curves.run}; these were: {known}.")
    return list(chosen)


def methods_of(scene: Scene[Multiplexed]) -> list[str]:
    """The estimators that are drawn, the one for curves first."""
    found: Multiplexed = scene.result
    beside = [each for each in view_of(scene).beside if each in found.curves.estimates and each != found.params.method]
    return [found.params.method, *beside[:MOST_BESIDE]]


def draw(scene: Scene[Multiplexed]) -> list[go.Figure]:
    """One figure: one strip per event, and one with the errors if the truth is known."""
    found: Multiplexed = scene.result
    curves, events, methods = found.curves, shown_events(scene), methods_of(scene)
    time = time_of(scene.table, found.application, curves.run)
    strips = [_strip(curves, event, methods, time, first=number == 0) for number, event in enumerate(events)]
    if curves.truth is not None:
        strips.append(_errors(curves, events, methods[0], time))
    ends = x_at(time, np.array([0, curves.n_slots]))
    about = "How near do the estimates come to the truth?" if curves.truth is not None else "What do the estimates make of the counts seen?"
    return [
        stacked(
            strips,
            time=time,
            known=[time],
            unit=found.unit,
            title=about,
            subtitle=f"run {curves.run} of {found.application}, {counting(scene)} counted; one color per event",
            uirevision=uirevision(scene, curves.run, *events),
            legend=True,
            reach=(float(ends[0]), float(ends[1])),
        )
    ]


def _strip(curves: RunCurves, event: str, methods: list[str], time: RunSamples, *, first: bool) -> Strip:
    place = curves.events.index(event)
    drawn = [curves.estimates[name][place] for name in methods] + ([] if curves.truth is None else [curves.truth[place]])
    known = np.concatenate(drawn)
    known = known[~np.isnan(known)]
    low, high = ends_of(float(known.min()), float(known.max()))
    colour, form = event_colour(curves.events, event), number_form(high)
    traces = _tail(curves, time, low, high, first)
    if curves.truth is not None:
        truth = _line(curves.truth[place], curves, time, "truth (OCOE)", TRUTH, 3.0, "solid", form, first, opacity=0.77)
        traces.append(_with_hover(truth, event, form))
    if first:
        traces += _legend(methods, colour)
    for number, name in enumerate(methods):
        dash = "solid" if number == 0 else _DASHES[number - 1]
        line = _line(drawn[number], curves, time, title_of(name), colour, 1.6 if number == 0 else 1.0, dash, form, False, grey=number > 0)
        traces.append(_with_hover(line, event, form, _what_was_seen(curves, place, drawn[0]) if number == 0 else None))
    seen = np.flatnonzero(curves.counted[place])
    traces.append(_ticks(drawn[0], seen, curves, time, colour))
    odd = np.flatnonzero(curves.outliers[place])
    if len(odd):
        mark = {"size": 9, "symbol": "circle-open", "color": TEXT}
        traces.append(_marks(drawn[0], odd, curves, time, "outlier, kept", mark, False))
    unit = unit_of(event, whole=curves.truth is None or are_whole(curves.truth[place]))
    n_odd = f" · {len(odd):,} outlier{'' if len(odd) == 1 else 's'}, kept" if len(odd) else ""
    words = f"<b>{short(event, 24)}</b>{f', {plain(unit)}' if unit else ''}{n_odd}{' · axis not from 0' if low > 0 else ''}"
    return Strip(traces=traces, ends=(low, high), words=words)


def _legend(methods: list[str], colour: str) -> list[dict[str, object]]:
    """The entries of what each event draws in its own color, in that of the first event."""
    names = [title_of(each) for each in methods]
    entries = [legend_line(name, TEXT if number else colour, ("solid", *_DASHES)[number]) for number, name in enumerate(names)]
    counted = legend_line("counted", colour, "solid") | {
        "mode": "markers",
        "marker": {"color": colour, "size": 12, "symbol": "line-ew", "line": {"color": colour, "width": 4}},
    }
    found = [each | {"legendgroup": str(each["name"])} for each in (*entries, counted)]
    found[0]["name"] = f"{names[0]}, in the event's color"
    return found


def _errors(curves: RunCurves, events: list[str], method: str, time: RunSamples) -> Strip:
    """The error of each event in shares of its mean count, so that events of any size stand in one strip."""
    assert curves.truth is not None
    traces, most = [], 0.05
    for event in events:
        place = curves.events.index(event)
        truth = curves.truth[place]
        known = truth[~np.isnan(truth)]
        mean = float(known.mean()) if len(known) else 0.0
        if mean <= 0:
            continue
        share = (curves.estimates[method][place] - truth) / mean
        most = max(most, float(np.nanmax(np.abs(share))))
        colour = event_colour(curves.events, event)
        traces.append(_line(share, curves, time, f"{short(event)}, error", colour, 1.2, "solid", ".1%", False))
    words = f"<b>error of {plain(title_of(method))}</b>, share of the event's mean count"
    return Strip(traces=traces, ends=(-1.08 * most, 1.08 * most), words=words, form=",~%")


def _line(
    values: Floats,
    curves: RunCurves,
    time: RunSamples,
    name: str,
    colour: str,
    width: float,
    dash: str,
    form: str,
    legend: bool,
    *,
    opacity: float = 1.0,
    grey: bool = False,
) -> dict[str, object]:
    places, shown = _fewer(values)
    return {
        "type": "scatter",
        "x": x_at(time, curves.positions[places]).astype(np.float32),
        "y": shown.astype(np.float32),
        "mode": "lines",
        "name": name,
        "legendgroup": name,
        "line": {"color": TEXT if grey else colour, "width": width, "dash": dash},
        "opacity": 0.8 if grey else opacity,
        "hovertemplate": f"{name} %{{y:{form}}}<extra></extra>",
        "showlegend": legend,
    }


def _with_hover(trace: dict[str, object], event: str, form: str, more: NDArray[np.str_] | None = None) -> dict[str, object]:
    """`trace` with its event in what the cursor says, which is of several, and `more` of each slot that is drawn."""
    hover = f"{short(event)}, {trace['name']} %{{y:{form}}}"
    return trace | (
        {"hovertemplate": f"{hover}<extra></extra>"}
        if more is None
        else {"hovertemplate": f"{hover}%{{customdata}}<extra></extra>", "customdata": more}
    )


def _what_was_seen(curves: RunCurves, place: int, values: Floats) -> NDArray[np.str_]:
    """Of each point that is drawn: that it was counted, and far off. The marks say nothing themselves: the cursor takes the nearest."""
    notes = np.where(curves.counted[place], np.where(curves.outliers[place], ", counted, an outlier", ", counted"), "")
    return notes[_fewer(values)[0]]


def _drawn(places: Places) -> Places:
    """Those of `places` that are marked: evenly thinned where they are many."""
    return places[:: max(1, -(-len(places) // _MARKS))]


def _ticks(values: Floats, places: Places, curves: RunCurves, time: RunSamples, colour: str) -> dict[str, object]:
    """A tick over the middle of each counted slot: one path, where as many markers would be drawn one by one at each move of a slider."""
    shown = _drawn(places)
    at = x_at(time, curves.positions[shown])
    half = 0.3 * np.diff(x_at(time, np.array([0, curves.n_slots])))[0] / curves.n_slots
    return {
        "type": "scatter",
        "x": np.column_stack([at - half, at + half, np.full(len(at), np.nan)]).ravel().astype(np.float32),
        "y": np.column_stack([values[shown], values[shown], np.full(len(at), np.nan)]).ravel().astype(np.float32),
        "mode": "lines",
        "connectgaps": False,
        "name": "counted",
        "legendgroup": "counted",
        "line": {"color": colour, "width": 4, "simplify": False},
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _marks(
    values: Floats, places: Places, curves: RunCurves, time: RunSamples, name: str, marker: dict[str, object], legend: bool
) -> dict[str, object]:
    shown = _drawn(places)
    return {
        "type": "scatter",
        "x": x_at(time, curves.positions[shown]).astype(np.float32),
        "y": values[shown].astype(np.float32),
        "mode": "markers",
        "name": name,
        "legendgroup": name,
        "marker": marker,
        "hoverinfo": "skip",
        "showlegend": legend,
    }


def _tail(curves: RunCurves, time: RunSamples, low: float, high: float, legend: bool) -> list[dict[str, object]]:
    """The end of the run that is left out, shaded; nothing where it is not."""
    n = len(curves.positions)
    if n >= curves.n_slots:
        return []
    ends = x_at(time, np.array([n, curves.n_slots]))
    tail = boxes(ends[:1], ends[1:], np.array([low]), np.array([high]), BAND, "tail, removed" if legend else "")
    return [tail | {"line": {"color": QUIET, "width": 1, "dash": "dot"}}]


def _fewer(values: Floats) -> tuple[Places, Floats]:
    """As `reduced`, where slots can be unknown: these stay gaps."""
    if len(values) <= 3_000 or not np.isnan(values).any():
        return reduced(values) if not np.isnan(values).all() else (np.arange(0), np.empty(0))
    known = np.flatnonzero(~np.isnan(values))
    places, shown = reduced(values[known])
    return known[places], shown


def caption(scene: Scene[Multiplexed]) -> str:
    """What was removed, the outliers, and the missing truth."""
    found: Multiplexed = scene.result
    curves = found.curves
    notes = []
    if curves.n_slots > len(curves.positions):
        cut = curves.n_slots - len(curves.positions)
        notes.append(f"Shaded at the end: {cut:,} slot{'' if cut == 1 else 's'} removed.")
    marked = int(curves.outliers.sum())
    notes.append(f"{marked:,} counts of the run are outliers; they are kept." if marked else "No count is an outlier.")
    if curves.truth is None:
        notes.append("The truth is not known, so no errors are drawn.")
    most = max(len(curves.positions), int(curves.counted.sum(axis=1).max()))
    if most > 3_000:
        notes.append("A long run is drawn by the minimum and maximum of each of 1,500 bins.")
    return " ".join(notes)


def table(scene: Scene[Multiplexed]) -> pd.DataFrame | None:
    """Scores of the drawn run: one row per event; None without a truth."""
    found: Multiplexed = scene.result
    rows = found.scores[found.scores["run"] == found.curves.run]
    if not len(rows):
        return None
    drawn = {name: rows[rows["method"] == name].set_index("event") for name in sorted(methods_of(scene))}
    names = {"ra": "RA", "wa": "WA", "total": "total by"}
    wide = pd.DataFrame({f"{label} {title_of(name)}": own[score] for score, label in names.items() for name, own in drawn.items()})
    return wide.join(next(iter(drawn.values()))[["scored", "zeros"]]).round(4).rename_axis("event").reset_index().astype({"event": str})
