"""Several events over one time axis; names of stages; units of readings."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from hemcore.charts.colours import event_colour
from hemcore.charts.look import counted_title, unit_of
from hemcore.charts.segmentation.event_picker import SegmentationView
from hemcore.charts.segmentation.run_curve import curve
from hemcore.charts.segmentation.track_stack import MOST, Track, tracks
from hemcore.charts.strips import Strip, stacked
from hemcore.errors import ParameterError, UnknownNameError
from hemcore.registry import pictures_of
from hemcore.segmentation.event_runs import RunSamples
from tests.charts.conftest import LEVELS, MARKUP, MIB, escaped, run_of, scene_for

SEVERAL = pictures_of("segmentation.segmentation")["tracks"]


def drawn(*events: str):
    scene = replace(scene_for("segmentation.segmentation", SEVERAL), view=SegmentationView(events=events))
    (figure,) = SEVERAL.draw(scene)
    return scene, figure


def test_each_event_has_a_track_of_its_own_and_all_share_the_time_axis() -> None:
    scene, figure = drawn("Dr", "D1mr", "Bc")
    curves = [each for each in figure.data if each.customdata is not None]
    assert [each.name for each in curves] == ["Dr", "D1mr", "Bc"]
    assert len({each.yaxis for each in curves}) == 3
    assert {each.xaxis for each in figure.data} == {None}
    assert [each.line.color for each in curves] == [event_colour(scene.result.events, event) for event in ("Dr", "D1mr", "Bc")]
    domains = [figure.layout[each.yaxis.replace("y", "yaxis")].domain for each in curves]
    assert all(upper[0] > lower[1] for upper, lower in pairwise(domains))


def test_the_level_of_a_segment_is_the_mean_of_its_counts() -> None:
    figure = tracks([Track(event="e", run=run_of([1, 3, 9, 11], (2,)), colour="#000000")], unit="interval", title="t")
    (level,) = [each for each in figure.data if each.line.width == 2.5]
    pairs = [(x, y) for x, y in zip(level.x, level.y, strict=True) if np.isfinite(y)]
    assert pairs == [(0, 2), (2, 2), (2, 10), (4, 10)]


def test_one_cursor_and_one_zoom() -> None:
    _, figure = drawn("Dr", "Bc")
    layout = figure.layout
    assert (layout.hovermode, layout.hoversubplots, layout.xaxis.showspikes, layout.xaxis.spikemode) == (
        "x unified",
        "axis",
        True,
        "across",
    )
    assert all(layout[name].fixedrange for name in layout if name.startswith("yaxis"))
    assert not layout.xaxis.fixedrange


def test_each_is_cut_at_its_own_threshold() -> None:
    scene, figure = drawn("Dr", "Ir")
    for note, event in zip(figure.layout.annotations, ("Dr", "Ir"), strict=True):
        cut = scene.more.cuts[event]
        assert note.text == f"<b>{event}</b>, counts per interval · {cut.n_change_points + 1} segments at threshold {cut.threshold:g}"


def test_the_stages_lie_over_them_and_the_cursor_tells_the_stage() -> None:
    scene, figure = drawn("Dr", "Ir")
    (ribbon,) = (each for each in figure.data if each.type == "bar")
    assert list(ribbon.text) == list(scene.result.run.samples.stages)
    (told,) = (each for each in figure.data if each.name == "stage")
    assert set(told.text) == set(scene.result.run.samples.stages)
    bare = tracks([Track(event="e", run=run_of(LEVELS, [40]), colour="#0F6E84")], unit="interval", title="t")
    assert [each.type for each in bare.data if each.type == "bar"] == []


def test_without_a_choice_it_is_the_chosen_event_and_the_next() -> None:
    scene = scene_for("segmentation.segmentation", SEVERAL)
    (figure,) = SEVERAL.draw(scene)
    assert [each.text.split("<")[1] for each in figure.layout.annotations] == ["b>Dr", "b>Ir", "b>Dw", "b>I1mr"]


def test_too_many_and_strange_events_are_told() -> None:
    with pytest.raises(ParameterError, match=f"7 are chosen; at most {MOST}"):
        drawn("Ir", "Dr", "Dw", "I1mr", "D1mr", "D1mw", "ILmr")
    with pytest.raises(UnknownNameError, match="'nobody' was not counted"):
        drawn("nobody")


def test_six_of_a_million_samples_are_small(longest) -> None:
    figure = tracks([Track(event=f"e{each}", run=longest, colour="#0F6E84") for each in range(MOST)], unit="interval", title="t")
    assert len(figure.to_json()) < 2 * MIB
    assert max(len(each.x) for each in figure.data) <= 5_000


def test_names_are_text() -> None:
    named = run_of(LEVELS, [40], boundaries=(40,), stages=(MARKUP, "b"))
    assert escaped(tracks([Track(event=MARKUP, run=named, colour="#0F6E84")], unit="interval", title="t"))


def test_a_single_sample_and_gaps_are_drawn() -> None:
    one = run_of([5.0])
    gaps = run_of([1.0, 2.0, 9.0, 8.0], [2], positions=[0, 1, 5, 6])
    figure = tracks([Track(event="a", run=one, colour="#0F6E84"), Track(event="b", run=gaps, colour="#E08E0B")], unit="0.5 s", title="t")
    curves = [each for each in figure.data if each.customdata is not None]
    assert curves[0].mode == "markers"
    assert np.isnan(np.asarray(curves[1].x, dtype=float)).sum() in (0, 1)


@pytest.mark.parametrize(
    ("event", "unit"),
    [
        ("cycles", "counts per interval"),
        ("task-clock", "msec per interval"),
        ("cpu-clock:u", "msec per interval"),
        ("duration_time", "ns per interval"),
        ("power/energy-pkg/", "Joules per interval"),
        ("Power(W)", ""),
    ],
)
def test_readings_have_their_unit_on_the_axis(event, unit) -> None:
    assert unit_of(event) == unit
    assert counted_title(event) == (f"{event}, {unit}" if unit else event)
    assert curve(run_of(LEVELS), event=event, unit="interval", colour="#0F6E84", title="t").layout.yaxis.title.text == counted_title(event)


def test_a_long_name_of_a_stage_is_shortened_and_the_short_ones_stay_whole() -> None:
    names = ("calibrate", "security_rijndael_e", "log")
    figure = curve(run_of(LEVELS, [40, 80], boundaries=(20, 60), stages=names), event="e", unit="interval", colour="#0F6E84", title="t")
    (ribbon,) = (each for each in figure.data if each.type == "bar")
    assert ribbon.text[0] == "calibrate"
    assert ribbon.text[2] == "log"
    wide = curve(run_of(LEVELS, boundaries=(100,), stages=names[1:]), event="e", unit="interval", colour="#0F6E84", title="t")
    assert next(each for each in wide.data if each.type == "bar").text[0] == "security_rijndael_e"
    many = curve(
        run_of(LEVELS, boundaries=tuple(range(10, 120, 10)), stages=("security_rijndael_e",) * 12),
        event="e", unit="interval", colour="#0F6E84", title="t",
    )  # fmt: skip
    assert all(len(each) <= 8 for each in next(each for each in many.data if each.type == "bar").text)


def test_a_span_is_marked_over_every_event_and_compared_in_the_table() -> None:
    scene = replace(
        scene_for("segmentation.segmentation", SEVERAL), view=SegmentationView(events=("Dr", "Bc"), drag="compare", span=(10, 40))
    )
    (figure,) = SEVERAL.draw(scene)
    (marked,) = figure.layout.shapes
    assert (marked.x0, marked.x1, marked.xref, marked.yref) == (10, 40, "x", "paper")
    assert (figure.layout.dragmode, figure.layout.selectdirection) == ("select", "h")
    table = SEVERAL.table(scene)
    assert list(table["event"]) == ["Dr", "Bc"]
    counts = scene.more.segments(scene.table, "Dr").samples.counts
    assert table["mean inside"].iloc[0] == pytest.approx(counts[10:40].mean())
    assert table["mean outside"].iloc[0] == pytest.approx(np.concatenate([counts[:10], counts[40:]]).mean())
    assert "10 to 40 intervals" in SEVERAL.caption(scene)


def test_without_a_span_dragging_zooms_and_nothing_is_compared() -> None:
    scene, figure = drawn("Dr", "Bc")
    assert (figure.layout.shapes, figure.layout.dragmode) == ((), "zoom")
    assert SEVERAL.table(scene) is None


def test_the_ribbon_is_of_the_event_that_was_counted_most_often() -> None:
    # Four intervals, stages from 0 and from 2. The second event was counted in intervals 0 and 3 alone, so it sees the change at 3.
    def samples(positions: list[int], boundary: int) -> RunSamples:
        places = np.array(positions)
        return RunSamples(
            run=1,
            counts=places.astype(float),
            positions=places,
            n_intervals=4,
            not_counted=4 - len(places),
            boundaries=(boundary,),
            stages=("a", "b"),
            edges=None,
        )

    every, few = samples([0, 1, 2, 3], 2), samples([0, 3], 1)
    for known in ([every, few], [few, every]):
        figure = stacked([Strip(traces=[], ends=(0, 1), words="w")], time=every, known=known, unit="interval", title="t")
        (ribbon,) = (each for each in figure.data if each.type == "bar")
        assert (list(ribbon.base), list(ribbon.x)) == ([0, 2], [2, 2])


def test_every_second_segment_is_shaded() -> None:
    # Segments 0 to 41, 41 to 79 and 79 to 120: the one in the middle is shaded.
    run = run_of(np.repeat([10.0, 900.0, 40.0], [41, 38, 41]), (41, 79))
    figure = tracks([Track(event="e", run=run, colour="#0F6E84")], unit="interval", title="t")
    (shade,) = (each for each in figure.data if each.fill == "toself")
    assert sorted({float(x) for x in shade.x if np.isfinite(x)}) == [41, 79]
