"""How a segmented run is compared: with a pinned one, and its event with all others."""

from dataclasses import replace

import numpy as np

from hemcore.registry import pictures_of
from tests.charts.conftest import scene_for, scene_of


def test_a_baseline_with_another_time_axis_is_said_and_not_drawn() -> None:
    scene = scene_of("segmentation.segmentation")
    picture = pictures_of("segmentation.segmentation")["segments"]
    same = picture.draw(replace(scene, baseline=scene.result, baseline_words="threshold 2 → 10"))[0]
    assert "baseline: threshold 2 → 10" in same.layout.title.text
    other = scene_of("segmentation.segmentation", application=scene.table.applications[0])
    assert other.result.params.application != scene.result.params.application
    figure = picture.draw(replace(scene, baseline=other.result))[0]
    assert "another time axis" in figure.layout.title.text
    assert "baseline" not in [trace.name for trace in figure.data]


def test_the_profile_has_the_events_that_find_most_on_top_kept_or_not() -> None:
    picture = pictures_of("segmentation.segmentation")["profile"]
    scene = scene_for("segmentation.segmentation", picture)
    table = picture.table(scene)
    recall, found_share = table["recall_true"], table["precision_true"]
    f1 = (2 * recall * found_share / (recall + found_share)).fillna(0.0)
    assert list(f1) == sorted(f1, reverse=True)
    assert f1.iloc[0] > 0
    (figure,) = picture.draw(scene)
    found, precision = figure.data
    np.testing.assert_allclose(found.x, 100 * table["recall_true"])
    np.testing.assert_allclose(precision.x, 100 * table["precision_true"])
    assert figure.layout.yaxis.ticktext[list(table["event"]).index("Dr")] == "<b>Dr</b>"
    assert sum("pruned" in name for name in figure.layout.yaxis.ticktext) == (~table["kept"]).sum() > 0


def test_without_truth_the_profile_draws_segments_and_the_bounds() -> None:
    picture = pictures_of("segmentation.segmentation")["profile"]
    scene = scene_for("segmentation.segmentation", picture)
    (figure,) = picture.draw(replace(scene, more=scene.more.drop(columns=["recall_true", "precision_true"])))
    spread, dots = figure.data
    assert len(spread.x) == 3 * len(dots.x) == 3 * len(scene.more)
    (band,) = figure.layout.shapes
    assert (band.x0, band.x1) == tuple(edge + 1 for edge in scene.result.params.bounds)
