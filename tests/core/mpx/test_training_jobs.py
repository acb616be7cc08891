"""Trainings as jobs: several at once are on workers of their own, and one that is cancelled leaves the other alone."""

import time
from collections.abc import Callable, Iterator

import pytest

pytest.importorskip("jax")

from hemcore import jobs
from hemcore.analysis import Question
from hemcore.datasets.shelf.records import Lineage
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.jobs import known_jobs
from hemcore.mpx.learned import TrainParams
from hemcore.mpx.learned.train import TRAIN
from tests.core.mpx.made import bursty

pytestmark = pytest.mark.slow
_PATIENCE = 240


@pytest.fixture(autouse=True)
def _workers(tmp_path, monkeypatch) -> Iterator[None]:
    monkeypatch.delenv("HEM_DASK_SCHEDULER", raising=False)
    monkeypatch.setenv("HEM_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(known_jobs, "_jobs", {})
    monkeypatch.setattr("hemcore.jobs.cluster.WORKERS", 2)
    jobs.close()  # the tests of pages use one worker
    yield
    jobs.close()


def _until(holds: Callable[[], object]) -> None:
    deadline = time.monotonic() + _PATIENCE
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.long
def test_several_trainings_fan_out_over_the_workers() -> None:
    lineage = Lineage(parent="x", parent_name="x", analysis="tests.made", params={}, version="0", gives="series")
    dataset = DatasetStore().keep(bursty(), name="series", lineage=lineage).id
    one, other = (
        jobs.submit(Question(analysis=TRAIN, dataset=dataset, params=TrainParams(steps=100_000, held_out=0.34, seed=seed)))
        for seed in (0, 1)
    )
    # Both learn at one time, each in a process of its own.
    _until(lambda: one.note.startswith("step") and other.note.startswith("step"))
    assert one.places[0].pid != other.places[0].pid
    one.cancel()
    assert one.wait(_PATIENCE)
    assert one.state == "cancelled"
    assert other.state == "running"
    after = other.progress
    _until(lambda: other.progress > after)
    other.cancel()
    assert other.wait(_PATIENCE)
