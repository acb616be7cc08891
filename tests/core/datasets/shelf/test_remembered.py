"""Small files are read again where they changed, and only there."""

import os
from pathlib import Path

from hemcore.datasets.shelf.remembered import Remembered
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.report import ReportShelf


def test_a_file_is_read_once_until_it_is_replaced(tmp_path: Path) -> None:
    path, remembered, reads = tmp_path / "a.json", Remembered[str](), []

    def read() -> str:
        reads.append(path)
        return path.read_text()

    path.write_text("one")
    assert [remembered.of(path, read) for _ in range(3)] == ["one"] * 3
    assert len(reads) == 1
    (tmp_path / "b.json").write_text("three")
    os.replace(tmp_path / "b.json", path)
    assert remembered.of(path, read) == "three"


def test_a_file_that_is_not_there_is_asked_for_every_time(tmp_path: Path) -> None:
    remembered, reads = Remembered[None](), []
    for _ in range(2):
        remembered.of(tmp_path / "none.json", lambda: reads.append("asked"))
    assert len(reads) == 2


def test_lists_follow_what_another_process_writes(tmp_path: Path) -> None:
    mine, theirs = ReportShelf(tmp_path), ReportShelf(tmp_path)
    report = mine.create("before")
    assert [each.title for each in theirs.entries()] == ["before"]
    mine.rename(report.id, "after")
    assert [each.title for each in theirs.entries()] == ["after"]
    mine.delete(report.id)
    assert theirs.entries() == []
    assert [each.title for each in theirs.entries(deleted=True)] == ["after"]


def test_a_list_does_not_read_reports_again_that_stayed_as_they_were(tmp_path: Path, monkeypatch) -> None:
    shelf = ReportShelf(tmp_path)
    shelf.create("one")
    shelf.create("two")
    shelf.entries()
    monkeypatch.setattr(ReportShelf, "_read", lambda self, folder, id: (_ for _ in ()).throw(AssertionError(id)))
    assert {each.title for each in shelf.entries()} == {"one", "two"}


def test_a_record_that_gets_damaged_is_seen(tmp_path: Path) -> None:
    store = DatasetStore(tmp_path)
    folder = tmp_path / "datasets" / ("a" * 64)
    folder.mkdir()
    assert store.damaged() == ["a" * 64]
    (folder / "record.json").write_text("{")
    assert store.damaged() == ["a" * 64]
