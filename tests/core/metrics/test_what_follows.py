"""What is made of evaluated metrics, by hand: formulas with numbers, changes from a baseline, intervals with more runs, columns to keep."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.hardware_levels import at_level
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.signature_table import SignatureTable
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import TableError, UnknownNameError
from hemcore.metrics import kept_tables
from hemcore.metrics.analysis import by_phase, by_signature, over_runs, over_table, over_time
from hemcore.metrics.courses import course_of
from hemcore.metrics.heat_cells import MOST_ROWS, phase_cells
from hemcore.metrics.interval_widths import curves, median_width, repeating, widths
from hemcore.metrics.metric_changes import _interval, changes, node_changes
from hemcore.metrics.metric_values import evaluable
from hemcore.metrics.params import MetricsParams
from hemcore.metrics.results import MetricsReport
from hemcore.metrics.table_counts import counts_of
from hemcore.metrics.worked import worked_formulas
from tests.core.metrics.conftest import defined


def runs(**counts: float) -> Subexperiments:
    return Subexperiments(frames=(pd.DataFrame({name: [value] * 4 for name, value in counts.items()}),), n_pmcs=9)


def test_numbers_are_put_in_for_events_metrics_and_constants() -> None:
    formulas = {
        "miss ratio": "misses / (hits + misses)",
        "twice": '2 * "miss ratio" + #extra',
        "least": "min(hits, misses)",
        "hits": "hits / 1000",
        "lacks": "hits / nothing",
    }
    known = defined(formulas, unit=["%", "", "", "thousand", ""], scale=[100, 1, 1, 1, 1])
    found = worked_formulas(known, runs(hits=3000, misses=1000), list(formulas), {"extra": 0.25}, None)
    assert found == {
        "miss ratio": "1,000 / (3 + 1,000) = 0.997 = 99.7%",
        "twice": "2 * 0.997 + 0.25 = 2.244",
        "least": "min(3, 1,000) = 3",
        "hits": "3,000 / 1000 = 3 thousand",
    }


def test_a_ratio_of_joint_runs_has_their_numbers_and_a_long_formula_is_cut() -> None:
    apart = Subexperiments(frames=(pd.DataFrame({"A": [30.0] * 4, "B": [15.0] * 4}), pd.DataFrame({"A": [10.0] * 4})), n_pmcs=2)
    long = "A + " * 200 + "B"
    found = worked_formulas(defined({"ratio": "B / A", "long": long}), apart, ["ratio", "long"], None, "")
    assert found["ratio"] == "15 / 30 = 0.5"
    assert " … " in found["long"]
    assert found["long"].endswith("20 + 20 + 15 = 4,015")
    assert len(found["long"]) < 330


@pytest.fixture(scope="module")
def noisy() -> list[Subexperiments]:
    """Two sets of runs: in the second B is twice as much and C the same."""
    random = np.random.default_rng(0)
    return [
        Subexperiments(
            frames=(
                pd.DataFrame({"A": random.normal(100, 1, 40), "B": random.normal(times * 20, 1, 40)}),
                pd.DataFrame({"A": random.normal(100, 1, 160), "C": random.normal(50, 5, 160)}),
            ),
            n_pmcs=2,
        )
        for times in (1, 2)
    ]


CHANGING = defined(
    {"b": "B / A", "c": "C / A", "percent": "B / A", "signed": "(B - 50) / A", "of 100": "100 * B / A"},
    unit=["", "", "%", "", "%"],
    scale=[1, 1, 100, 1, 1],
    level=[0, 0, 1, 0, 1],
)


@pytest.fixture(scope="module")
def reports(noisy) -> list[MetricsReport]:
    return [over_runs(table, MetricsParams(draws=200), definitions=CHANGING) for table in noisy]


def test_changes_are_relative_or_points_with_an_interval(reports) -> None:
    before, now = reports
    found = changes(now, before).set_index("metric")
    assert found["measure"].to_dict() == {
        "signed": "difference",
        "percent": "points",
        "of 100": "points",
        "b": "relative",
        "c": "relative",
    }
    assert found.loc["b", "change"] == pytest.approx(1.0, abs=0.05)
    assert found.loc["percent", "change"] == pytest.approx(0.2, abs=0.01)
    assert found.loc["percent", "now"] == pytest.approx(40, abs=1)
    assert found.loc["signed", "change"] == pytest.approx(0.2, abs=0.01)
    assert found.loc[["b", "percent", "signed"], "differs"].tolist() == [1, 1, 1]
    assert abs(found.loc["c", "change"]) < 0.05
    assert (found["low"] < found["change"]).all()
    assert (found["change"] < found["high"]).all()
    relative = found[found["measure"] == "relative"]["change"].abs()
    assert relative.is_monotonic_decreasing
    nodes = node_changes(now, before)
    assert nodes["metric"].tolist() == ["percent", "of 100"]
    np.testing.assert_allclose(nodes["change"], found.loc["percent", "change"])
    np.testing.assert_allclose(nodes["low"], found.loc["percent", "low"])


def test_the_interval_of_draws_by_hand() -> None:
    # Of 0, 1, ..., 10, four fifths lie from 1 to 9.
    draws = np.arange(11.0)
    assert _interval(draws) == pytest.approx((1, 9, 1))
    assert _interval(draws - 1) == pytest.approx((0, 8, 0))
    assert _interval(draws - 9) == pytest.approx((-8, 0, 0))
    assert _interval(draws - 10) == pytest.approx((-9, -1, 1))
    # More than half of the draws must be known.
    assert _interval(np.append(draws, [np.nan] * 10))[:2] == pytest.approx((1, 9))
    assert np.isnan(_interval(np.append(draws, [np.nan] * 11))).all()


def test_less_differs_as_more_does(reports) -> None:
    found = changes(reports[0], reports[1]).set_index("metric")
    assert found.loc["b", "change"] == pytest.approx(-0.5, abs=0.02)
    assert found.loc[["b", "percent", "signed"], "differs"].tolist() == [1, 1, 1]


def test_draws_of_other_readings_are_independent_of_ours(noisy, reports) -> None:
    # One count more in every run of B: other readings, whose means vary as before. The difference of two independent means is 1.41 times
    # as wide as either; draw by draw, with the same seed, nothing of it would be left.
    first, second = noisy[0].frames
    other = replace(noisy[0], frames=(first.assign(B=first["B"] + 1), second))
    now = over_runs(other, MetricsParams(draws=200), definitions=CHANGING)
    own = reports[0].rows.set_index("metric").loc["signed"]
    found = changes(now, reports[0]).set_index("metric").loc["signed"]
    assert found["high"] - found["low"] == pytest.approx(2**0.5 * (own["high"] - own["low"]), rel=0.2)


def test_the_same_readings_are_compared_draw_by_draw(noisy, reports) -> None:
    shifted = over_runs(noisy[0], MetricsParams(draws=200), definitions=defined({"c": "C / A + 0.25", "b": "B / A"}))
    found = changes(shifted, reports[0]).set_index("metric")
    assert found.loc["b", ["change", "low", "high", "differs"]].tolist() == [0, 0, 0, 0]
    assert found.loc["c", "low"] > 0.4  # half as much again, whatever is drawn
    assert changes(shifted, replace(reports[0], rows=reports[0].rows.iloc[:0])).empty
    assert node_changes(shifted, reports[0]).empty


def test_four_times_the_runs_halve_an_interval(reports) -> None:
    report = reports[0]
    assert dict(report.runs) == {"subexperiment 1": 40, "subexperiment 2": 160}
    same = widths(report, {}).set_index("metric")
    np.testing.assert_allclose(same["then"], same["now"])
    more = widths(report, {"subexperiment 1": 160, "subexperiment 2": 640}).set_index("metric")
    np.testing.assert_allclose(more["then"], more["now"] / 2)
    # b and c are each from the runs of one subexperiment.
    one = widths(report, {"subexperiment 1": 160}).set_index("metric")
    assert one.loc["b", "then"] == pytest.approx(one.loc["b", "now"] / 2)
    assert one.loc["c", "then"] == pytest.approx(one.loc["c", "now"])
    row = report.rows.set_index("metric").loc["b"]
    assert one.loc["b", "now"] == pytest.approx((row["high"] - row["low"]) / 2 / row["value"])


def test_curves_never_take_runs_away_from_one_subexperiment(reports) -> None:
    found = curves(reports[0], [10, 40, 160])
    now = median_width(reports[0], {})
    assert found["subexperiment 2"].tolist() == pytest.approx([now] * 3)
    assert found["subexperiment 1"].tolist()[:2] == pytest.approx([now] * 2)
    assert found["all"].is_monotonic_decreasing
    first = repeating(reports[0], 120).iloc[0]
    assert first["subexperiment"] == "subexperiment 1"
    assert first["narrower"] == pytest.approx(1 - first["median interval"] / now)


LEVELS = [1.0] * 40 + [4.0] * 40
INTERVALS = pd.DataFrame({"application": "p", "run": 1, "interval": range(80)})


def series(**columns: list[float]) -> CounterSeries:
    return CounterSeries(intervals=INTERVALS, counts=pd.DataFrame(columns), mode="OCOE")


def test_a_metric_over_time_has_its_own_segments_and_gaps_stay() -> None:
    random = np.random.default_rng(1)
    a = np.array(LEVELS) + random.normal(0, 0.05, 80)
    a[60] = np.nan
    known = defined({"less": "A - 10", "none": "A * X"})
    found = course_of(series(A=a.tolist(), B=[1.0] * 80), MetricsParams(), definitions=known)
    assert (found.metric, found.application, found.run, found.in_seconds) == ("less", "p", 1, False)
    assert found.segments[["begin", "end", "intervals"]].to_numpy().tolist() == [[0, 40, 40], [40, 80, 39]]
    np.testing.assert_allclose(found.segments["mean"], [a[:40].mean() - 10, np.nanmean(a[40:]) - 10])
    np.testing.assert_allclose(found.segments["deviation"].iloc[0], a[:40].std())
    assert np.flatnonzero(found.course["value"].isna()).tolist() == [60]
    nothing = course_of(series(A=a.tolist()), MetricsParams(metric="none"), definitions=known)
    assert nothing.segments.empty
    assert nothing.why == "none has no value in this run."
    with pytest.raises(UnknownNameError, match="'gone' is not defined"):
        course_of(series(A=a.tolist()), MetricsParams(metric="gone"), definitions=known)


def test_the_course_is_of_the_first_application_and_run_unless_asked() -> None:
    keys = pd.DataFrame({"application": list("ppqqqq"), "run": [3, 3, 1, 1, 2, 2], "interval": [0, 1] * 3})
    table = CounterSeries(intervals=keys, counts=pd.DataFrame({"A": [1.0, 2, 3, 4, 5, 6]}), mode="OCOE")
    known = defined({"twice": "2 * A"})
    asked = (MetricsParams(), MetricsParams(application="q"), MetricsParams(application="q", run=2))
    found = [course_of(table, params, definitions=known) for params in asked]
    assert [(each.application, each.run, each.course["value"].tolist()) for each in found] == [
        ("p", 3, [2, 4]),
        ("q", 1, [6, 8]),
        ("q", 2, [10, 12]),
    ]


def test_the_course_opens_on_a_metric_that_lacks_nothing() -> None:
    known = defined({"GHz": "A * #SYSTEM_TSC_FREQ", "same": "A == A", "lacks": "X", "ratio": "A / B"})
    table = series(A=LEVELS, B=[2.0] * 80)
    assert evaluable(known, counts_of(table)) == ["ratio"]
    assert evaluable(known, counts_of(table), {"SYSTEM_TSC_FREQ": 2}) == ["GHz", "ratio"]
    assert course_of(table, MetricsParams(), definitions=known).metric == "ratio"
    assert course_of(table, MetricsParams(constants="SYSTEM_TSC_FREQ = 2"), definitions=known).metric == "GHz"


def test_metrics_over_time_become_a_series() -> None:
    table = series(A=LEVELS, B=[2.0] * 80)
    found = over_time(table, MetricsParams(), definitions=defined({"a per b": "A / B", "below": "A - 3", "lacks": "X"}))
    kept = kept_tables.as_series(found, table)
    assert kept.events == ["a per b"]  # what is negative somewhere or has no value is no count
    assert kept.counts["a per b"].tolist() == [0.5] * 40 + [2.0] * 40
    assert kept.intervals.equals(table.intervals)
    none = over_time(table, MetricsParams(), definitions=defined({"below": "A - 3"}))
    with pytest.raises(TableError, match="nothing to keep"):
        kept_tables.as_series(none, table)


def test_a_metric_that_is_a_ratio_is_averaged_over_cores_whatever_its_name() -> None:
    """Of 10 and 30 cycles, 5 and 3 stall: 50% and 10%, 30% on average and not 60%; the 8 stalls of both are summed."""
    rows = {"interval": [1, 1], "program": "a", "core": ["0", "1"]}
    intervals = pd.DataFrame({"application": ["a core 0", "a core 1"], "run": 1} | rows)
    table = CounterSeries(intervals=intervals, counts=pd.DataFrame({"A": [10.0, 30.0], "B": [5.0, 3.0]}), mode="OCOE")
    found = over_time(table, MetricsParams(), definitions=defined({"stalls": "B / A", "stalled": "B * 1"}))
    kept = kept_tables.as_series(found, table)
    assert kept.events == ["stalls (metric)", "stalled"]
    assert at_level(kept, "machine").counts.iloc[0].tolist() == pytest.approx([0.3, 8])


def phases(rows: int, programs: int = 1, granularity: object = 1000) -> PhaseTable:
    number = np.arange(rows)
    keys = {"program": [f"p{each % programs}" for each in number], "granularity": granularity, "load": "single core"}
    frame = pd.DataFrame(keys | {"phase": number // programs, "A": number + 1.0, "B": 2.0, "C": 7.0})
    return PhaseTable(frame=frame, counters=("A", "B", "C"))


FOUND = defined({"CPI": "A / B", "C": "A * 10", "GFLOPS": "B / 1000"})


def test_metrics_of_phases_are_kept_beside_or_instead_of_counters() -> None:
    table = phases(3)
    found = by_phase(table, MetricsParams(), definitions=FOUND)
    both, alone = kept_tables.phases_with_metrics(found, table), kept_tables.phases_of_metrics(found, table)
    assert both.counters == ("A", "B", "C", "CPI", "C (metric)", "GFLOPS")
    assert alone.counters == ("CPI", "C", "GFLOPS")
    assert both.frame["C (metric)"].tolist() == alone.frame["C"].tolist() == [10, 20, 30]
    assert both.frame["C"].tolist() == [7, 7, 7]


def test_what_is_known_of_a_metric_over_the_rows() -> None:
    told = by_phase(phases(11), MetricsParams(), definitions=FOUND).about.set_index("metric")
    assert told.loc["CPI", ["low", "median", "high", "known"]].tolist() == [1.0, 3.0, 5.0, 11]


def test_jobs_that_came_as_events_become_signatures() -> None:
    table = phases(2, granularity="whole run")
    made = kept_tables.phases_as_signatures(by_phase(table, MetricsParams(), definitions=FOUND), table).frame
    assert made[["CPI", "GFLOPS"]].to_numpy().tolist() == [[0.5, 0.002], [1.0, 0.002]]
    assert made[["TPI", "MEM_GBS"]].isna().all(axis=None)
    assert made["JOBID"].tolist() == ["p0 / whole run / single core / 0", "p0 / whole run / single core / 1"]
    for other in ("x", "TPI"):
        with pytest.raises(TableError, match="CPI, MEM_GBS and GFLOPS"):
            kept_tables.phases_as_signatures(by_phase(table, MetricsParams(), definitions=defined({other: "A"})), table)


def test_metrics_fill_in_what_a_signature_lacks_and_no_more() -> None:
    frame = pd.DataFrame(
        {"JOBID": [1, 2], "CPI": [9.0, np.nan], "TPI": 1.0, "MEM_GBS": 1.0, "GFLOPS": 1.0, "A": [4.0, 6.0], "B": 2.0, "C": 7.0}
    )
    table = SignatureTable(frame=frame)
    made = kept_tables.with_signature_metrics(by_signature(table, MetricsParams(), definitions=FOUND), table).frame
    assert made["CPI"].tolist() == [9.0, 3.0]
    assert made["GFLOPS"].tolist() == [1.0, 1.0]
    assert made["C (metric)"].tolist() == [40, 60]


def test_runs_with_metrics_have_those_whose_events_one_subexperiment_read(noisy) -> None:
    table = noisy[0]
    known = defined({"b": "B / A", "bc": "B / C", "C": "C / 2", "flat": "A / A"})
    report = over_runs(table, MetricsParams(draws=50), definitions=known)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kept_tables, "definitions_for", lambda params, events: (known, ""))
        made = kept_tables.runs_with_metrics(report, table)
    assert [list(frame.columns) for frame in made.frames] == [["A", "B", "b"], ["A", "C", "C (metric)"]]
    np.testing.assert_allclose(made.frames[0]["b"], table.frames[0]["B"] / table.frames[0]["A"])
    assert made.n_pmcs == 3


def test_a_table_of_whole_runs_has_intervals() -> None:
    found = over_table(phases(50, granularity="whole run"), MetricsParams(draws=50), definitions=FOUND)
    row = found.rows.set_index("metric").loc["CPI"]
    assert row["value"] == pytest.approx(12.75)
    assert row["low"] < 12.75 < row["high"]
    assert found.worked["CPI"] == "25.5 / 2 = 12.75"


def test_cells_of_phases_programs_and_runs_of_phases() -> None:
    few = phase_cells(by_phase(phases(4, 2), MetricsParams(), definitions=FOUND), ["CPI", "GFLOPS"])
    assert few.labels == ["p0 0", "p1 0", "p0 1", "p1 1"]
    assert few.actual["CPI"].tolist() == [0.5, 1.0, 1.5, 2.0]
    np.testing.assert_allclose(few.standard["CPI"], (np.arange(4) - 1.5) / np.sqrt(1.25))
    assert few.standard["GFLOPS"].tolist() == [0] * 4  # all equal
    many = by_phase(phases(2 * MOST_ROWS + 2, 2), MetricsParams(), definitions=FOUND)
    programs = phase_cells(many, ["CPI"])
    assert programs.labels == ["p0", "p1"]
    assert programs.actual["CPI"].tolist() == [(MOST_ROWS * 2 + 2) / 4, (MOST_ROWS * 2 + 4) / 4]
    one = phase_cells(many, ["CPI"], program="p0")
    assert (len(one.labels), one.labels[0], one.labels[-1]) == (MOST_ROWS, "0 to 1", "200 to 200")
    assert one.actual["CPI"].iloc[0] == pytest.approx(1.0)  # of 0.5 and 1.5
    with pytest.raises(UnknownNameError, match="no phase"):
        phase_cells(many, ["CPI"], program="p9")
