"""What is uploaded is recognised, or read as it is said to be; every drop on the way is listed."""

import pickle
import re
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hemcore.datasets import CounterSeries, PhaseTable, SignatureTable, Subexperiments
from hemcore.datasets.readers import hem_tables, recognition
from hemcore.datasets.readers.formats import FORMATS, ReadOptions, ReadResult
from hemcore.datasets.readers.recognition import read_upload, recognise, why_not_recognised
from hemcore.datasets.readers.uploaded_files import UploadedFile, expand
from hemcore.errors import HemError, ParameterError, ReadError, TableError, UnknownNameError

T2080 = Path(__file__).parents[5] / "shared" / "data" / "t2080"
needs_t2080 = pytest.mark.skipif(not T2080.exists(), reason="the T2080 readings are not here (../shared/data/t2080)")
EACCT = b"JOBID;CPI;TPI;MEM_GBS;GFLOPS\n1;0.5;0.1;30;100\n2;0.4;0.1;20;90\n"
OLD_EACCT = b"JOB_ID;CPI;TPI;GBS;CPU-GFLOPS\n1;0.5;0.1;30;100\n"
STACKED = b"X1,X24,X1.1,X110\n2000,300,2100,400\n2001,301,2101,401\n"


def sent(*contents: bytes, name: str = "f.csv") -> list[UploadedFile]:
    return [UploadedFile(name if len(contents) == 1 else f"{number}.csv", content) for number, content in enumerate(contents, start=1)]


def read(*contents: bytes, format_key: str | None = None, **options: float) -> ReadResult:
    return read_upload(sent(*contents), format_key=format_key, options=ReadOptions(**options))  # type: ignore[arg-type]


def keys(*contents: bytes) -> list[str]:
    return [match.format.key for match in recognise(sent(*contents))]


def test_each_format_is_recognised_by_its_files() -> None:
    assert keys(STACKED) == ["subexperiments_stacked"]
    assert keys(STACKED, STACKED) == ["subexperiments_separate"]
    assert keys(EACCT)[0] == keys(OLD_EACCT)[0] == "eacct"


def test_two_groups_of_hems_are_surer_than_one() -> None:
    for header, score in (("A,B,A,C", 0.9), ("A,B", 0.4)):
        cells = header.count(",") + 1
        file = UploadedFile("f.csv", f"{header}\n{','.join('7' * cells)}\n".encode())
        assert hem_tables.recognise_stacked([file])[0] == score


def test_semicolons_alone_make_no_signatures() -> None:
    assert keys(STACKED.replace(b",", b";")) == ["subexperiments_stacked"]


PERF_CSV = b"""     0.500000000,100,,cycles,500,100.00,,
     0.500000000,50,,instructions,500,100.00,0.50,insn per cycle
     1.000000000,110,,cycles,500,100.00,,
"""
PERF_RUN_CSV = b"1.25,msec,task-clock,1250000,100.00,0.998,CPUs utilized\n100,,cycles,500,100.00,,\n"
PERF_JSON = b"""{"interval" : 0.5, "counter-value" : "100.0", "unit" : "", "event" : "cycles", "pcnt-running" : 100.00}
{"interval" : 1.0, "counter-value" : "110.0", "unit" : "", "event" : "cycles", "pcnt-running" : 100.00}
"""
PERF_TEXT = b""" Performance counter stats for './qsort':

             1,000      cycles
               500      instructions              #    0.50  insn per cycle

       0.500000000 seconds time elapsed
"""
A15_LOG = b"Start:\t1000\nEvent 1 Label:\tCPU_CYCLES\t\tRAW Identifier:\tcycles\n     0.5\t100\tcycles\n     1.0\t110\tcycles\n"
WIDE = b"time,cycles,instructions\n0.5,100,50\n1.0,110,40\n1.5,90,60\n"
CUMULATIVE = b"time,cycles,instructions\n0,100,50\n1,210,90\n2,300,150\n3,410,190\n4,500,250\n5,610,300\n"
PROGRAMS = b"#Name\tStart(ns)\tEnd(ns)\nqsort\t1\t2\n"
LIKWID_TOTALS = b"TABLE,Group 1 Raw,L3,1\nEvent,Counter,HWThread 0\nINSTR_RETIRED_ANY,FIXC0,1000\n"
TITLED = b"Runs of May\nZeit (ms);cycles;instructions\n500;100;50\n1000;110;40\n1500;90;60\n"
LIKWID_TIMELINE = b"# GID,EventCount,CpuCount,Total runtime [s],INSTR_RETIRED_ANY\n1,1,1,0.1,100\n1,1,1,0.2,110\n"
PERF_SCRIPT = b"a 1 [000] 10.000000: 100 cycles:\na 1 [000] 10.100000: 90 cycles:\na 1 [000] 10.190000: 80 cycles:\n"
TOPLEV = b"Timestamp,Area,Value,Unit,Description\n0.5,CLKS,100,Count,\n1.0,CLKS,110,Count,\n"
PERFSPECT = b"TS,SKT,CPU,CID,cycles\n1763895600,,,,100\n1763895605,,,,110\n"
COCKPIT = b'{"flops": {"node": {"timestep": 60, "series": [{"hostname": "n1", "data": [100, 110]}]}}}'
PROMETHEUS = (
    b'{"data": {"resultType": "matrix", "result": [{"metric": {"__name__": "x"}, "values": [[1763895600, "100"], [1763895615, "1"]]}]}}'
)
TIMED = b'\tCommand being timed: "./sort"\n\tMinor (reclaiming a frame) page faults: 100\n\tMaximum resident set size (kbytes): 7\n'
OCOUNT = b"Event counts (actual) for ./sort:\n\tEvent   Count   % time counted\n\tcycles   1,000   100.00\n"
POWER = b"Measure for socket 0 on CPU 0\nDomain PKG:\nEnergy consumed: 100 Joules\nPower consumed: 50 Watt\n"
POINTS = b",".join(b'{"timeUnixNano": "%d", "asInt": "%d"}' % (1763895600 * 10**9 + each * 10**9, 5 + 100 * each) for each in range(3))
OTLP = (
    b'{"resourceMetrics": [{"scopeMetrics": [{"metrics": [{"name": "cycles", "sum": {"isMonotonic": true, "aggregationTemporality": 2,'
    b' "dataPoints": [%s]}}]}]}]}\n' % POINTS
)
SERIES = {
    "perf_stat_csv": (PERF_CSV, 2),
    "perf_stat_json": (PERF_JSON, 2),
    "perf_stat_text": (PERF_TEXT, 1),
    "perf_script": (PERF_SCRIPT, 191),
    "timed_commands": (TIMED, 1),
    "ocount": (OCOUNT, 1),
    "likwid_totals": (LIKWID_TOTALS, 1),
    "likwid_timeline": (LIKWID_TIMELINE, 2),
    "likwid_powermeter": (POWER, 1),
    "toplev": (TOPLEV, 2),
    "perfspect": (PERFSPECT, 2),
    "cluster_cockpit": (COCKPIT, 2),
    "prometheus_range": (PROMETHEUS, 2),
    "otlp_metrics": (OTLP, 2),
    "cortex_a15_log": (A15_LOG, 2),
    "series_wide": (WIDE, 3),
    "series_cumulative": (CUMULATIVE, 5),
    "table_series": (TITLED, 3),
}


@pytest.mark.slow
@pytest.mark.parametrize("key", SERIES)
def test_series_are_recognised_and_read(key: str) -> None:
    content, intervals = SERIES[key]
    assert keys(content)[0] == key
    table = read(content).table
    assert isinstance(table, CounterSeries)
    assert len(table.counts) == intervals
    assert table.counts.iloc[0, 0] in (100, 110, 1000)  # the first count; of cumulative counters the first difference
    two = read(content, content).table
    assert isinstance(two, CounterSeries)
    assert len(two.counts) == 2 * intervals


def test_every_format_of_series_is_tried_above() -> None:
    assert [each.key for each in FORMATS if each.kind == "CounterSeries"] == list(SERIES)


@pytest.mark.parametrize("content", [PERF_CSV, PERF_RUN_CSV, PERF_CSV.replace(b",", b";"), PERF_JSON, PERF_TEXT, A15_LOG])
def test_what_has_no_header_is_no_subexperiment(content: bytes) -> None:
    for files in [(content,), (content, content)]:
        assert keys(*files)[0].startswith(("perf_stat", "cortex"))
        assert not [key for key in keys(*files) if key.startswith("series")]


@pytest.mark.parametrize("content", [PERF_CSV, PERF_RUN_CSV, PERF_CSV.replace(b",", b";")])
def test_a_row_of_perf_is_no_header(content: bytes) -> None:
    assert keys(content) == keys(content, content) == ["perf_stat_csv"]


def test_event_numbers_alone_are_a_header() -> None:
    assert keys(STACKED.replace(b"X", b""))[0] == "subexperiments_stacked"


def test_columns_that_come_again_are_subexperiments_not_a_series() -> None:
    assert "series_wide" not in keys(STACKED)
    assert keys(b"a,b\n200,300\n") == ["subexperiments_stacked", "series_wide"]


def test_signatures_with_a_time_are_signatures() -> None:
    timed = b"JOBID;TIME;APPLICATION;CPI;TPI;MEM_GBS;GFLOPS\n1;5;a;0.5;0.1;30;100\n2;6;a;0.4;0.1;20;90\n"
    assert keys(timed) == ["eacct"]


def test_a_series_can_be_read_as_another_format() -> None:
    table = read(CUMULATIVE, format_key="series_wide").table
    assert isinstance(table, CounterSeries)
    assert len(table.counts) == 6
    with pytest.raises(ReadError, match="f.csv"):
        read(WIDE, format_key="cortex_a15_log")


@pytest.mark.slow
@settings(deadline=None)
@given(
    st.sampled_from(sorted(SERIES)),
    st.sampled_from([WIDE, CUMULATIVE, A15_LOG, b"#Timestamp\tBenchmark\tRun(#)\tA\n1481276182904018774\tq\t1\t5\n"]),
    st.integers(0, 200),
    st.integers(0, 8),
    st.sampled_from([b"", b",", b"\n", b'"', b"\t", b"-1", b"inf", b"1e400", b"9" * 20, b"True", b"NA", b"<not counted>", b"\xff", b"run"]),
)
def test_a_series_that_was_damaged_gives_a_table_or_a_sentence(key: str, content: bytes, start: int, length: int, put: bytes) -> None:
    try:
        assert isinstance(read(content[:start] + put + content[start + length :], format_key=key).table, CounterSeries)
    except HemError as error:
        assert str(error)  # noqa: PT017


def test_repairs_and_notes_of_a_series_are_kept() -> None:
    result = read(A15_LOG.replace(b"110", b"<not counted>"))
    assert result.repairs["what"].tolist() == ["not counted"]
    assert "no benchmarks.data" in result.notes[0]


def test_the_reason_is_given() -> None:
    (match,) = recognise(sent(STACKED))
    assert match.why == "2 groups of 2 columns, from where the first HEM repeats"
    assert 0 < match.score <= 1


@pytest.mark.parametrize("contents", [(STACKED,), (b"X1,X24\n2000,300\n", b"X1,X110\n2000,300\n2001,301\n"), (EACCT,), (OLD_EACCT,)])
def test_what_is_read_is_of_the_kind_that_the_format_says(contents: tuple[bytes, ...]) -> None:
    assert type(read(*contents).table).__name__ == recognise(sent(*contents))[0].format.kind


def test_the_format_can_be_chosen() -> None:
    table = read(b"CPI;TPI;MEM_GBS;GFLOPS\n200;300;400;500\n", format_key="subexperiments_stacked").table
    assert isinstance(table, Subexperiments)
    assert table.hems == ["CPI", "TPI", "MEM_GBS", "GFLOPS"]
    assert isinstance(read(EACCT).table, SignatureTable)
    assert isinstance(read(b"a,b\n200,300\n", format_key="subexperiments_separate").table, Subexperiments)


def test_a_format_that_is_not_known_lists_those_that_are() -> None:
    with pytest.raises(
        ReadError, match="'xlsx' is not known; the formats are 'subexperiments_stacked', 'subexperiments_separate', 'eacct'"
    ):
        read(STACKED, format_key="xlsx")


def test_a_chosen_format_that_does_not_fit_says_why() -> None:
    with pytest.raises(ReadError, match="f.csv: no column 'CPI'"):
        read(STACKED, format_key="eacct")
    with pytest.raises(ReadError, match="subexperiments side by side: 2 files, but all belong in one"):
        read(STACKED, STACKED, format_key="subexperiments_stacked")


def test_where_nothing_fits_the_nearest_formats_are_told_with_the_line() -> None:
    with pytest.raises(ReadError) as error:
        read(b"Dear reader\nhere are no readings\n")
    said = str(error.value)
    assert said.startswith("f.csv: not recognised; it looks like a text of 2 lines that begins 'Dear reader'. The nearest formats: ")
    assert sum(each.title in said for each in FORMATS) == 3
    assert len(re.findall(r"\bline \d+", said)) == 3


@pytest.mark.parametrize(
    ("name", "content", "looks", "nearest"),
    [
        ("plot.png", b"\x89PNG\r\n\x1a\n\x00\x00", "a picture (PNG)", 0),
        ("report.pdf", b"%PDF-1.4\n1 0 obj\n", "a PDF", 0),
        ("run.py", b"import sys\n\nprint(1)\n", "a program in Python", 3),
        ("run", b"#!/bin/sh\nperf stat ls\n", "a script that begins '#!/bin/sh'", 3),
        ("README.md", b"# Solver\n\nIt solves.\n", "notes in Markdown that begin '# Solver'", 3),
        ("a.html", b"<!DOCTYPE html>\n<html><p>Hello</p></html>\n", "a page of HTML without a table", 3),
        ("a.log", b"2026-03-03 10:00:01,123 INFO [w-1] done\n2026-03-03 10:00:02,456 WARN [w-2] late\n", "a log of messages", 3),
        ("a.json", b'{"theme": "dark", "level": "info"}', "JSON with the keys theme, level", 3),
    ],
)
def test_what_a_file_looks_like_is_one_sentence_and_only_of_text_formats_are_near(name, content, looks, nearest) -> None:
    said = why_not_recognised(sent(content, name=name))
    assert said.startswith(f"{name}: not recognised; it looks like {looks}")
    assert sum(each.title in said for each in FORMATS) == nearest
    assert len(re.findall(r"\bline \d+", said)) == nearest


def test_a_document_of_word_is_not_taken_apart() -> None:
    packed = BytesIO()
    with ZipFile(packed, "w") as archive:
        archive.writestr("word/document.xml", "<w:document/>")
    files = expand([UploadedFile("thesis.docx", packed.getvalue())])
    assert [file.name for file in files] == ["thesis.docx"]
    assert why_not_recognised(files).startswith("thesis.docx: not recognised; it looks like a Word document, and no format here is near")


@pytest.mark.parametrize(
    ("content", "said"), [(b"", "f.csv: the file is empty"), (bytes(99), "f.csv: not recognised; it looks like binary data")]
)
def test_where_the_file_itself_is_wrong_that_is_said(content: bytes, said: str) -> None:
    with pytest.raises(ReadError, match=said):
        read(content)


def test_the_file_that_is_wrong_is_the_one_that_is_named() -> None:
    with pytest.raises(ReadError, match="2.csv: the file is empty"):
        read(STACKED, b"")


@pytest.mark.slow
@settings(deadline=None)
@given(
    st.lists(st.one_of(st.binary(max_size=60), st.text(alphabet='aX1.,;\t\n\r" é', max_size=40).map(str.encode)), min_size=1, max_size=3)
)
def test_recognising_never_raises_and_reading_gives_a_table_or_a_sentence(contents: list[bytes]) -> None:
    files = sent(*contents)
    matches = recognise(files)
    try:
        result = read_upload(files)
    except HemError as error:
        assert str(error)  # noqa: PT017
    else:
        assert type(result.table).__name__ == matches[0].format.kind


STRANGE = {"photo.png": b"\x89PNG\r\n\x1a\n" + bytes(9), "none.csv": b"", "notes.txt": b"Dear reader\n"}


DOCUMENTS = ("photo.png", "notes.txt")
PLAIN_SERIES = ("series_wide", "series_cumulative", "table_series")


@pytest.mark.parametrize("key", SERIES)
@pytest.mark.parametrize("name", [*STRANGE, "stacked.csv"])
def test_a_series_and_a_foreign_file_are_not_recognised_together(key: str, name: str) -> None:
    files = [UploadedFile("mine.txt", SERIES[key][0]), UploadedFile(name, STRANGE.get(name, STACKED))]
    for order in (files, files[::-1]):
        if key in PLAIN_SERIES and name in DOCUMENTS:
            continue
        assert recognise(order) == []
        with pytest.raises(ReadError) as error:
            read_upload(order)
        said = str(error.value)
        title = recognise(files[:1])[0].format.title
        assert f"mine.txt is {'a ' if title.startswith('series') else ''}{title}" in said
        if name in STRANGE:
            assert said.startswith(f"{name}: ")
            assert said.endswith(f". Leave out {name}, or choose the format.")
        else:
            assert "stacked.csv is subexperiments side by side in one CSV" in said
            assert said.endswith(": upload them separately.")


@pytest.mark.parametrize("key", PLAIN_SERIES)
@pytest.mark.parametrize("name", DOCUMENTS)
def test_documents_next_to_a_plain_table_are_left_out_and_listed(key: str, name: str) -> None:
    files = [UploadedFile("mine.txt", SERIES[key][0]), UploadedFile(name, STRANGE[name])]
    for order in (files, files[::-1]):
        assert recognise(order)[0].key == "table_series"
        result = read_upload(order)
        assert len(result.table.counts) == SERIES[key][1]  # type: ignore[union-attr]
        assert (name, "left out: it holds no table") in set(zip(result.repairs["where"], result.repairs["what"], strict=True))


@pytest.mark.parametrize("key", [key for key in SERIES if key != "table_series"])
@pytest.mark.parametrize("name", STRANGE)
def test_a_reader_of_series_that_was_chosen_names_the_file_that_it_cannot_use(key: str, name: str) -> None:
    with pytest.raises(HemError, match=name):
        read_upload([UploadedFile("mine.txt", SERIES[key][0]), UploadedFile(name, STRANGE[name])], format_key=key)


def test_files_of_two_formats_are_told_what_each_is() -> None:
    names = {"xu3.data": WIDE, "perf.csv": PERF_CSV, "more.data": WIDE, "events_raw.data": A15_LOG, "benchmarks.data": PROGRAMS}
    with pytest.raises(ReadError) as error:
        read_upload([UploadedFile(name, content) for name, content in names.items()])
    assert str(error.value) == (
        "xu3.data, more.data are a series in CSV, one column per event; perf.csv is perf stat -x (CSV);"
        " events_raw.data, benchmarks.data are Cortex-A15 event logs (events_raw.data): upload them separately."
    )


def test_counts_and_cumulative_counters_are_not_read_as_one() -> None:
    files = [UploadedFile("counts.csv", WIDE), UploadedFile("raw.csv", CUMULATIVE)]
    assert recognise(files) == recognise(files[::-1]) == []
    assert why_not_recognised(files) == (
        "counts.csv is a series in CSV, one column per event; raw.csv is a series in CSV, cumulative counters: upload them separately."
        " If they all have one format, choose it."
    )
    assert isinstance(read_upload(files, format_key="series_wide").table, CounterSeries)


def test_strange_files_among_two_formats_are_all_named() -> None:
    files = [UploadedFile("a.csv", WIDE), UploadedFile("b.csv", PERF_CSV), *(UploadedFile(*each) for each in STRANGE.items())]
    assert why_not_recognised(files) == (
        "photo.png: not a text file; none.csv: the file is empty; notes.txt:"
        " not recognised. a.csv is a series in CSV, one column per event;"
        " b.csv is perf stat -x (CSV). Upload them separately, without photo.png, none.csv, notes.txt."
    )


def test_of_many_files_the_first_are_named() -> None:
    said = why_not_recognised([UploadedFile(f"{number}.txt", b"hello\n") for number in range(9)])
    assert said.startswith("0.txt: not recognised; 1.txt: not recognised; ")
    assert "4.txt: not recognised; and 4 more. The nearest formats: " in said


@pytest.mark.parametrize("content", [b"name,city\nAda,London\nBob,Lyon\n", b"name;city\n" + b"Ada;Paris\n" * 90])
def test_a_table_of_text_is_not_recognised(content: bytes) -> None:
    assert keys(content) == keys(content, content) == keys(content, STACKED) == []
    with pytest.raises(ReadError, match="f.csv: not recognised"):
        read(content)


@pytest.mark.parametrize("content", [b"a,b\n", b"a,b\nNA,\n,NA\n", b"a,b\n5,x\n", b"a,b\n5\n", b"name,a\n" + b"x,\n" * 40 + b"x,5\n"])
def test_a_table_with_a_fault_is_recognised_and_told(content: bytes) -> None:
    assert keys(content)[0] == "subexperiments_stacked"
    with pytest.raises(HemError):
        read(content)


def test_n_pmcs_is_proposed_and_noted() -> None:
    result = read(STACKED)
    assert isinstance(result.table, Subexperiments)
    assert result.table.n_pmcs == 2
    assert result.table.common_hems == ["PROCESSOR_CYCLES"]
    assert len(result.table.hems) == 3
    assert result.notes == ("n_pmcs was proposed as 2, from where the first HEM repeats.",)


def test_of_columns_that_do_not_repeat_nothing_is_proposed() -> None:
    assert read(b"cycles,misses\n2000,300\n2001,301\n").notes == ()


def test_a_given_n_pmcs_is_taken_without_a_note() -> None:
    result = read(STACKED, n_pmcs=1)
    assert isinstance(result.table, Subexperiments)
    assert len(result.table.frames) == 4
    assert result.notes == ()


def test_n_pmcs_that_does_not_divide_says_which_do() -> None:
    with pytest.raises(ParameterError, match="n_pmcs: 3 does not divide the 4 columns; it must be one of 1, 2, 4"):
        read(STACKED, n_pmcs=3)


def test_unknown_event_numbers_are_named() -> None:
    with pytest.raises(UnknownNameError, match="columns 'X9999': no such event number"):
        read(STACKED.replace(b"X110", b"X9999"))


def test_a_hem_twice_in_a_group_is_refused() -> None:
    with pytest.raises(TableError, match="subexperiment 1: 'a' appears more than once"):
        read(b"a,a,b,c\n200,300,400,500\n", n_pmcs=2)


def test_a_negative_count_is_refused() -> None:
    with pytest.raises(TableError, match="row 2: -3000 must be at least 0"):
        read(b"a,b\n9000,300\n-3000,300\n")


def test_hems_under_the_mean_bound_are_left_out_and_listed() -> None:
    result = read(b"a,b,c\n200,100,101\n200,100,101\n", min_mean=100)
    assert isinstance(result.table, Subexperiments)
    assert result.table.hems == ["a", "c"]
    (repair,) = result.repairs.to_dict("records")
    assert (repair["where"], repair["column"], repair["rows"], repair["value"], repair["bound"]) == (
        "subexperiment 1",
        "b",
        2,
        100,
        100,
    )
    assert "mean is not above the bound" in repair["what"]


def test_the_mean_bound_can_be_set() -> None:
    result = read(b"a,b\n200,1\n")
    assert isinstance(result.table, Subexperiments)
    assert result.table.hems == ["a", "b"]
    assert result.repairs.empty
    with pytest.raises(TableError, match="no HEM has a mean above min_mean = 1000"):
        read(b"a,b\n200,1\n", min_mean=1000)


def test_rows_with_a_missing_value_are_left_out_and_listed() -> None:
    result = read(b"a,b\n200,300\n,300\n200,inf\n200,301\n")
    assert isinstance(result.table, Subexperiments)
    assert result.table.frames[0].to_numpy().tolist() == [[200, 300], [200, 301]]
    (repair,) = result.repairs.to_dict("records")
    assert (repair["column"], repair["what"], repair["rows"]) == ("a, b", "rows with a missing value left out", 2)


def test_a_column_of_nothing_is_told() -> None:
    with pytest.raises(TableError, match="none of its 2 rows is complete; column 'b' has no value in 2"):
        read(b"a,b\n200,\n200,\n")


def test_one_row_is_enough() -> None:
    assert read(b"a,b\n200,300\n").table.frames[0].shape == (1, 2)  # type: ignore[union-attr]


def test_files_of_unequal_length_are_named_by_their_file() -> None:
    files = [UploadedFile("first.csv", b"a,b\n200,300\n"), UploadedFile("second.csv", b"a,c\n200,300\n201,301\n")]
    table = read_upload(files).table
    assert isinstance(table, Subexperiments)
    assert table.labels == ("first.csv", "second.csv")
    assert [len(frame) for frame in table.frames] == [1, 2]
    assert table.common_hems == ["a"]


def test_names_told_apart_never_meet_another_name() -> None:
    files = [UploadedFile(name, b"a,b\n200,300\n201,301\n") for name in ("x.csv (2)", "x.csv", "x.csv")]
    table = read_upload(files).table
    assert isinstance(table, Subexperiments)
    assert len(set(table.labels)) == len(table.frames) == 3


def test_two_files_of_one_name_are_both_kept() -> None:
    files = [UploadedFile("x.csv", b"a,b\n200,300\n"), UploadedFile("x.csv", b"a,c\n200,300\n")]
    table = read_upload(files).table
    assert isinstance(table, Subexperiments)
    assert table.hems == ["a", "b", "c"]
    assert len(set(table.labels)) == 2


def test_a_name_that_looks_like_markup_is_only_a_name() -> None:
    table = read(b"<img src=x onerror=alert(1)>,=cmd()\n200,300\n").table
    assert isinstance(table, Subexperiments)
    assert table.hems == ["<img src=x onerror=alert(1)>", "=cmd()"]


@pytest.mark.parametrize("options", [{"n_pmcs": 0}, {"n_pmcs": 1.5}, {"min_mean": -1}, {"min_mean": float("nan")}, {"other": 1}])
def test_options_outside_their_bounds_are_refused(options: dict) -> None:
    with pytest.raises(ValueError, match=next(iter(options))):
        ReadOptions(**options)


@pytest.mark.slow
@needs_t2080
@pytest.mark.parametrize(("file", "subexperiments"), [("t2080_much_raw.csv", 24), ("t2080_hrm_raw.csv", 3)])
def test_the_t2080_readings(file: str, subexperiments: int) -> None:
    files = [UploadedFile(file, (T2080 / file).read_bytes())]
    assert [match.format.key for match in recognise(files)] == ["subexperiments_stacked"]
    table = read_upload(files).table
    assert isinstance(table, Subexperiments)
    assert (len(table.frames), table.n_pmcs, len(table.hems)) == (subexperiments, 6, 16)
    assert {len(frame) for frame in table.frames} == {1_000}
    assert "PROCESSOR_CYCLES" in table.common_hems


def test_what_is_recognised_is_plain_data_that_a_page_can_keep() -> None:
    matches = recognise(sent(WIDE))
    assert pickle.loads(pickle.dumps(matches)) == matches  # noqa: S301
    assert matches[0].format is next(each for each in FORMATS if each.key == matches[0].key)
    assert recognise(sent(WIDE)) == matches


def test_a_plain_table_that_its_reader_refuses_is_read_as_the_pages_do() -> None:
    merged = b"Program,Run,Cycles,Misses\nfft,1,5,7\n,2,6,8\nsha,1,9,3\n,2,4,2\n"
    table = read_upload(sent(merged)).table
    assert isinstance(table, PhaseTable)
    assert table.frame["program"].tolist() == ["fft", "fft", "sha", "sha"]
    # What neither reads is told by the reader of plain CSV.
    with pytest.raises(ReadError, match="line 3, column 'Cycles': 'x' is not a number"):
        read_upload(sent(merged.replace(b"6", b"x").replace(b"\n,", b"\nfft,")))


def test_numbers_without_names_above_them_are_no_codes_of_events() -> None:
    with pytest.raises(ReadError, match="no row of column names above the first row of data"):
        read_upload(sent(b"0.5,1608937,1230441\n1.0,1708937,1330441\n"))


def test_five_files_are_named_and_six_are_five_and_one_more() -> None:
    said = [recognition._some([f"f{number}" for number in range(count)]) for count in (5, 6)]
    assert said == ["f0, f1, f2, f3, f4", "f0, f1, f2, f3, f4 and 1 more"]
