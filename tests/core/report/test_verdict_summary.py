"""The summary: three sentences of the verdicts; and what a section is called."""

import pytest

from hemcore.headline import Verdict
from hemcore.report import ReportItem
from hemcore.report.answers import Answered
from hemcore.report.verdict_summary import heading_of, summary
from tests.core.report.conftest import hrm


def found(answer: str = "", level: str = "good", trust: str = "", why: tuple[str, ...] = (), failed: str = "", title: str = "") -> Answered:
    verdict = Verdict(answer=answer, level=level, trust=trust, why=why) if answer else None
    return Answered(item=ReportItem(question=hrm(), picture="pairs", title=title), verdict=verdict, failed=failed)


@pytest.mark.parametrize(
    ("items", "sentences"),
    [
        ([], ()),
        ([found(failed="It is gone.")], ()),
        ([found("A holds.", trust="So say 9 runs. And more.")], ("A holds.", "So say 9 runs.", "Trust is good.")),
        ([found("A holds", why=("9 runs.", "10 HEMs."))], ("A holds.", "9 runs.", "Trust is good.")),
        ([found("A holds.")], ("A holds.", "Trust is good.")),
        ([found("A."), found("B."), found("C.")], ("A.", "B.", "Trust is good for all 3 items.")),
        ([found("A."), found("A."), found("B.", "poor")], ("A.", "B.", "Trust is good for items 1 and 2, poor for item 3.")),
        ([found("A.", "limited"), found("B.", "limited")], ("A.", "B.", "Trust is limited for both items.")),
        ([found(failed="Gone."), found("A.", trust="T.")], ("A.", "T.", "Trust is good for item 2; 1 of 2 items has no answer.")),
        ([*[found("A.")] * 6, found("B.", "limited")], ("A.", "B.", "Trust is good for 6 items, limited for item 7.")),
    ],
)
def test_three_sentences(items, sentences) -> None:
    assert summary(items) == sentences


def test_a_section_is_called_what_the_user_says_or_what_its_picture_asks() -> None:
    assert heading_of(found("A.", title=" Mine "), ["", "What?"]) == "Mine"
    assert heading_of(found("A.", title="A."), ["", "What?"]) == "What?"
    assert heading_of(found("A."), []) == "HRM merge: Pairs"
    assert heading_of(found(failed="Gone.", title="A."), []) == "A."
