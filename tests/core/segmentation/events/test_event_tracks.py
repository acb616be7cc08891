"""Every event of one run at its own threshold."""

import pytest

from hemcore.errors import UnknownNameError
from hemcore.segmentation import run_samples, segment
from hemcore.segmentation.analysis import EVENT_THRESHOLDS, TRACKS, thresholds
from tests.core.segmentation.made import params_of, table


def test_each_event_is_cut_at_algorithm_1s_threshold_of_its_own() -> None:
    series = table()
    found = TRACKS.of(series, params_of(run=2))
    assert list(found.cuts) == ["A", "B"]
    for event, cut in found.cuts.items():
        own = thresholds(series, params_of(event=event)).optimal.threshold
        samples = run_samples(series, "prog", event, 2)
        assert cut.change_points == segment(samples.counts, own).change_points
        assert found.segments(series, event).segmentation.threshold == own


def test_an_event_that_the_run_did_not_count_is_left_out() -> None:
    found = TRACKS.of(table(), params_of(run=4))
    assert list(found.cuts) == ["A"]
    assert found.segments(table(), "B") is None


def test_thresholds_are_those_of_all_events_of_the_application() -> None:
    assert set(EVENT_THRESHOLDS.of(table(), params_of())) == {"A", "B"}
    assert EVENT_THRESHOLDS.relevant_params(params_of(threshold=50.0, run=2)) == EVENT_THRESHOLDS.relevant_params(params_of())


def test_the_first_run_and_application_stand_where_none_is_named_and_a_strange_one_is_told() -> None:
    found = TRACKS.of(table(), params_of(application="", run=None))
    assert (found.params.application, found.params.run) == ("prog", 4)
    with pytest.raises(UnknownNameError, match="run"):
        TRACKS.of(table(), params_of(run=77))


@pytest.mark.parametrize("statistic", ["rms", "std", "mean"])
def test_segments_are_described_in_counts_whatever_was_searched(statistic) -> None:
    found = TRACKS.of(table(), params_of(run=2, statistic=statistic))
    run = found.segments(table(), "A")
    assert run.models[:, 7].max() == run.samples.counts.max()
