"""An upload is recognised and read: a small one at once, a large one by a worker, while the page shows how far it is."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import streamlit as st

from hemcore import jobs
from hemcore.datasets.importing.inspection import Preview
from hemcore.datasets.readers.recognition import Recognised
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.shelf import staged
from hemcore.datasets.shelf.staged import Added
from hemcore.jobs import Job
from hemcore.params import Params
from hemcore.web import ask, sentences, shelf
from hemcore.web.data import PAGE, READING
from hemcore.web.page_job import PageJob

_LOOKS, _PREVIEWS, _READS = "Looking into the upload", "Previewing the upload", "Reading the upload"
_UPLOAD = "data:staged"
_reading = PageJob(PAGE, READING, _READS)


@dataclass
class _Upload:
    """The upload of this session. sum: of its files. staged: its id in the store. looking: the id of the job that looks into it.
    first, previews: of its previews, by recipe and options."""

    sum: str
    staged: str
    large: bool
    found: Recognised | None = None
    looking: str = ""
    first: Mapping[tuple[str, str], Preview] = field(default_factory=dict)
    previews: dict[str, str] = field(default_factory=dict)


class WaitingError(Exception):
    """A worker makes a preview, or could not, and the page shows that instead of what depends on it."""


def recognised(files: list[UploadedFile], sum: str) -> Recognised | None:
    """What the files were recognised as; None while a worker looks, and where it could not, which is shown."""
    upload = _upload(files, sum)
    if upload.found is not None:
        return upload.found
    if not upload.large:
        with st.spinner("Looking into the files"):
            upload.found = staged.look_into_staged(staged=upload.staged, progress=silent, root=shelf.store().root)
        return upload.found
    job = jobs.find(upload.looking) if upload.looking else None
    if job is None:
        job = jobs.submit_call(staged.first_look, {"staged": upload.staged}, title=_LOOKS)
        upload.looking = job.id
    if job.state == "done":
        upload.found, upload.first = job.result()
        return upload.found
    if _again(job, "look"):
        upload.looking = ""
        st.rerun()
    return None


def _again(job: Job, what: str) -> bool:
    """Show how far `job` is or why it ended; whether the visitor wants another."""
    if not job.finished:
        ask.watch(job, what)
        return False
    if job.state == "cancelled":  # as the visitor wished: no error
        st.info(sentences.as_text(_why(job)), icon=":material/info:")
    else:
        sentences.show(_why(job))
    return st.button("Look again", key=PAGE.key(f"{what}-again"), icon=":material/replay:")


def preview(files: list[UploadedFile], sum: str, recipe: str, options: Params | None = None) -> Preview:
    """What the upload holds and gives, by the recipe (JSON; "": guessed). options: of its format. Raises as staged.preview_staged does, and
    WaitingError where a worker looks, which is shown."""
    given = "" if options is None else options.model_dump_json()
    upload, root = _upload(files, sum), shelf.store().root
    if (known := upload.first.get((recipe, given))) is not None:
        return known
    if not upload.large or staged.previews_at_once(upload.staged, root):
        return _preview(upload.staged, recipe, given, str(root), _options=options)
    begun = upload.previews.get(f"{recipe} {given}")
    job = jobs.find(begun) if begun else None
    if job is None:
        chosen = {"recipe": recipe, "options": None if options is None else options.model_dump(mode="json"), "brief": True}
        job = jobs.submit_call(staged.preview_staged, {"staged": upload.staged, **chosen}, title=_PREVIEWS)
        upload.previews[f"{recipe} {given}"] = job.id
    if job.state == "done":
        return _previewed(job.id, _job=job)
    if _again(job, "preview"):
        upload.previews.clear()
        st.rerun()
    raise WaitingError


@st.cache_resource(max_entries=16, show_spinner=False)
def _previewed(job_id: str, *, _job: Job) -> Preview:
    found: Preview = _job.result()
    return found


@st.cache_resource(max_entries=16, show_spinner="Looking into the files")
def _preview(staged_id: str, recipe: str, options_json: str, root: str, *, _options: Params | None) -> Preview:
    given = None if _options is None else _options.model_dump()
    return staged.preview_staged(staged=staged_id, progress=silent, recipe=recipe, options=given, root=Path(root))


def add(files: list[UploadedFile], sum: str, format_key: str | None, options: Params, name: str, recipe: str = "") -> Added | None:
    """Read the files to a dataset: the dataset, or None where a worker reads it (see `outcome`). Raises as staged.add_staged does.

    recipe: as JSON; then format_key and options are not used.
    """
    upload = _upload(files, sum)
    chosen = {"format_key": format_key, "options": options.model_dump(), "name": name, "recipe": recipe}
    if upload.large:
        _reading.begun(jobs.submit_call(staged.add_staged, {"staged": upload.staged, **chosen}, title=_READS))
        return None
    with st.spinner("Reading and checking"):
        added = staged.add_staged(
            staged=upload.staged,
            format_key=format_key,
            options=options.model_dump(),
            name=name,
            progress=silent,
            root=shelf.store().root,
            recipe=recipe,
        )
    del st.session_state[_UPLOAD]
    return added


def is_running() -> bool:
    """Whether a worker reads an upload of this visitor; its progress is drawn. What went wrong is shown."""
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


def outcome() -> Added | None:
    """The dataset that a worker read, once; None where there is none."""
    job = _reading.find()
    if job is None or job.state != "done":
        return None
    _reading.forget()
    st.session_state.pop(_UPLOAD, None)
    added: Added = job.result()
    return added


def discard() -> None:
    """The visitor took the files back: the store forgets them."""
    upload = st.session_state.pop(_UPLOAD, None)
    if upload is not None:
        staged.discard(upload.staged, shelf.store().root)


def _upload(files: list[UploadedFile], sum: str) -> _Upload:
    """The upload of these files, put aside in the store the first time, and again where the store has removed it after a day."""
    known: _Upload | None = st.session_state.get(_UPLOAD)
    root = shelf.store().root
    if known is None or known.sum != sum or not staged.is_staged(known.staged, root):
        discard()
        known = _Upload(sum, staged.stage(files, root), staged.takes_long(files))
        st.session_state[_UPLOAD] = known
    return known


def silent(done: float, note: str) -> None:
    """An upload that is read at once shows a spinner."""


def _why(job: Job) -> str:
    return job.error or f"{job.kind}: it was stopped."
