"""Boxes with multiple choices, and what happens to the choices when the options change."""

from collections.abc import Callable, Sequence

import streamlit as st

from hemcore.web.form import remember_default, warn_of_link
from hemcore.web.page import Page


def several(
    page: Page,
    name: str,
    title: str,
    options: list[str],
    first: list[str],
    *,
    follows: bool = True,
    most: int | None = None,
    placeholder: str | None = None,
) -> tuple[str, ...]:
    """Draw the box of the page's field `name` and return the chosen `options`; may be empty.

    first: the default, also used if none of the chosen options is available any more. follows: whether an untouched box follows changes of
    `first`. most: the maximum number of choices.
    """
    state, key = st.session_state, page.key(name)
    of = f"{key}:first"
    stands, before = state.get(key), state.get(of) if follows else None
    if stands is not None and (not set(stands) <= set(options) or (stands == before and stands != first)):
        state[key] = first if stands == before else [each for each in stands if each in options] or first
    if follows:
        state[of] = first
    remember_default(page, key, first)
    warn_of_link(key, title, options)
    return tuple(st.multiselect(title, options, default=first, max_selections=most, key=key, bind="query-params", placeholder=placeholder))


def keep_those_there(key: str, options: Sequence[str], read: Callable[[str], Sequence[str]]) -> None:
    """Drop choices of the box `key` that are not in `options`; before it is drawn. read: the text of a baseline -> its names."""
    stands = st.session_state.get(key)
    if stands is None:
        return
    known = [each for each in (read(stands) if isinstance(stands, str) else stands) if each in options]
    if isinstance(stands, str) or known != list(stands):
        st.session_state[key] = known
