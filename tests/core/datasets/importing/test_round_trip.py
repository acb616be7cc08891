"""What the app downloads is read back as what it was: with its description exactly, and as a plain CSV or workbook as far as that says."""

import io
import json
import zipfile

import numpy as np
import openpyxl
import pandas as pd
import pytest

from hemcore.datasets import CounterSeries, PhaseTable, Subexperiments, Table
from hemcore.datasets.importing import dataset_archive
from hemcore.datasets.importing.inspection import inspect
from hemcore.datasets.importing.tool_totals import runs_at
from hemcore.datasets.readers.format import PhaseOptions
from hemcore.datasets.readers.recognition import unpack
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.shelf import samples
from hemcore.datasets.tables.hardware_levels import at_level
from hemcore.datasets.tables.hem_list import HemList
from hemcore.datasets.tables.kinds import frames, kind_of
from hemcore.datasets.tables.metric_definitions import MetricDefinitions
from hemcore.datasets.tables.signature_table import SignatureTable
from hemcore.errors import ReadError
from hemcore.web.actions.downloads import csv_bytes, parquet_bytes
from tests.core.datasets.tables.test_phase_levels import by_place
from tests.core.datasets.tables.test_phase_levels import phases as by_core

SERIES = CounterSeries(
    intervals=pd.DataFrame(
        {
            "application": ["=a", "=a", "b"],
            "run": [1, 1, 2],
            "interval": [0, 1, 7],
            "time": [0.5, 1.0, 0.1],
            "date": pd.to_datetime(["2026-03-12 14:30:00", "2026-03-12 14:30:02.5", "2026-03-12"], utc=True, format="ISO8601"),
            "stage": ["init", None, "main"],
            "blocks": [8000, 8000, 12],
        }
    ),
    counts=pd.DataFrame({"cycles": [5.0, np.nan, 1e15], "misses": [0.1, 2.0, np.nan]}),
    mode="MPX",
    share=pd.DataFrame({"cycles": [0.25, np.nan, 1.0], "misses": [1 / 3, 0.5, np.nan]}),
    interval_unit="8,000 basic blocks",
    truth=pd.DataFrame({"cycles": [5.0, 4.0, 1e15], "misses": [0.1, 2.0, np.nan]}),
)
PARTS = Subexperiments(
    frames=(pd.DataFrame({"a": [1, 2], "b": [3.5, np.nan]}), pd.DataFrame({"a": [5, 6, 7], "c": [0, 0, 0]})),
    n_pmcs=6,
    labels=("first set", "first-set"),
    truth=pd.DataFrame({"a": [1, 2], "b": [3.5, 4.0], "c": [0, 0]}),
    not_read=("d",),
)
PLACES = runs_at(by_place(), "machine").table
PHASES = PhaseTable(
    frame=pd.DataFrame(
        {
            "program": ["p", "p", "q"],
            "granularity": [1000, 1000, 1000],
            "load": "idle",
            "phase": [0, 1, 0],
            "a": [1, 2, 3],
            "domain": ["x", "y", "007"],
            "blocks": [9, 9, 9],
        }
    ),
    counters=("a",),
)
HEMS = HemList(frame=pd.DataFrame({"hem": ["cycles", "01"], "counters": ["0 1", ""], "limit": ["", "off:2"]}))
METRICS = MetricDefinitions(
    frame=pd.DataFrame({"name": ["IPC", "eq"], "formula": ["i / c", "IPC == 1"], "scale": [100.0, 1.0], "level": [1, 0]}),
    events=pd.DataFrame({"event": ["i"], "description": ["Instructions"], "counters": ["0 1"]}),
    constants=pd.DataFrame({"constant": ["slots"], "value": [8.0], "source": ["a file"]}),
)

SIGNATURES = SignatureTable(
    frame=pd.DataFrame(
        {
            "JOBID": ["007", "8"],
            "CPI": [0.1, np.nan],
            "TPI": [1 / 3, 2.0],
            "MEM_GBS": [0.0, 1e-9],
            "GFLOPS": [2.5, 0.0],
            "stage": ["init", None],
            "TRUE_CLASS": ["CPU-bound", "MIX"],
        }
    )
)


def assert_same(one: Table, other: Table) -> None:
    (tables, rest), (others, other_rest) = kind_of(one).to_files(one), kind_of(other).to_files(other)
    assert json.loads(json.dumps(rest)) == json.loads(json.dumps(other_rest))
    assert len(tables) == len(others)
    for table, twin in zip(tables, others, strict=True):
        pd.testing.assert_frame_equal(table, twin, check_exact=True, check_dtype=False, check_column_type=False)


def read(content: bytes) -> Table:
    return unpack([UploadedFile("downloaded.zip", content)]).read().table


@pytest.mark.parametrize("form", ["csv", "parquet"])
@pytest.mark.parametrize(
    "table", [SERIES, PARTS, PLACES, PHASES, by_core(), HEMS, METRICS, SIGNATURES], ids=lambda table: type(table).__name__
)
def test_a_download_is_read_back_as_what_it_was(table: Table, form: str) -> None:
    again = read(dataset_archive.archive_of(table, csv_bytes if form == "csv" else parquet_bytes, form))
    assert type(again) is type(table)
    assert_same(table, again)


@pytest.mark.long
@pytest.mark.parametrize("name", samples.names())
def test_a_downloaded_sample_is_read_back_as_what_it_was(name: str) -> None:
    table = samples.load(name)
    assert_same(table, read(dataset_archive.archive_of(table, csv_bytes)))


def test_kept_phases_as_a_plain_csv_keep_their_places_and_lengths() -> None:
    table = by_core()
    again = unpack([UploadedFile("phases.csv", csv_bytes(table.frame))]).read().table
    assert isinstance(again, PhaseTable)
    assert again.counters == ("cycles", "temp")
    pd.testing.assert_frame_equal(again.frame[list(table.frame)], table.frame, check_dtype=False)
    # By hand: 10 + 30 of the cores of socket 0, and 1 of socket 1.
    assert at_level(again, "machine").frame["cycles"].tolist() == [41, 62]


def test_places_are_places_only_beside_the_program_that_they_are_of_and_where_no_one_says_otherwise() -> None:
    text = b"program,granularity,load,phase,core,intervals,cycles\np,1000,idle,0,3,2,10\np,1000,idle,1,4,2,20\n"
    plain = unpack([UploadedFile("phases.csv", text)]).read().table
    assert isinstance(plain, PhaseTable)
    assert plain.counters == ("core", "intervals", "cycles")
    chosen = unpack([UploadedFile("phases.csv", csv_bytes(by_core().frame))]).read(options=PhaseOptions(counters="core;intervals")).table
    assert isinstance(chosen, PhaseTable)
    assert chosen.counters == ("intervals", "core")


def changed(what: str) -> bytes:
    with zipfile.ZipFile(io.BytesIO(dataset_archive.archive_of(PARTS, csv_bytes))) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    first = next(name for name in files if name.endswith(".csv"))
    if what == "missing":
        del files[first]
    elif what == "column":
        files[first] = files[first].replace(b"a,b", b"a,x")
    elif what == "value":
        files[first] = files[first].replace(b"1,3.5", b"one,3.5")
    else:
        files["dataset.json"] = files["dataset.json"].replace(b"Subexperiments", b"Nothing")
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


@pytest.mark.parametrize(
    ("what", "said"),
    [("missing", "is not among the files"), ("column", "line 1: its columns are"), ("value", "column 'a'"), ("kind", "'Nothing'")],
)
def test_a_changed_download_is_refused_in_a_sentence(what: str, said: str) -> None:
    with pytest.raises(ReadError, match=said) as error:
        read(changed(what))
    assert str(error.value).endswith("Send the .zip as it was downloaded.")


def few(name: str) -> Table:
    table = samples.load(name)
    if isinstance(table, CounterSeries):
        return table.where((table.intervals["interval"] < 30).to_numpy() & (table.intervals["run"] % 8 == 5).to_numpy())
    return table


def as_csv(frame: pd.DataFrame) -> bytes:
    return csv_bytes(frame)


def as_workbook(frame: pd.DataFrame) -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(list(frame.columns))
    for row in frame.itertuples(index=False, name=None):
        sheet.append([None if pd.isna(cell) else cell for cell in row])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize("write", [as_csv, pytest.param(as_workbook, marks=pytest.mark.sweep(of=4))])
@pytest.mark.parametrize("name", ["series-mpx", "series-ocoe", "subexperiments-hrm", "subexperiments-much"])
def test_a_sample_as_plain_files_keeps_its_kind_and_mode(name: str, write: object) -> None:
    """Without the description: what was counted in turns stays so, and no HEM is lost."""
    table = few(name)
    ending = "csv" if write is as_csv else "xlsx"
    files = [UploadedFile(f"{part}.{ending}", write(frame)) for part, frame in frames(table).items()]  # type: ignore[operator]
    preview = inspect(files, head=1 << 30)
    assert preview.result is not None, preview.fault
    again = preview.result.table
    assert type(again) is type(table)
    if isinstance(table, CounterSeries) and isinstance(again, CounterSeries):
        assert again.mode == table.mode
        assert again.intervals["stage"].tolist() == table.intervals["stage"].tolist()
        np.testing.assert_array_equal(again.counts[table.events].to_numpy(), table.counts.to_numpy(dtype=float))
    elif isinstance(table, Subexperiments) and isinstance(again, Subexperiments):
        assert again.n_pmcs == table.n_pmcs
        for frame, twin in zip(table.frames, again.frames, strict=True):
            pd.testing.assert_frame_equal(frame.astype(float), twin.astype(float))
