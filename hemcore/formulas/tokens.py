r"""The words of a formula.

Names are perf's, Intel's, Arm's and LIKWID's: letters, digits, `_`, `.`, `:`; `\-`, `\,` and `\=` within a name; `pmu@event@`; or any
text in double quotes. `#name` is a constant.
"""

import re
from typing import NamedTuple

from hemcore.errors import ParameterError

MOST_CHARACTERS = 100_000
_TOKENS = re.compile(
    r"""\s*(?:
      (?P<number>(?:0[xX][0-9a-fA-F]{1,16}|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?![\w.@\\]))
    | (?P<constant>\#(?:"[^"\n]{1,500}"|[A-Za-z_][\w.]*))
    | "(?P<quoted>[^"\n]{1,500})"
    | (?P<name>(?:[A-Za-z_]|\\.)(?:[\w.:]|\\[^\s])*(?:@(?:[^@\s]|\\@){0,500}@(?::?[A-Za-z]+)?)?)
    | (?P<operator>[<>=!]\s?=|&&|\|\||[-+*/%()<>&|,])
    )""",
    re.VERBOSE | re.ASCII,
)
_PLAIN_NAME = re.compile(r"[A-Za-z_](?:[\w.:])*", re.ASCII)
_SPELLED = {"&&": "&", "||": "|", "and": "&", "or": "|"}
WORDS = ("if", "else")
FUNCTIONS = {"min": 2, "max": 2, "d_ratio": 2, "has_event": 1, "source_count": 1, "strcmp_cpuid_str": 1}


class Token(NamedTuple):
    """kind: number, constant, name, word, operator or end. text: its spelling without escapes. at: its place, from 0."""

    kind: str
    text: str
    at: int


def tokens_of(text: str, what: str) -> list[Token]:
    """The tokens of the formula `text`, and an "end". what: whose formula, for messages.

    Raises ParameterError for more than 100,000 characters, and for a character that no formula has.
    """
    if len(text) > MOST_CHARACTERS:
        raise ParameterError(f"{what}: {len(text):,} characters; a formula has at most {MOST_CHARACTERS:,}. Name its parts as metrics.")
    found: list[Token] = []
    place, end = 0, len(text.rstrip())
    while place < end:
        match = _TOKENS.match(text, place)
        if match is None:
            place += len(text[place:]) - len(text[place:].lstrip())
            raise ParameterError(
                f"{what}: character {place + 1}, {text[place : place + 20]!r}, is no part of a formula. Use numbers, names, #constants,"
                " + - * / ( ), comparisons, & |, if else, min, max, d_ratio; put other names in double quotes."
            )
        kind = str(match.lastgroup)
        found.append(_token(kind, match[kind], match.start(kind)))
        place = match.end()
    return [*found, Token("end", "", end)]


def _token(kind: str, text: str, at: int) -> Token:
    if kind == "constant":
        return Token(kind, text[1:].strip('"'), at)
    if kind == "quoted":
        return Token("name", text, at)
    if kind == "name":
        plain = text.replace("\\", "")
        if plain.lower() in _SPELLED:
            return Token("operator", _SPELLED[plain.lower()], at)
        return Token("word", plain, at) if plain in WORDS else Token(kind, plain, at)
    if kind == "operator":
        joined = "".join(text.split())
        return Token(kind, _SPELLED.get(joined, joined), at)
    return Token(kind, text, at)


def written(name: str, *, constant: bool = False) -> str:
    """`name` as a formula has it: as it is, or in double quotes."""
    plain = _PLAIN_NAME.fullmatch(name) and name.lower() not in (*WORDS, *_SPELLED, *FUNCTIONS)
    return f"{'#' if constant else ''}{name if plain else chr(34) + name.replace(chr(34), '') + chr(34)}"
