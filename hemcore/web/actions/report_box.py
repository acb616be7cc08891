"""The report shelf, and "Add to report" on every page."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from hemcore.analysis import Question
from hemcore.charts.picture import Picture
from hemcore.datasets.shelf.library import Entry
from hemcore.errors import HemError
from hemcore.report import ReportEntry, ReportItem, ReportShelf
from hemcore.resources import PAGES
from hemcore.web import labels, sentences, shelf
from hemcore.web.actions.downloads import page_query
from hemcore.web.boxes import on_demand
from hemcore.web.page import Page

_NEW = "New report"


@st.cache_resource(max_entries=1, show_spinner=False)
def reports() -> ReportShelf:
    """The report shelf of the server, next to the datasets."""
    return ReportShelf(shelf.store().root)


def label(entry: ReportEntry) -> str:
    """The label of a report in lists: its title, and a part of its id, since titles may repeat."""
    return f"{entry.title or 'damaged'} · {entry.id[:8]}"


def popover(
    page: Page, question: Question, dataset: Entry, picture: Picture, view: Mapping[str, object], baseline: Question | None, answer: str
) -> None:
    """Add the open tab to a report, with a title and a note. answer: the verdict's, as the proposed title."""
    with on_demand(page, "Add to report", ":material/note_add:", "Collect answers in one file.", "primary") as is_open:
        if not is_open:
            return
        with sentences.show_errors():
            known = {label(entry): entry.id for entry in reports().entries() if not entry.damaged}
        labels.follow_rename(page.key("report"), known)
        # Typed text survives closing the box and switching pages.
        chosen = st.selectbox("Report", [*known, _NEW], key=page.key("report"), persist_state="session")
        if chosen == _NEW:
            st.text_input("Title of the report", value="Report", max_chars=120, key=page.key("report-new"), persist_state="session")
        title_key = page.key(f"report-title-{question.id[:12]}")
        st.text_input("Title of the item", value=answer[:200], max_chars=200, key=title_key, persist_state="session")
        asks = "What should the reader see here?"
        st.text_area("Your note", key=page.key("report-note"), max_chars=5_000, placeholder=asks, persist_state="session")
        item = {
            "question": question,
            "baseline": baseline,
            "picture": picture.name,
            "view": dict(view),
            "dataset_name": dataset.name,
            "link": f"/{page.name}?{page_query()}",
        }
        st.button(f"Add {picture.tab}", key=page.key("report-add"), type="primary", on_click=_add, args=(page, known, title_key, item))
        st.page_link(PAGES / "report.py", label="Open the reports", icon=":material/arrow_forward:")


def _add(page: Page, known: Mapping[str, str], title_key: str, item: dict[str, Any]) -> None:
    # Read now: text typed just before the click is newer than what the page last drew.
    state = st.session_state
    report_id = known.get(str(state[page.key("report")]))
    name = str(state.get(page.key("report-new"), ""))
    try:
        new = ReportItem(**item, title=str(state[title_key]).strip(), note=str(state[page.key("report-note")]))
        report = reports().add(report_id or reports().create(name.strip() or "Report").id, new)
    except HemError as error:
        st.toast(sentences.as_text(str(error)), icon=":material/error:")
        return
    # The next item goes into the same report, with a new note.
    st.session_state[page.key("report")] = label(ReportEntry(id=report.id, title=report.title))
    st.session_state[page.key("report-note")] = ""
    st.toast(f"Added to {sentences.as_text(report.title)}: item {len(report.items)}.", icon=":material/check:")
