"""The report's templates: jinja2 with autoescape, so user input is never interpreted as markup."""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from hemcore.report.plain_text import escaped, plain


def _plain(value: object) -> object:
    return plain(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _breakable(text: str) -> Markup:
    """`text` with a possible line break after each underscore."""
    return Markup(escaped(text).replace("_", "_<wbr>"))


TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    finalize=_plain,
    undefined=StrictUndefined,
    keep_trailing_newline=True,
)
TEMPLATES.filters["breakable"] = _breakable
