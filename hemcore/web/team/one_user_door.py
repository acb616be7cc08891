"""The door of one user's server: asked by this machine's own name, or, where others can reach it, with a key.

A key is for Open OnDemand and JupyterHub, which start a server for each user on a machine that many share. Who shows it once, by a form
or in a header that the proxy sets, is the user.
"""

import hashlib
import hmac
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from hemcore.web.api.api_mount import PATH as API
from hemcore.web.team.team_settings import LOCAL

HEADER, COOKIE, ENTER = "x-hem-key", "hem_key", "/enter"
_OPEN = ("/healthz", "/_stcore/health")
_LONGEST_FORM = 1024
_NO_KEY = "This server is another's, or its key is not here. Open it again from where you started it."
_OTHER_NAME = "This server answers by the name localhost alone. Open http://localhost and its port."


class OneUserDoor:
    """ASGI middleware, outermost. key: "" = the server is asked by this machine's own name. prefix: as server.baseUrlPath, with a /."""

    def __init__(self, app: ASGIApp, *, key: str, prefix: str = "") -> None:
        self._app, self._key, self._prefix = app, key, prefix

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what may pass; answer the rest with a sentence."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        path = str(scope["path"]).removeprefix(self._prefix)
        if self._key and path == ENTER and scope.get("method") == "POST":
            await (await self._entered(Request(scope, receive)))(scope, receive, send)
            return
        # The API asks for a token of its own; a page of another site knows none.
        may = path in _OPEN or path.startswith(f"{API}/") or self._shows_key(scope) if self._key else _by_own_name(scope)
        if may:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        else:
            await PlainTextResponse(f"{_NO_KEY if self._key else _OTHER_NAME}\n", 403)(scope, receive, send)

    async def _entered(self, request: Request) -> Response:
        """To the pages, with a cookie, for the form of who knows the key."""
        form = b""
        async for part in request.stream():
            form += part
            if len(form) > _LONGEST_FORM:
                break
        given = parse_qs(form.decode("ascii", "replace")).get("key", [""])[0]
        if not hmac.compare_digest(given.encode(), self._key.encode()):
            return PlainTextResponse(f"{_NO_KEY}\n", 403)
        answer = RedirectResponse(f"{self._prefix}/", 303)
        secure = request.headers.get("x-forwarded-proto", "") == "https"
        answer.set_cookie(COOKIE, _proof(self._key), path=f"{self._prefix}/", httponly=True, samesite="lax", secure=secure)
        return answer

    def _shows_key(self, scope: Scope) -> bool:
        headers = Headers(scope=scope)
        if hmac.compare_digest(headers.get(HEADER, "").encode(), self._key.encode()):
            return True
        return any(hmac.compare_digest(each.encode(), _proof(self._key).encode()) for each in _cookies(headers.getlist("cookie")))


def _proof(key: str) -> str:
    """What the cookie has in place of the key."""
    return hashlib.sha256(f"hem_key {key}".encode()).hexdigest()


def _cookies(headers: Iterable[str]) -> list[str]:
    """The values of COOKIE in these headers; with several paths there are several."""
    found = []
    for header in headers:
        for pair in header.split(";"):
            try:
                cookie = SimpleCookie(pair.strip())
            except CookieError:
                continue
            found += [each.value for name, each in cookie.items() if name == COOKIE]
    return found


def _by_own_name(scope: Scope) -> bool:
    """Whether the browser asked for this machine: a page of another site can have its own name lead here."""
    return urlsplit(f"//{Headers(scope=scope).get('host', '')}").hostname in LOCAL
