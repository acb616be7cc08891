"""The verdict of a plan: every branch is read at a glance, and "good" needs a complete plan; figures against the greedy plan."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from hemcore.planning.headline import cards, verdict
from hemcore.planning.params import PlanParams
from hemcore.planning.plan import Plan
from hemcore.planning.results import PlanReport
from hemcore.planning.search.lower_bounds import lower_bound

EVERY_PAIR = np.array([(first, second) for first in range(4) for second in range(first + 1, 4)])


ALL_SIX = ("AB", "AC", "AD", "BC", "BD", "CD")


def report(*groups: str, wanted: str = "", **changes: object) -> PlanReport:
    """HEMs A to D, two at a time; by default all six pairs."""
    plan = Plan(
        hems=tuple("ABCD"), n_pmcs=2, goal="pairs", anchor=None, subexperiments=tuple(map(tuple, groups or ALL_SIX)),
        wanted=EVERY_PAIR, never=(), bound=6, bound_name="Schönheim", greedy=8, found=((1.0, 6),), ended="bound", seed=0, time_limit=5.0,
    )  # fmt: skip
    return PlanReport(plan=replace(plan, **changes), seconds=60.0, params=PlanParams(wanted=wanted))  # type: ignore[arg-type]


def test_fewer_subexperiments_than_greedy_and_more_pairs_are_gains() -> None:
    fewer = {card.label: card for card in cards(report())}["Fewer than greedy"]
    assert (fewer.value, fewer.note, fewer.better) == (8 - 6, "greedy: 8 subexperiments", "higher")
    # AB and CD are two pairs of six; the greedy plan read one.
    more = {card.label: card for card in cards(report("AB", "CD", goal="budget", greedy=1))}["More than greedy"]
    assert (more.value, more.note, more.better) == (2 - 1, "greedy: 1 pairs", "higher")


def test_a_bound_of_partners_per_subexperiment() -> None:
    """Three HEMs, each wanted with three others (9 pairs), three at a time: a HEM meets 2 per subexperiment and must be read twice;
    six HEMs twice are 12 places, 4 subexperiments of 3. By pairs alone 9 / 3 = 3 would do."""
    wanted = np.zeros((6, 6), bool)
    wanted[:3, 3:] = wanted[3:, :3] = True
    assert lower_bound(wanted, 3, ()) == (4, "places needed by every HEM")


def test_the_level_of_a_plan() -> None:
    assert verdict(report()).level == "good"
    assert verdict(report()).trust == "No plan needs fewer."
    above = verdict(report(bound=5))
    assert (above.level, above.trust) == ("good", "20.0% above the lower bound of 5, which may be unreachable.")
    late = verdict(report(bound=5, ended="time"))
    assert (late.level, late.trust.endswith("More time may help: the clock ended the search.")) == ("limited", True)
    assert verdict(report("AB", "BC", "CD", goal="budget")).level == "limited"
    assert verdict(report("AB", "BC", "CD", goal="budget")).trust == "3 pairs must be filled by a merge's model."
    apart = verdict(report("AB", "CD", goal="budget"))
    assert apart.level == "poor"
    assert apart.why[0] == "Groups of HEMs that no subexperiment connects: 'A', 'B'; 'C', 'D'."


@pytest.mark.parametrize("wanted", ["", "A with *"])
def test_every_verdict_is_read_at_a_glance(wanted: str) -> None:
    never = ((), (("A", "B"),), (("A", "B"), ("A", "C")))
    plans = ((), ("AB", "BC", "CD"), ("AB", "CD"), ("AB",), ("ABCD",))
    for groups, goal, anchor, pairs, ended, bound in product(plans, ("pairs", "budget"), (None, "A"), never, ("bound", "time"), (1, 6)):
        found = verdict(report(*groups, wanted=wanted, goal=goal, anchor=anchor, never=pairs, ended=ended, bound=bound))
        assert not found.too_long(), found.text
        assert all(each.endswith(".") for each in (found.answer, *found.why)), found.full_text
        assert found.level != "good" or not pairs
