"""A report from three pages: collected, put in order, taken away as a page that opens with the network off and as a notebook that runs."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.browser.conftest import EVIL, ROOT, choose, expect, figure, headline, link, open_actions, options, settled, take

pytestmark = [pytest.mark.browser, pytest.mark.slow]

MUCH = "Request server, MUCH collection · sample"
HRM = "Request server, HRM collection · sample"
SERIES = {"dataset": "Request server and 8 others, every event counted · sample", "application": "sensor_control", "event": "Dr"}
FIRST, SECOND, THIRD = "Phases of Dr", "Is a pair kept?", "The merged table"
_RUN_S = 300
# Runs the code of a notebook where neither streamlit nor plotly can be imported.
RUNNER = """
import json, sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("streamlit", "plotly"):
            raise ImportError(f"{name} is blocked")

sys.meta_path.insert(0, Blocked())
space = {"__name__": "__main__"}
for cell in json.load(open(sys.argv[1], encoding="utf-8"))["cells"]:
    if cell["cell_type"] == "code":
        exec(compile("".join(cell["source"]), cell["id"], "exec"), space)
"""


def add(page, what: str, number: int, *, title: str, note: str = "") -> None:
    """Put the open tab into the report, whose item `number` it becomes."""
    open_actions(page, "Add to report")
    page.get_by_role("textbox", name="Title of the item").fill(title)
    page.get_by_role("textbox", name="Your note").fill(note)
    page.keyboard.press("Tab")
    settled(page)
    page.get_by_role("button", name=f"Add {what}", exact=True).click()
    expect(page.get_by_text(f"item {number}.").first).to_be_visible()
    settled(page)


def headings(page):
    """The headings of the report's items, in their order."""
    return page.get_by_test_id("stMain").get_by_role("heading", level=3)


def collected(page, server) -> None:
    """Three items in a new report, and the report page open on them."""
    page.goto(link(server, "merge", dataset=MUCH, dep_lvl=0.7))
    expect(headline(page).first).to_be_visible()
    settled(page)
    add(page, "Merged correlation", 1, title=THIRD, note=f"Nine pairs matter. {EVIL}")
    page.goto(link(server, "merge", dataset=HRM, family="HRM", view="Pairs"))
    expect(figure(page, "merge.pairs-0")).to_be_visible()
    options(page)
    box = page.get_by_role("combobox", name="Second HEM", exact=True)
    box.click()
    another = [name for name in page.get_by_role("option").all_inner_texts() if name != box.input_value()][-1]
    page.keyboard.press("Escape")
    choose(page, "Second HEM", another)
    expect(figure(page, "merge.pairs-0").locator(".ytitle")).to_contain_text(another)
    settled(page)
    add(page, "Pairs", 2, title="")
    page.goto(link(server, "segmentation", **SERIES, threshold=4))
    expect(headline(page).first).to_be_visible()
    settled(page)
    add(page, "Segments", 3, title=FIRST)
    page.get_by_role("link", name="Open the reports").click()
    expect(headings(page)).to_have_text([f"1. {THIRD}", "2. HRM merge: Pairs", f"3. {FIRST}"])
    settled(page)


def in_order(page) -> None:
    """The last item first, and a title for the one that has none."""
    page.get_by_role("button", name="Up").nth(2).click()
    expect(headings(page)).to_have_text([f"1. {THIRD}", f"2. {FIRST}", "3. HRM merge: Pairs"])
    settled(page)
    page.get_by_role("button", name="Up").nth(1).click()
    expect(headings(page)).to_have_text([f"1. {FIRST}", f"2. {THIRD}", "3. HRM merge: Pairs"])
    settled(page)
    page.get_by_role("button", name="Down").nth(1).click()
    expect(headings(page)).to_have_text([f"1. {FIRST}", "2. HRM merge: Pairs", f"3. {THIRD}"])
    settled(page)
    expect(page.locator(".js-plotly-plot:visible")).to_have_count(4)  # a merge has two matrices
    item = page.get_by_test_id("stExpander").filter(has_text="Title and note").nth(1)
    item.locator("summary").click()
    item.get_by_role("textbox", name="Title").fill(SECOND)
    item.get_by_role("textbox", name="Note").fill("The runs lie where the real ones do.")
    page.keyboard.press("Tab")
    expect(headings(page)).to_have_text([f"1. {FIRST}", f"2. {SECOND}", f"3. {THIRD}"])
    settled(page)


def opened_offline(new_page, file: Path):
    """The file in a browser that reaches no network."""
    page = new_page(offline=True, color_scheme="light")
    page.context.route("**/*", lambda route: route.continue_() if route.request.url.startswith("file:") else route.abort())
    page.goto(file.as_uri())
    page.wait_for_function("() => document.documentElement.dataset.drawn === 'all'")
    return page


def test_a_report_is_put_in_order_and_opens_offline_and_runs_as_a_notebook(server, new_page, tmp_path):
    page = new_page()
    collected(page, server)
    in_order(page)
    address = page.url

    name, content = take(page, "Page (HTML)")
    assert name == "Report.html"
    file = tmp_path / name
    file.write_bytes(content)
    offline = opened_offline(new_page, file)
    expect(offline.locator("article h2")).to_have_text([FIRST, SECOND, THIRD])
    expect(offline.locator("article .words")).to_have_text(["The runs lie where the real ones do.", f"Nine pairs matter. {EVIL}"])
    expect(offline.locator("article figure")).to_have_count(3)
    expect(offline.locator(".failed:visible")).to_have_count(0)
    for number, plots in ((1, 1), (2, 1), (3, 2)):
        drawn = offline.locator(f"#item-{number} .picture.js-plotly-plot")
        expect(drawn).to_have_count(plots)
        for place in range(plots):
            expect(drawn.nth(place).locator(".main-svg").first).to_be_visible()
    ground = "() => getComputedStyle(document.body).backgroundColor"
    ink = "() => getComputedStyle(document.querySelector('.picture .ytick text')).fill"
    light = offline.evaluate(ground), offline.evaluate(ink)
    offline.get_by_role("button", name="Switch to dark theme").click()
    offline.wait_for_function("() => [...document.querySelectorAll('.picture')].every(each => each.dataset.ground === 'dark')")
    dark = offline.evaluate(ground), offline.evaluate(ink)
    assert light[0] != dark[0]
    assert light[1] != dark[1]
    expect(offline.get_by_role("button", name="Switch to light theme")).to_be_visible()
    expect(offline.locator("img[src='x']")).to_have_count(0)

    name, content = take(page, "Notebook")
    assert name == "Report.ipynb"
    notebook, runner = tmp_path / name, tmp_path / "runner.py"
    notebook.write_bytes(content)
    runner.write_text(RUNNER)
    words = "".join("".join(cell["source"]) for cell in json.loads(content)["cells"] if cell["cell_type"] == "markdown")
    assert words.index(f"1. {FIRST}") < words.index("2. Is a pair kept") < words.index(f"3. {THIRD}")
    known = os.environ | {"HEM_DATA_DIR": str(server.data_dir), "PYTHONPATH": str(ROOT)}
    run = subprocess.run(
        [sys.executable, str(runner), str(notebook)], cwd=tmp_path, env=known, capture_output=True, text=True, timeout=_RUN_S
    )
    assert run.returncode == 0, run.stderr[-3000:]
    assert run.stdout.count("The picture needs plotly") == 3
    for told in ("Threshold: 4", "HEMs merged: 10 of 14", "Dr shows "):
        assert told in run.stdout

    # The report is on the shelf: another browser finds it by the address after a restart.
    server.kill()
    server.start()
    other = new_page()
    other.goto(address)
    expect(headings(other)).to_have_text([f"1. {FIRST}", f"2. {SECOND}", f"3. {THIRD}"])
    settled(other)
