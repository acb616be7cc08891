"""A fresh server on a data folder of its own, a real browser in front of it, and the steps that the journeys share."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import ClassVar
from urllib.parse import urlencode, urlsplit

import pytest

try:
    from playwright.sync_api import TimeoutError as PlaywrightTimeout
    from playwright.sync_api import expect

    expect.set_options(timeout=int(os.environ.get("HEM_BROWSER_WAIT_MS", "120000")))
except ImportError:  # `browser` skips the tests then
    expect, PlaywrightTimeout = None, TimeoutError

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
_START_S = 240
_STOP_S = 15
_ACTION_MS = int(os.environ.get("HEM_BROWSER_WAIT_MS", "120000"))
# What a page that is drawn anew at that moment does not hear is done again.
_TRIES, _TRY_MS = 10, 5_000
EVIL = "<img src=x onerror=alert(1)>"


class Server:
    """What `make run` starts, over `data_dir`; a stopped server can be started again and keeps its port."""

    script = "deploy/serve.py"
    prefix = ""  # the path that its addresses begin with
    environment: ClassVar[dict[str, str]] = {}

    def __init__(self, data_dir: Path, log: Path) -> None:
        self.data_dir, self._log, self._process = data_dir, log, None
        self.port = _free_port()

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}"

    def command(self) -> list[str]:
        return [sys.executable, "-m", "streamlit", "run", self.script, "--server.port", str(self.port)]

    def start(self) -> None:
        """Start it and wait until it answers. Fails with the end of its log when it does not."""
        environment = os.environ | {"HEM_DATA_DIR": str(self.data_dir)} | self.environment
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(self.command(), cwd=ROOT, env=environment, stdout=log, stderr=subprocess.STDOUT)
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
            with urllib.request.urlopen(f"{self.url}{self.prefix}/_stcore/health", timeout=2) as answer:
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


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for the tests of a file that neither stop it nor count what is on its shelf."""
    folder = tmp_path_factory.mktemp("shared")
    started = Server(folder / "data", folder / "server.log")
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
def new_page(browser) -> Iterator[Callable[..., object]]:
    """Opens a page in a browser context that knows nothing of the others; takes the options of a context.

    No page may ask another machine for anything or write an error to the console: the test fails at its end where one did.
    """
    contexts, faults = [], []

    def opened(**options: object) -> object:
        context = browser.new_context(**{"viewport": {"width": 1480, "height": 900}, "accept_downloads": True, **options})
        context.set_default_timeout(_ACTION_MS)
        context.on("request", lambda request: faults.extend(_leaving(request)))
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: faults.extend(_said(page, message)))
        page.on("pageerror", lambda error: faults.append(f"{page.url}: {error}"))
        return page

    yield opened
    for context in contexts:
        context.close()
    assert faults == [], json.dumps(faults, indent=1)


def _leaving(request) -> list[str]:
    """The request, where it goes to another machine; a file, and what a page made itself, does not."""
    address = urlsplit(request.url)
    here = address.scheme in ("file", "data", "blob") or address.hostname == "localhost"
    return [] if here else [f"leaves the machine: {request.url}"]


def _said(page, message) -> list[str]:
    """What a page writes as an error; what a stopped server did not bring is none."""
    stopped = any(
        words in message.text for words in ("Failed to load resource", "ERR_CONNECTION", "/_stcore/", "Is Streamlit still running?")
    )
    return [f"{page.url}: {message.text}"] if message.type == "error" and not stopped else []


def settled(page) -> None:
    """Wait until the page's script has run to its end."""
    expect(page.locator("[data-testid='stApp'][data-test-script-state='notRunning']")).to_be_visible()
    expect(page.locator("[data-stale='true']")).to_have_count(0)


def on_its_sample(page, server, shown) -> None:
    """Open the page `shown` empty and press its first start; its picture is there then."""
    page.goto(f"{server.url}/{shown.name}")
    keyed(page, shown.key(f"start-{shown.start[0].sample}")).get_by_role("button").click()
    expect(page.locator(".js-plotly-plot .main-svg").first).to_be_visible()
    settled(page)


def link(server, name: str, **choices: object) -> str:
    """The address of the page `name` with these choices by their field."""
    return f"{server.url}/{name}?{urlencode({f'{name}.{field}': value for field, value in choices.items()}, doseq=True)}"


def keyed(page, key: str):
    """The widget, figure or container of this key."""
    return page.locator(f".st-key-{key.replace('.', '-')}")


def figure(page, key: str):
    """The figure of this key: "page.picture-number"."""
    return keyed(page, key).locator(".js-plotly-plot")


def drag_across(page, drawn) -> None:
    """Drag over the middle of a figure, from three to six tenths of its width."""
    box = drawn.locator(".nsewdrag").first.bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 0.3 * box["width"], middle)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.6 * box["width"], middle, steps=8)
    page.mouse.up()


def heading(page, words: str):
    """The heading of these words; a hint beside it is a part of its name."""
    return page.get_by_role("heading", name=re.compile(rf"^{re.escape(words)}( Help)?$"))


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


def upload(page, server, files, leads: str) -> None:
    """Open the data page, add `files` to the data and follow the way that `leads` names."""
    page.goto(f"{server.url}/data")
    pick(page, files)
    keep(page)
    page.get_by_role("link", name=leads).click()


def in_address(page, **words: str | None) -> None:
    """Wait until the address carries these parameters by "page__field" for "page.field"; None: does not carry it."""
    page.wait_for_function(
        """words => {
            const address = new URLSearchParams(location.search);
            return Object.entries(words).every(([name, word]) => address.get(name) === word);
        }""",
        arg={name.replace("__", "."): word for name, word in words.items()},
    )


def open_actions(page, name: str) -> None:
    """Open one of the popovers at the top right: "Keep", "Download", "Add to report"."""
    # A button with a hint is there a second time for narrow screens, out of sight.
    opener = page.locator("[data-testid='stPopoverButton']:visible").filter(has_text=re.compile(rf"{name}(expand_more)?$"))
    opener.click()


def take(page, kind: str, number: int = 0) -> tuple[str, bytes]:
    """(name, content) of what a button of the open downloads gives; number: which, where several say the same."""
    with page.expect_download() as coming:
        page.get_by_role("button", name=kind, exact=True).nth(number).click()
    return coming.value.suggested_filename, Path(coming.value.path()).read_bytes()


def slide_to(page, key: str, to: float) -> None:
    """Move the slider of this key by keyboard, step by step, until it and the address stand at `to`."""
    settled(page)
    handle = keyed(page, key).locator("input[type='range']")
    stands = "handle => parseFloat((handle.getAttribute('aria-valuetext') ?? handle.value).replaceAll(',', ''))"
    for _ in range(220):
        off = to - handle.evaluate(stands)
        if abs(off) < 0.001:
            break
        handle.press("ArrowRight" if off > 0 else "ArrowLeft")  # focuses it: a page that is drawn anew may have taken the focus
    in_address(page, **{key: f"{to:g}"})
    settled(page)


def options(page) -> None:
    """Open what the picture of the open tab can be told, when the tab is there."""
    settled(page)
    page.locator("[data-testid='stPopoverButton']:visible").filter(has_text="Options").click()


def choose(page, label: str, option: str) -> None:
    """Search `option` in a select box and take it; it may be under "Options"."""
    box = page.get_by_role("combobox", name=label, exact=True)
    if not box.is_visible() and page.locator(".st-key-frame-options").count():
        options(page)
    take_option(page, box, option, page.get_by_role("option", name=option, exact=True))
    expect(box).to_have_value(option)


def take_option(page, box, words: str, option) -> None:
    """Search `words` in a select box and take `option`; again where the page was drawn anew meanwhile, which closes the list."""
    for _ in range(_TRIES - 1):
        settled(page)
        box.fill(words)
        try:
            option.first.click(timeout=_TRY_MS)
        except PlaywrightTimeout:
            continue
        return
    box.fill(words)
    option.first.click()


def press(page, button, until) -> None:
    """Press a button until what it does shows: one that is drawn anew at that moment, as while work is watched, hears nothing."""
    for _ in range(_TRIES - 1):
        button.click()
        try:
            expect(until).to_be_visible(timeout=_TRY_MS)
        except AssertionError:
            if button.count():
                continue
        break
    expect(until).to_be_visible()


def tab(page, name: str) -> None:
    page.get_by_role("tab", name=name, exact=True).click()
    expect(page.get_by_role("tab", name=name, exact=True)).to_have_attribute("aria-selected", "true")
