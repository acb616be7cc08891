"""What a name means, on hover: help texts for widgets, figures and the heads of tables, as Streamlit draws them."""

from hemcore import glossary
from hemcore.web.sentences import as_text


def help_of(text: str, first: str = "") -> str | None:
    """`first`, then a line for each name in `text` that the glossary has, as markdown; None where there is nothing to tell.

    A text that is itself a name, such as the head of a column, is looked up whole: "run", but also "cycles".
    """
    definition = glossary.define(text)
    told = [(text, definition)] if definition is not None else glossary.explain(text)
    return "\n\n".join([*([first] if first else []), *(_line(name, definition) for name, definition in told)]) or None


def help_of_event(name: str, first: str = "") -> str | None:
    """`first`, then what the event `name` counts where it is known; None where there is nothing to tell."""
    definition = glossary.define_event(name)
    return "\n\n".join([*([first] if first else []), *([] if definition is None else [_line(name, definition)])]) or None


def _line(name: str, definition: str) -> str:
    return f"**{as_text(name)}**: {as_text(definition)}"
