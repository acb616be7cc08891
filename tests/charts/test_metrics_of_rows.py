"""The pictures of metrics over time, by phase, of changes and of more runs: where values stand, gaps, and what hovers say."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hemcore.analysis import Question
from hemcore.charts.metrics.changes_dots import change_figures, change_table
from hemcore.charts.metrics.course_lines import course_caption, course_figures, course_table, shares_over_time
from hemcore.charts.metrics.metric_tables import all_table, row_table
from hemcore.charts.metrics.more_runs import more_runs_caption, more_runs_figures
from hemcore.charts.metrics.phase_heat import heat_figure, heat_table
from hemcore.charts.metrics.tree_tiles import tree_figure
from hemcore.charts.metrics.view import MetricsView, listed
from hemcore.charts.picture import Scene
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.metrics.analysis import BY_PHASE, OVER_TIME, by_phase, over_time
from hemcore.metrics.courses import course_of
from hemcore.metrics.params import MetricsParams
from tests.charts.conftest import MARKUP, drawn, escaped, scene_of
from tests.core.metrics.conftest import defined

TREE = defined(
    {"Busy": "A / B", "Idle": "1 - A / B", "A per 1000": "1000 * A / B"},
    level=[1, 1, 0],
    unit=["%", "%", "per 1000"],
    scale=[100, 100, 1],
    group=["Top; Slots", "Top", ""],
)
# Ten intervals at a quarter, one that was not counted, nine at three quarters.
A = [1.0] * 10 + [np.nan] + [3.0] * 9


def scene(analysis: Any, table: Any, result: Any, **more: Any) -> Scene:
    return Scene(question=Question(analysis=analysis, dataset="x", params=MetricsParams()), table=table, result=result, **more)


@pytest.fixture(scope="module")
def over() -> Scene:
    intervals = pd.DataFrame({"application": "p", "run": 1, "interval": range(20)})
    table = CounterSeries(intervals=intervals, counts=pd.DataFrame({"A": A, "B": 4.0}), mode="OCOE")
    params = MetricsParams(metric="Busy")
    return scene(OVER_TIME, table, over_time(table, params, definitions=TREE), more=course_of(table, params, definitions=TREE))


def test_a_gap_stays_a_gap_in_line_and_stack(over) -> None:
    line, stack = course_figures(over)
    curve = next(each for each in line.data if each.name == "Busy")
    assert np.flatnonzero(np.isnan(curve.y)).tolist() == [10]
    assert drawn(curve.y) == [25] * 10 + [75] * 9
    shares = shares_over_time(over, over.more)
    assert shares["Busy"].tolist()[:10] == [0.25] * 10
    assert np.flatnonzero(shares["Busy"].isna()).tolist() == np.flatnonzero(shares["Idle"].isna()).tolist() == [10]
    tops = [max(drawn(each.y)) for each in stack.data[:2]]
    assert tops == [0.75, 1.0]
    assert [min(drawn(each.y)) for each in stack.data[:2]] == [0.0, 0.25]  # Idle stands on Busy
    assert stack.data[2].text[0] == "Busy: 25.0%<br>Idle: 75.0%"
    assert "1 interval of 20 without a value" in course_caption(over)


def test_the_means_of_segments_are_in_the_unit(over) -> None:
    table = course_table(over)
    assert table.columns.tolist() == ["start", "stop", "mean, %", "std, %", "intervals"]
    assert table["mean, %"].tolist() == [25, 75]
    means = next(each for each in course_figures(over)[0].data if each.name == "mean of the segment")
    assert drawn(means.y) == [25, 25, 75, 75]


def test_many_intervals_share_a_bin_only_where_all_were_counted(over) -> None:
    n = 1600
    intervals = pd.DataFrame({"application": "p", "run": 1, "interval": range(n)})
    counts = pd.DataFrame({"A": np.tile([1.0, 3.0], n // 2), "B": 4.0})
    counts.loc[5, "A"] = np.nan
    table = CounterSeries(intervals=intervals, counts=counts, mode="OCOE")
    params = MetricsParams()
    found = shares_over_time(
        scene(OVER_TIME, table, over_time(table, params, definitions=TREE)), course_of(table, params, definitions=TREE)
    )
    assert len(found) == 160
    assert np.isnan(found["Busy"].iloc[0])
    assert set(found["Busy"].iloc[1:]) == {0.5}
    assert found[["begin", "end"]].iloc[1].tolist() == [10, 20]


def test_the_heatmap_shows_true_values_on_hover() -> None:
    keys = {"program": "p", "granularity": 10, "load": "single core", "phase": range(3)}
    table = PhaseTable(frame=pd.DataFrame({**keys, "A": [1.0, 2.0, np.nan], "B": 4.0}), counters=("A", "B"))
    found = scene(BY_PHASE, table, by_phase(table, MetricsParams(), definitions=TREE), view=MetricsView(group="Top"))
    (figure,) = heat_figure(found)
    (cells,) = figure.data
    assert list(cells.x) == ["Busy", "Idle"]
    assert [list(each) for each in cells.customdata] == [["25%", "75%"], ["50%", "50%"], ["no value", "no value"]]
    np.testing.assert_allclose(np.asarray(cells.z)[:2], [[-1, 1], [1, -1]])
    assert heat_table(found)["Busy"].tolist()[:2] == [25, 50]
    # What a page thins to fit: the names of columns and rows, each with its full name.
    across, down = figure.layout.meta["across"], figure.layout.meta["down"]
    assert (list(across["ticks"]), list(down["names"]), down["size"]) == (["Busy", "Idle"], ["0", "1", "2"], 10)


def test_names_are_escaped_everywhere(over) -> None:
    name = MARKUP.replace('"', "")
    known = defined({name: "A / B", f"{name} 2": "1 - A / B"}, level=[1, 1])
    params = MetricsParams()
    of_time = scene(
        OVER_TIME, over.table, over_time(over.table, params, definitions=known), more=course_of(over.table, params, definitions=known)
    )
    assert all(escaped(figure) for figure in course_figures(of_time))
    runs = scene_of("metrics.over_runs")
    rows = runs.result.rows.assign(metric=[name, *runs.result.rows["metric"][1:]])
    first = runs.result.rows["metric"].iloc[0]
    renamed = {name if each == first else each: values for each, values in runs.result.draws.items()}
    nodes = runs.result.tree.nodes.assign(metric=[name, *runs.result.tree.nodes["metric"][1:]])
    tree = replace(runs.result.tree, nodes=nodes)
    made = replace(runs.result, rows=rows, draws=renamed, tree=tree, worked={name: f"{name} = 1"})
    assert all(escaped(figure) for figure in tree_figure(replace(runs, result=made)))
    assert all(escaped(figure) for figure in more_runs_figures(replace(runs, result=made)))


@pytest.fixture
def compared() -> Scene:
    """The sample against itself with half of each value, and draws to match."""
    found = scene_of("metrics.over_runs")
    before = replace(
        found.result,
        rows=found.result.rows.assign(value=found.result.rows["value"] / 2),
        draws={name: draws / 2 for name, draws in found.result.draws.items()},
        tree=replace(found.result.tree, nodes=found.result.tree.nodes.assign(share=found.result.tree.nodes["share"] / 2)),
    )
    return replace(found, baseline=before, baseline_words="half")


def test_changes_are_sorted_and_filled_where_the_interval_excludes_0(compared) -> None:
    nodes, relative, points = change_figures(compared)
    assert nodes.data[0].x[0] == pytest.approx(compared.result.tree.nodes["share"].iloc[0] / 2)
    np.testing.assert_allclose(relative.data[0].x, 1.0)
    assert set(relative.data[0].marker.symbol) == {"circle"}
    assert (np.diff(np.abs(points.data[0].x)) <= 1e-12).all()
    assert "<br>+100% (+100% to +100" in relative.data[0].customdata[0]
    row = change_table(compared).set_index("metric").loc["IPC"]
    assert row[["change", "differs"]].tolist() == ["+100%", "yes"]
    assert change_figures(replace(compared, baseline=None)) == []


def test_more_runs_are_drawn_now_and_then() -> None:
    found = scene_of("metrics.over_runs")
    runs = next(iter(found.result.runs.values()))
    chosen = replace(found, view=MetricsView(runs=4.0 * runs))
    curves, bars = more_runs_figures(chosen)
    now, then = bars.data
    np.testing.assert_allclose(np.asarray(then.x) * 2, now.x)
    mark = next(each for each in curves.data if each.name == "as chosen")
    assert mark.x[0] == 4 * runs
    assert "narrow it most" in more_runs_caption(chosen)


ROWS = pd.DataFrame(
    {
        "metric": ["L1 miss", "IPC", "L2 miss"],
        "group": ["Caches;Memory", "General", "Caches"],
        "formula": ["a / b", "c / d", "e / f"],
        "description": ["", "per cycle", ""],
        "value": [1.0, np.nan, 2.0],
        "passed": [1.0, np.nan, 0.0],
    }
)


@pytest.mark.parametrize(
    ("view", "expected"),
    [
        ({}, [0, 1, 2]),
        ({"search": "MISS l2"}, [2]),
        ({"search": "cycle"}, [1]),
        ({"search": "a / b"}, [0]),
        ({"search": "["}, []),
        ({"group": "Caches"}, [0, 2]),
        ({"group": "Memory", "search": "l1"}, [0]),
        ({"group": "Cache"}, []),
        ({"listed": "with a value"}, [0, 2]),
        ({"listed": "past threshold"}, [0]),
    ],
)
def test_what_is_listed(view: dict[str, str], expected: list[int]) -> None:
    assert listed(ROWS, MetricsView(**view)).index.tolist() == expected


def test_the_tables_have_what_is_listed_and_the_numbers_put_in(over) -> None:
    found = scene_of("metrics.over_runs")
    shown = all_table(replace(found, view=MetricsView(search="L1D miss ratio")))
    assert shown["metric"].tolist() == ["L1D miss ratio", "L1D read miss ratio", "L1D write miss ratio"]
    assert shown["with numbers"].iloc[0].startswith("(64,372 + 38,662) / (758,079 + 575,557) = ")
    rows = row_table(over).set_index("metric")
    assert rows.loc["A per 1000", ["median", "10% below", "90% below", "rows with a value"]].tolist() == ["250", "250", "750", 19]
