"""Long work: submitted, watched, cancelled; dask.distributed underneath.

    job = submit(fit, dataset_id, params, kind="regression")   # fit(table, params, progress) -> result
    job.state, job.progress, job.remaining                     # at any time, from any thread
    job.result()                                               # waits
    find(job.id)                                               # the same job, after a page switch or a browser refresh

Jobs live in this process, not in a page: they end with the server, not with the browser.
"""

from hemcore.jobs.job import Job, JobError, State
from hemcore.jobs.registry import close, find, job_id, jobs, submit
from hemcore.jobs.worker import Cancelled, Progress

__all__ = ["Cancelled", "Job", "JobError", "Progress", "State", "close", "find", "job_id", "jobs", "submit"]
