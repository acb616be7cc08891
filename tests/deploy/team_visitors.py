"""A team's server as a process, and people who talk to it as a browser does, with the cookie that a sign-in leaves."""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.web.server.starlette.starlette_app_utils import create_signed_value, generate_xsrf_token_string
from websockets.sync.client import connect

from hemcore.datasets.owners import whose

ROOT = Path(__file__).resolve().parents[2]
SECRET = "a cookie secret of the test, of forty chars"
ISSUER = "https://sso.example.org"
_START_S = 180


@dataclass
class TeamServer:
    port: int
    data: Path

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}"

    def get(self, path: str, headers: dict[str, str] | None = None, method: str = "GET", body: bytes | None = None) -> tuple[int, bytes]:
        request = urllib.request.Request(f"{self.url}{path}", headers=headers or {}, method=method, data=body)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()


@contextmanager
def served(data: Path, log: Path, **environment: str) -> Iterator[TeamServer]:
    """A server over `data` with this environment; HEM_AUTH=oidc unless it says otherwise."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    oidc = {
        "HEM_AUTH": "oidc",
        "HEM_PUBLIC_URL": f"http://localhost:{port}",
        "HEM_OIDC_METADATA_URL": "http://localhost:9/none",
        "HEM_OIDC_CLIENT_ID": "hem",
        "HEM_OIDC_CLIENT_SECRET": SECRET,
        "HEM_COOKIE_SECRET": SECRET,
        "HEM_DATA_DIR": str(data),
    }
    command = [sys.executable, "-m", "streamlit", "run", "deploy/serve.py", "--server.port", str(port)]
    with log.open("wb") as said:
        process = subprocess.Popen(command, cwd=ROOT, env=os.environ | oidc | environment, stdout=said, stderr=subprocess.STDOUT)
    server = TeamServer(port, data)
    try:
        deadline = time.monotonic() + _START_S
        while True:
            try:
                if server.get("/healthz")[0] == 200:
                    break
            except OSError:
                pass
            assert process.poll() is None, log.read_text()[-3000:]
            assert time.monotonic() < deadline, log.read_text()[-3000:]
            time.sleep(0.2)
        yield server
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@dataclass
class Visitor:
    """Who has signed in as `name`; "" has not. cookie: another person's can be put in its place."""

    server: TeamServer
    name: str
    groups: tuple[str, ...] = ()
    claims: dict[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.xsrf = generate_xsrf_token_string()
        said = {"is_logged_in": True, "iss": ISSUER, "sub": self.name, "name": self.name, "iat": int(time.time()), "nonce": self.name}
        said |= {"groups": list(self.groups), "origin": self.server.url, "provider": "default"} | self.claims
        self.cookie = create_signed_value(SECRET, "_streamlit_user", json.dumps(said)).decode() if self.name else ""

    @property
    def key(self) -> str:
        return whose.key_of(ISSUER, self.name)

    @property
    def headers(self) -> dict[str, str]:
        signed = f"; _streamlit_user={self.cookie}" if self.cookie else ""
        return {"Cookie": f"_streamlit_xsrf={self.xsrf}{signed}", "X-Xsrftoken": self.xsrf}

    def get(self, path: str, method: str = "GET", body: bytes | None = None) -> tuple[int, bytes]:
        return self.server.get(path, self.headers, method, body)

    @contextmanager
    def window(self, session_id: str = "") -> Iterator["Window"]:
        """An open window; session_id: of one that is asked to go on."""
        protocols = ["streamlit", self.xsrf, *([session_id] if session_id else [])]
        address = f"ws://localhost:{self.server.port}/_stcore/stream"
        headers = {"Cookie": self.headers["Cookie"]}
        with connect(address, subprotocols=protocols, additional_headers=headers, origin=self.server.url, max_size=None) as socket:
            yield Window(socket)


@dataclass
class Window:
    socket: object
    session_id: str = ""

    def send(self, message: BackMsg) -> None:
        self.socket.send(message.SerializeToString())

    def open(self, page: str, query: str = "") -> bytes:
        """Everything that the server sends until the page is drawn."""
        message = BackMsg()
        message.rerun_script.page_name = page
        message.rerun_script.query_string = query
        return self.ask(message)

    def ask(self, message: BackMsg) -> bytes:
        """Everything that the server sends in answer, until it has run the page, or answered an operation."""
        self.send(message)
        heard = b""
        while True:
            raw = self.socket.recv(timeout=90)
            heard += raw
            found = ForwardMsg()
            found.ParseFromString(raw)
            if found.HasField("new_session"):
                self.session_id = found.new_session.initialize.session_id or self.session_id
            if found.HasField("script_finished") or found.HasField("backend_operation_response"):
                return heard
