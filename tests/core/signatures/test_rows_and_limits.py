"""Rows that count, limits of the rules, policies and figures of a table, each by a number that can be worked out."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.tables.signature_table import SignatureTable
from hemcore.signatures import Extremes, Medoids, Peaks, SignatureParams, fit_kmedoids, suspicions, theoretical_peaks, why_roofline
from hemcore.signatures.analysis import KMEDOIDS, POLICIES
from hemcore.signatures.policies import compare_policies, usage
from hemcore.signatures.regions import roofline_limits
from hemcore.signatures.side_by_side import seen_of, stand_for_jobs
from hemcore.signatures.signature_rows import badges
from tests.core.signatures.clusters.test_ear_kmedoids import BUNCHES
from tests.core.signatures.test_policies import KHZ, RUNS

ONE = pd.DataFrame({"CPI": [0.5], "TPI": [1.0], "MEM_GBS": [100.0], "GFLOPS": [50.0]})


def rows(n: int, **columns: object) -> pd.DataFrame:
    return pd.concat([ONE] * n, ignore_index=True).assign(**columns)


# Rules and files


def test_no_arithmetic_with_traffic_has_an_intensity() -> None:
    peaks = Peaks(gbs=600, gflops=6000)
    why = why_roofline(rows(2, MEM_GBS=[10.0, 0], GFLOPS=0.0), peaks)
    assert why[0].startswith("left of the ridge point, 10 FLOP/byte")
    assert why[1] == "neither GFLOPS nor MEM_GBS: no intensity"


def test_the_lines_of_the_rules() -> None:
    params = SignatureParams(peak_gbs=600, peak_gflops=6000, n_cpus=2, bandwidth_share=0.5)
    by_rules = {rules: roofline_limits(params.but(rules=rules)) for rules in ("documentation", "5.1", "5.2")}
    assert [each.ridge for each in by_rules.values()] == [10, 10, 10]
    # Half of the peak; 0.75 of both peaks times 2 CPUs; 0.6 of the bandwidth times 2 CPUs.
    assert [each.memory_gbs for each in by_rules.values()] == pytest.approx([300, 900, 720])
    assert [each.cpu_gflops for each in by_rules.values()] == pytest.approx([0, 9000, 0])


def test_a_node_has_the_cores_of_all_sockets() -> None:
    assert theoretical_peaks(sockets=2, cores=96, ghz=2.4, channels=12, mega_transfers=4800).n_cpus == 192


def test_extremes_of_values_per_cpu() -> None:
    found = Extremes(std=np.array([1.0, 2, 4, 8]), mean=np.array([4.0, 4, 8, 8])).divided(4)
    assert found.std.tolist() == [0.25, 0.5, 1, 2]
    assert found.mean.tolist() == [1, 1, 2, 2]


def test_a_fit_that_is_slightly_better_swapped_is_no_suspicion() -> None:
    # As read the means are 100/120 and 130/110 of the table's, swapped 130/120 and 100/110: nearer, but not twice as near.
    extremes = Extremes(std=np.ones(4), mean=np.array([1.0, 1, 100, 130]))
    assert suspicions(extremes=extremes, signatures=rows(1, MEM_GBS=120.0, GFLOPS=110.0)) == ()


def test_one_unusual_medoid_is_no_suspicion() -> None:
    # The CPU-bound medoid has the larger MEM_GBS, and the larger GFLOPS too.
    assert suspicions(medoids=Medoids(z=np.array([[0, 0, 2, 2], [0, 0, 1, 1], [0, 0, 0, 0.0]]))) == ()


# Which rows count


def test_a_loop_is_not_taken_for_several_nodes() -> None:
    # 8.5e10 cycles are more than 4 CPUs at 2 GHz have in 10 s; but a loop's time is of one iteration.
    frame = rows(1, CYCLES=8.5e10, TIME_SEC=10.0, AVG_CPUFREQ_KHZ=2e6)
    assert badges(frame, n_cpus=4, peak_gbs=600)["summed nodes"].tolist() == [True]
    assert badges(frame.assign(LOOPID=1), n_cpus=4, peak_gbs=600)["summed nodes"].tolist() == [False]


def test_what_is_set_aside_or_not_measured_is_counted_once() -> None:
    # TPI of 1 byte an instruction in rows 0 to 2, of another unit in 3 (a GPU job) and 4; row 5 was not measured.
    frame = rows(
        6, TPI=[1.0, 1, 1, 100, 100, 1], TIME_SEC=10.0, INSTRUCTIONS=1e12, GPU0_UTIL_PERC=[0, 0, 0, 50, 0, 50], CPI=[0.5] * 5 + [np.nan]
    )
    seen, out, other, _ = seen_of(SignatureTable(frame=frame), SignatureParams(set_aside="GPU active"))
    assert (seen.rows, seen.unmeasured, seen.aside, seen.counted, seen.another_tpi) == (6, 1, 1, 4, 1)
    assert out.tolist() == [False, False, False, True, False, True]
    assert other.tolist() == [False, False, False, False, True, False]
    assert seen.badges["GPU active"] == 1


def test_medoids_stand_for_jobs_from_100_measured_ones_on() -> None:
    frame = pd.concat([BUNCHES] * 12, ignore_index=True)
    every = KMEDOIDS.of(SignatureTable(frame=frame), SignatureParams())
    assert (every.model.fit.measured, stand_for_jobs(every)) == (108, True)
    frame.loc[:8, "CPI"] = np.nan
    fewer = KMEDOIDS.of(SignatureTable(frame=frame), SignatureParams())
    assert (fewer.model.fit.rows, fewer.model.fit.measured, stand_for_jobs(fewer)) == (108, 99, False)


def test_changes_are_a_share_of_what_was_measured() -> None:
    model = fit_kmedoids(pd.concat([BUNCHES, ONE * 0], ignore_index=True))
    assert (model.fit.rows, model.fit.measured) == (10, 9)
    assert replace(model, n_changed=3).share_changed == pytest.approx(1 / 3)


def test_medoids_that_ear_reads_differently_are_not_good() -> None:
    found = KMEDOIDS.of(SignatureTable(frame=pd.concat([BUNCHES] * 4, ignore_index=True)))
    levels = [
        KMEDOIDS.verdict(replace(found, model=replace(found.model, n_changed=n))).level  # type: ignore[misc]
        for n in (0, 4)
    ]
    # 4 of 36 rows is 11%.
    assert levels == ["good", "limited"]


# Policies and usage


def compared(frame: pd.DataFrame) -> pd.DataFrame:
    return compare_policies(frame, SignatureParams())[0].set_index(["policy", "def_freq_khz"])


def test_a_limit_of_nothing_is_a_limit() -> None:
    found = compared(RUNS.assign(POLICY_TH=0.0))
    assert found.loc[("min_energy_to_solution", KHZ), "threshold"] == 0
    assert found.loc[("min_energy_to_solution", KHZ), "over_threshold"]


def test_the_reference_is_the_highest_nominal_frequency() -> None:
    slow = RUNS[(RUNS["POLICY"] == "monitoring") & (RUNS["DEF_FREQ_KHZ"] == KHZ)].assign(DEF_FREQ_KHZ=2_000_000, STEPID=[10, 11])
    found = compared(pd.concat([slow, RUNS], ignore_index=True))
    assert found.index[found["reference"]].tolist() == [("monitoring", KHZ)]


def test_usage_begins_with_the_most_energy() -> None:
    frame = rows(3, USERID=["a", "b", "c"], TIME_SEC=3600.0, DC_NODE_POWER_W=[100.0, 300, 200])
    found = usage(frame, pd.Series(pd.Categorical(["MIX"] * 3)))
    assert found.loc[found["by"] == "user", "group"].tolist() == ["b", "c", "a"]


def test_a_column_of_zeros_names_nobody() -> None:
    frame = rows(2, ACCOUNTID="0", USERID=["0", "ann"], TIME_SEC=3600.0)
    found = usage(frame, pd.Series(pd.Categorical(["MIX"] * 2)))
    assert set(found["by"]) == {"class", "user"}


def test_hours_of_loops_are_between_their_timestamps() -> None:
    # The second loop ends 1,800 s after the first; of the first nothing tells.
    frame = rows(2, LOOPID=1, JOBID=1, TIMESTAMP=[0, 1800], TIME_SEC=1.0, DC_NODE_POWER_W=200.0)
    found = usage(frame, pd.Series(pd.Categorical(["MIX"] * 2))).iloc[0]
    assert (found["node_hours"], found["energy_kwh"]) == pytest.approx((0.5, 0.1))


def test_the_policy_that_took_longest_is_named() -> None:
    # Of two policies beyond their limit of 5% the one that took 25% more time.
    shorter = RUNS[RUNS["POLICY"] == "min_energy_to_solution"].assign(POLICY="min_energy_b", STEPID=[20, 21], TIME_SEC=[110.0, 110])
    report = POLICIES.of(SignatureTable(frame=pd.concat([RUNS, shorter], ignore_index=True)))
    assert report.policies["over_threshold"].sum() == 2
    assert "min_energy_to_solution at 2.6 GHz took 25% more time" in POLICIES.verdict(report).full_text  # type: ignore[misc]
