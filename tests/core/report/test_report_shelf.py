"""Reports on disk: found again, never half-written, never lost unnoticed."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from hemcore.errors import ParameterError, StoreError, UnknownNameError
from hemcore.report import Report, ReportItem, ReportShelf
from tests.core.report.conftest import hrm


@pytest.fixture
def shelf(tmp_path) -> ReportShelf:
    return ReportShelf(tmp_path)


def path_of(tmp_path, report: Report):
    return tmp_path / "reports" / f"{report.id}.json"


def titles(shelf: ReportShelf) -> list[str]:
    return [entry.title for entry in shelf.entries()]


def test_an_empty_shelf(shelf):
    assert shelf.entries() == []
    assert shelf.entries(deleted=True) == []


def test_it_is_where_the_datasets_are(tmp_path, monkeypatch):
    monkeypatch.setenv("HEM_DATA_DIR", str(tmp_path / "named"))
    report = ReportShelf().create("There")
    assert (tmp_path / "named" / "reports" / f"{report.id}.json").exists()


def test_what_is_saved_is_found_by_another_shelf(shelf, tmp_path, report):
    kept = shelf.save(report)
    again = ReportShelf(tmp_path)
    assert again.load(report.id) == kept
    assert kept.items == report.items
    entry = again.entries()[0]
    assert (entry.id, entry.title, entry.n_items, entry.changed, entry.damaged) == (report.id, "The merge", 2, kept.changed, "")


def test_the_one_changed_last_stands_first(shelf):
    first, second = shelf.create("first"), shelf.create("second")
    assert titles(shelf) == ["second", "first"]
    shelf.rename(first.id, "first, renamed")
    assert titles(shelf) == ["first, renamed", "second"]
    assert shelf.load(second.id).title == "second"


def test_an_edit_of_what_was_changed_elsewhere_is_refused(shelf, report, item):
    mine = shelf.save(report)
    shelf.add(mine.id, item)
    with pytest.raises(StoreError, match="changed elsewhere .* 3 items"):
        shelf.save(mine.but(title="Mine"))
    with pytest.raises(StoreError, match="changed elsewhere"):
        shelf.remove(mine.id, 0, seen_changed=mine.changed)
    now = shelf.load(mine.id)
    assert (now.title, len(now.items)) == ("The merge", 3)
    assert shelf.save(mine.but(title="Mine"), seen_changed=now.changed).title == "Mine"


def test_items_added_at_the_same_time_are_all_there(shelf, tmp_path):
    report = shelf.create("Busy")
    ready = threading.Barrier(8)

    def add(number: int) -> None:
        ready.wait()
        for each in range(5):
            ReportShelf(tmp_path).add(report.id, ReportItem(question=hrm(), title=f"{number} {each}"))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(add, range(8)))
    assert sorted(item.title for item in shelf.load(report.id).items) == sorted(f"{a} {b}" for a in range(8) for b in range(5))


def test_items_are_added_moved_and_removed(shelf, item):
    id = shelf.create("Items").id
    for title in ("a", "b", "c"):
        shelf.add(id, ReportItem(question=hrm(), title=title))
    assert [each.title for each in shelf.move(id, 0, 2).items] == ["b", "c", "a"]
    assert [each.title for each in shelf.remove(id, 1).items] == ["b", "a"]
    with pytest.raises(ParameterError, match="there are 2"):
        shelf.remove(id, 2)
    assert len(shelf.load(id).items) == 2


def test_a_change_cannot_move_to_another_report(shelf):
    one, other = shelf.create("one"), shelf.create("other")
    shelf.update(one.id, lambda report: report.but(id=other.id, title="changed"))
    assert (shelf.load(one.id).title, shelf.load(other.id).title) == ("changed", "other")


def test_a_copy_is_a_report_of_its_own(shelf, report):
    kept = shelf.save(report)
    copy = shelf.copy(kept.id)
    shelf.remove(copy.id, 0)
    assert copy.title == "Copy of The merge"
    assert shelf.copy(shelf.update(kept.id, lambda report: report.but(author="me")).id).author == "me"
    assert shelf.load(kept.id).items == report.items
    longest = shelf.create("x" * 300)
    assert len(shelf.copy(longest.id).title) == 300


def test_what_was_deleted_can_be_restored(shelf, report):
    kept = shelf.save(report)
    shelf.delete(kept.id)
    assert shelf.entries() == []
    assert [entry.title for entry in shelf.entries(deleted=True)] == ["The merge"]
    with pytest.raises(UnknownNameError):
        shelf.load(kept.id)
    assert shelf.restore(kept.id) == kept
    assert titles(shelf) == ["The merge"]
    assert shelf.entries(deleted=True) == []


def test_restoring_does_not_overwrite(shelf, report):
    kept = shelf.save(report)
    shelf.delete(kept.id)
    shelf.save(report.but(title="Again"))
    with pytest.raises(StoreError, match="already on the list"):
        shelf.restore(kept.id)
    assert shelf.load(kept.id).title == "Again"


@pytest.mark.parametrize("damage", [b"", b"{", b"\x00" * 100, b'{"format": "hem report 1", "report": {}}'])
def test_a_damaged_report_is_listed_and_the_others_stand(shelf, tmp_path, report, damage):
    good, bad = shelf.create("good"), shelf.save(report)
    path_of(tmp_path, bad).write_bytes(damage)
    entries = {entry.id: entry for entry in shelf.entries()}
    assert entries[good.id].title == "good"
    assert "damaged" in entries[bad.id].damaged
    with pytest.raises(StoreError, match="damaged"):
        shelf.load(bad.id)
    with pytest.raises(StoreError, match="damaged"):  # it is not overwritten either
        shelf.save(report)
    assert path_of(tmp_path, bad).read_bytes() == damage
    shelf.delete(bad.id)
    assert titles(shelf) == ["good"]


def test_one_altered_letter_is_noticed(shelf, tmp_path, report):
    path = path_of(tmp_path, shelf.save(report))
    path.write_bytes(path.read_bytes().replace(b"Look.", b"Lock."))
    assert "SHA-256" in shelf.entries()[0].damaged


def test_a_file_under_another_name_is_damaged(shelf, tmp_path, report):
    path = path_of(tmp_path, shelf.save(report))
    path.rename(path.with_name(f"{'0' * 32}.json"))
    assert "belongs to report" in shelf.entries()[0].damaged


@pytest.mark.parametrize("id", ["", "x", "../secret", "0" * 32, "0" * 31 + "\n"])
def test_ids_that_there_are_none_of(shelf, id):
    for act in (shelf.load, shelf.delete, shelf.restore, shelf.copy, lambda each: shelf.rename(each, "x")):
        with pytest.raises(UnknownNameError, match="does not exist here"):
            act(id)


def test_a_disk_that_takes_nothing_is_a_sentence(shelf, tmp_path, monkeypatch, report):
    kept = shelf.save(report)

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(StoreError, match="No space left"):
        shelf.rename(kept.id, "new")
    monkeypatch.undo()
    assert shelf.load(kept.id) == kept
    assert [path.name for path in (tmp_path / "reports").glob("*.partial")] == []
