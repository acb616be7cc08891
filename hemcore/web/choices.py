"""All choices on a page together: undo, defaults, and restoring them from a question (a baseline, a report)."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import streamlit as st

from hemcore.analysis import Question
from hemcore.datasets.shelf import library
from hemcore.web import form, shelf
from hemcore.web.form import put
from hemcore.web.page import Page
from hemcore.web.visits import just_opened

_STEPS = 100
_Choices = dict[str, object]


def linked(page: Page) -> bool:
    """Whether the page was just opened by a link with choices."""
    return just_opened(page) and any(key.startswith(page.key("")) for key in st.query_params)


def follow_link(page: Page) -> None:
    """A link overrides earlier choices on the page: whatever it omits is at its default. Call before anything is drawn."""
    if linked(page):
        for key in st.session_state.get(f"{page.name}:defaults", {}):
            st.session_state.pop(key, None)
        st.session_state.pop(page.key("view"), None)


def follow_address(page: Page, names: Iterable[str]) -> None:
    """Restore `names` in the URL after a page switch, which clears the URL; otherwise read them from it."""
    state, query = st.session_state, st.query_params
    back = just_opened(page) and not linked(page)
    for name in names:
        key, stored = page.key(name), f"{page.name}:{name}"
        if back and state.get(stored) is not None:
            query[key] = state[stored]
        else:
            state[stored] = query.get(key)


def remember(page: Page) -> None:
    """Record the current choices for Undo; once per run, after the form is drawn."""
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
    """The next changes in this run are made by the page, not the visitor: `remember` records them without an Undo step."""
    st.session_state[f"{page.name}:undoing"] = True


def settle(page: Page) -> None:
    """Record what changed automatically while the page was drawn (a HEM that another merge lacks): not an Undo step."""
    state = st.session_state
    keys = state.get(f"{page.name}:defaults", {})
    state[f"{page.name}:now"] = state.get(f"{page.name}:now", {}) | {key: state[key] for key in keys if key in state}


@contextmanager
def box(page: Page, label: str, icon: str) -> Iterator[None]:
    """A popover of choices, under the button `label`."""
    key, state = page.key(f"{label.lower()}-box"), st.session_state
    others = state.get(f"{page.name}:defaults", {})
    with st.popover(label, icon=icon, type="tertiary", key=key, on_change="rerun") as popover:
        # The browser mounts the widgets of an open box only. While it is closed it goes on sending what it last showed in them, whatever
        # was set since (by a click on a cell, by Undo): what was current here counts. What it sends anew was chosen, though the run that
        # opened the box was cut short by that choice.
        before, given = state.get(f"{key}:values", {}), form.newly_put()
        values = {each: given.get(each, value) for each, value in before.items()}
        last = state.get(f"{key}:sent", {})
        sent = {each: state[each] for each in values if each in state and each not in given}
        if not state.get(f"{key}:open") and not just_opened(page):
            state.update({each: value for each, value in values.items() if each not in sent or sent[each] == last.get(each, sent[each])})
        state[f"{key}:sent"] = last | sent
        state[f"{page.name}:defaults"] = {}
        try:
            yield
        finally:
            inside = state[f"{page.name}:defaults"]
            state[f"{page.name}:defaults"] = others | inside
            state[f"{key}:values"] = {each: state[each] for each in inside if each in state}
            state[f"{key}:open"] = popover.open


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
            help="Undo the last change.",
        )
        if defaults:
            st.button(
                "Defaults",
                key=page.key("to-defaults"),
                icon=":material/restart_alt:",
                type="tertiary",
                on_click=_to_defaults,
                args=(page,),
                help="Reset every parameter to its default; the dataset stays.",
            )


def apply(page: Page, question: Question) -> bool:
    """Set the page's widgets to `question`; from a callback. False, with a message, if its dataset is not here."""
    label = next(
        (entry.label for entry in library.entries(shelf.store(), page.kinds) if entry.id == library.base_id(question.dataset)), None
    )
    if label is None:
        st.toast("The dataset of the baseline was removed, so nothing was changed.", icon=":material/error:")
        return False
    values: _Choices = {page.key("dataset"): label}
    method = next((each for each, analysis in page.methods.items() if analysis is question.analysis), None)
    if method is not None and page.has_families:
        values[page.key("family")] = method
    # Automatic values return to their defaults.
    defaults: _Choices = st.session_state.get(f"{page.name}:defaults", {})
    params = {page.key(name): getattr(question.params, name) for name in question.analysis.reads}
    params[page.key("machine_level")] = shelf.level_choice(question.dataset)
    values |= {key: defaults.get(key, "") if value == "" else value for key, value in params.items()}
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
    data = {page.key("dataset"), page.key("family"), page.key("application"), page.key("event"), page.key("run")}
    _put(page, {key: value for key, value in defaults.items() if key not in data})
    # Values that follow other choices do so again.
    st.session_state[f"{page.name}:context"] = ""


def _put(page: Page, values: _Choices) -> None:
    defaults = st.session_state.get(f"{page.name}:defaults", {})
    for key, value in values.items():
        # None is a choice only where it is the default: an empty box.
        if value is not None or (key in defaults and defaults[key] is None):
            put(key, value)
    # Values that follow other choices (the threshold its event, the method its dataset) stay as set here.
    for name in ("context", "family_of"):
        st.session_state.pop(f"{page.name}:{name}", None)
