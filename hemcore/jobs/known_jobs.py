"""All jobs of this process, by id: what makes them outlive a page."""

import atexit
import contextlib
import hashlib
import json
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hemcore.analysis import Question
from hemcore.errors import HemError, ParameterError
from hemcore.jobs import results
from hemcore.jobs.job import Job
from hemcore.jobs.tasks import Answer, Task, call_of
from hemcore.jobs.worker import said
from hemcore.registry import analysis_named

if TYPE_CHECKING:
    from hemcore.jobs.cluster import Cluster

MAX_FINISHED = 50
SCHEDULER = "HEM_DASK_SCHEDULER"

_lock = threading.Lock()
_jobs: dict[str, Job] = {}  # in the order of submission
_cleaned: set[str | None] = set()  # the stores whose leftovers were seen to
_cluster: "Cluster | None" = None
_cluster_lock = threading.Lock()


def submit(question: Question) -> Job:
    """Have `question` answered by the workers; returns at once. The job's id is the question's.

    Work that fans out (Analysis.parts) is spread over the workers. An analysis calls its `progress(done, note)` about as often as a person
    would look, and lets Cancelled through.

    The same question asked twice is one job; a job that failed or was cancelled, or is being cancelled, is run anew, under the same id.
    The last 50 finished jobs are kept; results above 1 MiB on disk, in the store's folder. Workers start when the first job needs them.
    Raises UnknownNameError or ParameterError for an analysis that a worker could not find by its name. What goes wrong later (no such
    dataset, no workers) is the job's `error`.
    """
    if analysis_named(question.analysis.name) is not question.analysis:
        raise ParameterError(f"question: {question.analysis.name!r} is the name of another analysis. Ask one of hemcore's own.")
    return _submit(Answer(question.to_dict()), Job(question.id, question.analysis.title, question))


def submit_call(function: Callable[..., Any], arguments: Mapping[str, Any], *, title: str) -> Job:
    """Have a worker call `function(progress=..., **arguments)`: long work that is no analysis (a long download, a report); returns at once.

    function: at the top level of a module of hemcore. arguments: what JSON can say, with text keys; the id is made of both.
    Its result is small: a path that it wrote to (on a disk that the server sees), or bytes, up to results.MAX_CALL_RESULT (32 MiB).
    title: what the work is, for messages. Otherwise as `submit`.
    Raises ParameterError when the function cannot be found by its name or the arguments are not plain.
    """
    call = call_of(function, arguments)
    text = json.dumps([call.function, call.arguments], sort_keys=True)
    return _submit(call, Job(hashlib.sha256(text.encode()).hexdigest(), title))


def each(function: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
    """What `function` gives for each of `items`, in order, computed by the workers; waits, so it is for a script or a thread of its own.

    function and items are sent to the workers: small ones, such as the path of a file that all of them see. Only a few are there at once,
    so that `items` may be without end. Raises what `function` raises; JobError where the workers cannot be used, or one dies of its work.
    """
    return _connected().each(function, items)


def find(question_or_id: Question | str) -> Job | None:
    """The job of that question or id; None when there is none or it was dropped as one of the oldest."""
    id = question_or_id if isinstance(question_or_id, str) else question_or_id.id
    with _lock:
        return _jobs.get(id)


def jobs() -> list[Job]:
    """Every job known, the oldest first; empty when there is none."""
    with _lock:
        return list(_jobs.values())


def close() -> None:
    """Cancel what is unfinished and shut the workers down; finished jobs keep their results. The next job starts workers anew."""
    global _cluster
    for job in jobs():
        if not job.finished:
            job.end("cancelled", error=f"{job.kind}: the workers were shut down before it was done. Try again.")
    with _cluster_lock:
        if _cluster is not None:
            _cluster.close()
        _cluster = None


def know(job: Job) -> None:
    """Take `job` among those that are found; the oldest finished ones above MAX_FINISHED go."""
    with _lock:
        dropped = _take(job)
    for old in dropped:
        old.drop()


def _take(job: Job) -> list[Job]:
    """With the lock held; the jobs that nobody finds any more."""
    _jobs[job.id] = job
    finished = [each.id for each in _jobs.values() if each.finished]
    return [_jobs.pop(old) for old in finished[: max(0, len(finished) - MAX_FINISHED)]]


def _submit(task: Task, job: Job) -> Job:
    with _lock:
        known = _jobs.get(job.id)
        if known is not None and (known.state == "done" or not (known.finished or known.cancel_asked)):
            return known
        _jobs.pop(job.id, None)
        dropped = _take(job)
    for old in dropped:
        old.drop()
    # A thread a job: it starts the workers if need be, and waits for the result.
    threading.Thread(target=_run, args=(job, task, _root()), name=f"hem-job-{job.id[:8]}", daemon=True).start()
    return job


def _run(job: Job, task: Task, root: str | None) -> None:
    try:
        if root not in _cleaned:
            _cleaned.add(root)
            with contextlib.suppress(HemError):  # small results need no store
                results.clean(Path(root) if root else None)
        job.note = "starting the workers"
        _connected().run(job, task, root)
    except HemError as error:
        job.end("failed", error=str(error))
    except BaseException as error:
        job.end("failed", error=f"{job.kind}: the workers could not be used ({said(error)}). Try again.")
        raise


def _connected() -> "Cluster":
    """The one cluster of this process, started now if there is none or it is gone."""
    global _cluster
    with _cluster_lock:
        if _cluster is None or not _cluster.alive:
            # Imported here: distributed takes half a second, and most visits run nothing long.
            from hemcore.jobs.cluster import Cluster

            if _cluster is not None:
                _cluster.close()
                _cluster = None
            _cluster = Cluster(os.environ.get(SCHEDULER) or None)
        return _cluster


def _root() -> str | None:
    named = os.environ.get("HEM_DATA_DIR")
    return os.path.abspath(named) if named else None


def _leave() -> None:
    close()
    for job in jobs():
        job.drop()


atexit.register(_leave)
