"""All jobs of this process, by id, so that they outlive a page."""

import atexit
import contextlib
import hashlib
import json
import os
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from hemcore.analysis import Question
from hemcore.datasets.owners import audit_log, job_limits, whose
from hemcore.datasets.shelf import library
from hemcore.errors import HemError, ParameterError
from hemcore.jobs import bundled, filed_answers, filed_results
from hemcore.jobs.job import WORKERS, Job, JobError
from hemcore.jobs.tasks import Answer, Task, call_of
from hemcore.jobs.worker import error_text
from hemcore.registry import analysis_named

if TYPE_CHECKING:
    from hemcore.jobs.cluster import Cluster

ItemT = TypeVar("ItemT")
FoundT = TypeVar("FoundT")
MAX_FINISHED = 50  # of an owner
MAX_IN_ALL = 200  # of all owners: small results stay in memory as long as their job is known
SCHEDULER = "HEM_DASK_SCHEDULER"

ended: Counter[str] = Counter()  # jobs of owners, by how they ended
_lock = threading.Lock()
_jobs: dict[tuple[str, str], Job] = {}  # by owner and id, in the order of submission
_cleaned: set[str | None] = set()  # the stores whose leftover files were removed
_cluster: "Cluster | None" = None
_cluster_lock = threading.Lock()


def submit(question: Question, seconds: float | None = None) -> Job:
    """Answer `question` on the workers; returns at once. The job's id is the question's. seconds: about how long it will take, if known.

    Work that fans out (Analysis.parts) is spread over the workers. An analysis should call `progress(done, note)` every fraction of a
    second and let Cancelled propagate.

    Submitting the same question again returns the same job, unless it failed or was cancelled: then it runs again under the same id.
    The last 50 finished jobs of an owner are known, 200 of all (who has most loses the oldest), results above 1 MiB on disk in the
    store's folder. Answers, and those of the parts of work that fans out, are filed there too (see filed_answers): what was done before a
    restart is not done again. Workers start with the first job.
    Raises UnknownNameError or ParameterError for an analysis that a worker could not find by name. Later failures (no such dataset, no
    workers) become the job's `error`. Raises JobError where job_limits.py has no room for it.
    """
    if analysis_named(question.analysis.name) is not question.analysis:
        raise ParameterError(f"question: {question.analysis.name!r} is the name of another analysis. Use a registered one.")
    if seconds is not None and question.analysis.parts is not None:
        seconds /= WORKERS
    return _submit(Answer(question.to_dict()), Job(question.id, question.analysis.title, question, seconds))


def submit_call(function: Callable[..., object], arguments: Mapping[str, object], *, title: str) -> Job:
    """Call `function(progress=..., **arguments)` on a worker: long work that is not an analysis (a download, a report); returns at once.

    function: at the top level of a hemcore module. arguments: JSON values; the id is a hash of both.
    Its result must be small: a path (on a disk that the server can read) or bytes, up to results.MAX_CALL_RESULT (32 MiB).
    title: the name of the work in messages. Otherwise like `submit`.
    Raises ParameterError if the function cannot be found by name or the arguments are not JSON values.
    """
    call = call_of(function, arguments)
    text = json.dumps([call.function, call.arguments], sort_keys=True)
    return _submit(call, Job(hashlib.sha256(text.encode()).hexdigest(), title))


def each(function: Callable[[ItemT], FoundT], items: Iterable[ItemT]) -> Iterator[FoundT]:
    """The result of `function` for each of `items`, in order, computed by the workers; blocks, so call it from a script or a thread.

    function and items are sent to the workers, so they should be small, such as the path of a shared file. Only a few are sent at once:
    `items` may be endless. Raises what `function` raises, and JobError if the workers cannot be used or one dies.
    """
    return _connected().each(function, items)


def find(question_or_id: Question | str) -> Job | None:
    """The job of that question or id, also one whose answer is bundled or filed; None if there is none."""
    id = question_or_id if isinstance(question_or_id, str) else question_or_id.id
    with _lock:
        known = _jobs.get((whose.key_here(), id))
    if known is None and (known := bundled.job_of(id) or _filed(id)) is not None:
        know(known)
    return known


def withdraw(job: Job) -> bool:
    """Forget `job` if it waits, since nobody asks for its answer any more; whether it did. What has begun goes on."""
    with _lock:
        if job.state != "queued" or _jobs.get((job.owner, job.id)) is not job:
            return False
        del _jobs[job.owner, job.id]
    job.cancel()
    return True


def look_again() -> None:
    """Look for the answers that other servers of this store have filed since: `find` goes by the list of the last look."""
    filed_answers.listed(_path(_root()))


def filed(questions: Sequence[Question]) -> list[Any]:
    """The answers to these questions that are filed now, None for those that are not: of the parts of a running job."""
    root = _path(_root())
    there = filed_answers.listed(root)
    found = [filed_answers.held_of(each.id, root) if filed_answers.key_of(each.id) in there else None for each in questions]
    return [None if each is None else each[1].result() for each in found]


def _filed(id: str) -> Job | None:
    """The finished job of the question with this id, from before a restart; None if no answer is filed."""
    found = filed_answers.held_of(id, _path(_root()))
    if found is None:
        return None
    question, held = found
    job = Job(id, question.analysis.title, question)
    job.end("done", held=held)
    return job


def jobs() -> list[Job]:
    """Every known job of whoever asks, oldest first; may be empty."""
    owner = whose.key_here()
    return [job for job in everyones() if job.owner == owner]


def everyones() -> list[Job]:
    """Every known job of every owner, oldest first."""
    with _lock:
        return list(_jobs.values())


def close() -> None:
    """Cancel unfinished jobs and shut the workers down; finished jobs keep their results. The next job starts new workers."""
    global _cluster
    for job in everyones():
        if not job.finished:
            job.end("cancelled", error=f"{job.kind}: the workers were shut down before it was done. Try again.")
    with _cluster_lock:
        if _cluster is not None:
            _cluster.close()
        _cluster = None


def know(job: Job, *, admit: bool = False) -> None:
    """Add `job` to the known ones, if it may begin (JobError); drops the oldest finished jobs above MAX_FINISHED and MAX_IN_ALL."""
    if admit:
        _admit(job)
    with _lock:
        dropped = _take(job)
    for old in dropped:
        old.drop()


def _take(job: Job) -> list[Job]:
    """Add `job`, with the lock held; returns the dropped jobs."""
    _jobs[job.owner, job.id] = job
    finished: dict[str, list[str]] = {}
    for owner, id in [key for key, each in _jobs.items() if each.finished]:
        finished.setdefault(owner, []).append(id)
    dropped = []
    while finished and (len(most := max(finished.values(), key=len)) > MAX_FINISHED or sum(map(len, finished.values())) > MAX_IN_ALL):
        owner = next(name for name, ids in finished.items() if ids is most)
        dropped.append(_jobs.pop((owner, most.pop(0))))
    return dropped


def _submit(task: Task, job: Job) -> Job:
    with _lock:
        known = _jobs.get((job.owner, job.id))
        if known is not None and (known.state == "done" or not (known.finished or known.cancel_asked)):
            return known
        _admit(job)
        _jobs.pop((job.owner, job.id), None)
        dropped = _take(job)
    for old in dropped:
        old.drop()
    # One thread per job: it starts the workers if needed and waits for the result.
    threading.Thread(target=_run, args=(job, task, _root()), name=f"hem-job-{job.id[:8]}", daemon=True).start()
    return job


def _admit(job: Job) -> None:
    """Raise JobError if the owner may not begin one more job, or not this one."""
    if job.owner:
        rows = 0 if job.question is None else library.rows(job.question.dataset)
        try:
            free = job_limits.begin(whose.folder(), seconds=job.expected, rows=rows)
        except HemError as error:
            raise JobError(str(error)) from None
        base = whose.base_at(whose.folder())

        def give_back() -> None:
            free()
            ended[job.state] += 1
            audit_log.note(f"job.{job.state}", job.id, at=base, who=job.owner, source="")

        job.give_back = give_back
        audit_log.note("job.submit", job.id, at=base, who=job.owner)


def _run(job: Job, task: Task, root: str | None) -> None:
    try:
        if root not in _cleaned:
            _cleaned.add(root)
            with contextlib.suppress(HemError, OSError):  # small results need no store
                filed_results.clean(_path(root))
                filed_answers.make_room(_path(root))
        if isinstance(task, Answer):
            filed_answers.listed(_path(root))  # another server may have answered it meanwhile
            if (filed := filed_answers.held_of(job.id, _path(root))) is not None:
                job.end("done", held=filed[1])
                return
        job.note = "starting the workers"
        _connected().run(job, task, root)
    except HemError as error:
        job.end("failed", error=str(error))
    except BaseException as error:
        job.end("failed", error=f"{job.kind}: the workers could not be used ({error_text(error)}). Try again.")
        raise


def prepare() -> None:
    """Have the workers of this machine started meanwhile, so that a first job need not wait for them; a failure is told by the job."""

    def connect() -> None:
        with contextlib.suppress(HemError):
            _connected()

    if _cluster is None and not os.environ.get(SCHEDULER):
        threading.Thread(target=connect, name="hem-workers", daemon=True).start()


def _connected() -> "Cluster":
    """The cluster of this process, started if there is none or it has ended."""
    global _cluster
    with _cluster_lock:
        if _cluster is None or not _cluster.alive:
            # Imported here: distributed takes half a second, and most visits need no job.
            from hemcore.jobs.cluster import Cluster

            if _cluster is not None:
                _cluster.close()
                _cluster = None
            _cluster = Cluster(os.environ.get(SCHEDULER) or None)
        return _cluster


def _root() -> str | None:
    if whose.has_owners():
        return os.path.abspath(whose.folder())
    named = os.environ.get("HEM_DATA_DIR")
    return os.path.abspath(named) if named else None


def _path(root: str | None) -> Path | None:
    return Path(root) if root else None


def _leave() -> None:
    close()
    for job in everyones():
        job.drop()


atexit.register(_leave)
