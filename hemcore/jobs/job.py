"""One piece of long work, as those who wait for it see it."""

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from hemcore.analysis import Question
from hemcore.errors import HemError, Remedy
from hemcore.jobs.results import Held

State = Literal["queued", "running", "done", "failed", "cancelled"]


class JobError(HemError):
    """A job has no result: it failed, was cancelled, or the workers cannot be reached. The message says which and what to do."""


# What is kept of what the work said; of more, every second.
MAX_TRAIL = 600


@dataclass(frozen=True)
class Place:
    """Where work of a job runs: its key there, the worker's address and process id."""

    key: str
    address: str
    pid: int


class Job:
    """Work submitted once; every attribute may be read from any thread at any time.

    id: 64 hexadecimal digits: the question's, or the same for the same function and arguments.
    kind: what the work is, in the words of the page ("profile of all events"): the title of the question's analysis.
    question: what is answered; None for other work.
    state: "queued", "running", "done", "failed" or "cancelled"; the last three are final.
    progress: share of the work done, 0 to 1; never goes back.
    note: what is being done, in words; may be empty. trail: the notes so far, each with the progress that it came with, thinned out.
    started: when a worker took it up (UTC); None while queued.
    places: where it runs now; empty while it waits and when it is finished. Several where it fans out.
    error: why there is no result, a sentence; None unless failed or cancelled. remedies: of the HemError that the work raised.
    """

    def __init__(self, id: str, kind: str, question: Question | None = None) -> None:
        self.id = id
        self.kind = kind
        self.question = question
        self.state: State = "queued"
        self.progress = 0.0
        self.note = ""
        self.trail: tuple[tuple[float, str], ...] = ()
        self.started: datetime | None = None
        self.error: str | None = None
        self.remedies: tuple[Remedy, ...] = ()
        self.places: tuple[Place, ...] = ()
        # Set by its run: how to stop it there.
        self.stopper: Callable[[], None] | None = None
        self._held: Held | None = None
        self._lock = threading.RLock()
        self._ended = threading.Event()
        self._cancel_asked = False
        self._started_clock = self._reported_clock = 0.0

    @property
    def finished(self) -> bool:
        """Whether the state is final."""
        return self._ended.is_set()

    @property
    def cancel_asked(self) -> bool:
        """Whether `cancel` was called; the work may still be stopping."""
        return self._cancel_asked

    @property
    def remaining(self) -> float | None:
        """Estimated seconds until done, from the progress so far; 0 when finished, None while there is nothing to estimate from."""
        with self._lock:
            if self.finished:
                return 0.0
            if self.progress <= 0 or self.state != "running":
                return None
            left = (self._reported_clock - self._started_clock) * (1 - self.progress) / self.progress
            # Between two reports it counts down instead of standing still.
            return max(0.0, left - (time.monotonic() - self._reported_clock))

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the job is finished, at most `timeout` seconds (None: as long as it takes); whether it is."""
        return self._ended.wait(timeout)

    def result(self, timeout: float | None = None) -> Any:
        """What was found; waits for it, at most `timeout` seconds. One above 1 MiB is read from the store's folder, unless it is one
        of the last used or somebody still holds it.

        Raises JobError when the job failed or was cancelled, or the file of its result is gone or damaged (the state is "failed" then, and
        it can be submitted again), TimeoutError when it is not finished in time.
        """
        if not self.wait(timeout):
            raise TimeoutError(f"{self.kind}: not finished after {timeout:g} s; it goes on.")
        if self.state != "done":
            raise JobError(self.error, remedies=self.remedies)
        assert self._held is not None
        try:
            return self._held.result()
        except HemError as error:
            with self._lock:
                self.state, self.error = "failed", f"{self.kind}: {error}"
            raise JobError(self.error) from None

    def cancel(self) -> None:
        """Ask the work to stop; a finished job stays as it is. Returns at once: the state is "cancelled" when it has stopped.

        Work that does not report progress is stopped on our own workers by ending the worker; elsewhere, at its next report.
        """
        with self._lock:
            if self.finished or self._cancel_asked:
                return
            self._cancel_asked = True
            self.note = "stopping"
            stopper = self.stopper
            if stopper is None:  # no scheduler has it yet
                self.end_cancelled()
        if stopper is not None:
            stopper()

    # What follows is called by known_jobs and the cluster alone.

    def submitted(self, stopper: Callable[[], None]) -> bool:
        """The scheduler has it: `stopper` stops it there, without blocking. False when the job has been cancelled meanwhile."""
        with self._lock:
            if self.finished:
                return False
            self.stopper = stopper
            if not self._cancel_asked and self.state == "queued":
                self.note = "waiting for a worker"
            return True

    def running(self) -> None:
        """A worker took it up; a second time when a scheduler gave it to another worker after the first died."""
        with self._lock:
            if self.finished:
                return
            self.state = "running"
            self.started = datetime.now(UTC)
            self._started_clock = self._reported_clock = time.monotonic()
            if not self._cancel_asked:
                self.note = ""

    def report(self, done: float, note: str) -> None:
        """Progress from the worker."""
        with self._lock:
            if self.finished:
                return
            if math.isfinite(done) and done > self.progress:
                self.progress = min(done, 1.0)
                self._reported_clock = time.monotonic()
            if not self._cancel_asked:
                self.note = note
            if note:
                kept = self.trail if len(self.trail) < MAX_TRAIL else self.trail[::2]
                self.trail = (*kept, (self.progress, note))

    def end(self, state: State, *, held: Held | None = None, error: str | None = None, remedies: tuple[Remedy, ...] = ()) -> None:
        """Set the final state; the first one stays. held: the result of one that is done. error, remedies: why one has none."""
        with self._lock:
            if self.finished:
                return
            self.state, self._held, self.error, self.remedies = state, held, error, remedies
            self.note, self.stopper = "", None
            if state == "done":
                self.progress = 1.0
            self._ended.set()

    def drop(self) -> None:
        """Let go of a result that takes much memory or disk: nobody finds the job any more."""
        if self._held is not None:
            self._held.drop()

    def end_cancelled(self) -> None:
        """Set the final state of a job that stopped because it was asked to."""
        self.end("cancelled", error=f"{self.kind}: cancelled. Start it again if you want the result.")
