"""Files dropped on the page itself: two become before and after, one becomes what the open dataset is compared with."""

from collections.abc import Sequence

import streamlit as st

from hemcore import jobs
from hemcore.compare.group_matching import matched_groups
from hemcore.compare.run_sets import run_set_of
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.shelf import library, staged
from hemcore.datasets.shelf.library import Entry
from hemcore.errors import HemError, TableError
from hemcore.web import ask, sentences, shelf
from hemcore.web.compare import PAGE, READING
from hemcore.web.compare.sets_before import earlier_first
from hemcore.web.form import put
from hemcore.web.page_job import PageJob

# In the session: how many times files were taken, since only another widget forgets them, and what was wrong with the last ones.
_TAKEN, _FAULT = "compare:taken", "compare:drop_fault"
_MOST = 100  # sets of runs
_reading = PageJob(PAGE, READING, "Reading the files to compare")


def finish() -> None:
    """Choose what a worker has read; before the page's lists are drawn."""
    job = _reading.find()
    if job is not None and job.finished:
        _reading.forget()
        if job.state == "done":
            _choose([each["id"] for each in job.result()])
        else:
            st.session_state[_FAULT] = job.error or f"{job.kind}: it was stopped."


def show() -> None:
    """The field, or how far the reading of its files is; first what was wrong with the last ones."""
    fault = st.session_state.pop(_FAULT, "")
    if fault:
        sentences.show(fault)
    job = _reading.find()
    if job is not None:
        ask.watch(job, "dropped")
        return
    st.file_uploader(
        "Drop two files: before and after",
        accept_multiple_files=True,
        key=_key(),
        on_change=_taken,
        help="Two files are before and after: as their names say (before, old, baseline; after, new, patched), else in the order of their"
        " names and the numbers in them; more are the sets between. One file is the set before the open dataset. Each file becomes a"
        " dataset; upload one that has several files on the Data page.",
    )


def _key() -> str:
    return PAGE.key(f"files-{st.session_state.get(_TAKEN, 0)}")


def _taken() -> None:
    files = [UploadedFile(each.name, each.getvalue()) for each in st.session_state[_key()] or ()]
    if not files:
        return
    st.session_state[_TAKEN] = st.session_state.get(_TAKEN, 0) + 1
    try:
        if len(files) > _MOST:
            raise TableError(f"There are {len(files):,} files; at most {_MOST} sets of runs are compared. Drop fewer.")
        root = shelf.store().root
        ids = [staged.stage([file], root) for file in files]
        if staged.takes_long(files):
            _reading.begun(jobs.submit_call(staged.add_each, {"staged": ids}, title=_reading.kind))
        else:
            _choose([each["id"] for each in staged.add_each(staged=ids, progress=lambda done, note: None, root=root)])
    except HemError as error:
        st.session_state[_FAULT] = str(error)


def _choose(ids: Sequence[str]) -> None:
    """One: the set before the open dataset, or the dataset where none is open. Several: before, the sets between, and the dataset."""
    known = {entry.id: entry for entry in library.entries(shelf.store())}
    found = earlier_first([known[id] for id in ids])
    if len(ids) == 1:
        found += [entry for entry in known.values() if entry.label == st.session_state.get(PAGE.key("dataset"))]
    st.session_state[_FAULT] = _fault(found)
    if found[-1].kind in PAGE.kinds:
        put(PAGE.key("dataset"), found[-1].label)
        if len(found) > 1:
            put(PAGE.key("before"), found[0].id)
            put(PAGE.key("between"), [each.label for each in found[1:-1]])


def _fault(found: Sequence[Entry]) -> str:
    """Why these cannot be compared; "" if they can."""
    if len({entry.id for entry in found}) < len(found):
        return "Two of these sets hold the same readings, so nothing changed between them. Choose another file."
    try:
        runs = [run_set_of(shelf.table(entry.id)) for entry in found]  # type: ignore[arg-type]
        for each in runs[:-1]:
            matched_groups(each, runs[-1])
    except HemError as error:
        return f"{error} The files are among your datasets now."
    return ""
