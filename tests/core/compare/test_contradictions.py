"""Contradictions between counts: identities found, broken ones named with their factor, clean tables left in peace."""

import numpy as np
import pandas as pd
import pytest

from hemcore.compare.contradictions import LinearIdentity, identities, linear_identities
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import ParameterError

SUM = LinearIdentity(terms=(("accesses", 1.0), ("loads", -1.0), ("stores", -1.0)))


def runs(seed: int, n: int = 40, spread: float = 0.05) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    length = np.exp(rng.normal(0, spread, n))[:, None]
    counts = np.round(np.array([70_000, 30_000, 5_000, 900_000]) * length * np.exp(rng.normal(0, spread / 3, (n, 4))))
    frame = pd.DataFrame(counts, columns=["loads", "stores", "misses", "cycles"])
    return frame.assign(accesses=frame["loads"] + frame["stores"])


def table(*frames: pd.DataFrame) -> Subexperiments:
    return Subexperiments(frames=frames, n_pmcs=8)


def broken(found: pd.DataFrame) -> pd.DataFrame:
    return found[~found["holds"].astype(bool)]


def test_sums_multiples_and_equal_hems_are_found() -> None:
    frame = runs(1).assign(lines=lambda f: 64 * f["misses"], retired=lambda f: f["cycles"])
    assert sorted(str(each) for each in linear_identities(frame)) == ["64 misses = lines", "accesses = loads + stores", "cycles = retired"]
    (one,) = linear_identities(runs(1))
    assert one.hems == ("accesses", "loads", "stores")
    assert one.share == 0
    np.testing.assert_array_equal(one.parts(runs(1))[0], runs(1)[["accesses", "loads", "stores"]].iloc[0] * [1, -1, -1])


def test_two_against_two_is_found() -> None:
    frame = runs(2)[["loads", "stores", "misses"]].assign(rest=lambda f: f["loads"] + f["stores"] - f["misses"])
    assert [str(each) for each in linear_identities(frame)] == ["loads + stores = misses + rest"]


def test_a_sum_with_skid_is_found_and_a_chance_one_is_not() -> None:
    rng = np.random.default_rng(3)
    near = runs(3, spread=0.2).assign(accesses=lambda f: f["accesses"] + rng.integers(-3, 4, len(f)))
    assert [str(each) for each in linear_identities(near)] == ["accesses = loads + stores"]
    # 1% apart and as unsteady as its terms.
    apart = runs(3).assign(accesses=lambda f: np.round(1.003 * (f["loads"] + f["stores"]) * np.exp(rng.normal(0, 0.02, len(f)))))
    assert linear_identities(apart) == []


def test_too_few_runs_and_uncounted_hems_show_nothing() -> None:
    assert linear_identities(runs(1, n=4)) == []
    assert len(linear_identities(runs(1, n=5))) == 1
    assert linear_identities(runs(1).assign(accesses=np.nan)) == []
    # 0 = 0 + 0 says nothing.
    assert linear_identities(runs(1)[["loads", "cycles"]].assign(none=0.0, never=0.0)) == []


@pytest.mark.parametrize("hem", ["loads", "stores", "accesses"])
@pytest.mark.parametrize("factor", [1.05, 0.95])
def test_a_scaled_hem_is_named_with_its_factor(hem: str, factor: float) -> None:
    wrong = runs(5).assign(**{hem: lambda f: np.round(factor * f[hem])})
    found = broken(identities(table(runs(4), wrong, runs(6))))
    row = found[found["identity"] == "accesses = loads + stores"].iloc[0]
    assert (row["hem"], row["found_in"], row["checked_in"]) == (hem, "subexperiment 1", "subexperiment 2")
    assert row["factor"] == pytest.approx(factor, abs=1e-3)
    assert row["low"] <= row["factor"] <= row["high"]
    assert f"{hem} counts 5.0% {'more' if factor > 1 else 'less'}" in row["sentence"]
    # The same HEM is not accused twice.
    assert list(found["identity"]) == ["accesses = loads + stores"]


def test_the_likely_reason() -> None:
    def of(**columns: object) -> str:
        wrong = runs(5).assign(**columns)  # type: ignore[arg-type]
        found = broken(identities(table(runs(4), wrong), declared=[SUM]))
        return str(found[found["checked_in"] == "subexperiment 2"]["reason"].iloc[0])

    rng = np.random.default_rng(0)
    assert "shifted by a power of two" in of(loads=lambda f: f["loads"] / 4)
    assert "power of ten" in of(loads=lambda f: f["loads"] * 1000)
    assert "one of 8 threads" in of(loads=lambda f: f["loads"] * 7 / 8)
    assert "another clock, or another scaling" in of(loads=lambda f: f["loads"] * 1.05)
    assert "multiplexed" in of(loads=lambda f: f["loads"] * rng.normal(1.05, 0.08, len(f)))
    assert "wrapped" in of(loads=lambda f: f["loads"] + 2**32 * (f.index % 3 == 0))


def test_a_hem_that_differs_between_subexperiments_is_named() -> None:
    parts = [runs(seed)[["cycles", "misses"]] for seed in range(4)]
    parts[2] = parts[2].assign(cycles=parts[2]["cycles"] * 1.5)
    (row,) = broken(identities(table(*parts))).to_dict("records")
    assert (row["hem"], row["checked_in"]) == ("cycles", "subexperiment 3")
    assert row["low"] < row["factor"] < row["high"]
    assert row["factor"] == pytest.approx(1.5, rel=0.05)
    assert row["probability"] < 1e-4


def test_sets_are_held_against_each_other_run_by_run_only() -> None:
    # After: twice the work, and the sum off by 5%. The work may change; the sum may not.
    after = (2 * runs(8)).assign(stores=lambda f: np.round(1.05 * f["stores"]))
    found = broken(identities(table(runs(7)), table(after), names=["before", "after"]))
    assert found[["hem", "found_in", "checked_in"]].to_numpy().tolist() == [["stores", "before", "after"]]
    assert broken(identities(table(runs(7)), table(2 * runs(8)))).empty


def test_declared_identities_are_checked_where_they_were_never_found() -> None:
    wrong = runs(5).assign(loads=lambda f: f["loads"] * 1.05)
    assert identities(table(wrong)).empty
    (row,) = identities(table(wrong), declared=[SUM]).to_dict("records")
    assert (row["found_in"], row["holds"], row["hem"]) == ("declared", False, "loads")
    (row,) = identities(table(wrong[["cycles", "loads"]]), declared=[SUM]).to_dict("records")
    assert (row["checked_in"], row["holds"]) == ("", True)
    assert "no runs read these HEMs together" in row["sentence"]


def test_one_group_shows_its_identities() -> None:
    (row,) = identities(table(runs(1))).to_dict("records")
    assert (row["identity"], row["holds"], row["checked_in"]) == ("accesses = loads + stores", True, "")


def test_series_are_checked_by_runs_of_a_program() -> None:
    parts = {"one": runs(1), "two": runs(2).assign(loads=lambda f: f["loads"] * 1.05)}
    counts = pd.concat(parts.values(), ignore_index=True)
    intervals = pd.DataFrame({"application": np.repeat(list(parts), 40), "run": np.tile(np.arange(40), 2), "interval": 0})
    found = broken(identities(CounterSeries(counts=counts, intervals=intervals, mode="OCOE")))
    assert found[["hem", "checked_in"]].to_numpy().tolist() == [["loads", "two"]]


@pytest.mark.slow
def test_clean_tables_are_left_in_peace_and_planted_faults_found() -> None:
    alarms = found = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        frames = [runs(1000 * seed + at, int(rng.integers(20, 100)), float(rng.choice([0.001, 0.01, 0.05, 0.2]))) for at in range(3)]
        alarms += len(broken(identities(table(*frames)))) > 0
        hem, at = str(rng.choice(["loads", "stores", "accesses"])), int(rng.integers(3))
        frames[at] = frames[at].assign(**{hem: np.round(1.05 * frames[at][hem])})
        named = broken(identities(table(*frames)))
        found += ((named["hem"] == hem) & (named["checked_in"] == f"subexperiment {at + 1}")).any()
    assert alarms <= 1
    assert found >= 57


def test_bad_parameters_are_told() -> None:
    with pytest.raises(ParameterError, match="rate: 0 is not between 0 and 0.5"):
        identities(table(runs(1)), rate=0)
    with pytest.raises(ParameterError, match="2 names for 1 tables"):
        identities(table(runs(1)), names=["a", "b"])


@pytest.mark.slow
def test_independent_hems_of_unlike_scatter_show_no_identity() -> None:
    """A rare HEM scatters more than the frequent ones beside it: that must not make their sum look steady."""
    for seed in range(8):
        rng = np.random.default_rng(seed)
        levels = 10 ** rng.uniform(3, 7, 30)
        poisson = pd.DataFrame(rng.poisson(levels, (200, 30)), columns=[f"HEM{at}" for at in range(30)])
        unlike = 10 ** rng.uniform(-4, -1, 30)
        mixed = pd.DataFrame(levels * np.exp(rng.normal(0, 1, (200, 30)) * unlike), columns=poisson.columns).round()
        assert linear_identities(poisson) == []
        assert linear_identities(mixed) == []
