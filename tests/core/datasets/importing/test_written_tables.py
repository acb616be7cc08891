"""Tables in HTML, LaTeX and key=value lines, numbers in base 16, runs side by side, and rows of parts of a machine."""

import numpy as np
import pytest

from hemcore.datasets.importing.inspection import inspect
from hemcore.datasets.importing.other_forms.written_tables import as_table
from hemcore.datasets.readers.uploaded_files import UploadedFile
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


def test_lines_of_pairs_are_a_series() -> None:
    table = series(PAIRS)
    assert table.counts.columns.tolist() == ["cycles", "instructions"]
    assert table.counts["cycles"].tolist() == [100 + 3 * second % 7 for second in range(12)]
    assert table.counts["instructions"].tolist() == [5 * second % 12 for second in range(12)]


def test_a_key_that_a_line_lacks_is_empty() -> None:
    assert as_table("a=1 b=2\na=3 b=4 c=5\n\n") == "a,b,c\n1,2,\n3,4,5\n"


@pytest.mark.parametrize("text", ["a=1\nb=2\n", "a=1 b=2\n", "a=1 b=2\nplain\n", "a=1 b=2\nc=3 d=4\n", "x == 1\n"])
def test_other_lines_are_none(text: str) -> None:
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
    assert found.result is None
    assert "runs side by side" in found.fault
    assert "'Run A', 'Run B'" in found.fault
    # The same columns of cores are no runs.
    assert read(f"Core 0,,Core 1,\ncycles,instr,cycles,instr\n{''.join(f'{step},5,{step},7{chr(10)}' for step in range(9))}", "f.csv")


TURBOSTAT = "Core\tCPU\tAvg_MHz\tBzy_MHz\tIRQ\tPkgWatt\n-\t-\t{}\t2400\t90\t45.4\n0\t0\t{}\t2400\t50\t45.4\n0\t1\t{}\t2400\t40\n"


def test_the_row_of_the_whole_machine_is_left_out() -> None:
    found = seen("".join(TURBOSTAT.format(1500 + step, 1000 + step, 2000 + step) for step in range(8)))
    table = series("".join(TURBOSTAT.format(1500 + step, 1000 + step, 2000 + step) for step in range(8)))
    assert table.intervals["application"].unique().tolist() == ["CPU 0", "CPU 1"]
    speeds = table.counts["Avg_MHz"].groupby(table.intervals["application"]).apply(list)
    assert speeds.to_dict() == {"CPU 0": list(range(1000, 1008)), "CPU 1": list(range(2000, 2008))}
    watts = table.counts["PkgWatt"].to_numpy()
    assert np.isnan(watts[table.intervals["application"] == "CPU 1"]).all()
    assert any("of the whole machine" in repair for repair in found.repairs)


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
