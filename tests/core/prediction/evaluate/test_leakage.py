"""Rows shuffled against programs left out, for three programs of known cost and a model that takes the mean cost."""

from dataclasses import replace

import pandas as pd
import pytest

from hemcore.errors import ParameterError
from hemcore.prediction import PredictionParams, leak
from hemcore.prediction.evaluate.leakage import Leak
from hemcore.prediction.models.catalogue import MODELS
from tests.core.prediction.few_programs import MEAN_COST, programs_of_cost


def test_both_scores_of_three_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("cost per event", "boosting"):
        monkeypatch.setitem(MODELS, name, replace(MEAN_COST, name=name))
    # Two phases of costs 1 and 2, four of cost 6: eight rows, so that shuffled each row is left out alone, whatever the seed.
    table = programs_of_cost({"a": 1.0, "b": 2.0, "c": 6.0}, (100, 110, 120, 130))
    frame = table.frame
    table = replace(table, frame=frame[(frame["program"] == "c") | (frame["phase"] < 2)].reset_index(drop=True))
    row = leak(table).scores.set_index("model").loc["cost per event"]
    # Shuffled, every program is still there: the mean cost is 3, off by 200%, 50% and 50%; the mean program by 100%.
    assert row["shuffled"] == pytest.approx(1.0)
    # Left out, the others' mean is 4, 3.5 and 1.5: off by 300%, 75% and 75%; the mean program by 150% (the median one by 75%).
    assert row["by_program"] == pytest.approx(1.5)


def test_the_sentence_names_the_model_that_shuffling_flatters_most() -> None:
    scores = pd.DataFrame({"model": ["a", "b"], "shuffled": [0.10, 0.02], "by_program": [0.40, 0.20]})
    found = Leak(scores=scores, notes=(), params=PredictionParams())
    # 0.20 / 0.02 is 10 times, 0.40 / 0.10 is 4 times.
    assert found.sentence.startswith("b has an error of 2.0% with shuffled rows, but 20.0% on unseen programs:")


def test_two_programs_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("cost per event", "boosting"):
        monkeypatch.setitem(MODELS, name, replace(MEAN_COST, name=name))
    # Each is predicted with the other's cost: off by 200% and by two thirds.
    row = leak(programs_of_cost({"a": 1.0, "b": 3.0})).scores.set_index("model").loc["boosting"]
    assert row["by_program"] == pytest.approx((2 + 2 / 3) / 2)


def test_one_program_is_not_enough() -> None:
    with pytest.raises(ParameterError, match="the only program. Add at least one more"):
        leak(programs_of_cost({"a": 1.0}))
