"""Selections in pictures, stored in the URL and cleared with their dataset."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from hemcore.web import sentences
from hemcore.web.page import Page
from hemcore.web.visits import just_opened


@dataclass(frozen=True)
class Selection:
    """One kind of thing that can be selected on a page.

    name: in the URL, one of the page's `in_address`. read: the text in the URL -> the view fields that it sets; None if it is invalid.
    """

    page: Page
    name: str
    read: Callable[[str], dict[str, object] | None]

    def chosen(self, place: DeltaGenerator) -> dict[str, object]:
        """Draw the button that clears the selection in `place`, and return the view fields that it sets; empty without one."""
        text = st.session_state.get(self._stored)
        if text is None:
            return {}
        found = self.read(text)
        if found is None:
            sentences.warn(f"The link asks for the selection {text[:60]!r}, which is not valid; nothing is selected.")
            return {}
        key = self.page.key(f"forget-{self.name}")
        place.button("Clear the selection", key=key, icon=":material/close:", type="tertiary", on_click=self.put, args=(None,))
        return found

    def put(self, text: str | None) -> None:
        """Select `text`; None clears the selection."""
        st.session_state[self._stored] = text
        if text is None:
            st.query_params.pop(self.page.key(self.name), None)
        else:
            st.query_params[self.page.key(self.name)] = text

    @property
    def _stored(self) -> str:
        return f"{self.page.name}:{self.name}"


def of(page: Page, what: str, selections: Sequence[Selection]) -> None:
    """Tie the selections to `what` (a dataset, a run): another one clears them. Call after the data is chosen."""
    state, known = st.session_state, f"{page.name}:selected-of"
    if state.get(known, what) != what and not just_opened(page):
        for each in selections:
            each.put(None)
    state[known] = what
