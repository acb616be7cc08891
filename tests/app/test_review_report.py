"""The Report page: several items of one long question, baselines that are gone, two tabs that edit one report."""

import pytest

from hemcore.analysis import Question
from hemcore.merge import HrmParams, MuchParams
from hemcore.merge.analysis import HRM, MUCH
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


def test_what_is_typed_is_not_lost_to_another_tab(workbench, report_of, data_dir) -> None:
    id = report_of(item(note="before"))
    at = workbench.open("report")
    note_field(at).set_value("mine")
    at = workbench.run(at)
    ReportShelf(data_dir).update(id, lambda report: report.with_changed(0, note="from the other tab"))
    at = workbench.run(at)
    assert note_field(at).value == "mine"
    words = " ".join(workbench.read(each.value) for each in at.warning)
    assert "from the other tab" in words


def test_words_typed_just_before_save_are_saved(workbench, report_of, data_dir) -> None:
    id = report_of(item())
    at = workbench.open("report")
    note_field(at).set_value("a")
    at = workbench.run(at)
    note_field(at).set_value("a, and more")
    next(each for each in at.button if each.label == "Save").click()
    workbench.run(at)
    assert ReportShelf(data_dir).load(id).items[0].note == "a, and more"


def test_a_title_typed_just_before_save_is_saved(workbench, report_of, data_dir) -> None:
    id = report_of(item())
    at = workbench.open("report")
    title = at.text_input(key=f"report.title-{id}")
    title.set_value("one")
    at = workbench.run(at)
    at.text_input(key=f"report.title-{id}").set_value("two")
    next(each for each in at.button if each.label == "Save").click()
    workbench.run(at)
    assert ReportShelf(data_dir).load(id).title == "two"
