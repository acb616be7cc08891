"""Long work: what becomes of a job in each way that it can end, on our own workers and on a scheduler started apart.

The functions at the top are what the jobs run; workers import this module by its name.
"""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import BaseModel, ConfigDict

from hemcore import jobs
from hemcore.datasets import Subexperiments
from hemcore.datasets.readers.files import UploadedFile
from hemcore.datasets.shelf import samples
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.errors import HemError, ParameterError
from hemcore.jobs import registry
from hemcore.jobs.job import Job
from hemcore.jobs.worker import REPORT_EVERY, Progress, work

ROOT = Path(__file__).parents[2]
SAMPLE = "sample-subexperiments-hrm"
PATIENCE = 120.0  # seconds; nothing here takes so long, and no test measures time


class Params(BaseModel):
    model_config = ConfigDict(frozen=True)

    factor: int = 1
    bound: float = float("inf")


def hems(table: Subexperiments, params: Params, progress: jobs.Progress) -> dict[str, Any]:
    progress(0.5, "half")
    return {"hems": table.hems, "factor": params.factor, "pid": os.getpid(), "values": np.arange(params.factor)}


def stepwise(table: Subexperiments, params: dict[str, Any], progress: jobs.Progress) -> str:
    """Until it is cancelled, or params["stop"] exists."""
    for step in range(100_000):
        progress(min(0.25 + step / 1000, 0.9), f"step {step}")
        if Path(params["stop"]).exists():
            return "stopped"
        time.sleep(0.02)
    return "ran out"


def deaf(table: Subexperiments, params: dict[str, Any], progress: jobs.Progress) -> None:
    time.sleep(600)


def refused(table: Subexperiments, params: dict[str, Any], progress: jobs.Progress) -> None:
    raise HemError("n_runs: 3 must be at least 4. Give more runs.")


def divided(table: Subexperiments, params: dict[str, Any], progress: jobs.Progress) -> float:
    return 1 / params["zero"]


def leaving(table: Subexperiments, params: dict[str, Any], progress: jobs.Progress) -> None:
    sys.exit(3)


def killed(table: Subexperiments, params: dict[str, Any], progress: jobs.Progress) -> None:
    os.kill(os.getpid(), getattr(signal, params["signal"]))


def vanishing(table: Subexperiments, params: dict[str, Any], progress: jobs.Progress) -> None:
    os._exit(0)


def locked(table: Subexperiments, params: dict[str, Any], progress: jobs.Progress) -> Any:
    return threading.Lock()


def meeting(table: Subexperiments, params: dict[str, Any], progress: jobs.Progress) -> str:
    """Done only when the other one runs at the same time."""
    Path(params["mine"]).touch()
    while not Path(params["other"]).exists():
        progress(0.1)
        time.sleep(0.02)
    return params["mine"]


def talkative(table: Subexperiments, params: dict[str, Any], progress: jobs.Progress) -> int:
    """Prints more than a pipe holds."""
    print("x" * 300_000)
    return 1


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    """Each test sees no job of another's; the workers stay."""
    yield
    for job in jobs.jobs():
        job.cancel()
    for job in jobs.jobs():
        assert job.wait(PATIENCE)
    registry._jobs.clear()


@pytest.fixture(scope="module", autouse=True)
def _shut_down() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("HEM_DASK_SCHEDULER", raising=False)
        yield
    jobs.close()


def until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)


def running(job: Job) -> bool:
    assert not job.finished, job.error
    return job.state == "running" and job.progress > 0


# Ids and arguments: no worker needed.


def test_the_id_tells_function_dataset_and_parameters_apart() -> None:
    same = {jobs.job_id(hems, "a", Params()), jobs.job_id(hems, "a", Params(factor=1))}
    assert len(same) == 1
    others = {
        jobs.job_id(hems, "a", Params(factor=2)),
        jobs.job_id(hems, "b", Params()),
        jobs.job_id(deaf, "a", Params()),
        jobs.job_id(hems, "a", Params().model_dump()),
    }
    assert len(others | same) == 5
    assert jobs.job_id(deaf, "a", {"x": 1, "y": 2}) == jobs.job_id(deaf, "a", {"y": 2, "x": 1})
    assert all(len(id) == 32 and set(id) <= set("0123456789abcdef") for id in others)


def test_a_function_without_an_importable_name_is_refused() -> None:
    def inner(table: object, params: object, progress: object) -> None: ...

    for function in (inner, lambda table, params, progress: None):
        with pytest.raises(ParameterError, match="top level of a module"):
            jobs.submit(function, SAMPLE, {}, kind="test")
    assert jobs.jobs() == []


def test_parameters_without_a_json_form_are_refused() -> None:
    with pytest.raises(ParameterError, match="params: .*not JSON serializable"):
        jobs.submit(hems, SAMPLE, {"a": object()}, kind="test")


def test_an_unknown_id_finds_nothing() -> None:
    assert jobs.find("no such job") is None


def test_the_oldest_finished_jobs_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_run", lambda job, name, params: job.end("done", result=params["k"]))
    submitted = []
    for k in range(registry.MAX_FINISHED + 10):
        submitted.append(jobs.submit(deaf, SAMPLE, {"k": k}, kind="test"))
        assert submitted[-1].wait(PATIENCE)
    assert len(jobs.jobs()) <= registry.MAX_FINISHED + 1
    assert jobs.find(submitted[0].id) is None
    assert jobs.find(submitted[-1].id) is submitted[-1]
    assert submitted[0].result() == 0, "who still holds a dropped job keeps its result"


def test_remaining_time_follows_from_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("hemcore.jobs.job.time.monotonic", lambda: now[0])
    job = Job("id", "test", SAMPLE)
    assert job.remaining is None
    job.running("key", "tcp://here", 1)
    assert job.remaining is None
    now[0] = 110.0
    job.report(0.25, "a quarter")
    assert job.remaining == pytest.approx(30)
    now[0] = 115.0
    assert job.remaining == pytest.approx(25)
    job.report(0.1, "back")
    job.report(float("nan"), "nothing")
    assert job.progress == 0.25
    now[0] = 1000.0
    assert job.remaining == 0
    job.end("done", result=1)
    assert (job.remaining, job.progress, job.note) == (0, 1, "")


def test_the_first_final_state_stays() -> None:
    job = Job("id", "test", SAMPLE)
    job.cancel()
    job.end("done", result=1)
    job.report(0.5, "late")
    assert (job.state, job.progress) == ("cancelled", 0)
    with pytest.raises(jobs.JobError, match="test: cancelled"):
        job.result()


def test_what_is_being_cancelled_is_run_anew_and_not_handed_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between `cancel` and the end of the work the old job cannot give a result any more."""
    monkeypatch.setattr(registry, "_run", lambda job, name, params: job.submitted(lambda: None))
    job = jobs.submit(deaf, SAMPLE, {}, kind="test")
    until(lambda: job.stopper is not None)
    assert jobs.submit(deaf, SAMPLE, {}, kind="test") is job
    job.cancel()
    assert (job.cancel_asked, job.finished) == (True, False)
    again = jobs.submit(deaf, SAMPLE, {}, kind="test")
    assert again is not job
    assert (again.id, again.cancel_asked) == (job.id, False)
    assert jobs.find(job.id) is again
    for each in (job, again):
        each.end_cancelled()


def test_reports_are_thinned_but_for_the_last_one(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [50.0]
    monkeypatch.setattr("hemcore.jobs.worker.time.monotonic", lambda: now[0])
    sent: list[tuple[float, str]] = []
    progress = Progress(lambda done, note: sent.append((done, note)), threading.Event())
    progress(0.1, "first")
    now[0] += REPORT_EVERY / 2
    progress(0.2, "too soon")
    now[0] += REPORT_EVERY
    progress(0.3, "second")
    progress(1.0, "done")
    assert sent == [(0.1, "first"), (0.3, "second"), (1.0, "done")]


class FakeWorker:
    """What `work` needs of a worker."""

    address = "tcp://here"

    def log_event(self, topic: str, message: dict[str, Any]) -> None: ...


@pytest.mark.parametrize("of_its_own", [True, False])
def test_a_worker_takes_tables_from_its_own_store_or_else_from_the_servers(
    of_its_own: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On another machine the store may have another path; the server's is then none."""
    store = DatasetStore(tmp_path / "here")
    record = store.add([UploadedFile("readings.csv", b"Ir,Dr\n1000,2100\n3000,4400\n5000,6300\n")], name="readings")
    monkeypatch.setattr("distributed.get_worker", FakeWorker)
    if of_its_own:
        monkeypatch.setenv("HEM_DATA_DIR", str(tmp_path / "here"))
    else:
        monkeypatch.delenv("HEM_DATA_DIR", raising=False)
    servers = tmp_path / ("nowhere" if of_its_own else "here")
    state, result = work("key", "topic", f"{__name__}:hems", record.id, str(servers), Params())
    assert state == "done", result
    assert result["hems"] == ["Ir", "Dr"]


# On our own workers.


@pytest.mark.slow
def test_a_result_comes_back_from_another_process_and_is_found_again() -> None:
    job = jobs.submit(hems, SAMPLE, Params(factor=3), kind="test")
    result = job.result(PATIENCE)
    table = samples.load("subexperiments-hrm")
    assert isinstance(table, Subexperiments)
    assert result["hems"] == table.hems
    assert result["factor"] == 3
    assert result["pid"] != os.getpid()
    assert (job.state, job.progress, job.error, job.remaining) == ("done", 1, None, 0)
    assert job.started is not None
    # What a refreshed page does: the id from the URL, and the same work asked for again.
    found = jobs.find(job.id)
    assert found is job
    assert found.result() is result
    assert jobs.submit(hems, SAMPLE, Params(factor=3), kind="test") is job


@pytest.mark.slow
def test_the_worker_finds_the_store_that_the_page_uses_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs.submit(hems, SAMPLE, Params(), kind="test").result(PATIENCE)
    file = UploadedFile("readings.csv", b"Ir,Dr\n1000,2100\n3000,4400\n5000,6300\n")
    for folder in ("one", "two"):
        monkeypatch.setenv("HEM_DATA_DIR", str(tmp_path / folder))
        record = DatasetStore().add([file], name=folder)
        job = jobs.submit(hems, record.id, Params(factor=len(jobs.jobs())), kind="test")
        assert job.result(PATIENCE)["hems"] == ["Ir", "Dr"]


@pytest.mark.slow
def test_progress_is_seen_while_it_runs(tmp_path: Path) -> None:
    job = jobs.submit(stepwise, SAMPLE, {"stop": str(tmp_path / "stop")}, kind="test")
    until(lambda: running(job))
    first = job.progress
    until(lambda: running(job) and job.progress > first)
    assert job.note.startswith("step ")
    assert job.remaining is not None
    with pytest.raises(TimeoutError, match="test: not finished after 0.01 s"):
        job.result(0.01)
    (tmp_path / "stop").touch()
    assert job.result(PATIENCE) == "stopped"


@pytest.mark.slow
def test_the_same_work_twice_is_one_job_from_any_thread(tmp_path: Path) -> None:
    params = {"stop": str(tmp_path / "stop")}
    got: list[Job] = []
    threads = [threading.Thread(target=lambda: got.append(jobs.submit(stepwise, SAMPLE, params, kind="test"))) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(got) == 20
    assert len({id(job) for job in got}) == 1
    assert len(jobs.jobs()) == 1


@pytest.mark.slow
@pytest.mark.parametrize("function", [stepwise, deaf], ids=["that reports", "that never reports"])
def test_cancel_stops_work(function: Callable[..., Any], tmp_path: Path) -> None:
    params = {"stop": str(tmp_path / "stop")}
    job = jobs.submit(function, SAMPLE, params, kind="test")
    until(lambda: job.state == "running")
    job.cancel()
    job.cancel()
    assert job.wait(PATIENCE)
    assert job.state == "cancelled"
    with pytest.raises(jobs.JobError, match="test: cancelled"):
        job.result()
    # Asked for again, it runs anew under the same id.
    again = jobs.submit(function, SAMPLE, params, kind="test")
    assert again is not job
    assert jobs.find(job.id) is again
    until(lambda: again.state == "running")


@pytest.mark.slow
def test_work_waiting_for_a_worker_can_be_cancelled() -> None:
    busy = [jobs.submit(deaf, SAMPLE, {"k": k}, kind="test") for k in range(2)]
    until(lambda: all(job.state == "running" for job in busy))
    waiting = jobs.submit(hems, SAMPLE, Params(), kind="test")
    until(lambda: waiting.note == "waiting for a worker")
    assert waiting.state == "queued"
    waiting.cancel()
    assert waiting.wait(PATIENCE)
    assert (waiting.state, waiting.started) == ("cancelled", None)
    assert all(job.state == "running" for job in busy)


@pytest.mark.slow
def test_two_jobs_run_at_once(tmp_path: Path) -> None:
    a, b = str(tmp_path / "a"), str(tmp_path / "b")
    one = jobs.submit(meeting, SAMPLE, {"mine": a, "other": b}, kind="test")
    two = jobs.submit(meeting, SAMPLE, {"mine": b, "other": a}, kind="test")
    assert (one.result(PATIENCE), two.result(PATIENCE)) == (a, b)


@pytest.mark.slow
def test_what_failed_says_so_in_a_sentence() -> None:
    cases: list[tuple[Callable[..., Any], str, dict[str, Any], str]] = [
        (refused, SAMPLE, {}, "n_runs: 3 must be at least 4. Give more runs."),
        (divided, SAMPLE, {"zero": 0}, "divided stopped with ZeroDivisionError: division by zero."),
        (divided, SAMPLE, {}, "divided stopped with KeyError: 'zero'."),
        (leaving, SAMPLE, {}, "leaving stopped with SystemExit: 3."),
        (locked, SAMPLE, {}, "locked stopped with TypeError: its result cannot be sent back"),
        (deaf, "sample-of-nothing", {}, "of-nothing"),
        (deaf, "0" * 64, {}, "0000"),
    ]
    for function, dataset, params, sentence in cases:
        job = jobs.submit(function, dataset, params, kind="test")
        assert job.wait(PATIENCE)
        assert job.state == "failed"
        assert sentence in str(job.error)
        assert "Traceback" not in str(job.error)
        with pytest.raises(jobs.JobError) as caught:
            job.result()
        assert str(caught.value) == job.error


@pytest.mark.slow
def test_a_worker_that_dies_fails_its_job_and_the_next_one_runs() -> None:
    for function, params in ((killed, {"signal": "SIGKILL"}), (killed, {"signal": "SIGSEGV"}), (vanishing, {})):
        job = jobs.submit(function, SAMPLE, params, kind="regression")
        assert job.wait(PATIENCE)
        assert job.state == "failed"
        assert str(job.error).startswith("regression: the worker died before it was done.")
        assert str(job.error).endswith("try again.")
    assert jobs.submit(hems, SAMPLE, Params(factor=7), kind="test").result(PATIENCE)["factor"] == 7


@pytest.mark.slow
def test_workers_that_die_again_and_again_still_come_back() -> None:
    # For longer than the 15 s after which dask by default gives up a worker that is not there.
    deadline = time.monotonic() + 25
    while time.monotonic() < deadline:
        for job in [jobs.submit(vanishing, SAMPLE, {"k": k}, kind="test") for k in range(2)]:
            assert job.wait(PATIENCE)
            assert "the worker died before it was done" in str(job.error)
    assert jobs.submit(hems, SAMPLE, Params(factor=10), kind="test").result(PATIENCE)["factor"] == 10


@pytest.mark.slow
def test_a_scheduler_that_dies_fails_its_jobs_and_the_next_one_starts_another(tmp_path: Path) -> None:
    job = jobs.submit(stepwise, SAMPLE, {"stop": str(tmp_path / "stop")}, kind="test")
    until(lambda: running(job))
    assert registry._cluster is not None
    assert registry._cluster._process is not None
    registry._cluster._process.kill()
    assert job.wait(PATIENCE)
    assert (job.state, job.error) == ("failed", "test: the connection to the workers was lost before it was done. Try again.")
    assert jobs.submit(hems, SAMPLE, Params(factor=8), kind="test").result(PATIENCE)["factor"] == 8


@pytest.mark.slow
def test_closing_ends_what_runs_and_keeps_what_is_done(tmp_path: Path) -> None:
    done = jobs.submit(hems, SAMPLE, Params(factor=4), kind="test")
    pid = done.result(PATIENCE)["pid"]
    job = jobs.submit(stepwise, SAMPLE, {"stop": str(tmp_path / "stop")}, kind="test")
    until(lambda: running(job))
    jobs.close()
    jobs.close()
    assert job.state == "cancelled"
    assert "the workers were shut down" in str(job.error)
    assert done.result()["factor"] == 4
    until(lambda: not alive(pid))
    assert jobs.submit(hems, SAMPLE, Params(factor=5), kind="test").result(PATIENCE)["factor"] == 5


@pytest.mark.slow
def test_prints_block_nothing() -> None:
    assert jobs.submit(talkative, SAMPLE, {}, kind="test").result(PATIENCE) == 1


@pytest.mark.slow
def test_the_workers_end_with_a_server_that_is_killed(tmp_path: Path) -> None:
    program = f"""
import os, signal, time
from hemcore import jobs
from tests.core.test_jobs import deaf
job = jobs.submit(deaf, {SAMPLE!r}, {{}}, kind="test")
while job.place is None: time.sleep(0.01)
open({str(tmp_path / "pid")!r}, "w").write(str(job.place.pid))
os.kill(os.getpid(), signal.SIGKILL)
"""
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, timeout=PATIENCE, check=False)
    pid = int((tmp_path / "pid").read_text())
    until(lambda: not alive(pid))


@pytest.mark.slow
def test_workers_do_not_run_the_script_that_the_server_runs(tmp_path: Path) -> None:
    # Streamlit puts the app's script where multiprocessing looks for the main module.
    (tmp_path / "app.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    program = f"""
import sys, types
from hemcore import jobs
from tests.core.test_jobs import Params, hems
sys.modules["__main__"] = types.ModuleType("__main__")
sys.modules["__main__"].__file__ = {str(tmp_path / "app.py")!r}
print(jobs.submit(hems, {SAMPLE!r}, Params(factor=6), kind="test").result({PATIENCE})["factor"])
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=2 * PATIENCE, check=False)
    assert done.stdout == "6\n", done.stderr
    assert not (tmp_path / "ran").exists()


def alive(pid: int) -> bool:
    """Whether the process runs; one that ended and that nobody has asked about yet does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


# On a scheduler started apart.


@pytest.fixture
def scheduler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A scheduler and one worker in processes of their own, named by HEM_DASK_SCHEDULER."""
    jobs.close()
    file = str(tmp_path / "scheduler.json")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    common = [sys.executable, "-m"]
    options = ["--scheduler-file", file, "--host", "127.0.0.1", "--no-dashboard"]
    processes = [subprocess.Popen([*common, "distributed.cli.dask_scheduler", "--port", "0", *options], env=environment)]
    try:
        until(Path(file).exists)
        workers = [*common, "distributed.cli.dask_worker", "--nthreads", "1", "--local-directory", str(tmp_path), *options]
        processes.append(subprocess.Popen(workers, env=environment))
        monkeypatch.setenv("HEM_DASK_SCHEDULER", json.loads(Path(file).read_text())["address"])
        yield
    finally:
        jobs.close()
        for process in reversed(processes):
            process.terminate()
            process.wait(PATIENCE)


@pytest.mark.slow
@pytest.mark.usefixtures("scheduler")
def test_the_same_code_runs_on_a_scheduler_started_apart(tmp_path: Path) -> None:
    result = jobs.submit(hems, SAMPLE, Params(factor=2), kind="test").result(PATIENCE)
    np.testing.assert_array_equal(result["values"], [0, 1])
    assert registry._cluster is not None
    assert registry._cluster._process is None

    job = jobs.submit(stepwise, SAMPLE, {"stop": str(tmp_path / "stop")}, kind="test")
    until(lambda: running(job))
    job.cancel()
    assert job.wait(PATIENCE)
    assert job.state == "cancelled"

    failing = jobs.submit(refused, SAMPLE, {}, kind="test")
    assert failing.wait(PATIENCE)
    assert failing.error == "n_runs: 3 must be at least 4. Give more runs."

    dying = jobs.submit(killed, SAMPLE, {"signal": "SIGKILL"}, kind="test")
    assert dying.wait(PATIENCE)
    assert "the worker died before it was done" in str(dying.error)
    assert jobs.submit(hems, SAMPLE, Params(factor=9), kind="test").result(PATIENCE)["factor"] == 9


@pytest.mark.slow
def test_a_scheduler_that_does_not_answer_fails_the_job(monkeypatch: pytest.MonkeyPatch) -> None:
    jobs.close()
    monkeypatch.setattr("hemcore.jobs.cluster.CONNECT_TIMEOUT", 0.5)
    for address in ("tcp://127.0.0.1:1", "nonsense://x"):
        monkeypatch.setenv("HEM_DASK_SCHEDULER", address)
        job = jobs.submit(hems, SAMPLE, Params(), kind="test")
        assert job.wait(PATIENCE)
        assert job.state == "failed"
        assert f"HEM_DASK_SCHEDULER: no scheduler answers at '{address}'" in str(job.error)
