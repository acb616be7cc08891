"""What the segmentation page works on: the application, the event, the run, the bounds and the threshold."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from hemcore.datasets.shelf.library import Entry
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ParameterError
from hemcore.segmentation import (
    ApplicationShape,
    BoundsParams,
    EventParams,
    PathParams,
    RunsParams,
    SearchParams,
    application_shape,
    report,
)
from hemcore.segmentation.report import EventThresholds, RunPath
from hemcore.web import parameters, progress, results
from hemcore.web.parameters import Slider

# Where the bundled series shows at once what the page is for: its counts change with the program's stages.
START = {"application": "sensor_control", "event": "Dr"}
_TRIMS = ("trim_head", "trim_tail")
_LARGEST_THRESHOLDS = (*(digit * 10.0**power for power in range(1, 6) for digit in (1, 2, 5)), 1_000_000.0)
# Evenly on a logarithmic scale, as the path is, about 55 a decade.
_STOPS = (
    *(round(tenth * 10.0**power / 10, 6) for power in range(6) for tenth in (*range(10, 30), *range(30, 100, 2))),
    *(stop + 0.5 for stop in range(1, 10)),
    1_000_000.0,
)


@st.cache_data(max_entries=256, show_spinner=False)
def shape_of(dataset_id: str, application: str, *, _table: CounterSeries) -> ApplicationShape:
    """What the application's runs are like."""
    return application_shape(_table, application)


@st.cache_data(max_entries=64, show_spinner=False)
def _applications(dataset_id: str, *, _table: CounterSeries) -> list[str]:
    return _table.applications


def series_choice(table: CounterSeries, dataset: Entry) -> tuple[str, str, int, ApplicationShape]:
    """The application, the event and the run, from what the table has, and what the application's runs are like.

    Raises ParameterError for an application of which nothing was counted.
    """
    choices: dict[str, Sequence[Any]] = {"application": _applications(dataset.id, _table=table)}
    application = parameters.values(EventParams, ("application",), choices=choices)["application"]
    shape = shape_of(dataset.id, application, _table=table)
    if not shape.events:
        raise ParameterError(f"application: no event of {application!r} was counted in any interval. Choose another application.")
    event = parameters.values(EventParams, ("event",), choices={"event": shape.events})["event"]
    run = parameters.values(PathParams, ("run",), choices={"run": shape.runs})["run"]
    return application, event, int(run), shape


def search_form(shape: ApplicationShape) -> tuple[SearchParams, BoundsParams, int]:
    """How change points are searched, which numbers of them are within bounds, and the tolerance. One click away from sight.

    Raises ParameterError for bounds that leave nothing.
    """
    trim = Slider(0, max(1, min(max(shape.lengths) - 1, 10_000)))
    with st.expander("Bounds and search"):
        bounds = parameters.values(
            BoundsParams, ("min_change_points", "max_change_points"), sliders=dict.fromkeys(BoundsParams.model_fields, Slider(0, 100))
        )
        search = parameters.values(
            SearchParams,
            ("trim_head", "trim_tail", "min_distance", "max_threshold", "statistic", "early_exit"),
            sliders={
                "trim_head": trim,
                "trim_tail": trim,
                "min_distance": Slider(1, 100),
                "max_threshold": Slider(2, 1_000_000, stops=_LARGEST_THRESHOLDS),
            },
        )
        tolerance = parameters.values(RunsParams, ("tolerance",), sliders={"tolerance": Slider(0, 50)})["tolerance"]
    if search["statistic"] != "mean" and search["min_distance"] < 2:
        raise ParameterError(
            f"Least segment: {search['min_distance']} is too short for {search['statistic']}, which needs 2. Raise it, or choose mean."
        )
    fewest, most = bounds["min_change_points"], bounds["max_change_points"]
    if fewest > most:
        raise ParameterError(f"Fewest change points, {fewest}, is above most, {most}: no event can be within. Exchange them.")
    search["max_threshold"] = int(search["max_threshold"])
    return parameters.checked(SearchParams, search), parameters.checked(BoundsParams, bounds), int(tolerance)


def searched(dataset: Entry, params: PathParams, shape: ApplicationShape) -> tuple[EventThresholds, RunPath]:
    """The thresholds of the event and the path of the run: at once where that is quick, else by a worker, with its progress on the page."""
    if shape.is_long:
        return progress.result_of_job(report.overview, dataset.id, params, kind="search for change points")
    event = EventParams(**params.model_dump(include=set(EventParams.model_fields)))
    return results.result_of(report.thresholds, dataset.id, event), results.result_of(report.path, dataset.id, params)


def threshold_choice(dataset: Entry, thresholds: EventThresholds) -> float:
    """The slider. It goes to the optimal threshold when another event, application, dataset or search is chosen; a link's value stays."""
    optimal, least, most = float(thresholds.optimal.threshold), report.LOWEST_THRESHOLD, float(thresholds.params.max_threshold)
    context = f"{dataset.id} {thresholds.params.model_dump_json()}"
    state = st.session_state
    if "threshold" in state and (state.get("threshold_of", context) != context or not least <= state["threshold"] <= most):
        state["threshold"] = optimal
    state["threshold_of"] = context
    stops = tuple(stop for stop in _STOPS if least <= stop <= most)
    chosen = parameters.values(RunsParams, ("threshold",), sliders={"threshold": Slider(least, most, optimal, stops)})["threshold"]
    st.button(
        f"Optimal: {optimal:g}",
        key="to_optimal",
        icon=":material/target:",
        disabled=chosen == optimal,
        on_click=choose_threshold,
        args=(optimal,),
        help="The threshold that Algorithm 1 finds for all runs of this event.",
    )
    return float(chosen)


def choose_threshold(value: float) -> None:
    """Put the slider there, before it is drawn again."""
    st.session_state["threshold"] = value


def out_of_data(path: RunPath) -> str:
    """What was left out of the run, in words; empty when nothing was."""
    samples, params = path.samples, path.params
    left_out = [
        *([f"{_intervals(samples.not_counted)} not counted"] if samples.not_counted else []),
        *([f"{trim:,} at the {name.removeprefix('trim_')}" for name in _TRIMS if (trim := getattr(params, name))]),
    ]
    return f"Left out: {', '.join(left_out)}." if left_out else ""


def _intervals(number: int) -> str:
    return "1 interval that was" if number == 1 else f"{number:,} intervals that were"
