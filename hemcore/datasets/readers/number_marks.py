"""Decimal commas and thousands separators in tables: what each mark means is taken from the numbers that prove it, never guessed.

"1,5" proves a decimal comma and "1,234,567" a comma between thousands; "1,234" proves nothing and is read only where another number of the
file does. Spaces and apostrophes between groups of three ("1 234,5", "1'234.5") are thousands separators always.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

from hemcore.errors import ReadError, UnclearNumbersError

_SPACES = " \u00a0\u202f\u2009'’"
_PIECE = 1 << 20
_SHAPE = str.maketrans("23456789", "11111111")
_NEWLINE = re.compile(r"\r\n|\r|\n")
_DECIMAL, _THOUSANDS, _UNCLEAR = "a decimal mark", "a thousands separator", ""
# The forms of a number with marks, and what each proves its marks to be; "," and "." by name, " " for spaces and apostrophes.
_FORMS = {
    "pointed_comma": (r"\d{1,3}(?:\.\d{3})+,\d+", {",": _DECIMAL, ".": _THOUSANDS}),
    "commaed_point": (r"\d{1,3}(?:,\d{3})+\.\d+", {".": _DECIMAL, ",": _THOUSANDS}),
    "spaced_comma": (rf"\d{{1,3}}(?:[{_SPACES}]\d{{3}})+,\d+", {",": _DECIMAL, " ": _THOUSANDS}),
    "spaced_point": (rf"\d{{1,3}}(?:[{_SPACES}]\d{{3}})+\.\d+", {".": _DECIMAL, " ": _THOUSANDS}),
    "spaced": (rf"\d{{1,3}}(?:[{_SPACES}]\d{{3}})+", {" ": _THOUSANDS}),
    "commas": (r"\d{1,3}(?:,\d{3}){2,}", {",": _THOUSANDS}),
    "indian": (r"\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?", {",": _THOUSANDS}),
    "points": (r"\d{1,3}(?:\.\d{3}){2,}", {".": _THOUSANDS}),
    "unclear_comma": (r"[1-9]\d{0,2},\d{3}(?![eE])", {",": _UNCLEAR}),
    "unclear_point": (r"[1-9]\d{0,2}\.\d{3}(?![eE])", {".": _UNCLEAR}),
    "comma": (r"\d*,\d+", {",": _DECIMAL}),
    "point": (r"\d*\.\d+", {".": _DECIMAL}),
}
_NUMBER = "|".join(f"(?P<{name}>{form})" for name, (form, _) in _FORMS.items())
_BESIDE_UNIT = re.compile(rf"(?<![\w.])(?<!\d,)(?:{_NUMBER})(?= ?[A-Za-zµμ°%]{{1,5}}(?![\w.]))")
_ONLY_POINTS = ("spaced_point", "spaced", "points", "unclear_point", "point")
# What is worth a closer look; a file of plain numbers is passed over quickly.
_QUOTED_COMMA = re.compile(rf'"[ ]*+[+-]?[\d.{_SPACES}]*+,\d')
_POINTED = re.compile(r"\.\d{3}\.\d{3}")
_SPACED = re.compile(rf"(?<=\d)[{_SPACES}]\d{{3}}(?!\d)")


def plain_numbers(name: str, cells: Sequence[str], text: str, separator: str, decimal: str = "") -> tuple[str, list[str]]:
    """(`text` with each number that is a cell written with a decimal point and no thousands separator, notes on what was taken so).

    cells: the header. decimal: the decimal sign, where it is known: then "1,234" is clear. A file in which no cell has a comma or groups
    stays as it is. Raises ReadError, naming line, column and value, where two numbers prove opposite things of a mark, or one the opposite
    of `decimal`; UnclearNumbersError where nothing proves what a mark is that stands in a number such as "1,234".
    """
    header, body = _split(text)
    firsts = _firsts(body, separator) or (_all_firsts(body, separator) if decimal == "," else {})
    if not firsts:
        return text, []

    def at(token: str) -> str:
        return f"{_place(cells, header, body, separator, token)}: {token!r}"

    proofs = {mark: _proofs(firsts, mark) for mark in ",. "}
    comma, point = proofs[","], proofs["."]
    for mark in ",.":
        if _DECIMAL in proofs[mark] and _THOUSANDS in proofs[mark]:
            one, two = at(proofs[mark][_DECIMAL]), at(proofs[mark][_THOUSANDS])
            raise ReadError(
                f"{name}: {one} has {mark!r} as a decimal mark, but {two} has it between thousands."
                " Write all numbers in the file the same way."
            )
    for role in (_DECIMAL, _THOUSANDS):
        if role in comma and role in point:
            one, two = at(comma[role]), at(point[role])
            raise ReadError(f"{name}: {one} has ',' as {role}, but {two} has '.' as one. Write all numbers in the file the same way.")
    if decimal:
        opposite = proofs[decimal].get(_THOUSANDS) or (point if decimal == "," else comma).get(_DECIMAL)
        if opposite is not None:
            raise ReadError(f"{name}: {at(opposite)} does not fit {decimal!r} as the decimal sign. Choose the other one, or correct it.")
    decimal_commas, comma_groups, point_groups = _DECIMAL in comma, _THOUSANDS in comma, _THOUSANDS in point
    if decimal:
        decimal_commas, comma_groups, point_groups = decimal == ",", decimal == ".", decimal == ","
    # A point is a decimal mark unless the commas are.
    unclear = comma.get(_UNCLEAR) if not (decimal_commas or comma_groups) else None
    if unclear is None and decimal_commas and not point_groups:
        unclear = point.get(_UNCLEAR)
    if unclear is not None and (proved := _sign_beside_units(body, separator)):
        decimal_commas, comma_groups, point_groups = proved == ",", proved == ".", proved == ","
    elif unclear is not None:
        mark = "," if "," in unclear else "."
        fraction, whole = unclear.replace(mark, "."), unclear.replace(mark, "")
        comma_reads, point_reads = (fraction, whole) if mark == "," else (whole, fraction)
        raise UnclearNumbersError(
            f"{name}: {at(unclear)} may be {fraction} or {whole}, and no other number in the file settles which."
            f" Choose the decimal sign in the import step (',' reads {comma_reads}, '.' reads {point_reads}), or write decimals with a"
            " point and no thousands separators."
        )
    notes = []
    example = comma.get(_DECIMAL) or comma.get(_UNCLEAR)
    if decimal_commas and example is not None:
        notes.append(note_of_commas(name, example))
    grouped = next((each[_THOUSANDS] for each in proofs.values() if _THOUSANDS in each), None)
    if grouped is None and decimal:
        grouped = (point if decimal == "," else comma).get(_UNCLEAR)
    if grouped is not None:
        notes.append(f"{name}: thousands separators were removed, as in {grouped!r}.")
    table = dict.fromkeys(map(ord, _SPACES)) | {ord(","): None if comma_groups else "."} | ({ord("."): None} if point_groups else {})
    return header + _written(body, separator, lambda cell: cell[0].translate(table), "" if comma_groups else "."), notes


def note_of_commas(name: str, example: str) -> str:
    """The note on a file with decimal commas."""
    return f"{name}: commas were read as decimal marks, as in {example!r}."


def _written(body: str, separator: str, write: Callable[[re.Match[str]], str], comma: str) -> str:
    """`body` with each number that has marks as `write` has it. comma: what it makes of the one comma in a number without other marks: in
    lines of such numbers alone it is put in its place at once."""
    # All parts of a substitution are held until it ends.
    if separator == "," or '"' in body:
        return "".join(_cells(separator).sub(write, piece) for piece in _pieces(body))
    plain = _plain_line(separator).fullmatch
    pieces = (
        "\n".join(line.replace(",", comma) if plain(line) else _cells(separator).sub(write, f"\n{line}")[1:] for line in piece.split("\n"))
        for piece in _pieces(body)
    )
    return "".join(pieces)


@cache
def _plain_line(separator: str) -> re.Pattern[str]:
    """Cells of digits with one comma at most, and nothing else."""
    cell = r"\d*+(?:,\d++)?+"
    return re.compile(rf"{cell}(?:[{separator}]{cell})*+\r?")


def _pieces(body: str) -> Iterator[str]:
    """`body`, a megabyte at a time, each piece from one end of line to before another."""
    start = 0
    while start < len(body):
        end = body.find("\n", start + _PIECE)
        yield body[start : end if end > 0 else len(body)]
        start = end if end > 0 else len(body)


def decimal_sign(text: str, separator: str) -> str:
    """The decimal sign that the numbers of `text` (a header and rows) prove, "," or "."; "" where none does, or they contradict each other.

    A file has one decimal sign: where "0.5" proves a point, the comma in "1,234" is between thousands.
    """
    return _sign_of(_all_firsts(_split(text)[1], separator))


def _sign_of(firsts: Mapping[str, str]) -> str:
    comma, point = _proofs(firsts, ","), _proofs(firsts, ".")
    is_comma, is_point = _DECIMAL in comma or _THOUSANDS in point, _DECIMAL in point or _THOUSANDS in comma
    return "" if is_comma == is_point else "," if is_comma else "."


def _sign_beside_units(body: str, separator: str) -> str:
    """The decimal sign that numbers with a unit behind them prove, "12.30 ns" a point; "" where none does, or they disagree."""
    firsts: dict[str, str] = {}
    for cell in _BESIDE_UNIT.finditer(body[:_PIECE]):
        if separator != "," or "," not in cell[0] or body[cell.start() - 1 : cell.start()] == '"':  # else it parts two cells
            firsts.setdefault(str(cell.lastgroup), cell[0])
    return _sign_of(firsts)


def plain_head(text: str, separator: str) -> str:
    """`text` with its numbers written plainly, as far as each says by itself what its marks are; for telling numbers from words."""
    header, body = _split(text)

    def plain(cell: re.Match[str]) -> str:
        roles = _FORMS[_form(cell)][1]
        drop = _SPACES + "".join(mark for mark in ",." if roles.get(mark) == _THOUSANDS)
        return cell[0].translate(dict.fromkeys(map(ord, drop))).replace(",", ".")

    return header + _written(body, separator, plain, ".") if _firsts(body, separator) else text


def _split(text: str) -> tuple[str, str]:
    """(the header line and what stands before it, the rest from its end of line on)."""
    start = len(text) - len(text.lstrip())
    end = _NEWLINE.search(text, start)
    return (text, "") if end is None else (text[: end.start()], text[end.start() :])


@cache
def _cells(separator: str) -> re.Pattern[str]:
    """A cell that is a number with marks, by its form; between commas a number with a comma is one only in quotes."""
    forms = "|".join(f"(?P<{name}>{form})" for name, (form, _) in _FORMS.items())
    number = r"[ ]*[+-]?(?:{forms})(?:[eE][+-]?\d+)?"
    if separator != ",":
        return re.compile(rf'(?<=[{separator}\n\r"]){number.replace("{forms}", forms)}(?=[ ]*(?:[{separator}\r\n"]|\Z))')
    bare = "|".join(f"(?P<bare_{name}>{_FORMS[name][0]})" for name in _ONLY_POINTS)
    quoted = rf'(?<="){number.replace("{forms}", forms)}(?=[ ]*")'
    return re.compile(rf"{quoted}|(?<=[,\n\r]){number.replace('{forms}', bare)}(?=[ ]*(?:[,\r\n]|\Z))")


def _form(cell: re.Match[str]) -> str:
    return str(cell.lastgroup).removeprefix("bare_")


def _firsts(body: str, separator: str) -> dict[str, str]:
    """Form -> the first number of it; none where no cell has a comma or groups."""
    if not (_QUOTED_COMMA.search(body) or _is_grouped(body) if separator == "," else "," in body or _is_grouped(body)):
        return {}
    found = _all_firsts(body, separator)
    return found if set(found) - {"point", "unclear_point"} else {}


def _all_firsts(body: str, separator: str) -> dict[str, str]:
    found: dict[str, str] = {}
    if separator != " " and (separator != "," or '"' not in body):  # most cells are digits alone and prove nothing
        shapes: dict[str, str] = {}
        for part in body.replace("\r", "\n").replace(separator, "\n").split("\n"):
            if not part.isdecimal():
                shapes.setdefault(part.translate(_SHAPE), part)  # what it proves depends on where its digits are, and which are 0
        body = "\n".join(["", *shapes.values()])
    for cell in _cells(separator).finditer(body):
        form = _form(cell)
        if form not in found:
            found[form] = cell[0].strip()
    return found


def _is_grouped(body: str) -> bool:
    return _POINTED.search(body) is not None or (any(space in body for space in _SPACES) and _SPACED.search(body) is not None)


def _proofs(firsts: Mapping[str, str], mark: str) -> dict[str, str]:
    """Role of `mark` -> a number in which it has that role; under _UNCLEAR one that leaves it open."""
    return {_FORMS[form][1][mark]: token for form, token in reversed(list(firsts.items())) if mark in _FORMS[form][1]}


def _place(cells: Sequence[str], header: str, body: str, separator: str, token: str) -> str:
    """Where `token` first stands as a cell: "line 3, column 'a'"."""
    start = next((cell.start() for cell in _cells(separator).finditer(body) if cell[0].strip() == token), 0)
    before = header + body[:start]
    line = len(_NEWLINE.findall(before)) + 1
    row = re.split(r"[\r\n]", before)[-1]
    position = re.sub(r'"[^"]*"', "", row).count(separator)
    return f"line {line}, column {cells[position]!r}" if position < len(cells) else f"line {line}"
