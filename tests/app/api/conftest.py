"""The API over a store of its own, asked in this process; questions are answered at once."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from hemcore import jobs
from hemcore.analysis import Question
from hemcore.datasets.owners import access_tokens, people, whose
from hemcore.errors import HemError
from hemcore.jobs import Job, JobError, known_jobs
from hemcore.jobs.filed_results import Held, Sent
from hemcore.web.api.api_mount import mounted

FILE = b"A,B\n1000,2000\n3000,4000\n5000,6500\n"


class Api:
    """A program that knows `token`."""

    def __init__(self, token: str) -> None:
        self.token, self.app = token, mounted().app

    def ask(self, method: str, path: str, *, headers: dict[str, str] | None = None, **more: Any) -> httpx.Response:
        sent = {"authorization": f"Bearer {self.token}"} if self.token else {}

        async def asked() -> httpx.Response:
            transport = httpx.ASGITransport(self.app, client=("192.0.2.7", 1))
            async with httpx.AsyncClient(transport=transport, base_url="http://localhost:8501") as client:
                return await client.request(method, path, headers=sent | (headers or {}), **more)

        return asyncio.run(asked())

    def get(self, path: str, **more: Any) -> httpx.Response:
        return self.ask("GET", path, **more)

    def add(self, content: bytes = FILE, query: str = "file=a.csv") -> httpx.Response:
        return self.ask("POST", f"/datasets?{query}", content=content)

    def put_question(self, **question: object) -> httpx.Response:
        return self.ask("POST", "/questions", content=json.dumps(question).encode())


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The store's folder. What a question asks is computed where it is submitted."""
    monkeypatch.setenv("HEM_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(known_jobs, "_jobs", {})

    def submit(question: Question, seconds: float | None = None) -> Job:
        job = Job(question.id, question.analysis.title, question)
        known_jobs.know(job, admit=True)
        from hemcore.datasets.shelf import library

        try:
            held = Held(Sent(question.answer(library.load(question.dataset, whose.folder())), 0), None)
            job.end("done", held=held)
        except HemError as error:
            job.end("failed", error=str(error))
        return job

    monkeypatch.setattr(jobs, "submit", submit)
    return tmp_path


@pytest.fixture
def api(store: Path) -> Api:
    """Of the one user."""
    return Api(access_tokens.make(store, "test"))


@pytest.fixture
def team(store: Path) -> Iterator[dict[str, Api]]:
    """Of Ada and Eve, who are both known to the server."""

    def no_one() -> str:
        raise JobError("No one is signed in.")

    whose.serve_owners(no_one)
    for name in ("ada", "eve"):
        people.signed_in(whose.key_of("i", name), name=name, email="", groups=(), base=store)
    yield {name: Api(access_tokens.make(whose.folder_of(whose.key_of("i", name)), name)) for name in ("ada", "eve")}
    whose.serve_owners(None)
