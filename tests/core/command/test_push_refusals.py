"""With which code `push` ends, by what the server answers."""

import io
from urllib.error import HTTPError

import pytest

from hemcore.command.push import NO_ANSWER, NO_ROOM, NO_TOKEN, REFUSED, _refusal


@pytest.mark.parametrize(
    ("status", "code"),
    [(401, NO_TOKEN), (403, NO_TOKEN), (429, NO_ROOM), (507, NO_ROOM), (422, REFUSED), (499, REFUSED), (500, NO_ANSWER)],
)
def test_each_refusal_has_its_code_and_sentence(status: int, code: int) -> None:
    found = _refusal(HTTPError("u", status, "", {}, io.BytesIO(b'{"error": "Say this."}')), "u")  # type: ignore[arg-type]
    assert (found.code, str(found)) == (code, "Say this.")
    assert f"answered {status}" in str(_refusal(HTTPError("u", status, "", {}, io.BytesIO(b"<html>")), "u"))  # type: ignore[arg-type]
