"""From a processor's events to where the cycles go, in a real browser: planned, evaluated, followed over time and by phase, reported."""

import re

import pytest

from tests.browser.conftest import expect, figure, figure_of, heading, headline, link, open_actions, settled, tab, take

pytestmark = [pytest.mark.browser, pytest.mark.slow]

EVENTS = "Synthetic processor, its 45 events · sample"
READINGS = "Synthetic processor, 45 events in 10 subexperiments · sample"
SERIES = "Synthetic processor, a program in four phases · sample"
PHASES = "Synthetic processor, 12 runs in phases · sample"
# How much of a picture the window shows.
SEEN = """drawn => {
  const { top, bottom, height } = drawn.getBoundingClientRect();
  return (Math.min(innerHeight, bottom) - Math.max(0, top)) / height;
}"""
# Whether an entry of the navigation is below the corner with the jobs and keys.
COVERED = """() => {
  const corner = document.querySelector(".st-key-frame-corner").getBoundingClientRect();
  return [...document.querySelectorAll("[data-testid=stToolbar] a, [data-testid=stToolbar] [role=button]")]
    .filter(each => each.checkVisibility() && !each.closest(".st-key-frame-corner"))
    .some(each => each.getBoundingClientRect().right > corner.left && each.getBoundingClientRect().bottom > corner.top);
}"""


def opened(page, server, name: str, **choices: object) -> None:
    page.goto(link(server, name, **choices))
    expect(headline(page).first).to_be_visible()
    settled(page)


def test_a_list_of_events_is_planned_for_its_metrics_with_its_own_counters(shared, new_page) -> None:
    page = new_page(viewport={"width": 1280, "height": 720})
    opened(page, shared, "plan", dataset=EVENTS)
    assert figure(page, "plan.plan-0").evaluate(SEEN) > 0.9  # of 45 rows
    page.get_by_role("button", name="For metrics").click()
    expect(page.get_by_role("combobox", name="Definitions", exact=True)).to_have_value("own set: the synthetic processor (a sample)")
    expect(page.get_by_text("29 metrics need 26 HEMs. Counters and limits are those of the chosen list.")).to_be_visible()
    page.get_by_role("button", name="Plan with these").click()
    expect(page.get_by_text(re.compile(r"subexperiments read every pair inside 29 metrics together with 6 PMCs"))).to_be_visible()
    settled(page)
    assert page.evaluate(COVERED) is False
    tab(page, "Fewer subexperiments")
    expect(figure(page, "plan.widths-0")).to_be_visible()
    other = new_page()
    other.goto(page.url)
    expect(headline(other).first).to_be_visible()
    settled(other)
    expect(other.get_by_text("which is not available")).to_have_count(0)


def test_a_metric_over_time_is_kept_for_segmentation_and_the_tree_goes_into_a_report(server, new_page, tmp_path) -> None:
    page = new_page(viewport={"width": 1280, "height": 720})
    opened(page, server, "metrics", dataset=READINGS)
    expect(page.get_by_text("DRAM bound is the bottleneck")).to_be_visible()
    assert figure_of(page, "Identities that fail") == "0"
    tiles = figure(page, "metrics.tree-0").locator(".bartext")
    expect(tiles.filter(has_text="DRAM")).to_have_count(1)
    open_actions(page, "Add to report")
    page.get_by_role("button", name="Add Top-down", exact=True).click()
    expect(page.get_by_text("item 1.").first).to_be_visible()
    settled(page)

    opened(page, server, "metrics", dataset=SERIES)
    line, stack = (figure(page, f"metrics.course-{number}") for number in (0, 1))
    axes = [each.evaluate("drawn => drawn._fullLayout.xaxis.range") for each in (line, stack)]
    assert axes[0] == axes[1] == [0, 100]
    open_actions(page, "Keep")
    page.get_by_role("button", name="Save to your data").click()
    expect(page.get_by_text("Saved: ")).to_be_visible()
    (kept,) = server.stored()
    opened(page, server, "segmentation", dataset=f"{SERIES.removesuffix(' · sample')}: metrics over time · {kept[:8]}", event="IPC")
    expect(page.get_by_text(re.compile(r"\bIPC\b")).first).to_be_visible()
    opened(page, server, "metrics", dataset=PHASES)
    metrics = figure(page, "metrics.phases-0").evaluate("drawn => drawn.data[0].x")
    assert "DRAM bound" in metrics
    assert "Loads hit or miss L1" not in metrics  # an identity is no number
    page.set_viewport_size({"width": 420, "height": 900})
    settled(page)
    expect(figure(page, "metrics.phases-0").locator(".xtick").nth(30)).to_have_count(0)  # of 52 names, those that fit
    page.set_viewport_size({"width": 1280, "height": 720})

    page.goto(f"{server.url}/report")
    expect(heading(page, "Report")).to_be_visible()
    settled(page)
    name, content = take(page, "Page (HTML)")
    assert name == "Report.html"
    file = tmp_path / name
    file.write_bytes(content)
    offline = new_page(offline=True)
    offline.goto(file.as_uri())
    offline.wait_for_function("() => document.documentElement.dataset.drawn === 'all'")
    expect(offline.locator("#item-1 .bartext").filter(has_text="DRAM")).to_have_count(1)
