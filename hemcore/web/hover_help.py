"""What names mean: help texts for widgets, figures and table headings, as Streamlit markdown."""

from hemcore import glossary
from hemcore.web.everywhere.described_events import described_event, described_in
from hemcore.web.sentences import as_text


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


def _line(name: str, definition: str) -> str:
    return f"**{as_text(name)}**: {as_text(definition)}"
