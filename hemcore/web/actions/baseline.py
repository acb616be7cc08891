"""The baseline of a page: a pinned question, stored in the link, that every answer is compared with."""

import streamlit as st

from hemcore.analysis import Question, ResultT
from hemcore.errors import HemError
from hemcore.registry import question_from_link
from hemcore.web import ask, choices, sentences, shelf
from hemcore.web.page import Page


def pinned(page: Page) -> Question | None:
    """The pinned question; None without one, or, with a warning, if the one in the link cannot be used."""
    text = st.session_state.get(_stored(page))
    if text is None:
        return None
    try:
        question = question_from_link(text)
    except HemError as error:
        sentences.warn(f"The baseline in the link cannot be used. {error}")
        return None
    if question.analysis not in page.methods.values():
        sentences.warn(f"The baseline in the link belongs to another page ({question.analysis.title}), so nothing is compared.")
        return None
    return question


def value_pinned(page: Page, dataset: str, field: str) -> float | None:
    """The number that the pinned question has for `field`; None without one about `dataset` that has it. `pinned` warns of a bad link."""
    text = st.session_state.get(_stored(page))
    try:
        question = None if text is None else question_from_link(text)
    except HemError:
        return None
    if question is None or question.dataset != dataset or question.analysis not in page.methods.values():
        return None
    value = getattr(question.params, field, None)
    return float(value) if isinstance(value, int | float) else None


def answer_of(question: Question[ResultT], like: object) -> ResultT | None:
    """The pinned question's answer if available and of the same type as `like`; else None, with a sentence. Starts its job if needed."""
    try:
        result = ask.at_hand(question)
        why = ask.why_not(question) if result is None else ""
        if result is None and not why:
            ask.start(question)
    except HemError as error:
        sentences.warn(f"The baseline can no longer be computed. {error}")
        return None
    if why:
        sentences.warn(f"The baseline has no answer. {why}")
    elif result is None:
        st.caption("The baseline is being computed and will appear with the next change on this page.")
    return result if isinstance(result, type(like)) else None


def bar(page: Page, question: Question, pin: Question) -> None:
    """How the question differs from the baseline, with buttons to swap, restore or remove it."""
    differences = question.differences(pin, shelf.name_of)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="frame-baseline" if differences else "frame-same"):
        text = f"Compared with the baseline: **{sentences.as_text(', '.join(differences))}**" if differences else "This is the baseline."
        st.markdown(text, width="content")
        same = not differences
        for label, key, icon, act, pointless in (
            ("Swap", "swap-pin", "swap_horiz", _swap, same),
            ("Back to baseline", "to-pin", "undo", _back, same),
            ("Remove", "unpin", "close", _remove, False),
        ):
            st.button(
                label,
                key=page.key(key),
                icon=f":material/{icon}:",
                type="tertiary",
                on_click=act,
                args=(page, question, pin),
                disabled=pointless,
            )


def pin_button(page: Page, question: Question) -> None:
    """The button that pins what is on the screen."""
    st.button(
        "Pin as baseline",
        key=page.key("do-pin"),
        icon=":material/push_pin:",
        on_click=pin,
        args=(page, question),
        help="Every figure and the main picture then show changes from here. The link includes it.",
    )


def pin(page: Page, question: Question) -> None:
    """Make `question` the page's baseline; from a callback."""
    st.session_state[_stored(page)] = st.query_params[page.key("pin")] = question.link


def _swap(page: Page, question: Question, pinned_question: Question) -> None:
    if choices.apply(page, pinned_question):
        pin(page, question)


def _back(page: Page, question: Question, pinned_question: Question) -> None:
    choices.apply(page, pinned_question)


def _remove(page: Page, question: Question, pinned_question: Question) -> None:
    st.session_state[_stored(page)] = None
    st.query_params.pop(page.key("pin"), None)


def _stored(page: Page) -> str:
    return f"{page.name}:pin"
