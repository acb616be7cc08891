"""The report shelf, and "Add to report" on every page."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from hemcore.analysis import Question
from hemcore.charts.picture import Picture
from hemcore.datasets.shelf import library
from hemcore.datasets.shelf.library import Entry
from hemcore.errors import HemError
from hemcore.report import Report, ReportEntry, ReportItem, ReportShelf
from hemcore.resources import PAGES
from hemcore.web import labels, sentences, shelf
from hemcore.web.actions.downloads import page_query
from hemcore.web.boxes import on_demand
from hemcore.web.page import Page

_NEW = "New report"
ADDED = "report:added"  # in the session, until the report page has said so


def reports() -> ReportShelf:
    """The report shelf of whoever asks, next to the datasets."""
    return opened_reports(str(shelf.store().root))


@st.cache_resource(max_entries=256, show_spinner=False)
def opened_reports(root: str) -> ReportShelf:
    """The report shelf of the store in the folder `root`."""
    return ReportShelf(Path(root))


def label(entry: ReportEntry) -> str:
    """The label of a report in lists: its title, and a part of its id, since titles may repeat."""
    return f"{entry.title or 'damaged'} · {entry.id[:8]}"


@dataclass(frozen=True)
class Found:
    """The open tab as a report takes it. view: what was chosen of the picture."""

    page: Page
    question: Question
    dataset: Entry
    picture: Picture
    view: Mapping[str, object]
    baseline: Question | None

    def item(self, title: str = "", note: str = "") -> ReportItem:
        """As an item of a report; title: "" = its picture's. Raises ParameterError for texts that are too long."""
        return ReportItem(
            question=self.question,
            baseline=self.baseline,
            picture=self.picture.name,
            view=dict(self.view),
            dataset_name=library.name_at(self.dataset.name, self.question.dataset),
            link=f"/{self.page.name}?{page_query()}",
            title=title,
            note=note,
        )


def label_of(report: Report) -> str:
    """The label of a report in lists."""
    return label(_entry(report))


def popover(found: Found) -> None:
    """Add the open tab to a report, with a title and a note."""
    page = found.page
    with on_demand(page, "Add to report", ":material/note_add:", "Collect answers in one file.", "primary") as is_open:
        if not is_open:
            return
        with sentences.show_errors():
            known = _known()
        labels.follow_rename(page.key("report"), known)
        # Typed text survives closing the box and switching pages.
        chosen = st.selectbox("Report", [*known, _NEW], key=page.key("report"), persist_state="session")
        if chosen == _NEW:
            st.text_input("Title of the report", value="Report", max_chars=120, key=page.key("report-new"), persist_state="session")
        title_key = page.key(f"report-title-{found.question.id[:12]}")
        st.text_input("Title of the item", max_chars=200, key=title_key, placeholder=found.item().heading, persist_state="session")
        asks = "What should the reader see here?"
        st.text_area("Your note", key=page.key("report-note"), max_chars=5_000, placeholder=asks, persist_state="session")
        st.button(f"Add {found.picture.tab}", key=page.key("report-add"), type="primary", on_click=_add, args=(found, known, title_key))
        st.page_link(PAGES / "report.py", label="Open the reports", icon=":material/arrow_forward:")


def continue_button(found: Found) -> None:
    """A button that adds the open tab to the newest report (or a first one) and opens that."""
    icon, help = ":material/arrow_forward:", "Adds the open tab to the newest report, and opens it."
    if st.button("Continue to Report", key=found.page.key("continue-report"), icon=icon, width="stretch", help=help):
        try:
            report = _added(found.item(), next(iter(_known().values()), None))
        except HemError as error:
            sentences.show(str(error))
            return
        st.session_state[ADDED] = True
        st.switch_page(PAGES / "report.py", query_params={"report.open": label_of(report)})


def _known() -> dict[str, str]:
    """The ids of the reports that can be read by their labels, the newest first."""
    return {label(entry): entry.id for entry in reports().entries() if not entry.damaged}


def _added(item: ReportItem, report_id: str | None, name: str = "Report") -> Report:
    """The report with `item` added; without an id a new one."""
    return reports().add(report_id or reports().create(name).id, item)


def _entry(report: Report) -> ReportEntry:
    return ReportEntry(id=report.id, title=report.title)


def _add(found: Found, known: Mapping[str, str], title_key: str) -> None:
    # Read now: text typed just before the click is newer than what the page last drew.
    state, page = st.session_state, found.page
    report_id = known.get(str(state[page.key("report")]))
    name = str(state.get(page.key("report-new"), "")).strip() or "Report"
    try:
        report = _added(found.item(str(state[title_key]), str(state[page.key("report-note")])), report_id, name)
    except HemError as error:
        st.toast(sentences.as_text(str(error)), icon=":material/error:")
        return
    # The next item goes into the same report, with a new note.
    st.session_state[page.key("report")] = label_of(report)
    st.session_state[page.key("report-note")] = ""
    st.toast(f"Added to {sentences.as_text(report.title)}: item {len(report.items)}.", icon=":material/check:")
