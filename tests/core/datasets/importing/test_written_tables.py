"""Tables in HTML, LaTeX and key=value lines, numbers in base 16, runs side by side, and rows of parts of a machine."""

import time

import numpy as np
import pytest

from hemcore.datasets.importing.inspection import inspect
from hemcore.datasets.importing.other_forms import written_tables
from hemcore.datasets.importing.other_forms.line_pairs import pairs_of
from hemcore.datasets.importing.other_forms.written_tables import as_table
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.hardware_levels import at_level
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.subexperiments import Subexperiments
from tests.core.datasets.importing.test_samplers import read, seen, series

HTML = (
    "<!DOCTYPE html><html><body><p>a &lt; b</p><table><tr><td>of no interest</td></tr></table>"
    "<table><thead><tr><th>run</th><th>cycles &amp; more</th><th><b>instr</b>uctions</th></tr></thead>"
    "<tr><td>1</td><td>5</td><td>7</td></tr><tr><td>2<td>6<td>8</table></body></html>"
)
LATEX = r"""\begin{table}\begin{tabular}{l|r@{\,}r}
\toprule
program & cycles & cache\_misses \\ \midrule
fft & 1\,000 & \textbf{12} \\ % the best
sha & 2\,000 & 13 \\[2pt]
\bottomrule
\end{tabular}\end{table}
""".replace("\\begin{table}", "% made by a script\n\\begin{table}")
PAIRS = "".join(
    f'2026-03-11T09:15:{second:02d}Z level=info msg="a = b" cycles={100 + 3 * second % 7} instructions={5 * second % 12}\n'
    for second in range(12)
)


def test_the_largest_table_of_a_page_is_read() -> None:
    assert as_table(HTML) == "run,cycles & more,instructions\n1,5,7\n2,6,8\n"


def test_a_cell_over_two_columns_stands_over_the_first() -> None:
    assert as_table("<table><tr><td colspan=2>a</td><td>b</td></tr><tr><td>1</td><td>2</td><td>3</td></tr></table>") == "a,,b\n1,2,3\n"


@pytest.mark.parametrize("text", ["<p>no table</p>", "<table></table>", "<table><tr><td>1", "<tr><td>1</td></tr>", "<table colspan='x'>"])
def test_a_page_without_rows_is_no_table(text: str) -> None:
    assert as_table(text) is None


def test_a_tabular_is_read() -> None:
    assert as_table(LATEX) == "program,cycles,cache_misses\nfft,1000,12\nsha,2000,13\n"


def test_a_tabulars_cells_over_rows_and_columns_stand_in_the_first() -> None:
    rows = r"& \multicolumn{2}{c}{L2 \textbf{cache}} & c \\ \multirow[t]{2}{*}{fft} & 1 & 2 & 3 \\ & 4 & 5 & 6 \\"
    assert as_table(rf"\begin{{tabular}}{{lrrr}}{rows}\end{{tabular}}") == ",L2 cache,,c\nfft,1,2,3\n,4,5,6\n"


def test_lines_of_pairs_are_a_series() -> None:
    table = series(PAIRS)
    assert table.counts.columns.tolist() == ["cycles", "instructions"]
    assert table.counts["cycles"].tolist() == [100 + 3 * second % 7 for second in range(12)]
    assert table.counts["instructions"].tolist() == [5 * second % 12 for second in range(12)]


def test_a_time_without_values_is_no_record() -> None:
    assert as_table(RECORDS["clock"] + "12:00:09\n").count("\n") == 9


def test_a_key_that_a_line_lacks_is_empty() -> None:
    assert as_table("a=1 b=2\na=3 b=4 c=5\n\n") == "a,b,c\n1,2,\n3,4,5\n"


@pytest.mark.parametrize("text", ["a=1\nb=2\n", "a=1 b=2\n", "a=1 b=2\nplain\n", "a=1 b=2\nc=3 d=4\n", "x == 1\n"])
def test_other_lines_are_none(text: str) -> None:
    assert as_table(text) is None


def test_a_line_without_pairs_is_told() -> None:
    found = seen(PAIRS * 5 + "stopped\n" + PAIRS)
    assert found.result is not None
    assert any("row 62: a remark between the rows, left out: 'stopped'" in line for line in found.repairs)


RECORDS = {
    "sqlite": "".join(f"        time = {step}\n      cycles = {100 + step % 5}\ninstructions = 7\n\n" for step in range(1, 9)),
    "mysql": "".join(
        f"******** {step}. row ********\n  time: {step}\n  cycles: {100 + step % 5}\n  instructions: 7\n" for step in range(1, 9)
    ),
    "psql": "".join(
        f"-[ RECORD {step} ]+---\ntime         | {step}\ncycles | {100 + step % 5}\ninstructions | 7\n" for step in range(1, 9)
    ),
    "yaml": "---\n" + "".join(f"- time: {step}\n  cycles: {100 + step % 5}\n  instructions: 7\n" for step in range(1, 9)),
    "python": "".join(f"{{'time': {step}, 'cycles': {100 + step % 5}, 'instructions': 7}}\n" for step in range(1, 9)),
    "colons": "".join(f"[{step}.000] cycles: {100 + step % 5}, instructions: 7\n" for step in range(1, 9)),
    "influx": "".join(f"cpu,host=a cycles={100 + step % 5}i,instructions=7i {1772620000 + step}000000000\n" for step in range(1, 9)),
    "clock": "Attaching 3 probes...\n" + "".join(f"12:00:0{step}\ncycles: {100 + step % 5}\ninstructions: 7\n\n" for step in range(1, 9)),
}


@pytest.mark.parametrize("tool", RECORDS)
def test_records_are_rows(tool: str) -> None:
    table = series(RECORDS[tool])
    assert {event.removeprefix("@"): table.counts[event].tolist() for event in table.counts} == {
        "cycles": [100 + step % 5 for step in range(1, 9)],
        "instructions": [7] * 8,
    }
    assert np.diff(table.intervals["time"]).tolist() == [1] * 7


@pytest.mark.parametrize(
    "text", ["a: 1\nb: x\n", "a: 1\na: 2\na: 3\n", "a: 1\nb: 2\n\nwords alone\na: 3\nb: 4\na: 5\nb: 6\n", "cpu a=1,b=2\n"]
)
def test_other_lines_are_no_records(text: str) -> None:
    assert as_table(text) is None


def test_numbers_in_base_16_are_told() -> None:
    found = seen("time,cycles,instructions\n" + "".join(f"{step},{100 + step:#x},0X1F\n" for step in range(1, 9)), "f.csv")
    assert found.result is not None
    assert series(
        "time,cycles,instructions\n" + "".join(f"{step},{100 + step:#x},0X1F\n" for step in range(1, 9))
    ).counts.to_numpy().tolist() == [[100 + step, 31] for step in range(1, 9)]
    assert any("'0x65' is 101" in repair for repair in found.repairs)


def test_runs_side_by_side_are_told_apart() -> None:
    rows = "".join(f"{step},{step * 3 % 7},5,{step},{step * 5 % 7},6\n" for step in range(9))
    found = inspect([UploadedFile("f.csv", f"Run A,,,Run B,,\nt [s],cycles,instr,t [s],cycles,instr\n{rows}".encode())])
    assert found.summary.endswith("2 runs, 18 intervals, 2 events, OCOE")
    apart = f"Run A,,,Run B,,\nhost,cycles,instr,host,cycles,instr\n{rows}"  # nothing says which rows belong together
    assert "'Run A', 'Run B'), so these are runs side by side" in inspect([UploadedFile("f.csv", apart.encode())]).fault
    # One group is no two runs, and the same columns of cores are no runs.
    assert read(f"Notes,,Run A,\ntext,more,cycles,instr\n{''.join(f'a,b,{step},5{chr(10)}' for step in range(9))}", "f.csv")
    assert read(f"Core 0,,Core 1,\ncycles,instr,cycles,instr\n{''.join(f'{step},5,{step},7{chr(10)}' for step in range(9))}", "f.csv")


TURBOSTAT = (
    "Core\tCPU\tAvg_MHz\tBzy_MHz\tIRQ\tPkgWatt\n-\t-\t{}\t2400\t90\t45.4\n0\t0\t{}\t2400\t50\t45.4\n0\t1\t{}\t2400\t40\n"
    "1\t2\t70\t2400\t50\t45.4\n1\t3\t80\t2400\t40\n"
)


def test_the_row_of_the_whole_machine_is_left_out() -> None:
    found = seen("".join(TURBOSTAT.format(1500 + step, 1000 + step, 2000 + step) for step in range(8)))
    table = series("".join(TURBOSTAT.format(1500 + step, 1000 + step, 2000 + step) for step in range(8)))
    assert table.intervals["application"].unique().tolist() == ["CPU 0", "CPU 1", "CPU 2", "CPU 3"]
    speeds = table.counts["Avg_MHz"].groupby(table.intervals["application"]).apply(list)
    assert speeds.to_dict() == {
        "CPU 0": list(range(1000, 1008)),
        "CPU 1": list(range(2000, 2008)),
        "CPU 2": [70] * 8,
        "CPU 3": [80] * 8,
    }
    watts = table.counts["PkgWatt"].to_numpy()
    assert np.isnan(watts[table.intervals["application"] == "CPU 1"]).all()
    assert any("of the whole machine" in repair for repair in found.repairs)
    # 45.4 W of the one package, which stand on two of its threads, as in the row of the machine.
    assert at_level(table, "machine").counts["PkgWatt"].tolist() == [45.4] * 8


def machine(*names: str) -> str:
    """Three times of two sockets with two cores each; a column is left out where its name is empty."""
    rows = [[*names], *([t, s, c, 100 * (t % 2) + 10 * s + c, 5] for t in (1, 2, 3) for s in (0, 1) for c in (0, 1))]
    return "".join(",".join(str(cell) for cell, name in zip(row, names, strict=True) if name) + "\n" for row in rows)


def test_cores_of_two_sockets_are_four() -> None:
    table = series(machine("time", "socket", "core", "cycles", "instructions"))
    assert table.intervals["application"].unique().tolist() == ["socket 0 core 0", "socket 0 core 1", "socket 1 core 0", "socket 1 core 1"]
    assert table.counts["cycles"][(table.intervals["application"] == "socket 1 core 0").to_numpy()].tolist() == [110, 10, 110]


def test_a_thread_that_moves_between_cores_is_one() -> None:
    cores = [0, 1, 0, 1, 1, 0, 1, 1]
    rows = "".join(f"{1 + row // 2},{17 + row % 2},{core},{row},{2 * row}\n" for row, core in enumerate(cores))
    assert series(f"time,tid,cpu,cycles,instructions\n{rows}").intervals["application"].unique().tolist() == ["tid 17", "tid 18"]


def test_numbers_that_tell_rows_of_a_time_apart_are_names() -> None:
    rows = "".join(f"{t},{lane},{100 * t + lane},{7 * t + lane}\n" for t in (1, 2, 3) for lane in (0, 1))
    table = series(f"time,lane,cycles,instructions\n{rows}")
    assert table.counts.columns.tolist() == ["cycles", "instructions"]
    assert table.intervals["application"].unique().tolist() == ["0", "1"]


def test_rows_of_one_time_are_told() -> None:
    found = seen(machine("time", "disk", "lane", "cycles", "instructions"), "f.csv")
    assert any("9 of 12 rows have the time of the row before" in repair for repair in found.repairs)


def test_events_by_program_are_programs_and_by_run_are_runs() -> None:
    rows = f"cycles,{10},{20},{30}\ninstructions,5,6,7\nbranches,1,2,3\n"
    programs = read(f"event,fft,sha,crc\n{rows}", "f.csv").table
    assert isinstance(programs, PhaseTable)
    assert dict(zip(programs.frame["program"], programs.frame["cycles"], strict=True)) == {"fft": 10, "sha": 20, "crc": 30}
    runs = read(f"event,run 1,run 2,run 3\n{rows}", "f.csv").table
    assert isinstance(runs, Subexperiments)


def test_ranks_of_one_run_are_programs() -> None:
    rows = "".join(f"{rank};{10 + rank * 3 % 4}.5;{100 + rank}\n" for rank in range(6))
    table = read(f"Rank;Elapsed Time;Cycles\n{rows}", "f.csv").table
    assert isinstance(table, PhaseTable)
    assert table.frame["program"].tolist() == [f"Rank {rank}" for rank in range(6)]
    assert table.frame["Elapsed Time"].tolist() == [10.5, 13.5, 12.5, 11.5, 10.5, 13.5]


def test_a_column_called_name_beside_a_value_names_events() -> None:
    rows = "".join(f"{t},{event},{t * k % 7}\n" for t in range(1, 9) for event, k in (("cycles", 3), ("misses", 5)))
    table = series(f"time,name,value\n{rows}")
    assert table.counts.to_dict("list") == {"cycles": [t * 3 % 7 for t in range(1, 9)], "misses": [t * 5 % 7 for t in range(1, 9)]}


def test_one_event_in_all_rows_is_no_name_of_columns() -> None:
    rows = "".join(f"{t}.5 {cpu} tick {t * 3 % 5} {t * 5 % 7}\n" for t in range(1, 9) for cpu in (0, 1))
    assert series(f"time cpu event pic0 pic1\n{rows}").counts.columns.tolist() == ["pic0", "pic1"]


def test_rules_and_means_below_the_data_are_left_out() -> None:
    rows = "".join(f"12:00:{2 * step:02d} {step % 3}.5 {step % 4}.25\n" for step in range(12))
    assert len(series(f"Time Usr Watts\n{rows}-------- --- -----\nAverage 1.5 1.6\nGeoMean 1.4 1.5\n").counts) == 12


def test_a_date_and_a_time_joined_by_a_line() -> None:
    rows = "".join(f"2026-03-04_12:00:{step:02d},{step % 5},7\n" for step in range(9))
    table = series(f"Time,cycles,misses\n{rows}")
    assert table.intervals["time"].tolist() == [float(step) for step in range(1, 10)]


def test_the_log_of_windows_has_the_month_first() -> None:
    rows = "".join(f'"03/04/2026 12:00:{step:02d}.000","{step % 5}.5","7"\n' for step in range(9))
    text = f'"(PDH-CSV 4.0) (GMT)(0)","\\\\PC\\Processor(_Total)\\% Processor Time","\\\\PC\\Switches/sec"\n{rows}'
    assert str(series(text, "f.csv").intervals["date"].iloc[0]) == "2026-03-04 12:00:00"


@pytest.mark.parametrize(
    ("text", "tool"),
    [
        ('==1234== NVPROF is profiling process 1234\n"Kernel","Event Name","Min"\n"a","b",5\n', "nvprof"),
        ("tiptop - [root]\nTasks: 4\n", "tiptop"),
        ("# HELP a b\n# TYPE a counter\na 5\n", "one scrape of Prometheus"),
        ("metric,value,low,high,unit,scale,passed\nIPC,2,1,3,,1,\nCPI,.5,.3,1,,1,\n", "HEM Workbench computed"),
        ("run,interval,event,counted,estimate\n1,0,a,True,5\n1,1,a,False,6\n", "HEM Workbench computed"),
        ("first,second,r,rows\na,b,0.5,9\na,c,0.4,9\n", "HEM Workbench computed"),
    ],
)
def test_what_is_no_table_is_told(text: str, tool: str) -> None:
    found = seen(text, "f.csv")
    assert found.result is None
    assert tool in found.fault


def test_a_page_is_read_in_pieces_as_in_one(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = as_table(HTML)
    monkeypatch.setattr(written_tables, "_FED", 7)
    assert as_table(HTML) == whole


def test_a_value_between_quotes_may_be_empty() -> None:
    lines = [f"a: '', b: \"{each}\", c: 'd', e: {each}" for each in range(3)]
    assert as_table("\n".join([*lines, ""])) == "a,b,c,e\n,0,d,0\n,1,d,1\n,2,d,2\n"


def test_an_empty_value_between_quotes_is_no_value() -> None:
    assert pairs_of("cycles=5, note='', misses=2") == [("cycles", "5"), ("note", ""), ("misses", "2")]


def test_what_is_no_pair_within_a_line_of_pairs_is_told() -> None:
    lines = [f"time={row} cycles={row * 7} misses={row * 3}" for row in range(1, 6)]
    lines[3] = lines[3].replace("misses", "mis{ses")
    found = inspect([UploadedFile("f.log", "\n".join(lines).encode())])
    assert found.result is not None
    assert found.result.table.counts["cycles"].tolist() == [7, 14, 21, 28, 35]
    assert any("not read as key=value" in line for line in found.repairs)


def test_blocks_under_lines_that_number_or_name_them() -> None:
    blocks = "{}\ncycles\t5\nfaults   1,024\n\n{}\ncycles\t7\n"
    assert as_table(blocks.format("--- run 3 ---", "--- run 4 ---")) == 'run,cycles,faults\n3,5,"1,024"\n4,7,\n'
    assert as_table(blocks.format("== fft ==", "== lu ==")) == 'name,cycles,faults\nfft,5,"1,024"\nlu,7,\n'
    for other in (blocks.format("=== 1 ===", "done"), "--- 1 ---\na\t5\n--- 2 ---\nb\t5\n", "--- 1 ---\na\t5\na\t6\n--- 2 ---\na\t5\n"):
        assert "name" not in (as_table(other) or "")
        assert "run" not in (as_table(other) or "")


@pytest.mark.parametrize("line", ["a" * 300_000, "run 1: " + "7" + " " * 100_000 + "b", "e1 " * 30_000], ids=["letters", "blanks", "words"])
def test_one_long_line_among_pairs_takes_no_square_of_its_length(line: str) -> None:
    start = time.process_time()
    as_table("cycles: 5 misses: 7\ncycles: 6 misses: 8\n" + line + "\n")
    as_table("run: 1\ncycles: 5\n\nrun: 2\ncycles: 6\n\nrun: 3\ncycles: 7\n" + line + "\n")
    assert time.process_time() - start < 10  # hundredths of a second; a search from each of its letters takes half a minute


def test_names_of_pairs_begin_where_words_do() -> None:
    assert as_table("cycles: 5 L1-misses: 7\ncycles: 6 L1-misses: 8\n") == "cycles,L1-misses\n5,7\n6,8\n"
    assert as_table("cycles: 5, 'cache misses': 7\ncycles: 6, 'cache misses': 8\n") == "cycles,cache misses\n5,7\n6,8\n"
