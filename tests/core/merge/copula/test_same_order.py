"""HEMs that order the runs alike: found wherever they are read, kept together exactly, and not found by chance."""

import numpy as np
import pandas as pd

from hemcore.merge import copula_merge
from hemcore.merge.copula.normal_scores import scored
from hemcore.merge.copula.same_order import SameOrder, on_the_curve, with_leaders_alone
from hemcore.merge.inputs import complete_subexperiments


def frames() -> list[pd.DataFrame]:
    """A is read everywhere; twice and minus follow it; near only nearly does."""
    random = np.random.default_rng(5)
    made = []
    for names in (["A", "twice", "B"], ["A", "minus", "near"], ["A", "twice", "C"]):
        level = random.gamma(2.0, 1000, 300).astype(int) + 1
        swapped = level.copy()
        swapped[np.argsort(level)[[100, 200]]] = swapped[np.argsort(level)[[200, 100]]]
        columns = {"A": level, "twice": 2 * level + 7, "minus": 10**6 - level, "near": swapped}
        columns |= {name: (level + random.normal(0, 900, 300)).astype(int) for name in "BC"}
        made.append(pd.DataFrame({name: columns[name] for name in names}))
    return made


def followers(given: list[pd.DataFrame]) -> dict[str, SameOrder]:
    return with_leaders_alone(scored(complete_subexperiments(given)))[1]


def test_who_orders_the_runs_as_another_follows_it() -> None:
    assert followers(frames()) == {"twice": SameOrder(leader="A", reversed=False), "minus": SameOrder(leader="A", reversed=True)}


def test_the_merged_rows_keep_the_order_exactly() -> None:
    merged = copula_merge(frames(), 500, swaps=20_000).merged
    assert list(merged.columns) == ["A", "twice", "B", "minus", "near", "C"]
    by_a = merged.sort_values(["A", "twice"])
    assert by_a["twice"].is_monotonic_increasing
    assert merged.sort_values(["A", "minus"], ascending=[True, False])["minus"].is_monotonic_decreasing
    assert merged["A"].rank().corr(merged["minus"].rank()) < -0.999
    # On their curves, but where A is beyond what was read with them.
    near = merged[merged["A"].between(200, 4000)]
    np.testing.assert_allclose(near["twice"], 2 * near["A"] + 7, atol=1)
    np.testing.assert_allclose(near["minus"], 10**6 - near["A"], atol=1)
    # Two names of one event, read in the same runs: one column.
    pair = [frame.assign(again=frame["A"]) for frame in frames()]
    same = copula_merge(pair, 400, swaps=20_000).merged
    assert (same["again"] == same["A"]).all()


def test_the_order_decides_only_where_both_are_read() -> None:
    one, other, third = frames()
    alone = third.drop(columns="A")
    assert followers([one, other, alone])["twice"] == SameOrder(leader="A", reversed=False)
    assert "twice" not in followers([one, other, third.assign(twice=third["twice"].to_numpy()[::-1])])
    # Of two that are read equally often, the first leads.
    assert followers([one[["twice", "A"]]]) == {"A": SameOrder(leader="twice", reversed=False)}
    merged = copula_merge([one, other, alone], 500, swaps=20_000).merged
    assert merged.sort_values(["A", "twice"])["twice"].is_monotonic_increasing


def test_a_leader_gets_the_shares_of_its_follower() -> None:
    both = pd.DataFrame({"A": np.arange(10) ** 2, "B": 100 - np.arange(10)})
    more = pd.DataFrame({"A": [81, 4], "C": [1, 2]})
    alone = pd.DataFrame({"B": [100, 91, 95], "C": [3, 4, 5]})
    data, found = with_leaders_alone(scored(complete_subexperiments([both, more, both, alone])))
    assert found == {"B": SameOrder(leader="A", reversed=True)}
    assert data.hems == ["A", "C"]
    at = data.places[3].tolist().index(0)
    # Of B's 23 readings 100 is the middle of the last three, 91 of the first three, 95 of the 10th to 12th; A goes the other way.
    np.testing.assert_allclose(data.shares[3][:, at], [1.5 / 23, 21.5 / 23, 12.5 / 23])
    readings = np.array([*range(10), *range(10), 9, 2]) ** 2
    expected = (np.array([0, 81, 25]) - readings.mean()) / readings.std()
    np.testing.assert_allclose(data.values[3][:, at], expected)  # noqa: PD011


def test_few_readings_are_in_one_order_by_chance() -> None:
    three = pd.DataFrame({"A": [1, 5, 9], "B": [2, 3, 4], "K": [7, 7, 7]})
    assert followers([three]) == {}
    levels = pd.DataFrame({"A": np.arange(60) % 3, "B": np.arange(60) % 3 * 5})
    assert followers([levels]) == {}
    coarse = pd.DataFrame({"A": np.arange(60), "B": np.arange(60) // 2})
    assert followers([coarse]) == {}, "what falls together in one of them alone is another order"


def test_ten_different_readings_are_enough_and_nine_are_not() -> None:
    ten = pd.DataFrame({"A": np.arange(10), "B": np.arange(10) * 3})
    assert followers([ten]) == {"B": SameOrder(leader="A", reversed=False)}
    assert followers([ten.iloc[:9]]) == {}


def test_a_follower_is_read_off_the_curve_by_hand() -> None:
    leads, leader = np.array([1, 2, 3, 7, 9]), np.array([4, 2, 8, 4])
    # 2 -> 10, 4 -> 20, 8 -> 60: 3 is half way to 20, 7 three quarters to 60; 1 and 9 are beyond, but not inside the last.
    follower, beyond = np.array([20, 10, 60, 20]), np.array([9, 0, 0, 0, 50])
    assert on_the_curve(leads, leader, follower, beyond).tolist() == [9, 10, 15, 50, 60]
    assert on_the_curve(leads, leader, -follower, -beyond).tolist() == [-9, -10, -15, -50, -60]
    assert on_the_curve(leads, leader, follower / 4, beyond / 4).tolist() == [2.25, 2.5, 3.75, 12.5, 15.0]
    assert on_the_curve(np.array([3]), leader, follower + np.array([0, 1, 0, 0]), beyond[:1]).dtype == follower.dtype
