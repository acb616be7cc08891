"""Numbers that can be worked out by hand, and verdicts that are read at a glance."""

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets import CounterSeries
from hemcore.mpx import MpxParams, discard_incomplete_runs, estimate, virtual_multiplex
from hemcore.mpx.analysis import ESTIMATE
from hemcore.mpx.counted_share import measured
from hemcore.mpx.ocoe_pairs import pair
from tests.core.mpx.made import bursty, series

NAN = np.nan


def test_one_rare_event_does_not_make_a_run_incomplete() -> None:
    # Shares of the largest run's counts in run 2: 1, 1 and 0.01. Their median is 1, their mean 0.67.
    runs = series({"A": [50, 50, 50, 50], "B": [20, 20, 20, 20], "C": [100, 100, 1, 1]}, mode="OCOE", runs=[2, 2])
    assert discard_incomplete_runs(runs, 0.8).series.intervals["run"].unique().tolist() == [1, 2]
    # With two rare events the median is 0.01.
    rare = series({"A": [50, 50, 50, 50], "B": [100, 100, 1, 1], "C": [100, 100, 1, 1]}, mode="OCOE", runs=[2, 2])
    assert discard_incomplete_runs(rare, 0.8).series.intervals["run"].unique().tolist() == [1]


@pytest.mark.parametrize(("bursts", "expected"), [(5, 2 / (1 / 10 + 1 / 100)), (1, 10.0)])
def test_the_gate_looks_at_the_98th_percentile(bursts: int, expected: float) -> None:
    # 101 counts, every second slot; all are 10 but for `bursts` of 100 from the 50th on. The order statistic at 98% is number 98 (from 0)
    # of the sorted counts: 100 if five are high, 10 if one is. Bursty: the harmonic mean of the neighbours 10 and 100; steady: 10.
    counts = np.full(201, NAN)
    counts[::2] = 10
    counts[100 : 100 + 2 * bursts : 2] = 100
    found = estimate(series({"A": counts, "B": np.where(np.isnan(counts), 1.0, NAN)}), "gate").counts["A"]
    assert found[99] == pytest.approx(expected)


def test_k_is_the_share_of_values_times_their_running_share() -> None:
    # Each event has values in 3 of 4 slots, counted for a fifth of each: 3/4 x 1/5 = 0.15, so k = 6.67 and not 5.
    counts = pd.DataFrame({"A": [1.0, 2, 3, NAN], "B": [NAN, 2.0, 3, 4]})
    intervals = pd.DataFrame({"application": "p", "run": 1, "interval": range(4)})
    shares = counts.notna() * 0.2
    found = measured(CounterSeries(intervals=intervals, counts=counts, mode="MPX", share=shares))
    assert found.extrapolated
    assert found.slots_per_count == pytest.approx(1 / 0.15)


def test_verdicts_are_read_at_a_glance() -> None:
    ocoe = bursty()
    everywhere = CounterSeries(
        intervals=ocoe.intervals, counts=ocoe.counts, mode="MPX", share=pd.DataFrame(0.25, index=ocoe.counts.index, columns=ocoe.events)
    )
    sampled = virtual_multiplex(ocoe, 4)
    unknown = CounterSeries(intervals=sampled.intervals, counts=sampled.counts, mode="MPX")
    zero = series({"A": [0] * 80, "B": [0] * 80}, mode="OCOE")
    other = pair(unknown, bursty(seed=9)).series
    asked = [
        *((ocoe, MpxParams(method=method)) for method in ("harmonic", "linear", "minimum", "log1p")),
        *((table, MpxParams(method="log1p")) for table in (everywhere, unknown, zero, other)),
        (pair(everywhere, ocoe).series, MpxParams()),
    ]
    found = [ESTIMATE.verdict(ESTIMATE.of(table, params)) for table, params in asked]
    assert not [each for each in found if each.too_long()]
    levels = [each.level for each in found]
    # The control, a score without counts and another run's truth are not to be relied on; without a truth nothing is good.
    assert levels[2] == levels[6] == levels[7] == "poor"
    assert levels[4] == levels[5] == "limited"
