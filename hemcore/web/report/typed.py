"""A field for words of a report: saved as they are typed; words saved elsewhere meanwhile are neither lost nor overwritten."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from hemcore.errors import HemError, StoreError
from hemcore.report import Report
from hemcore.web import sentences
from hemcore.web.actions.report_box import reports

# The words of the field in a report, and a copy of the report with other words.
Read = Callable[[Report], str]
Write = Callable[[Report, str], Report]


def field(label: str, report: Report, read: Read, write: Write, *, key: str, most: int, lines: bool = False) -> None:
    """The field, of at most `most` characters; lines: with room for several lines.

    What is typed is stored at once (a line while it is typed, lines when the field is left), as it is typed. Where other words were
    stored from another tab since this one showed them, both stay, and a button replaces those with these.
    """
    state, followed, saved = st.session_state, _followed(key), read(report)
    if key not in state or (state[key] == state.get(followed) != saved):
        # Only where it has to change: what is set here takes the place of what is being typed at this moment.
        state[key] = saved
    if state[key] == saved:
        state[followed] = saved
    more: dict[str, Any] = {
        "max_chars": most,
        "key": key,
        "persist_state": "session",
        "on_change": _save,
        "args": (report.id, read, write, key),
    }
    if lines:
        st.text_area(label, **more)
    else:
        st.text_input(label, live=True, **more)
    if state.get(followed, saved) != saved:
        sentences.warn(f"{label}: it was changed elsewhere, to {saved[:200]!r}.")
        st.button("Replace that with mine", key=f"{key}:replace", on_click=_save, args=(report.id, read, write, key, saved))


def _followed(key: str) -> str:
    return f"{key}:saved"


def _save(id: str, read: Read, write: Write, key: str, over: str | None = None) -> None:
    """Store what stands in the field, unless the report has other words there than `over` (default: than this tab last showed)."""
    words, expected = str(st.session_state[key]), st.session_state.get(_followed(key)) if over is None else over

    def change(report: Report) -> Report:
        if read(report) not in (expected, words):
            raise StoreError("Not saved: the words were changed elsewhere. See the note under the field.")
        return write(report, words)

    try:
        reports().update(id, change)
    except HemError as error:
        st.toast(sentences.as_text(str(error)), icon=":material/error:")
    else:
        st.session_state[_followed(key)] = words
