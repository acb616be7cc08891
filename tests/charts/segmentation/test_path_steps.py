"""The picture of the threshold path: every step can be clicked, the bounds and the thresholds are where they are."""

import math
import re

import numpy as np
import plotly.graph_objects as go
import pytest

from hemcore.charts.colours import BAND
from hemcore.charts.segmentation.path_steps import threshold_path
from hemcore.charts.slider_pictures import slider_strip
from hemcore.segmentation.event_runs import RunSamples
from hemcore.segmentation.params import SegmentationParams
from hemcore.segmentation.path_curve import threshold_curve
from hemcore.segmentation.results import RunPath
from hemcore.segmentation.search.path_by_threshold import threshold_path as path_of
from hemcore.segmentation.search.thresholds import OptimalThreshold, optimal_threshold

MIB = 1024 * 1024
RANDOM = np.random.default_rng(5)
STEPS = np.repeat([100.0, 900.0, 300.0, 2000.0], 50) * RANDOM.uniform(0.8, 1.2, 200)


def run_path(series: np.ndarray, lowest: float = 1.0, highest: float = 100.0) -> RunPath:
    samples = RunSamples(
        run=1,
        counts=series,
        positions=np.arange(len(series)),
        n_intervals=len(series),
        not_counted=0,
        boundaries=None,
        stages=(),
        edges=None,
    )
    return RunPath(samples=samples, path=path_of(series, lowest, highest), params=SegmentationParams(application="a", event="e", run=1))


def figure_of(
    series: np.ndarray = STEPS, *, runs: int = 1, chosen: float = 7.0, title: str = "t"
) -> tuple[go.Figure, RunPath, OptimalThreshold]:
    path = run_path(series)
    optimal = optimal_threshold([series] * runs, 100)
    return threshold_path(path, optimal, range(1, runs + 1), chosen=chosen, bounds=(2, 20), title=title), path, optimal


def clickable(figure: go.Figure) -> list[go.Scatter]:
    return [each for each in figure.data if each.mode == "markers" and each.customdata is not None]


def test_change_points_and_residual_stand_under_one_another() -> None:
    figure, path, _ = figure_of()
    assert [figure.layout.yaxis.title.text, figure.layout.yaxis2.title.text] == ["change points", "residual error (axis not from 0)"]
    steps = path.path.intervals
    lines = [each for each in figure.data if each.line.shape == "hv"]
    for line, column in zip(lines, ("n_change_points", "residual"), strict=True):
        np.testing.assert_array_equal(line.x, [*steps["threshold_from"], steps["threshold_to"].iloc[-1]])
        np.testing.assert_array_equal(line.y, [*steps[column], steps[column].iloc[-1]])


def test_every_step_has_a_point_whose_threshold_finds_it() -> None:
    figure, path, _ = figure_of()
    for points in clickable(figure):
        assert len(points.customdata) == len(path.path.intervals)
    found = [path.at(float(value)).segmentation.n_change_points for value in clickable(figure)[0].customdata]
    assert found == path.path.intervals["n_change_points"].tolist()


def test_the_threshold_that_a_click_chooses_is_within_the_path_when_rounded() -> None:
    figure, _, _ = figure_of()
    assert all(1 <= round(float(value), 3) <= 100 for value in clickable(figure)[0].customdata)


def test_the_chosen_and_the_optimal_threshold_are_lines() -> None:
    figure, _, optimal = figure_of(chosen=7.5)
    lines = {shape.x0 for shape in figure.layout.shapes if shape.type == "line"}
    assert lines == {7.5, optimal.threshold}
    assert {"Algorithm 1's threshold", "chosen threshold"} <= {each.name for each in figure.data}


def test_the_bounds_are_a_band_over_the_change_points() -> None:
    (band,) = (shape for shape in figure_of()[0].layout.shapes if shape.type == "rect")
    assert (band.y0, band.y1, band.yref or "y") == (2, 20, "y")


def test_thresholds_are_drawn_as_a_logarithm_to_their_end() -> None:
    figure, _, _ = figure_of()
    assert figure.layout.xaxis.type == figure.layout.xaxis2.type == "log"
    assert figure.layout.xaxis2.title.text == "threshold"


def test_each_run_is_counted_at_its_primary_threshold() -> None:
    flat = np.full(60, 5.0) + np.tile([0.0, 1.0], 30)
    optimal = optimal_threshold([STEPS, flat, STEPS], 100)
    figure = threshold_path(run_path(STEPS), optimal, (4, 5, 9), chosen=7.0, bounds=(2, 20), title="t")
    (triangles,) = (each for each in figure.data if each.marker.symbol == "triangle-up")
    at = optimal.per_run["threshold"]
    assert sorted(triangles.x) == sorted(set(at))
    assert sum(int(number) for number in triangles.text) == 3
    place = list(triangles.x).index(at[0])
    assert "4" in triangles.customdata[place]
    assert "9" in triangles.customdata[place]


def test_the_legend_says_what_the_band_is() -> None:
    figure, _, _ = figure_of(runs=3)
    (band,) = (each for each in figure.data if each.name == "allowed numbers of change points")
    assert band.line.color == figure.layout.shapes[0].fillcolor == BAND
    assert (figure.layout.shapes[0].y0, figure.layout.shapes[0].y1) == (2, 20)


def test_many_runs_are_named_in_few_words() -> None:
    figure, _, _ = figure_of(runs=200)
    (triangles,) = (each for each in figure.data if each.marker.symbol == "triangle-up")
    assert max(len(words) for words in triangles.customdata) <= 60


def test_the_curve_below_the_slider_has_the_change_points_of_every_step() -> None:
    path = run_path(STEPS)
    curve, steps = threshold_curve(path), path.path.intervals
    for start, end, found in zip(steps["threshold_from"], steps["threshold_to"], steps["n_change_points"], strict=True):
        assert curve.at(start) == curve.at((start + end) / 2) == found
    assert curve.at(100.0) == steps["n_change_points"].iloc[-1]
    assert math.isnan(curve.at(101.0))
    drawn = slider_strip([curve], 7.0, 3.0, name="Algorithm 1", allowed=(2, 20))
    assert (drawn.panels[0].band, drawn.panels[0].high) == ((2, 20), max(20, *steps["n_change_points"]))


@pytest.mark.parametrize("series", [np.array([7.0]), np.zeros(9), np.full(50, 3.0)], ids=["one sample", "zeros", "constant"])
def test_a_path_of_one_segment_is_drawn(series) -> None:
    figure, path, _ = figure_of(series)
    assert path.path.intervals["n_change_points"].tolist() == [0]
    assert [len(each.customdata) for each in clickable(figure)] == [1] * 2


def test_markup_in_the_title_is_text() -> None:
    figure, _, _ = figure_of(title="<img src=x onerror=alert(1)><b>t</b>")
    assert not re.search("<(img|b>)", figure.to_json().encode().decode("unicode_escape"))
    assert "&lt;img" in figure.layout.title.text


@pytest.mark.slow
def test_a_path_of_many_segmentations_is_drawn_in_a_small_figure() -> None:
    figure, path, _ = figure_of(RANDOM.lognormal(5, 2, 4_000))
    assert len(path.path.intervals) > 200
    assert max(len(each.x) for each in figure.data) <= 5_000
    assert len(figure.to_json()) < 2 * MIB


def test_points_lie_in_the_middle_of_their_steps_on_the_logarithmic_axis() -> None:
    # Constant counts: one step from 1 to 100, whose middle is 10 (halfway between the logarithms 0 and 2).
    figure, *_ = figure_of(np.full(20, 5.0))
    for points in clickable(figure):
        assert list(points.x) == pytest.approx([10])
        assert list(points.customdata) == pytest.approx([10])
