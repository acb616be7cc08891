"""How long the strip below a slider takes in a real browser: from the key press until its words and its curve show the new value.

    python benchmarks/bench_strips.py [moves [strip ...]]

Starts a server of its own on an empty data folder. Each time is taken in the page: from the key event to the last change of the strip's
sentence, to the load of its curve, and to the last change of the page's main part (the picture, in the same answer). With the processor
seconds of the server and its workers per move, since other work on the machine lengthens the times. Medians and the largest.
"""

import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.bench_pages import CHROMIUM, LAUNCH, SERIES, drawn, free_port, server

MUCH = "Request server, MUCH collection · sample"
JOBS = {"signatures.dataset": "5,000 jobs' signatures (synthetic) · sample"}
# Page, its query, the widget's key, and the words with which the strip's sentence names its answer.
STRIPS = {
    "plan runs": ("/plan", {"plan.dataset": "16 HEMs of an NXP T2080 · sample"}, "plan-runs", "r known to"),
    "dep_lvl": ("/merge", {"merge.dataset": MUCH, "merge.family": "MUCH"}, "merge-dep_lvl", "HEMs kept"),
    "MUCH runs": ("/merge", {"merge.dataset": MUCH, "merge.family": "MUCH"}, "merge-n_runs", "r off by"),
    "copula runs": ("/merge", {"merge.dataset": MUCH, "merge.family": "Copula"}, "merge-n_runs", "r off by"),
    "k": (
        "/multiplexing",
        {"multiplexing.dataset": SERIES, "multiplexing.application": "sensor_control"},
        "multiplexing-slots_per_count",
        "RA by",
    ),
    "threshold": (
        "/segmentation",
        {"segmentation.dataset": SERIES, "segmentation.application": "sensor_control", "segmentation.event": "Dr"},
        "segmentation-threshold",
        "change points",
    ),
    "cpu_cpi": ("/signatures", JOBS, "signatures-cpu_cpi", "CPU-bound CPI"),
    "mem_gbs": ("/signatures", JOBS, "signatures-mem_gbs", "MEMORY-bound MEM_GBS"),
    "bandwidth_share": ("/signatures", JOBS, "signatures-bandwidth_share", "by roofline"),
    "price": ("/signatures", JOBS, "signatures-price", "cost of all energy"),
}
_WATCH = """
words => {
  window.__words = window.__curve = window.__main = 0; window.__said = '';
  const side = document.querySelector('[data-testid="stSidebar"]');
  const caption = () => [...side.querySelectorAll('[data-testid="stCaptionContainer"]')].find(each => each.textContent.includes(words));
  const look = () => {
    const said = caption()?.textContent ?? '';
    if (said !== window.__said) { window.__said = said; window.__words = performance.now(); }
  };
  new MutationObserver(look).observe(side, {subtree: true, childList: true, characterData: true});
  document.addEventListener('load', event => {
    if (event.target.tagName === 'IMG' && side.contains(event.target)) window.__curve = performance.now();
  }, true);
  new MutationObserver(() => { window.__main = performance.now(); }).observe(document.querySelector('[data-testid="stMain"]'),
    {subtree: true, childList: true, attributes: true, characterData: true});
  window.addEventListener('keydown', () => {
    window.__key = performance.now();
    window.__words = window.__curve = window.__main = 0;
  }, true);
  look();
}
"""
_QUIET = """
() => { const last = Math.max(window.__words, window.__curve, window.__main, window.__key + 900); return performance.now() - last > 900; }
"""


def processor(started: subprocess.Popen[bytes]) -> float:
    """Processor seconds of the server and of all that it started, so far."""
    ticks, family = 0, [started.pid]
    for pid in family:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
            for task in Path(f"/proc/{pid}/task").iterdir():
                family += map(int, (task / "children").read_text().split())
        except OSError:
            continue
    return ticks / 100


def moves(page: Page, base: str, started: subprocess.Popen[bytes], name: str, n: int) -> None:
    """Print what `n` key presses on the slider of one strip took."""
    path, query, key, words = STRIPS[name]
    page.goto(f"{base}{path}?{urlencode(query)}")
    drawn(page)
    page.wait_for_timeout(2500)
    widget = page.locator(f".st-key-{key} input").first
    folded = page.locator("[data-testid=stSidebar] details:not([open])").filter(has=widget)
    if folded.count():
        folded.locator("summary").click()
        widget.wait_for()
        page.wait_for_timeout(1500)
    page.evaluate(_WATCH, words)
    slides = widget.get_attribute("type") == "range"
    found: dict[str, list[float]] = {"words": [], "curve": [], "page": []}
    spent = []
    for number in range(n + 2):
        widget.focus()
        before = processor(started)
        up = number // 12 % 2 == 0  # to new values first, which no cache has
        page.keyboard.press(("ArrowRight" if up else "ArrowLeft") if slides else ("ArrowUp" if up else "ArrowDown"))
        page.wait_for_function(_QUIET)
        now = page.evaluate("() => ({key: __key, words: __words, curve: __curve, page: __main, said: __said})")
        if number == 0:
            print(f"  {name}, first move: {', '.join(_of(now, each) for each in found)}, {processor(started) - before:.2f} s of processor")
            print(f"  {now['said']}")
        if number > 1:
            spent.append(processor(started) - before)
            for each, times in found.items():
                if now[each]:
                    times.append(now[each] - now["key"])
    medians = ", ".join(
        f"{each} {statistics.median(times):.0f} ms (largest {max(times):.0f}, {len(times)} changed)" if times else f"{each} never"
        for each, times in found.items()
    )
    print(f"{name}: {medians}, {1000 * statistics.median(spent):.0f} ms of processor, {n} moves", flush=True)


def _of(now: dict[str, float], what: str) -> str:
    return f"{what} {now[what] - now['key']:.0f} ms" if now[what] else f"{what} unchanged"


def main() -> None:
    """Measure all strips, or some."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 12
    port = free_port()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        started = server(Path(folder), port)
        try:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=LAUNCH)
            page = browser.new_page(viewport={"width": 1280, "height": 720})
            page.set_default_timeout(60_000)
            for name in sys.argv[2:] or STRIPS:
                moves(page, f"http://localhost:{port}", started, name, n)
            browser.close()
        finally:
            started.terminate()
            started.wait()


if __name__ == "__main__":
    main()
