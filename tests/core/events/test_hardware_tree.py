"""Ids of tools are places of the machine, and ratios are told from counts by their names."""

import pytest

from hemcore.events.hardware_tree import Place, adds_up, is_intensive, place_of


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("CPU12", Place(thread="12")),
        ("S1", Place(socket="1")),
        ("S0-D0", Place(socket="0", core="die 0")),
        ("S0-D0-C3", Place(socket="0", core="3")),
        ("S1-D1-C3", Place(socket="1", core="1-3")),
        ("S1-C3", Place(socket="1", core="3")),
        ("S0-D0-L3-ID8", Place(socket="0", core="L3-ID8")),
        ("N1", Place(node="1")),
        ("C2-T1", Place(core="2", thread="T1")),
        ("S0-C2", Place(socket="0", core="2")),
        ("HWThread 7", Place(thread="7")),
        ("region solve it Core 7", Place(thread="7", within="region solve it")),
        ("qsort-4711", Place(thread="qsort-4711")),
        ("CPU0 user.slice", Place(thread="0", within="user.slice")),
        ("user.slice", Place(within="user.slice")),
        ("", Place()),
    ],
)
def test_a_tools_id_is_a_place(text: str, place: Place) -> None:
    assert place_of(text) == place


RATIOS = "CPI|ipc|Clock [MHz]|freq|clock|Temperature(C)|L2 miss ratio|L2 miss rate|CPU utilization %|core voltage|insn per cycle"
RATIOS += "|tma_backend_bound|Frontend_Bound [% Slots]|cpu_user|Runtime (RDTSC) [s]|metric_CPI|loadAvgTemp|CoreTmp|usr|irq|usage_user"
RATIOS += "|Frontend_Bound|Memory Bound|Bad_Speculation|Retiring|Branch MPKI|L1D_MPKI|VID|fan_rpm"
COUNTS = "cycles|cpu_core/cycles/|LLC-load-misses|page-faults|cpu-clock|stalled-cycles-frontend|uops_retired.any|mem_bw [GB/s]|flops_any"
COUNTS += "|topdown-be-bound|EXE_ACTIVITY.BOUND_ON_STORES|power/energy-pkg/|cpu_power [W]|Memory bandwidth [MBytes/s]|IRQ|tmp_files|PkgWatt"
COUNTS += "|topdown_be_bound|topdown-retiring|PERF_METRICS.RETIRING|STALL_BACKEND_MEMBOUND|rpm_changes|GFLOPS|MEM_GBS|PAPI_FP_OPS"
MOMENTS = "GFLOPS|MEM_GBS|mem_bw|memory_bandwidth|net_MBps|PkgWatt|fan_rpm|Frontend_Bound|Branch MPKI|CoreTmp"


@pytest.mark.parametrize("event", RATIOS.split("|"))
def test_ratios_are_never_summed(event: str) -> None:
    assert is_intensive(event)


@pytest.mark.parametrize("event", COUNTS.split("|"))
def test_counts_powers_and_rates_of_bytes_are_summed(event: str) -> None:
    assert not is_intensive(event)


@pytest.mark.parametrize("event", MOMENTS.split("|"))
def test_rates_and_ratios_do_not_add_up_over_time(event: str) -> None:
    assert not adds_up(event)


@pytest.mark.parametrize("event", ["cycles", "topdown-be-bound", "power/energy-pkg/", "flops", "PAPI_FP_OPS", "bytes_read"])
def test_counts_add_up_over_time(event: str) -> None:
    assert adds_up(event)
