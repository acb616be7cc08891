"""Which rows count, badges, TPI's unit, the time and energy of loops: by hand, and on EAR's own sample files."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.readers.eacct import read_eacct
from hemcore.signatures.signature_rows import (
    badges,
    busy_waiting,
    energy_j,
    gpu_active,
    gpu_columns,
    gpu_known_by_power,
    left_out,
    loop_seconds,
    of_another_tpi,
    periods,
    tpi_units,
    unmeasured,
)

EAR = Path(__file__).parents[4] / "shared" / "data" / "ear"
needs_ear = pytest.mark.skipif(not EAR.is_dir(), reason="EAR's sample files are not here (../shared/data/ear)")


def jobs(n: int, **columns: object) -> pd.DataFrame:
    return pd.DataFrame({"CPI": 0.5, "TPI": 1.0, "MEM_GBS": 100.0, "GFLOPS": 50.0} | columns, index=range(n))


def test_what_was_not_measured() -> None:
    frame = jobs(4, CPI=[0.5, np.nan, 0, 0], TPI=[1, 1, 0, 0], MEM_GBS=[1, 1, 0, 0], GFLOPS=[1.0, 1, 0, 1])
    assert unmeasured(frame).tolist() == [False, True, True, False]


def test_a_gpu_is_active_by_its_utilisation_or_else_its_power() -> None:
    # An idle GPU draws power.
    assert gpu_active(jobs(3, GPU0_POWER_W=[67.0, 67, 0], GPU1_UTIL_PERC=[0, 40, 0])).tolist() == [False, True, False]
    assert gpu_active(jobs(2, GPU3_POWER_W=[67.0, 0])).tolist() == [True, False]
    assert gpu_active(jobs(2, GPU_UTIL_PERC=[np.nan, 3])).tolist() == [False, True]
    assert not gpu_active(jobs(2)).any()
    # A clock of 0 says that it does not work; of two GPUs each has its own clock.
    assert gpu_active(jobs(3, GPU0_POWER_W=60.0, GPU0_FREQ_KHZ=[0.0, 210_000, np.nan])).tolist() == [False, True, True]
    assert gpu_active(jobs(2, GPU0_POWER_W=60.0, GPU0_FREQ_KHZ=0, GPU1_POWER_W=[60.0, 0], GPU1_FREQ_KHZ=9)).tolist() == [True, False]
    assert gpu_columns(["GPU0_POWER_W", "GPU0_FREQ_KHZ", "GPU0_UTIL_PERC"]) == ["GPU0_UTIL_PERC"]
    assert [gpu_known_by_power(each) for each in (["GPU0_POWER_W"], ["GPU0_POWER_W", "GPU1_UTIL_PERC"], ["CPI"])] == [True, False, False]


def test_busy_waiting_by_ears_rule() -> None:
    frame = jobs(4, CPI=[0.39, 0.4, 0.3, 0.3], MEM_GBS=[11.9, 1, 12, 1], GFLOPS=[0.39, 0, 0, 0.4])
    assert busy_waiting(frame, 4).tolist() == [True, False, False, False]


def test_setting_aside() -> None:
    frame = jobs(3, CPI=[0.3, 0.3, np.nan], MEM_GBS=[1.0, 300, 1], GFLOPS=[0.0, 1, 1], GPU0_UTIL_PERC=[0, 50, 0])
    assert left_out(frame, "nothing", 4).tolist() == [False, False, True]
    assert left_out(frame, "GPU active", 4).tolist() == [False, True, True]
    assert left_out(frame, "GPU active and busy waiting", 4).tolist() == [True, True, True]


def test_a_clipped_power_meter() -> None:
    def clipped(power: list[float]) -> list[bool]:
        return badges(jobs(len(power), DC_NODE_POWER_W=power), n_cpus=4, peak_gbs=600)["clipped power meter"].tolist()

    assert clipped([800.0, 800, 800, 512.3]) == [True, True, True, False]
    assert clipped([800.0, 800, 512.3]) == [False] * 3
    assert clipped([500.0] * 4) == [False] * 4  # a constant is no end of a scale
    assert clipped([np.nan] * 3) == [False] * 3


def test_nodes_added_up() -> None:
    # 4 CPUs at 2 GHz for 10 s are 8e10 cycles.
    frame = jobs(3, CYCLES=[8.0e10, 8.5e10, 1], TIME_SEC=10.0, AVG_CPUFREQ_KHZ=2e6, MEM_GBS=[100.0, 100, 631])
    assert badges(frame, n_cpus=4, peak_gbs=600)["summed nodes"].tolist() == [False, True, True]


def test_no_dram_counter() -> None:
    frame = jobs(4, MEM_GBS=[100.0, 0, 100, 0], CPI=[0.5, 0.5, 0.5, 0], DRAM_POWER_W=[10.0, 10, 0, 0])
    assert badges(frame, n_cpus=4, peak_gbs=600)["no DRAM counter"].tolist() == [False, True, True, False]


def test_the_unit_of_tpi() -> None:
    # 100 GB/s for 10 s over 1e12 instructions: 1 byte an instruction, 1/64 transaction.
    frame = jobs(5, TPI=[1.0, 1 / 64, 100, 1, 0], TIME_SEC=10.0, INSTRUCTIONS=[1e12, 1e12, 1e12, 0, 1e12])
    assert tpi_units(frame).tolist() == ["bytes", "transactions", "another", "unknown", "unknown"]
    more = jobs(4, TPI=[1.0, 1, 1, 100], TIME_SEC=10.0, INSTRUCTIONS=[1e12, 1e12, 0, 1e12])
    assert of_another_tpi(tpi_units(more)).tolist() == [False, False, False, True]
    assert not of_another_tpi(tpi_units(jobs(3))).any()


def test_the_period_of_a_loop_is_that_of_its_operations() -> None:
    # 6e12 operations at 600 GFLOPS are 10 s, though an iteration takes 1 s.
    frame = jobs(3, TIME_SEC=1.0, LOOPID=1, GFLOPS=[600.0, 0, 600], DPOPS_512=[6e12, 6e12, 0], DPOPS_128=0.0)
    np.testing.assert_array_equal(periods(frame), [10, np.nan, np.nan])
    np.testing.assert_array_equal(periods(jobs(2, TIME_SEC=[5.0, 0])), [5, np.nan])


def test_energy_of_loops_is_by_differences_of_timestamps() -> None:
    frame = jobs(
        5, LOOPID=1, JOBID=[1, 1, 2, 1, 2], NODENAME=["a", "a", "a", "a", "b"], TIMESTAMP=[100, 130, 110, 110, 500], TIME_SEC=1.0,
        DC_NODE_POWER_W=[200.0, 200, 300, 400, 300], GFLOPS=[600.0, 600, 600, 600, 600], DPOPS_512=[3e12, 0, 0, 0, 0],
    )  # fmt: skip
    np.testing.assert_array_equal(loop_seconds(frame), [5, 20, np.nan, 10, np.nan])
    np.testing.assert_array_equal(energy_j(frame), [1000, 4000, np.nan, 4000, np.nan])
    np.testing.assert_array_equal(energy_j(jobs(2, TIME_SEC=10.0, DC_NODE_POWER_W=[300.0, 0])), [3000, np.nan])


@needs_ear
@pytest.mark.parametrize(
    ("file", "rows", "aside", "units", "active"),
    [
        ("dgemm_1n_app_signature_j25335297_s1.csv", 3, 2, {"bytes": 1, "unknown": 2}, 0),
        ("dgemm_1n_loop_signatures_j25335297_s1.csv", 31, 0, {"bytes": 31}, 0),
        ("69478_apps.csv", 1, 0, {"bytes": 1}, 1),
        ("69478_loops.csv", 18, 0, None, 14),
    ],
)
def test_ears_own_samples(file: str, rows: int, aside: int, units: dict[str, int] | None, active: int) -> None:
    frame = read_eacct(EAR / file).frame
    assert len(frame) == rows
    assert unmeasured(frame).sum() == aside
    found = tpi_units(frame).value_counts()
    if units is not None:
        assert {unit: int(number) for unit, number in found.items() if number} == units
    assert gpu_active(frame).sum() == active


@needs_ear
def test_the_energy_of_a_sample_job_from_its_loops_is_that_of_the_job() -> None:
    loops = read_eacct(EAR / "dgemm_1n_loop_signatures_j25335297_s1.csv").frame
    job = read_eacct(EAR / "dgemm_1n_app_signature_j25335297_s1.csv").frame.query("STEPID == 1")
    # ITER_TIME_SEC would give a tenth of it.
    assert np.nansum(energy_j(loops)) == pytest.approx(float(energy_j(job)[0]), rel=0.05)
    assert periods(loops)[0] == pytest.approx(10.092, abs=1e-3)
