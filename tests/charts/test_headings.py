"""What columns are called: no identifier of ours, and the names of the user's data as they are."""

import re

import pandas as pd
import pytest

from hemcore.analysis import Question
from hemcore.charts.headings import headed, heading, is_share
from hemcore.datasets import load
from hemcore.jobs import bundled
from hemcore.registry import analysis_named, pictures_of
from hemcore.report import Report, ReportItem
from hemcore.report.answers import answered

PHASES = {"target": "CYCLES", "granularity": "10000", "load": "single core"}
ASKED = (
    ("segmentation.segmentation", "sample-series-ocoe", {"application": "sensor_control", "event": "Dr"}),
    ("prediction.cost_stack", "sample-phases", PHASES),
    ("signatures.classify", "sample-signatures", {}),
)


def test_a_heading_is_for_people_and_a_name_of_the_data_stays() -> None:
    frame = headed(pd.DataFrame({"mape_mean": [0.1], "BR_MIS_PRED": [1], "my_event": [2]}))
    assert list(frame.columns) == ["per phase, mean program", "BR_MIS_PRED", "my_event"]
    assert heading("TIME_SEC") == "time, s"


def test_shares_are_known_by_their_names() -> None:
    assert is_share("recall_true")
    assert is_share("RA harmonic")
    assert not is_share("residual")


@pytest.mark.sweep(of=6)
@pytest.mark.slow
@pytest.mark.parametrize(("name", "dataset", "params"), ASKED, ids=[name for name, _, _ in ASKED])
def test_no_identifier_of_ours_is_a_heading(name, dataset, params) -> None:
    analysis, table = analysis_named(name), load(dataset)
    known: dict[str, object] = {}

    def answer(question: Question) -> object:
        if question.id not in known:
            job = bundled.job_of(question.id)
            known[question.id] = job.result() if job is not None else question.answer(table)
        return known[question.id]

    question = Question(analysis=analysis, dataset=dataset, params=analysis.params(**params))
    report = Report(items=tuple(ReportItem(question=question, picture=each) for each in pictures_of(name)))
    shown = [each.table for each in answered(report, answer, table_of=lambda _: table) if each.table is not None]
    names = {heading(str(column)) for frame in shown for column in frame.columns}
    assert len(names) >= 10
    assert not [each for each in names if re.fullmatch(r"[a-z0-9]+(_[a-z0-9]+)+|JOBID|NODENAME|TIME_SEC", each)]
