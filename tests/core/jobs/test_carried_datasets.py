"""Datasets for workers that do not see the server's store."""

from pathlib import Path

from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.jobs import carried_datasets, filed_answers
from hemcore.jobs.tasks import Answer, Home
from hemcore.jobs.worker import _check_versions


def test_named_datasets_and_models_arrive_whole(tmp_path: Path) -> None:
    store = DatasetStore(tmp_path / "server")
    first, other = (
        store.add([UploadedFile("a.csv", content)], name="a").id
        for content in (b"Ir,Dr\n1000,2100\n3000,4400\n", b"Ir,Dr\n5000,6300\n7000,8100\n")
    )
    model = "ab" * 32
    (store.root / "models").mkdir()
    (store.root / "models" / f"{model}.npz").write_bytes(b"weights")
    task = Answer({"analysis": "trial.hems", "dataset": f"{first}@socket", "params": {"models": [model], "pilot": "cd" * 32}})
    carried = carried_datasets.pack(task, Home(str(store.root), {}, shared=False))
    assert carried_datasets.pack(task, Home(str(store.root), {})) == {}
    assert {Path(name).parts[1][:64] for name in carried} == {first, f"{model}"}
    for _ in range(2):  # a second time changes nothing
        carried_datasets.unpack(carried, tmp_path / "worker")
    there = DatasetStore(tmp_path / "worker")
    assert [record.id for record in there.records()] == [first]
    assert there.load(first).hems == store.load(first).hems  # type: ignore[union-attr]
    assert (there.root / "models" / f"{model}.npz").read_bytes() == b"weights"
    assert not list((there.root / "incoming").iterdir())
    assert other not in str(carried)


def test_a_sample_needs_nothing(tmp_path: Path) -> None:
    task = Answer({"analysis": "a.b", "dataset": "sample-phases", "params": {}})
    assert carried_datasets.pack(task, Home(str(tmp_path), {}, shared=False)) == {}
    carried_datasets.unpack({}, tmp_path / "worker")
    assert not (tmp_path / "worker").exists()


def test_the_same_versions_are_no_sentence() -> None:
    _check_versions(filed_answers.versions())
    _check_versions({})
