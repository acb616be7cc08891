"""A result that is kept is a dataset with its lineage: once, whole or not at all, and the same after a restart."""

import dataclasses
import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from hemcore.datasets import CounterSeries, PhaseTable, SignatureTable, Subexperiments
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.shelf import library
from hemcore.datasets.shelf.records import DatasetRecord, Lineage
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.datasets.tables.kinds import Table
from hemcore.errors import HemError, ParameterError, StoreError, TableError, UnknownNameError

ROOT = Path(__file__).parents[4]
READINGS = b"a,b\n200,300\n201,301\n"


@pytest.fixture
def shelf(tmp_path: Path) -> DatasetStore:
    return DatasetStore(tmp_path)


def lineage(**changed: object) -> Lineage:
    given: dict = {
        "parent": "sample-subexperiments-much",
        "parent_name": "Request server, MUCH collection",
        "analysis": "hemcore.merge:much",
        "params": {"seed": 1, "dep_lvl": 0.9, "events": ["Ir", "Dw"], "anchor": None, "absolute": True, "of": {"b": 1, "a": 2}},
        "version": "0.1.0",
        "gives": "merged",
    }
    return Lineage(**(given | changed))


def merged(*values: float) -> PhaseTable:
    counts = list(values) or [10.0, 20.0]
    columns = {"program": "server", "granularity": "whole run", "load": "as merged", "phase": range(len(counts)), "Ir": counts}
    return PhaseTable(frame=pd.DataFrame(columns), counters=("Ir",))


FRAME = pd.DataFrame({"CPI": [1.0], "TPI": [1.0], "MEM_GBS": [1.0], "GFLOPS": [1.0]})
INTERVALS = pd.DataFrame({"application": ["s"], "run": [1], "interval": [1]})


@pytest.mark.parametrize(
    "table",
    [
        merged(),
        Subexperiments(frames=(pd.DataFrame({"a": [1]}),), n_pmcs=1),
        CounterSeries(intervals=INTERVALS, counts=pd.DataFrame({"Ir": [1.0]}), mode="MPX", share=pd.DataFrame({"Ir": [0.5]})),
        SignatureTable(frame=FRAME),
    ],
    ids=lambda table: type(table).__name__,
)
def test_a_kept_result_of_any_kind_is_a_dataset_with_its_lineage(shelf: DatasetStore, table: Table) -> None:
    record = shelf.keep(table, name="kept", lineage=lineage())
    assert (record.name, record.kind, record.source_names, record.lineage) == ("kept", type(table).__name__, (), lineage())
    assert len(record.id) == 64
    again = DatasetStore(shelf.root)
    assert again.records() == [record] == [again.record(record.id)]
    loaded = again.load(record.id)
    assert type(loaded) is type(table)
    for field in dataclasses.fields(table):
        one, two = getattr(loaded, field.name), getattr(table, field.name)
        if isinstance(two, pd.DataFrame):
            pd.testing.assert_frame_equal(one, two, check_exact=True)
    assert again.repairs(record.id).empty
    assert os.listdir(shelf.root / "incoming") == []
    assert library.load(record.id, shelf.root).__class__ is type(table)
    assert record.id in [entry.id for entry in library.entries(again, record.kind)]


def test_the_same_result_twice_is_one_dataset_under_its_first_name(shelf: DatasetStore) -> None:
    first = shelf.keep(merged(), name="first", lineage=lineage())
    turned = dict(reversed(lineage().params.items()))
    assert DatasetStore(shelf.root).keep(merged(), name="second", lineage=lineage(params=turned, parent_name="renamed")) == first
    assert shelf.records() == [first]


@pytest.mark.parametrize(
    "changed",
    [
        {"parent": "0" * 64},
        {"analysis": "hemcore.merge:hrm"},
        {"params": {"seed": 2}},
        {"params": {}},
        {"version": "0.2.0"},
        {"gives": "correlation"},
    ],
    ids=str,
)
def test_another_lineage_is_another_dataset(shelf: DatasetStore, changed: dict) -> None:
    one = shelf.keep(merged(), name="one", lineage=lineage())
    two = shelf.keep(merged(), name="one", lineage=lineage(**changed))
    assert one.id != two.id
    assert len(shelf.records()) == 2


def test_another_table_is_another_dataset(shelf: DatasetStore) -> None:
    ids = [shelf.keep(merged(*values), name="x", lineage=lineage()).id for values in ((), (10, 21), (10,))]
    assert len(set(ids)) == 3


@pytest.mark.slow
def test_the_id_is_the_same_in_another_process(shelf: DatasetStore, tmp_path: Path) -> None:
    program = f"""
import sys
import pandas as pd
from hemcore.datasets import SignatureTable
from hemcore.datasets.shelf.records import Lineage
from hemcore.datasets.shelf.store import DatasetStore
frame = pd.DataFrame({{"CPI": [1.0], "TPI": [1.0], "MEM_GBS": [1.0], "GFLOPS": [1.0]}})
lineage = Lineage(**{dataclasses.asdict(lineage())!r})
print(DatasetStore({str(tmp_path / "other")!r}).keep(SignatureTable(frame=frame), name="x", lineage=lineage).id)
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == shelf.keep(SignatureTable(frame=FRAME), name="x", lineage=lineage()).id


def test_an_upload_has_no_lineage_and_an_old_record_still_loads(shelf: DatasetStore) -> None:
    record = shelf.add([UploadedFile("mine.csv", READINGS)])
    assert record.lineage is None
    path = shelf.root / "datasets" / record.id / "record.json"
    old = json.loads(path.read_text())
    del old["lineage"], old["sha256"]
    path.write_text(json.dumps(old))
    assert shelf.records() == [record]


def test_renaming_keeps_the_lineage(shelf: DatasetStore) -> None:
    record = shelf.keep(merged(), name="first", lineage=lineage())
    renamed = shelf.rename(record.id, "second")
    assert renamed == dataclasses.replace(record, name="second") == shelf.record(record.id)
    assert isinstance(renamed.lineage, Lineage)


def test_a_name_is_cut_and_a_blank_one_is_refused(shelf: DatasetStore) -> None:
    assert shelf.keep(merged(), name="n" * 500, lineage=lineage()).name == "n" * 120
    with pytest.raises(ParameterError, match="name: it is blank"):
        shelf.keep(merged(), name=" ", lineage=lineage())


def test_what_is_no_table_or_cannot_be_kept_is_told(shelf: DatasetStore) -> None:
    with pytest.raises(TableError, match="table: a DataFrame; it must be one of"):
        shelf.keep(pd.DataFrame({"a": [1]}), name="x", lineage=lineage())  # type: ignore[arg-type]
    odd = SignatureTable(frame=FRAME.assign(EXTRA=[object()]))
    with pytest.raises(TableError, match="column 'EXTRA' cannot be kept"):
        shelf.keep(odd, name="x", lineage=lineage())
    assert os.listdir(shelf.root / "incoming") == []
    assert shelf.records() == []


@pytest.mark.parametrize(
    "params",
    [{"a": float("nan")}, {"a": float("inf")}, pytest.param({"a": object()}, id="an object"), {"a": {1}}, [1], None, "x"],
    ids=repr,
)
def test_params_that_are_not_plain_json_are_refused(params: object) -> None:
    with pytest.raises(ParameterError, match="lineage: params are not plain JSON"):
        lineage(params=params)


@pytest.mark.parametrize(("field", "value"), [("parent", ""), ("analysis", None), ("version", 1), ("gives", ""), ("parent_name", None)])
def test_a_lineage_says_what_is_missing(field: str, value: object) -> None:
    with pytest.raises(ParameterError, match=f"lineage: {field} is"):
        lineage(**{field: value})


def test_params_are_a_copy() -> None:
    given: dict = {"events": ["Ir"]}
    kept = lineage(params=given)
    given["events"].append("Dw")
    assert kept.params == {"events": ["Ir"]}
    assert hash(kept) == hash(lineage(params={"events": ["Ir"]}))


@pytest.mark.parametrize("damaged", ["x", 5, [], {}, {"parent": "x"}, dataclasses.asdict(lineage()) | {"params": 5}, {"more": 1}], ids=repr)
def test_a_damaged_lineage_is_a_damaged_record(shelf: DatasetStore, damaged: object) -> None:
    other = shelf.add([UploadedFile("mine.csv", READINGS)])
    record = shelf.keep(merged(), name="x", lineage=lineage())
    path = shelf.root / "datasets" / record.id / "record.json"
    old = {name: value for name, value in json.loads(path.read_text()).items() if name != "sha256"}
    path.write_text(json.dumps(old | {"lineage": damaged}))
    assert shelf.records() == [other]
    assert shelf.damaged() == [record.id]
    with pytest.raises(UnknownNameError, match="its record cannot be read"):
        shelf.record(record.id)
    assert shelf.keep(merged(), name="x", lineage=lineage()).lineage == lineage()
    assert shelf.damaged() == []


def test_a_record_nested_beyond_reading_is_damaged(shelf: DatasetStore) -> None:
    record = shelf.keep(merged(), name="x", lineage=lineage())
    (shelf.root / "datasets" / record.id / "record.json").write_text('{"lineage": ' + "[" * 100_000)
    assert shelf.damaged() == [record.id]


def test_damaged_files_are_mended_by_keeping_again(shelf: DatasetStore) -> None:
    record = shelf.keep(merged(), name="x", lineage=lineage())
    (shelf.root / "datasets" / record.id / "0000.parquet").write_bytes(b"PAR1")
    with pytest.raises(StoreError, match="its files are damaged"):
        shelf.load(record.id)
    assert shelf.keep(merged(), name="x", lineage=lineage()).id == record.id
    assert isinstance(shelf.load(record.id), PhaseTable)


@pytest.mark.parametrize("where", ["table_files.write", "write_durably", "sync", "os.rename"])
def test_a_full_disk_gives_a_sentence_and_loses_nothing(shelf: DatasetStore, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    before = shelf.keep(merged(), name="x", lineage=lineage())
    monkeypatch.setattr(f"hemcore.datasets.shelf.store.{where}", full)
    with pytest.raises(StoreError, match="The disk of .* is full: could not keep the dataset. Nothing was lost"):
        shelf.keep(merged(1), name="y", lineage=lineage())
    monkeypatch.undo()
    assert shelf.records() == [before]
    assert os.listdir(shelf.root / "incoming") == []


def test_a_kept_result_names_itself_as_its_fingerprint(shelf: DatasetStore) -> None:
    record = shelf.keep(merged(), name="x", lineage=lineage())
    assert library.fingerprint(record.id, shelf.root) == record.id
    with pytest.raises(HemError):
        library.fingerprint("0" * 64, shelf.root)


def test_records_are_equal_by_value(shelf: DatasetStore) -> None:
    record = shelf.keep(merged(), name="x", lineage=lineage())
    assert record == DatasetRecord(**vars(record))
    assert len({record, shelf.record(record.id)}) == 1
