"""A fresh server on a data folder of its own, a real browser in front of it, and the steps that the journeys share."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

try:
    from playwright.sync_api import expect

    expect.set_options(timeout=60_000)
except ImportError:  # `browser` skips the tests then
    expect = None

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
_START_S = 90
_STOP_S = 15
_ACTION_MS = 60_000
EVIL = "<img src=x onerror=alert(1)>"


class Server:
    """`streamlit run app.py` over `data_dir`; a stopped server can be started again and keeps its port."""

    def __init__(self, data_dir: Path, log: Path) -> None:
        self.data_dir, self._log, self._process = data_dir, log, None
        self.port = _free_port()

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}"

    def start(self) -> None:
        """Start it and wait until it answers. Fails with the end of its log when it does not."""
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(self.port)]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                command, cwd=ROOT, env=os.environ | {"HEM_DATA_DIR": str(self.data_dir)}, stdout=log, stderr=subprocess.STDOUT
            )
        deadline = time.monotonic() + _START_S
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.stop()
                pytest.fail(f"The server did not come up on port {self.port}:\n{self._log.read_text()[-3000:]}")
            time.sleep(0.1)

    def kill(self) -> None:
        """End it as a power cut would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(_STOP_S)
            self._process = None

    def stop(self) -> None:
        """End it as an administrator would; as a power cut where it does not listen."""
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(_STOP_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait(_STOP_S)
            self._process = None

    def stored(self) -> list[str]:
        """The ids of the datasets on disk."""
        return sorted(folder.name for folder in (self.data_dir / "datasets").iterdir())

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=2) as answer:
                return answer.status == 200
        except (urllib.error.URLError, OSError):
            return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server that nobody has opened yet, on an empty data folder."""
    started = Server(tmp_path / "data", tmp_path / "server.log")
    started.start()
    yield started
    started.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    """Chromium. Skips where it or playwright is not installed."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install -r requirements-dev.txt")
    if not Path(CHROMIUM).exists():
        pytest.skip("chromium is not installed: apt-get install chromium")
    with api.sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=_FLAGS)
        yield launched
        launched.close()


@pytest.fixture
def new_page(browser) -> Iterator[Callable[[], object]]:
    """Opens a page in a browser context that knows nothing of the others."""
    contexts = []

    def opened() -> object:
        context = browser.new_context(viewport={"width": 1480, "height": 900}, accept_downloads=True)
        context.set_default_timeout(_ACTION_MS)
        contexts.append(context)
        return context.new_page()

    yield opened
    for context in contexts:
        context.close()


def settled(page) -> None:
    """Wait until the page's script has run to its end."""
    expect(page.locator("[data-testid='stApp'][data-test-script-state='notRunning']")).to_be_visible()
    expect(page.locator("[data-stale='true']")).to_have_count(0)


def heading(page, words: str):
    return page.get_by_role("heading", name=words, exact=True)


def headline(page):
    """The five headline figures, each a label and a value."""
    return page.locator("[data-testid='stMetric']:visible")


def figure_of(page, label: str) -> str:
    return page.get_by_test_id("stMetric").filter(has_text=label).get_by_test_id("stMetricValue").inner_text()


def pick(page, files) -> None:
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(files)
    expect(page.get_by_text("Recognised:")).to_be_visible()


def keep(page) -> None:
    page.get_by_role("button", name="Add to your data").click()


def choose(page, label: str, option: str) -> None:
    """Search `option` in a select box and take it."""
    box = page.get_by_role("combobox", name=label, exact=True)
    box.fill(option)
    page.get_by_role("option", name=option, exact=True).click()
    expect(box).to_have_value(option)


def tab(page, name: str) -> None:
    page.get_by_role("tab", name=name, exact=True).click()
    expect(page.get_by_role("tab", name=name, exact=True)).to_have_attribute("aria-selected", "true")
