"""Results of benchmarks: JMH's with the counters of a profiler, STREAM's of several runs."""

from hemcore.datasets.importing.inspection import inspect
from hemcore.datasets.importing.profiles.benchmark_tables import as_table
from hemcore.datasets.readers.uploaded_files import UploadedFile

JMH = """# JMH version: 1.37

Benchmark           (size)  Mode  Cnt     Score    Error      Units
B.copy                  64  avgt   15   400.500 ±  1.234      ns/op
B.copy:cycles           64  avgt    3  1234.567 ±  0.345       #/op
B.copy:L1-dcache-loads  64  avgt           ≈ 10⁻³              #/op
B.hash                  64  avgt   15   523.000 ±  1.234      ns/op
B.hash:·cycles          64  avgt    3  3456.789                #/op
"""


def test_what_jmhs_profiler_counted_are_events_of_the_benchmark() -> None:
    assert as_table(JMH).splitlines() == [
        "benchmark,granularity,score [ns/op],cycles,L1-dcache-loads",
        "B.copy 64,benchmark,400.500,1234.567,1e-3",
        "B.hash 64,benchmark,523.000,3456.789,",
    ]
    assert as_table("\n".join(line for line in JMH.splitlines() if not line.partition(" ")[0].count(":"))) is None


def test_jmhs_csv_is_read_as_its_text() -> None:
    text = '"Benchmark","Mode","Threads","Samples","Score","Score Error (99.9%)","Unit","Param: size"\n' + "".join(
        f'"b.{name}{event}","avgt",1,5,{score},NaN,"#/op",64\n' for name in "ab" for event, score in (("", 7), (":·CPI", 0.5))
    )
    table = inspect([UploadedFile("jmh.csv", text.encode())]).result.table
    assert table.frame["program"].tolist() == ["b.a 64", "b.b 64"]
    assert table.frame["CPI"].tolist() == [0.5, 0.5]


def test_stream_again_and_again_is_runs_of_its_kernels() -> None:
    text = "".join(
        "STREAM version\nFunction    Best Rate MB/s  Avg time     Min time     Max time\n"
        f"Copy:  {rate}  0.1  0.1  0.2\nAdd:  5.5  0.1  0.1  0.2\n---\n"
        for rate in (7, 8)
    )
    assert as_table(text).splitlines()[1:] == [
        "Copy,1,7,0.1,0.1,0.2",
        "Add,1,5.5,0.1,0.1,0.2",
        "Copy,2,8,0.1,0.1,0.2",
        "Add,2,5.5,0.1,0.1,0.2",
    ]
    assert as_table(text[: text.index("---")]) is None


def test_names_that_end_in_no_number_are_programs_not_runs() -> None:
    text = "Name,Calls,TotalNs\n" + "".join(f'"kern_{k}(float*)",{5 + k % 3},{90 - k * k % 7}\n' for k in range(5))
    shown = inspect([UploadedFile("stats.csv", text.encode())])
    assert shown.result.table.frame["program"].tolist() == [f"kern_{k}(float*)" for k in range(5)]


def test_rows_of_a_heading_alone_name_the_rows_below_that_come_again() -> None:
    rows = ["Cycles | 50 | 60 | 70", "IPC | 1.5 | 2.5 | 3.5", "L1 | | | ", "hits | 7 | 8 | 9", "L2 | | | ", "hits | 5 | 6 | 7"]
    sim = [UploadedFile("sim.out", "\n".join([" | Core 0 | Core 1 | Core 2", *rows]).encode())]
    events = next(recipe for doubt in inspect(sim).doubts for label, recipe in doubt.answers if label == "Events")
    table = inspect(sim, events).result.table
    assert table.frame["program"].tolist() == ["Core 0", "Core 1", "Core 2"]
    assert table.counters == ("Cycles", "IPC", "L1 hits", "L2 hits")
    assert table.frame.iloc[0][list(table.counters)].tolist() == [50, 1.5, 7, 5]


def test_a_benchmark_of_jmh_that_comes_again_is_another_row() -> None:
    block = "Benchmark  Mode  Cnt  Score  Error  Units\nB.a  avgt  5  {}.0 ± 0.1  ns/op\nB.a:cycles  avgt  {}.5  #/op\n"
    assert as_table(block.format(4, 7) + block.format(5, 9)) == (
        "benchmark,granularity,score [ns/op],cycles\nB.a,benchmark,4.0,7.5\nB.a,benchmark,5.0,9.5\n"
    )
