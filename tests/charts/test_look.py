"""Titles, axes and legends that every figure shares, and its colours on a dark ground."""

import plotly.graph_objects as go
import pytest

from hemcore.charts.colours import SERIES, TEXT, event_colour, faint, on_dark
from hemcore.charts.look import counted_title, figure, legend_line, short, short_names, themed, unit_of, wrapped


def a_figure() -> go.Figure:
    traces = [
        {"type": "scatter", "x": [1], "y": [1], "line": {"color": SERIES[0]}, "marker": {"color": SERIES[2], "line": {"color": SERIES[3]}}},
        {"type": "bar", "x": [1], "y": [1], "marker": {"color": [SERIES[0], faint(SERIES[0])]}},
        {"type": "heatmap", "z": [[1]], "colorscale": [(0, "#F7F7F7"), (1, SERIES[0])]},
    ]
    return figure(
        traces, title="t", height=300, uirevision="k", shapes=[{"type": "line", "line": {"color": SERIES[4]}}], xaxis={"title": "x, s"}
    )


def test_dark_has_lighter_lines_marks_shapes_scales_and_words() -> None:
    figure = a_figure()
    before = figure.to_json()
    dark = themed(figure, True)
    assert (dark.data[0].line.color, dark.data[0].marker.color, dark.data[0].marker.line.color) == ("#4FB3C8", "#B58AD0", "#EC8793")
    assert list(dark.data[1].marker.color) == ["#4FB3C8", "rgba(79, 179, 200, 0.18)"]
    assert dark.layout.shapes[0].line.color == "#76C59A"
    assert [colour for _, colour in dark.data[2].colorscale] == [on_dark("#F7F7F7"), "#4FB3C8"]
    assert dark.layout.font.color == dark.layout.title.font.color == dark.layout.xaxis.title.font.color == "#E6ECF1"
    assert dark.layout.uirevision == "k"
    assert figure.to_json() == before


def test_on_the_light_ground_a_figure_is_as_it_was_drawn() -> None:
    figure = a_figure()
    assert themed(figure, False) is figure


def test_a_colour_that_shows_on_both_grounds_stays() -> None:
    assert on_dark(SERIES[1]) == SERIES[1]


def test_a_figure_is_complete_without_a_template() -> None:
    layout = a_figure().layout
    assert layout.template.layout.to_plotly_json() == {}
    assert layout.font.color == TEXT
    assert layout.font.family.startswith('"Source Sans", system-ui')
    assert layout.xaxis.gridcolor
    assert layout.xaxis.tickfont.color
    assert layout.hoverlabel.font.color
    assert layout.hoverlabel.bgcolor


def test_the_legend_has_rows_of_its_own_below_the_picture() -> None:
    alone = figure([], title="a", height=300)
    both = figure([legend_line("a line", SERIES[0], "dot")], title="a", height=300, legend=True)
    assert both.layout.height > alone.layout.height
    assert (both.layout.legend.yref, both.layout.legend.y, both.layout.legend.yanchor) == ("container", 0, "bottom")


def test_the_legend_shows_small_marks_larger_where_no_width_tells_lines_apart() -> None:
    def sizing(*traces: dict[str, object]) -> object:
        return figure(traces, title="t", height=100, legend=True).layout.legend.itemsizing

    dots, rings = ({"type": "scatter", "mode": "markers", "name": name, "marker": {"size": size}} for name, size in (("a", 5), ("b", 9)))
    thin, thick = ({"type": "scatter", "mode": "lines", "name": name, "line": {"width": width}} for name, width in (("c", 1), ("d", 4)))
    assert sizing(dots, rings) == sizing(dots, thick) == "constant"
    assert sizing(rings) is None
    assert sizing(dots, thin, thick) is None
    assert sizing(dots, thin, thick | {"showlegend": False}) == "constant"
    assert sizing(rings, dots | {"showlegend": False}) is None


def test_long_titles_wrap_and_the_figure_grows_by_their_rows() -> None:
    short_one, long_one = (figure([], title=title, height=300).layout for title in ("why", "why " * 40))
    assert long_one.title.text.count("<br>") == 3
    assert long_one.height - short_one.height == long_one.margin.t - short_one.margin.t == 54


def test_wrapped_text_is_plain_and_breaks_words_that_are_too_long() -> None:
    assert wrapped("a <b> & c", 80) == "a &lt;b&gt; &amp; c"
    assert wrapped("one two three", 8) == "one two<br>three"
    assert wrapped("x" * 25, 10) == "\u200b<br>".join(["x" * 10, "x" * 10, "x" * 5])
    assert wrapped("of branch-misses", 10) == "of branch-\u200b<br>misses"
    assert wrapped("", 10) == ""


def test_a_long_name_keeps_both_its_ends() -> None:
    assert short("LONGEST_LATENCY_CACHE_MISS", 11) == "LONGE\u2026_MISS"
    assert short("Dr", 11) == "Dr"


@pytest.mark.parametrize(
    ("event", "title"), [("cycles", "cycles, counts per interval"), ("Power(W)", "Power(W)"), ("a<b>", "a&lt;b&gt;, counts per interval")]
)
def test_an_axis_names_its_unit(event: str, title: str) -> None:
    assert counted_title(event) == title


def test_readings_that_are_no_whole_numbers_are_no_counts() -> None:
    assert counted_title("L1 miss ratio", whole=False) == "L1 miss ratio, value"
    assert counted_title("Power(W)", whole=False) == "Power(W)"
    assert unit_of("task-clock", whole=False) == "msec per interval"


def test_an_event_keeps_its_colour_and_colours_repeat_beyond_the_last() -> None:
    events = [f"e{number}" for number in range(len(SERIES) + 1)]
    assert event_colour(events, "e0") == event_colour(events, events[-1]) == SERIES[0]
    assert event_colour(events, "e1") == SERIES[1]


def test_short_names_of_different_names_differ() -> None:
    names = [
        "STALL_FOR_WDB_CYCLES",
        "STALL_FOR_RLT_CYCLES",
        "STALL_FOR_RLX_CYCLES",
        "L2_MISSES",
        "AAAAAAAAAAAAAAAAAAAAB",
        "AAAAAAAAAAAAAAAAAAAAC",
    ]
    shown = short_names(names, 12)
    assert len(set(shown)) == len(names)
    assert max(map(len, shown)) <= 12
    assert shown[3] == "L2_MISSES"
    same_ends = [f"{'x' * 20}{number:03d}{'y' * 20}" for number in range(120)]
    assert len(set(short_names(same_ends, 12))) == 120
    assert short_names([], 12) == []
    assert short_names(["<b>" * 9, "a"], 12) == [short("<b>" * 9, 12), "a"]
