"""Identities that definitions declare with ==: their coefficients by hand, and checked wherever their HEMs were read together."""

import numpy as np
import pandas as pd
import pytest

import hemcore as hem
from hemcore.compare.contradictions.identity_declarations import declared_identities
from hemcore.datasets.tables.metric_definitions import MetricDefinitions


def definitions(*formulas: str) -> MetricDefinitions:
    return MetricDefinitions(frame=pd.DataFrame({"name": [f"m{n}" for n in range(len(formulas))], "formula": formulas}))


@pytest.mark.parametrize(
    ("formula", "terms"),
    [
        ("A + B == C", {"A": 1, "B": 1, "C": -1}),
        ("2 * (A - B) == C / 4", {"A": 2, "B": -2, "C": -0.25}),
        ("A == -B * 3 + A + C", {"B": 3, "C": -1}),
        ("64 * A == B", {"A": 64, "B": -1}),
    ],
)
def test_sums_and_multiples_by_hand(formula: str, terms: dict[str, float]) -> None:
    (found,) = declared_identities(definitions(formula), "ABC")
    assert dict(found.terms) == terms


@pytest.mark.parametrize("formula", ["A * B == C", "A + 1 == B", "A == A", "A / B == C", "A + D == B", "max(A, B) == C", "A + B"])
def test_others_are_left_out(formula: str) -> None:
    assert declared_identities(definitions(formula), "ABC") == []


def _runs(loads: float, seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    hits, misses = rng.integers(9_000, 11_000, 40), rng.integers(500, 700, 40)
    return pd.DataFrame({"HITS": hits, "MISSES": misses, "LOADS": loads * (hits + misses)}).astype(float)


def test_a_declared_identity_is_checked_though_no_set_shows_it() -> None:
    # Loads are 5% too low in both sets: nothing but the declaration says so.
    sets = [_runs(0.95, seed) for seed in (1, 2)]
    assert hem.identities(*sets).table.query("not holds").empty
    found = hem.identities(*sets, definitions={"loads hit or miss": "HITS + MISSES == LOADS"}, names=["old", "new"]).table
    broken = found[~found["holds"]]
    assert broken["found_in"].tolist() == ["declared"] * 2
    assert broken["checked_in"].tolist() == ["old", "new"]
    assert broken["hem"].tolist() == ["LOADS"] * 2
    assert broken["factor"].tolist() == pytest.approx([0.95] * 2)


def test_the_set_of_the_project_that_fits_is_the_default() -> None:
    found = hem.identities("series-synthetic").table
    declared = found[found["found_in"] == "declared"]
    assert "SYN_L1D_HITS + SYN_L1D_MISSES = SYN_OPS_LOADS" in declared["identity"].tolist()


def test_sets_of_two_kinds_are_refused() -> None:
    with pytest.raises(hem.HemError, match="Subexperiments and SignatureTable; all sets must be of one kind"):
        hem.identities(_runs(1, 1), "signatures")
    with pytest.raises(hem.HemError, match=r"hem.identities\(frame\)"):
        hem.identities()
