"""Clicks and seconds from a file to the first answer, of every kind of file, in a real browser.

    python benchmarks/bench_first_answer.py [--every 4] [--only WORDS ...]

Starts a server of its own on an empty data folder. Each kind is dropped on the Data page by a new visitor, who then clicks what is
recommended and nothing else: the first answer to a question, "Add to your data", the first page that takes the dataset, the main button
of that page. Counted are these clicks and the seconds from the drop until the first verdict is on the screen; the page before it was
there already, and a human reads longer than the script, which looks every 50 ms and clicks what it saw twice. The goal is two clicks and
under 10 s.

The kinds: perf of three releases and in CSV and JSON with 60 intervals, the example of every format that can be read, and one of `--every`
shapes of the tables that people write (tests/core/datasets/importing/people), each as another program writes it. `--only`: the kinds
whose name has one of these words. Where no verdict comes, the end is what the page says then.
"""

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np
from playwright.sync_api import Locator, Page, sync_playwright
from playwright.sync_api import TimeoutError as PlaywrightTimeout

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.bench_pages import CHROMIUM, LAUNCH, free_port, server
from hemcore.datasets.readers.formats import FORMATS
from tests.core.datasets.corpus.printer import Reading, at, csv_text, json_row, text_intervals
from tests.core.datasets.importing.people.cases import SHAPES, case_of, pairs
from tests.core.datasets.importing.people.dialects import DIALECTS

Kind = tuple[str, dict[str, bytes]]
CLICKS, SECONDS = 2, 10.0  # the goal
MOST_CLICKS, PATIENCE_S, QUIET_S, LOOK_MS = 6, 60.0, 4.0, 2_000
VERDICT = "[class*='st-key-frame-verdict-']"
# What a newcomer clicks, the first of these that is there.
STEPS = {
    "answer": "[class*='st-key-data-import-answer-'] button:enabled",
    "add": ".st-key-data-add button:enabled",
    "page": "[data-testid=stMain] [data-testid=stPageLink-NavLink]",
    "main button": "[data-testid=stMain] [data-testid=stBaseButton-primary]:enabled",
}
BUSY = ":is([data-testid=stProgress], [data-testid=stSpinner], [data-testid=stSkeleton])"
IDLE = "[data-testid=stApp][data-test-script-state=notRunning]"
SAID = "[data-testid=stMain] [data-testid=stAlert], [data-testid=stMain] [data-testid=stCaptionContainer]:has-text('No page')"


def of_perf() -> Iterator[Kind]:
    """perf stat -I, two levels of two events: the first 30 intervals and the rest."""
    random, readings = np.random.default_rng(7), []
    for number in range(60):
        level = 1 if number < 30 else 3
        counts = {"cycles": random.poisson(1e6 * level), "cache-misses": random.poisson(2e3 * level)}
        readings += at([Reading(event=event, value=int(count)) for event, count in counts.items()], time=0.1 * (number + 1))
    for release in ("3", "4", "6"):
        yield f"perf {release}, text -I", {"f.txt": text_intervals(readings, release).encode()}
    yield "perf, CSV -I", {"f.csv": csv_text(readings, ",").encode()}
    yield "perf, JSON -I", {"f.json": "\n".join(json_row(reading, "6.1") for reading in readings).encode()}


def of_formats() -> Iterator[Kind]:
    for each in FORMATS:
        if each.example:
            yield f"example: {each.title}", {name: text.encode() for name, text in each.example.items()}


def of_people(every: int) -> Iterator[Kind]:
    """Each shape as another program writes it; the next one where that cannot."""
    pairs()
    for number, shape in enumerate(list(SHAPES)[::every]):
        turned = [*DIALECTS[number % len(DIALECTS) :], *DIALECTS[: number % len(DIALECTS)]]
        case = next(case for dialect in turned if (case := case_of(shape, dialect)) is not None)
        yield case.name, dict(case.files)


def step(page: Page) -> tuple[str, Locator] | None:
    """What is recommended now, by name; None where the page works or offers nothing."""
    if not page.locator(IDLE).count() or page.locator(f"{BUSY}:visible").count():
        return None
    for name, where in STEPS.items():
        found = page.locator(f"{where}:visible")
        if found.count():
            try:
                return f"{name} {page.url.split('?')[0]} {found.first.inner_text(timeout=LOOK_MS)}", found.first
            except PlaywrightTimeout:  # the page was drawn anew in between
                return None
    return None


def first_answer(page: Page, files: dict[str, bytes]) -> tuple[list[str], float, str]:
    """What was clicked, the seconds, and the verdict's level and words, or "" and what the page said instead."""
    field = page.get_by_test_id("stFileUploaderDropzoneInput")
    field.wait_for(state="attached")
    page.locator(IDLE).wait_for()
    clicked: list[str] = []
    began = quiet = time.perf_counter()
    field.set_input_files([{"name": name, "mimeType": "application/octet-stream", "buffer": content} for name, content in files.items()])
    before = ""
    while time.perf_counter() - began < PATIENCE_S:
        verdict = page.locator(f"{VERDICT}:visible")
        if verdict.count():
            seconds = time.perf_counter() - began
            level = (verdict.first.get_attribute("class") or "").split("st-key-frame-verdict-")[1].split("-")[0]
            return clicked, seconds, f"{level}: {verdict.first.locator('strong').first.inner_text()}"
        now = step(page)
        name = now[0] if now is not None else ""
        if now is None and (page.locator(f"{BUSY}:visible").count() or not page.locator(IDLE).count()):
            quiet = time.perf_counter()
        if now is not None and name == before and name not in clicked and len(clicked) < MOST_CLICKS:
            with suppress(PlaywrightTimeout):
                now[1].click(timeout=LOOK_MS)
                clicked.append(name)
            quiet = time.perf_counter()
        if time.perf_counter() - quiet > QUIET_S:
            break
        before = name
        page.wait_for_timeout(50)
    said = page.locator(SAID)
    return clicked, time.perf_counter() - began, f"none: {said.first.inner_text() if said.count() else page.url}"


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--every", type=int, default=4)
    arguments.add_argument("--only", nargs="*", default=[""])
    given = arguments.parse_args()
    kinds = [
        kind for kind in (*of_perf(), *of_formats(), *of_people(given.every)) if any(word.lower() in kind[0].lower() for word in given.only)
    ]
    found = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        port = free_port()
        running = server(Path(folder), port)
        try:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=LAUNCH)
            for name, files in kinds:
                page = browser.new_context(viewport={"width": 1280, "height": 720}).new_page()
                page.set_default_timeout(30_000)
                page.goto(f"http://localhost:{port}/data")
                clicked, seconds, end = first_answer(page, files)
                found.append((len(clicked), seconds, end))
                steps = json.dumps([each.split(" http")[0] for each in clicked])
                print(f"{name[:60]:60} {len(clicked)} clicks {seconds:5.1f} s  {steps} {' '.join(end.split())[:90]}", flush=True)
                page.context.close()
            browser.close()
        finally:
            running.terminate()
            running.wait()
    answered = [(clicks, seconds) for clicks, seconds, end in found if not end.startswith("none")]
    within = sum(clicks <= CLICKS and seconds < SECONDS for clicks, seconds in answered)
    print(f"{len(found)} kinds, {len(answered)} led to a verdict; of these within {CLICKS} clicks and {SECONDS:.0f} s: {within}")
    if answered:
        clicks, seconds = zip(*answered, strict=True)
        most = f"most {max(clicks)} and {max(seconds):.1f} s (the first kind finds a cold server)"
        print(f"median {statistics.median(clicks):.0f} clicks and {statistics.median(seconds):.1f} s, {most}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
