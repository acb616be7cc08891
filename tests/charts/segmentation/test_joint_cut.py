"""All events cut at the same places, and the penalty on which the runs agree."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from hemcore.charts.segmentation.event_picker import SegmentationView
from hemcore.registry import pictures_of
from hemcore.segmentation.events.event_tracks import cut_together
from tests.charts.conftest import MIB, scene_for

TOGETHER = pictures_of("segmentation.segmentation")["together"]


@pytest.fixture(scope="module")
def scene():
    return scene_for("segmentation.segmentation", TOGETHER)


def test_every_event_is_cut_at_the_same_places(scene) -> None:
    found = scene.more.shown
    begins = found.positions[list(found.segmentation.change_points)].tolist()
    assert begins
    for event in scene.result.events:
        run = cut_together(scene.table, scene.more, event)
        starts = run.samples.positions[run.models[1:, 0].astype(int)].tolist()
        assert starts == begins
        first, second = int(run.models[0, 0]), int(run.models[0, 1])
        assert run.models[0, 3] == pytest.approx(run.samples.counts[first:second].mean())


def test_an_event_that_was_counted_in_part_is_cut_at_its_next_sample(scene) -> None:
    found = scene.more.shown
    begin = int(found.positions[found.segmentation.change_points[0]])
    intervals, counts = scene.table.intervals, scene.table.counts.copy()
    of_run = (intervals["application"] == scene.more.params.application) & (intervals["run"] == found.run)
    counts.loc[of_run & intervals["interval"].between(begin - 1, begin + 1), "Bc"] = np.nan
    partly = replace(scene.table, counts=counts)
    run = cut_together(partly, scene.more, "Bc")
    starts = run.samples.positions[run.models[1:, 0].astype(int)].tolist()
    assert starts[0] == begin + 2


def test_the_tracks_stand_over_the_share_of_runs_that_agree(scene) -> None:
    shown = replace(scene, view=SegmentationView(events=("Dr", "Bc")))
    curves, agreeing = TOGETHER.draw(shown)
    assert TOGETHER.arranged(shown) == "stack"
    assert [each.name for each in curves.data if each.customdata is not None] == ["Dr", "Bc"]
    assert not any("threshold" in each.text for each in curves.layout.annotations)
    tried: pd.DataFrame = scene.more.tried
    np.testing.assert_array_equal(agreeing.data[0].y, tried["agreeing"])
    assert list(agreeing.data[0].text) == [str(n + 1) for n in tried["n_change_points"]]
    assert agreeing.layout.shapes[0].x0 == scene.more.factor
    assert sum(len(each.to_json()) for each in (curves, agreeing)) < 2 * MIB


def test_the_verdict_above_is_that_of_all_events_and_the_words_do_not_repeat_it(scene) -> None:
    words = TOGETHER.caption(scene)
    assert TOGETHER.judged
    assert "events together show" not in words
    assert "Set the penalty under Bounds and search" in words
    assert TOGETHER.table(scene) is scene.more.explained


def test_nothing_is_drawn_or_said_while_it_is_computed(scene) -> None:
    waiting = replace(scene, more=None)
    assert TOGETHER.draw(waiting) == []
    assert TOGETHER.caption(waiting) == ""
    assert TOGETHER.table(waiting) is None


def test_a_trend_that_was_removed_is_named(scene) -> None:
    lined = replace(scene, more=replace(scene.more, params=scene.more.params.but(detrend="line")))
    assert "without their lines" in TOGETHER.draw(lined)[0].layout.title.text
    assert "Drawn: the counts without their lines, with their mean." in TOGETHER.caption(lined)
    assert "without" not in TOGETHER.draw(scene)[0].layout.title.text
    # What is drawn is what was segmented.
    event = scene.result.events[0]
    plain, rest = (cut_together(each.table, each.more, event).samples.counts for each in (scene, lined))
    assert rest.mean() == pytest.approx(plain.mean())
    assert not np.allclose(rest, plain)
