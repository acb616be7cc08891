"""How often HEMs are together, how close a plan is to the minimum, and what each subexperiment adds: of plans of three HEMs."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hemcore.charts.colours import BASELINE, MUTED, SERIES
from hemcore.charts.planning.pictures import _bound, _curve, _curve_caption
from hemcore.charts.planning.plan_heatmaps import coverage, coverage_caption, pairs_left


def plan(size: int = 3, *, goal: str = "pairs", found: tuple[tuple[int, int], ...] = ((10, 5), (40, 3))) -> Any:
    return SimpleNamespace(
        hems=("A", "B", "C"),
        goal=goal,
        bound=2,
        bound_name="counting pairs",
        greedy=5,
        subexperiments=("AB",) * size,
        found=found,
        coverage_by_groups=np.array([0.4, 0.5, 1.0]),
        pairs_together=pd.DataFrame([[3, 2, 0], [2, 2, 1], [0, 1, 1]], index=list("ABC"), columns=list("ABC")),
        wanted=np.array([[0, 1]]),
        never=(),
        pairs_read=0,
    )


def scene(now: Any, baseline: Any = None) -> Any:
    question = SimpleNamespace(dataset="d")
    reports = [None if each is None else SimpleNamespace(plan=each, seconds=30.0) for each in (now, baseline)]
    return SimpleNamespace(result=reports[0], baseline=reports[1], question=question)


def test_bars_of_the_bound_this_plan_the_greedy_one_and_the_baseline() -> None:
    bars = _bound(scene(plan(), plan(4)))[0].data[0]
    assert list(bars.y) == ["baseline", "greedy plan", "this plan", "lower bound"]
    assert list(bars.x) == [4, 5, 3, 2]
    assert list(bars.marker.color) == [BASELINE, MUTED, SERIES[0], MUTED]
    assert list(_bound(scene(plan(goal="budget")))[0].data[0].y) == ["this plan", "lower bound"]


def test_a_search_shows_what_it_found_after_how_much_work() -> None:
    line = _bound(scene(plan()))[1]
    assert (list(line.data[0].x), list(line.data[0].y)) == ([10, 40], [5, 3])
    assert line.data[0].line.shape == "hv"
    assert list(line.layout.yaxis.range) == [0, 6]
    # Pairs do not begin at 0: 8% of room on both sides.
    pairs = _bound(scene(plan(goal="budget", found=((10, 1000), (40, 1100)))))[1]
    assert list(pairs.layout.yaxis.range) == [992, 1108]


def test_each_subexperiment_adds_pairs() -> None:
    now, before = _curve(scene(plan(), plan()))[0].data[::-1]
    assert before.name == "baseline"
    assert (list(now.x), now.y.tolist()) == ([0, 1, 2, 3], pytest.approx([0, 0.4, 0.5, 1.0]))
    # 30 s for three of them.
    assert [each.split()[0] for each in now.customdata[1:]] == ["10", "20", "30"]
    assert _curve_caption(scene(plan())).startswith("Half of the pairs are read together after 2 subexperiments.")


def test_pairs_that_were_never_together_are_grey_and_wanted_ones_have_a_dot() -> None:
    (figure,) = coverage(scene(plan()))
    cells, dots, hovers = figure.data
    nan = np.nan
    np.testing.assert_array_equal(cells.z, [[nan, 2, nan], [2, nan, 1], [nan, 1, nan]])
    assert (dots.x.tolist(), dots.y.tolist()) == ([0, 1], [1, 0])
    assert hovers.customdata[0] == [
        "<b>A</b><br>read 3 times",
        "<b>A</b><br><b>B</b><br>read together in 2 subexperiments",
        "<b>A</b><br><b>C</b><br>never read together, not wanted",
    ]
    assert hovers.customdata[2][1] == "<b>C</b><br><b>B</b><br>read together in 1 subexperiment, not wanted"
    assert "1 pair must be filled by a merge's model." in coverage_caption(scene(plan()))


def test_pairs_that_cannot_be_read_together_have_a_cross_and_stand_in_the_table() -> None:
    impossible = plan()
    impossible.never, impossible.missed = (("A", "C"),), [("B", "C")]
    (figure,) = coverage(scene(impossible))
    cross = figure.data[1]
    assert (cross.marker.symbol, cross.x.tolist(), cross.y.tolist()) == ("x", [0, 2], [2, 0])
    assert "; cross: cannot be" in figure.layout.title.text.replace("<br>", " ")
    assert pairs_left(scene(impossible)).to_numpy().tolist() == [
        ["A", "C", "counters and limits"],
        ["B", "C", "too few subexperiments"],
    ]
    whole = plan()
    whole.missed = []
    assert pairs_left(scene(whole)) is None
