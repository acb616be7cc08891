"""Keep: store a part of a result as a dataset of its own, with its origin."""

import streamlit as st

from hemcore import __version__
from hemcore.analysis import Kept, Question, ResultT
from hemcore.datasets.shelf import library
from hemcore.datasets.shelf.library import Entry
from hemcore.datasets.shelf.store import Lineage
from hemcore.errors import HemError
from hemcore.web import sentences, shelf
from hemcore.web.boxes import on_demand
from hemcore.web.page import Page


def popover(page: Page, question: Question, dataset: Entry, result: object) -> None:
    """The popover that stores a part of the answer as a dataset; nothing if the analysis offers none."""
    keeps = question.analysis.keeps
    if not keeps:
        return
    help = "Save the result as a dataset for other pages."
    with on_demand(page, "Keep", ":material/library_add:", help) as is_open:
        if not is_open:
            return
        named = {each.description: each for each in keeps}
        what = st.radio("What", list(named), key=page.key("keep-what"), persist_state="session") if len(keeps) > 1 else next(iter(named))
        part = named[str(what)]
        # One key per proposal: a field keeps its text when only its proposal changes.
        key = page.key(f"keep-name-{part.name}-{dataset.label}")
        st.text_input("Name", value=proposed_name(dataset, part), max_chars=120, key=key, persist_state="session")
        if len(keeps) == 1:
            st.caption(sentences.as_text(f"Saves {part.description}, with the dataset and parameters it comes from."))
        st.button("Save to your data", key=page.key("keep"), type="primary", on_click=_keep, args=(question, dataset, result, part, key))


def lineage(question: Question, dataset: Entry, kept: Kept) -> Lineage:
    """The origin of `kept` of the answer to `question`; dataset: the question's."""
    plain = question.to_dict()
    return Lineage(
        parent=question.dataset,
        parent_name=dataset.name,
        analysis=plain["analysis"],
        params=plain["params"],
        version=__version__,
        gives=kept.name,
    )


def proposed_name(dataset: Entry, kept: Kept) -> str:
    """The name under which `kept` of an answer about `dataset` is stored, unless the visitor gives another."""
    return f"{dataset.name}: {kept.name}"[:120]


def kept(question: Question[ResultT], dataset: Entry, result: ResultT, part: Kept, name: str) -> Entry:
    """Store `part` of the answer as a dataset, and return its entry. Raises HemError if it cannot be made or stored."""
    table = part.make(result, shelf.table(question.dataset))
    record = shelf.store().keep(table, name=name.strip() or part.name, lineage=lineage(question, dataset, part))
    return next(entry for entry in library.entries(shelf.store()) if entry.id == record.id)


def _keep(question: Question, dataset: Entry, result: object, part: Kept, key: str) -> None:
    try:
        # Read now: text typed just before the click is newer than what the page last drew.
        entry = kept(question, dataset, result, part, str(st.session_state[key]))
    except HemError as error:
        st.toast(sentences.as_text(str(error)), icon=":material/error:")
        return
    st.session_state["data:opened"] = entry.id
    st.toast(f"Saved: {sentences.as_text(entry.name)}. It is on the Data page.", icon=":material/check:")
