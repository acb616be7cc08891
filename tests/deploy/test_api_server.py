"""A job script at a real server: a file pushed, a question answered by a worker, and what each failure says."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from hemcore.datasets.owners import access_tokens, people, whose
from tests.deploy.team_visitors import ISSUER, ROOT, TeamServer, Visitor, served


def push(server: str, token: Path, *given: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "hemcore.command.cli", "push", "--server", server, "--token-file", str(token), *given]
    known = {name: value for name, value in os.environ.items() if not name.startswith("HEM_")}
    done = subprocess.run(command, cwd=ROOT, env=known, capture_output=True, text=True, timeout=300, check=False)
    assert "Traceback" not in done.stderr
    return done


def token_of(data: Path, name: str, place: Path) -> Path:
    people.signed_in(whose.key_of(ISSUER, name), name=name, email="", groups=(), base=data)
    place.write_text(access_tokens.make(whose.folder_of(whose.key_of(ISSUER, name), data), "job"))
    place.chmod(0o600)
    return place


def readings(path: Path) -> Path:
    """Forty runs of two HEMs, too large for the server to read at once."""
    chance = np.random.default_rng(1)
    lines = [f"{a},{2 * a + b}" for a, b in zip(chance.integers(1000, 2000, 200_000), chance.integers(0, 100, 200_000), strict=True)]
    path.write_text("\n".join(["A,B", *lines, ""]))
    return path


@pytest.mark.long
@pytest.mark.slow
def test_a_job_script_pushes_and_asks(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    ada, eve = (token_of(data, name, tmp_path / name) for name in ("ada", "eve"))
    small = tmp_path / "small.csv"
    small.write_text("A,B\n1000,2000\n3000,4000\n5000,6500\n")
    with served(data, tmp_path / "log", HEM_MAX_DATASETS_PER_OWNER="2", HEM_MAX_JOBS_PER_OWNER="3") as server:
        done = push(server.url, ada, str(small), "--name", "nightly", "--ask", "merge.hrm")
        assert done.returncode == 0, done.stderr
        id = done.stdout.strip()
        assert "merge.hrm: limited: " in done.stderr
        large = push(server.url, ada, str(readings(tmp_path / "large.csv")))
        assert large.returncode == 0, large.stderr
        # What Eve's token gets of it, and what each other failure is called.
        assert get(server, eve, f"/datasets/{id}")[0] == 404
        assert [each["name"] for each in get(server, ada, "/datasets?samples=false")[1]] == ["large.csv", "nightly"]
        closed = tmp_path / "open"
        closed.write_text(ada.read_text())
        closed.chmod(0o644)
        wrong = tmp_path / "wrong"
        wrong.write_text("hem_" + "x" * 43)
        wrong.chmod(0o600)
        small.write_text("A,B\n1000,2000\n3000,4001\n5000,6500\n")
        for code, sentence, token, given in (
            (1, "others may read", closed, [str(small)]),
            (1, "there is no such file", ada, [str(tmp_path / "none.csv")]),
            (1, "is not known", eve, [str(small), "--ask", "no.such"]),
            (4, "has ended", wrong, [str(small)]),
            (5, "2 are allowed", ada, [str(small)]),
        ):
            done = push(server.url, token, *given)
            assert (done.returncode, sentence in done.stderr) == (code, True), done.stderr
            assert done.stderr.count("\n") == 1
        # The pages of a signed-in person are not the API's: no cookie opens it.
        assert Visitor(server, "ada").get("/api/v1/datasets")[0] == 401
        assert ada.read_text() not in (tmp_path / "log").read_text()
    done = push(server.url, ada, str(small))
    assert (done.returncode, "no answer" in done.stderr) == (3, True)


def get(server: TeamServer, token: Path, path: str) -> tuple[int, object]:
    status, body = server.get(f"/api/v1{path}", {"Authorization": f"Bearer {token.read_text()}"})
    return status, json.loads(body)
