"""A series with one column per event: what its other columns say, and every cell that cannot be read named."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.readers.format import ReadResult
from hemcore.datasets.readers.series import wide_csv as wide_series_csv
from hemcore.datasets.readers.series.column_roles import columns_of
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.errors import ReadError, TableError

CBENCH = Path(__file__).parents[6] / "shared" / "data" / "cortex_a15_cbench"
needs_cbench = pytest.mark.skipif(not CBENCH.exists(), reason="the Cortex-A15 readings are not here (../shared/data/cortex_a15_cbench)")


def sent(text: str, name: str = "qsort.csv") -> UploadedFile:
    return UploadedFile(name, text.encode())


def read(*files: UploadedFile | str) -> ReadResult:
    return wide_series_csv.read([sent(file) if isinstance(file, str) else file for file in files])


def said_of(*files: UploadedFile | str) -> str:
    with pytest.raises(ReadError) as error:
        read(*files)
    return str(error.value)


def score(text: str) -> float:
    return wide_series_csv.recognise([sent(text)])[0]


def test_a_column_that_tells_cores_of_one_time_or_run_apart_is_no_event() -> None:
    """The rows of one time are of several cores: this format, whose other columns are all events, does not fit."""
    assert score("time,core,cycles\n1,0,10\n1,1,20\n2,0,11\n2,1,21\n") == 0
    assert score("run,Core_ID,cycles\n1,0,10\n1,1,20\n2,0,11\n2,1,21\n") == 0
    assert score("time,core,cycles\n1,0,10\n2,1,20\n3,0,11\n4,1,21\n") > 0.9, "one row of each time: intervals"
    assert score("run,cpu,cycles\n1,40,10\n1,63,20\n2,55,11\n2,41,21\n") > 0.9, "a load in percent, no numbers of processors"
    assert score("run,cpu,cycles\n1,40,10\n1,41,20\n2,41,11\n2,40,21\n") > 0.9, "nor these, which begin at 40"
    assert score("time,core,cycles\n1,0,10\n1,0,20\n2,0,11\n2,0,21\n") > 0.9, "one core"
    assert score("time,cpu,cycles\n1,0.5,10\n1,1.5,20\n2,0.5,11\n2,1.0,21\n") > 0.9, "no whole numbers"


def test_columns_are_events_and_rows_intervals() -> None:
    readings = read("time,A,B\n0.5,1,2\n1.0,3,4\n")
    table = readings.table
    assert table.counts.to_dict("list") == {"A": [1, 3], "B": [2, 4]}
    assert table.intervals.to_dict("list") == {"application": ["qsort"] * 2, "run": [1, 1], "interval": [1, 2], "time": [0.5, 1.0]}
    assert (table.mode, table.share, table.interval_unit) == ("OCOE", None, "0.5 s")
    assert readings.repairs.empty
    assert readings.notes == ()


@pytest.mark.parametrize("separator", [";", "\t"])
def test_other_separators(separator: str) -> None:
    assert read("time,A,B\n0.5,1,2\n".replace(",", separator)).table.counts.to_numpy().tolist() == [[1, 2]]


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("time", 1500), ("Time", 1500), ("TIMESTAMP", 1500), ("seconds", 1500), ("t", 1500), ("interval_end", 1500), ("elapsed (s)", 1500),
        ("time_ms", 1.5), ("Elapsed [ms]", 1.5), ("milliseconds", 1.5), ("t_us", 1.5e-3), ("Timestamp(ns)", 1.5e-6), ("time ns", 1.5e-6),
    ],
)  # fmt: skip
def test_the_column_of_times_and_its_unit(header: str, seconds: float) -> None:
    table = read(f"{header},A\n1500,7\n").table
    assert table.intervals["time"].tolist() == pytest.approx([seconds], rel=1e-15)
    assert table.events == ["A"]


@pytest.mark.parametrize("header", ["CPU_TIME", "ticks", "thread_time", "ts", "next", "times", "at", "L1_RUNS"])
def test_what_only_sounds_like_a_time_is_an_event(header: str) -> None:
    assert read(f"time,{header}\n1,7\n").table.events == [header]


@pytest.mark.parametrize(
    ("header", "role"),
    [
        ("App", "application"), ("program", "application"), ("Benchmark", "application"), ("RUN", "run"), ("Run(#)", "run"),
        ("run id", "run"), ("slot", "interval"), ("Sample", "interval"), ("Interval", "interval"), ("phase", "stage"), ("STAGE", "stage"),
    ],
)  # fmt: skip
def test_the_columns_of_identity(header: str, role: str) -> None:
    assert columns_of([header, "A"]).roles == {role: 0}


def test_identity_is_read() -> None:
    table = read("program,run,slot,phase,A\nqsort,1,5,init,1\nqsort,1,7,,2\nsha,3,1,main,3\n").table
    assert table.intervals["application"].tolist() == ["qsort", "qsort", "sha"]
    assert table.intervals["run"].tolist() == [1, 1, 3]
    assert table.intervals["interval"].tolist() == [5, 7, 1]
    assert table.intervals["stage"].fillna("").tolist() == ["init", "", "main"]


def test_intervals_are_numbered_in_each_run() -> None:
    table = read("app,run,A\na,1,1\na,1,2\na,2,3\nb,2,4\na,2,5\n").table
    assert table.intervals["interval"].tolist() == [1, 2, 1, 1, 2]


def test_a_second_column_of_times_is_left_out_with_a_note() -> None:
    readings = read("time,timestamp,A\n1,99,5\n")
    assert readings.table.events == ["A"]
    assert readings.table.intervals["time"].tolist() == [1]
    assert readings.notes == ("qsort.csv: column 'timestamp' left out: an earlier column has the same role.",)


def test_files_are_runs() -> None:
    table = read(sent("time,A\n1,5\n", "q_run2.csv"), sent("time,A\n1,6\n", "q_run1.csv"), sent("time,B\n1,7\n", "sha.csv")).table
    assert table.intervals[["application", "run"]].to_numpy().tolist() == [["q", 2], ["q", 1], ["sha", 1]]
    assert table.counts["A"].isna().tolist() == [False, False, True]
    assert table.counts["B"].isna().tolist() == [True, True, False]


def test_one_application_in_two_files_without_runs_is_numbered_on() -> None:
    table = read(sent("app,A\nq,5\n", "a.csv"), sent("app,A\nq,6\n", "b.csv")).table
    assert table.intervals["run"].tolist() == [1, 2]


def test_one_run_in_two_files_is_refused() -> None:
    assert "b.csv: run 1 of 'q' is also in a.csv. Give the runs different numbers." in said_of(
        sent("app,run,A\nq,1,5\n", "a.csv"), sent("app,run,A\nq,1,6\n", "b.csv")
    )


@pytest.mark.parametrize("cell", ["", "NA", "<not counted>", "<not counted> ", "<not supported>"])
def test_not_counted_is_missing_and_never_zero(cell: str) -> None:
    counts = read(f"time,A,B\n1,5,0\n2,{cell},3\n").table.counts
    assert counts["A"].isna().tolist() == [False, True]
    assert counts["B"].tolist() == [0, 3]


def test_an_event_that_was_never_counted_is_kept() -> None:
    assert read("time,A,B\n1,5,\n2,6,\n").table.counts["B"].isna().all()


def test_infinite_values_are_taken_as_not_counted_and_listed() -> None:
    readings = read("time,A\n1,inf\n2,5\n3,-inf\n")
    assert readings.table.counts["A"].isna().tolist() == [True, False, True]
    (repair,) = readings.repairs.to_dict("records")
    assert (repair["where"], repair["column"], repair["rows"]) == ("qsort.csv", "A", 2)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("time,A\n1,5\n\n2,many\n", "qsort.csv: line 4, column 'A': 'many' is not a number"),
        ("time,A\nsoon,5\n2,5\n", "qsort.csv: line 2, column 'time': 'soon' is not a number"),
        ("time,A,B\n1,5,6\n2,5\n", "qsort.csv: line 3 has 2 cells, the header 3"),
        ("time,A\n1,True\n2,5\n", "qsort.csv: line 2, column 'A': 'True' is not a number"),
        ("time,A\n1,18446744073709551615\n", "line 2, column 'A': '18446744073709551615' is too large: below 2**63"),
        ("time,A\n", "qsort.csv: a header and no row"),
        ("time,run\n1,2\n", "qsort.csv: line 1: no event column; the columns are 'time', 'run'"),
        ("time,A,,B\n1,2,3,4\n", "qsort.csv: line 1, column 3 has no name"),
        ("time,A,B,A\n1,2,3,4\n", "qsort.csv: line 1: 'A' appears more than once"),
        ("run,A\n1.5,2\n", "line 2, column 'run': '1.5' is not a whole number"),
        (
            "interval,A\n0.5,2\n",
            "line 2, column 'interval': '0.5' is not a whole number. Correct it; times in s belong in a column named time",
        ),
        ("run,A\n1,2\n,3\n", "line 3, column 'run': '' is not a whole number"),
        ("app,A\nq,2\n ,3\n", "line 3, column 'application': '' names no application"),
        ('time,A\n1,"5\n', "qsort.csv: "),
        ('time,"A\n1,2\n', "qsort.csv: "),
    ],
)
def test_what_cannot_be_read_is_named(text: str, said: str) -> None:
    assert said in said_of(text)


def test_a_negative_count_is_named_with_a_remedy() -> None:
    said = said_of(sent("time,A\n1,5\n", "q1.csv"), sent("time,A,B\n1,5,0\n2,6,-70\n", "q2.csv"))
    assert "q2.csv: line 3, column 'B': -70 must be at least 0" in said
    assert "Is it a cumulative counter? Then choose the cumulative format." in said


def test_columns_of_text_are_named_with_a_remedy() -> None:
    said = said_of("time,A,host,user\n1,5,node1,me\n2,6,node1,me\n")
    assert "column 'host', 'user': text ('node1' in line 2), and none of application, run, interval, stage or time" in said


def test_intervals_that_go_back_or_repeat_are_refused() -> None:
    with pytest.raises(ReadError, match="line 3: interval 1 comes after a larger one"):
        read("interval,A\n2,5\n1,5\n")
    with pytest.raises(TableError, match="row 2 repeats an earlier row"):
        read("interval,A\n2,5\n2,5\n")


def test_a_first_column_without_a_name_is_row_numbers() -> None:
    readings = read(",time,A\n1,0.5,7\n")
    assert readings.table.events == ["A"]
    assert readings.notes == ("qsort.csv: the first column has no name and was read as row numbers.",)


LOGGER = (
    "#Timestamp\tBenchmark\tRun(#)\tCPU(4) Frequency(MHz)\tA15 Power(W)\tCPU_CYCLES\n"
    "1481276182904018774\tqsort\t1\t2000\t1.181\t626158513\n1481276183412774900\tsha\t1\t2000\t.5\t1001596135\n"
)


def test_the_table_of_the_a15_logger() -> None:
    table = read(sent(LOGGER, "xu3.data")).table
    assert table.events == ["CPU_CYCLES", "A15 Power(W)"]
    assert table.intervals["application"].unique().tolist() == ["xu3 2000 MHz"]
    assert table.intervals["stage"].tolist() == ["qsort", "sha"]
    between = (1481276183412774900 - 1481276182904018774) / 1e9
    assert table.intervals["time"].tolist() == [between, 2 * between]


def sweep(*frequencies: object, header: str = "CPU(4) Frequency(MHz)", lost: int = 3_600) -> str:
    """A row a second, `lost` seconds before each change of the frequency."""
    seconds, lines = 5_000, [f"#Timestamp\tRun(#)\t{header}\tCYCLES"]
    for number, frequency in enumerate(frequencies):
        seconds += lost if number and frequency != frequencies[number - 1] else 1
        lines.append(f"{seconds * 10**9}\t1\t{frequency}\t{number}")
    return "\n".join(lines) + "\n"


def test_a_sweep_of_frequencies_is_an_application_each() -> None:
    readings = read(sent(sweep(*[2000] * 10, *[1500] * 12, *[800.5] * 11), "xu3.data"))
    table = readings.table
    assert table.applications == ["xu3 2000 MHz", "xu3 1500 MHz", "xu3 800.5 MHz"]
    assert table.events == ["CYCLES"]
    assert table.intervals["time"].tolist() == [*range(1, 11), *range(1, 13), *range(1, 12)]
    assert table.intervals["interval"].tolist() == [*range(1, 11), *range(1, 13), *range(1, 12)]
    assert readings.notes[0] == (
        "xu3.data: column 'CPU(4) Frequency(MHz)' became part of the application,"
        " because it stays the same for long stretches: 2000 MHz, 1500 MHz,"
        " 800.5 MHz."
    )


def test_twenty_settings_of_ten_readings_each_are_applications() -> None:
    table = read(sent(sweep(*(mhz for mhz in range(1, 21) for _ in range(10)), lost=1), "xu3.data")).table
    assert table.applications == [f"xu3 {mhz} MHz" for mhz in range(1, 21)]


@pytest.mark.parametrize(
    "text",
    [
        sweep(*[2000, 1500] * 20),  # a governor
        sweep(*[2000] * 5, *[1500] * 5, lost=1),  # too short
        sweep(*[2000] * 30, *[1500] * 30, *[2000] * 30, lost=1),  # one frequency twice in a run
        sweep(*(frequency for frequency in range(1, 22) for _ in range(10)), lost=1),  # too many
        sweep(*[2000] * 30, "", lost=1),
        sweep(*[2000] * 30, header="Frequency"),
        sweep(*[2000] * 30, header="CPU Voltage(V)"),
    ],
)
def test_what_is_no_sweep_of_frequencies_stays_a_column(text: str) -> None:
    table = read(sent(text, "xu3.data")).table
    assert table.applications == ["xu3"]
    assert len(table.events) == 2


def test_a_frequency_that_is_all_there_is_stays_a_column() -> None:
    assert read("time,Frequency (GHz)\n1,2\n2,2\n").table.events == ["Frequency (GHz)"]


def test_the_frequency_is_part_of_the_applications_that_the_file_names() -> None:
    table = read("app,run,clock freq [GHz],A\nq,1,1.5,7\nq,2,1.5,8\ns,1,1.5,9\n").table
    assert {name: table.runs(name) for name in table.applications} == {"q 1.5 GHz": [1, 2], "s 1.5 GHz": [1]}


def test_columns_with_a_unit_come_after_the_counters_in_all_files() -> None:
    units = ["Hz", "GHz", "MHz", "C", "V", "mV", "A", "mA", "W", "mW", "J"]
    measures = [f"m{number}({unit})" for number, unit in enumerate(units)]
    first = f"time,{','.join(measures)},CPU(4)\n1,{','.join('1' * len(units))},5\n"
    table = read(sent(first, "a.csv"), sent("time,L2 (kB),B\n1,3,5\n", "b.csv")).table
    assert table.events == ["CPU(4)", "L2 (kB)", "B", *measures]


def test_times_from_0_are_starts() -> None:
    readings = read("time,A\n" + "".join(f"{number / 100:.2f},5\n" for number in range(400)))
    assert readings.table.intervals["time"].tolist() == pytest.approx([number / 100 for number in range(1, 401)], rel=1e-12)
    assert readings.table.interval_unit == "0.01 s"
    (note,) = readings.notes
    assert note.startswith("The first time is 0, so times are where intervals begin: each ends at the next time")


def test_an_interval_whose_next_time_is_the_same_ends_there() -> None:
    # Starts 0, 1, 1, 3: each ends at the next start, 1, 1 and 3; the last after the median distance above 0, 3 + (1 + 2) / 2.
    assert read("time,A\n0,5\n1,6\n1,7\n3,8\n").table.intervals["time"].tolist() == [1, 1, 3, 4.5]


def test_times_are_turned_in_the_runs_that_start_at_0_alone() -> None:
    table = read("run,time,A\n1,0,5\n1,2,5\n1,3,5\n1,4,5\n2,1,5\n2,2,5\n3,0,5\n").table
    assert table.intervals["time"].tolist() == [2, 3, 4, 5, 1, 2, 1]


def test_one_reading_at_0_has_an_end_that_is_not_known() -> None:
    assert read("time,A\n0,5\n").table.intervals["time"].isna().tolist() == [True]


def test_a_time_that_goes_back_is_refused() -> None:
    with pytest.raises(ReadError, match="line 5: time 0 comes after a larger one of the same run. Sort the rows"):
        read("time,A\n0,5\n1,5\n2,5\n0,5\n1,5\n")
    assert read("run,time,A\n1,0,5\n1,1,5\n1,2,5\n2,0,5\n2,1,5\n").table.intervals["time"].tolist() == [1, 2, 3, 1, 2]


@pytest.mark.parametrize("header", ["time", "interval", "application", "run", "stage", "Time_ms"])
def test_a_column_of_time_or_identity_makes_a_series(header: str) -> None:
    found, why = wide_series_csv.recognise([sent(f"{header},A,B\n1,5,6\n")])
    assert found == 0.95
    assert "one column per event (2), and columns of" in why


def test_columns_of_numbers_alone_are_hardly_a_series() -> None:
    assert score("A,B\n1,2\n") == 0.3


@pytest.mark.parametrize(
    "text",
    [
        "X1,X24,X1.1,X110\n1,2,3,4\n",  # an event that comes again: subexperiments side by side
        "A,B\n1,x\n",
        "0.5,100,,cycles\n1.0,200,,cycles\n",  # perf, without a header
        "time,host,user\n1,x,y\n",
        "CPI,TPI,MEM_GBS,GFLOPS\n1,2,3,4\n",
        "time\n1\n",
        "Dear reader,\n",
        '{"interval" : 1.0, "event" : "cycles"}\n',
        "#Name\tStart(ns)\tEnd(ns)\nqsort\t1\t2\n",
        "application,city\nAda,\nBob,Lyon\n",
    ],
)
def test_what_is_no_series_is_not_recognised(text: str) -> None:
    assert score(text) == 0


def test_all_files_must_be_series() -> None:
    assert wide_series_csv.recognise([sent("time,A\n1,2\n"), sent("A,B\n1,2\n")])[0] == 0.3
    assert wide_series_csv.recognise([sent("time,A\n1,2\n"), sent("A,B\n1,x\n")])[0] == 0


def test_recognising_reads_the_first_lines_alone() -> None:
    assert score("time,A\n" + "1,2\n" * 300 + "x\n") == 0.95


@needs_cbench
def test_the_real_table_of_all_frequencies() -> None:
    path = CBENCH / "xu3_cset_perfcpu_cBench_eMMC_big.data"
    readings = read(UploadedFile(path.name, path.read_bytes()))
    made = pd.read_csv(path, sep="\t")
    table = readings.table
    assert table.applications == [f"xu3_cset_perfcpu_cBench_eMMC_big {frequency} MHz" for frequency in (2000, 1500, 1000)]
    assert [table.runs(name) for name in table.applications] == [[1, 2]] * 3
    assert table.events[0] == "CPU_CYCLES"
    assert table.events[-4:] == ["CPU(4) Temperature(C)", "A15 Voltage(V)", "A15 Current(A)", "A15 Power(W)"]
    apart = table.intervals.groupby(["application", "run"])["time"].diff()
    assert 0.5 < apart.min() < apart.max() < 2  # no run holds an hour between two frequencies
    assert table.intervals.groupby(["application", "run"])["time"].min().between(0.5, 0.52).all()
    np.testing.assert_array_equal(readings.table.counts.to_numpy(), made[readings.table.events].to_numpy(dtype=float))
    assert readings.table.intervals["stage"].tolist() == made["Benchmark"].tolist()
    assert readings.table.interval_unit == "0.509 s"
    assert readings.repairs.empty


@needs_cbench
def test_the_real_results_of_two_lists_of_events() -> None:
    paths = sorted(CBENCH.glob("runs_1GHz/*/*/results.data"))
    table = read(*(UploadedFile(str(path.relative_to(CBENCH)), path.read_bytes()) for path in paths)).table
    assert {name: table.runs(name) for name in table.applications} == {
        "events_list_1 1000 MHz": [1, 2],
        "events_list_2 1000 MHz": [1, 2],
    }
    assert table.run("events_list_1 1000 MHz", 1).counts["INST_RETIRED"].isna().all()


def test_tables_of_a_logger_put_together_are_split_where_the_clock_jumps() -> None:
    """Two settings of one frequency, 100,000 s apart: their run 1 is not one run of 100,002 s."""
    head = "#Timestamp\tBenchmark\tRun(#)\tCPU(4) Frequency(MHz)\tCPU_CYCLES\n"
    rows = [f"{(start + second) * 10**9}\tfft\t1\t1000\t{start + second}\n" for start in (1_000, 101_000) for second in range(30)]
    result = wide_series_csv.read([UploadedFile("big.data", (head + "".join(rows)).encode())])
    table = result.table
    assert table.applications == ["big 1000 MHz", "big 1000 MHz part 2"]
    assert float(table.intervals["time"].max()) == 30
    split = result.repairs.iloc[0]
    assert split["what"] == "the clock jumps within runs: each stretch is an application of its own (part 2 on)"
    assert (split["where"], split["rows"]) == ("big.data", 1)


def test_each_setting_of_frequency_and_cores_is_an_application() -> None:
    """2 frequencies x 2 core counts, 10 s each, put together 1,000 s apart."""
    settings = [(cores, mhz) for cores in (1, 4) for mhz in (2000, 1500)]
    rows = [
        f"{(1_000 * number + second) * 10**9}\tfft\t1\t{mhz}\t{cores}\t7\n"
        for number, (cores, mhz) in enumerate(settings, start=1)
        for second in range(10)
    ]
    head = "#Timestamp\tBenchmark\tRun(#)\tCPU(4) Frequency(MHz)\tCores(#)\tCPU_CYCLES\n"
    table = read(sent(head + "".join(rows), "big.data")).table
    assert table.applications == [
        f"big {setting}" for setting in ("2000 MHz 1 core", "1500 MHz 1 core", "2000 MHz 4 cores", "1500 MHz 4 cores")
    ]
    assert table.events == ["CPU_CYCLES"]
    assert float(table.intervals["time"].max()) == 10
