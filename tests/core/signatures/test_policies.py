"""Policies and energy by hand: a table like EAR's VASP comparison (older headers), steps of several nodes, who used what."""

import io

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.readers.eacct import read_eacct
from hemcore.datasets.tables.signature_table import SignatureTable
from hemcore.errors import HemError
from hemcore.signatures import CLASSES, SignatureParams
from hemcore.signatures.analysis import POLICIES
from hemcore.signatures.job_steps import batch_steps
from hemcore.signatures.policies import compare_policies, usage

KHZ = 2_600_000
# One program under three policies; 2,601,000 kHz means turbo.
RUNS = pd.DataFrame(
    {
        "JOBID": 7,
        "STEPID": range(6),
        "JOBNAME": "vasp",
        "NODENAME": "n1",
        "USERID": ["ann", "ann", "bob", "bob", "ann", "ann"],
        "POLICY": ["monitoring", "monitoring", "min_energy_to_solution", "min_energy_to_solution", "monitoring", "min_time_to_solution"],
        "POLICY_TH": [0.0, 0, 0.05, 0.05, 0, 0.7],
        "DEF_FREQ_KHZ": [KHZ, KHZ, KHZ, KHZ, KHZ + 1000, KHZ],
        "TIME_SEC": [100.0, 100, 120, 130, 90, 95],
        "DC_NODE_POWER_W": [400.0, 400, 300, 300, 600, 420],
        "CPI": 0.5, "TPI": 1.0, "MEM_GBS": 100.0, "GFLOPS": 50.0, "AVG_CPUFREQ_KHZ": 2.4e6,
    }
)  # fmt: skip


def compared(frame: pd.DataFrame = RUNS, **params: object) -> pd.DataFrame:
    found, _ = compare_policies(frame, SignatureParams(**params))
    return found.set_index(["policy", "def_freq_khz"])


def test_policies_against_monitoring_at_the_nominal_frequency() -> None:
    found = compared()
    assert found.index[found["reference"]].tolist() == [("monitoring", KHZ)]
    reference, saving = found.loc[("monitoring", KHZ)], found.loc[("min_energy_to_solution", KHZ)]
    assert (reference["runs"], reference["time_s"], reference["energy_j"], reference["edp_js"]) == (2, 100, 40_000, 4e6)
    # 120 s and 130 s at 300 W.
    assert (saving["runs"], saving["time_s"], saving["energy_j"], saving["power_w"]) == (2, 125, 37_500, 300)
    assert saving["edp_js"] == (36_000 * 120 + 39_000 * 130) / 2
    assert saving["time_change"] == pytest.approx(0.25)
    assert saving["energy_change"] == pytest.approx(-0.0625)
    assert saving["time_spread"] == pytest.approx(np.std([120, 130], ddof=1) / 125)
    # 25 % more time under a limit of 5 %.
    assert saving["threshold"] == 0.05
    assert found.index[found["over_threshold"]].tolist() == [("min_energy_to_solution", KHZ)]
    assert np.isnan(reference["threshold"])
    assert found.loc[("min_time_to_solution", KHZ), "time_change"] == pytest.approx(-0.05)
    assert found.loc[("monitoring", KHZ + 1000), "energy_change"] == pytest.approx(54_000 / 40_000 - 1)


def test_another_reference() -> None:
    turbo = compared(reference_khz=KHZ + 1000)
    assert turbo.index[turbo["reference"]].tolist() == [("monitoring", KHZ + 1000)]
    chosen = compared(reference_policy="min_time_to_solution")
    assert chosen.index[chosen["reference"]].tolist() == [("min_time_to_solution", KHZ)]
    found, without = compare_policies(RUNS, SignatureParams(reference_khz=1))
    assert without == ("vasp",)
    assert found["time_change"].isna().all()
    with pytest.raises(HemError, match="reference_policy: 'fastest' is not among the policies; they are 'min_energy_to_solution'"):
        compared(reference_policy="fastest")


def test_without_monitoring_the_most_frequent_policy_is_the_reference() -> None:
    found = compared(RUNS[RUNS["POLICY"] != "monitoring"])
    assert found.index[found["reference"]].tolist() == [("min_energy_to_solution", KHZ)]
    assert not found["over_threshold"].any()


def test_the_nodes_of_a_step_are_one_run() -> None:
    two = RUNS.iloc[[0, 0]].assign(NODENAME=["n1", "n2"], TIME_SEC=[100.0, 110], DC_NODE_POWER_W=[400.0, 300])
    found = compared(two).iloc[0]
    assert (found["runs"], found["nodes"], found["time_s"], found["energy_j"]) == (1, 2, 110, 73_000)
    unknown = compared(two.assign(DC_NODE_POWER_W=[400.0, 0])).iloc[0]
    assert np.isnan(unknown["energy_j"])  # half of it would be no answer


def test_slurms_batch_step_is_no_run() -> None:
    batch = pd.concat([RUNS, RUNS.iloc[[0]].assign(STEPID=4_294_967_291)], ignore_index=True)
    assert batch_steps(batch).tolist() == [False] * 6 + [True]
    assert compared(batch).loc[("monitoring", KHZ), "runs"] == 2


def test_usage() -> None:
    classes = pd.Series(pd.Categorical(["MIX", "MIX", "CPU-bound", "CPU-bound", "MIX", None], categories=list(CLASSES)))
    found = usage(RUNS, classes)
    users = found[found["by"] == "user"].set_index("group")
    assert users.loc["bob", ["signatures", "node_hours"]].tolist() == [2, 250 / 3600]
    assert users.loc["bob", "energy_kwh"] == pytest.approx(75_000 / 3.6e6)
    assert users.loc["bob", "mean_power_w"] == pytest.approx(300)
    total = 80_000 + 75_000 + 54_000 + 39_900
    assert users.loc["ann", "share"] == pytest.approx((total - 75_000) / total)
    groups = found[found["by"] == "class"]
    assert set(groups["group"]) == {"MIX", "CPU-bound", "not classified"}
    assert groups["share"].sum() == pytest.approx(1)
    assert "account" not in set(found["by"])


def test_a_table_without_policies_has_usage_alone() -> None:
    report = POLICIES.of(SignatureTable(frame=RUNS.drop(columns="POLICY")))
    assert len(report.policies) == 0
    assert list(report.policies.columns) == list(compare_policies(RUNS, SignatureParams())[0].columns)
    verdict = POLICIES.verdict(report)  # type: ignore[misc]
    assert verdict.answer == "MIX signatures used 100% of 0.06914 kWh."


def test_the_verdict_says_the_promise_beside_what_was_paid() -> None:
    verdict = POLICIES.verdict(POLICIES.of(SignatureTable(frame=RUNS)))  # type: ignore[misc]
    assert verdict.answer == "min_energy_to_solution at 2.6 GHz saves 6.2% energy for +25.0% time in vasp."
    assert "took 25% more time than the reference; 5% was allowed" in verdict.trust
    assert "only once" in verdict.full_text
    assert verdict.level == "limited"


def test_a_table_with_headers_of_older_versions() -> None:
    header = (
        "JOB_ID;STEP_ID;APP_ID;USER_ID;POLICY;POLICY_TH;AVG.CPUFREQ;AVG.IMCFREQ;DEF.FREQ;TIME;CPI;TPI;GBS;P.MPI;"
        "DC-NODE-POWER;DRAM-POWER;PCK-POWER;CYCLES;INSTRUCTIONS;CPU-GFLOPS"
    )
    steps = [
        f"7;{step};vasp;ann;{policy};{limit};2400000;2400000;{khz};{seconds};0.5;80;100;5;{power};30;250;1;1;50"
        for step, (policy, limit, khz, seconds, power) in enumerate(
            [("monitoring", 0, KHZ, 100, 400), ("min_energy", 0.05, KHZ, 101, 378), ("monitoring", 0, KHZ + 1000, 90, 620)]
        )
    ]
    table = read_eacct(io.BytesIO("\n".join([header, *steps]).encode()), name="vasp.csv")
    assert table.frame["STEPID"].tolist() == [0, 1, 2]
    report = POLICIES.of(table)
    found = report.policies.set_index(["policy", "def_freq_khz"])
    assert found.loc[("min_energy", KHZ), "energy_change"] == pytest.approx(101 * 378 / 40_000 - 1)
    assert found.loc[("min_energy", KHZ), "time_change"] == pytest.approx(0.01)
    assert not found["over_threshold"].any()
    assert found.loc[("monitoring", KHZ + 1000), "energy_change"] == pytest.approx(0.395)
