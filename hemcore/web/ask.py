"""Questions answered on a page: from the cache, at once, or by a job that is watched in place, cancelled, and outlives the page."""

from typing import Any

import streamlit as st

from hemcore import jobs
from hemcore.analysis import Question
from hemcore.errors import HemError
from hemcore.jobs import Job
from hemcore.web import sentences, shelf

_AGAIN = "ask:again"


def answer(question: Question, actions: sentences.Actions | None = None) -> Any:
    """The answer to `question`; while a worker is at it, its progress, and the page stops. actions: as of `in_place`."""
    done, result = in_place(question, actions=actions)
    return result if done else st.stop()


def in_place(question: Question, where: str = "", actions: sentences.Actions | None = None) -> tuple[bool, Any]:
    """(True, the answer), or (False, None) while its progress, or why there is none, is shown in its place.

    where: tells the places apart at which a page asks, since two can wait for the same work. actions: what can be done with one click
    about a HemError of the work, such as Frame.remedies; one that is raised here goes on to whoever shows it.
    """
    taken = []
    for each in question.analysis.inputs:
        done, result = in_place(question.about(each), where, actions)
        if not done:
            return False, None
        taken.append(result)
    if question.analysis.is_long(shelf.table(question.dataset), question.params):
        return _watched(question, where, actions)
    return True, _answered(question, [*taken, *_at_hand(question)])


def at_hand(question: Question) -> Any:
    """The answer where it is to be had at once (quick to compute, or its job is done); else None."""
    taken = [at_hand(question.about(each)) for each in question.analysis.inputs]
    if any(each is None for each in taken):
        return None
    if question.analysis.is_long(shelf.table(question.dataset), question.params):
        job = jobs.find(question.id)
        return job.result() if job is not None and job.state == "done" else None
    return _answered(question, [*taken, *_at_hand(question)])


def start(question: Question) -> None:
    """Begin the long work of `question`, where it is not done or begun already."""
    for each in (question.about(analysis) for analysis in question.analysis.inputs):
        start(each)
    if at_hand(question) is None and question.analysis.is_long(shelf.table(question.dataset), question.params):
        jobs.submit(question)


def begun(question: Question) -> bool:
    """Whether a job of `question`, or of something that it takes, was started."""
    return any(begun(question.about(each)) for each in question.analysis.inputs) or jobs.find(question.id) is not None


def why_not(question: Question) -> str:
    """Why there is no answer, a sentence, where the work for it ended without one; "" where it did not."""
    for each in question.analysis.inputs:
        if why := why_not(question.about(each)):
            return why
    job = jobs.find(question.id)
    return _why(job) if job is not None and job.state in ("cancelled", "failed") else ""


def _at_hand(question: Question) -> list[Any]:
    found: list[Any] = []
    for each in question.analysis.optional:
        try:
            found.append(at_hand(question.about(each)))
        except HemError:  # said where it is asked for itself; the answer does without
            found.append(None)
    return found


def _answered(question: Question, taken: list[Any]) -> Any:
    return _computed(question.id, tuple(each is not None for each in taken), _question=question, _taken=taken)


@st.cache_resource(max_entries=64, show_spinner=False)
def _computed(question_id: str, at_hand: tuple[bool, ...], *, _question: Question, _taken: list[Any]) -> Any:
    # The id and which parts are at hand are the key; the table is not hashed, since hashing a big frame looks at a sample of it only.
    analysis, table = _question.analysis, shelf.table(_question.dataset)
    if analysis.compute is None:
        return analysis.of(table, _question.params)
    return analysis.compute(table, analysis.asked(_question.params), None, *_taken)


def _watched(question: Question, where: str, actions: sentences.Actions | None) -> tuple[bool, Any]:
    job = jobs.find(question.id)
    again = job is not None and st.session_state.get(_AGAIN) == job.id
    if again:
        del st.session_state[_AGAIN]
    if job is None or (again and job.state in ("cancelled", "failed")):
        job = jobs.submit(question)
    if job.state == "done":
        return True, job.result()
    if job.finished:
        sentences.show(_why(job), actions(HemError(job.error, remedies=job.remedies)) if actions is not None else ())
        if st.button("Start it again", key=f"again-{job.id}{where}", icon=":material/replay:"):
            st.session_state[_AGAIN] = job.id
            st.rerun()
    else:
        watch(job, where)
    return False, None


def _why(job: Job) -> str:
    return job.error or f"{job.kind}: no result."


@st.fragment(run_every=0.5)
def watch(job: Job, where: str) -> None:
    """The progress of `job`, with a button that cancels it; the page is run anew when it is finished."""
    if job.finished:
        st.rerun()
    with st.container(border=True):
        left = "" if job.remaining is None else f", about {job.remaining:.0f} s left"
        st.progress(job.progress, text=sentences.as_text(f"{job.kind}: {job.note or job.state}{left}"))
        st.caption("It goes on when you leave this page or refresh it.")
        st.button("Cancel", key=f"cancel-{job.id}{where}", icon=":material/stop:", on_click=job.cancel, disabled=job.cancel_asked)
