"""One user's server: asked by another name it answers nothing; with a key, it answers who has shown it."""

import asyncio

import httpx
import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from hemcore.web.team.one_user_door import OneUserDoor

KEY = "0123456789abcdef" * 2
PREFIX = "/node/n1/8501"


def asked(key: str, method: str, path: str, host: str = "localhost:8501", **more: object) -> httpx.Response:
    async def page(request) -> PlainTextResponse:
        return PlainTextResponse("a page")

    app = OneUserDoor(Starlette(routes=[Route("/{path:path}", page)]), key=key, prefix=PREFIX if key else "")

    async def answer() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=f"http://{host}") as client:
            return await client.request(method, path, **more)

    return asyncio.run(answer())


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:8501", 200),
        ("127.0.0.1:8501", 200),
        ("[::1]:8501", 200),
        ("evil.example:8501", 403),  # a name that was made to lead here
        ("localhost.evil.example", 403),
    ],
)
@pytest.mark.parametrize("path", ["/", "/_stcore/health", "/api/v1/datasets"])
def test_without_a_key_it_is_asked_by_its_own_name(host: str, status: int, path: str) -> None:
    assert asked("", "GET", path, host).status_code == status


def test_with_a_key_it_answers_who_shows_it() -> None:
    host = "ondemand.example.org"
    for path in ("/", "/merge", "/_stcore/stream", "/media/x.png"):
        assert asked(KEY, "GET", PREFIX + path, host).status_code == 403
        assert asked(KEY, "GET", PREFIX + path, host, headers={"X-HEM-Key": KEY[:-1] + "0"}).status_code == 403
        assert asked(KEY, "GET", PREFIX + path, host, headers={"X-HEM-Key": KEY}).status_code == 200
    assert asked(KEY, "GET", f"{PREFIX}/api/v1/datasets", host).status_code == 200  # there a token is asked for
    assert asked(KEY, "POST", f"{PREFIX}/enter", host, data={"key": "x"}).status_code == 403
    assert asked(KEY, "POST", f"{PREFIX}/enter", host, content=b"key=" + b"x" * 10_000).status_code == 403
    entered = asked(KEY, "POST", f"{PREFIX}/enter", host, data={"key": KEY}, headers={"x-forwarded-proto": "https"})
    assert (entered.status_code, entered.headers["location"]) == (303, f"{PREFIX}/")
    cookie = entered.headers["set-cookie"]
    assert KEY not in cookie
    assert {"HttpOnly", "Secure", f"Path={PREFIX}/", "SameSite=lax"} <= set(cookie.split("; "))
    shown = {"cookie": f"a=b; {cookie.partition(';')[0]}"}
    assert asked(KEY, "GET", f"{PREFIX}/merge", host, headers=shown).status_code == 200
    assert asked(KEY, "GET", f"{PREFIX}/merge", host, headers={"cookie": f"hem_key={KEY}"}).status_code == 403
