"""Projections whose directions are known beforehand, and the identities that every projection keeps."""

import numpy as np
import pandas as pd
import pytest

from hemcore.errors import ParameterError
from hemcore.prediction.explore.principal_components import project


def noisy(n: int = 400) -> pd.DataFrame:
    random = np.random.default_rng(3)
    x = random.normal(0, 1, n)
    return pd.DataFrame({"Ir": 1000 + 100 * x, "a": 50 + 5 * x + random.normal(0, 0.1, n), "b": 7 + random.normal(0, 2, n)})


def test_two_counters_in_step_are_one_direction() -> None:
    found = project(pd.DataFrame({"a": [1.0, 2, 3, 4], "b": [10.0, 20, 30, 40]}), n_components=2)
    assert found.explained == pytest.approx([1, 0])
    assert found.loadings["PC1"].tolist() == pytest.approx([2**-0.5] * 2)
    # Standardised (by n) 1 .. 4 are -1.34 .. 1.34, both counters alike.
    assert found.scores["PC1"].tolist() == pytest.approx([2**0.5 * each for each in (-1.3416, -0.4472, 0.4472, 1.3416)], abs=1e-4)


@pytest.mark.parametrize("scale", ["standardised", "as counted"])
def test_all_directions_together_are_the_counts_again(scale: str) -> None:
    frame = noisy()
    found = project(frame, n_components=3, scale=scale)
    again = found.scores.to_numpy() @ found.loadings.to_numpy().T * found.spread.to_numpy() + found.centre.to_numpy()
    np.testing.assert_allclose(again, frame.to_numpy(), rtol=1e-9)
    np.testing.assert_allclose(found.loadings.T @ found.loadings, np.eye(3), atol=1e-12)
    assert found.explained.sum() == pytest.approx(1)
    assert (np.diff(found.explained) <= 0).all()
    variances = found.scores.var(ddof=0).to_numpy()
    np.testing.assert_allclose(variances / variances.sum(), found.explained, atol=1e-12)
    assert all(found.loadings[part].iloc[found.loadings[part].abs().argmax()] > 0 for part in found.loadings)


def test_as_counted_the_largest_counter_decides() -> None:
    assert project(noisy(), n_components=1, scale="as counted").loadings["PC1"].idxmax() == "Ir"
    assert project(noisy(), n_components=1, scale="as counted").explained[0] > 0.99
    assert project(noisy(), n_components=1).explained[0] < 0.7


def test_per_instruction_long_phases_are_no_other_phases() -> None:
    rates = pd.DataFrame({"a": [0.1, 0.2, 0.3, 0.1], "b": [0.5, 0.1, 0.4, 0.5]})
    work = np.array([100.0, 200, 300, 5000])
    found = project(rates.mul(work, axis=0).assign(Ir=work), n_components=2, scale="per instruction")
    np.testing.assert_allclose(found.scores.iloc[0], found.scores.iloc[3], atol=1e-9)
    assert found.left_out == {"Ir": "the other counters are divided by it"}


def test_constant_counters_and_rows_with_gaps_are_left_out_and_named() -> None:
    frame = noisy(10).assign(c=5.0, d=np.nan)
    frame.loc[2, "a"] = np.nan
    found = project(frame)
    assert found.left_out == {"c": "constant", "d": "never counted"}
    assert found.n_missing == 1
    assert 2 not in found.scores.index
    assert list(found.scores) == ["PC1", "PC2", "PC3"]


def test_there_are_no_more_directions_than_the_rows_have() -> None:
    assert list(project(noisy(2)).scores) == ["PC1"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"n_components": 0}, "n_components: 0 must be a whole number of at least 1"),
        ({"scale": "log"}, "scale: 'log' is not known"),
        ({"table": pd.DataFrame({"a": [1.0], "b": [2.0]})}, "1 of 1 have every counter"),
        ({"table": pd.DataFrame({"a": [1.0, 1], "b": [2.0, 2]})}, "no counter varies"),
        ({"table": pd.DataFrame({"a": [1.0, 2]}), "scale": "per instruction"}, "executed instructions were not counted"),
        ({"table": pd.DataFrame({"a": [0.0, 1e300]}), "scale": "as counted"}, "too large for an unscaled projection"),
    ],
)
def test_what_cannot_be_projected_is_told(change, said: str) -> None:
    arguments = {"table": noisy()} | change
    with pytest.raises(ParameterError, match=said):
        project(arguments.pop("table"), **arguments)
