"""Virtual multiplexing hides what a round robin schedule would, and nothing else."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hemcore.datasets import CounterSeries
from hemcore.errors import ParameterError
from hemcore.mpx.virtual import counted_slots, virtual_multiplex


@given(n_slots=st.integers(0, 60), n_events=st.integers(1, 20), data=st.data(), start=st.integers(0, 9))
def test_every_event_is_counted_in_one_of_every_k_slots(n_slots: int, n_events: int, data: st.DataObject, start: int) -> None:
    k = data.draw(st.integers(1, n_events))
    counted = counted_slots(n_slots, n_events, k, start=start)
    assert counted.shape == (n_slots, n_events)
    for first in range(n_slots - k + 1):
        assert (counted[first : first + k].sum(axis=0) == 1).all()


def test_no_slot_counts_more_than_its_share_of_events() -> None:
    assert counted_slots(8, 13, 4).sum(axis=1).max() == 4


def test_one_slot_a_count_hides_nothing() -> None:
    assert counted_slots(5, 3, 1).all()


@pytest.mark.parametrize("k", [0, 4])
def test_slots_per_count_has_bounds(k: int) -> None:
    with pytest.raises(ParameterError, match=f"slots_per_count: {k} must be from 1 to the number of events, 3"):
        counted_slots(10, 3, k)


def test_a_series_keeps_its_counted_values_and_says_which_they_are() -> None:
    counts = pd.DataFrame({"a": [1.0, 2, 3, 4], "b": [5.0, 6, 7, 8]})
    intervals = pd.DataFrame({"application": "p", "run": [1, 1, 2, 2], "interval": [0, 1, 0, 1]})
    shown = virtual_multiplex(CounterSeries(intervals=intervals, counts=counts, mode="OCOE"), 2)
    assert shown.mode == "MPX"
    # The second run starts its rotation one later.
    np.testing.assert_array_equal(shown.counts.to_numpy(), [[1, np.nan], [np.nan, 6], [np.nan, 7], [4, np.nan]])
    assert shown.share is not None
    np.testing.assert_array_equal(shown.share.to_numpy(), [[1, 0], [0, 1], [0, 1], [1, 0]])
    assert counts["a"].tolist() == [1, 2, 3, 4]
