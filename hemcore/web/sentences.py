"""The error box: a HemError is shown as its sentence, and the page stops there with everything above it intact."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from hemcore.errors import HemError

Action = tuple[str, Callable[[], None]]  # the words of a button, and what it does
Actions = Callable[[HemError], Sequence[Action]]


@contextmanager
def show_errors(
    *,
    stop: bool = True,
    place: DeltaGenerator | None = None,
    last: Callable[[], None] | None = None,
    actions: Actions | None = None,
) -> Iterator[None]:
    """Show a HemError raised inside as text (never as markup), here or in `place`, and, with `stop`, end the page's run.

    last: what is drawn here before the run ends, such as the way back from the choice that led to the error.
    actions: what can be done about the error with one click, such as Frame.remedies.
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
    """The box itself, a button for each of the actions under it.

    Messages quote what users typed and uploaded, so markdown in them is escaped.
    """
    st.error(as_text(sentence), icon=":material/error:")
    buttons(actions)


def buttons(actions: Sequence[Action], key: str = "action") -> None:
    """A button for each of the actions, side by side. key: what their keys begin with."""
    if actions:
        with st.container(horizontal=True, gap="small"):
            for label, act in actions:
                st.button(as_text(label), key=f"{key}-{label}", on_click=act)


def warn(sentence: str) -> None:
    """What the page shows although something else was asked for, and why."""
    st.warning(as_text(sentence), icon=":material/info:")


def as_text(words: str) -> str:
    """`words` with everything escaped that markdown would act on."""
    return "".join(f"\\{letter}" if letter in r"\`*_{}[]()<>#+-.!|~$:&=^" else letter for letter in words)
