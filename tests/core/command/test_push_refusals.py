"""With which code `push` ends, by what the server answers, and how long it waits for a job."""

import io
from types import SimpleNamespace
from urllib.error import HTTPError

import pytest

from hemcore.command import push
from hemcore.command.push import NO_ANSWER, NO_ROOM, NO_TOKEN, REFUSED, PushError, Server, _refusal


@pytest.mark.parametrize(
    ("status", "code"),
    [(401, NO_TOKEN), (403, NO_TOKEN), (429, NO_ROOM), (507, NO_ROOM), (422, REFUSED), (499, REFUSED), (500, NO_ANSWER)],
)
def test_each_refusal_has_its_code_and_sentence(status: int, code: int) -> None:
    found = _refusal(HTTPError("u", status, "", {}, io.BytesIO(b'{"error": "Say this."}')), "u")  # type: ignore[arg-type]
    assert (found.code, str(found)) == (code, "Say this.")
    assert f"answered {status}" in str(_refusal(HTTPError("u", status, "", {}, io.BytesIO(b"<html>")), "u"))  # type: ignore[arg-type]


def test_a_job_is_waited_for_as_long_as_said(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(push, "time", SimpleNamespace(monotonic=lambda: now[0], sleep=lambda pause: now.__setitem__(0, now[0] + pause)))
    server = Server("http://localhost:1", "hem_" + "x" * 43)
    running = {"state": "running", "title": "HRM", "id": "7", "error": None}
    # It is looked at after 0.2, 0.6, 1.4, 3.0, 6.2, 11.2 s: twice as long each time, 5 s at most.
    monkeypatch.setattr(Server, "get", lambda self, path: running | {"state": "done" if now[0] > 3 else "running"})
    assert server.finished(running, 10)["state"] == "done"
    assert now[0] == pytest.approx(6.2)
    monkeypatch.setattr(Server, "get", lambda self, path: running)
    with pytest.raises(PushError, match="not done after 2 s") as late:
        server.finished(running, 2)
    assert late.value.code == NO_ANSWER
    with pytest.raises(PushError, match="It died") as failed:
        server.finished(running | {"state": "failed", "error": "It died."}, 2)
    assert failed.value.code == REFUSED
