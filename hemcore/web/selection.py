"""What was selected in a picture, kept in the address, so that a link reproduces the screen; it goes with its dataset."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from hemcore.web import sentences
from hemcore.web.page import Page
from hemcore.web.visits import just_opened


@dataclass(frozen=True)
class Selection:
    """One kind of thing that can be selected on a page.

    name: in the address, one of the page's `in_address`. read: the text of the address -> the fields of the view that it sets; None where
    it is none.
    """

    page: Page
    name: str
    read: Callable[[str], dict[str, object] | None]

    def chosen(self) -> dict[str, object]:
        """The fields of the view that the selection sets, empty without one; and the button that forgets it."""
        text = st.session_state.get(self._stored)
        if text is None:
            return {}
        found = self.read(text)
        if found is None:
            sentences.warn(f"The link asks for a selection of {text[:60]!r}, which is none; nothing is selected.")
            return {}
        key = self.page.key(f"forget-{self.name}")
        st.button("Forget the selection", key=key, icon=":material/close:", type="tertiary", on_click=self.put, args=(None,))
        return found

    def put(self, text: str | None) -> None:
        """Select what `text` says; None: nothing."""
        st.session_state[self._stored] = text
        if text is None:
            st.query_params.pop(self.page.key(self.name), None)
        else:
            st.query_params[self.page.key(self.name)] = text

    @property
    def _stored(self) -> str:
        return f"{self.page.name}:{self.name}"


def of(page: Page, what: str, selections: Sequence[Selection]) -> None:
    """The selections are of `what` (a dataset, a run of it): with another, they go. After the data."""
    state, known = st.session_state, f"{page.name}:selected-of"
    if state.get(known, what) != what and not just_opened(page):
        for each in selections:
            each.put(None)
    state[known] = what
