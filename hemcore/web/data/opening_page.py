"""Which dataset is open on the Data page: the link names it, so that a refresh, a link and the browser's Back open it again."""

from collections.abc import Mapping, Sequence

import streamlit as st

from hemcore.web.data import PAGE

LINK = PAGE.key("opened")
# In the session: a dataset to be opened (other pages ask for it too), whether it was just uploaded, and the one that was open when the
# page was left.
_ASKED, _ADDED, _LAST = "data:opened", "data:added", "data:last"
_MARKED, _LISTED = "data:marked", "data:listed"
_SHORT = 16


def ask(id: str, *, added: bool = False) -> None:
    """Have `id` opened; from a callback, or before the lists are drawn. added: by this page, below whose panel the visitor still is."""
    st.session_state[_ASKED] = id
    st.session_state[_ADDED] = added


def was_added() -> bool:
    """Whether the dataset that is open was just added; said once."""
    return bool(st.session_state.pop(_ADDED, False))


def find(ids: Sequence[str], named: str) -> str | None:
    """The id that a link calls `named`: itself, or the one id that begins so (8 characters at least)."""
    same = [id for id in ids if id == named] or [
        id for id in ids if len(named) >= 8 and id.startswith(named) and not id.startswith("sample-")
    ]
    return same[0] if len(same) == 1 else None


def opened(lists: Mapping[str, Sequence[str]]) -> str | None:
    """The id that is open, or as a link calls it one that is not here; None where none is. Marks its row.

    lists: the ids of each list of datasets, by the key of its widget, which is drawn after this.
    """
    state = st.session_state
    ids = [id for each in lists.values() for id in each]
    here = any(key in state for key in lists)
    asked, clicked = state.pop(_ASKED, None), _clicked(lists)
    named = st.query_params.get(LINK)
    if asked is not None:
        found = asked
    elif clicked is not None:
        found = clicked or None
    elif named:
        found = find(ids, named) or named
    else:
        # A page switch empties the address; a Back to where none was open does not come from another page.
        found = None if here else state.get(_LAST)
    state[_LAST] = found
    if found is None:
        st.query_params.pop(LINK, None)
    elif st.query_params.get(LINK) != _short(found):
        st.query_params[LINK] = _short(found)
    _mark(lists, found)
    return found


def _clicked(lists: Mapping[str, Sequence[str]]) -> str | None:
    """The id whose row was clicked since the last run, "" where the click closed it; None where none was.

    A click names a row by its number in the list that was on the screen, which may have changed since.
    """
    state = st.session_state
    for key, ids in lists.items():
        rows = list(state[key]["selection"]["rows"]) if key in state else []
        if key in state and rows != state.get(_MARKED, {}).get(key, []):
            shown = state.get(_LISTED, {}).get(key, ids)
            return shown[rows[0]] if rows and rows[0] < len(shown) else ""
    return None


def _mark(lists: Mapping[str, Sequence[str]], found: str | None) -> None:
    """The mark goes with the dataset when rows move, and from one list to the other."""
    marked = {key: [place for place, id in enumerate(ids) if id == found] for key, ids in lists.items()}
    for key, rows in marked.items():
        st.session_state[key] = {"selection": {"rows": rows, "columns": [], "cells": []}}
    st.session_state[_MARKED], st.session_state[_LISTED] = marked, {key: list(ids) for key, ids in lists.items()}


def _short(id: str) -> str:
    return id if id.startswith("sample-") else id[:_SHORT]
