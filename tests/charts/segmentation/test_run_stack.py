"""Every run as a row of its segments."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from hemcore.charts.colours import SERIES
from hemcore.charts.segmentation.run_stack import all_runs
from hemcore.segmentation.results import RunSegments
from tests.charts.conftest import LEVELS, MARKUP, MIB, MOST, THREE, UNIT, drawn, escaped, names, run_of, runs_of, x_title


def all_runs_of(*runs: RunSegments, **words: Any) -> go.Figure:
    return all_runs(runs_of(*runs), **{"unit": UNIT, "colour": SERIES[0], "title": "t"} | words)


def test_each_run_is_a_row_of_its_means() -> None:
    figure = all_runs_of(run_of(LEVELS, [40, 80]), run_of(LEVELS, [40], run=7))
    heatmap, ticks, line = figure.data
    # The two runs differ in their number of phases.
    assert (line.name, line.y[0]) == ("another number of phases", 0.5)
    assert heatmap.z.shape == (2, 120)
    assert (heatmap.z[0, 0], heatmap.z[0, 60], heatmap.z[0, 119]) == (1000, 5000, 2000)
    assert list(figure.layout.yaxis.ticktext) == ["1", "7"]
    assert list(zip(ticks.x, ticks.y, strict=True)) == [(40, 0), (80, 0), (40, 1)]


def test_a_shorter_run_ends_sooner() -> None:
    heatmap = all_runs_of(run_of(LEVELS, [40, 80]), run_of(LEVELS[:60], [40], run=2)).data[0]
    assert np.isfinite(heatmap.z[0]).all()
    assert np.isfinite(heatmap.z[1]).sum() == 60


def test_true_boundaries_of_the_first_run_are_lines_with_an_entry_in_the_legend() -> None:
    with_truth = all_runs_of(run_of(LEVELS, [40, 80], run=3, boundaries=(41, 79), stages=("a", "b", "c")))
    (truth,) = (each for each in with_truth.data if each.name and each.name.startswith("true boundaries"))
    assert sorted(set(drawn(truth.x))) == [41, 79]
    without = all_runs_of(THREE)
    assert names(without) == ["change points"]


def test_one_run_of_one_segment_is_a_row_without_ticks() -> None:
    heatmap, ticks = all_runs_of(run_of([4.0])).data
    assert heatmap.z.tolist() == [[4.0]]
    assert len(ticks.x) == 0


def test_all_runs_are_in_seconds_where_times_are_known() -> None:
    figure = all_runs_of(run_of(LEVELS, [40, 80], edges=np.arange(121) * 0.5))
    assert x_title(figure) == "time in the run, s"
    assert list(figure.data[1].x) == [20, 40]


def test_x_of_all_runs_is_named_in_intervals_otherwise() -> None:
    assert x_title(all_runs_of(THREE, unit="8,000 basic blocks")) == "interval of the run (8,000 basic blocks each)"


def test_200_runs_are_drawn_in_a_small_figure() -> None:
    random = np.random.default_rng(3)
    n, points = 5_000, np.arange(1, 101) * 49
    runs = [run_of(random.uniform(1, 10**6, n), points, run=number, boundaries=tuple(points.tolist())) for number in range(200)]
    figure = all_runs_of(*runs)
    assert len(figure.data[1].x) <= MOST
    assert len(figure.to_json()) < 2 * MIB
    assert len(figure.layout.yaxis.ticktext) <= 30


def test_the_longest_run_among_all_is_drawn_in_a_small_figure(longest) -> None:
    figure = all_runs_of(longest, longest)
    assert max(len(each.x) for each in figure.data) <= MOST
    assert len(figure.to_json()) < 2 * MIB


def test_the_colours_stay_while_the_threshold_moves() -> None:
    few, many = (all_runs_of(run_of(LEVELS, points)).data[0] for points in ([], [40, 80]))
    assert (few.zmin, few.zmax) == (many.zmin, many.zmax) == (1000, 5000)


def test_the_hover_names_the_run_of_every_row() -> None:
    heatmap = all_runs_of(*(run_of(LEVELS, run=number) for number in range(5, 90))).data[0]
    assert heatmap.customdata[:, 0].tolist() == list(range(5, 90))
    assert heatmap.customdata.shape == heatmap.z.shape


def test_markup_in_names_is_text() -> None:
    assert escaped(all_runs_of(THREE, unit=MARKUP, title=MARKUP))
