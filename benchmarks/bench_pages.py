"""What a visitor waits for, in a real browser on the bundled samples: slider moves, first paint, page switch, one click to a picture.

    python benchmarks/bench_pages.py [moves]

Starts a server of its own on an empty data folder. Each move is one key press on the focused slider; its time ends with the last change of
the page (DOM mutations of the main block, observed in the page itself); layout shift as the browser reports it. Medians, on this machine.
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

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
SERIES = "Eight staged programs, every event counted · sample"
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
    "dep_lvl": ("/merge", {"merge.dataset": "Request server, MUCH collection · sample"}, "merge-dep_lvl"),
}
# First and last change after a key press, and the layout shift between; quiet for 600 ms ends it.
_WATCH = """
() => {
  window.__times = []; window.__shift = 0;
  new MutationObserver(list => {
    const seen = list.some(m => !(m.target.closest && m.target.closest('[data-testid="stStatusWidget"]')));
    if (seen) window.__times.push(performance.now());
  }).observe(document.querySelector('[data-testid="stMain"]'), {subtree: true, childList: true, attributes: true, characterData: true});
  const add = list => { for (const entry of list.getEntries()) window.__shift += entry.value; };
  new PerformanceObserver(add).observe({type: 'layout-shift', buffered: false});
  window.addEventListener('keydown', () => { window.__key = performance.now(); window.__times = []; window.__shift = 0; }, true);
}
"""
_DONE = "() => window.__times.length && performance.now() - window.__times[window.__times.length - 1] > 600"


def server(folder: Path, port: int) -> subprocess.Popen[bytes]:
    """A fresh server, ready to answer."""
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
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


def main() -> None:
    """Measure all of it."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    base = f"http://localhost:{port}"
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        )
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
        running = server(Path(folder), port)
        try:
            page = browser.new_page(viewport={"width": 1480, "height": 900})
            page.set_default_timeout(60_000)
            for name, button in (
                ("merge", "Request server, MUCH collection"),
                ("segmentation", "Eight staged programs, every event counted"),
            ):
                times = []
                for _ in range(2):
                    page.goto(f"{base}/{name}")
                    start = page.get_by_role("button", name=button)
                    start.wait_for()
                    page.wait_for_timeout(1500)
                    began = time.perf_counter()
                    start.click()
                    page.locator(".js-plotly-plot .main-svg").first.wait_for()
                    times.append(time.perf_counter() - began)
                print(f"{name}: one click to the first picture, cold {times[0]:.2f} s, again {times[1]:.2f} s")
            switches = []
            for _ in range(5):
                for title in ("Merge", "Segmentation"):
                    began = time.perf_counter()
                    page.get_by_test_id("stSidebarNavLink").filter(has_text=title).click()
                    page.get_by_role("heading", name=title).first.wait_for()
                    switches.append(time.perf_counter() - began)
                    page.wait_for_timeout(1500)
            print(f"page switch to the heading: {1000 * statistics.median(switches):.0f} ms (of {len(switches)})")
            for name in PAGES:
                moves(page, base, name, n)
        finally:
            running.terminate()
            running.wait()
        browser.close()


if __name__ == "__main__":
    main()
