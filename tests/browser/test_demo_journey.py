"""The demo as it is presented: by keys, from Home to the report, with one slider moved, light and dark."""

import pytest

from hemcore.web.pages import page_named
from hemcore.web.starts.demo_steps import STEPS

from .conftest import expect, figure, heading, keyed, settled, slide_to

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def at_step(page, number: int):
    return page.get_by_text(f"{number} of {len(STEPS)}", exact=True)


@pytest.mark.parametrize("ground", ["light", "dark"])
def test_it_is_played_by_keys(shared, new_page, ground: str) -> None:
    page = new_page(viewport={"width": 1280, "height": 720}, color_scheme=ground)
    page.goto(f"{shared.url}/?demo=1")
    answers = []
    for number, step in enumerate(STEPS, 1):
        shown = page_named(step.page)
        expect(page.get_by_text(f"{number} of {len(STEPS)} {step.look}")).to_be_visible()
        expect(heading(page, shown.heading or shown.title)).to_be_visible()
        if step.ringed:
            ringed = figure(page, shown.key(step.ringed))
            expect(ringed).to_be_visible()
            settled(page)
            page.wait_for_timeout(400)
            assert ringed.evaluate("drawn => drawn.getBoundingClientRect().top") < 380
            assert keyed(page, shown.key(step.ringed)).evaluate("box => getComputedStyle(box).outlineStyle") == "solid"
            answers.append(page.locator("[class*='st-key-frame-verdict-'] strong").first.inner_text())
        if step.slider == "threshold":
            slide_to(page, shown.key(step.slider), 8.0)
            expect(page.locator("[class*='st-key-frame-verdict-'] strong").first).not_to_have_text(answers[-1])
            settled(page)
            answers[-1] = page.locator("[class*='st-key-frame-verdict-'] strong").first.inner_text()
        if number < len(STEPS):
            page.keyboard.press("PageDown")
    # The report is of what was shown, the moved threshold included.
    titles = page.get_by_role("heading", level=3)
    expect(titles).to_have_count(len(answers))
    for answer in answers:  # the report is drawn item by item
        expect(page.get_by_test_id("stMain")).to_contain_text(answer)


def test_it_goes_back_and_is_resumed(shared, new_page) -> None:
    page = new_page(viewport={"width": 1280, "height": 720})
    page.goto(shared.url)
    page.get_by_role("button", name="Play the demo").click()
    for key, number in (("PageDown", 1), ("PageUp", 2), ("PageDown", 1), ("", 2)):
        expect(at_step(page, number)).to_be_visible()
        expect(page.locator(".main-svg").first).to_be_visible()
        settled(page)
        if key:
            page.keyboard.press(key)
    page.get_by_role("button", name="Leave", exact=True).click()
    expect(at_step(page, 2)).to_have_count(0)
    settled(page)
    page.get_by_test_id("stTopNavLink").filter(has_text="Home").click()
    page.get_by_role("button", name="Resume at step 2").click()
    expect(at_step(page, 2)).to_be_visible()
