"""Scores, ceilings and verdicts whose numbers a reader can work out."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from hemcore.mpx import MpxParams, evaluate, pearson_r
from hemcore.mpx.analysis import ESTIMATE
from hemcore.mpx.evaluation import together
from hemcore.mpx.prepared import prepare
from hemcore.mpx.results import Aligned, Multiplexed
from hemcore.mpx.scoring import ceiling_of
from tests.core.mpx.made import bursty, series

PLAIN = MpxParams(tail="nothing", min_share=0, most_runs=0, slots_per_count=2)


def test_two_points_on_a_line_correlate() -> None:
    assert pearson_r([1, 2], [2, 4]) == pytest.approx(1)
    assert pearson_r([1, 2], [4, 2]) == pytest.approx(-1)


def test_the_ceiling_is_the_next_run_for_the_truth() -> None:
    # Runs of 10, 20 and 40: 20 for 10 is off by 100%, 40 for 20 too, 10 for 40 by 75%.
    counts = np.repeat([10, 20, 40], 20)
    found = ceiling_of(prepare(series({"A": counts, "B": counts}, mode="OCOE", runs=[20] * 3), PLAIN))
    assert found.query("event == 'A'")["ra"].tolist() == pytest.approx([0, 0, 0.25])
    assert found.query("event == 'A'")["wa"].tolist() == pytest.approx([0, 0, 0.25])


def test_the_ceilings_mean_is_in_the_table() -> None:
    found = evaluate(bursty(), ["fixed"], MpxParams(most_runs=0), dtw=False)
    assert found.table("event").loc["mean", "ceiling"] == pytest.approx(found.ceiling["ra"].mean())


def test_one_truth_of_other_runs_makes_all_scores_those_of_other_runs() -> None:
    found = evaluate(bursty(), ["fixed"], dtw=False)
    assert found.same_run
    assert not together([found, replace(found, same_run=False)], found.params).same_run


@pytest.fixture(scope="module")
def found() -> Multiplexed:
    return ESTIMATE.of(bursty(n_events=3), MpxParams(slots_per_count=3))


def with_means(found: Multiplexed, ra: float, total: float) -> Multiplexed:
    """`found` with other scores of its method."""
    own = found.by_method["method"] == found.params.method
    return replace(
        found, by_method=found.by_method.assign(ra=found.by_method["ra"].mask(own, ra), total=found.by_method["total"].mask(own, total))
    )


def test_levels_are_those_of_the_papers_bound(found: Multiplexed) -> None:
    enough = replace(found, runs=tuple(range(30)))
    assert [ESTIMATE.verdict(with_means(enough, ra, 0.0)).level for ra in (0.9, 0.89, 0.6, 0.59)] == ["good", "limited", "limited", "poor"]
    few = ESTIMATE.verdict(with_means(replace(found, runs=tuple(range(29)), all_runs=29), 0.9, 0.0))
    assert (few.level, few.trust, few.remedies[0].page) == ("limited", "Only 29 runs; 30 or more are needed.", "data")


def test_totals_that_are_too_low_are_told(found: Multiplexed) -> None:
    assert "Totals summed from these curves would be 5.0% low." in ESTIMATE.verdict(with_means(found, 0.95, -0.05)).why
    assert "Totals summed" not in ESTIMATE.verdict(with_means(found, 0.95, 0.05)).full_text


def test_events_are_ordered_and_counted_by_their_accuracy(found: Multiplexed) -> None:
    by_event = pd.DataFrame({"event": ["E0", "E1", "E2"], "method": "by event", "ra": [0.95, 0.5, 0.7]})
    told = replace(found, by_event=by_event)
    # The middle one, the worst, the best.
    assert told.telling == ("E2", "E1", "E0")
    assert "1 of 3 events reach 90%" in {card.label: card.note for card in ESTIMATE.cards(told)}["Relative accuracy (RA)"]


def test_what_perfect_counts_would_score(found: Multiplexed) -> None:
    told = replace(found, ceiling=pd.DataFrame({"ra": [0.4, 0.6], "wa": [0.7, 0.9]}))
    assert told.perfect == pytest.approx((0.5, 0.8))


def test_how_far_and_how_long_curves_are_apart() -> None:
    path = np.array([[0, 0], [1, 0], [2, 0], [2, 1], [2, 2]])
    one = Aligned(
        event="A",
        run=1,
        method="fixed",
        estimate=np.array([1.0, 2, 3]),
        truth=np.array([3.0, 3, 3]),
        path=path,
        cost=0.0,
        params=MpxParams(),
    )
    # |1 - 3| + |2 - 3| + 0; slot 2 stands beside slot 0.
    assert (one.apart, one.longest_wait) == (3.0, 2)
