"""Long work on our own workers: what becomes of a job in each way that it can end."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from hemcore.trial import calls
from hemcore.trial.analysis import REMEDY

from hemcore import durations, jobs
from hemcore.analysis import Question
from hemcore.datasets import Subexperiments
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.shelf import samples
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.jobs import known_jobs, worker
from hemcore.jobs.cluster import Cluster
from hemcore.jobs.job import Job
from tests.core.jobs.asked import trial
from tests.core.jobs.patience import PATIENCE, ROOT, alive, running, until

pytestmark = pytest.mark.slow


def test_the_workers_are_there_before_the_first_job() -> None:
    jobs.prepare()
    until(lambda: known_jobs._cluster is not None and known_jobs._cluster.alive)


def test_a_result_comes_back_from_another_process_and_is_found_again() -> None:
    job = jobs.submit(trial("hems", factor=3))
    result = job.result(PATIENCE)
    table = samples.load("subexperiments-hrm")
    assert isinstance(table, Subexperiments)
    assert result.hems == tuple(table.hems)
    assert result.params == trial("hems", factor=3).params
    assert result.pid != os.getpid()
    assert (job.state, job.progress, job.error, job.remaining) == ("done", 1, None, 0)
    assert job.started is not None
    # What a refreshed page does: the id from the URL, and the same work asked for again.
    found = jobs.find(job.id)
    assert found is job
    assert found.result() is result
    assert jobs.submit(trial("hems", factor=3)) is job


def test_a_worker_remembers_how_long_it_took(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEM_DATA_DIR", str(tmp_path))
    # The first in a process may have imported much, and does not count; there are two workers.
    for number in range(3):
        job = jobs.submit(trial("stepwise", stop=str(tmp_path / f"stop {number}")))
        until(lambda job=job: job.progress > 0.255)
        (tmp_path / f"stop {number}").touch()
        job.result(PATIENCE)
    runs = (tmp_path / durations.FILE).read_text().splitlines()
    assert {json.loads(run)[0] for run in runs} == {"trial.stepwise"}


def test_inputs_are_computed_first() -> None:
    assert jobs.submit(trial("twice", factor=21)).result(PATIENCE) == 42


def test_the_worker_finds_the_store_that_the_page_uses_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs.submit(trial("hems")).result(PATIENCE)
    file = UploadedFile("readings.csv", b"Ir,Dr\n1000,2100\n3000,4400\n5000,6300\n")
    for number, folder in enumerate(("one", "two")):
        monkeypatch.setenv("HEM_DATA_DIR", str(tmp_path / folder))
        record = DatasetStore().add([file], name=folder)
        assert jobs.submit(trial("hems", record.id, factor=2 + number)).result(PATIENCE).hems == ("Ir", "Dr")
        job = jobs.submit_call(calls.store_named, {}, title=folder)
        assert job.result(PATIENCE) == str(tmp_path / folder)
        known_jobs._jobs.clear()


def test_a_call_runs_with_its_arguments(tmp_path: Path) -> None:
    path = tmp_path / "written"
    assert jobs.submit_call(calls.written, {"path": str(path), "text": "words"}, title="test").result(PATIENCE) == path
    assert path.read_text() == "words"
    for function, sentence in ((calls.refused, "path: there is no such folder. Make it."), (calls.locked, "locked stopped with TypeError")):
        job = jobs.submit_call(function, {}, title="test")
        assert job.wait(PATIENCE)
        assert sentence in str(job.error)


def test_progress_is_seen_while_it_runs(tmp_path: Path) -> None:
    job = jobs.submit(trial("stepwise", stop=str(tmp_path / "stop")))
    until(lambda: running(job))
    first = job.progress
    until(lambda: running(job) and job.progress > first)
    assert job.note.startswith("step ")
    assert job.remaining is not None
    with pytest.raises(TimeoutError, match="trial stepwise: not finished after 0.01 s"):
        job.result(0.01)
    (tmp_path / "stop").touch()
    assert job.result(PATIENCE) == "stopped"


def test_the_same_work_twice_is_one_job_from_any_thread(tmp_path: Path) -> None:
    question = trial("stepwise", stop=str(tmp_path / "stop"))
    got: list[Job] = []
    threads = [threading.Thread(target=lambda: got.append(jobs.submit(question))) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(got) == 20
    assert len({id(job) for job in got}) == 1
    assert len(jobs.jobs()) == 1


@pytest.mark.parametrize(
    "question",
    [trial("stepwise"), trial("deaf"), trial("stuck")],
    ids=["that reports", "that never reports", "that never lets go of the interpreter"],
)
def test_cancel_stops_work(question: Question) -> None:
    job = jobs.submit(question)
    until(lambda: job.state == "running")
    job.cancel()
    job.cancel()
    # Asked for again meanwhile or afterwards, it runs anew under the same id.
    again = jobs.submit(question)
    assert again is not job
    assert jobs.find(job.id) is again
    assert job.wait(PATIENCE)
    assert job.state == "cancelled"
    with pytest.raises(jobs.JobError, match=f"{job.kind.capitalize()}: cancelled"):
        job.result()
    until(lambda: again.state == "running")


def test_work_waiting_for_a_worker_can_be_cancelled() -> None:
    busy = [jobs.submit(trial("deaf", factor=k)) for k in range(2)]
    until(lambda: all(job.state == "running" for job in busy))
    waiting = jobs.submit(trial("hems"))
    until(lambda: waiting.note == "waiting for a worker")
    assert waiting.state == "queued"
    waiting.cancel()
    assert waiting.wait(PATIENCE)
    assert (waiting.state, waiting.started) == ("cancelled", None)
    assert all(job.state == "running" for job in busy)


def test_two_jobs_run_at_once(tmp_path: Path) -> None:
    a, b = str(tmp_path / "a"), str(tmp_path / "b")
    one = jobs.submit(trial("meeting", stop=a, other=b))
    two = jobs.submit(trial("meeting", stop=b, other=a))
    assert (one.result(PATIENCE), two.result(PATIENCE)) == (a, b)


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        (trial("refused"), "n_runs: 3 must be at least 4. Give more runs."),
        (trial("divided"), "trial.divided stopped with ZeroDivisionError: division by zero."),
        (trial("leaving"), "trial.leaving stopped with SystemExit: 3."),
        (trial("locked"), "trial.locked stopped with TypeError: its result cannot be sent back"),
        (trial("deaf", "sample-of-nothing"), "of-nothing"),
        (trial("deaf", "0" * 64), "0000"),
    ],
)
def test_what_failed_says_so_in_a_sentence(question: Question, sentence: str) -> None:
    job = jobs.submit(question)
    assert job.wait(PATIENCE)
    assert job.state == "failed"
    assert sentence in str(job.error)
    assert "Traceback" not in str(job.error)
    with pytest.raises(jobs.JobError) as caught:
        job.result()
    assert str(caught.value) == job.error
    assert caught.value.remedies == job.remedies == ((REMEDY,) if question.analysis.name == "trial.refused" else ())


def test_a_worker_that_dies_fails_its_job_and_the_next_one_runs() -> None:
    for question in (trial("killed", factor=signal.SIGKILL), trial("killed", factor=signal.SIGSEGV), trial("vanishing")):
        job = jobs.submit(question)
        assert job.wait(PATIENCE)
        assert job.state == "failed"
        assert str(job.error).startswith(f"{job.kind}: the worker died before it finished.")
        assert str(job.error).endswith("try again.")
    assert jobs.submit(trial("hems", factor=7)).result(PATIENCE).factor == 7


def test_a_worker_that_is_aborted_for_memory_fails_its_job_in_the_words_of_a_breach() -> None:
    job = jobs.submit_call(calls.aborted, {"after": False}, title="test")
    assert job.wait(PATIENCE)
    assert job.error == (
        "f.csv: the process that read it ended, as one does that needs more than 340 MiB of memory, the most for 10 MiB unpacked."
        " Send fewer rows or columns at once, in several uploads."
    )
    job = jobs.submit_call(calls.aborted, {"after": True}, title="test")
    assert job.wait(PATIENCE)
    assert str(job.error).startswith("test: the worker died before it finished.")


def test_workers_that_die_again_and_again_still_come_back() -> None:
    # For longer than the second after which dask is told (GIVEN_UP) to give up a worker that is not there.
    deadline = time.monotonic() + 4
    while time.monotonic() < deadline:
        for job in [jobs.submit(trial("vanishing", factor=k)) for k in range(2)]:
            assert job.wait(PATIENCE)
            assert "the worker died before it finished" in str(job.error)
    assert jobs.submit(trial("hems", factor=10)).result(PATIENCE).factor == 10


def test_workers_that_do_not_start_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hemcore.jobs.cluster.START_TIMEOUT", 0.0)
    with pytest.raises(jobs.JobError, match=r"The workers did not start within 0 s; see the server's log. Is memory or disk short\? Try"):
        Cluster(None)


@pytest.mark.long
def test_a_scheduler_that_dies_fails_its_jobs_and_the_next_one_starts_another() -> None:
    job = jobs.submit(trial("stepwise"))
    until(lambda: running(job))
    assert known_jobs._cluster is not None
    assert known_jobs._cluster._process is not None
    known_jobs._cluster._process.kill()
    assert job.wait(PATIENCE)
    assert (job.state, job.error) == ("failed", "trial stepwise: the connection to the workers was lost before it was done. Try again.")
    assert jobs.submit(trial("hems", factor=8)).result(PATIENCE).factor == 8


def test_closing_ends_what_runs_and_keeps_what_is_done() -> None:
    done = jobs.submit(trial("hems", factor=4))
    pid = done.result(PATIENCE).pid
    job = jobs.submit(trial("stepwise"))
    until(lambda: running(job))
    jobs.close()
    jobs.close()
    assert job.state == "cancelled"
    assert "the workers were shut down" in str(job.error)
    assert done.result().factor == 4
    until(lambda: not alive(pid))
    assert jobs.submit(trial("hems", factor=5)).result(PATIENCE).factor == 5


def test_prints_block_nothing() -> None:
    assert jobs.submit(trial("talkative")).result(PATIENCE) == 1


def test_the_last_report_is_sent_however_soon_it_comes() -> None:
    sent: list[tuple[float, str]] = []
    progress = worker.Progress(lambda done, note: sent.append((done, note)), threading.Event())
    for done, note in ((0.1, "first"), (0.2, "too soon"), (1.0, "last")):
        progress(done, note)
    assert sent == [(0.1, "first"), (1.0, "last")]


def test_the_workers_end_with_a_server_that_is_killed(tmp_path: Path) -> None:
    program = f"""
import os, signal, time
from tests.core.jobs import trial_room
from hemcore import jobs
from tests.core.jobs.asked import trial
job = jobs.submit(trial("deaf"))
while not job.places: time.sleep(0.01)
open({str(tmp_path / "pid")!r}, "w").write(str(job.places[0].pid))
os.kill(os.getpid(), signal.SIGKILL)
"""
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, timeout=PATIENCE, check=False)
    pid = int((tmp_path / "pid").read_text())
    until(lambda: not alive(pid))


def test_workers_do_not_run_the_script_that_the_server_runs(tmp_path: Path) -> None:
    # Streamlit puts the app's script where multiprocessing looks for the main module.
    (tmp_path / "app.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    program = f"""
import sys, types
from tests.core.jobs import trial_room
from hemcore import jobs
from tests.core.jobs.asked import trial
sys.modules["__main__"] = types.ModuleType("__main__")
sys.modules["__main__"].__file__ = {str(tmp_path / "app.py")!r}
print(jobs.submit(trial("hems", factor=6)).result({PATIENCE}).factor)
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=2 * PATIENCE, check=False)
    assert done.stdout == "6\n", done.stderr
    assert not (tmp_path / "ran").exists()
