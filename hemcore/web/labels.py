"""Labels, "name · id", by which lists and links name a dataset or a report: the name can change, the id does not."""

from collections.abc import Iterable

import streamlit as st


def same_thing(named: str, labels: Iterable[str]) -> str | None:
    """The label among `labels` of what `named` is a label of, by another name perhaps; None where there is none, or no telling."""
    id = named.rpartition(" · ")[2]
    same = [label for label in labels if label == named] or [label for label in labels if label.rpartition(" · ")[2] == id]
    return same[0] if len(same) == 1 else None


def follow_rename(key: str, labels: Iterable[str]) -> None:
    """Put the widget `key`, before it is drawn, at the label of what it stood at, where that was renamed since."""
    stands = st.session_state.get(key)
    now = None if stands is None else same_thing(str(stands), list(labels))
    if now is not None and now != stands:
        st.session_state[key] = now
