"""Phases before and after, and the waterfall of cycles: blocks, bars and words by hand."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from hemcore.analysis import Question
from hemcore.charts.compare.cycle_bars import cycle_caption, cycle_figures, cycle_table
from hemcore.charts.compare.phase_split import programs_by_change, split_caption, split_figures, split_table
from hemcore.charts.compare.view import CompareView
from hemcore.charts.picture import Scene
from hemcore.compare import phases
from hemcore.compare.analysis import COMPARE_PHASES
from hemcore.compare.cycle_waterfall import UNEXPLAINED, Waterfall
from hemcore.compare.params import CompareParams
from hemcore.compare.results import Comparison
from hemcore.compare.two_sets import compare
from hemcore.datasets.tables.phase_table import PhaseTable
from tests.charts.conftest import trace

PARAMS = CompareParams(before="old", level=0.9)


def runs(*of_program: tuple[str, list[tuple[float, float]]]) -> PhaseTable:
    """Two equal runs of each program; its phases as (length, count of A)."""
    rows = [
        {"program": name, "granularity": "segment", "load": f"run {run}", "phase": place, "intervals": length, "A": count, "B": 7.0}
        for name, parts in of_program
        for run in (1, 2)
        for place, (length, count) in enumerate(parts)
    ]
    return PhaseTable(frame=pd.DataFrame(rows), counters=("A", "B"))


# Of p: 20 in a length of 10, then 60 in 20; after: 60 in 20, then the same. Of q: 5 in 10, then 8 in 10.
BEFORE = runs(("p", [(10, 20), (20, 60)]), ("q", [(10, 5)]))
AFTER = runs(("p", [(20, 60), (20, 60)]), ("q", [(10, 8)]))


def scene(view: CompareView | None = None) -> Scene[Comparison]:
    return Scene(
        question=Question(analysis=COMPARE_PHASES, dataset="new", params=PARAMS),
        table=AFTER,
        result=replace(compare(BEFORE, AFTER), params=PARAMS),
        view=view,
        more=phases(BEFORE, AFTER),
    )


def test_phases_are_blocks_of_their_length_and_rate_before_over_after() -> None:
    courses, _ = split_figures(scene(CompareView(hem="A", program="p")))
    blocks = [(each.yaxis, each.x[0], each.x[-1], each.y[1], each.text[2]) for each in courses.data]
    # Before: 2 and 3 per length; after: 3 and 3.
    assert blocks == [("y", 0, 10, 2, "1"), ("y", 10, 30, 3, "2"), ("y2", 0, 20, 3, "1"), ("y2", 20, 40, 3, "2")]
    # A phase has one colour in both.
    colours = [each.line.color for each in courses.data]
    assert colours[:2] == colours[2:]
    assert colours[0] != colours[1]
    assert courses.layout.yaxis.range == courses.layout.yaxis2.range == (0, 1.25 * 3)
    assert courses.layout.xaxis.range[1] == pytest.approx(40 * 1.01)
    assert courses.data[0].hovertemplate.startswith("phase 1, before: 20 in 10")


def test_the_bars_of_a_phase_are_its_length_and_its_rate() -> None:
    _, bars = split_figures(scene(CompareView(hem="A", program="p")))
    # 40 more in phase 1: 10 longer x 2.5, and 1 more per length x 15.
    assert list(trace(bars, "lasts longer or shorter").x) == [25, 0]
    assert list(trace(bars, "counts more or less").x) == [15, 0]
    change = trace(bars, "change")
    assert list(change.x) == [40, 0]
    assert list(change.marker.symbol) == ["diamond", "circle-open"]
    assert list(change.error_x.array) == list(change.error_x.arrayminus) == [0, 0]  # runs that are equal
    assert list(bars.layout.yaxis.ticktext) == ["phase 1", "phase 2"]
    assert list(bars.layout.yaxis.range) == [1.6, -0.6]  # phase 1 on top
    assert "surely changed" in change.customdata[0]
    assert "may be noise" in change.customdata[1]


def test_the_program_that_changes_most_is_drawn_first() -> None:
    assert programs_by_change(scene(CompareView(hem="A"))) == ["p", "q"]
    _, bars = split_figures(scene(CompareView(hem="A", program="no such program")))
    assert list(trace(bars, "change").x) == [40, 0]
    _, of_q = split_figures(scene(CompareView(hem="A", program="q")))
    assert list(trace(of_q, "change").x) == [3]


def test_the_split_in_words_and_in_rows() -> None:
    there = scene(CompareView(hem="A"))
    assert split_caption(there).startswith(
        "A changes by 43 per run, over 2 programs. Most in phase 1 of p (40), which lasts longer or shorter. The parts sum"
    )
    rows = split_table(there).set_index(["program", "phase"])
    assert rows.loc[("p", 1), ["change", "by its length", "by its counts per length", "of the change"]].tolist() == [
        "40",
        "25",
        "15",
        "93.0%",
    ]
    assert rows.loc[("q", 1), ["before", "after", "of the change", "surely changed"]].tolist() == ["5", "8", "7.0%", "yes"]


def waterfall(changes: dict[str, float], error: float = 2.0) -> Scene[Comparison]:
    """From 100 cycles to 100 and the changes; their standard errors are equal."""
    rows = pd.DataFrame({"group": list(changes), "change": list(changes.values()), "error": error})
    found = Waterfall(
        rows=rows,
        before=100.0,
        after=100.0 + sum(changes.values()),
        target="CYCLES",
        costs=pd.DataFrame(),
        notes=("A note.",),
        params=PARAMS.but(level=0.5),
    )
    return replace(scene(), more=found)


def test_bars_float_over_the_cycles_before_and_sum_to_the_change() -> None:
    (figure,) = cycle_figures(waterfall({"last level": 40.0, "branches": -15.0, UNEXPLAINED: 5.0}))
    bars, intervals = figure.data
    assert list(bars.x) == ["last level", "branches", UNEXPLAINED, "in all"]
    assert list(bars.y) == [40, -15, 5, 30]
    # 0 is before, so that 30 of a million would be seen as well.
    assert list(bars.base) == [0, 40, 25, 0]
    # The last bar ends where the change in all does.
    assert bars.base[2] + bars.y[2] == bars.y[3]
    # 90% of the page, not the 50% of the answer: 1.645 standard errors of 2 each way; none is known of the change in all.
    assert list(intervals.x) == ["last level", "branches", UNEXPLAINED]
    assert list(intervals.y) == [40, 25, 30]
    for sides in (intervals.error_y.array, intervals.error_y.arrayminus):
        assert list(sides) == pytest.approx([3.29] * 3, abs=1e-3)
    more, less, rest, whole = bars.marker.color
    assert len({more, less, rest, whole}) == 4
    assert "CYCLES per run: 100 before, 130 after (+30.0%)" in figure.layout.title.text.replace("<br>", " ")
    assert "90% intervals" in figure.layout.title.text.replace("<br>", " ")
    assert bars.customdata[1].startswith("<b>branches</b>: −15 cycles<br>−18.3 to −11.7")
    assert bars.customdata[3] == "<b>in all</b>: 30 cycles (+30.0%)<br>100 before, 130 after"


def test_a_bar_without_an_error_has_no_interval() -> None:
    there = waterfall({"last level": 40.0, UNEXPLAINED: 0.0}, error=float("nan"))
    bars, intervals = cycle_figures(there)[0].data
    assert len(intervals.x) == 0
    assert "parts without intervals" in cycle_figures(there)[0].layout.title.text.replace("<br>", " ")
    assert "<br>" not in bars.customdata[0]
    assert cycle_table(there)[["from", "to"]].to_numpy().tolist() == [["", ""], ["", ""]]


def test_the_waterfall_in_words_and_in_rows() -> None:
    there = waterfall({"last level": 40.0, "branches": -45.0, UNEXPLAINED: 5.0})
    # 5 of 0 in all: no event explains it.
    assert cycle_caption(there) == (
        "CYCLES: 100 before, 100 after. Most is explained by branches (−45). No event explains 5: do not rely on the other bars alone."
        " The bars sum to the change; each event has one cost in both sets. A note."
    )
    assert "No event" not in cycle_caption(waterfall({"last level": 40.0, UNEXPLAINED: 5.0}))  # 5 of 45
    assert "No event" in cycle_caption(waterfall({"last level": 40.0, UNEXPLAINED: -20.0}))
    assert "The largest part with a cause is last level (40)." in cycle_caption(waterfall({"last level": 40.0, UNEXPLAINED: -41.0}))
    rows = cycle_table(there).set_index("events")
    assert rows.loc["branches"].tolist() == ["−45", "−48.29", "−41.71", "−45.0%"]
    assert np.isfinite(float(rows.loc[UNEXPLAINED, "cycles"]))
