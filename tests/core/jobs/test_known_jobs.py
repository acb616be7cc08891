"""What a job is before and after it runs: ids, arguments, states. No worker is needed."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hemcore.trial import calls
from hemcore.trial.analysis import TrialParams, hems

from hemcore import jobs
from hemcore.analysis import Analysis, Question
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.errors import ParameterError, UnknownNameError
from hemcore.jobs import Progress, known_jobs, tasks
from hemcore.jobs.filed_results import Held, Sent
from hemcore.jobs.job import Job
from hemcore.jobs.tasks import function_named
from tests.core.jobs.asked import trial
from tests.core.jobs.patience import PATIENCE


def held(value: Any) -> Held:
    return Held(Sent(value, 8), None)


@pytest.fixture
def idle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs are kept and never run."""
    monkeypatch.setattr(known_jobs, "_run", lambda job, task, root: None)


@pytest.mark.usefixtures("idle")
def test_a_job_goes_by_its_question() -> None:
    question = trial("hems", factor=3)
    job = jobs.submit(question)
    assert (job.id, job.kind, job.question) == (question.id, "trial hems", question)
    assert jobs.find(question) is job
    assert jobs.find(question.id) is job
    # What the answer does not hang on makes no other job.
    assert jobs.submit(trial("hems", factor=3, stop="elsewhere")) is job
    others = [trial("hems", factor=4), trial("hems", "another", factor=3), trial("deaf", factor=3)]
    assert len({jobs.submit(other).id for other in others} | {job.id}) == 4
    job.end_cancelled()
    for each in jobs.jobs():
        each.end_cancelled()


@pytest.mark.usefixtures("idle")
def test_what_waits_is_forgotten_when_withdrawn_and_what_has_begun_goes_on() -> None:
    question = trial("hems", factor=6)
    waits, begun = jobs.submit(question), jobs.submit(trial("hems", factor=7))
    begun.running()
    assert jobs.withdraw(waits)
    assert (waits.state, jobs.find(question)) == ("cancelled", None)
    assert not jobs.withdraw(begun)
    assert not begun.cancel_asked
    again = jobs.submit(question)
    assert again is not waits
    assert not jobs.withdraw(waits)
    assert jobs.find(question) is again
    for each in (again, begun):
        each.end_cancelled()


@pytest.mark.usefixtures("idle")
def test_a_call_goes_by_its_function_and_arguments() -> None:
    job = jobs.submit_call(calls.written, {"path": "a", "text": "b"}, title="segments as CSV")
    assert (job.kind, job.question) == ("segments as CSV", None)
    assert len(job.id) == 64
    assert jobs.find(job.id) is job
    assert jobs.submit_call(calls.written, {"text": "b", "path": "a"}, title="again") is job
    others = [
        jobs.submit_call(calls.written, {"path": "a", "text": "c"}, title="test"),
        jobs.submit_call(calls.many_bytes, {"path": "a", "text": "b"}, title="test"),
    ]
    assert len({each.id for each in (job, *others)}) == 3
    for each in jobs.jobs():
        each.end_cancelled()


def test_a_function_that_no_worker_could_find_is_refused() -> None:
    def inner(*, progress: object) -> None: ...

    for function in (inner, lambda progress: None, os.getcwd, json.dumps, test_an_unknown_id_finds_nothing, Progress.__call__):
        with pytest.raises(ParameterError, match="top level of a hemcore module"):
            jobs.submit_call(function, {}, title="test")
    assert jobs.jobs() == []
    for name in ("os:system", "builtins:eval", "hemcore.trial.calls:os.system", "hemcore.trial.calls:", "hemcorex:run", "hemcore:__path__"):
        with pytest.raises(ValueError, match="not a function at the top level of a module of hemcore"):
            function_named(name)


@pytest.mark.parametrize("value", [pytest.param(object(), id="an object"), float("nan"), (1, 2), {1: 2}, b"x", TrialParams()], ids=repr)
def test_arguments_that_are_not_plain_are_refused(value: Any) -> None:
    with pytest.raises(ParameterError, match=r"arguments: not all of \['text'\] are plain"):
        jobs.submit_call(calls.written, {"text": value}, title="test")
    with pytest.raises(ParameterError, match="the worker passes progress"):
        jobs.submit_call(calls.written, {"progress": 1}, title="test")
    assert jobs.jobs() == []


@pytest.mark.usefixtures("idle")
def test_arguments_are_copied() -> None:
    seen: list[Any] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(known_jobs.threading, "Thread", lambda **given: _Now(seen, given))
        arguments: dict[str, Any] = {"text": ["a"]}
        job = jobs.submit_call(calls.written, arguments, title="test")
    arguments["text"].append("b")
    assert seen[0][1].arguments == {"text": ["a"]}
    job.end_cancelled()


class _Now:
    def __init__(self, seen: list[Any], given: dict[str, Any]) -> None:
        seen.append(given["args"])

    def start(self) -> None: ...


def test_an_analysis_that_no_worker_could_find_is_refused() -> None:
    def analysis(name: str) -> Analysis:
        return Analysis(name=name, title="test", params=TrialParams, reads=(), compute=hems)

    with pytest.raises(UnknownNameError, match="'trial.unheard' is not known"):
        jobs.submit(Question(analysis=analysis("trial.unheard"), dataset="a", params=TrialParams()))
    with pytest.raises(ParameterError, match="'trial.hems' is the name of another analysis"):
        jobs.submit(Question(analysis=analysis("trial.hems"), dataset="a", params=TrialParams()))
    assert jobs.jobs() == []


def test_an_unknown_id_finds_nothing() -> None:
    assert jobs.find("no such job") is None
    assert jobs.find(trial("hems")) is None


def test_a_worker_takes_the_store_by_its_own_path_or_else_by_the_servers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On another machine the server's path may be none."""
    own, nowhere = str(tmp_path / "own"), str(tmp_path / "nowhere")
    record = DatasetStore(tmp_path / "own").add([UploadedFile("readings.csv", b"Ir,Dr\n1000,2100\n3000,4400\n5000,6300\n")], name="own")
    answer, named = tasks.Answer(trial("hems", record.id).to_dict()), tasks.call_of(calls.store_named, {})
    for known, servers in ((own, nowhere), (None, own)):
        monkeypatch.setattr(tasks, "_OWN_STORE", known)
        monkeypatch.setenv("HEM_DATA_DIR", own if known else nowhere)
        tasks.use_store(servers)
        assert tasks.store_folder(servers) == tmp_path / "own"
        assert answer.run(servers, lambda done, note: None, []).hems == ("Ir", "Dr")
        assert named.run(servers, lambda done, note: None, []) == own


def test_the_oldest_finished_jobs_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_jobs, "_run", lambda job, task, root: job.end("done", held=held(task.question["params"]["factor"])))
    submitted = []
    for k in range(known_jobs.MAX_FINISHED + 10):
        submitted.append(jobs.submit(trial("deaf", factor=k)))
        assert submitted[-1].wait(PATIENCE)
    assert len(jobs.jobs()) <= known_jobs.MAX_FINISHED + 1
    assert jobs.find(submitted[0].id) is None
    assert jobs.find(submitted[-1].id) is submitted[-1]
    assert submitted[0].result() == 0, "who still holds a dropped job keeps its small result"


@pytest.mark.usefixtures("idle")
def test_work_asked_again_while_it_is_being_cancelled_is_another_job() -> None:
    old = jobs.submit(trial("deaf"))
    assert old.submitted(lambda: None)
    assert jobs.submit(trial("deaf")) is old
    old.cancel()
    assert (old.state, old.cancel_asked) == ("queued", True)
    again = jobs.submit(trial("deaf"))
    assert again is not old
    assert jobs.find(old.id) is again
    old.end_cancelled()
    assert not again.finished
    assert jobs.submit(trial("deaf")) is again
    again.end_cancelled()


def test_remaining_time_follows_from_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("hemcore.jobs.job.time.monotonic", lambda: now[0])
    job = Job("id", "test")
    assert job.remaining is None
    job.running()
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
    job.end("done", held=held(1))
    assert (job.remaining, job.progress, job.note) == (0, 1, "")


def test_remaining_time_begins_as_expected_and_follows_the_progress_more_and_more(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("hemcore.jobs.job.time.monotonic", lambda: now[0])
    job = Job("id", "test", expected=40.0)
    assert job.remaining is None
    job.running()
    now[0] = 110.0
    assert job.remaining == pytest.approx(30)
    now[0] = 150.0
    assert job.remaining is None
    now[0] = 110.0
    job.report(0.5, "a half")
    # Half of the 20 s that its pace promises and half of the 40 s expected make 30 s in all.
    assert job.remaining == pytest.approx(15)
    now[0] = 120.0
    job.report(1.0, "all")
    assert job.remaining == 0


def test_remaining_time_is_of_what_a_restart_left_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("hemcore.jobs.job.time.monotonic", lambda: now[0])
    paced, expected, all_there = Job("id", "test"), Job("id", "test", expected=40.0), Job("id", "test")
    for job, taken in ((paced, 0.6), (expected, 0.6), (all_there, 1.0)):
        job.running()
        job.taken = taken
        job.report(taken, "taken")
    assert (paced.remaining, all_there.remaining) == (None, 0)
    assert expected.remaining == pytest.approx(16)
    now[0] = 110.0
    for job in (paced, expected):
        job.report(0.8, "half of the rest")
    # The first half of what was left took 10 s; of the 16 s expected for it, the second half is 8 s.
    assert paced.remaining == pytest.approx(10)
    assert expected.remaining == pytest.approx(9)


def test_the_first_final_state_stays() -> None:
    job = Job("id", "test")
    job.cancel()
    job.end("done", held=held(1))
    job.report(0.5, "late")
    assert (job.state, job.progress) == ("cancelled", 0)
    with pytest.raises(jobs.JobError, match="Test: cancelled"):
        job.result()
