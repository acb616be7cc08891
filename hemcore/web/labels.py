"""Labels, "name · id", for datasets and reports in lists and links: the name can change, the id does not."""

from collections.abc import Iterable

import streamlit as st


def same_thing(named: str, labels: Iterable[str]) -> str | None:
    """The label among `labels` with the id of `named`, perhaps renamed; None if there is none or several."""
    id = named.rpartition(" · ")[2]
    same = [label for label in labels if label == named] or [label for label in labels if label.rpartition(" · ")[2] == id]
    return same[0] if len(same) == 1 else None


def follow_rename(key: str, labels: Iterable[str]) -> None:
    """Update the widget `key`, before it is drawn, if what it showed was renamed."""
    stands = st.session_state.get(key)
    now = None if stands is None else same_thing(str(stands), list(labels))
    if now is not None and now != stands:
        st.session_state[key] = now
