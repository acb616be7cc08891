"""Real database servers for the tests, from Debian's packages: in a temporary folder, on a free port, as an unprivileged user."""

import contextlib
import glob
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

USER, PASSWORD, DATABASE = "ear", "s3cret/p@ss word", "ear"
START_S = 60


@contextmanager
def postgresql() -> Iterator[int]:
    """The port of a PostgreSQL with an empty database `ear`; skips where there is none."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))
    initdb = found[-1] if found else shutil.which("initdb")
    if initdb is None:
        pytest.skip("PostgreSQL is not installed (apt-get install postgresql)")
    binaries = Path(os.path.realpath(initdb)).parent
    with _folder() as folder:
        data, secret = folder / "data", folder / "secret"
        secret.write_text(PASSWORD)
        _own(secret)
        _run(
            [
                binaries / "initdb",
                "-D",
                data,
                "-U",
                USER,
                "--pwfile",
                secret,
                "-A",
                "scram-sha-256",
                "-E",
                "UTF8",
                "--no-sync",
                "--locale=C",
            ]
        )
        port = _free_port()
        options = ["-p", str(port), "-h", "127.0.0.1", "-k", str(folder), "-F"]
        with _served([binaries / "postgres", "-D", data, *options], port, folder / "log"):
            environment = os.environ | {"PGPASSWORD": PASSWORD}
            create = [binaries / "createdb", "-h", "127.0.0.1", "-p", str(port), "-U", USER, DATABASE]
            _until(lambda: subprocess.run(create, env=environment, capture_output=True, check=False).returncode == 0)
            yield port


@contextmanager
def mariadb() -> Iterator[int]:
    """The port of a MariaDB with an empty database `ear`; skips where there is none."""
    server = shutil.which("mariadbd", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    install = shutil.which("mariadb-install-db")
    if server is None or install is None:
        pytest.skip("MariaDB is not installed (apt-get install mariadb-server-core)")
    with _folder() as folder:
        data = folder / "data"
        start = folder / "start.sql"
        start.write_text(
            f"CREATE DATABASE {DATABASE};\nCREATE USER '{USER}'@'127.0.0.1' IDENTIFIED BY '{PASSWORD}';\n"
            f"GRANT ALL ON {DATABASE}.* TO '{USER}'@'127.0.0.1';\n"
        )
        _own(start)
        # Its own: a server that starts removes the temporary tables of all others from /tmp.
        passing = folder / "tmp"
        passing.mkdir()
        _own(passing)
        _run(
            [
                install,
                "--no-defaults",
                f"--datadir={data}",
                f"--tmpdir={passing}",
                "--skip-test-db",
                "--auth-root-authentication-method=normal",
            ]
        )
        port = _free_port()
        options = [
            f"--port={port}",
            "--bind-address=127.0.0.1",
            f"--socket={folder}/socket",
            f"--pid-file={folder}/pid",
            f"--tmpdir={passing}",
            f"--init-file={start}",
        ]
        small = ["--innodb-buffer-pool-size=64M", "--innodb-flush-log-at-trx-commit=0", "--skip-name-resolve", f"--datadir={data}"]
        with _served([server, "--no-defaults", *options, *small], port, folder / "log"):
            yield port


@contextmanager
def _folder() -> Iterator[Path]:
    """A folder of the server's user's own; pytest's are closed to others."""
    folder = Path(tempfile.mkdtemp(prefix="hem-db-", dir="/tmp"))
    _own(folder)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _served(command: list, port: int, log: Path) -> Iterator[None]:
    with log.open("w") as said:
        server = subprocess.Popen([str(part) for part in command], stdout=said, stderr=said, cwd="/", **_as_other())
        try:
            _until(lambda: server.poll() is not None or _answers(port))
            assert server.poll() is None, log.read_text()[-2000:]
            yield
        finally:
            server.terminate()
            try:
                server.wait(20)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def _as_other() -> dict:
    """root may not run a server: then "nobody" does."""
    return {"user": "nobody", "group": pwd.getpwnam("nobody").pw_gid, "extra_groups": []} if os.getuid() == 0 else {}


def _own(path: Path) -> None:
    if os.getuid() == 0:
        nobody = pwd.getpwnam("nobody")
        os.chown(path, nobody.pw_uid, nobody.pw_gid)


def _run(command: list) -> None:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, cwd="/", **_as_other())
    assert done.returncode == 0, done.stdout + done.stderr


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def _answers(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


def _until(done) -> None:  # type: ignore[no-untyped-def]
    end = time.monotonic() + START_S
    while not done():
        assert time.monotonic() < end, "the server did not come up"
        time.sleep(0.1)
