"""The row of headline figures that stands above the tabs of every page."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st


@dataclass(frozen=True)
class Figure:
    """One headline figure: what it is, its value as text, a line under it and what hovering tells."""

    label: str
    value: str
    note: str = ""
    help: str = ""


def row(figures: Sequence[Figure]) -> None:
    """Cards of equal height, side by side."""
    for column, figure in zip(st.columns(len(figures)), figures, strict=True):
        with column, st.container(border=True, height="stretch", gap="xxsmall"):
            st.metric(figure.label, figure.value, help=figure.help or None)
            st.caption(figure.note or " ")
