"""Errors, warnings and texts on a page: a HemError is shown as its sentence, with buttons for its remedies."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from typing import Literal, NoReturn
from urllib.parse import parse_qsl, urlencode

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from hemcore.errors import HemError, Remedy
from hemcore.web.visits import end_page

Action = tuple[str, Callable[[], None] | str]  # the label of a button, and its callback or the page that it opens ("data?data.opened=...")
Actions = Callable[[HemError], Sequence[Action]]
# In the session: what was said of the link in the last run, and whether the visitor did not ask for this one.
_LINK, _ANEW = "sentences:link", "sentences:anew"
_warnings: ContextVar[DeltaGenerator | None] = ContextVar("warnings", default=None)


def warn_in(place: DeltaGenerator | None) -> None:
    """Where warnings go in this run from here on: what causes them may be in a closed box or sidebar. None: where they are raised."""
    _warnings.set(place)


@contextmanager
def show_errors(
    *,
    stop: bool = True,
    place: DeltaGenerator | None = None,
    last: Callable[[], None] | None = None,
    actions: Actions | None = None,
) -> Iterator[None]:
    """Show a HemError raised inside as text (never as markup), here or in `place`; with `stop`, then end the run of the page.

    last: draws something before the run ends, such as a way back. actions: buttons for the error, such as Frame.remedies.
    """
    try:
        yield
    except HemError as error:
        with place if place is not None else nullcontext():
            show(str(error), actions(error) if actions is not None else ())
        if last is not None:
            last()
        if stop:
            end_page()


def show(sentence: str, actions: Sequence[Action] = ()) -> None:
    """An error box with a button per action under it. Messages quote user input, so markdown in them is escaped."""
    st.error(as_text(sentence), icon=":material/error:")
    buttons(actions)


def buttons(actions: Sequence[Action], key: str = "action") -> None:
    """A button per action, side by side. key: the prefix of their keys."""
    if actions:
        with st.container(horizontal=True, gap="small"):
            for action in actions:
                button(action, key)


def button(action: Action, key: str, type: Literal["secondary", "tertiary"] = "secondary") -> None:
    """One action as a button, or as a link if it opens a page."""
    label, act = action
    if isinstance(act, str):
        page, _, query = act.partition("?")
        st.page_link(f"pages/{page}.py", label=as_text(label), icon=":material/arrow_forward:", query_params=parse_qsl(query))
    else:
        st.button(as_text(label), key=f"{key}-{label}", on_click=act, type=type)


def link_of(remedy: Remedy, dataset: str) -> str:
    """The page of a remedy as an Action opens it, with what it names there; the page's `dataset` where it names none.

    Data opens that dataset and says what the step needs.
    """
    from hemcore.datasets.shelf.library import base_id  # pandas: not before the first paint

    choices = {"opened": "", "step": remedy.label} if remedy.page == "data" else {}
    named = {f"{remedy.page}.{name}": id or base_id(dataset) for name, id in {**choices, **remedy.choose}.items()}
    return f"{remedy.page}?{urlencode(named)}"


def warn(sentence: str) -> None:
    """A warning box: what the page shows instead of what was requested."""
    place = _warnings.get()
    with place if place is not None else nullcontext():
        st.warning(as_text(sentence), icon=":material/info:")


def warn_of_link(sentence: str) -> None:
    """`warn`, of a choice in the link that is replaced from then on; shown again by `repeat_link_warnings`."""
    st.session_state.setdefault(_LINK, []).append(sentence)
    warn(sentence)


def rerun() -> NoReturn:
    """Run the page again without the visitor having done anything: what was said of the link is said again."""
    st.session_state[_ANEW] = True
    st.rerun()


def repeat_link_warnings() -> None:
    """Warn again of the link in a run that the visitor did not ask for; in another one, forget it. Before anything else warns."""
    said: list[str] = st.session_state.pop(_LINK, [])
    if st.session_state.pop(_ANEW, False):
        for sentence in said:
            warn_of_link(sentence)


def as_text(text: str) -> str:
    """`text` with all markdown escaped."""
    return "".join(f"\\{letter}" if letter in r"\`*_{}[]()<>#+-.!|~$:&=^" else letter for letter in text)
