"""Jobs at once, processor seconds a day and rows a job: held by all servers of a store together, refused with a sentence."""

import subprocess
import sys
from pathlib import Path

import pytest

from hemcore.datasets.owners import job_limits, whose
from hemcore.errors import HemError


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = whose.folder_of(whose.key_of("i", "ada"), tmp_path)
    made.mkdir(parents=True)
    return made


def refused(root: Path, sentence: str, **given: float) -> None:
    with pytest.raises(HemError, match=sentence):
        job_limits.begin(root, **given)  # type: ignore[arg-type]


def test_jobs_at_once_give_their_places_back(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEM_MAX_JOBS_PER_OWNER", "2")
    first, _ = job_limits.begin(root), job_limits.begin(root)
    refused(root, "You have 2 jobs that are not done; 2 are allowed. Wait for one, or cancel one")
    first()
    first()
    third = job_limits.begin(root)
    refused(root, "You have 2 jobs")
    third()


def test_everyones_jobs_are_counted_together(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEM_MAX_JOBS", "1")
    bob = whose.folder_of(whose.key_of("i", "bob"), tmp_path)
    bob.mkdir()
    ends = job_limits.begin(root)
    refused(bob, "This server has 1 jobs of everyone that are not done; 1 are allowed")
    ends()
    job_limits.begin(bob)


@pytest.mark.slow
def test_another_server_counts_too_and_gives_back_when_it_dies(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEM_MAX_JOBS_PER_OWNER", "1")
    program = f"from pathlib import Path; from hemcore.datasets.owners import job_limits; a = job_limits.begin(Path({str(root)!r}))"
    with subprocess.Popen([sys.executable, "-c", f"{program}; print('begun', flush=True); input()"], stdin=-1, stdout=-1) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"begun\n"
        refused(root, "You have 1 jobs")
        other.kill()
        other.wait()
        job_limits.begin(root)


def test_processor_seconds_are_of_one_day(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEM_MAX_PROCESSOR_SECONDS_PER_OWNER", "100")
    job_limits.spend(root, 60.0)
    job_limits.begin(root, seconds=40.0)
    refused(root, r"You have used 60 s of processor time today; 100 s are allowed, and this takes about 41 s. .* ask your", seconds=41.0)
    job_limits.spend(root, 41.0)
    refused(root, "You have used 101 s of processor time today; 100 s are allowed. The count begins anew at 00:00 UTC")
    assert job_limits.spent(tmp_path) == 101.0
    monkeypatch.setattr(job_limits, "_today", lambda: "2030-01-01")
    job_limits.begin(root)
    assert job_limits.spent(root) == 0.0


def test_rows_a_job(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEM_MAX_ROWS_PER_JOB", "1000")
    job_limits.begin(root, rows=1000)
    refused(root, "This dataset has 1,001 rows; a job may have 1,000. Choose fewer", rows=1001)


def test_one_user_has_no_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HEM_MAX_JOBS", "HEM_MAX_ROWS_PER_JOB", "HEM_MAX_PROCESSOR_SECONDS"):
        monkeypatch.setenv(name, "1")
    for _ in range(3):
        job_limits.begin(tmp_path, seconds=10.0, rows=10)
    job_limits.spend(tmp_path, 5.0)
    assert list(tmp_path.iterdir()) == []
