"""Long work on a page: started once, watched in place, cancelled with a button; it goes on through a page switch and a refresh."""

from collections.abc import Callable
from typing import Any

import streamlit as st
from pydantic import BaseModel

from hemcore import jobs
from hemcore.jobs import Job
from hemcore.web import errors


def result_of_job(function: Callable[..., Any], dataset_id: str, params: BaseModel, *, kind: str) -> Any:
    """The result of `function(table, params, progress)`, run by a worker; while it is not there, its progress, and the page stops."""
    done, result = job_in_place(function, dataset_id, params, kind=kind)
    return result if done else st.stop()


def job_in_place(function: Callable[..., Any], dataset_id: str, params: BaseModel, *, kind: str) -> tuple[bool, Any]:
    """(True, the result), or (False, None) while its progress, or why there is no result, is shown in its place."""
    known = jobs.find(jobs.job_id(function, dataset_id, params))
    if known is None or (known.state in ("cancelled", "failed") and st.session_state.pop("start_again", None) == known.id):
        known = jobs.submit(function, dataset_id, params, kind=kind)
    if known.state == "done":
        return True, known.result()
    if known.finished:
        errors.show(known.error or f"{kind}: no result.")
        if st.button("Start it again", key=f"again-{known.id}", icon=":material/replay:"):
            st.session_state["start_again"] = known.id
            st.rerun()
    else:
        _watch(known)
    return False, None


def job_on_demand(
    function: Callable[..., Any], dataset_id: str, params: BaseModel, *, kind: str, button: str, about: str
) -> tuple[bool, Any]:
    """As `job_in_place`, for work that is started by a button: before that, `about` in words and the button."""
    if jobs.find(jobs.job_id(function, dataset_id, params)) is None:
        st.write(about)
        st.button(button, type="primary", icon=":material/play_arrow:", on_click=_start, args=(function, dataset_id, params, kind))
        return False, None
    return job_in_place(function, dataset_id, params, kind=kind)


def _start(function: Callable[..., Any], dataset_id: str, params: BaseModel, kind: str) -> None:
    jobs.submit(function, dataset_id, params, kind=kind)


def result_if_done(function: Callable[..., Any], dataset_id: str, params: BaseModel) -> Any:
    """The result of a job that was started and is done; None otherwise."""
    known = jobs.find(jobs.job_id(function, dataset_id, params))
    return known.result() if known is not None and known.state == "done" else None


@st.fragment(run_every=0.5)
def _watch(job: Job) -> None:
    if job.finished:
        st.rerun()
    with st.container(border=True):
        left = "" if job.remaining is None else f", about {job.remaining:.0f} s left"
        st.progress(job.progress, text=errors.as_text(f"{job.kind}: {job.note or job.state}{left}"))
        st.caption("It goes on when you leave this page or refresh it.")
        st.button("Cancel", key=f"cancel-{job.id}", icon=":material/stop:", on_click=job.cancel, disabled=job.cancel_asked)
