"""Intervals, what they cover and how wide they are, worked out for programs of known cost and a model that takes the mean cost."""

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import ParameterError
from hemcore.prediction import PredictionParams
from hemcore.prediction.evaluate import prediction_intervals
from hemcore.prediction.evaluate.by_program import Evaluation
from hemcore.prediction.evaluate.prediction_intervals import (
    JACKKNIFE,
    LEFT_OUT,
    SHUFFLED,
    ProgramIntervals,
    gathered_intervals,
    intervals,
    left_out_intervals,
    program_intervals,
)
from hemcore.prediction.evaluate.prediction_scores import program_scores, summary
from hemcore.prediction.evaluate.training_distance import Reach
from hemcore.prediction.headline import interval_verdict
from hemcore.prediction.models.catalogue import MODELS
from tests.core.prediction.few_programs import MEAN_COST, programs_of_cost

MEAN = PredictionParams(model="OLS")
FIVE = {"a": 4.0, "b": 5.0, "c": 6.0, "d": 7.0, "e": 8.0}


@pytest.fixture(autouse=True)
def mean_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MODELS, "OLS", MEAN_COST)


def test_the_interval_of_a_program_from_what_each_other_program_was_off_by() -> None:
    # Learnt from costs 4, 5, 6, 7, 8: the mean is 6. Without each of them the mean of the others is 6.5, 6.25, 6, 5.75, 5.5, and it was off
    # by |4 / 6.5 - 1| and so on: 6.5 * (1 - off) = 4 and 6.5 * (1 + off) = 9. So per instruction
    # lower ends 4, 5, 6, 4.5, 3 and upper ends 9, 7.5, 6, 7, 8; 80% promised is the 5th of five: 3 to 9.
    found = program_intervals(programs_of_cost(FIVE | {"new": 8.5}), MEAN.but(held_out="new"))
    assert found.phases["predicted"].tolist() == pytest.approx([600, 1200])
    assert found.phases["low_80"].tolist() == pytest.approx([300, 600])
    assert found.phases["high_80"].tolist() == pytest.approx([900, 1800])
    whole = found.whole
    assert (whole["measured"], whole["predicted"]) == pytest.approx((2550, 1800))
    assert (whole["low_80"], whole["high_80"]) == pytest.approx((900, 2700))
    assert whole["covered_80"]
    assert whole["phases_covered_80"] == 1
    # 90% of six would be the 6th of five: nothing is promised below.
    assert (whole["low_90"], whole["high_90"]) == pytest.approx((0, 2700))


def test_a_program_outside_its_interval_is_not_covered() -> None:
    found = program_intervals(programs_of_cost(FIVE | {"new": 9.5}), MEAN.but(held_out="new")).whole
    assert not found["covered_80"]
    assert found["phases_covered_80"] == 0


def test_the_distance_of_a_program_is_the_mean_of_its_phases() -> None:
    # Misses per instruction 0 and 0.4 in the programs learnt from (mean 0.2, standard deviation 0.2), so in standard deviations -1 and 1;
    # the new one has 0 and 1.2: 0 and 4 standard deviations from the nearest, 2 on average.
    table = programs_of_cost(FIVE | {"new": 6.0}, instructions=(100, 100), misses=(0, 40))
    frame = table.frame
    frame.loc[(frame["program"] == "new") & (frame["phase"] == 1), "misses"] = 120
    found = program_intervals(table, MEAN.but(held_out="new"))
    assert found.phases["distance"].tolist() == pytest.approx([0, 4])
    assert found.whole["distance"] == pytest.approx(2)


def test_a_program_is_far_if_its_phases_are_on_average(monkeypatch: pytest.MonkeyPatch) -> None:
    # Misses per instruction of 0 and 4, training phases at 0: distances 0 and 4, on average 2; far is above 3.
    near = Reach(middle=np.array([1.0, 0.0]), units=np.ones(2), points=np.zeros((1, 2)), far=3.0)
    monkeypatch.setattr(prediction_intervals, "reach", lambda rows: near)
    table = programs_of_cost(FIVE | {"new": 6.0}, instructions=(100, 100), misses=(0, 400))
    found = program_intervals(table, MEAN.but(held_out="new"))
    assert found.phases["far"].tolist() == [False, True]
    assert found.whole["far"] is False


def test_what_shuffled_rows_would_have_promised(monkeypatch: pytest.MonkeyPatch) -> None:
    # Errors of shuffled rows of 0, 10%, ..., 100%: 80% of them are at most 80%, 90% at most 90%.
    monkeypatch.setattr(prediction_intervals, "_shuffled_errors", lambda params, train: np.arange(11) / 10)
    # The mean cost is 6. A phase of cost 5 is off by 1 / 6, one of cost 11.1 by 85% of the prediction.
    table = programs_of_cost(FIVE | {"new": 5.0})
    table.frame.loc[(table.frame["program"] == "new") & (table.frame["phase"] == 1), "CYCLES"] = 200 * 11.1
    whole = program_intervals(table, MEAN.but(held_out="new")).whole
    assert [whole[f"shuffled_width_{name}"] for name in ("80", "90")] == pytest.approx([0.8, 0.9])
    assert [whole[f"shuffled_covered_{name}"] for name in ("80", "90")] == [0.5, 1]


def one(covered: bool, *, low: float, high: float, phases: float, shuffled: float, shuffled_width: float) -> ProgramIntervals:
    whole: dict[str, object] = {"program": "p", "phases": 1, "measured": 100.0, "predicted": 100.0, "distance": 0.0, "far": False}
    for name in ("80", "90"):
        whole |= {f"low_{name}": low, f"high_{name}": high, f"covered_{name}": covered, f"phases_covered_{name}": phases}
        whole |= {f"shuffled_covered_{name}": shuffled, f"shuffled_width_{name}": shuffled_width}
    return ProgramIntervals(phases=pd.DataFrame({"phase": [0]}), whole=whole, notes=("same",), params=MEAN)


def test_what_the_intervals_of_all_programs_cover() -> None:
    found = gathered_intervals(
        programs_of_cost(FIVE),
        MEAN,
        [
            one(True, low=90, high=110, phases=1.0, shuffled=1.0, shuffled_width=0.1),
            one(True, low=50, high=150, phases=0.8, shuffled=0.85, shuffled_width=0.2),
            one(False, low=10, high=70, phases=0.0, shuffled=0.0, shuffled_width=0.6),
        ],
    )
    coverage = found.coverage.set_index(["way", "promised"])
    own = coverage.loc[(JACKKNIFE, 0.8)]
    assert (own["programs"], own["covered"]) == (3, 2)
    assert own["phases_covered"] == pytest.approx(0.6)
    # Half of 20, 100 and 60 over the prediction of 100: 0.1, 0.5, 0.3; the median is 0.3.
    assert own["half_width"] == pytest.approx(0.3)
    # With rows shuffled two programs have at least 80% of their phases held, one at least 90%.
    assert [coverage.loc[(SHUFFLED, promised), "covered"] for promised in (0.8, 0.9)] == [2, 1]
    assert coverage.loc[(SHUFFLED, 0.8), "phases_covered"] == pytest.approx(1.85 / 3)
    assert coverage.loc[(SHUFFLED, 0.8), "half_width"] == pytest.approx(0.2)
    assert found.notes == ("same",)


def test_intervals_of_every_program() -> None:
    found = intervals(programs_of_cost(FIVE), MEAN)
    assert found.programs["program"].tolist() == list(FIVE)
    # The mean of the other four.
    assert (found.programs["predicted"] / 300).tolist() == pytest.approx([6.5, 6.25, 6, 5.75, 5.5])


def test_three_programs_to_learn_from_are_needed() -> None:
    with pytest.raises(ParameterError, match="until there are at least 4"):
        intervals(programs_of_cost({"a": 1.0, "b": 2.0, "c": 3.0}), MEAN)
    assert np.isfinite(intervals(programs_of_cost({"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0}), MEAN).coverage["half_width"]).all()


def test_a_temperature_of_a_program_is_the_mean_of_its_phases() -> None:
    """As above, of a target that does not add up over two phases: half of each sum."""
    table = programs_of_cost(FIVE | {"new": 8.5})
    warm = PhaseTable(frame=table.frame.rename(columns={"CYCLES": "temp"}), counters=("temp", "Ir"))
    whole = program_intervals(warm, MEAN.but(held_out="new", target="temp")).whole
    assert [whole[name] for name in ("measured", "predicted", "low_80", "high_80")] == pytest.approx([1275, 900, 450, 1350])
    assert whole["covered_80"]


def test_intervals_of_the_evaluation_itself_are_errors_of_the_other_programs() -> None:
    # Predicted 100 each; measured 110, 80 and 150: totals off by 10%, 20% and 50%.
    phases = pd.DataFrame(
        {"program": list("abc"), "granularity": 1, "load": "x", "phase": 0, "measured": [110.0, 80.0, 150.0], "Ridge": 100.0}
    )
    scores = program_scores(phases, ("Ridge",))
    found = left_out_intervals(
        Evaluation(
            phases=phases, programs=scores, summary=summary(scores), settings=pd.DataFrame(), by_measuring=(), models=("Ridge",),
            target="CYCLES", notes=(), params=PredictionParams(),
        ),
        PredictionParams(),
    )  # fmt: skip
    # Of two other programs the 80% interval has no upper rank: the larger error is its end, and 0 the other one.
    assert found.programs["high_80"].tolist() == [pytest.approx(150), pytest.approx(150), pytest.approx(120)]
    assert found.programs["low_80"].tolist() == [0, 0, 0]
    assert found.programs["covered_80"].tolist() == [True, True, False]
    # Each has one phase, so that of phases is the same.
    assert found.phases["high_80"].tolist() == [pytest.approx(150), pytest.approx(150), pytest.approx(120)]
    assert (found.model, found.way) == ("Ridge", LEFT_OUT)
    assert found.coverage["covered"].tolist() == [2, 2]
    assert interval_verdict(found).trust.startswith("Fewer than the promised")
