"""Errors, warnings and texts on a page: a HemError is shown as its sentence, with buttons for its remedies."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from hemcore.errors import HemError

Action = tuple[str, Callable[[], None]]  # the label of a button, and its callback
Actions = Callable[[HemError], Sequence[Action]]
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
            st.stop()


def show(sentence: str, actions: Sequence[Action] = ()) -> None:
    """An error box with a button per action under it. Messages quote user input, so markdown in them is escaped."""
    st.error(as_text(sentence), icon=":material/error:")
    buttons(actions)


def buttons(actions: Sequence[Action], key: str = "action") -> None:
    """A button per action, side by side. key: the prefix of their keys."""
    if actions:
        with st.container(horizontal=True, gap="small"):
            for label, act in actions:
                st.button(as_text(label), key=f"{key}-{label}", on_click=act)


def warn(sentence: str) -> None:
    """A warning box: what the page shows instead of what was requested."""
    place = _warnings.get()
    with place if place is not None else nullcontext():
        st.warning(as_text(sentence), icon=":material/info:")


def as_text(text: str) -> str:
    """`text` with all markdown escaped."""
    return "".join(f"\\{letter}" if letter in r"\`*_{}[]()<>#+-.!|~$:&=^" else letter for letter in text)
