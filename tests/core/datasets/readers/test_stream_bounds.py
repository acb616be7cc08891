"""Bounds that hold while a file is unpacked or looked at: what is over them is refused before it is copied."""

import gzip
import io
import subprocess
import zipfile
from functools import partial
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import feather

from hemcore.datasets.importing.inspection import inspect
from hemcore.datasets.importing.other_forms import json_lines
from hemcore.datasets.importing.other_forms.written_csv import csv_of_records
from hemcore.datasets.readers import columnar, excel
from hemcore.datasets.readers.uploaded_files import LaterFile, UploadedFile, UploadLimits, expand, larger_than
from hemcore.datasets.shelf import staged
from hemcore.errors import ReadError
from tests.core.datasets.readers.test_excel import book, shared

FAR = 10**12


def parquet(**columns: list[object]) -> bytes:
    """A Parquet file of these columns."""
    made = io.BytesIO()
    pd.DataFrame(columns).to_parquet(made)
    return made.getvalue()


def test_what_is_unpacked_is_told_while_it_is_and_no_more_than_the_limit() -> None:
    told: list[int] = []
    expand([UploadedFile("f.csv.gz", gzip.compress(bytes(3_000_000))), UploadedFile("g.csv", b"a,b\n")], unpacked=told.append)
    assert sum(told) == 3_000_004
    assert max(told) <= 1 << 20
    told.clear()
    with pytest.raises(ReadError, match=r"f.csv.gz: more than 2 MiB unpacked, which is the limit"):
        expand([UploadedFile("f.csv.gz", gzip.compress(bytes(20_000_000)))], UploadLimits(max_bytes=2 << 20), unpacked=told.append)
    assert sum(told) == 2 << 20


def test_a_workbook_with_too_many_values_is_refused_before_its_process_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    sent = book([["a", "b"], *([row, 7] for row in range(50))])
    read = partial(excel.sheets, "book.xlsx", sent, max_unpacked=FAR, max_bytes=FAR, take=lambda name, size: None)
    assert read(max_cells=102)[0][1].count(b"\n") == 51
    monkeypatch.setattr(subprocess, "run", lambda *args, **more: pytest.fail("the process began"))
    with pytest.raises(ReadError, match=r"book.xlsx: more than 99 cells, which is the limit of a workbook\. Send CSV, or fewer sheets\."):
        read(max_cells=99)


def test_long_texts_of_a_dictionary_are_written_a_few_rows_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    sent = parquet(time=list(range(100)), stage=["a" * 1_000] * 100)
    whole = columnar.csv_of("f.parquet", sent, max_cells=FAR, max_bytes=FAR, take=lambda name, size: None)
    monkeypatch.setattr(columnar, "_AT_ONCE", 10_500)  # ten rows of 1,000 letters and two cells
    taken: list[int] = []
    assert columnar.csv_of("f.parquet", sent, max_cells=FAR, max_bytes=FAR, take=lambda name, size: taken.append(size)) == whole
    assert (len(taken), sum(taken), max(taken)) == (10, len(whole), taken[0])

    def stop(name: str, size: int) -> None:
        taken.append(size)
        raise ReadError("f.parquet: too large.")

    taken.clear()
    with pytest.raises(ReadError, match="too large"):
        columnar.csv_of("f.parquet", sent, max_cells=FAR, max_bytes=FAR, take=stop)
    assert len(taken) == 1


def zipped(**entries: bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return made.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(parquet(a=[1, 2]), id="a table in columns"),
        pytest.param(gzip.compress(b"a") + gzip.compress(bytes(2_000)), id="a gz of two parts"),
        pytest.param(gzip.compress(zipped(a=b"1")), id="an archive in a gz"),
        pytest.param(gzip.compress(parquet(a=[1])), id="a table in columns in a gz"),
        pytest.param(zipped(a=gzip.compress(b"1")), id="a gz in an archive"),
        pytest.param(zipped(a=b"1", b=zipped(a=b"1")), id="an archive in an archive"),
        pytest.param(zipped(a=excel.OLD_FORMAT + b"1"), id="a workbook in an archive"),
        pytest.param(zipped(a=b"ARROW1\0\0"), id="a table in columns in an archive"),
        pytest.param(zipped(hidden=b"12345", z=gzip.compress(b"1")).replace(b"12345", b"12346"), id="behind a damaged entry"),
        pytest.param(gzip.compress(b"1")[:-3], id="a damaged gz"),
    ],
)
def test_what_may_unpack_to_more_is_left_to_a_worker(content: bytes) -> None:
    assert larger_than([UploadedFile("f", b"1"), UploadedFile("f", content)], 1_900)


def test_what_cannot_is_read_at_once() -> None:
    for content in (zipped(a=b"1", b=b"PK"), gzip.compress(b"1") + gzip.compress(b"2"), b"1"):
        assert not larger_than([UploadedFile("f", content)], 300)


def test_columns_of_bytes_are_refused_before_they_are_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds_of_bytes = (pa.binary(), pa.large_binary(), pa.binary(2), pa.dictionary(pa.int8(), pa.binary()), pa.list_(pa.int8()))
    monkeypatch.setattr(pq.ParquetFile, "iter_batches", lambda *given: pytest.fail("it was unpacked"))
    for kind in kinds_of_bytes:
        table = pa.table({"t": [1], "a": pa.array([b"ab"], pa.binary()).cast(kind) if "list" not in str(kind) else pa.array([[1]], kind)})
        for write in (pq.write_table, feather.write_feather):
            write(table, made := io.BytesIO())
            with pytest.raises(ReadError, match=r"f: column 'a' holds .* values, not numbers or texts"):
                columnar.csv_of("f", made.getvalue(), max_cells=FAR, max_bytes=FAR, take=lambda name, size: None)


def test_a_text_that_many_cells_share_is_bounded_by_the_size_of_the_workbook(monkeypatch: pytest.MonkeyPatch) -> None:
    sent = UploadedFile("f.xlsx", shared(book([["a" * 3_000] * 10 for _ in range(40)])))
    assert len(expand([sent])[0].content) == 40 * 30_010
    monkeypatch.setattr(excel, "_CSV_MORE", 1 << 20)
    with pytest.raises(ReadError, match="more than 1 MiB as CSV, the most for a workbook of its size"):
        expand([sent])


def test_a_preview_reads_the_beginning_of_a_large_file_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = b"".join(b"%d,%d,%b\n" % (row, row * row % 97, b"remark " * 40) for row in range(1_500))
    id = staged.stage([UploadedFile("f.csv", b"time,cycles,comment\n" + rows)], tmp_path)
    staged.look_into_staged(staged=id, progress=lambda done, note: None, root=tmp_path)
    monkeypatch.setattr(LaterFile, "content", property(lambda file: pytest.fail("the whole file was read")))
    shown = staged.preview_staged(staged=id, progress=lambda done, note: None, root=tmp_path)
    assert (shown.whole, shown.fault, shown.parts[0].rows[1]) == (False, "", ("0", "0", ("remark " * 40).strip()[:200]))
    assert shown.summary.startswith("1 application, 1 run, 9")


def test_one_line_of_json_is_taken_whole_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    line = UploadedFile("f.json", b'{"a": [1, 2, 3]}')
    assert json_lines.beginning(line, 5) == line.content
    monkeypatch.setattr(json_lines, "_LONGEST_LINE", len(line.content) - 1)
    assert json_lines.beginning(line, 5) == b'{"a":'


def test_xml_that_is_larger_than_what_is_looked_at_is_previewed() -> None:
    rows = b"".join(b'<s time="%d"><cycles>%d</cycles><note>%b</note></s>' % (row, row * row % 97, b"n" * 300) for row in range(1_000))
    shown = inspect([UploadedFile("f.xml", b"<?xml version='1.0'?><data>" + rows + b"</data>")])
    assert (shown.fault, shown.whole) == ("", False)
    assert shown.result is not None


def test_records_are_written_one_at_a_time_and_lack_what_comes_later() -> None:
    held: list[dict[str, str]] = []

    def records() -> object:
        for record in ({"a": "1"}, {"a": "2", "b": 'x,"y"'}, {"c": "3"}):
            held.append(record)
            yield record
            record.clear()  # whoever keeps it has nothing

    assert csv_of_records(records()) == 'a,b,c\n1,,\n2,"x,""y""",\n,,3\n'  # type: ignore[arg-type]
    assert csv_of_records([{"a": "1", "b": "2"}, {"b": "4"}]) == "a,b\n1,2\n,4\n"
    assert csv_of_records([]) is None
