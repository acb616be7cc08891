"""Every page can be read at every width, on either ground: contrast, nothing cut off, nothing over something else."""

import json
from pathlib import Path

import pytest

from hemcore.analysis import Question
from hemcore.merge import MuchParams
from hemcore.merge.analysis import MUCH
from hemcore.report import ReportItem, ReportShelf
from hemcore.segmentation import SegmentationParams
from hemcore.segmentation.analysis import SEGMENTATION
from tests.browser.conftest import expect, link, settled, tab

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WIDTHS = ((1920, 1080), (1480, 900), (1280, 720), (1100, 800), (420, 900))
DARK_WIDTHS = (1480, 420)
PIN = Question(analysis=MUCH, dataset="sample-subexperiments-much", params=MuchParams(dep_lvl=0.7))
PHASES = SegmentationParams(application="sensor_control", event="Dr", threshold=4.0)
SERIES = "Request server and 8 others, every event counted · sample"
SIGNATURES = "5,000 jobs' signatures (synthetic) · sample"
PROGRAMS = "Request server and 32 others in phases, three loads · sample"
FEW = {"models": ["cost per event", "Ridge"], "granularity": "30000", "most_phases": 500}
# What of a page is looked at: its link's choices, the number of its pictures, and its other tabs. A page's name, and what else it may show.
PAGES = {
    "home": ({}, 2, ()),
    "data": ({"opened": "sample-subexperiments-much"}, 0, ()),
    "plan": (
        {"dataset": "16 HEMs of an NXP T2080 · sample"},
        1,
        ("Pairs together", "Coverage", "Against the bound", "Table", "Script"),
    ),
    "merge": (
        {"dataset": "Request server, MUCH collection · sample", "pin": PIN.link},
        2,
        ("Pairs", "Anchor ranking", "Margins", "Left out", "Table", "Against the truth"),
    ),
    "segmentation": (
        {"dataset": SERIES, "application": "sensor_control", "event": "Dr", "threshold": 4},
        1,
        ("Threshold path", "Several events", "All runs", "All events", "Other searches"),
    ),
    "signatures": (
        {"dataset": SIGNATURES},
        1,
        ("Verdicts", "k-medoids", "Stability", "Thresholds", "Energy", "EAR files"),
    ),
    "multiplexing": (
        {"dataset": "Request server and 8 others, one slot in four counted · sample", "application": "sensor_control"},
        1,
        ("Estimators", "By event", "What if", "Alignment", "Removed"),
    ),
    "prediction": (
        {"dataset": PROGRAMS},
        1,
        ("Loads and sizes", "PCA", "Two counters", "Which phases to measure"),
    ),
    "prediction, Predict": (
        {"dataset": PROGRAMS, "family": "Predict"} | FEW,
        2,
        ("Predicted and measured", "One program", "Granularity", "Shuffled rows", "Settings"),
    ),
    "prediction, Where the cycles go": (
        {"dataset": PROGRAMS, "family": "Where the cycles go", "most_phases": 500},
        1,
        ("Cost of an event",),
    ),
    "prediction, What-if": (
        {"dataset": PROGRAMS, "family": "What-if"} | FEW,
        1,
        ("Models",),
    ),
    "metrics": (
        {"dataset": "Synthetic processor, 45 events in 10 subexperiments · sample"},
        1,
        ("All metrics", "How sure", "What if", "Sums that must agree"),
    ),
    "metrics, over time": ({"dataset": "Synthetic processor, a program in four phases · sample"}, 2, ("All metrics",)),
    "metrics, by phase": ({"dataset": "Synthetic processor, 12 runs in phases · sample"}, 1, ("All metrics",)),
    "compare": (
        {"dataset": "Particle box: arrays, not structs · sample"},
        1,
        ("Relations", "Runs in order", "Contradictions"),
    ),
    "compare, releases": (
        {
            "dataset": "Particle box: larger input · sample",
            "before": "Particle box: before · sample",
            "between": ["Particle box: arrays, not structs · sample", "Particle box: -O1, not -O2 · sample"],
        },
        1,
        ("Releases",),
    ),
    "compare, jobs": ({"dataset": SIGNATURES}, 1, ("Jobs",)),
    "report": ({}, 3, ()),
}
LEGIBLE = Path(__file__).with_name("legible.js").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def with_report(shared):
    """The server, with a report of two items on its shelf."""
    shelf = ReportShelf(shared.data_dir)
    report = shelf.create("What was found")
    for item in (
        ReportItem(question=PIN, picture="correlation", note="A note.", dataset_name="Request server, MUCH collection"),
        ReportItem(question=Question(analysis=SEGMENTATION, dataset="sample-series-ocoe", params=PHASES), picture="segments"),
    ):
        shelf.add(report.id, item)
    return shared


def drawn(page, width: int, n_pictures: int) -> None:
    """Wait until so many pictures, or more, stand on the page as wide as their places, and tables no wider than theirs."""
    page.mouse.move(0, 0)
    settled(page)
    page.wait_for_function(
        """([width, least]) => {
            const pictures = [...document.querySelectorAll(".js-plotly-plot")].filter(each => each.checkVisibility());
            const fit = pictures.every(each => each._fullLayout && Math.abs(each._fullLayout.width - each.clientWidth) < 3);
            // A table takes its new width up to a second after its place.
            const tables = [...document.querySelectorAll("[data-testid='stDataFrame']")].filter(each => each.checkVisibility());
            const inside = tables.every(each => each.clientWidth <= each.parentElement.clientWidth + 1);
            return innerWidth === width && pictures.length >= least && fit && inside;
        }""",
        arg=[width, n_pictures],
    )
    # Layout has come to rest: nothing moves for a moment.
    page.wait_for_function(
        """() => new Promise(done => {
            const texts = () => [...document.querySelectorAll(".js-plotly-plot text")];
            const look = () => texts().map(each => Math.round(each.getBoundingClientRect().x)).join();
            const before = look();
            setTimeout(() => done(before === look()), 200);
        })"""
    )


@pytest.mark.parametrize("ground", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_can_be_read_at_every_width(with_report, new_page, name, ground):
    choices, n_pictures, tabs = PAGES[name]
    page = new_page(color_scheme=ground)
    page.goto(with_report.url if name == "home" else link(with_report, name.partition(",")[0], **choices))
    faults: dict[str, list[str]] = {}
    for number, view in enumerate(["", *tabs]):
        if view:
            tab(page, view)
            if number == 1:
                page.set_viewport_size({"width": 1480, "height": 900})
        for width, height in WIDTHS:
            if width not in DARK_WIDTHS and (ground == "dark" or view):
                continue
            page.set_viewport_size({"width": width, "height": height})
            drawn(page, width, 0 if view else n_pictures)
            said = page.evaluate(LEGIBLE)
            if said:
                faults[f"{name} {view} {ground} {width}".replace("  ", " ")] = said
    title = {"home": "HEM Workbench", "report": "Report · What was found · HEM Workbench"}.get(name)
    if title is not None:
        expect(page).to_have_title(title)
    assert faults == {}, json.dumps(faults, indent=1, ensure_ascii=False)


@pytest.mark.parametrize("ground", ["light", "dark"])
def test_an_open_box_can_be_read(shared, new_page, ground):
    page = new_page(color_scheme=ground)
    page.goto(link(shared, "signatures", dataset=SIGNATURES))
    settled(page)
    page.get_by_role("button", name="Download", exact=True).click()
    expect(page.locator("[data-testid='stPopoverBody'] .token").first).to_be_visible()
    assert page.evaluate(LEGIBLE) == []
