"""All jobs of this process, by id: what makes them outlive a page."""

import atexit
import copy
import hashlib
import json
import os
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from hemcore.errors import HemError, ParameterError
from hemcore.jobs.job import Job
from hemcore.jobs.worker import function_named, said

if TYPE_CHECKING:
    from hemcore.jobs.cluster import Cluster

MAX_FINISHED = 50
SCHEDULER = "HEM_DASK_SCHEDULER"

_lock = threading.Lock()
_jobs: dict[str, Job] = {}  # in the order of submission
_cluster: "Cluster | None" = None
_cluster_lock = threading.Lock()


def submit(function: Callable[..., Any], dataset_id: str, params: BaseModel | dict[str, Any], *, kind: str) -> Job:
    """Run `function(table, params, progress)` on a worker, on the dataset `dataset_id` of the store; returns at once.

    function: at the top level of a module that workers can import; calls `progress(done, note)` (see Progress) about as often as a
        person would look, and lets Cancelled through. Its result must be picklable.
    params: copied; a dict may hold what JSON can say.
    kind: what the work is, for messages.

    The same work submitted twice is one job; a job that failed or was cancelled is run anew, under the same id. The last 50 finished
    jobs are kept. Workers start when the first job needs them.
    Raises ParameterError when the function cannot be imported by name or the parameters have no JSON form. What goes wrong later
    (no such dataset, no workers) is the job's `error`.
    """
    name, id = _name(function), job_id(function, dataset_id, params)
    with _lock:
        known = _jobs.get(id)
        if known is not None and (known.state == "done" or not (known.finished or known.cancel_asked)):
            return known
        _jobs.pop(id, None)
        job = _jobs[id] = Job(id, kind, dataset_id)
        finished = [each.id for each in _jobs.values() if each.finished]
        for old in finished[: max(0, len(finished) - MAX_FINISHED)]:
            del _jobs[old]
    # A thread a job: it starts the workers if need be, and waits for the result.
    given = params.model_copy(deep=True) if isinstance(params, BaseModel) else copy.deepcopy(params)
    threading.Thread(target=_run, args=(job, name, given), name=f"hem-job-{id[:8]}", daemon=True).start()
    return job


def find(job_id: str) -> Job | None:
    """The job of that id; None when there is none or it was dropped as one of the oldest."""
    with _lock:
        return _jobs.get(job_id)


def jobs() -> list[Job]:
    """Every job known, the oldest first; empty when there is none."""
    with _lock:
        return list(_jobs.values())


def job_id(function: Callable[..., Any], dataset_id: str, params: BaseModel | dict[str, Any]) -> str:
    """The id that `submit` with these arguments gives: 32 hexadecimal digits. Raises ParameterError as `submit` does."""
    try:
        plain = params.model_dump(mode="json") if isinstance(params, BaseModel) else params
        # The type counts: a function may treat a dict and a model of the same content differently.
        text = json.dumps([_name(function), dataset_id, type(params).__qualname__, plain], sort_keys=True)
    except (TypeError, ValueError) as error:
        if isinstance(error, HemError):
            raise
        raise ParameterError(f"params: {said(error)}. Give numbers, text, true or false, and lists or dicts of them.") from error
    return hashlib.sha256(text.encode()).hexdigest()[:32]


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


def _name(function: Callable[..., Any]) -> str:
    module, qualified = getattr(function, "__module__", None), getattr(function, "__qualname__", None)
    name = f"{module}:{qualified}"
    if not module or not qualified or module in ("__main__", "__mp_main__") or "<" in qualified:
        raise ParameterError(f"function: {name} has no name that a worker could import. Put it at the top level of a module.")
    try:
        named = function_named(name)
    except HemError as error:
        raise ParameterError(f"function: {name} cannot be imported by its name. Put it at the top level of a module.") from error
    if named is not function:
        raise ParameterError(f"function: {name} is another function by now. Give the one that the module holds.")
    return name


def _run(job: Job, name: str, params: Any) -> None:
    try:
        job.note = "starting the workers"
        _connected().run(job, name, params)
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


atexit.register(close)
