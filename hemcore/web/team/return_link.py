"""The address that a visitor came with, kept while they sign in: st.login alone comes back to Home.

The way to the provider is asked for by the page itself, so its Referer is that address; a cookie of ten minutes carries it to any process.
"""

import re
from http.cookies import CookieError, SimpleCookie
from urllib.parse import quote, unquote, urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hemcore.web.team.guard import header

COOKIE = "hem_link"
_LOGIN, _BACK = "/auth/login", "/oauth2callback"
_LONGEST = 3_500  # browsers drop cookies above 4 KiB
# A path of this server: "//host" and "/\host" would be another's.
_PATH = re.compile(r"/(?![/\\])[!-\[\]-~]*")


class ReturnLink:
    """ASGI middleware. public_url: of the server, as people type it; prefix: the path that all addresses begin with; "" without."""

    def __init__(self, app: ASGIApp, *, public_url: str, prefix: str = "") -> None:
        self._app, self._public_url, self._prefix = app, public_url, prefix

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Add the cookie to the way out; on the way back, go on to the address in it."""
        path = str(scope.get("path", "")).removeprefix(self._prefix)
        if scope["type"] != "http" or path not in (_LOGIN, _BACK):
            await self._app(scope, receive, send)
            return
        link = self._came_from(scope) if path == _LOGIN else _kept(scope)

        async def with_link(message: Message) -> None:
            if message["type"] == "http.response.start" and (link or path == _BACK):
                headers = list(message["headers"])
                if path == _BACK and link and 300 <= message["status"] < 400:
                    headers = [(name, value) for name, value in headers if name.lower() != b"location"]
                    headers.append((b"location", link.encode("latin-1")))
                message["headers"] = [*headers, (b"set-cookie", self._cookie(link if path == _LOGIN else ""))]
            await send(message)

        await self._app(scope, receive, with_link)

    def _came_from(self, scope: Scope) -> str:
        """Path and query of the page that asks to sign in; "" if it is Home, or none of this server."""
        came, own = urlsplit(header(scope["headers"], "referer")), urlsplit(self._public_url)
        link = f"{came.path}?{came.query}" if came.query else came.path
        inside = (came.scheme, came.netloc) == (own.scheme, own.netloc) and came.path.startswith(f"{self._prefix}/")
        return link if inside and _is_own(link) and link != f"{self._prefix}/" else ""

    def _cookie(self, link: str) -> bytes:
        secure = "; Secure" if self._public_url.startswith("https") else ""
        age = 600 if link else 0
        return f"{COOKIE}={quote(link, safe='')}; Path={self._prefix}/; Max-Age={age}; HttpOnly; SameSite=Lax{secure}".encode()


def _kept(scope: Scope) -> str:
    cookies: SimpleCookie = SimpleCookie()
    try:
        cookies.load(header(scope["headers"], "cookie"))
    except CookieError:
        return ""
    link = unquote(cookies[COOKIE].value) if COOKIE in cookies else ""
    return link if _is_own(link) else ""


def _is_own(link: str) -> bool:
    return len(quote(link, safe="")) <= _LONGEST and _PATH.fullmatch(link) is not None
