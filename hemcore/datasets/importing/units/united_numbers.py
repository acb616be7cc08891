"""Columns whose cells are numbers with units, as a dashboard shows them ("1.2 K", "3.4 ms", "1.5 MiB"): written as plain numbers.

A column is converted only where every cell parses, in units of one kind: "KB" (1000 or 1024 bytes) and "m" (milli or minutes) do not.
Sources: Grafana, packages/grafana-data/src/valueFormats; SI brochure, 9th edition (prefixes); IEC 80000-13 (binary prefixes).
"""

import re
from typing import NamedTuple

import pandas as pd

from hemcore.datasets.importing.date_times import PER_SECOND
from hemcore.datasets.importing.header_words import SHORT_SCALES, UNITS

_CELL = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*([^\d\s.,+-]\S*(?:\s+\S+)?)?")
# Grafana's short numbers, where one letter alone is a prefix without a unit, and those of people.
_SHORT = {"K": 1e3, "k": 1e3, "M": 1e6, "Mil": 1e6, "G": 1e9, "Bil": 1e9, "T": 1e12, "Tri": 1e12}
_SHORT |= {"mn": 1e6} | {
    written: _SHORT[letter]
    for word, letter in SHORT_SCALES.items()
    for written in (word, word.capitalize(), f"{word}.", f"{word.capitalize()}.")
}
# A decimal comma before a unit, and one that no comma between thousands can be.
_COMMA = re.compile(r"([-+]?\d*),(\d+(?:[eE][-+]?\d+)?\s*[^\d\s.,+-].*)")
_PROOF = re.compile(r"[-+]?(?:0*,\d+|\d*,(?:\d{1,2}|\d{4,}))(?!\d).*")
_PERCENT = re.compile(r"[-+]?\d*[.,]\d+\s*%")
_PLAIN = r"(?:\d[\d.]*|\.\d+)(?:[eE][-+]?\d+)?"
_SPREAD = re.compile(rf"([-+]?{_PLAIN})\s*(?:(?:±|\+/-|\+-)\s*{_PLAIN}\s*%?|\(±?\s*{_PLAIN}\s*%?\))")
_SHARED = re.compile(rf"([-+]?(?:\d{{1,3}}(?:,\d{{3}})+|{_PLAIN}))(?:\s+\d+(?:\.\d+)?\s?%|\s*\(\s*\d+(?:\.\d+)?\s?%\s*\))")
_HEX = re.compile(r"0[xX][0-9A-Fa-f]{1,16}")
_ECHO = re.compile(r"(\d{1,18})\s*[(\[]\s*(0[xX][0-9A-Fa-f]{1,16})\s*[)\]]")
_SMALL_M = {"millions": 1e6, "thousandths": 1e-3}
# A number with the same marks around it in each cell: "~5", "12 hits", "$1.20".
_MARKED = re.compile(rf"([^\d\s.,:/-]{{0,3}})\s*([-+]?{_PLAIN})\s*([^\d\s.,:/-].{{0,15}})?")
_PREFIXES = {"": 1.0, "n": 1e-9, "µ": 1e-6, "m": 1e-3, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}
_BINARY = {"Ki": 2.0**10, "Mi": 2.0**20, "Gi": 2.0**30, "Ti": 2.0**40, "Pi": 2.0**50}
_BYTES = {"B": "B", "b": "bit", "bit": "bit", "bits": "bit", "bytes": "B"}
# Without "bits" of less than one.
_WHOLE = ("", "k", "M", "G", "T", "P")
_COUNTED = ("ops", "op", "io", "iops", "req", "reqs", "rps", "cps", "pps", "p", "flops", "flop", "FLOPS", "FLOP", "IOPS")
_MEASURED = ("W", "J", "V", "A", "Hz", "Wh")


# Rows up to which Python is faster than pandas, which takes its time for each column.
FEW = 1_000


class Converted(NamedTuple):
    """texts: the cells, rewritten. what: in which unit, and a cell before and after, as text. cells: how many had a unit; unit: which."""

    texts: pd.Series
    what: str
    cells: int
    unit: str = ""


def has_unit(cell: str) -> bool:
    """Whether `cell` is a number with a known unit, such as "1.2 K", "1,2 Mio." or "3 MiB/s", or in base 16; durations aside, and
    percentages without a decimal mark, which name columns ("95%")."""
    if (
        (cell[-1:] in "%)" and _SHARED.fullmatch(cell))
        or _PERCENT.fullmatch(cell)
        or _HEX.fullmatch(cell)
        or _SPREAD.fullmatch(cell)
        or _ECHO.fullmatch(cell)
    ):
        return True
    found = _split(_COMMA.sub(r"\1.\2", cell)) if cell[-1:].isalpha() or cell[-1:] == "." else None
    return found is not None and found[1].replace("/sec", "/s") in _SCALES


def without_prefix(prefix: str) -> float:
    """What "Mi" or "k" multiplies a number by; NaN where it is no prefix."""
    return _BINARY.get(prefix, _PREFIXES.get(prefix, float("nan")))


def from_hex(texts: pd.Series, missing: pd.Series) -> Converted | None:
    """A column of whole numbers in base 16 ("0x1F") in base 10, or of such in base 10 that say them in base 16 as well ("31 (0x1F)"); None
    where a cell that holds a value is none."""
    there = texts[~missing]
    both = [_ECHO.fullmatch(cell) for cell in there.tolist()] if len(there) and "0" in there.iloc[0][1:] else []
    if both and all(each is not None and int(each[1]) == int(each[2], 16) for each in both):
        made = _made(texts, there, [each[1] for each in both if each is not None], "", len(there))
        return made._replace(what=f"numbers said in base 16 as well: {there.iloc[0]!r}")
    if there.empty or there.iloc[0][:2].lower() != "0x" or not all(map(_HEX.fullmatch, there.tolist())):
        return None
    made = _made(texts, there, [str(int(cell, 16)) for cell in there.tolist()], "", len(there))
    return made._replace(what=f"numbers in base 16 became decimal ones: {there.iloc[0]!r} is {int(there.iloc[0], 16)}")


def without_spreads(texts: pd.Series, missing: pd.Series) -> Converted | None:
    """A column of means with their spread, "5.0 ± 0.2" or "5.0 (0.2)", as the means, or of counts with their share, "9e+11 45.0%" or "1,200
    (45.0%)", as the counts; None where a cell is none."""
    there = texts[~missing]
    shared = [_SHARED.fullmatch(cell) for cell in there.tolist()] if len(there) and "%" in there.iloc[0] else []
    if shared and all(shared):
        made = _made(texts, there, [each[1].replace(",", "") for each in shared if each is not None], "", len(there))
        return made._replace(what=f"numbers without their share: {there.iloc[0]!r} is {made.texts[there.index[0]]}")
    found = [_SPREAD.fullmatch(cell) for cell in there.tolist()] if len(there) else []
    if not found or not all(found):
        return None
    made = _made(texts, there, [each[1] for each in found if each is not None], "", len(there))
    return made._replace(what=f"means without their spread: {there.iloc[0]!r} is {found[0][1] if found[0] else ''}")


def numbers_alone_of(texts: pd.Series, missing: pd.Series) -> Converted | None:
    """A column of numbers with the same marks before or behind each, "~5" or "12 hits", as the numbers; None for any other."""
    there = texts[~missing]
    found = [_MARKED.fullmatch(cell) for cell in there.tolist()] if len(there) else []
    if not found or not all(found) or len({(each[1], each[3]) for each in found if each is not None}) > 1:
        return None
    made = _made(texts, there, [each[2] for each in found if each is not None], "", len(there))
    return made._replace(what=f"marks left out: {there.iloc[0]!r} is {found[0][2] if found[0] else ''}")


def with_points(texts: pd.Series, missing: pd.Series, decimal: str = "") -> pd.Series:
    """A column of numbers with units or "%", with a point for each decimal comma; `texts` itself where a cell is none.

    A comma is a decimal mark where `decimal` is ",", or where it is "" and a cell proves it ("1,5 K"). missing: as in `without_units`.
    """
    if decimal == "." or (len(texts) > FEW and not bool(texts.str.contains(",", regex=False).any())):
        return texts
    cells = texts[~missing].tolist()
    if not any("," in cell for cell in cells):
        return texts
    plain = [_COMMA.sub(r"\1.\2", cell) for cell in cells]
    united = all(_split(cell) is not None for cell in plain)
    if not united or not (decimal or any(map(_PROOF.fullmatch, cells))):
        return texts
    found = texts.copy()
    found[~missing] = plain
    return found


def without_units(texts: pd.Series, missing: pd.Series, *, are_times: bool = False, small_m: str = "") -> Converted | None:
    """The cells of a column as plain numbers in the base unit (s, W, bytes); None if it has no units, or they do not say clearly what the
    numbers are.

    missing: which cells hold no value; they stay. small_m: what "7.42m" is: "millions", "thousandths", "minutes", "" = not known.
    are_times: durations keep their unit, that of the first; other units stay as they are.
    Percentages are left as they are.
    """
    there = texts[~missing]
    ends = pd.Series(there.str[-1:].unique() if len(there) > FEW else [text[-1:] for text in there.tolist()], dtype=object)
    if not any(end.isalpha() or end == "." for end in ends):
        return None
    cells = [each for text in there.tolist() if (each := _split(text)) is not None]
    if len(cells) < len(there):
        return None
    minutes = {"m": PER_SECOND["min"]} if small_m == "minutes" else {}
    scales = [(minutes | _DURATIONS).get(unit.lower()) for _, unit in cells]
    if None not in scales:
        return _durations(texts, there, cells, [each for each in scales if each is not None], are_times)
    known = _SCALES | ({"m": (_SMALL_M[small_m], "")} if small_m in _SMALL_M else {})
    found = [known.get(unit.replace("/sec", "/s")) for _, unit in cells]
    kinds = {each[1] for each in found if each is not None}
    unclear = any(unit == "B" and number % 1 for number, unit in cells)  # bytes come whole: these may be billions
    if are_times or None in found or len(kinds) != 1 or unclear:
        return None
    written = [_number(number * each[0]) for (number, _), each in zip(cells, found, strict=True) if each is not None]
    return _made(texts, there, written, kinds.pop(), sum(bool(unit) for _, unit in cells))


def _durations(
    texts: pd.Series, there: pd.Series, cells: list[tuple[float, str]], scales: list[float], are_times: bool
) -> Converted | None:
    seconds = [number / per_second for (number, _), per_second in zip(cells, scales, strict=True)]
    if not are_times:
        return _made(texts, there, [_number(each) for each in seconds], "s", len(cells))
    if len(set(scales)) == 1:
        return None
    unit = cells[0][1]
    return _made(texts, there, [f"{_number(each * scales[0])} {unit}" for each in seconds], unit, len(cells))


def _made(texts: pd.Series, there: pd.Series, written: list[str], unit: str, cells: int) -> Converted:
    changed = next((place for place, (old, new) in enumerate(zip(there.tolist(), written, strict=True)) if old != new), 0)
    new = texts.copy()
    new[there.index] = written
    in_unit = f", in {unit}" if unit else ""
    return Converted(new, f"numbers with units became plain ones{in_unit}: {there.iloc[changed]!r} is {written[changed]}", cells, unit)


def _number(value: float) -> str:
    return f"{value:.15g}"


def _split(text: str) -> tuple[float, str] | None:
    match = _CELL.fullmatch(text.strip())
    return None if match is None else (float(match[1]), " ".join((match[2] or "").replace("μ", "µ").split()))


def _scales() -> dict[str, tuple[float, str]]:
    """By unit as it is written: its size in the base unit, and the kind of unit."""
    known: dict[str, tuple[float, str]] = {"": (1.0, ""), **{unit: (size, "") for unit, size in _SHORT.items()}}
    for rate in ("", "/s", "ps"):
        for unit, kind in _BYTES.items():
            prefixes = {name: _PREFIXES[name] for name in _WHOLE} | _BINARY
            known |= {f"{prefix}{unit}{rate}": (size, f"{kind}{rate and '/s'}") for prefix, size in prefixes.items()}
    known |= {"°C": (1.0, "°C"), "rpm": (1.0, "rpm"), "x": (1.0, "x"), "×": (1.0, "x")}
    for unit in _MEASURED:
        known |= {f"{prefix}{unit}": (size, unit) for prefix, size in _PREFIXES.items()}
    for unit in _COUNTED:
        for rate in ("", "/s"):
            for blank in ("", " "):
                known |= {f"{prefix}{blank if prefix else ''}{unit}{rate}": (_PREFIXES[prefix], f"{unit}{rate}") for prefix in _WHOLE}
            known |= {f"{short} {unit}{rate}": (size, f"{unit}{rate}") for short, size in _SHORT.items()}
    known |= {
        f"{prefix}{hertz}": (size, "Hz") for prefix, size in (("k", 1e3), ("K", 1e3), ("M", 1e6), ("G", 1e9)) for hertz in ("Hz", "hz")
    }
    known |= {"C": (1.0, "°C"), "c": (1.0, "°C")}
    known["Mio"] = (1e6, "")  # no million of inputs and outputs ("io")
    return known


_SCALES = _scales()
# Per second, by unit in small letters.
_DURATIONS = {unit: PER_SECOND[name] for unit, name in UNITS.items()} | {"µs": PER_SECOND["us"]}
