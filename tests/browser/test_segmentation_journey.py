"""The analyst's journey over phases: a series in, its change points at a threshold one can move, passed on as a link, taken away."""

import io
import json
import re
import statistics

import numpy as np
import pandas as pd
import pytest

from hemcore.web.pages import PAGES
from tests.browser.conftest import (
    EVIL,
    choose,
    expect,
    figure,
    figure_of,
    heading,
    headline,
    in_address,
    keep,
    keyed,
    open_actions,
    pick,
    settled,
    tab,
    take,
)
from tests.browser.conftest import link as page_link

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SAMPLE = "Request server and 8 others, every event counted"
TABS = ("Segments", "Threshold path", "All runs", "All events", "Other searches")
# What `perf stat -e task-clock,page-faults,context-switches -I 100 -x, -o FILE` of Linux 6.1 wrote about a program that sleeps and then
# touches fresh pages: from 1.2 s to 2.1 s of its run, the change between 1.512 s and 1.613 s.
PERF_STAT = """\
     1.207556226,0.19,msec,task-clock,190635,100.00,0.002,CPUs utilized
     1.207556226,0,,page-faults,190635,100.00,0.000,/sec
     1.207556226,5,,context-switches,190635,100.00,26.228,K/sec
     1.307776062,0.20,msec,task-clock,196694,100.00,0.002,CPUs utilized
     1.307776062,0,,page-faults,196694,100.00,0.000,/sec
     1.307776062,5,,context-switches,196694,100.00,25.420,K/sec
     1.411779853,0.17,msec,task-clock,172467,100.00,0.002,CPUs utilized
     1.411779853,0,,page-faults,172467,100.00,0.000,/sec
     1.411779853,5,,context-switches,172467,100.00,28.991,K/sec
     1.512009394,0.17,msec,task-clock,169615,100.00,0.002,CPUs utilized
     1.512009394,0,,page-faults,169615,100.00,0.000,/sec
     1.512009394,5,,context-switches,169615,100.00,29.479,K/sec
     1.613283724,11.27,msec,task-clock,11273606,100.00,0.113,CPUs utilized
     1.613283724,1600,,page-faults,11273606,100.00,141.924,K/sec
     1.613283724,10,,context-switches,11273606,100.00,887.028,/sec
     1.713495558,27.35,msec,task-clock,27349684,100.00,0.273,CPUs utilized
     1.713495558,5600,,page-faults,27349684,100.00,204.756,K/sec
     1.713495558,24,,context-switches,27349684,100.00,877.524,/sec
     1.813731299,23.69,msec,task-clock,23689436,100.00,0.237,CPUs utilized
     1.813731299,4400,,page-faults,23689436,100.00,185.737,K/sec
     1.813731299,19,,context-switches,23689436,100.00,802.045,/sec
     1.913985697,17.12,msec,task-clock,17120577,100.00,0.171,CPUs utilized
     1.913985697,3121,,page-faults,17120577,100.00,182.295,K/sec
     1.913985697,13,,context-switches,17120577,100.00,759.320,/sec
     2.014215328,9.58,msec,task-clock,9578196,100.00,0.096,CPUs utilized
     2.014215328,2479,,page-faults,9578196,100.00,258.817,K/sec
     2.014215328,10,,context-switches,9578196,100.00,1.044,K/sec
     2.115529317,19.67,msec,task-clock,19671589,100.00,0.197,CPUs utilized
     2.115529317,5600,,page-faults,19671589,100.00,284.675,K/sec
     2.115529317,17,,context-switches,19671589,100.00,864.190,/sec
"""
PERF_EVENTS = ("task-clock", "page-faults", "context-switches")
QUIET = 4  # intervals of PERF_STAT before the change
INTERVAL_S = 0.1002
ROW_PX = 31
CURVE = "segmentation.segments-0"


def perf_stat_upload() -> tuple[dict, float]:
    """(a file to pick, the second of its change): PERF_STAT with its quiet intervals five times before it and its busy ones after it."""
    rows = [line.split(",", 1)[1] for line in PERF_STAT.splitlines()]
    intervals = [rows[first : first + len(PERF_EVENTS)] for first in range(0, len(rows), len(PERF_EVENTS))]
    quiet, busy = intervals[:QUIET], intervals[QUIET + 1 :]
    lines = ["# started on Sat Nov 21 07:36:31 2026", ""]
    for number, rows in enumerate([*quiet * 5, *intervals, *busy * 5], 1):
        lines += [f"{number * INTERVAL_S:16.9f},{row}" for row in rows]
    file = {"name": "fresh_pages.csv", "mimeType": "text/csv", "buffer": "\n".join([*lines, ""]).encode()}
    return file, 6 * QUIET * INTERVAL_S


def link(server, **rest: object) -> str:
    """The address of the sample's series in which every stage shows."""
    return page_link(server, "segmentation", **{"dataset": f"{SAMPLE} · sample", "application": "sensor_control", "event": "Dr", **rest})


def segmented(page) -> None:
    """Wait until a segmentation stands on the page: the headline, and the pictures of the open tab and of the slider."""
    expect(headline(page).first).to_be_visible()
    settled(page)
    expect(page.get_by_role("img", name="Change points at each threshold").or_(page.get_by_test_id("stImage")).first).to_be_visible()


def curve(page, event: str = "Dr") -> None:
    """Wait until the curve of `event` is the one that is drawn, at the threshold of the headline."""
    segmented(page)
    # The headline may still be of the event before.
    expect(figure(page, CURVE).locator(".gtitle")).to_have_text(re.compile(rf"{re.escape(event)}, threshold "))
    segmented(page)
    title = re.compile(rf"{re.escape(event)}, threshold {re.escape(figure_of(page, 'Threshold'))}$")
    expect(figure(page, CURVE).locator(".gtitle")).to_have_text(title)
    expect(figure(page, CURVE)).to_have_count(1)


def opened(page, address: str) -> None:
    page.goto(address)
    expect(heading(page, "Segmentation")).to_be_visible()
    curve(page)


def drawn_segments(page) -> list[list[float]]:
    """[start, stop] of each segment's mean in the curve, in units of its x-axis."""
    return figure(page, CURVE).evaluate(
        """drawn => {
            const {x} = drawn._fullData.find(trace => trace.name === "mean of the segment");
            return Array.from({length: Math.floor(x.length / 3)}, (_, place) => [x[3 * place], x[3 * place + 1]]);
        }"""
    )


def table_cells(page, name: str) -> list[dict[str, str]]:
    """The rows of a table, as far as its columns are on the screen; the grid keeps them for screen readers."""
    grid = page.get_by_role("region", name=name, exact=True).locator("canvas table").first
    expect(grid.locator("tbody tr").first).to_be_attached()
    names = grid.locator("thead th").all_text_contents()
    rows = grid.evaluate("grid => [...grid.tBodies[0].rows].map(row => [...row.cells].map(cell => cell.textContent))")
    return [dict(zip(names, row, strict=True)) for row in rows]


def tick_row(page, name: str, row: int) -> None:
    """Click the box at the left of a table's row; the table is a canvas, so it is found by its place."""
    canvas = page.get_by_role("region", name=name, exact=True).locator("canvas").first
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    page.mouse.click(box["x"] + ROW_PX / 2, box["y"] + ROW_PX * (row + 1.5))


def slider(page):
    return keyed(page, "segmentation.threshold").locator("input[type='range']")


def stands_at(page) -> str:
    """Where the slider stands, as a screen reader says it."""
    return slider(page).get_attribute("aria-valuetext")


def slide(page, to: float) -> None:
    """Move the threshold by keyboard, step by step."""
    slider(page).focus()
    for _ in range(220):
        off = to - float(stands_at(page))
        if abs(off) < 0.001:
            break
        page.keyboard.press("ArrowRight" if off > 0 else "ArrowLeft")
    expect(slider(page)).to_have_attribute("aria-valuetext", f"{to:g}")
    threshold_shown(page, f"{to:g}")


def threshold_shown(page, words: str) -> None:
    expect(page.get_by_test_id("stMetric").filter(has_text="Threshold").get_by_test_id("stMetricValue")).to_have_text(words)
    segmented(page)


def same_screen(page, address: str, figures: list[str], segments: list[list[float]]) -> None:
    """`page` opens `address` and shows these headline figures and segments."""
    opened(page, address)
    expect(headline(page)).to_have_text(figures)
    assert drawn_segments(page) == segments


def bound(page, key: str, value: int) -> None:
    """Move a slider of whole numbers from 0 to 100 to `value`."""
    handle = keyed(page, f"segmentation.{key}").locator("input[type='range']")
    handle.focus()
    start = "Home" if value < 50 else "End"
    page.keyboard.press(start)
    for _ in range(value if start == "Home" else 100 - value):
        page.keyboard.press("ArrowRight" if start == "Home" else "ArrowLeft")
    expect(handle).to_have_attribute("aria-valuetext", str(value))
    settled(page)


def start_seconds(page, run: int) -> list[float]:
    """Where the segments of a run begin, out of the CSV."""
    open_actions(page, "Download")
    segments = pd.read_csv(io.BytesIO(take(page, "CSV")[1]))
    page.keyboard.press("Escape")
    return segments.loc[segments["run"] == run, "start_s"].tolist()


def kept_events(page) -> int:
    """How many events the caption under the profile counts as kept."""
    return int(page.get_by_text(re.compile(r"\d+ of \d+ events have")).inner_text().split()[0])


def test_perf_stat_output_is_segmented_in_seconds_where_its_level_changes(server, new_page):
    page = new_page()
    file, changed = perf_stat_upload()
    page.goto(f"{server.url}/data")
    pick(page, file)
    expect(page.get_by_text("perf stat -x (CSV)").first).to_be_visible()
    keep(page)
    page.get_by_role("link", name="Segment these series").click()
    expect(heading(page, "Segmentation")).to_be_visible()
    # The event that shows the change most clearly, which is not the first, and why.
    curve(page, PERF_EVENTS[1])
    expect(page.get_by_text(f"Opened on {PERF_EVENTS[1]}")).to_be_visible()
    assert page.get_by_role("combobox", name="Dataset", exact=True).input_value().startswith(file["name"])
    page.get_by_role("combobox", name="Event", exact=True).click()
    expect(page.get_by_role("option")).to_have_text(PERF_EVENTS)
    page.keyboard.press("Escape")

    for event in reversed(PERF_EVENTS):
        choose(page, "Event", event)
        curve(page, event)
        slide(page, 30)
        curve(page, event)
        expect(figure(page, CURVE).locator(".xtitle")).to_have_text("time in the run, s")
        segments = drawn_segments(page)
        assert figure_of(page, "Segments") == str(len(segments)) == "2", event
        assert segments[1][0] == pytest.approx(changed, abs=INTERVAL_S + 1e-6), event
        cells = table_cells(page, "Segments")
        assert int(cells[1]["start"]) == round(segments[1][0] / INTERVAL_S), event
        assert start_seconds(page, 1) == pytest.approx([segments[0][0], segments[1][0]], abs=1e-6), event


def test_a_fresh_server_opened_here_first_leads_to_the_true_boundaries_with_one_click(server, new_page):
    page = new_page()
    page.goto(f"{server.url}/segmentation")
    expect(heading(page, "Segmentation")).to_be_visible()
    expect(page.get_by_text("No dataset is chosen yet")).to_be_visible()
    settled(page)
    links = page.get_by_test_id("stTopNavLink")
    for name in (page.title for page in PAGES):
        expect(links.filter(has_text=name)).to_have_count(1)
    expect(page.get_by_text("Page not found")).to_have_count(0)
    expect(page.get_by_role("dialog")).to_have_count(0)

    page.get_by_role("button", name=SAMPLE).click()
    curve(page)
    assert figure_of(page, "True boundaries") == "6 of 6"
    assert figure_of(page, "Segments") == "7"
    assert len(drawn_segments(page)) == len(table_cells(page, "Segments")) == 7
    legend = figure(page, CURVE).locator(".legendtext")
    expect(legend.filter(has_text="true boundaries")).to_have_count(1)


def test_the_address_after_one_click_on_the_sample_opens_the_same_screen_elsewhere(server, new_page):
    page = new_page()
    page.goto(f"{server.url}/segmentation")
    page.get_by_role("button", name=SAMPLE).click()
    curve(page)
    shown = headline(page).all_text_contents(), drawn_segments(page)
    same_screen(new_page(), page.url, *shown)
    page.reload()
    curve(page)
    expect(headline(page)).to_have_text(shown[0])


def test_a_moved_threshold_can_be_passed_on_as_a_link_that_survives_refresh_and_restart(server, new_page):
    page = new_page()
    opened(page, link(server))
    first = headline(page).all_text_contents(), drawn_segments(page)
    optimal = stands_at(page)
    to_optimal = page.get_by_role("button", name=f"Algorithm 1: {optimal}")
    expect(to_optimal).to_be_disabled()

    slide(page, 8)
    curve(page)
    in_address(page, segmentation__threshold="8", segmentation__application="sensor_control", segmentation__event="Dr")
    moved = headline(page).all_text_contents(), drawn_segments(page)
    assert int(figure_of(page, "Segments")) == len(moved[1]) < len(first[1])
    page.set_viewport_size({"width": 1680, "height": 900})  # in narrower windows the note is in the hover
    expect(page.get_by_text(f"Algorithm 1's: {optimal}", exact=True)).to_be_visible()

    address = page.url
    other = new_page()
    same_screen(other, address, *moved)
    expect(slider(other)).to_have_attribute("aria-valuetext", "8")
    page.reload()
    curve(page)
    expect(headline(page)).to_have_text(moved[0])
    assert (page.url, drawn_segments(page)) == (address, moved[1])

    to_optimal.click()
    threshold_shown(page, optimal)
    curve(page)
    expect(headline(page)).to_have_text(first[0])
    assert drawn_segments(page) == first[1]
    same_screen(new_page(), page.url, *first)

    server.kill()
    server.start()
    same_screen(new_page(), address, *moved)


def test_every_slider_move_redraws_the_headline_and_the_curve(server, new_page):
    page = new_page()
    opened(page, link(server))
    page.evaluate(
        """() => {
            window.moves = [];
            let pressed = null;
            const shown = () => ({
                headline: [...document.querySelectorAll("[data-testid='stMetric']")]
                    .find(each => each.textContent.startsWith("Threshold")).querySelector("[data-testid='stMetricValue']").textContent,
                curve: (document.querySelector(".st-key-segmentation-segments-0 .gtitle") || {}).textContent,
            });
            document.addEventListener("keydown", () => { pressed = {at: performance.now(), before: shown()}; }, true);
            // innerText, or looking at each frame, would lay the page out again and be most of what is measured.
            const look = () => {
                if (!pressed) return;
                const now = shown();
                for (const part of ["headline", "curve"])
                    if (pressed && !pressed[part] && now[part] && now[part] !== pressed.before[part])
                        pressed[part] = performance.now() - pressed.at;
                if (pressed && pressed.headline && pressed.curve) {
                    window.moves.push([pressed.headline, pressed.curve]);
                    pressed = null;
                }
            };
            new MutationObserver(look).observe(document.body, {childList: true, subtree: true, characterData: true});
        }"""
    )
    slider(page).focus()
    for move in range(20):
        before = stands_at(page)
        page.keyboard.press("ArrowRight")
        expect(slider(page)).not_to_have_attribute("aria-valuetext", before)
        threshold_shown(page, stands_at(page))
        curve(page)
        page.wait_for_function("moves => window.moves.length === moves", arg=move + 1)
        assert len(drawn_segments(page)) == int(figure_of(page, "Segments"))
    moves = page.evaluate("window.moves")
    for name, times in zip(("headline", "curve"), zip(*moves, strict=True), strict=True):
        print(
            f"slider move to {name}: median {statistics.median(times):.0f} ms, {min(times):.0f} to {max(times):.0f} ms, {len(times)} moves"
        )


def test_a_click_on_the_threshold_path_chooses_its_threshold(server, new_page):
    page = new_page()
    opened(page, link(server))
    before = headline(page).all_text_contents()
    tab(page, "Threshold path")
    segmented(page)
    expect(figure(page, "segmentation.path-0")).to_be_visible()
    points = figure(page, "segmentation.path-0").evaluate(
        """drawn => {
            const trace = drawn.calcdata.findIndex(points => points[0].trace.mode === "markers"), points = drawn.calcdata[trace];
            const {xaxis, yaxis} = drawn._fullLayout, box = drawn.getBoundingClientRect();
            return points.map(each => ({
                pixel: [box.x + xaxis._offset + xaxis.c2p(each.x), box.y + yaxis._offset + yaxis.c2p(each.y)],
                threshold: xaxis.c2d ? xaxis.c2d(each.x) : each.x,
                found: each.y,
            }));
        }"""
    )
    point = next(each for each in points if 2 < each["found"] < 7)
    page.mouse.move(*point["pixel"])
    expect(figure(page, "segmentation.path-0").locator(".hovertext")).to_contain_text("threshold")
    page.mouse.click(*point["pixel"])
    expect(headline(page)).not_to_have_text(before)
    segmented(page)
    assert figure_of(page, "Segments") == str(point["found"] + 1)
    chosen = float(figure_of(page, "Threshold"))
    assert chosen == pytest.approx(point["threshold"], rel=1e-3)
    assert float(stands_at(page)) == pytest.approx(chosen, rel=1e-5)

    shown = headline(page).all_text_contents()
    other = new_page()
    other.goto(page.url)
    segmented(other)
    expect(headline(other)).to_have_text(shown)
    tab(page, "Segments")
    curve(page)
    assert len(drawn_segments(page)) == point["found"] + 1


def test_the_profile_of_all_events_follows_the_bounds_and_its_rows_open_events(server, new_page):
    page = new_page()
    opened(page, link(server))
    tab(page, "All events")
    expect(page.get_by_text(re.compile(r"\d+ of \d+ events have 2 to 20"))).to_be_visible()
    settled(page)
    rows = table_cells(page, "All events")
    assert len(rows) == 13
    found = {row["event"]: float(row["segments (median)"]) - 1 for row in rows}
    assert {row["event"] for row in rows if row["kept"] == "true"} == {event for event, n in found.items() if 2 <= n <= 20}
    assert kept_events(page) == sum(2 <= n <= 20 for n in found.values())

    page.get_by_text("Bounds and search", exact=True).click()
    most = int(sorted(found.values())[len(found) // 2])
    bound(page, "max_change_points", most)
    bound(page, "min_change_points", 0)
    expect(page.get_by_text(re.compile(rf"\d+ of 13 events have 0 to {most} "))).to_be_visible()
    settled(page)
    fewer = kept_events(page)
    assert fewer == sum(n <= most for n in found.values()) < 13
    bound(page, "max_change_points", 100)
    expect(page.get_by_text("13 of 13 events have 0 to 100 ")).to_be_visible()
    in_address(page, segmentation__min_change_points="0", segmentation__max_change_points="100")
    settled(page)

    listed = [row["event"] for row in table_cells(page, "All events")]
    tick_row(page, "All events", listed.index("Dw"))
    expect(page.get_by_role("combobox", name="Event", exact=True)).to_have_value("Dw")
    segmented(page)
    in_address(page, segmentation__event="Dw")
    expect(page.get_by_role("tab", name="Segments")).to_have_attribute("aria-selected", "true")
    curve(page, "Dw")


def test_what_is_taken_away_is_what_is_on_the_screen(server, new_page):
    page = new_page()
    opened(page, link(server, threshold=8))
    shown = drawn_segments(page)
    assert figure_of(page, "Threshold") == "8"
    open_actions(page, "Download")
    taken = {kind: take(page, kind) for kind in ("CSV", "Parquet", "JSON", "PNG", "SVG")}
    for kind, (name, _) in taken.items():
        part = "_segments" if kind in ("PNG", "SVG") else ""
        assert name == f"Request-server-and-8-others-every-event-counted_segmentation_sensor_control_Dr_threshold-8{part}.{kind.lower()}"
    content = {kind: each for kind, (_, each) in taken.items()}
    csv = pd.read_csv(io.BytesIO(content["CSV"]))
    document = json.loads(content["JSON"])
    assert (document["application"], document["event"], document["parameters"]["threshold"]) == ("sensor_control", "Dr", 8)
    assert document["unit"] == csv["unit"].unique().item()
    rows = pd.DataFrame(document["segments"])
    assert len(rows) == len(csv) == len(pd.read_parquet(io.BytesIO(content["Parquet"])))
    np.testing.assert_allclose(rows["mean"], csv["mean"], rtol=1e-12)
    for table in (rows, csv):
        own = table[table["run"] == 1]
        assert len(own) == int(figure_of(page, "Segments"))
        assert own[["start", "stop"]].to_numpy().tolist() == shown
    assert content["PNG"].startswith(b"\x89PNG\r\n\x1a\n")
    assert content["SVG"].startswith((b"<svg", b"<?xml"))
    assert all(words in content["SVG"] for words in (b"sensor_control", b"Dr, threshold 8"))


def test_markup_in_names_is_shown_as_text(server, new_page):
    page, dialogs = new_page(), []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    level = np.repeat([1_000, 9_000, 3_000], 60)
    draw = np.random.default_rng(5)
    counts = pd.DataFrame({name: level + draw.integers(0, 400, len(level)) for name in (EVIL, "=cmd()")})
    counts.insert(0, "time", np.arange(1, len(level) + 1) / 10)
    counts.insert(0, "application", EVIL)
    page.goto(f"{server.url}/data")
    pick(page, {"name": f"{EVIL}.csv", "mimeType": "text/csv", "buffer": counts.to_csv(index=False).encode()})
    keep(page)
    page.get_by_role("link", name="Segment these series").click()
    segmented(page)
    choose(page, "Event", EVIL)
    curve(page, EVIL)
    assert [page.get_by_role("combobox", name=label, exact=True).input_value() for label in ("Application", "Event")] == [EVIL, EVIL]
    for place, words in (("gtitle", EVIL), ("ytitle", "<img src=x o…or=alert(1)>, counts")):  # an axis has room for a short name
        expect(figure(page, CURVE).locator(f".{place}")).to_contain_text(words)
    for name in TABS:
        tab(page, name)
        segmented(page)
        if name == "All events":
            expect(page.get_by_text(re.compile(r"\d+ of 2 events have"))).to_be_visible()
            settled(page)
    open_actions(page, "Download")
    expect(page.get_by_test_id("stCode").filter(has_text="onerror").last).to_be_visible()
    page.goto(link(server, dataset=EVIL))
    expect(page.get_by_role("alert").first).to_contain_text("onerror")
    settled(page)
    expect(page.locator("img[src='x']")).to_have_count(0)
    assert dialogs == []


def test_every_view_of_the_page_is_drawn(server, new_page):
    page = new_page()
    page.goto(f"{server.url}/segmentation")
    expect(page.get_by_text("No dataset is chosen yet")).to_be_visible()
    settled(page)
    page.get_by_role("button", name=SAMPLE).click()
    curve(page)
    for name in TABS:
        tab(page, name)
        segmented(page)
        if name == "All events":
            expect(page.get_by_text(re.compile(r"\d+ of \d+ events have"))).to_be_visible()
            settled(page)
    for name in ("Threshold path", "All runs", "Segments"):
        tab(page, name)
        slide(page, float(stands_at(page)) + 3)
    page.get_by_text("How it works", exact=True).click()
    settled(page)
