"""Large uploads, which a worker looks into and reads: the page shows how far it is, and is answered meanwhile."""

from typing import Any

import streamlit as st

from hemcore import jobs
from hemcore.datasets.readers.formats import ReadOptions
from hemcore.datasets.readers.looked import Recognised
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.shelf import staged
from hemcore.jobs import Job
from hemcore.web import ask, sentences, shelf
from hemcore.web.data import PAGE, READING
from hemcore.web.page_job import PageJob

_LOOKS, _READS = "Looking into the upload", "Reading the upload"
# In the session: what is staged and the job that looks into it, by the sum of the files (one upload).
_STAGED, _LOOKING = "data:staged", "data:looking"
_reading = PageJob(PAGE, READING, _READS)


def looked_into(files: list[UploadedFile], sum: str) -> Recognised | None:
    """What a worker takes the files for; None while it looks, and where it could not, which is said."""
    state = st.session_state
    looking: dict[str, str] = state.get(_LOOKING, {})
    job = jobs.find(looking[sum]) if sum in looking else None
    if job is None:
        job = jobs.submit_call(staged.look_into_staged, {"staged": _put_aside(files, sum)}, title=_LOOKS)
        state[_LOOKING] = {sum: job.id}
    if job.state == "done":
        found: Recognised = job.result()
        return found
    if not job.finished:
        ask.watch(job, "looks")
        return None
    sentences.show(_why(job))
    if st.button("Look again", key=PAGE.key("look-again"), icon=":material/replay:"):
        state[_LOOKING] = {}
        st.rerun()
    return None


def read(files: list[UploadedFile], sum: str, format_key: str | None, options: ReadOptions, name: str) -> None:
    """Have the files read to a dataset."""
    arguments = {"staged": _put_aside(files, sum), "format_key": format_key, "options": options.model_dump(), "name": name}
    job = jobs.submit_call(staged.add_staged, arguments, title=_READS)
    _reading.begun(job)


def reads() -> bool:
    """Whether an upload of this visitor is being read; its progress is drawn. What went wrong is said."""
    job = _reading.find()
    if job is None:
        return False
    if not job.finished:
        ask.watch(job, "reads")
        return True
    if job.state != "done":
        _reading.forget()
        sentences.show(_why(job))
    return False


def outcome() -> dict[str, Any] | None:
    """What the worker read, once: {"id", "was_there"} (staged.add_staged); None where nothing was."""
    job = _reading.find()
    if job is None or job.state != "done":
        return None
    _reading.forget()
    st.session_state.pop(_STAGED, None)
    found: dict[str, Any] = job.result()
    return found


def _put_aside(files: list[UploadedFile], sum: str) -> str:
    known: dict[str, str] = st.session_state.get(_STAGED, {})
    if sum not in known:
        for old in known.values():
            staged.discard(old, shelf.store().root)
        known = {sum: staged.stage(files, shelf.store().root)}
        st.session_state[_STAGED] = known
    return known[sum]


def _why(job: Job) -> str:
    return job.error or f"{job.kind}: it was stopped."
