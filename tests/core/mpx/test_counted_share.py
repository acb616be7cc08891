"""k of a multiplexed series as it was measured: from hidden slots, from the running share, or asked for."""

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets import CounterSeries
from hemcore.errors import ParameterError
from hemcore.mpx import MpxParams, pair, virtual_multiplex
from hemcore.mpx.analysis import ESTIMATE, WHAT_IF
from hemcore.mpx.counted_share import measured
from tests.core.mpx.made import bursty


def scaled(share: float | None) -> CounterSeries:
    """A series as perf gives it where it takes turns within an interval: a value everywhere."""
    whole = bursty()
    shares = None if share is None else pd.DataFrame(share, index=whole.counts.index, columns=whole.counts.columns)
    return CounterSeries(intervals=whole.intervals, counts=whole.counts, mode="MPX", share=shares)


def test_hidden_slots_say_k() -> None:
    found = measured(virtual_multiplex(bursty(), 4))
    assert not found.extrapolated
    assert found.slots_per_count == pytest.approx(4)


def test_the_running_share_says_k_where_every_slot_has_a_value() -> None:
    found = measured(scaled(0.25))
    assert found.extrapolated
    assert (found.slots_per_count, found.whole(13), found.whole(3)) == (4.0, 4, 3)
    answer = ESTIMATE.of(scaled(0.25))
    assert (answer.extrapolated, answer.virtual, answer.slots_per_count) == (True, False, 4.0)
    assert "does not record which slots" in ESTIMATE.verdict(answer).trust
    assert "from the running share" in ESTIMATE.cards(answer)[0].note
    assert ESTIMATE.of(scaled(0.25), MpxParams(slots_per_count=2)).slots_per_count == 2


def test_short_intervals_are_hidden_where_nothing_was_counted() -> None:
    """Intervals of half a turn: two of four are seen in part, the other two not at all."""
    whole = bursty()
    seen = np.tile(np.array([[True, True, False, False], [False, False, True, True]]), (len(whole.counts) // 2, 1))
    share = pd.DataFrame(np.where(seen, 0.5, 0.0), columns=whole.counts.columns)
    found = measured(CounterSeries(intervals=whole.intervals, counts=whole.counts.where(seen), mode="MPX", share=share))
    assert (found.extrapolated, found.slots_per_count) == (False, 2.0)


def test_k_is_asked_for_where_the_file_does_not_say_it() -> None:
    with pytest.raises(ParameterError, match="does not record how often") as refusal:
        ESTIMATE.of(scaled(None))
    assert [each.choose for each in refusal.value.remedies] == [{"slots_per_count": 4}]
    found = ESTIMATE.of(scaled(None), MpxParams(slots_per_count=4, tail="nothing"))
    hidden = virtual_multiplex(bursty(), 4).counts.isna().to_numpy().T[:, : len(found.curves.positions)]
    np.testing.assert_array_equal(~found.curves.counted, hidden)
    assert "as chosen" in ESTIMATE.cards(found)[0].note


def test_a_pair_of_filled_runs_is_scored_at_every_k() -> None:
    paired = pair(scaled(0.25), bursty()).series
    found = ESTIMATE.of(paired)
    assert found.same_run
    assert found.of("harmonic")["ra"] == pytest.approx(ESTIMATE.of(bursty(), MpxParams(slots_per_count=4)).of("harmonic")["ra"])
    assert set(WHAT_IF.of(paired).rows["slots_per_count"]) == {2, 3, 4}
