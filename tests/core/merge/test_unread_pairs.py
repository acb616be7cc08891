"""Pairs that no subexperiment reads together, and the fewest subexperiments that would read them."""

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.merge import pair_readings
from hemcore.merge.analysis import COPULA, HRM
from hemcore.merge.headline import verdict
from hemcore.merge.remedies import BY_COPULA, PLAN_UNREAD
from hemcore.merge.unread_pairs import never_together
from hemcore.planning import plan_subexperiments


def star(n: int, n_pmcs: int, runs: int = 40) -> Subexperiments:
    """n HEMs beside an anchor, n_pmcs - 1 of them in each subexperiment."""
    random, hems = np.random.default_rng(1), [f"H{at}" for at in range(n)]
    groups = [["T", *hems[at : at + n_pmcs - 1]] for at in range(0, n, n_pmcs - 1)]
    return Subexperiments(
        frames=tuple(pd.DataFrame(random.normal(1000, 50, (runs, len(group))), columns=group) for group in groups), n_pmcs=n_pmcs
    )


@pytest.mark.parametrize(
    ("n", "n_pmcs", "apart", "of", "fewest"),
    [
        (4, 3, 4, 10, 2),  # T with H0, H1 and with H2, H3: each has two partners more, which one subexperiment of three reads
        (4, 2, 6, 10, 6),  # one pair in each
        (16, 5, 96, 136, 10),  # three times each, for its twelve partners, in five places
    ],
)
def test_a_star_leaves_pairs_unread_and_as_many_more_subexperiments_read_them(
    n: int, n_pmcs: int, apart: int, of: int, fewest: int
) -> None:
    table = star(n, n_pmcs)
    found = never_together(pair_readings(table), table.n_pmcs)
    assert (len(found.pairs), found.n_pairs, found.fewest_more, len(found.hems)) == (apart, of, fewest, n)
    assert found.text == f"{apart} of {of} pairs are never read together: a merge can only guess them."
    assert found.plan == f"At least {fewest} more subexperiments would read them ({n} HEMs, {n_pmcs} counters)."
    assert len(plan_subexperiments(found.hems, n_pmcs, wanted=found.pairs, time_limit=0.2).subexperiments) >= fewest


def test_one_pair_and_none_and_a_single_counter() -> None:
    readings = pd.DataFrame([[9, 9, 0], [9, 9, 9], [0, 9, 9]], index=[*"ABC"], columns=[*"ABC"])
    one = never_together(readings, 2)
    assert one.pairs == (("A", "C"),)
    assert f"{one.text} {one.plan}" == (
        "1 of 3 pairs is never read together: a merge can only guess it. At least 1 more subexperiment would read it (2 HEMs, 2 counters)."
    )
    assert never_together(readings, 1).plan == never_together(readings, 0).plan == ""
    none = never_together(readings.iloc[:2, :2], 2)
    assert (none.pairs, none.fewest_more, none.plan) == ((), 0, "")


def test_a_merge_of_a_star_offers_the_plan_and_no_other_merge() -> None:
    for merge in (HRM, COPULA):
        found = verdict(merge.of(star(4, 3)))
        assert found.level != "good"
        assert "At least 2 more subexperiments would read them (4 HEMs, 3 counters)." in found.why
        assert PLAN_UNREAD in found.remedies
        assert BY_COPULA not in found.remedies
