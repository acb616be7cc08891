"""Dumps and profiles with marks of their own, by hand from each tool's documentation: the table that comes out."""

import pytest

from hemcore.datasets import CounterSeries, PhaseTable, Subexperiments
from hemcore.datasets.importing.inspection import Preview, inspect
from hemcore.datasets.importing.other_forms import tool_dumps
from hemcore.datasets.importing.profiles import profile_tables
from hemcore.datasets.readers.uploaded_files import UploadedFile

RULE = "-" * 80 + "\n"


def seen(text: str, name: str = "f.txt") -> Preview:
    return inspect([UploadedFile(name, text.encode())])


def phases(text: str, name: str = "f.txt") -> dict[str, list[float]]:
    """The counters by name, and the programs under ""."""
    found = seen(text, name)
    assert isinstance(found.result.table, PhaseTable), found.fault
    frame = found.result.table.frame
    return {"": frame["program"].tolist()} | {name: frame[name].tolist() for name in found.result.table.counters}


VALGRIND = (
    "version: 1\npositions: line\nevents: Ir Dr\nfl=(1) main.c\nfn=(1) main\n16 20 3\ncfn=(2) work\ncalls=1 30\n16 1000 99\n+2 30\n\n"
    "fn=(2)\n30 400 7\n* 600\n\nfl=(2) lib.c\nfn=(3) memset\n3 250 1\n\ntotals: 1300 11\n"
)
ANNOTATED = (
    f"{RULE}Events shown:     Ir Dr\n{RULE}Ir  Dr \n{RULE}27,742,716 (100.0%) 5,000 (100.0%)  PROGRAM TOTALS\n\n{RULE}"
    f"Ir  Dr   file:function\n{RULE} 8,821,482 (31.8%) 1,000 (20.0%)  a.c:get(char*, int)\n 2,649,248  (9.6%)         .   ???:strcmp\n\n"
    f"{RULE}-- Auto-annotated source: a.c\n{RULE} 5,000 (1.0%) 3 (0.1%)  int x = 3;\n"
)
NCU = '"ID","Process ID","Process Name","Kernel Name","Metric Name","Metric Unit","Metric Value"\n' + "".join(
    f'"{at}","7","app","{kernel}","{metric}","{unit}","{value}"\n'
    for at, kernel, metric, unit, value in [
        (0, "gemm(float *, int)", "cycles.avg", "cycle", "120,034"), (0, "gemm(float *, int)", "bytes.sum", "Mbyte", "1.5"),
        (1, "axpy", "cycles.avg", "cycle", "412"), (1, "axpy", "bytes.sum", "Kbyte", "640"),
    ]
)  # fmt: skip
TAU = (
    f"NODE 0;CONTEXT 0;THREAD 0:\n{RULE}%Time    Exclusive    Inclusive       #Call      #Subrs  Inclusive Name\n"
    f"              msec   total msec                          usec/call\n{RULE}"
    "100.0        1,234     1:05.678           1           5    5678000 main\n"
    " 20.0          900        1,000          50          10      20000 MPI_Send()\n\n"
    "FUNCTION SUMMARY (mean):\n 20.0  1  1  50  10  20 MPI_Send()\n"
)
GO = "pkg: x\nBenchmarkFFT-8   \t  1000\t  1250 ns/op\t  48 B/op\nBenchmarkSHA-8   \t   500\t  2500.5 ns/op\nPASS\n"
PPROF = "Total: 10 samples\n       6  60.0%  60.0%        9  90.0% std::sort\n       4  40.0% 100.0%        4  40.0% memcpy\n"
DARSHAN = "# darshan log version: 3.41\n#<module>\t<rank>\t<record id>\t<counter>\t<value>\t<file name>\t<mount pt>\t<fs type>\n" + "".join(
    f"POSIX\t-1\t{record}\t{counter}\t{value}\t/{file}\t/\tnfs\n"
    for record, file, counter, value in [
        (1, "a", "POSIX_OPENS", 16),
        (1, "a", "POSIX_MMAPS", -1),
        (2, "b", "POSIX_OPENS", 4),
        (2, "b", "POSIX_MMAPS", 3),
        (1, "a", "POSIX_READS", 5),
        (2, "b", "POSIX_READS", 6),
    ]
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (VALGRIND, {"": ["main.c:main", "main.c:work", "lib.c:memset"], "Ir": [50, 1000, 250], "Dr": [3, 7, 1]}),
        (ANNOTATED, {"": ["a.c:get(char*, int)", "???:strcmp"], "Ir": [8_821_482, 2_649_248], "Dr": [1_000, 0]}),
        (NCU, {"": ["gemm(float *, int)", "axpy"], "cycles.avg [cycle]": [120_034, 412], "bytes.sum [byte]": [1.5e6, 640e3]}),
        (
            TAU,
            {
                "": ["main", "MPI_Send()"], "exclusive [ms]": [1_234, 900], "inclusive [ms]": [65_678, 1_000], "calls": [1, 50],
                "subroutines": [5, 10],
            },
        ),
        (PPROF, {"": ["std::sort", "memcpy"], "flat": [6, 4], "cum": [9, 4]}),
    ],
)  # fmt: skip
def test_profiles_have_a_row_per_function(text: str, expected: dict[str, list[float]]) -> None:
    assert phases(text) == expected


@pytest.mark.parametrize(("folder", "metric"), [("profile.*", ""), ("MULTI__PAPI_TOT_CYC/profile.*", "PAPI_TOT_CYC ")])
def test_what_tau_counted_is_no_time(folder: str, metric: str) -> None:
    counted = TAU.replace("msec   total msec                          usec/call", "counts total counts")
    counted = counted.replace("1,234     1:05.678", "12034   9.1E+11").replace("900        1,000", "900 1000")
    assert phases(f"Reading Profile files in {folder}\n\n{counted}") == {
        "": ["main", "MPI_Send()"], f"{metric}exclusive [counts]": [12_034, 900], f"{metric}inclusive [counts]": [9.1e11, 1_000],
        "calls": [1, 50], "subroutines": [5, 10],
    }  # fmt: skip


def test_values_that_a_profile_lacks_are_missing() -> None:
    found = phases(GO)
    assert found[""] == ["BenchmarkFFT-8", "BenchmarkSHA-8"]
    assert found["ns/op"] == [1250, 2500.5]
    assert found["B/op"][0] == 48
    assert found["B/op"][1] != found["B/op"][1]
    found = phases(DARSHAN)
    assert (found[""], found["POSIX_OPENS"]) == (["/a", "/b"], [16, 4])
    assert found["POSIX_MMAPS"][0] != found["POSIX_MMAPS"][0]


@pytest.mark.parametrize(
    "text",
    [
        "% Weka\n@relation r\n@attribute run numeric\n@attribute 'cache misses' numeric\n@data\n1,50\n2,70\n3,?\n",
        "BEGIN TRANSACTION;\nCREATE TABLE c(run INTEGER, \"cache misses\" INT, PRIMARY KEY(run));\n"
        + "".join(f"INSERT INTO c VALUES({at},{v});\n" for at, v in ((1, 50), (2, 70), (3, "NULL"))),
        "-- MySQL dump\nINSERT INTO `c` (`run`, `cache misses`) VALUES (1,50),(2,70),(3,NULL);\n",
    ],
)  # fmt: skip
def test_dumps_of_runs(text: str) -> None:
    table = seen(text).result.table
    assert isinstance(table, Subexperiments)
    assert list(table.frames[0]) == ["cache misses"]
    assert table.frames[0]["cache misses"].tolist() == [50, 70]


def test_octave_massif_and_totals_of_darshan() -> None:
    form = "# name: {}\n# type: matrix\n# rows: 3\n# columns: 1\n"
    octave = f"# Created by Octave\n{form.format('cycles')} 5\n 7\n 6\n\n\n{form.format('m')} 1\n 2\n 3\n"
    assert tool_dumps.as_table("o", octave) == "cycles,m\n5,1\n7,2\n6,3\n"
    massif = "".join(f"snapshot={at}\ntime={at * 5}\nmem_heap_B={at + 10}\nmem_stacks_B=0\n" for at in range(3))
    assert (
        tool_dumps.as_table("m", "time_unit: ms\n" + massif)
        == "interval,time [ms],mem_heap_B,mem_stacks_B\n0,0,10,0\n1,5,11,0\n2,10,12,0\n"
    )
    assert tool_dumps.as_table("m", "time_unit: i\n" + massif).splitlines()[2] == "1,5 i,11,0"
    assert tool_dumps.as_table("d", "# darshan log version: 3.41\ntotal_A: 5\ntotal_B: -1\n") == "total_A,total_B\n5,\n"


def test_iostat_is_one_row_per_report() -> None:
    text = (
        "Linux 6.1 (n7) \t11/12/2026 \t(2 CPU)\n\n"
        + "".join(
            f"11/12/2026 12:59:{58 + at:02d} AM\navg-cpu:  %user   %idle\n          1{at}.5   80.0\n\n"
            "Device   r/s   w/s\n"
            f"sda   {at}.0   2.0\nsdb   3.0   {at}.5\n\n"
            for at in range(2)
        )
        + "11/12/2026 01:00:00 AM\navg-cpu:  %user   %idle\n          12.5   80.0\n\nDevice   r/s   w/s\nsda   2.0   2.0\nsdb   3.0   2.5\n"
    )
    found = seen(text)
    table = found.result.table
    assert isinstance(table, CounterSeries)
    assert list(table.counts) == ["avg-cpu %user", "avg-cpu %idle", "sda r/s", "sda w/s", "sdb r/s", "sdb w/s"]
    assert table.counts["sdb w/s"].tolist() == [0.5, 1.5, 2.5]
    assert table.intervals["time"].tolist() == [1, 2, 3]
    assert "means since the machine started" in " ".join(found.repairs)


def test_what_is_no_dump_is_left_alone() -> None:
    for text in ("time,cycles\n1,2\n", "# name of the run: 3\ntime cycles\n1 2\n", "Benchmark,ns\na,5\n", "snapshot=1\nnothing\n"):
        assert tool_dumps.as_table("f", text) is None
        assert profile_tables.as_table(text) is None
    two = "CREATE TABLE a(x INT);\nINSERT INTO a VALUES(1);\nCREATE TABLE b(x INT);\nINSERT INTO b VALUES(1);\n"
    assert "rows of 2 tables (a, b)" in seen(two).fault


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "run,cycles,misses\n1,5,6\n2,7,8\n3,5,6\n\nhost,loads,stores\n1,2,3\n2,3,4\n3,2,1\n",
            "row 6: a second table with other columns begins (host, loads, stores)",
        ),
        ("[[0.5, 7], [1.0, 8]]", "JSON without names of columns"),
    ],
)  # fmt: skip
def test_refusals_name_the_cure(text: str, said: str) -> None:
    found = seen(text)
    assert said in (found.fault or found.why)
    assert found.fault or found.doubts


def test_blank_lines_in_front_are_passed_over_one_by_one() -> None:
    """Fifty of them took longer than any one waits: a pattern tried every way to share them out."""
    assert tool_dumps.as_table("f.txt", "\n" * 50 + "a,b\n1,2\n") is None
    assert tool_dumps.as_table("f.arff", "\n% made\n\n @RELATION r\n@attribute a real\n@attribute b real\n@data\n1,2\n") == "a,b\n1,2\n"


def test_a_dump_of_sql_without_rows_is_no_table() -> None:
    assert tool_dumps.as_table("f.sql", "CREATE TABLE a (b int);\n") is None
    assert tool_dumps.as_table("f.txt", "x\nINSERT INTO a (b, c) VALUES (1, 2), (3, 4);\n") is None
