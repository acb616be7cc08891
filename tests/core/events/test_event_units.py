"""In which unit readings are, by the name of the event."""

import pytest

from hemcore.events.event_units import is_counted, unit_of_event, unit_with_name, with_unit


@pytest.mark.parametrize(
    ("event", "unit"),
    [
        ("cycles", "counts"),
        ("L2_M_A", "counts"),
        ("INST_RETIRED.ANY:u", "counts"),
        ("Power(W)", ""),
        ("Clock [MHz]", ""),
        ("PkgWatt", ""),
        ("%usr", ""),
        ("power_w", "W"),
        ("PCK_POWER_W", "W"),
        ("gpu_power_mw", "mW"),
        ("node_hwmon_temp_celsius", "°C"),
        ("node_power_watts chip=a sensor=b", "W"),
        ("temperature_c", "°C"),
        ("PkgTmp", "°C"),
        ("Tctl", "°C"),
        ("Tccd1", "°C"),
        ("vdd_cpu_v", "V"),
        ("AVG_CPUFREQ_KHZ", "kHz"),
        ("TIME_SEC", "s"),
        ("rapl_joules_total", "J per interval"),
        ("node_cpu_seconds_total mode=idle", "s per interval"),
        ("power/energy-pkg/", "Joules per interval"),
        ("cpu-clock:u", "msec per interval"),
        ("branches_per_seconds", "value"),
        ("power", "value"),
        ("cpu_load", "value"),
        ("load_one", "value"),
        ("node_load15", "value"),
        ("L1-dcache-loads", "counts"),
        ("mem_load", "counts"),
        ("core voltage", "value"),
        ("elapsed", "value"),
        ("L1 miss ratio", "value"),
    ],
)
def test_a_reading_has_the_unit_that_its_name_says(event: str, unit: str) -> None:
    assert unit_of_event(event) == unit
    assert is_counted(event) == (unit == "counts")


@pytest.mark.parametrize(
    ("name", "unit", "named"),
    [
        ("rail", "W", "rail [W]"),
        ("rail", "[mV]", "rail [mV]"),
        ("rail", "watt", "rail [W]"),
        ("power", "kwatt", "power [kW]"),
        ("rx", "req/s", "rx [req/s]"),
        ("Power(W)", "W", "Power(W)"),
        ("power_w", "W", "power_w"),
        ("misses", "events", "misses"),
        ("misses", "1", "misses"),
        ("misses", "short", "misses"),
        ("misses", "M", "misses"),
        ("misses", "", "misses"),
    ],
)
def test_a_unit_that_a_file_gives_beside_a_name_goes_into_it(name: str, unit: str, named: str) -> None:
    assert with_unit(name, unit) == named


@pytest.mark.parametrize(
    ("event", "unit"),
    [
        ("Power(W)", "W"),
        ("Clock [MHz]", "MHz"),
        ("PkgWatt", "Watt"),
        ("Bzy_MHz", "MHz"),
        ("%usr", "%"),
        ("rx kB/s", "kB/s"),
        ("fan_RPM", "RPM"),
        ("power_w", "W"),
        ("power", "value"),
        ("cycles", "counts"),
        ("Watts chip=a", "Watts"),
    ],
)
def test_a_unit_that_only_the_name_shows_is_read_from_it(event: str, unit: str) -> None:
    assert unit_with_name(event) == unit
