"""Where results are: what stays in memory, what is in the store's folder, what becomes of files that are damaged, dropped or left over."""

import errno
import gc
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hemcore.trial import calls

from hemcore import jobs
from hemcore.errors import HemError
from hemcore.jobs import codec, filed_answers, filed_results, known_jobs
from hemcore.jobs.filed_results import Held
from hemcore.jobs.job import Job
from tests.core.jobs.asked import trial
from tests.core.jobs.patience import PATIENCE, ROOT, until

MIB = 2**20


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HEM_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(filed_results, "_in_memory", [])
    return tmp_path


def files(root: Path) -> list[Path]:
    return sorted((root / "results").glob("*"))


def held(root: Path, mebibytes: float, name: str, value: float = 0.0) -> Held:
    """A result of that size in a file of that name."""
    return Held(filed_results.file(frame(mebibytes, value), name, root), root)


def frame(mebibytes: float, value: float = 0.0) -> pd.DataFrame:
    return pd.DataFrame({"a": np.full(int(mebibytes * MIB / 8), value)})


def test_the_size_is_that_of_what_is_in_it() -> None:
    assert filed_results.size_of(None) < 100
    assert filed_results.size_of(pd.DataFrame({"a": np.zeros(MIB)})) == pytest.approx(8 * MIB, rel=0.01)
    assert filed_results.size_of(pd.DataFrame({"a": ["word" * 4] * 10_000}, dtype=object)) > 10_000
    with pytest.raises(TypeError, match="its result cannot be sent back"):
        filed_results.size_of(calls.locked(progress=lambda done, note: None))


def test_the_last_used_are_in_memory(root: Path) -> None:
    many = [held(root, 20, f"name{k}", k) for k in range(6)]
    assert [each._result is None for each in many] == [True] * 6
    assert [each.result()["a"].iloc[-1] for each in many] == list(range(6))
    assert [each._result is None for each in many] == [True] * 3 + [False] * 3
    # The one used longest ago makes room.
    many[3].result()
    many[0].result()
    assert [each._result is None for each in many] == [False, True, True, False, True, False]


def test_one_that_is_very_large_is_not_kept_in_memory(root: Path) -> None:
    small, large = held(root, 20, "small"), held(root, 33, "large")
    small.result()
    assert len(large.result()) == 33 * MIB / 8
    assert [small._result is None, large._result is None] == [False, True]


def test_what_somebody_holds_is_not_read_again(root: Path) -> None:
    one = held(root, 33, "name")
    first = one.result()
    assert one.result() is first
    del first
    gc.collect()
    (root / "results" / "name").unlink()
    with pytest.raises(HemError, match="the result is no longer in the store's folder: name"):
        one.result()


@pytest.mark.parametrize("damage", ["a bit", "cut", "gone", "another"])
def test_a_damaged_file_is_a_sentence_and_the_work_can_be_started_again(root: Path, damage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    filed = filed_results.file(frame(2), "name", root)
    path = root / "results" / "name"
    content = path.read_bytes()
    if damage == "gone":
        path.unlink()
    elif damage == "another":
        codec.write(path, "what somebody put there")
    else:
        path.write_bytes(content[:-9] if damage == "cut" else content[:5000] + bytes([content[5000] ^ 1]) + content[5001:])
    monkeypatch.setattr(codec, "read", _not_to_be_called)
    monkeypatch.setattr(known_jobs, "_run", lambda job, task, root: None)
    job = jobs.submit(trial("hems"))
    job.end("done", held=Held(filed, root))
    for _ in range(2):
        with pytest.raises(jobs.JobError, match=r"^trial hems: the result.*(damaged|no longer in the store's folder).* Start it again"):
            job.result()
    assert job.state == "failed"
    assert job.error is not None
    assert files(root) == []
    again = jobs.submit(trial("hems"))
    assert again is not job
    again.end_cancelled()


def _not_to_be_called(path: Path) -> Any:
    raise AssertionError("parsed before its sum was checked")


def test_the_file_of_a_dropped_job_goes(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(job: Job, task: Any, store: str) -> None:
        job.end("done", held=held(root, 2, job.id))

    monkeypatch.setattr(known_jobs, "_run", run)
    monkeypatch.setattr(known_jobs, "MAX_FINISHED", 3)
    submitted = []
    for k in range(6):
        submitted.append(jobs.submit(trial("deaf", factor=k)))
        assert submitted[-1].wait(PATIENCE)
    assert {path.name for path in files(root)} == {job.id for job in submitted[2:]}
    with pytest.raises(jobs.JobError, match="removed, as one of the oldest"):
        submitted[0].result()
    assert len(submitted[-1].result()) == 2 * MIB / 8


def test_a_full_disk_is_a_sentence(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, value: Any) -> None:
        path.write_bytes(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(codec, "write", full)
    with pytest.raises(HemError, match="The disk of .* is full: could not store the result. Free some space"):
        filed_results.file(1, "name", root)
    assert files(root) == []


def test_leftovers_of_a_day_are_removed_at_start(root: Path) -> None:
    folder = filed_results.folder_of(root)
    for name, hours in (("old", 25), ("old.partial", 30), ("new", 23)):
        (folder / name).write_text("x")
        then = time.time() - hours * 3600
        os.utime(folder / name, (then, then))
    known_jobs._cleaned.discard(str(root))
    job = jobs.submit(trial("hems"))
    until(lambda: len(files(root)) == 1)
    assert [path.name for path in files(root)] == ["new"]
    job.cancel()
    # What is read is not old.
    filed = filed_results.file(1, "read", root)
    os.utime(folder / "read", (0, 0))
    assert Held(filed, root).result() == 1
    filed_results.clean(root)
    assert [path.name for path in files(root)] == ["new", "read"]


@pytest.mark.slow
def test_a_large_result_goes_through_the_store(root: Path) -> None:
    job = jobs.submit(trial("hems", mebibytes=40.0, factor=5))
    found = job.result(PATIENCE)
    np.testing.assert_array_equal(np.asarray(found.values), np.random.default_rng(5).random(5 * MIB))
    assert [path.name.partition(".")[0] for path in (root / "answers").iterdir()] == [filed_answers.key_of(job.id)]
    assert found.pid != os.getpid()
    assert job._held is not None
    assert job._held._result is None
    assert files(root) == [], "it is written once"


@pytest.mark.slow
def test_the_store_does_not_take_a_large_result(root: Path) -> None:
    for name in ("results", "answers"):
        (root / name).write_text("not a folder")
    job = jobs.submit(trial("hems", mebibytes=40.0))
    assert job.wait(PATIENCE)
    assert (job.state, "Could not create the folder in" in str(job.error)) == ("failed", True)


@pytest.mark.slow
def test_a_call_gives_something_small(root: Path) -> None:
    for size in (1000, 2 * MIB):
        assert len(jobs.submit_call(calls.many_bytes, {"n": size}, title="test").result(PATIENCE)) == size
    assert len(files(root)) == 1
    job = jobs.submit_call(calls.many_bytes, {"n": 33 * MIB}, title="test")
    assert job.wait(PATIENCE)
    assert job.error == "many_bytes: its result of 33 MiB is more than 32 MiB. Write it to a file and return the path."


@pytest.mark.slow
@pytest.mark.long
def test_many_large_results_leave_the_server_small_and_the_disk_clean(tmp_path: Path) -> None:
    program = """
from pathlib import Path
from tests.core.jobs import trial_room
from hemcore import jobs
from tests.core.jobs.asked import trial
def resident():
    return int(next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmRSS")).split()[1]) / 1024
jobs.submit(trial("hems")).result()
before = resident()
many = [jobs.submit(trial("hems", mebibytes=20.0, factor=k)) for k in range(12)]
for job in many: job.wait()
after = resident()
assert [job.result().factor for job in many] == list(range(12))
print(before, after, resident())
"""
    environment = os.environ | {"HEM_DATA_DIR": str(tmp_path)}
    asked: dict[str, Any] = {"cwd": ROOT, "env": environment, "capture_output": True, "text": True, "timeout": 5 * PATIENCE}
    done = subprocess.run([sys.executable, "-c", program], check=False, **asked)
    assert done.returncode == 0, done.stderr
    before, after, read = map(float, done.stdout.split())
    print(f"resident: {before:.0f} MiB before, {after:.0f} MiB after, {read:.0f} MiB when each was read")
    assert after < 1.1 * before
    assert read < before + 150
    assert files(tmp_path) == []
