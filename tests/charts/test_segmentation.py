"""The pictures of segments: small enough for a browser, true to spikes and gaps, names that are only text."""

import re
from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from hemcore.segmentation.report import RunsAtThreshold, RunSegments

from hemcore.charts import segmentation as charts
from hemcore.charts.look import SERIES, TRUTH
from hemcore.segmentation.params import RunsParams
from hemcore.segmentation.runs import RunSamples
from hemcore.segmentation.segments import described

MARKUP = '<img src=x onerror=alert(1)> <a href="https://x">b</a> & *c* $d$'
UNIT = "interval"
MIB = 1024 * 1024
MOST = 5_000  # points a line


def run_of(
    counts: Sequence[float],
    change_points: Sequence[int] = (),
    *,
    run: int = 1,
    positions: Sequence[int] | None = None,
    boundaries: tuple[int, ...] | None = None,
    stages: tuple[str, ...] = (),
    edges: Sequence[float] | None = None,
) -> RunSegments:
    """A run cut at `change_points`; without positions every interval was counted."""
    values = np.asarray(counts, dtype=float)
    places = np.arange(len(values)) if positions is None else np.asarray(positions)
    n_intervals = int(places[-1]) + 1
    samples = RunSamples(
        run=run,
        counts=values,
        positions=places,
        n_intervals=n_intervals,
        not_counted=n_intervals - len(values),
        boundaries=boundaries,
        stages=stages,
        edges=None if edges is None else np.asarray(edges, dtype=float),
    )
    points = np.asarray(change_points, dtype=np.int64)
    cut = described(values, points, threshold=10.0, statistic="rms", min_distance=2, early_exit=False)
    return RunSegments(samples=samples, segmentation=cut, models=cut.models)


def runs_of(*runs: RunSegments) -> RunsAtThreshold:
    params = RunsParams(application="a", event="e")
    return RunsAtThreshold(runs=runs, agreement=pd.DataFrame(), segments=pd.DataFrame(), params=params)


def curve_of(run: RunSegments, *, event: str = "Dr", unit: str = UNIT, title: str = "t") -> go.Figure:
    return charts.curve(run, event=event, unit=unit, colour=SERIES[0], title=title)


def all_runs_of(*runs: RunSegments, unit: str = UNIT, title: str = "t") -> go.Figure:
    return charts.all_runs(runs_of(*runs), unit=unit, title=title)


def trace(figure: go.Figure, name: str) -> go.Scatter:
    return next(each for each in figure.data if each.name == name)


def names(figure: go.Figure) -> list[str]:
    return [each.name for each in figure.data if each.name]


def x_title(figure: go.Figure) -> str:
    return figure.layout.xaxis.title.text


def drawn(values: object) -> list[float]:
    """The finite numbers of a trace."""
    numbers = np.asarray(values, dtype=float)
    return numbers[np.isfinite(numbers)].tolist()


def n_pieces(values: object) -> int:
    """Into how many lines the breaks (NaN) cut a trace."""
    known = np.isfinite(np.asarray(values, dtype=float))
    return int((np.diff(np.concatenate([[False], known]).astype(int)) == 1).sum())


def escaped(figure: go.Figure) -> bool:
    """Whether nothing of MARKUP is left that plotly would read as a tag; <br>, <extra> are the charts' own."""
    text = figure.to_json().encode().decode("unicode_escape")
    return not re.search(r"<(img|a href|b>)", text)


LEVELS = np.repeat([1000.0, 5000.0, 2000.0], 40)
THREE = run_of(LEVELS, [40, 80])


# The curve of a run.


def test_the_curve_has_every_sample_of_a_short_run() -> None:
    counts = trace(curve_of(THREE), "counts")
    np.testing.assert_array_equal(counts.x, np.arange(120))
    np.testing.assert_array_equal(counts.y, LEVELS)
    assert counts.mode == "lines"


def test_the_mean_of_each_segment_reaches_from_its_start_to_its_stop() -> None:
    means = trace(curve_of(THREE), "mean of the segment")
    assert drawn(means.x) == [0, 40, 40, 80, 80, 120]
    assert list(means.y[::3]) == [1000, 5000, 2000]
    assert [text.split(":")[0] for text in means.text[::3]] == ["segment 1", "segment 2", "segment 3"]
    assert "40 samples<br>mean 5,000<br>std 0" in means.text[3]


def test_every_second_segment_is_shaded() -> None:
    shaded = curve_of(THREE).data[0]
    assert drawn(shaded.x) == [40, 40, 80, 80, 40]
    assert shaded.hoverinfo == "skip"


def test_the_band_around_the_mean_is_the_standard_deviation() -> None:
    run = run_of(np.tile([900.0, 1100.0], 50))
    band = trace(curve_of(run), "mean ± std")
    assert sorted(set(drawn(band.y))) == [900, 1100]


def test_one_segment_has_no_shade_and_one_mean() -> None:
    figure = curve_of(run_of([5.0, 6.0, 7.0]))
    assert names(figure) == ["counts", "mean ± std", "mean of the segment"]
    assert len(figure.data) == 3
    assert drawn(trace(figure, "mean of the segment").x) == [0, 3]


@pytest.mark.parametrize("counts", [[7.0], [0.0, 0.0, 0.0], [9e15, 9e15]], ids=["one sample", "zeros", "constant"])
def test_a_run_without_spread_is_drawn(counts) -> None:
    figure = curve_of(run_of(counts))
    assert drawn(trace(figure, "counts").y) == pytest.approx(counts)
    low, high = figure.layout.yaxis.range
    assert low <= min(counts) <= max(counts) <= high


def test_a_level_far_above_zero_is_not_squeezed_and_a_low_one_shows_zero() -> None:
    high = np.linspace(1_000_000, 1_001_000, 50)
    assert curve_of(run_of(high)).layout.yaxis.range[0] > 999_000
    assert curve_of(THREE).layout.yaxis.range[0] == 0


def test_true_boundaries_are_drawn_where_known_with_the_stages_on_both_sides() -> None:
    run = run_of(LEVELS, [40, 80], boundaries=(41, 79), stages=("load", "sort", "write"))
    truth = trace(curve_of(run), "true boundaries")
    assert sorted(set(drawn(truth.x))) == [41, 79]
    assert list(dict.fromkeys(truth.text)) == ["load → sort", "sort → write"]
    assert truth.line.color == TRUTH
    assert n_pieces(truth.y) == 2


def test_true_boundaries_are_absent_where_the_data_does_not_know_them() -> None:
    assert "true boundaries" not in names(curve_of(THREE))


def test_a_run_of_one_stage_has_no_boundary_and_is_drawn() -> None:
    figure = curve_of(run_of(LEVELS, [40, 80], boundaries=(), stages=("load",)))
    assert drawn(trace(figure, "true boundaries").x) == []


# Units.


def test_x_is_in_intervals_where_times_are_not_known() -> None:
    assert x_title(curve_of(THREE)) == "interval of the run"
    assert x_title(curve_of(THREE, unit="8,000 basic blocks")) == "interval of the run (8,000 basic blocks each)"


def test_x_is_in_seconds_where_times_are_known() -> None:
    run = run_of(LEVELS, [40, 80], boundaries=(40,), stages=("a", "b"), edges=np.arange(121) * 0.5)
    figure = curve_of(run, unit="0.5 s")
    assert x_title(figure) == "time in the run, s"
    np.testing.assert_array_equal(trace(figure, "counts").x, np.arange(120) * 0.5)
    assert drawn(trace(figure, "mean of the segment").x) == [0, 20, 20, 40, 40, 60]
    assert set(drawn(trace(figure, "true boundaries").x)) == {20.0}


def test_x_counts_from_the_start_of_the_run_where_the_head_was_trimmed() -> None:
    run = run_of(LEVELS, [40, 80], positions=np.arange(120) + 10)
    assert drawn(trace(curve_of(run), "mean of the segment").x) == [10, 50, 50, 90, 90, 130]


@pytest.mark.parametrize("draw", [curve_of, all_runs_of])
def test_y_and_rows_name_what_they_are(draw) -> None:
    assert draw(THREE).layout.yaxis.title.text.startswith("Dr, counts " if draw is curve_of else "run")


# What was not counted.


def test_the_line_breaks_where_intervals_were_not_counted() -> None:
    positions = [each for each in range(60) if each not in (20, 21, 40)]
    run = run_of(np.full(57, 7.0), positions=positions)
    counts = trace(curve_of(run), "counts")
    assert n_pieces(counts.y) == 3
    assert drawn(counts.x) == positions
    assert np.isnan(np.asarray(counts.x, dtype=float)).tolist() == np.isnan(np.asarray(counts.y, dtype=float)).tolist()


def test_where_much_was_not_counted_samples_are_dots() -> None:
    run = run_of(np.arange(50.0) + 1, positions=np.arange(50) * 4)
    counts = trace(curve_of(run), "counts")
    assert counts.mode == "markers"
    assert drawn(counts.x) == (np.arange(50) * 4).tolist()


def test_gaps_of_a_long_run_break_its_reduced_line() -> None:
    positions = np.concatenate([np.arange(50_000), np.arange(60_000, 110_000)])
    counts = trace(curve_of(run_of(np.full(100_000, 3.0), positions=positions)), "counts")
    assert n_pieces(counts.y) == 2


# Long runs.


def test_spikes_of_a_long_run_stay() -> None:
    counts = np.full(1_000_000, 1000.0)
    counts[[3, 500_001, 999_998]] = 9000
    counts[[70_000, 700_000]] = 1
    shown = trace(curve_of(run_of(counts)), "counts")
    for place in (3, 500_001, 999_998, 70_000, 700_000):
        assert np.asarray(shown.y)[np.asarray(shown.x) == place].tolist() == [counts[place]]
    assert len(shown.x) <= MOST


@pytest.mark.parametrize("every", [0, 5, 17], ids=["all counted", "one in five not counted", "one in 17 not counted"])
@pytest.mark.parametrize("n", [charts.POINTS, charts.POINTS + 1, 7_777, 60_000])
def test_at_most_5_000_points_are_drawn_whatever_the_length(n, every) -> None:
    positions = np.arange(n) + (np.arange(n) // (every - 1) if every else 0)
    counts = np.random.default_rng(1).poisson(500, n).astype(float)
    shown = trace(curve_of(run_of(counts, positions=positions)), "counts")
    assert len(shown.x) <= MOST
    assert np.nanmax(np.diff(shown.x)) > 0
    shown = trace(curve_of(run_of(counts)), "counts")
    assert (min(shown.y), max(shown.y)) == (counts.min(), counts.max())
    assert np.all(np.diff(shown.x) > 0)


@pytest.fixture(scope="module")
def longest() -> RunSegments:
    """A million samples with 20,000 change points, times, gaps and true boundaries: all that can make a figure big."""
    random = np.random.default_rng(2)
    n, n_points = 1_000_000, 20_000
    points = np.arange(1, n_points + 1) * (n // (n_points + 1))
    counts = np.repeat(random.integers(100, 10**6, n_points + 1), np.diff([0, *points, n])) * random.uniform(0.9, 1.1, n)
    positions = np.arange(n) + np.arange(n) // 100
    return run_of(
        counts,
        points,
        positions=positions,
        boundaries=tuple(points.tolist()),
        stages=tuple(f"stage {number}" for number in range(n_points + 1)),
        edges=np.cumsum(random.uniform(0.09, 0.11, positions[-1] + 2)),
    )


def test_a_million_samples_with_20_000_change_points_are_drawn_in_a_small_figure(longest) -> None:
    figure = curve_of(longest, unit="0.1 s")
    assert [(each.name, len(each.x)) for each in figure.data if len(each.x) > MOST] == []
    assert len(figure.to_json()) < 2 * MIB
    assert n_pieces(trace(figure, "counts").y) == 1  # its gaps are narrower than a pixel


def test_many_change_points_of_a_short_run_are_drawn_in_a_small_figure() -> None:
    n = 40_000
    counts = np.tile([1.0, 2.0, 7.0, 8.0], n // 4)
    counts[[20_000, 20_001]] = 500
    figure = curve_of(run_of(counts, range(2, n, 2)))
    assert len(figure.to_json()) < 2 * MIB
    means = trace(figure, "mean of the segment")
    assert max(drawn(means.y)) == 500  # the one segment of another level is among those drawn
    assert means.text[int(np.nanargmax(means.y))].startswith("segment 10001:")


@pytest.mark.parametrize("n_segments", [charts.SEGMENTS, charts.SEGMENTS + 1])
def test_segments_are_shaded_all_or_none(n_segments) -> None:
    figure = curve_of(run_of(np.tile([1.0, 2.0, 7.0, 8.0], n_segments // 2 + 1)[: 2 * n_segments], range(2, 2 * n_segments, 2)))
    shaded = [each for each in figure.data if not each.name]
    assert [n_pieces(each.x) for each in shaded] == ([n_segments // 2] if n_segments <= charts.SEGMENTS else [])


def test_a_sample_between_two_gaps_is_a_dot() -> None:
    run = run_of(np.full(58, 7.0), positions=[each for each in range(60) if each not in (20, 22)])
    counts = trace(curve_of(run), "counts")
    assert counts.mode == "lines+markers"
    assert n_pieces(counts.y) == 3


# All runs.


def test_each_run_is_a_row_of_its_means() -> None:
    figure = all_runs_of(run_of(LEVELS, [40, 80]), run_of(LEVELS, [40], run=7))
    heatmap, ticks = figure.data
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


# Other searches.


def compared(*rows: tuple[str, tuple[int, ...] | None]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["search", "change_points"])


def test_each_search_is_a_row_with_the_true_boundaries_on_top() -> None:
    samples = run_of(LEVELS, boundaries=(40, 80), stages=("a", "b", "c")).samples
    figure = charts.searches(compared(("ours", (40, 80)), ("theirs", (41,))), samples, unit=UNIT, title="t")
    assert list(figure.layout.yaxis.ticktext) == ["true boundaries", "ours", "theirs"]
    assert [list(each.x) for each in figure.data] == [[40, 80], [40, 80], [41]]
    assert [each.y[0] for each in figure.data] == [0, 1, 2]
    colours = [each.marker.line.color for each in figure.data]
    assert colours[0] == TRUTH
    assert len(set(colours)) == 3


def test_without_truth_ours_is_on_top_in_a_colour_of_its_own() -> None:
    figure = charts.searches(compared(("ours", (40, 80)), ("theirs", ()), ("b", (3,))), THREE.samples, unit=UNIT, title="t")
    assert list(figure.layout.yaxis.ticktext) == ["ours", "theirs", "b"]
    ours, *others = (each.marker.line.color for each in figure.data)
    assert ours == SERIES[0]
    assert len({ours, *others}) == 2


def test_a_search_that_failed_keeps_its_row_empty() -> None:
    figure = charts.searches(compared(("ours", (40,)), ("failed", None)), THREE.samples, unit=UNIT, title="t")
    assert list(figure.layout.yaxis.ticktext) == ["ours", "failed"]
    assert [each.name for each in figure.data] == ["ours"]


def test_searches_are_in_seconds_where_times_are_known() -> None:
    samples = run_of(LEVELS, edges=np.arange(121) * 0.5).samples
    figure = charts.searches(compared(("ours", (40,))), samples, unit="0.5 s", title="t")
    assert x_title(figure) == "time in the run, s"
    assert list(figure.data[0].x) == [20]
    assert list(figure.layout.xaxis.range) == [0, 60]


def test_searches_of_the_longest_run_are_drawn_in_a_small_figure(longest) -> None:
    rows = compared(*((name, longest.segmentation.change_points) for name in "abcdef"))
    figure = charts.searches(rows, longest.samples, unit="0.1 s", title="t")
    assert max(len(each.x) for each in figure.data) <= MOST
    assert len(figure.to_json()) < 2 * MIB


# Names of others' making.


def test_markup_in_names_is_text_everywhere() -> None:
    run = run_of(LEVELS, [40, 80], boundaries=(40, 80), stages=(MARKUP, "b", MARKUP))
    assert escaped(charts.curve(run, event=MARKUP, unit=MARKUP, colour=SERIES[1], title=MARKUP))
    assert escaped(all_runs_of(run, unit=MARKUP, title=MARKUP))
    assert escaped(charts.searches(compared((MARKUP, (40,))), run.samples, unit=MARKUP, title=MARKUP))


def test_a_long_event_name_is_shortened_on_the_axis() -> None:
    assert len(curve_of(THREE, event="E" * 900).layout.yaxis.title.text) < 100


def test_an_event_keeps_its_colour_and_colours_repeat_beyond_the_last() -> None:
    events = [f"e{number}" for number in range(len(SERIES) + 1)]
    assert charts.event_colour(events, "e0") == charts.event_colour(events, events[-1]) == SERIES[0]
    assert charts.event_colour(events, "e1") == SERIES[1]
