"""The sentences about the order of the runs, of parts whose orders are made by hand."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hemcore.compare.dependent_runs import RunOrder, _time, run_order
from hemcore.compare.group_changes import batches
from hemcore.compare.group_matching import MatchedGroup
from hemcore.compare.order_notes import order_sentences
from hemcore.compare.permuted import exchanges
from hemcore.compare.run_sets import RunGroup, RunSet


def part(before: RunOrder | None = None, after: RunOrder | None = None, **other: Any) -> Any:
    given = {"relative": True, "variance": 0.1, "block": 1} | other
    return SimpleNamespace(orders=(before or RunOrder(), after or RunOrder()), **given)


def sets(*hems: str) -> RunSet:
    counts = pd.DataFrame(np.ones((2, len(hems))), columns=list(hems))
    return RunSet(kind="Subexperiments", groups=(RunGroup(label="runs", program="", counts=counts),))


def told(found: dict[str, list[Any]], *, before: str = "ab", after: str = "ab", lacking: tuple[str, ...] = ()) -> tuple[str, ...]:
    return order_sentences(found, sets(*before), sets(*after), lacking)


def test_independent_runs_need_no_sentence() -> None:
    assert told({"a": [part()], "b": [part()]}) == ()


def test_the_strongest_drift_of_all_groups_is_named() -> None:
    found = {"a": [part(RunOrder(drift=0.3)), part(RunOrder(drift=-0.8))], "b": [part(RunOrder(drift=0.5))]}
    assert told(found) == ("Drift before: a, b move with the order of the runs; a falls (rank correlation −0.80).",)
    assert told({"a": [part()], "b": [part(None, RunOrder(drift=0.5))]}) == (
        "Drift after: b moves with the order of the runs; b rises (rank correlation 0.50).",
    )


def test_the_longest_warm_up_is_named() -> None:
    found = {"a": [part(None, RunOrder(warm_up=2)), part(None, RunOrder(warm_up=5))], "b": [part(None, RunOrder(warm_up=3))]}
    assert told(found) == ("Warm-up after: the first 5 runs of a, b lie beyond all later ones.",)


def test_the_longest_blocks_are_named_of_dependent_runs_alone() -> None:
    dependent = RunOrder(autocorrelation=0.4, block=4)
    found = {"a": [part(dependent, block=4), part(dependent, block=8)], "b": [part(block=16)], "c": [part(dependent, block=2)]}
    assert told(found, before="abc", after="abc") == ("Runs depend on their neighbours in a, c: blocks of up to 8 runs were resampled.",)
    few = {"a": [part(RunOrder(autocorrelation=0.4))], "b": [part()]}
    assert told(few) == ("Runs depend on their neighbours in a: their errors are larger for it.",)


def test_a_hem_is_constant_if_it_is_so_in_every_group() -> None:
    found = {"a": [part(variance=0.0), part(variance=0.2)], "b": [part(variance=0.0), part(variance=0.0)]}
    assert told(found) == ("b: constant in both sets.",)


def test_differences_and_hems_of_one_set() -> None:
    found = {"a": [part(relative=False)], "b": [part()]}
    assert told(found, before="abc", after="abd", lacking=("d",)) == (
        "a: often 0, so the change is a difference in counts, not a ratio.",
        "Not compared, because one set did not count it: c, d.",
    )


def test_each_pair_is_exchanged_in_half_of_the_draws() -> None:
    chosen = exchanges((6, 6), 4_000, np.random.default_rng(1), paired=True)
    assert chosen[:, :6].mean() == pytest.approx(0.5, abs=0.02)
    assert (chosen[:, :6] != chosen[:, 6:]).all()  # where one of a pair is after, the other is before


def test_the_autocorrelation_time_of_hand_made_correlations() -> None:
    # 1 + 2 (1/2 + 1/4 + 1/8 + ...) = 3 - 4 / 2^(k + 1) at lag k; the first lag of five times that is 15.
    correlations = 0.5 ** np.arange(40)
    assert _time(correlations) == pytest.approx(3 - 2 * 0.5**15)
    assert _time(np.array([1.0, 0, 0, 0, 0, 0, 0])) == 1
    assert _time(np.array([1.0, -0.4, 0, 0, 0, 0, 0])) == 1  # never less


def test_one_extreme_first_run_is_a_warm_up_and_a_large_one_is_none() -> None:
    random = np.random.default_rng(3)
    later = 100 + random.random(30)
    assert run_order(np.array([102.5, *later])).warm_up == 1  # over the largest by more than all later ones span
    assert run_order(np.array([101.5, *later])).warm_up == 0


@pytest.mark.parametrize(("statistic", "freedom"), [("mean", 8.0), ("median", 3.0)])
def test_a_group_weighs_as_its_runs_and_a_median_has_the_freedom_of_their_root(statistic: str, freedom: float) -> None:
    random = np.random.default_rng(6)
    sides = random.normal(100, 1, (9, 1)), random.normal(100, 1, (18, 1))
    group = MatchedGroup(label="runs", program="", hems=("a",), before=sides[0], after=sides[1])
    (batch,) = batches(group, {"a": True}, statistic, paired=False)
    (change,) = batch.changes
    assert change.runs == (9, 18)
    assert change.weight == pytest.approx(6)  # 1 / (1 / 9 + 1 / 18)
    if not change.student:
        assert change.freedom == pytest.approx(freedom)
    pairs = [(one, two) for one in sides[0][:, 0] for two in sides[1][:, 0]]
    more = sum(two > one for one, two in pairs) - sum(two < one for one, two in pairs)
    assert change.effect == pytest.approx(more / len(pairs))
