"""The top-down tree, its bottleneck, and identities, on counts that are known."""

import math

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import TableError
from hemcore.metrics import check_identities, top_down
from hemcore.metrics.identities import identities_of, in_doubt
from hemcore.metrics.tree import tree_order
from tests.core.metrics.conftest import defined

TREE = defined(
    {
        "Retiring": "R / S",
        "Memory": "M / S",
        "DRAM": "D / S",
        "L3": "(M - D) / S",
        "Core": "1 - Retiring - Memory",
        "IPC": "R / S",
    },
    level=[1, 1, 2, 2, 1, 0],
    parent=["", "", "Memory", "Memory", "", ""],
    threshold=["Retiring > 0.7", "Memory > 0.2", "DRAM > 0.1 & Memory > 0.2", "L3 > 0.1 & Memory > 0.2", "Core > 0.2", ""],
)


def runs(**counts: float) -> pd.DataFrame:
    """Fifty runs of these mean counts, each run of another length."""
    length = np.random.default_rng(0).uniform(0.5, 1.5, 50)
    return pd.DataFrame({name: count * length for name, count in counts.items()})


def test_the_path_follows_the_largest_node_past_its_threshold() -> None:
    found = top_down(TREE, runs(S=100, R=30, M=55, D=35))
    assert found.nodes["metric"].to_list() == ["Retiring", "Memory", "DRAM", "L3", "Core"]
    np.testing.assert_allclose(found.nodes["share"], [0.3, 0.55, 0.35, 0.2, 0.15])
    assert found.nodes["passed"].to_list() == [0, 1, 1, 1, 0]
    assert found.path == ("Memory", "DRAM")
    assert found.nodes["on_path"].to_list() == [False, True, True, False, False]
    assert found.sentence == "Memory takes 55% (55% to 55%), mostly DRAM (past its threshold in 100% of the draws)."
    assert found.identities["holds"].to_list() == [1, 1]


def test_no_bottleneck_and_no_counts() -> None:
    assert top_down(TREE, runs(S=100, R=69, M=15, D=10)).path == ()
    none = top_down(TREE, runs(S=100))
    assert none.sentence == "The tree has no value on level 1: events are missing."
    assert none.nodes["note"].iloc[0] == "needs R, which the table does not have."


def test_what_is_lost_comes_before_what_retires() -> None:
    definitions = defined({"retiring": "R / S", "backend": "1 - retiring"}, level=[1, 1])
    assert top_down(definitions, runs(S=10, R=7.5)).path == ("backend",)
    assert top_down(definitions, runs(S=10, R=9.5)).path == ("retiring",)  # no thresholds: from 20 % on, retiring from 70 % on


def test_percentages_become_shares() -> None:
    definitions = defined({"a": "100 * A / S", "b": "100 * (S - A) / S"}, level=[1, 1], unit=["%", "%"])
    found = top_down(definitions, runs(S=10, A=4))
    np.testing.assert_allclose(found.nodes["share"], [0.4, 0.6])
    assert found.identities["right"].to_list() == [100]


def test_without_levels_there_is_no_tree() -> None:
    with pytest.raises(TableError, match="none of these is on a level"):
        top_down(defined({"IPC": "R / S"}), runs(S=1, R=1))


def test_children_follow_their_parents_and_a_circle_of_parents_ends() -> None:
    circle = defined({"a": "x", "b": "x", "c": "x"}, level=[1, 2, 2], parent=["", "c", "b"])
    assert tree_order(circle) == ["a"]


def test_children_that_do_not_sum_are_told_with_an_interval() -> None:
    definitions = defined({"top": "T", "a": "A", "b": "B"}, level=[1, 2, 2], parent=["", "top", "top"])
    random = np.random.default_rng(2)
    table = pd.DataFrame({"T": 100 + random.normal(0, 1, 60), "A": 30 + random.normal(0, 1, 60), "B": 50 + random.normal(0, 1, 60)})
    row = check_identities(definitions, table).iloc[0]
    assert row["identity"] == "top = its children"
    assert row["holds"] == 0
    assert row["low"] < row["difference"] < row["high"] < -19
    assert row["sentence"].startswith("top = its children: 79.9 is not 100; the difference is −20.")


def subexperiments(loads: float) -> Subexperiments:
    random = np.random.default_rng(5)

    def of(mean: float) -> np.ndarray:
        return mean + random.normal(0, 1, 80)

    frames = (
        pd.DataFrame({"loads": of(30), "stores": of(20)}),
        pd.DataFrame({"accesses": of(50), "other": of(5)}),
        pd.DataFrame({"loads": of(loads), "more": of(7)}),
    )
    return Subexperiments(frames=frames, n_pmcs=2, labels=("A", "B", "C"))


def test_a_declared_identity_names_the_pair_that_disagrees() -> None:
    definitions = defined({"all accesses": "loads + stores == accesses", "no identity": "loads"})
    agreeing = check_identities(definitions, subexperiments(30))
    assert agreeing["holds"].to_list() == [1]
    # These counts agree in truth; what was drawn is two standard deviations off, which is told without being called a contradiction.
    assert in_doubt(agreeing).tolist() == [True]
    assert agreeing["sentence"].iloc[0].endswith("beyond the 80% interval, as chance does 1 time in 5.")
    row = check_identities(definitions, subexperiments(60)).iloc[0]
    assert row["holds"] == 0
    assert row["left"] == pytest.approx(65, abs=0.5)  # the mean of 30 and 60, and 20
    assert row["difference"] == pytest.approx(15, abs=0.5)


@pytest.mark.parametrize(
    ("low", "high", "holds", "doubt"),
    [
        (-2, 1, 1, False),
        (0.5, 2, 1, True),
        (-2, -0.5, 1, True),
        (0.5, 2, 0, False),
        (1e-12, 2e-12, 1, False),
        (np.nan, np.nan, np.nan, False),
    ],
)
def test_an_interval_without_0_is_in_doubt_unless_it_fails_or_is_rounding(low: float, high: float, holds: float, doubt: bool) -> None:
    row = {"left": 10.0, "right": 9.0, "low": low, "high": high, "holds": holds}
    assert in_doubt(pd.DataFrame([row])).tolist() == [doubt]


def test_the_pair_is_the_one_that_reads_it_all_and_fails_most() -> None:
    frames = (
        pd.DataFrame({"loads": [30.0, 31, 29], "stores": [20.0, 20, 20]}),
        pd.DataFrame({"accesses": [70.0, 71, 69], "other": [1.0, 1, 1]}),
        pd.DataFrame({"accesses": [50.0, 51, 49], "more": [1.0, 1, 1]}),
    )
    table = Subexperiments(frames=frames, n_pmcs=2, labels=("A", "B", "C"))
    row = check_identities(defined({"sum": "loads + stores == accesses"}), table).iloc[0]
    assert (row["holds"], row["subexperiments"]) == (0, "A and B")
    assert row["sentence"].endswith("A and B disagree most.")


def test_an_identity_whose_events_are_missing_is_not_judged() -> None:
    row = check_identities(defined({"sum": "loads + unread == accesses"}), subexperiments(30)).iloc[0]
    assert math.isnan(row["holds"])
    assert row["sentence"] == "sum: it cannot be checked, because an event was not read."


def test_deeper_nodes_than_level_2_are_not_summed() -> None:
    shares = {"top": "a / s", "left": "b / s", "right": "c / s", "one": "d / s", "other": "e / s"}
    parents = ["", "top", "top", "left", "left"]
    definitions = defined(shares, level=[1, 2, 2, 3, 3], parent=parents)
    assert [each.name for each in identities_of(definitions)] == ["top = its children"]
