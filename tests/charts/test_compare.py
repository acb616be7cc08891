"""The forest of changes: its order, words and marks, by hand."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from hemcore.charts.compare.contradicting import contradiction_caption, contradiction_figures, contradiction_table
from hemcore.charts.compare.forest import by_size, forest_caption, forest_figures, forest_table, in_words, signed
from hemcore.charts.compare.job_matrix import _ends, _from_to, _joules
from hemcore.charts.compare.relation_matrices import relation_caption
from hemcore.charts.compare.runs_in_order import hems_in_order, order_caption, order_figures, order_table
from hemcore.charts.picture import Scene
from hemcore.compare.contradictions import Contradictions
from hemcore.compare.relations import Relations
from hemcore.compare.results import Comparison
from hemcore.compare.truth_compared import true_changes
from hemcore.datasets.tables.subexperiments import Subexperiments
from tests.charts.conftest import scene_of


def row(change: float, low: float, high: float, changed: bool) -> pd.Series:
    return pd.Series({"hem": "L2 misses", "change": change, "low": low, "high": high, "changed": changed})


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (row(0.13, 0.12, 0.15, True), "12.0% to 15.0% more, surely not noise"),
        (row(-0.13, -0.15, -0.12, True), "12.0% to 15.0% less, surely not noise"),
        (row(0.01, -0.02, 0.03, False), "2.0% less to 3.0% more, this may be noise"),
        (row(0.0, 0.0, 0.0, False), "no change"),
        (row(0.1, np.nan, np.nan, False), "+10.0%; too few runs for an interval"),
    ],
)
def test_a_change_in_words(given: pd.Series, words: str) -> None:
    assert in_words(given) == words


def test_changes_have_signs() -> None:
    assert [signed(each) for each in (0.125, -0.5, 0.0, np.nan)] == ["+12.5%", "−50.0%", "0%", ""]


def test_what_changed_is_first_and_each_by_size() -> None:
    scene = scene_of("compare.runs")
    rows = by_size(scene.result)
    changed = rows["changed"].tolist()
    assert changed == sorted(changed, reverse=True)
    for _, part in rows.groupby("changed"):
        sizes = part["change"].abs().tolist()
        assert sizes == sorted(sizes, reverse=True)
    assert rows["hem"].iloc[:2].tolist() == ["Dw", "Dr"]  # -O1 keeps variables in memory
    assert hems_in_order(scene.result)[0] == "Dw"
    assert sorted(hems_in_order(scene.result)) == sorted(scene.table.hems)


def test_every_hem_is_drawn_once_at_its_change_and_interval() -> None:
    scene = scene_of("compare.runs")
    (figure,) = forest_figures(scene)
    rows = by_size(scene.result)
    places = sorted(int(place) for each in figure.data if each.name != "truth" for place in each.y)
    assert places == list(range(len(rows)))
    for each in (trace for trace in figure.data if trace.name != "truth"):
        for x, place, more, less in zip(each.x, each.y, each.error_x.array, each.error_x.arrayminus, strict=True):
            there = rows.iloc[int(place)]
            assert (x, x + more, x - less) == pytest.approx((there["change"], there["high"], there["low"]))
            kind = "may be noise" if not there["changed"] else "more, surely" if there["change"] > 0 else "less, surely"
            assert each.name == kind


def test_runs_are_drawn_in_their_order() -> None:
    scene = scene_of("compare.runs")
    (figure,) = order_figures(scene)
    after = next(each for each in figure.data if each.name == "after")
    expected = np.concatenate([frame["Dw"].to_numpy() for frame in scene.table.frames if "Dw" in frame.columns])
    assert list(after.y) == expected.tolist()
    assert after.x[0] == len(expected) + 1
    assert order_caption(scene) == "No drift was found. Subexperiments follow one another."
    programs = replace(scene, result=replace(scene.result, programs=2))
    assert order_caption(programs).endswith("Programs follow one another, each at its own level, which is no drift.")
    alone = replace(scene, table=replace(scene.table, frames=scene.table.frames[:1], labels=scene.table.labels[:1]))
    assert order_caption(alone) == "No drift was found."


def _set(truth: dict[str, list[float]] | None) -> Subexperiments:
    frame = pd.DataFrame({"A": [1.0, 2.0], "B": [1.0, 2.0]})
    return Subexperiments(frames=(frame,), n_pmcs=2, truth=None if truth is None else pd.DataFrame(truth))


def test_true_changes_by_hand() -> None:
    before, after = _set({"A": [1, 1, 4], "B": [0, 0, 0]}), _set({"A": [2, 2, 5], "B": [1, 1, 1]})
    assert true_changes(before, after) == pytest.approx({"A": 0.5})
    assert true_changes(before, after, "median") == pytest.approx({"A": 1.0})
    assert true_changes(before, _set(None)) == true_changes(_set(None), after) == {}


def test_a_result_without_percentages_has_no_forest() -> None:
    scene = scene_of("compare.runs")
    result: Comparison = scene.result
    none = Comparison(**{**vars(result), "table": result.table.assign(measure="difference")})
    assert by_size(none).empty


def contradicting() -> Scene:
    checks = pd.DataFrame(
        {
            "identity": ["A = B + C", "D = D"],
            "checked_in": ["before", "after, subexperiment 2"],
            "hem": ["A", "D"],
            "factor": [1.05, 0.99],
            "low": [1.04, 0.97],
            "high": [1.06, 1.01],
            "holds": [False, True],
            "probability": [0.0001, 0.5],
            "sentence": ["A is too large", "D agrees"],
        }
    )
    base = scene_of("compare.runs")
    return Scene(question=base.question, table=base.table, result=base.result, more=Contradictions(table=checks))


def test_a_contradiction_is_drawn_at_how_far_its_hem_is_off() -> None:
    scene = contradicting()
    (figure,) = contradiction_figures(scene)
    found = {each.name: (each.x[0], each.error_x.array[0], each.error_x.arrayminus[0]) for each in figure.data}
    assert found == {"contradicts the others": pytest.approx((0.05, 0.01, 0.01)), "agrees": pytest.approx((-0.01, 0.02, 0.02))}
    # The farthest end, 6%, and a little room.
    assert figure.layout.xaxis.range == pytest.approx((-0.069, 0.069))


def test_contradictions_in_words_and_numbers() -> None:
    table = contradiction_table(contradicting())
    assert table is not None
    assert table["identity"].tolist() == ["A = B + C", "D is the same in every subexperiment"]
    assert table["holds"].tolist() == ["no", "yes"]
    assert table["more or less than implied"].tolist() == ["+5.0%", "−1.0%"]
    assert table["interval"].tolist() == ["+4.0% to +6.0%", "−3.0% to +1.0%"]
    assert contradiction_caption(contradicting()) == "1 of 2 checks fails. A is too large"
    scene = contradicting()
    kept = replace(scene, more=Contradictions(table=scene.more.table.assign(holds=True)))
    assert contradiction_caption(kept) == "2 checks: no count contradicts another."
    none = replace(scene, more=Contradictions(table=scene.more.table.iloc[:0]))
    assert (contradiction_table(none), contradiction_caption(none)[:26]) == (None, "Nothing could be checked: ")


def test_every_hem_of_a_comparison_in_a_table() -> None:
    scene = scene_of("compare.runs")
    rows = pd.DataFrame(
        {
            "hem": ["A", "B"], "before": [1000.0, 0.0], "after": [1125.0, 3.0],
            "change": [0.125, 3.0], "low": [0.1, 2.0], "high": [0.15, np.nan],
            "measure": ["relative", "difference"], "changed": [True, False], "adjusted": [0.001, 0.3], "runs_needed": [np.nan, 1200.0],
            "drift": [0.0, 0.2], "autocorrelation": [0.05, 0.5], "block": [1, 4],
        }
    )  # fmt: skip
    shown = replace(scene, result=replace(scene.result, table=rows))
    table = forest_table(shown)
    assert table[["change", "low", "high"]].to_numpy().tolist()[0] == ["+12.5%", "+10.0%", "+15.0%"]
    assert table["change"][1] == "3"
    assert table["surely changed"].tolist() == ["yes", "no"]
    assert table["chance"].tolist() == ["0.1%", "30.0%"]
    assert table["further runs needed"].tolist() == ["", "1,200"]
    assert "1 HEM without a percentage" in forest_caption(shown)
    order = order_table(shown)
    assert (order["drifts"].tolist(), order["runs resampled together"].tolist()) == (["no", "yes"], [1, 4])


def test_energies_have_the_unit_that_fits() -> None:
    assert [_joules(each) for each in (0.5, 999, 1000, 2.5e6, 3e9, 4e12, 5e15, np.nan)] == [
        "0.5 J", "999 J", "1 kJ", "2.5 MJ", "3 GJ", "4 TJ", "5,000 TJ", "",
    ]  # fmt: skip
    assert [_from_to(*each) for each in (("CPU", "CPU"), ("CPU", ""), ("", "MEM"))] == ["CPU", "CPU → none", "none → MEM"]
    assert (_ends(-0.1, 0.2), _ends(np.nan, 0.2)) == ("−10.0% to +20.0%", "")


def test_the_correlation_that_changed_most_is_named_whatever_its_sign() -> None:
    rows = pd.DataFrame({"hem_a": ["A", "C"], "hem_b": ["B", "D"], "before": [0.9, 0.1], "after": [0.1, 0.5], "probability": 1e-6})
    rows = rows.assign(error_before=0.05, error_after=0.05, runs_before=60, runs_after=60)
    base = scene_of("compare.runs")
    found = Relations(rows=rows, reach=np.full((9, 2), 1.6), params=base.result.params)
    scene = Scene(question=base.question, table=base.table, result=base.result, more=found)
    assert relation_caption(scene).startswith("2 of 2 correlations surely changed. Most: A with B, from +0.90 to +0.10.")
