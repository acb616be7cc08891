"""Datasets that no one opens go after a warning; pinned and opened ones stay; one server does it, once a day."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hemcore.datasets.owners import audit_log, people, whose
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.shelf import library, retention
from hemcore.datasets.shelf.store import DatasetStore

NOW = datetime.now(UTC)
ADA = whose.key_of("i", "ada")


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> DatasetStore:
    monkeypatch.setenv(retention.KEEP_DAYS, "30")
    people.signed_in(ADA, name="ada", email="", groups=(), base=tmp_path)
    return DatasetStore(whose.folder_of(ADA, tmp_path))


def added(store: DatasetStore, number: int, days: float) -> str:
    """A dataset that was opened last `days` days ago."""
    id = store.add([UploadedFile("a.csv", f"A,B\n{number + 500},200\n300,400\n500,600\n".encode())]).id
    opened = (NOW - timedelta(days)).timestamp()
    os.utime(store.folder(id), (opened, opened))
    return id


def day(days: float) -> str:
    return f"{NOW + timedelta(days):%Y-%m-%d}"


def test_it_goes_a_week_after_the_warning(store: DatasetStore, tmp_path: Path) -> None:
    """Opened 25, 100 and 22 days ago; kept 30 days, with a week of warning."""
    soon, late, fresh = (added(store, number, days) for number, days in enumerate((25, 100, 22)))
    assert retention.due(store.root) == {}
    assert retention.daily(tmp_path, NOW)
    assert dict(retention.due(store.root)) == {soon: day(7), late: day(7)}
    assert retention.delete_due(store.root, NOW + timedelta(6)) == []
    assert sorted(retention.delete_due(store.root, NOW + timedelta(7))) == sorted([soon, late])
    assert [each.id for each in store.records()] == [fresh]
    store.restore(soon)
    lines = [(line["what"], line["which"], line["source"]) for line in audit_log.lines(tmp_path)]
    assert ("dataset.delete", soon, "retention") in lines


def test_what_is_pinned_or_opened_stays(store: DatasetStore) -> None:
    pinned, opened = added(store, 0, 100), added(store, 1, 100)
    retention.delete_due(store.root, NOW)
    retention.pin(store.root, pinned, True)
    library.load(opened, store.root)
    assert dict(retention.due(store.root)) == {}
    assert retention.delete_due(store.root, NOW + timedelta(8)) == []
    retention.pin(store.root, pinned, False)
    retention.delete_due(store.root, NOW + timedelta(9))
    assert dict(retention.due(store.root)) == {pinned: day(16)}


def test_one_server_does_it_once_a_day(store: DatasetStore, tmp_path: Path) -> None:
    kept, gone = added(store, 0, 0), added(store, 1, 0)
    for path in store.folder(gone).iterdir():
        path.unlink()
    files = len(list((tmp_path / "contents").iterdir()))
    assert [retention.daily(tmp_path, NOW), retention.daily(tmp_path, NOW), retention.daily(tmp_path, NOW + timedelta(1))] == [
        True,
        False,
        True,
    ]
    assert len(list((tmp_path / "contents").iterdir())) < files
    store.load(kept)


def test_without_days_nothing_goes(store: DatasetStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(retention.KEEP_DAYS)
    added(store, 0, 10_000)
    retention.daily(tmp_path, NOW)
    assert (len(store.records()), dict(retention.due(store.root))) == (1, {})
