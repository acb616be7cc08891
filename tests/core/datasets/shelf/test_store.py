"""The store keeps what was checked, whole or not at all, whatever stops it."""

import errno
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hemcore.datasets import CounterSeries, PhaseTable, SignatureTable, Subexperiments
from hemcore.datasets.owners import whose
from hemcore.datasets.readers.formats import ReadOptions
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.shelf import records, store, table_files
from hemcore.datasets.shelf.store import DatasetRecord, DatasetStore
from hemcore.datasets.tables.kinds import Table
from hemcore.errors import ParameterError, StoreError, TableError, UnknownNameError

ROOT = Path(__file__).parents[4]
T2080 = Path(__file__).parents[5] / "shared" / "data" / "t2080"
READINGS = b"X1,X24,X1.1,X110\n2000,300,2100,400\n2001,,2101,401\n2002,302,2102,402\n"
EACCT = b"JOBID;CPI;TPI;MEM_GBS;GFLOPS;NODENAME\n1;0.5;0.1;30;100;n1\n2;0;0;0;0;n2\n"


@pytest.fixture
def shelf(tmp_path: Path) -> DatasetStore:
    return DatasetStore(tmp_path)


@pytest.fixture
def readings(shelf: DatasetStore) -> DatasetRecord:
    return shelf.add(sent())


def sent(content: bytes = READINGS, name: str = "readings.csv") -> list[UploadedFile]:
    return [UploadedFile(name, content)]


def incoming(shelf: DatasetStore) -> list[str]:
    return os.listdir(shelf.root / "incoming")


def folder(shelf: DatasetStore, record: DatasetRecord) -> Path:
    return shelf.root / "datasets" / record.id


def full_disk(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_new_store_is_empty(shelf: DatasetStore) -> None:
    assert shelf.records() == []
    assert shelf.damaged() == []


def test_what_is_added_is_listed_and_comes_back(shelf: DatasetStore) -> None:
    record = shelf.add(sent(), name="T2080")
    assert shelf.records() == [record] == [shelf.record(record.id)]
    assert (record.name, record.kind, record.source_names) == ("T2080", "Subexperiments", ("readings.csv",))
    assert record.shape == "2 subexperiments, 3 HEMs, 2 PMCs, 2 to 3 runs each"
    assert record.notes == ("n_pmcs was proposed as 2, from where the first HEM repeats.",)
    assert record.created.endswith("+00:00")
    table = shelf.load(record.id)
    assert isinstance(table, Subexperiments)
    assert [frame.to_numpy().tolist() for frame in table.frames] == [[[2000, 300], [2002, 302]], [[2100, 400], [2101, 401], [2102, 402]]]
    assert shelf.repairs(record.id)["rows"].tolist() == [1]
    assert incoming(shelf) == []


def test_the_name_is_that_of_the_file_unless_given(shelf: DatasetStore, readings: DatasetRecord) -> None:
    assert readings.name == "readings.csv"
    assert len(shelf.add(sent(EACCT, "n" * 500)).name) == 120


def test_no_repair_is_a_table_without_rows(shelf: DatasetStore) -> None:
    assert shelf.repairs(shelf.add(sent(b"JOBID;CPI;TPI;MEM_GBS;GFLOPS\n1;0.5;0.1;30;100\n")).id).empty


def test_the_newest_stands_first(shelf: DatasetStore, readings: DatasetRecord) -> None:
    path = folder(shelf, readings) / "record.json"
    path.write_bytes(records.text(replace(readings, created="2001-01-01T00:00:00+00:00")))
    newer = shelf.add(sent(EACCT))
    assert [record.id for record in shelf.records()] == [newer.id, readings.id]


def test_renaming_changes_the_name_alone(shelf: DatasetStore, readings: DatasetRecord) -> None:
    before = set(os.listdir(folder(shelf, readings)))
    name = "<img src=x onerror=alert(1)> ../é"
    renamed = shelf.rename(readings.id, name)
    assert renamed == DatasetRecord(**(vars(readings) | {"name": name})) == shelf.record(readings.id)
    assert set(os.listdir(folder(shelf, readings))) == before
    assert shelf.rename(readings.id, "n" * 500).name == "n" * 120


def test_deleting_leaves_the_others(shelf: DatasetStore, readings: DatasetRecord) -> None:
    other = shelf.add(sent(EACCT))
    shelf.delete(readings.id)
    assert shelf.records() == [other]
    assert incoming(shelf) == []
    assert not folder(shelf, readings).exists()
    with pytest.raises(UnknownNameError):
        shelf.load(readings.id)
    assert shelf.add(sent()).id == readings.id


def test_the_same_upload_twice_is_one_dataset_and_read_once(shelf: DatasetStore, monkeypatch: pytest.MonkeyPatch) -> None:
    read = []
    real = store.Unpacked.read
    monkeypatch.setattr(store.Unpacked, "read", lambda files, **given: read.append(1) or real(files, **given))
    first = shelf.add(sent())
    assert shelf.add(sent(name="the same under another name.csv")) == first
    assert DatasetStore(shelf.root).add(sent()) == first
    assert len(read) == 1
    assert len(shelf.records()) == 1


def test_loading_does_not_read_the_upload_again(shelf: DatasetStore, readings: DatasetRecord, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store.Unpacked, "read", lambda *_, **__: pytest.fail("parsed again"))
    assert isinstance(DatasetStore(shelf.root).load(readings.id), Subexperiments)


def test_other_options_or_another_format_make_another_dataset(shelf: DatasetStore, readings: DatasetRecord) -> None:
    ids = {
        readings.id,
        shelf.add(sent(), options=ReadOptions(n_pmcs=1)).id,
        shelf.add(sent(), options=ReadOptions(min_mean=350)).id,
        shelf.add(sent(), format_key="subexperiments_stacked").id,
        shelf.add(sent(READINGS + b"2003,303,2103,403\n")).id,
    }
    assert len(ids) == len(shelf.records()) == 5


def test_a_new_store_on_the_same_folder_finds_everything(shelf: DatasetStore, readings: DatasetRecord) -> None:
    shelf.rename(readings.id, "kept")
    again = DatasetStore(shelf.root)
    assert again.records() == shelf.records()
    same(again.load(readings.id), shelf.load(readings.id))
    pd.testing.assert_frame_equal(again.repairs(readings.id), shelf.repairs(readings.id))


def test_the_folder_is_that_of_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEM_DATA_DIR", str(tmp_path / "deep" / "named"))
    assert DatasetStore().root == tmp_path / "deep" / "named"
    assert DatasetStore(tmp_path / "given").root == tmp_path / "given"
    assert DatasetStore().records() == []


def test_without_the_environment_it_is_the_users_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HEM_DATA_DIR", raising=False)
    monkeypatch.setattr(whose, "user_data_path", lambda name: tmp_path / name)
    assert DatasetStore().root == tmp_path / "hem-workbench"


def test_a_wrong_upload_leaves_nothing(shelf: DatasetStore) -> None:
    with pytest.raises(ParameterError):
        shelf.add(sent(), options=ReadOptions(n_pmcs=3))
    assert shelf.records() == []
    assert incoming(shelf) == []


@pytest.mark.parametrize("id", ["", "x", "../" * 21 + "x", "0" * 63, "0" * 65, "0" * 64, "A" * 64, "/" + "0" * 63, "0" * 64 + "\n"])
def test_an_id_that_is_none_or_unknown_is_told(shelf: DatasetStore, readings: DatasetRecord, id: str) -> None:
    for act in (shelf.record, shelf.load, shelf.repairs, shelf.delete, lambda id: shelf.rename(id, "x")):
        with pytest.raises(UnknownNameError, match="is not on this shelf"):
            act(id)
    assert shelf.records() == [readings]


def test_what_is_not_a_dataset_is_passed_over(shelf: DatasetStore, readings: DatasetRecord) -> None:
    (shelf.root / "datasets" / "notes").mkdir()
    (shelf.root / "datasets" / ".DS_Store").write_text("x")
    assert shelf.records() == [readings]
    assert shelf.damaged() == []


# --- What stops it

PRELUDE = """
import os, pathlib, sys, time
from hemcore.datasets.shelf import store
from hemcore.datasets.shelf import table_files
from hemcore.datasets.readers.uploaded_files import UploadedFile
root, content = pathlib.Path(sys.argv[1]), sys.argv[2].encode()
files = [UploadedFile("readings.csv", content)]
"""


def started(script: str, root: Path) -> subprocess.Popen:
    arguments = [sys.executable, "-c", PRELUDE + script, str(root), READINGS.decode()]
    return subprocess.Popen(arguments, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.slow
@pytest.mark.parametrize(
    "script",
    [
        "real = table_files.write\ndef cut(*args):\n    real(*args)\n    os._exit(9)\ntable_files.write = cut",
        "def cut(folder, *more):\n    (folder / '0000.parquet').write_bytes(b'PAR1')\n    os._exit(9)\ntable_files.write = cut",
        "os.rename = lambda *_: os._exit(9)",
    ],
    ids=["before the record", "in a file", "before the folder appears"],
)
def test_a_kill_in_the_middle_leaves_nothing_listed(shelf: DatasetStore, script: str) -> None:
    before = shelf.add(sent(EACCT))
    process = started(script + "\nstore.DatasetStore(root).add(files)", shelf.root)
    _, said = process.communicate(timeout=120)
    assert process.returncode == 9, said
    assert len(incoming(shelf)) == 1  # it had begun
    again = DatasetStore(shelf.root)
    assert again.records() == [before]
    assert again.damaged() == []
    assert again.load(again.add(sent()).id)


def test_what_a_kill_left_is_cleaned_when_it_is_old(shelf: DatasetStore) -> None:
    old, new = shelf.root / "incoming" / "old", shelf.root / "incoming" / "new"
    for left in (old, new):
        left.mkdir()
        (left / "0000.parquet").write_bytes(b"PAR1")
    os.utime(old, (time.time() - 25 * 3600,) * 2)
    os.utime(new, (time.time() - 23 * 3600,) * 2)
    DatasetStore(shelf.root)
    assert incoming(shelf) == ["new"]


def test_an_upload_that_ends_while_a_store_opens_is_no_error(shelf: DatasetStore) -> None:
    # A link to nothing is listed but has no state, just as a folder that is renamed between the two.
    (shelf.root / "incoming" / "gone").symlink_to(shelf.root / "nothing")
    assert DatasetStore(shelf.root).records() == []


def test_two_threads_with_the_same_upload(shelf: DatasetStore, monkeypatch: pytest.MonkeyPatch) -> None:
    both = threading.Barrier(2, timeout=60)
    real = store.Unpacked.read

    def together(*given: object, **named: object) -> object:
        result = real(*given, **named)  # type: ignore[arg-type]
        both.wait()  # neither has been kept when both are read
        return result

    monkeypatch.setattr(store.Unpacked, "read", together)
    with ThreadPoolExecutor(2) as pool:
        one, two = pool.map(lambda _: DatasetStore(shelf.root).add(sent()), range(2))
    assert one == two
    assert shelf.records() == [one]
    assert incoming(shelf) == []
    assert isinstance(shelf.load(one.id), Subexperiments)


def test_what_another_tab_kept_meanwhile_is_not_replaced(shelf: DatasetStore, monkeypatch: pytest.MonkeyPatch) -> None:
    real = store.Unpacked.read

    def while_reading(*arguments: object, **named: object) -> object:
        monkeypatch.setattr(store.Unpacked, "read", real)
        other = DatasetStore(shelf.root)
        other.rename(other.add(sent()).id, "named in the other tab")
        return real(*arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(store.Unpacked, "read", while_reading)
    assert shelf.add(sent()).name == "named in the other tab"
    assert len(shelf.records()) == 1
    assert incoming(shelf) == []


@pytest.mark.slow
def test_two_processes_with_the_same_upload(shelf: DatasetStore) -> None:
    script = """
real = store.Unpacked.read
def together(*given, **named):
    result = real(*given, **named)
    (root / f"ready-{os.getpid()}").touch()
    until = time.monotonic() + 60
    while len(list(root.glob("ready-*"))) < 2 and time.monotonic() < until:
        time.sleep(0.001)
    return result
store.Unpacked.read = together
print(store.DatasetStore(root).add(files).id)
"""
    processes = [started(script, shelf.root) for _ in range(2)]
    said = [process.communicate(timeout=120) for process in processes]
    assert [process.returncode for process in processes] == [0, 0], said
    assert len(list(shelf.root.glob("ready-*"))) == 2
    (record,) = shelf.records()
    assert {out.strip() for out, _ in said} == {record.id}
    assert incoming(shelf) == []


@pytest.mark.parametrize("where", ["table_files.write", "write_durably", "sync", "os.rename"])
def test_a_full_disk_gives_a_sentence_and_loses_nothing(shelf: DatasetStore, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    before = shelf.add(sent(EACCT))
    monkeypatch.setattr(f"hemcore.datasets.shelf.store.{where}", full_disk)
    with pytest.raises(StoreError, match="The disk of .* is full: could not keep the dataset. Nothing was lost; free some space"):
        shelf.add(sent())
    assert incoming(shelf) == []
    assert shelf.records() == [before]
    same(shelf.load(before.id), DatasetStore(shelf.root).load(before.id))
    monkeypatch.undo()
    assert len({shelf.add(sent()).id, before.id}) == len(shelf.records()) == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_what_parquet_says_of_a_full_disk_is_understood(shelf: DatasetStore, monkeypatch: pytest.MonkeyPatch) -> None:
    real = table_files.write

    def onto_a_full_device(folder: Path, table: Table, repairs: pd.DataFrame) -> None:
        (folder / "0000.parquet").symlink_to("/dev/full")
        real(folder, table, repairs)

    monkeypatch.setattr(table_files, "write", onto_a_full_device)
    with pytest.raises(StoreError, match="is full"):
        shelf.add(sent())
    assert incoming(shelf) == []


def test_a_full_disk_while_renaming_keeps_the_old_name(
    shelf: DatasetStore, readings: DatasetRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "write_durably", full_disk)
    with pytest.raises(StoreError, match="is full: could not rename the dataset"):
        shelf.rename(readings.id, "other")
    assert shelf.records() == [readings]


def test_a_disk_that_is_not_writable_says_so(shelf: DatasetStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(table_files, "write", refused)
    with pytest.raises(StoreError, match="Could not keep the dataset in .*: Permission denied. Is the folder writable?"):
        shelf.add(sent())


def test_a_folder_that_cannot_be_made_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match="Could not make the folder"):
        DatasetStore(tmp_path / "file" / "store")


# --- What was damaged


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "{}", '{"id": 1}', "\xff"])
def test_a_damaged_record_is_left_out_and_reported(shelf: DatasetStore, readings: DatasetRecord, text: str) -> None:
    other = shelf.add(sent(EACCT))
    (folder(shelf, readings) / "record.json").write_bytes(text.encode("latin-1"))
    assert shelf.records() == [other]
    assert shelf.damaged() == [readings.id]
    with pytest.raises(UnknownNameError, match="its record cannot be read"):
        shelf.record(readings.id)
    shelf.delete(readings.id)
    assert shelf.damaged() == []


@pytest.mark.parametrize(("field", "value"), [("created", None), ("name", 5), ("name", "\ud800"), ("id", "0" * 64), ("kind", "Phases")])
def test_a_record_with_a_wrong_value_is_damaged(shelf: DatasetStore, readings: DatasetRecord, field: str, value: object) -> None:
    other = shelf.add(sent(EACCT))
    path = folder(shelf, readings) / "record.json"
    path.write_bytes(records.text(replace(readings, **{field: value})))  # type: ignore[arg-type]
    assert shelf.records() == [other]
    assert shelf.damaged() == [readings.id]


def test_a_damaged_record_is_cured_by_uploading_again(shelf: DatasetStore, readings: DatasetRecord) -> None:
    (folder(shelf, readings) / "record.json").write_text("{")
    assert shelf.add(sent()).id == readings.id
    assert shelf.damaged() == []
    assert isinstance(shelf.load(readings.id), Subexperiments)


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: (path / "0000.parquet").write_bytes(b"PAR1"),
        lambda path: (path / "0000.parquet").write_bytes(b""),
        lambda path: (path / "0000.parquet").unlink(),
        lambda path: (path / "0001.parquet").unlink(),
        lambda path: (path / "table.json").unlink(),
        lambda path: (path / "table.json").write_text("null"),
        lambda path: (path / "table.json").write_text("{}"),
        lambda path: pd.DataFrame({"a": [-1]}).to_parquet(path / "0001.parquet"),
    ],
)
def test_damaged_files_are_told_and_can_be_deleted(shelf: DatasetStore, readings: DatasetRecord, damage: object) -> None:
    damage(folder(shelf, readings))  # type: ignore[operator]
    with pytest.raises(StoreError, match=f"dataset {readings.id[:8]}: its files are damaged .* Delete it and upload it again"):
        shelf.load(readings.id)
    shelf.delete(readings.id)
    assert isinstance(shelf.load(shelf.add(sent()).id), Subexperiments)


@pytest.mark.parametrize("file", ["0000.parquet", "table.json", "SHA256SUMS"])
def test_any_changed_bit_of_a_file_is_told(shelf: DatasetStore, file: str) -> None:
    record = shelf.add(sent(EACCT))
    path = folder(shelf, record) / file
    whole = path.read_bytes()
    chance = np.random.default_rng(0)
    for _ in range(100):
        damaged = bytearray(whole)
        damaged[chance.integers(len(whole))] ^= 1 << chance.integers(8)
        path.write_bytes(damaged)
        with pytest.raises(StoreError, match="its files are damaged"):
            shelf.load(record.id)


@pytest.mark.parametrize("file", ["repairs.parquet", "SHA256SUMS"])
def test_any_changed_bit_of_the_repairs_is_told_before_it_is_parsed(
    shelf: DatasetStore, readings: DatasetRecord, monkeypatch: pytest.MonkeyPatch, file: str
) -> None:
    monkeypatch.setattr(pd, "read_parquet", full_disk)
    for path, _ in flips(folder(shelf, readings) / file):
        assert path.name == file
        with pytest.raises(StoreError, match="list of repairs is damaged"):
            shelf.repairs(readings.id)


def test_any_changed_bit_of_a_record_is_told(shelf: DatasetStore, readings: DatasetRecord) -> None:
    other = shelf.add(sent(EACCT))
    for path, bit in flips(folder(shelf, readings) / "record.json"):
        assert records.read(path.parent) is None, bit
    for _ in flips(folder(shelf, readings) / "record.json", 3):
        assert DatasetStore(shelf.root).records() == [other]
        assert DatasetStore(shelf.root).damaged() == [readings.id]


def flips(path: Path, times: int = 300) -> Iterator[tuple[Path, int]]:
    """`path` with one bit changed, again and again, and as it was afterwards; with which bit."""
    whole = path.read_bytes()
    for bit in np.random.default_rng(0).integers(8 * len(whole), size=times):
        damaged = bytearray(whole)
        damaged[bit // 8] ^= 1 << bit % 8
        path.write_bytes(damaged)
        yield path, int(bit)
    path.write_bytes(whole)


def test_halves_of_characters_in_names_become_question_marks(shelf: DatasetStore) -> None:
    record = shelf.add(sent(name="a\ud800.csv"))
    assert (record.name, record.source_names) == ("a?.csv", ("a?.csv",))
    assert shelf.rename(record.id, "b\udfff").name == "b?"


def test_a_dataset_of_before_there_were_sums_still_loads(shelf: DatasetStore, readings: DatasetRecord) -> None:
    (folder(shelf, readings) / "SHA256SUMS").unlink()
    assert isinstance(shelf.load(readings.id), Subexperiments)


def test_damaged_files_are_mended_by_uploading_again(shelf: DatasetStore, readings: DatasetRecord) -> None:
    whole = shelf.load(readings.id)
    (folder(shelf, readings) / "0001.parquet").write_bytes(b"PAR1")
    assert shelf.add(sent()).id == readings.id
    pd.testing.assert_frame_equal(shelf.load(readings.id).frames[1], whole.frames[1])
    (folder(shelf, readings) / "repairs.parquet").unlink()
    assert shelf.add(sent()).id == readings.id
    shelf.repairs(readings.id)


@pytest.mark.parametrize("damage", [lambda path: path.write_bytes(b"PAR1"), lambda path: path.unlink(), lambda path: path.write_bytes(b"")])
def test_a_damaged_list_of_repairs_is_told(shelf: DatasetStore, readings: DatasetRecord, damage: object) -> None:
    damage(folder(shelf, readings) / "repairs.parquet")  # type: ignore[operator]
    with pytest.raises(StoreError, match="list of repairs is damaged"):
        shelf.repairs(readings.id)


@pytest.mark.parametrize("error", [pa.ArrowNotImplementedError("Integers not in cstdint"), TypeError("data type 'float74' not understood")])
def test_whatever_pyarrow_says_of_a_list_of_repairs_is_a_sentence(
    shelf: DatasetStore, readings: DatasetRecord, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """Both were seen when single bits of a Parquet file were changed."""

    def refused(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(pd, "read_parquet", refused)
    with pytest.raises(StoreError, match="list of repairs is damaged"):
        shelf.repairs(readings.id)
    with pytest.raises(StoreError, match="its files are damaged"):
        shelf.load(readings.id)


@pytest.mark.parametrize("before", [["subexperiment", "HEM", "what", "rows"], ["where", "event", "what", "intervals"]])
def test_lists_of_repairs_of_before_there_was_one_form_are_shown_in_it(
    shelf: DatasetStore, readings: DatasetRecord, before: list[str]
) -> None:
    kept = shelf.repairs(readings.id)
    (folder(shelf, readings) / "SHA256SUMS").unlink()
    kept.set_axis([*before, "value", "bound"], axis=1).to_parquet(folder(shelf, readings) / "repairs.parquet")
    pd.testing.assert_frame_equal(shelf.repairs(readings.id), kept)
    assert list(kept.columns) == ["where", "column", "what", "rows", "value", "bound"]


# --- Tables there and back


def same(one: Table, two: Table) -> None:
    assert type(one) is type(two)
    assert vars(one).keys() == vars(two).keys()
    for name, value in vars(one).items():
        values = (value, vars(two)[name])
        for left, right in zip(*(each if isinstance(each, tuple) else (each,) for each in values), strict=True):
            if isinstance(left, pd.DataFrame):
                pd.testing.assert_frame_equal(left, right, check_exact=True, check_column_type=False)
            else:
                assert left == right


def there_and_back(table: Table, path: Path) -> None:
    path.mkdir(exist_ok=True)
    table_files.write(path, table)
    same(table_files.read(path, type(table).__name__), table)


def test_subexperiments_there_and_back(tmp_path: Path) -> None:
    frames = (
        pd.DataFrame({"<img src=x>": [1, 2], "=cmd()": [0.5, np.nan]}),
        pd.DataFrame({"b": np.array([2**63 + 1], dtype=np.uint64), "c.1": np.array([1.5], dtype=np.float32)}),
    )
    there_and_back(Subexperiments(frames=frames, n_pmcs=3, labels=("α.csv", "../b")), tmp_path)


def test_more_than_ten_subexperiments_stay_in_order(tmp_path: Path) -> None:
    there_and_back(Subexperiments(frames=tuple(pd.DataFrame({"a": [number]}) for number in range(120)), n_pmcs=1), tmp_path)


@pytest.mark.parametrize("mode", ["OCOE", "MPX"])
def test_series_there_and_back(tmp_path: Path, mode: str) -> None:
    intervals = pd.DataFrame({"application": "sort", "run": [1, 1, 2], "interval": [0, 1, 0], "stage": ["a", None, "b"]})
    counts = pd.DataFrame({"Ir": [1.0, np.nan, 3.0], "Bc": [4, 5, 6]})
    share = pd.DataFrame({"Ir": [1.0, 0.0, 0.25], "Bc": [1.0, 1.0, 1.0]}) if mode == "MPX" else None
    there_and_back(CounterSeries(intervals=intervals, counts=counts, mode=mode, share=share, interval_unit="0.5 s"), tmp_path)  # type: ignore[arg-type]


def test_an_uploaded_series_keeps_share_and_stage(shelf: DatasetStore) -> None:
    perf = b"""     0.500000000,100,,cycles,500,100.00,,
     0.500000000,50,,instructions,250,50.00,,
     1.000000000,110,,cycles,500,100.00,,
     1.000000000,<not counted>,,instructions,0,0.00,,
"""
    sliced = shelf.load(shelf.add(sent(perf, "perf.csv")).id)
    assert isinstance(sliced, CounterSeries)
    assert (sliced.mode, sliced.interval_unit) == ("MPX", "0.5 s")
    assert sliced.share is not None
    assert sliced.share["instructions"].iloc[0] == pytest.approx(0.5)
    assert sliced.counts["instructions"].isna().tolist() == [False, True]

    record = shelf.add(sent(b"time,phase,A,B\n0.5,init,1,\n1.0,,2,7\n", "wide.csv"))
    staged = shelf.load(record.id)
    assert isinstance(staged, CounterSeries)
    assert (record.kind, record.shape) == ("CounterSeries", "1 application, 1 run, 2 intervals, 2 events, OCOE")
    assert staged.intervals["stage"].isna().tolist() == [False, True]
    assert staged.intervals["time"].tolist() == [0.5, 1.0]
    assert staged.counts["B"].isna().tolist() == [True, False]


def test_the_repairs_of_an_uploaded_series_are_kept(shelf: DatasetStore) -> None:
    counters = "time,A\n" + "".join(f"{time},{value}\n" for time, value in enumerate([5, 9, 2, 4]))
    record = shelf.add(sent(counters.encode()), format_key="series_cumulative")
    (repair,) = shelf.repairs(record.id).to_dict("records")
    assert (repair["column"], repair["rows"], repair["value"], repair["bound"]) == ("A", 1, 2, 9)
    assert shelf.repairs(shelf.add(sent(b"time,A\n1,5\n")).id).empty


@pytest.mark.parametrize("granularity", [10, "whole run"])
def test_phases_there_and_back(tmp_path: Path, granularity: object) -> None:
    frame = pd.DataFrame(
        {
            "program": "sort",
            "granularity": [granularity] * 2,
            "load": "single core",
            "phase": [0, 1],
            "Ir": [1.0, np.nan],
            "other": ["x", "y"],
        }
    )
    there_and_back(PhaseTable(frame=frame, counters=("Ir",)), tmp_path)


def test_signatures_there_and_back(tmp_path: Path) -> None:
    frame = pd.DataFrame({"JOBID": [1, 2], "CPI": [0.5, np.nan], "TPI": 0.1, "MEM_GBS": 3, "GFLOPS": 1e-300, "NODENAME": ["n1", None]})
    frame["CLASS"] = pd.Categorical(["a", "b"])
    there_and_back(SignatureTable(frame=frame), tmp_path)


def test_a_column_that_parquet_does_not_keep_is_told(shelf: DatasetStore) -> None:
    huge = EACCT.replace(b"NODENAME", b"EXTRA").replace(b"n1", b"9" * 26).replace(b"n2", b"1")
    with pytest.raises(TableError, match="column 'EXTRA' cannot be kept"):
        shelf.add(sent(huge))
    assert incoming(shelf) == []


counts = st.one_of(st.just(np.nan), st.floats(0, 1e30))


@pytest.mark.slow
@settings(deadline=None, max_examples=50)
@given(
    data=st.data(),
    names=st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip), min_size=1, max_size=4, unique=True),
)
def test_any_subexperiments_there_and_back(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, names: list[str]) -> None:
    rows = data.draw(st.integers(1, 5))
    frame = pd.DataFrame({name: data.draw(st.lists(counts, min_size=rows, max_size=rows)) for name in names})
    there_and_back(Subexperiments(frames=(frame, frame.iloc[:1]), n_pmcs=4), tmp_path_factory.mktemp("table"))


@pytest.mark.slow
@pytest.mark.skipif(not T2080.exists(), reason="the T2080 readings are not here (../shared/data/t2080)")
@pytest.mark.parametrize(("file", "subexperiments"), [("t2080_much_raw.csv", 24), ("t2080_hrm_raw.csv", 3)])
def test_the_t2080_readings_are_kept(shelf: DatasetStore, file: str, subexperiments: int) -> None:
    record = shelf.add([UploadedFile(file, (T2080 / file).read_bytes())])
    assert record.shape == f"{subexperiments} subexperiments, 16 HEMs, 6 PMCs, 1,000 runs each"
    table = shelf.load(record.id)
    assert isinstance(table, Subexperiments)
    raw = pd.read_csv(T2080 / file)
    assert np.array_equal(np.hstack([frame.to_numpy() for frame in table.frames]), raw.to_numpy())


# --- Who may look


def test_nobody_else_may_look_into_the_store(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        shelf = DatasetStore(tmp_path / "made" / "store")
        shelf.add(sent())
    finally:
        os.umask(before)
    assert {oct(path.stat().st_mode & 0o777) for path in (shelf.root, *shelf.root.iterdir())} == {"0o700"}


def test_a_store_of_before_is_closed_and_a_home_stays_as_it_is(tmp_path: Path) -> None:
    old, home = tmp_path / "old", tmp_path / "home"
    (old / "datasets").mkdir(parents=True)
    home.mkdir()
    (home / "letters").write_text("mine")
    for folder in (old, old / "datasets", home):
        folder.chmod(0o755)
        DatasetStore(old if folder != home else home)
    assert old.stat().st_mode & 0o777 == (old / "datasets").stat().st_mode & 0o777 == 0o700
    assert home.stat().st_mode & 0o777 == 0o755
    assert (home / "datasets").stat().st_mode & 0o777 == 0o700
