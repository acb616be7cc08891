"""The headers of every answer of the server, as strict as Streamlit's own pages allow: `streamlit run deploy/serve.py` sends them.

Streamlit's scripts and styles stand partly in the page itself, and plotly and the tables build functions: "unsafe-inline" and "unsafe-eval"
cannot go. All else comes from this host alone, nobody may frame a page, and nothing is guessed about a file's type.
"""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:",
        "style-src 'self' 'unsafe-inline' blob:",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self' data: blob:",
        "worker-src 'self' blob:",
        "frame-src 'self' blob:",
        "frame-ancestors 'none'",
        "form-action 'self'",
        "base-uri 'self'",
        "object-src 'none'",
    )
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    "cross-origin-opener-policy": "same-origin",
}

Message = MutableMapping[str, Any]


class SecurityHeaders:
    """ASGI middleware that gives each HTTP answer HEADERS, in the place of those of the same name."""

    def __init__(self, app: Callable[..., Awaitable[None]]) -> None:
        self._app = app

    async def __call__(self, scope: Message, receive: Any, send: Callable[[Message], Awaitable[None]]) -> None:
        """Pass on what is no HTTP; of HTTP, the start of the answer gets the headers."""

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                kept = [(name, value) for name, value in message["headers"] if name.decode("latin-1").lower() not in HEADERS]
                message["headers"] = [*kept, *((name.encode(), value.encode()) for name, value in HEADERS.items())]
            await send(message)

        await self._app(scope, receive, with_headers if scope["type"] == "http" else send)
