"""Runs a task on a worker: progress, stop flag, errors."""

import logging
import os
import socket
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Required, TypedDict

from hemcore.datasets.shelf.memory_bound import bound_this_process
from hemcore.errors import HemError, Remedy
from hemcore.jobs import carried_datasets, filed_answers, filed_results
from hemcore.jobs.filed_results import Filed, Sent
from hemcore.jobs.tasks import Answer, Call, Home, Parts, Task, store_folder, use_store

# Minimum seconds between two reports: pages do not refresh faster, and the scheduler would be flooded.
REPORT_EVERY = 0.1
# The topic of what keeps work waiting for a cluster's workers.
WAITS = "hem-waits"

logger = logging.getLogger(__name__)
# The jobs running in this process, by key; `stop` (called in another thread) sets the flag.
_flags: dict[str, threading.Event] = {}


class Message(TypedDict, total=False):
    """What a worker sends while it works: first with address and pid, then with done and note, at last with ended and the processor
    seconds that it took. last_words: a sentence on what has happened if it says no more."""

    key: Required[str]
    address: str
    pid: int
    done: float
    note: str
    last_words: str
    ended: bool
    processor: float


class Waits(TypedDict):
    """Why work waits for a cluster's workers; final: none will come."""

    why: str
    final: bool


class Cancelled(Exception):
    """Raised by `progress` in cancelled work; let it propagate."""


class Progress:
    """Called by the work as `progress(done, note)`: the fraction done, 0 to 1, and the next step.

    Cheap enough for a loop with 10^5 iterations per second. Raises Cancelled if the job was cancelled.
    """

    def __init__(self, send: Callable[[float, str], None], flag: threading.Event) -> None:
        self._send = send
        self._flag = flag
        self._sent = -REPORT_EVERY

    def __call__(self, done: float, note: str = "") -> None:
        if self._flag.is_set():
            raise Cancelled
        now = time.monotonic()
        if now - self._sent >= REPORT_EVERY or done >= 1:
            self._sent = now
            self._send(float(done), str(note))


class Stopped(Exception):
    """Why work has no result: state "failed" with a sentence and remedies, or "cancelled". Plain values, since many exceptions cannot be
    pickled."""

    def __init__(self, state: str, sentence: str, remedies: Sequence[Mapping[str, Any]] = ()) -> None:
        super().__init__(state, sentence, remedies)
        self.state = state
        self.sentence = sentence
        self.remedies = tuple(Remedy(**each) for each in remedies)


def work(
    key: str, topic: str, task: Task, home: Home, parts: Sequence[object], name: str | None, carried: carried_datasets.Carried
) -> object:
    """Do `task`, given the results of its `parts`. Raises only Stopped.

    name: of the file for a result too large to send; None for a result used by another worker, which is returned as it is.
    carried: the datasets, where workers do not see the server's.
    """
    from distributed import get_worker

    worker = get_worker()
    if worker.state.nthreads == 1:
        bound_this_process(lambda sentence: worker.log_event(topic, {"key": key, "last_words": sentence}))
    # Of a worker of one thread, also what its libraries do in threads of their own.
    clock = time.process_time if worker.state.nthreads == 1 else time.thread_time
    began = clock()
    flag = _flags[key] = threading.Event()
    worker.log_event(topic, {"key": key, "address": worker.address, "pid": os.getpid()})
    # The message must be sent before the work can crash the process.
    time.sleep(0.02)
    progress = Progress(lambda done, note: worker.log_event(topic, {"key": key, "done": done, "note": note}), flag)
    root = home.root
    try:
        _check_versions(home.versions)
        use_store(root)
        carried_datasets.unpack(carried, store_folder(root))
        before = filed_answers.taken(task.filed, store_folder(root)) if isinstance(task, Answer) and task.filed is not None else []
        if before:
            return before[0]
        result = task.run(root, progress, parts)
        size = filed_results.size_of(result)
        filed = None
        if isinstance(task, Answer) and not isinstance(task, Parts):
            filed = filed_answers.keep(task.question, result, size, store_folder(root))
        return result if name is None else _to_give(result, size, task, filed, home, name)
    except Cancelled:
        raise Stopped("cancelled", "it was stopped.") from None
    except HemError as error:
        remedies = [
            {"label": each.label, "choose": dict(each.choose), "analysis": each.analysis, "page": each.page} for each in error.remedies
        ]
        raise Stopped("failed", str(error), remedies) from None
    except BaseException as error:
        # BaseException: sys.exit() in an analysis must not end the worker.
        logger.exception("%s failed", task.name)
        sentence = f"{task.name} stopped with {error_text(error)}. This is a bug in the program: please report it."
        raise Stopped("failed", sentence) from None
    finally:
        del _flags[key]
        worker.log_event(topic, {"key": key, "ended": True, "processor": clock() - began})


def stop(key: str) -> None:
    """Set the flag of the job `key` if it runs here."""
    flag = _flags.get(key)
    if flag is not None:
        flag.set()


def error_text(error: BaseException) -> str:
    """The type of `error` and the first line of its message."""
    text = (str(error).splitlines() or [""])[0].strip().rstrip(".")
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _check_versions(server: Mapping[str, str]) -> None:
    """Raise HemError if the server computes with other versions; empty: it started this worker itself."""
    here = filed_answers.versions() if server else {}
    differ = [
        f"{name} {here.get(name, 'missing')[:16]}, the server {version[:16]}"
        for name, version in server.items()
        if here.get(name) != version
    ]
    if differ:
        raise HemError(f"The worker on {socket.gethostname()} has {'; '.join(differ)}. Install the server's versions there.")


def _to_give(result: object, size: int, task: Task, filed: Filed | None, home: Home, name: str) -> Filed | Sent:
    if isinstance(task, Call) and size > filed_results.MAX_CALL_RESULT:
        sizes = f"{size / 2**20:,.0f} MiB is more than {filed_results.MAX_CALL_RESULT / 2**20:,.0f} MiB"
        raise HemError(f"{task.name}: its result of {sizes}. Write it to a file and return the path.")
    if size <= filed_results.TRAVELS or not home.shared:
        return Sent(result, size)
    return filed or filed_results.file(result, name, store_folder(home.root))
