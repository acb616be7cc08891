"""`perf stat -x` in every layout is read as perf printed it; what has no value is NaN, and every fault is told by line."""

import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hemcore.datasets.readers.format import ReadResult
from hemcore.datasets.readers.perf.csv import read, recognise
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.errors import HemError, ReadError

# perf 6.1: perf stat -e task-clock,page-faults,cycles -I 100 -x, sleep 0.3 (the cycles of a virtual machine).
INTERVALS = """\
     0.100196963,0.75,msec,task-clock,745032,100.00,0.007,CPUs utilized
     0.100196963,75,,page-faults,745032,100.00,100.667,K/sec
     0.100196963,<not supported>,,cycles,0,100.00,,
     0.200534425,<not counted>,msec,task-clock,0,100.00,,
     0.200534425,<not counted>,,page-faults,0,100.00,,
     0.200534425,<not supported>,,cycles,0,100.00,,
     0.301555155,0.06,msec,task-clock,55423,100.00,0.001,CPUs utilized
     0.301555155,0,,page-faults,55423,100.00,0.000,/sec
     0.301555155,<not supported>,,cycles,0,100.00,,
"""
SUMMARY = """\
         summary,1.00,msec,task-clock,995054,100.00,0.005,CPUs utilized
         summary,77,,page-faults,995054,100.00,77.383,K/sec
         summary,<not supported>,,cycles,0,100.00,,
"""
MULTIPLEXED = """\
     1.000100000;1200;;cpu/UOPS_DECODED.DEC0,cmask=1/;660000000;66.00;;
     1.000100000;55;;instructions:u;1000000000;100.00;0.5;insn per cycle
     1.000100000;<not counted>;;LLC-loads;0;0.00;;
     2.000200000;1300;;cpu/UOPS_DECODED.DEC0,cmask=1/;340000000;34.00;;
     2.000200000;66;;instructions:u;1000000000;100.01;0.5;insn per cycle
     2.000200000;7;;LLC-loads;5000000;0.00;;
"""


def file(text: str | bytes, name: str = "f.csv") -> UploadedFile:
    return UploadedFile(name, text.encode() if isinstance(text, str) else text)


def read_text(*texts: str | bytes) -> ReadResult:
    names = ["f.csv"] if len(texts) == 1 else [f"f_{number}.csv" for number in range(1, len(texts) + 1)]
    return read([file(text, name) for text, name in zip(texts, names, strict=True)])


def said_of(text: str | bytes) -> str:
    with pytest.raises(ReadError) as error:
        read_text(text)
    return str(error.value)


def same(found: pd.DataFrame, expected: list[list[float]]) -> None:
    np.testing.assert_array_equal(found.to_numpy(dtype=float), np.array(expected, dtype=float))


def test_intervals_of_a_real_run() -> None:
    found = read_text(INTERVALS)
    table = found.table
    assert table.events == ["task-clock", "page-faults"]
    same(table.counts, [[0.75, 75], [np.nan, np.nan], [0.06, 0]])
    assert table.intervals["time"].tolist() == [0.100196963, 0.200534425, 0.301555155]
    assert table.intervals["interval"].tolist() == [1, 2, 3]
    assert table.applications == ["f"]
    assert table.runs("f") == [1]
    assert (table.mode, table.interval_unit) == ("OCOE", "0.101 s")
    assert found.notes == ()
    assert found.repairs[["where", "column", "what", "rows"]].to_numpy().tolist() == [
        ["f.csv", "cycles", "not supported by the machine: left out", 3]
    ]


@pytest.mark.parametrize("summary", [SUMMARY, SUMMARY.replace("         summary,", "")], ids=["csv-summary", "no-csv-summary"])
def test_the_total_of_intervals_is_left_out_and_noted(summary: str) -> None:
    found = read_text(INTERVALS + summary)
    same(found.table.counts, [[0.75, 75], [np.nan, np.nan], [0.06, 0]])
    assert found.notes == ("f.csv: rows of the total (--summary) left out, because the intervals add up to it: 3.",)


def test_a_total_alone_is_one_interval() -> None:
    same(read_text(SUMMARY).table.counts, [[1.0, 77]])


@pytest.mark.slow
@pytest.mark.parametrize("separator", [",", ";", "|", "\t", ":", "::", "!"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("pad", [True, False])
def test_every_separator_line_end_and_padding(separator: str, end: str, pad: bool) -> None:
    text = INTERVALS if pad else INTERVALS.replace("     0.", "0.")
    found = read_text("# started on Sat Nov 21 07:12:46 2026\n\n".replace("\n", end) + text.replace(",", separator).replace("\n", end))
    same(found.table.counts, [[0.75, 75], [np.nan, np.nan], [0.06, 0]])
    assert recognise([file(text.replace(",", separator).replace("\n", end))])[0] > 0.9


def test_decimal_comma_of_a_locale() -> None:
    # perf 6.1, LC_ALL=de_DE.UTF-8: the time keeps its point.
    text = "     0.050177109;1,22;msec;task-clock;1223425;66,00;0;CPUs utilized\n     0.050177109;80;;page-faults;1223425;100,00;65;K/sec\n"
    found = read_text(text)
    same(found.table.counts, [[1.22, 80]])
    assert found.table.share is not None
    same(found.table.share, [[0.66, 1]])
    assert "LC_ALL=C" in said_of(text.replace(";", ","))


def test_share_is_as_printed_and_not_applied_again() -> None:
    found = read_text(MULTIPLEXED)
    same(found.table.counts, [[1200, 55, np.nan], [1300, 66, 7]])
    assert found.table.mode == "MPX"
    assert found.table.share is not None
    # Never on a counter: 0. Over 100 by rounding: 1. Counted, but cut to 0 per cent: not known.
    same(found.table.share, [[0.66, 1, 0], [0.34, 1, np.nan]])
    assert len(found.notes) == 1
    assert "has already scaled" in found.notes[0]
    assert "cuts it to whole per cent" in found.notes[0]
    what = found.repairs.set_index("what")
    over = what.loc["running share over 100%: treated as 100%"]
    assert (over["value"], over["bound"]) == (100.01, 100)
    assert what.loc["counted, but a running share of 0% (below 1%): share not known", "rows"] == 1


def test_true_decimals_of_a_share_are_not_said_to_be_cut() -> None:
    note = read_text(MULTIPLEXED.replace("66.00", "66.67")).notes[0]
    assert "has already scaled" in note
    assert "whole" not in note


@pytest.mark.slow
@pytest.mark.parametrize(
    ("event", "rest"),
    [
        ("cpu/UOPS_DECODED.DEC0,cmask=1/", ""),
        ("cpu/event=0x3c,umask=0x0,name=X/u", ",0.5,insn per cycle"),
        ("cpu/UOPS_DECODED.DEC0,cmask=1/", ",0.5,insn per cycle,good"),
        ("UOPS_DECODED.DEC0,cmask=1", ",,"),
        ("uncore_cbox_0/event=0x22,umask=0x41,filter=1/", ",,"),
        ("syscalls:sys_enter_write", ",,"),
        ("r01c4:u", ",,"),
    ],
)
@pytest.mark.parametrize("variance", ["", ",0.45%", ",14.35%"])
def test_event_names_with_commas_are_whole(event: str, rest: str, variance: str) -> None:
    table = read_text(f"123,,{event}{variance},1000,100.00{rest}\n5.50,Joules,power/energy-pkg/{variance},1000,100.00{rest}\n").table
    assert table.events == [event, "power/energy-pkg/"]
    same(table.counts, [[123, 5.5]])
    assert table.applications == ["f"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "second", "names"),
    [
        ("CPU0,", "CPU13,", ["CPU0", "CPU13"]),
        ("S0,2,", "S1,2,", ["S0", "S1"]),
        ("S0-D0,8,", "S0-D1,8,", ["S0-D0", "S0-D1"]),
        ("S0-D0-C0,1,", "S0-D0-C1,1,", ["S0-D0-C0", "S0-D0-C1"]),
        ("N0,4,", "N1,4,", ["N0", "N1"]),
        ("N0,", "N1,", ["N0", "N1"]),
        ("bash-27128,", "tmux: server-1,", ["bash-27128", "tmux: server-1"]),
        ("            perf-28632,", "kworker/0:1-9,", ["perf-28632", "kworker/0:1-9"]),
    ],
)
@pytest.mark.parametrize("stamp", ["", "     0.100250643,"])
def test_each_cpu_socket_or_thread_is_an_application(first: str, second: str, names: list[str], stamp: str) -> None:
    rows = [f"{stamp}{place}{row}" for row in ("100.49,msec,task-clock", "82,,page-faults") for place in (first, second)]
    table = read_text("".join(f"{row},100490565,100.00,1.005,CPUs utilized\n" for row in rows)).table
    assert table.applications == [f"f {name}" for name in names]
    same(table.counts, [[100.49, 82], [100.49, 82]])


def test_cgroups_are_applications() -> None:
    # perf 6.1: -a -G /,/ ; the cgroup has a slash, which does not make it a part of the event.
    text = (
        "81,,page-faults,/,4878,100.00,773.121,/sec\n7,,cpu/a,cmask=1/,/,4878,100.00,,\n9,,page-faults,system.slice/a.service,5,100.00,,\n"
    )
    table = read_text(text).table
    assert table.applications == ["f /", "f system.slice/a.service"]
    same(table.counts[["page-faults", "cpu/a,cmask=1/"]], [[81, 7], [9, np.nan]])


def test_rows_of_metrics_are_left_out_and_counted() -> None:
    text = "5,,a,9,100.00,1.5,insn per cycle\n,,,,,,24.5,%  frontend_bound\n,,,,,,24.5,%  bad\n"
    found = read_text(text)
    same(found.table.counts, [[5]])
    assert found.notes == ("f.csv: rows of metrics left out, because perf computes them from the counts: 2.",)
    timed = "     1.000000001," + text.strip().replace("\n", "\n     1.000000001,S0,2,").replace("1,5,,", "1,S0,2,5,,") + "\n"
    same(read_text(timed).table.counts, [[5]])
    assert recognise([file(timed)])[0] > 0.9


@pytest.mark.slow
def test_a_line_cut_off_at_the_end_is_left_out_and_listed() -> None:
    for cut in (1, 5, 6, 12, 16, 17, 20, 23, 33, 39):
        found = read_text(INTERVALS + "     0.401555155,81,,page-faults,55423,100.00,0.001,K/sec"[:cut])
        assert len(found.table.counts) == 3
        listed = found.repairs[found.repairs["what"].str.startswith("cut off")]
        assert listed["where"].tolist() == ([] if cut < 6 else ["f.csv, line 10"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "f.csv: the file is empty"),
        ("\n \n", "f.csv: the file is empty"),
        (bytes(range(256)), "f.csv: not a text file"),
        ("hello\n", "f.csv: no row of perf stat -x"),
        ("# started on Sat Nov 21 07:12:46 2026\n\n", "f.csv: no row of perf stat -x"),
        # perf 6.1: --metric-only -x, -I 100
        (" time,\n     0.100266336,,\n     0.200655305,,,,\n", "Run it without --metric-only"),
        ("x,y\n" + INTERVALS, "f.csv: line 1, 'x,y', is not a row of perf stat -x ','"),
        (INTERVALS + "Killed\n" + INTERVALS, "f.csv: line 10, 'Killed', is not a row of perf stat -x ','"),
        ("x,y\n" + INTERVALS + "Killed\n" + INTERVALS, "is not a row of perf stat -x ',': expected value, unit, event, run time in ns and"),
        (
            "x,y\n" + INTERVALS + "Killed\n" + INTERVALS,
            "percentage; nor is line 11. Measure again: the program's own output is apart from perf's with `perf stat -o FILE`",
        ),
        ("x,y\n" * 5 + INTERVALS, "; nor are lines 2, 3, 4, 5. Measure again"),
        ("x,y\n" * 8 + INTERVALS, "line 1, 'x,y', is"),
        ("x,y\n" * 8 + INTERVALS, "; nor are lines 2, 3, 4, 5 and 3 more. Measure again"),
        (INTERVALS + "z" * 100 + "\n" + INTERVALS, f"line 10, '{'z' * 60}', is"),
        ("<not supported>,,cycles,0,100.00,,\n<not counted>,,x,0,0.00,,\n", "f.csv: no event has a value ('cycles', 'x')"),
    ],
)
def test_a_wrong_file_is_told_where(text: str | bytes, said: str) -> None:
    assert said in said_of(text)


def test_files_are_runs() -> None:
    table = read_text(INTERVALS, INTERVALS).table
    assert table.runs("f") == [1, 2]
    assert table.intervals["interval"].tolist() == [1, 2, 3, 1, 2, 3]


def test_two_runs_in_one_file_are_two_runs() -> None:
    found = read_text(INTERVALS + INTERVALS)
    assert found.table.intervals[["run", "interval"]].to_numpy().tolist() == [[1, 1], [1, 2], [1, 3], [2, 1], [2, 2], [2, 3]]
    assert found.notes == ("f.csv: the time goes backwards, read as the start of a new run: 1 times.",)
    started = "# started on Sat Nov 21 07:12:46 2026\n\n"
    found = read_text(started + INTERVALS + SUMMARY + started + INTERVALS + SUMMARY)
    assert found.table.runs("f") == [1, 2]
    assert len(found.table.counts) == 6


def test_appended_totals_are_runs() -> None:
    total = "5,,a,9,100.00,,\n6,,b,9,100.00,,\n"
    found = read_text(total + total.replace("9,", "10,") + total.replace("9,", "8,"))
    same(found.table.counts, [[5, 6]] * 3)
    assert found.table.runs("f") == [1, 2, 3]
    assert found.notes == ("f.csv: the same 2 rows repeat; they were read as 3 runs.",)
    found = read_text(("# started on now\n\n" + total) * 2)
    assert found.table.runs("f") == [1, 2]
    assert found.table.interval_unit == "whole run"
    # Of one round, events on other units ran for other times; of two runs, each event did.
    units = "5,,a,1000,100.00,,\n6,,b,9000,100.00,,\n"
    assert len(read_text(units + units.replace("000,100", "900,100")).table.counts) == 2
    assert read_text(units + units.replace("000,100", "001,100")).table.counts.shape == (1, 4)
    # Runs in files of which one holds two are numbered on.
    assert read_text(total + total.replace("9,", "10,"), total).table.runs("f") == [1, 2, 3]


def test_an_event_twice_in_one_interval_is_two_events() -> None:
    assert read_text("5,,a,9,100.00,,\n7,,b,9,100.00,,\n6,,a,9,100.00,,\n").table.events == ["a", "b", "a (2)"]


def test_intervals_without_any_count_of_one_cpu_are_listed() -> None:
    text = "     0.100000000,CPU0,5,,a,9,100.00,,\n     0.100000000,CPU1,<not counted>,,a,0,0.00,,\n"
    found = read_text(text)
    assert found.table.applications == ["f CPU0"]
    assert found.repairs[["where", "what"]].to_numpy().tolist() == [["f CPU1, run 1", "no event counted: left out"]]


def test_an_infinite_value_is_not_counted() -> None:
    found = read_text("5,,a,9,100.00,,\n" + "9" * 400 + ",,b,9,100.00,,\n6,,c,9,100.00,,\n")
    assert found.table.events == ["a", "c"]
    assert "infinite value: treated as not counted" in found.repairs["what"].tolist()


@pytest.mark.parametrize(
    "text",
    [
        "",
        b"\x00\x01",
        "a,b\n1,2\n3,4\n",
        "L1-dcache-loads,cycles,time\n" + "123,456,78.90\n" * 9,
        "JOBID;STEPID;USER;APP;TIME_SEC;DC_NODE_POWER_W\n" + "123;0;user;bench;100;2.50;7\n" * 9,
        '{"counter-value" : "5", "event" : "a"}\n',
        "#           time             counts unit events\n     0.050204779               1.15 msec task-clock  #  0.023 CPUs utilized\n",
        "Timestamp,CPU,Busy%\n0,1,5.00\n" * 5,
    ],
)
def test_other_files_are_not_taken_for_it(text: str | bytes) -> None:
    assert recognise([file(text)])[0] == 0
    assert recognise([file(INTERVALS), file(text)])[0] == 0


@pytest.mark.parametrize(
    "unit", ["1,", ",", "-1", "-1,", "a-1,", "1,,a,", " ", "9,9.99,", "a", "<not counted>,", ",\t", "S0,2,", "x%,", "="]
)
def test_no_line_takes_long(unit: str) -> None:
    # Thousandths of a second; minutes where a pattern tries every way to take a line apart.
    started = time.process_time()
    text = INTERVALS + unit * (9_000 // len(unit)) + "\n"
    recognise([file(text)])
    try:
        read_text(text + INTERVALS)
    except HemError as error:
        assert "line 10" in str(error)  # noqa: PT017
    assert time.process_time() - started < 20


CELLS = st.one_of(
    st.integers(0, 2**53).map(str),
    st.floats(0, 1e12).map(lambda value: f"{value:.2f}"),
    st.sampled_from(["<not counted>", "<not supported>"]),
)
EVENTS = st.one_of(
    st.from_regex(r"[A-Za-z_][A-Za-z0-9_.:-]{0,12}", fullmatch=True),
    st.from_regex(r"cpu/[A-Z.]{1,6},cmask=[1-9]/u?", fullmatch=True),
)


@pytest.mark.slow
@settings(deadline=None, max_examples=25)
@given(
    data=st.data(),
    events=st.lists(EVENTS, min_size=1, max_size=4, unique=True),
    places=st.sampled_from([[""], ["CPU0", "CPU1"], ["S0-D0#4"], ["bash-1", "bash-2"]]),
    separator=st.sampled_from(",;|\t"),
    variance=st.booleans(),
    stamps=st.lists(st.integers(1, 10**15), min_size=1, max_size=4, unique=True).map(sorted),
)
def test_what_perf_prints_is_read_back(
    data: st.DataObject, events: list[str], places: list[str], separator: str, variance: bool, stamps: list[int]
) -> None:
    expected: dict[tuple[str, int, str], tuple[float, float]] = {}
    lines = []
    for interval, stamp in enumerate(stamps, start=1):
        for place in places:
            for event in events:
                value, unit = data.draw(CELLS), data.draw(st.sampled_from(["", "msec", "Joules"]))
                share = data.draw(st.integers(1, 100))
                counted = not value.startswith("<")
                cells = [f"{stamp // 10**9:6}.{stamp % 10**9:09}", *filter(None, place.split("#")), value, unit, event]
                cells += [*(["0.45%"] if variance else []), "12345" if counted else "0", f"{share if counted else 0}.00", "", ""]
                lines.append(separator.join(cells))
                expected[place.partition("#")[0], interval, event] = (float(value), share / 100) if counted else (np.nan, 0)
    text = "\n".join(lines) + "\n"
    assert recognise([file(text)])[0] > 0.9
    if not any(value == value for value, _ in expected.values()):
        assert "no event has a value" in said_of(text)
        return
    table = read_text(text).table
    found = {}
    for row, keys in table.intervals.iterrows():
        for event in table.events:
            share = table.share.loc[row, event] if table.share is not None else 1.0  # type: ignore[index]
            found[keys["application"].partition(" ")[2], keys["interval"], event] = (table.counts.loc[row, event], share)  # type: ignore[index]
    for key, (value, share) in expected.items():
        if key in found:
            np.testing.assert_equal(found[key][0], value)
            if value == value:
                assert found[key][1] == share
        else:
            assert np.isnan(value)


# Whatever bytes are sent, what is wrong with them is a sentence.
@settings(deadline=None)
@given(st.one_of(st.binary(max_size=200), st.text(alphabet="1,;.0a%<>- \n\r", max_size=80).map(str.encode)))
def test_any_bytes_give_a_series_or_a_sentence(content: bytes) -> None:
    score, reason = recognise([file(content)])
    assert 0 <= score <= 1
    assert reason
    try:
        read_text(content)
    except HemError as error:
        assert str(error).startswith("f.csv: ")  # noqa: PT017


@pytest.mark.slow
@pytest.mark.parametrize("intervals", [1_000, pytest.param(25_000, marks=pytest.mark.long)])
def test_up_to_a_million_rows(intervals: int) -> None:
    events = [f"cpu/EVENT_{number},cmask=1/" if number % 3 else f"event{number}" for number in range(40)]
    text = "\n".join(
        f"{interval / 10 + 0.1:.9f},{interval * number},,{event},{100_000_000 + interval},{50 + number % 50}.00,,"
        for interval in range(intervals)
        for number, event in enumerate(events)
    )
    started = time.perf_counter()
    table = read_text(text).table
    print(f"{40 * intervals:,} rows: {time.perf_counter() - started:.2f} s")
    assert len(table.counts) == intervals
    assert table.counts.to_numpy().tolist()[3] == [3 * number for number in range(40)]


def test_one_event_again_and_again_is_the_boxes_of_a_unit_and_not_runs() -> None:
    found = read_text("".join(f"{count},,uncore_cbox/clockticks/,500,100.00,,\n" for count in (11, 12, 13, 14)))
    assert found.table.counts.to_dict("records") == [
        {
            "uncore_cbox/clockticks/": 11,
            "uncore_cbox/clockticks/ (2)": 12,
            "uncore_cbox/clockticks/ (3)": 13,
            "uncore_cbox/clockticks/ (4)": 14,
        }
    ]
    assert found.table.intervals["run"].tolist() == [1]
    assert found.notes == ()


@pytest.mark.slow
@pytest.mark.parametrize("separator", ["\\", "]", "^", "[", "*", "(", "?", "$", "-"])
def test_a_separator_that_means_something_in_a_pattern_is_only_a_separator(separator: str) -> None:
    same(read_text(INTERVALS.replace("-", "_").replace(",", separator)).table.counts, [[0.75, 75], [np.nan, np.nan], [0.06, 0]])


def test_rows_of_perf_4_end_in_four_separators() -> None:
    text = "1.000100123,500,,cycles,1000,100.00,,,,\n2.000100123,600,,cycles,1000,100.00,,,,\n"
    table = read([UploadedFile("p.csv", text.encode())]).table
    assert table.counts["cycles"].tolist() == [500, 600]


def test_two_readings_on_the_last_line_are_no_cut_line() -> None:
    line = "812000,,cycles,500000000,100.00,,"
    whole = f"0.100000000,{line}\n0.200000000,{line}\n"
    assert "cut off" in " ".join(read_text(whole + "0.300000000,812").repairs["what"])
    assert "line 3" in said_of(f"{whole}0.300000000,{line}0.400000000,{line}")
