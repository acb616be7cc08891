"""A what-if in a report: its change as a sentence, with the baseline."""

from hemcore.analysis import Question
from hemcore.prediction import PredictionParams
from hemcore.prediction.analysis import WHAT_IF
from hemcore.prediction.evaluate.asked_change import signed
from hemcore.report import Report, ReportItem, render_html
from hemcore.report.answers import answered
from tests.core.prediction.made import COSTS, phases

ASKED = PredictionParams(models="cost per event", start="program 0", together=False)


def asked(change: str) -> Question:
    return Question(analysis=WHAT_IF, dataset="made-up", params=ASKED.but(change=change))


def test_a_change_goes_into_a_report_with_its_sentence() -> None:
    table = phases(noise=0)
    own = table.frame[(table.frame["program"] == "program 0") & (table.frame["load"] == "single core")]
    # Twelve cycles per branch miss.
    share = COSTS["Bcm"] * own["Bcm"].sum() / own["CYCLES"].sum()
    report = Report(title="Branches", items=(ReportItem(question=asked("Bcm -20%"), baseline=asked("Bcm -10%"), picture="what-if"),))
    (found,) = answered(report, table_of=lambda dataset: table)
    assert not found.failed
    assert not found.picture_failed
    assert found.verdict is not None
    assert found.verdict.answer == f"Bcm −20%: CYCLES {signed(-share / 5)}."
    assert "alone" in found.verdict.trust
    assert found.differences == ("change Bcm -10% → Bcm -20%",)
    change, before = found.cards[0], found.changes[0]
    assert change.value is not None
    assert abs(change.value + share / 5) < 0.003
    assert before is not None
    page = render_html(report, table_of=lambda dataset: table).decode()
    assert found.verdict.answer in page
    assert "Bcm -20%" in page


def test_no_change_and_an_extrapolation_say_so_in_a_report() -> None:
    table = phases()
    report = Report(title="Branches", items=tuple(ReportItem(question=asked(change), picture="what-if") for change in ("", "DLmr +9000%")))
    nothing, far = answered(report, table_of=lambda dataset: table)
    assert nothing.verdict is not None
    assert nothing.verdict.answer.startswith("1 model predict")
    assert far.verdict is not None
    assert far.verdict.answer.startswith("Extrapolation, so uncertain: DLmr +9,000%, CYCLES +")
    assert far.verdict.level == "poor"
