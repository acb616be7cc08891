"""What a visitor waits for, in a real browser on the bundled samples: slider moves, first paint, page switch, one click to a picture.

    python benchmarks/bench_pages.py [moves [slider ...]]

With sliders (`level`, `"runs of a metric"`, ...) only those are moved.

Starts servers of its own on an empty data folder. All times but the first paint are taken in the page itself: from the event of the click
or key to the end of the frame that paints what was waited for (the picture, the other page's heading); a move ends with the last change of
the page (DOM mutations of the main block). Layout shift as the browser reports it. Medians, on this machine.
"""

import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hemcore.datasets.shelf.store import DatasetStore  # noqa: E402
from hemcore.datasets.tables.signature_table import SignatureTable  # noqa: E402
from sample_data.collect.synthetic_signatures import generate_signatures  # noqa: E402

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
LAUNCH = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
SERIES = "Request server and 8 others, every event counted · sample"
PAGES = {
    "threshold": (
        "/segmentation",
        {"segmentation.dataset": SERIES, "segmentation.application": "sensor_control", "segmentation.event": "Dr"},
        "segmentation-threshold",
    ),
    "mem_gbs": (
        "/signatures",
        {"signatures.dataset": "5,000 jobs' signatures (synthetic) · sample", "signatures.view": "Thresholds"},
        "signatures-mem_gbs",
    ),
    "k of counts": (
        "/multiplexing",
        {"multiplexing.dataset": SERIES, "multiplexing.application": "sensor_control"},
        "multiplexing-slots_per_count",
    ),
    "dep_lvl": ("/merge", {"merge.dataset": "Request server, MUCH collection · sample"}, "merge-dep_lvl"),
    "runs of a metric": (
        "/metrics",
        {"metrics.dataset": "Synthetic processor, 45 events in 10 subexperiments · sample", "metrics.view": "What if"},
        "metrics-runs",
    ),
    "level": ("/compare", {"compare.dataset": "Particle box: arrays, not structs · sample"}, "compare-level"),
}
# First and last change after a key press, and the layout shift between; quiet for 600 ms ends it. What a grid tells screen readers lies
# inside its canvas, and it writes that 200 ms after it has drawn the new numbers: no one sees it.
_WATCH = """
() => {
  window.__times = []; window.__shift = 0;
  const unseen = '[data-testid="stStatusWidget"], canvas *';
  new MutationObserver(list => {
    const seen = list.some(m => !(m.target.nodeType === 1 ? m.target : m.target.parentElement)?.closest(unseen));
    if (seen) window.__times.push(performance.now());
  }).observe(document.querySelector('[data-testid="stMain"]'), {subtree: true, childList: true, attributes: true, characterData: true});
  const add = list => { for (const entry of list.getEntries()) window.__shift += entry.value; };
  new PerformanceObserver(add).observe({type: 'layout-shift', buffered: false});
  window.addEventListener('keydown', () => { window.__key = performance.now(); window.__times = []; window.__shift = 0; }, true);
}
"""
# Until the end of the frame that paints the first element that fits.
_PAINTED = """
(selector, text) => {
  window.__painted = 0;
  const look = () => {
    const fits = [...document.querySelectorAll(selector)].some(each => each.checkVisibility() && each.textContent.includes(text));
    if (fits) requestAnimationFrame(() => {
      const end = new MessageChannel();
      end.port1.onmessage = () => { window.__painted = performance.now(); };
      end.port2.postMessage(0);
    });
    return fits;
  };
  const observer = new MutationObserver(() => { if (look()) observer.disconnect(); });
  observer.observe(document.body, {subtree: true, childList: true, attributes: true, characterData: true});
}
"""
_ON_CLICK = f"""
([selector, text]) => addEventListener('click', () => {{
  window.__key = performance.now();
  ({_PAINTED})(selector, text);
}}, {{capture: true, once: true}});
"""
_ON_LOAD = f"addEventListener('DOMContentLoaded', () => ({_PAINTED})('.js-plotly-plot .main-svg', ''))"
_DONE = "() => window.__times.length && performance.now() - window.__times[window.__times.length - 1] > 600"


def free_port() -> int:
    """A port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def server(folder: Path, port: int) -> subprocess.Popen[bytes]:
    """A fresh server, ready to answer."""
    command = [sys.executable, "-m", "streamlit", "run", "deploy/serve.py", "--server.port", str(port)]
    started = subprocess.Popen(
        command, cwd=ROOT, env=os.environ | {"HEM_DATA_DIR": str(folder)}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    for _ in range(600):
        try:
            urllib.request.urlopen(f"http://localhost:{port}/_stcore/health", timeout=1).close()
            return started
        except OSError:
            time.sleep(0.05)
    raise SystemExit("the server did not start")


def drawn(page: Page) -> None:
    """Wait until the script has run and a picture is there."""
    page.locator("[data-testid='stApp'][data-test-script-state='notRunning']").wait_for()
    page.locator(".js-plotly-plot .main-svg").first.wait_for()


def painted(page: Page, click: Locator, selector: str, text: str = "") -> float:
    """Seconds from a click on `click` until what fits `selector` and has `text` is painted."""
    page.evaluate(_ON_CLICK, [selector, text])
    click.click()
    page.wait_for_function("() => window.__painted > 0")
    key, end = page.evaluate("() => [window.__key, window.__painted]")
    return float(end - key) / 1000


def first_pictures(page: Page, base: str, name: str, picture: str, button: str) -> tuple[float, float]:
    """Seconds from one click on the page's sample to its picture, for the first visitor of a server and again."""
    times = []
    for _ in range(2):
        page.goto(f"{base}/{name}")
        start = page.get_by_role("button", name=button)
        start.wait_for()
        page.wait_for_timeout(1500)
        times.append(painted(page, start, f".st-key-{name}-{picture}-0 .main-svg"))
        page.wait_for_timeout(1000)
    return times[0], times[1]


def million_signatures(folder: Path) -> str:
    """Keep a million synthetic signatures in the store `folder`; their id."""
    found, _ = generate_signatures(1_000_000, seed=0)
    table = SignatureTable(frame=found.rename(columns={"CPU_GFLOPS": "GFLOPS"}))
    return DatasetStore(folder).take(table, name="a million signatures", source="generated").id


def ready(page: Page, address: str) -> tuple[float, int]:
    """Seconds from the call of the address until its picture is painted, and the bytes of the largest message."""
    largest = [0]
    page.on("websocket", lambda socket: socket.on("framereceived", lambda data: largest.append(len(data))))
    page.add_init_script(_ON_LOAD)
    page.goto(address)
    page.wait_for_function("() => window.__painted > 0")
    return float(page.evaluate("() => window.__painted")) / 1000, max(largest)


def moves(page: Page, base: str, name: str, n: int) -> None:
    """Print the medians of `n` key presses on one slider."""
    path, query, key = PAGES[name]
    page.goto(f"{base}{path}?{urlencode(query)}")
    drawn(page)
    page.wait_for_timeout(2500)
    page.evaluate(_WATCH)
    slider = page.locator(f".st-key-{key} input[type=range]")
    folded = page.locator("details:not([open])").filter(has=slider)
    if folded.count():
        folded.locator("summary").click()
        slider.wait_for()
        page.wait_for_timeout(1000)
    first, last, shift = [], [], []
    for number in range(n + 2):
        slider.focus()
        page.keyboard.press("ArrowRight" if number % 4 < 2 else "ArrowLeft")
        page.wait_for_function(_DONE)
        key, times, moved = page.evaluate("() => [window.__key, window.__times, window.__shift]")
        if number > 1:  # the first ones warm up
            first.append(times[0] - key)
            last.append(times[-1] - key)
            shift.append(moved)
    print(
        f"{name}: first change {statistics.median(first):.0f} ms, last change {statistics.median(last):.0f} ms "
        f"(least {min(last):.0f}, largest {max(last):.0f}), layout shift {max(shift):.4f}, {n} moves"
    )


def choices(page: Page, base: str, n: int) -> None:
    """Print the medians of `n` choices of the estimator that the curves are drawn by."""
    path, query, _ = PAGES["k of counts"]
    page.goto(f"{base}{path}?{urlencode(query)}")
    drawn(page)
    page.wait_for_timeout(2500)
    page.evaluate(_WATCH)
    first, last = [], []
    for number in range(n + 2):
        page.locator(".st-key-multiplexing-method").get_by_role("combobox").fill(name := ("pchip", "gate", "linear", "kalman")[number % 4])
        page.get_by_role("option", name=name, exact=True).wait_for()
        page.wait_for_timeout(700)
        page.keyboard.press("Enter")
        page.wait_for_function(_DONE)
        key, times = page.evaluate("() => [window.__key, window.__times]")
        if number > 1:
            first.append(times[0] - key)
            last.append(times[-1] - key)
    print(
        f"estimator of the curves: first change {statistics.median(first):.0f} ms, last change {statistics.median(last):.0f} ms "
        f"(least {min(last):.0f}, largest {max(last):.0f}), {n} choices"
    )


def sliders_alone(base: str, port: int, n: int, names: list[str]) -> None:
    """Print the medians of `n` moves of the sliders `names`."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        running = server(Path(folder), port)
        try:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=LAUNCH)
            page = browser.new_page(viewport={"width": 1480, "height": 900})
            page.set_default_timeout(60_000)
            for name in names:
                moves(page, base, name, n)
            browser.close()
        finally:
            running.terminate()
            running.wait()


def main() -> None:
    """Measure all of it, or some sliders."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    port = free_port()
    base = f"http://localhost:{port}"
    if sys.argv[2:]:
        sliders_alone(base, port, n, sys.argv[2:])
        return
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=LAUNCH)
        paints = []
        for _ in range(3):
            running = server(Path(folder), port)
            page = browser.new_page(viewport={"width": 1480, "height": 900})
            began = time.perf_counter()
            page.goto(base)
            page.get_by_role("heading", name="HEM Workbench", exact=True).wait_for()
            paints.append(time.perf_counter() - began)
            page.close()
            running.terminate()
            running.wait()
        print(f"first paint of Home on a cold server: {statistics.median(paints):.2f} s (of 3)")
        for name, picture, button in (
            ("merge", "correlation", "Request server, MUCH collection"),
            ("segmentation", "segments", "Request server and 8 others, every event counted"),
        ):
            found = []
            for _ in range(3):
                running = server(Path(folder), port)
                page = browser.new_page(viewport={"width": 1480, "height": 900})
                found.append(first_pictures(page, base, name, picture, button))
                page.close()
                running.terminate()
                running.wait()
            cold, again = (statistics.median(times) for times in zip(*found, strict=True))
            print(f"{name}: one click to the first picture, cold {cold:.2f} s, again {again:.2f} s (of 3)")
        running = server(Path(folder), port)
        try:
            page = browser.new_page(viewport={"width": 1480, "height": 900})
            page.set_default_timeout(60_000)
            page.goto(f"{base}/merge?{urlencode(PAGES['dep_lvl'][1])}")
            drawn(page)
            page.wait_for_timeout(3000)
            switches = []
            for _ in range(5):
                for title, heading in (("Segmentation", "Segmentation"), ("Merge", "Merge subexperiments")):
                    link = page.get_by_test_id("stTopNavLink").filter(has_text=title)
                    switches.append(painted(page, link, "[data-testid=stMain] h1", heading))
                    page.wait_for_timeout(2000)
            print(f"page switch to the heading: {1000 * statistics.median(switches):.0f} ms (of {len(switches)})")
            for name in PAGES:
                moves(page, base, name, n)
            choices(page, base, n)
        finally:
            running.terminate()
            running.wait()
        id = million_signatures(Path(folder))
        query = urlencode({"signatures.dataset": f"a million signatures · {id[:8]}"})
        times, largest = [], 0
        for _ in range(3):
            running = server(Path(folder), port)
            page = browser.new_page(viewport={"width": 1480, "height": 900})
            page.set_default_timeout(60_000)
            page.goto(base)
            page.wait_for_timeout(9000)
            took, largest = ready(page, f"{base}/signatures?{query}")
            times.append(took)
            page.close()
            running.terminate()
            running.wait()
        print(
            f"a million signatures: page ready {statistics.median(times):.2f} s after its link on a server that has read none of them, "
            f"largest message {largest / 2**20:.2f} MiB (of 3)"
        )
        browser.close()


if __name__ == "__main__":
    main()
