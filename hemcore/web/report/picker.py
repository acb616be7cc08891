"""Which report is open, and what can be done with it as a whole."""

from functools import partial
from operator import attrgetter

import streamlit as st

from hemcore.datasets.owners import whose
from hemcore.datasets.shelf import library
from hemcore.errors import HemError
from hemcore.report import Report, ReportEntry
from hemcore.web import labels, sentences
from hemcore.web.actions.report_box import label, reports
from hemcore.web.report import PAGE, no_report, typed
from hemcore.web.team import pin_button, share_box
from hemcore.web.visits import end_page

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
        no_report.show()
        end_page()
    with sentences.show_errors():
        return reports().load(known[str(chosen)])
    raise AssertionError  # the page has stopped


def manage(report: Report) -> None:
    """Title, author and introduction, saved as they are typed; copy, delete, share. One that others share can be copied."""
    if (share := reports().shared(report.id)) is not None:
        st.caption(sentences.as_text(f"{share.name} shares it with you since {share.since[:10]}, to be read. Copy it to change it."))
        st.button("Copy", key=PAGE.key("copy"), icon=":material/content_copy:", on_click=_copy, args=(report,))
        return
    if whose.has_owners():
        share_box.popover(PAGE, "report", report.id, _datasets(report))
        pin_button.show(PAGE, report.id)
    with st.expander("Title, author, introduction", icon=":material/edit:"):
        for label, name, most, lines in (
            ("Title", "title", 200, False),
            ("Author", "author", 200, False),
            ("Introduction", "intro", 10_000, True),
        ):
            read, write = attrgetter(name), partial(_with_words, name)
            typed.field(label, report, read, write, key=PAGE.key(f"{name}-{report.id}"), most=most, lines=lines)
        with st.container(horizontal=True):
            st.button("Copy", key=PAGE.key("copy"), icon=":material/content_copy:", on_click=_copy, args=(report,))
            st.button("Delete", key=PAGE.key("delete"), icon=":material/delete:", on_click=_delete, args=(report,))


def _datasets(report: Report) -> list[str]:
    """The ids of what the report is about: whoever may read it must be able to read these."""
    asked = [each for item in report.items for each in (item.question, item.baseline) if each is not None]
    return [library.base_id(each.dataset) for each in asked]


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


def _with_words(name: str, report: Report, words: str) -> Report:
    return report.but(**{name: words})


def _open(report: Report) -> None:
    st.session_state[_KEY] = label(ReportEntry(id=report.id, title=report.title))


def _told(act: object) -> None:
    """Do it; what the shelf refuses is said in a toast, since a callback has no place of its own on the page."""
    try:
        act()  # type: ignore[operator]
    except HemError as error:
        st.toast(sentences.as_text(str(error)), icon=":material/error:")
