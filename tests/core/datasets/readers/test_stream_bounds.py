"""Bounds that hold while a file is unpacked or looked at: what is over them is refused before it is copied."""

import gzip
import io
import subprocess
import zipfile
from functools import partial
from pathlib import Path

import pandas as pd
import pytest

from hemcore.datasets.importing.inspection import inspect
from hemcore.datasets.importing.other_forms import json_lines
from hemcore.datasets.importing.other_forms.written_csv import csv_of_records
from hemcore.datasets.readers import columnar, excel
from hemcore.datasets.readers.uploaded_files import LaterFile, UploadedFile, UploadLimits, expand, larger_than
from hemcore.datasets.shelf import staged
from hemcore.errors import ReadError
from tests.core.datasets.readers.test_excel import book

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


def test_what_may_unpack_to_more_is_left_to_a_worker() -> None:
    many = parquet(time=list(range(10_000)), a=[1] * 10_000)
    assert columnar.cells(many) == 20_000
    assert columnar.cells(many[:100]) == 0
    assert larger_than([UploadedFile("f", many)], 399_999)
    assert not larger_than([UploadedFile("f", many)], 400_000)
    for name, is_larger in (("f.csv.gz", True), ("f.XLSX", True), ("f.csv", False)):
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w") as archive:
            archive.writestr(name, b"1")
        assert larger_than([UploadedFile("f.zip", made.getvalue())], 1_000) == is_larger


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
