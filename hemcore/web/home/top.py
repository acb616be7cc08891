"""The head and the foot of Home: what this is for, the two ways in, and where data stays."""

import os
from pathlib import Path

import streamlit as st

from hemcore.glossary import GLOSSARY
from hemcore.web.home.later import Later, link_place
from hemcore.web.page import Page
from hemcore.web.sentences import as_text

_PROBLEM = (
    "A processor can count hundreds of kinds of events, each by a **hardware event monitor (HEM)**, but only a handful at "
    "a time, so a program is measured in pieces. HEM Workbench merges the pieces, finds the phases of a run, and shows how far you can "
    "trust each answer."
)


def welcome(home: Page, upload: Page, first: Page | None) -> list[Later]:
    """The problem, and two ways in that stand side by side: data of one's own, and `first` on its sample (None: no page has one)."""
    st.html(Path(__file__).with_name("home.css"))
    st.title(home.heading or home.title, anchor=False)
    st.markdown(_PROBLEM, help=GLOSSARY["HEM"].definition)
    with st.container(key="home-ways"):
        with st.container(border=True, height="stretch", gap="small"):
            st.markdown("**Your data**")
            st.markdown("Upload counter readings as they are: the format is recognised, every repair is listed, and they are kept for you.")
            st.page_link(upload.script, label="Upload your own readings", icon=":material/upload:")
        if first is None:
            return []
        with st.container(border=True, height="stretch", gap="small"):
            st.markdown("**Sample data**")
            st.markdown("Bundled readings of programs with known true counts: every page below opens on them with one click.")
            return [link_place(first, f"Start with a sample: {first.title}")]


def foot() -> Later:
    """Where uploads live, and that nothing leaves the machine."""
    return st.container(), _foot


def _foot() -> None:
    from hemcore.jobs.known_jobs import SCHEDULER
    from hemcore.web import shelf

    text = (
        f"Uploads are stored in {shelf.store().root} on the machine that runs this server (set HEM_DATA_DIR to change the folder). Nothing "
        "leaves that machine: no account, no usage statistics, no requests to other hosts."
    )
    scheduler = os.environ.get(SCHEDULER)
    if scheduler:
        text += f" The exception: long computations run on the workers of {scheduler} ({SCHEDULER})."
    st.caption(as_text(text))
