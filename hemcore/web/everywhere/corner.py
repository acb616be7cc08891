"""The corner at the top right of every page: what is running, and which keys there are."""

import sys
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

_KEYS = {
    "Tab, Shift + Tab": "The next and the previous control",
    "Enter, Space": "Press a button, open a box",
    "Arrow keys": "Move a slider; go through tabs, boxes and tables",
    "Home, End": "A slider's ends",
    "Escape": "Close what is open: a box, a dialog, a picture on the full screen, the sidebar on a narrow screen",
    "Page Down, Page Up": "The next and the previous step of the demo",
    "?": "This list",
}
_script = st.components.v2.component(
    "hemcore.browser", js=Path(__file__).with_name("browser.js").read_text(encoding="utf-8"), isolate_styles=False
)


def begin() -> DeltaGenerator:
    """Draw the corner, before the page; returns the place for its jobs."""
    with st.container(key="frame-corner", horizontal=True, gap="small"):
        jobs = st.container(width="content")
        with st.popover("Keys", icon=":material/keyboard:", type="tertiary", key="frame-keys"):
            st.markdown("\n".join(["| Key | |", "|---|---|", *(f"| **{key}** | {does} |" for key, does in _KEYS.items())]))
            st.caption("Double-click a picture to see all of it again.")
        _script(key="frame-script")
        # A team's server has imported it when it started; pandas comes with it, which the first paint does not wait for.
        if "hemcore.datasets.owners.whose" in sys.modules:
            from hemcore.datasets.owners import whose

            if whose.has_owners():
                from hemcore.web.team import account

                account.show()
    return jobs


def end(place: DeltaGenerator) -> None:
    """Draw the list of jobs in `place`, after the page, which may have started one; nothing without any."""
    # Before this is imported, which takes half a second, there is no job.
    if "hemcore.jobs.known_jobs" in sys.modules:
        from hemcore.web.everywhere import jobs_list

        with place:
            jobs_list.show()
