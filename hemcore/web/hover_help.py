"""What names mean: help texts for widgets, figures and table headings, as Streamlit markdown, and for hovers in pictures."""

from collections.abc import Iterator, Mapping
from textwrap import shorten

import numpy as np
import plotly.graph_objects as go

from hemcore import glossary
from hemcore.web.everywhere.described_events import are_described, described_event, described_in
from hemcore.web.sentences import as_text

_LETTERS = 90  # of a meaning in a picture
_MOST_NAMES = 500  # of a picture
# Parts of a figure that may name events; the others hold numbers, colors and positions.
_NAMING = (
    "name",
    "text",
    "hovertext",
    "hovertemplate",
    "customdata",
    "x",
    "y",
    "ticktext",
    "names",
    "ticks",
    "meta",
    "xaxis",
    "yaxis",
    "title",
)


def help_of(text: str, first: str = "") -> str | None:
    """`first`, then a line for each name in `text` that the glossary or uploaded definitions define, as markdown; None if there is none.

    A text that is itself a name, such as a column heading, is looked up whole: "run", but also "cycles".
    """
    definition = glossary.define(text) or described_event(text)
    found = [(text, definition)] if definition is not None else [*glossary.explain(text), *described_in(text)]
    return "\n\n".join([*([first] if first else []), *(_line(name, definition) for name, definition in found)]) or None


def help_of_event(name: str, first: str = "") -> str | None:
    """`first`, then what the event `name` counts, if known; None if there is nothing to show."""
    definition = glossary.define_event(name) or described_event(name)
    return "\n\n".join([*([first] if first else []), *([] if definition is None else [_line(name, definition)])]) or None


def meanings_in(figure: go.Figure) -> dict[str, str]:
    """What uploaded definitions say of the events that `figure` names, in plain text of at most 90 letters; empty if they say nothing.

    Names are those of its first 500 events.
    """
    if not are_described():
        return {}
    parts = [trace.to_plotly_json() for trace in figure.data] + [figure.layout.to_plotly_json()]
    words = dict.fromkeys(word for part in parts for word in _words(part))
    found = described_in(" ".join(words))[:_MOST_NAMES]
    return {name: shorten(meaning, _LETTERS, placeholder=" …") for name, meaning in found}


def _words(part: object) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    elif isinstance(part, Mapping):
        for name in _NAMING:
            yield from _words(part.get(name))
    elif isinstance(part, np.ndarray):
        if part.dtype.kind in "OU":
            for each in part.ravel().tolist():
                yield from _words(each)
    elif isinstance(part, list | tuple) and not (part and isinstance(part[0], int | float)):
        for each in part:
            yield from _words(each)


def _line(name: str, definition: str) -> str:
    return f"**{as_text(name)}**: {as_text(definition)}"
