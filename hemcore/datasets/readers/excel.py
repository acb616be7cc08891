"""Workbooks of Excel (.xlsx, .xlsm): each sheet that is not empty becomes a CSV, within limits; values of formulas as Excel kept them."""

import csv
import io
import re
import warnings
import xml.etree.ElementTree as ElementTree
import zipfile
from collections.abc import Callable, Sequence
from pathlib import PurePosixPath
from typing import Any

from hemcore.errors import ReadError

OLD_FORMAT = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_MOST_ROWS = 1_048_576
_FORMULA = re.compile(rb"<(?:\w+:)?f[ >/]")
_LOCKED = "EncryptedPackage".encode("utf-16-le")


def why_not(name: str, content: bytes) -> str | None:
    """Why a spreadsheet that is no .xlsx cannot be read; None where `content` is something else."""
    if content.startswith(OLD_FORMAT):
        if _LOCKED in content:
            return f"{name}: locked with a password. Take the password off in Excel, save the workbook and send it again."
        return f"{name}: a file of Excel before 2007 (.xls), or another old Office file. Save it as .xlsx or CSV and send that."
    if name.lower().endswith((".xlsx", ".xlsm")) and not content.startswith(b"PK"):
        return f"{name}: not a workbook of Excel, whatever its name says. Send the workbook as Excel saves it, or a CSV."
    return None


def is_workbook(entries: Sequence[str]) -> bool:
    """Whether an archive with these entries is a spreadsheet and no archive of files."""
    excel = "[Content_Types].xml" in entries and any(name.startswith("xl/") for name in entries)
    return excel or {"mimetype", "content.xml"} <= set(entries)


def sheets(name: str, content: bytes, *, max_bytes: int, max_cells: int, take: Callable[[str, int], None]) -> list[tuple[str, bytes]]:
    """(name, CSV) of each sheet that is not empty, in order; columns that are empty at both edges left out, rows kept in their lines.

    One sheet alone has the name of the workbook, several have that of the sheet in it: "book Run 1.xlsx". Dates are written as text.
    max_bytes: of the XML unpacked; max_cells: of all sheets together, up to the last that is filled in a row. take(name, bytes): is
    told of what is unpacked and made of it, and may raise.

    Raises ReadError for what is damaged, over a limit, another kind of spreadsheet, empty, or holds a formula without a value.
    """
    # A fifth of a second that only workbooks need.
    import openpyxl

    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = set(archive.namelist())
        # The standard library unpacks no more of an entry than its directory says.
        size = sum(entry.file_size for entry in archive.infolist() if entry.filename.endswith((".xml", ".rels")))
    if "xl/workbook.bin" in names or not any(each.startswith("xl/") for each in names):
        raise ReadError(f"{name}: a spreadsheet, but no .xlsx. Save it as .xlsx or CSV and send that.")
    take(name, size)
    if size > max_bytes:
        raise ReadError(f"{name}: {size / 2**20:,.0f} MiB unpacked; at most {max_bytes / 2**20:,.0f} MiB of a workbook are read. Send CSV.")
    found = []
    try:
        with warnings.catch_warnings():
            # It warns of styles and extensions that no count depends on.
            warnings.simplefilter("ignore")
            book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
            try:
                left = max_cells
                for sheet in book.worksheets:
                    rows, cells = _rows(name, sheet, left, max_cells)
                    left -= cells
                    if rows:
                        _check_formulas(name, sheet, book)
                        found.append((str(sheet.title), _csv(name, rows, take)))
            finally:
                book.close()
    except ReadError:
        raise
    except Exception as error:  # what is wrong in the XML makes openpyxl raise almost anything
        said = str(error).partition("\n")[0] or type(error).__name__
        raise ReadError(f"{name}: a damaged workbook of Excel ({said[:200]}). Open it in Excel, save it and send it again.") from None
    if not found:
        raise ReadError(f"{name}: every sheet of the workbook is empty. Send the one with the readings.")
    if len(found) == 1:
        return [(name, found[0][1])]
    path = PurePosixPath(name)
    return [(str(path.with_name(f"{path.stem} {title.replace('/', ' ')}{path.suffix}")), table) for title, table in found]


def _rows(name: str, sheet: Any, left: int, max_cells: int) -> tuple[list[tuple[Any, ...]], int]:
    """(rows down to the last that is filled, how many cells they hold); blank texts count as empty."""
    # What a sheet says of its size may be anything.
    sheet.reset_dimensions()
    rows: list[tuple[Any, ...]] = []
    filled = cells = 0
    for row in sheet.iter_rows(values_only=True):
        kept = tuple(row)
        while kept and (kept[-1] is None or (isinstance(kept[-1], str) and not kept[-1].strip())):
            kept = kept[:-1]
        rows.append(kept)
        cells += len(row)
        if kept:
            filled = len(rows)
        if cells > left:
            raise ReadError(f"{name}: more than {max_cells:,} cells, which is the limit of a workbook. Send CSV, or fewer sheets.")
        if len(rows) > _MOST_ROWS:
            raise ReadError(f"{name}: sheet {sheet.title!r} has more than {_MOST_ROWS:,} rows, more than Excel knows. Save it again.")
    return rows[:filled], cells


def _csv(name: str, rows: Sequence[tuple[Any, ...]], take: Callable[[str, int], None]) -> bytes:
    first = min(next(number for number, value in enumerate(row) if not _blank(value)) for row in rows if row)
    width = max(len(row) for row in rows)
    parts = []
    for row in rows:
        line = io.StringIO()
        if row:
            cells = [_text(value) for value in row[first:]]
            csv.writer(line, lineterminator="\n").writerow([*cells, *[""] * (width - len(row))])
        part = line.getvalue().encode(errors="replace") or b"\n"
        # A long text that many cells share is short in the workbook.
        take(name, len(part))
        parts.append(part)
    return b"".join(parts)


def _blank(value: object) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _text(value: object) -> str:
    if value is None:
        return ""
    return str(value).upper() if isinstance(value, bool) else str(value)


def _check_formulas(name: str, sheet: Any, book: Any) -> None:
    """Raise ReadError for a formula that no program has computed: its value is not in the file, and empty is not what it means."""
    # openpyxl gives such a cell as empty, like one whose value is an empty text, so that the XML must tell.
    xml = book._archive.read(sheet._worksheet_path)
    if _FORMULA.search(xml) is None:
        return
    for _, element in ElementTree.iterparse(io.BytesIO(xml)):
        tag = element.tag.rpartition("}")[2]
        if tag == "c":
            inside = {child.tag.rpartition("}")[2]: child for child in element}
            value = inside.get("v")
            if "f" in inside and element.get("t") != "str" and (value is None or not value.text):
                raise ReadError(
                    f"{name}: sheet {sheet.title!r}, cell {element.get('r', '?')}: a formula without a value, since no program has computed"
                    " it yet. Open the workbook in Excel or LibreOffice, save it and send it again."
                )
        if tag == "row":
            element.clear()
