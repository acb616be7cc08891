"""The Segmentation page's form: application, event, run, bounds and search, and the threshold with what it will find."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from hemcore.analysis import Question
from hemcore.charts.threshold_path import small_threshold_path
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ParameterError
from hemcore.segmentation import ApplicationShape, SegmentationParams, application_shape
from hemcore.segmentation.analysis import PATH, THRESHOLDS
from hemcore.segmentation.params import LOWEST_THRESHOLD
from hemcore.segmentation.results import EventThresholds, RunPath
from hemcore.web import ask, pictures, sentences
from hemcore.web.form import Form, Slider
from hemcore.web.frame import Frame

_MOST_TRIMMED = 10_000


def series_choice(form: Form, table: CounterSeries) -> tuple[dict[str, Any], ApplicationShape]:
    """The application, the event and the run, from what the table has, and what the application's runs are like.

    Raises ParameterError for an application of which nothing was counted.
    """
    choices: dict[str, Sequence[Any]] = {"application": table.applications}
    chosen = form.values(SegmentationParams, ("application",), choices=choices)
    shape = application_shape(table, chosen["application"])
    if not shape.events:
        raise ParameterError(f"application: no event of {chosen['application']!r} was counted in any interval. Choose another application.")
    return chosen | form.values(SegmentationParams, ("event", "run"), choices={"event": shape.events, "run": shape.runs}), shape


def search_choice(form: Form, shape: ApplicationShape) -> dict[str, Any]:
    """How change points are searched, and which numbers of them are within bounds. One click away from sight."""
    trim = Slider(0, max(1, min(max(shape.lengths) - 1, _MOST_TRIMMED)))
    fields = (
        "min_change_points", "max_change_points", "trim_head", "trim_tail", "min_distance", "max_threshold", "statistic", "early_exit",
        "tolerance",
    )  # fmt: skip
    with st.expander("Bounds and search"):
        chosen = form.values(SegmentationParams, fields, sliders={"trim_head": trim, "trim_tail": trim})
    chosen["max_threshold"] = int(chosen["max_threshold"])
    return chosen


def threshold_choice(frame: Frame, params: SegmentationParams) -> SegmentationParams:
    """The slider, the button to the optimal threshold and the small path, drawn in the present place; what needs long work is watched
    at the pictures' place. Returns the params with the threshold."""
    event = Question(analysis=THRESHOLDS, dataset=frame.dataset.id, params=params)
    with sentences.shown_as_sentence(place=frame.right, last=frame.chosen), frame.right:
        thresholds: EventThresholds = ask.answer(event)
        path: RunPath = ask.answer(event.about(PATH))
    chosen = params.but(threshold=_threshold(frame, event, thresholds))
    pictures.show_small(small_threshold_path(path, thresholds.optimal, chosen=chosen.threshold, bounds=chosen.bounds))
    return chosen


def _threshold(frame: Frame, event: Question, thresholds: EventThresholds) -> float:
    """It goes to the optimal threshold when another event, application, dataset or search is chosen; a link's value stays."""
    form, state = frame.form, st.session_state
    optimal, most = float(thresholds.optimal.threshold), float(thresholds.params.max_threshold)
    stands, of = form.stands("threshold"), f"{frame.page.name}:context"
    if stands is not None and (state.get(of, event.id) != event.id or not LOWEST_THRESHOLD <= stands <= most):
        form.put("threshold", optimal)
    state[of] = event.id
    slider = Slider(LOWEST_THRESHOLD, most, optimal)
    chosen = float(form.values(SegmentationParams, ("threshold",), sliders={"threshold": slider})["threshold"])
    st.button(
        f"Optimal: {optimal:g}",
        key=frame.page.key("to_optimal"),
        icon=":material/target:",
        disabled=chosen == optimal,
        on_click=form.put,
        args=("threshold", optimal),
        help="The threshold that Algorithm 1 finds for all runs of this event.",
    )
    return chosen
