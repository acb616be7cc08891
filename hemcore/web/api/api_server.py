"""The API's door and its way through: who asks, by a token; what is sent, within bounds; every error a sentence as JSON.

A page in somebody's browser gets nothing here: it knows no token, no cookie counts, and what a browser marks as another site's is refused.
"""

import asyncio
import functools
import json
import logging
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote, urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from hemcore.datasets.owners import access_tokens, audit_log, limits, whose
from hemcore.datasets.shelf import staged
from hemcore.errors import HemError, StoreError, UnknownNameError
from hemcore.jobs import Job, JobError
from hemcore.web.api.description import described
from hemcore.web.api.endpoints import ENDPOINTS
from hemcore.web.api.exchange import MIME, Call, Endpoint, RefusedError, Reply, Waiting
from hemcore.web.api.jobs_api import state_of

MOST_FILE, MOST_JSON = 200 << 20, 1 << 20  # bytes; a file as the pages take it
_IDLE_S = 60.0  # a body that does not go on is given up
_NO_TOKEN = "A token is needed: Authorization: Bearer hem_... Make one on a page, in the box with your name, or with hem-workbench token."
_BAD_TOKEN = "This token is not known here, has ended, or its time is up. Make another."
# What API calls of everybody compute at once: pages answer from the same process.
_at_once = asyncio.Semaphore(4)
logger = logging.getLogger(__name__)
GivenT = TypeVar("GivenT")
FoundT = TypeVar("FoundT")


def api_app() -> ASGIApp:
    """The API as an ASGI app, for a place whose path it does not know."""
    by_path: dict[str, dict[str, Endpoint]] = {}
    for each in ENDPOINTS:
        by_path.setdefault(each.path, {})[each.method] = each

    async def openapi(request: Request) -> Response:
        return JSONResponse(await run_in_threadpool(_description))

    async def nowhere(scope: Scope, receive: Receive, send: Send) -> None:
        await _error(404, "This address is not one of the API. They are in openapi.json.")(scope, receive, send)

    routes = [Route("/openapi.json", openapi), *(Route(path, _Resource(methods)) for path, methods in by_path.items())]
    router = Router(routes, default=nowhere, redirect_slashes=False)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        why = _strange(Request(scope))
        await (_error(403, why) if why else router)(scope, receive, send)

    return app


@functools.cache
def _description() -> dict[str, object]:
    return described(ENDPOINTS)


class _Json(JSONResponse):
    """JSON of plain values and of dataclasses."""

    def render(self, content: Any) -> bytes:
        return json.dumps(content, ensure_ascii=False, allow_nan=False, default=asdict).encode(errors="replace")


class _Resource:
    """A path: the endpoints of its methods."""

    def __init__(self, methods: Mapping[str, Endpoint]) -> None:
        self._methods = methods

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        endpoint = self._methods.get(request.method)
        if endpoint is None:
            allowed = ", ".join(self._methods)
            response: Response = _error(405, f"{request.method[:20]} is not a method of this address; it has {allowed}.")
            response.headers["allow"] = allowed
        else:
            try:
                response = await _answered(endpoint, request)
            except ClientDisconnect:
                return
            except HemError as error:
                response = _error(_status(error), str(error))
            except Exception:
                logger.exception("%s %s", endpoint.method, endpoint.path)
                response = _error(500, "The server could not answer this; its log says why. Tell your administrator when it was.")
        await response(scope, receive, send)


async def _answered(endpoint: Endpoint, request: Request) -> Response:
    """The answer to an endpoint's request. Raises HemError for what is refused."""
    root = await run_in_threadpool(_admitted, request.headers.get("authorization", ""))
    source = request.client.host if request.client is not None else ""
    query = endpoint.query(**_query(request))
    call = Call(root=root, path=request.path_params, query=query)
    if endpoint.takes_file:
        call = Call(root=root, query=query, staged=await _received(request, root, str(getattr(query, "file", ""))))
    elif endpoint.body is not None:
        call = Call(root=root, query=query, body=endpoint.body(**await _sent(request)))
    reply = await _as_owner(root, source, endpoint.answer, call)
    if reply.job is not None:
        await _finished(reply.job, query.wait if isinstance(query, Waiting) else 0.0)
        reply = Reply(status=200 if reply.job.finished else 202, json=await _as_owner(root, source, state_of, reply.job))
    if reply.content is None:
        return _Json(reply.json, reply.status) if reply.status != 204 else Response(status_code=204)
    named = {"content-disposition": f"attachment; filename*=UTF-8''{quote(reply.file_name)}"} if reply.file_name else {}
    return Response(reply.content, reply.status, named, media_type=MIME[reply.form])


async def _as_owner(root: Path, source: str, function: Callable[[GivenT], FoundT], given: GivenT) -> FoundT:
    """What `function` returns, called in a thread that works in the store `root` for who asks from `source`."""

    def work() -> FoundT:
        token = audit_log.source_of_request.set(source)
        try:
            with whose.within(root):
                return function(given)
        finally:
            audit_log.source_of_request.reset(token)

    async with _at_once:
        return await run_in_threadpool(work)


async def _finished(job: Job, seconds: float) -> None:
    """Wait for `job`, at most so long; no thread waits."""
    end = time.monotonic() + seconds
    while not job.finished and time.monotonic() < end:
        await asyncio.sleep(0.05)


def _admitted(authorization: str) -> Path:
    """The store's folder of whose token was sent. Raises RefusedError."""
    scheme, _, text = authorization.partition(" ")
    if scheme.lower() != "bearer" or not text.strip():
        raise RefusedError(401, _NO_TOKEN)
    root = access_tokens.root_of(text.strip())
    if root is None:
        raise RefusedError(401, _BAD_TOKEN)
    return root


def _strange(request: Request) -> str:
    """Why a request is refused as one that a browser sends for another site; "" if it is none."""
    host = request.headers.get("host", "")
    origin = request.headers.get("origin")
    if (origin is not None and urlsplit(origin).netloc != host) or request.headers.get("sec-fetch-site") in ("cross-site", "same-site"):
        return "This address is for programs, not for pages of other sites."
    return ""


def _query(request: Request) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, value in request.query_params.multi_items():
        if name in found:
            raise RefusedError(422, f"{name[:60]}: it stands in the address twice. Give it once.")
        found[name] = value
    return found


async def _sent(request: Request) -> dict[str, object]:
    """The JSON object of the body, of at most MOST_JSON bytes."""
    _check_length(request, MOST_JSON)
    parts = b"".join([part async for part in _parts(request, MOST_JSON)])
    try:
        found = json.loads(parts)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise RefusedError(400, 'The body is no JSON object. Send one, such as {"analysis": "merge.copula", "dataset": "ID"}.')
    return found


async def _received(request: Request, root: Path, name: str) -> str:
    """The id of the upload that the body is written to, as it comes."""
    length = _check_length(request, MOST_FILE)
    await run_in_threadpool(partial(limits.check_room, root, length, incoming=True))

    with staged.receiving(name, root) as (id, file):
        async for part in _parts(request, MOST_FILE):
            await run_in_threadpool(file.write, part)
        if not file.tell():
            raise RefusedError(400, "The body is empty. Send the file as the body of the request.")
    return id


async def _parts(request: Request, most: int) -> Any:
    """The body in parts, none of them empty. Raises RefusedError for more than `most` bytes, and when nothing comes any more."""
    stream, total = request.stream(), 0
    while True:
        try:
            part = await asyncio.wait_for(anext(stream), _IDLE_S)
        except StopAsyncIteration:
            return
        except TimeoutError:
            raise RefusedError(408, f"Nothing came for {_IDLE_S:.0f} seconds. Send it again.") from None
        total += len(part)
        if total > most:
            raise _too_large(most)
        if part:
            yield part


def _check_length(request: Request, most: int) -> int:
    """The length that the request says it has; 0 if it says none. Raises RefusedError above `most`."""
    text = request.headers.get("content-length", "")
    length = int(text) if text.isascii() and text.isdigit() and len(text) < 20 else 0
    if length > most:
        raise _too_large(most)
    return length


def _too_large(most: int) -> RefusedError:
    return RefusedError(413, f"The body is too large; at most {most / 2**20:,.0f} MiB are taken. Send less at once.")


def _status(error: HemError) -> int:
    if isinstance(error, RefusedError):
        return error.status
    known: Iterable[tuple[type[HemError], int]] = ((UnknownNameError, 404), (JobError, 429), (StoreError, 507))
    return next((status for kind, status in known if isinstance(error, kind)), 422)


def _error(status: int, sentence: str) -> JSONResponse:
    headers = {"www-authenticate": 'Bearer realm="HEM Workbench"'} if status == 401 else None
    return JSONResponse({"error": sentence}, status, headers)
