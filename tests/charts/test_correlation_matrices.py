"""The correlation heatmap: fixed scale, clickable cells, names that are only text."""

import numpy as np
import pandas as pd

from hemcore.charts.colours import BLACK, WHITE
from hemcore.charts.correlation_matrices import correlation_heatmap, filled_mark
from hemcore.charts.heatmap_parts import cell_clicks
from hemcore.charts.look import DIGITS, themed

NAMES = ["<img src=x onerror=alert(1)>", "b"]
MATRIX = pd.DataFrame([[1, 0.25], [0.25, 1]], index=NAMES, columns=NAMES)


def test_correlations_are_coloured_from_minus_one_to_one() -> None:
    heatmap = correlation_heatmap(MATRIX, title="r").data[0]
    assert (heatmap.zmin, heatmap.zmax) == (-1, 1)


def test_small_differences_look_small_and_large_ones_set_the_scale() -> None:
    assert correlation_heatmap(MATRIX * 0.001, title="d", difference=True).data[0].zmax == 0.02
    assert correlation_heatmap(MATRIX * 0.5, title="d", difference=True).data[0].zmax == 0.5


def test_every_cell_can_be_clicked_and_names_its_pair() -> None:
    cells = correlation_heatmap(MATRIX, title="r").data[-1]
    assert len(cells.x) == 4
    assert cells.marker.opacity == 0
    assert [tuple(pair) for pair in cells.customdata] == [(row, column) for row in NAMES for column in NAMES]


def test_names_are_escaped_where_plotly_reads_markup() -> None:
    figure = correlation_heatmap(MATRIX, title="<b>r</b>")
    assert figure.layout.title.text == "&lt;b&gt;r&lt;/b&gt;"
    assert all("<img" not in tick for tick in figure.layout.xaxis.ticktext)
    assert all("<img" not in text for text in figure.data[-1].text)


def test_the_hover_tells_the_readings_and_pairs_never_read_together() -> None:
    unknown = MATRIX.where(np.eye(2, dtype=bool))
    readings = pd.DataFrame([[5, 0], [0, 7]], index=NAMES, columns=NAMES)
    texts = correlation_heatmap(unknown, title="r", readings=readings).data[-1].text
    assert "never read together" in texts[1]
    assert "unknown" in texts[1]
    known = correlation_heatmap(MATRIX, title="r", readings=readings + 1234).data[-1].text
    assert "1,234 runs read both" in known[1]


def digits(figure) -> dict[str, list[str]]:
    """The digits of the cells by the colour that they are written in."""
    return {each.textfont.color: list(each.text) for each in figure.data if each.name == DIGITS}


def test_digits_are_black_on_light_cells_and_white_on_dark_ones() -> None:
    values = pd.DataFrame([[1.0, 0.25], [-0.9, np.nan]], index=NAMES, columns=NAMES)
    written = digits(correlation_heatmap(values, title="r"))
    assert written == {BLACK: ["", ".25", "", ""], WHITE: ["", "", "−.90", ""]}  # every one on the diagonal is 1


def test_digits_change_their_colour_with_the_cells_where_the_ground_is_dark() -> None:
    values = pd.DataFrame([[1.0, 0.1], [-0.9, np.nan]], index=NAMES, columns=NAMES)
    light = correlation_heatmap(values, title="r")
    assert [bool(each.strip()) for each in digits(themed(light, True))[BLACK]] == [False, False, True, False]
    assert [bool(each.strip()) for each in digits(light)[BLACK]] == [False, True, False, False]


def test_many_hems_have_no_digits_and_short_names_whole_on_the_hover() -> None:
    names = [f"L2_CACHE_REQUESTS_OF_THE_PREFETCHER_{number:02d}" for number in range(40)]
    figure = correlation_heatmap(pd.DataFrame(np.eye(40), index=names, columns=names), title="r")
    assert digits(figure) == {}
    assert max(len(tick) for tick in figure.layout.yaxis.ticktext) <= 16
    assert len(figure.layout.yaxis.ticktext) == 40
    assert len(set(figure.layout.yaxis.ticktext)) == 40
    assert names[3] in figure.data[-1].text[3]
    assert tuple(figure.data[-1].customdata[3]) == (names[0], names[3])
    assert len(figure.to_json()) < 500_000


def test_what_a_page_needs_to_write_as_much_as_fits() -> None:
    names = ["CYCLES_NO_INSTRUCTION_QUEUE_STALLED", "CYCLES_IN_ISSUE_QUEUE_STALLED", "L2_MISSES"]
    values = pd.DataFrame([[1, -0.25, 0.1], [-0.25, 1, 0.2], [0.1, 0.2, 1]], index=names, columns=names)
    meta = correlation_heatmap(values, title="r").layout.meta
    assert list(meta["names"]) == names
    assert list(meta["ticks"]) == list(correlation_heatmap(values, title="r").layout.yaxis.ticktext)
    positive = correlation_heatmap(values.abs(), title="r").layout.meta["digits"]
    assert 15 < positive < meta["digits"] < 28  # a sign takes room
    assert correlation_heatmap(values * 0.1, title="d", difference=True).layout.meta["digits"] > meta["digits"]


def test_the_chosen_pair_has_a_frame_on_both_sides_of_the_diagonal() -> None:
    framed = correlation_heatmap(MATRIX, title="r", marked=("b", NAMES[0])).layout.shapes
    assert sorted((each.x0, each.y0) for each in framed) == [(-0.5, 0.5), (0.5, -0.5)]
    assert not correlation_heatmap(MATRIX, title="r", marked=("b", "gone")).layout.shapes


def test_clicking_a_cell_fades_no_digits() -> None:
    for trace in (each for each in correlation_heatmap(MATRIX, title="r").data if each.name == DIGITS):
        assert trace.unselected.textfont.color == trace.selected.textfont.color == trace.textfont.color


def test_cells_that_are_not_known_are_no_correlation_of_nought() -> None:
    layout = correlation_heatmap(MATRIX, title="r").layout
    assert layout.plot_bgcolor not in ("#FFFFFF", "#F7F7F7", None)


def test_filled_cells_of_many_hems_are_paler_and_names_do_not_lie_on_each_other() -> None:
    names = [f"HEM_{number}" for number in range(100)]
    matrix = pd.DataFrame(np.full((100, 100), 0.5), index=names, columns=names)
    readings = pd.DataFrame(np.where(np.add.outer(range(100), range(100)) % 2, 0, 50), index=names, columns=names)
    drawn = correlation_heatmap(matrix, title="t", readings=readings, filled=True)
    together, apart = (trace for trace in drawn.data if trace.type == "heatmap")
    assert together.showscale is None
    assert apart.opacity < 1
    assert np.isfinite(np.array(together.z, dtype=float)).sum() + np.isfinite(np.array(apart.z, dtype=float)).sum() == 100 * 100
    assert filled_mark(100) == "paler"
    # 9 px type in about 600 px.
    assert len(drawn.layout.yaxis.tickvals) <= 50
    few = correlation_heatmap(matrix.iloc[:9, :9], title="t", readings=readings.iloc[:9, :9], filled=True)
    assert [trace.type for trace in few.data].count("heatmap") == 1
    assert len(few.layout.yaxis.tickvals) == 9
    assert filled_mark(9) == "ring"


def test_a_click_is_reported_where_its_cell_is() -> None:
    """Two rows of three: the second cell is one to the right of the first, the fourth is under it."""
    clicks = cell_clicks([["row", "column"]] * 6, ["hover"] * 6, 3, 20)
    assert list(zip(clicks["x"].tolist(), clicks["y"].tolist(), strict=True)) == [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)]
