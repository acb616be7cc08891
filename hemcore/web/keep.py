"""Keep: a result becomes a dataset of its own, with where it comes from."""

import streamlit as st

from hemcore import __version__
from hemcore.analysis import Kept, Question
from hemcore.datasets.shelf.library import Entry
from hemcore.datasets.shelf.store import Lineage
from hemcore.errors import HemError
from hemcore.web import sentences, shelf
from hemcore.web.boxes import on_demand
from hemcore.web.page import Page


def popover(page: Page, question: Question, dataset: Entry, result: object) -> None:
    """What of the answer can be kept, and the button that does it; nothing where there is nothing to keep."""
    keeps = question.analysis.keeps
    if not keeps:
        return
    told = "Put the result among your data, to work on with other pages."
    with on_demand(page, "Keep", ":material/library_add:", told) as is_open:
        if not is_open:
            return
        named = {each.description: each for each in keeps}
        says = st.radio("What", list(named), key=page.key("keep-what"), persist_state="session") if len(keeps) > 1 else next(iter(named))
        kept = named[str(says)]
        # The key says whose name it is: a field keeps its words when only its proposal changes.
        key = page.key(f"keep-name-{kept.name}-{dataset.label}")
        st.text_input("Name", value=f"{dataset.name}: {kept.name}"[:120], max_chars=120, key=key, persist_state="session")
        if len(keeps) == 1:
            st.caption(sentences.as_text(f"Kept is {kept.description}. It remembers the dataset and the parameters that it comes from."))
        st.button("Keep among your data", key=page.key("keep"), type="primary", on_click=_keep, args=(question, dataset, result, kept, key))


def lineage(question: Question, dataset: Entry, kept: Kept) -> Lineage:
    """Where `kept` of the answer to `question` comes from; dataset: the question's."""
    said = question.to_dict()
    return Lineage(
        parent=question.dataset,
        parent_name=dataset.name,
        analysis=said["analysis"],
        params=said["params"],
        version=__version__,
        gives=kept.name,
    )


def _keep(question: Question, dataset: Entry, result: object, kept: Kept, key: str) -> None:
    # Read now: what was typed just before the click is not among what the page last drew.
    name = str(st.session_state[key])
    try:
        table = kept.make(result, shelf.table(question.dataset))
        record = shelf.store().keep(table, name=name.strip() or kept.name, lineage=lineage(question, dataset, kept))
    except HemError as error:
        st.toast(sentences.as_text(str(error)), icon=":material/error:")
        return
    st.session_state["data:opened"] = record.id
    st.toast(f"Kept: {sentences.as_text(record.name)}. It is on the Data page.", icon=":material/check:")
