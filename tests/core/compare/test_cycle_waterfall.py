"""Cycles explained by events: costs that are known come back, bars sum to the change, the rest is a bar of its own."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from hemcore.compare.cycle_waterfall import UNEXPLAINED, Waterfall, _totals, waterfall
from hemcore.compare.params import CompareParams
from hemcore.compare.stages.program_runs import ProgramRuns
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import TableError
from tests.core.compare.test_stages import pair


def table(seed: int, *, misses: float = 1.0, hidden: float = 0.0, programs: int = 6, runs: int = 8) -> PhaseTable:
    """Cycles of 1 per instruction and 30 per L2 miss, and `hidden` that no event counts."""
    rng = np.random.default_rng(seed)
    parts = []
    for program in range(programs):
        instructions = rng.normal(1e6, 2e4, runs)
        missed = misses * rng.normal(2_000 * (program + 1), 100, runs)
        parts.append(pd.DataFrame({"program": f"p{program}", "phase": range(runs), "INSTRUCTIONS": instructions, "L2_MISSES": missed}))
    frame = pd.concat(parts, ignore_index=True).assign(granularity="whole run", load="alone")
    frame["CYCLES"] = frame["INSTRUCTIONS"] + 30 * frame["L2_MISSES"] + hidden
    return PhaseTable(frame=frame, counters=("CYCLES", "INSTRUCTIONS", "L2_MISSES"))


def total(one: PhaseTable) -> float:
    return float(one.frame.groupby("program")["CYCLES"].mean().sum())


def bars(found: Waterfall) -> pd.DataFrame:
    return found.table.set_index("group")


def test_known_costs_come_back() -> None:
    before, after = table(1), table(2, misses=1.5)
    found = waterfall(before, after)
    assert found.costs.set_index("counter")["cost"].to_dict() == pytest.approx({"INSTRUCTIONS": 1, "L2_MISSES": 30}, rel=1e-3)
    assert (found.before, found.after) == pytest.approx((total(before), total(after)))
    counts = [each.frame.groupby("program")["L2_MISSES"].mean().sum() for each in (before, after)]
    assert bars(found).loc["last level", "change"] == pytest.approx(30 * (counts[1] - counts[0]), rel=1e-3)
    assert abs(bars(found).loc[UNEXPLAINED, "change"]) < 0.01 * (found.after - found.before)


def test_intervals_hold_what_runs_scatter() -> None:
    # Costs are sure here: the error of the misses is 30 x 100 x sqrt(6 programs x (1 + 1.5 x 1.5) / 8 runs).
    found = waterfall(table(1), table(2, misses=1.5))
    error = found.rows.set_index("group").loc["last level", "error"]
    assert error == pytest.approx(30 * 100 * np.sqrt(6 * (1 + 1.5**2) / 8), rel=0.25)
    row = bars(found).loc["last level"]
    assert (row["high"] - row["change"], row["change"] - row["low"]) == pytest.approx((1.645 * error, 1.645 * error), rel=1e-3)
    wide = bars(found.at(CompareParams(level=0.99))).loc["last level"]
    assert wide["low"] < row["low"] < row["high"] < wide["high"]


def test_what_no_event_counts_is_unexplained() -> None:
    # 200,000 more per run in each of six programs; the counts are those of the same runs.
    found = waterfall(table(1), table(1, hidden=2e5))
    assert found.after - found.before == pytest.approx(1.2e6)
    assert bars(found).loc[UNEXPLAINED, "change"] == pytest.approx(1.2e6)
    assert bars(found)["change"].drop(UNEXPLAINED).tolist() == pytest.approx([0, 0])


@pytest.mark.slow
@pytest.mark.parametrize("after", ["pairs-arrays", "pairs-o1", "pairs-larger"])
def test_bars_of_the_real_pairs_sum_to_the_change(after: str) -> None:
    one, two = pair("pairs-before"), pair(after)
    found = waterfall(one, two)
    change = two.frame["CYCLES"].mean() - one.frame["CYCLES"].mean()
    assert abs(found.table["change"].sum() - change) <= 1e-9 * two.frame["CYCLES"].mean()
    assert found.table["group"].iloc[-1] == UNEXPLAINED
    known = found.table.dropna(subset="low")
    assert (known["low"] <= known["change"]).all()
    if after == "pairs-larger":  # last-level misses move as all counts do: no cost is found, which proves nothing
        assert np.isnan(bars(found).loc["last level", "low"])
        assert any("No cost was found for 'last level'" in note for note in found.notes)
    if after == "pairs-arrays":  # arrays keep what the loop reads together: fewer last-level misses explain most
        assert bars(found).drop(UNEXPLAINED)["change"].abs().idxmax() == "last level"


def test_what_has_no_waterfall_is_a_sentence() -> None:
    one = table(1)
    without = PhaseTable(frame=one.frame.drop(columns="CYCLES"), counters=("INSTRUCTIONS", "L2_MISSES"))
    with pytest.raises(TableError, match="no counter of cycles is in both sets; after has 'INSTRUCTIONS', 'L2_MISSES'. Count cycles too"):
        waterfall(one, without)
    renamed = PhaseTable(frame=one.frame.assign(program="q" + one.frame["program"]), counters=one.counters)
    with pytest.raises(TableError, match="no program is in both sets"):
        waterfall(one, renamed)
    with pytest.raises(TableError, match="merge the subexperiments first"):
        waterfall(one, one.frame)  # type: ignore[arg-type]


def test_runs_that_drift_scatter_more_than_their_number_allows() -> None:
    # Twenty runs of 0 and twenty of 10: variance 25.6, of the mean 0.64; runs that take turns say no more than that.
    costs = pd.DataFrame({"group": ["base"], "counter": ["A"], "cost": [1.0]})

    def variance(counts: list[float]) -> float:
        runs = tuple(np.array([[each, each]]) for each in counts)
        program = ProgramRuns(name="p", hems=("CYCLES", "A"), runs=runs, lengths=(np.ones(1),) * len(runs), unit="runs", cut=True)
        return _totals([(program, program)], ["CYCLES", "A"], "CYCLES", costs)[1]["base"]

    assert variance([0, 10] * 20) == pytest.approx(2 * 1000 / 39 / 40)
    assert variance([0] * 20 + [10] * 20) > 3 * 2 * 1000 / 39 / 40


def test_the_doubt_of_a_cost_is_a_part_of_the_error(monkeypatch: pytest.MonkeyPatch) -> None:
    # 90% of a normal distribution lie within 1.645 deviations: the cost is 30 +- 1, and A rises by 10 in every run.
    costs = pd.DataFrame({"group": ["base"], "counter": ["A"], "cost": [30.0], "low": [28.355], "high": [31.645]})
    stack = SimpleNamespace(costs=costs, groups=["base"], notes=())
    monkeypatch.setattr("hemcore.compare.cycle_waterfall._costs", lambda *given: stack)

    def runs(count: float) -> PhaseTable:
        frame = pd.DataFrame({"program": "p", "granularity": "whole run", "load": "alone", "phase": range(3), "CYCLES": 9e3, "A": count})
        return PhaseTable(frame=frame, counters=("CYCLES", "A"))

    errors = waterfall(runs(100), runs(110)).rows.set_index("group")["error"]
    assert errors.to_dict() == pytest.approx({"base": 10, UNEXPLAINED: 10}, rel=1e-3)
