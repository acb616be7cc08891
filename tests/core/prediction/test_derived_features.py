"""Features that are the target, or nearly, are named and offered for removal first."""

from dataclasses import replace

import numpy as np
import pytest

from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import ParameterError
from hemcore.prediction import PredictionParams
from hemcore.prediction import headline as predicting
from hemcore.prediction.derived_features import derived_notes, leave_out_first, nearly_the_target
from hemcore.prediction.evaluate.by_program import evaluate_models
from hemcore.prediction.model_rows import select
from tests.core.prediction.few_programs import programs_of_cost

CURRENT, VOLTAGE = np.array([2.0, 3, 4, 4, 1, 5, 2, 6, 3, 2]), np.array([5.0, 4, 6, 7, 3, 2, 8, 3, 5, 4])
POWER = CURRENT * VOLTAGE
OTHER = np.array([5.0, 1, 4, 2, 9, 3, 7, 6, 8, 2])
# Half of the readings 0.4% above and half 0.4% below.
NEARLY = POWER * (1 + 0.004 * np.array([1, -1] * 5))


def test_a_product_is_removed_by_one_of_its_two() -> None:
    notes = tuple(derived_notes({"current": CURRENT, "voltage": VOLTAGE, "other": OTHER}, POWER, "power"))
    assert notes == ("current times voltage is power: leave one of them out, or the errors mean nothing.",)
    (step,) = leave_out_first(notes, PredictionParams())
    assert (step.label, step.choose) == ("Leave out current", {"counters": "all but current"})


def test_the_feature_that_is_in_most_products_goes_first() -> None:
    # Either meter of the voltage, times the current, is the power: without the current there is no product.
    notes = derived_notes({"meter 1": VOLTAGE, "current": CURRENT, "meter 2": 2 * VOLTAGE}, POWER, "power")
    assert notes == ["current times meter 1 is power: leave one of them out, or the errors mean nothing."]


def test_a_feature_within_a_percent_of_the_target_is_named_with_its_distance() -> None:
    notes = tuple(derived_notes({"rail": 3 * NEARLY, "other": OTHER}, POWER, "power"))
    assert notes == ("rail is power to within 0.4%: beside it the other features hardly count.",)
    (doubt,) = nearly_the_target(notes, PredictionParams())
    assert doubt.remedy is not None
    assert doubt.remedy.choose == {"counters": "all but rail"}


def test_a_target_that_hardly_varies_has_no_near_features() -> None:
    # All readings are within a percent of each other, so any two are nearly proportional.
    target, feature = 100 + np.array([0.1, -0.3] * 5), 50 + np.array([0.2, 0.1, -0.2, 0, 0.1] * 2)
    assert derived_notes({"feature": feature}, target, "power") == []


def test_what_is_chosen_stays_chosen_without_it() -> None:
    notes = tuple(derived_notes({"rail": POWER, "twin": 2 * POWER, "other": OTHER}, POWER, "power"))
    (step,) = leave_out_first(notes, PredictionParams(counters="rail; twin; other"))
    assert (step.label, step.choose) == ("Leave out 2 features", {"counters": "other"})
    (step,) = leave_out_first(notes, PredictionParams(counters="rail; twin"))
    assert (step.label, step.choose) == ("Use all counters", {"counters": ""})
    (step,) = leave_out_first(notes[:1], PredictionParams(counters="all but Dr"))
    assert step.choose == {"counters": "all but Dr; rail"}


def table() -> PhaseTable:
    costs = {name: 1.0 + number for number, name in enumerate("abcd")}
    made = programs_of_cost(costs, (100, 150, 200), Dr=(10, 30, 20))
    return replace(made, frame=made.frame.assign(twin=2 * made.frame["CYCLES"]), counters=(*made.counters, "twin"))


def test_the_remedy_of_a_verdict_takes_the_target_out_of_the_features() -> None:
    params = PredictionParams(models="OLS")
    before = predicting.verdict(evaluate_models(table(), params=params))
    assert before.level == "poor"
    assert "The target is among the features." in before.trust
    (step,) = before.remedies
    after = evaluate_models(table(), params=params.but(**step.choose))
    assert select(table(), after.params).chosen.counters == ("Ir", "Dr")
    assert "The target is among" not in predicting.verdict(after).text


def test_a_name_after_all_but_must_be_there() -> None:
    with pytest.raises(ParameterError, match="'TPI' is not a counter of the table"):
        select(table(), PredictionParams(counters="all but TPI"))
