"""The analyst's journey in a real browser: readings in, merged by an anchor HEM and by dep_lvl, passed on as a link, taken away."""

import io
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hemcore.charts.look import short
from hemcore.web.actions.downloads import slug
from hemcore.web.pages import PAGES
from tests.browser.conftest import (
    EVIL,
    choose,
    expect,
    figure,
    figure_of,
    heading,
    headline,
    keep,
    keyed,
    link,
    open_actions,
    options,
    pick,
    settled,
    slide_to,
    tab,
    take,
    upload,
)

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "sample_data" / "subexperiments"
T2080 = ROOT.parent / "shared" / "data" / "t2080"
NAVIGATION = tuple(page.title for page in PAGES)
LEADS = "Merge these subexperiments"
MERGE_TABS = ("Merged correlation", "Pairs", "Anchor ranking", "Margins", "Left out", "Table")
DATA_TABS = ("Columns", "Preview", "Repairs", "Origin")


def much_file() -> Path:
    """The T2080 readings of a MUCH collection; the project's own where they are not at hand."""
    return _first_there(T2080 / "t2080_much_raw.csv", SAMPLES / "much_stacked.csv.gz")


def hrm_file() -> Path:
    return _first_there(T2080 / "t2080_hrm_raw.csv", SAMPLES / "hrm_stacked.csv.gz")


def csv_upload(name: str, columns: list[str]) -> dict:
    """A file of 60 runs to pick; each column is drawn anew around a load that all share."""
    draw = np.random.default_rng(3)
    load = draw.normal(5_000, 400, 60)
    readings = pd.DataFrame({place: (load + draw.normal(0, 400, 60)).round() for place in range(len(columns))})
    readings.columns = columns
    return {"name": name, "mimeType": "text/csv", "buffer": readings.to_csv(index=False).encode()}


def _first_there(*paths: Path) -> Path:
    return next(path for path in paths if path.exists())


def heatmap(page):
    return figure(page, "merge.correlation-0")


def heatmap_hems(page) -> list[str]:
    return heatmap(page).evaluate("drawn => [...new Set(drawn.data.find(trace => trace.customdata).customdata.map(pair => pair[0]))]")


def cell(page, row: int, column: int) -> list[float]:
    """The centre of a heatmap cell, in pixels of the window."""
    return heatmap(page).evaluate(
        """(drawn, [row, column]) => {
            const {xaxis, yaxis} = drawn._fullLayout, box = drawn.getBoundingClientRect();
            return [box.x + xaxis._offset + xaxis.d2p(column), box.y + yaxis._offset + yaxis.d2p(row)];
        }""",
        [row, column],
    )


def to_merge(page, server, files, how: str = "MUCH") -> None:
    """Upload `files` and follow the way to their merge, which opens with the recommended one; then merge by `how`."""
    upload(page, server, files, LEADS)
    expect(heading(page, "Merge subexperiments")).to_be_visible()
    merged(page)
    expect(page.get_by_role("radio", name="Copula", exact=True)).to_be_checked()
    method(page, how)
    merged(page)


def merged(page) -> None:
    """Wait until a merge stands on the page with its heatmap."""
    expect(headline(page).first).to_be_visible()
    settled(page)
    # While a rerun replaces the picture the old one stands beside the new one for a moment.
    expect(heatmap(page)).to_have_count(1)
    expect(heatmap(page)).to_be_visible()


def method(page, name: str) -> None:
    """Choose HRM or MUCH and wait until the form of its parameters is there."""
    keyed(page, "merge.family").get_by_text(name, exact=True).click()
    expect(page.get_by_role("radio", name=name, exact=True)).to_be_checked()
    there, gone = ("merge.anchor_hem", "merge.dep_lvl") if name == "HRM" else ("merge.dep_lvl", "merge.anchor_hem")
    expect(keyed(page, there)).to_be_visible()
    expect(keyed(page, gone)).to_have_count(0)
    settled(page)


def slide(page, to: float) -> None:
    """Move the dep_lvl slider by keyboard, step by step."""
    slide_to(page, "merge.dep_lvl", to)


def same_screen(page, link: str, figures: list[str], hems: list[str]) -> None:
    """`page` opens `link` and shows these headline figures and HEMs."""
    page.goto(link)
    shows(page, figures, hems)


def shows(page, figures: list[str], hems: list[str]) -> None:
    """The page shows these headline figures and HEMs, once its picture is drawn."""
    merged(page)
    expect(headline(page)).to_have_text(figures)
    for _ in range(100):
        if heatmap_hems(page) == hems:
            break
        page.wait_for_timeout(100)
    assert heatmap_hems(page) == hems


@pytest.mark.parametrize(
    ("path", "title"), [("merge", "Merge subexperiments"), ("data", "Data"), ("segmentation", "Segmentation"), ("report", "Report")]
)
def test_a_fresh_server_shows_the_whole_navigation_whatever_is_opened_first(server, new_page, path, title):
    page = new_page()
    page.goto(f"{server.url}/{path}")
    expect(heading(page, title)).to_be_visible()
    settled(page)
    links = page.get_by_test_id("stTopNavLink")
    expect(links).to_have_count(len(NAVIGATION))
    for shown, name in zip(links.all(), NAVIGATION, strict=True):
        expect(shown).to_contain_text(name)
    expect(page.get_by_text("Page not found")).to_have_count(0)
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_test_id("stTopNavLink").filter(has_text="Home").click()
    expect(heading(page, "HEM Workbench")).to_be_visible()


def test_an_upload_merged_by_dep_lvl_can_be_passed_on_as_a_link_that_survives_a_restart(server, new_page):
    page = new_page()
    to_merge(page, server, much_file())
    before, all_hems = figure_of(page, "HEMs merged"), heatmap_hems(page)
    assert len(all_hems) == int(before.split()[0])

    slide(page, 0.5)
    expect(page.get_by_test_id("stMetric").filter(has_text="HEMs merged")).not_to_contain_text(before)
    settled(page)
    fewer = heatmap_hems(page)
    assert len(fewer) == int(figure_of(page, "HEMs merged").split()[0]) < len(all_hems)
    assert set(fewer) < set(all_hems)

    link, figures = page.url, headline(page).all_text_contents()
    other = new_page()
    same_screen(other, link, figures, fewer)
    assert other.get_by_role("combobox", name="Dataset", exact=True).input_value().startswith(much_file().name)
    expect(keyed(other, "merge.dep_lvl").locator("input[type='range']")).to_have_value("0.5")
    expect(other.get_by_role("radio", name="MUCH")).to_be_checked()

    server.kill()
    server.start()
    same_screen(new_page(), link, figures, fewer)


def test_an_upload_merged_by_an_anchor_can_be_passed_on_as_a_link_that_survives_a_restart(server, new_page):
    page = new_page()
    to_merge(page, server, much_file())
    to_merge(page, server, hrm_file(), "HRM")
    assert page.get_by_role("combobox", name="Dataset", exact=True).input_value().startswith(hrm_file().name)
    hrm = page.url, headline(page).all_text_contents(), heatmap_hems(page)

    # Two HEMs are read in every subexperiment of this file: a choice of anchors.
    to_merge(page, server, csv_upload("two_anchors.csv", ["CYCLES", "BRANCHES", "LOADS", "CYCLES", "BRANCHES", "STORES"]), "HRM")
    by_default = headline(page).all_text_contents()
    anchor = page.get_by_role("combobox", name="Anchor HEM", exact=True)
    first = anchor.input_value()
    anchor.click()
    another = next(name for name in page.get_by_role("option").all_inner_texts() if name != first)
    page.keyboard.press("Escape")
    choose(page, "Anchor HEM", another)
    expect(page).to_have_url(re.compile(rf"merge\.anchor_hem={another}"))
    expect(headline(page)).not_to_have_text(by_default)
    settled(page)
    chosen = page.url, headline(page).all_text_contents(), heatmap_hems(page)

    for _ in range(2):
        same_screen(new_page(), *hrm)
        other = new_page()
        same_screen(other, *chosen)
        assert other.get_by_role("combobox", name="Anchor HEM", exact=True).input_value() == another
        expect(other.get_by_role("radio", name="HRM")).to_be_checked()
        server.kill()
        server.start()


def test_two_tabs_that_upload_the_same_file_at_once_make_one_dataset(server, new_page):
    tabs = new_page(), new_page()
    for page in tabs:
        page.goto(f"{server.url}/data")
        pick(page, much_file())
    for page in tabs:
        keep(page)
    for page in tabs:
        expect(page.get_by_role("link", name=LEADS)).to_be_visible()
        settled(page)
    assert len(server.stored()) == 1
    for page in tabs:
        page.get_by_role("link", name=LEADS).click()
        merged(page)
    assert len({page.url for page in tabs}) == 1
    page = tabs[0]
    page.get_by_role("combobox", name="Dataset", exact=True).fill(much_file().name)
    expect(page.get_by_role("option", name=re.compile(re.escape(much_file().name)))).to_have_count(1)


def test_a_refresh_in_the_middle_keeps_the_page(server, new_page):
    page = new_page()
    page.goto(f"{server.url}/data")
    pick(page, much_file())
    page.reload()
    expect(heading(page, "Data")).to_be_visible()
    settled(page)
    assert server.stored() == []

    to_merge(page, server, much_file())
    before = headline(page).all_text_contents()
    slide(page, 0.6)
    expect(headline(page)).not_to_have_text(before)
    settled(page)
    as_read = heatmap_hems(page)
    options(page)
    keyed(page, "merge.order").get_by_text("clustered", exact=True).click()
    expect(page).to_have_url(re.compile(r"merge\.order=clustered"))
    expect(heatmap(page).locator("g.xtick").first).not_to_have_text(as_read[0])
    settled(page)
    shown = page.url, headline(page).all_text_contents(), heatmap_hems(page)
    # The second time while the merge is still being drawn.
    page.reload(wait_until="commit")
    page.reload()
    merged(page)
    shows(page, *shown[1:])
    expect(page).to_have_url(shown[0])
    options(page)
    expect(page.get_by_role("radio", name="clustered")).to_be_checked()


def test_what_is_taken_away_is_what_is_on_the_screen(server, new_page):
    page = new_page()
    to_merge(page, server, much_file())
    runs = int(figure_of(page, "Merged runs").replace(",", ""))
    hems = heatmap_hems(page)
    open_actions(page, "Download")
    by_name = {}
    for kind, part in (("CSV", ""), ("Parquet", ""), ("PNG", "_correlation_1"), ("SVG", "_correlation_1")):
        name, by_name[kind] = take(page, kind)
        assert name == f"{slug(much_file().name)}_much_dep_lvl-0.85{part}.{kind.lower()}"
    csv = pd.read_csv(io.BytesIO(by_name["CSV"]))
    assert len(csv) == runs
    assert list(csv.columns) == [*hems, "computed_by"]
    assert csv.notna().to_numpy().all()
    parquet = pd.read_parquet(io.BytesIO(by_name["Parquet"]))
    np.testing.assert_allclose(parquet[hems].to_numpy(dtype=float), csv[hems].to_numpy(dtype=float), rtol=1e-12)
    assert by_name["PNG"].startswith(b"\x89PNG\r\n\x1a\n")
    assert by_name["SVG"].startswith((b"<svg", b"<?xml"))
    assert hems[0].encode() in by_name["SVG"]


def test_a_click_on_a_cell_of_the_heatmap_sets_the_pair(server, new_page):
    page = new_page()
    to_merge(page, server, much_file())
    hems = heatmap_hems(page)
    boxes = [keyed(page, key).locator("input") for key in ("merge.first_hem", "merge.second_hem")]
    tab(page, "Pairs")
    options(page)
    expect(boxes[0]).to_have_value("worst pair")
    page.keyboard.press("Escape")
    worst = figure(page, "merge.pairs-0").locator(".xtitle, .ytitle").all_text_contents()
    tab(page, "Merged correlation")
    merged(page)
    row, column = next(
        (row, column) for row in range(1, len(hems)) for column in range(row) if not any(hems[row] in title for title in worst)
    )

    centre = cell(page, row, column)
    page.mouse.move(*centre)
    expect(heatmap(page).locator(".hovertext")).to_contain_text(hems[row])
    beside, before = figure(page, "merge.correlation-1"), heatmap(page).bounding_box()
    page.mouse.click(*centre)
    settled(page)
    expect(beside.locator(".xtitle")).to_contain_text(short(hems[row], 36))
    expect(beside.locator(".ytitle")).to_contain_text(short(hems[column], 30))
    assert heatmap(page).bounding_box() == before
    expect(page).to_have_url(re.compile(rf"merge\.first_hem={hems[row]}&merge\.second_hem={hems[column]}"))
    tab(page, "Pairs")
    options(page)
    for box, hem in zip(boxes, (hems[row], hems[column]), strict=True):
        expect(box).to_have_value(hem)
    scatter = figure(page, "merge.pairs-0")
    expect(scatter).to_be_visible()
    expect(scatter.locator(".xtitle")).to_contain_text(hems[row])
    expect(scatter.locator(".ytitle")).to_contain_text(hems[column])


def test_a_heatmap_writes_no_more_than_its_width_has_room_for(server, new_page):
    page = new_page()
    to_merge(page, server, hrm_file(), "HRM")
    hems = heatmap_hems(page)
    digits = heatmap(page).locator(".barlayer text")
    for axis, hem in (("xtick", hems[0]), ("ytick", hems[-1])):
        tick = heatmap(page).locator(f"g.{axis} text").nth(hems.index(hem))
        tick.scroll_into_view_if_needed()
        name = tick.bounding_box()
        page.mouse.move(name["x"] + name["width"] / 2, name["y"] + name["height"] / 2)
        expect(heatmap(page)).to_have_attribute("title", hem)
    for width, written in ((1920, True), (420, False), (1920, True)):
        page.set_viewport_size({"width": width, "height": 1000})
        page.wait_for_function(
            "([key, least, most]) => { const all = [...document.querySelectorAll(key)].filter(each => each.textContent.trim()).length;"
            " return all >= least && all <= most; }",
            arg=[".st-key-merge-correlation-0 .barlayer text", 100 if written else 0, len(hems) ** 2 if written else 0],
        )
        assert (digits.count() > 0) == written


def test_the_tab_and_the_margins_are_in_the_link(server, new_page):
    page = new_page()
    to_merge(page, server, hrm_file(), "HRM")
    tab(page, "Margins")
    settled(page)
    options(page)
    keyed(page, "merge.margin_hems").locator("input").press("Backspace")
    expect(page).to_have_url(re.compile(r"merge\.margin_hems="))
    settled(page)
    chosen = re.findall(r"merge\.margin_hems=([^&]+)", page.url)
    assert len(chosen) == 5
    other = new_page()
    other.goto(page.url)
    expect(other.get_by_role("tab", name="Margins")).to_have_attribute("aria-selected", "true")
    expect(figure(other, "merge.margins-0").locator(".annotation")).to_have_count(5)


def test_markup_in_names_is_shown_as_text(server, new_page):
    page, dialogs = new_page(), []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    page.goto(f"{server.url}/data")
    pick(page, csv_upload(f"{EVIL}.csv", [EVIL, "BRANCHES", EVIL, "=cmd()"]))
    keep(page)
    expect(heading(page, f"{EVIL}.csv")).to_be_visible()
    for name in DATA_TABS:
        tab(page, name)
        settled(page)
    page.get_by_role("link", name=LEADS).click()
    for name in ("MUCH", "HRM"):
        method(page, name)
        if name == "MUCH":
            page.get_by_role("button", name="Complete unmeasured pairs").click()
        merged(page)
        for each in MERGE_TABS:
            tab(page, each)
            settled(page)
        tab(page, "Merged correlation")
        expect(heatmap(page).locator("g.xtick").first).to_have_text("<img src…lert(1)>")  # shortened for the axis
        assert EVIL in heatmap_hems(page)
        page.mouse.move(*cell(page, 0, 1))
        expect(heatmap(page).locator(".hovertext")).to_contain_text(EVIL)
        page.mouse.move(0, 0)
    page.goto(link(server, "merge", dataset=EVIL))
    expect(page.get_by_role("alert").first).to_contain_text("onerror")
    settled(page)
    expect(page.locator("img[src='x']")).to_have_count(0)
    assert dialogs == []
