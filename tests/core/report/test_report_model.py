"""A report as values and as a file: what fits goes there and back, all else is one sentence."""

import json

import pytest

from hemcore.errors import HemError, ParameterError, UnknownNameError
from hemcore.report import Report, ReportItem, item_from, report_from_json
from hemcore.report.report_model import LONGEST_TEXT, LONGEST_TITLE, MOST_BYTES, MOST_ITEMS
from tests.core.report.conftest import HOSTILE, hrm, much, segmentation


def file_of(report: Report, **changed) -> dict:
    """The parsed file without its hash, with fields of the report changed."""
    parsed = json.loads(report.to_json())
    return {"format": parsed["format"], "report": parsed["report"] | changed}


def with_item(report: Report, **changed) -> bytes:
    said = file_of(report)
    said["report"]["items"][1] |= changed
    return json.dumps(said).encode()


def refused(content: bytes, *words: str) -> None:
    with pytest.raises(HemError) as raised:
        report_from_json(content)
    message = str(raised.value)
    assert "\n" not in message
    assert len(message) < 600
    for word in words:
        assert word in message


def test_there_and_back(report):
    assert report_from_json(report.to_json()) == report


def test_questions_of_every_kind_there_and_back():
    items = (
        ReportItem(question=segmentation(run=3), baseline=segmentation(threshold=24.0), picture="path"),
        ReportItem(question=much(dep_lvl=0.9), picture="margins", view={"margin_hems": ["Ir", "Dr"]}),
        ReportItem(question=hrm()),
    )
    again = report_from_json(Report(items=items).to_json())
    assert again.items == items
    assert again.items[1].view == {"margin_hems": ["Ir", "Dr"]}


@pytest.mark.parametrize("words", HOSTILE)
def test_text_stays_text(words):
    item = ReportItem(question=hrm(), title=words, note=words, dataset_name=words)
    report = Report(title=words, author=words, intro=words, items=(item,))
    again = report_from_json(report.to_json())
    assert again.author == words
    assert (again.title, again.intro, again.items[0].note, again.items[0].dataset_name) == (words,) * 4


def test_an_item_without_a_title_says_what_it_shows():
    assert ReportItem(question=hrm(), picture="pairs").heading == "HRM merge: Pairs"
    assert ReportItem(question=segmentation()).heading == "Segmentation"
    assert ReportItem(question=hrm(), title=" Mine ").heading == "Mine"


def test_items_are_added_moved_changed_and_taken_out(report):
    third = ReportItem(question=hrm(), title="third")
    longer = report.with_item(third)
    assert [each.title for each in longer.items] == ["A pair", "", "third"]
    assert [each.title for each in longer.with_moved(2, 0).items] == ["third", "A pair", ""]
    assert [each.title for each in longer.with_moved(0, 1).items] == ["", "A pair", "third"]
    assert [each.title for each in longer.without(1).items] == ["A pair", "third"]
    assert longer.with_changed(1, note="new").items[1].note == "new"
    assert [each.title for each in report.items] == ["A pair", ""]


@pytest.mark.parametrize("index", [-1, 2, 99])
def test_an_index_that_there_is_none_of(report, index):
    for change in (lambda: report.with_moved(index, 0), lambda: report.with_moved(0, index), lambda: report.without(index)):
        with pytest.raises(ParameterError, match="there are 2"):
            change()


def test_changed_grows_even_when_the_clock_does_not():
    late = Report(changed="2999-01-01T00:00:00+00:00")
    assert late.as_of_now().changed > late.changed
    assert Report(changed="2001-01-01T00:00:00").as_of_now().changed > "2026"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", ["not the JSON of a report"]),
        (b"\xff\xfe\x00", ["not the JSON of a report"]),
        (b"[" * 100_000, ["not the JSON of a report"]),
        (b'{"report": ' + b"[" * 20_000 + b"]" * 20_000 + b"}", ["not the JSON of a report"]),
        (b"1" * 10_000, ["not the JSON of a report"]),
        (b"[]", ["not a set of named values"]),
        (b"null", ["not a set of named values"]),
        (b"{}", ["'format' is missing"]),
        (b'{"format": "hem report 9", "report": {}}', ["'hem report 9' is not"]),
        (b'{"format": "hem report 1", "report": []}', ["not a set of named values"]),
        (b'{"format": "hem report 1", "report": {}, "extra": 1}', ["'extra' is not known"]),
        (b'{"format": "hem report 1", "report": {}}', ["'id' is missing"]),
        (b" " * (MOST_BYTES + 1), [f"{MOST_BYTES:,} at most"]),
    ],
    ids=range(13),
)
def test_files_that_are_no_report(content, words):
    refused(content, *words)


def test_a_file_that_was_altered_is_told(report):
    content = report.to_json()
    refused(content.replace(b"Look.", b"Lock."), "SHA-256")
    refused(content[:-40], "cut off")


def test_a_file_written_by_hand_needs_no_hash(report):
    assert report_from_json(json.dumps(file_of(report)).encode()) == report


def test_a_file_from_before_there_were_authors_is_read(report):
    before = file_of(report)
    del before["report"]["author"]
    assert report_from_json(json.dumps(before).encode()).author == ""


@pytest.mark.parametrize(
    ("field", "value", "word"),
    [
        ("id", "../../etc/passwd", "32 hex digits"),
        ("id", 7, "32 hex digits"),
        ("title", "", "it is empty"),
        ("title", "x" * (LONGEST_TITLE + 1), "301 characters"),
        ("title", None, "not text"),
        ("title", "\ud800", "half a character"),
        ("author", 5, "not text"),
        ("author", "x" * (LONGEST_TITLE + 1), "301 characters"),
        ("intro", ["x"], "not text"),
        ("intro", "x" * (LONGEST_TEXT + 1), "20,001 characters"),
        ("created", "yesterday", "not a time"),
        ("changed", 3, "not text"),
        ("items", {}, "not a list"),
        ("items", [{}] * (MOST_ITEMS + 1), "201 are too many"),
        ("colour", "red", "'colour' is not known"),
    ],
)
def test_fields_of_a_report_that_do_not_fit(report, field, value, word):
    refused(json.dumps(file_of(report, **{field: value})).encode(), word)


ASKED = {"analysis": "merge.hrm", "dataset": "made-up", "params": {}}


@pytest.mark.parametrize(
    ("field", "value", "word"),
    [
        ("title", 5, "not text"),
        ("note", "x" * (LONGEST_TEXT + 1), "20,001 characters"),
        ("picture", "portrait", "it has correlation, pairs"),
        ("picture", ["pairs"], "not text"),
        ("view", {"order": "random"}, "order"),
        ("view", {"colour": "red"}, "colour"),
        ("view", {"margin_hems": ["x" * 1000] * 30}, "view"),
        ("view", [], "not a set of named values"),
        ("link", "https://example.org", "not a path in the workbench"),
        ("link", "//example.org", "not a path in the workbench"),
        ("link", "/\\example.org", "not a path in the workbench"),
        ("link", "javascript:alert(1)", "not a path in the workbench"),
        ("link", "/merge\n", "not a path in the workbench"),
        ("dataset_name", {}, "not text"),
        ("added", "now", "not a time"),
        ("baseline", "merge.hrm", "not a set of named values"),
        ("question", None, "not a set of named values"),
        ("question", ASKED | {"analysis": "merge.magic"}, "'merge.magic' is not known"),
        ("question", ASKED | {"analysis": "os.system"}, "'os.system' is not known"),
        ("question", ASKED | {"dataset": "x" * 400}, "not the id of a dataset"),
        ("question", ASKED | {"dataset": 5}, "question"),
        ("question", ASKED | {"params": {"anchor_hem": 5}}, "anchor_hem"),
        ("question", ASKED | {"params": {"anchors": "x"}}, "'anchors'"),
        ("question", ASKED | {"more": 1}, "'more' is not known"),
        ("price", 1, "'price' is not known"),
    ],
)
def test_fields_of_an_item_that_do_not_fit_name_the_item(report, field, value, word):
    refused(with_item(report, **{field: value}), "item 2", word)


def test_the_item_is_named_by_its_title(report):
    refused(with_item(report, title="The second", picture="portrait"), "item 2 ('The second')")


def test_an_item_is_checked_wherever_it_comes_from():
    with pytest.raises(ParameterError, match="portrait"):
        ReportItem(question=hrm(), picture="portrait")
    with pytest.raises(UnknownNameError, match="merge.magic"):
        item_from({"question": ASKED | {"analysis": "merge.magic"}})
