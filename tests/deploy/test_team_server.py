"""How a server begins: open to others only with a way to sign in, or with the flag that says what it means; behind a trusted proxy."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from websockets.sync.client import connect

from tests.deploy.team_visitors import ROOT, Window, served

PROXY_SECRET = "a proxy's secret of the test, which is long"


def refused(tmp_path: Path, *options: str, **environment: str) -> str:
    """What a server says that does not begin."""
    command = [sys.executable, "-m", "streamlit", "run", "deploy/serve.py", "--server.port", "0", *options]
    known = {name: value for name, value in os.environ.items() if not name.startswith("HEM_")} | {"HEM_DATA_DIR": str(tmp_path)}
    done = subprocess.run(command, cwd=ROOT, env=known | environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 2, done
    assert "Traceback" not in done.stderr
    return done.stderr


@pytest.mark.slow
def test_another_address_without_sign_in_is_refused(tmp_path) -> None:
    assert "everyone who reaches the port could read and delete all data" in refused(tmp_path, "--server.address", "0.0.0.0")


@pytest.mark.slow
def test_a_secret_is_in_no_sentence(tmp_path) -> None:
    said = refused(tmp_path, HEM_AUTH="proxy", HEM_PROXY_SECRET="too short a secret")
    assert "HEM_PROXY_SECRET: it has 18 characters; 32 are needed" in said
    assert "too short a secret" not in said


@pytest.mark.slow
def test_behind_a_trusted_proxy(tmp_path) -> None:
    environment = {"HEM_AUTH": "proxy", "HEM_PROXY_SECRET": PROXY_SECRET, "HEM_PROXY_ADDRESSES": "127.0.0.1,::1"}
    with served(tmp_path / "data", tmp_path / "log", **environment) as server:
        user, secret = {"X-Forwarded-User": "ada"}, {"X-HEM-Proxy-Secret": PROXY_SECRET}
        assert server.get("/healthz")[0] == 200
        assert server.get("/readyz") == (200, b'{"ready":true}')
        assert [server.get("/", headers)[0] for headers in ({}, user, secret, user | {"X-HEM-Proxy-Secret": "no"})] == [403] * 4
        # Who a request is forwarded for does not say that it is the proxy's.
        assert server.get("/", user | secret | {"X-Forwarded-For": "192.0.2.7"})[0] == 200
        address = f"ws://localhost:{server.port}/_stcore/stream"
        with connect(address, subprotocols=["streamlit"], additional_headers=user | secret, origin=server.url, max_size=None) as socket:
            heard = Window(socket).open("data")
            assert b"ada" in heard
            assert b"Upload" in heard
        with pytest.raises(Exception, match="403"):
            connect(address, subprotocols=["streamlit"], additional_headers=user | {"X-HEM-User": "ada"}, origin=server.url)
        assert len(list((tmp_path / "data" / "owners").iterdir())) == 1
        assert PROXY_SECRET not in (tmp_path / "log").read_text()
