"""Which columns are power, energy, time, voltage and frequency, as the tools name them."""

import pandas as pd
import pytest

from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import ParameterError
from hemcore.prediction.power.power_units import power_columns, quantity_of, target_choices


@pytest.mark.parametrize(
    ("name", "quantity", "factor"),
    [
        ("A15 Power(W)", "power", 1), ("DC_NODE_POWER_W", "power", 1), ("Power [mW]", "power", 1e-3),
        ("power/energy-pkg/", "energy", 1), ("PWR_PKG_ENERGY", "energy", 1), ("Energy [J]", "energy", 1), ("energy_uJ", "energy", 1e-6),
        ("rapl:::PACKAGE_ENERGY:PACKAGE0", "energy", 1e-9), ("TIME_SEC", "time", 1), ("duration_time", "time", 1e-9),
        ("Runtime (RDTSC) [s]", "time", 1), ("A15 Voltage(V)", "voltage", 1), ("vdd_volt_mV", "voltage", 1e-3),
        ("CPU(4) Frequency(MHz)", "frequency", 1), ("AVG_CPUFREQ_KHZ", "frequency", 1e-3), ("Clock [GHz]", "frequency", 1e3),
        ("CPU(4) Temperature(C)", "temperature", 1), ("TEMP0", "temperature", 1), ("A15 Current(A)", "current", 1), ("cores", "cores", 1),
        ("power_w", "power", 1), ("core_power", "power", 1), ("Vcore", "voltage", 1), ("VDD_A15", "voltage", 1),
        ("current_a", "current", 1),
    ],
)  # fmt: skip
def test_what_a_column_is(name: str, quantity: str, factor: float) -> None:
    assert quantity_of(name) == (quantity, factor)


@pytest.mark.parametrize(
    "name",
    [
        "CPU_CYCLES",
        "INST_RETIRED",
        "L1_MISSES",
        "MEM_LOAD_RETIRED_L2_A",
        "DP_W",
        "UOPS_S",
        "L2_RQSTS_V",
        "cpu-cycles",
        "dp_w",
        "POWERED",
        "VDDX",
    ],
)
def test_what_is_a_counter(name: str) -> None:
    assert quantity_of(name) is None


def of_columns(**columns: float) -> PhaseTable:
    frame = pd.DataFrame({"program": ["a", "b"], "granularity": "whole run", "load": "x", "phase": [0, 0]})
    names = {name.replace("__", " "): value for name, value in columns.items()}
    return PhaseTable(frame=frame.assign(**{name: [value, value + 1] for name, value in names.items()}), counters=tuple(names))


def test_the_processor_is_chosen_and_what_would_give_it_away_is_no_feature() -> None:
    table = of_columns(DC_NODE_POWER_W=300, PCK_POWER_W=200, CPU_POWER_CURRENT_A=3, CORE_VOLT_V=1, TEMP0=50, cores=4, INSTRUCTIONS=9)
    assert target_choices(table)[0] == "PCK_POWER_W"
    found = power_columns(table)
    assert (found.target, found.of_energy, found.events) == ("PCK_POWER_W", False, ("INSTRUCTIONS",))
    assert "DC_NODE_POWER_W" in found.measures
    assert power_columns(table, "DC_NODE_POWER_W").target == "DC_NODE_POWER_W"
    assert found.values(table.frame, "voltage").tolist() == [1, 2]
    assert found.values(table.frame, "frequency").isna().all()


def test_without_power_or_events_it_says_what_to_add() -> None:
    with pytest.raises(ParameterError, match="no column of the table holds power or energy"):
        power_columns(of_columns(CYCLES=1, INSTRUCTIONS=2))
    with pytest.raises(ParameterError, match="holds neither power nor energy"):
        power_columns(of_columns(PCK_POWER_W=1, INSTRUCTIONS=2), "INSTRUCTIONS")
    with pytest.raises(ParameterError, match="no counter of events"):
        power_columns(of_columns(PCK_POWER_W=1, TIME_SEC=2))
