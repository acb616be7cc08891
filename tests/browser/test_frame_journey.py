"""What the frame gives every page, in a real browser: a baseline that a link carries, choices that stay, what is taken away and kept."""

import re
from urllib.parse import parse_qsl, urlsplit

import pytest

from tests.browser.conftest import (
    choose,
    drag_across,
    expect,
    figure,
    figure_of,
    headline,
    in_address,
    keep,
    keyed,
    link,
    open_actions,
    pick,
    settled,
    slide_to,
    tab,
    take,
)

pytestmark = [pytest.mark.browser, pytest.mark.slow]

MUCH = "Request server, MUCH collection"
HRM = "Request server, HRM collection"
SERIES = "Request server and 8 others, every event counted"
HEATMAP, BESIDE = "merge.correlation-0", "merge.correlation-1"
CURVE = "segmentation.segments-0"
PHASES = {"dataset": f"{SERIES} · sample", "application": "sensor_control", "event": "Dr"}


def merged(page, *, beside: str = "Do merged runs match real ones?") -> None:
    """Wait until a merge stands on the page; beside: what the picture after its matrix asks."""
    expect(headline(page).first).to_be_visible()
    settled(page)
    expect(figure(page, HEATMAP)).to_have_count(1)
    expect(figure(page, BESIDE).locator(".gtitle").filter(has_text=beside)).to_have_count(1)


def segmented(page, threshold: str) -> None:
    """Wait until the curve of the run stands on the page at this threshold."""
    expect(page.get_by_test_id("stMetric").filter(has_text="Threshold").get_by_test_id("stMetricValue")).to_have_text(threshold)
    settled(page)
    title = re.compile(rf", threshold {re.escape(threshold)}($|;)")
    expect(figure(page, CURVE).locator(".gtitle").filter(has_text=title)).to_have_count(1)


def screen(page) -> tuple[list[str], list[list[float | None]]]:
    """(headline with changes, values of the matrix)."""
    values = "drawn => drawn.calcdata[0][0].z.map(row => Array.from(row))"
    return headline(page).all_text_contents(), figure(page, HEATMAP).evaluate(values)


def change_of(page, label: str):
    return page.get_by_test_id("stMetric").filter(has_text=label).get_by_test_id("stMetricDelta")


def button(page, name: str):
    return page.get_by_role("button", name=name)


def to_page(page, name: str) -> None:
    page.get_by_test_id("stTopNavLink").filter(has_text=name).click()


def test_a_baseline_shows_what_a_moved_slider_changes_and_goes_with_the_link(shared, new_page):
    page = new_page()
    page.goto(link(shared, "merge", dataset=f"{MUCH} · sample"))
    merged(page)
    expect(page).to_have_title(f"Merge · {MUCH} · HEM Workbench")
    before = screen(page)
    button(page, "Pin as baseline").click()
    expect(page.get_by_text("This is the baseline.")).to_be_visible()
    settled(page)
    assert screen(page) == before

    slide_to(page, "merge.dep_lvl", 0.7)
    moved = page.get_by_text("Compared with the baseline: dep_lvl 0.85 → 0.7")
    expect(moved).to_be_visible()
    merged(page, beside="How are they correlated in the baseline?")
    expect(change_of(page, "HEMs merged")).to_contain_text("3")
    assert figure_of(page, "HEMs merged") == "10 of 14"
    # The baseline's matrix stands beside the new one, over the HEMs of both.
    names = "drawn => drawn._fullLayout.xaxis.ticktext"
    assert figure(page, BESIDE).evaluate(names) == figure(page, HEATMAP).evaluate(names)
    assert len(figure(page, BESIDE).evaluate(names)) >= 13
    shown, address = screen(page), page.url

    other = new_page()
    other.goto(address)
    expect(other.get_by_text("Compared with the baseline: dep_lvl 0.85 → 0.7")).to_be_visible()
    merged(other, beside="How are they correlated in the baseline?")
    assert screen(other) == shown

    button(other, "Swap").click()
    expect(other.get_by_text("Compared with the baseline: dep_lvl 0.7 → 0.85")).to_be_visible()
    merged(other, beside="How are they correlated in the baseline?")
    assert figure_of(other, "HEMs merged") == "13 of 14"
    expect(keyed(other, "merge.dep_lvl").locator("input[type='range']")).to_have_value("0.85")
    button(other, "Back to baseline").click()
    expect(other.get_by_text("This is the baseline.")).to_be_visible()
    expect(keyed(other, "merge.dep_lvl").locator("input[type='range']")).to_have_value("0.7")
    button(other, "Remove").click()
    expect(other.get_by_text("This is the baseline.")).to_have_count(0)
    in_address(other, merge__pin=None, merge__dep_lvl="0.7")
    merged(other)
    assert figure_of(other, "HEMs merged") == "10 of 14"


def test_undo_takes_a_choice_back_and_the_browsers_back_a_pin(shared, new_page):
    page = new_page()
    page.goto(link(shared, "segmentation", **PHASES, threshold=8))
    segmented(page, "8")
    expect(page).to_have_title(f"Segmentation · {SERIES} · HEM Workbench")
    expect(button(page, "Undo")).to_be_disabled()
    shown = headline(page).all_text_contents()
    choose(page, "Event", "Bcm")
    expect(headline(page)).not_to_have_text(shown)
    settled(page)
    button(page, "Undo").click()
    expect(page.get_by_role("combobox", name="Event", exact=True)).to_have_value("Dr")
    segmented(page, "8")
    in_address(page, segmentation__event="Dr", segmentation__threshold="8")
    expect(headline(page)).to_have_text(shown)
    expect(button(page, "Undo")).to_be_disabled()

    button(page, "Pin as baseline").click()
    expect(page.get_by_text("This is the baseline.")).to_be_visible()
    settled(page)
    page.go_back()
    expect(page.get_by_text("This is the baseline.")).to_have_count(0)
    segmented(page, "8")
    in_address(page, segmentation__pin=None, segmentation__event="Dr", segmentation__threshold="8")
    expect(headline(page)).to_have_text(shown)
    page.go_forward()
    expect(page.get_by_text("This is the baseline.")).to_be_visible()


def test_pages_keep_their_choices_and_a_link_with_others_wins(shared, new_page):
    page = new_page()
    page.goto(link(shared, "merge", dataset=f"{HRM} · sample"))
    expect(page.get_by_role("radio", name="HRM", exact=True)).to_be_checked()
    merged(page)
    keyed(page, "merge.family").get_by_text("MUCH", exact=True).click()
    # Not every pair of this collection was read together.
    page.get_by_text("More", exact=True).click()
    keyed(page, "merge.unmeasured").get_by_text("complete", exact=True).click()
    merged(page)
    slide_to(page, "merge.dep_lvl", 0.8)
    merged(page)
    merge = headline(page).all_text_contents()

    to_page(page, "Segmentation")
    button(page, SERIES).click()
    segmented(page, "2")
    slide_to(page, "segmentation.threshold", 5)
    segmented(page, "5")
    phases = headline(page).all_text_contents()

    to_page(page, "Merge")
    merged(page)
    expect(headline(page)).to_have_text(merge)
    expect(page.get_by_role("combobox", name="Dataset", exact=True)).to_have_value(f"{HRM} · sample")
    expect(page.get_by_role("radio", name="MUCH", exact=True)).to_be_checked()
    expect(keyed(page, "merge.dep_lvl").locator("input[type='range']")).to_have_value("0.8")
    in_address(page, merge__dataset=f"{HRM} · sample", merge__family="MUCH", merge__dep_lvl="0.8")
    address = page.url
    to_page(page, "Segmentation")
    segmented(page, "5")
    expect(headline(page)).to_have_text(phases)
    in_address(page, segmentation__threshold="5", segmentation__event="Dr")

    # Home's links say what they open; the session that they are followed in has other choices.
    to_page(page, "Home")
    page.get_by_role("link", name=f"Open Segmentation on “{SERIES}”").click()
    segmented(page, "2")
    in_address(page, segmentation__event="Dr", segmentation__threshold=None)  # it stands where it would by itself
    to_page(page, "Home")
    page.get_by_role("link", name=f"Open Merge on “{MUCH}”").click()
    expect(page.get_by_role("combobox", name="Dataset", exact=True)).to_have_value(f"{MUCH} · sample")
    merged(page)
    in_address(page, merge__dataset=f"{MUCH} · sample")

    other = new_page()
    other.goto(address)
    merged(other)
    expect(headline(other)).to_have_text(merge)


def test_what_was_just_added_is_in_view(server, new_page):
    """The button is below a preview, the dataset's name was above the window."""
    page = new_page(viewport={"width": 1280, "height": 720})
    page.goto(f"{server.url}/data")
    for file in range(3):  # a list of some length above it
        events = ",".join(f"E{event}" for event in range(24))
        rows = "".join(f"{row},a note,{','.join(str(7 * row * event % 31 + file) for event in range(24))}\n" for row in range(1, 40))
        pick(page, {"name": f"wide {file}.csv", "mimeType": "text/csv", "buffer": f"time,note,{events}\n{rows}".encode()})
        expect(page.get_by_role("button", name="Add to your data")).to_be_enabled()
        keep(page)
        expect(page.get_by_text(f"Added to your data: wide {file}.csv")).to_be_visible()
        settled(page)
        name = page.get_by_role("heading", name=f"wide {file}.csv")
        expect(name).to_be_in_viewport(ratio=1)
        page.wait_for_timeout(1_000)
        assert name.bounding_box()["y"] > 52, "below the navigation"


def test_a_zoom_stays_while_a_slider_moves(shared, new_page):
    page = new_page()
    page.goto(link(shared, "segmentation", **PHASES))
    segmented(page, "2")
    drag_across(page, figure(page, CURVE))
    across = "drawn => drawn._fullLayout.xaxis.range.map(end => Math.round(end))"
    page.wait_for_function("() => !document.querySelector('.st-key-segmentation-segments-0 .js-plotly-plot')._fullLayout.xaxis.autorange")
    zoomed = figure(page, CURVE).evaluate(across)
    assert 0 < zoomed[0] < zoomed[1] < 400
    slide_to(page, "segmentation.threshold", 7)
    segmented(page, "7")
    assert figure(page, CURVE).evaluate(across) == zoomed


def test_the_picture_follows_the_thumb_before_the_server_is_asked(shared, new_page):
    page = new_page()
    page.goto(link(shared, "segmentation", **PHASES))
    segmented(page, "2")
    levels = "drawn => drawn.calcdata.find(each => each[0].trace.meta === 'means').filter(each => each.x !== undefined).length"
    before = figure(page, CURVE).evaluate(levels)
    thumb = keyed(page, "segmentation.threshold").get_by_role("slider")
    handle = thumb.bounding_box()
    page.mouse.move(handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2)
    page.mouse.down()
    page.mouse.move(handle["x"] + handle["width"] / 2 + 120, handle["y"] + handle["height"] / 2, steps=10)
    # The mouse is held: nothing has been asked of the server.
    expect(figure(page, CURVE).locator(".gtitle").filter(has_text=re.compile(r", threshold (?!2$)"))).to_have_count(1)
    page.wait_for_timeout(500)
    held, words = figure(page, CURVE).evaluate(levels), figure(page, CURVE).locator(".gtitle").text_content()
    assert held < before
    assert figure_of(page, "Threshold") == "2"
    page.mouse.up()
    expect(page.get_by_test_id("stMetric").filter(has_text="Threshold").get_by_test_id("stMetricValue")).not_to_have_text("2")
    settled(page)
    assert figure(page, CURVE).evaluate(levels) == held
    assert figure(page, CURVE).locator(".gtitle").text_content() == words


def test_a_picture_can_be_the_whole_screen(shared, new_page):
    page = new_page()
    page.goto(link(shared, "segmentation", **PHASES))
    segmented(page, "2")
    picture = keyed(page, CURVE).locator(".hem-picture")
    small = picture.bounding_box()
    picture.hover()
    button(page, "Show this picture full screen").click()
    page.wait_for_function("() => document.querySelector('.hem-picture-whole .js-plotly-plot')._fullLayout.height > 800")
    assert picture.bounding_box() == {"x": 0, "y": 0, "width": 1480, "height": 900}
    page.keyboard.press("Escape")
    expect(page.locator(".hem-picture-whole")).to_have_count(0)
    page.wait_for_function("() => document.querySelector('.hem-picture .js-plotly-plot')._fullLayout.height < 600")
    assert picture.bounding_box() == small


def test_the_picture_of_the_open_tab_is_what_is_downloaded(shared, new_page):
    page = new_page()
    page.goto(link(shared, "segmentation", **PHASES, threshold=7))
    segmented(page, "7")
    tab(page, "Threshold path")
    expect(figure(page, "segmentation.path-0")).to_be_visible()
    expect(figure(page, CURVE)).to_have_count(0)
    settled(page)
    in_address(page, segmentation__view="Threshold path", segmentation__threshold="7")
    open_actions(page, "Download")
    expect(page.get_by_text("Picture of the open tab: Threshold path")).to_be_visible()
    for kind, begins in (("PNG", b"\x89PNG\r\n\x1a\n"), ("SVG", b"<svg")):
        name, content = take(page, kind)
        assert name == f"Request-server-and-8-others-every-event-counted_segmentation_sensor_control_Dr_threshold-7_path.{kind.lower()}"
        assert content.startswith(begins)
    assert b"What does each threshold find in run 1?" in content
    copied, shown = page.get_by_test_id("stCode").first.inner_text().strip(), page.url
    assert (urlsplit(copied)[:3], parse_qsl(urlsplit(copied).query)) == (urlsplit(shown)[:3], parse_qsl(urlsplit(shown).query))


def test_a_kept_merge_is_on_the_data_page_after_a_restart_with_where_it_comes_from(server, new_page):
    page = new_page()
    page.goto(link(server, "merge", dataset=f"{MUCH} · sample", dep_lvl=0.7))
    merged(page)
    open_actions(page, "Keep")
    page.get_by_role("textbox", name="Name").fill("Kept at 0.7")
    page.keyboard.press("Tab")
    settled(page)
    button(page, "Save to your data").click()
    expect(page.get_by_text("Saved: Kept at 0.7")).to_be_visible()
    (kept,) = server.stored()

    server.kill()
    server.start()
    page = new_page()
    page.goto(link(server, "data", opened=kept[:16], view="Origin"))
    expect(page.get_by_role("heading", name="Kept at 0.7", exact=True)).to_be_visible()
    expect(page).to_have_title("Data · Kept at 0.7 · HEM Workbench")
    expect(page.get_by_text("Kept: merged runs by MUCH merge, from")).to_be_visible()
    expect(page.get_by_text("1 program, 1,000 phases").first).to_be_attached()
    settled(page)
    button(page, MUCH).click()
    expect(page.get_by_role("heading", name=MUCH, exact=True)).to_be_visible()
