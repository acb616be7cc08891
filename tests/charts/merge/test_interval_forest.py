"""Measured correlations with their intervals, by hand."""

import numpy as np
import pandas as pd
import pytest

from hemcore.charts.merge.interval_forest import forest

# B below its interval, C inside, D above, E never read together, F read too rarely for an interval.
ROWS = pd.DataFrame(
    {
        "other": list("BCDEF"),
        "r": [0.5, 0.5, 0.5, np.nan, 0.5],
        "low": [0.2, 0.2, 0.2, np.nan, np.nan],
        "high": [0.6, 0.6, 0.6, np.nan, np.nan],
        "merged": [0.1, 0.3, 0.7, 0.9, -0.4],
        "runs": [90, 90, 90, 0, 3],
        "scale": ["counts", "ranks", "counts", np.nan, "counts"],
    }
)


def by_name(rows: pd.DataFrame) -> dict:
    return {trace.name: trace for trace in forest(rows, hem="A", title="t").data}


def test_each_side_of_an_interval_has_its_own_length() -> None:
    measured = by_name(ROWS)["measured, 90% interval"]
    assert measured.x.tolist() == [0.5] * 4
    # From 0.5 up to 0.6 and down to 0.2; without an interval, nothing.
    assert measured.error_x.array.tolist() == pytest.approx([0.1, 0.1, 0.1, 0])
    assert measured.error_x.arrayminus.tolist() == pytest.approx([0.3, 0.3, 0.3, 0])


def test_values_below_and_above_their_interval_are_marked() -> None:
    traces = by_name(ROWS)
    outside, inside, filled = (traces[name] for name in ("merged, outside (2)", "merged (2)", "filled, no interval (1)"))
    assert [key[1] for key in outside.customdata] == ["B", "D"]
    assert (outside.marker.symbol, outside.y.tolist()) == ("diamond", [0, 2])
    assert [key[1] for key in inside.customdata] == ["C", "F"]
    assert [key[1] for key in filled.customdata] == ["E"]
    assert filled.marker.symbol == "circle-open"


def test_r_by_ranks_says_so_on_both_sides() -> None:
    traces = by_name(ROWS)
    assert ["by ranks" in text for text in traces["measured, 90% interval"].text] == [False, True, False, False]
    assert ["by ranks" in text for text in traces["merged (2)"].text] == [True, False]
