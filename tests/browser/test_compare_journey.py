"""Two sets of runs compared, in a real browser: one click, a level, the runs in order, and the link that shows the same."""

import pytest

from tests.browser.conftest import expect, figure, figure_of, headline, link, settled, tab

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SEEN = """drawn => {
  const { top, bottom, height } = drawn.getBoundingClientRect();
  return (Math.min(innerHeight, bottom) - Math.max(0, top)) / height;
}"""


def test_one_click_shows_what_changed_and_a_link_shows_the_same(shared, new_page) -> None:
    page = new_page(viewport={"width": 1280, "height": 720})
    page.goto(link(shared, "compare"))
    page.get_by_role("button", name="Particle box: arrays, not structs").click()
    expect(headline(page).first).to_be_visible()
    settled(page)
    expect(page.get_by_text("D1mr: 82.3% to 84.1% less")).to_be_visible()
    assert figure_of(page, "HEMs changed") == "9 of 14"
    assert figure(page, "compare.forest-0").evaluate(SEEN) > 0.9
    tab(page, "Runs in order")
    expect(figure(page, "compare.order-0")).to_be_visible()
    other = new_page()
    other.goto(page.url)
    expect(figure(other, "compare.order-0")).to_be_visible()
    expect(other.get_by_text("which is not")).to_have_count(0)
