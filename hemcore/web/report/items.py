"""The items of a report in their order: words, verdict and picture of each, moved and taken out."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from hemcore.charts.picture import Scene
from hemcore.errors import HemError, StoreError
from hemcore.registry import pictures_of, view_of
from hemcore.report import Report, ReportItem
from hemcore.web import ask, cards, drawing, sentences, shelf
from hemcore.web.actions import baseline
from hemcore.web.actions.report_box import ADDED, reports
from hemcore.web.report import PAGE, typed


def show(report: Report) -> None:
    """Each item with its controls; one that cannot be answered says why, and the others stand."""
    if not report.items:
        st.info("This report is empty. Press “Add to report” over any answer.", icon=":material/info:")
    if st.session_state.pop(ADDED, False) and report.items:  # at its end, which a long report does not show at once
        st.toast(f"Added as item {len(report.items)}: {sentences.as_text(_heading(report.items[-1]))}", icon=":material/check:")
    for number, item in enumerate(report.items):
        with st.container(border=True):
            _controls(report, number, item)
            with sentences.show_errors(stop=False):
                _answer(report, number, item)


def _controls(report: Report, number: int, item: ReportItem) -> None:
    last = len(report.items) - 1
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.subheader(f"{number + 1}. {sentences.as_text(_heading(item))}", anchor=False, width="stretch")
        for label, icon, change, pointless in (
            ("Up", "arrow_upward", lambda each: each.with_moved(number, number - 1), number == 0),
            ("Down", "arrow_downward", lambda each: each.with_moved(number, number + 1), number == last),
            ("Remove", "close", lambda each: each.without(number), False),
        ):
            st.button(
                label,
                key=PAGE.key(f"{label}-{number}"),
                icon=f":material/{icon}:",
                type="tertiary",
                disabled=pointless,
                on_click=_changed,
                args=(report, change),
            )
    with st.expander("Title and note" if not item.note else "Title and note: " + sentences.as_text(item.note[:80])):
        for label, name, most, lines in (("Title", "title", 200, False), ("Note", "note", 5_000, True)):
            read, write = partial(_words, item.added, name), partial(_with_words, item.added, name)
            typed.field(label, report, read, write, key=PAGE.key(f"{name}-{report.id}-{item.added}"), most=most, lines=lines)


def _heading(item: ReportItem) -> str:
    """What the report calls it: not once more its verdict, which stands below."""
    verdict = item.question.analysis.verdict
    try:
        result = ask.at_hand(item.question) if verdict is not None and item.title else None
    except HemError:  # shown below
        result = None
    return item.own_title(verdict(result).answer if verdict is not None and result is not None else "") or item.picture_heading


def _words(added: str, name: str, report: Report) -> str:
    """A text of the item that was added then, wherever it stands now. Raises StoreError if it was removed."""
    return str(getattr(report.items[_place(report, added)], name))


def _with_words(added: str, name: str, report: Report, words: str) -> Report:
    return report.with_changed(_place(report, added), **{name: words})


def _place(report: Report, added: str) -> int:
    for place, item in enumerate(report.items):
        if item.added == added:
            return place
    raise StoreError("The item was removed elsewhere. Reload the page.")


def _answer(report: Report, number: int, item: ReportItem) -> None:
    question = item.question
    st.caption(f"{sentences.as_text(item.dataset_name or shelf.name_of(question.dataset))} · {sentences.as_text(question.analysis.title)}")
    done, result = ask.in_place(question, where=str(number))
    if not done:
        return
    picture = pictures_of(question.analysis.name).get(item.picture)
    own = picture is not None and (picture.judged or picture.headline is not None)
    if question.analysis.verdict is not None and not own:
        cards.verdict(question.analysis.verdict(result), key=str(number))
    if picture is None:
        return
    more = None
    if picture.needs is not None:
        done, more = ask.in_place(question.about(picture.needs), where=str(number))
        if not done:
            return
        if picture.judged and picture.needs.verdict is not None:
            cards.verdict(picture.needs.verdict(more), key=str(number))
    model = view_of(question.analysis.name)
    scene = Scene(
        question=question,
        table=shelf.table(question.dataset),
        result=result,
        view=None if model is None else model(**item.view),
        more=more,
        baseline=None if item.baseline is None else baseline.answer_of(item.baseline, result),
        baseline_words="" if item.baseline is None else ", ".join(question.differences(item.baseline, shelf.name_of)),
    )
    if not picture.shown(scene):
        st.caption(sentences.as_text(f"The picture {picture.tab} does not apply to this dataset."))
        return
    if picture.headline is not None:
        cards.verdict(picture.headline(scene)[0], key=str(number))
    with st.container(key=f"frame-pair-{number}"):
        for place, figure in enumerate(picture.draw(scene)):
            drawing.show(figure, key=PAGE.key(f"picture-{number}-{place}"), alt=item.heading)


def _changed(report: Report, change: Callable[[Report], Report]) -> None:
    try:
        reports().update(report.id, change, seen_changed=report.changed)
    except HemError as error:
        st.toast(sentences.as_text(str(error)), icon=":material/error:")
