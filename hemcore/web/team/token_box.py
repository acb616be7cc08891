"""The tokens of who is signed in: made, shown once, listed, ended."""

import streamlit as st

from hemcore.datasets.owners import access_tokens, whose
from hemcore.errors import HemError
from hemcore.web import sentences

_NEW, _NAME, _DAYS = "team:new-token", "frame.token-name", "frame.token-days"


def show() -> None:
    """Draw the list and the form."""
    st.markdown("**Tokens**")
    st.caption("A program shows one to read and change your data: hem-workbench push, or the HTTP API under /api/v1.")
    root = whose.folder()
    for each in access_tokens.owned(root):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            until = "its time is up" if each.is_over else f"until {each.expires[:10]}"
            st.markdown(f"{sentences.as_text(each.name)}  \n:small[made {each.made[:10]}, {until}]", width="content")
            st.button("End", key=f"frame.token-end-{each.id[:16]}", on_click=_end, args=(each.id,))
    if new := st.session_state.get(_NEW):
        st.caption("The new token. Copy it now: it is not shown again.")
        st.code(new, language=None, wrap_lines=True)
        st.button("I have copied it", key="frame.token-copied", on_click=_forget)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input("What it is for", key=_NAME, placeholder="nightly job", max_chars=60)
        st.selectbox("Good for", access_tokens.DAYS, index=1, format_func=lambda days: f"{days} days", key=_DAYS, width=110)
    st.button("Make a token", key="frame.token-make", icon=":material/key:", on_click=_make)


def _forget() -> None:
    st.session_state.pop(_NEW, None)


def _make() -> None:
    try:
        st.session_state[_NEW] = access_tokens.make(whose.folder(), st.session_state[_NAME], st.session_state[_DAYS])
        st.session_state[_NAME] = ""
    except HemError as error:
        st.toast(sentences.as_text(str(error)), icon=":material/error:")


def _end(id: str) -> None:
    try:
        access_tokens.end(whose.folder(), id)
    except HemError as error:
        st.toast(sentences.as_text(str(error)), icon=":material/error:")
