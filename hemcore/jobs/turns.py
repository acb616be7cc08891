"""Whose turn it is. Pieces of jobs wait here, not at the workers, so that what begins next is decided when a worker is free.

First the owner with the fewest pieces running; of these, short work before long, where what has waited a minute counts as short; then the
owner who was served longest ago; then the job that was submitted first. So no one waits for more than one piece of somebody else's queue.
"""

import heapq
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from hemcore.jobs.job import Job, Position

SHORT_S = 10.0
PATIENCE_S = 60.0
_UNKNOWN_S = 60.0  # of work whose duration is not known, for the order alone


@dataclass(eq=False)
class Turn:
    """One piece's. begin: called once when it comes, without blocking. seconds: about how long the piece takes; None if not known."""

    job: Job
    begin: Callable[[], object]
    seconds: float | None
    began: float = 0.0


@dataclass(eq=False)
class _Line:
    """The pieces of one job that wait. since: when it began to wait, or one of it was last served. number: of the submission."""

    owner: str
    number: int
    since: float
    short: bool
    turns: deque[Turn] = field(default_factory=deque)

    def rank(self, running: Counter[str], served: dict[str, float], now: float) -> tuple[int, bool, float, int]:
        """The least one is next."""
        urgent = self.short or now - self.since >= PATIENCE_S
        return running[self.owner], not urgent, served.get(self.owner, float("-inf")), self.number


class Turns:
    """The queue before the workers. slots: how many pieces they can run at once. Thread-safe."""

    def __init__(self, slots: Callable[[], int], clock: Callable[[], float] = time.monotonic) -> None:
        self._slots, self._clock = slots, clock
        self._lines: dict[Job, _Line] = {}
        self._running: set[Turn] = set()
        self._served: dict[str, float] = {}
        self._asked = 0
        self._lock = threading.RLock()

    def ask(self, job: Job, pieces: Iterable[Callable[[], object]], *, short: bool, seconds: float | None = None) -> list[Turn]:
        """A turn for each of `pieces`, which are called when theirs comes. seconds: about how long each takes."""
        turns = [Turn(job, begin, seconds) for begin in pieces]
        with self._lock:
            line = self._lines.get(job)
            if line is None and turns:
                self._asked += 1
                line = self._lines[job] = _Line(job.owner, self._asked, self._clock(), short)
            if line is not None:
                line.turns.extend(turns)
        self.serve()
        return turns

    def give_back(self, turn: Turn) -> None:
        """The piece has ended, or will not begin; again has no effect."""
        with self._lock:
            self._running.discard(turn)
            line = self._lines.get(turn.job)
            if line is not None and turn in line.turns:
                line.turns.remove(turn)
                if not line.turns:
                    del self._lines[turn.job]
        self.serve()

    def serve(self) -> None:
        """Begin what can begin."""
        slots, begun = self._slots(), []
        with self._lock:
            while self._lines and len(self._running) < slots:
                running = Counter(turn.job.owner for turn in self._running)
                now = self._clock()
                job = min(self._lines, key=lambda each: self._lines[each].rank(running, self._served, now))
                line = self._lines[job]
                turn = line.turns.popleft()
                turn.began = line.since = self._served[line.owner] = now
                if not line.turns:
                    del self._lines[job]
                self._running.add(turn)
                begun.append(turn)
        for turn in begun:
            turn.begin()

    def position(self, job: Job) -> Position | None:
        """Where `job`, none of whose pieces runs yet, stands; None if it does not wait."""
        slots = self._slots()
        with self._lock:
            if job not in self._lines:
                return None
            lines = {each: replace(line, turns=deque(line.turns)) for each, line in self._lines.items()}
            served, now = dict(self._served), self._clock()
            ends = [(now + _left(turn, now), turn.job.owner) for turn in self._running]
            known = all(turn.seconds is not None or turn.job.remaining is not None for turn in self._running)
        running = Counter(owner for _, owner in ends)
        heapq.heapify(ends)
        at = now
        before: set[Job] = set()
        while True:
            while ends and len(ends) >= slots:
                at, owner = heapq.heappop(ends)
                running[owner] -= 1
            chosen = min(lines, key=lambda each: lines[each].rank(running, served, at))
            if chosen is job:
                return Position(len(before) + 1, at - now if known else None)
            before.add(chosen)
            line = lines[chosen]
            turn = line.turns.popleft()
            line.since = served[line.owner] = at
            if not line.turns:
                del lines[chosen]
            known = known and turn.seconds is not None
            running[line.owner] += 1
            heapq.heappush(ends, (at + (_UNKNOWN_S if turn.seconds is None else turn.seconds), line.owner))


def _left(turn: Turn, now: float) -> float:
    """Seconds until a running piece ends: as its job says if it is all of it, else as expected."""
    if turn.job.remaining is not None and turn.seconds == turn.job.expected:
        return turn.job.remaining
    return _UNKNOWN_S if turn.seconds is None else max(0.0, turn.seconds - (now - turn.began))
