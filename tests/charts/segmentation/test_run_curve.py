"""The curve of a run and its segments: small enough for a browser, true to spikes and gaps, names that are only text."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from hemcore.charts.colours import SERIES, TRUTH
from hemcore.charts.segmentation.run_curve import SEGMENTS, curve
from hemcore.charts.series import POINTS
from hemcore.segmentation.analysis import SEGMENTATION
from hemcore.segmentation.params import SegmentationParams
from hemcore.segmentation.results import RunSegments
from tests.charts.conftest import LEVELS, MARKUP, MIB, MOST, THREE, UNIT, drawn, escaped, n_pieces, names, run_of, trace, x_title


def curve_of(run: RunSegments, **words: Any) -> go.Figure:
    return curve(run, **{"event": "Dr", "unit": UNIT, "colour": SERIES[0], "title": "t"} | words)


def test_the_curve_has_every_sample_of_a_short_run() -> None:
    counts = trace(curve_of(THREE), "counts")
    np.testing.assert_array_equal(counts.x, np.arange(120))
    np.testing.assert_array_equal(counts.y, LEVELS)
    assert counts.mode == "lines"


def test_the_mean_of_each_segment_reaches_from_its_start_to_its_stop() -> None:
    means = trace(curve_of(THREE), "mean of the segment")
    assert drawn(means.x) == [0, 40, 40, 80, 80, 120]
    assert list(means.y[::3]) == [1000, 5000, 2000]


def test_each_point_tells_its_segment_with_mean_and_deviation_and_its_stage_in_one_box() -> None:
    run = run_of(np.where(np.arange(120) % 2, 1.1, 0.9) * LEVELS, [40, 80], boundaries=(30,), stages=("load", "<b>sort"))
    figure = curve_of(run)
    counts = trace(figure, "counts")
    assert figure.layout.hovermode == "x"
    assert [each.name for each in figure.data if each.hoverinfo != "skip"] == ["counts"]
    assert counts.customdata[[0, 39, 40, 119], 0].tolist() == [1, 1, 2, 3]
    np.testing.assert_allclose(counts.customdata[40], [2, 5000, 500])
    assert (counts.text[29], counts.text[30]) == ("load", "&lt;b&gt;sort")
    assert all(part in counts.hovertemplate for part in ("interval %{x}", "Dr, counts per interval", "segment", "stage"))


@pytest.mark.parametrize(
    ("event", "name"), [("Dr", "counts"), ("power [W]", "readings"), ("CoreTmp", "readings"), ("cpu_load", "readings")]
)
def test_what_is_no_count_is_called_a_reading(event: str, name: str) -> None:
    assert trace(curve_of(THREE, event=event), name).meta == "counts"


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
    assert names(figure) == ["mean ± std", "counts", "mean of the segment"]
    assert [len(each.x) for each in figure.data if each.meta == "shades"] == [0]
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


def test_true_boundaries_are_drawn_where_known_with_a_ribbon_of_the_stages() -> None:
    figure = curve_of(run_of(LEVELS, [40, 80], boundaries=(41, 79), stages=("load", "sort", "write")))
    # Seen as well as what was found, and under it.
    assert trace(figure, "true boundaries").opacity is None
    assert names(figure).index("true boundaries") < names(figure).index("counts")
    truth, ribbon = trace(figure, "true boundaries"), trace(figure, "stages")
    assert sorted(set(drawn(truth.x))) == [41, 79]
    assert truth.line.color == TRUTH
    assert n_pieces(truth.y) == 2
    assert list(ribbon.text) == ["load", "sort", "write"]
    assert list(zip(ribbon.base, ribbon.x, strict=True)) == [(0, 41), (41, 38), (79, 41)]
    assert figure.layout.uniformtext.mode == "hide"  # a name is left out where it does not fit
    assert figure.layout.yaxis.domain[1] < figure.layout.yaxis2.domain[0]


def test_true_boundaries_are_absent_where_the_data_does_not_know_them() -> None:
    assert "true boundaries" not in names(curve_of(THREE))


def test_a_run_of_one_stage_has_no_boundary_and_is_drawn() -> None:
    figure = curve_of(run_of(LEVELS, [40, 80], boundaries=(), stages=("load",)))
    assert drawn(trace(figure, "true boundaries").x) == []
    assert "stages" not in names(figure)


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


def test_y_names_what_it_counts() -> None:
    assert curve_of(THREE).layout.yaxis.title.text == "Dr, counts per interval"


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
@pytest.mark.parametrize("n", [POINTS, POINTS + 1, 7_777, 60_000])
def test_at_most_5_000_points_are_drawn_whatever_the_length(n, every) -> None:
    positions = np.arange(n) + (np.arange(n) // (every - 1) if every else 0)
    counts = np.random.default_rng(1).poisson(500, n).astype(float)
    shown = trace(curve_of(run_of(counts, positions=positions)), "counts")
    assert len(shown.x) <= MOST
    assert np.nanmax(np.diff(shown.x)) > 0
    shown = trace(curve_of(run_of(counts)), "counts")
    assert (min(shown.y), max(shown.y)) == (counts.min(), counts.max())
    assert np.all(np.diff(shown.x) > 0)


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
    counts = trace(figure, "counts")
    assert counts.customdata[int(np.nanargmax(counts.y)), 0] == 10_001


@pytest.mark.parametrize("n_segments", [SEGMENTS, SEGMENTS + 1])
def test_segments_are_shaded_all_or_none(n_segments) -> None:
    figure = curve_of(run_of(np.tile([1.0, 2.0, 7.0, 8.0], n_segments // 2 + 1)[: 2 * n_segments], range(2, 2 * n_segments, 2)))
    shaded = [each for each in figure.data if not each.name]
    assert [n_pieces(each.x) for each in shaded] == [n_segments // 2 if n_segments <= SEGMENTS else 0]


def test_a_sample_between_two_gaps_is_a_dot() -> None:
    run = run_of(np.full(58, 7.0), positions=[each for each in range(60) if each not in (20, 22)])
    counts = trace(curve_of(run), "counts")
    assert counts.mode == "lines+markers"
    assert n_pieces(counts.y) == 3


# What stays while a threshold moves, and what a pinned run adds.


def answer(sample: Any, **changes: Any) -> Any:
    return SEGMENTATION.of(sample, SegmentationParams(**{"application": "sensor_control", "event": "Dr", "threshold": 10.0} | changes))


def test_the_axes_stay_while_the_threshold_moves(series_ocoe) -> None:
    few, many = (curve_of(answer(series_ocoe, threshold=threshold).run, uirevision="a").layout for threshold in (60.0, 1.0))
    assert few.yaxis.range == many.yaxis.range
    assert few.xaxis == many.xaxis
    assert few.uirevision == many.uirevision == "a"


def test_a_baseline_is_dotted_lines_at_its_change_points_and_its_means(series_ocoe) -> None:
    pinned = answer(series_ocoe, threshold=2.0)
    figure = curve_of(answer(series_ocoe).run, baseline=pinned)
    lines, means = (each for each in figure.data if each.name == "baseline")
    assert lines.line.dash == "dot"
    assert sorted(set(drawn(lines.x))) == list(pinned.run.segmentation.change_points)
    assert (lines.showlegend, means.showlegend) == (True, False)
    np.testing.assert_allclose(means.y[::3], pinned.run.models[:, 3], rtol=1e-6)
    assert "baseline" not in names(curve_of(answer(series_ocoe).run))


def test_a_baseline_of_another_event_has_no_means_in_this_ones_counts(series_ocoe) -> None:
    figure = curve_of(answer(series_ocoe).run, baseline=answer(series_ocoe, event="Bcm"))
    assert [each.line.dash for each in figure.data if each.name == "baseline"] == ["dot"]


def test_markup_in_names_is_text() -> None:
    run = run_of(LEVELS, [40, 80], boundaries=(40, 80), stages=(MARKUP, "b", MARKUP))
    assert escaped(curve_of(run, event=MARKUP, unit=MARKUP, title=MARKUP, subtitle=MARKUP))


def test_a_long_event_name_is_shortened_on_the_axis() -> None:
    assert len(curve_of(THREE, event="E" * 900).layout.yaxis.title.text) < 60
