"""What to choose on the Data page for the step of a verdict that leads here: the link names the step, and the dataset it is about."""

import streamlit as st

from hemcore.datasets.shelf import library
from hemcore.web import sentences, shelf
from hemcore.web.data import PAGE, opening_page

_LINK = PAGE.key("step")
_TOGETHER = "Choose the files of {name} again, together with those of {more}: files chosen together are read as one dataset."
_ANOTHER = "Choose {what}: it becomes a dataset of its own, and Compare offers it next to {name}."
_BEFORE = _ANOTHER.replace("{what}", "the runs from before the change")
# By the label of the step, as the verdicts have it.
STEPS = {
    "Add runs": _TOGETHER.replace("{more}", "further runs (in a series, each run with a number of its own)"),
    "Add events": _TOGETHER.replace("{more}", "further events, counted in the same runs")
    + " Or choose a measurement that counts more events.",
    "Add programs": _TOGETHER.replace("{more}", "further programs"),
    "Add jobs": _TOGETHER.replace("{more}", "further jobs"),
    "Add HEMs": _TOGETHER.replace("{more}", "subexperiments that read further HEMs"),
    "Add longer runs": "Choose longer runs of the same program than those of {name}, or runs with events that occur more often.",
    "Add another measurement": "Choose a measurement with slots of another length than in {name}, or with its events in random order.",
    "Add OCOE runs": "Choose a series of the same program with every event in every interval (OCOE): Multiplexing pairs it with {name}.",
    "Replace readings": "Choose the files of {name} again, with the one that disagrees measured anew: same program, clock and units.",
    "Upload definitions": "Choose a file with metrics of the events of {name}: what perf list prints, or files of Intel, Arm or LIKWID.",
    "Add sets": _ANOTHER.replace("{what}", "another set of runs, such as another build or night"),
    "Add runs from before": _BEFORE,
    "Upload the earlier runs": _BEFORE,
}


def show() -> None:
    """Say what to choose, until something is added; nothing where no step led here."""
    step = st.query_params.get(_LINK, "")
    if step not in STEPS:
        return
    mine = {entry.id: entry.name for entry in library.entries(shelf.store()) if not entry.bundled}
    opened = opening_page.find(list(mine), st.query_params.get(opening_page.LINK, ""))
    text = STEPS[step].replace("{name}", f"“{mine[opened]}”" if opened else "your dataset")
    st.info(f"**{step}.** {sentences.as_text(text)}", icon=":material/arrow_forward:")


def end() -> None:
    """The step is taken."""
    st.query_params.pop(_LINK, None)
