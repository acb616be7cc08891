"""Uploads that wait for a worker."""

import gzip
import io
import json
import zipfile
from pathlib import Path

import pytest

from hemcore.datasets.readers.repairs import Note
from hemcore.datasets.readers.uploaded_files import UploadedFile, larger_than
from hemcore.datasets.shelf import staged
from hemcore.datasets.shelf.incoming_files import files_in
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.errors import HemError, ReadError, StoreError
from hemcore.jobs import codec

SERIES = b"application,run,interval,x\n" + b"".join(b"p,0,%d,%d\n" % (number, 5 + number % 7) for number in range(50))

PROSE = b"Dear reader,\nthis, in short, is not a table.\n"


def told(done: float, note: str = "") -> None:
    assert 0 <= done <= 1


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> DatasetStore:
    monkeypatch.setenv("HEM_DATA_DIR", str(tmp_path))
    return DatasetStore()


def test_staged_files_are_read_and_gone(store: DatasetStore) -> None:
    id = staged.stage([UploadedFile("../a\ud800.csv", SERIES)])
    assert staged.look_into_staged(staged=id, progress=told).matches[0].format.kind == "CounterSeries"
    found = staged.add_staged(staged=id, format_key=None, options={}, name="mine", progress=told)
    assert found == {"id": store.records()[0].id, "was_there": False}
    assert list((store.root / "incoming").iterdir()) == []
    again = staged.add_staged(staged=staged.stage([UploadedFile("b.csv", SERIES)]), format_key=None, options={}, name="b", progress=told)
    assert again == {"id": found["id"], "was_there": True}
    with pytest.raises(StoreError, match="no longer there"):
        staged.look_into_staged(staged=id, progress=told)


def test_what_cannot_be_read_stays_to_be_read_otherwise(store: DatasetStore) -> None:
    id = staged.stage([UploadedFile("prose.txt", PROSE)])
    assert "not recognised" in staged.look_into_staged(staged=id, progress=told).fault
    with pytest.raises(ReadError):
        staged.add_staged(staged=id, format_key=None, options={}, name="x", progress=told)
    assert staged.look_into_staged(staged=id, progress=told).fault
    staged.discard(id)
    assert list((store.root / "incoming").iterdir()) == []


def test_a_file_sent_again_is_not_mistaken_for_one_that_is_gone(store: DatasetStore) -> None:
    (first,) = files_in(store.root / "incoming" / staged.stage([UploadedFile("a.csv", SERIES)]), "sent")
    (second,) = files_in(store.root / "incoming" / staged.stage([UploadedFile("a.csv", SERIES)]), "sent")
    (other,) = files_in(store.root / "incoming" / staged.stage([UploadedFile("a.csv", SERIES[:-1] + b" ")]), "sent")
    assert (first == second, first == other, first == UploadedFile("a.csv", SERIES), first == UploadedFile("b.csv", SERIES)) == (
        True, False, True, False)  # fmt: skip
    (gone,) = files_in(store.root / "incoming" / (id := staged.stage([UploadedFile("a.csv", SERIES)])), "sent")
    staged.discard(id)
    assert {gone: 1}.get(second) is None


def test_files_become_a_dataset_each_or_none_does(store: DatasetStore) -> None:
    other = SERIES.replace(b"p,0", b"q,0")
    ids = [staged.stage([UploadedFile(name, content)]) for name, content in (("a.csv", SERIES), ("b.csv", other))]
    found = staged.add_each(staged=ids, progress=told)
    assert [store.record(each["id"]).name for each in found] == ["a.csv", "b.csv"]
    ids = [staged.stage([UploadedFile(*each)]) for each in (("c.csv", SERIES.replace(b"p,0", b"r,0")), ("prose.txt", PROSE))]
    with pytest.raises(ReadError, match="prose.txt: .*Add it alone"):
        staged.add_each(staged=ids, progress=told)
    assert len(store.records()) == 2
    assert list((store.root / "incoming").iterdir()) == []


@pytest.mark.parametrize("name", ["", "../datasets", "0" * 31, "g" * 32])
def test_other_names_lead_nowhere(store: DatasetStore, name: str) -> None:
    for call in (lambda: staged.discard(name), lambda: staged.look_into_staged(staged=name, progress=told)):
        with pytest.raises(HemError, match="no upload of that name"):
            call()


def test_archives_count_as_what_is_in_them() -> None:
    zeros = bytes(1_000_000)
    to = io.BytesIO()
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros", zeros)
    for content in (zeros, gzip.compress(zeros), to.getvalue()):
        assert larger_than([UploadedFile("f", content)], 999_999)
        assert not larger_than([UploadedFile("f", content)], 1_100_000)
    assert larger_than([UploadedFile("a", bytes(60)), UploadedFile("b", bytes(60))], 100)
    assert not larger_than([UploadedFile("f", b"")], 100)
    assert larger_than([UploadedFile("f", b""), UploadedFile("g", bytes(101))], 100)


def test_files_of_exactly_the_size_are_not_larger() -> None:
    # 60 + 40 bytes are 100, and no more.
    assert not larger_than([UploadedFile("a", bytes(60)), UploadedFile("b", bytes(40))], 100)
    assert larger_than([UploadedFile("a", bytes(60)), UploadedFile("b", bytes(41))], 100)


def test_unpacked_files_take_the_place_of_those_that_were_sent(store: DatasetStore) -> None:
    id = staged.stage([UploadedFile("a.csv.gz", gzip.compress(SERIES))])
    folder = store.root / "incoming" / id
    assert sorted(each.name for each in folder.iterdir()) == ["sent", "sent.json"]
    found = staged.look_into_staged(staged=id, progress=told)
    assert sorted(each.name for each in folder.iterdir()) == ["sent.json", "unpacked", "unpacked.json"]
    assert (folder / "unpacked" / "0").read_bytes() == SERIES
    assert staged.look_into_staged(staged=id, progress=told) == found
    staged.add_staged(staged=id, format_key=None, options={}, name="mine", progress=told)
    assert store.records()[0].source_names == ("a.csv.gz",)


def _runs(count: int) -> list[UploadedFile]:
    return [UploadedFile(f"run_{number:03}.csv", b"time,cycles\n0.1,%d\n0.2,%d\n" % (number, number + 1)) for number in range(count)]


def _zip_of(files: list[UploadedFile]) -> UploadedFile:
    to = io.BytesIO()
    with zipfile.ZipFile(to, "w") as archive:
        for file in files:
            archive.writestr(file.name, file.content)
    return UploadedFile("runs.zip", to.getvalue())


def test_many_files_are_left_to_a_worker_however_small_they_are() -> None:
    assert not staged.takes_long(_runs(30))
    assert staged.takes_long(_runs(31))
    assert not staged.takes_long([_zip_of(_runs(29))])  # and the archive itself
    assert staged.takes_long([_zip_of(_runs(30))])


def test_the_first_look_has_the_previews_that_the_page_asks_for_next(store: DatasetStore) -> None:
    files = _runs(40)
    found, previews = staged.first_look(staged=staged.stage(files), progress=told)
    id = staged.stage(files)
    assert found == staged.look_into_staged(staged=id, progress=told)
    assert [key[0] for key in previews] == ["", '{"format":"series_wide"}']
    for (recipe, options), shown in previews.items():
        again = staged.preview_staged(staged=id, progress=told, recipe=recipe, options=json.loads(options) if options else None, brief=True)
        assert (shown.summary, shown.recipe, shown.result) == (again.summary, again.recipe, None)
        assert shown.summary == "1 application, 40 runs, 80 intervals, 1 event, OCOE"


def test_a_tool_s_first_look_makes_no_preview(store: DatasetStore) -> None:
    perf = [UploadedFile(f"{run}.csv", b"100,,cycles,1000,100.00,,\n90,,instructions,1000,100.00,,\n") for run in range(2)]
    found, previews = staged.first_look(staged=staged.stage(perf), progress=told)
    assert (found.matches[0].key, previews) == ("perf_stat_csv", {})


def test_a_first_look_claims_no_progress_before_it_has_made_some(store: DatasetStore) -> None:
    """The time left is judged by it: a tenth claimed at once promised 3 s of 40."""
    heard: list[float] = []
    staged.first_look(staged=staged.stage(_runs(40)), progress=lambda done, note: heard.append(done))
    assert heard == sorted(heard)
    assert heard[0] == heard[1] == 0, "the files are unpacked, and none was looked at"
    assert heard[2] > 0.28
    assert heard[-1] > 0.85


def test_a_first_look_at_many_files_comes_back_from_a_worker(store: DatasetStore, tmp_path: Path) -> None:
    """With what all files share, which is said once and carries what is asked about it."""
    files = [UploadedFile(f"{run}.csv", b"Messung %d im Labor\nZeit;cycles\n0,5;%d\n1,0;%d\n" % (run, run, run + 1)) for run in range(40)]
    looked = staged.first_look(staged=staged.stage(files), progress=told)
    assert any(isinstance(note, Note) for shown in looked.previews.values() for note in shown.repairs)
    codec.write(tmp_path / "first", looked)
    again = codec.read(tmp_path / "first")
    assert again.found == looked.found
    assert [each.repairs for each in again.previews.values()] == [each.repairs for each in looked.previews.values()]


def test_a_first_look_at_many_files_ends_where_it_is_cancelled(store: DatasetStore) -> None:
    def cancelled(done: float, note: str) -> None:
        if done > 0.8:  # while the reader of series goes through the files
            raise InterruptedError

    files = _runs(40)
    id = staged.stage(files)
    with pytest.raises(InterruptedError):
        staged.first_look(staged=id, progress=cancelled)
    assert staged.first_look(staged=id, progress=told).found.matches[0].key == "series_wide"  # nothing of the upload was lost
