"""The correlation heatmap: fixed scale, clickable cells, names that are only text."""

import numpy as np
import pandas as pd

from hemcore.charts.correlation import correlation_heatmap

NAMES = ["<img src=x onerror=alert(1)>", "b"]
MATRIX = pd.DataFrame([[1, 0.25], [0.25, 1]], index=NAMES, columns=NAMES)


def test_correlations_are_coloured_from_minus_one_to_one() -> None:
    heatmap = correlation_heatmap(MATRIX, title="r").data[0]
    assert (heatmap.zmin, heatmap.zmax) == (-1, 1)


def test_small_differences_look_small_and_large_ones_set_the_scale() -> None:
    assert correlation_heatmap(MATRIX * 0.001, title="d", difference=True).data[0].zmax == 0.02
    assert correlation_heatmap(MATRIX * 0.5, title="d", difference=True).data[0].zmax == 0.5


def test_every_cell_can_be_clicked_and_names_its_pair() -> None:
    cells = correlation_heatmap(MATRIX, title="r").data[1]
    assert len(cells.x) == 4
    assert cells.marker.opacity == 0
    assert [tuple(pair) for pair in cells.customdata] == [(row, column) for row in NAMES for column in NAMES]


def test_names_are_escaped_where_plotly_reads_markup() -> None:
    figure = correlation_heatmap(MATRIX, title="<b>r</b>")
    assert figure.layout.title.text == "&lt;b&gt;r&lt;/b&gt;"
    assert all("<img" not in tick for tick in figure.layout.xaxis.ticktext)
    assert all("<img" not in text for text in figure.data[1].text)


def test_the_hover_tells_the_readings_and_pairs_never_read_together() -> None:
    unknown = MATRIX.where(np.eye(2, dtype=bool))
    readings = pd.DataFrame([[5, 0], [0, 7]], index=NAMES, columns=NAMES)
    texts = correlation_heatmap(unknown, title="r", readings=readings).data[1].text
    assert "never read together" in texts[1]
    assert "not known" in texts[1]
    known = correlation_heatmap(MATRIX, title="r", readings=readings + 1234).data[1].text
    assert "1,234 readings behind the pair" in known[1]
