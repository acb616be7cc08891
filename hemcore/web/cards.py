"""The verdict and the strip of headline figures above the pictures of every page."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal, TypedDict

import streamlit as st

from hemcore.headline import LINE, Card, Change, Verdict, changes
from hemcore.web import hover_help, sentences


class _Under(TypedDict, total=False):
    delta: str | None
    delta_color: Literal["normal", "inverse", "off"]
    delta_arrow: Literal["off", "auto"]


# As many figures as fit a window of 1,280 px with its sidebar.
_IN_STRIP = 5
# Of a name in a verdict longer than a line: the letters that stay. What a button takes of the line beside its label.
_KEPT, _AROUND = (40, 32, 24), 4
_SENTENCES = re.compile(r"(?<=[.?!]) (?=[A-Z\d])")
_ICONS = {"good": ":material/check_circle:", "limited": ":material/info:", "poor": ":material/warning:"}


def verdict(
    found: Verdict,
    actions: Sequence[sentences.Action] = (),
    key: str = "",
    *,
    step: bool = True,
    shown_below: bool = False,
    names: Iterable[str] = (),
) -> None:
    """The answer in bold and whether to trust it, in one band; the level as icon, word and color.

    Beside it the first of `actions`, the next step, if the answer is not good; under "Why?" the reasons and the other actions.
    key: unique among the verdicts of a page. step: whether the first action leads on.
    shown_below: the next step is the open tab. names: see in_one_line.
    """
    first = 0 if found.level == "good" or not step else 1
    full = found.text
    found = in_one_line(found, names, LINE - sum(len(label) + _AROUND for label, _ in actions[:first]))
    why = bool(found.why or actions[first:])
    beside = why or bool(actions) or shown_below
    with st.container(key=f"frame-verdict-{found.level}-{key}", horizontal=beside, vertical_alignment="center"):
        verdict_text(found, full=full)
        for action in actions[:first]:
            sentences.button(action, key, type="tertiary")
        if shown_below and found.level != "good":
            st.caption(":material/arrow_downward: Shown below", width="content")
        if why:
            with st.popover("Why?", type="tertiary"):
                st.markdown("\n\n".join(sentences.as_text(each) for each in found.why))
                sentences.buttons(actions[first:], key)


def in_one_line(found: Verdict, names: Iterable[str] = (), room: int = LINE) -> Verdict:
    """`found` in `room` letters, if it can be: first long names lose their middle, then all sentences of the trust but the first go behind
    "Why?", the last one first. names: that the verdict may hold; words without a blank are names, too."""
    long = sorted({*names, *found.text.split()} if len(found.text) > room else (), key=len, reverse=True)
    whole = found
    for kept in _KEPT:
        if len(found.text) > room:
            found = whole
            for name in (each for each in long if len(each) > kept):
                cut = f"{name[: kept // 2]}…{name[1 - kept // 2 :]}"
                found = replace(found, answer=found.answer.replace(name, cut), trust=found.trust.replace(name, cut))
    trust, why = _SENTENCES.split(found.trust), list(found.why)
    while len(trust) > 1 and len(f"{found.answer} {' '.join(trust)}") > room:
        why.insert(0, trust.pop())
    return replace(found, trust=" ".join(trust), why=tuple(why))


def verdict_text(found: Verdict, *, full: str = "", brief: bool = False) -> None:
    """The text of the band; the hover shows the level, what the names mean, and the `full` text where it is longer. brief: the trust only
    on hover."""
    why = sentences.as_text(found.trust)
    text, trust = f"{_ICONS[found.level]} **{sentences.as_text(found.answer)}**", f"Trust: {found.level}."
    trust += "" if full in ("", found.text) else f"\n\n{sentences.as_text(full)}"
    if brief:
        st.markdown(text, help=hover_help.help_of(found.answer, f"{trust} {why}"))
    else:
        st.markdown(f"{text} {why}", help=hover_help.help_of(full or found.text, trust))


def row(cards: Sequence[Card], baseline: Sequence[Card] = ()) -> None:
    """One strip of figures, each with its change from the baseline; those that do not fit are under "More figures"."""
    pairs = list(zip(cards, changes(cards, baseline), strict=True))
    # Told apart by a key: a style that looked for a baseline on the page would be asked again at every change of the page (.4 s).
    with st.container(key="frame-changes" if baseline else "frame-notes"), st.container(key="frame-cards"):
        _metrics(pairs[:_IN_STRIP])
        if pairs[_IN_STRIP:]:
            with st.popover("More figures", type="tertiary", help="Figures that do not fit in the strip."):
                _metrics(pairs[_IN_STRIP:])


def _metrics(pairs: Sequence[tuple[Card, Change | None]]) -> None:
    for card, change in pairs:
        # The hover has the note in full, whose line is cut where the strip is narrow.
        help = "\n\n".join(filter(None, [card.help or hover_help.help_of(f"{card.label}. {card.note}"), sentences.as_text(card.note)]))
        # One element per card: each adds some milliseconds to every slider move.
        st.metric(card.label, card.shown, help=help or None, **_under(sentences.as_text(card.note), change))


def _under(note: str, change: Change | None) -> _Under:
    """What stands beside a figure: its change from the baseline, else its note."""
    if change is None:
        return {"delta": note or None, "delta_color": "off", "delta_arrow": "off"}
    # Streamlit derives the arrow from a hyphen.
    text = change.text.replace("−", "-")
    if change.better is None:
        arrow: Literal["off", "auto"] = "off" if change.text == "no change" else "auto"
        return {"delta": text, "delta_color": "off", "delta_arrow": arrow}
    color: Literal["normal", "inverse"] = "normal" if change.better == (not text.startswith("-")) else "inverse"
    # In words too: neither the color nor the arrow, which shows the sign, says it to everyone.
    return {"delta": f"{text} {'better' if change.better else 'worse'}", "delta_color": color}
