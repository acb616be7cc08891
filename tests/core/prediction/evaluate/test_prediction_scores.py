"""Scores of five phases by hand."""

import numpy as np
import pandas as pd
import pytest

from hemcore.prediction.evaluate.prediction_scores import independent_errors, program_scores, summary


def phases() -> pd.DataFrame:
    """Program a: off by 10%, 20% and 60%; program b: exact, then 40% too little."""
    return pd.DataFrame(
        {
            "program": ["a", "a", "a", "b", "b"],
            "granularity": 10,
            "load": "single core",
            "measured": [100.0, 100.0, 200.0, 10.0, 10.0],
            "model": [110.0, 80.0, 320.0, 10.0, 6.0],
        }
    )


def test_errors_of_a_program() -> None:
    found = program_scores(phases(), ["model"]).set_index("program")
    # 10%, 20%, 60%: mean 30%, median 20%. In all 510 for 400.
    assert found.loc["a", "mape"] == pytest.approx(0.3)
    assert found.loc["a", "median_ape"] == pytest.approx(0.2)
    assert found.loc["a", "whole_error"] == pytest.approx(510 / 400 - 1)
    # Squares 100, 400, 14400 over those around the mean of 133.3: 2 * 33.3^2 + 66.7^2 = 6666.7.
    assert found.loc["a", "r2"] == pytest.approx(1 - 14_900 / (20_000 / 3))
    assert found.loc["b", "mape"] == pytest.approx(0.2)
    assert found.loc["b", "whole_error"] == pytest.approx(-0.2)
    assert np.isnan(found.loc["b", "r2"])
    assert found["phases"].tolist() == [3, 2]


def test_a_summary_over_programs_with_the_best_model_first() -> None:
    programs = pd.DataFrame(
        {
            "granularity": 10,
            "load": "single core",
            "program": ["a", "b", "c"] * 2,
            "model": ["bad"] * 3 + ["good"] * 3,
            "mape": [0.5, 0.1, 0.9, 0.1, 0.2, 0.6],
            "median_ape": [0.4, 0.1, 0.4, 0.1, 0.1, 0.1],
            "whole_error": [-0.6, 0.3, 0.0, 0.1, 0.1, -0.4],
        }
    )
    found = summary(programs).set_index("model")
    assert list(found.index) == ["good", "bad"]
    bad = found.loc["bad"]
    assert bad[["mape_mean", "mape_median", "median_ape_mean"]].tolist() == pytest.approx([0.5, 0.5, 0.3])
    # Sizes 0.6, 0.3, 0.
    assert bad[["whole_mean", "whole_median"]].tolist() == pytest.approx([0.3, 0.3])
    assert (bad["worst"], bad["worst_program"], bad["programs"]) == (0.9, "c", 3)
    assert found.loc["good", "mape_median"] == pytest.approx(0.2)


def test_a_program_without_a_prediction_is_not_counted() -> None:
    frame = phases()
    frame.loc[0, "model"] = np.nan
    found = summary(program_scores(frame, ["model"])).iloc[0]
    assert (found["programs"], found["mape_mean"]) == (1, pytest.approx(0.2))


def test_phases_that_err_alike_are_one_error() -> None:
    programs = np.repeat(["a", "b", "c"], 10)
    noise = np.tile([0.02, -0.02], 15)
    # Means of 0 in each program: every phase is an error of its own.
    assert independent_errors(noise, programs) == 30
    # Means of -6%, 0 and 6% at a deviation of 2%: between 10 * 2 * .06^2 / 2 = .036, within 30 * .02^2 / 27 = .00044, F = 81.
    assert independent_errors(noise + np.repeat([-0.06, 0.0, 0.06], 10), programs) == 3
    # Differences of a thousandth do not matter, however regular the errors are.
    assert independent_errors(np.repeat([0.001, 0.0, -0.001], 10), programs) == 30
    assert independent_errors(np.repeat([0.01, 0.0, -0.01], 10), programs) == 3
    # One phase per program; one program; unknown; none.
    assert independent_errors(noise[:4], np.array(["a", "b", "c", "d"])) == 4
    assert independent_errors(noise[:10], programs[:10]) == 10
    assert independent_errors(np.array([0.1, np.nan]), np.array(["a", "b"])) == 0
    assert independent_errors(np.zeros(0), np.zeros(0)) == 0
