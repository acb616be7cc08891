"""Scores of five phases by hand."""

import numpy as np
import pandas as pd
import pytest

from hemcore.prediction.evaluate.prediction_scores import program_scores, summary


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
