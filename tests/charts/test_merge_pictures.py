"""How a merge is looked at: the pair, the order, the margins, a pinned merge, the truth."""

import json
from dataclasses import replace

import numpy as np
import pytest

from hemcore.charts.merge import MergeView
from hemcore.charts.picture import pictures_of, view_of
from hemcore.errors import ParameterError, UnknownNameError
from tests.charts.conftest import scene_of


def test_the_view_is_known_by_its_room_and_reaches_links() -> None:
    assert view_of("merge.much") is MergeView
    assert view_of("nobody.knows") is None
    view = MergeView(margin_hems=("Dr",))
    assert MergeView(**json.loads(view.model_dump_json())) == view
    for analysis in ("merge.much", "merge.hrm"):
        for picture in pictures_of(analysis).values():
            assert set(picture.view) <= set(MergeView.model_fields)


def test_without_a_choice_the_pair_is_the_worst_and_a_choice_keeps_it_apart() -> None:
    scene = scene_of("merge.hrm")
    worst = scene.result.worst[:2]
    picture = pictures_of("merge.hrm")["pairs"]
    for view, pair in ((None, worst), (MergeView(first_hem=worst[1]), worst[::-1]), (MergeView(second_hem=worst[0]), worst[::-1])):
        layout = picture.draw(replace(scene, view=view))[0].layout
        assert [layout.xaxis.title.text.split(",")[0], layout.yaxis.title.text.split(",")[0]] == list(pair)


@pytest.mark.parametrize(
    ("name", "view"),
    [
        ("pairs", {"first_hem": "gone"}),
        ("pairs", {"second_hem": "gone"}),
        ("ranking", {"ranked": "gone"}),
        ("margins", {"margin_hems": ("gone",)}),
    ],
)
def test_a_hem_that_is_not_in_the_merged_table_is_named(name, view) -> None:
    with pytest.raises(UnknownNameError, match="'gone' is not in the merged table"):
        pictures_of("merge.much")[name].draw(replace(scene_of("merge.much"), view=MergeView(**view)))


def test_twice_the_same_hem_and_too_many_margins_are_refused() -> None:
    scene = scene_of("merge.much")
    with pytest.raises(ParameterError, match="'Dr' is the first HEM too"):
        pictures_of("merge.much")["pairs"].draw(replace(scene, view=MergeView(first_hem="Dr", second_hem="Dr")))
    with pytest.raises(ParameterError, match="13 are chosen; 12"):
        pictures_of("merge.much")["margins"].draw(replace(scene, view=MergeView(margin_hems=("Dr",) * 13)))


def test_measured_and_clustered_change_the_matrix_and_its_order() -> None:
    scene = scene_of("merge.hrm")
    picture = pictures_of("merge.hrm")["correlation"]
    merged = picture.draw(scene)[0]
    measured = picture.draw(replace(scene, view=MergeView(matrix="measured")))[0]
    clustered = picture.draw(replace(scene, view=MergeView(order="clustered")))[0]
    assert np.isfinite(merged.data[0].z).all()
    assert np.isnan(measured.data[0].z).sum() == scene.result.target.isna().to_numpy().sum() > 0
    assert "grey: never read together" in measured.layout.title.text
    assert sorted(clustered.layout.yaxis.ticktext) == sorted(merged.layout.yaxis.ticktext)
    assert list(clustered.layout.yaxis.ticktext) != list(merged.layout.yaxis.ticktext)


def test_a_pinned_merge_stands_beside_on_the_same_hems() -> None:
    scene, pinned = scene_of("merge.much", dep_lvl=0.6), scene_of("merge.much")
    ours, theirs = pictures_of("merge.much")["correlation"].draw(
        replace(scene, baseline=pinned.result, baseline_words="dep_lvl 0.85 → 0.6")
    )
    assert ours.layout.yaxis.ticktext == theirs.layout.yaxis.ticktext
    assert "pinned: dep_lvl 0.85 → 0.6" in theirs.layout.title.text
    n = scene.result.merged.shape[1]
    assert np.isfinite(ours.data[0].z).sum() == n**2 < np.isfinite(theirs.data[0].z).sum()


def test_the_truth_is_shown_where_the_sample_knows_it_and_nowhere_else() -> None:
    scene = scene_of("merge.hrm")
    picture = pictures_of("merge.hrm")["truth"]
    assert picture.shown(scene)
    assert "Correlation MSE against the truth: " in picture.caption(scene)
    for dataset in ("a" * 64, "subexperiments-hrm", "sample-nothing"):
        assert not picture.shown(replace(scene, question=replace(scene.question, dataset=dataset)))
