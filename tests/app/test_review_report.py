"""The Report page: several items of one long question, baselines that are gone, two tabs that edit one report."""

import pytest

from hemcore.analysis import Question
from hemcore.datasets import load
from hemcore.errors import HemError
from hemcore.merge import HrmParams, MuchParams
from hemcore.merge.analysis import HRM, MUCH
from hemcore.prediction import PredictionParams
from hemcore.prediction.evaluate.predictions import COST_STACK
from hemcore.report import ReportItem, ReportShelf

SAMPLE = "sample-subexperiments-much"
LONG = MuchParams(n_runs=1_000_000)


@pytest.fixture
def report_of(data_dir):
    """A function: items -> the id of a report of them."""

    def made(*items: ReportItem) -> str:
        shelf = ReportShelf(data_dir)
        report = shelf.create("mine")
        for item in items:
            shelf.add(report.id, item)
        return report.id

    return made


def item(params=None, **more) -> ReportItem:
    return ReportItem(question=Question(analysis=MUCH, dataset=SAMPLE, params=params or MuchParams()), picture="correlation", **more)


def labels(at) -> list[str]:
    return [each.label for each in at.button]


def test_two_items_of_one_long_question_are_watched_side_by_side(workbench, report_of, never_done) -> None:
    report_of(item(LONG), item(LONG))
    at = workbench.open("report")
    assert labels(at).count("Cancel") == 2
    assert len(never_done[0]) == 1


def test_each_of_several_cancelled_answers_can_be_started_again(workbench, report_of, never_done) -> None:
    other = LONG.but(seed=1)
    report_of(item(LONG), item(other))
    at = workbench.open("report")
    for job in never_done[1].values():
        job.cancel()
    at = workbench.run(at)
    again = [each for each in at.button if each.label == "Start again"]
    again[1].click()
    workbench.run(at)
    second = Question(analysis=MUCH, dataset=SAMPLE, params=other)
    assert never_done[0][2:] == [second.id]


def test_an_item_stands_where_its_baseline_is_gone(workbench, report_of) -> None:
    gone = Question(analysis=MUCH, dataset="0" * 64, params=MuchParams())
    report_of(item(baseline=gone))
    at = workbench.open("report")
    assert len(workbench.pictures(at)) == 2
    assert "baseline can no longer be computed" in " ".join(workbench.read(each.value) for each in at.warning)


def test_a_picture_that_says_nothing_of_the_dataset_is_told(workbench, report_of, csv_of, readings) -> None:
    files = [(f"s{seed}.csv", csv_of(readings(["A", last], seed=seed))) for seed, last in enumerate("BC")]
    entry = workbench.stored(*files)
    asked = Question(analysis=HRM, dataset=entry.id, params=HrmParams(anchor_hem="A"))
    report_of(ReportItem(question=asked, picture="truth"))
    at = workbench.open("report")
    assert "Against the truth" in " ".join(workbench.read(each.value) for each in (*at.error, *at.caption))


def test_a_title_that_is_the_verdict_is_not_shown_twice(workbench, report_of) -> None:
    params = MuchParams()
    verdict = MUCH.verdict(MUCH.of(load(SAMPLE), params)).answer
    report_of(item(params, title=verdict), item(params, title="My own"))
    at = workbench.open("report")
    assert [workbench.read(each.value) for each in at.subheader] == ["1. MUCH merge: Merged correlation", "2. My own"]


def test_an_item_has_the_verdict_of_what_its_picture_shows(workbench, report_of) -> None:
    params = PredictionParams(target="CYCLES", granularity="10000", load="single core")  # bundled
    asked = Question(analysis=COST_STACK, dataset="sample-phases", params=params)
    report_of(ReportItem(question=asked, picture="causes", view={"loses": "cipher_mail"}))
    at = workbench.open("report")
    told = " ".join(workbench.read(each.value) for each in at.markdown)
    assert "cost cipher_mail most" in told
    assert "of CYCLES goes to" not in told
    assert "cipher_mail" in workbench.spec(workbench.pictures(at)[0])["figure"]["layout"]["title"]["text"]


# Two tabs.


def note_field(at):
    return next(each for each in at.text_area if each.label == "Note")


def test_a_note_changed_in_another_tab_is_followed(workbench, report_of, data_dir) -> None:
    id = report_of(item(note="before"))
    at = workbench.open("report")
    ReportShelf(data_dir).update(id, lambda report: report.with_changed(0, note="from the other tab"))
    at = workbench.run(at)
    assert note_field(at).value == "from the other tab"
    assert "Save" not in labels(at)


def test_what_is_typed_is_saved_as_it_is_typed_without_a_button(workbench, report_of, data_dir) -> None:
    id = report_of(item(), item(title="second"))
    at = workbench.open("report")
    for key, words in (("title", "  Two *words*"), ("author", "A. <b>Uthor</b>"), ("intro", "One.\n\n Two. ")):
        field = next(each for each in (*at.text_input, *at.text_area) if each.key == f"report.{key}-{id}")
        field.set_value(words)
        at = workbench.run(at)
    note_field(at).set_value("a note ")
    at = workbench.run(at)
    found = ReportShelf(data_dir).load(id)
    assert (found.title, found.author, found.intro) == ("  Two *words*", "A. <b>Uthor</b>", "One.\n\n Two. ")
    assert [each.note for each in found.items] == ["a note ", ""]
    assert [each.title for each in found.items] == ["", "second"]
    assert "Save" not in labels(at)


def test_words_of_an_item_follow_it_when_another_tab_moved_it(workbench, report_of, data_dir) -> None:
    id = report_of(item(title="first"), item(title="second"))
    at = workbench.open("report")
    ReportShelf(data_dir).move(id, 0, 1)
    note_field(at).set_value("of the first")
    workbench.run(at)
    assert [(each.title, each.note) for each in ReportShelf(data_dir).load(id).items] == [("second", ""), ("first", "of the first")]


def test_what_is_typed_over_the_words_of_another_tab_is_not_saved_until_it_is_meant(workbench, report_of, data_dir) -> None:
    id = report_of(item(note="before"))
    at = workbench.open("report")
    ReportShelf(data_dir).update(id, lambda report: report.with_changed(0, note="from the other tab"))
    note_field(at).set_value("mine")
    at = workbench.run(at)
    assert note_field(at).value == "mine"
    assert "from the other tab" in " ".join(workbench.read(each.value) for each in at.warning)
    assert ReportShelf(data_dir).load(id).items[0].note == "from the other tab"
    next(each for each in at.button if each.label == "Replace that with mine").click()
    at = workbench.run(at)
    assert ReportShelf(data_dir).load(id).items[0].note == "mine"
    assert not at.warning
    assert "Replace that with mine" not in labels(at)


def test_an_empty_title_is_refused_and_the_old_one_stays(workbench, report_of, data_dir) -> None:
    id = report_of(item())
    at = workbench.open("report")
    at.text_input(key=f"report.title-{id}").set_value("")
    at = workbench.run(at)
    assert ReportShelf(data_dir).load(id).title == "mine"
    assert "Give the report a title" in " ".join(workbench.read(each.value) for each in at.toast)


# The PDF.


def pdf_buttons(at) -> list:
    return [each for each in at.button if each.label.startswith("Make PDF")]


def test_without_a_browser_a_pdf_is_not_offered_and_the_reason_is(workbench, report_of, monkeypatch) -> None:
    monkeypatch.setattr("hemcore.report.pdf.browser", lambda: None)
    report_of(item())
    at = workbench.open("report")
    assert [each.label for each in pdf_buttons(at)] == ["Make PDF (A4)", "Make PDF (Letter)"]
    assert all(each.disabled for each in pdf_buttons(at))
    assert all("Install chromium" in workbench.read(each.help) for each in pdf_buttons(at))


def test_a_pdf_is_printed_from_the_page_and_a_failure_is_a_sentence(workbench, report_of, monkeypatch) -> None:
    printed = []

    def print_it(page: bytes, paper: str) -> bytes:
        printed.append((page, paper))
        if paper == "A4":
            raise HemError("PDF: chromium failed.")
        return b"%PDF-" + bytes(2**20 - 5)

    monkeypatch.setattr("hemcore.report.pdf.browser", lambda: "chromium")
    monkeypatch.setattr("hemcore.report.pdf.render_pdf", print_it)
    report_of(item())
    at = workbench.open("report")
    pdf_buttons(at)[0].click()
    at = workbench.run(at)
    assert "PDF: chromium failed." in " ".join(workbench.read(each.value) for each in at.error)
    pdf_buttons(at)[1].click()
    at = workbench.run(at)
    assert [paper for _, paper in printed] == ["A4", "Letter"]
    assert b"How are the merged HEMs correlated?" in printed[1][0]
    assert "Download the PDF (1.0 MiB)" in [each.label for each in at.get("download_button")]
