"""Pictures of a merged table."""

import numpy as np
import pandas as pd
import pytest

from hemcore.charts.merge.merged_table import _per_run, anchor_ranking, margins, pair_scatter


def test_the_largest_counts_are_drawn_in_single_precision() -> None:
    merged = pd.DataFrame({"A": [1.0, 2.0, 4.0], "B": [1e28, 1e29, 1e30]})
    points = pair_scatter("A", "B", merged, None, title="pair").data[0]
    assert (points.x.dtype, points.x.tolist()) == (np.float32, [1, 2, 4])
    np.testing.assert_allclose(points.y, [1e28, 1e29, 1e30], rtol=1e-6)
    curves = margins(["A", "B"], {"A": merged["A"].to_numpy(), "B": merged["B"].to_numpy()}, merged, title="margins").data
    np.testing.assert_allclose([curve.x[-1] for curve in curves], [4, 4, 1e30, 1e30], rtol=1e-6)


def test_positive_correlations_are_red_and_negative_ones_blue_as_in_the_heatmap() -> None:
    bars = anchor_ranking(pd.Series({"B": 0.5, "C": -0.2}), anchor="A", title="t").data[0]
    assert list(bars.marker.color) == ["#D1495B", "#3E6BB0"]
    assert list(bars.text) == ["+0.50", "−0.20"]


def test_neither_runs_as_read_nor_merged_ones_cover_the_others() -> None:
    merged, read = pd.DataFrame({"A": np.arange(10.0), "B": 0.0}), pd.DataFrame({"A": np.arange(6.0), "B": 1.0})
    drawn = pair_scatter("A", "B", merged, read, title="pair").data
    names = ["merged (10)", "read together (6)"]
    assert [each.name for each in drawn] == 4 * names
    assert [sum(len(each.x) for each in drawn if each.name == name) for name in names] == [10, 6]
    assert [each.name for each in drawn if each.showlegend] == names
    assert drawn[1].marker.symbol == "circle-open"


@pytest.mark.parametrize(
    ("hem", "text"),
    [
        ("cycles", "cycles, counts per run"),
        ("CoreTmp", "CoreTmp, °C"),
        ("temp", "temp, value"),
        ("power (W)", "power (W)"),
        ("energy-pkg", "energy-pkg, Joules per run"),
    ],
)
def test_an_axis_counts_what_is_counted(hem: str, text: str) -> None:
    assert _per_run(hem, 30) == text
