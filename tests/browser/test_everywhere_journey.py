"""What every page has: Back and Forward, the tab's title, a link with tab and zoom, keys, and the list of jobs."""

import re

import pytest

from hemcore.web.pages import PAGES, page_named

from .conftest import choose, drag_across, expect, figure, in_address, keyed, link, on_its_sample, settled, slide_to, tab

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SERIES = "Request server and 8 others, every event counted"
MUCH, HRM = "Request server, MUCH collection", "Request server, HRM collection"
PHASES = {"dataset": f"{SERIES} · sample", "application": "sensor_control", "event": "Dr"}
CURVE = "segmentation.segments-0"
LINKED = """() => {
  const words = new URLSearchParams(location.search).get("segmentation.zoom").split(" ");
  return words.slice(words.indexOf("x") + 1, words.indexOf("x") + 3).map(Number).map(Math.round);
}"""
RANGE = "drawn => drawn._fullLayout.xaxis.range.map(Math.round)"


def to_page(page, name: str) -> None:
    page.get_by_test_id("stTopNavLink").filter(has_text=name).click()
    expect(page).to_have_title(re.compile(f"^{name} · "))
    settled(page)


def dataset(page):
    return page.get_by_role("combobox", name="Dataset", exact=True)


def steps(page) -> int:
    return page.evaluate("history.length")


def drawn(page) -> None:
    expect(page.locator(".js-plotly-plot .main-svg").first).to_be_visible()
    settled(page)


def zoom_in(page) -> list[int]:
    """Drag over the middle of the curve; returns the range of its x-axis."""
    drag_across(page, figure(page, CURVE))
    page.wait_for_function("() => new URLSearchParams(location.search).has('segmentation.zoom')")
    settled(page)
    return figure(page, CURVE).evaluate(RANGE)


def test_back_and_forward_restore_page_dataset_tab_and_title(shared, new_page) -> None:
    page = new_page()
    page.goto(shared.url)
    expect(page).to_have_title("HEM Workbench")
    settled(page)
    before = steps(page)
    to_page(page, "Segmentation")
    expect(page).to_have_title("Segmentation · HEM Workbench")
    keyed(page, f"segmentation.start-{page_named('segmentation').start[0].sample}").get_by_role("button").click()
    drawn(page)
    slide_to(page, "segmentation.threshold", 3)
    tab(page, "Threshold path")
    in_address(page, segmentation__view="Threshold path", segmentation__threshold="3")
    settled(page)
    shown = page.url
    to_page(page, "Data")
    # Three pages and a dataset; neither the slider nor the tab.
    assert steps(page) == before + 3

    page.go_back()
    expect(page).to_have_title(f"Segmentation · {SERIES} · HEM Workbench")
    drawn(page)
    expect(dataset(page)).to_have_value(f"{SERIES} · sample")
    expect(page.get_by_role("tab", name="Threshold path", exact=True)).to_have_attribute("aria-selected", "true")
    assert page.url == shown
    page.go_back()
    expect(page).to_have_title("Segmentation · HEM Workbench")
    expect(dataset(page)).to_have_value("")
    page.go_back()
    expect(page).to_have_title("HEM Workbench")
    settled(page)
    page.go_forward()
    expect(page).to_have_title("Segmentation · HEM Workbench")
    settled(page)
    page.go_forward()
    expect(page).to_have_title(f"Segmentation · {SERIES} · HEM Workbench")
    drawn(page)
    assert page.url == shown
    page.go_forward()
    expect(page).to_have_title("Data · HEM Workbench")
    assert steps(page) == before + 3
    page.go_back()
    drawn(page)
    page.reload()
    drawn(page)
    expect(page).to_have_title(f"Segmentation · {SERIES} · HEM Workbench")
    assert page.url == shown


def test_another_dataset_in_its_box_is_a_step(shared, new_page) -> None:
    page = new_page()
    page.goto(link(shared, "merge", dataset=f"{MUCH} · sample", dep_lvl=0.8))
    drawn(page)
    before = steps(page)
    choose(page, "Dataset", f"{HRM} · sample")
    expect(page).to_have_title(f"Merge · {HRM} · HEM Workbench")
    drawn(page)
    assert steps(page) == before + 1
    page.go_back()
    expect(page).to_have_title(f"Merge · {MUCH} · HEM Workbench")
    drawn(page)
    expect(dataset(page)).to_have_value(f"{MUCH} · sample")
    expect(keyed(page, "merge.dep_lvl").locator("input[type='range']")).to_have_value("0.8")
    page.go_forward()
    expect(page).to_have_title(f"Merge · {HRM} · HEM Workbench")


def test_a_link_opens_on_its_zoom_until_a_double_click(shared, new_page) -> None:
    page = new_page()
    page.goto(link(shared, "segmentation", **PHASES))
    drawn(page)
    whole, before = figure(page, CURVE).evaluate(RANGE), steps(page)
    zoomed = zoom_in(page)
    assert whole[0] < zoomed[0] < zoomed[1] < whole[1]
    assert steps(page) == before
    address = page.url
    zoomed = page.evaluate(LINKED)  # a link has as many digits as the picture shows: half an interval is rounded another way
    to_page(page, "Data")
    page.go_back()
    drawn(page)
    assert figure(page, CURVE).evaluate(RANGE) == zoomed

    other = new_page()
    other.goto(address)
    drawn(other)
    assert figure(other, CURVE).evaluate(RANGE) == zoomed
    slide_to(other, "segmentation.threshold", 3)
    assert figure(other, CURVE).evaluate(RANGE) == zoomed
    box = figure(other, CURVE).locator(".nsewdrag").first.bounding_box()
    closer = zoom_in(other)
    assert zoomed[0] < closer[0] < closer[1] < zoomed[1]
    for _ in range(2):  # the second zoom begins where no link was
        other.mouse.dblclick(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        in_address(other, segmentation__zoom=None)
        settled(other)
        assert figure(other, CURVE).evaluate(RANGE) == whole
        zoom_in(other)
    # It belongs to what was shown.
    choose(other, "Event", "Bcm")
    in_address(other, segmentation__zoom=None)
    settled(other)
    assert figure(other, CURVE).evaluate(RANGE) == whole


def test_a_question_mark_lists_the_keys_and_escape_closes_what_is_open(shared, new_page) -> None:
    page = new_page(viewport={"width": 1280, "height": 720})
    page.goto(shared.url)
    settled(page)
    listed = page.get_by_test_id("stPopoverBody").filter(has_text="Page Down, Page Up")
    page.wait_for_function("() => window.hemBrowser")
    page.keyboard.press("?")
    expect(listed).to_be_visible()
    page.keyboard.press("Escape")
    expect(listed).to_have_count(0)
    page.get_by_role("button", name="Keys").click()
    expect(listed).to_be_visible()
    page.keyboard.press("Escape")
    expect(listed).to_have_count(0)
    # In a text it is a letter.
    page.goto(link(shared, "segmentation", **PHASES))
    drawn(page)
    page.locator("[data-testid='stPopoverButton']:visible").filter(has_text="Keep").click()
    name = page.get_by_role("textbox", name="Name")
    name.press("End")
    name.press("?")
    expect(name).to_have_value(re.compile(r"\?$"))
    expect(listed).to_have_count(0)


def test_escape_closes_the_sidebar_of_a_narrow_screen_alone(shared, new_page) -> None:
    page = new_page(viewport={"width": 420, "height": 800})
    page.goto(link(shared, "segmentation", **PHASES))
    drawn(page)
    side = page.get_by_test_id("stSidebar")
    expect(side).to_have_attribute("data-collapsed", "true")
    page.get_by_test_id("stExpandSidebarButton").click()
    expect(side).not_to_have_attribute("data-collapsed", "true")
    # The list of a box closes first.
    page.get_by_role("combobox", name="Event", exact=True).click()
    expect(page.get_by_role("listbox")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("listbox")).to_have_count(0)
    expect(side).not_to_have_attribute("data-collapsed", "true")
    page.keyboard.press("Escape")
    expect(side).to_have_attribute("data-collapsed", "true")


def test_nothing_on_any_page_comes_from_another_host(shared, new_page) -> None:
    # `new_page` holds it of requests. A tab's icon is asked for by name, and only where ours has not arrived.
    page = new_page()
    icon = "() => document.querySelector(\"link[rel='shortcut icon']\").href"
    asked = "() => performance.getEntriesByType('resource').map(each => each.name)"
    for path in ("?demo=1", "", *[each.name for each in PAGES if each.name != "home"]):
        page.goto(f"{shared.url}/{path}")
        settled(page)
        here = [page.evaluate(icon), *page.evaluate(asked)]
        assert [each for each in here if not each.startswith((f"{shared.url}/", "data:", "blob:"))] == []
        assert here[0].startswith("data:image/svg+xml")


# What has the focus, and how it and what is around it look.
FOCUSED = """() => {
  const look = (element) => {
    const { outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor, backgroundColor } = getComputedStyle(element);
    return [outlineStyle === "none" ? "" : outlineWidth + outlineColor, boxShadow, borderColor, backgroundColor].join(";");
  };
  const looks = (element) => {
    const found = [...element.querySelectorAll("*")].slice(0, 12);
    for (let each = element, up = 0; each && up < 6; each = each.parentElement, up += 1) found.push(each, ...(up ? each.children : []));
    return found.map(look).join("|");
  };
  const at = document.activeElement;
  if (!at || at === document.body) return null;
  const name = at.getAttribute("aria-label") || at.textContent.trim().slice(0, 40) || at.tagName;
  if (at.tagName === "CANVAS" || at.closest("canvas")) return [name, true]; // a grid draws it
  const focused = looks(at);
  at.blur();
  const plain = looks(at);
  at.focus({ focusVisible: true });
  return [name, focused !== plain];
}"""


@pytest.mark.parametrize("ground", ["light", "dark"])
@pytest.mark.parametrize("shown", PAGES, ids=lambda page: page.name)
def test_what_has_the_focus_is_seen(shared, new_page, shown, ground: str) -> None:
    page = new_page(viewport={"width": 1280, "height": 720}, color_scheme=ground)
    if shown.start:
        on_its_sample(page, shared, shown)
    else:
        page.goto(f"{shared.url}/{'' if shown.name == 'home' else shown.name}")
        settled(page)
    unseen, reached = [], []
    page.evaluate("document.body.focus()")
    for _ in range(60):
        page.keyboard.press("Tab")
        page.wait_for_timeout(60)
        found = page.evaluate(FOCUSED)
        if found is not None:
            reached.append(found[0])
            unseen += [] if found[1] else [found[0]]
    assert unseen == []
    assert any(name.endswith("Keys") or "Keys" in name for name in reached), reached


def test_a_name_that_its_box_cuts_is_there_in_full_on_hover(shared, new_page) -> None:
    page = new_page(viewport={"width": 1280, "height": 720})
    on_its_sample(page, shared, page_named("segmentation"))
    settled(page)
    dataset(page).hover()
    expect(dataset(page)).to_have_attribute("title", dataset(page).input_value())
    event = page.get_by_role("combobox", name="Event", exact=True)
    event.hover()
    expect(event).to_have_attribute("title", "")


def test_a_job_is_listed_on_every_page_and_cancelled_there(server, new_page) -> None:
    page = new_page()
    on_its_sample(page, server, page_named("multiplexing"))
    jobs = keyed(page, "frame-jobs")
    expect(jobs).to_have_count(0)
    sample = page_named("multiplexing").start[1].sample
    page.goto(f"{server.url}/multiplexing")
    keyed(page, f"multiplexing.start-{sample}").get_by_role("button").click()
    drawn(page)
    page.get_by_text("Train a model on runs").click()
    field = keyed(page, "multiplexing.train-steps").locator("input")
    field.fill("100000")
    field.press("Enter")
    settled(page)
    page.get_by_role("button", name="Train", exact=True).click()
    expect(jobs.get_by_text("1 running")).to_be_visible()
    to_page(page, "Data")
    jobs.get_by_text("1 running").click()
    listed = page.get_by_test_id("stPopoverBody")
    expect(listed.get_by_text(re.compile("^Multiplexing: "))).to_be_visible()
    expect(listed.get_by_text(re.compile("steps 100000"))).to_be_visible()
    expect(listed.get_by_role("progressbar")).to_be_visible()
    listed.get_by_role("button", name="Cancel").click()
    # When nothing runs any more the page is drawn again, once.
    jobs.get_by_text("Jobs", exact=True).click()
    expect(listed.get_by_text(re.compile("cancelled. Start it again"))).to_be_visible()
    listed.get_by_role("link", name="Open").click()
    expect(page).to_have_title(re.compile("^Multiplexing · .* · HEM Workbench$"))
    expect(dataset(page)).not_to_have_value("")
