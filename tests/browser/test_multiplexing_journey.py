"""The Multiplexing page in a real browser: k is moved, a cell is clicked, a model is trained, uploads are paired."""

import re

import numpy as np
import pytest

from tests.browser.conftest import choose, expect, figure, headline, keep, keyed, link, pick, press, settled, tab, take_option
from tests.core.mpx.made import bursty

pytestmark = [pytest.mark.browser, pytest.mark.slow]

OCOE = "Request server and 8 others, every event counted · sample"


def test_fewer_counters_are_tried_and_a_cell_opens_its_curve(shared, new_page):
    page = new_page()
    page.goto(link(shared, "multiplexing", dataset=OCOE, application="sensor_control"))
    expect(headline(page).first).to_be_visible()
    settled(page)
    expect(page.get_by_text(re.compile("Counting 1 slot in 4, (totals are|relative accuracy is)"))).to_be_visible()
    expect(figure(page, "multiplexing.curves-0").locator(".scatterlayer .js-line:visible").first).to_be_visible()
    thumb = keyed(page, "multiplexing.slots_per_count").get_by_role("slider")
    thumb.focus()
    thumb.press("ArrowRight")
    expect(page.get_by_text(re.compile("Counting 1 slot in 5, (totals are|relative accuracy is)"))).to_be_visible()
    expect(page).to_have_url(re.compile(r"multiplexing\.slots_per_count=5"))
    tab(page, "By event")
    settled(page)
    cells = figure(page, "multiplexing.events-0").locator(".scatterlayer .points path")
    expect(cells.first).to_be_visible()
    # Rows are events, 12 cells each: the second row's first estimator.
    cells.nth(12).click(force=True)
    expect(figure(page, "multiplexing.curves-0")).to_be_visible()
    expect(page).to_have_url(re.compile(r"multiplexing\.method=fixed|multiplexing\.event=Dr"))
    settled(page)
    expect(page.get_by_text(re.compile("Counting 1 slot in 5, (totals are|relative accuracy is)"))).not_to_have_count(0)


def runs_in_csv() -> list[dict]:
    """Four runs of one program, a file each, counted all the time."""
    whole = bursty(n=640, n_runs=4)
    return [
        {
            "name": f"program_{run}.csv",
            "mimeType": "text/csv",
            "buffer": whole.run("p", run).counts.assign(time=0.1 * np.arange(1, 161)).to_csv(index=False).encode(),
        }
        for run in whole.runs("p")
    ]


def train(page, steps: int) -> None:
    """Ask for a training of so many steps, and wait until it runs."""
    field = keyed(page, "multiplexing.train-steps").locator("input")
    field.fill(str(steps))
    field.press("Enter")
    settled(page)
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.get_by_text(f"{steps:,} steps, 10% held out, seed 0")).to_be_visible()


def test_a_training_is_watched_one_is_cancelled_and_one_is_kept_and_used(shared, new_page):
    page = new_page()
    page.goto(f"{shared.url}/data")
    pick(page, runs_in_csv())
    keep(page)
    expect(page.get_by_role("link", name="Segment these series")).to_be_visible()
    page.get_by_role("link", name="Multiplexing", exact=True).click()  # nothing of OCOE runs is hidden, so Data does not offer it
    dataset = page.get_by_role("combobox", name="Dataset", exact=True)
    take_option(page, dataset, "program_1.csv", page.get_by_role("option", name=re.compile("^program_1.csv")))
    expect(page.get_by_text(re.compile("Counting 1 slot in 4, (totals are|relative accuracy is)"))).to_be_visible()
    page.get_by_text("Train a model on runs").click()
    train(page, 100_000)
    # Its loss curve grows, the time left is told, and it can be stopped.
    curve = page.locator("[class*='st-key-multiplexing-losses']").locator(".js-plotly-plot")
    expect(curve).to_be_visible()
    expect(page.get_by_text(re.compile(r"step [\d,]+ of 100,000: curves .* s left"))).to_be_visible()
    press(page, page.get_by_role("button", name="Cancel"), page.get_by_text(re.compile("cancelled. Start it again")))
    # What was cancelled can be asked for again; another is quick.
    expect(page.get_by_role("button", name="Train", exact=True)).to_be_enabled()
    train(page, 8)
    page.get_by_role("button", name="Keep and use").click()
    expect(page.get_by_text("The model is kept and used.")).to_be_visible()
    expect(keyed(page, "multiplexing.method").get_by_role("combobox")).to_have_value("trained curve")
    expect(keyed(page, "multiplexing.model").get_by_role("combobox")).to_have_value(re.compile("all events, 1 in 4, 1 program"))
    settled(page)
    expect(page.get_by_text(re.compile("by trained curve"))).not_to_have_count(0)
    expect(page).to_have_url(re.compile(r"multiplexing\.method=trained"))


def perf_in_turns() -> dict:
    """`perf stat -I -x,` of the first run: every value counted for a quarter of its interval, and scaled."""
    run = bursty(n=640, n_runs=4).run("p", 1).counts
    lines = [
        f"{0.1 * (slot + 1):.9f},{int(count)},,{event},25000000,25.00,," for slot, row in run.iterrows() for event, count in row.items()
    ]
    return {"name": "in_turns.csv", "mimeType": "text/csv", "buffer": "\n".join([*lines, ""]).encode()}


def test_uploads_of_two_readers_are_paired(shared, new_page):
    page = new_page()
    page.goto(f"{shared.url}/data")
    pick(page, runs_in_csv()[0])
    keep(page)
    expect(page.get_by_role("link", name="Segment these series")).to_be_visible()
    expect(page.get_by_role("link", name="Estimate hidden counts")).to_have_count(0)
    page.goto(f"{shared.url}/data")
    pick(page, perf_in_turns())
    keep(page)
    page.get_by_role("link", name="Estimate hidden counts").click()
    # k is the running share's; which slots were counted is not known, and it is said.
    expect(page.get_by_text(re.compile("0: from the running share, 1 in 4"))).to_be_visible()
    page.get_by_role("button", name="Why?", exact=True).click()
    expect(page.get_by_text(re.compile("does not record which slots were counted"))).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_text("Pair with OCOE runs", exact=True).click()
    runs = page.get_by_role("combobox", name="OCOE runs")
    # A list closes when the page is scrolled under it.
    page.get_by_role("button", name="Pair", exact=True).scroll_into_view_if_needed()
    take_option(page, runs, "program_1", page.get_by_role("option", name=re.compile("program_1.csv")))
    page.get_by_role("button", name="Pair", exact=True).click()
    expect(page.get_by_text(re.compile("Counting 1 slot in 4, (totals are|relative accuracy is)"))).to_be_visible()
    choose(page, "Slots per count", "2")
    expect(page.get_by_text(re.compile("Counting 1 slot in 2, (totals are|relative accuracy is)"))).to_be_visible()
