"""How a merge is looked at: the pair, the order, the margins, a pinned merge, the truth."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from hemcore.charts.merge.pictures import ROWS, _left_out_caption
from hemcore.charts.merge.view import MergeView, matrices
from hemcore.errors import ParameterError, UnknownNameError
from hemcore.merge.trust.comparison import Comparison
from hemcore.merge.trust.fidelity import worst_pair
from hemcore.merge.trust.half_quality import MergeQuality
from hemcore.registry import pictures_of, view_of
from tests.charts.conftest import scene_of


def test_the_view_is_known_by_its_room_and_reaches_links() -> None:
    assert view_of("merge.much") is MergeView
    assert view_of("nobody.knows") is None
    view = MergeView(margin_hems=("Dr",))
    assert MergeView(**json.loads(view.model_dump_json())) == view
    for analysis in ("merge.much", "merge.hrm", "merge.copula"):
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
    with pytest.raises(ParameterError, match="'Dr' is also the first HEM"):
        pictures_of("merge.much")["pairs"].draw(replace(scene, view=MergeView(first_hem="Dr", second_hem="Dr")))
    with pytest.raises(ParameterError, match="13 are chosen; at most 12"):
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
    ours, theirs, pair = pictures_of("merge.much")["correlation"].draw(
        replace(scene, baseline=pinned.result, baseline_words="dep_lvl 0.85 → 0.6")
    )
    assert {each.name for each in pair.data} == {"merged (1,000)", "read together (500)"}
    assert ours.layout.yaxis.ticktext == theirs.layout.yaxis.ticktext
    assert "pinned: dep_lvl 0.85 → 0.6" in theirs.layout.title.text
    n = scene.result.merged.shape[1]
    assert np.isfinite(ours.data[0].z).sum() == n**2 < np.isfinite(theirs.data[0].z).sum()


def test_the_truth_is_shown_where_it_is_known_and_nowhere_else() -> None:
    scene = scene_of("merge.hrm")
    picture = pictures_of("merge.hrm")["truth"]
    assert picture.shown(scene)
    assert "Correlation MSE against the truth: 0.026; sampling noise alone gives 0.0022" in picture.caption(scene)
    assert not picture.shown(replace(scene, result=replace(scene.result, truth=None)))


def test_pairs_that_noise_does_not_explain_stand_apart() -> None:
    scene = scene_of("merge.hrm")
    truth = scene.result.truth
    (figure,) = pictures_of("merge.hrm")["truth"].draw(scene)
    within, beyond = figure.data[1:]
    assert (within.name.split(" (")[0], beyond.name.split(" (")[0]) == ("within noise", "beyond noise")
    assert len(beyond.x) == truth.n_beyond > 0
    assert len(within.x) + len(beyond.x) == truth.n_pairs == 91
    first, second = beyond.customdata[0]
    assert abs(beyond.y[0] - beyond.x[0]) > 2 * truth.errors.loc[first, second]
    assert beyond.x[0] == pytest.approx(scene.table.truth[[first, second]].corr().iloc[0, 1])


def test_the_difference_is_a_switch_and_the_worst_pair_of_what_is_shown_stands_beside() -> None:
    scene = scene_of("merge.much")
    report, picture = scene.result, pictures_of("merge.much")["correlation"]
    hems = list(report.target)
    shown = {
        "merged": report.achieved,
        "measured": report.target,
        "minus measured": report.achieved - report.target,
        "minus truth": report.achieved - report.truth.real,
    }
    assert matrices(report) == list(shown)
    assert matrices(replace(report, truth=None)) == list(shown)[:3]
    for name, matrix in shown.items():
        view = MergeView(matrix=name)
        heatmap, pair = picture.draw(replace(scene, view=view))
        np.testing.assert_allclose(heatmap.data[0].z, matrix.to_numpy(), atol=1e-6)
        assert pair_shown(pair) == (worst_pair(report.achieved, report.truth.real)[:2] if name == "minus truth" else report.worst[:2])
        row, column = (hems.index(hem) for hem in pair_shown(pair))
        assert sorted((frame.x0, frame.y0) for frame in heatmap.layout.shapes) == sorted(
            [(row - 0.5, column - 0.5), (column - 0.5, row - 0.5)]
        )
        assert " with ".join(pair_shown(pair)) + ", the worst pair: r merged" in pair.layout.title.text.replace("<br>", " ").replace(
            "\u00a0", " "
        )
        assert ("the true one" in picture.caption(replace(scene, view=view))) == (name == "minus truth")
    with pytest.raises(ParameterError, match="the truth is not known"):
        picture.draw(replace(scene, result=replace(report, truth=None), view=MergeView(matrix="minus truth")))


def test_the_pair_that_was_chosen_stands_beside_the_heatmap() -> None:
    scene, picture = scene_of("merge.much"), pictures_of("merge.much")["correlation"]
    view = MergeView(first_hem="Dw", second_hem="Ir")
    _, pair = picture.draw(replace(scene, view=view))
    assert pair_shown(pair) == ("Dw", "Ir")
    assert ", true\u00a0+0." in pair.layout.title.text.replace("<br>", " ")
    assert "worst" not in pair.layout.title.text
    assert picture.caption(replace(scene, view=view)) == ""


def test_few_hems_leave_their_pair_room_beside_them_and_many_do_not() -> None:
    scene, picture = scene_of("merge.much"), pictures_of("merge.much")["correlation"]
    assert picture.arranged(scene) == "lead"
    many = replace(scene.result, merged=pd.DataFrame(np.zeros((2, 21))))
    assert picture.arranged(replace(scene, result=many)) == "lead-wide"
    assert picture.arranged(replace(scene, baseline=scene.result)) == "pair"


def test_one_hem_alone_has_a_heatmap_and_no_pair() -> None:
    scene, picture = scene_of("merge.much", dep_lvl=0.01), pictures_of("merge.much")["correlation"]
    if scene.result.merged.shape[1] > 1:
        hem = scene.result.merged.columns[:1]
        one = {name: getattr(scene.result, name).loc[hem, hem] for name in ("target", "achieved", "readings")}
        scene = replace(scene, result=replace(scene.result, merged=scene.result.merged[hem], worst=None, truth=None, **one))
    assert len(picture.draw(scene)) == 1
    assert picture.caption(scene) == ""


def pair_shown(figure) -> tuple[str, str]:
    return figure.layout.xaxis.title.text.split(",")[0], figure.layout.yaxis.title.text.split(",")[0]


def test_filled_pairs_have_a_ring_in_the_merged_matrix_alone() -> None:
    scene = scene_of("merge.hrm")
    apart = int((scene.result.readings == 0).to_numpy().sum())
    picture = pictures_of("merge.hrm")["correlation"]
    merged, measured = (picture.draw(replace(scene, view=MergeView(matrix=matrix)))[0] for matrix in ("merged", "measured"))
    (rings,) = [trace for trace in merged.data if trace.type == "scatter" and trace.marker.symbol == "circle-open"]
    assert len(rings.x) == apart > 0
    assert not [trace for trace in measured.data if trace.type == "scatter" and trace.marker.symbol == "circle-open"]
    assert sum("never read together: filled by the model, no interval" in words for words in merged.data[-1].text) == apart
    assert sum("90% interval" in words for words in merged.data[-1].text) == 2 * len(scene.result.intervals)


def test_filled_pairs_are_explained_where_there_are_any() -> None:
    for readings, told in ((1, False), (0, True)):
        scene = scene_of("merge.much")
        report = replace(scene.result, readings=scene.result.readings.copy())
        report.readings.iloc[0, 1] = report.readings.iloc[1, 0] = readings
        (first, *_) = pictures_of("merge.much")["correlation"].draw(replace(scene, result=report))
        assert ("never read together, filled" in first.layout.title.text) is told


@pytest.mark.parametrize(
    ("r", "text"),
    [([], "Nothing was left out"), ([np.nan, np.nan], "Readings that the merged table does not use"), ([np.nan, 0.9], "Raise dep_lvl")],
)
def test_why_hems_were_left_out(r: list[float], text: str) -> None:
    scene = scene_of("merge.much")
    left_out = pd.DataFrame({"hem": ["A"] * len(r), "r": r})
    assert text in _left_out_caption(replace(scene, result=replace(scene.result, left_out=left_out)))


def test_the_forest_has_an_interval_for_each_measured_pair_and_tells_what_lies_outside() -> None:
    scene = scene_of("merge.hrm")
    picture = pictures_of("merge.hrm")["intervals"]
    (figure,) = picture.draw(replace(scene, view=MergeView(ranked="Bcm")))
    names = {trace.name.split(" (")[0]: len(trace.x) for trace in figure.data}
    found = scene.result.intervals
    mine = found[(found["hem_a"] == "Bcm") | (found["hem_b"] == "Bcm")]
    assert names["measured, 90% interval"] == len(mine)
    assert names["filled, no interval"] == 13 - len(mine)
    outside = scene.result.outside
    assert names.get("merged, outside", 0) == int(((outside["hem_a"] == "Bcm") | (outside["hem_b"] == "Bcm")).sum())
    assert "of 91 pairs were never read together and have no interval" in picture.caption(scene)


def test_methods_are_drawn_beside_the_true_rows() -> None:
    scene = scene_of("merge.hrm")
    rows = pd.DataFrame(
        {"method": ["true rows", "hrm", "copula"], "auc": [0.5, 0.9, 0.52], "energy": [0.0, 0.01, 0.0], "spearman_mse": 1e-3,
         "pearson_mse": 1e-3, "seconds": [np.nan, 0.1, 0.5], "why": ["", "", ""]}
    )  # fmt: skip
    quality = MergeQuality(rows=rows, judges=("subexperiment 1",), runs=250)
    picture = pictures_of("merge.hrm")["methods"]
    assert picture.draw(scene) == []
    full = replace(scene, more=Comparison(quality=quality, truth=rows.drop(columns="why")))
    (figure,) = picture.draw(full)
    assert [list(trace.x) for trace in figure.data] == [[np.float32(0.9), np.float32(0.52)]] * 2
    assert figure.layout.shapes[0].x0 == 0.5
    assert picture.caption(full).startswith(
        "Closest to rows read together: Copula, AUC 0.52 against the truth; true rows have 0.50 (dashed line)."
    )
    # What the halves cannot tell from 0.5 is a band; they recommend nothing where no half judges some pairs.
    star = replace(quality, told=0.56, seen=0.6, hems=3, n_hems=5, n_unread=6, n_pairs=10)
    halves = replace(scene, more=Comparison(quality=star, truth=None))
    (banded,) = picture.draw(halves)
    assert (banded.layout.shapes[0].type, banded.layout.shapes[0].x1) == ("rect", 0.56)
    assert "grey: halves cannot tell it from 0.5" in banded.layout.title.text
    assert picture.caption(halves).startswith("No merge is recommended: 6 of 10 pairs are never read together, and no half of the runs can")
    assert "cannot tell an AUC up to 0.56 from 0.5 and notice 0.60 in nine of ten" in picture.caption(halves)
    # Nor where they cannot tell two merges from rows read together.
    two = replace(quality, rows=rows.assign(method=["true rows", "calibrated", "copula"], auc=[0.5, 0.55, 0.52], why=""), told=0.56)
    equal = replace(scene, more=Comparison(quality=two, truth=None))
    assert picture.caption(equal).startswith(
        "No merge is recommended: halves of these runs cannot tell apart: Copula; MUCH, calibrated (true rows have 0.50 (dashed line))."
    )
    table = picture.table(full)
    assert table is not None
    assert table["method"].tolist() == ["True rows", "HRM", "Copula"]
    assert "reason" not in table
    assert "AUC, truth" in table
    none = replace(quality, rows=rows.assign(auc=[0.5, np.nan, np.nan], why=["", "no anchor", "apart"]))
    alone = replace(scene, more=Comparison(quality=none, truth=None))
    assert picture.caption(alone) == "No method can merge halves of these readings; the table gives the reasons."
    assert picture.table(alone)["reason"].tolist() == ["", "no anchor", "apart"]
    picture.draw(alone)


def test_the_table_says_that_rows_are_left_out_only_where_some_are() -> None:
    scene, picture = scene_of("merge.much"), pictures_of("merge.much")["table"]
    n = len(scene.result.merged)
    assert n <= ROWS
    assert picture.caption(scene) == f"{n:,} runs, counts per run."
    longer = replace(scene, result=replace(scene.result, merged=pd.concat([scene.result.merged] * 10)))
    assert f"The first {ROWS:,} are shown; all are in the downloads." in picture.caption(longer)
