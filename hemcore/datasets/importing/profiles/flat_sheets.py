"""The largest sheet of a spreadsheet in one file of XML, as LibreOffice saves it (.fods), as the text of a CSV.

Source: OpenDocument 1.3, part 3, 9.1 (tables).
"""

from xml.parsers import expat

from hemcore.datasets.importing.other_forms.written_csv import csv_of_rows
from hemcore.errors import ReadError

_HEAD, _MOST = 2_000, 1_000  # times that a cell or a row comes again
_CSV_TIMES, _CSV_MORE = 4, 16 << 20  # as of workbooks: so many times its characters, and so many more, are made of a text


def as_table(name: str, text: str) -> str | None:
    """CSV with commas, the first row that says something as its header; None where `text` is no such document, or is damaged.

    name: of the file, for messages. Raises ReadError where cells that come again make far more text than there is.
    """
    head = text[:_HEAD]
    if "<office:document" not in head or "opendocument.spreadsheet" not in head:
        return None
    sheets = _Sheets(name, _CSV_TIMES * len(text) + _CSV_MORE)
    parser = expat.ParserCreate("utf-8")
    parser.StartDoctypeDeclHandler = sheets.refuse
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = sheets.start, sheets.end, sheets.text
    try:
        parser.Parse(text[text.index("<") :].encode(), True)
    except (expat.ExpatError, _DoctypeError):
        return None
    rows = max(sheets.sheets, key=len, default=[])
    return csv_of_rows(rows[0], rows[1:]) if len(rows) > 1 else None


class _DoctypeError(Exception):
    """A document type, which may declare entities."""


class _Sheets:
    """sheets: of each, the rows that say something. most: characters of all of them."""

    def __init__(self, name: str, most: int) -> None:
        self.sheets: list[list[list[str]]] = []
        self._name, self._most, self._made = name, most, 0
        self._row: list[str] = []
        self._value, self._cell, self._times, self._blanks, self._rows = "", "", 0, 0, 1

    def refuse(self, *_: object) -> None:
        raise _DoctypeError

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "table:table":
            self.sheets.append([])
        elif tag == "table:table-row":
            self._row, self._blanks, self._rows = [], 0, _repeated(attributes, "table:number-rows-repeated")
        elif tag in ("table:table-cell", "table:covered-table-cell"):
            self._value = next((attributes[name] for name in _VALUES if name in attributes), "")
            self._cell, self._times = "", _repeated(attributes, "table:number-columns-repeated")

    def text(self, text: str) -> None:
        self._cell += text if self._times else ""

    def end(self, tag: str) -> None:
        if tag in ("table:table-cell", "table:covered-table-cell"):
            cell = self._value or self._cell.strip()
            if cell:  # blank ones stand in a row only before others
                self._count(self._blanks + self._times * (len(cell) + 1))
                self._row += [""] * self._blanks + [cell] * self._times
            self._blanks, self._times = 0 if cell else self._blanks + self._times, 0
        elif tag == "table:table-row" and self._row and self.sheets:
            self._count((self._rows - 1) * sum(len(cell) + 1 for cell in self._row))
            self.sheets[-1] += [self._row] * self._rows

    def _count(self, characters: int) -> None:
        self._made += characters
        if self._made > self._most:
            raise ReadError(f"{self._name}: its cells that come again are more than {self._most:,} characters. Send the sheet as CSV.")


def _repeated(attributes: dict[str, str], name: str) -> int:
    """How often a cell or a row comes; of blank ones to the end of the sheet, no more than 1,000 are made."""
    times = attributes.get(name, "1")
    return min(int(times[:9]), _MOST) if times.isdecimal() else 1


_VALUES = ("office:value", "office:date-value")
