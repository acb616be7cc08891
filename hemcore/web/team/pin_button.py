"""On a server where what no one opens is deleted: the button that keeps a dataset, a report or a model."""

from collections.abc import Iterable

import streamlit as st

from hemcore.datasets.owners import limits, whose
from hemcore.datasets.shelf import retention
from hemcore.errors import HemError
from hemcore.web import sentences
from hemcore.web.page import Page


def show(page: Page, id: str, key: str = "pin") -> None:
    """Pin, or unpin, what has that id; nothing where nothing is deleted."""
    root = whose.folder()
    if whose.has_owners() and retention.applies():
        stays = id in retention.pinned(root)
        st.button(
            "Unpin" if stays else "Pin",
            key=page.key(key),
            icon=":material/keep_off:" if stays else ":material/keep:",
            on_click=pin,
            args=([id], not stays),
            help="It stays until you delete it."
            if stays
            else f"Else it is deleted {limits.limit(retention.KEEP_DAYS):g} days after its last opening.",
        )


def pin(ids: Iterable[str], stays: bool) -> None:
    """Have these stay, or no longer; what the disk refuses is a toast."""
    try:
        for id in ids:
            retention.pin(whose.folder(), id, stays)
    except HemError as error:
        st.toast(sentences.as_text(str(error)), icon=":material/error:")
