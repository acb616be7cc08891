"""The Prediction page in a real browser: programs are left out as a job, a click shows one of them, and a slider asks what if."""

import re

import pytest

from tests.browser.conftest import choose, expect, figure, headline, keyed, link, settled, tab

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SAMPLE = "Request server and 32 others in phases, three loads · sample"
# A quarter of the phases of the longest kind, and two quick models: the work takes seconds.
SMALL = {"granularity": "30000", "most_phases": 500, "models": ["Ridge", "cost per event"]}
_WORK_MS = 180_000


def test_programs_are_left_out_one_is_looked_at_and_a_slider_asks_what_if(shared, new_page):
    page = new_page()
    page.goto(link(shared, "prediction", dataset=SAMPLE, **SMALL))
    expect(headline(page).first).to_be_visible()
    settled(page)
    page.get_by_role("radio", name="Predict").or_(page.get_by_role("button", name="Predict", exact=True)).first.click()
    expect(page.get_by_text(re.compile("per program, on unseen programs"))).to_be_visible(timeout=_WORK_MS)
    expect(page).to_have_url(re.compile(r"prediction\.family=Predict"))
    settled(page)
    dots = figure(page, "prediction.programs-0").locator(".scatterlayer .points path")
    expect(dots.first).to_be_visible()
    dots.first.click(force=True)
    expect(page).to_have_url(re.compile(r"prediction\.unseen="))
    expect(figure(page, "prediction.unseen-0")).to_be_visible(timeout=_WORK_MS)
    settled(page)
    tab(page, "Shuffled rows")
    expect(page.get_by_text(re.compile("trained on other phases of the same program"))).to_be_visible(timeout=_WORK_MS)
    settled(page)
    page.get_by_role("radio", name="What-if").or_(page.get_by_role("button", name="What-if", exact=True)).first.click()
    expect(page.get_by_text(re.compile("models predict CYCLES for changed counts"))).to_be_visible(timeout=_WORK_MS)
    settled(page)
    expect(page.get_by_text(re.compile("Nothing is changed in"))).to_be_visible()
    expect(keyed(page, "prediction.move-Bcm").get_by_text("as measured").first).to_be_visible()
    thumb = keyed(page, "prediction.move-Bcm").get_by_role("slider")
    thumb.focus()
    thumb.press("End")
    expect(page.get_by_text(re.compile(r"Bcm \+200%: CYCLES|Bcm \+200%, CYCLES"))).to_be_visible()
    expect(page).to_have_url(re.compile(r"prediction\.change=Bcm"))
    page.reload()
    in_report(page)


def answer(page):
    """The verdict's answer, in words."""
    return page.locator("[class*='st-key-frame-verdict-'] strong").first


def in_report(page) -> None:
    """Continue to Report: its item gives the same answer."""
    settled(page)
    told = answer(page).inner_text()
    page.get_by_role("button", name="Continue to Report").click()
    expect(page).to_have_url(re.compile("/report"))
    expect(page.get_by_text(told).first).to_be_visible()


def test_causes_are_ranked_and_compared_and_a_link_reproduces_them(shared, new_page):
    page = new_page()
    page.goto(link(shared, "prediction", dataset=SAMPLE, **SMALL, family="Where the cycles go", view="Causes"))
    expect(figure(page, "prediction.causes-0")).to_be_visible(timeout=_WORK_MS)
    settled(page)
    expect(page.get_by_text(re.compile("fewer CYCLES")).first).to_be_visible()
    expect(page.get_by_text("In-sample: the costs were fitted with this program among the others")).to_be_visible()
    expect(answer(page)).to_have_text(re.compile(r"cost \w+ most: at most [\d.]+% fewer CYCLES"))
    alone = answer(page).inner_text()
    choose(page, "Reference", "the suite's best")
    expect(answer(page)).not_to_have_text(alone)
    expect(page).to_have_url(re.compile(r"prediction\.reference="))
    settled(page)
    page.reload()
    expect(figure(page, "prediction.causes-0")).to_be_visible(timeout=_WORK_MS)
    expect(page.get_by_role("combobox", name="Reference", exact=True)).to_have_value("the suite's best")
    in_report(page)


def test_another_frequency_is_answered_in_joules_and_outside_says_so(shared, new_page):
    page = new_page()
    watts = "Watts of 24 programs, four clocks (synthetic) · sample"
    page.goto(link(shared, "prediction", dataset=watts, family="Watts", program="synthetic_03"))
    expect(figure(page, "prediction.frequency-0")).to_be_visible(timeout=_WORK_MS)
    settled(page)
    expect(page.get_by_text(re.compile("synthetic_03 at 1,800 MHz")).first).to_be_visible()
    thumb = keyed(page, "prediction.frequency").get_by_role("slider")
    measured = answer(page).inner_text()
    thumb.focus()
    thumb.press("ArrowLeft")
    expect(answer(page)).to_contain_text(re.compile("energy [−+]"))
    assert answer(page).inner_text() != measured
    settled(page)
    thumb.press("End")
    expect(page.get_by_text("Extrapolation, do not rely on it").first).to_be_visible(timeout=_WORK_MS)
    expect(page).to_have_url(re.compile(r"prediction\.frequency="))
    settled(page)
    tab(page, "Unseen frequencies")
    expect(figure(page, "prediction.power-clocks-0")).to_be_visible(timeout=_WORK_MS)
    settled(page)
    tab(page, "Another frequency")
    in_report(page)
