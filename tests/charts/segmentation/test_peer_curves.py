"""Other searches' change points under ours."""

import numpy as np
import pandas as pd

from hemcore.charts.colours import SERIES, TRUTH
from hemcore.charts.segmentation.peer_curves import searches
from tests.charts.conftest import LEVELS, MARKUP, MIB, MOST, THREE, UNIT, escaped, run_of, x_title


def compared(*rows: tuple[str, tuple[int, ...] | None]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["search", "change_points"])


def test_each_search_is_a_row_with_the_true_boundaries_on_top() -> None:
    samples = run_of(LEVELS, boundaries=(40, 80), stages=("a", "b", "c")).samples
    figure = searches(compared(("ours", (40, 80)), ("theirs", (41,))), samples, unit=UNIT, title="t")
    assert list(figure.layout.yaxis.ticktext) == ["true boundaries", "ours", "theirs"]
    assert [list(each.x) for each in figure.data] == [[40, 80], [40, 80], [41]]
    assert [each.y[0] for each in figure.data] == [0, 1, 2]
    colours = [each.marker.line.color for each in figure.data]
    assert colours[0] == TRUTH
    assert len(set(colours)) == 3


def test_without_truth_ours_is_on_top_in_a_colour_of_its_own() -> None:
    figure = searches(compared(("ours", (40, 80)), ("theirs", ()), ("b", (3,))), THREE.samples, unit=UNIT, title="t")
    assert list(figure.layout.yaxis.ticktext) == ["ours", "theirs", "b"]
    ours, *others = (each.marker.line.color for each in figure.data)
    assert ours == SERIES[0]
    assert len({ours, *others}) == 2


def test_a_search_that_failed_keeps_its_row_empty() -> None:
    figure = searches(compared(("ours", (40,)), ("failed", None)), THREE.samples, unit=UNIT, title="t")
    assert list(figure.layout.yaxis.ticktext) == ["ours", "failed"]
    assert [each.name for each in figure.data] == ["ours"]


def test_searches_are_in_seconds_where_times_are_known() -> None:
    samples = run_of(LEVELS, edges=np.arange(121) * 0.5).samples
    figure = searches(compared(("ours", (40,))), samples, unit="0.5 s", title="t")
    assert x_title(figure) == "time in the run, s"
    assert list(figure.data[0].x) == [20]
    assert list(figure.layout.xaxis.range) == [0, 60]


def test_searches_of_the_longest_run_are_drawn_in_a_small_figure(longest) -> None:
    rows = compared(*((name, longest.segmentation.change_points) for name in "abcdef"))
    figure = searches(rows, longest.samples, unit="0.1 s", title="t")
    assert max(len(each.x) for each in figure.data) <= MOST
    assert len(figure.to_json()) < 2 * MIB


def test_markup_in_names_is_text() -> None:
    assert escaped(searches(compared((MARKUP, (40,))), THREE.samples, unit=MARKUP, title=MARKUP))
