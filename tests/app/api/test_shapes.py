"""What the API says of an analysis, and what Prometheus is told of a verdict, by hand."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from hemcore.analysis import Analysis
from hemcore.merge.analysis import MUCH
from hemcore.params import Params
from hemcore.registry import analysis_named
from hemcore.web.api import questions_api
from hemcore.web.api.questions_api import LEVELS, DatedVerdict, Figure, _analysis, _exposition


def test_an_analysis_has_a_table_of_its_own_or_of_another_question() -> None:
    bare: Analysis = Analysis(name="made.bare", title="Bare", params=Params, reads=(), compute=lambda table, params: None)
    shown = [_analysis(each) for each in (bare, replace(bare, gives="table"), replace(bare, table_from=MUCH))]
    assert [each.has_table for each in shown] == [False, True, True]
    assert [each.has_verdict for each in shown] == [False] * 3
    much = _analysis(analysis_named(MUCH.name))
    assert much.has_verdict
    assert set(much.parameters["properties"]) == set(MUCH.reads)


def test_prometheus_is_told_the_newest_verdict() -> None:
    def dated(value: int) -> DatedVerdict:
        figures = [Figure(name='a "b"', value=1.5, shown="1.5", note=""), Figure(name="c", value=None, shown="", note="")]
        return DatedVerdict(**{**_blank(), "value": value, "figures": figures})

    text = _exposition("d\\e", "merge.much", [dated(LEVELS["good"]), dated(LEVELS["poor"])])
    assert text.splitlines()[2] == 'hem_verdict{dataset="d\\\\e",analysis="merge.much"} 2'
    assert text.splitlines()[5:] == ['hem_figure{dataset="d\\\\e",analysis="merge.much",figure="a \\"b\\""} 1.5']
    assert _exposition("d", "a", []) == ""


def _blank() -> dict[str, object]:
    return dict.fromkeys(DatedVerdict.__dataclass_fields__, "")


@pytest.mark.parametrize(("known", "found"), [("known", "known"), (None, "submitted after 3 s")])
def test_a_job_that_is_there_is_not_submitted_again(known: str | None, found: str, monkeypatch: pytest.MonkeyPatch) -> None:
    question: Any = SimpleNamespace(id="7", seconds=lambda table: 3)
    jobs = SimpleNamespace(find=lambda id: known, submit=lambda question, seconds: f"submitted after {seconds} s")
    monkeypatch.setattr(questions_api, "jobs", jobs)
    monkeypatch.setattr(questions_api, "table_of", lambda question: None)
    assert questions_api.job_of(question) == found
