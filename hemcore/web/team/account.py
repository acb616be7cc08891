"""Who is signed in, in the corner of every page: the name, how much the shelf holds, and the way out."""

from pathlib import Path

import streamlit as st

from hemcore.datasets.owners import limits, whose
from hemcore.errors import HemError
from hemcore.headline import data_size
from hemcore.web import sentences
from hemcore.web.team import session_owner, token_box
from hemcore.web.team.team_settings import settings


def show() -> None:
    """The box with the name of who is signed in."""
    who = session_owner.identity()
    # The browser opens it by itself: a box that the server opens loses a click while the first visit is still being drawn.
    with st.popover(sentences.as_text(who.name[:24]), icon=":material/person:", type="tertiary", key="frame-account"):
        st.markdown(f"**{sentences.as_text(who.name)}**")
        st.caption(sentences.as_text(", ".join(filter(None, (who.email, *who.groups))) or "No groups"))
        try:
            st.caption(sentences.as_text(_held()))
        except HemError as error:
            sentences.show(str(error))
        token_box.show()
        if settings().auth == "oidc":
            if st.button("Sign out", key="frame.sign-out", icon=":material/logout:"):
                session_owner.sign_out()
        else:
            st.caption("Sign out at your site, which signed you in.")


def _held() -> str:
    most = limits.limit("HEM_MAX_GB_PER_OWNER")
    return f"Your data: {data_size(_used(str(whose.folder())))}" + (f" of {most:g} GB" if most < float("inf") else "")


@st.cache_data(ttl=10, max_entries=256, show_spinner=False)
def _used(root: str) -> int:
    # Drawn in every run, and thousands of files take long to look at.
    return limits.used(Path(root))
