"""Reports of gem5, simpleperf, likwid-bench, VTune and perf script, and names and numbers within lines: one row each."""

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.importing.date_times import clock_seconds, kind_of
from hemcore.datasets.importing.inspection import inspect
from hemcore.datasets.importing.other_forms.aligned_columns import aligned
from hemcore.datasets.importing.other_forms.line_pairs import pairs_of
from hemcore.datasets.importing.other_forms.lost_lines import note_of
from hemcore.datasets.importing.other_forms.tool_reports import as_table
from hemcore.datasets.readers.monitoring.promtool import results_of
from hemcore.datasets.readers.uploaded_files import UploadedFile
from tests.core.datasets.importing.test_samplers import series

GEM5 = (
    "\n---------- Begin Simulation Statistics ----------\nsimInsts  {} # instructions (Count)\nipc  0.5 # IPC\nlat::0-1  7  3.10% # bin\n"
    "\n---------- End Simulation Statistics   ----------\n"
)


def test_each_dump_of_gem5_is_an_interval() -> None:
    assert as_table(GEM5.format(5)) == "simInsts,ipc,lat::0-1\n5,0.5,7\n"
    assert as_table(GEM5.format(5) + GEM5.format(6)) == "interval,simInsts,ipc,lat::0-1\n1,5,0.5,7\n2,6,0.5,7\n"


def test_simpleperfs_times_keep_their_unit() -> None:
    text = (
        "Performance counter statistics:\n\n#  count  event_name\n 5,122  cpu-cycles  # 1 GHz\n  81.5(ms)  task-clock  # 0.9\n\nTotal: 2\n"
    )
    assert as_table(text) == "cpu-cycles,task-clock [ms]\n5122,81.5\n"
    rows = "5122,cpu-cycles,1.8,GHz,\n81.5(ms),task-clock,0.9,cpus used,\nTotal test time,0.2,seconds,\n"
    assert as_table(f"Performance counter statistics,\n{rows}") == "cpu-cycles,task-clock [ms]\n5122,81.5\n"


def test_a_report_of_likwid_bench_is_a_run_of_its_test() -> None:
    report = "---\nLIKWID MICRO BENCHMARK\nTest: {}\n---\nRunning without it.\nCycles:\t58\nTime:\t2.5e+00 sec\nMByte/s:\t\t7.5\n"
    assert as_table(report.format("copy")) == "Cycles,Runtime [s],MByte/s\n58,2.5e+00,7.5\n"
    assert as_table(report.format("copy") + report.format("triad")) == (
        "Test,Cycles,Runtime [s],MByte/s\ncopy,58,2.5e+00,7.5\ntriad,58,2.5e+00,7.5\n"
    )


def test_vtunes_summary_is_one_row_without_its_words() -> None:
    rows = (
        "0,Elapsed Time,12.5s\n1,CPI Rate,1.25\n0,Top-down,40%\n1,CPI Rate,0.5\n0,Command,./app 3\n1,Hardware Event Type,Count\n1,INST,7\n"
    )
    assert as_table(f"Hierarchy Level,Metric Name,Metric Value\n{rows}") == (
        "Elapsed Time,CPI Rate,Top-down,Top-down CPI Rate,INST\n12.5s,1.25,40%,0.5,7\n"
    )


def test_what_perf_stat_record_kept_is_scaled_where_it_was_counted_in_part() -> None:
    head, rows = (
        "CPU   THREAD  VAL  ENA  RUN  TIME EVENT\n",
        " -1  9  10  4  4  1000 cycles\n -1  9  10  4  1  1000 misses\n -1  9  0  4  0  2000 cycles\n",
    )
    assert as_table(head + rows) == "time [ns],event,value\n1000,cycles,10\n1000,misses,40\n2000,cycles,\n"
    assert as_table(head + "  0 -1  10  4  4  1000 cycles\n  1 -1  12  4  4  1000 cycles\n") == (
        "time [ns],CPU,event,value\n1000,0,cycles,10\n1000,1,cycles,12\n"
    )


@pytest.mark.parametrize(
    ("line", "pairs"),
    [
        ("Run 0: CYC = 5 L2_DCM = 7", [("Run", "0"), ("CYC", "5"), ("L2_DCM", "7")]),
        (">>> t=100 ms | IPS: 7 | temp: 40.3 C", [("t", "100 ms"), ("IPS", "7"), ("temp", "40.3 C")]),
        ("CPU 0 instructions: 10 cycles: 8 mean IPC: 1.2", [("CPU", "0"), ("instructions", "10"), ("cycles", "8"), ("mean IPC", "1.2")]),
        ("[iter 3] time = 1.25 s cycles = 1,234 misses = 12", [("iter", "3"), ("time", "1.25 s"), ("cycles", "1,234"), ("misses", "12")]),
    ],
)
def test_names_and_numbers_of_a_line_are_pairs_whatever_parts_them(line: str, pairs: list[tuple[str, str]]) -> None:
    assert pairs_of(line) == pairs


def test_days_and_months_without_a_year_make_a_time_that_goes_on() -> None:
    cells = pd.Series(["31-12 23:59:59", "01-01 00:00:01", "02-01 00:00:01"])
    assert kind_of(cells[0]) == "clock"
    assert np.diff(clock_seconds("f", cells)[0]).tolist() == [2, 86_400]
    assert np.diff(clock_seconds("f", pd.Series(["01/12 10:00:00", "01/13 10:00:00"]))[0]).tolist() == [86_400]
    assert np.diff(clock_seconds("f", pd.Series(["02/01 10:00:00", "03/01 10:00:00"]))[0]).tolist() == [86_400]  # sooner than a month


def test_minutes_may_be_followed_by_thousandths_and_millionths() -> None:
    assert clock_seconds("f", pd.Series(["00:01.100.123", "01:00.000.000"]))[0].tolist() == [1.100123, 60]


def test_a_group_written_over_each_of_its_columns_is_a_part_of_their_names() -> None:
    rows = "".join(f"2026-03-0{day},10:00:00,{day},{day % 3}\n" for day in range(1, 8))
    table = series(f"System,System,Socket 0,Socket 1\nDate,Time,IPC,IPC\n{rows}")
    assert table.counts.columns.tolist() == ["Socket 0 IPC", "Socket 1 IPC"]


def test_what_promtool_prints_is_read_as_its_json() -> None:
    text = 'up{instance="n1:9100"} =>\n1 @[60]\nodd\n{__name__="load", job="a\\"b"} =>\n2.5 @[60.5]\n'
    assert results_of(text) == [
        {"metric": {"__name__": "up", "instance": "n1:9100"}, "values": [["60", "1"], "odd"]},
        {"metric": {"__name__": "load", "job": 'a\\"b'}, "values": [["60.5", "2.5"]]},
    ]
    found = inspect([UploadedFile("p.txt", b'up{instance="n1:9100"} =>\n1 @[60]\n3 @[75]\n')])
    assert found.result is not None, found.fault
    assert found.result.table.counts["up"].tolist() == [1, 3]


def test_what_toplev_prints_for_people_is_read() -> None:
    head = "Will measure complete system.\n# 4.7-full on Intel(R) Core [skl]\n"
    rows = "1.5  C0  FE  Frontend_Bound  % Slots   31.2  [25.0%]\n1.5  C0  BE/Mem  Backend_Bound.Memory  % Slots   1,234.5 <  [25.0%]<==\n"
    found = inspect([UploadedFile("t.txt", (head + rows).encode())])
    assert found.result is not None, found.fault
    assert found.result.table.counts.to_dict("list") == {"Frontend_Bound [% Slots]": [31.2], "Backend_Bound.Memory [% Slots]": [1234.5]}
    assert found.result.table.intervals["time"].tolist() == [1.5]


def test_the_rows_before_sars_restart_are_read() -> None:
    head, rows = "12:00:01 AM     CPU     %user\n", "12:{}0:01 AM     all     {}.5\n"
    text = "\n" + head + rows.format(1, 7) + rows.format(2, 8) + "\n12:25:44 AM       LINUX RESTART\t(8 CPU)\n\n"
    assert series(text + head.replace("00:01", "30:01") + rows.format(4, 9) + rows.format(5, 3)).counts["%user"].tolist() == [
        7.5,
        8.5,
        9.5,
        3.5,
    ]


def test_a_header_that_comes_again_within_a_course_parts_no_table() -> None:
    head, rows = "#  time   bad speculation   back end\n", "   {}.0            {}.5%       1.5%\n"
    text = "perf\n" + head + rows.format(1, 4) + rows.format(2, 5) + head + rows.format(3, 6) + rows.format(4, 7)
    found = aligned(text)
    assert found is not None
    assert (found.first, found.last, found.rows) == (2, 7, 4)
    again = aligned("perf\n" + head + rows.format(1, 4) + rows.format(2, 5) + head + rows.format(1, 6) + rows.format(2, 7))
    assert again is not None
    assert again.rows == 2


def test_what_comes_and_goes_while_the_time_goes_on_numbers_no_runs() -> None:
    rows = "".join(f"10:00:0{second},{1 + second % 3},{7 + second % 2}\n" for second in range(8))
    table = series(f"Time,Run,Sys\n{rows}")
    assert table.counts.columns.tolist() == ["Run", "Sys"]
    assert table.intervals["run"].unique().tolist() == [1]


def test_what_falls_within_programs_is_how_long_each_row_took() -> None:
    rows = "".join(f"{('a', 'b')[row % 2]},{time},{row % 3}\n" for row, time in enumerate([9, 8, 7, 8, 5, 3, 6, 1]))
    found = inspect([UploadedFile("f.csv", f"Application,TIME(s),cycles\n{rows}".encode())])
    assert found.recipe is not None
    assert [column.role for column in found.recipe.columns] == ["program", "event", "event"]


def test_columns_with_a_name_for_each_cell_are_parted_by_blanks() -> None:
    rows = "".join(f"10:00:0{second} 5{second}.5   0.0     {3 - second % 3}  780{second}\n" for second in range(4))
    found = inspect([UploadedFile("p.txt", f"Running for 4 s.\n\n  Time    User  Nice  Run Ctxt/s\n{rows}".encode())])
    assert found.recipe is not None
    assert [column.name for column in found.recipe.columns] == ["Time", "User", "Nice", "Run", "Ctxt/s"]


def test_processors_alone_with_their_times_are_read() -> None:
    dated = "".join(f"03/24/2026 10:00:0{at}\navg-cpu:  %user   %idle\n          1{at}.5   80.0\n\n" for at in range(3))
    assert series(f"Linux 6.1 (n1) \t03/24/2026\n\n{dated}").counts["avg-cpu %user"].tolist() == [10.5, 11.5, 12.5]


def test_forges_report_is_one_row_of_its_numbers() -> None:
    text = "command,/home/jo/hpl\nprocesses,16\ncpu,71.2\nmachine,n7\nmpi,24.1\n"
    assert as_table(text) == "processes,cpu,mpi\n16,71.2,24.1\n"
    assert as_table(text.replace("/home/jo/", "")) is None


def test_lines_whose_numbers_stand_in_no_row_are_told() -> None:
    assert note_of("a 1,234\nb 5678 1234\nof 2026\n", "x,y\n1234,2026\n") == ""
    assert note_of("a 1.5678e3 x\nb 7777\nc 9999\nd 12\n", "x\n15678\n") == (
        "lines with numbers that stand in no row of the table: 2, as 'b 7777'."
    )
    assert note_of("", "") == ""
    block = "---------- Begin Simulation Statistics ----------\ncycles  81234  # n\n---------- End Simulation Statistics   ----------\n"
    found = inspect([UploadedFile("stats.txt", f"{block * 3}flops  98765\n".encode())])
    assert [each for each in found.repairs if "no row" in each] == [
        "stats.txt: lines with numbers that stand in no row of the table: 1, as 'flops  98765'."
    ]
    assert found.result.table.events == ["cycles"]


def test_a_report_of_powertop_of_two_tables_is_refused_and_one_table_is_read() -> None:
    one = " * * *   Top 10 Power Consumers   * * *\n\nUsage;Events/s;Category\n 90.0 ms/s;300.5;Process\n 45.0 ms/s;150.5;Timer\n"
    two = f"{one}\n * * *   Processor Idle State Report   * * *\n\nPackage;0\nC1;3.2%\n"
    assert inspect([UploadedFile("p.csv", one.encode())]).result is not None
    assert "is PowerTOP's report of several tables" in inspect([UploadedFile("p.csv", two.encode())]).fault
