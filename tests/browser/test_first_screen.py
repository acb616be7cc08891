"""The first screen of every page on its sample: picture, verdict and figures are there without scrolling, whatever the window."""

import pytest

from hemcore.web import shelf
from hemcore.web.pages import PAGES

from .conftest import expect, figure, keyed, on_its_sample, settled

pytestmark = pytest.mark.browser

SHOWN = [page for page in PAGES if page.start and page.picture]
each_page = pytest.mark.parametrize("shown", SHOWN, ids=lambda page: page.name)
# What a tab shows: a picture, or, of a script or what was removed, no picture but a table or code.
CONTENT = ", ".join(f"[data-testid=stMain] {each}:visible" for each in (".main-svg", "[data-testid=stDataFrame]", "table", "pre"))
MEASURE = """() => {
  const seen = (element) => { const { width, height } = element.getBoundingClientRect(); return width > 60 && height > 60; };
  const picture = [...document.querySelectorAll('.hem-picture')].find(seen)?.getBoundingClientRect();
  const strip = document.querySelector('.st-key-frame-cards')?.getBoundingClientRect();
  const verdict = document.querySelector('[class*=st-key-frame-verdict]')?.getBoundingClientRect();
  const axis = document.querySelector('.hem-picture .g-xtitle')?.getBoundingClientRect();
  const texts = document.querySelectorAll('.st-key-frame-cards :is([data-testid=stMetricValue], [data-testid=stMetricLabel]) p');
  const cut = [...texts].filter((each) => each.offsetWidth && each.scrollWidth > each.parentElement.clientWidth + 1)
    .map((each) => each.textContent);
  const table = [...document.querySelectorAll('[data-testid=stMain] :is(table, [data-testid=stDataFrame])')]
    .map((each) => each.getBoundingClientRect()).find(({ width }) => width > 60);
  const within = Math.min(innerHeight, picture?.bottom) - Math.max(0, picture?.top);
  return { top: picture?.top, share: picture ? within / picture.height : 0, strip: strip?.height, cut,
           verdict: verdict?.bottom, band: verdict?.height, axis: axis?.bottom,
           table: table?.top, wide: document.documentElement.scrollWidth - innerWidth };
}"""
WORDS = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const text = walker.currentNode, element = text.parentElement;
    if (!element || element.closest('script, style, noscript, .hem-picture, [role=img], [data-testid*=Icon]')) continue;
    if (element.closest('details:not([open])') && !element.closest('summary')) continue;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const own = element.getBoundingClientRect();
    if (own.width <= 2 || own.height <= 2) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const { left, right, top, bottom } = range.getBoundingClientRect();
    if (right <= left || bottom <= 0 || top >= innerHeight || right <= 0 || left >= innerWidth) continue;
    const hit = document.elementFromPoint((left + right) / 2, Math.min(innerHeight - 1, top + Math.min(8, (bottom - top) / 2)));
    if (!hit || !(element.contains(hit) || (hit.contains(element) && !['BODY', 'SECTION', 'HEADER'].includes(hit.tagName)))) continue;
    found.push(...(text.textContent.match(/[\\p{L}\\p{N}]\\S*/gu) ?? []));
  }
  return found;
}"""


def opened(page, server, shown, width: int, height: int):
    page.set_viewport_size({"width": width, "height": height})
    on_its_sample(page, server, shown)
    return still(page)


def still(page):
    """The page when nothing runs and the picture has its height."""
    settled(page)
    page.wait_for_timeout(600)
    settled(page)
    return page


@each_page
def test_on_a_projector_the_picture_is_there_at_once(shared, new_page, shown) -> None:
    page = opened(new_page(), shared, shown, 1280, 720)
    found, words = page.evaluate(MEASURE), page.evaluate(WORDS)
    assert found["top"] < 280
    assert found["share"] >= 0.9
    assert found["strip"] <= 56
    assert found["band"] <= 40  # one line
    assert found["cut"] == []
    assert found["wide"] <= 0
    assert len(words) <= 110, words


@each_page
def test_on_a_projector_every_tab_shows_its_picture(shared, new_page, shown) -> None:
    page = opened(new_page(), shared, shown, 1280, 720)
    missed = {}
    for tab in page.get_by_role("tab").all_inner_texts():
        page.get_by_role("tab", name=tab, exact=True).click()
        expect(page.locator(CONTENT).first).to_be_visible()
        found = still(page).evaluate(MEASURE)
        if found["top"] is not None and (found["top"] >= 280 or found["share"] < 0.9 or found["wide"] > 0):
            missed[tab] = (round(found["top"]), round(found["share"], 2), found["wide"])
    assert missed == {}


@pytest.mark.parametrize(("width", "height"), [(1480, 950), (1920, 1080)])
@each_page
def test_on_a_desk_the_picture_is_whole_and_what_follows_begins(shared, new_page, shown, width: int, height: int) -> None:
    found = opened(new_page(), shared, shown, width, height).evaluate(MEASURE)
    assert found["share"] == 1
    assert found["strip"] <= 56
    assert found["table"] is None or found["table"] < height - 20


@each_page
def test_on_a_phone_the_picture_follows_the_verdict_and_parameters_open_from_the_side(shared, new_page, shown) -> None:
    page = opened(new_page(), shared, shown, 420, 900)
    found = page.evaluate(MEASURE)
    assert found["wide"] <= 0
    assert found["top"] - found["verdict"] < 130
    expect(page.get_by_test_id("stSidebar")).not_to_be_in_viewport()
    page.get_by_test_id("stExpandSidebarButton").click()
    expect(page.get_by_test_id("stSidebar").get_by_text("Dataset", exact=True)).to_be_in_viewport()


@pytest.mark.parametrize(("name", "slider"), [("merge", "merge.n_runs"), ("segmentation", "segmentation.threshold")])
def test_a_slider_and_its_picture_are_in_one_view(shared, new_page, name: str, slider: str) -> None:
    shown = next(page for page in SHOWN if page.name == name)
    page = opened(new_page(), shared, shown, 1100, 720)
    expect(keyed(page, slider)).to_be_in_viewport(ratio=1)
    assert page.evaluate(MEASURE)["share"] >= 0.9


@pytest.mark.parametrize("family", ["Predict", "Where the cycles go"])
def test_rows_that_do_not_fit_have_their_axis_and_legend_above(shared, new_page, family: str) -> None:
    page = new_page(viewport={"width": 1280, "height": 720})
    entry = shelf.start_entry(next(each for each in SHOWN if each.name == "prediction").start[0])
    page.goto(f"{shared.url}/prediction?prediction.dataset={entry.label}&prediction.family={family}")
    expect(page.locator(".js-plotly-plot .main-svg").first).to_be_visible()
    found = still(page).evaluate(MEASURE)
    assert found["band"] <= 40
    assert found["top"] < 280
    assert found["share"] >= 0.9  # rows stand closer
    assert found["axis"] < 360
    title, legend, rows = (page.locator(f".hem-picture {each}").first.bounding_box() for each in (".g-gtitle", ".legend", ".bglayer"))
    assert title["y"] + title["height"] <= legend["y"] + 1
    assert legend["y"] + legend["height"] <= rows["y"]


@pytest.mark.parametrize(("start", "family"), [(0, "What-if"), (1, "Watts")])
def test_every_question_of_prediction_has_its_verdict_in_one_line(shared, new_page, start: int, family: str) -> None:
    page = new_page(viewport={"width": 1280, "height": 720})
    entry = shelf.start_entry(next(each for each in SHOWN if each.name == "prediction").start[start])
    page.goto(f"{shared.url}/prediction?prediction.dataset={entry.label}&prediction.family={family}")
    expect(page.locator(".js-plotly-plot .main-svg").first).to_be_visible()
    found = still(page).evaluate(MEASURE)
    assert found["band"] <= 40
    assert found["top"] < 280
    assert found["share"] >= 0.9


def test_on_a_phone_many_rows_have_their_axis_and_legend_above(shared, new_page) -> None:
    page = new_page(viewport={"width": 420, "height": 900})
    entry = shelf.start_entry(next(each for each in SHOWN if each.name == "prediction").start[0])
    page.goto(f"{shared.url}/prediction?prediction.dataset={entry.label}&prediction.family=Where the cycles go")
    expect(page.locator(".js-plotly-plot .main-svg").first).to_be_visible()
    still(page)
    legend, axis, rows = (page.locator(f".hem-picture {each}").first.bounding_box() for each in (".legend", ".g-xtitle", ".bglayer"))
    assert legend["y"] + legend["height"] <= axis["y"] + 1
    assert axis["y"] + axis["height"] <= rows["y"]


def test_merge_and_its_baseline_are_on_one_screen(shared, new_page) -> None:
    page = opened(new_page(), shared, next(each for each in SHOWN if each.name == "merge"), 1280, 720)
    page.get_by_role("button", name="Pin as baseline").click()
    expect(page.get_by_text("This is the baseline.")).to_be_visible()
    keyed(page, "merge.family").get_by_text("MUCH", exact=True).click()
    expect(page.get_by_text("How are they correlated in the baseline?")).to_be_visible()
    still(page)
    for number in (0, 1):
        box = figure(page, f"merge.correlation-{number}").bounding_box()
        assert box["y"] + box["height"] <= 720


def test_figures_next_to_a_baseline_that_is_itself_on_the_screen_show_no_notes(shared, new_page) -> None:
    page = opened(new_page(), shared, next(each for each in SHOWN if each.name == "merge"), 1280, 720)
    page.get_by_role("button", name="Pin as baseline").click()
    expect(page.get_by_text("This is the baseline.")).to_be_visible()
    expect(page.get_by_test_id("stMetricDelta").first).to_be_hidden()
    assert still(page).evaluate(MEASURE)["cut"] == []


def test_what_if_sliders_stand_beside_their_picture(shared, new_page) -> None:
    page = new_page(viewport={"width": 1100, "height": 720})
    entry = shelf.start_entry(next(each for each in SHOWN if each.name == "prediction").start[0])
    page.goto(f"{shared.url}/prediction?prediction.dataset={entry.label}&prediction.family=What-if")
    expect(page.locator(".js-plotly-plot .main-svg").first).to_be_visible()
    still(page)
    expect(page.locator("[class*='st-key-prediction-move-']").first).to_be_in_viewport(ratio=1)
    assert page.evaluate(MEASURE)["share"] >= 0.9
