"""Jobs of several owners: known to each alone, limited for each, and none waits for all of another's."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hemcore.trial import calls

from hemcore import jobs
from hemcore.datasets.owners import whose
from hemcore.jobs import JobError, known_jobs
from tests.core.jobs.patience import PATIENCE

ADA, BOB = whose.key_of("i", "ada"), whose.key_of("i", "bob")


@pytest.fixture
def asker() -> Iterator[Callable[[str], None]]:
    now = {"key": ADA}
    whose.serve_owners(lambda: now["key"])
    yield lambda key: now.update(key=key)
    for key in (ADA, BOB):
        now["key"] = key
        for job in jobs.jobs():
            job.cancel()
            assert job.wait(PATIENCE)
    whose.serve_owners(None)


def begin(path: Path, name: str, seconds: float) -> jobs.Job:
    return jobs.submit_call(calls.noted, {"path": str(path), "name": name, "seconds": seconds}, title="test")


def test_a_job_is_known_to_its_owner_alone(asker, tmp_path) -> None:
    mine = begin(tmp_path / "a", "same", 0.0)
    assert mine.result(PATIENCE) == "same"
    asker(BOB)
    assert jobs.find(mine.id) is None
    assert jobs.jobs() == []
    theirs = begin(tmp_path / "a", "same", 0.0)
    assert theirs is not mine
    assert theirs.id == mine.id
    assert theirs.result(PATIENCE) == "same"


def test_an_owner_has_so_many_jobs_at_once(asker, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("HEM_MAX_JOBS_PER_OWNER", "2")
    first = [begin(tmp_path / "a", name, 5.0) for name in "ab"]
    with pytest.raises(JobError, match="You have 2 jobs that are not done; 2 are allowed"):
        begin(tmp_path / "a", "c", 0.0)
    asker(BOB)
    begin(tmp_path / "a", "d", 0.0)
    asker(ADA)
    first[0].cancel()
    assert first[0].wait(PATIENCE)
    begin(tmp_path / "a", "c", 0.0)


@pytest.mark.slow
def test_a_job_waits_for_one_piece_of_another_owners_ten(asker, tmp_path) -> None:
    """Two workers, ten jobs of Ada: after Bob's is there, at most one more of hers begins at each worker before his."""
    began = tmp_path / "began"
    # A worker that a cancelled job took with it is back, and has imported what it needs.
    known_jobs._connected()._client.wait_for_workers(2, timeout=PATIENCE)
    for warm in [begin(began, f"warm-{number}", 0.5) for number in range(2)]:
        warm.result(PATIENCE)
    ten = [begin(began, f"ada-{number}", 0.8) for number in range(10)]
    while any(job.stopper is None and not job.finished for job in ten) or len(began.read_text().split()) < 4:
        assert not all(job.finished for job in ten)
    asker(BOB)
    bobs = begin(began, "bob", 0.0)
    before = len(began.read_text().split())
    assert bobs.result(PATIENCE) == "bob"
    found = began.read_text().split()
    assert found.index("bob") - before <= 1, (before, found)
