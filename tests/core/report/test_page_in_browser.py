"""The page in a browser with the network off: alive, quiet, light and dark, on a telephone, a screen and paper."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hemcore.charts.look import figure
from hemcore.report import Report, ReportItem, render_html
from hemcore.report.figures import drawn
from hemcore.report.plain_text import in_script
from tests.core.report.conftest import HOSTILE, hrm, segmentation, table_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]
CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
WIDTHS = (420, 1100, 1480, 1920)


@pytest.fixture(scope="module")
def chromium() -> Iterator[object]:
    """Chromium. Skips where it or playwright is not installed."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install -r requirements-dev.txt")
    if not Path(CHROMIUM).exists():
        pytest.skip("chromium is not installed: apt-get install chromium")
    with api.sync_playwright() as playwright:
        launched = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        )
        yield launched
        launched.close()


@pytest.fixture(scope="module")
def file(tmp_path_factory) -> Path:
    """Pictures of both analyses, one item that fails, and words that nobody should be able to smuggle in."""
    series = [ReportItem(question=segmentation(), baseline=segmentation(threshold=24.0), picture=each) for each in ("segments", "all_runs")]
    hostile = [ReportItem(question=hrm(), title=words, note=words, dataset_name=words, picture="correlation") for words in HOSTILE]
    tables = [ReportItem(question=hrm(), picture="pairs"), ReportItem(question=hrm(), picture="table")]
    gone = [ReportItem(question=hrm("sample-gone"), title="Gone", picture="pairs")]
    names = ("<script>alert(1)</script>", "</script><img src=x onerror=alert(1)>", "W" * 200)
    made_up = table_of(names)

    def load(dataset: str):
        from hemcore.datasets import load

        return made_up(dataset) if dataset == "made-up" else load(dataset)

    path = tmp_path_factory.mktemp("report") / "report.html"
    report = Report(title=HOSTILE[0], intro="\n".join(HOSTILE), items=(*series, *tables, *hostile, *gone))
    path.write_bytes(render_html(report, table_of=load))
    return path


@pytest.fixture
def opened(chromium, file) -> Iterator[Callable[..., object]]:
    """Opens the page; afterwards no error, no warning, no dialog and no request but for the file itself may have been seen."""
    seen: list[str] = []
    contexts = []

    def open(width: int = 1100, scheme: str = "light") -> object:
        context = chromium.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, offline=True)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: seen.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: seen.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (seen.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("request", lambda request: seen.append(f"request: {request.url}") if request.url != file.as_uri() else None)
        page.goto(file.as_uri())
        page.wait_for_selector("html[data-drawn='all']", timeout=60_000)
        return page

    yield open
    for context in contexts:
        context.close()
    assert seen == []


def ink(page) -> set[str]:
    """The colours of the ticks' words, over all pictures."""
    return set(page.eval_on_selector_all(".picture .xtick text", "texts => texts.map(each => getComputedStyle(each).fill)"))


def test_every_picture_is_drawn_and_answers_the_pointer(opened):
    page = opened()
    pictures = page.locator(".picture")
    assert pictures.count() == 2 + 1 + 2 * len(HOSTILE)
    assert page.locator(".picture.js-plotly-plot:has(.main-svg .subplot)").count() == pictures.count()
    first = pictures.first
    first.scroll_into_view_if_needed()
    box = first.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 3, box["y"] + box["height"] / 2)
    page.wait_for_selector(".picture .hoverlayer .hovertext", timeout=10_000)


def test_zoom_stays_on_the_other_ground(opened):
    page = opened()
    ranges = "document.querySelector('.picture')._fullLayout.xaxis.range.map(Number)"
    whole = page.evaluate(ranges)
    page.evaluate("Plotly.relayout(document.querySelector('.picture'), {'xaxis.range': [100, 200]})")
    page.locator("#ground").click()
    page.wait_for_selector("html[data-drawn='all']")
    assert page.evaluate(ranges) == [100, 200] != whole


def test_the_ground_follows_the_system_and_the_button(opened):
    ground = "getComputedStyle(document.body).backgroundColor"
    light, dark = opened(), opened(scheme="dark")
    assert light.evaluate(ground) == "rgb(255, 255, 255)"
    assert dark.evaluate(ground) == "rgb(16, 22, 28)"
    inks = ink(light), ink(dark)
    assert not inks[0] & inks[1]
    light.locator("#ground").click()
    light.wait_for_selector("html[data-drawn='all']")
    assert (light.evaluate(ground), ink(light)) == ("rgb(16, 22, 28)", inks[1])
    assert light.locator("#ground").inner_text() == "Light"
    light.locator("#ground").click()
    light.wait_for_selector("html[data-drawn='all']")
    assert (light.evaluate(ground), ink(light)) == ("rgb(255, 255, 255)", inks[0])


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_wider_than_the_screen(opened, width):
    page = opened(width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.eval_on_selector_all(".picture", "all => Math.max(...all.map(each => each.getBoundingClientRect().right))") <= width


def test_hostile_words_are_shown_as_they_are(opened):
    page = opened()
    assert page.locator("h1").inner_text() == HOSTILE[0]
    assert page.title() == HOSTILE[0]
    assert page.locator("img[src='x'], [onerror], [onload]").count() == 0
    assert "<script>…/script>" in page.locator(".picture").nth(3).locator(".ytick, .xtick").all_text_contents()


def test_the_way_it_was_made_is_at_the_end_and_unfolds(opened):
    page = opened()
    page.locator("#item-1").get_by_role("link", name="How it was made").click()
    made = page.locator("#made-1")
    code = made.locator("pre")
    assert not code.is_visible()
    made.get_by_text("Python that computes it").click()
    assert "table = load('sample-series-ocoe')" in code.inner_text()


def test_the_font_of_the_page_and_its_pictures_is_its_own(opened):
    page = opened()
    assert page.evaluate("[...document.fonts].map((each) => [each.family, each.status])") == [["Source Sans", "loaded"]]
    assert "Source Sans" in page.eval_on_selector(".picture .xtick text", "each => getComputedStyle(each).fontFamily")


def test_on_paper_each_item_fits_one_page_of_both_sizes(opened):
    page = opened(1480)
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    # Inside the margins: the width of A4, the height of Letter; chromium lays out print as a screen of that width.
    page.set_viewport_size({"width": 703, "height": 950})
    sizes = page.eval_on_selector_all(
        ".item",
        """items => items.map((each) => {
            const right = [...each.querySelectorAll("table, .picture svg")].map((part) => part.getBoundingClientRect().right);
            return [each.getBoundingClientRect().height, Math.max(0, ...right)];
        })""",
    )
    assert len(sizes) == page.locator(".item").count() > 10
    assert max(height for height, _ in sizes) <= 950
    assert max(right for _, right in sizes) <= 703


def test_a_legend_of_several_lines_does_not_cover_the_axis_on_paper(chromium, tmp_path):
    """Two pictures side by side are narrow, so legends wrap there."""
    traces = [{"type": "scatter", "x": [0, 1], "y": [0, n], "name": f"a rather long name {n}"} for n in range(8)]
    wide = figure(traces, title="Which?", height=900, legend=True, sides=(60, 48), xaxis={})
    page = render_html(Report(items=(ReportItem(question=hrm(), picture="correlation"),)), table_of=table_of()).decode()
    name = '<script type="application/json" id="picture-1-1-drawn">'
    before, _, after = page.partition(name)
    file = tmp_path / "a.html"
    file.write_text(f"{before}{name}{in_script(json.dumps(drawn(wide)))}{after[after.index('</script>') :]}", encoding="utf-8")
    shown = chromium.new_page()
    shown.goto(file.as_uri())
    shown.wait_for_selector("html[data-drawn='all']")
    shown.evaluate("dispatchEvent(new Event('beforeprint'))")
    shown.emulate_media(media="print")
    legend, tick = (shown.locator(f"#picture-1-1 {part}").first.bounding_box() for part in (".legend", ".xtick text"))
    assert shown.locator(".item.beside").count() == 1
    assert legend["height"] > 30
    assert legend["y"] >= tick["y"] + tick["height"] - 1
    shown.close()


def test_on_paper_it_is_light_complete_and_left_as_it_was(opened):
    page = opened(1480, "dark")
    seen = """() => {
        const words = [...document.querySelectorAll('.picture .xtick text')];
        return {
            inks: [...new Set(words.map(each => getComputedStyle(each).fill))],
            widths: [...document.querySelectorAll('.picture')].map(each => each._fullLayout.width * each.style.zoom),
            heights: [...document.querySelectorAll('.picture')].map(each => each.style.height),
            closed: document.querySelectorAll('details:not([open])').length,
        };
    }"""
    before = page.evaluate(seen)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    printing = page.evaluate(seen)
    assert not set(printing["inks"]) & set(before["inks"])
    assert all(width <= 700 for width in printing["widths"])
    assert printing["closed"] == 0
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.wait_for_selector("html[data-drawn='all']")
    assert page.evaluate(seen) == before
    paper = page.pdf(prefer_css_page_size=True)
    assert paper.startswith(b"%PDF")
    # A page of contents, each item on a page of its own, and what was done.
    assert paper.count(b"/Type /Page\n") >= 2 + page.locator(".item").count()
