"""Cost stacks worked out by hand: exact costs, and the odds of a bootstrap over four programs."""

import numpy as np
import pytest

from hemcore.prediction import PredictionParams, cost_stack
from tests.core.prediction.few_programs import programs_of_cost


def test_shares_of_known_costs() -> None:
    # CYCLES are 1 an instruction and 10 a miss (D1mr, first level): with 100 instructions and 0, 10, 30 misses 100, 200, 400.
    table = programs_of_cost({"a": 1.0, "b": 1.0}, (100, 100, 100), D1mr=(0, 10, 30))
    frame = table.frame
    frame["CYCLES"] = frame["Ir"] + 10 * frame["D1mr"]
    # Program b has no misses but in its last phase.
    frame.loc[(frame["program"] == "b") & (frame["phase"] == 1), ["D1mr", "CYCLES"]] = [0, 100]
    found = cost_stack(table, PredictionParams(n_bootstrap=20))
    assert found.groups == ("base", "L1")
    assert found.costs.set_index("counter")["cost"].to_dict() == pytest.approx({"Ir": 1, "D1mr": 10}, rel=1e-3)
    shares = found.programs.set_index(["program", "group"])["share"]
    # Program a: 300 of 700 are instructions; program b: 300 of 600.
    assert shares["a", "base"] == pytest.approx(3 / 7, rel=1e-3)
    assert shares["b", "base"] == pytest.approx(1 / 2, rel=1e-3)
    # Each program counts the same.
    assert found.overall.loc["base", "share"] == pytest.approx((3 / 7 + 1 / 2) / 2, rel=1e-3)
    assert found.programs["predicted_over_measured"].to_numpy() == pytest.approx(1, rel=1e-3)
    assert found.programs.set_index("program")["target"].to_dict() == {"a": 700, "b": 600}


def test_the_intervals_hold_90_percent_of_the_bootstrap() -> None:
    # Two programs of cost 1 and two of cost 10. The least mean relative error is at 10 only where all four draws are programs of cost 10
    # (one draw of cost 1 weighs ten of cost 10): 1 / 16 of the bootstraps. That is more than the 5% above a 90% interval and less than the
    # 10% above an 80% one.
    found = cost_stack(programs_of_cost({"a": 1.0, "b": 1.0, "c": 10.0, "d": 10.0}), PredictionParams(n_bootstrap=2_000))
    cost = found.costs.iloc[0]
    assert cost["cost"] == pytest.approx(1, rel=1e-3)
    assert (cost["low"], cost["high"]) == pytest.approx((1, 10), rel=1e-3)
    assert np.isclose(found.overall.loc["base"], 1).all()


def test_few_phases_weigh_as_much_as_many() -> None:
    # Costs 1, 1.9 and 1.9 per instruction: from 1 to 1.9 the first program's error grows by 1 per unit of cost, and that of the other two
    # falls by 2 / 1.9 per unit, so 1.9 is best. Were phases counted, the eight of the first program would outweigh the one of each other.
    table = programs_of_cost({"a": 1.0, "b": 1.9, "c": 1.9}, range(100, 108))
    frame = table.frame
    few = frame[(frame["program"] == "a") | (frame["phase"] < 1)]
    found = cost_stack(type(table)(frame=few, counters=table.counters), PredictionParams(n_bootstrap=20))
    assert found.costs["cost"].iloc[0] == pytest.approx(1.9, rel=1e-3)
    # Of a, 1.9 times what was measured is predicted.
    assert found.programs.set_index("program")["predicted_over_measured"].to_dict() == pytest.approx({"a": 1.9, "b": 1, "c": 1}, rel=1e-3)
