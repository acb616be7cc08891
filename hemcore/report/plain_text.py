"""Anybody's words as text of a page or of markdown: nothing of them is read as markup."""

import html
import re

# Control characters but tab and line ends; they mean nothing in a page, and some end it.
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
# Overrides of the writing direction can make a name read as another.
_DIRECTIONS = re.compile("[\u202a-\u202e\u2066-\u2069]")
_MARKUP = re.compile(r"[^\w\s,;%?]|_")


def plain(text: str) -> str:
    """`text` with a visible mark in place of each control character, and no override of the writing direction."""
    return _DIRECTIONS.sub("", _CONTROLS.sub("\ufffd", text.replace("\u2028", "\n").replace("\u2029", "\n")))


def escaped(text: object) -> str:
    """`text` for the inside of an element or of a quoted attribute."""
    return html.escape(plain(str(text)), quote=True)


def markdown(text: object) -> str:
    """`text` for a markdown cell, its lines kept: each character that could be markup is an entity."""
    lines = plain(str(text)).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "  \n".join(_MARKUP.sub(lambda match: f"&#{ord(match[0])};", line.strip()) for line in lines)


def in_script(json_text: str) -> str:
    """JSON (ASCII) for the inside of a script element: nothing in it can end the element."""
    return json_text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
