"""The pictures of multiplexed counts: what was counted is marked, what was removed is shaded, colours turn at 0.9, clicks name a pair."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hemcore.analysis import Question
from hemcore.charts.colours import SERIES, event_colour
from hemcore.charts.headings import is_share
from hemcore.charts.mpx import alignment
from hemcore.charts.mpx.curves import shown_events, time_of
from hemcore.charts.mpx.heat import heatmap
from hemcore.charts.mpx.view import METHODS, MpxView, colour_of_method, title_of
from hemcore.charts.picture import Picture, Scene
from hemcore.datasets import CounterSeries
from hemcore.errors import ParameterError, UnknownNameError
from hemcore.headline import amount
from hemcore.mpx import ESTIMATORS, MpxParams, virtual_multiplex
from hemcore.mpx.analysis import ALIGN, ESTIMATE, SIDE_BY_SIDE, WHAT_IF
from hemcore.mpx.results import Aligned
from hemcore.registry import pictures_of
from tests.charts.conftest import MARKUP, MIB, escaped
from tests.core.mpx.made import bursty

ROOM = "mpx.estimate"


def picture(name: str) -> Picture:
    return pictures_of(ROOM)[name]


def scene(table: CounterSeries | None = None, params: MpxParams | None = None, view: MpxView | None = None, **more: Any) -> Scene:
    shown, asked = table if table is not None else bursty(), params or MpxParams()
    question = Question(analysis=ESTIMATE, dataset="x", params=asked)
    return Scene(question=question, table=shown, result=ESTIMATE.of(shown, asked), view=view, **more)


def traces(figure: Any, name: str) -> list[Any]:
    return [trace for trace in figure.data if trace.name == name]


def without_keys(figure: Any) -> Any:
    """The figure without what nobody reads: what a click tells the page, and what zoom hangs on."""
    figure.layout.uirevision = None
    return figure.update_traces(customdata=None, legendgroup=None)


# Curves.


def test_counted_slots_are_marked_where_the_truth_is() -> None:
    shown = scene(view=MpxView(events=("E1",), beside=()))
    (figure,) = picture("curves").draw(shown)
    (key, marks), (truth,), (line,) = traces(figure, "counted"), traces(figure, "truth (OCOE)"), traces(figure, "per-event choice")
    (entry,) = traces(figure, "per-event choice, in the event's color")
    # An event keeps its color; the legend shows the marks of the first: a line, and dots where it was counted.
    assert marks.line.color == line.line.color == event_colour(shown.result.curves.events, "E1")
    assert key.marker.color == entry.line.color == line.line.color
    assert (key.mode, entry.mode) == ("markers", "lines")
    named = [trace.name for trace in figure.data if trace.showlegend is not False and trace.name]
    assert named[-3:] == ["truth (OCOE)", "per-event choice, in the event's color", "counted"]
    curves = shown.result.curves
    # From the first to the second of three a tick is drawn; the third is a gap.
    first, second, gap = np.reshape(marks.x, (-1, 3)).T
    places = np.rint((first + second) / 2).astype(int)
    assert np.flatnonzero(curves.counted[1]).tolist() == places.tolist()
    assert ((second - first > 0.3) & (second - first < 0.9)).all()
    assert np.isnan(gap).all()
    np.testing.assert_allclose(marks.y[::3], truth.y[places])
    np.testing.assert_allclose(marks.y[1::3], line.y[places])
    assert len(line.x) == 79


def test_events_stand_under_one_another_with_the_errors_below() -> None:
    shown = scene(view=MpxView(events=("E2", "E0"), beside=("fixed", "dcam")))
    (figure,) = picture("curves").draw(shown)
    axes = {trace.yaxis for trace in traces(figure, "per-event choice")}
    assert axes == {"y", "y2"}
    assert {trace.yaxis for trace in traces(figure, "DCAM")} == axes
    (error,) = traces(figure, "E2, error")
    assert error.yaxis == "y3"
    truth = shown.result.curves.truth[2]
    estimate = shown.result.curves.estimates["by event"][2]
    np.testing.assert_allclose(error.y, (estimate - truth) / truth.mean(), rtol=1e-5, atol=1e-6)
    assert figure.layout.hoversubplots == "axis"


def test_what_is_cut_off_is_shaded_to_the_end_of_the_run() -> None:
    (figure,) = picture("curves").draw(scene(params=MpxParams(tail="paper"), view=MpxView(events=("E0",))))
    (shade,) = traces(figure, "tail, removed")
    assert (np.nanmin(shade.x), np.nanmax(shade.x)) == (80 - 2 - 5, 80)
    assert "7 slots removed" in picture("curves").caption(scene(params=MpxParams(tail="paper")))
    (whole,) = picture("curves").draw(scene(params=MpxParams(tail="nothing"), view=MpxView(events=("E0",))))
    assert not traces(whole, "tail, removed")


def test_without_a_truth_there_are_no_errors_and_it_is_said() -> None:
    blind = replace(virtual_multiplex(bursty(), 4), truth=None)
    shown = scene(blind)
    (figure,) = picture("curves").draw(shown)
    assert not [trace for trace in figure.data if "error" in str(trace.name)]
    assert "truth is not known" in picture("curves").caption(shown)
    assert picture("curves").table(shown) is None
    hidden = [name for name in ("estimators", "events", "applications", "what-if", "aligned") if picture(name).shown(shown)]
    assert hidden == []


def test_the_ribbon_has_the_stages_of_every_slot() -> None:
    whole = bursty()
    stages = np.where(whole.intervals["interval"] < 30, "warm up", "work")
    staged = replace(whole, intervals=whole.intervals.assign(stage=stages))
    time = time_of(staged, "p", 2)
    assert (time.boundaries, time.stages) == ((30,), ("warm up", "work"))
    (figure,) = picture("curves").draw(scene(staged))
    assert traces(figure, "stage")


def test_the_first_events_are_a_middling_one_the_worst_and_the_best() -> None:
    shown = scene()
    rows = shown.result.by_event.query("method == 'by event'").sort_values("ra")["event"].tolist()
    assert shown_events(shown) == [rows[2], rows[0], rows[-1]]
    assert shown_events(scene(params=MpxParams(event="E3")))[0] == "E3"


@pytest.mark.parametrize(
    ("events", "error", "why"),
    [(("x",), UnknownNameError, "'x' was not counted"), (("E0",) * 6, ParameterError, "6 are chosen; 5 at most")],
)
def test_events_that_do_not_fit_are_told(events: tuple[str, ...], error: type, why: str) -> None:
    with pytest.raises(error, match=why):
        picture("curves").draw(scene(view=MpxView(events=events)))


@pytest.mark.slow
def test_a_long_run_stays_small() -> None:
    long = bursty(n=120_000, n_events=5, n_runs=1)
    (figure,) = picture("curves").draw(scene(long, view=MpxView(events=tuple(long.events))))
    assert len(figure.to_json()) < 2 * MIB
    assert max(len(trace.x) for trace in figure.data) <= 5_000


def test_names_are_no_markup() -> None:
    whole = bursty()
    named = replace(whole, counts=whole.counts.rename(columns={"E0": MARKUP}), intervals=whole.intervals.assign(application=MARKUP))
    shown = scene(named, MpxParams(event=MARKUP))
    for name in ("curves", "estimators", "events"):
        for figure in picture(name).draw(shown):
            assert escaped(without_keys(figure)), name
    (figure,) = picture("aligned").draw(replace(shown, more=ALIGN.of(named, MpxParams(event=MARKUP))))
    assert escaped(without_keys(figure))


# Estimators side by side.


def test_estimators_are_ranked_by_their_curves_with_the_limit_of_use_drawn_in() -> None:
    shown = scene()
    accuracies, totals = picture("estimators").draw(shown)
    rows = shown.result.by_method.sort_values("ra", ascending=False, kind="stable")
    for name, score in (("relative accuracy (RA)", "ra"), ("weighted accuracy (WA)", "wa")):
        np.testing.assert_allclose(traces(accuracies, name)[0].x, rows[score], rtol=1e-6)
    assert accuracies.layout.yaxis.ticktext[0] == title_of(str(rows["method"].iloc[0]))
    assert [shape.x0 for shape in accuracies.layout.shapes] == [0.9]
    (signed,), (size,) = traces(totals, "mean error"), traces(totals, "mean size of the error")
    np.testing.assert_allclose(signed.x, rows["total"], rtol=1e-6)
    np.testing.assert_allclose(size.x, rows["off"], rtol=1e-6)
    # Errors of either sign do not cancel in these.
    assert (size.x >= np.abs(signed.x) - 1e-7).all()
    assert (signed.x < 0).any()


def test_the_baseline_is_ticked_without_covering_what_is_new() -> None:
    before = scene(params=MpxParams(slots_per_count=2))
    now = scene()
    (accuracies, _) = picture("estimators").draw(replace(now, baseline=before.result, baseline_words="k"))
    ticks = traces(accuracies, "baseline")
    order = now.result.by_method.sort_values("ra", ascending=False, kind="stable")["method"]
    np.testing.assert_allclose(ticks[0].x, before.result.by_method.set_index("method")["ra"].reindex(order))
    assert {each.marker.symbol for each in ticks} == {"line-ns-open"}


def test_colours_turn_at_what_is_usable() -> None:
    values = pd.DataFrame([[0.5, 0.7, 0.9, 0.95, 1.0, 0.2, np.nan]])
    figure = heatmap(values, "RA", title="t", subtitle="", uirevision="", keys=[["a", "b"]] * 7)
    assert figure.data[0].z[0].tolist() == pytest.approx([-1, -0.5, 0, 0.5, 1, -1, np.nan], nan_ok=True)
    low = heatmap(pd.DataFrame([[-0.1, 0.4]]), "total", title="t", subtitle="", uirevision="", keys=[["a", "b"]] * 2)
    assert low.data[0].z[0].tolist() == pytest.approx([-0.5, 1])


def test_a_cell_names_its_event_and_estimator() -> None:
    shown = scene()
    (figure,) = picture("events").draw(shown)
    cells = figure.data[-1]
    assert [each.tolist() for each in cells.customdata[:2]] == [["E0", "fixed"], ["E0", "linear"]]
    columns = len(ESTIMATORS) + 1  # and the ceiling
    assert len(cells.customdata) == 4 * columns
    assert cells.customdata[columns - 1].tolist() == ["E0", "ceiling"]


def test_all_applications_are_in_the_shape_of_the_papers_tables() -> None:
    whole = bursty()
    shown = scene(whole, more=SIDE_BY_SIDE.of(whole), view=MpxView(by="application", score="DTW"))
    (figure,) = picture("applications").draw(shown)
    assert list(figure.layout.yaxis.ticktext) == ["p", "mean"]
    table = picture("applications").table(shown)
    assert list(table.columns)[:3] == ["application", "fixed", "linear"]
    shares = picture("applications").table(scene(whole, more=SIDE_BY_SIDE.of(whole), view=MpxView(by="application", score="RA")))
    assert list(shares.columns)[:2] == ["application", "RA fixed"]
    assert is_share("RA fixed")


# Against k, and along the truth.


def test_a_line_an_estimator_against_k() -> None:
    whole = bursty(n_events=6)
    found = WHAT_IF.of(whole)
    ra, wa = picture("what-if").draw(scene(whole, more=found, view=MpxView(compared=("fixed", "harmonic"))))
    assert [trace.name for trace in ra.data] == ["fixed", "harmonic"]
    assert ra.data[0].x.tolist() == [2, 3, 4, 5, 6]
    np.testing.assert_allclose(wa.data[1].y, found.rows.query("method == 'harmonic'")["wa"])
    with pytest.raises(ParameterError, match="'cubic' is not known"):
        picture("what-if").draw(scene(whole, more=found, view=MpxView(compared=("cubic",))))


def test_the_alignment_says_its_cost() -> None:
    whole = bursty()
    found = ALIGN.of(whole, MpxParams(event="E2"))
    shown = scene(whole, MpxParams(event="E2"), more=found)
    (figure,) = picture("aligned").draw(shown)
    lag = float(np.abs(found.late).max())
    assert list(figure.layout.yaxis2.ticktext) == [f"{amount(lag, 2)} early", "on time", f"{amount(lag, 2)} late"]
    assert [alignment._lag(each) for each in (-2.0, 0.0, 0.5)] == ["2 early", "on time", "0.5 late"]
    assert f"{found.cost:.1f} where slots are matched" in picture("aligned").caption(shown)
    assert found.cost <= found.apart
    (truth,) = traces(figure, "truth (OCOE)")
    np.testing.assert_allclose(truth.y, shown.result.curves.truth[2], rtol=1e-5)
    np.testing.assert_allclose(figure.data[2].y, found.late, rtol=1e-5)


def test_an_estimate_that_repeats_the_truth_two_slots_later_is_late_by_two() -> None:
    # Slot j of the truth matches slot j + 2 of the estimate; the first also matches what comes before it.
    path = np.array([[0, 0], [1, 0], [2, 0], [3, 1], [4, 2]])
    found = Aligned(event="E", run=1, method="fixed", estimate=np.zeros(5), truth=np.zeros(3), path=path, cost=0.0, params=MpxParams())
    assert found.late.tolist() == [1, 2, 2]
    assert found.longest_wait == 2


def test_what_was_removed_is_listed() -> None:
    shown = scene()
    assert len(picture("removed").table(shown)) == 3
    assert "tails of 3 runs, 3 slots" in picture("removed").caption(shown)
    assert not picture("removed").shown(scene(params=MpxParams(tail="nothing")))


def test_the_cursor_says_of_which_event_and_whether_the_slot_was_counted() -> None:
    """Several events have one cursor, and marks lie up to k slots from it: these say nothing themselves."""
    shown = scene()
    (figure,) = picture("curves").draw(shown)
    first, *_ = shown.result.telling
    (truth, *_) = traces(figure, "truth (OCOE)")
    assert truth.hovertemplate.startswith(f"{first}, truth (OCOE)")
    (line, *_) = traces(figure, "per-event choice")
    place = shown.result.curves.events.index(first)
    assert [bool(each) for each in line.customdata] == shown.result.curves.counted[place].tolist()
    assert all(each.hoverinfo == "skip" for each in [*traces(figure, "counted")[1:], *traces(figure, "outlier, kept")])


def test_an_estimator_keeps_its_colour_and_those_of_one_colour_differ_in_turn() -> None:
    looks = [colour_of_method(each) for each in METHODS]
    assert len(set(looks)) == len(METHODS)
    assert looks[0] == (SERIES[0], 0)
    assert looks[len(SERIES)] == (SERIES[0], 1)
