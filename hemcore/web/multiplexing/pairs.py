"""Pairs: a multiplexed series with OCOE runs of the same programs, stored as a new dataset."""

import streamlit as st

from hemcore.analysis import Question
from hemcore.datasets.shelf import library
from hemcore.datasets.shelf.library import Entry
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import HemError
from hemcore.mpx.analysis import PAIR
from hemcore.mpx.params import PairParams
from hemcore.web import ask, sentences, shelf
from hemcore.web.actions import keep
from hemcore.web.form import put
from hemcore.web.frame import Frame
from hemcore.web.multiplexing import PAGE

_NOTES = f"{PAGE.name}:pair-notes"


def choice(frame: Frame[CounterSeries], table: CounterSeries) -> None:
    """For a multiplexed series, an expander to choose the OCOE runs it is compared with; nothing for other series."""
    if table.mode != "MPX":
        return
    notes: dict[str, str] = st.session_state.get(_NOTES, {})
    if notes.get("of") == frame.dataset.label:
        st.caption(sentences.as_text(notes["text"]))
    # Inline: so low in the form a popover has no room, and cuts off its button.
    box = st.expander("Pair with OCOE runs", icon=":material/join_inner:", key=frame.page.key("pair-with-ocoe-runs-box"), on_change="rerun")
    with box:
        if not box.open:
            return
        st.caption("Score the estimates against runs that counted every event.")
        others = {each.label: each for each in library.entries(shelf.store(), PAGE.kind) if each.id != frame.dataset.id and _is_ocoe(each)}
        st.page_link("pages/data.py", label="Upload runs in any known format", icon=":material/upload:")
        if not others:
            st.caption("No series here is OCOE (every event counted in every slot).")
            return
        key = frame.page.key("pair-with")
        st.selectbox("OCOE runs", list(others), key=key, persist_state="session")
        st.caption(
            "Runs are paired by number, otherwise in order. Other runs are only a proxy for the truth: the verdict shows the score of a "
            "perfect estimator."
        )
        st.button("Pair", key=frame.page.key("pair"), type="primary", on_click=_pair, args=(frame.dataset, others, key))


def _is_ocoe(entry: Entry) -> bool:
    return shelf.shape(entry.id).endswith("OCOE")


def _pair(dataset: Entry, others: dict[str, Entry], key: str) -> None:
    other = others.get(str(st.session_state.get(key)))
    if other is None:
        return
    question, (kept,) = Question(analysis=PAIR, dataset=dataset.id, params=PairParams(ocoe=other.id)), PAIR.keeps
    try:
        paired = ask.answer(question)
        lineage = keep.lineage(question, dataset, kept)
        record = shelf.store().keep(paired.series, name=f"{dataset.name}, with {other.name}"[:120], lineage=lineage)
    except HemError as error:
        st.toast(sentences.as_text(str(error)), icon=":material/error:")
        return
    label = next(entry.label for entry in library.entries(shelf.store(), PAGE.kind) if entry.id == record.id)
    put(PAGE.key("dataset"), label)
    if paired.notes:
        st.session_state[_NOTES] = {"of": label, "text": " ".join(paired.notes)}
    st.toast(f"Paired: {sentences.as_text(record.name)}.", icon=":material/check:")
