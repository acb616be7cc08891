"""How many finished jobs are known, of one owner and of all: who has most loses the oldest."""

import pytest

from hemcore.jobs import known_jobs
from hemcore.jobs.job import Job


def _done(owner: str, id: str, *, finished: bool = True) -> Job:
    job = Job(id, "work", None)
    job.owner = owner
    if finished:
        job.end("cancelled", error="of the test")
    return job


@pytest.fixture(autouse=True)
def none_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_jobs, "_jobs", {})
    monkeypatch.setattr(known_jobs, "MAX_FINISHED", 3)
    monkeypatch.setattr(known_jobs, "MAX_IN_ALL", 4)


def _known() -> list[str]:
    return [id for _, id in known_jobs._jobs]


def test_an_owner_keeps_the_last_ones() -> None:
    for number in range(5):
        known_jobs.know(_done("a", f"a{number}"))
    assert _known() == ["a2", "a3", "a4"]


def test_of_all_the_one_with_most_loses_the_oldest() -> None:
    for id in ("a0", "a1", "a2", "b0"):
        known_jobs.know(_done(id[0], id))
    assert _known() == ["a0", "a1", "a2", "b0"]
    known_jobs.know(_done("b", "b1"))
    assert _known() == ["a1", "a2", "b0", "b1"]
    known_jobs.know(_done("b", "b2"))
    assert _known() == ["a1", "a2", "b1", "b2"]


def test_jobs_that_are_not_done_do_not_count_and_stay() -> None:
    for number in range(6):
        known_jobs.know(_done("a", f"r{number}", finished=False))
    for id in ("a0", "a1", "a2", "b0"):
        known_jobs.know(_done(id[0], id))
    assert _known() == [*(f"r{number}" for number in range(6)), "a0", "a1", "a2", "b0"]
