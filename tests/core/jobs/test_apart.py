"""The same jobs on a scheduler and two workers that somebody else started, named by HEM_DASK_SCHEDULER."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hemcore.trial import calls

from hemcore import jobs
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.jobs import filed_answers, known_jobs
from tests.core.jobs.asked import trial
from tests.core.jobs.conftest import PRELOAD
from tests.core.jobs.patience import PATIENCE, ROOT, running, until

pytestmark = pytest.mark.slow


class Site:
    """A scheduler and two workers in processes of their own, as a cluster's batch script would start them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        self.processes: list[subprocess.Popen[bytes]] = []

    @property
    def store(self) -> Path:
        """What the workers call the store."""
        return self.folder / "workers' store"

    def start(self) -> None:
        port = self.address.rpartition(":")[2]
        self._process("dask_scheduler", "--port", port)
        for _ in range(2):
            self._process("dask_worker", self.address, "--nthreads", "1", "--local-directory", str(self.folder), "--preload", PRELOAD)

    def _process(self, module: str, *options: str) -> None:
        environment = os.environ | {"PYTHONPATH": str(ROOT), "HEM_DATA_DIR": str(self.store)}
        command = [sys.executable, "-m", f"distributed.cli.{module}", *options, "--host", "127.0.0.1", "--no-dashboard"]
        with (self.folder / "log").open("ab") as log:
            # A group each: a worker's nanny and the worker end together.
            self.processes.append(subprocess.Popen(command, env=environment, stdout=log, stderr=log, start_new_session=True))

    def stop(self) -> None:
        for process in self.processes:
            os.killpg(process.pid, signal.SIGKILL)
        for process in self.processes:
            process.wait(PATIENCE)
        self.processes.clear()


@pytest.fixture(scope="module")
def _site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    site = Site(tmp_path_factory.mktemp("site"))
    site.start()
    try:
        yield site
    finally:
        jobs.close()
        site.stop()


@pytest.fixture
def site(_site: Site, monkeypatch: pytest.MonkeyPatch) -> Site:
    monkeypatch.setenv("HEM_DASK_SCHEDULER", _site.address)
    monkeypatch.setenv("HEM_DATA_DIR", str(_site.store))
    # The scheduler takes a moment to be there; a user would start it before.
    monkeypatch.setattr("hemcore.jobs.cluster.CONNECT_TIMEOUT", PATIENCE)
    if known_jobs._cluster is not None and known_jobs._cluster.address != _site.address:
        jobs.close()
    return _site


def test_a_result_and_its_progress_come_from_there(site: Site, tmp_path: Path) -> None:
    np.testing.assert_array_equal(jobs.submit(trial("hems", factor=2)).result(PATIENCE).values, [0, 1])
    assert known_jobs._cluster is not None
    assert known_jobs._cluster._process is None
    stop = tmp_path / "stop"
    job = jobs.submit(trial("stepwise", stop=str(stop)))
    until(lambda: running(job))
    first = job.progress
    until(lambda: running(job) and job.progress > first)
    stop.touch()
    assert job.result(PATIENCE) == "stopped"


def test_a_large_result_comes_through_the_store(site: Site) -> None:
    job = jobs.submit(trial("hems", mebibytes=4.0, factor=2))
    assert job.result(PATIENCE).factor == 2
    assert filed_answers.key_of(job.id) in filed_answers.listed(site.store)


def test_parts_run_on_both_workers(site: Site) -> None:
    until(lambda: len(known_jobs._connected()._client.nthreads()) == 2)
    found = jobs.submit(trial("busy_parts", factor=2, parts=8)).result(PATIENCE)
    assert found.frame["part"].tolist() == list(range(8))
    assert len(set(found.frame["pid"])) == 2


def test_cancel_stops_work_and_its_parts(site: Site, tmp_path: Path) -> None:
    for question in (trial("stepwise"), trial("piece_parts", stop=str(tmp_path / "stop"), parts=20)):
        job = jobs.submit(question)
        until(lambda job=job: running(job))
        job.cancel()
        assert job.wait(PATIENCE)
        assert (job.state, job.places) == ("cancelled", ())
    assert jobs.submit(trial("hems", factor=3)).result(PATIENCE).factor == 3


def test_what_fails_there_says_so(site: Site) -> None:
    for question, sentence in (
        (trial("refused"), "n_runs: 3 must be at least 4. Give more runs."),
        (trial("piece_waits_parts", bad=2, other="refuses"), "Part 3 of 8 (part 2): n_runs: 3 must be at least 4. Give more runs."),
    ):
        job = jobs.submit(question)
        assert job.wait(PATIENCE)
        assert (job.state, job.error) == ("failed", sentence)


def test_work_goes_on_elsewhere_when_its_worker_is_killed(site: Site, tmp_path: Path) -> None:
    stop = tmp_path / "stop"
    job = jobs.submit(trial("stepwise", stop=str(stop)))
    until(lambda: running(job))
    [place] = job.places
    os.kill(place.pid, signal.SIGKILL)
    until(lambda: job.places and job.places[0].pid != place.pid)
    stop.touch()
    assert job.result(PATIENCE) == "stopped"


def test_work_that_kills_every_worker_says_so(site: Site) -> None:
    for question in (trial("killed", factor=signal.SIGKILL), trial("piece_waits_parts", bad=2, other="dies")):
        job = jobs.submit(question)
        assert job.wait(PATIENCE)
        assert job.state == "failed"
        assert "the worker died before it finished" in str(job.error)
        assert ("part 3 of 8 (part 2)" in str(job.error)) == ("parts" in job.kind)
    assert jobs.submit(trial("hems", factor=9)).result(PATIENCE).factor == 9


def test_a_worker_uses_its_own_name_of_the_store(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = DatasetStore().add([UploadedFile("readings.csv", b"Ir,Dr\n1000,2100\n3000,4400\n5000,6300\n")], name="there")
    monkeypatch.setenv("HEM_DATA_DIR", str(tmp_path))
    assert jobs.submit(trial("hems", record.id)).result(PATIENCE).hems == ("Ir", "Dr")
    assert jobs.submit_call(calls.store_named, {}, title="test").result(PATIENCE) == str(site.store)
    # A result that the server does not see is a sentence.
    job = jobs.submit(trial("hems", record.id, mebibytes=2.0))
    with pytest.raises(jobs.JobError, match=r"on a disk that the server can read\. Start it again"):
        job.result(PATIENCE)


def test_a_scheduler_that_goes_is_a_sentence_and_the_next_one_is_found(site: Site, tmp_path: Path) -> None:
    plain, parts = jobs.submit(trial("stepwise")), jobs.submit(trial("piece_parts", stop=str(tmp_path / "stop"), parts=4))
    until(lambda: running(plain) and running(parts))
    site.stop()
    for job in (plain, parts):
        assert job.wait(PATIENCE)
        assert job.state == "failed"
        assert job.error == f"{job.kind}: the connection to the workers was lost before it was done. Try again."
    site.start()
    assert jobs.submit(trial("hems", factor=4)).result(PATIENCE).factor == 4


def test_a_scheduler_that_does_not_answer_fails_the_job(monkeypatch: pytest.MonkeyPatch) -> None:
    jobs.close()
    monkeypatch.setattr("hemcore.jobs.cluster.CONNECT_TIMEOUT", 0.5)
    for address in ("tcp://127.0.0.1:1", "nonsense://x"):
        monkeypatch.setenv("HEM_DASK_SCHEDULER", address)
        job = jobs.submit(trial("hems"))
        assert job.wait(PATIENCE)
        assert job.state == "failed"
        assert f"HEM_DASK_SCHEDULER: no scheduler responds at '{address}'" in str(job.error)
