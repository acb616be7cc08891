"""The image of deploy/Containerfile as it is meant to run: as no root, on a root that cannot be written, without capabilities.

HEM_CONTAINER_IMAGE names one that was built; HEM_PODMAN the command, such as "podman --runtime runc" (default: podman).
"""

import os
import shlex
import subprocess
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator

import pytest

from tests.deploy.test_headers import free_port

IMAGE = os.environ.get("HEM_CONTAINER_IMAGE", "")
PODMAN = shlex.split(os.environ.get("HEM_PODMAN", "podman"))
KEY = "a key of the test, of more than 32 characters"
pytestmark = [pytest.mark.slow, pytest.mark.long, pytest.mark.skipif(not IMAGE, reason="HEM_CONTAINER_IMAGE names no image")]


def podman(*given: str) -> str:
    done = subprocess.run([*PODMAN, *given], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def status(url: str, **headers: str) -> int:
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=10) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


@pytest.fixture(scope="module")
def container() -> Iterator[tuple[str, int]]:
    """The name and the port of one that answers."""
    name, port = f"hem-test-{uuid.uuid4().hex[:8]}", free_port()
    limits = ("--ulimit", "nofile=1024:1024", "--ulimit", "nproc=4000:4000", "--cap-drop", "all", "--security-opt", "no-new-privileges")
    shut = ("--read-only", "--tmpfs", "/tmp", "--network", "host", "--no-healthcheck", "-v", f"{name}:/data", "-e", f"HEM_KEY={KEY}")
    podman("run", "-d", "--name", name, *limits, *shut, IMAGE, "--port", str(port))
    try:
        for _ in range(600):
            try:
                if status(f"http://localhost:{port}/_stcore/health") == 200:
                    break
            except OSError:
                time.sleep(0.2)
        yield name, port
    finally:
        podman("rm", "-f", name)
        podman("volume", "rm", name)


def inside(container: tuple[str, int], command: str) -> str:
    return podman("exec", container[0], "sh", "-c", command).strip()


def test_it_runs_as_no_root_and_can_write_to_its_volume_alone(container: tuple[str, int]) -> None:
    assert inside(container, "id -u") == "10001"
    assert "CapEff:\t0000000000000000" in inside(container, "cat /proc/1/status")
    assert "Read-only" in inside(container, "touch /opt/hem/x 2>&1 || true")
    assert inside(container, "touch /data/x && rm /data/x && echo written") == "written"


def test_nothing_is_compiled_in_it(container: tuple[str, int]) -> None:
    cache = "/tmp/hem-compiled-10001"
    before = inside(container, f"find {cache} -type f | sort")
    assert before.count("\n") > 50
    inside(container, f"NUMBA_CACHE_DIR={cache} hem-workbench warm")
    assert inside(container, f"find {cache} -type f | sort") == before


def test_it_answers_who_has_the_key(container: tuple[str, int]) -> None:
    url = f"http://localhost:{container[1]}/"
    assert (status(url), status(url, **{"X-HEM-Key": KEY})) == (403, 200)
