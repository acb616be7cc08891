"""Long work as jobs: submit, watch, cancel, fan out. Built on dask.distributed.

    job = submit(question)                        # an analysis of a dataset of the store
    job.state, job.progress, job.remaining        # at any time, from any thread
    job.result()                                  # waits
    find(question)                                # the same job after a page switch or refresh; also by its id
    withdraw(job)                                 # nobody asks for it any more: forgotten, unless it has begun
    submit_call(export, {"path": path}, title="segments as Parquet")    # other long work, with plain arguments
    submit_in_thread(read, title="read")          # work that needs a password: in a thread of this process
    prepare()                                     # the workers start meanwhile
    for found in each(function, paths): ...       # like map, computed by the workers

Jobs belong to this process, not to a page: they end with the server, not with the browser. What was done by then is filed: the same
question asked again, which a page does by itself when it is opened, goes on from the parts that were done (see filed_answers.py).
"""

from hemcore.jobs.here import submit_in_thread
from hemcore.jobs.job import Job, JobError, State
from hemcore.jobs.known_jobs import close, each, filed, find, jobs, look_again, prepare, submit, submit_call, withdraw
from hemcore.jobs.worker import Cancelled, Progress

__all__ = [
    "Cancelled",
    "Job",
    "JobError",
    "Progress",
    "State",
    "close",
    "each",
    "filed",
    "find",
    "jobs",
    "look_again",
    "prepare",
    "submit",
    "submit_call",
    "submit_in_thread",
    "withdraw",
]
