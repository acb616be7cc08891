"""A job: long work, its state and its result."""

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from hemcore.analysis import Question
from hemcore.datasets.owners import whose
from hemcore.errors import HemError, Remedy
from hemcore.jobs.filed_results import Held

State = Literal["queued", "running", "done", "failed", "cancelled"]


class JobError(HemError):
    """A job has no result: it failed, was cancelled, or the workers cannot be reached. The message states which and what to do."""


WORKERS = 2  # so that short work does not wait for long work
# The maximum length of the trail; then every second entry is dropped.
MAX_TRAIL = 600


@dataclass(frozen=True)
class Place:
    """Where a part of a job runs: its key there, and the worker's address and process id."""

    key: str
    address: str
    pid: int


@dataclass(frozen=True)
class Position:
    """Of a waiting job: its place in the queue, 1 = next; and about how many seconds until it begins, None if that is not known."""

    place: int
    seconds: float | None


class Job:
    """One submitted job; every attribute can be read from any thread at any time.

    id: 64 hexadecimal digits: the question's, or a hash of the function and its arguments. owner: the key of who asked; "" for one user.
    kind: the title of the question's analysis ("profile of all events"), or of the work.
    question: the question it answers; None for other work.
    state: "queued", "running", "done", "failed" or "cancelled"; the last three are final.
    progress: the fraction done, 0 to 1; never decreases.
    note: the current step; may be empty. trail: all notes so far, each with its progress, thinned out.
    expected: about how many seconds it takes, if known beforehand.
    started: when a worker started it (UTC); None while queued.
    processor: seconds of a processor that workers have spent on it, as far as they have said.
    taken: the fraction that was there when it began, from before a restart.
    places: where it runs now: several if it fans out, none while it waits or is finished.
    error: why there is no result, a sentence; None unless failed or cancelled. remedies: those of the HemError that the work raised.
    """

    def __init__(self, id: str, kind: str, question: Question | None = None, expected: float | None = None) -> None:
        self.id = id
        self.owner = whose.key_here()
        self.kind = kind
        self.question = question
        self.expected = expected
        self.state: State = "queued"
        self.progress = 0.0
        self.note = ""
        self.trail: tuple[tuple[float, str], ...] = ()
        self.started: datetime | None = None
        self.error: str | None = None
        self.remedies: tuple[Remedy, ...] = ()
        self.processor = 0.0
        self.taken = 0.0
        self.places: tuple[Place, ...] = ()
        # Set by its run: stops it there, and says where it waits.
        self.stopper: Callable[[], None] | None = None
        self.position_there: Callable[[], Position | None] = lambda: None
        self.give_back: Callable[[], object] = lambda: None  # its place among its owner's jobs; set before it begins
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
        """Estimated seconds until done, as expected at first, more and more from the progress; 0 when finished, None while unknown."""
        with self._lock:
            if self.finished:
                return 0.0
            to_do = 1 - self.taken
            done = (self.progress - self.taken) / to_do if to_do > 0 else 1.0
            if self.state != "running" or (done <= 0 and self.expected is None):
                return None
            so_far, rest = self._reported_clock - self._started_clock, 1 - done
            in_all = so_far / done if self.expected is None else so_far + rest * self.expected * to_do
            # Counts down between two reports.
            left = rest * in_all - (time.monotonic() - self._reported_clock)
            return None if left < 0 and done <= 0 else max(0.0, left)

    @property
    def position(self) -> Position | None:
        """Where it stands in the queue; None once a part of it has begun."""
        return self.position_there() if self.state == "queued" else None

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the job is finished, at most `timeout` seconds (None: no limit); returns whether it is."""
        return self._ended.wait(timeout)

    def result(self, timeout: float | None = None) -> Any:
        """The result; waits for it, at most `timeout` seconds. A result above 1 MiB is read from the store's folder, unless it was used
        recently or is still referenced.

        Raises JobError if the job failed or was cancelled, or if the file of its result is missing or damaged (the state is then "failed",
        and it can be submitted again), TimeoutError if it is not finished in time.
        """
        if not self.wait(timeout):
            raise TimeoutError(f"{self.kind}: not finished after {timeout:g} s; it keeps running.")
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
        """Ask the work to stop; no effect on a finished job. Returns at once: the state becomes "cancelled" when it has stopped.

        Work that does not report progress is stopped by killing the worker if it is local; otherwise at its next report.
        """
        with self._lock:
            if self.finished or self._cancel_asked:
                return
            self._cancel_asked = True
            self.note = "stopping"
            stopper = self.stopper
            if stopper is None:  # not on a scheduler yet
                self.end_cancelled()
        if stopper is not None:
            stopper()

    # The rest is called only by known_jobs and the cluster.

    def submitted(self, stopper: Callable[[], None]) -> bool:
        """The scheduler has it: `stopper` stops it there, without blocking. False if it has been cancelled meanwhile."""
        with self._lock:
            if self.finished:
                return False
            self.stopper = stopper
            if not self._cancel_asked and self.state == "queued":
                self.note = "waiting for a worker"
            return True

    def waits(self, note: str) -> None:
        """Why no worker has started it yet."""
        with self._lock:
            if self.state == "queued" and not self._cancel_asked:
                self.note = note

    def running(self) -> None:
        """A worker started it; called again if the worker died and another one started it."""
        with self._lock:
            if self.finished:
                return
            self.state = "running"
            self.started = datetime.now(UTC)
            self._started_clock = self._reported_clock = time.monotonic()
            if not self._cancel_asked:
                self.note = ""

    def report(self, done: float, note: str) -> None:
        """Record progress from the worker."""
        with self._lock:
            if self.finished:
                return
            if math.isfinite(done) and done > self.progress:
                self.progress = min(done, 1.0)
                self._reported_clock = time.monotonic()
            if not self._cancel_asked:
                self.note = note
            if note:
                trail = self.trail if len(self.trail) < MAX_TRAIL else self.trail[::2]
                self.trail = (*trail, (self.progress, note))

    def end(self, state: State, *, held: Held | None = None, error: str | None = None, remedies: tuple[Remedy, ...] = ()) -> None:
        """Set the final state; only the first call has an effect. held: the result, if done. error, remedies: why there is none."""
        with self._lock:
            if self.finished:
                return
            self.state, self._held, self.error, self.remedies = state, held, error, remedies
            self.note, self.stopper = "", None
            if state == "done":
                self.progress = 1.0
            self.give_back()
            self._ended.set()

    def drop(self) -> None:
        """Release the memory and disk space of the result: the job can no longer be found."""
        if self._held is not None:
            self._held.drop()

    def end_cancelled(self) -> None:
        """Set the final state of a job that was cancelled."""
        self.end("cancelled", error=f"{self.kind[:1].upper()}{self.kind[1:]}: cancelled. Start it again if you want the result.")
