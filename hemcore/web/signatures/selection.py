"""What was selected in a picture, kept in the address, so that a link reproduces the screen."""

import math
from collections.abc import Callable
from typing import Any

import streamlit as st

from hemcore.signatures import CLASSES
from hemcore.web import sentences
from hemcore.web.frame import Frame
from hemcore.web.navigation import just_opened
from hemcore.web.signatures import PAGE

# Points of the roofline, and a cell of the verdicts' table.
POINTS, CELL = "selected", "cell"
_MOST_ROWS = 2**53


def of_dataset(frame: Frame) -> None:
    """A selection goes with its dataset; after the data."""
    state, of = st.session_state, f"{PAGE.name}:selected-of"
    if state.get(of, frame.dataset.id) != frame.dataset.id and not just_opened(PAGE):
        for where in READ:
            _put(where, None)
    state[of] = frame.dataset.id


def chosen(where: str) -> dict[str, Any]:
    """The fields of the view that the selection sets, empty without one; and the button that forgets it."""
    text = st.session_state.get(_stored(where))
    if text is None:
        return {}
    found = READ[where](text)
    if found is None:
        sentences.warn(f"The link asks for a selection of {text[:60]!r}, which is none; nothing is selected.")
        return {}
    st.button(
        "Forget the selection", key=PAGE.key(f"forget-{where}"), icon=":material/close:", type="tertiary", on_click=_put, args=(where, None)
    )
    return found


def pick_points(picked: Any) -> None:
    """A point that was clicked, or a box that was drawn, on the roofline."""
    if isinstance(picked, dict):
        _put(POINTS, "box " + " ".join(f"{float(each):.8g}" for each in picked.get("box", ())))
    else:
        _put(POINTS, f"row {int(picked[0] if isinstance(picked, list) else picked)}")


def pick_cell(picked: list[str]) -> None:
    """A cell of the table of two strategies that was clicked: the classes down and across."""
    _put(CELL, " ".join(str(each) for each in picked))


def _points(text: str) -> dict[str, Any] | None:
    kind, _, values = text.partition(" ")
    if kind == "row" and values.isdecimal() and len(values) <= 16 and int(values) < _MOST_ROWS:
        return {"row": int(values)}
    try:
        box = tuple(float(each) for each in values.split(" "))
    except ValueError:
        return None
    return {"box": box} if kind == "box" and len(box) == 4 and all(math.isfinite(each) for each in box) else None


def _cell(text: str) -> dict[str, Any] | None:
    cell = tuple(text.split(" "))
    return {"cell": cell} if len(cell) == 2 and set(cell) <= set(CLASSES) else None


READ: dict[str, Callable[[str], dict[str, Any] | None]] = {POINTS: _points, CELL: _cell}


def _put(where: str, text: str | None) -> None:
    st.session_state[_stored(where)] = text
    if text is None:
        st.query_params.pop(PAGE.key(where), None)
    else:
        st.query_params[PAGE.key(where)] = text


def _stored(where: str) -> str:
    return f"{PAGE.name}:{where}"
