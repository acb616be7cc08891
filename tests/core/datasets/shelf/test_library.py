"""Samples and uploads stand on one shelf and are loaded by their ids."""

import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from hemcore import datasets
from hemcore.datasets import Subexperiments
from hemcore.datasets.readers.uploaded_files import UploadedFile, files_id
from hemcore.datasets.shelf import library, samples
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.errors import ReadError, UnknownNameError

ROOT = Path(__file__).parents[4]
READINGS = b"a,b\n200,300\n201,301\n"


@pytest.fixture
def shelf(tmp_path: Path) -> DatasetStore:
    return DatasetStore(tmp_path)


def test_an_empty_shelf_still_has_the_samples(shelf: DatasetStore) -> None:
    entries = library.entries(shelf)
    assert [entry.id for entry in entries] == [f"sample-{name}" for name in samples.names()]
    assert all(entry.bundled for entry in entries)


def test_uploads_stand_before_the_samples(shelf: DatasetStore) -> None:
    record = shelf.add([UploadedFile("mine.csv", READINGS)])
    first, *others = library.entries(shelf)
    assert first == library.Entry(record.id, "mine.csv", "Subexperiments", False)
    assert others
    assert all(entry.bundled for entry in others)


@pytest.mark.parametrize("kind", ["Subexperiments", "CounterSeries", "PhaseTable", "SignatureTable"])
def test_one_kind_alone(shelf: DatasetStore, kind: str) -> None:
    shelf.add([UploadedFile("mine.csv", READINGS)])
    entries = library.entries(shelf, kind)
    assert entries == [entry for entry in library.entries(shelf) if entry.kind == kind]
    assert any(entry.bundled for entry in entries)
    assert any(not entry.bundled for entry in entries) == (kind == "Subexperiments")


def test_no_entry_of_a_kind_that_there_is_not(shelf: DatasetStore) -> None:
    assert library.entries(shelf, "Spreadsheet") == []


def test_labels_tell_uploads_of_one_name_apart(shelf: DatasetStore) -> None:
    ids = [shelf.add([UploadedFile("mine.csv", content)]).id for content in (READINGS, READINGS + b"202,302\n")]
    entries = library.entries(shelf)
    assert {entry.label for entry in entries if not entry.bundled} == {f"mine.csv · {id[:8]}" for id in ids}
    assert len({entry.label for entry in entries}) == len(entries)
    assert all(entry.label == f"{entry.name} · sample" for entry in entries if entry.bundled)


def test_an_upload_named_like_a_sample_is_another_entry(shelf: DatasetStore) -> None:
    title = samples.title("subexperiments-hrm")
    shelf.add([UploadedFile("mine.csv", READINGS)], name=title)
    assert len({entry.label for entry in library.entries(shelf) if entry.name == title}) == 2


def test_a_sample_is_found_by_the_label_that_it_had(shelf: DatasetStore) -> None:
    labels = {entry.label: entry.id for entry in library.entries(shelf)}
    assert labels[str(library.renamed("Eight staged programs, every event counted · sample"))] == "sample-series-ocoe"
    assert labels[str(library.renamed("Eight staged programs, one slot in four counted · sample"))] == "sample-series-mpx"
    # An upload of that name is another dataset, and what has its name still was not renamed.
    uploaded = "Eight staged programs, every event counted · 12345678"
    assert [library.renamed(label) for label in (uploaded, "Eight staged programs, every event counted", *labels)] == [None] * (
        2 + len(labels)
    )


def test_a_stored_id_loads_what_was_stored(shelf: DatasetStore) -> None:
    record = shelf.add([UploadedFile("mine.csv", READINGS)])
    table = library.load(record.id, shelf.root)
    assert isinstance(table, Subexperiments)
    pd.testing.assert_frame_equal(table.frames[0], pd.DataFrame({"a": [200, 201], "b": [300, 301]}))


def test_the_folder_is_that_of_the_environment_unless_given(shelf: DatasetStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = shelf.add([UploadedFile("mine.csv", READINGS)])
    monkeypatch.setenv("HEM_DATA_DIR", str(shelf.root))
    assert isinstance(library.load(record.id), Subexperiments)
    with pytest.raises(UnknownNameError):
        library.load(record.id, tmp_path / "other")


def test_a_sample_id_needs_no_store(tmp_path: Path) -> None:
    table = library.load("sample-subexperiments-hrm", tmp_path / "not made")
    assert isinstance(table, Subexperiments)
    assert table.hems == samples.load("subexperiments-hrm").hems  # type: ignore[union-attr]
    assert not (tmp_path / "not made").exists()


def test_hemcore_datasets_hands_out_load(shelf: DatasetStore, monkeypatch: pytest.MonkeyPatch) -> None:
    sample = datasets.load("sample-series-ocoe")
    assert isinstance(sample, datasets.CounterSeries)
    assert sample.mode == "OCOE"
    record = shelf.add([UploadedFile("mine.csv", READINGS)])
    assert isinstance(datasets.load(record.id, shelf.root), Subexperiments)
    monkeypatch.setenv("HEM_DATA_DIR", str(shelf.root))
    assert isinstance(datasets.load(record.id), Subexperiments)


@pytest.mark.slow
def test_a_table_type_is_had_without_the_readers_and_the_store() -> None:
    program = "import sys, hemcore.datasets\nprint(*(name for name in sys.modules if name.startswith('hemcore.datasets.')))"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split()
    assert [name for name in done.stdout.split() if not name.startswith("hemcore.datasets.tables")] == []


def test_the_fingerprint_of_a_sample_is_of_its_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    prints = {name: library.fingerprint(f"sample-{name}", tmp_path) for name in samples.names()}
    assert len(set(prints.values())) == len(prints)
    for name, found in prints.items():
        assert found == files_id([UploadedFile(path.name, path.read_bytes()) for path in samples.files(name)])
    assert [path.name for path in samples.files("series-ocoe")] == ["ocoe.parquet"]
    assert len(samples.files("subexperiments-hrm")) == len(samples.load("subexperiments-hrm").frames)  # type: ignore[union-attr]
    monkeypatch.setattr(samples, "FOLDER", tmp_path)
    assert library.fingerprint("sample-phases") == prints["phases"]  # taken once a process
    with pytest.raises(ReadError, match="the sample file is missing"):
        samples.files("phases")


def test_the_fingerprint_of_an_upload_is_its_id(shelf: DatasetStore, tmp_path: Path) -> None:
    record = shelf.add([UploadedFile("mine.csv", READINGS)])
    assert library.fingerprint(record.id, shelf.root) == record.id


@pytest.mark.parametrize("id", ["", "sample-", "sample-none", "none", "0" * 64])
def test_what_is_not_here_has_no_fingerprint(shelf: DatasetStore, id: str) -> None:
    with pytest.raises(UnknownNameError):
        library.fingerprint(id, shelf.root)


@pytest.mark.slow
def test_every_entry_is_of_the_kind_that_it_says(shelf: DatasetStore) -> None:
    shelf.add([UploadedFile("mine.csv", READINGS)])
    for entry in library.entries(shelf):
        assert type(library.load(entry.id, shelf.root)).__name__ == entry.kind


@pytest.mark.parametrize("id", ["", "sample-", "sample-none", "sample-../samples", "none", "0" * 64, "../" + "0" * 61])
def test_an_unknown_id_is_told(shelf: DatasetStore, id: str) -> None:
    with pytest.raises(UnknownNameError):
        library.load(id, shelf.root)


def test_rows_of_what_is_stored_and_0_of_all_else(shelf: DatasetStore) -> None:
    record = shelf.add([UploadedFile("mine.csv", READINGS)])
    assert [library.rows(each, shelf.root) for each in (record.id, "0" * 64, "sample-hems-t2080")] == [2, 0, 0]
