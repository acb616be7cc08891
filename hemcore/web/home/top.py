"""The head and the foot of Home: what this is for, the ways in beside a moving picture, and where data stays."""

import os
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from hemcore.glossary import GLOSSARY
from hemcore.web.home.later import Later, link_place
from hemcore.web.page import Page
from hemcore.web.sentences import as_text
from hemcore.web.starts.demo_steps import AT, PARAMETER, STEPS

_PROBLEM = (
    "A processor can count hundreds of events, each by a **hardware event monitor (HEM)**, but only a handful at a time. HEM Workbench "
    "puts the pieces together, finds the phases of a run, predicts, and says how far to trust each answer."
)


def welcome(home: Page, upload: Page, first: Page | None) -> tuple[DeltaGenerator, list[Later]]:
    """The problem and the ways in: the demo, data of one's own, and `first` on its sample (None: no page has one). Returns the place of
    the picture beside them, and what is drawn later."""
    st.html(Path(__file__).with_name("home.css"))
    waiting: list[Later] = []
    with st.container(key="home-top"):
        with st.container(gap="small"):
            st.title(home.heading or home.title, anchor=False)
            st.markdown(_PROBLEM, help=GLOSSARY["HEM"].definition)
            with st.container(key="home-ways", horizontal=True, gap="small"):
                _demo_button()
                st.page_link(upload.script, label="Upload your own readings", icon=":material/upload:")
                if first is not None:
                    waiting.append(link_place(first, f"Start with a sample: {first.title}"))
            waiting.append((st.container(), _own_data))
        picture = st.container(key="home-beside")
    return picture, waiting


def _demo_button() -> None:
    at = st.session_state.get(AT)
    if st.button("Play the demo", key="home.demo", type="primary", icon=":material/slideshow:", help=f"{len(STEPS)} steps, five minutes."):
        _play(0)
    if at and st.button(f"Resume at step {at + 1}", key="home.resume", icon=":material/play_arrow:"):
        _play(at)
    if PARAMETER in st.query_params:  # hem-workbench --demo
        _play(0)


def _play(step: int) -> None:
    from hemcore.web.starts import demo_bar as bar

    bar.play(step, bar.chosen_data() if step == 0 else None)


def _own_data() -> None:
    from hemcore.web.starts import demo_bar as bar

    bar.choose_data()


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
