"""Tables of scientific programs as text: Tecplot's ASCII data and CDL, the text of netCDF, as the text of a CSV.

Sources: Tecplot 360, Data Format Guide, "ASCII Data"; Unidata, NetCDF Utilities, "CDL Syntax".
"""

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from hemcore.datasets.importing.other_forms.written_csv import csv_of_rows

_MOST = 1 << 26  # characters, since the cells are held one by one
_VARIABLES = re.compile(
    r"^\s*VARIABLES\s*=[ \t]*(.*(?:\n(?![ \t]*(?:ZONE|TEXT|GEOMETRY)\b|[^\n]*=)[ \t]*[A-Za-z\"][^\n]*)*)",
    re.IGNORECASE | re.MULTILINE,
)
_NAME = re.compile(r"\"([^\"]*)\"|([^\s,\"]+)")
_ZONE = re.compile(r"^\s*ZONE\b(.*(?:\n\s*[A-Za-z]+\s*=.*)*)", re.IGNORECASE | re.MULTILINE)
_KEY = re.compile(r"(\w+)\s*=\s*(\"[^\"]*\"|\([^)]*\)|[^\s,]+)")
_OTHER = re.compile(
    r"^\s*(?:(?!nan\b|inf\b)[A-Za-z#].*|\"[^\"\n]*\"\s*)$", re.MULTILINE | re.IGNORECASE
)  # TEXT, GEOMETRY, AUXDATA, remarks
_CELL = re.compile(r"(?:(\d{1,7})\*)?([-+]?(?:\d[\d.]*|\.\d+|nan|inf)(?:[eEdD][-+]?\d+)?)", re.IGNORECASE)
_TIMES = 16  # so many numbers as its characters a text may have by repetitions such as 5*1.0

_CDL = re.compile(r"\s*netcdf\s+\S+\s*\{")
_SECTIONS = re.compile(r"\bdimensions:(?P<dimensions>.*?)\bvariables:(?P<variables>.*?)^\s*data:(?P<data>.*)\}", re.DOTALL | re.MULTILINE)
_DIMENSION = re.compile(r"(\w+)\s*=\s*(?:(\d{1,9})\s*;|UNLIMITED\s*;\s*//\s*\((\d{1,9}) currently\))")
_SUFFIX = re.compile(r"(?<=[\d.])[fFsSbBuUlL]+$")  # of the kind of number: 5ULL, 1.5f
_KINDS = "u?(?:byte|short|int|long|int64)|float|real|double"
_VARIABLE = re.compile(rf"^\s*(?:{_KINDS})\s+(\w+)\s*\(([\w\s,]+)\)\s*;", re.MULTILINE)
_UNIT = re.compile(r"^\s*(\w+):units\s*=\s*\"([^\"]*)\"\s*;", re.MULTILINE)
_SINCE = re.compile(r"(\w+) since .*")
_DATA = re.compile(r"^\s*(\w+)\s*=([^;]*);", re.MULTILINE)


def as_table(text: str) -> str | None:
    """CSV with commas and a row per point of a zone, or per value of the dimensions; None where `text` is neither, or its numbers do not
    fit its names.

    Of Tecplot several zones are runs by their numbers ("run 1"), or programs by their titles. Of CDL the variables of the first dimension
    of the first of them, or of this and one other: what has other dimensions is left out.
    """
    if len(text) > _MOST:
        return None
    if _CDL.match(text) is not None:
        return _of_cdl(text)
    named = _VARIABLES.search(text[:10_000])
    return _of_tecplot(text[named.end() :], [each[0] or each[1] for each in _NAME.findall(named[1])]) if named is not None else None


def _of_tecplot(text: str, names: Sequence[str]) -> str | None:
    zones = list(_ZONE.finditer(text))
    if not zones or len(names) < 2:
        return None
    ends = [*(zone.start() for zone in zones[1:]), len(text)]
    left = _TIMES * len(text)
    titles, tables = list[str](), list[list[tuple[str, ...]]]()
    for number, (zone, end) in enumerate(zip(zones, ends, strict=True), start=1):
        keys = {key.upper(): value.strip('"') for key, value in _KEY.findall(zone[1])}
        numbers: list[str] = []
        for word in re.split(r"[\s,]+", _OTHER.sub("", text[zone.end() : end]).strip()):
            cell = _CELL.fullmatch(word)
            left -= int(cell[1] or 1) if cell is not None else left
            if cell is None or left < 0:
                return None
            numbers += [cell[2].replace("D", "e").replace("d", "e")] * int(cell[1] or 1)
        rows = len(numbers) // len(names)
        if not rows or len(numbers) % len(names):
            return None
        packed = "BLOCK" in (keys.get("DATAPACKING", "") or keys.get("F", "")).upper()
        columns = [numbers[at * rows : (at + 1) * rows] if packed else numbers[at :: len(names)] for at in range(len(names))]
        titles.append(keys.get("T", f"zone {number}").strip() or f"zone {number}")
        tables.append(list(zip(*columns, strict=True)))
    if len(zones) == 1:
        return csv_of_rows(names, tables[0])
    numbered = [re.fullmatch(r"(.*?)(\d+)", title) for title in titles]
    runs = len({each[1] if each is not None else "" for each in numbered}) == 1 and all(numbered) and len(set(titles)) == len(titles)
    labels = [each[2] for each in numbered if each is not None] if runs else titles
    rows_of_all = ((label, *row) for label, rows in zip(labels, tables, strict=True) for row in rows)
    return csv_of_rows(["run" if runs else "program", *names], rows_of_all)


class _Variable(NamedTuple):
    dimensions: tuple[str, ...]
    values: list[str]


def _of_cdl(text: str) -> str | None:
    parts = _SECTIONS.search(re.sub(r"//(?! \(\d+ currently\)).*", "", text))
    if parts is None:
        return None
    sizes = {name: int(size or current) for name, size, current in _DIMENSION.findall(parts["dimensions"])}
    units = dict(_UNIT.findall(parts["variables"]))
    written = {name: [cell.strip() for cell in values.split(",")] for name, values in _DATA.findall(parts["data"])}
    found = {
        name: _Variable(tuple(each.strip() for each in dimensions.split(",")), written[name])
        for name, dimensions in _VARIABLE.findall(parts["variables"])
        if name in written
    }
    size_of = {name: _size(variable, sizes) for name, variable in found.items()}
    if any(size_of[name] != len(variable.values) for name, variable in found.items()):
        return None
    widest = max(found.values(), key=lambda variable: (len(variable.dimensions) == 2, len(variable.values)), default=None)
    if widest is None or len(widest.dimensions) > 2:
        return None
    axes = widest.dimensions
    kept = {name: each for name, each in found.items() if each.dimensions in (axes, axes[:1]) or each.dimensions == axes[1:]}
    names = [_named(name, units.get(name, "")) for name in kept]
    unnamed = [axis for axis in axes[1:] if axis not in kept]
    return csv_of_rows([*unnamed, *names], _rows(kept, axes, sizes, unnamed))


def _size(variable: _Variable, sizes: dict[str, int]) -> int:
    size = 1
    for name in variable.dimensions:
        size *= sizes.get(name, 0)
    return size


def _named(name: str, unit: str) -> str:
    """A variable with its unit; of a time "seconds since ...", its seconds."""
    since = _SINCE.fullmatch(unit)
    return f"{name} [{since[1] if since is not None else unit}]" if unit not in ("", "1") else name


def _rows(kept: dict[str, _Variable], axes: tuple[str, ...], sizes: dict[str, int], unnamed: Sequence[str]) -> Iterator[list[str]]:
    second = sizes[axes[1]] if len(axes) > 1 else 1
    for first, other in product(range(sizes[axes[0]]), range(second)):
        places = {axes: first * second + other, axes[:1]: first, axes[1:]: other}
        cells = [each.values[places[each.dimensions]] for each in kept.values()]
        yield [*([str(other)] if unnamed else []), *("" if cell in ("_", "NaN", "NaNf") else _SUFFIX.sub("", cell) for cell in cells)]
