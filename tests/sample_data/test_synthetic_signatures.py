"""The synthetic signatures agree with themselves, repeat with a seed and have the kinds that they say."""

import io

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.readers.eacct import read_eacct
from hemcore.errors import ParameterError
from sample_data.collect.synthetic_signatures import KINDS, MAX_JOBS, SHARES, generate_signatures


def test_the_same_seed_is_the_same_jobs_and_another_seed_is_not() -> None:
    first, kinds = generate_signatures(300, seed=1)
    again, kinds_again = generate_signatures(300, seed=1)
    other, _ = generate_signatures(300, seed=2)
    pd.testing.assert_frame_equal(first, again)
    pd.testing.assert_series_equal(kinds, kinds_again)
    assert not first["CPI"].equals(other["CPI"])


def test_the_columns_agree_as_ear_computes_them() -> None:
    jobs, kinds = generate_signatures(2_000, seed=3)
    jobs = jobs[(kinds != "IDLE").to_numpy()]
    np.testing.assert_allclose(jobs["CYCLES"] / jobs["INSTRUCTIONS"], jobs["CPI"], rtol=1e-9)
    np.testing.assert_allclose(jobs["MEM_GBS"] * 1e9 * jobs["TIME_SEC"] / jobs["INSTRUCTIONS"], jobs["TPI"], rtol=1e-9)
    flops = jobs.filter(regex="^(SP|DP)OPS_").sum(axis=1)
    assert jobs.filter(regex="^(SP|DP)OPS_").shape[1] == 8
    np.testing.assert_allclose(flops / jobs["TIME_SEC"] / 1e9, jobs["CPU_GFLOPS"], rtol=1e-9)


def test_kinds_come_in_their_shares() -> None:
    _, kinds = generate_signatures(20_000, seed=4)
    shares = kinds.value_counts(normalize=True)
    for kind, share in zip(KINDS, SHARES, strict=True):
        assert shares[kind] == pytest.approx(share, abs=4 * np.sqrt(share / 20_000))


def test_nothing_exceeds_the_node() -> None:
    jobs, _ = generate_signatures(20_000, seed=5)
    assert jobs["MEM_GBS"].max() < 614.4
    assert jobs["CPU_GFLOPS"].max() < 7_168
    assert jobs["JOB_NPROCS"].between(1, 112).all()


def test_a_gpu_job_uses_its_gpu_and_an_idle_job_was_not_measured() -> None:
    jobs, kinds = generate_signatures(5_000, seed=6)
    gpu, idle = (kinds == "GPU").to_numpy(), (kinds == "IDLE").to_numpy()
    assert (jobs.loc[gpu, "GPU0_UTIL_PERC"] > 0).all()
    assert (jobs.loc[~gpu, "GPU0_UTIL_PERC"] == 0).all()
    assert (jobs.loc[idle, ["CPI", "TPI", "MEM_GBS", "CPU_GFLOPS", "EARL_ENABLED"]] == 0).all(axis=None)


def test_names_are_synthetic_and_the_request_server_s_jobs_are_of_three_kinds() -> None:
    jobs, kinds = generate_signatures(2_000, seed=8)
    assert jobs["JOBNAME"].str.startswith("synthetic_").all()
    named = kinds[(jobs["JOBNAME"] == "synthetic_request_server").to_numpy()].value_counts(normalize=True)
    # One in 5 of CPU-bound, one in 3 of MEMORY-bound and MIX: .064, .1 and .093 of all jobs.
    assert named.to_dict() == pytest.approx({"CPU-bound": 0.249, "MEMORY-bound": 0.389, "MIX": 0.362}, abs=0.08)


def test_the_reader_reads_what_the_generator_wrote() -> None:
    jobs, kinds = generate_signatures(500, seed=7)
    table = read_eacct(io.BytesIO(jobs.to_csv(sep=";", index=False).encode()), name="jobs.csv")
    idle = (kinds == "IDLE").to_numpy()
    assert table.frame.loc[idle, ["CPI", "TPI", "MEM_GBS", "GFLOPS"]].isna().all(axis=None)
    np.testing.assert_allclose(table.frame.loc[~idle, "GFLOPS"], jobs.loc[~idle, "CPU_GFLOPS"])


@pytest.mark.parametrize("n", [0, -5, MAX_JOBS + 1])
def test_the_number_of_jobs_has_bounds(n: int) -> None:
    with pytest.raises(ParameterError, match="must be from 1 to 10,000,000"):
        generate_signatures(n)


def test_one_job() -> None:
    jobs, kinds = generate_signatures(1)
    assert len(jobs) == len(kinds) == 1
