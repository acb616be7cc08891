"""What an endpoint of the API is, what it is given, and what it gives back."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hemcore.errors import HemError
from hemcore.jobs import Job
from hemcore.params import Params, parameter

MIME = {
    "csv": "text/csv; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
    "json": "application/json",
    "html": "text/html; charset=utf-8",
    "ipynb": "application/x-ipynb+json",
    "prometheus": "text/plain; version=0.0.4; charset=utf-8",
}
LONGEST_WAIT_S = 60


class RefusedError(HemError):
    """A request that is answered with a status of its own; the message is the sentence."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class NoQuery(Params):
    """An endpoint without a query."""


class Waiting(Params):
    """A request that begins a job."""

    wait: float = parameter(
        0.0, title="Wait", description="Seconds to wait for the job before answering with 202.", ge=0, le=LONGEST_WAIT_S
    )


@dataclass(frozen=True, kw_only=True)
class Call:
    """A request that has been let in, in a thread that works in its owner's store.

    path: the parts of the path by name. query: of the endpoint's model. body: the JSON that was sent, None without. staged: the id of
    the file that was sent, in the store's incoming folder; "" without. root: the owner's store.
    """

    root: Path
    path: Mapping[str, str] = field(default_factory=dict)
    query: Any = None
    body: Any = None
    staged: str = ""


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What goes back: `json`, or `content` of the type MIME[form], or how far `job` is, which is waited for."""

    status: int = 200
    json: object = None
    content: bytes | None = None
    form: str = "json"
    file_name: str = ""
    job: Job | None = None


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """A method of a path.

    name: for programs that are made from the description ("listDatasets"). summary: one line. answer: computes the reply, in a thread.
    query: the model of the query. body: the model of the JSON that is sent; takes_file: the body is a file instead.
    gives: the type of the JSON in the answer, None without. forms: other types of answer, of MIME. status: of success.
    begins: it can answer with 202 and a job. missing: it can answer with 404.
    """

    method: str
    path: str
    name: str
    summary: str
    answer: Callable[[Call], Reply]
    query: type[Params] = NoQuery
    body: type[Params] | None = None
    takes_file: bool = False
    gives: Any = None
    forms: tuple[str, ...] = ()
    status: int = 200
    begins: bool = False
    missing: bool = False
