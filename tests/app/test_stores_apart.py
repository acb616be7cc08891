"""What the fixture of the page tests keeps between tests: what is known of the bundled samples, and nothing of a test's own store."""

import threading

import pytest

from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.shelf import library
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.errors import UnknownNameError
from hemcore.web import ask, shelf
from hemcore.web.data import columns
from tests.app.conftest import forget_own

SAMPLE, SAMPLE_ID = "Request server, HRM collection · sample", "sample-subexperiments-hrm"
_seen: dict[str, object] = {}


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ids of the tables that are read from here on."""
    noted: list[str] = []
    load = library.load

    def loaded(id: str, root: object = None) -> object:
        name = threading.current_thread().name
        if "script" in name.lower() or name == "MainThread":  # not in the background, for a page of a test that has ended
            noted.append(id)
        return load(id, root)

    monkeypatch.setattr(library, "load", loaded)
    return noted


@pytest.fixture
def answered(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The answers that pages get from here on."""
    given: list[object] = []
    computed = ask._computed

    def kept(*args: object, **kwargs: object) -> object:
        given.append(computed(*args, **kwargs))
        return given[-1]

    monkeypatch.setattr(ask, "_computed", kept)
    return given


@pytest.mark.parametrize("name", ["first", "second"])
def test_the_same_bytes_in_another_store_are_read_and_merged_anew(workbench, csv_of, readings, read, answered, name: str) -> None:
    """The dataset has one id in both stores: no cache may know it, or what was merged of it, of the other."""
    contents = [csv_of(readings(["A", "B"])), csv_of(readings(["A", "B", "C"], seed=5))]
    entry = workbench.stored(*((f"{number}.csv", content) for number, content in enumerate(contents)), name=name)
    assert entry.id == _seen.setdefault("id", entry.id)
    at = workbench.merge(entry.label, family="HRM")
    assert workbench.metrics(at)["HEMs merged"] == "3 of 3"
    assert read == [entry.id]
    assert answered
    assert not any(each is other for each in answered for other in _seen.get("answers", []))
    _seen["answers"] = answered
    assert columns.parts(entry.id) == ["0.csv", "1.csv"]


def test_a_dataset_of_another_store_is_not_there(workbench, csv_of, readings, tmp_path) -> None:
    """The one of the test above, where that ran in this process."""
    files = [UploadedFile(f"{number}.csv", csv_of(readings(events))) for number, events in enumerate((["A", "B"], ["B", "C"]))]
    id = str(_seen.get("id") or DatasetStore(tmp_path / "another").add(files).id)
    assert workbench.records == []
    for of in (shelf.table, shelf.shape, columns.parts):
        with pytest.raises(UnknownNameError):
            of(id)


def test_between_tests_a_sample_stays_read_and_merged(workbench, read, answered) -> None:
    workbench.merge(SAMPLE)
    before = list(answered)
    read.clear()
    answered.clear()
    forget_own()
    workbench.merge(SAMPLE)
    assert read == []
    assert answered
    assert all(any(each is other for other in before) for each in answered)


def test_with_nothing_known_a_sample_is_read_again(workbench, nothing_known, read) -> None:
    workbench.merge(SAMPLE)
    assert read == [SAMPLE_ID]
