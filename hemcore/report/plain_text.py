"""Untrusted text for HTML or markdown: none of it is interpreted as markup."""

import html
import re

# Control characters except tab and line ends; they have no meaning in HTML, and some are invalid.
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
# Overrides of the text direction can make a name look like another.
_DIRECTIONS = re.compile("[\u202a-\u202e\u2066-\u2069]")
# What may be markup anywhere in a line; an underscore inside a word is none, nor is a # inside one.
_MARKUP = re.compile(r"[\\`*\[\]<$~|{}]|(?<![^\W_])_|_(?![^\W_])|(?<!\S)#|&(?=#?\w+;)|:(?=//)|(?<=www)\.|@(?=@)", re.IGNORECASE)
# At the start of a line: a list, a quotation, a line under a heading.
_LINE_START = re.compile(r"^([-+=>])|^(\d+)([.)])")
# Jupyter takes \\( and \\[ for the start of a formula, whatever precedes them: an invisible joiner keeps them apart.
_FORMULA = re.compile(r"\\\\(?=\\?[()\[\]])")


def plain(text: str) -> str:
    """`text` with a replacement character for each control character, without overrides of the text direction."""
    return _DIRECTIONS.sub("", _CONTROLS.sub("\ufffd", text.replace("\u2028", "\n").replace("\u2029", "\n")))


def escaped(text: object) -> str:
    """`text` escaped for an element or a quoted attribute."""
    return html.escape(plain(str(text)), quote=True)


def markdown(text: object) -> str:
    """`text` for a markdown cell, with its line breaks: a backslash precedes each character that could be markup."""
    lines = plain(str(text)).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "  \n".join(_markdown_line(line.strip()) for line in lines)


def _markdown_line(line: str) -> str:
    found = _FORMULA.sub("\\\\\\\\\u2060", _MARKUP.sub(r"\\\g<0>", line))
    return _LINE_START.sub(lambda start: f"{start[2] or ''}\\{start[1] or start[3]}", found)


def in_script(json_text: str) -> str:
    """JSON (ASCII) for a script element: nothing in it can end the element."""
    return json_text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
