"""A table of several sets of runs of the same HEMs is not compared as one without a word."""

import pandas as pd

from hemcore.compare import compare
from hemcore.compare.analysis import two_run_sets
from hemcore.compare.headline import verdict
from hemcore.compare.params import CompareParams
from hemcore.compare.replicates import replicates_of
from hemcore.compare.run_sets import run_set_of
from hemcore.compare.two_sets import comparison_of
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.headline import Verdict


def runs(cycles: int) -> pd.DataFrame:
    """40 runs of `cycles` and 0 to 9 more, in an order without drift, as many as a verdict asks for."""
    return pd.DataFrame({"cycles": [cycles + run * 7 % 10 for run in range(40)]})


def sets(**cycles: int) -> Subexperiments:
    return Subexperiments(frames=tuple(runs(each) for each in cycles.values()), n_pmcs=1, labels=tuple(cycles))


ONE = Subexperiments(frames=(runs(1_000),), n_pmcs=1)
THREE = sets(base=1_000, o2=2_000, o3=3_000)


def judged(before: Subexperiments, after: Subexperiments, named: str = "") -> Verdict:
    params = CompareParams(before=named)
    return verdict(comparison_of(replicates_of(run_set_of(before), run_set_of(after), params), params))


def test_three_sets_and_one_of_them_are_no_change_from_1000_to_the_mean_of_all() -> None:
    assert (THREE.sets, ONE.sets) == (3, 1)
    found = judged(ONE, THREE)
    assert (found.level, found.trust) == ("limited", "After holds 3 sets of runs of the same HEMs, compared here as one.")
    step, *_ = found.remedies
    assert (step.label, step.page, step.choose) == ("Split into 3 sets to compare", "data", {"opened": ""})
    assert not found.too_long()


def test_the_sets_before_are_split_where_they_are() -> None:
    found = judged(THREE, ONE, named="id of three")
    assert found.trust == "Before holds 3 sets of runs of the same HEMs, compared here as one."
    assert found.remedies[0].choose == {"opened": "id of three"}


def test_halves_of_three_sets_are_three_sets() -> None:
    before, after = two_run_sets(THREE, CompareParams())
    found = replicates_of(before, after, CompareParams(), halves=True)
    assert found.sets == (3, 3)


def test_sets_of_the_same_names_and_one_set_are_compared_as_they_are() -> None:
    faster = sets(base=900, o2=1_800, o3=2_700)
    assert compare(THREE, faster).sets == (1, 1)
    assert verdict(compare(ONE, Subexperiments(frames=(runs(1_100),), n_pmcs=1))).level == "good"
    plan = Subexperiments(frames=(runs(1), runs(2).rename(columns={"cycles": "loads"})), n_pmcs=1)
    assert plan.sets == 1, "a plan's subexperiments read other HEMs"
