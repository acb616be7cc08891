"""The Multiplexing page in a real browser: k is moved, a cell is clicked, and the curve that opens has its marks."""

import re

import pytest

from tests.browser.conftest import expect, figure, headline, keyed, link, settled, tab

pytestmark = [pytest.mark.browser, pytest.mark.slow]

OCOE = "Eight staged programs, every event counted · sample"


def test_fewer_counters_are_tried_and_a_cell_opens_its_curve(shared, new_page):
    page = new_page()
    page.goto(link(shared, "multiplexing", dataset=OCOE, application="sensor_control"))
    expect(headline(page).first).to_be_visible()
    settled(page)
    expect(page.get_by_text(re.compile("Counting 1 slot in 4, the curve is right to"))).to_be_visible()
    expect(figure(page, "multiplexing.curves-0").locator(".scatterlayer .points path").first).to_be_visible()
    thumb = keyed(page, "multiplexing.slots_per_count").get_by_role("slider")
    thumb.focus()
    thumb.press("ArrowRight")
    expect(page.get_by_text(re.compile("Counting 1 slot in 5, the curve is right to"))).to_be_visible()
    expect(page).to_have_url(re.compile(r"multiplexing\.slots_per_count=5"))
    tab(page, "By event")
    settled(page)
    cells = figure(page, "multiplexing.events-0").locator(".scatterlayer .points path")
    expect(cells.first).to_be_visible()
    # Rows are events, 11 cells each: the second row's first estimator.
    cells.nth(11).click(force=True)
    expect(figure(page, "multiplexing.curves-0")).to_be_visible()
    expect(page).to_have_url(re.compile(r"multiplexing\.method=fixed|multiplexing\.event=Dr"))
    settled(page)
    expect(page.get_by_text(re.compile("By fixed|right to"))).not_to_have_count(0)
