"""A disk that is really full: every writer ends in a sentence, what was kept stays whole, and space that is freed is used again."""

import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.shelf import staged
from hemcore.datasets.shelf.kept_files import KeptFiles
from hemcore.datasets.shelf.records import Lineage
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.datasets.tables.signature_table import SignatureTable
from hemcore.errors import StoreError
from hemcore.report.report_shelf import ReportShelf

SIZE = 3 * 2**20


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "disk"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "none", str(place)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"no small disk can be mounted here: {done.stderr.strip()}")
    try:
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)


def upload(number: int) -> list[UploadedFile]:
    values = np.random.default_rng(number).integers(1_000, 10**9, (3_000, 4))
    return [UploadedFile(f"{number}.csv", pd.DataFrame(values, columns=["X1", "X24", "X3", "X7"]).to_csv(index=False).encode())]


def fill(store: DatasetStore) -> list[str]:
    kept: list[str] = []

    def more() -> None:
        for number in range(100):
            kept.append(store.add(upload(number)).id)

    with pytest.raises(StoreError, match="is full: could not keep the dataset. Nothing was lost"):
        more()
    return kept


def fill_the_rest(path: Path) -> None:
    with suppress(OSError), path.open("wb", buffering=0) as file:
        while file.write(bytes(4096)):
            pass


@pytest.mark.slow
def test_a_full_disk_loses_nothing_and_is_used_again(small_disk: Path) -> None:
    store = DatasetStore(small_disk)
    kept = fill(store)
    assert 3 < len(kept) < 100
    fresh = DatasetStore(small_disk)
    assert {record.id for record in fresh.records()} == set(kept)
    assert fresh.damaged() == []
    for id in kept:
        fresh.load(id)
    assert list((small_disk / "incoming").iterdir()) == []
    fresh.delete(kept[0])
    for folder in (small_disk / "deleted").iterdir():
        fresh._clear(folder)
    again = fresh.add(upload(0))
    assert again.id == kept[0]
    fresh.load(again.id)


@pytest.mark.long
@pytest.mark.slow
def test_every_other_writer_says_that_it_is_full(small_disk: Path) -> None:
    store, reports = DatasetStore(small_disk), ReportShelf(small_disk)
    report = reports.create("before")
    fill(store)
    fill_the_rest(small_disk / "rest")
    frame = pd.DataFrame({"CPI": np.random.default_rng(0).random(50_000), "TPI": 0.1, "MEM_GBS": 30.0, "GFLOPS": 100.0})
    lineage = Lineage(parent="sample-x", parent_name="x", analysis="x", params={}, version="1", gives="x")
    for write in (
        lambda: store.keep(SignatureTable(frame=frame), name="kept", lineage=lineage),
        lambda: store.take(SignatureTable(frame=frame), name="taken", source="x"),
        lambda: KeptFiles(small_disk / "models", ".npz", "model").keep(bytes(100_000)),
        lambda: staged.stage([UploadedFile("a", bytes(100_000))], small_disk),
        lambda: reports.save(report.but(intro="x" * 9_000)),
    ):
        with pytest.raises(StoreError, match=r"full|No space"):
            write()
    assert reports.load(report.id).title == "before"
    left = [path.name for path in small_disk.rglob("*") if "partial" in path.name]
    assert left == []
    assert list((small_disk / "incoming").iterdir()) == []
