"""The verdict and the row of headline figures that stand over the pictures of every page."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from hemcore.headline import Card, Change, Verdict, changes
from hemcore.web import glossary, sentences

_SAYS = {
    "good": (":material/check_circle:", "believe it"),
    "limited": (":material/info:", "with reservations"),
    "poor": (":material/warning:", "do not rely on it"),
}


def verdict(told: Verdict, key: str = "") -> None:
    """The answer in bold, and whether to trust it, in one band; its level by icon and word, not by colour alone. The reasons: under "Why?".

    key: tells several on one page apart.
    """
    with st.container(key=f"frame-verdict-{told.level}-{key}", horizontal=bool(told.why), vertical_alignment="center"):
        verdict_words(told)
        if told.why:
            with st.popover("Why?", type="tertiary"):
                st.markdown("\n\n".join(sentences.as_text(each) for each in told.why))


def verdict_words(told: Verdict, *, brief: bool = False) -> None:
    """The words of the band alone; hovering tells the trust in a word, and what the names mean. brief: why to trust it only on hovering."""
    icon, word = _SAYS[told.level]
    why = sentences.as_text(told.trust)
    text, trust = f"{icon} **{sentences.as_text(told.answer)}**", f"Trust: {word}."
    if brief:
        st.markdown(text, help=glossary.help_of(told.answer, f"{trust} {why}"))
    else:
        st.markdown(f"{text} {why}", help=glossary.help_of(told.text, trust))


def row(cards: Sequence[Card], baseline: Sequence[Card] = ()) -> None:
    """Cards of equal height that wrap where there is little room; each with its change from the baseline's."""
    with st.container(key="frame-cards"):
        for card, change in zip(cards, changes(cards, baseline), strict=True):
            told = card.help or glossary.help_of(f"{card.label}. {card.note}")
            # One element a card: each costs every slider move some milliseconds.
            st.metric(card.label, card.shown, help=told, border=True, height="stretch", **_under(sentences.as_text(card.note), change))


def _under(note: str, change: Change | None) -> dict[str, Any]:
    """What stands under a figure: its note, after its change where there is one."""
    if change is None:
        return {"delta": note or None, "delta_color": "off", "delta_arrow": "off"}
    # Streamlit tells the sign, and so the arrow, by a hyphen.
    text = change.text.replace("−", "-")
    said = {"delta": text, "delta_description": note or None}
    if change.better is None:
        return said | {"delta_color": "off", "delta_arrow": "off" if change.text == "no change" else "auto"}
    return said | {"delta_color": "normal" if change.better == (not text.startswith("-")) else "inverse"}
