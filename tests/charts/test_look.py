"""Titles, legends and the lighter colours on a dark ground."""

import plotly.graph_objects as go
import pytest

from hemcore.charts.look import SERIES, TOP_LEGEND, counted_title, finished, for_dark, legend_line


def a_figure() -> go.Figure:
    figure = go.Figure(go.Scatter(x=[1], y=[1], line={"color": SERIES[0]}, marker={"color": SERIES[2], "line": {"color": SERIES[3]}}))
    figure.add_trace(go.Bar(x=[1], y=[1], marker={"color": [SERIES[0]]}))
    figure.add_trace(go.Heatmap(z=[[1]]))
    figure.add_vline(x=1, line={"color": SERIES[4]})
    return figure


def test_dark_has_lighter_lines_marks_and_shapes() -> None:
    figure = a_figure()
    before = figure.to_json()
    dark = for_dark(figure)
    assert (dark.data[0].line.color, dark.data[0].marker.color, dark.data[0].marker.line.color) == ("#4FB3C8", "#B58AD0", "#EC8793")
    assert dark.layout.shapes[0].line.color == "#76C59A"
    assert figure.to_json() == before


def test_a_colour_that_shows_on_both_grounds_stays() -> None:
    figure = go.Figure(go.Scatter(x=[1], y=[1], line={"color": SERIES[1]}))
    assert for_dark(figure).data[0].line.color == SERIES[1]


def test_the_legend_has_a_row_of_its_own_under_the_title() -> None:
    alone = finished(go.Figure(), title="a", height=300)
    both = finished(go.Figure(legend_line("a line", SERIES[0], "dot")), title="a", height=300, legend=TOP_LEGEND)
    assert both.layout.margin.t > alone.layout.margin.t
    assert both.layout.height - both.layout.margin.t == alone.layout.height - alone.layout.margin.t


@pytest.mark.parametrize(
    ("event", "title"), [("cycles", "cycles, counts per interval"), ("Power(W)", "Power(W)"), ("a<b>", "a&lt;b&gt;, counts per interval")]
)
def test_an_axis_names_its_unit(event: str, title: str) -> None:
    assert counted_title(event) == title
