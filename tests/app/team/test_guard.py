"""The door of a team's server: only the trusted proxy says who somebody is."""

import asyncio
from ipaddress import ip_network

import pytest

from hemcore.web.team.guard import Guard, identity_of_request
from hemcore.web.team.identity import identity_of
from hemcore.web.team.team_settings import Settings

SECRET = "0123456789abcdef" * 2
BY_ADDRESS = Settings(auth="proxy", networks=(ip_network("10.0.0.0/24"),))
BY_SECRET = Settings(auth="proxy", proxy_secret=SECRET)
BY_BOTH = Settings(auth="proxy", proxy_secret=SECRET, networks=(ip_network("10.0.0.0/24"),))
USER = ("X-Forwarded-User", "ada")
SENT = ("X-HEM-Proxy-Secret", SECRET)


def asked(given: Settings, *headers: tuple[str, str], path: str = "/", peer: str = "10.0.0.5", kind: str = "http") -> tuple[object, dict]:
    """The status or close code of the door, or None with the scope that went on."""
    passed: dict = {}
    answers: list[dict] = []

    async def app(scope, receive, send) -> None:
        passed.update(scope)

    async def send(message: dict) -> None:
        answers.append(message)

    async def receive() -> dict:
        return {"type": "websocket.connect"}

    scope = {"type": kind, "path": path, "method": "GET", "client": (peer, 1)}
    scope["headers"] = [(name.lower().encode(), value.encode()) for name, value in headers]
    asyncio.run(Guard(app, given=given)(scope, receive, send))
    return (answers[0].get("status") or answers[0].get("code") if answers else None), passed


def user(scope: dict) -> str:
    return next((value.decode() for name, value in scope["headers"] if name == b"x-hem-user"), "")


@pytest.mark.parametrize("given", [BY_ADDRESS, BY_SECRET, BY_BOTH])
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_the_proxy_names_who_is_there(given: Settings, kind: str) -> None:
    status, scope = asked(given, USER, SENT, kind=kind)
    assert status is None
    assert user(scope) == "ada"
    assert SECRET not in str(scope["headers"])
    assert identity_of_request(scope, given) == identity_of({"hem_user": "ada"}, given)


@pytest.mark.parametrize(
    ("given", "headers", "peer"),
    [
        (BY_ADDRESS, (USER,), "10.0.1.5"),
        (BY_ADDRESS, (USER, ("X-Forwarded-For", "10.0.0.5")), "192.0.2.7"),
        (BY_SECRET, (USER,), "10.0.0.5"),
        (BY_SECRET, (USER, ("X-HEM-Proxy-Secret", "no" * 16)), "10.0.0.5"),
        (BY_SECRET, (USER, SENT, SENT), "10.0.0.5"),
        (BY_BOTH, (USER,), "10.0.0.5"),
        (BY_BOTH, (USER, SENT), "192.0.2.7"),
        (BY_ADDRESS, (), "10.0.0.5"),
        (BY_ADDRESS, (("X-Forwarded-User", " "),), "10.0.0.5"),
        (BY_ADDRESS, (USER, ("X-Forwarded-User", "eve")), "10.0.0.5"),
        (BY_ADDRESS, (("X-HEM-User", "ada"),), "10.0.0.5"),
    ],
)
@pytest.mark.parametrize("path", ["/", "/_stcore/stream", "/media/x.csv", "/api/v1/datasets", "/_stcore/upload_file/a/b"])
def test_anyone_else_is_refused(given: Settings, headers: tuple, peer: str, path: str) -> None:
    assert asked(given, *headers, peer=peer, path=path) == (403, {})
    assert asked(given, *headers, peer=peer, path=path, kind="websocket") == (1008, {})


def test_a_name_that_a_visitor_sends_is_taken_away() -> None:
    _, scope = asked(BY_ADDRESS, USER, ("X-HEM-User", "eve"), ("X-HEM-Groups", "admins"))
    assert [value for name, value in scope["headers"] if name == b"x-hem-user"] == [b"ada"]
    assert [value for name, value in scope["headers"] if name == b"x-hem-groups"] == [b""]


@pytest.mark.parametrize("path", ["/_stcore/metrics", "/_stcore/agent/interact", "/_stcore/agent/openapi.json"])
@pytest.mark.parametrize("given", [BY_ADDRESS, Settings(auth="oidc")])
def test_what_streamlit_tells_of_all_is_closed(given: Settings, path: str) -> None:
    assert asked(given, USER, path=path)[0] == 404


def test_health_is_told_to_anyone_and_files_of_no_one_are_not_there() -> None:
    assert asked(BY_BOTH, path="/healthz", peer="192.0.2.7")[0] is None
    assert asked(Settings(auth="oidc"), path="/media/0123.csv")[0] == 404
    assert asked(BY_ADDRESS, USER, path="/media/0123.csv")[0] == 404
