"""The next steps after an error or a doubtful answer, as buttons of the page that shows it."""

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from hemcore.analysis import Question
from hemcore.errors import Remedy
from hemcore.web import sentences
from hemcore.web.form import put
from hemcore.web.page import Page

# In the session: what the last step on a page chose, and what stood there before it.
_LAST = "offers:last"
_Choices = dict[str, object]


def buttons_for(page: Page, dataset: str, remedies: Sequence[Remedy]) -> list[sentences.Action]:
    """A button for each of `remedies` that the page can apply. dataset: the one that its page of Data opens, if a remedy names none."""
    actions: list[sentences.Action] = []
    for remedy in remedies:
        if remedy.page:
            actions.append((remedy.label, sentences.link_of(remedy, dataset)))
        elif (chosen := _choices(page, remedy)) is not None:
            actions.append((remedy.label, partial(_choose, page, chosen)))
    return actions


def still_to_go(remedies: Sequence[Remedy], question: Question, tab: str) -> list[Remedy]:
    """`remedies` without those that lead to where the page is: its question and the open tab."""
    stands: _Choices = {**question.params.model_dump(), "view": tab}
    return [each for each in remedies if not _arrived(each, question.analysis.name, stands)]


def ahead(page: Page, remedies: Sequence[Remedy]) -> list[Remedy]:
    """`remedies` without those that only take back the last step: two buttons must not send a visitor to and fro."""
    before, after = st.session_state.get(f"{_LAST}:{page.name}", ({}, {}))
    if not before or any(st.session_state.get(page.key(name)) != value for name, value in after.items()):
        return list(remedies)
    return [each for each in remedies if each.page or not _undoes(_choices(page, each) or {}, before)]


def _undoes(chosen: Mapping[str, object], before: Mapping[str, object]) -> bool:
    return bool(chosen) and all(name in before and before[name] == value for name, value in chosen.items())


def _arrived(remedy: Remedy, analysis: str, stands: Mapping[str, object]) -> bool:
    here = not remedy.page and remedy.analysis in ("", analysis)
    return here and all(name in stands and stands[name] == value for name, value in remedy.choose.items())


def _choices(page: Page, remedy: Remedy) -> _Choices | None:
    """What the remedy chooses on the page, by field; None if it asks for an analysis that the page does not have."""
    families = {analysis.name: family for family, analysis in page.methods.items()}
    if remedy.analysis and remedy.analysis not in families:
        return None
    family: _Choices = {"family": families[remedy.analysis]} if remedy.analysis else {}
    return {**family, **remedy.choose}


def _choose(page: Page, choices: Mapping[str, object]) -> None:
    before = {name: st.session_state.get(page.key(name)) for name in choices}
    st.session_state[f"{_LAST}:{page.name}"] = before, dict(choices)
    for name, value in choices.items():
        put(page.key(name), value)
