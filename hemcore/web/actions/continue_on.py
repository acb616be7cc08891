""" "Continue to ...": the answer, kept with its origin, on the page that goes on from it."""

import streamlit as st

from hemcore.analysis import Kept, Question
from hemcore.datasets.readers.format import SubexperimentOptions
from hemcore.datasets.shelf.library import Entry
from hemcore.errors import HemError
from hemcore.web import sentences, shelf
from hemcore.web.actions import keep
from hemcore.web.page import Page, in_link


def buttons(page: Page, question: Question, dataset: Entry, result: object) -> None:
    """A button per page in `page.then`: it keeps the part of the answer that the page takes, if any, and opens the page on it."""
    from hemcore.web.pages import page_named  # the pages import their analyses when they are asked

    for name in page.then:
        to = page_named(name)
        kept = next((each for each in question.analysis.keeps if each.kind in to.kinds), None)
        if to.kind and (kept is None or not _takes(to, question)):
            continue
        about = to.purpose if kept is None else f"Keeps {kept.description.partition(', for ')[0]}, and opens it there."
        label, icon = f"Continue to {to.title}", ":material/arrow_forward:"
        if st.button(label, key=page.key(f"continue-{name}"), icon=icon, width="stretch", help=sentences.as_text(about)):
            _go(to, question, dataset, result, kept)


def _takes(to: Page, question: Question) -> bool:
    """Whether the page has an answer for what is kept, as far as the dataset tells: that of a table of another kind is seen there."""
    table = shelf.table(question.dataset)
    return type(table).__name__ not in to.kinds or to.takes(table)


def _go(to: Page, question: Question, dataset: Entry, result: object, kept: Kept | None) -> None:
    if kept is None:
        # To where the readings of a plan come in: read with as many HEMs as the plan has counters.
        given = {name: getattr(question.params, name) for name in SubexperimentOptions.model_fields if hasattr(question.params, name)}
        st.switch_page(to.script, query_params={to.key(name): in_link(value) for name, value in given.items()})
    try:
        entry = keep.kept(question, dataset, result, kept, keep.proposed_name(dataset, kept))
    except HemError as error:
        sentences.show(str(error))
        return
    # As the links from Data open it.
    st.switch_page(to.script, query_params=to.query(entry.label, to.opening(shelf.table(entry.id), bundled=False)))
