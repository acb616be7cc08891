"""Groups of counters: as few as fit, cycles and instructions in each, families whole."""

import pytest

from hemcore.errors import ParameterError
from hemcore.prediction.explore.counter_groups import COUNTERS, family_of, group_counters

THESIS = (
    "PAPI_TOT_CYC PAPI_TOT_INS PAPI_L1_DCM PAPI_L1_ICM PAPI_L2_DCM PAPI_L1_DCA PAPI_L2_DCA PAPI_BR_MSP PAPI_BR_INS PAPI_LD_INS "
    "PAPI_SR_INS PAPI_TLB_DM PAPI_TLB_IM PAPI_HW_INT"
).split()


def test_the_samples_counters_six_at_a_time() -> None:
    found = group_counters(6)
    assert len(found.groups) == 3
    assert all(group.counters[:2] == ("CYCLES", "Ir") and len(group.counters) <= 6 for group in found.groups)
    assert sorted(found.counters) == sorted(COUNTERS)
    assert ("Bc", "Bcm", "Bi", "Bim") in [group.counters[2:] for group in found.groups]
    assert len(found.apart) == 1  # 3 + 2 + 3 do not fill two groups of four without a cut
    assert all(group.sees.startswith("cycles per instruction; ") for group in found.groups)
    assert found.table["group"].tolist() == [1, 2, 3]


def test_the_thesiss_counters_keep_every_family_whole() -> None:
    found = group_counters(6, counters=THESIS)
    assert len(found.groups) == 3
    assert found.apart == ()
    assert found.anchors == ("PAPI_TOT_CYC", "PAPI_TOT_INS")
    together = [set(group.counters) for group in found.groups]
    assert any({"PAPI_L1_DCM", "PAPI_L1_ICM", "PAPI_L1_DCA"} <= group for group in together)
    assert any({"PAPI_TLB_DM", "PAPI_TLB_IM"} <= group for group in together)


def test_pairs_read_together_are_counted() -> None:
    found = group_counters(3, counters=["cycles", "instructions", "branches", "branch-misses"])
    assert [group.counters for group in found.groups] == [
        ("cycles", "instructions", "branches"),
        ("cycles", "instructions", "branch-misses"),
    ]
    assert found.pairs_together == pytest.approx(5 / 6)
    assert found.apart == ("branches",)
    assert group_counters(14).pairs_together == 1
    assert len(group_counters(14).groups) == 1


def test_without_anchors_the_groups_are_of_what_there_is() -> None:
    found = group_counters(2, counters=["A", "B", "C"])
    assert [group.counters for group in found.groups] == [("A", "B"), ("C",)]
    assert group_counters(2, counters=["CYCLES", "Ir"]).groups[0].sees == "cycles per instruction"


@pytest.mark.parametrize(
    ("n_pmcs", "counters", "said"),
    [
        (2, COUNTERS, "n_pmcs: 2 must be a whole number of at least 3"),
        (True, ["A"], "n_pmcs: True"),
        (3, [], "none given"),
        (3, ["A", "A"], "'A' is named twice"),
    ],
)
def test_what_cannot_be_grouped_is_told(n_pmcs: int, counters: list[str], said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        group_counters(n_pmcs, counters=counters)


@pytest.mark.parametrize(
    ("counter", "family"),
    [
        ("D1mr", "first level"),
        ("DLmw", "last level"),
        ("Bim", "branches"),
        ("Dw", "loads and stores"),
        ("PAPI_L2_DCA", "last level"),
        ("L1D_TLB_REFILL", "address translation"),
        ("EXCEPTION_TAKEN", "interruptions"),
        ("L1-dcache-load-misses", "first level"),
        ("dTLB-load-misses", "address translation"),
        ("SW_INCR", "other"),
    ],
)
def test_a_counters_family_is_told_by_its_name(counter: str, family: str) -> None:
    assert family_of(counter) == family
