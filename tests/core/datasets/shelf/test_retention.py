"""Datasets, reports and models that no one opens go after a warning; pinned and opened ones stay; one server does it, once a day."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hemcore.datasets.owners import audit_log, people, whose
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.shelf import kept_files, library, retention
from hemcore.datasets.shelf.kept_files import KeptFiles
from hemcore.datasets.shelf.opened import set_opened
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.report import ReportShelf

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


def delete_report(root: Path, id: str) -> None:
    ReportShelf(root).delete(id)


def day(days: float) -> str:
    return f"{NOW + timedelta(days):%Y-%m-%d}"


def test_it_goes_a_week_after_the_warning(store: DatasetStore, tmp_path: Path) -> None:
    """Opened 25, 100 and 22 days ago; kept 30 days, with a week of warning."""
    soon, late, fresh = (added(store, number, days) for number, days in enumerate((25, 100, 22)))
    assert retention.due(store.root) == {}
    assert retention.daily(tmp_path, delete_report, NOW)
    assert dict(retention.due(store.root)) == {soon: day(7), late: day(7)}
    assert retention.delete_due(store.root, delete_report, NOW + timedelta(6)) == []
    assert sorted(retention.delete_due(store.root, delete_report, NOW + timedelta(7))) == sorted([soon, late])
    assert [each.id for each in store.records()] == [fresh]
    store.restore(soon)
    lines = [(line["what"], line["which"], line["source"]) for line in audit_log.lines(tmp_path)]
    assert ("dataset.delete", soon, "retention") in lines


def test_what_is_pinned_or_opened_stays(store: DatasetStore) -> None:
    pinned, opened = added(store, 0, 100), added(store, 1, 100)
    retention.delete_due(store.root, delete_report, NOW)
    retention.pin(store.root, pinned, True)
    library.load(opened, store.root)
    assert dict(retention.due(store.root)) == {}
    assert retention.delete_due(store.root, delete_report, NOW + timedelta(8)) == []
    retention.pin(store.root, pinned, False)
    retention.delete_due(store.root, delete_report, NOW + timedelta(9))
    assert dict(retention.due(store.root)) == {pinned: day(16)}


def test_one_server_does_it_once_a_day(store: DatasetStore, tmp_path: Path) -> None:
    kept, gone = added(store, 0, 0), added(store, 1, 0)
    for path in store.folder(gone).iterdir():
        path.unlink()
    files = len(list((tmp_path / "contents").iterdir()))
    assert [
        retention.daily(tmp_path, delete_report, NOW),
        retention.daily(tmp_path, delete_report, NOW),
        retention.daily(tmp_path, delete_report, NOW + timedelta(1)),
    ] == [
        True,
        False,
        True,
    ]
    assert len(list((tmp_path / "contents").iterdir())) < files
    store.load(kept)


def test_without_days_nothing_goes(store: DatasetStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(retention.KEEP_DAYS)
    added(store, 0, 10_000)
    retention.daily(tmp_path, delete_report, NOW)
    assert (len(store.records()), dict(retention.due(store.root))) == (1, {})


def test_reports_and_models_go_too(store: DatasetStore, tmp_path: Path) -> None:
    """Of each two, opened last 40 days ago; one is opened, or pinned, while its owner is warned."""
    reports, models = ReportShelf(store.root), KeptFiles(store.root / "models", ".model.npz", "model")
    ids = [reports.create("a").id, reports.create("b").id, models.keep(b"c"), models.keep(b"d")]
    paths = [path for id in ids for path in store.root.glob(f"*/{id}.*")]
    opened = (NOW - timedelta(40)).timestamp()
    for path in paths:
        os.utime(path, (opened, opened))
    reports.entries()  # a list opens nothing
    assert retention.delete_due(store.root, delete_report, NOW) == []
    assert dict(retention.due(store.root)) == dict.fromkeys(ids, day(7))
    assert reports.load(ids[0]).title == "a"
    assert models.load(ids[2]) == b"c"
    assert set(retention.due(store.root)) == {ids[1], ids[3]}
    assert {round(paths[number].stat().st_mtime - opened) for number in (2, 3)} == {0}  # models keep their order
    retention.pin(store.root, ids[3], True)
    assert retention.delete_due(store.root, delete_report, NOW + timedelta(7)) == [ids[1]]
    assert reports.restore(ids[1]).title == "b"
    retention.pin(store.root, ids[3], False)
    retention.delete_due(store.root, delete_report, NOW + timedelta(8))
    assert retention.delete_due(store.root, delete_report, NOW + timedelta(15)) == [ids[3]]
    assert models.ids() == [ids[2]]
    said = [(line["what"], line["which"], line["source"]) for line in audit_log.lines(tmp_path)]
    assert {("report.delete", ids[1], "retention"), ("model.delete", ids[3], "retention"), ("model.pin", ids[3], "")} <= set(said)


def test_reading_keeps_the_time_of_the_change(store: DatasetStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model's file, on a disk that notes no reading; and a file of one user's store, of which nothing is noted."""
    own, alone = store.root / "a", tmp_path / "a"
    for path in (own, alone):
        path.write_bytes(b"a")
        os.utime(path, (1000, 1000))
        set_opened(path, path.parent, read=True)
    assert (own.stat().st_mtime, own.stat().st_atime > 1000, alone.stat().st_atime) == (1000, True, 1000)
    set_opened(own, store.root)
    assert own.stat().st_mtime > 1000
    noted: list[tuple[Path, bool]] = []
    monkeypatch.setattr(kept_files, "set_opened", lambda path, root, *, read: noted.append((path, read)))
    models = KeptFiles(store.root / "models", ".npz", "model")
    id = models.keep(b"a")
    models.load(id)
    assert noted == [(store.root / "models" / f"{id}.npz", True)]
