"""Every picture of every answer on the samples: it names its units, is small, keeps its zoom, and is only looked at."""

from dataclasses import replace

import pytest

from hemcore.charts.merge.view import MergeView
from hemcore.registry import pictures_of
from tests.charts.conftest import scene_of


def test_every_axis_with_numbers_says_what_they_are(shown) -> None:
    _, _, figures = shown
    for figure in figures:
        layout = figure.to_plotly_json()["layout"]
        axes = {name: axis for name, axis in layout.items() if name.startswith(("xaxis", "yaxis"))}
        silent = [
            name
            for name, axis in axes.items()
            if axis.get("visible", True) and axis.get("showticklabels", True) and "ticktext" not in axis and "title" not in axis
        ]
        # A margin says over itself what it counts.
        assert [name for name in silent if not layout.get("annotations")] == []


def test_every_name_of_an_axis_is_within_it(shown) -> None:
    _, _, figures = shown
    for figure in figures:
        for axis in (*figure.select_xaxes(), *figure.select_yaxes()):
            if axis.type != "log" and axis.range is not None and axis.ticktext is not None:
                low, high = sorted(axis.range)
                assert all(low <= each <= high for each in axis.tickvals)


def test_a_picture_is_small_and_no_line_has_over_5000_points(shown) -> None:
    _, picture, figures = shown
    assert len(figures) <= 2
    for figure in figures:
        assert len(figure.to_json()) < {"all_runs": 250_000, "roofline": 250_000, "curves": 140_000}.get(picture.name, 120_000)
        assert max(len(trace.x) for trace in figure.data) <= 5_000


def test_a_picture_titles_itself_and_fits_a_narrow_page(shown) -> None:
    _, _, figures = shown
    for figure in figures:
        lines = figure.layout.title.text.split("<br>")
        assert lines[0]
        assert max(len(line) for line in lines if "span" not in line) <= 56
        assert figure.layout.margin.t >= 18 * len(lines)


def test_words_and_tables_stand_under_it(shown) -> None:
    scene, picture, figures = shown
    table = picture.table(scene)
    caption = picture.caption(scene)
    # Where there is nothing to draw or list, a sentence says why.
    assert figures or table is not None or caption.endswith(".")
    assert table is None or (len(table) > 0 and table.columns.is_unique)
    assert "<" not in caption


@pytest.mark.slow
def test_drawing_changes_nothing_and_draws_the_same_again(shown) -> None:
    scene, picture, figures = shown
    again = list(picture.draw(scene))
    assert [figure.to_json() for figure in again] == [figure.to_json() for figure in figures]


@pytest.mark.parametrize(("analysis", "move"), [("merge.much", {"dep_lvl": 0.84}), ("segmentation.segmentation", {"threshold": 30.0})])
def test_zoom_stays_while_a_slider_moves_and_goes_with_another_dataset(analysis, move) -> None:
    scene, moved = scene_of(analysis), scene_of(analysis, **move)
    moved = replace(moved, view=MergeView(first_hem="Dr", second_hem="Dw")) if analysis == "merge.much" else moved
    scene = replace(scene, view=moved.view)
    elsewhere = replace(scene, question=replace(scene.question, dataset="another"))
    for name in ("pairs",) if analysis == "merge.much" else ("segments", "path"):
        picture = pictures_of(analysis)[name]
        before, after, other = (picture.draw(each)[0].layout.uirevision for each in (scene, moved, elsewhere))
        assert before
        assert before == after != other


def test_an_answer_that_is_not_at_hand_draws_nothing_yet() -> None:
    scene = scene_of("segmentation.segmentation")
    for name in ("profile", "peers"):
        picture = pictures_of("segmentation.segmentation")[name]
        assert (picture.needs is not None, list(picture.draw(scene)), picture.table(scene), picture.caption(scene)) == (True, [], None, "")
    waiting = replace(scene, result=replace(scene.result, found=None))
    picture = pictures_of("segmentation.segmentation")["all_runs"]
    assert (list(picture.draw(waiting)), picture.table(waiting), picture.caption(waiting)) == ([], None, "")
