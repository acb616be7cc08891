"""The door of a team's server, before Streamlit: who a request comes from, and what it may have.

Only the trusted proxy says who somebody is; files under /media and uploads belong to an owner; Streamlit's metrics and agent are closed.
"""

import hmac
import ipaddress
import json
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit.web.server.starlette.starlette_websocket import _get_signed_cookie_with_chunks
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from hemcore.datasets.owners import audit_log, whose
from hemcore.errors import HemError
from hemcore.web.api.api_mount import PATH as API
from hemcore.web.team import streamlit_owners
from hemcore.web.team.identity import HEADERS, Identity, NotSignedIn, identity_of
from hemcore.web.team.team_settings import Settings

_SECRET = "x-hem-proxy-secret"
_USER_COOKIE = "_streamlit_user"
_PEER = "hem.peer"
_OPEN = ("/healthz", "/readyz", "/_stcore/health", "/static/", "/favicon.png")
_CLOSED = ("/_stcore/metrics", "/_stcore/agent", "/_stcore/script-health-check")
_NOT_THERE = "It is not there, or not yours."


class Guard:
    """ASGI middleware, outermost. prefix: the path that all addresses begin with, as server.baseUrlPath; "" without."""

    def __init__(self, app: ASGIApp, *, given: Settings, prefix: str = "") -> None:
        self._app, self._given, self._prefix = app, given, prefix

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what may pass; answer the rest with a sentence."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refused = self._admit(scope)
        if refused is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": refused[1][:120]})
        else:
            body = f"{refused[1]}\n".encode()
            headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
            await send({"type": "http.response.start", "status": refused[0], "headers": headers})
            await send({"type": "http.response.body", "body": body})

    def _admit(self, scope: Scope) -> tuple[int, str] | None:
        """None if it may pass, else the status and why."""
        path = str(scope["path"]).removeprefix(self._prefix)
        if any(path.startswith(each) for each in _CLOSED):
            return 404, "It is not there."
        if any(path == each or (each.endswith("/") and path.startswith(each)) for each in _OPEN):
            return None
        is_api = path.startswith(f"{API}/")  # there a token says who asks
        if self._given.auth == "proxy" and (why := self._from_proxy(scope, names_someone=not is_api)):
            return 403, why
        if is_api:
            return None
        if path.startswith("/media/"):
            who = identity_of_request(scope, self._given)
            key = "" if who is None else who.key
            if not streamlit_owners.may_have(key, path.removeprefix("/media/")):
                return 404, _NOT_THERE
            if which := streamlit_owners.download_of(path.removeprefix("/media/")):
                audit_log.note("download", which, at=whose.base(), who=key, source=str((scope.get("client") or ("",))[0]))
            return None
        if path.startswith("/_stcore/upload_file/") and scope.get("method") != "OPTIONS":
            session = path.removeprefix("/_stcore/upload_file/").partition("/")[0]
            who = identity_of_request(scope, self._given)
            return None if who is not None and streamlit_owners.owner_of_session(session) == who.key else (404, _NOT_THERE)
        return None

    def _from_proxy(self, scope: Scope, *, names_someone: bool) -> str:
        """Why the request is refused, "" if it is the proxy's; if it names someone, its headers are then those that `identity_of` reads."""
        given, headers = self._given, scope["headers"]
        sent = header(headers, _SECRET)
        plain = [(name, value) for name, value in headers if name.lower().decode("latin-1") not in (*HEADERS, _SECRET)]
        scope["headers"] = plain
        peer = (scope.get(_PEER) or scope.get("client") or ("",))[0]
        if given.networks and not any(_is_in(peer, network) for network in given.networks):
            return "This server answers its proxy alone. Open the address of your site instead."
        if given.proxy_secret and not hmac.compare_digest(sent.encode(), given.proxy_secret.encode()):
            return "This server answers its proxy alone, which knows a secret. Open the address of your site instead."
        user = header(plain, given.proxy_header)
        if not user.strip():
            return f"The proxy sent no {given.proxy_header}: no one is signed in. Sign in at your site."
        said = {"x-hem-user": user, "x-hem-groups": header(plain, given.groups_header), "x-hem-email": header(plain, "x-forwarded-email")}
        scope["headers"] = [*plain, *((name.encode(), value.encode("latin-1")) for name, value in said.items())]
        return ""


def identity_of_request(scope: Scope, given: Settings) -> Identity | None:
    """Who a request that has passed the door comes from; None if no one is signed in."""
    try:
        if given.auth == "proxy":
            return identity_of({name: header(scope["headers"], sent) for sent, name in HEADERS.items()}, given)
        cookies = SimpleCookie()
        cookies.load(header(scope["headers"], "cookie"))
        raw = _get_signed_cookie_with_chunks({name: each.value for name, each in cookies.items()}, _USER_COOKIE)
        return None if raw is None else identity_of(dict(json.loads(raw)), given)
    except (NotSignedIn, HemError, CookieError, ValueError, TypeError):
        return None


def remember_peers() -> None:
    """Have uvicorn say which machine a request came from, before it believes X-Forwarded-For of this machine's own proxies; once."""
    if getattr(ProxyHeadersMiddleware, "hem_remembers", False):
        return
    call = ProxyHeadersMiddleware.__call__

    async def remembering(self: Any, scope: Any, receive: Any, send: Any) -> None:
        scope[_PEER] = scope.get("client")
        await call(self, scope, receive, send)

    ProxyHeadersMiddleware.__call__ = remembering  # type: ignore[method-assign]
    ProxyHeadersMiddleware.hem_remembers = True  # type: ignore[attr-defined]


def header(headers: Iterable[tuple[bytes, bytes]], name: str) -> str:
    """The value of the one header of this name; "" if there is none, or several: then one of them may be forged."""
    found = [value for each, value in headers if each.lower().decode("latin-1") == name.lower()]
    return found[0].decode("latin-1") if len(found) == 1 else ""


def _is_in(address: str, network: ipaddress.IPv4Network | ipaddress.IPv6Network) -> bool:
    try:
        found = ipaddress.ip_address(address.removeprefix("::ffff:"))
    except ValueError:
        return False
    return found in network
