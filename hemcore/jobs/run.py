"""One job on the workers: its tasks, their messages, and how they are stopped."""

import contextlib
import math
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from hemcore.datasets.owners import job_limits
from hemcore.jobs import filed_answers
from hemcore.jobs.carried_datasets import pack, same
from hemcore.jobs.filed_results import Held, forget
from hemcore.jobs.job import WORKERS, Job, JobError, Place
from hemcore.jobs.pieces import MAX_STARTS, Piece, PieceFailed, error_of, labels_of, remedies_of, sentence_of
from hemcore.jobs.tasks import Answer, Gather, Home, Parts, Task
from hemcore.jobs.turns import SHORT_S, Turns
from hemcore.jobs.worker import Message, Stopped, work
from hemcore.registry import analysis_named, question_from

if TYPE_CHECKING:
    from distributed import Client, Future

STOP_GRACE = 1.0  # seconds between asking work to stop and ending its worker
LATE = 0.2  # seconds in which a worker may report that it just started work withdrawn from the queue
GIVE_UP = 60.0  # seconds after which such work on workers that are not ours is abandoned
LAST_WORDS = 1.0  # seconds in which messages sent before the result may arrive after it
LOOK_EVERY = 1.0  # seconds between looking whether workers that are not ours have joined


@dataclass(eq=False)
class Run:
    """The tasks of one job on the scheduler.

    runs: those of the cluster, by the keys of their pieces. turns: the queue before its workers. home: the store, and what workers know of
    it. kill: ends the worker there; None if the workers are not ours. alive: whether the scheduler is running.
    """

    job: Job
    client: "Client"
    topic: str
    runs: "dict[str, Run]"
    turns: Turns
    home: Home
    kill: Callable[[Place], object] | None
    alive: Callable[[], bool]
    tell_to_stop: Callable[[Place], object]
    pieces: dict[str, Piece] = field(default_factory=dict)
    lost: bool = False
    _lock: threading.RLock = field(default_factory=threading.RLock)
    _stopping: threading.Event = field(default_factory=threading.Event)
    # Pieces whose turn has come, and futures that are done; None: stop.
    _events: "SimpleQueue[tuple[Piece, Future | None] | None]" = field(default_factory=SimpleQueue)
    _name: str = ""
    _parts: int = 0
    _charged: float = 0.0
    _carried: "Future | dict[str, bytes]" = field(default_factory=dict)
    _given_up: str = ""

    def do(self, task: Task) -> None:
        """Do `task` and wait for it; the job always ends. Afterwards `lost` tells whether the scheduler or its workers are gone."""
        self.job.position_there = partial(self.turns.position, self.job)
        if not self.job.submitted(self.stop):
            return
        self._name = f"{self.job.id}.{uuid.uuid4().hex}"
        try:
            if carried := pack(task, self.home):
                self._carried = self.client.submit(same, carried, pure=False)
            fans_out = isinstance(task, Answer) and analysis_named(task.name).parts is not None
            [future] = self._fanned_out(task) if fans_out else self._each([Piece(task, name=self._name)])  # type: ignore[arg-type]
            self._hear_out(str(future.key))
            self.job.end("done", held=Held(filed_answers.filed_here(task, future.result(), self.home), self.home.folder))
        except Exception as error:
            # A cancelled job is ended by `_stop`, when nothing runs any more.
            if not self._stopping.is_set():
                sentence, self.lost = (self._given_up, False) if self._given_up else sentence_of(error, self.job.kind, task.name)
                self.job.end("failed", error=sentence, remedies=remedies_of(error))
                self.stop()
        if not self._stopping.is_set():
            self._forget()
        self._charge()

    def _charge(self) -> None:
        """Have the owner's processor seconds noted that are not yet."""
        with self._lock:
            seconds, self._charged = self.job.processor - self._charged, self.job.processor
        if self.home.folder is not None and self.job.owner:
            with contextlib.suppress(OSError):  # a full disk does not end the work
                job_limits.spend(self.home.folder, seconds)

    def heard(self, message: Message) -> None:
        """A message from a worker: started, progress, ended."""
        with self._lock:
            if (piece := self.pieces.get(message["key"])) is None:
                return
            piece.last_words = message.get("last_words", piece.last_words)
            if "pid" in message:
                self.give_up(piece.began_at(Place(message["key"], message["address"], message["pid"])))
                self._now_at()
                if not self._parts or self.job.state == "queued":
                    self.job.running()
            elif "done" in message:
                self._reported(piece, message["done"], message["note"])
            elif "ended" in message:
                piece.ended = True
                self.job.processor += message["processor"]
                self._now_at()

    def give_up(self, why: str) -> None:
        """Let the job fail: what runs no longer counts. why: a sentence; "" has no effect."""
        with self._lock:
            if not why or self._given_up or self._stopping.is_set():
                return
            self._given_up = f"{self.job.kind}: {why}"
            futures = [piece.future for piece in self.pieces.values() if piece.future is not None]
        threading.Thread(target=self.client.cancel, args=(futures,), kwargs={"force": True}, daemon=True).start()

    def _hear_out(self, key: str) -> None:
        """Wait for the worker's last messages, which arrive separately from the result and complete the trail."""
        piece, until = self.pieces[key], time.monotonic() + LAST_WORDS
        while not piece.ended and not self._stopping.is_set() and time.monotonic() < until:
            time.sleep(0.005)

    def stop(self) -> None:
        """Stop what runs and withdraw the rest from the queue; returns at once. The job is cancelled when that is done."""
        with self._lock:
            if self._stopping.is_set():
                return
            self._stopping.set()
            self._events.put(None)
        threading.Thread(target=self._stop, name=f"hem-stop-{self.job.id[:8]}", daemon=True).start()

    def _fanned_out(self, task: Answer) -> "list[Future]":
        """The parts on all workers, then the gathering on one; the parts' results stay on the workers. Without any: as it is."""
        [split] = self._each([Piece(Parts(task.question))])
        if not (parts := split.result()) and analysis_named(task.name).compute is not None:
            return self._each([Piece(task, name=self._name)])
        labels = labels_of(parts)
        self._parts, filed = len(parts), filed_answers.listed(self.home.folder)
        before = [filed.get(filed_answers.key_of(question_from(part).id)) for part in parts]
        pieces = [
            Piece(Answer(part, file), label, done=float(file is not None), complete=file is not None)
            for part, label, file in zip(parts, labels, before, strict=True)
        ]
        there = sum(piece.complete for piece in pieces)
        if there:
            self.job.taken = there / len(parts)
            self.job.report(self.job.taken, f"{there} of {len(parts)} done")
        found = self._each(pieces)
        self.job.report(1.0, "combining the parts")
        return self._each([Piece(Gather(task.question), results=found, name=self._name)])

    def _each(self, pieces: Sequence[Piece]) -> "list[Future]":
        """The futures of `pieces`, all done. Raises what the first of them to fail raises, as PieceFailed."""
        from distributed import KilledWorker

        self._ask(pieces)
        left = len(pieces)
        while left:
            try:
                event = self._events.get(timeout=LOOK_EVERY)
            except Empty:
                self.turns.serve()
                self._charge()
                continue
            if event is None:
                raise Stopped("cancelled", "")
            piece, future = event
            if future is None:
                self._start(piece)
                continue
            error = error_of(future)
            if isinstance(error, KilledWorker) and piece.place is None and not self._stopping.is_set():
                # The worker died of other work before it started this.
                if piece.starts >= MAX_STARTS:
                    raise JobError(f"{self.job.kind}: the workers died repeatedly before they could start. Is memory short? Try again.")
                self._ask([piece])
                continue
            if error is not None:
                raise PieceFailed(piece.label, piece.last_words) from error
            left -= 1
            if piece.label and not piece.complete:
                piece.complete = True
                self._reported(piece, 1.0, "")
        return [piece.future for piece in pieces if piece.future is not None]

    def _ask(self, pieces: Sequence[Piece]) -> None:
        """Queue `pieces`, all of one kind: parts of long work wait while others' short work begins."""
        is_part = bool(pieces and pieces[0].label)
        with self._lock:
            for piece in pieces:
                self.pieces.pop(piece.key, None)
                piece.key, piece.future = f"hem-{uuid.uuid4().hex}", None
                self.pieces[piece.key] = piece
                self.runs[piece.key] = self
        expected = self.job.expected
        seconds = expected * WORKERS / len(pieces) if expected is not None and is_part else expected
        short = not is_part and (expected is None or expected <= SHORT_S or self._parts > 0)
        begins = [partial(self._events.put, (piece, None)) for piece in pieces]
        # Without the lock, which messages from workers wait for: counting remote workers' threads needs such messages.
        for piece, turn in zip(pieces, self.turns.ask(self.job, begins, short=short, seconds=seconds), strict=True):
            piece.turn = turn
        if self._stopping.is_set():
            self._give_back(pieces)

    def _start(self, piece: Piece) -> None:
        with self._lock:
            if self._stopping.is_set():
                raise Stopped("cancelled", "")
            piece.starts += 1
            arguments = (piece.key, self.topic, piece.task, self.home, list(piece.results), piece.name, self._carried)
            piece.future = self.client.submit(work, *arguments, key=piece.key, pure=False)
        piece.future.add_done_callback(partial(self._ended, piece))

    def _ended(self, piece: Piece, future: "Future") -> None:
        """Its worker is free for another, whoever still waits for this one."""
        if piece.turn is not None:
            self.turns.give_back(piece.turn)
        self._events.put((piece, future))

    def _reported(self, piece: Piece, done: float, note: str) -> None:
        if not piece.label:
            self.job.report(done, note)
            return
        with self._lock:
            if math.isfinite(done):
                piece.done = max(piece.done, min(done, 1.0))
            share = sum(each.done for each in self.pieces.values() if each.label) / self._parts
            parts_done = sum(each.complete for each in self.pieces.values())
        words = f"{parts_done} of {self._parts} done"
        if done < 1:
            words += f", {piece.label}: {note}" if note else f", {piece.label}"
        self.job.report(share, words)

    def _now_at(self) -> None:
        self.job.places = tuple(piece.place for piece in self.pieces.values() if piece.place is not None and piece.runs)

    def _stop(self) -> None:
        try:
            while self.alive():
                now = time.monotonic()
                with self._lock:
                    pieces = list(self.pieces.values())
                self._give_back([piece for piece in pieces if piece.future is None])
                waiting = [piece for piece in pieces if piece.waits]
                for piece in waiting:
                    piece.withdrawn = now
                if waiting:
                    self.client.cancel([piece.future for piece in waiting], force=True)
                for piece in pieces:
                    if piece.withdrawn is not None and now - piece.withdrawn > GIVE_UP:
                        piece.ended = True
                    elif piece.runs:
                        self._stop_running(piece, now)
                late = any(
                    piece.future is not None and piece.place is None and piece.withdrawn is not None and now - piece.withdrawn < LATE
                    for piece in pieces
                )
                if not late and not any(piece.runs or piece.waits for piece in pieces):
                    break
                time.sleep(0.05)
        finally:
            self.job.places = ()  # before whoever waits for the end looks
            self.job.end_cancelled()
            self._forget()
            self._charge()

    def _stop_running(self, piece: Piece, now: float) -> None:
        assert piece.place is not None
        if piece.asked is None or now - piece.asked >= STOP_GRACE:
            if piece.asked is not None and self.kill is not None:
                self.client.cancel([piece.future], force=True)  # no other worker begins it anew
                self.kill(piece.place)
                piece.ended = True
                if piece.turn is not None:  # it cannot say how long it took
                    self.job.processor += time.monotonic() - piece.turn.began
                return
            piece.asked = now
            self.tell_to_stop(piece.place)

    def _give_back(self, pieces: Sequence[Piece]) -> None:
        for piece in pieces:
            if piece.turn is not None:
                self.turns.give_back(piece.turn)

    def _forget(self) -> None:
        self._give_back(list(self.pieces.values()))
        with self._lock:
            for key in [key for key, run in list(self.runs.items()) if run is self]:
                del self.runs[key]
            for future in [piece.future for piece in self.pieces.values() if piece.future is not None]:
                future.release()  # workers need not wait for the garbage collector
            self.pieces.clear()
            self.job.places = ()
        if self.job.state != "done":
            forget(self._name, self.home.folder)
