"""Which report is open, and what can be done with it as a whole."""

import streamlit as st

from hemcore.errors import HemError
from hemcore.report import Report, ReportEntry
from hemcore.web import labels, sentences
from hemcore.web.actions.report_box import label, reports
from hemcore.web.report import PAGE, typed
from hemcore.web.report.typed import Typed

_KEY = PAGE.key("open")


def choose() -> Report:
    """The report that is open. The page stops where there is none, with what to do in words."""
    with sentences.show_errors():
        entries = reports().entries()
    for entry in entries:
        if entry.damaged:
            sentences.show(entry.damaged)
    known = {label(entry): entry.id for entry in entries if not entry.damaged}
    asked = st.query_params.get(_KEY)
    if asked and asked not in known and _KEY not in st.session_state:
        same = labels.same_thing(asked, known)
        if same is not None:
            st.session_state[_KEY] = same
        else:
            sentences.warn(f"The link names the report {asked[:200]!r}, which is not here. Choose another.")
    labels.follow_rename(_KEY, known)
    chosen = None
    if known:
        chosen = st.selectbox("Report", list(known), key=_KEY, bind="query-params", help="Most recent first.")
    st.button("New report", key=PAGE.key("new"), icon=":material/add:", on_click=_new)
    _deleted()
    if chosen is None:
        st.info(
            "There is no report yet. Press “Add to report” over any answer, or create an empty one here.",
            icon=":material/info:",
        )
        st.stop()
    with sentences.show_errors():
        return reports().load(known[str(chosen)])
    raise AssertionError  # the page has stopped


def manage(report: Report) -> None:
    """Title and words, copy, delete."""
    with st.expander("Title, introduction, copy, delete", icon=":material/edit:"):
        title = typed.field("Title", report.title, key=PAGE.key(f"title-{report.id}"), most=200)
        intro = typed.field("Introduction", report.intro, key=PAGE.key(f"intro-{report.id}"), most=10_000, lines=True)
        if (title.words.strip() and title.words != report.title) or intro.words != report.intro:
            st.button("Save", key=PAGE.key("save"), type="primary", on_click=_save, args=(report, title, intro))
        with st.container(horizontal=True):
            st.button("Copy", key=PAGE.key("copy"), icon=":material/content_copy:", on_click=_copy, args=(report,))
            st.button("Delete", key=PAGE.key("delete"), icon=":material/delete:", on_click=_delete, args=(report,))


def _deleted() -> None:
    """A way back for what was deleted."""
    gone = reports().entries(deleted=True)
    if gone:
        with st.popover("Deleted reports", icon=":material/restore_from_trash:"):
            for entry in gone[:20]:
                st.button(
                    f"Restore {sentences.as_text(label(entry))}", key=PAGE.key(f"restore-{entry.id}"), on_click=_restore, args=(entry.id,)
                )


def _new() -> None:
    _told(lambda: _open(reports().create("Report")))


def _copy(report: Report) -> None:
    _told(lambda: _open(reports().copy(report.id)))


def _restore(id: str) -> None:
    _told(lambda: _open(reports().restore(id)))


def _delete(report: Report) -> None:
    def gone() -> None:
        reports().delete(report.id)
        st.session_state.pop(_KEY, None)
        st.toast(f"Deleted: {sentences.as_text(report.title)}. Deleted reports can be restored.", icon=":material/delete:")

    _told(gone)


def _save(report: Report, title: Typed, intro: Typed) -> None:
    _told(lambda: _open(reports().save(report.but(title=title.now.strip() or report.title, intro=intro.now))))


def _open(report: Report) -> None:
    st.session_state[_KEY] = label(ReportEntry(id=report.id, title=report.title))


def _told(act: object) -> None:
    """Do it; what the shelf refuses is said in a toast, since a callback has no place of its own on the page."""
    try:
        act()  # type: ignore[operator]
    except HemError as error:
        st.toast(sentences.as_text(str(error)), icon=":material/error:")
