"""What is compared and what is kept: one of several programs, numbered runs of phases, the HEMs to read again."""

import numpy as np
import pandas as pd
import pytest

from hemcore.compare import compare, waterfall
from hemcore.compare.analysis import COMPARE_RUNS, COMPARE_SIGNATURES, two_run_sets
from hemcore.compare.cycle_waterfall import waterfall_of
from hemcore.compare.kept_hems import changed_hems, undecided_hems
from hemcore.compare.params import CompareParams
from hemcore.compare.run_sets import of_program, run_set_of
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import HemError, TableError


def phases(**of_program: list[list[float]]) -> PhaseTable:
    """Counts of A in each phase of each run of each program."""
    rows = [
        {"program": name, "granularity": "segment", "load": f"run {number}", "phase": place, "A": count}
        for name, runs in of_program.items()
        for number, run in enumerate(runs, 1)
        for place, count in enumerate(run)
    ]
    return PhaseTable(frame=pd.DataFrame(rows), counters=("A",))


def series() -> CounterSeries:
    """Two runs of p with 10 and 20 in all, two of q with 3 and 5."""
    intervals = pd.DataFrame({"application": list("ppppqqqq"), "run": [1, 1, 2, 2] * 2, "interval": [0, 1] * 4})
    counts = pd.DataFrame({"A": [4.0, 6.0, 8.0, 12.0, 1.0, 2.0, 2.0, 3.0]})
    return CounterSeries(intervals=intervals, counts=counts, mode="OCOE", interval_unit="1 s")


def test_numbered_runs_of_phases_are_runs_of_one_program() -> None:
    found = run_set_of(phases(p=[[1, 2], [3, 4], [5, 6]], q=[[7, 8], [9, 10]]))
    assert [(group.program, group.label, group.counts["A"].tolist()) for group in found.groups] == [
        ("p", "", [3, 7, 11]),
        ("q", "", [15, 19]),
    ]
    rows = compare(phases(p=[[1, 2], [3, 4], [5, 6]]), phases(p=[[2, 4], [6, 8], [10, 12]])).table
    # 7 before, 14 after, three runs each.
    assert rows[["change", "runs_before", "runs_after"]].to_numpy().tolist() == [[pytest.approx(1), 3, 3]]


def test_one_of_several_programs_is_compared() -> None:
    assert [group.program for group in run_set_of(of_program(series(), "")).groups] == ["p", "q"]
    (group,) = run_set_of(of_program(series(), "q")).groups
    assert group.counts["A"].tolist() == [3, 5]
    (group,) = run_set_of(of_program(phases(p=[[1, 2]], q=[[3, 4], [5, 6]]), "q")).groups
    assert group.counts["A"].tolist() == [7, 11]
    halves = two_run_sets(series(), CompareParams(among="p"))
    assert [each.groups[0].counts["A"].tolist() for each in halves] == [[10], [20]]
    runs = Subexperiments(frames=(pd.DataFrame({"A": [1.0, 2.0]}),), labels=("a",), n_pmcs=1)
    assert of_program(runs, "q") is runs  # names no programs
    with pytest.raises(HemError, match="among: 'r' is not in one of the sets, which has 'p', 'q'. Choose another one"):
        of_program(series(), "r")


def test_the_waterfall_of_one_program_has_the_costs_of_all() -> None:
    rng = np.random.default_rng(1)

    def table(more: float) -> PhaseTable:
        """Cycles of 1 per instruction and 30 per miss; `more` misses in p0."""
        parts = []
        for number in range(6):
            missed = rng.normal(2_000 * (number + 1), 100, 8) + more * (number == 0)
            parts.append(pd.DataFrame({"program": f"p{number}", "phase": range(8), "I": rng.normal(1e6, 2e4, 8), "L2_MISSES": missed}))
        frame = pd.concat(parts, ignore_index=True).assign(granularity="whole run", load="alone")
        frame["CYCLES"] = frame["I"] + 30 * frame["L2_MISSES"]
        return PhaseTable(frame=frame.rename(columns={"I": "INSTRUCTIONS"}), counters=("CYCLES", "INSTRUCTIONS", "L2_MISSES"))

    before, after = table(0), table(5_000)
    every, one = waterfall(before, after), waterfall_of(before, after, CompareParams(among="p0"))
    assert one.costs.equals(every.costs)
    means = [each.frame[each.frame["program"] == "p0"]["CYCLES"].mean() for each in (before, after)]
    assert (one.before, one.after) == pytest.approx(means)
    assert one.table["change"].sum() == pytest.approx(means[1] - means[0])
    with pytest.raises(HemError, match="among: 'p9' is not in both sets"):
        waterfall_of(before, after, CompareParams(among="p9"))


def test_hems_that_changed_or_need_more_runs_are_lists_for_a_plan() -> None:
    random = np.random.default_rng(3)

    def runs(seed: int, far: float, near: float) -> Subexperiments:
        own = np.random.default_rng(seed)
        frame = pd.DataFrame({"NEAR": own.normal(1_000 * near, 30, 30), "FAR": own.normal(1_000 * far, 10, 30)})
        return Subexperiments(frames=(frame.assign(SAME=random.normal(500, 5, 30)),), labels=("a",), n_pmcs=3)

    found = compare(runs(1, 1.0, 1.0), runs(2, 1.5, 1.003))
    assert changed_hems(found).hems == ["FAR"]
    undecided = undecided_hems(found).hems
    needed = found.table.set_index("hem")["runs_needed"]
    assert undecided == needed.dropna().sort_values().index.tolist()
    assert "FAR" not in undecided
    same = compare(runs(1, 1.0, 1.0), runs(1, 1.0, 1.0))
    with pytest.raises(TableError, match="no HEM changed. Keep the undecided ones"):
        changed_hems(same)
    assert [each.kind for each in COMPARE_RUNS.keeps] == ["HemList", "HemList"]
    assert not COMPARE_SIGNATURES.keeps  # CPI is no HEM
