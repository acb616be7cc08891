"""What the segmentation page works on: the application, the event, the run, the bounds and the threshold."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from hemcore.datasets.counter_series import CounterSeries
from hemcore.datasets.library import Entry
from hemcore.segmentation import BoundsParams, EventParams, PathParams, RunsParams, SearchParams, events_of, report
from hemcore.segmentation.report import EventThresholds, RunPath
from hemcore.web import errors, parameters, progress, results

# Where the bundled series shows at once what the page is for: its counts change with the program's stages.
START = {"application": "sensor_control", "event": "Dr"}
_TRIMS = ("trim_head", "trim_tail")


def series_choice(table: CounterSeries) -> dict[str, str]:
    """The application and the event, from what the table has."""
    chosen = parameters.values(EventParams, ("application",), choices={"application": table.applications})
    return chosen | parameters.values(EventParams, ("event",), choices={"event": events_of(table, chosen["application"])})


def run_choice(table: CounterSeries, application: str) -> int:
    """One of the application's runs."""
    runs = [int(run) for run in table.runs(application)]
    return int(parameters.values(PathParams, ("run",), choices={"run": runs})["run"])


def search_form() -> tuple[SearchParams, BoundsParams, int]:
    """How change points are searched, which numbers of them are within bounds, and the tolerance. One click away from sight."""
    with st.expander("Bounds and search"):
        first, second = st.columns(2)
        with first:
            low = parameters.values(BoundsParams, ("min_change_points",))
            head = parameters.values(SearchParams, ("trim_head",))
        with second:
            high = parameters.values(BoundsParams, ("max_change_points",))
            tail = parameters.values(SearchParams, ("trim_tail",))
        rest = parameters.values(SearchParams, ("max_threshold", "statistic", "min_distance", "early_exit"))
        tolerance = parameters.values(RunsParams, ("tolerance",))["tolerance"]
    if rest["statistic"] != "mean" and rest["min_distance"] < 2:
        errors.show(
            f"Least segment: {rest['min_distance']} interval is too short for {rest['statistic']}; it needs 2. Raise it, or choose mean."
        )
        st.stop()
    bounds = parameters.checked(BoundsParams, low | high)
    if bounds.min_change_points > bounds.max_change_points:
        fewest, most = bounds.min_change_points, bounds.max_change_points
        errors.show(f"Fewest change points, {fewest}, is above most, {most}: no event can be within. Exchange them.")
        st.stop()
    return parameters.checked(SearchParams, rest | head | tail), bounds, int(tolerance)


def asked(function: Callable[..., Any], table: CounterSeries, dataset: Entry, params: EventParams, *, kind: str) -> Any:
    """`function(table, params)`: at once where that is quick, else by a worker, with its progress on the page until it is there."""
    if report.is_long(table, params):
        return progress.result_of_job(function, dataset.id, params, kind=kind)
    return results.result_of(function, dataset.id, params)


def threshold_choice(dataset: Entry, thresholds: EventThresholds) -> float:
    """The slider. It goes to the optimal threshold when another event, application, dataset or search is chosen; a link's value stays."""
    optimal, least, most = float(thresholds.optimal.threshold), report.LOWEST_THRESHOLD, float(thresholds.params.max_threshold)
    context = f"{dataset.id} {thresholds.params.model_dump_json()}"
    state = st.session_state
    if "threshold" in state and (state.get("threshold_of", context) != context or not least <= state["threshold"] <= most):
        state["threshold"] = optimal
    state["threshold_of"] = context
    chosen = parameters.values(RunsParams, ("threshold",), sliders={"threshold": (least, most, optimal)})["threshold"]
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
