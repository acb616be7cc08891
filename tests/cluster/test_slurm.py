"""The pages' jobs on a real SLURM of one node: asked for on demand, given back, and what happens when it takes one away."""

import os
import signal
import socket
import sys
from pathlib import Path

import numpy as np
import pytest
from hemcore.trial import calls

from hemcore import jobs
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.jobs import filed_answers, known_jobs
from tests.cluster.conftest import Settle
from tests.cluster.own_slurm import OwnSlurm
from tests.core.jobs.asked import trial
from tests.core.jobs.patience import PATIENCE, ROOT, alive, running, until

READINGS = b"Ir,Dr\n1000,2100\n3000,4400\n5000,6300\n"


def test_a_job_runs_there_and_its_worker_is_given_back(settle: Settle, slurm: OwnSlurm) -> None:
    settle(idle_seconds=2)
    job = jobs.submit(trial("hems", factor=2))
    np.testing.assert_array_equal(job.result(PATIENCE).values, [0, 1])
    [(_, state, _)] = slurm.queue()
    assert state == "RUNNING"
    until(lambda: not slurm.queue(), 30)
    assert jobs.submit(trial("hems", factor=3)).result(PATIENCE).factor == 3  # and asked for again


def test_an_upload_is_read_here(settle: Settle, slurm: OwnSlurm) -> None:
    settle(idle_seconds=1)
    until(lambda: not slurm.queue(), 30)
    assert jobs.submit_call(calls.many_bytes, {"n": 4}, title="test").result(PATIENCE)
    assert not slurm.queue()


def test_parts_run_on_two_workers(settle: Settle, slurm: OwnSlurm) -> None:
    until(lambda: not slurm.queue(), 30)
    found = jobs.submit(trial("busy_parts", factor=20, parts=8)).result(PATIENCE)
    assert found.frame["part"].tolist() == list(range(8))
    assert len(set(found.frame["pid"])) == 2
    assert len(slurm.queue()) == 2


@pytest.mark.parametrize("how", ["kill", "scancel"])
def test_a_piece_goes_on_when_its_worker_is_taken_away(how: str, settle: Settle, slurm: OwnSlurm, tmp_path: Path) -> None:
    stop = tmp_path / "stop"
    job = jobs.submit(trial("piece_parts", stop=str(stop), parts=4, factor=5))
    there = lambda: {each.pid for each in job.places if alive(each.pid)}  # noqa: E731
    until(lambda: len(there()) == 2)
    before = there()
    if how == "kill":
        os.kill(min(before), signal.SIGKILL)
    else:
        slurm.cancel(slurm.queue()[0][0])
    until(lambda: len(there()) == 2 and there() != before, 60)
    stop.touch()
    assert job.result(PATIENCE).frame["total"].tolist() == [0, 5, 10, 15]


def test_work_that_kills_its_workers_ends_in_a_sentence(settle: Settle) -> None:
    job = jobs.submit(trial("killed", factor=signal.SIGKILL))
    assert job.wait(PATIENCE)
    assert job.state == "failed"
    assert "the worker died before it finished" in str(job.error)
    assert jobs.submit(trial("hems", factor=9)).result(PATIENCE).factor == 9


def test_cancel_stops_also_what_does_not_listen(settle: Settle) -> None:
    for name in ("stepwise", "deaf"):
        job = jobs.submit(trial(name))
        until(lambda job=job: job.places)
        job.cancel()
        assert job.wait(30)
        assert (job.state, job.places) == ("cancelled", ())
    assert jobs.submit(trial("hems", factor=4)).result(PATIENCE).factor == 4


def test_a_full_partition_is_told_and_waited_for(settle: Settle, slurm: OwnSlurm) -> None:
    settle(max_jobs=1)
    until(lambda: not slurm.queue(), 30)
    others = slurm.sleepers(2)
    job = jobs.submit(trial("hems", factor=5))
    until(lambda: "is pending: the partition is full" in job.note, 30)
    assert job.state == "queued"
    slurm.cancel(*others)
    assert job.result(PATIENCE).factor == 5


def test_a_drained_node_is_told_and_waited_for(settle: Settle, slurm: OwnSlurm) -> None:
    settle(max_jobs=1, idle_seconds=599)
    until(lambda: not slurm.queue(), 30)
    slurm.drain(True)
    try:
        job = jobs.submit(trial("hems", factor=6))
        until(lambda: "is pending: " in job.note, 30)
        assert "DRAINED" in job.note or "not available" in job.note
    finally:
        slurm.drain(False)
    assert job.result(PATIENCE).factor == 6


def test_what_slurm_refuses_is_a_sentence(settle: Settle) -> None:
    settle(partition="elsewhere")
    job = jobs.submit(trial("hems"))
    assert job.wait(60)
    assert job.state == "failed"
    assert "SLURM does not take the job: " in str(job.error)
    assert "invalid partition" in str(job.error)
    assert str(job.error).endswith("Correct HEM_CLUSTER_FILE, or ask whoever runs the cluster.")


def test_workers_that_do_not_come_are_a_sentence(settle: Settle) -> None:
    settle(python="/nowhere/python")
    job = jobs.submit(trial("hems"))
    assert job.wait(90)
    assert job.state == "failed"
    assert "ended before its worker came" in str(job.error)


def test_data_goes_through_the_scheduler_where_no_folder_is_shared(settle: Settle, site: Path) -> None:
    settle(shared_folder=False)
    record = DatasetStore().add([UploadedFile("readings.csv", READINGS)], name="there")
    assert jobs.submit(trial("hems", record.id)).result(PATIENCE).hems == ("Ir", "Dr")
    large = jobs.submit(trial("hems", record.id, mebibytes=3.0, factor=2))
    assert large.result(PATIENCE).values.nbytes == 3 * 2**20
    assert filed_answers.key_of(large.id) in filed_answers.listed(Path(os.environ["HEM_DATA_DIR"]))
    assert jobs.submit(trial("piece_parts", record.id, parts=3)).result(PATIENCE).frame["part"].tolist() == [0, 1, 2]
    [worker] = site.glob("hem-*/datasets")
    assert [each.name for each in worker.iterdir()] == [record.id]
    jobs.close()
    until(lambda: not list(site.glob("hem-*/datasets")), 30)


def test_a_worker_of_another_version_is_a_sentence(settle: Settle, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import platform\nplatform.python_version = lambda: '3.99.1'\n")
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nPYTHONPATH={tmp_path}:{ROOT} exec {sys.executable} "$@"\n')
    python.chmod(0o755)
    settle(python=str(python))
    job = jobs.submit(trial("hems"))
    assert job.wait(PATIENCE)
    own = ".".join(map(str, sys.version_info[:3]))
    expected = f"The worker on {socket.gethostname()} has Python 3.99.1, the server {own}. Install the server's versions there."
    assert job.error == expected


def test_a_walltime_that_ends_puts_the_piece_back(settle: Settle, slurm: OwnSlurm, tmp_path: Path) -> None:
    settle(walltime_minutes=1, max_jobs=1)
    stop = tmp_path / "stop"
    job = jobs.submit(trial("stepwise", stop=str(stop)))
    until(lambda: running(job))
    [(first, _, _)], [place] = slurm.queue(), job.places
    until(lambda: job.places and job.places[0].pid != place.pid, 150)
    stop.touch()
    assert job.result(PATIENCE) == "stopped"
    assert first not in [id for id, _, _ in slurm.queue()]


def test_its_jobs_end_with_the_server(settle: Settle, slurm: OwnSlurm) -> None:
    jobs.submit(trial("hems", factor=7)).result(PATIENCE)
    assert slurm.queue()
    assert known_jobs._cluster is not None
    assert known_jobs._cluster._process is not None
    assert known_jobs._cluster._process.stdin is not None
    known_jobs._cluster._process.stdin.close()  # as when it is killed
    until(lambda: not slurm.queue(), 30)
