"""Whoever signs in comes back to the link that they came with, and to no other server's."""

import asyncio
from http.cookies import SimpleCookie
from urllib.parse import quote

import pytest

from hemcore.web.team.return_link import COOKIE, ReturnLink

URL = "https://hem.example.org"


def answer(path: str, location: str = "/", prefix: str = "", **headers: str) -> dict[str, list[str]]:
    """The headers of the answer to a request for `path`, which the app redirects to `location`."""
    sent: list[dict] = []

    async def app(scope, receive, send) -> None:
        await send({"type": "http.response.start", "status": 302, "headers": [(b"location", location.encode())]})

    async def send(message: dict) -> None:
        sent.append(message)

    scope = {"type": "http", "path": path, "headers": [(name.encode(), value.encode()) for name, value in headers.items()]}
    asyncio.run(ReturnLink(app, public_url=URL, prefix=prefix)(scope, None, send))
    found: dict[str, list[str]] = {}
    for name, value in sent[0]["headers"]:
        found.setdefault(name.decode(), []).append(value.decode())
    return found


@pytest.mark.parametrize(("prefix", "link"), [("", "/merge?merge.dataset=A%20B&share=12"), ("/hem", "/hem/data?share=12")])
def test_the_link_is_there_after_the_sign_in(prefix: str, link: str) -> None:
    out = answer(f"{prefix}/auth/login", "https://sso.example.org/authorize", prefix, referer=URL + link)
    assert out["location"] == ["https://sso.example.org/authorize"]
    [cookie] = SimpleCookie(out["set-cookie"][0]).values()
    assert {name: cookie[name] for name in ("path", "httponly", "samesite", "secure", "max-age")} == {
        "path": f"{prefix}/", "httponly": True, "samesite": "Lax", "secure": True, "max-age": "600",
    }  # fmt: skip
    back = answer(f"{prefix}/oauth2callback", f"{prefix}/", prefix, cookie=f"{COOKIE}={cookie.value}")
    assert back["location"] == [link]
    assert "Max-Age=0" in back["set-cookie"][0]


@pytest.mark.parametrize(
    "came_from", ["", URL, f"{URL}/", "https://evil.example.org/data", f"{URL}//evil.example.org", f"{URL}/{'a' * 4000}"]
)
def test_what_is_no_page_of_this_server_is_not_kept(came_from: str) -> None:
    assert "set-cookie" not in answer("/auth/login", referer=came_from)


@pytest.mark.parametrize(
    "link", ["//evil.example.org", "/\\evil.example.org", "https://evil.example.org", "/a\r\nb: c", "javascript:1", ""]
)
def test_a_forged_cookie_leads_nowhere(link: str) -> None:
    assert answer("/oauth2callback", cookie=f"{COOKIE}={quote(link, safe='')}")["location"] == ["/"]


def test_other_addresses_are_left_alone() -> None:
    assert answer("/data", referer=f"{URL}/merge?a=1", cookie=f"{COOKIE}=%2Fmerge") == {"location": ["/"]}
