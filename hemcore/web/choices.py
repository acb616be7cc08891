"""What a visitor has chosen on a page, as a whole: undone, put back to the defaults, or taken from a question (a baseline, a report)."""

from collections.abc import Iterable

import streamlit as st

from hemcore.analysis import Question
from hemcore.datasets.shelf import library
from hemcore.web import shelf
from hemcore.web.form import put
from hemcore.web.page import Page
from hemcore.web.visits import just_opened

_STEPS = 100
_Choices = dict[str, object]


def linked(page: Page) -> bool:
    """Whether a link to the page, with choices in it, has just been followed."""
    return just_opened(page) and any(key.startswith(page.key("")) for key in st.query_params)


def follow_link(page: Page) -> None:
    """A link wins over what was chosen on the page before: what it does not say stands as at first. Before anything is drawn."""
    if linked(page):
        for key in st.session_state.get(f"{page.name}:defaults", {}):
            st.session_state.pop(key, None)
        st.session_state.pop(page.key("view"), None)


def follow_address(page: Page, names: Iterable[str]) -> None:
    """Bring the address and what it says of `names` together: the address says it, but a page switch has emptied the address."""
    state, query = st.session_state, st.query_params
    back = just_opened(page) and not linked(page)
    for name in names:
        key, kept = page.key(name), f"{page.name}:{name}"
        if back and state.get(kept) is not None:
            query[key] = state[kept]
        else:
            state[kept] = query.get(key)


def remember(page: Page) -> None:
    """Take note of the page's choices as they stand now; once a run, after the form is drawn."""
    state = st.session_state
    keys = state.get(f"{page.name}:defaults", {})
    now: _Choices = {key: state[key] for key in keys if key in state}
    before: _Choices = state.get(f"{page.name}:now", {})
    changed = any(key in now and now[key] != value for key, value in before.items())
    undoing = state.pop(f"{page.name}:undoing", False)
    if changed and not undoing:
        state[f"{page.name}:steps"] = [*state.get(f"{page.name}:steps", []), before][-_STEPS:]
    state[f"{page.name}:now"] = before | now


def by_itself(page: Page) -> None:
    """What is put next in this run is the page's own doing and no step of the visitor's: `remember` takes note of it alone."""
    st.session_state[f"{page.name}:undoing"] = True


def settle(page: Page) -> None:
    """Take note of what changed by itself while the page was drawn (a HEM that another merge does not have): it is no step of its own."""
    state = st.session_state
    keys = state.get(f"{page.name}:defaults", {})
    state[f"{page.name}:now"] = state.get(f"{page.name}:now", {}) | {key: state[key] for key in keys if key in state}


def buttons(page: Page, *, defaults: bool = True) -> None:
    """Undo and Defaults, side by side."""
    steps = st.session_state.get(f"{page.name}:steps", [])
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Undo",
            key=page.key("undo"),
            icon=":material/undo:",
            type="tertiary",
            disabled=not steps,
            on_click=_undo,
            args=(page,),
            help="Take the last choice back.",
        )
        if defaults:
            st.button(
                "Defaults",
                key=page.key("to-defaults"),
                icon=":material/restart_alt:",
                type="tertiary",
                on_click=_to_defaults,
                args=(page,),
                help="Every parameter back to where it stood at first; the dataset stays.",
            )


def apply(page: Page, question: Question) -> bool:
    """Put the page's widgets where `question` has them; from a callback. False, and a word of it, where its dataset is not here."""
    label = next((entry.label for entry in library.entries(shelf.store(), page.kind) if entry.id == question.dataset), None)
    if label is None:
        st.toast("The dataset of the baseline is not here any more, so nothing was changed.", icon=":material/error:")
        return False
    values: _Choices = {page.key("dataset"): label}
    method = next((each for each, analysis in page.methods.items() if analysis is question.analysis), None)
    if method is not None and len(page.methods) > 1:
        values[page.key("family")] = method
    # What is automatic stands where it stood at first.
    defaults: _Choices = st.session_state.get(f"{page.name}:defaults", {})
    asked = {page.key(name): getattr(question.params, name) for name in question.analysis.reads}
    values |= {key: defaults.get(key, "") if value == "" else value for key, value in asked.items()}
    _put(page, {key: value for key, value in values.items() if value != "" or key in defaults})
    return True


def _undo(page: Page) -> None:
    steps: list[_Choices] = st.session_state.get(f"{page.name}:steps", [])
    if steps:
        st.session_state[f"{page.name}:steps"] = steps[:-1]
        st.session_state[f"{page.name}:undoing"] = True
        _put(page, steps[-1])


def _to_defaults(page: Page) -> None:
    defaults: _Choices = st.session_state.get(f"{page.name}:defaults", {})
    kept = {page.key("dataset"), page.key("family"), page.key("application"), page.key("event"), page.key("run")}
    _put(page, {key: value for key, value in defaults.items() if key not in kept})
    # What follows other choices by itself does so again.
    st.session_state[f"{page.name}:context"] = ""


def _put(page: Page, values: _Choices) -> None:
    defaults = st.session_state.get(f"{page.name}:defaults", {})
    for key, value in values.items():
        # None can be chosen only where it stands at first: a box that is left empty.
        if value is not None or (key in defaults and defaults[key] is None):
            put(key, value)
    # What follows other choices by itself (a threshold its event, a method its dataset) stays where it was put.
    for name in ("context", "family_of"):
        st.session_state.pop(f"{page.name}:{name}", None)
