"""While programs are left out: the table that fills with what each model has predicted so far."""

import pandas as pd
import pytest

from hemcore.analysis import Question
from hemcore.jobs import Job
from hemcore.prediction import PredictionParams
from hemcore.prediction.analysis import COST_STACK, EVALUATION, FOLD
from hemcore.prediction.evaluate import by_program
from hemcore.prediction.evaluate.by_program import Fold, fold
from hemcore.web import ask
from tests.core.prediction.few_programs import programs_of_cost

PARAMS = PredictionParams(models="OLS; cost per event")
NO_OLS = PredictionParams(models="Ridge; cost per event")


def test_the_table_fills_and_a_part_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    table = programs_of_cost({"a": 1.0, "b": 2.0, "c": 6.0})
    question = Question(analysis=EVALUATION, dataset="d", params=NO_OLS)
    job = Job(question.id, question.analysis.title, question)
    first = Question(analysis=FOLD, dataset="d", params=EVALUATION.pieces(table, NO_OLS)[0]).id
    # Predicted as 100 and 300, measured 200 and 200: 50% off each, the total not at all.
    phases = pd.DataFrame({"measured": [200.0, 200.0], "Ridge": [100.0, 300.0]})
    done = {first: Fold(phases=phases, by_measuring=0.0, settings={}, notes=(), params=NO_OLS)}
    filed: dict[str, Fold] = {}
    asked: list[int] = []
    monkeypatch.setattr(ask.shelf, "table_of", lambda question: table)
    monkeypatch.setattr(ask.jobs, "filed", lambda parts: asked.append(len(parts)) or [filed.get(each.id) for each in parts])
    assert ask._so_far(job) is None
    filed |= done
    found = ask._so_far(job)
    assert found is not None
    assert found.to_dict("list")["programs"] == ["1 of 3", "0 of 3"]
    assert found.loc[0, ["mape_mean", "whole_mean"]].tolist() == [0.5, 0.0]
    ask._so_far(job)
    assert asked == [6, 6, 5]


def test_the_quickest_model_is_there_at_once_and_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    table = programs_of_cost({"a": 1.0, "b": 2.0, "c": 6.0})
    question = Question(analysis=EVALUATION, dataset="d", params=PARAMS)
    job = Job(question.id, question.analysis.title, question)
    folds: list[str] = []
    monkeypatch.setattr(by_program, "fold", lambda table, params: folds.append(params.held_out) or fold(table, params))
    monkeypatch.setattr(ask.shelf, "table_of", lambda question: table)
    monkeypatch.setattr(ask.jobs, "filed", lambda parts: [None] * len(parts))
    for _ in range(2):
        found = ask._so_far(job)
        assert found is not None
        assert found["programs"].tolist() == ["3 of 3", "0 of 3"]
    assert folds == ["a", "b", "c"]


def test_a_table_that_cannot_be_predicted_has_nothing_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    table = programs_of_cost({"a": 1.0})
    question = Question(analysis=EVALUATION, dataset="d", params=PARAMS)
    monkeypatch.setattr(ask.shelf, "table_of", lambda question: table)
    assert ask._at_once(question) == ()


def test_work_without_such_parts_has_no_table() -> None:
    question = Question(analysis=COST_STACK, dataset="d", params=PARAMS)
    assert ask._so_far(Job(question.id, "where the cycles go", question)) is None
    assert ask._so_far(Job("0" * 64, "a call")) is None
