"""`perf stat -j` in the versions of perf, with their faults: what can be mended is read, what cannot is listed by line."""

import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hemcore.datasets.readers.format import ReadResult
from hemcore.datasets.readers.perf.json import read, recognise
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.errors import HemError, ReadError

# perf 6.1: perf stat -e task-clock,page-faults,cycles -I 100 -j sleep 0.2 (the cycles of a virtual machine), metrics cut.
INTERVALS = """\
{"interval" : 0.100217072, "counter-value" : "0.866602", "unit" : "msec", "event" : "task-clock", "event-runtime" : 866602, \
"pcnt-running" : 100.00, "metric-value" : 0.008666, "metric-unit" : "CPUs utilized"}
{"interval" : 0.100217072, "counter-value" : "75.000000", "unit" : "", "event" : "page-faults", "event-runtime" : 866602, \
"pcnt-running" : 100.00, "metric-value" : 86.544919, "metric-unit" : "K/sec"}
{"interval" : 0.100217072, "counter-value" : "<not supported>", "unit" : "", "event" : "cycles", "event-runtime" : 0, \
"pcnt-running" : 100.00, "metric-value" : 0.000000, "metric-unit" : "(null)"}
{"interval" : 0.200598520, "counter-value" : "<not counted>", "unit" : "msec", "event" : "task-clock", "event-runtime" : 0, \
"pcnt-running" : 100.00, "metric-value" : 0.000000, "metric-unit" : ""}
{"interval" : 0.200598520, "counter-value" : "0.000000", "unit" : "", "event" : "page-faults", "event-runtime" : 79849, \
"pcnt-running" : 100.00, "metric-value" : 0.000000, "metric-unit" : "/sec"}
"""
COUNTS = [[0.866602, 75], [np.nan, 0]]


def file(text: str | bytes, name: str = "f.json") -> UploadedFile:
    return UploadedFile(name, text.encode() if isinstance(text, str) else text)


def read_text(*texts: str | bytes) -> ReadResult:
    names = ["f.json"] if len(texts) == 1 else [f"f_{number}.json" for number in range(1, len(texts) + 1)]
    return read([file(text, name) for text, name in zip(texts, names, strict=True)])


def said_of(text: str | bytes) -> str:
    with pytest.raises(ReadError) as error:
        read_text(text)
    return str(error.value)


def same(found: pd.DataFrame | None, expected: list[list[float]]) -> None:
    assert found is not None
    np.testing.assert_array_equal(found.to_numpy(dtype=float), np.array(expected, dtype=float))


def test_intervals_of_a_real_run() -> None:
    found = read_text("# started on Sat Nov 21 07:12:47 2026\n\n" + INTERVALS)
    same(found.table.counts, COUNTS)
    assert found.table.events == ["task-clock", "page-faults"]
    assert found.table.intervals["time"].tolist() == [0.100217072, 0.20059852]
    assert found.table.applications == ["f"]
    assert found.notes == ()
    assert found.repairs[["column", "what"]].to_numpy().tolist() == [["cycles", "not supported by the machine: left out"]]
    assert recognise([file(INTERVALS)])[0] > 0.9


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        (INTERVALS.replace("}", ", }"), 5),
        (INTERVALS.replace("}", ",}\r"), 5),
        (INTERVALS.replace("}\n", "} ").rstrip() + "\n", 1),
        (INTERVALS.replace("}\n", "}", 1), 1),
        # LC_ALL=de_DE.UTF-8: the time keeps its point.
        (INTERVALS.replace("0.866602", "0,866602").replace("100.00,", "100,00,").replace("0.000000,", "0,000000,"), 5),
    ],
    ids=["comma", "comma-crlf", "one line", "two on one line", "decimal comma"],
)
def test_known_faults_of_perf_are_mended_and_counted(text: str, mended: int) -> None:
    found = read_text(text)
    same(found.table.counts, COUNTS)
    assert found.notes == (f"f.json: lines that are not valid JSON, as some versions of perf write them, were repaired: {mended}.",)
    assert recognise([file(text)])[0] > 0.9


@pytest.mark.slow
@pytest.mark.parametrize("wrong", ["Killed", '{"interval" : 0.3, "counter-va', "[1]", "{", '{"a" : 1}', "{" * 9_000, '{"a":' * 3_000])
def test_a_line_that_cannot_be_mended_is_left_out_and_listed(wrong: str) -> None:
    for text, line in ((INTERVALS + wrong, 6), (wrong + "\n" + INTERVALS, 1), (INTERVALS + wrong + "\n", 6)):
        found = read_text(text)
        same(found.table.counts, COUNTS)
        listed = found.repairs[found.repairs["what"].str.startswith("not readable")]
        assert listed["where"].tolist() == [f"f.json, line {line}"]
        assert wrong[:50] in listed["what"].iloc[0]


def test_many_lines_that_cannot_be_read_are_counted() -> None:
    found = read_text(INTERVALS + "x\n" * 1_000).repairs
    assert len(found) < 60
    assert found.loc[found["what"].str.contains("left out"), "rows"].sum() == 1_001


@pytest.mark.slow
@pytest.mark.parametrize(
    ("keys", "name"),
    [
        ('"cpu" : "0", ', "CPU0"),
        ('"core" : "S0-D0-C1", "aggregate-number" : 2, ', "S0-D0-C1"),
        ('"core" : "S0-D0-C1", "counters" : 2, ', "S0-D0-C1"),
        ('"die" : "S0-D0", "aggregate-number" : 2, ', "S0-D0"),
        ('"socket" : "S1", "aggregate-number" : 2, ', "S1"),
        ('"node" : "N0", "aggregate-number" : 2, ', "N0"),
        ('"thread" : "bash-27128", ', "bash-27128"),
        ('"cgroup" : "/", ', "/"),
        ('"cpu" : "3", "cgroup" : "a.slice", ', "CPU3 a.slice"),
    ],
)
def test_each_cpu_socket_thread_or_cgroup_is_an_application(keys: str, name: str) -> None:
    table = read_text(INTERVALS.replace('"counter-value"', keys + '"counter-value"')).table
    assert table.applications == [f"f {name}"]
    same(table.counts, COUNTS)


def test_two_cpus_are_not_summed() -> None:
    text = '{"cpu" : "0", "counter-value" : "5", "event" : "a"}\n{"cpu" : "1", "counter-value" : "7", "event" : "a"}\n'
    table = read_text(text).table
    assert table.applications == ["f CPU0", "f CPU1"]
    same(table.counts, [[5], [7]])


def test_metrics_are_left_out_and_counted() -> None:
    # perf 6.1: --metric-only -j ; the rows of metrics of later versions have no event.
    text = INTERVALS + '{"metric-value" : "24.5", "metric-unit" : "%  frontend_bound"}\n{}\n'
    found = read_text(text)
    same(found.table.counts, COUNTS)
    assert found.notes == ("f.json: metrics left out, because perf computes them from the counts: 2.",)
    only = '{}\n{"interval" : 0.050135716}{"metric-value" : ""}{"metric-value" : ""}\n'
    assert "Run perf stat without --metric-only" in said_of(only)
    assert recognise([file(only)])[0] == 0


def test_share_is_as_printed() -> None:
    text = (
        '{"counter-value" : "5", "event" : "a", "pcnt-running" : 66.00}\n{"counter-value" : "<not counted>", "event" : "b", '
        '"pcnt-running" : 0.00}\n{"counter-value" : "6", "event" : "c", "pcnt-running" : 100.01}\n{"counter-value" : "7", "event" : "d"}\n'
    )
    found = read_text(text, text.replace("<not counted>", "8").replace("0.00", "50.00"))
    same(found.table.counts, [[5, np.nan, 6, 7], [5, 8, 6, 7]])
    same(found.table.share, [[0.66, 0, 1, np.nan], [0.66, 0.5, 1, np.nan]])
    assert found.table.mode == "MPX"
    assert "cuts it to whole per cent" in found.notes[0]


@pytest.mark.slow
@pytest.mark.parametrize("value", ["NaN", "Infinity", '"nan"', '"inf"', '"lots"', "true", "null", "-1", '"-1.000000"', "[]", '"9e999"'])
def test_a_value_that_is_no_count_is_not_counted_and_listed(value: str) -> None:
    text = '{"counter-value" : "5", "event" : "a"}\n{"counter-value" : VALUE, "event" : "b"}\n'
    found = read_text(text.replace("VALUE", "9"), text.replace("VALUE", value))
    same(found.table.counts, [[5, 9], [5, np.nan]])
    listed = found.repairs[["where", "column"]].to_numpy().tolist()
    assert listed == [["f_2.json, line 2", "b"]]
    assert "is not a count: treated as not counted" in found.repairs["what"].iloc[0]


@pytest.mark.parametrize("wrong", ['"interval" : NaN', '"interval" : "x"', '"interval" : null'])
def test_a_time_that_is_no_number_is_left_out_and_listed(wrong: str) -> None:
    found = read_text(INTERVALS + INTERVALS.split("\n")[0].replace('"interval" : 0.100217072', wrong) + "\n")
    same(found.table.counts, COUNTS)
    assert "f.json, line 6" in found.repairs["where"].tolist()


def test_numbers_may_be_numbers() -> None:
    same(
        read_text('{"counter-value" : 5, "event" : "a"}\n{"counter-value" : "12345678901", "event" : "b"}\n').table.counts,
        [[5, 12345678901]],
    )


def test_the_total_of_intervals_is_left_out() -> None:
    found = read_text(INTERVALS + '{"counter-value" : "75.000000", "unit" : "", "event" : "page-faults", "pcnt-running" : 100.00}\n')
    same(found.table.counts, COUNTS)
    assert "--summary" in found.notes[0]


def test_files_and_appended_runs_are_runs() -> None:
    assert read_text(INTERVALS, INTERVALS).table.runs("f") == [1, 2]
    found = read_text(INTERVALS + INTERVALS)
    assert found.table.intervals[["run", "interval"]].to_numpy().tolist() == [[1, 1], [1, 2], [2, 1], [2, 2]]
    assert "the time goes backwards" in found.notes[0]
    started = "# started on Sat Nov 21 07:12:47 2026\n\n"
    total = '{"counter-value" : "5", "event" : "a"}\n'
    assert read_text(started + total + started + total).table.runs("f") == [1, 2]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "f.json: the file is empty"),
        (b"\x00{}", "f.json: not a text file"),
        ("\n\nhello\n{\n", "f.json: line 3, 'hello', is not an object of perf stat -j, and no other line is"),
        ("x" * 100, f"'{'x' * 60}'"),
        ("# started on now\n\n", "f.json: no event with a count"),
        ('{"counter-value" : "<not supported>", "event" : "cycles"}\n', "f.json: no event has a value ('cycles')"),
    ],
)
def test_a_wrong_file_is_told_where(text: str | bytes, said: str) -> None:
    assert said in said_of(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        b"\x00\x01",
        "a,b\n1,2\n",
        "JOBID;STEPID\n1;2\n",
        '{"threads":[{"id":"18470","regions":[]}]}\n',
        '{\n "counter-value" : 5\n}\n',
        "     0.100196963,0.75,msec,task-clock,745032,100.00,0.007,CPUs utilized\n",
    ],
)
def test_other_files_are_not_taken_for_it(text: str | bytes) -> None:
    assert recognise([file(text)])[0] == 0
    assert recognise([file(INTERVALS), file(text)])[0] == 0


VALUES = st.one_of(st.floats(0, 1e15).map(lambda value: f"{value:.6f}"), st.just("<not counted>"))


@pytest.mark.slow
@settings(deadline=None, max_examples=25)
@given(
    values=st.lists(st.lists(VALUES, min_size=3, max_size=3), min_size=1, max_size=4),
    end=st.sampled_from(["}\n", ", }\n", "} "]),
    cpus=st.sampled_from([("",), ('"cpu" : "0", ', '"cpu" : "1", ')]),
)
def test_what_perf_prints_is_read_back(values: list[list[str]], end: str, cpus: tuple[str, ...]) -> None:
    text = "".join(
        f'{{"interval" : {number}.000000009, {cpu}"counter-value" : "{value}", "event" : "e{event}", "pcnt-running" : 100.00{end}'
        for number, row in enumerate(values)
        for cpu in cpus
        for event, value in enumerate(row)
    )
    expected = pd.DataFrame(
        [[np.nan if value.startswith("<") else float(value) for value in row] for row in values for _ in cpus],
        columns=["e0", "e1", "e2"],
    ).dropna(axis="columns", how="all")
    if expected.empty or not len(expected.columns):
        assert "no event has a value" in said_of(text)
        return
    found = read_text(text)
    assert found.table.applications == (["f"] if cpus == ("",) else ["f CPU0", "f CPU1"])
    same(found.table.counts[expected.columns], expected.to_numpy().tolist())


# Whatever bytes are sent, what is wrong with them is a sentence.
@settings(deadline=None)
@given(
    st.one_of(
        st.binary(max_size=200),
        st.lists(
            st.sampled_from(
                ['{"counter-value" : ', '"5"', "5", ', "event" : "a"', ', "interval" : 1', "}", "\n", ",", "{", "NaN", "[", "]"]
            ),
            max_size=20,
        ).map(lambda parts: "".join(parts).encode()),
    )
)
def test_any_bytes_give_a_series_or_a_sentence(content: bytes) -> None:
    score, reason = recognise([file(content)])
    assert 0 <= score <= 1
    assert reason
    try:
        read_text(content)
    except HemError as error:
        assert str(error).startswith("f.json")  # noqa: PT017


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["{", "}", ",", ', "', '{"a":', "[", '"', " ", "\t", "1,1", ": 1,"])
def test_no_line_takes_long(unit: str) -> None:
    # Thousandths of a second; minutes where a pattern tries every way to take a line apart.
    started = time.process_time()
    text = "{" + unit * (9_000 // len(unit)) + "\n"
    assert recognise([file(text)])[0] == 0
    read_text(text + INTERVALS)
    assert time.process_time() - started < 20


def test_half_of_the_lines_must_be_objects_of_perf() -> None:
    line = '{"counter-value" : "5.0", "unit" : "", "event" : "cycles", "event-runtime" : 1, "pcnt-running" : 100.00}\n'
    scores = [recognise([file(text)])[0] for text in (line, line + "word\n", line + "word\n" * 2)]
    assert scores == [0.95, 0.475, 0]
