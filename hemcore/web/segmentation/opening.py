"""Opens the page on the clearest event if none was chosen, says why, and offers a ranked list."""

import pandas as pd
import streamlit as st

from hemcore import jobs
from hemcore.analysis import Question
from hemcore.errors import HemError
from hemcore.segmentation import ApplicationShape, SegmentationParams
from hemcore.segmentation.analysis import RANKING
from hemcore.segmentation.events.event_ranking import EventRanking
from hemcore.web import ask, boxes, choices, sentences, tables
from hemcore.web.form import put, warn_of_link
from hemcore.web.frame import Frame
from hemcore.web.page import Page

_LISTED = ["event", "statistic", "clearness", "explained", "n_change_points"]


def open_on_the_clearest(frame: Frame, application: str, shape: ApplicationShape) -> EventRanking | None:
    """Set event and statistic, before they are drawn, to those that show phases most clearly, unless a link or the user chose some.

    A long ranking runs in the background: until it is ready the first event is shown, and it stays if the user chooses something meanwhile.
    Returns the ranking; None if it is not ready or failed."""
    question = Question(analysis=RANKING, dataset=frame.dataset.id, params=SegmentationParams(application=application))
    state, of = st.session_state, f"{frame.page.name}:opened"
    event_now = _current(frame.page, "event")
    if event_now not in shape.events:
        warn_of_link(frame.page.key("event"), "Event", shape.events)
        event_now = None
    opened = state.get(of)
    steps = len(state.get(f"{frame.page.name}:steps", []))
    if event_now is not None and (opened is None or opened["at"] != (event_now, _current(frame.page, "statistic") or "rms")):
        state.pop(of, None)  # the user chose it
        return _ranking(question)
    if opened is not None and opened["of"] == question.id and (opened["done"] or opened["steps"] != steps):
        opened["done"] = True
        return _ranking(question)
    ranking = _ranking(question)
    statistic_now = _current(frame.page, "statistic") if opened is None else None
    event, statistic = event_now or shape.events[0], statistic_now or _current(frame.page, "statistic") or "rms"
    said = why = ""
    if ranking is not None and ranking.best is not None:
        best = (
            ranking.ranked if statistic_now not in set(ranking.ranked["statistic"]) else ranking.ranked.query("statistic == @statistic_now")
        )
        event = str(best["event"].iloc[0])
        statistic = statistic_now or str(best["statistic"].iloc[0])
        if opened is not None and opened["of"] == question.id:
            choices.by_itself(frame.page)
        if event_now != event:
            put(frame.page.key("event"), event)
        if (_current(frame.page, "statistic") or "rms") != statistic:
            put(frame.page.key("statistic"), statistic)
        if statistic_now is None:
            said, why = f"Opened on {event}, statistic {statistic}", ranking.why
    elif ranking is not None:
        said = ranking.why
        event = event_now or str(ranking.ranked["event"].iloc[0])
        if event_now is None:
            put(frame.page.key("event"), event)
    state[of] = {
        "of": question.id,
        "at": (event, statistic),
        "done": ranking is not None or bool(ask.why_not(question)),
        "steps": steps,
        "said": said,
        "why": why,
    }
    return ranking


def show_reason(frame: Frame, application: str, ranking: EventRanking | None) -> None:
    """Draws on which event the page opened, the reason on hover, and the ranked list behind a button; progress while the ranking runs."""
    if ranking is None:
        job = jobs.find(Question(analysis=RANKING, dataset=frame.dataset.id, params=SegmentationParams(application=application)))
        if job is not None and not job.finished:
            _watch(job.id)
        return
    opened = st.session_state.get(f"{frame.page.name}:opened")
    if opened is not None and opened["said"]:
        st.caption(sentences.as_text(opened["said"]), help=sentences.as_text(opened["why"]) or None)
    if ranking.n_events < 2:
        return
    with boxes.on_demand(
        frame.page, "Ranked events", ":material/format_list_numbered:", help="Which events show phases most clearly.", type="tertiary"
    ) as is_open:
        if is_open:
            rows = ranking.of_each[_LISTED].round({"clearness": 2, "explained": 2})
            key = frame.page.key("ranked-table")
            st.caption(
                "Clearness: agreement of an event's change points with those of other events, times the share of its variance that they "
                "explain. Click a row to open its event."
            )
            tables.show(
                rows, alt="Ranked events", key=key, on_select=lambda: _open_row(frame.page, key, rows), selection_mode=["single-row"]
            )


def open_event(page: Page, event: str, statistic: str) -> None:
    """Open an event and a statistic; call it from a callback."""
    put(page.key("event"), event)
    put(page.key("statistic"), statistic)


def _open_row(page: Page, key: str, rows: pd.DataFrame) -> None:
    chosen = st.session_state[key].selection.rows
    if chosen:
        open_event(page, str(rows["event"].iloc[chosen[0]]), str(rows["statistic"].iloc[chosen[0]]))


def _current(page: Page, field: str) -> str | None:
    """The value of the widget, or of the link; None if neither has one."""
    key = page.key(field)
    return st.session_state.get(key) or st.query_params.get(key)


def _ranking(question: Question) -> EventRanking | None:
    try:
        ask.start(question)
        found: EventRanking | None = ask.at_hand(question)
    except HemError:  # the page works without it; the segmentation raises with the reason
        return None
    return found


@st.fragment(run_every=0.5)
def _watch(job_id: str) -> None:
    job = jobs.find(job_id)
    if job is None or job.finished:
        sentences.rerun()
    note = f": {job.note}" if job.note else ""
    st.caption(sentences.as_text(f"Looking for the event that shows phases most clearly{note}"))
