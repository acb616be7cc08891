"""EAR's database on the page: where it is, which signatures, and reading them to a dataset of the shelf, as a job.

The password is in its field until the button is pressed, then in the memory of the job's thread alone.
"""

import os
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING

import streamlit as st

from hemcore import jobs
from hemcore.analysis import Progress
from hemcore.datasets.shelf import library
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.errors import HemError
from hemcore.jobs import Job
from hemcore.resources import is_installed
from hemcore.web import ask, sentences, shelf
from hemcore.web.boxes import on_demand
from hemcore.web.form import put
from hemcore.web.page_job import PageJob
from hemcore.web.signatures import PAGE, READING

if TYPE_CHECKING:
    from hemcore.signatures.database.ear_database import EarQuery

TITLE = "signatures from EAR's database"
_NOTE = f"{PAGE.name}:database-note"
_FIELDS = ("user", "application", "job")
_reading = PageJob(PAGE, READING, TITLE)


def head() -> None:
    """The head of the data, with the box; under it what is being read, or why it was not."""
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.markdown("**Data**", width="content")
        about = "Read signatures from EAR's database (MariaDB, MySQL or PostgreSQL) into your datasets."
        with on_demand(PAGE, "EAR database", ":material/database:", about, type="tertiary") as is_open:
            if is_open:
                _form()
    job = _reading.find()
    if job is not None and not job.finished:
        ask.watch(job, "database")
        return
    if job is not None:
        _reading.forget()
        _end(job)
    if _NOTE in st.session_state:
        sentences.show(st.session_state[_NOTE])


def _form() -> None:
    if not is_installed("sqlalchemy"):
        st.caption("Reading EAR's database needs SQLAlchemy, which is not installed. Install it: `pip install 'hem-workbench[database]'`")
        return
    from hemcore.signatures.database.connection import VARIABLE, place_of

    if os.environ.get(VARIABLE):
        try:
            known = f"This server is configured for {place_of()}. Leave the address empty to read it."
        except HemError as error:
            known = str(error)
    else:
        known = f"{VARIABLE} is not set on this server; enter the address of the database."
    st.caption(sentences.as_text(known))
    key = PAGE.key
    st.text_input("Address", key=key("ear-address"), placeholder="mariadb://USER@HOST/ear", help="Without the password. It is not stored.")
    st.text_input("Password", key=key("ear-password"), type="password", autocomplete="off", help="It is neither stored nor shown.")
    kinds = ["applications", "loops"]
    st.segmented_control(
        "Rows", kinds, default=kinds[0], required=True, key=key("ear-kind"), help="One row per job step and node, or per loop."
    )
    with st.container(horizontal=True):
        st.date_input(
            "From", value=None, key=key("ear-start"), help="Jobs that ended on this day or later (UTC). Empty: all from the first."
        )
        st.date_input("To", value=None, key=key("ear-end"), help="Jobs that began on this day or before (UTC). Empty: all to the last.")
    with st.container(horizontal=True):
        st.text_input("User", key=key("ear-user"), placeholder="all", max_chars=256)
        st.text_input("Application", key=key("ear-application"), placeholder="all", max_chars=256, help="The name of the job.")
    st.text_input("Job", key=key("ear-job"), placeholder="all", max_chars=40, help="The SLURM job number.")
    st.button("Read", key=key("ear-read"), type="primary", icon=":material/download:", on_click=_read)
    st.caption("The database is only read, at most 1,000,000 rows at a time.")


def _read() -> None:
    from hemcore.signatures.database.connection import place_of, with_password  # the page does not wait for SQLAlchemy

    state = st.session_state
    typed = str(state.get(PAGE.key("ear-address")) or "").strip()
    password = str(state.get(PAGE.key("ear-password")) or "")
    state[PAGE.key("ear-password")] = ""
    state.pop(_NOTE, None)
    try:
        url = with_password(typed, password) if typed or password else None
        query, where = _query(), place_of(url)
    except HemError as error:
        if "://" in typed and "@" in typed and ":" in typed.partition("://")[2].rpartition("@")[0]:
            state[PAGE.key("ear-address")] = ""  # a password stands in it
        state[_NOTE] = _as_field(str(error))
        return
    store = shelf.store()
    job = jobs.submit_in_thread(lambda progress: _taken(query, url, where, store, progress), title=TITLE)
    _reading.begun(job)
    state[PAGE.key("ear-database-box")] = False


def _taken(query: "EarQuery", url: str | None, where: str, store: DatasetStore, progress: Progress) -> str:
    """The id of the dataset that was read."""
    from hemcore.signatures.database.ear_database import load

    try:
        table = load(query, url=url, progress=progress)
    except HemError as error:
        raise HemError(_as_field(str(error))) from None
    progress(0.97, "putting them on the shelf")
    return store.take(table, name=f"EAR {query.words}", source=f"EAR's database: {where}; {query.words}").id


def _query() -> "EarQuery":
    """What the form asks for. Raises ParameterError for what does not fit."""
    from hemcore.signatures.database.ear_database import EarQuery

    state = st.session_state
    user, application, job = (str(state.get(PAGE.key(f"ear-{name}")) or "").strip() for name in _FIELDS)
    start, end = (state.get(PAGE.key(f"ear-{name}")) for name in ("start", "end"))
    return EarQuery(
        kind=state.get(PAGE.key("ear-kind")) or "applications",
        start=_moment(start, time.min),
        end=_moment(end, time(23, 59, 59)),
        user=user,
        application=application,
        job=int(job) if job.isascii() and job.isdecimal() else job or None,  # type: ignore[arg-type]
    )


def _moment(day: date | None, at: time) -> datetime | None:
    return None if day is None else datetime.combine(day, at, UTC)


def _as_field(sentence: str) -> str:
    """A message about the argument `url`, of the field that it is on the page."""
    return f"Address: {sentence.removeprefix('url: ')}" if sentence.startswith("url: ") else sentence


def _end(job: Job) -> None:
    """Open what was read, or tell why it was not."""
    if job.state != "done":
        st.session_state[_NOTE] = job.error or f"{TITLE}: no result."
        return
    label = next((entry.label for entry in library.entries(shelf.store(), PAGE.kind) if entry.id == job.result()), None)
    if label is not None:
        put(PAGE.key("dataset"), label)
        st.toast(f"Read: {sentences.as_text(label)}", icon=":material/check:")
