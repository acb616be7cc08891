"""The sheets of a workbook as CSV, in a process of its own: a small file can ask for any amount of memory, and a process can be limited.

workbook_process.py MAX_CELLS MAX_BYTES MEMORY < WORKBOOK > JSON          {"sheets": [[title, CSV], ...]}, or {"fault": reason, "kind": ...}

It runs without hemcore, so that it starts in a tenth of a second.
"""

import csv
import datetime
import io
import json
import re
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress

# Above, a float is not a whole number that anybody wrote.
_WHOLE = 2**63
_UNCLEAR = re.compile(r"[-+]?[1-9]\d{0,2}[.,]\d{3}")


class TooLargeError(Exception):
    """A sheet is over a limit; the message says which: cells or bytes."""


def sheets(content: bytes, max_cells: int, max_bytes: int) -> list[tuple[str, str]]:
    """(title, CSV) of each sheet that is not empty, in order; columns that are empty at both edges are left out, rows keep their lines.

    Raises TooLargeError over a limit, and what python_calamine raises for a workbook that it cannot read.
    """
    from python_calamine import CalamineWorkbook, SheetTypeEnum

    book = CalamineWorkbook.from_filelike(io.BytesIO(content))
    found = []
    for number, sheet in enumerate(book.sheets_metadata):
        if sheet.typ != SheetTypeEnum.WorkSheet:
            continue
        rows, cells = _filled(book.get_sheet_by_index(number).iter_rows(), max_cells)
        max_cells -= cells
        if rows:
            table = _csv(rows, max_bytes)
            max_bytes -= len(table)
            found.append((sheet.name, table))
    return found


def _filled(rows: Iterable[Sequence[object]], max_cells: int) -> tuple[list[list[object]], int]:
    """(rows down to the last that is filled, each up to its last filled cell; how many cells these are)."""
    found: list[list[object]] = []
    filled = cells = 0
    for given in rows:
        row = list(given)
        while row and _is_blank(row[-1]):
            row.pop()
        found.append(row)
        cells += len(row)
        if row:
            filled = len(found)
        if cells > max_cells:
            raise TooLargeError("cells")
    return found[:filled], cells


class UnclearTextError(ValueError):
    """Texts stand for numbers, and their mark may be a decimal sign or one between thousands."""


def _check_texts(rows: list[list[object]]) -> None:
    """Raise UnclearTextError for a column of texts such as "7,423" beside cells that are numbers, whose point says nothing of the texts."""
    if not any(isinstance(value, float) and not value.is_integer() for row in rows for value in row):
        return  # read as CSV, where the sign is asked for
    for place in range(max(map(len, rows))):
        cells = [row[place] for row in rows if len(row) > place and not _is_blank(row[place])]
        texts = [cell for cell in cells if isinstance(cell, str) and _UNCLEAR.fullmatch(cell.strip())]
        if 2 * len(texts) > len(cells):
            raise UnclearTextError(texts[0])


def _csv(rows: list[list[object]], max_bytes: int) -> str:
    _check_texts(rows)
    first = min(next(place for place, value in enumerate(row) if not _is_blank(value)) for row in rows if row)
    width = max(map(len, rows))
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    for row in rows:
        if row:
            writer.writerow([*map(_text, row[first:]), *[""] * (width - len(row))])
        else:
            table.write("\n")
        # A long text that many cells share is short in the workbook.
        if table.tell() > max_bytes:
            raise TooLargeError("bytes")
    return table.getvalue()


def _is_blank(value: object) -> bool:
    return isinstance(value, str) and not value.strip()


def _text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer() and abs(value) < _WHOLE:
        return str(int(value))
    if isinstance(value, datetime.date) and not isinstance(value, datetime.datetime):
        return f"{value} 00:00:00"
    return str(value)


def main() -> None:
    """Answer for one workbook."""
    max_cells, max_bytes, memory = map(int, sys.argv[1:4])
    with suppress(ImportError, ValueError, OSError):  # Windows and some others have no such limit
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    answer: dict[str, object]
    try:
        answer = {"sheets": sheets(sys.stdin.buffer.read(), max_cells, max_bytes)}
    except TooLargeError as error:
        answer = {"kind": "too large", "fault": str(error)}
    except MemoryError:
        answer = {"kind": "too large", "fault": "memory"}
    except Exception as error:  # what is wrong in a workbook makes its reader raise almost anything
        answer = {"kind": type(error).__name__, "fault": str(error).partition("\n")[0] or type(error).__name__}
    sys.stdout.write(json.dumps(answer))


if __name__ == "__main__":
    main()
