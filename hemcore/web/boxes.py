"""Popovers whose contents are drawn only while open."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

import streamlit as st

from hemcore.web.page import Page


@contextmanager
def on_demand(
    page: Page, label: str, icon: str, help: str | None = None, type: Literal["primary", "secondary", "tertiary"] = "secondary"
) -> Iterator[bool]:
    """A popover under the button `label`. Yields whether it is open; draw nothing if it is not."""
    box = st.popover(label, icon=icon, help=help, type=type, key=page.key(f"{label.lower().replace(' ', '-')}-box"), on_change="rerun")
    with box:
        yield bool(box.open)
