"""Workbooks (.xlsx, .xlsm, .xlsb, .xls, .ods): each sheet that is not empty becomes a CSV, within limits; formulas by their values."""

import csv
import functools
import io
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath
from typing import TypeAlias
from xml.parsers import expat

from hemcore.datasets.readers import workbook_process
from hemcore.datasets.readers.reading_limits import MOST_MORE, MOST_TIMES
from hemcore.errors import ReadError

OLD_FORMAT = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
ENDINGS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")
_MOST_S = 300
# Of a part of a workbook, bytes at once; the value of a cell as Excel and LibreOffice write it.
_PART, _VALUE = 1 << 20, b"<v>"
# An error for a value, or a formula that no value follows at once.
Errors: TypeAlias = list[tuple[int, int, str]]
# A text that many cells share is once in a workbook: so many times its bytes, and so many more, are made of it.
_CSV_TIMES, _CSV_MORE = 4, 16 << 20
_CELL, _MOST_COLUMNS = re.compile(r"([A-Z]{1,3})(\d+)"), 16_384
_TO_CHECK = re.compile(rb"\bt=[\"']e[\"']|(?:</(?:\w+:)?f\s*>|<(?:\w+:)?f(?:\s[^<>]*)?/>)(?!\s*<(?:\w+:)?v(?:\s[^<>]*)?(?<!/)>[^<])")
_LOCKED = "EncryptedPackage".encode("utf-16-le")
_SAVE_AGAIN = "Open it in Excel or LibreOffice, save it and send it again."


def why_not(name: str, content: bytes) -> str | None:
    """Why a file that is called a workbook, or begins as one, is none; None where it may be one, or is something else."""
    if content.startswith(OLD_FORMAT):
        return f"{name}: {_locked()}" if _LOCKED in content else None
    if name.lower().endswith(ENDINGS) and not content.startswith(b"PK"):
        return f"{name}: not a workbook, despite its name. Send the workbook as Excel saves it, or a CSV."
    return None


def is_workbook(entries: Sequence[str]) -> bool:
    """Whether a zip archive with these entries is a workbook rather than an archive of files."""
    excel = "[Content_Types].xml" in entries and any(name.startswith("xl/") for name in entries)
    return excel or {"mimetype", "content.xml"} <= set(entries)


def sheets(
    name: str, content: bytes, *, max_unpacked: int, max_cells: int, max_bytes: int, take: Callable[[str, int], None]
) -> list[tuple[str, bytes]]:
    """(name, CSV) of each sheet that is not empty, in order; columns that are empty at both edges are left out, rows keep their lines.

    A single sheet has the name of the workbook, several have that of the sheet in it: "book Run 1.xlsx". Dates are written as text.
    max_unpacked: bytes of the workbook's parts, unpacked. max_cells, max_bytes: of all sheets together, each row up to its last filled
    cell. take(name, bytes): is given the size of what is unpacked and made of it, and may raise.

    Raises ReadError for a workbook that is damaged, locked, empty or over a limit, and for a cell of an .xlsx with an error or a formula
    that no program has computed.
    """
    size = _size_unpacked(content)
    take(name, size)
    if size > max_unpacked:
        most = max_unpacked / 2**20
        raise ReadError(f"{name}: {size / 2**20:,.0f} MiB unpacked; at most {most:,.0f} MiB of a workbook are read. Send CSV.")
    _check_whole(name, content, max_cells)
    size = max(size, len(content))
    found = _sheets(name, content, max_cells, min(max_bytes, _CSV_TIMES * size + _CSV_MORE), MOST_TIMES * size + MOST_MORE)
    if not found:
        raise ReadError(f"{name}: every sheet of the workbook is empty. Send the one with the readings.")
    for _, table in found:
        take(name, len(table))
    if not content.startswith(OLD_FORMAT):
        errors = _check_cells(name, content, [title for title, _ in found])
        found = [(title, _with_errors(table, errors[title]) if title in errors else table) for title, table in found]
    if len(found) == 1:
        return [(name, found[0][1])]
    path = PurePosixPath(name)
    return [(str(path.with_name(f"{path.stem} {title.replace('/', ' ')}{path.suffix}")), table) for title, table in found]


def _size_unpacked(content: bytes) -> int:
    if content.startswith(OLD_FORMAT):
        return len(content)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        # The standard library unpacks no more of an entry than its directory says.
        return sum(entry.file_size for entry in archive.infolist() if entry.filename.endswith((".xml", ".rels", ".bin")))


def _check_whole(name: str, content: bytes, max_cells: int) -> None:
    """Raise ReadError where a part is missing or its XML breaks off: what comes before that would be read as the whole. And where there are
    more than `max_cells` values, before any is read."""
    if content.startswith(OLD_FORMAT):
        return
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        entries = archive.namelist()
        if not {"content.xml", "xl/workbook.xml", "xl/workbook.bin"} & set(entries):
            raise ReadError(f"{name}: a damaged workbook (no list of its sheets). {_SAVE_AGAIN}")
        values = 0
        for entry in entries:
            if entry == "content.xml" or (entry.startswith("xl/") and entry.endswith((".xml", ".rels"))):
                parser = expat.ParserCreate()
                try:
                    with archive.open(entry) as stream:
                        while part := stream.read(_PART):
                            parser.Parse(part)
                            values += part.count(_VALUE)
                            if values > max_cells:
                                raise ReadError(f"{name}: {_too_many_cells(max_cells)}")
                    parser.Parse(b"", True)
                except expat.ExpatError as error:
                    raise ReadError(f"{name}: a damaged workbook ({entry}: {error}). {_SAVE_AGAIN}") from None


def _too_many_cells(most: int) -> str:
    return f"more than {most:,} cells, which is the limit of a workbook. Send CSV, or fewer sheets."


def _sheets(name: str, content: bytes, max_cells: int, max_bytes: int, memory: int) -> list[tuple[str, bytes]]:
    """(title, CSV) of each sheet that is not empty, read in a process of its own. Raises ReadError as `sheets` does."""
    command = [sys.executable, "-I", str(Path(workbook_process.__file__)), *map(str, (max_cells, max_bytes, memory))]
    try:
        ended = subprocess.run(command, input=content, capture_output=True, timeout=_MOST_S, check=False)
    except subprocess.TimeoutExpired:
        raise ReadError(f"{name}: not read within {_MOST_S // 60} minutes. Send CSV, or fewer sheets.") from None
    except OSError as error:
        raise ReadError(f"{name}: the process that reads workbooks could not be started ({error.strerror}). Send CSV.") from None
    try:
        answer = json.loads(ended.stdout)
    except ValueError:
        # It was refused memory where it cannot say so.
        answer = {"kind": "too large", "fault": "memory"}
    if "sheets" in answer:
        return [(str(title), str(table).encode(errors="replace")) for title, table in answer["sheets"]]
    fault = str(answer["fault"])
    if answer["kind"] == "PasswordError":
        raise ReadError(f"{name}: {_locked()}")
    if answer["kind"] == "UnclearTextError":
        raise ReadError(
            f"{name}: {fault!r} is a text, no number, and may be {fault.replace(',', '.')} or {re.sub('[.,]', '', fault)}."
            " Turn such cells into numbers in Excel (Data, Text to Columns), save the workbook and send it again."
        )
    if answer["kind"] != "too large":
        raise ReadError(f"{name}: a damaged workbook ({fault[:200]}). {_SAVE_AGAIN}")
    exceeded = {
        "cells": _too_many_cells(max_cells),
        "bytes": f"more than {max_bytes / 2**20:,.0f} MiB as CSV, the most for a workbook of its size. Send CSV, or fewer sheets.",
        "memory": f"more than {memory / 2**20:,.0f} MiB of memory are needed to read it. Send CSV, or fewer sheets.",
    }
    raise ReadError(f"{name}: {exceeded[fault]}")


def _check_cells(name: str, content: bytes, filled: Sequence[str]) -> dict[str, Errors]:
    """The cells whose value is an error, by sheet. Raise ReadError for a formula that no program has computed: that does not mean empty.

    Those of .xlsx and .xlsm alone; the sheets named `filled`.
    """
    found: dict[str, Errors] = {}
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        entries = archive.namelist()
        titles = _titles(archive) if "xl/workbook.xml" in entries else {}
        for entry in entries:
            if entry.startswith("xl/worksheets/") and entry.endswith(".xml") and titles.get(entry, "") in filled:
                xml = archive.read(entry)
                if _TO_CHECK.search(xml) is not None and (cells := _check_sheet(f"{name}: sheet {titles[entry]!r}", xml)):
                    found[titles[entry]] = cells
    return found


def _with_errors(table: bytes, errors: Errors) -> bytes:
    """The CSV of a sheet with the errors of its cells, which are blank there, as texts."""
    rows = list(csv.reader(io.StringIO(table.decode())))
    for row, place, error in errors:
        if row < len(rows) and place < len(rows[row]) and not rows[row][place]:
            rows[row][place] = error
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for cells in rows:
        text.write("\n") if not cells else writer.writerow(cells)
    return text.getvalue().encode()


def _titles(archive: zipfile.ZipFile) -> dict[str, str]:
    """The entry of each sheet -> its title."""
    targets = {}
    for element in ElementTree.fromstring(archive.read("xl/_rels/workbook.xml.rels")):
        target = element.get("Target", "")
        targets[element.get("Id", "")] = target.removeprefix("/") if target.startswith("/") else f"xl/{target}"
    found = {}
    for element in ElementTree.fromstring(archive.read("xl/workbook.xml")).iter():
        if _local(element.tag) == "sheet":
            id = next((value for key, value in element.items() if _local(key) == "id"), "")
            found[targets.get(id, "")] = element.get("name", "")
    return found


def _check_sheet(where: str, xml: bytes) -> Errors:
    """(row, column, error) of each cell whose value is one, from 0, columns from the first that is filled."""
    errors: Errors = []
    first = _MOST_COLUMNS
    for _, element in ElementTree.iterparse(io.BytesIO(xml)):
        if _local(element.tag) == "c":
            inside = {_local(child.tag): child for child in element}
            value = inside.get("v")
            place = f"{where}, cell {element.get('r', '?')}"
            if (at := _CELL.fullmatch(element.get("r", ""))) is not None and (value is not None or "is" in inside):
                column = functools.reduce(lambda number, letter: 26 * number + ord(letter) - 64, at[1], 0) - 1
                first = min(first, column)
                if element.get("t") == "e" and value is not None:
                    errors.append((int(at[2]) - 1, column, str(value.text)[:20]))
            if "f" in inside and element.get("t") != "str" and (value is None or not value.text):
                raise ReadError(
                    f"{place}: a formula without a value, because no program has computed it yet."
                    " Open the workbook in Excel or LibreOffice, save it and send it again."
                )
        elif _local(element.tag) == "row":
            element.clear()
    return [(row, column - first, error) for row, column, error in errors]


def _local(tag: str) -> str:
    return tag.rpartition("}")[2]


def _locked() -> str:
    return "locked with a password. Remove the password in Excel, save the workbook and send it again."
