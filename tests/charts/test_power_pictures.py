"""Pictures of power and energy, of two programs."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hemcore.charts.colours import MUTED, SERIES
from hemcore.charts.prediction import phases
from hemcore.charts.prediction.power import frequency_curves, left_out_errors, watt_stack
from hemcore.charts.prediction.view import PredictionView
from tests.core.prediction.made import phases as made

TERMS = [f"event {number}" for number in range(8)]


def model() -> Any:
    # The terms of a take 1 to 8 W, those of b three times as much.
    rows = [(name, term, factor * (1.0 + at)) for name, factor in (("a", 1), ("b", 3)) for at, term in enumerate(TERMS)]
    programs = pd.DataFrame(
        {
            "program": ["a", "b"], "measured": [100.0, 200.0], "predicted": [110.0, 150.0], "low": [90.0, 140.0], "high": [140.0, 180.0],
            "covered": [1.0, 0.0], "mape": [0.1, 0.3], "error": [0.1, -0.25],
        }
    )  # fmt: skip
    clocks = pd.DataFrame({"mhz": [1000.0, 2000.0], "power": [0.1, 0.2], "energy": [0.3, 0.4], "moved_time": 0.5, "moved_energy": 0.6})
    measured = pd.DataFrame(
        {"program": ["a", "a", "b"], "mhz": [1000.0, 2000, 2000], "joules": [10.0, 20, 99], "seconds": [4.0, 2, 9], "watts": [2.5, 10, 11]}
    )
    return SimpleNamespace(
        stack=pd.DataFrame(rows, columns=["program", "term", "watts"]), target="W", programs=programs, clocks=clocks, measured=measured,
    )  # fmt: skip


def scene() -> Any:
    curve = pd.DataFrame(
        {"mhz": [1000.0, 1500, 2000], "joules": [10.0, 12, 20], "low": [8.0, 9, 15], "high": [13.0, 16, 26], "seconds": [4.0, 3, 2],
         "watts": [2.5, 4, 10], "edp": [40.0, 36, 40]}
    )  # fmt: skip
    changed = SimpleNamespace(joules=12.0, seconds=3.0, watts=4.0, ghz=1.5, edp=36.0)
    found = SimpleNamespace(model=model(), curve=curve, changed=changed, program="a", outside=[])
    return SimpleNamespace(result=found, view=PredictionView(), question=SimpleNamespace(dataset="d"), baseline=None)


def test_watts_are_stacked_by_term_and_small_terms_are_together() -> None:
    (figure,) = watt_stack.draw(scene())
    # 24 + 21 + ... W of b, which takes more; the least term of the eight stands for the others.
    assert list(figure.layout.yaxis.ticktext) == ["b", "a"]
    shown = {trace.name: (trace.x.tolist(), trace.marker.color) for trace in figure.data}
    assert shown["event 7"] == ([24, 8], SERIES[0])
    assert shown["event 1"] == ([6, 2], SERIES[6])
    assert shown["other events"] == ([3, 1], MUTED)
    # A share of 8 in 36 in both programs.
    assert watt_stack.caption(scene()).startswith("On average: event 7 22%, event 6 19%, event 5 17%.")


def test_energy_predicted_over_measured_with_its_interval() -> None:
    (figure,) = left_out_errors.draw_programs(scene())
    (dots,) = figure.data
    found = dict(
        zip(
            figure.layout.yaxis.ticktext,
            zip(dots.x, dots.error_x.array, dots.error_x.arrayminus, dots.marker.symbol, strict=True),
            strict=True,
        )
    )
    assert found["a"][:3] == pytest.approx((1.1, 0.3, 0.2))
    assert found["b"][:3] == pytest.approx((0.75, 0.15, 0.05))
    assert (found["a"][3], found["b"][3]) == ("circle", "x")
    (clocks,) = left_out_errors.draw_clocks(scene())
    assert [list(trace.x) for trace in clocks.data] == [["1,000", "2,000"]] * 4
    assert [trace.y.tolist()[0] for trace in clocks.data] == pytest.approx([0.1, 0.3, 0.6, 0.5])


def test_a_program_at_every_frequency() -> None:
    (figure,) = frequency_curves.draw(scene())
    asked = [trace for trace in figure.data if trace.name == "what you asked for"]
    assert [(trace.x[0], trace.y[0]) for trace in asked] == [(1500, 12), (1500, 3), (1500, 4)]
    measured = [trace for trace in figure.data if trace.name == "measured"]
    assert [trace.y.tolist() for trace in measured] == [[10, 20], [4, 2], [2.5, 10]]
    (band,) = [trace for trace in figure.data if str(trace.name).endswith("interval")]
    # There along the upper ends, back along the lower ones.
    assert (band.x.tolist(), band.y.tolist()) == ([1000, 1500, 2000, 2000, 1500, 1000], [13, 16, 26, 15, 9, 8])


def test_phases_by_how_far_the_program_is() -> None:
    table = made(2, 6)
    groups = phases._by_number(table, np.arange(6))
    assert groups.codes.tolist() == [0, 1, 2, 3, 4, 5]
    assert groups.names[1] == "16% to 33% of the program"
    assert phases._by_number(made(2, 2), np.arange(2)).codes.tolist() == [0, 5]
