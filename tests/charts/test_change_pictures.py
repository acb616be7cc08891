"""What-if's pictures by hand: the interval on its side, an axis that holds it, a curve that is faint where it is far."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hemcore.analysis import Question
from hemcore.charts.colours import SERIES, faint
from hemcore.charts.picture import Scene
from hemcore.charts.prediction import change_answers
from hemcore.charts.prediction.view import PredictionView
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.prediction import PredictionParams
from hemcore.prediction.analysis import WHAT_IF
from hemcore.prediction.evaluate.scenarios import WhatIf


@pytest.fixture(scope="module")
def found() -> WhatIf:
    """Three programs of 12 phases; what is drawn of it is written below."""
    rows = pd.DataFrame({"program": np.repeat(["a", "b", "c"], 12), "granularity": 10, "load": "one", "phase": np.arange(36)})
    rows = rows.assign(Ir=1000.0, D1mr=np.tile(np.arange(1.0, 13), 3))
    table = PhaseTable(frame=rows.assign(CYCLES=rows["Ir"] + 20 * rows["D1mr"]), counters=("CYCLES", "Ir", "D1mr"))
    return WHAT_IF.of(table, PredictionParams(models="cost per event; OLS", held_out="none", scope="all programs"))


def drawn(found: WhatIf, **given: Any) -> Any:
    assert found.change is not None
    models = pd.DataFrame(
        {"model": ["OLS", "cost per event"], "change": [-0.1, -0.2], "mape": [0.05, 0.1], "answers": [False, True], "why": ["no", ""]}
    )
    fields: dict[str, Any] = {"asked": {"D1mr": -0.5}, "models": models, "model": "cost per event", "change": -0.2, "far": False}
    change = replace(found.change, **fields | {"low": -0.3, "high": -0.15} | given)
    question = Question(analysis=WHAT_IF, dataset="made", params=found.params)
    result = replace(found, change=change)
    return change_answers.change_figures(Scene(question=question, table=None, result=result, view=PredictionView()))


def test_the_interval_is_on_its_side_of_the_answer_which_comes_first(found: WhatIf) -> None:
    answers = drawn(found)[0]
    first, second = answers.data[:2]
    assert (first.x[0], second.x[0]) == (-0.2, -0.1)
    assert (first.error_x.array[0], first.error_x.arrayminus[0]) == pytest.approx((0.05, 0.1))
    assert second.error_x.array is None
    assert (first.marker.symbol, second.marker.symbol) == ("pentagon", "circle-open")
    # From the interval's end to 0, and 6% more on both sides.
    assert list(answers.layout.xaxis.range) == pytest.approx([-0.318, 0.018])


def test_a_wide_interval_leaves_the_answers_apart(found: WhatIf) -> None:
    # Answers reach over 0.2: the axis shows as much again of an interval, to -0.4 and 0.2.
    assert list(drawn(found, low=-5.0, high=3.0)[0].layout.xaxis.range) == pytest.approx([-0.436, 0.236])


def test_the_curve_is_solid_where_it_is_near_alone(found: WhatIf, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = pd.DataFrame({"share": [-1.0, -0.5, 0.0], "change": [-0.4, -0.2, 0.0], "far": [True, False, False]})
    monkeypatch.setattr(change_answers, "_curve_of", lambda found, counter: rows)
    whole, near, asked = drawn(found)[1].data
    assert list(whole.y) == [-0.4, -0.2, 0]
    assert np.isnan(near.y[0])
    assert list(near.y[1:]) == [-0.2, 0]
    assert (asked.x[0], asked.y[0]) == (-0.5, -0.2)


def test_at_rest_half_of_each_counter_is_drawn_and_what_is_far_is_pale(found: WhatIf, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = pd.DataFrame({"counter": ["Ir", "D1mr"], "change": [-0.5, 0.1], "far": [False, True]})
    monkeypatch.setattr(change_answers, "_effects_of", lambda found: rows)
    (bars,) = drawn(found, asked={})
    assert list(bars.data[0].x) == [-0.5, 0.1]
    assert list(bars.data[0].marker.color) == [SERIES[0], faint(SERIES[3], 0.4)]
    # On both sides 22% of what the bars reach over, 0.6, for their numbers: on a phone -50.0% lay on the axis.
    assert list(bars.layout.xaxis.range) == pytest.approx([-0.632, 0.232])
