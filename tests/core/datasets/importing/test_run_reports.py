"""What tools print of one run: Valgrind's totals, CoreMark, qacct; and how scorep-score, gprof and SPEC CPU list their results."""

import pytest

from hemcore.datasets.importing.inspection import inspect
from hemcore.datasets.importing.profiles.run_reports import as_table
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.subexperiments import Subexperiments

CACHEGRIND = """==9== Cachegrind, a cache and branch-prediction profiler
==9== Command: ./a.out 5
==9==
==9== I   refs:      1,234
==9== I1  miss rate:  0.50%
==9== D   refs:        400  (300 rd + 100 wr)
==9== LLd misses:       12  ( 10 rd +   2 wr)
==9== Branches:         60  ( 50 cond + 10 ind)
"""
COREMARK = """CoreMark Size    : 666
Total ticks      : 15000
Total time (secs): 15.000000
Iterations/Sec   : 7000.5
Iterations       : 105008
Compiler version : GCC12
[0]crclist       : 0xe714
"""
QACCT = """==============================================================
qname        all.q
jobname      md
jobnumber    {number}
exit_status  0
ru_wallclock 100s
ru_minflt    {faults}
maxvmem      123.4M
"""
SCOREP = """
Estimated aggregate size of event trace:  156kB

flt     type max_buf[B] visits time[s] time[%] time/visit[us]  region
         ALL      9,000    110   10.50   100.0       95454.00  ALL
         USR      8,000     90    7.00    66.7       77777.00  USR
         MPI      1,000     20    3.50    33.3      175000.00  MPI
"""
REGIONS = """
  -      USR      8,000     90    7.00    66.7       77777.00  foo(int, long)
         MPI      1,000     20    3.50    33.3      175000.00  MPI_Send
"""
SPEC = """valid,1

"Full Results Table"

Benchmark,"Base # Copies","Base Run Time","Base Rate","Base Selected"
500.a_r,1,400.5,3.5,0
500.a_r,1,401.5,3.4,1
502.b_r,1,500,2.5,1

"Selected Results Table"

Benchmark,"Base # Copies","Base Run Time"
500.a_r,1,401.5
"""


def seen(text: str, name: str = "print.txt") -> object:
    shown = inspect([UploadedFile(name, text.encode())])
    assert shown.result is not None, shown.fault
    assert not shown.doubts, shown.doubts
    return shown.result.table


def test_totals_of_valgrind_are_a_run_without_rates() -> None:
    table = seen(CACHEGRIND)
    assert isinstance(table, Subexperiments)
    assert table.frames[0].to_dict("list") == {"I refs": [1234], "D refs": [400], "LLd misses": [12], "Branches": [60]}
    again = seen(CACHEGRIND + CACHEGRIND.replace("==9==", "==10==").replace("1,234", "1,235"))
    assert isinstance(again, Subexperiments)
    assert again.frames[0]["I refs"].tolist() == [1234, 1235]


def test_callgrinds_totals_of_two_commands_are_programs() -> None:
    text = "".join(f"=={run}== Command: ./p{run}\n=={run}== Events    : Ir Dr\n=={run}== Collected : {run}00 {run}\n" for run in (1, 2))
    table = seen(text)
    assert isinstance(table, PhaseTable)
    assert table.frame["program"].tolist() == ["./p1", "./p2"]
    assert table.frame[["Ir", "Dr"]].to_numpy().tolist() == [[100, 1], [200, 2]]


def test_coremark_again_and_again_is_runs() -> None:
    table = seen(COREMARK + COREMARK.replace("7000.5", "7001.5"))
    assert isinstance(table, Subexperiments)
    assert table.frames[0]["Iterations/Sec"].tolist() == [7000.5, 7001.5]
    assert table.frames[0].columns.tolist() == ["Total ticks", "Total time [s]", "Iterations/Sec", "Iterations"]


def test_jobs_of_qacct_keep_what_they_used() -> None:
    table = as_table(QACCT.format(number=7, faults=50) + QACCT.format(number=8, faults=60).replace("md", "qm"))
    assert table is not None
    assert table.splitlines() == [
        "program,granularity,ru_wallclock,ru_minflt,maxvmem",
        "md,whole run,100,50,123.4M",
        "qm,whole run,100,60,123.4M",
    ]
    assert as_table(QACCT.replace("qname", "name")) is None


@pytest.mark.parametrize(
    ("more", "rows"),
    [
        ("", {"USR": [8000, 90, 7], "MPI": [1000, 20, 3.5]}),
        (REGIONS, {"foo(int, long)": [8000, 90, 7], "MPI_Send": [1000, 20, 3.5]}),
    ],
)
def test_regions_of_scorep_score_are_read_or_their_groups(more: str, rows: dict[str, list[float]]) -> None:
    table = seen(SCOREP + more)
    assert isinstance(table, PhaseTable)
    assert table.frame["program"].tolist() == list(rows)
    assert table.frame[["max_buf [B]", "visits", "exclusive [s]"]].to_numpy().tolist() == list(rows.values())


def test_all_runs_of_spec_cpu_are_read_once() -> None:
    table = seen(SPEC, "CPU2017.csv")
    assert isinstance(table, PhaseTable)
    assert table.frame["program"].tolist() == ["500.a_r", "500.a_r", "502.b_r"]
    assert table.frame[["Base Run Time", "Base Rate"]].to_numpy().tolist() == [[400.5, 3.5], [401.5, 3.4], [500, 2.5]]


def test_the_flat_profile_of_gprof_counts_calls() -> None:
    head = (
        "Flat profile:\n\n  %   cumulative   self              self     total\n time   seconds   seconds    calls  ms/call  ms/call  name\n"
    )
    table = seen(f"{head} 60.0  3.00  3.00  40  75.0  80.0  dot(int, int)\n 40.0  5.00  2.00  20  90.0  99.0  main\n\n %  the share\n")
    assert isinstance(table, PhaseTable)
    assert table.frame["program"].tolist() == ["dot(int, int)", "main"]
    assert table.frame[["self [s]", "calls"]].to_numpy().tolist() == [[3, 40], [2, 20]]
