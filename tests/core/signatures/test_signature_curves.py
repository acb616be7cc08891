"""What a threshold, the time that may be lost and the price do: counts and sums that a reader can check by hand."""

from typing import get_args

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.shelf import samples
from hemcore.datasets.tables.signature_table import SignatureTable
from hemcore.signatures import SignatureParams
from hemcore.signatures.analysis import CLASSIFY, POLICIES
from hemcore.signatures.class_rules import Rules
from hemcore.signatures.results import PolicyReport, Seen
from hemcore.signatures.signature_curves import class_curve, price_curve, saved_by_lost_time, saving_curve

FIELDS = ("cpu_cpi", "cpu_gbs", "mem_cpi", "mem_gbs")


@pytest.mark.slow
@pytest.mark.whole
@pytest.mark.parametrize("rules", get_args(Rules))
@pytest.mark.parametrize("field", [*FIELDS, "bandwidth_share"])
def test_it_is_the_number_that_the_page_counts_at_each_value(field: str, rules: Rules) -> None:
    table, params = samples.load("signatures"), SignatureParams(rules=rules)
    curve = class_curve(CLASSIFY.of(table, params), field)
    if curve is None:
        assert (field, rules != "documentation") == ("bandwidth_share", True)
        return
    strategy = "roofline" if field == "bandwidth_share" else "default"
    name = "CPU-bound" if field.startswith("cpu") else "MEMORY-bound"
    for value in (0.3, 0.4, 0.75, 1.0):
        value = value * 200 if field.endswith("gbs") else value
        counted = CLASSIFY.of(table, params.but(**{field: value})).counts
        assert curve.at(value) == counted.loc[strategy, name], value


@pytest.mark.parametrize(("rules", "cpu", "memory"), [("documentation", 2, 2), ("5.2", 1, 1)])
def test_the_threshold_itself_is_in_the_class_only_as_documented(rules: Rules, cpu: int, memory: int) -> None:
    # CPI 0.2, 0.4 with little traffic, 0.5, 0.6 with much: at most 0.4, at least 0.5.
    frame = pd.DataFrame({"CPI": [0.2, 0.4, 0.5, 0.6], "TPI": 0.01, "MEM_GBS": [1.0, 1.0, 400.0, 400.0], "GFLOPS": 10.0})
    found = CLASSIFY.of(SignatureTable(frame=frame), SignatureParams(rules=rules, mem_cpi=0.5))
    one, other = class_curve(found, "cpu_cpi"), class_curve(found, "mem_cpi")
    assert one is not None
    assert other is not None
    assert (one.at(0.4), other.at(0.5)) == (cpu, memory)
    assert (one.at(0.41), other.at(0.49)) == (2, 2)


def report(rows: list[tuple[str, bool, float, float]]) -> PolicyReport:
    """Of rows application, reference, energy_j, time_change."""
    policies = pd.DataFrame(rows, columns=["application", "reference", "energy_j", "time_change"])
    seen = Seen(rows=1, unmeasured=0, aside=0, another_tpi=0, tpi_units={}, badges={}, noun="job")
    return PolicyReport(policies=policies, usage=pd.DataFrame(), no_reference=(), seen=seen, params=SignatureParams())


def test_each_application_takes_its_cheapest_choice_within_the_loss() -> None:
    # a: 100 J, 80 J for 4% longer, 70 J for 20%; b: 50 J, 60 J for 2% (not worth it), 45 J for 10%.
    rows = [("a", True, 100.0, 0.0), ("a", False, 80.0, 0.04), ("a", False, 70.0, 0.2)]
    rows += [("b", True, 50.0, 0.0), ("b", False, 60.0, 0.02), ("b", False, 45.0, 0.1)]
    saved = saved_by_lost_time(report(rows))
    assert saved["lost"].tolist() == [0, 0.02, 0.04, 0.1, 0.2]
    assert saved["saved_j"].tolist() == [0, 0, 20, 25, 35]
    assert set(saved["reference_j"]) == {150}
    curve = saving_curve(report(rows))
    assert curve is not None
    assert curve.sentence(0.1, 0.05) == "Time that may be lost 0.05 (default) → 0.1: energy saved 13.3% → 16.7%, +3.3 points."


def test_a_choice_that_is_faster_and_cheaper_needs_no_loss() -> None:
    saved = saved_by_lost_time(report([("a", True, 100.0, 0.0), ("a", False, 90.0, -0.1)]))
    assert saved["saved_j"].tolist() == [10]


def test_without_a_reference_nothing_is_saved() -> None:
    assert not len(saved_by_lost_time(report([("a", False, 100.0, np.nan)])))
    assert saving_curve(report([("a", False, 100.0, np.nan)])) is None


def test_the_cost_is_price_times_energy() -> None:
    # 500 W for two hours are 1 kWh.
    curve = price_curve(pd.DataFrame({"TIME_SEC": [7200.0, 7200.0], "DC_NODE_POWER_W": [500.0, 500.0]}))
    assert curve is not None
    assert curve.at(0.25) == pytest.approx(0.5)
    assert price_curve(pd.DataFrame({"TIME_SEC": [7200.0]})) is None
    table = samples.load("signatures")
    every = price_curve(table.frame)
    assert every is not None
    assert every.at(1.0) == pytest.approx(POLICIES.of(table).usage.query("by == 'class'")["energy_kwh"].sum())
