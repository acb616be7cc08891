"""What the pictures of predictions show, for results of a few numbers."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hemcore.analysis import Question
from hemcore.charts.colours import MUTED, SERIES
from hemcore.charts.picture import Scene
from hemcore.charts.prediction import (
    cause_bars,
    cells,
    correlation,
    course,
    leaks,
    measured,
    models,
    pca,
    phases,
    programs,
    ready,
    representatives,
    sizes,
    stack,
    two,
    what_if,
)
from hemcore.charts.prediction.view import PredictionView
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.prediction import PredictionParams, fitted_models
from hemcore.prediction.analysis import CELLS, CORRELATE, MEASURE, PROJECT
from hemcore.prediction.evaluate.by_program import Evaluation
from hemcore.prediction.evaluate.cycle_costs import CostStack
from hemcore.prediction.evaluate.leakage import Leak
from hemcore.prediction.evaluate.prediction_intervals import SHUFFLED, Intervals
from hemcore.prediction.evaluate.prediction_scores import program_scores, summary
from hemcore.prediction.evaluate.scenarios import what_if as with_saved
from hemcore.prediction.explore.params import ExploreParams
from hemcore.prediction.explore.results import CellCorrelations, Explored
from hemcore.prediction.models.model_files import kept_models
from hemcore.registry import analysis_named
from tests.charts.conftest import names, trace
from tests.core.prediction.few_programs import programs_of_cost

TABLE = programs_of_cost({"a": 1.0, "b": 2.0, "c": 4.0}, (100, 200, 300), D1mr=(1, 4, 2))


def scene(name: str, result: Any, more: Any = None, *, table: PhaseTable = TABLE, baseline: Any = None, **view: Any) -> Scene:
    analysis = analysis_named(f"prediction.{name}")
    question = Question(analysis=analysis, dataset="made", params=analysis.params())
    return Scene(question=question, table=table, result=result, more=more, view=PredictionView(**view), baseline=baseline)


def evaluation(granularities: tuple[int, ...] = (10,)) -> Evaluation:
    """Errors of programs a and b: OLS 10% and 30%, Ridge 20% and 60%, the copy 50%; twice that at each next granularity."""
    frames = []
    for step, granularity in enumerate(granularities):
        off = 2**step
        frame = pd.DataFrame({"program": ["a", "b"], "granularity": granularity, "load": "single core", "phase": 0, "measured": 100.0})
        errors = {"OLS": (0.1, -0.3), "Ridge": (-0.2, 0.6), "copy the other load": (0.5, 0.5)}
        frames.append(frame.assign(**{name: [100 * (1 + off * each) for each in own] for name, own in errors.items()}))
    found = pd.concat(frames, ignore_index=True)
    scores = program_scores(found, list(errors))
    return Evaluation(
        phases=found, programs=scores, summary=summary(scores), settings=pd.DataFrame(), by_measuring=(0.0,), models=tuple(errors),
        target="CYCLES", notes=(), params=PredictionParams(),
    )  # fmt: skip


# Programs left out.


def test_programs_by_error_with_a_line_from_the_smallest_to_the_largest() -> None:
    dots, bars = programs.draw(scene("evaluation", evaluation(), drawn=("OLS", "Ridge")))
    # The best model is OLS; its worst program, b, is on top.
    assert list(dots.layout.yaxis.ticktext) == ["b", "a"]
    assert trace(dots, "OLS").x.tolist() == pytest.approx([0.3, 0.1])
    assert trace(dots, "Ridge").x.tolist() == pytest.approx([0.6, 0.2])
    spans = np.asarray(dots.data[0].x, dtype=float).reshape(2, 3)[:, :2]
    assert spans.ravel().tolist() == pytest.approx([0.3, 0.6, 0.1, 0.2])
    assert dots.layout.xaxis.range[1] == pytest.approx(1.04 * 0.6)
    # Means 20%, 40%, 50%, the smallest first; with two programs the medians are the same.
    means = trace(bars, "mean program")
    assert means.x.tolist() == pytest.approx([0.2, 0.4, 0.5])
    assert means.y.tolist() == [0, 1, 2]
    assert means.marker.color[-1] == MUTED
    assert trace(bars, "median program").x.tolist() == pytest.approx([0.2, 0.4, 0.5])
    assert "absolute error per phase" in bars.layout.xaxis.title.text


def test_a_baseline_stands_at_its_own_models() -> None:
    better = evaluation()
    better = Evaluation(**(vars(better) | {"summary": better.summary.assign(mape_mean=better.summary["mape_mean"] / 2)}))
    _, bars = programs.draw(scene("evaluation", evaluation(), baseline=better))
    before = next(each for each in bars.data if str(each.name).startswith("baseline"))
    assert list(before.x) == pytest.approx([0.1, 0.2, 0.25])
    assert list(before.y) == [0, 1, 2]


def test_the_models_shown_by_default() -> None:
    found = evaluation()
    assert models.usual_models(found) == ["OLS", "copy the other load"]
    assert models.drawn_models(found, ("Ridge", "none")) == ["Ridge"]


def test_errors_over_granularities_in_their_order() -> None:
    found = evaluation((20, 10))
    frames = [TABLE.frame, TABLE.frame.assign(granularity=20)]
    table = PhaseTable(frame=pd.concat(frames, ignore_index=True), counters=TABLE.counters)
    mean, median = sizes.draw(scene("evaluation", None, found, table=table, drawn=("OLS",)))
    # At 20 blocks the mean is 20%, at 10 it was twice that.
    assert list(mean.layout.xaxis.ticktext) == ["10", "20"]
    order = np.argsort(mean.data[0].x)
    assert np.asarray(mean.data[0].y)[order].tolist() == pytest.approx([0.4, 0.2])
    assert "median over programs" in median.layout.title.text.replace("<br>", " ")


def test_errors_per_program_are_means_in_one_picture_and_medians_in_the_other() -> None:
    found = evaluation()
    found = replace(found, summary=found.summary.assign(whole_mean=0.4, whole_median=0.1))
    mean, median = sizes.draw(scene("evaluation", None, found, drawn=("OLS",), score="as a whole"))
    assert (mean.data[0].y[0], median.data[0].y[0]) == pytest.approx((0.4, 0.1))


def test_shuffled_rows_are_red_crosses_and_programs_left_out_are_dots() -> None:
    scores = pd.DataFrame({"model": ["kNN10"], "shuffled": [0.02], "by_program": [0.25]})
    found = Leak(scores=scores, notes=(), params=PredictionParams())
    (figure,) = leaks.draw(scene("evaluation", None, found))
    shuffled, by_program = trace(figure, "shuffled rows: too optimistic"), trace(figure, "programs left out")
    assert (shuffled.x[0], shuffled.marker.color, shuffled.marker.symbol) == (pytest.approx(0.02), SERIES[3], "x")
    assert (by_program.x[0], by_program.marker.color, by_program.text[0]) == (pytest.approx(0.25), SERIES[0], "25.0%")
    assert figure.layout.xaxis.range[1] == pytest.approx(1.15 * 0.25)
    assert "kNN10 has an error of 2.0%" in leaks.caption(scene("evaluation", None, found))


# Intervals.


def intervals() -> Intervals:
    """Program a: 100 measured, 120 predicted, outside 110 to 130; b: 200 measured and predicted, inside, but far from the others."""
    wholes = {
        "program": ["a", "b"], "measured": [100.0, 200.0], "predicted": [120.0, 200.0], "distance": [0.5, 9.0], "far": [False, True],
    }  # fmt: skip
    phase = {"granularity": 10, "load": "single core", "phase": [0, 0]}
    ends = {}
    for name, half in (("80", 10.0), ("90", 15.0)):
        ends |= {f"low_{name}": np.array(wholes["predicted"]) - half, f"high_{name}": np.array(wholes["predicted"]) + half}
    covered = {f"covered_{name}": [False, True] for name in ("80", "90")} | {f"phases_covered_{name}": [0.25, 1.0] for name in ("80", "90")}
    coverage = [
        {"way": way, "promised": promised, "programs": 2, "covered": 1, "phases_covered": 0.4, "half_width": 0.1}
        for way in ("jackknife+ over programs", SHUFFLED)
        for promised in (0.8, 0.9)
    ]
    return Intervals(
        phases=pd.DataFrame(wholes | phase | ends), programs=pd.DataFrame(wholes | ends | covered), coverage=pd.DataFrame(coverage),
        model="Ridge", notes=(), params=PredictionParams(),
    )  # fmt: skip


@pytest.mark.parametrize(("promised", "half"), [("80 %", 10), ("90 %", 15)])
def test_programs_inside_and_outside_their_intervals(promised: str, half: float) -> None:
    shown = scene("evaluation", evaluation(), intervals(), promised=promised)
    wholes, _ = measured.draw(shown)
    outside, inside = trace(wholes, "outside the interval"), trace(wholes, "inside, but far from the others")
    assert (outside.marker.color, outside.marker.symbol) == (SERIES[3], "circle")
    assert (inside.marker.color, inside.marker.symbol) == (SERIES[0], "diamond-open")
    assert (outside.x[0], outside.y[0]) == (100, 120)
    assert (outside.error_y.array[0], outside.error_y.arrayminus[0]) == (half, half)
    # The diagonal goes from below the smallest to above the largest value.
    line = trace(wholes, "predicted = measured")
    assert list(line.x) == list(line.y) == pytest.approx([90, 220])
    # Program a has the larger error.
    assert measured.looked_at(shown, intervals()) == "a"
    assert f"{promised.replace(' ', '')} intervals from shuffled rows would contain 40% of" in measured.caption(shown)


def test_one_program_with_its_interval() -> None:
    shown = scene("evaluation", evaluation(), intervals(), unseen="b", promised="90 %")
    figure, errors = course.draw(shown)
    assert names(figure)[:3] == ["90% interval", "OLS", "Ridge"]
    assert (figure.data[0].y[0], figure.data[1].y[0]) == (185, 215)
    assert trace(figure, "measured").y[0] == 200
    # The second model is the best one, OLS, which predicts 70 for b.
    assert trace(figure, "OLS").y[0] == pytest.approx(70)
    assert trace(errors, "mean over its phases").x.tolist() == pytest.approx([0.3, 0.5, 0.6])
    assert trace(errors, "its total").x.tolist() == pytest.approx([0.3, 0.5, 0.6])
    # Each model's two values are joined in its own row.
    assert errors.data[0].y.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    text = course.caption(scene("evaluation", evaluation(), intervals(), unseen="a"))
    assert text.startswith("The total of a by Ridge is 20.0% too high; 25% of its phases lie in their 80% intervals.")
    assert "extrapolation" not in text
    assert "an extrapolation" in course.caption(shown)


# Where the cycles go.


def test_cost_shares_with_their_intervals() -> None:
    overall = pd.DataFrame({"share": [0.7, 0.3], "low": [0.6, 0.25], "high": [0.75, 0.4]}, index=["base", "last level"])
    rows = [(name, group, share, share - 0.1, share + 0.1, 1.0, 1.0)
            for name, base in (("a", 0.8), ("b", 0.6)) for group, share in (("base", base), ("last level", 1 - base))]  # fmt: skip
    found = CostStack(
        overall=overall,
        programs=pd.DataFrame(rows, columns=["program", "group", "share", "low", "high", "target", "predicted_over_measured"]),
        costs=pd.DataFrame(
            {"counter": ["Ir", "DLmr"], "group": ["base", "last level"], "cost": [1.0, 40.0], "low": [0.5, 30.0], "high": [1.2, 60.0]}
        ),
        causes=pd.DataFrame(), groups=("base", "last level"), target="CYCLES", notes=(), params=PredictionParams(),
    )  # fmt: skip
    shown = scene("cost_stack", found)
    stacks, groups = stack.draw(shown)
    assert list(stacks.layout.yaxis.ticktext) == ["b", "a"]
    assert trace(stacks, "last level").x.tolist() == pytest.approx([0.4, 0.2])
    assert (trace(stacks, "base").marker.color, trace(stacks, "last level").marker.color) == (SERIES[0], SERIES[3])
    dots = groups.data[0]
    assert list(dots.error_x.array) == pytest.approx([0.05, 0.1])
    assert list(dots.error_x.arrayminus) == pytest.approx([0.1, 0.05])
    (costs,) = stack.draw_costs(shown)
    # The most expensive event on top.
    assert list(costs.layout.yaxis.ticktext) == ["DLmr", "Ir"]
    assert (trace(costs, "last level").y[0], trace(costs, "last level").x[0]) == (0, 40)
    assert (trace(costs, "last level").error_x.array[0], trace(costs, "last level").error_x.arrayminus[0]) == (20, 10)


# What if.


def asked(**view: Any) -> Scene:
    params = PredictionParams(models="OLS; cost per event", held_out="a")
    return scene("what_if", with_saved(TABLE, params, None, fitted_models(TABLE, params)), **view)


def test_a_what_if_starts_at_the_median_phase_unless_another_is_chosen() -> None:
    assert what_if.start_of(asked())["measured"] == 200
    assert what_if.start_of(asked(start_phase=2))["measured"] == 300
    assert [what_if.in_full(each) for each in (12_345.6, 100.0, 99.999, 0.5)] == ["12,346", "100", "100", "0.5"]


def test_changed_counts_and_the_gauge_of_the_distance() -> None:
    shown = asked(counts=(("D1mr", 5e4), ("Ir", 200.0), ("unknown", 1.0)))
    rows = what_if.answer(shown)
    figure, _ = what_if.draw(shown)
    assert "with 1 count changed" in figure.layout.title.text.replace("<br>", " ")
    assert "Changed: D1mr 50,000 instead of 4." in what_if.caption(shown)
    gauge = trace(figure, "distance")
    assert gauge.x[0] == pytest.approx(rows["distance"].iloc[0])
    assert gauge.marker.color == SERIES[3]
    own = asked(counts=(("Ir", 200.0),))
    near, _ = what_if.draw(own)
    assert trace(near, "distance").marker.color == SERIES[0]
    one = trace(near, "cost per event")
    row = what_if.answer(own).set_index("model").loc["cost per event"]
    assert (one.x[0] + one.error_x.array[0], one.x[0] - one.error_x.arrayminus[0]) == pytest.approx((row["high"], row["low"]))


def test_trained_models_by_their_error() -> None:
    shown = asked()
    (figure,) = ready.draw(shown)
    scores = sorted(shown.result.ready.scores.values())
    assert figure.data[0].x.tolist() == pytest.approx(scores)
    assert list(figure.data[0].text) == [f"{each:.1%}" for each in scores]
    # A saved model is placed by its error on these phases, whatever it promised in training.
    exact = replace(kept_models(shown.result.ready)["OLS"], scores={"mape": 0.01})
    kept = replace(shown.result, kept={"OLS, saved 1": exact})
    (figure,) = ready.draw(replace(shown, result=kept))
    place = list(figure.layout.yaxis.ticktext).index("OLS, saved 1")
    assert figure.data[0].x[place] == pytest.approx(kept.kept_errors["OLS, saved 1"].mape)
    assert figure.data[0].marker.color[place] == models.colour_of_model("OLS")
    assert "saved models on the phases here" in figure.layout.title.text.replace("<br>", " ")


# Exploring.


def test_correlations_with_the_target_by_size() -> None:
    found = CORRELATE.of(TABLE, ExploreParams())
    heat, bars = correlation.draw(scene("explore", None, found))
    assert list(bars.layout.yaxis.ticktext) == ["Ir", "D1mr"]
    assert bars.data[0].x.tolist() == pytest.approx(found.against["r"].tolist())
    # By sign, as in the heatmap next to it; the rows have names.
    assert list(bars.data[0].marker.color) == ["#D1495B" if r >= 0 else "#3E6BB0" for r in found.against["r"]]
    assert "9 phases of 3 programs" in heat.layout.title.text.replace("<br>", " ")
    before = Explored(phases=found, measured=None, params=ExploreParams())
    _, bars = correlation.draw(scene("explore", None, found, baseline=before))
    assert list(next(each for each in bars.data if str(each.name).startswith("baseline")).x) == pytest.approx(found.against["r"].tolist())


def test_each_panel_of_loads_has_the_counters_in_one_order() -> None:
    frames = [TABLE.frame, TABLE.frame.assign(load="idle", D1mr=TABLE.frame["CYCLES"])]
    table = PhaseTable(frame=pd.concat(frames, ignore_index=True), counters=TABLE.counters)
    found = CELLS.of(table, ExploreParams())
    (figure,) = cells.draw(scene("explore", None, found, table=table))
    # D1mr: about 0.3 and 1; Ir the same under both loads, about 0.6: which has the larger mean is on top.
    sizes_of = found.known.assign(size=found.known["r"].abs()).groupby("counter")["size"].mean()
    assert list(figure.layout.yaxis.ticktext) == sizes_of.sort_values(ascending=False).index.tolist()
    assert len(figure.data) == 2
    assert [each.xaxis for each in figure.data] == ["x", "x2"]
    shown = cells.table(scene("explore", None, found, table=table))
    assert shown is not None
    assert shown.loc[(shown["counter"] == "D1mr") & (shown["load"] == "idle"), "10 blocks"].tolist() == pytest.approx([1.0])


def test_panels_are_sorted_by_the_mean_over_all_of_them() -> None:
    # a: 0.9 and -0.1, on average 0.5; b: 0.6 and -0.6.
    rows = [("10", "x", "a", 0.9, 9), ("10", "x", "b", 0.6, 9), ("10", "y", "a", -0.1, 9), ("10", "y", "b", -0.6, 9)]
    frame = pd.DataFrame(rows, columns=["granularity", "load", "counter", "r", "rows"])
    found = CellCorrelations(cells=frame, target="CYCLES", granularities=("10",), loads=("x", "y"), params=ExploreParams())
    (figure,) = cells.draw(scene("explore", None, found))
    assert list(figure.layout.yaxis.ticktext) == ["b", "a"]
    assert [each.x.tolist() for each in figure.data] == [pytest.approx([0.9, 0.6]), pytest.approx([-0.1, -0.6])]
    # Each in the row of its counter.
    assert [each.y.tolist() for each in figure.data] == [[1, 0], [1, 0]]


def test_axes_of_two_counters_leave_out_a_fifth_of_a_percent_at_each_end() -> None:
    # 2 to 998, and 6% of that beyond.
    assert two._ends(np.linspace(0, 1000, 1001)) == pytest.approx([2 - 59.76, 998 + 59.76])
    assert two._ends(np.array([5.0, 5.0])) == pytest.approx([4.7, 5.3])


def test_the_axes_hold_the_middle_of_the_points_and_the_origin() -> None:
    low, high = pca._middle(np.linspace(0, 1000, 1001))
    # 0.5% at each end is cut: 5 to 995, and a tenth of that beyond; the origin is inside.
    assert (low, high) == pytest.approx((0 - 99, 995 + 99))
    assert pca._middle(np.zeros(3)) == [-1, 1]


def test_names_of_arrows_stand_on_the_first_free_side_of_their_tips() -> None:
    middle, right, above = np.array([0.5, 0.5]), np.array([0.58, 0.5]), np.array([0.58, 0.55])
    size = np.array([0.2, 0.1])

    def sides(*tips: np.ndarray, outward: tuple[bool, bool] = (True, True)) -> list[tuple[str, str] | None]:
        return pca._sides(np.array(tips), np.array([outward] * len(tips)), np.array([size] * len(tips)))

    assert sides(middle) == [("left", "bottom")]
    assert sides(middle, outward=(False, False)) == [("right", "top")]
    # The second at one point goes below the first, the third left of both, the fourth to the last side; the fifth has none.
    assert sides(*[middle] * 5) == [("left", "bottom"), ("left", "top"), ("right", "bottom"), ("right", "top"), None]
    # .5 to .7 by .5 to .6 is taken: from .58 up it is not free to the right, nor to the left; below it is.
    assert sides(middle, right) == [("left", "bottom"), ("left", "top")]
    assert sides(middle, above) == [("left", "bottom"), None]
    # At the right edge there is room to the left alone, at the upper right corner only below and to the left.
    assert sides(np.array([0.9, 0.5])) == [("right", "bottom")]
    assert sides(np.array([0.9, 0.95])) == [("right", "top")]


def test_arrows_point_where_their_counters_grow() -> None:
    found = PROJECT.of(TABLE, ExploreParams())
    (plane,) = pca.draw(scene("explore", None, found))
    explained = found.found.explained
    assert f"PC1 ({explained[0]:.0%} of the variance)" in plane.layout.xaxis.title.text
    assert plane.layout.yaxis.title.text.startswith(f"PC2 ({explained[1]:.0%} of the variance)")
    tips = next(each for each in plane.data if each.hovertext is not None and each.mode == "markers")
    loadings = found.found.loadings.to_numpy()[:, :2]
    longest = loadings[np.argsort(-(loadings**2).sum(axis=1), kind="stable")]
    assert np.sign(tips.x).tolist() == np.sign(longest[:, 0]).tolist()
    scale = np.asarray(tips.x, dtype=float) / longest[:, 0]
    assert scale == pytest.approx(np.full(len(scale), scale[0]), rel=1e-4)
    assert max(abs(np.asarray(tips.y, dtype=float))) <= max(abs(each) for each in plane.layout.yaxis.range)


def test_the_outermost_groups_have_colours() -> None:
    many = programs_of_cost({f"p{number}": 1.0 for number in range(12)}, (100,))
    far = np.arange(12.0)
    found = phases.groups(many, np.arange(12), "program", far)
    coloured = [name for name, colour in zip(found.names, found.colours, strict=True) if colour != MUTED]
    assert sorted(coloured, key=lambda name: int(name[1:])) == [f"p{number}" for number in range(5, 12)]
    # By their numbers: of eight colors p8 has the first, p11 the fourth. Where p0 is further out it takes p8's; p11 keeps its own.
    assert found.colours[found.names.index("p11")] == SERIES[3]
    other = phases.groups(many, np.arange(12), "program", np.array([20.0, *range(1, 12)]))
    assert [other.colours[other.names.index(name)] for name in ("p0", "p8", "p11")] == [SERIES[0], SERIES[4], SERIES[3]]
    # Gray ones first, behind the others.
    assert found.colours[0] == MUTED
    assert [found.names[code] for code in found.codes] == [f"p{number}" for number in range(12)]


def test_phases_coloured_by_their_number() -> None:
    table = programs_of_cost({"a": 1.0}, tuple(range(1, 14)))
    found = phases.groups(table, np.arange(13), "phase", np.zeros(13))
    # Thirteen phases, 0 to 12, in six stages: two each, and the last one in the last stage.
    assert found.codes.tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 5]
    assert found.names[0] == "0% to 16% of the program"


def test_two_counters_and_what_lies_outside_the_axes() -> None:
    found = CORRELATE.of(TABLE, ExploreParams())
    shown = scene("explore", None, found, row=4)
    assert two.pair(shown) == ("Ir", "CYCLES")
    assert two.pair(scene("explore", None, found, up="Ir", across="D1mr")) == ("D1mr", "Ir")
    (figure,) = two.draw(shown)
    ring = trace(figure, "clicked")
    # Phase 1 of program b: 200 instructions, 400 cycles.
    assert (ring.x[0], ring.y[0]) == (200, 400)
    assert two.caption(shown).startswith("Table: phase 1 of b, single core.")
    # 100 to 300 instructions, with 6% of the range beyond.
    assert figure.layout.xaxis.range == pytest.approx((100 - 12, 300 + 12), abs=1)
    (rates,) = two.draw(scene("explore", None, found, rates=True))
    assert sorted({float(each) for points in rates.data for each in points.y}) == [1, 2, 4]


def test_phases_to_measure_and_what_they_represent() -> None:
    table = programs_of_cost({"a": 1.0, "b": 1.0}, (100,) * 4, D1mr=(0, 0, 10, 10))
    table = PhaseTable(frame=table.frame.assign(CYCLES=[100, 100, 300, 500] * 2), counters=table.counters)
    found = MEASURE.of(table, ExploreParams(program="a", n_measured=2))
    course_of, curve = representatives.draw(scene("explore", None, found, table=table))
    assert sum("50%" in str(name) for name in names(course_of)) == 2
    assert course_of.layout.yaxis.title.text == "CYCLES per instruction"
    assert curve.layout.shapes[0].x0 == 2
    assert list(trace(curve, "chosen").x) == [1, 2, 3]
    assert trace(curve, "chosen").y[1] == pytest.approx(0.2)
    band = trace(curve, "90% of random choices")
    assert band.y[:3].tolist() == pytest.approx(found.curve.curve["random_largest"].tolist())
    assert band.y[3:].tolist() == [0, 0, 0]


# Causes.


def caused(**view: Any) -> Scene:
    """Program a: 60 of 100 CYCLES are base, 30 go to last-level misses, 10 are unexplained; b has 80, 10, 10; 50 instructions each."""
    amounts = {"a": (60.0, 30.0, 10.0), "b": (80.0, 10.0, 10.0)}
    rows = [(name, cause, each, each - 2, each + 4, 100.0, 50.0)
            for name, own in amounts.items() for cause, each in zip(("base", "last level", "unexplained"), own, strict=True)]  # fmt: skip
    nothing = pd.DataFrame()
    found = CostStack(
        overall=nothing, programs=nothing, costs=nothing,
        causes=pd.DataFrame(rows, columns=["program", "cause", "amount", "low", "high", "measured", "instructions"]),
        groups=("base", "last level"), target="CYCLES", notes=(), params=PredictionParams(),
    )  # fmt: skip
    return scene("cost_stack", found, **view)


def test_causes_stand_by_size_per_instruction_with_their_reference() -> None:
    (figure,) = cause_bars.draw_causes(caused())
    (bars,) = figure.data
    assert list(figure.layout.yaxis.ticktext) == ["base work", "last-level misses", "unexplained"]
    assert bars.x.tolist() == pytest.approx([1.2, 0.6, 0.2])
    assert (bars.error_x.array.tolist(), bars.error_x.arrayminus.tolist()) == (pytest.approx([0.08] * 3), pytest.approx([0.04] * 3))
    assert list(bars.marker.color) == [SERIES[0], SERIES[3], MUTED]
    assert bars.hovertext[1] == (
        "<b>last-level misses</b>: 30 CYCLES, 30.0% of what was measured<br>0.6 per instruction<br>"
        "90% interval 28 to 34 (28.0% to 34.0%)<br>removing all of it: at most 30.0% fewer CYCLES (1.43 times as fast)"
    )
    assert "removing" not in bars.hovertext[2]
    assert "reference" not in cause_bars.table(caused()).columns

    compared = caused(reference="b")
    (figure,) = cause_bars.draw_causes(compared)
    ticks = trace(figure, "b")
    assert (ticks.x.tolist(), ticks.y.tolist()) == (pytest.approx([1.6, 0.2, 0.2]), [0, 1, 2])
    assert figure.data[0].hovertext[0].endswith("as in b: 20.0% more CYCLES")
    assert figure.data[0].hovertext[1].endswith("as in b: 20.0% fewer CYCLES")
    assert cause_bars.table(compared)["fewer_as_reference"].tolist()[:2] == pytest.approx([-0.2, 0.2])
    best = trace(cause_bars.draw_causes(caused(loses="b", reference="the suite's best"))[0], "the suite's best")
    assert (best.x.tolist(), best.y.tolist()) == (pytest.approx([1.2, 0.2]), [0, 1])
    assert "b, with as many instructions" in cause_bars.caption(compared)


def test_verdict_and_figures_are_those_of_the_program_shown() -> None:
    verdict, cards = cause_bars.headline(caused(loses="b"))
    assert verdict.answer == "Last-level misses cost b most: at most 10.0% fewer CYCLES."
    assert [each.shown for each in cards] == ["80.0%", "10.0%", "10.0%"]
    assert cause_bars.headline(caused())[0].answer.startswith("Last-level misses cost a most: at most 30.0%")


def test_without_instructions_causes_are_drawn_whole_and_not_compared() -> None:
    bare = caused(reference="b")
    bare = replace(bare, result=replace(bare.result, causes=bare.result.causes.assign(instructions=np.nan)))
    (figure,) = cause_bars.draw_causes(bare)
    assert figure.data[0].x.tolist() == [60, 30, 10]
    assert len(figure.data) == 1
    assert "Without a counter of instructions, programs cannot be compared." in cause_bars.caption(bare)
    less = caused()
    rows = less.result.causes
    less = replace(
        less, result=replace(less.result, causes=rows.assign(amount=rows["amount"].where(rows["cause"] != "unexplained", -10.0)))
    )
    assert "It is below 0 here: the costs predict 10% more than was measured" in cause_bars.caption(less)
    assert cause_bars.draw_causes(less)[0].data[0].hovertext[2].endswith("the events predict more than was measured")
