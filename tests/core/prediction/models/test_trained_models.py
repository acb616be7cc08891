"""What a trained model answers and how far off it is said to be, worked out for the mean cost of three programs."""

from dataclasses import replace

import numpy as np
import pytest

from hemcore.errors import ParameterError
from hemcore.prediction import PredictionParams, fitted_models
from hemcore.prediction.arrays import Settings
from hemcore.prediction.models.catalogue import MODELS
from hemcore.prediction.models.trained_models import EVERYTHING, gathered_models, trained_part, training_parts, with_interval
from tests.core.prediction.few_programs import MEAN_COST, Multiple, programs_of_cost, rows_of

MEAN = PredictionParams(models="OLS", held_out=EVERYTHING)
COSTS = {"a": 1.0, "b": 2.0, "c": 6.0}


@pytest.fixture(autouse=True)
def mean_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MODELS, "OLS", MEAN_COST)


def test_the_models_are_the_same_whether_or_not_a_load_could_be_copied() -> None:
    table = programs_of_cost(COSTS)
    no_copy = PredictionParams(models="; ".join(name for name in PredictionParams().model_names if not name.startswith("copy")))
    named = [{name for part in training_parts(table, params) for name in part.model_names if part.models} for params in (MEAN, no_copy)]
    assert named[1] == {name for part in training_parts(table, PredictionParams()) for name in part.model_names if part.models}
    assert "cost per event, curves" in named[1]
    assert named[0] == {"OLS"}


def test_an_interval_of_five_programs_takes_the_share_of_one_more() -> None:
    # 60% of six programs are 72% of five: of the errors 10% to 50% the one at 0.72 * 4 = 2.88 steps, 38.8%.
    rows = rows_of(y=[1], x=[100], programs=[0])
    off = np.array([[0.1], [0.2], [0.3], [0.4], [0.5]])
    predicted, low, high = with_interval(Multiple(1.0), rows, off, 0.6)  # type: ignore[arg-type]
    assert (predicted[0], low[0], high[0]) == pytest.approx((100, 61.2, 138.8))
    assert with_interval(Multiple(1.0), rows, off * 4, 0.9)[1].tolist() == [0]  # type: ignore[arg-type]


def test_how_far_off_a_model_is_on_programs_left_out() -> None:
    # The others' mean cost is 4, 3.5 and 1.5: off by 300%, 75% and 75% of what was measured, on average by 150%.
    found = fitted_models(programs_of_cost(COSTS), MEAN)
    assert found.scores["OLS"] == pytest.approx(1.5)
    # In shares of the prediction: |1 / 4 - 1|, |2 / 3.5 - 1|, |6 / 1.5 - 1|, the same in every phase of a program.
    assert found.off["OLS"].shape[0] == 3
    assert found.off["OLS"][:, 0] == pytest.approx([0.75, 3 / 7, 3])
    assert found.off["OLS"][:, -1] == pytest.approx([0.75, 3 / 7, 3])


def test_an_answer_is_of_the_changed_phase() -> None:
    found = fitted_models(programs_of_cost(COSTS), MEAN)
    # The mean cost of 3 times 200 instead of 100 instructions; of three programs 80% is more than all: off by at most 300%.
    row = found.answer(found.changed(0, {"Ir": 200.0})).iloc[0]
    assert (row["predicted"], row["low"], row["high"]) == pytest.approx((600, 0, 2400))
    assert found.example.X[0, 0] == 100
    assert not row["far"]


def test_a_held_out_program_is_not_learnt_from_and_is_the_example() -> None:
    found = fitted_models(programs_of_cost(COSTS), MEAN.but(held_out="c"))
    assert found.programs == ("a", "b")
    # The mean of 1 and 2.
    assert found.answer(found.example)["predicted"].tolist() == pytest.approx([150, 300])
    assert found.example.y.tolist() == [600, 1200]


def test_the_best_model_stands_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MODELS, "Ridge", replace(MEAN_COST, name="Ridge", fit=lambda rows, form, settings: Multiple(2.0)))
    # A cost of 2 is off by 100%, 0 and 67%: better than 150%.
    found = fitted_models(programs_of_cost(COSTS), MEAN.but(models="OLS; Ridge")).summary
    assert found["model"].tolist() == ["Ridge", "OLS"]
    assert found["mape"].iloc[0] == pytest.approx(5 / 9)


def test_a_model_whose_settings_are_chosen_by_many_fits_is_a_part_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    grid: tuple[Settings, ...] = ({"n": 2}, {"n": 1})
    tuned = replace(MEAN_COST, name="Ridge", grid=grid, fit=lambda rows, form, settings: Multiple(float(settings["n"])))
    monkeypatch.setitem(MODELS, "Ridge", tuned)
    params = MEAN.but(models="OLS; Ridge")
    parts = training_parts(programs_of_cost(COSTS), params)
    # Of all programs, then without each eighth, and at last what needs no model.
    assert [(each.models, each.part) for each in parts] == [("OLS", 8), ("Ridge", 9), *(("OLS", part) for part in range(8)), ("", 10)]
    found = fitted_models(programs_of_cost(COSTS), params)
    # A cost of 1 is off by 0, 50% and 83%, better than 2 by 100%, 0 and 67%.
    assert found.models["Ridge"].settings == {"n": 1}
    assert found.scores == pytest.approx({"OLS": 1.5, "Ridge": 4 / 9})
    assert found.response is not None
    assert found.response["model"].tolist() == ["OLS", "Ridge"]
    alone = fitted_models(programs_of_cost(COSTS), MEAN.but(models="Ridge"))
    assert alone.scores == pytest.approx({"Ridge": 4 / 9})
    with pytest.raises(ParameterError, match="none of copy the other load can be fitted"):
        fitted_models(programs_of_cost(COSTS), MEAN.but(models="copy the other load"))


def test_sizes_of_steps_are_those_of_a_part_unless_other_rows_are_judged() -> None:
    table = programs_of_cost(COSTS)
    found = fitted_models(table, MEAN)
    parts = [trained_part(table, each) for each in training_parts(table, MEAN)]
    one, two = np.array([1.0]), np.array([2.0])
    altered = [replace(each, sizes={"OLS": (one, two)} if each.models else {}) for each in parts]
    changes = gathered_models(table, MEAN, altered).change_errors["OLS"]
    assert (changes.within is one, changes.between is two) == (True, True)
    # Computed where no part has them: the same as in a part.
    without = gathered_models(table, MEAN, [replace(each, sizes={}) for each in parts]).change_errors["OLS"]
    assert without.between.tolist() == found.change_errors["OLS"].between.tolist() == parts[0].sizes["OLS"][1].tolist()
    # A program that is predicted as 0 has no log error: its rows are not those that a part measured.
    zero = replace(parts[1].without[0], predicted={"OLS": parts[1].without[0].predicted["OLS"] * 0})
    fewer = gathered_models(table, MEAN, [altered[0], replace(altered[1], without=(zero,)), *altered[2:]]).change_errors["OLS"]
    assert (fewer.programs, fewer.within is one) == (2, False)
