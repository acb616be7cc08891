"""Sheets of Excel are read as the CSV of the same cells would be; whatever is wrong with a workbook ends in a sentence."""

import csv
import datetime
import gzip
import io
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hemcore.datasets import CounterSeries, SignatureTable, Subexperiments
from hemcore.datasets.readers import excel
from hemcore.datasets.readers.recognition import read_upload
from hemcore.datasets.readers.uploaded_files import UploadedFile, UploadLimits, expand
from hemcore.errors import HemError, ReadError
from tests.core.datasets.readers.test_number_marks import PHASES, SERIES, SIGNATURES, SUBEXPERIMENTS, assert_same
from tests.core.datasets.zipped import zipped

Rows = list[list]
_MAIN = b"http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_MAIN_TYPE = b"application/vnd.openxmlformats-officedocument.spreadsheetml"
BOOKS = Path(__file__).parent / "books"
LOCKED = excel.OLD_FORMAT + bytes(600) + "EncryptedPackage".encode("utf-16-le")
MIXED = [["time", "A", "B"], [0.5, 1, None], [1.0, None, 2**40], [1.5, 3.25, 7]]


def book(sheets: Mapping[str, Rows] | Rows, **cells: object) -> bytes:
    """A workbook of these sheets, with cells such as B3 set in the first."""
    made = openpyxl.Workbook()
    made.remove(made.active)
    for title, rows in (sheets if isinstance(sheets, Mapping) else {"Sheet1": sheets}).items():
        sheet = made.create_sheet(title)
        for row in rows:
            sheet.append(row)
    for place, value in cells.items():
        made.worksheets[0][place] = value
    target = io.BytesIO()
    made.save(target)
    return target.getvalue()


def rezipped(content: bytes, change: Mapping[str, bytes | None], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """The archive with entries replaced, added, or (None) left out."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(target, "w", method) as new:
        for name in {*old.namelist(), *change}:
            entry = change.get(name, b"") if name in change else old.read(name)
            if entry is not None:
                new.writestr(name, entry)
    return target.getvalue()


def sheet_of(content: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return archive.read("xl/worksheets/sheet1.xml")


def with_sheet(content: bytes, old: bytes, new: bytes) -> bytes:
    xml = sheet_of(content)
    assert old in xml
    return rezipped(content, {"xl/worksheets/sheet1.xml": xml.replace(old, new)})


def shared(content: bytes, strings: bytes | None = None) -> bytes:
    """The workbook with its texts in a table of shared strings, as Excel itself writes it; `strings` instead of that table."""
    found: list[bytes] = []

    def number(cell: re.Match[bytes]) -> bytes:
        if cell[2] not in found:
            found.append(cell[2])
        return b'<c r="%s" t="s"><v>%d</v></c>' % (cell[1], found.index(cell[2]))

    xml = re.sub(rb'<c r="(\w+)" t="inlineStr"><is>(.*?)</is></c>', number, sheet_of(content), flags=re.DOTALL)
    assert found
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        types = archive.read("[Content_Types].xml")
    part = b'<Override PartName="/xl/sharedStrings.xml" ContentType="%s.sharedStrings+xml"/></Types>' % _MAIN_TYPE
    made = b'<sst xmlns="%s">%s</sst>' % (_MAIN, b"".join(b"<si>" + each + b"</si>" for each in found))
    return rezipped(
        content,
        {
            "xl/worksheets/sheet1.xml": xml,
            "[Content_Types].xml": types.replace(b"</Types>", part),
            "xl/sharedStrings.xml": made if strings is None else strings,
        },
    )


def ods(rows: Rows) -> bytes:
    """A workbook of LibreOffice with one sheet, which ends in repeated empty cells and rows as such sheets do."""

    def cell(value: object) -> str:
        if value is None:
            return "<table:table-cell/>"
        kind = "string" if isinstance(value, str) else "float"
        stored = f' office:value="{value}"' if kind == "float" else ""
        return f'<table:table-cell office:value-type="{kind}"{stored}><text:p>{value}</text:p></table:table-cell>'

    filler = '<table:table-cell table:number-columns-repeated="16380"/>'
    lines = "".join(f"<table:table-row>{''.join(map(cell, row))}{filler}</table:table-row>" for row in rows)
    space = "urn:oasis:names:tc:opendocument:xmlns"
    content = (
        f'<office:document-content xmlns:office="{space}:office:1.0" xmlns:table="{space}:table:1.0" xmlns:text="{space}:text:1.0">'
        f'<office:body><office:spreadsheet><table:table table:name="Sheet1">{lines}'
        f'<table:table-row table:number-rows-repeated="1048570">{filler}</table:table-row>'
        "</table:table></office:spreadsheet></office:body></office:document-content>"
    )
    manifest = f'<manifest:manifest xmlns:manifest="{space}:manifest:1.0"/>'
    parts = {"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "META-INF/manifest.xml": manifest, "content.xml": content}
    return zipped({name: text.encode() for name, text in parts.items()})


def as_csv(rows: Rows, separator: str = ",") -> bytes:
    target = io.StringIO()
    csv.writer(target, delimiter=separator).writerows(rows)
    return target.getvalue().encode()


def opened(content: bytes, name: str = "book.xlsx", limits: UploadLimits | None = None) -> list[tuple[str, str]]:
    return [(file.name, file.content.decode()) for file in expand([UploadedFile(name, content)], limits)]


def said_of(content: bytes, name: str = "book.xlsx", limits: UploadLimits | None = None) -> str:
    with pytest.raises(ReadError) as error:
        opened(content, name, limits)
    return str(error.value)


def read(content: bytes, name: str = "book.xlsx") -> object:
    return read_upload(expand([UploadedFile(name, content)])).table


@pytest.mark.parametrize("rows", [SUBEXPERIMENTS, SERIES, PHASES, MIXED], ids=["subexperiments", "series", "phases", "gaps"])
def test_a_sheet_reads_as_the_csv_of_its_cells(rows: Rows) -> None:
    assert_same(read(book(rows)), read(as_csv(rows), "book.csv"))


VARIANTS = {
    "an empty sheet before it": lambda rows: book({"Notes": [], "Data": rows}),
    "a sheet of blanks": lambda rows: book({"Data": rows, "More": [[None, " "], ["\t"]]}),
    "empty rows above": lambda rows: book([[], [], *rows]),
    "an empty row between": lambda rows: book([rows[0], [], *rows[1:]]),
    "an empty column at the left": lambda rows: book([[None, *row] for row in rows]),
    "blanks at the right": lambda rows: book([[*row, " ", None] for row in rows]),
    "numbers as German texts": lambda rows: book([[_german(cell) for cell in row] for row in rows]),
    "numbers as texts": lambda rows: book([[None if cell is None else str(cell) for cell in row] for row in rows]),
    "a cell far below, blank": lambda rows: book(rows, A5000=" "),
    "shared strings": lambda rows: shared(book(rows)),
    "no size said": lambda rows: with_sheet(book(rows), _dimension(book(rows)), b""),
    "a wrong size said": lambda rows: with_sheet(book(rows), _dimension(book(rows)), b'<dimension ref="A1:B1"/>'),
    "macros": lambda rows: rezipped(book(rows), {"xl/vbaProject.bin": b"\0" * 99}),
    "in a zip": lambda rows: zipped({"folder/book.xlsx": book(rows)}),
    "in a gzip": lambda rows: gzip.compress(book(rows)),
    "stored, not deflated": lambda rows: rezipped(book(rows), {}, zipfile.ZIP_STORED),
}


def _german(cell: object) -> object:
    return f"{cell:,}".translate(str.maketrans(",.", ".,")) if isinstance(cell, int | float) else cell


def _dimension(content: bytes) -> bytes:
    xml = sheet_of(content)
    start = xml.index(b"<dimension")
    return xml[start : xml.index(b"/>", start) + 2]


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("rows", [SUBEXPERIMENTS, SERIES], ids=["subexperiments", "series"])
@pytest.mark.sweep
def test_variants_read_as_the_plain_csv(rows: Rows, variant: str) -> None:
    name = {"in a zip": "sent.zip", "in a gzip": "book.xlsx.gz", "macros": "book.xlsm"}.get(variant, "book.xlsx")
    assert_same(read(VARIANTS[variant](rows), name), read(as_csv(rows), "book.csv"))


def test_signatures_are_read_whatever_separates_their_cells() -> None:
    sent = [("f.csv", as_csv(SIGNATURES, ";")), ("f.csv", as_csv(SIGNATURES, ",")), ("book.xlsx", book(SIGNATURES))]
    tables = [read_upload(expand([UploadedFile(*each)])).table for each in sent]
    for table in tables:
        assert isinstance(table, SignatureTable)
        assert_same(table, tables[0])


def test_each_sheet_is_a_file_named_after_book_and_sheet() -> None:
    content = book({"Run 1": MIXED, "": [], "Run 2": MIXED[:2]})
    assert [name for name, _ in opened(content)] == ["book Run 1.xlsx", "book Run 2.xlsx"]
    table = read(content)
    assert isinstance(table, CounterSeries)
    assert table.intervals[["application", "run"]].drop_duplicates().to_numpy().tolist() == [["book", 1], ["book", 2]]
    assert [name for name, _ in opened(book({"Anything": MIXED, "Empty": []}))] == ["book.xlsx"]
    assert [name for name, _ in opened(zipped({"a/b.xlsx": content, "c/b.xlsx": content}), "sent.zip")] == [
        "a/b Run 1.xlsx", "a/b Run 2.xlsx", "c/b Run 1.xlsx", "c/b Run 2.xlsx",
    ]  # fmt: skip


def test_each_sheet_is_a_subexperiment() -> None:
    table = read(book({"first": [["a", "b"], [200, 300]], "second": [["a", "c"], [200, 300], [201, 301]]}))
    assert isinstance(table, Subexperiments)
    assert table.labels == ("book first.xlsx", "book second.xlsx")
    assert [len(frame) for frame in table.frames] == [1, 2]


def test_the_cells_as_they_are_written() -> None:
    rows = [["a,b", 'say "x"', "é"], [1, 0.1, 2**53 + 2], [True, None, "two\nlines"], [datetime.date(2026, 1, 2), 1e300, -5]]
    assert list(csv.reader(io.StringIO(opened(book(rows))[0][1]))) == [
        ["a,b", 'say "x"', "é"],
        ["1", "0.1", str(2**53 + 2)],
        ["TRUE", "", "two\nlines"],
        ["2026-01-02 00:00:00", "1e+300", "-5"],
    ]


def test_faults_are_told_by_the_row_of_the_sheet() -> None:
    with pytest.raises(ReadError, match=r"book.xlsx: line 5, column 'B': 'x' is not a number"):
        read(book([[], *MIXED, [2.0, 1, 2]], C5="x"))


def test_values_of_formulas_are_those_that_were_kept() -> None:
    plain = book(MIXED)
    kept = with_sheet(plain, b"<v>3.25</v>", b"<f>1+2.25</f><v>3.25</v>")
    assert opened(kept) == opened(plain)
    # An empty text is a value.
    empty = with_sheet(plain, b'<c r="B4" t="n"><v>3.25</v></c>', b'<c r="B4" t="str"><f>IF(1,"",1)</f><v></v></c>')
    assert opened(empty)[0][1].splitlines()[3] == "1.5,,7"


@pytest.mark.parametrize("cell", [b"<f>1+2</f><v></v>", b"<f>1+2</f><v/>", b"<f>1+2</f>", b'<f t="shared" si="0"/>'])
def test_a_formula_without_a_value_is_told(cell: bytes) -> None:
    said = said_of(with_sheet(book(MIXED), b"<v>3.25</v>", cell))
    assert said.startswith("book.xlsx: sheet 'Sheet1', cell B4: a formula without a value, because no program has computed it yet.")
    assert said.endswith("Open the workbook in Excel or LibreOffice, save it and send it again.")


def test_a_formula_that_openpyxl_wrote_is_told() -> None:
    assert "sheet 'Sheet1', cell C9: a formula without a value" in said_of(book(MIXED, C9="=SUM(C1:C4)"))


@pytest.mark.parametrize(
    ("content", "name", "said"),
    [
        (LOCKED, "book.xlsx", "locked with a password. Remove the password"),
        (excel.OLD_FORMAT + bytes(600), "book.xls", "a damaged workbook ("),
        (b"a,b\n1,2\n", "book.xlsx", "not a workbook, despite its name"),
        (b"", "book.xlsx", "not a workbook, despite its name"),
        (b"PK\x03\x04 and no more", "book.xlsx", "a damaged workbook (File is not a zip file)"),
        (book([]), "book.xlsx", "every sheet of the workbook is empty"),
        (rezipped(book(MIXED), {"xl/workbook.bin": b"x", "xl/workbook.xml": None}), "book.xlsb", "every sheet of the workbook is empty"),
        (zipped({"mimetype": b"x", "content.xml": b"<a/>"}), "book.ods", "a damaged workbook ("),
        (ods(MIXED).replace(b"</office:body>", b"</office:boda>"), "book.ods", "a damaged workbook ("),
        (rezipped(book(MIXED), {"xl/workbook.xml": b"<workbook"}), "book.xlsx", "a damaged workbook ("),
        (rezipped(book(MIXED), {"xl/workbook.xml": None}), "book.xlsx", "a damaged workbook ("),
        (rezipped(book(MIXED), {"xl/worksheets/sheet1.xml": b"<worksheet>"}), "book.xlsx", "a damaged workbook ("),
        (with_sheet(book(MIXED), b"</sheetData>", b""), "book.xlsx", "a damaged workbook (xl/worksheets/sheet1.xml: mismatched tag"),
        (shared(book(SERIES), b"<sst/>"), "book.xlsx", "a damaged workbook ("),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_told(content: bytes, name: str, said: str) -> None:
    message = said_of(content, name)
    assert message.startswith(f"{name}: {said}")
    assert "\n" not in message


def test_old_and_locked_files_in_an_archive_are_told_by_name() -> None:
    assert said_of(zipped({"old/book.xls": excel.OLD_FORMAT}), "sent.zip").startswith("book.xls: a damaged workbook (")
    assert said_of(zipped({"old/book.xlsx": LOCKED}), "sent.zip").startswith("book.xlsx: locked with a password")


def test_an_archive_with_names_like_those_of_a_workbook_is_an_archive() -> None:
    assert opened(zipped({"content.xml": b"x"}), "sent.zip") == [("content.xml", "x")]
    assert opened(zipped({"xl/a.csv": b"x"}), "sent.zip") == [("a.csv", "x")]


def test_cells_are_bounded() -> None:
    rows = [["a", "b"], [1, 2], [3, 4]]
    assert opened(book(rows), limits=UploadLimits(max_cells=6))
    assert said_of(book(rows), limits=UploadLimits(max_cells=5)).startswith(
        "book.xlsx: more than 5 cells, which is the limit of a workbook."
    )
    two = book({"x": rows, "y": rows})
    assert opened(two, limits=UploadLimits(max_cells=12))
    assert "more than 11 cells" in said_of(two, limits=UploadLimits(max_cells=11))


def test_a_wide_row_counts_as_wide_as_it_is() -> None:
    rows = with_sheet(book([["a"]] * 3), b'r="A2"', b'r="XFD2"')
    assert "more than 9,000 cells" in said_of(rows, limits=UploadLimits(max_cells=9_000))


@pytest.mark.parametrize("place", [(b'<row r="2"><c r="A2"', b'<row r="99999999999"><c'), (b'r="B2"', b'r="XFD1048576"')])
def test_a_cell_that_asks_for_all_memory_ends_the_process_of_the_workbook_alone(place: tuple[bytes, bytes]) -> None:
    far = with_sheet(book([["a", "b"], [1, 2]]), *place)
    assert said_of(far) == "book.xlsx: more than 300 MiB of memory are needed to read it. Send CSV, or fewer sheets."


def test_a_cell_with_an_error_holds_no_value() -> None:
    content = with_sheet(book(MIXED), b'<c r="B4" t="n"><v>3.25</v></c>', b'<c r="B4" t="e"><v>#DIV/0!</v></c>')
    assert "#DIV/0!" in opened(content, "book.xlsx")[0][1]


def test_old_and_open_document_workbooks_read_as_the_csv_of_their_cells() -> None:
    for content, name in ((BOOKS.joinpath("series.xls").read_bytes(), "book.xls"), (ods(MIXED), "book.ods")):
        assert [name for name, _ in opened(content, name)] == [name]
        assert_same(read(content, name), read(as_csv(MIXED), "book.csv"))


def test_a_workbook_whose_list_of_types_is_empty_is_read() -> None:
    assert opened(rezipped(book(MIXED), {"[Content_Types].xml": b"<Types/>"})) == opened(book(MIXED))


@pytest.mark.slow
def test_xml_is_bounded() -> None:
    bomb = rezipped(book(MIXED), {"xl/worksheets/sheet1.xml": b"<worksheet>" + b" " * (64 << 20) + b"</worksheet>"})
    assert len(bomb) < 1 << 20
    assert said_of(bomb, limits=UploadLimits(max_workbook_bytes=32 << 20)).startswith("book.xlsx: 64 MiB unpacked; at most 32 MiB")
    assert "more than 1 MiB unpacked, which is the limit" in said_of(bomb, limits=UploadLimits(max_bytes=1 << 20))


def test_entities_that_multiply_are_refused() -> None:
    levels = "".join(f'<!ENTITY e{level} "{f"&e{level - 1};" * 10}">' for level in range(1, 10))
    doctype = f'<!DOCTYPE sst [<!ENTITY e0 "lol">{levels}]>'
    strings = f'{doctype}<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>&e9;</t></si></sst>'
    assert said_of(shared(book(SERIES), strings.encode())).startswith("book.xlsx: a damaged workbook (")


BOOK = book(SERIES)


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(st.integers(0, len(BOOK) - 1), st.integers(1, 40), st.binary(max_size=4))
def test_a_damaged_workbook_is_read_or_told(start: int, length: int, put: bytes) -> None:
    try:
        read(BOOK[:start] + put + BOOK[start + length :])
    except HemError as error:
        assert str(error)  # noqa: PT017


def test_texts_among_numbers_whose_mark_is_unclear_are_told() -> None:
    with pytest.raises(ReadError, match=r"'7,423' is a text, no number, and may be 7.423 or 7423"):
        expand([UploadedFile("z.xlsx", book([["t", "cycles"], [0.5, "7,423"], [1.0, "7,512"]]))])
    expand([UploadedFile("z.xlsx", book([["t", "version"], [0.5, "7,423"], [1.0, "none"], [1.5, "x"]]))])
