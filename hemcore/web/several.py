"""Boxes in which several of a list are chosen: what stands in one when the list, or what it follows, is another."""

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
    """Draw the box of the page's field `name`; those of `options` that are chosen, none perhaps.

    first: what stands there at first, and where nothing of what was chosen is among the options any more. follows: whether a box that
    nobody touched goes over to another `first`. most: that can be chosen.
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
    """Of what stands in the box `key`, keep what is among `options`; before it is drawn. read: the text of a baseline -> what it names."""
    stands = st.session_state.get(key)
    if stands is None:
        return
    there = [each for each in (read(stands) if isinstance(stands, str) else stands) if each in options]
    if isinstance(stands, str) or there != list(stands):
        st.session_state[key] = there
