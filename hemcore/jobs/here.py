"""Work in a thread of this process, for what waits for another host and needs what no worker may be told: a password."""

import logging
import threading
import uuid
from collections.abc import Callable
from typing import Any

from hemcore.errors import HemError
from hemcore.jobs import known_jobs
from hemcore.jobs.job import Job
from hemcore.jobs.results import Held, Sent
from hemcore.jobs.worker import Cancelled, Progress

logger = logging.getLogger(__name__)


def submit_in_thread(work: Callable[[Progress], Any], *, title: str) -> Job:
    """Have a thread of this process call `work(progress)`; returns at once. Each is a job of its own: what another host says may change.

    Its result is small: an id, a path. title: what the work is, for messages. What goes wrong is the job's `error`, as of other jobs.
    """
    job, flag = Job(uuid.uuid4().hex * 2, title), threading.Event()
    job.submitted(flag.set)
    known_jobs.know(job)
    threading.Thread(target=_run, args=(job, work, flag), name=f"hem-here-{job.id[:8]}", daemon=True).start()
    return job


def _run(job: Job, work: Callable[[Progress], Any], flag: threading.Event) -> None:
    job.running()
    try:
        result = work(Progress(job.report, flag))
    except Cancelled:
        job.end_cancelled()
    except HemError as error:
        job.end("failed", error=str(error))
    except BaseException as error:
        # The type alone, here and in the log: the message of a driver may hold what nobody shall see.
        logger.error("%s failed: %s", job.kind, type(error).__name__)
        job.end("failed", error=f"{job.kind} stopped with {type(error).__name__}. This is a defect of the program: please report it.")
    else:
        job.end("done", held=Held(Sent(result, 0), None))
