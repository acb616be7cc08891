"""What was deleted comes back for a day, whole, and is never listed half."""

import errno
import os
import time
from pathlib import Path

import pytest

from hemcore.datasets import Subexperiments
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.shelf import store
from hemcore.datasets.shelf.store import DatasetRecord, DatasetStore
from hemcore.errors import StoreError, UnknownNameError

READINGS = b"a,b\n200,300\n201,301\n"
HOUR_S = 3600


@pytest.fixture
def shelf(tmp_path: Path) -> DatasetStore:
    return DatasetStore(tmp_path)


@pytest.fixture
def record(shelf: DatasetStore) -> DatasetRecord:
    return shelf.add([UploadedFile("mine.csv", READINGS)], name="mine")


def deleted(shelf: DatasetStore) -> list[str]:
    return os.listdir(shelf.root / "deleted")


def aged(shelf: DatasetStore, id: str, hours: float) -> None:
    os.utime(shelf.root / "deleted" / id, (time.time() - hours * HOUR_S,) * 2)


def test_what_was_deleted_comes_back_as_it_was(shelf: DatasetStore, record: DatasetRecord) -> None:
    shelf.rename(record.id, "named by me")
    shelf.delete(record.id)
    assert shelf.records() == []
    assert shelf.damaged() == []
    restored = DatasetStore(shelf.root).restore(record.id)
    assert restored.name == "named by me"
    assert shelf.records() == [restored]
    table = shelf.load(record.id)
    assert isinstance(table, Subexperiments)
    assert table.hems == ["a", "b"]
    assert deleted(shelf) == os.listdir(shelf.root / "incoming") == []


def test_deleting_is_one_rename(shelf: DatasetStore, record: DatasetRecord, monkeypatch: pytest.MonkeyPatch) -> None:
    moves = []
    real = os.rename
    monkeypatch.setattr(store.os, "rename", lambda old, new: (moves.append((old, new)), real(old, new)))
    shelf.delete(record.id)
    assert moves == [(shelf.root / "datasets" / record.id, shelf.root / "deleted" / record.id)]


def test_deleting_again_replaces_what_was_deleted_before(shelf: DatasetStore, record: DatasetRecord) -> None:
    shelf.delete(record.id)
    shelf.add([UploadedFile("mine.csv", READINGS)], name="second")
    shelf.delete(record.id)
    assert deleted(shelf) == [record.id]
    assert shelf.restore(record.id).name == "second"


def test_after_a_day_it_is_gone_when_a_store_opens(shelf: DatasetStore, record: DatasetRecord) -> None:
    old = shelf.root / "datasets" / record.id
    os.utime(old, (time.time() - 100 * HOUR_S,) * 2)  # the day begins with the deletion
    shelf.delete(record.id)
    DatasetStore(shelf.root)
    aged(shelf, record.id, 23.9)
    DatasetStore(shelf.root)
    assert deleted(shelf) == [record.id]
    aged(shelf, record.id, 24.1)
    DatasetStore(shelf.root)
    assert deleted(shelf) == os.listdir(shelf.root / "incoming") == []
    with pytest.raises(UnknownNameError, match=f"dataset '{record.id}' was not deleted in the last 24 hours: it cannot be restored"):
        shelf.restore(record.id)


@pytest.mark.parametrize("id", ["", "none", "0" * 64, "../datasets", "sample-phases", "../" + "0" * 61])
def test_what_was_never_deleted_is_told(shelf: DatasetStore, id: str) -> None:
    with pytest.raises(UnknownNameError, match="was not deleted in the last 24 hours"):
        shelf.restore(id)


def test_what_is_on_the_shelf_stays_as_it_is(shelf: DatasetStore, record: DatasetRecord) -> None:
    assert shelf.restore(record.id) == record
    shelf.delete(record.id)
    newer = shelf.add([UploadedFile("mine.csv", READINGS)], name="uploaded again")
    assert shelf.restore(record.id) == newer == shelf.record(record.id)


def test_a_damaged_one_on_the_shelf_gives_way_to_the_restored(shelf: DatasetStore, record: DatasetRecord) -> None:
    shelf.delete(record.id)
    shelf.add([UploadedFile("mine.csv", READINGS)], name="damaged")
    (shelf.root / "datasets" / record.id / "0000.parquet").write_bytes(b"PAR1")
    assert shelf.restore(record.id) == record
    assert isinstance(shelf.load(record.id), Subexperiments)


def test_an_upload_after_the_deletion_is_a_dataset_of_its_own(shelf: DatasetStore, record: DatasetRecord) -> None:
    shelf.delete(record.id)
    assert shelf.add([UploadedFile("mine.csv", READINGS)], name="again").name == "again"
    assert len(shelf.records()) == 1


@pytest.mark.parametrize("act", ["delete", "restore"])
def test_a_disk_that_refuses_gives_a_sentence_and_loses_nothing(
    shelf: DatasetStore, record: DatasetRecord, monkeypatch: pytest.MonkeyPatch, act: str
) -> None:
    if act == "restore":
        shelf.delete(record.id)

    def refused(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(store.os, "rename", refused)
    with pytest.raises(StoreError, match=f"Could not {act} the dataset in .*: Permission denied. Is the folder writable?"):
        getattr(shelf, act)(record.id)
    monkeypatch.undo()
    assert shelf.records() == ([record] if act == "delete" else [])
    assert shelf.restore(record.id) == record


def test_a_kill_before_the_rename_leaves_it_on_the_shelf(
    shelf: DatasetStore, record: DatasetRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    def killed(*_: object) -> None:
        raise Killed

    monkeypatch.setattr(store.os, "rename", killed)
    with pytest.raises(Killed):
        shelf.delete(record.id)
    monkeypatch.undo()
    again = DatasetStore(shelf.root)
    assert again.records() == [record]
    assert isinstance(again.load(record.id), Subexperiments)
