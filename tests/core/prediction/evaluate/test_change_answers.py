"""What a what-if says over the range of a counter and in its verdict, and the slope that tells how well a model responds."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.prediction import PredictionParams
from hemcore.prediction.analysis import WHAT_IF
from hemcore.prediction.evaluate.change_curves import change_curve
from hemcore.prediction.evaluate.scenarios import WhatIf
from hemcore.prediction.models.trained_models import _slope


@pytest.fixture(scope="module")
def found() -> WhatIf:
    """Four programs of 30 phases of 1,000 instructions and 1 to 90 misses: CYCLES are Ir + 10 D1mr, give or take 5%."""
    random = np.random.default_rng(0)
    parts = []
    for program in range(4):
        misses = random.integers(1, 90, 30).astype(float)
        keys = {"program": f"p{program}", "granularity": 10, "load": "single core", "phase": np.arange(30)}
        parts.append(pd.DataFrame(keys | {"Ir": 1_000.0, "D1mr": misses, "CYCLES": (1_000 + 10 * misses) * random.uniform(0.95, 1.05, 30)}))
    table = PhaseTable(frame=pd.concat(parts, ignore_index=True), counters=("CYCLES", "Ir", "D1mr"))
    params = PredictionParams(models="cost per event", held_out="none", scope="all programs", together=True, change="Ir +100%")
    return WHAT_IF.of(table, params)


def test_a_curve_is_of_shares_however_many_phases_there_are(found: WhatIf) -> None:
    # Twice the instructions and all that goes along: twice the time, none: none; of 120 phases it asks 40.
    curve = change_curve(found, "Ir", (-1.0, 0.5, 1.0))
    assert curve["share"].tolist() == [-1.0, 0.5, 1.0]
    assert curve["change"].tolist() == pytest.approx([-1, 0.5, 1], abs=1e-6)


def test_an_interval_on_both_sides_of_nothing_leaves_the_sign_open(found: WhatIf) -> None:
    assert WHAT_IF.verdict is not None
    assert found.change is not None
    told = WHAT_IF.verdict(replace(found, change=replace(found.change, change=-0.05, low=-0.1, high=0.02)))
    assert told.answer.startswith("Direction unclear: ")
    assert told.trust.startswith("80% interval −10% to +2%")
    assert told.trust.endswith("Do not rely on the sign.")
    assert told.level == "poor"
    below = WHAT_IF.verdict(replace(found, change=replace(found.change, change=-0.05, low=-0.1, high=-0.02)))
    assert below.trust.startswith("80% interval −10% to −2%")


def test_the_slope_of_what_was_measured_on_what_was_predicted() -> None:
    # Measured goes with the predicted to the power of 1.5: 0.5 too steep. Logs -1 and 1 vary by 1.
    predicted = np.exp([-1.0, 1.0])
    assert _slope(predicted**1.5, predicted) == pytest.approx((0.5, 1.0))
    assert _slope(np.array([1.0, 2.0]), np.array([3.0, 3.0])) == (0.0, 0.0)
