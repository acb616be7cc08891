"""Untrusted text for HTML or markdown: none of it is interpreted as markup."""

import html
import re

# Control characters except tab and line ends; they have no meaning in HTML, and some are invalid.
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
# Overrides of the text direction can make a name look like another.
_DIRECTIONS = re.compile("[\u202a-\u202e\u2066-\u2069]")
_MARKUP = re.compile(r"[^\w\s,;%?]|_")


def plain(text: str) -> str:
    """`text` with a replacement character for each control character, without overrides of the text direction."""
    return _DIRECTIONS.sub("", _CONTROLS.sub("\ufffd", text.replace("\u2028", "\n").replace("\u2029", "\n")))


def escaped(text: object) -> str:
    """`text` escaped for an element or a quoted attribute."""
    return html.escape(plain(str(text)), quote=True)


def markdown(text: object) -> str:
    """`text` for a markdown cell, with its line breaks: each character that could be markup becomes an entity."""
    lines = plain(str(text)).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "  \n".join(_MARKUP.sub(lambda match: f"&#{ord(match[0])};", line.strip()) for line in lines)


def in_script(json_text: str) -> str:
    """JSON (ASCII) for a script element: nothing in it can end the element."""
    return json_text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
