"""Reading the text that names the wanted pairs of HEMs."""

import re
from collections.abc import Sequence

from hemcore.errors import ParameterError

EVERY = "*"
_BETWEEN_PAIRS = re.compile(r"[\r\n;]+")
# Separators between the two HEMs of a pair, most reliable first: a name may contain a comma (cpu/event=0x3c,umask=0x1/) or a blank.
_BETWEEN_HEMS = tuple(map(re.compile, (r"\t+", r"\s+with\s+", r"\s+[x×+&]\s+", r"\s*,\s*", r"\s+")))
_SHOWN = 60
_REMEDY = "Write one pair per line, such as 'cycles with instructions', or 'cycles with *' for all pairs of cycles."


def wanted_pairs(text: str, hems: Sequence[str]) -> list[tuple[str, str]] | None:
    """The pairs that a text names, without duplicates; None if it is blank, meaning all pairs.

    text: one pair per line (or separated by semicolons), its HEMs separated by "with", "x", a comma, a tab or a blank; * means every
    other HEM. Raises ParameterError, naming the line, for a HEM that is not among `hems`, a single HEM, and a HEM with itself.
    """
    if not text.strip():
        return None
    known = {*hems, EVERY}
    found: dict[frozenset[str], tuple[str, str]] = {}
    entries = [each.strip() for each in _BETWEEN_PAIRS.split(text)]
    for number, entry in enumerate(filter(None, entries), start=1):
        first, second = _split_pair(entry, known, number)
        for one in hems if first == EVERY else (first,):
            for other in hems if second == EVERY else (second,):
                if one != other:
                    found.setdefault(frozenset((one, other)), (one, other))
    if not found:
        raise ParameterError(f"wanted: {text[:_SHOWN]!r} names no pair. {_REMEDY}")
    return list(found.values())


def _split_pair(entry: str, known: set[str], number: int) -> tuple[str, str]:
    where = f"wanted: pair {number}, {entry[:_SHOWN]!r}"
    guess: tuple[str, str] | None = None
    for between in _BETWEEN_HEMS:
        for mark in between.finditer(entry):
            first, second = entry[: mark.start()].strip(), entry[mark.end() :].strip()
            if first in known and second in known:
                if first == second != EVERY:
                    raise ParameterError(f"{where}: a HEM cannot be paired with itself. Name another, or remove the line.")
                return first, second
            if first and second and (guess is None or (not known & {*guess} and known & {first, second})):
                guess = first, second
    if guess is None:
        raise ParameterError(f"{where}: only one name; a pair needs two. {_REMEDY}")
    unknown = next(name for name in guess if name not in known)
    raise ParameterError(f"{where}: {unknown[:_SHOWN]!r} is not among the HEMs. Correct it, remove the line, or add the HEM to the list.")
