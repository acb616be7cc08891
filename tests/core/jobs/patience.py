"""Waiting for what other processes do."""

import time
from collections.abc import Callable
from pathlib import Path

from hemcore.jobs import Job

PATIENCE = 400.0  # seconds: longer than workers may take to start (hemcore.jobs.cluster.START_TIMEOUT)
ROOT = Path(__file__).parents[3]


def until(condition: Callable[[], object], seconds: float = PATIENCE) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)


def running(job: Job) -> bool:
    assert not job.finished, job.error
    return job.state == "running" and job.progress > 0


def alive(pid: int) -> bool:
    """Whether the process runs; one that ended and that nobody has asked about yet does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
