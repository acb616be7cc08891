"""The Signatures page in a real browser: a box drawn over points lists their rows, EAR's files are taken and loaded."""

import json
import re

import pytest

from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.shelf.library import entries
from hemcore.datasets.shelf.store import DatasetStore
from tests.app.test_signatures_page import LOOPS, POLICIES
from tests.browser.conftest import expect, figure, headline, keyed, link, settled, tab
from tests.browser.test_legible import LEGIBLE, WIDTHS, drawn

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SAMPLE = "5,000 jobs' signatures (synthetic) · sample"
ROOFLINE = "signatures.roofline-0"
OWN = {"Job in time": ("loops.csv", LOOPS), "Policies": ("vasp.csv", POLICIES)}


def test_a_box_drawn_over_points_lists_their_rows_and_is_forgotten(shared, new_page):
    page = new_page()
    page.goto(link(shared, "signatures", dataset=SAMPLE, drag="select"))
    expect(headline(page).first).to_be_visible()
    settled(page)
    ground = figure(page, ROOFLINE).locator(".nsewdrag").first
    expect(ground).to_be_visible()
    place = ground.bounding_box()
    across, down = (lambda share: place["x"] + place["width"] * share), (lambda share: place["y"] + place["height"] * share)
    page.mouse.move(across(0.70), down(0.05))
    page.mouse.down()
    page.mouse.move(across(0.80), down(0.15), steps=4)
    page.mouse.move(across(0.95), down(0.40), steps=4)
    page.mouse.up()
    expect(page.get_by_text(re.compile(r"Selected: [\d,]+ jobs?[.;]"))).to_be_visible()
    page.get_by_role("button", name="Clear the selection").click()
    expect(page.get_by_text(re.compile("Selected: "))).to_have_count(0)


def test_ears_files_are_taken_and_loaded_again(shared, new_page, tmp_path):
    page = new_page()
    page.goto(link(shared, "signatures", dataset=SAMPLE))
    expect(headline(page).first).to_be_visible()
    tab(page, "EAR files")
    settled(page)
    files = []
    for kind in ("roofline", "medoids", "extremes"):
        with page.expect_download() as taken:
            page.get_by_role("button", name=f"{kind}.node.data").click()
        assert taken.value.suggested_filename == f"{kind}.node.data"
        files.append(tmp_path / f"{kind}.node.data")
        taken.value.save_as(files[-1])
    assert files[0].read_text() == "614.4 7168.0\n"
    keyed(page, "signatures.ear-files").locator("input[type=file]").set_input_files(files)
    expect(page.get_by_text("Loaded for tag node: roofline, medoids, extremes.")).to_be_visible()
    settled(page)
    # Read back by EAR's arithmetic, as its files are.
    expect(page.get_by_text("The medoids and extremes are the ones entered.")).to_be_visible()


@pytest.mark.parametrize("ground", ["light", "dark"])
@pytest.mark.parametrize("name", OWN)
def test_a_tab_that_the_sample_has_not_can_be_read_at_every_width(shared, new_page, name, ground):
    file, text = OWN[name]
    store = DatasetStore(shared.data_dir)
    record = store.add([UploadedFile(file, text.encode())])
    label = next(each.label for each in entries(store) if each.id == record.id)
    page = new_page(color_scheme=ground)
    page.goto(link(shared, "signatures", dataset=label, view=name))
    expect(headline(page).first).to_be_visible()
    faults = {}
    for width, height in WIDTHS:
        page.set_viewport_size({"width": width, "height": height})
        drawn(page, width, 1)
        if said := page.evaluate(LEGIBLE):
            faults[width] = said
    assert faults == {}, json.dumps(faults, indent=1, ensure_ascii=False)


def test_a_link_reproduces_a_box(shared, new_page):
    page = new_page()
    page.goto(link(shared, "signatures", dataset=SAMPLE, selected="box 20 1000 4000 8000"))
    said = page.get_by_text(re.compile(r"Selected: [\d,]+ jobs?[.;]"))
    expect(said).to_be_visible()
    words = said.inner_text()
    page.reload()
    expect(page.get_by_text(re.compile(r"Selected: [\d,]+ jobs?[.;]"))).to_have_text(words)
