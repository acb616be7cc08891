"""The Segmentation page's form: application, event, run, bounds and search, and the threshold with a preview of its result."""

from collections.abc import Sequence

import streamlit as st

from hemcore.analysis import Question
from hemcore.charts.colours import SERIES
from hemcore.charts.small import Mark
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ParameterError
from hemcore.segmentation import ApplicationShape, SegmentationParams, application_shape
from hemcore.segmentation.analysis import CORES, PATH, THRESHOLDS
from hemcore.segmentation.events.event_ranking import EventRanking
from hemcore.segmentation.params import LOWEST_THRESHOLD
from hemcore.segmentation.path_curve import threshold_curve
from hemcore.segmentation.results import EventThresholds, RunPath
from hemcore.segmentation.search.searches import least_segment
from hemcore.segmentation.uneven_cores import has_places
from hemcore.web import ask, sentences, visits
from hemcore.web.everywhere import slider_strips
from hemcore.web.everywhere.made_once import once
from hemcore.web.form import Form, Slider, Values
from hemcore.web.frame import Frame
from hemcore.web.segmentation import opening

_MOST_TRIMMED = 10_000
# What else may show phases if a statistic shows none.
_OTHER = {"rms": "the statistic mean", "std": "the statistic mean", "mean": "a lower threshold"}


def series_choice(frame: Frame, table: CounterSeries) -> tuple[Values, ApplicationShape, EventRanking | None]:
    """The chosen application, event and run, the shape of the application's runs, and the ranking of its events if it is ready.

    Raises ParameterError for an application without a counted event.
    """
    form = frame.form
    choices: dict[str, Sequence[object]] = {"application": table.applications}
    chosen = form.values(SegmentationParams, ("application",), choices=choices)
    shape = application_shape(table, chosen["application"])
    if not shape.events:
        raise ParameterError(f"application: no event of {chosen['application']!r} was counted in any interval. Choose another application.")
    totals = max(shape.lengths) < 2
    ranking = None if totals else opening.open_on_the_clearest(frame, chosen["application"], shape)
    chosen |= form.values(SegmentationParams, ("event",), choices={"event": shape.events})
    if not totals:
        opening.show_reason(frame, chosen["application"], ranking)
    if totals and not has_places(table):
        raise ParameterError(
            f"{chosen['application']}: each run is one total, so there is nothing to segment. Measure it in intervals, for example "
            "with perf stat -I 100."
        )
    return chosen | form.values(SegmentationParams, ("run",), choices={"run": shape.runs}), shape, ranking


def of_totals(frame: Frame, shape: ApplicationShape, series: Values) -> None:
    """Where each run is one total and so has no phases, shows how even its cores are, and ends the page."""
    if max(shape.lengths) < 2:
        frame.chosen()
        frame.ask(CORES, SegmentationParams(**series))
        frame.headline()
        frame.pictures()
        visits.end_page()


def search_choice(form: Form, shape: ApplicationShape) -> Values:
    """The search for change points and the bounds on their number, in an expander."""
    trim = Slider(0, max(1, min(max(shape.lengths) - 1, _MOST_TRIMMED)))
    bounds = ("min_change_points", "max_change_points", "trim_head", "trim_tail", "max_threshold", "statistic", "detrend")
    search = ("early_exit", "tolerance", "joint_penalty", "joint_bursts")
    with st.expander("Bounds and search"):
        chosen = form.values(SegmentationParams, bounds, sliders={"trim_head": trim, "trim_tail": trim})
        least = least_segment(None, str(chosen["statistic"]), min(shape.lengths))
        chosen |= form.values(SegmentationParams, ("min_distance",), empty=f"automatic: {least} for {chosen['statistic']}")
        chosen |= form.values(SegmentationParams, search)
    chosen["max_threshold"] = int(chosen["max_threshold"])
    return chosen


def threshold_choice(frame: Frame, params: SegmentationParams, ranking: EventRanking | None) -> SegmentationParams:
    """Draws the slider, the button to Algorithm 1's threshold and the small path here, and the progress of long work in place of the
    pictures; if the run is one segment, also buttons to what may show more. Returns the params with the threshold."""
    event = Question(analysis=THRESHOLDS, dataset=frame.dataset.id, params=params)
    with sentences.show_errors(place=frame.right, last=frame.chosen, actions=frame.remedies), frame.right:
        thresholds: EventThresholds = ask.answer(event, frame.remedies)
        path: RunPath = ask.answer(event.about(PATH), frame.remedies)
    chosen = params.but(threshold=_threshold(frame, event, thresholds))
    optimal = float(thresholds.optimal.threshold)
    known = [Mark(x=optimal, colour=SERIES[4], text=f"Algorithm 1's threshold {optimal:g}", dash="4 3")]
    low, high = chosen.bounds
    slider_strips.show(
        frame,
        [once(threshold_curve, path)],
        chosen,
        usual=optimal,
        usual_name="Algorithm 1",
        allowed=(float(low), float(high)),
        known=known,
    )
    if path.path.min_threshold <= chosen.threshold and path.path.at(chosen.threshold).n_change_points == 0:
        _ways_out(frame, chosen, ranking, path)
    return chosen


def _ways_out(frame: Frame, params: SegmentationParams, ranking: EventRanking | None, path: RunPath) -> None:
    """A caption for a run of one segment, and buttons to another event and to the mean."""
    counts, flat = path.samples.counts, bool((path.path.intervals["n_change_points"] == 0).all())
    varies = bool(counts.min() < counts.max())
    where = f"One segment at every threshold up to {params.max_threshold:,}" if flat else "One segment at this threshold"
    others = [
        *(["another event"] if ranking is None or ranking.n_events > 1 else []),
        *([_OTHER[params.statistic]] if varies and not (flat and params.statistic == "mean") else []),
    ]
    try_them = f": try {', or '.join(others)}" if others else ""
    st.caption(f"{where}{'' if varies else ', because nothing varies'}{try_them}.")
    with st.container(horizontal=True, gap="small"):
        if ranking is not None and ranking.best is not None:
            clearer = ranking.of_each.query("event != @params.event").head(1)
            for event, statistic in zip(clearer["event"], clearer["statistic"], strict=True):
                st.button(
                    sentences.as_text(str(event)),
                    key=frame.page.key("to_clearer"),
                    icon=":material/monitoring:",
                    on_click=opening.open_event,
                    args=(frame.page, str(event), str(statistic)),
                    help=f"The event that shows the phases most clearly, with the statistic {statistic}.",
                )
        if params.statistic != "mean" and varies:
            st.button(
                "Use the mean",
                key=frame.page.key("to_mean"),
                icon=":material/functions:",
                on_click=frame.form.put,
                args=("statistic", "mean"),
                help="Finds changes of the mean, including small changes of a high level.",
            )


def _threshold(frame: Frame, event: Question, thresholds: EventThresholds) -> float:
    """The chosen threshold: Algorithm 1's after a change of event, application, dataset or search; a link's value stays."""
    form, state = frame.form, st.session_state
    optimal, most = float(thresholds.optimal.threshold), float(thresholds.params.max_threshold)
    stands, of = form.stands("threshold"), f"{frame.page.name}:context"
    if stands is not None and (state.get(of, event.id) != event.id or not LOWEST_THRESHOLD <= stands <= most):
        form.put("threshold", optimal)
    state[of] = event.id
    slider = Slider(LOWEST_THRESHOLD, most, optimal)
    chosen = float(form.values(SegmentationParams, ("threshold",), sliders={"threshold": slider})["threshold"])
    set_now = f"The threshold is {optimal:g} now. " if chosen == optimal else ""
    st.button(
        f"Algorithm 1: {optimal:g}",
        key=frame.page.key("to_optimal"),
        icon=":material/target:",
        disabled=chosen == optimal,
        on_click=form.put,
        args=("threshold", optimal),
        help=f"{set_now}Algorithm 1's threshold for all runs of this event (Imtiaz et al. 2022). Other thresholds may show more.",
    )
    return chosen
