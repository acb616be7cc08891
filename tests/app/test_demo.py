"""The demo: every step opens its page in its state, on the samples or on one's own data, and ends in the report of what was shown."""

import pytest

from hemcore.datasets.shelf import samples
from hemcore.web import shelf
from hemcore.web.actions import report_box
from hemcore.web.pages import page_named
from hemcore.web.starts.demo_steps import STEPS


def go(workbench, at, label: str, page: str):
    """Press a button that opens `page`, and be there: a test's app forgets that it has been sent to another page."""
    next(each for each in at.button if each.label == label).click()
    workbench.run(at)
    at.switch_page(f"pages/{page}.py")
    at.page_opened = page
    return at


def said(workbench, at) -> str:
    return " ".join(workbench.read(each.value) for each in at.markdown)


def verdicts(at) -> list[str]:
    """The answers in bold of the verdicts on the page."""
    shown = [each.value for each in at.markdown if each.value.startswith((":material/check", ":material/info", ":material/warning"))]
    return [each.split("**")[1] for each in shown]


@pytest.mark.slow
def test_it_goes_over_all_pages_and_ends_in_a_report_of_what_was_shown(workbench) -> None:
    at = workbench.open("home")
    at = go(workbench, at, "Play the demo", STEPS[0].page)
    answers = []
    for number, step in enumerate(STEPS, 1):
        assert at.title[0].value == (page_named(step.page).heading or page_named(step.page).title)
        assert f"**{number} of {len(STEPS)}** {step.look}" in said(workbench, at)
        assert not at.error
        assert at.query_params["demo"] in (str(number), [str(number)])
        if number < len(STEPS):
            assert step.slider == "" or step.asks
            answers.append(verdicts(at)[0])
            at = go(workbench, at, "Next", STEPS[number].page)
    (entry,) = report_box.reports().entries()
    report = report_box.reports().load(entry.id)
    assert len(report.items) == len(STEPS) - 1
    # Each sentence is the verdict that was on the screen.
    assert verdicts(at) == answers
    assert next(each for each in at.button if each.label == "Next").disabled
    at = go(workbench, at, "Back", STEPS[-2].page)
    assert at.title[0].value == page_named(STEPS[-2].page).heading


def test_a_step_names_what_is_on_its_page(workbench) -> None:
    for number, step in enumerate(STEPS, 1):
        page = page_named(step.page)
        if not step.ringed:
            continue
        start = page.start[step.sample]
        at = workbench.open(page.name, {**start.choices, **step.choices, "dataset": shelf.start_entry(start).label})
        keys = {each.proto.id.rpartition("-")[2] for each in workbench.pictures(at)} | {each.key for each in at.get("bidi_component")}
        assert any(page.key(step.ringed) in key for key in keys if key), (number, keys)
        widgets = {each.key for kind in ("slider", "select_slider") for each in at.get(kind)}
        assert step.slider == "" or page.key(step.slider) in widgets, (number, widgets)


def test_it_can_be_left_and_resumed(workbench) -> None:
    at = go(workbench, go(workbench, workbench.open("home"), "Play the demo", "plan"), "Next", "merge")
    next(each for each in at.button if each.label == "Leave").click()
    workbench.run(at)
    assert "2 of 9" not in said(workbench, at)
    assert "demo" not in at.query_params
    assert at.metric
    home = workbench.open("home")
    assert "Resume at step 2" not in [each.label for each in home.button]
    home.session_state["demo:at"] = at.session_state["demo:at"]
    assert "2 of 9" in said(workbench, go(workbench, workbench.run(home), "Resume at step 2", "merge"))


def test_it_plays_on_ones_own_data(workbench, csv_of, readings) -> None:
    entry = workbench.stored(("mine.csv", csv_of(readings(["A", "B", "C"]))), name="mine")
    at = workbench.open("home")
    at.selectbox(key="demo.data-Subexperiments").select(entry.label)
    at = go(workbench, go(workbench, workbench.run(at), "Play the demo", "plan"), "Next", "merge")
    assert at.selectbox(key="merge.dataset").value == entry.label
    assert "3 of 3 HEMs merged" in said(workbench, at)


@pytest.mark.parametrize("number", ["0", "10", "x", "-1", "²", "1" * 5000])
def test_another_number_in_the_address_is_no_step(workbench, number: str) -> None:
    at = workbench.open("merge")
    at.query_params["demo"] = number
    workbench.run(at)
    assert " of 9" not in said(workbench, at)


def test_a_step_of_another_page_is_not_shown(workbench) -> None:
    at = workbench.open("merge")
    at.query_params["demo"] = "1"
    workbench.run(at)
    assert " of 9" not in said(workbench, at)


def test_without_samples_it_says_what_is_missing(workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(samples, "_SAMPLES", {})
    at = go(workbench, workbench.open("home"), "Play the demo", "plan")
    assert "1 of 9" in said(workbench, at)
    assert not at.metric
