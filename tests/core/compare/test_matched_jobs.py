"""Jobs before and after: who is matched with whom, from which class to which, and the energy of a job; all by hand."""

import numpy as np
import pandas as pd
import pytest

from hemcore.compare.matched_jobs import changed_jobs
from hemcore.compare.params import CompareParams
from hemcore.compare.tab_analyses import JOBS
from hemcore.datasets.tables.signature_table import SignatureTable
from hemcore.errors import HemError, TableError


def jobs(*rows: tuple[str, str, str], seconds: object = 10.0, watts: object = 100.0, **more: object) -> SignatureTable:
    """A job of 1,000 J per (user, application, class), JOBID from 0."""
    frame = pd.DataFrame(rows, columns=["USERID", "JOBNAME", "CLASS"])
    frame = frame.assign(JOBID=range(len(rows)), CPI=1.0, TPI=1.0, MEM_GBS=10.0, GFLOPS=10.0, TIME_SEC=seconds, DC_NODE_POWER_W=watts)
    return SignatureTable(frame=frame.assign(**more))


def flow(found, before: str, after: str) -> tuple[int, float]:
    row = found.flows[(found.flows["class_before"] == before) & (found.flows["class_after"] == after)].iloc[0]
    return int(row["pairs"]), float(row["by_chance"])


def test_jobs_are_paired_in_order_within_user_and_application_and_the_rest_is_told_why() -> None:
    before = jobs(("ann", "sort", "MIX"), ("ann", "sort", "CPU"), ("bob", "sort", "MIX"), ("bob", "join", "CPU"), ("cat", "sort", "MIX"))
    after = jobs(("ann", "sort", "CPU"), ("ann", "sort", "CPU"), ("ann", "sort", "CPU"), ("bob", "sort", "MIX"), ("ann", "join", "CPU"))
    found = changed_jobs(before, after)
    assert found.named_by == ("user", "application")
    told = {tuple(each) for each in found.unmatched.itertuples(index=False)}
    assert told == {
        ("after", "ann", "sort", 1, "more jobs after than before"),
        ("before", "bob", "join", 1, "this user did not run it after"),
        ("before", "cat", "sort", 1, "user not there after"),
        ("after", "ann", "join", 1, "this user did not run it before"),
    }
    # ann: MIX -> CPU, CPU -> CPU; bob: MIX -> MIX.
    assert [flow(found, *each)[0] for each in (("MIX", "CPU"), ("CPU", "CPU"), ("MIX", "MIX"), ("CPU", "MIX"))] == [1, 1, 1, 0]
    row = found.table.set_index("application").loc["sort"]
    assert row[["users", "jobs_before", "jobs_after", "pairs", "moved"]].tolist() == [2, 3, 4, 3, 1]
    assert row[["class_before", "class_after"]].tolist() == ["MIX", "CPU"]


def test_what_chance_alone_would_move() -> None:
    # Of ann's five jobs one is MIX; two pairs. Two different jobs: MIX first 1/5, CPU first and MIX second 4/5 * 1/4 = 1/5.
    before = jobs(("ann", "sort", "MIX"), ("ann", "sort", "CPU"))
    after = jobs(("ann", "sort", "CPU"), ("ann", "sort", "CPU"), ("ann", "sort", "CPU"))
    found = changed_jobs(before, after)
    assert [flow(found, *each)[1] for each in (("MIX", "CPU"), ("CPU", "MIX"), ("MIX", "MIX"))] == pytest.approx([0.4, 0.4, 0.0])
    assert flow(found, "CPU", "CPU")[1] == pytest.approx(2 * 4 / 5 * 3 / 4)
    assert found.table["by_chance"].tolist() == pytest.approx([0.8])


def test_a_class_surely_changes_where_exchanging_jobs_seldom_goes_as_far() -> None:
    turned = changed_jobs(jobs(*[("ann", "sort", "CPU")] * 6), jobs(*[("ann", "sort", "MIX")] * 6)).table.iloc[0]
    # 2 of the 924 ways to choose 6 of 12.
    assert turned["class_probability"] == pytest.approx(2 / 924, abs=0.003)
    assert turned["class_changed"]
    three = changed_jobs(jobs(*[("ann", "sort", "CPU")] * 3), jobs(*[("ann", "sort", "MIX")] * 3)).table.iloc[0]
    assert three["class_probability"] == pytest.approx(2 / 20, abs=0.03)
    assert not three["class_changed"]


def test_another_mixture_of_users_is_no_change() -> None:
    ann, bob = ("ann", "sort", "CPU"), ("bob", "sort", "MIX")
    random = np.random.default_rng(0)
    joules = {ann: 1_000.0, bob: 9_000.0}

    def of(*rows: tuple[str, str, str]) -> SignatureTable:
        return jobs(*rows, watts=[joules[row] / 10 for row in rows], seconds=10 * random.normal(1, 0.01, len(rows)))

    row = changed_jobs(of(*[ann] * 20, *[bob] * 5), of(*[ann] * 5, *[bob] * 20)).table.iloc[0]
    assert row["class_probability"] == 1
    assert abs(row["energy_change"]) < 0.01
    assert not row["energy_changed"]


def test_the_energy_of_a_job_before_and_after_with_its_interval() -> None:
    random = np.random.default_rng(1)
    names = [("ann", "sort", "CPU")] * 20 + [("ann", "join", "CPU")] * 20
    scatter = random.normal(1, 0.02, 80)
    before = jobs(*names, seconds=10 * scatter[:40])
    after = jobs(*names, seconds=10 * scatter[40:] * np.repeat([1.1, 1.0], 20))
    rows = changed_jobs(before, after).table.set_index("application")
    assert rows.loc["sort", "energy_before"] == pytest.approx(1_000 * scatter[:20].mean())
    assert rows.loc["sort", "energy_after"] == pytest.approx(1_100 * scatter[40:60].mean())
    assert rows.loc["sort", "low"] < 0.1 < rows.loc["sort", "high"]
    assert rows["energy_changed"].to_dict() == {"sort": True, "join": False}
    wide = changed_jobs(before, after).at(CompareParams(level=0.99)).table.set_index("application")
    assert wide.loc["sort", "low"] < rows.loc["sort", "low"]


def test_a_step_of_several_nodes_is_one_job_and_the_batch_step_none() -> None:
    nodes = {"JOBID": [1, 1, 1, 2, 2], "STEPID": [0, 0, 0, 0, 4_294_967_291], "NODENAME": list("abcaa")}
    rows = [("ann", "sort", name) for name in ("CPU", "MIX", "MIX", "CPU", "GPU")]
    table = jobs(*rows, watts=[100.0, 200.0, 300.0, 100.0, 900.0], **nodes)
    found = changed_jobs(table, table)
    row = found.table.iloc[0]
    assert row[["jobs_before", "jobs_after", "pairs", "moved"]].tolist() == [2, 2, 2, 0]
    # Job 1 is MIX by two of its three nodes and takes 6,000 J; job 2 takes 1,000 J.
    assert flow(found, "MIX", "MIX")[0] == 1
    assert row["energy_before"] == pytest.approx((6_000 + 1_000) / 2)
    partly = jobs(*rows, watts=[100.0, 200.0, np.nan, 100.0, 900.0], **nodes)
    assert np.isnan(changed_jobs(partly, partly).table["energy_before"].iloc[0])  # one job is left: no energy is compared


def test_without_names_in_common_nothing_is_matched_and_a_sentence_says_so() -> None:
    one = jobs(("ann", "sort", "CPU"))
    with pytest.raises(TableError, match="no user and application is in both"):
        changed_jobs(one, jobs(("bob", "join", "CPU")))
    nameless = SignatureTable(frame=one.frame.drop(columns=["USERID", "JOBNAME"]))
    with pytest.raises(TableError, match="Export USERID and JOBNAME"):
        changed_jobs(nameless, one)
    without_users = SignatureTable(frame=one.frame.drop(columns=["USERID"]))
    found = changed_jobs(without_users, jobs(("bob", "sort", "CPU")))
    assert found.named_by == ("application",)
    assert found.table["pairs"].tolist() == [1]


def test_classes_are_ears_where_none_were_kept_and_halves_are_compared_without_a_set_before() -> None:
    table = jobs(*[("ann", "sort", "CPU")] * 8)
    plain = SignatureTable(frame=table.frame.drop(columns=["CLASS"]))
    found = JOBS.of(plain, CompareParams())
    # 10 GFLOPS at 10 GB/s: left of the ridge and far from the peak bandwidth.
    assert set(found.flows["class_before"]) == {"MIX"}
    assert found.table[["jobs_before", "jobs_after"]].iloc[0].tolist() == [4, 4]
    assert "8480" in found.classes_by
    assert "CLASS" in JOBS.of(table, CompareParams()).classes_by
    unmeasured = SignatureTable(frame=plain.frame.assign(CPI=0.0, TPI=0.0, MEM_GBS=0.0, GFLOPS=0.0))
    idle = changed_jobs(unmeasured, unmeasured)
    assert idle.unclassified == 16
    assert not len(idle.flows)
    with pytest.raises(TableError, match="one run of a program cannot be halved") as refused:
        JOBS.of(SignatureTable(frame=plain.frame.iloc[:1]), CompareParams())
    assert [each.label for each in refused.value.remedies] == ["Upload the earlier runs"]


def test_the_processor_decides_the_classes_of_jobs_without_one() -> None:
    # 60 GB/s and a CPI of 1: memory-bound where the node's bandwidth is small.
    def plain(gbs: float) -> SignatureTable:
        return SignatureTable(frame=jobs(*[("ann", "sort", "")] * 3, MEM_GBS=gbs).frame.drop(columns="CLASS"))

    sides = plain(120.0), plain(121.0)
    usual, small = changed_jobs(*sides), changed_jobs(*sides, processor="Xeon E5-2690 v3")
    assert "2 x Xeon Platinum 8480+" in usual.classes_by
    assert "2 x Xeon E5-2690 v3" in small.classes_by
    assert usual.table["class_after"].tolist() != small.table["class_after"].tolist()
    with pytest.raises(HemError, match="no such processor"):
        changed_jobs(*sides, processor="no such processor")
