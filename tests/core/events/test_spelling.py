"""One event under several spellings."""

import pytest

from hemcore.events.spelling import EventColumns, event_key


@pytest.mark.parametrize(
    "spellings",
    [
        ("INST_RETIRED.ANY", "inst_retired.any", "cpu/inst_retired.any/", "cpu_core/INST_RETIRED.ANY/", "inst_retired_any"),
        ("L1D_PEND_MISS.FB_FULL:c1", r"cpu@L1D_PEND_MISS.FB_FULL\,cmask\=1@", "cpu/l1d_pend_miss.fb_full,cmask=0x1/"),
        ("ICACHE_16B.IFDATA_STALL:c1:e1", r"cpu@ICACHE_16B.IFDATA_STALL\,cmask\=1\,edge@", "cpu/icache_16b.ifdata_stall,edge=1,cmask=1/"),
        ("FP_ARITH_INST_RETIRED.128B_PACKED_DOUBLE:u0xfc", r"cpu@FP_ARITH_INST_RETIRED.128B_PACKED_DOUBLE\,umask\=0xFC@"),
        (r"topdown\-fe\-bound", "topdown-fe-bound", "PERF_METRICS.FRONTEND_BOUND"),
        ("slots", "TOPDOWN.SLOTS:perf_metrics", "cpu/slots/"),
        ("TSC", "msr@tsc@", "msr/tsc/"),
        ("cycles", "cpu-cycles", "CPU_CYCLES"),
        ("STALL_SLOT", "armv8_pmuv3_0/stall_slot/"),
        ("BR_INST_RETIRED.FAR_BRANCH:USER", "br_inst_retired.far_branch:u", "cpu/br_inst_retired.far_branch/u"),
        ("MEM_INST_RETIRED.X:R", "MEM_INST_RETIRED.X:retire_latency", "cpu_core@MEM_INST_RETIRED.X@R"),
        ("INST_RETIRED.ANY", "INSTR_RETIRED_ANY"),
        ("CPU_CLK_UNHALTED.THREAD", "CPU_CLK_UNHALTED_CORE"),
        ("CPU_CLK_UNHALTED.REF_TSC", "CPU_CLK_UNHALTED_REF"),
        ("uncore_imc/cas_count_read/", "imc@cas_count_read@"),
    ],
)
def test_one_event(spellings: tuple[str, ...]) -> None:
    assert len({event_key(each) for each in spellings}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("INST_RETIRED.ANY", "INST_RETIRED.ANY_P"),
        ("L1D_PEND_MISS.FB_FULL", "L1D_PEND_MISS.FB_FULL:c1"),
        ("X:c1", "X:c2"),
        ("X:u", "X:k"),
        ("X:R", "X"),
        ("cpu/X/R", "X"),
        ("cpu_core/cycles/", "cpu_atom/cycles/"),
        ("imc_0/event=0/", "imc_1/event=0/"),
        ("sched:sched_switch", "sched:sched_wakeup"),
    ],
)
def test_two_events(one: str, other: str) -> None:
    assert event_key(one) != event_key(other)


def test_a_column_is_found() -> None:
    columns = EventColumns(["cpu_core/inst_retired.any/u", "CYCLES", "x:u", "x:k", "y", "Y"])
    assert columns.find("INST_RETIRED.ANY") == "cpu_core/inst_retired.any/u"  # no ring named: user code's count will do
    assert columns.find("INST_RETIRED.ANY:SUP") is None
    assert columns.find("CPU_CLK_UNHALTED.THREAD") == "CYCLES"  # what perf's generic event counts
    assert columns.find("x") is None
    assert columns.several("x") == ("x:u", "x:k")
    assert (columns.find("y"), columns.find("Y")) == ("y", "Y")
    assert columns.find("z") is None


def test_a_generic_event_is_found_under_what_it_counts_and_the_most_usual_first() -> None:
    columns = EventColumns(["PAPI_TOT_INS", "INSTR_RETIRED_ANY", "br_misp_retired.all_branches:u", "ref-cycles"])
    assert columns.find("instructions") == "INSTR_RETIRED_ANY"
    assert columns.find("branch-misses") == "br_misp_retired.all_branches:u"
    assert columns.find("CPU_CLK_UNHALTED.REF_TSC") == "ref-cycles"
    assert columns.find("PAPI_BR_MSP") == "br_misp_retired.all_branches:u"
    assert columns.find("branches") is None
    assert columns.find("instructions:k") is None  # of a ring that was not counted


def test_the_event_itself_comes_before_the_generic_one() -> None:
    assert EventColumns(["instructions", "inst_retired.any"]).find("INST_RETIRED.ANY") == "inst_retired.any"


@pytest.mark.parametrize(("short", "event"), [("instr", "instructions"), ("Insns", "inst_retired"), ("cyc", "cycles")])
def test_short_names_of_logs_are_the_events(short: str, event: str) -> None:
    assert EventColumns([short]).find(event) == short
