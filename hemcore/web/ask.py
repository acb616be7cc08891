"""Answers for a page: from the cache, computed now, or by a job that is shown in place and outlives the page."""

from collections import deque
from collections.abc import Sequence
from weakref import WeakKeyDictionary, ref

import pandas as pd
import streamlit as st

from hemcore import jobs
from hemcore.analysis import Question, ResultT
from hemcore.datasets.tables.kinds import Table
from hemcore.errors import HemError
from hemcore.headline import duration
from hemcore.jobs import Job
from hemcore.web import sentences, shelf, tables
from hemcore.web.everywhere.made_once import once
from hemcore.web.visits import end_page

_AGAIN, _SHOWN = "ask:again", "ask:shown"
# Seconds that a page computes itself before any job is done: workers that have imported nothing yet take several times as long.
_COLD_S = 3.0
# The questions last answered in a page's thread, as many as the cache holds.
_here: deque[str] = deque(maxlen=64)
# What is known of the parts of running jobs, by their questions' ids: read once from the store.
_parts: WeakKeyDictionary[Job, dict[str, object]] = WeakKeyDictionary()
# The windows that were shown the progress of a job.
_seen_by: WeakKeyDictionary[Job, set[int]] = WeakKeyDictionary()


def answer(question: Question[ResultT], actions: sentences.Actions | None = None) -> ResultT:
    """The answer to `question`; while a job computes it, its progress is shown and the page stops. actions: as in `in_place`."""
    found = _found(question, shelf.table_of(question), "", actions)
    return found[0] if found else end_page()


def in_place(question: Question[ResultT], where: str = "", actions: sentences.Actions | None = None) -> tuple[bool, ResultT | None]:
    """(True, the answer), or (False, None) while its progress, or why it failed, is shown in its place.

    where: a name for the place, since two places on a page can wait for the same job. actions: the fixes offered for a HemError of the
    job, such as Frame.remedies; a HemError raised here propagates.
    """
    found = _found(question, shelf.table_of(question), where, actions)
    return (True, found[0]) if found else (False, None)


def at_hand(question: Question[ResultT]) -> ResultT | None:
    """The answer if it is available now (quick to compute, or its job is done); else None."""
    return _at_hand(question, shelf.table_of(question))


def here(question: Question[ResultT]) -> ResultT:
    """The answer, computed in this process if need be: for small questions, which a busy computer expects to take long."""
    return _computed_here(question, shelf.table_of(question))


def start(question: Question) -> None:
    """Start the job of `question`, unless it is done or running."""
    _start(question, shelf.table_of(question))


def aside(question: Question) -> Job:
    """The job that answers `question` while the page goes on, however quick it is: begun, unless it was; it may have failed."""
    return jobs.find(question.id) or jobs.submit(question, question.seconds(shelf.table_of(question)))


def begun(question: Question) -> bool:
    """Whether a job of `question`, or of one of its inputs, was started."""
    return any(begun(each) for each in question.inputs) or jobs.find(question.id) is not None


def why_not(question: Question) -> str:
    """Why the job ended without an answer, a sentence; "" if it did not."""
    for each in question.inputs:
        if why := why_not(each):
            return why
    job = jobs.find(question.id)
    return _why(job) if job is not None and job.state in ("cancelled", "failed") else ""


# Below, `table` is the dataset's: fetched once and passed on to the inputs.


def _found(question: Question[ResultT], table: Table, where: str, actions: sentences.Actions | None) -> list[ResultT]:
    """A list of the answer; empty while there is none."""
    taken = []
    for each in question.inputs:
        found = _found(each, table, where, actions)
        if not found:
            return []
        taken += found
    if _is_job(question, table) and not _sooner_here(question, table):
        return _watched(question, table, where, actions)
    return [_answered(question, table, taken)]


def _at_hand(question: Question[ResultT], table: Table) -> ResultT | None:
    taken = [_at_hand(each, table) for each in question.inputs]
    if any(each is None for each in taken):
        return None
    if _is_job(question, table):
        job = jobs.find(question.id)
        return job.result() if job is not None and job.state == "done" else None
    return _answered(question, table, taken)


def _computed_here(question: Question[ResultT], table: Table) -> ResultT:
    known = _at_hand(question, table)
    return _answered(question, table, [_computed_here(each, table) for each in question.inputs]) if known is None else known


def _start(question: Question, table: Table) -> None:
    for each in question.inputs:
        _start(each, table)
    if _is_job(question, table) and _at_hand(question, table) is None:
        jobs.submit(question, question.seconds(table))


def _is_job(question: Question, table: Table) -> bool:
    # As it was answered before, since what is expected changes with each run.
    return jobs.find(question.id) is not None or (question.id not in _here and question.analysis.is_long(table, question.params))


def _sooner_here(question: Question, table: Table) -> bool:
    if jobs.find(question.id) is not None or any(job.started is not None and job.state == "done" for job in jobs.jobs()):
        return False
    return question.analysis.seconds(table, question.params) <= _COLD_S


def _answered(question: Question[ResultT], table: Table, taken: list[object]) -> ResultT:
    for each in question.analysis.optional:
        try:
            taken.append(_at_hand(question.about(each), table))
        except HemError:  # shown where that analysis is the question; this answer works without it
            taken.append(None)
    return _computed(question.id, tuple(each is not None for each in taken), _question=question, _table=table, _taken=taken)


@st.cache_resource(max_entries=64, show_spinner=False)
def _computed(question_id: str, at_hand: tuple[bool, ...], *, _question: Question[ResultT], _table: Table, _taken: list[object]) -> ResultT:
    # The key is the id and which inputs are available; the table is not hashed, because hashing a large frame only samples it.
    analysis = _question.analysis
    params = analysis.relevant_params(_question.params)
    result = analysis.of(_table, params) if analysis.compute is None else analysis.computed(_table, params, None, *_taken)
    _here.append(question_id)
    return result


def _watched(question: Question[ResultT], table: Table, where: str, actions: sentences.Actions | None) -> list[ResultT]:
    job = jobs.find(question.id)
    again = job is not None and st.session_state.get(_AGAIN) == job.id
    if again:
        del st.session_state[_AGAIN]
    if job is None or (again and job.state in ("cancelled", "failed")):
        job = jobs.submit(question, question.seconds(table))
    _replaces(job, where)
    if job.state == "done":
        return [job.result()]
    if job.finished:
        if job.state == "cancelled":  # as the visitor wished: no error
            st.info(sentences.as_text(_why(job)), icon=":material/info:")
        else:
            sentences.show(_why(job), actions(HemError(job.error, remedies=job.remedies)) if actions is not None else ())
        if st.button("Start again", key=f"again-{job.id}{where}", icon=":material/replay:"):
            st.session_state[_AGAIN] = job.id
            st.rerun()
    else:
        watch(job, where)
    return []


def _replaces(job: Job, where: str) -> None:
    """`job` is shown here now: the one before it, of the same analysis with other parameters, is withdrawn if no other window shows it."""
    if job.question is None:
        return
    shown: dict[tuple[str, ...], ref[Job]] = st.session_state.setdefault(_SHOWN, {})
    window, place = id(shown), (job.question.analysis.name, job.question.dataset, where)
    before = shown[place]() if place in shown else None
    shown[place] = ref(job)
    _seen_by.setdefault(job, set()).add(window)
    if before is not None and before is not job and _seen_by.get(before, set()) <= {window}:
        jobs.withdraw(before)


def progress_of(job: Job) -> str:
    """Its step, and how long it still takes, or when it begins, where that is known."""
    waits = job.position
    if waits is not None:
        start = "" if waits.seconds is None else f", begins in about {duration(round(waits.seconds))}"
        return f"Number {waits.place} in the queue{start}"
    left = "" if job.remaining is None else f", about {duration(round(job.remaining))} left"
    return f"{job.note or job.state}{left}"


def _why(job: Job) -> str:
    return job.error or f"{job.kind}: no result."


def _so_far(job: Job) -> pd.DataFrame | None:
    """What the parts that are done say together; None if none is, or they say nothing alone."""
    question = job.question
    if question is None or question.analysis.so_far is None or question.analysis.part is None:
        return None
    part = question.analysis.part
    pieces = question.analysis.pieces(shelf.table_of(question), question.params)
    known = _parts.setdefault(job, {})
    wanted = [Question(analysis=part, dataset=question.dataset, params=piece) for piece in pieces]
    missing = [each for each in wanted if each.id not in known]
    known |= {each.id: found for each, found in zip(missing, jobs.filed(missing), strict=True) if found is not None}
    first = _at_once(question)
    return question.analysis.so_far(pieces, [known.get(each.id) for each in wanted], first) if known or first else None


def _at_once(question: Question) -> Sequence[object]:
    """What the analysis can say in a moment; nothing where it fails, which the job tells."""
    if question.analysis.at_once is None:
        return ()
    try:
        return once(question.analysis.at_once, shelf.table_of(question), question.analysis.relevant_params(question.params))
    except HemError:
        return ()


@st.fragment(run_every=0.5)
def watch(job: Job, where: str) -> None:
    """The progress of `job`, with a Cancel button; reruns the page when the job is finished."""
    if job.finished:
        sentences.rerun()
    with st.container(border=True):
        st.progress(job.progress, text=sentences.as_text(f"{job.kind}: {progress_of(job)}"))
        st.caption("Keeps running if you leave or refresh this page.")
        if (table := _so_far(job)) is not None:
            tables.show_plain(table)
        st.button("Cancel", key=f"cancel-{job.id}{where}", icon=":material/stop:", on_click=job.cancel, disabled=job.cancel_asked)
