"""On which event the page opens where nobody has chosen one: the clearest, told why, with a ranked list to choose from."""

from typing import Any

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
    """Put the event and the statistic, before they are drawn, at those that show phases most clearly, where neither a link nor the visitor
    has chosen. A long ranking goes on in the background: the first event is shown until it is there, and stays when something was chosen
    meanwhile. Returns the ranking; None where it is not there (yet)."""
    question = Question(analysis=RANKING, dataset=frame.dataset.id, params=SegmentationParams(application=application))
    state, of = st.session_state, f"{frame.page.name}:opened"
    stands = _stands(frame.page, "event")
    if stands not in shape.events:
        warn_of_link(frame.page.key("event"), "Event", shape.events)
        stands = None
    mine = state.get(of)
    steps = len(state.get(f"{frame.page.name}:steps", []))
    if stands is not None and (mine is None or mine["at"] != (stands, _stands(frame.page, "statistic") or "rms")):
        state.pop(of, None)  # somebody chose it
        return _ranking(question)
    if mine is not None and mine["of"] == question.id and (mine["done"] or mine["steps"] != steps):
        mine["done"] = True
        return _ranking(question)
    ranking = _ranking(question)
    asked = _stands(frame.page, "statistic") if mine is None else None
    event, statistic, why = stands or shape.events[0], asked or _stands(frame.page, "statistic") or "rms", ""
    if ranking is not None and ranking.best is not None:
        best = ranking.ranked if asked not in set(ranking.ranked["statistic"]) else ranking.ranked.query("statistic == @asked")
        event = str(best["event"].iloc[0])
        statistic = asked or str(best["statistic"].iloc[0])
        if mine is not None and mine["of"] == question.id:
            choices.by_itself(frame.page)
        if stands != event:
            put(frame.page.key("event"), event)
        if (_stands(frame.page, "statistic") or "rms") != statistic:
            put(frame.page.key("statistic"), statistic)
        if asked is None:
            why = f"Opened on {event}, statistic {statistic}: {ranking.why}"
    elif ranking is not None:
        why = ranking.why
    state[of] = {
        "of": question.id,
        "at": (event, statistic),
        "done": ranking is not None or bool(ask.why_not(question)),
        "steps": steps,
        "why": why,
    }
    return ranking


def tell(frame: Frame, application: str, ranking: EventRanking | None) -> None:
    """Why the page opened on its event, and the ranked list behind a button; progress while the ranking is under way."""
    if ranking is None:
        job = jobs.find(Question(analysis=RANKING, dataset=frame.dataset.id, params=SegmentationParams(application=application)))
        if job is not None and not job.finished:
            _watch(job.id)
        return
    mine = st.session_state.get(f"{frame.page.name}:opened")
    if mine is not None and mine["why"]:
        st.caption(sentences.as_text(mine["why"]))
    if ranking.n_events < 2:
        return
    with boxes.on_demand(
        frame.page, "Ranked events", ":material/format_list_numbered:", help="Which events show phases most clearly.", type="tertiary"
    ) as is_open:
        if is_open:
            rows = ranking.of_each[_LISTED].round({"clearness": 2, "explained": 2})
            key = frame.page.key("ranked-table")
            st.caption(
                "Clearness: how far an event's change points are shared with other events, times the share of its variation that they "
                "explain. Click a row to open its event."
            )
            tables.show(
                rows, alt="Ranked events", key=key, on_select=lambda: _open_row(frame.page, key, rows), selection_mode=["single-row"]
            )


def open_event(page: Page, event: str, statistic: str) -> None:
    """Go over to an event and a statistic; from a callback."""
    put(page.key("event"), event)
    put(page.key("statistic"), statistic)


def _open_row(page: Page, key: str, rows: pd.DataFrame) -> None:
    chosen = st.session_state[key].selection.rows
    if chosen:
        open_event(page, str(rows["event"].iloc[chosen[0]]), str(rows["statistic"].iloc[chosen[0]]))


def _stands(page: Page, field: str) -> Any:
    """What the widget stands at, or the link asks it to; None where neither says."""
    key = page.key(field)
    return st.session_state.get(key) or st.query_params.get(key)


def _ranking(question: Question) -> EventRanking | None:
    try:
        ask.start(question)
        found: EventRanking | None = ask.at_hand(question)
    except HemError:  # the page does without; what cannot be ranked says so where it is segmented
        return None
    return found


@st.fragment(run_every=0.5)
def _watch(job_id: str) -> None:
    job = jobs.find(job_id)
    if job is None or job.finished:
        st.rerun()
    note = f": {job.note}" if job.note else ""
    st.caption(sentences.as_text(f"Looking for the event that shows the phases most clearly{note}"))
