"""Jobs in the API: how far they are, and their end."""

from dataclasses import dataclass

from hemcore import jobs
from hemcore.datasets.shelf.staged import add_staged
from hemcore.errors import HemError, UnknownNameError
from hemcore.jobs import Job
from hemcore.web.api.exchange import Call, Reply

UPLOAD = "Reading the upload"


@dataclass(frozen=True, kw_only=True)
class JobState:
    """progress: 0 to 1. remaining: seconds, null while unknown. error: why there is no answer. answer: where it is. dataset: its id, if one
    was made."""

    id: str
    title: str
    state: str
    progress: float
    note: str
    remaining: float | None
    error: str | None
    answer: str | None
    dataset: str | None


def read_file(staged: str, arguments: dict[str, object]) -> Job:
    """The job that reads an upload."""
    return jobs.submit_call(add_staged, {"staged": staged, **arguments}, title=UPLOAD)


def state_of(job: Job) -> JobState:
    """How far `job` is."""
    done, dataset = job.state == "done", None
    if done and job.question is None:
        try:
            result = job.result()
            dataset = str(result["id"]) if isinstance(result, dict) and "id" in result else None
        except HemError:  # its result is gone: the job says so
            done = False
    return JobState(
        id=job.id,
        title=job.kind,
        state=job.state,
        progress=round(job.progress, 4),
        note=job.note,
        remaining=None if job.remaining is None else round(job.remaining, 1),
        error=job.error,
        answer=f"answers/{job.id}" if done and job.question is not None else None,
        dataset=dataset,
    )


def found(id: str) -> Job:
    """The job of whoever asks, one that another server of this store has finished too. Raises UnknownNameError if there is none."""
    job = jobs.find(id)
    if job is None:
        jobs.look_again()
        job = jobs.find(id)
    if job is None:
        raise UnknownNameError(
            f"job {id[:64]!r} is not known here. Ask the question again. Behind a proxy with several servers keep its cookie: a job that is"
            " not done is known to the server that began it."
        )
    return job


def list_jobs(call: Call) -> Reply:
    """Every known job of the owner."""
    return Reply(json=[state_of(each) for each in jobs.jobs()])


def show_job(call: Call) -> Reply:
    """How far one is."""
    return Reply(json=state_of(found(call.path["id"])))


def cancel_job(call: Call) -> Reply:
    """Ask one to stop."""
    job = found(call.path["id"])
    job.cancel()
    return Reply(json=state_of(job))
