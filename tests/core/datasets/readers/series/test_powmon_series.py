"""The logs of the Cortex-A15: what was counted when, and what program ran then."""

import io
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.readers.format import ReadResult
from hemcore.datasets.readers.series import powmon_series as cortex_a15_log
from hemcore.datasets.readers.series.folders import runs_of_logs
from hemcore.datasets.readers.series.readings import runs_of_files
from hemcore.datasets.readers.uploaded_files import UploadedFile, expand
from hemcore.errors import ReadError

RUNS = Path(__file__).parents[6] / "shared" / "data" / "cortex_a15_cbench" / "runs_1GHz"
needs_cbench = pytest.mark.skipif(not RUNS.exists(), reason="the Cortex-A15 readings are not here (../shared/data/cortex_a15_cbench)")
S = 10**9
HEADER = (
    f"Start:\t{1000 * S}\nEvent 1 Label:\tCPU_CYCLES\t\tRAW Identifier:\tcycles\nEvent 2 Label:\tINST_RETIRED\t\tRAW Identifier:\tr008\n"
)
ROWS = "     0.5\t100\tcycles\n     0.5\t50\tr008\n     1.0\t200\tcycles\n     1.0\t60\tr008\n"


def log(rows: str = ROWS, header: str = HEADER, name: str = "events_raw.data") -> UploadedFile:
    return UploadedFile(name, (header + rows).encode())


def programs(*spans: tuple[str, float, float], name: str = "benchmarks.data") -> UploadedFile:
    """Programs by name, start and end in s since the start of the log."""
    lines = [f"{program}\t{int((1000 + start) * S)}\t{int((1000 + end) * S)}\n" for program, start, end in spans]
    return UploadedFile(name, ("#Name\tStart(ns)\tEnd(ns)\n" + "".join(lines)).encode())


def read(*files: UploadedFile) -> ReadResult:
    return cortex_a15_log.read(files)


def said_of(*files: UploadedFile) -> str:
    with pytest.raises(ReadError) as error:
        read(*files)
    return str(error.value)


def test_a_log_is_a_run_and_a_time_an_interval() -> None:
    readings = read(log())
    table = readings.table
    assert table.counts.to_dict("list") == {"CPU_CYCLES": [100, 200], "INST_RETIRED": [50, 60]}
    assert table.intervals.to_dict("list") == {"application": ["events_raw"] * 2, "run": [1, 1], "interval": [1, 2], "time": [0.5, 1.0]}
    assert (table.mode, table.interval_unit) == ("OCOE", "0.5 s")
    assert readings.repairs.empty


def test_folders_name_the_list_and_the_run() -> None:
    names = [f"list_{number}/Run_{run}/events_raw.data" for number, run in [(1, 2), (1, 1), (2, 1)]]
    table = read(*(log(name=name) for name in names)).table
    runs = table.intervals[["application", "run"]].drop_duplicates()
    assert runs.to_numpy().tolist() == [["list_1", 1], ["list_1", 2], ["list_2", 1]]


def test_an_event_of_another_list_was_not_counted() -> None:
    other = log(header=HEADER.replace("INST_RETIRED", "BRANCH_PRED"), name="list_2/events_raw.data")
    table = read(log(name="list_1/events_raw.data"), other).table
    assert table.counts["INST_RETIRED"].isna().tolist() == [False, False, True, True]
    assert table.counts["BRANCH_PRED"].isna().tolist() == [True, True, False, False]


@pytest.mark.parametrize("text", ["<not counted>", "<not supported>"])
def test_not_counted_is_missing_and_listed(text: str) -> None:
    readings = read(log(ROWS.replace("60", text)))
    assert np.isnan(readings.table.counts["INST_RETIRED"][1])
    (repair,) = readings.repairs.to_dict("records")
    assert (repair["where"], repair["column"], repair["what"], repair["rows"]) == ("events_raw.data", "INST_RETIRED", "not counted", 1)


def test_an_event_that_an_interval_does_not_have_was_not_counted() -> None:
    table = read(log(ROWS.replace("     0.5\t50\tr008\n", ""))).table
    assert table.counts["INST_RETIRED"].isna().tolist() == [True, False]


def test_an_event_that_the_header_alone_has_is_kept_and_listed() -> None:
    readings = read(log("0.5\t100\tcycles\n1.0\t200\tcycles\n"))
    assert readings.table.counts["INST_RETIRED"].isna().all()
    assert readings.repairs["rows"].tolist() == [2]


def test_the_stage_is_the_program_that_ran_longest_in_the_interval() -> None:
    spans = [("qsort", 0.0, 0.2), ("sha", 0.21, 1.3), ("crc", 1.31, 1.4), ("fft", 2.1, 2.2)]
    rows = "".join(f"{end}\t1\tcycles\n" for end in (0.5, 1.0, 1.5, 2.0, 2.5))
    table = read(log(rows), programs(*spans)).table
    assert table.intervals["stage"].fillna("").tolist() == ["sha", "sha", "sha", "", "fft"]


def test_of_two_programs_that_ran_as_long_the_earlier_is_taken() -> None:
    table = read(log(), programs(("b", 0.25, 0.5), ("a", 0.0, 0.25))).table
    assert table.intervals["stage"][0] == "a"


def test_the_programs_of_a_run_are_those_of_its_folder() -> None:
    files = [log(name="Run_1/events_raw.data"), programs(("one", 0, 9), name="Run_1/benchmarks.data")]
    files += [log(name="Run_2/events_raw.data"), programs(("two", 0, 9), name="Run_2/benchmarks.data")]
    assert read(*files).table.intervals["stage"].tolist() == ["one", "one", "two", "two"]
    readings = read(*files[:3])
    assert readings.table.intervals["stage"].isna().tolist() == [False, False, True, True]
    assert readings.notes == ("Run_2/events_raw.data: no benchmarks.data in its folder, so it is not known which program ran when.",)


def test_without_a_list_of_programs_there_is_no_stage() -> None:
    readings = read(log())
    assert "stage" not in readings.table.intervals
    assert "no benchmarks.data" in readings.notes[0]


def test_programs_of_another_day_are_noted() -> None:
    readings = read(log(), programs(("qsort", 5000, 6000)))
    assert readings.table.intervals["stage"].isna().all()
    assert "no program in benchmarks.data ran during it" in readings.notes[0]


def test_tables_of_results_are_left_out_with_a_note() -> None:
    results = UploadedFile("results.data", b"#Timestamp\tBenchmark\n1\ta\n")
    score, why = cortex_a15_log.recognise([log(), results])
    assert score == 1
    assert why.endswith("; 1 table of results left out")
    assert "Left out because they are not event logs: 'results.data'" in read(log(), results).notes[-1]


@pytest.mark.parametrize("content", [b"hello", b"", b"\x89PNG\r\n\x1a\n\x00", b"time,A\n1,2\n", b"0.5,100,,cycles,500,100.00,,\n"])
def test_a_file_of_another_kind_is_named_and_makes_no_logs(content: bytes) -> None:
    files = [log(), programs(("a", 0, 1)), UploadedFile("other.csv", content)]
    assert cortex_a15_log.recognise(files) == (0.0, "")
    assert said_of(*files).startswith("other.csv: not a file of the Cortex-A15 logger (events_raw.data, benchmarks.data, results.data).")


def test_many_files_of_another_kind_are_counted() -> None:
    said = said_of(log(), *(UploadedFile(f"{number}.txt", b"x") for number in range(9)))
    assert said.startswith("0.txt, 1.txt, 2.txt, 3.txt, 4.txt and 4 more: not a file of")
    assert "Leave it out" in said


def test_lists_and_runs_are_in_natural_order_whatever_the_order_of_the_files() -> None:
    names = [f"events_list_{number}/Run_{run}/events_raw.data" for number, run in [(10, 1), (2, 10), (1, 1), (2, 2), (2, 1), (1, 10)]]
    table = read(*(log(name=name) for name in names)).table
    assert {name: table.runs(name) for name in table.applications} == {
        "events_list_1": [1, 10],
        "events_list_2": [1, 2, 10],
        "events_list_10": [1],
    }
    assert table.applications == ["events_list_1", "events_list_2", "events_list_10"]
    again = read(*(log(name=name) for name in reversed(names))).table
    pd.testing.assert_frame_equal(table.intervals, again.intervals)


@pytest.mark.parametrize("rest", ["     1.5\t30", "     1.5\t300\tr0", "     1.", "     1.5\t300\tr0\t"])
def test_a_last_line_that_is_cut_off_is_left_out_and_listed(rest: str) -> None:
    readings = read(log(ROWS + rest))
    assert len(readings.table.counts) == 2
    (repair,) = readings.repairs.to_dict("records")
    assert repair["where"] == "events_raw.data, line 8"
    assert "cut off" in repair["what"]


def test_a_last_line_without_an_end_that_is_whole_is_kept() -> None:
    readings = read(log(ROWS.rstrip("\n")))
    assert readings.table.counts["INST_RETIRED"].tolist() == [50, 60]
    assert readings.repairs.empty


def test_windows_line_ends_are_read() -> None:
    assert read(UploadedFile("e.data", (HEADER + ROWS).replace("\n", "\r\n").encode())).table.counts["CPU_CYCLES"].tolist() == [100, 200]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("0.5\tmany\tr008", "line 4: count 'many' is not a number of at least 0"),
        ("0.5\t-3\tr008", "line 4: count '-3' is not a number of at least 0"),
        ("0.5\tinf\tr008", "line 4: count 'inf' is not a number of at least 0"),
        ("soon\t3\tr008", "line 4: time 'soon' is not a number"),
        ("0.5\t3", "line 4: '0.5\\t3' has 2 cells"),
        ("0.5\t3\tr009", "line 4: identifier 'r009' has no label in the header, which has 'cycles', 'r008'"),
        ("9.0\t3\tr008", "line 5: time 0.5 s comes after 9 s; times must not decrease"),
    ],
)
def test_a_wrong_line_is_named(line: str, said: str) -> None:
    message = said_of(log(line + "\n" + ROWS))
    assert message.startswith("events_raw.data: ")
    assert said in message


def test_an_identifier_of_two_events_is_refused() -> None:
    assert "line 3: identifier 'cycles' already belongs to 'CPU_CYCLES'" in said_of(log(header=HEADER.replace("r008", "cycles")))


def test_a_log_without_readings_is_refused() -> None:
    assert "events_raw.data: 2 event labels but no reading" in said_of(log(""))


def test_files_without_a_log_are_refused() -> None:
    assert "benchmarks.data: not an event log" in said_of(programs(("a", 0, 1)))


@pytest.mark.parametrize("line", ["qsort\t5", "qsort\tx\t9", "qsort\t9\t5"])
def test_a_wrong_line_of_programs_is_named(line: str) -> None:
    file = UploadedFile("benchmarks.data", f"#Name\tStart(ns)\tEnd(ns)\n{line}\nsha\t1\t2\n".encode())
    assert f"benchmarks.data: line 2: {line!r} is not a name, a start and an end" in said_of(log(), file)


def test_a_list_of_programs_that_is_cut_off_is_listed() -> None:
    file = programs(("qsort", 0, 0.5), ("sha", 0.5, 1))
    readings = read(log(), UploadedFile(file.name, file.content[:-16]))
    assert readings.table.intervals["stage"].isna().tolist() == [False, True]
    assert readings.repairs["where"].tolist() == ["benchmarks.data, line 3"]


def test_logs_are_recognised_whatever_their_name() -> None:
    score, why = cortex_a15_log.recognise([log(name="x.txt"), programs(("a", 0, 1))])
    assert score == 1
    assert "1 event log of the Cortex-A15 logger" in why
    assert cortex_a15_log.recognise([programs(("a", 0, 1))]) == (0.0, "")


@needs_cbench
def test_a_real_run_equals_the_table_that_its_makers_made_of_it() -> None:
    files = [UploadedFile(path.name, path.read_bytes()) for path in sorted((RUNS / "events_list_1" / "Run_1").iterdir())]
    assert cortex_a15_log.recognise(files)[0] == 1
    table = read(*files).table
    assert len(table.counts) > 2_300
    assert table.interval_unit == "0.501 s"
    made = pd.read_csv(RUNS / "events_list_1" / "Run_1" / "results.data", sep="\t")
    assert table.intervals["stage"].dropna().unique().tolist() == made["Benchmark"].unique().tolist()
    assert table.counts.loc[0, table.events].tolist() == made.loc[0, table.events].tolist()
    assert set(made["L1I_CACHE_REFILL"]) <= set(table.counts["L1I_CACHE_REFILL"])


@pytest.mark.slow
@needs_cbench
def test_the_real_runs_are_told_apart_by_their_folders() -> None:
    paths = sorted(RUNS.glob("*/*/*.data"))
    table = read(*(UploadedFile(str(path.relative_to(RUNS)), path.read_bytes()) for path in paths)).table
    assert {name: table.runs(name) for name in table.applications} == {"events_list_1": [1, 2], "events_list_2": [1, 2]}
    assert table.intervals.groupby(["application", "run"])["stage"].nunique().tolist() == [30] * 4


TREES = {
    "frequencies of one run": (["Run_1/1000000", "Run_1/1400000"], [("events_raw 1000 MHz", 1), ("events_raw 1400 MHz", 1)]),
    "runs of one frequency": (["Run_1/1400000", "Run_2/1400000"], [("events_raw 1400 MHz", 1), ("events_raw 1400 MHz", 2)]),
    "runs below frequencies": (["1000000/Run_2", "1400000/Run_1"], [("events_raw 1000 MHz", 2), ("events_raw 1400 MHz", 1)]),
    "frequencies alone": (["200000", "1000000"], [("events_raw 200 MHz", 1), ("events_raw 1000 MHz", 1)]),
    "lists": (
        ["all/list_1/Run_1/600000", "all/list_2/Run_1/600000", "all/list_2/Run_2/600000"],
        [("list_1 600 MHz", 1), ("list_2 600 MHz", 1), ("list_2 600 MHz", 2)],
    ),
    "with a unit": (["Run_3/1.4GHz", "Run_3/800_MHz"], [("events_raw 1400 MHz", 3), ("events_raw 800 MHz", 3)]),
}


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["Run_1/1000000", "Run_1/1400000"], [("events 1000 MHz", 1), ("events 1400 MHz", 1)]),
        (["1000000.data", "1400000.data"], [("events 1000 MHz", 1), ("events 1400 MHz", 1)]),
        (["1400000/Run_1.data", "1400000/Run_2.data"], [("events 1400 MHz", 1), ("events 1400 MHz", 2)]),
        (["big/1400000.data", "LITTLE/1400000.data"], [("big 1400 MHz", 1), ("LITTLE 1400 MHz", 1)]),
    ],
)
def test_a_log_may_be_named_by_its_frequency(names: list[str], expected: list[tuple[str, int]]) -> None:
    assert runs_of_logs(names) == expected


def test_logs_of_one_place_are_numbered_in_order_and_others_named_as_ever() -> None:
    assert runs_of_logs([]) == []
    assert runs_of_logs(["a/1400000/x.data", "a/1400000/y.data"]) == [("a 1400 MHz", 1), ("a 1400 MHz", 2)]
    assert runs_of_logs(["1400000/e.data", "other/e.data"]) == runs_of_files(["1400000/e.data", "other/e.data"])


@pytest.mark.parametrize(("folders", "expected"), TREES.values(), ids=TREES)
def test_a_folder_of_a_frequency_is_no_run(folders: list[str], expected: list[tuple[str, int]]) -> None:
    table = read(*(log(name=f"{folder}/events_raw.data") for folder in folders)).table
    found = table.intervals[["application", "run"]].drop_duplicates()
    assert sorted(found.itertuples(index=False, name=None)) == sorted(expected)
    assert len(table.counts) == 2 * len(folders)


def test_a_zip_of_one_frequency_is_runs_of_one_application() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for number in (1, 2):
            archive.writestr(f"big/Run_{number}/1400000/events_raw.data", HEADER + ROWS)
            archive.writestr(f"big/Run_{number}/1400000/benchmarks.data", programs(("sha", 0, 9)).content)
    table = read(*expand([UploadedFile("big.zip", packed.getvalue())])).table
    assert table.applications == ["big 1400 MHz"]
    assert table.runs("big 1400 MHz") == [1, 2]
    assert table.intervals["stage"].tolist() == ["sha"] * 4
