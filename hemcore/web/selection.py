"""Selections and zooms in pictures, stored in the URL and cleared with their dataset."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go
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


# The name in the URL of every page; and how much of it is read.
ZOOM, _MOST_ZOOM = "zoom", 400
_AXIS = re.compile("[xy][0-9]{0,2}")
Ranges = Mapping[str, Sequence[float]]  # "x", "y2" ... -> both ends in axis units


@dataclass(frozen=True)
class Zoom:
    """The zoom of one picture of the page: the last one that was zoomed. In the URL: its name, then axis, low and high for each axis."""

    page: Page

    def of(self, picture: str, figure: go.Figure) -> Ranges:
        """The ranges that the visitor or the link chose for `figure`, by axis; empty without any. Forgets them when the figure shows
        something else."""
        state, stored = st.session_state, f"{self.page.name}:{ZOOM}"
        text = state.get(stored)
        if text is None or text.partition(" ")[0] != picture:
            return {}
        shows, now = f"{self.page.name}:zoomed-in", (text, figure.layout.uirevision)
        before, state[shows] = state.get(shows, now), now
        if before[0] == text and before != now and not just_opened(self.page):
            self.put(picture, {})
            return {}
        ranges = _ranges(text)
        if ranges is None or not set(ranges) <= _axes(figure):
            sentences.warn(f"The link asks for the zoom {text[:60]!r}, which does not fit this picture; all of it is shown.")
            return {}
        return ranges

    def check(self, pictures: Sequence[str]) -> None:
        """Warn if the link asks for the zoom of a picture that is not among `pictures`, by name."""
        text = st.session_state.get(f"{self.page.name}:{ZOOM}")
        if text is not None and text.partition(" ")[0].rpartition("-")[0] not in pictures:
            sentences.warn(f"The link asks for the zoom {text[:60]!r}, which fits no picture of this page; all is shown.")

    def put(self, picture: str, ranges: Ranges) -> None:
        """Keep what was zoomed; empty ranges clear it."""
        words = [f"{axis} {low:.12g} {high:.12g}" for axis, (low, high) in ranges.items()]
        Selection(self.page, ZOOM, lambda text: None).put(" ".join([picture, *words]) if words else None)


def _ranges(text: str) -> Ranges | None:
    words = text.split(" ")[1:]
    if len(text) > _MOST_ZOOM or not words or len(words) % 3:
        return None
    ranges: dict[str, tuple[float, float]] = {}
    for axis, *ends in zip(words[::3], words[1::3], words[2::3], strict=True):
        try:
            low, high = (float(each) for each in ends)
        except ValueError:
            return None
        if not (_AXIS.fullmatch(axis) and math.isfinite(low) and math.isfinite(high) and low != high):
            return None
        ranges[axis] = (low, high)
    return ranges


def _axes(figure: go.Figure) -> set[str]:
    """Its axes as its curves name them: "x", "y2"."""
    return {getattr(each, name) or name[0] for each in figure.data for name in ("xaxis", "yaxis") if name in each}
