"""A field for words of a report: it shows what is saved, from another tab too, and never drops what was typed here."""

from dataclasses import dataclass

import streamlit as st

from hemcore.web import sentences


@dataclass(frozen=True, kw_only=True)
class Typed:
    """What stands in a field. words: when it was drawn."""

    key: str
    words: str

    @property
    def now(self) -> str:
        """What stands in it now: in a callback also what was typed just before the click."""
        return str(st.session_state.get(self.key, self.words))


def field(label: str, saved: str, *, key: str, most: int, lines: bool = False) -> Typed:
    """The field, of at most `most` characters; lines: with room for several lines.

    Where other words were saved elsewhere since something was typed here, both stay, and it says so.
    """
    state, followed = st.session_state, f"{key}:saved"
    if key not in state or (state[key] == state.get(followed) != saved):
        # Only where it has to change: what is set here takes the place of what is being typed at this moment.
        state[key] = saved
    if state[key] == saved:
        state[followed] = saved
    draw = st.text_area if lines else st.text_input
    words = draw(label, max_chars=most, key=key, persist_state="session")
    if state.get(followed, saved) != saved:
        sentences.warn(f"{label}: it was changed elsewhere, to {saved[:200]!r}. Saving replaces that with yours.")
    return Typed(key=key, words=words)
