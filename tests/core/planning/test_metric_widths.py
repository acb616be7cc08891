"""What fewer subexperiments cost the metrics' intervals, against widths that the normal distribution gives."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from hemcore.charts.planning.width_curves import widths_caption, widths_figures, widths_table
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import HemError, ParameterError
from hemcore.planning import HemList, PlanParams, hems_for_metrics, plan_subexperiments, widths_against_subexperiments
from hemcore.planning.analysis import WIDTHS
from hemcore.planning.metric_widths import SAME_RUNS, SAME_TIME
from hemcore.planning.results import MetricWidths
from tests.core.metrics.conftest import defined

# Of a mean of n runs: the width of its 80% interval, in standard deviations of a run, times the root of n.
WIDE = 2 * 1.2816


def pilot(cv: float = 0.1, n: int = 4_000, hems: str = "abcdef") -> Subexperiments:
    """Independent normal counts with this coefficient of variation, all read together."""
    random = np.random.default_rng(3)
    frame = pd.DataFrame({hem: 1e6 * (1 + cv * random.standard_normal(n)) for hem in hems})
    return Subexperiments(frames=(frame,), n_pmcs=len(hems))


def widths(formulas: dict[str, str], readings: Subexperiments, n_pmcs: int, **more: object) -> MetricWidths:
    definitions = defined(formulas)
    return widths_against_subexperiments(definitions, hems_for_metrics(definitions), readings, n_pmcs, **more)


def test_one_subexperiment_gives_the_width_of_a_mean_of_its_runs() -> None:
    found = widths({"A": "a", "B": "b"}, pilot(), 2, runs=100).rows
    assert set(found["subexperiments"]) == {1}
    assert found["width"].to_numpy() == pytest.approx(WIDE * 0.1 / 10, rel=0.2)
    more = widths({"A": "a", "B": "b"}, pilot(), 2, runs=1600).rows
    assert more["width"].to_numpy() == pytest.approx(WIDE * 0.1 / 40, rel=0.2)


def test_a_ratio_of_independent_events_is_wider_by_the_root_of_two() -> None:
    found = widths({"r": "a / b"}, pilot(), 2, runs=100).rows
    assert found["width"].to_numpy() == pytest.approx(WIDE * 0.1 / 10 * np.sqrt(2), rel=0.2)


@pytest.fixture(scope="module")
def curve() -> MetricWidths:
    """Five events with an anchor: with three PMCs, one of them the anchor's, pairs of the four others."""
    formulas = {f"m{x}{y}": f"{x} / {y} * a" for at, x in enumerate("bcde") for y in "bcde"[at + 1 :]}
    return widths(formulas, pilot(hems="abcde"), 3, runs=60)


def test_the_curve_goes_from_each_event_once_to_every_pair(curve: MetricWidths) -> None:
    rows = curve.rows[curve.rows["runs are"] == SAME_RUNS]
    # Four events, two at a time: once each in two subexperiments, all six pairs in six.
    assert [rows["subexperiments"].min(), rows["subexperiments"].max()] == [2, 6]
    assert rows.set_index("subexperiments").loc[6, "plan"] == "every pair in a metric"
    assert rows.set_index("subexperiments").loc[6, "whole metrics"] == 6
    assert set(rows["runs"]) == {60}
    assert list(rows["subexperiments"]) == sorted(rows["subexperiments"])
    assert curve.n_metrics == 6
    assert set(curve.rows["metrics"]) == {6}


def test_the_same_total_time_gives_fewer_subexperiments_more_runs(curve: MetricWidths) -> None:
    rows = curve.rows[curve.rows["runs are"] == SAME_TIME].set_index("subexperiments")
    assert rows.loc[2, "runs"] == 60 * 6 / 2
    assert rows.loc[6, "runs"] == 60
    short = curve.rows[curve.rows["runs are"] == SAME_RUNS].set_index("subexperiments")
    assert rows.loc[6, "width"] == short.loc[6, "width"]
    assert rows.loc[2, "width"] < 0.75 * short.loc[2, "width"]


def test_metrics_of_few_events_are_read_together_first() -> None:
    """With a in each, two places are left: for b to f once each, in three subexperiments; the pairs of d, e and f would take more."""
    formulas = {"big": "a + d + e + f", "small": "a / b", "other": "c / a"}
    rows = widths(formulas, pilot(), 3, runs=20, shares=(2 / 3,)).rows
    assert set(rows["subexperiments"]) == {3}
    assert set(rows["plan"]) == {"67% of the metrics"}
    assert set(rows["whole metrics"]) == {2}


def test_the_same_seed_gives_the_same_widths_and_the_plan_of_the_page_is_a_point() -> None:
    definitions = defined({"r": "a / b", "s": "b / c"})
    table = hems_for_metrics(definitions)
    first, again = (widths_against_subexperiments(definitions, table, pilot(), 2, runs=20, seed=5).rows for _ in range(2))
    pd.testing.assert_frame_equal(first, again)
    plan = plan_subexperiments(table.hems, 2, metrics=table.metrics, time_limit=0.2)
    with_plan = widths_against_subexperiments(definitions, table, pilot(), 2, runs=20, plan=plan).rows
    assert with_plan["plan"].iloc[-1] == "this plan"
    assert with_plan["subexperiments"].iloc[-1] == len(plan.subexperiments)


def test_events_that_the_pilot_did_not_read_have_the_variation_of_those_that_it_did() -> None:
    found = widths({"X": "x", "Y": "y", "A": "a"}, pilot(cv=0.2, hems="abc"), 3, runs=100)
    assert found.typical == ("x", "y")
    assert found.rows["width"].to_numpy() == pytest.approx(WIDE * 0.2 / 10, rel=0.3)
    assert "2 of 3 events have typical variation" in widths_caption(found)
    none = widths({"X": "x", "R": "y / x"}, pilot(hems="abc"), 3, runs=100)
    assert none.typical == ("x", "y")


def test_events_read_in_different_subexperiments_are_merged_first() -> None:
    frame = pilot(n=200).frames[0]
    apart = Subexperiments(frames=(frame[["a", "b"]], frame[["b", "c"]]), n_pmcs=2)
    found = widths({"r": "a / b", "s": "c / b"}, apart, 3, runs=100)
    assert found.typical == ()
    assert found.rows["width"].to_numpy() == pytest.approx(WIDE * 0.1 / 10 * np.sqrt(2), rel=0.3)


def test_what_cannot_be_asked_is_a_sentence() -> None:
    with pytest.raises(ParameterError, match="runs: 3 is out of bounds"):
        widths({"r": "a / b"}, pilot(), 2, runs=3)
    definitions = defined({"r": "a / b"})
    with pytest.raises(ParameterError, match="none of the list's metrics is among them"):
        widths_against_subexperiments(definitions, HemList(frame=pd.DataFrame({"hem": ["a", "b"]})), pilot(), 2)
    table = hems_for_metrics(definitions)
    with pytest.raises(HemError, match="the list names no metrics"):
        WIDTHS.of(HemList(frame=pd.DataFrame({"hem": ["a", "b"]})), PlanParams(time_limit=0.1))
    with pytest.raises(HemError, match="pilot: none is chosen"):
        WIDTHS.of(table, PlanParams(time_limit=0.1))


def test_the_picture_has_both_ways_to_spend_runs_and_says_what_fewer_cost(curve: MetricWidths) -> None:
    figure = widths_figures(curve)[0]
    lines = {each.name: each for each in figure.data}
    by_time = lines["same total time: fewer get more runs each"]
    assert list(by_time.x) == sorted({*curve.rows["subexperiments"]})
    assert by_time.y[-1] == pytest.approx(curve.rows["width"].iloc[-1], rel=1e-6)
    assert widths_caption(curve).startswith("2 subexperiments instead of 6: intervals of ")
    assert widths_caption(curve).endswith("Drawn from the pilot's runs, 60 per subexperiment.")
    assert list(widths_table(curve).columns) == list(curve.rows.columns)
    blank = replace(curve, rows=curve.rows.assign(width=np.nan))
    assert widths_figures(blank) == []
    assert "as many subexperiments" in widths_caption(blank)
