"""The jobs of this server on every page: running, waiting and done; each with its page, progress and Cancel."""

import streamlit as st

from hemcore import jobs
from hemcore.analysis import AnyAnalysis, AnyQuestion
from hemcore.datasets.shelf import library
from hemcore.jobs import Job
from hemcore.web import ask, shelf
from hemcore.web.page import Page
from hemcore.web.pages import PAGES
from hemcore.web.sentences import as_text, rerun

_EVERY_S = 1.0
_MOST = 12
_ICONS = {"queued": "schedule", "running": "autorenew", "done": "check_circle", "failed": "error", "cancelled": "cancel"}


def show() -> None:
    """The button that opens the list; nothing if no job has begun. Asks again by itself only while one is not finished."""
    begun = _begun()
    if begun:
        waits = any(not job.finished for job in begun)
        st.fragment(_list, run_every=_EVERY_S if waits else None)(watched=waits)


def _begun() -> list[Job]:
    """Unfinished ones first, then the latest. Bundled answers, which were never computed here, are none."""
    begun = [job for job in reversed(jobs.jobs()) if job.state != "done" or job.started is not None]
    return sorted(begun, key=lambda job: job.finished)


def _list(*, watched: bool) -> None:
    begun = _begun()
    if watched and all(job.finished for job in begun):
        rerun()  # the page may wait for it, and nothing is left to watch
    box = st.popover(_label(begun), icon=":material/pending_actions:", type="tertiary", key="frame-jobs", on_change="rerun")
    with box:
        if box.open:
            for job in begun[:_MOST]:
                _row(job)
            if len(begun) > _MOST:
                st.caption(f"And {len(begun) - _MOST} earlier.")


def _label(begun: list[Job]) -> str:
    running = sum(job.state == "running" for job in begun)
    waiting = sum(job.state == "queued" for job in begun)
    parts = [f"{number} {state}" for number, state in ((running, "running"), (waiting, "waiting")) if number]
    return ", ".join(parts) or "Jobs"


def _row(job: Job) -> None:
    with st.container(border=True, gap="small"):
        icon = f":material/{_ICONS[job.state]}:"
        found = None if job.question is None else _page_of(job.question)
        where = f"{found[0].title}: " if found else ""
        st.markdown(f"{icon} **{as_text(where + job.kind)}**")
        if job.question is not None:
            st.caption(as_text(" · ".join([shelf.name_of(job.question.dataset), *job.question.choices])))
        if job.finished:
            st.caption(as_text(job.error or "Done."))
        else:
            st.progress(job.progress, text=as_text(ask.progress_of(job)))
        with st.container(horizontal=True, gap="small"):
            if not job.finished:
                st.button(
                    "Cancel",
                    key=f"frame.cancel-{job.id}",
                    icon=":material/stop:",
                    on_click=job.cancel,
                    disabled=job.cancel_asked,
                    type="tertiary",
                )
            if found and job.question is not None:
                _open(*found, job.question)


def _page_of(question: AnyQuestion) -> tuple[Page, str] | None:
    """The page that asks it, and the page's name for its analysis; for a part of an answer, the page and name of the whole."""
    known = [(page, name, analysis) for page in PAGES for name, analysis in page.methods.items()]
    asked = question.analysis
    same = [(page, name) for page, name, analysis in known if analysis is asked]
    whole = [(page, name) for page, name, analysis in known if analysis.params is asked.params]
    near = [(page, name) for page, name, analysis in known if _room(analysis) == _room(asked)]
    return next(iter(same or whole or near), None)


def _room(analysis: AnyAnalysis) -> str:
    return analysis.name.partition(".")[0]


def _open(page: Page, family: str, question: AnyQuestion) -> None:
    label = next(
        (entry.label for entry in library.entries(shelf.store(), page.kinds) if entry.id == library.base_id(question.dataset)), None
    )
    if label is not None:
        same = page.methods[family].params is question.analysis.params
        values = (question.changed if same else {}) | ({"family": family} if page.has_families else {})
        values |= {"machine_level": level} if (level := shelf.level_choice(question.dataset)) else {}
        query = page.query(label, {name: value for name, value in values.items() if isinstance(value, str | int | float)})
        st.page_link(page.script, label="Open", icon=":material/arrow_forward:", query_params=query)
