"""No page has what some visitors cannot use: axe-core finds no serious fault, empty and on a sample, on either ground; keys reach all."""

from importlib import resources

import pytest

from hemcore.web.pages import PAGES, page_named

from .conftest import expect, keyed, on_its_sample, settled

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LOOK = """async () => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  return violations.filter(({ impact }) => ["serious", "critical"].includes(impact))
    .map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200))]);
}"""


@pytest.fixture(scope="module")
def axe() -> str:
    package = pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")
    return resources.files(package).joinpath("axe.min.js").read_text(encoding="utf-8")


@pytest.mark.parametrize("ground", ["light", "dark"])
@pytest.mark.parametrize("shown", PAGES, ids=lambda page: page.name)
def test_axe_finds_no_serious_fault(shared, new_page, axe, shown, ground: str) -> None:
    page = new_page(viewport={"width": 1280, "height": 720}, color_scheme=ground)
    page.goto(f"{shared.url}/{'' if shown.name == 'home' else shown.name}")
    settled(page)
    page.evaluate(axe)
    assert page.evaluate(LOOK) == []
    if shown.start:
        # The contrast of a button changes under the pointer.
        keyed(page, shown.key(f"start-{shown.start[0].sample}")).get_by_role("button").hover()
        page.wait_for_timeout(300)
        assert page.evaluate(LOOK) == []
        on_its_sample(page, shared, shown)
        page.evaluate(axe)
        assert page.evaluate(LOOK) == []


def test_a_verdict_is_read_aloud_and_its_picture_says_it(shared, new_page) -> None:
    page = new_page(viewport={"width": 1280, "height": 720})
    on_its_sample(page, shared, page_named("segmentation"))
    expect(page.locator(".st-key-frame-top")).to_have_attribute("aria-live", "polite")
    answer = page.locator("[class*='st-key-frame-verdict-'] strong").first.inner_text()
    expect(page.get_by_role("figure", name=f"Segments: {answer}")).to_be_visible()


def test_tab_reaches_every_control_of_the_side(shared, new_page) -> None:
    page = new_page(viewport={"width": 1280, "height": 720})
    on_its_sample(page, shared, page_named("segmentation"))
    reached: set[str] = set()
    page.get_by_role("combobox", name="Dataset", exact=True).focus()
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"))
    for name in ("Application", "Event", "Run", "Threshold", "Defaults", "Continue to Prediction", "Continue to Report"):
        assert any(name in each for each in reached), (name, reached)
