"""What the header of a series says."""

import pytest

from hemcore.datasets.readers.series.column_roles import columns_of, is_measure, setting_unit, words_alone


@pytest.mark.parametrize(
    ("name", "per_second"),
    [
        ("time", 1), ("Time (s)", 1), ("elapsed_sec", 1), ("seconds", 1), ("time [ms]", 10**3), ("milliseconds", 10**3), ("t_us", 10**6),
        ("time (µs)", 10**6), ("Microseconds", 10**6), ("# timestamp ns", 10**9), ("nanoseconds", 10**9), ("interval end (ms)", 10**3),
    ],
)  # fmt: skip
def test_the_unit_of_a_time(name: str, per_second: int) -> None:
    found = columns_of([name, "cycles"])
    assert (found.roles, found.per_second, found.events) == ({"time": 0}, per_second, {1: "cycles"})


def test_roles_by_name_and_a_second_column_of_one_role_is_left_out() -> None:
    found = columns_of(["", "Run ID", "App", "workload", "slot", "time", "time (ms)", "freq (MHz)", "Phase"])
    assert found.roles == {"run": 1, "application": 2, "interval": 4, "time": 5, "stage": 8}
    assert found.again == ("workload", "time (ms)")
    assert found.events == {7: "freq (MHz)"}
    assert found.per_second == 1
    logger = columns_of(["#Timestamp", "Benchmark", "cycles"])
    assert (logger.roles, logger.per_second, logger.since_first) == ({"time": 0, "stage": 1}, 10**9, True)


def test_what_is_measured_or_set_is_no_count() -> None:
    assert [is_measure(name) for name in ("A15 Power(W)", "T [°C]", "U (mV)", "cycles (k)", "E(J)", "W")] == [True] * 3 + [
        False,
        True,
        False,
    ]
    names = ("CPU(4) Frequency(MHz)", "freq [kHz]", "Clock (GHz)", "Frequency (W)", "Cores(#)", "cycles")
    assert [setting_unit(name) for name in names] == ["MHz", "kHz", "", "", "cores", ""]


def test_a_table_of_words() -> None:
    assert words_alone([["a", "b"], ["c", ""]])
    assert not words_alone([["a", "1"]])
    assert not words_alone([["", "NA"]])
