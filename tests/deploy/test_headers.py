"""Every answer of `streamlit run deploy/serve.py` has the headers; behind Caddy with TLS too, and a visitor stays at one of two servers."""

import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from email.message import Message
from pathlib import Path

import pytest

from deploy.headers import HEADERS

ROOT = Path(__file__).resolve().parents[2]
CADDY = os.environ.get("HEM_CADDY") or shutil.which("caddy")
PATIENCE_S = 120


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def get(url: str, context: ssl.SSLContext | None = None, cookie: str = "") -> tuple[int, dict[str, str], bytes]:
    asked = urllib.request.Request(url, headers={"Cookie": cookie} if cookie else {})
    try:
        with urllib.request.urlopen(asked, timeout=10, context=context) as answer:
            return answer.status, _headers(answer.headers), answer.read()
    except urllib.error.HTTPError as error:
        return error.code, _headers(error.headers), error.read()


def _headers(found: Message) -> dict[str, str]:
    """By name in small letters; several of one name in one text."""
    return {name.lower(): ", ".join(found.get_all(name) or []) for name in found}


@contextmanager
def running(command: list[str], log: Path, ready: str, context: ssl.SSLContext | None = None, **environment: str) -> Iterator[None]:
    with log.open("wb") as said:
        process = subprocess.Popen(command, cwd=ROOT, env=os.environ | environment, stdout=said, stderr=subprocess.STDOUT)
    try:
        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                if get(ready, context)[0] == 200:
                    break
            except OSError:
                pass
            assert process.poll() is None, log.read_text()[-3000:]
            assert time.monotonic() < deadline, log.read_text()[-3000:]
            time.sleep(0.2)
        yield
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[int]]:
    folder, ports = tmp_path_factory.mktemp("servers"), [free_port(), free_port()]
    with ExitStack() as stack:
        for port in ports:
            command = [
                str(Path(sys.executable).with_name("streamlit")),
                "run",
                "deploy/serve.py",
                "--server.port",
                str(port),
                "--server.headless",
                "true",
            ]
            ready = f"http://127.0.0.1:{port}/_stcore/health"
            stack.enter_context(running(command, folder / f"{port}.log", ready, HEM_DATA_DIR=str(folder / "data")))
        yield ports


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/", "/merge", "/_stcore/health", "/nothing/here", "/static/nothing.js"])
def test_every_answer_has_the_headers(servers: list[int], path: str) -> None:
    _, headers, _ = get(f"http://127.0.0.1:{servers[0]}{path}")
    assert {name: headers.get(name) for name in HEADERS} == HEADERS


@pytest.mark.slow
@pytest.mark.skipif(CADDY is None, reason="Caddy is not here (Debian: apt install caddy; or HEM_CADDY names it)")
def test_behind_caddy(servers: list[int], tmp_path: Path) -> None:
    assert CADDY is not None
    port = free_port()
    # Its own authority signs; the port of plain HTTP is not ours to take.
    config = tmp_path / "Caddyfile"
    config.write_text((ROOT / "deploy" / "Caddyfile").read_text().replace("admin off\n", "admin off\n\tauto_https disable_redirects\n"))
    trusted = ssl.create_default_context()
    trusted.check_hostname, trusted.verify_mode = False, ssl.CERT_NONE
    named = {
        "HEM_SITE": f"https://localhost:{port}",
        "HEM_SERVERS": " ".join(f"127.0.0.1:{each}" for each in servers),
        "HEM_SECRET": "a secret of the test",
        "XDG_DATA_HOME": str(tmp_path / "caddy"),
        "HOME": str(tmp_path),
    }
    url = f"https://localhost:{port}"
    with running(
        [CADDY, "run", "--config", str(config), "--adapter", "caddyfile"], tmp_path / "log", f"{url}/_stcore/health", trusted, **named
    ):
        status, headers, page = get(f"{url}/merge", trusted)
        assert status == 200
        assert b"<html" in page.lower()
        assert {name: headers.get(name) for name in HEADERS} == HEADERS
        assert headers["strict-transport-security"] == "max-age=31536000"
        assert "server" not in headers
        cookies = re.findall(r"hem_server=[0-9a-f]+", headers["set-cookie"])
        assert len(cookies) == 1
        # Who has it gets no other one: the same process answers.
        for path in ("/", "/_stcore/health", "/merge"):
            assert "hem_server" not in get(f"{url}{path}", trusted, cookies[0])[1].get("set-cookie", "")
