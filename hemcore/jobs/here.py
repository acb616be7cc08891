"""Work in a thread of this process: for other hosts that need a password, which is never sent to a worker."""

import logging
import threading
import uuid
from collections.abc import Callable
from pathlib import Path

from hemcore.datasets.owners import whose
from hemcore.errors import HemError
from hemcore.jobs import known_jobs
from hemcore.jobs.filed_results import Held, Sent
from hemcore.jobs.job import Job
from hemcore.jobs.worker import Cancelled, Progress

logger = logging.getLogger(__name__)


def submit_in_thread(work: Callable[[Progress], object], *, title: str) -> Job:
    """Call `work(progress)` in a thread of this process; returns at once. Always a new job, since the other host's data may change.

    Its result must be small: an id, a path. title: the name of the work in messages. Failures become the job's `error`, as in other jobs.
    """
    job, flag = Job(uuid.uuid4().hex * 2, title), threading.Event()
    job.submitted(flag.set)
    known_jobs.know(job, admit=True)
    root = whose.folder() if whose.has_owners() else None
    threading.Thread(target=_run, args=(job, work, flag, root), name=f"hem-here-{job.id[:8]}", daemon=True).start()
    return job


def _run(job: Job, work: Callable[[Progress], object], flag: threading.Event, root: Path | None) -> None:
    job.running()
    try:
        with whose.within(root):
            result = work(Progress(job.report, flag))
    except Cancelled:
        job.end_cancelled()
    except HemError as error:
        job.end("failed", error=str(error))
    except BaseException as error:
        # Only the type, here and in the log: the message of a driver may contain the password.
        logger.error("%s failed: %s", job.kind, type(error).__name__)
        job.end("failed", error=f"{job.kind} stopped with {type(error).__name__}. This is a bug in the program: please report it.")
    else:
        job.end("done", held=Held(Sent(result, 0), None))
