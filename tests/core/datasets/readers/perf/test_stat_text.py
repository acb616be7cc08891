"""What `perf stat` prints for people is read in every locale and layout, with what the program itself printed passed over."""

import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hemcore.datasets.readers.format import ReadResult
from hemcore.datasets.readers.perf import csv
from hemcore.datasets.readers.perf.stat_text import read, recognise
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.errors import HemError, ReadError

NARROW, NO_BREAK = "\u202f", "\u00a0"
# perf 6.1: perf stat -e task-clock,page-faults,cycles -r 3 sleep 0.05 (the cycles of a virtual machine).
TOTAL = """
 Performance counter stats for 'sleep 0.05' (3 runs):

              0.79 msec task-clock                       #    0.015 CPUs utilized            ( +-  8.55% )
                75      page-faults                      #   88.459 K/sec                  \n   <not supported>      cycles          \n
         0.0516681 +- 0.0000847 seconds time elapsed  ( +-  0.16% )

       0.002195000 seconds user
       0.000000000 seconds sys

"""
# perf 6.1: the same with -I 100.
INTERVALS = """\
#           time             counts unit events
     0.100265095               0.88 msec task-clock                       #    0.009 CPUs utilized          \n\
     0.100265095                 76      page-faults                      #   85.894 K/sec                  \n\
     0.100265095    <not supported>      cycles                                                      \n\
     0.200641845      <not counted> msec task-clock                                                  \n\
     0.200641845      <not counted>      page-faults                                                 \n\
#           time             counts unit events
     0.301823358               0.07 msec task-clock                       #    0.001 CPUs utilized          \n\
     0.301823358                  0      page-faults                      #    0.000 /sec                   \n\
"""
MULTIPLEXED = """
 Performance counter stats for './qsort':

    10,121,915,492      L1-dcache-loads:u         #   41.14% of all L1-dcache accesses  ( +-  0.45% )  (83.33%)
         1,234,567      cache-misses:u            #   12.000 % of all cache refs        (50.00%)
           234,567      cpu/UOPS_DECODED.DEC0,cmask=1/                                  (16.67%)
     <not counted>      LLC-loads                                                       (0.00%)
             1,000      instructions:u            #    0.50  insn per cycle
                                                  #    1.75  stalled cycles per insn
             12.34 Joules power/energy-pkg/

       1.002003004 seconds time elapsed

Some events weren't counted. Try disabling the NMI watchdog:
        echo 0 > /proc/sys/kernel/nmi_watchdog
        perf stat ...
        echo 1 > /proc/sys/kernel/nmi_watchdog
"""


def file(text: str | bytes, name: str = "f.txt") -> UploadedFile:
    return UploadedFile(name, text.encode() if isinstance(text, str) else text)


def read_text(*texts: str | bytes) -> ReadResult:
    names = ["f.txt"] if len(texts) == 1 else [f"f_{number}.txt" for number in range(1, len(texts) + 1)]
    return read([file(text, name) for text, name in zip(texts, names, strict=True)])


def same(found: pd.DataFrame | None, expected: list[list[float]]) -> None:
    assert found is not None
    # 83.33 / 100 is not the same number as 0.8333.
    np.testing.assert_allclose(found.to_numpy(dtype=float), np.array(expected, dtype=float), rtol=1e-15)


def block(*rows: str) -> str:
    return "\n Performance counter stats for 'x':\n\n" + "".join(row + "\n" for row in rows) + "\n       1.0 seconds time elapsed\n"


def test_the_total_of_a_real_run() -> None:
    late = ["", "a reading after the end of its block, '99      page-faults': left out"]
    passed = ["", "lines with numbers around its blocks, as 'hello 5  a': left out"]
    around = "hello 5  a\n     75      page-faults\n" + TOTAL + "     99      page-faults\n9 lives\n"
    for text, told in ((TOTAL, []), (TOTAL.replace("\n", "\r\n"), []), (around, [late, passed])):
        found = read_text(text)
        assert found.table.events == ["task-clock", "page-faults"]
        same(found.table.counts, [[0.79, 75]])
        assert (found.table.mode, found.table.interval_unit, found.notes) == ("OCOE", "whole run", ())
        assert found.repairs[["column", "what"]].to_numpy().tolist() == [*told, ["cycles", "not supported by the machine: left out"]]
        assert recognise([file(text)])[0] > 0.8


def test_the_intervals_of_a_real_run() -> None:
    found = read_text(INTERVALS)
    same(found.table.counts, [[0.88, 76], [np.nan, np.nan], [0.07, 0]])
    assert found.table.intervals["time"].tolist() == [0.100265095, 0.200641845, 0.301823358]
    assert found.table.intervals["interval"].tolist() == [1, 2, 3]
    assert found.notes == ()
    assert recognise([file(INTERVALS)])[0] > 0.8


def test_a_time_with_a_decimal_comma() -> None:
    table = read_text(
        "#  time  counts unit events\n   0,500210000      3.043.524      cycles\n   1,000420000         11.933      cycles\n"
    ).table
    assert table.intervals["time"].tolist() == [0.50021, 1.00042]
    same(table.counts, [[3_043_524], [11_933]])


def test_the_last_per_cent_is_the_share() -> None:
    found = read_text(MULTIPLEXED)
    assert found.table.events == [
        "L1-dcache-loads:u", "cache-misses:u", "cpu/UOPS_DECODED.DEC0,cmask=1/", "instructions:u", "power/energy-pkg/",
    ]  # fmt: skip
    same(found.table.counts, [[10_121_915_492, 1_234_567, 234_567, 1_000, 12.34]])
    same(found.table.share, [[0.8333, 0.5, 0.1667, 1, 1]])
    assert found.notes == ("f.txt: perf has already scaled values that were counted for part of an interval; share is as printed.",)
    assert found.repairs[["column", "what"]].to_numpy().tolist() == [["LLC-loads", "not counted in any interval: left out"]]


def test_one_that_never_got_a_counter_has_a_share_of_nothing() -> None:
    found = read_text(MULTIPLEXED, MULTIPLEXED.replace("<not counted>", "5").replace("(0.00%)", "(9.00%)")).table
    assert np.isnan(found.counts["LLC-loads"][0])
    assert found.share is not None
    assert found.share["LLC-loads"].tolist() == [0, 0.09]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("printed", "value"),
    [
        ("1,234,567", 1_234_567),
        ("1.234.567", 1_234_567),
        ("1'234'567", 1_234_567),
        ("1’234’567", 1_234_567),
        (f"1{NARROW}234{NARROW}567", 1_234_567),
        (f"1{NO_BREAK}234{NO_BREAK}567", 1_234_567),
        ("1 234 567", 1_234_567),
        ("12,34,567", 1_234_567),
        ("1234567", 1_234_567),
        ("1.652", 1_652),
        ("1,652", 1_652),
        ("0", 0),
        ("100.68", 100.68),
        ("100,68", 100.68),
        ("1.234,56", 1_234.56),
        ("1,234.56", 1_234.56),
        (f"1{NARROW}234,56", 1_234.56),
        ("1’234.56", 1_234.56),
        ("3.278417", 3.278417),
        ("1,003.278417", 1_003.278417),
    ],
)
@pytest.mark.parametrize("unit", ["     ", " msec", " Joules"])
@pytest.mark.sweep
def test_separators_of_every_locale(printed: str, value: float, unit: str) -> None:
    rows = [f"{printed:>18}{unit} some-event", f"{printed:>18}{unit} other   #  1,5 M/sec   (83,33%)"]
    found = read_text(block(*rows)).table
    assert found.events == ["some-event", "other"]
    same(found.counts, [[value, value]])
    same(found.share, [[1, 0.8333]])
    timed = "#           time             counts unit events\n" + "".join(f"     0.050131922 {row}\n" for row in rows)
    same(read_text(timed).table.counts, [[value, value]])


def test_the_name_before_perf_4_17() -> None:
    found = read_text(block("          3.278417      task-clock (msec)         #    0.008 CPUs utilized   [50.00%]"))
    assert found.table.events == ["task-clock"]
    same(found.table.counts, [[3.278417]])
    same(found.table.share, [[0.5]])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("places", "names"),
    [
        (["CPU0         ", "CPU1         "], ["CPU0", "CPU1"]),
        (["S0        2  ", "S1        2  "], ["S0", "S1"]),
        (["S0-D0-C0           1  ", "S0-D0-C1           1  "], ["S0-D0-C0", "S0-D0-C1"]),
        (["N0        2  ", "N1        2  "], ["N0", "N1"]),
        (["            perf-28632  ", " memfd:sealed-91-27126  "], ["perf-28632", "memfd:sealed-91-27126"]),
        (["  tmux: server-12  ", "  kworker/0:1-9  "], ["tmux: server-12", "kworker/0:1-9"]),
    ],
)
@pytest.mark.parametrize("stamp", ["", "     0.050175947 "])
def test_each_cpu_socket_or_thread_is_an_application(places: list[str], names: list[str], stamp: str) -> None:
    rows = [
        f"{stamp}{place}{row}"
        for row in ("    1,052.76 msec task-clock   #    1.000 CPUs utilized", "      81      cs")
        for place in places
    ]
    head = "#           time core            cpus             counts unit events\n"
    table = read_text(head + "\n".join(rows) + "\n" if stamp else block(*rows)).table
    assert table.applications == [f"f {name}" for name in names]
    same(table.counts, [[1052.76, 81], [1052.76, 81]])


def test_cgroups_are_applications() -> None:
    # perf 6.1: -a --for-each-cgroup /
    rows = [
        "            104.54 msec task-clock                       / #    2.000 CPUs utilized",
        "     81      page-faults            a.slice",
    ]
    assert read_text(block(*rows)).table.applications == ["f /", "f a.slice"]


def test_the_total_after_intervals_is_left_out() -> None:
    found = read_text(INTERVALS + TOTAL)
    same(found.table.counts, [[0.88, 76], [np.nan, np.nan], [0.07, 0]])
    assert found.table.runs("f") == [1]
    assert "--summary" in found.notes[0]


def test_blocks_are_runs() -> None:
    started = "# started on Sat Nov 21 07:12:47 2026\n\n"
    found = read_text(started + TOTAL + "the program again\n" + started + TOTAL.replace("75 ", "80 "))
    assert found.table.runs("f") == [1, 2]
    same(found.table.counts, [[0.79, 75], [0.79, 80]])
    assert read_text(TOTAL, TOTAL).table.runs("f") == [1, 2]
    assert read_text(started + INTERVALS + started + INTERVALS).table.runs("f") == [1, 2]


def test_blocks_of_different_commands_are_applications() -> None:
    table = read_text(TOTAL + TOTAL.replace("sleep 0.05", "ls") + TOTAL).table
    assert table.applications == ["f sleep 0.05", "f ls"]
    assert table.runs("f sleep 0.05") == [1, 2]
    assert table.runs("f ls") == [1]


def test_a_command_of_several_lines() -> None:
    found = read_text(TOTAL.replace("'sleep 0.05'", "'bash -c echo hi\n   5   cats\ntrue'"))
    same(found.table.counts, [[0.79, 75]])


def test_the_table_of_single_runs_is_passed_over() -> None:
    # perf 6.1: --table -r 3
    table = "          # Table of individual measurements:\n          0.012753 (+0.000893) ##\n          0.011416 (-0.000444) #\n"
    found = read_text(TOTAL.replace("\n         0.0516681", "\n" + table + "\n          # Final result:\n         0.0516681"))
    assert len(found.repairs) == 1


def test_lines_between_that_cannot_be_read_are_left_out_and_listed() -> None:
    found = read_text(INTERVALS.replace("     0.3018", "hello from the program\n     0.3018", 1) + "     0.401823358        7")
    assert found.repairs["where"].tolist()[:2] == ["f.txt, line 8", "f.txt, line 11"]
    assert "'hello from the program'" in found.repairs["what"].iloc[0]
    cut = INTERVALS + "     0.401823358                 75      page-fau"
    found = read_text(cut)
    assert found.table.events == ["task-clock", "page-faults"]
    assert found.repairs["where"].tolist()[0] == "f.txt, line 10"
    assert len(read_text(cut + "lts").table.counts) == 4


def test_rows_of_metrics_are_left_out_and_counted() -> None:
    found = read_text(INTERVALS + "     0.301823358                                            #     24.5 %  tma_retiring\n")
    same(found.table.counts, [[0.88, 76], [np.nan, np.nan], [0.07, 0]])
    assert found.notes == ("f.txt: rows of metrics left out, because perf computes them from the counts: 1.",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "f.txt: the file is empty"),
        (b"\x00", "f.txt: not a text file"),
        ("     75      page-faults\n", "f.txt: no perf stat count"),
        (block("   <not supported>      cycles"), "f.txt: no event has a value ('cycles')"),
    ],
)
def test_a_wrong_file_is_told(text: str | bytes, said: str) -> None:
    with pytest.raises(ReadError) as error:
        read_text(text)
    assert said in str(error.value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        b"\x00\x01",
        "a,b\n1,2\n",
        "JOBID;STEPID\n1;2\n",
        "# time,cycles\n0.1,5\n",
        " Performance counter stats for 'x':\n\n",
        '{"counter-value" : "5", "event" : "a"}\n',
        "     0.100196963,0.75,msec,task-clock,745032,100.00,0.007,CPUs utilized\n",
    ],
)
def test_other_files_are_not_taken_for_it(text: str | bytes) -> None:
    assert recognise([file(text)])[0] == 0
    assert recognise([file(TOTAL), file(text)])[0] == 0


@pytest.mark.slow
@settings(deadline=None, max_examples=25)
@given(
    values=st.lists(st.lists(st.one_of(st.none(), st.integers(0, 2**53)), min_size=3, max_size=3), min_size=1, max_size=4),
    separator=st.sampled_from(["", ",", ".", "'", "’", NARROW, NO_BREAK]),
    shares=st.lists(st.integers(1, 9_999), min_size=3, max_size=3),
    place=st.sampled_from(["", "CPU0  ", "S0        2 ", "     bash-12 "]),
)
def test_what_perf_prints_is_read_back(values: list[list[int | None]], separator: str, shares: list[int], place: str) -> None:
    text = "#           time             counts unit events\n"
    for number, row in enumerate(values):
        for event, (value, share) in enumerate(zip(row, shares, strict=True)):
            printed = "<not counted>" if value is None else f"{value:,}".replace(",", separator)
            text += f"{number:6}.000000009 {place}{printed:>18}      event-{event}   #   1.5  x  ({share / 100:.2f}%)\n"
    expected = pd.DataFrame(values, columns=["event-0", "event-1", "event-2"]).astype(float).dropna(axis="columns", how="all")
    if not len(expected.columns):
        with pytest.raises(ReadError, match="no event has a value"):
            read_text(text)
        return
    table = read_text(text).table
    same(table.counts, expected.to_numpy().tolist())
    assert table.share is not None
    wanted = np.array(
        [[share / 100 / 100 for share, name in zip(shares, ("event-0", "event-1", "event-2"), strict=True) if name in expected]]
    )
    found = table.share.where(table.counts.notna()).to_numpy()
    np.testing.assert_allclose(found, np.where(table.counts.notna(), wanted, np.nan), rtol=1e-12)


# Whatever bytes are sent, what is wrong with them is a sentence.
@settings(deadline=None)
@given(st.one_of(st.binary(max_size=200), st.text(alphabet="1,.0a%<>-# ()\n", max_size=120).map(lambda text: block(text).encode())))
def test_any_bytes_give_a_series_or_a_sentence(content: bytes) -> None:
    score, reason = recognise([file(content)])
    assert 0 <= score <= 1
    assert reason
    try:
        read_text(content)
    except HemError as error:
        assert str(error).startswith("f.txt: ")  # noqa: PT017


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit", [" ", "1 ", "1,", "111,", "a-1 ", "-1 ", "a ", "1.11 ", "<not counted> ", "(1.11%)", "#", "+", "1  ", "a-1  1  "]
)
def test_no_line_takes_long(unit: str) -> None:
    # Thousandths of a second; minutes where a pattern tries every way to take a line apart.
    started = time.process_time()
    line = unit * (990 // len(unit))
    read_text(block("  5      a", *[line, "  " + line, line + "x", "5      a  " + line] * 5))
    recognise([file(block(line, line))])
    assert time.process_time() - started < 20


def test_a_heading_far_below_what_the_program_printed_is_found() -> None:
    text = "step of the program\n" * 5_000 + " Performance counter stats for 'x':\n\n          1,234      cycles\n\n"
    files = [UploadedFile("f.txt", text.encode())]
    assert recognise(files)[0] == 0.9
    assert read(files).table.counts["cycles"].tolist() == [1234]


def test_the_kind_of_an_event_behind_its_name_is_no_part_of_it() -> None:
    text = "1.000000000;5;msec;task-clock;5;100.00;;\n2.000000000;6;msec;task-clock [software];6;100.00;;\n"
    table = csv.read([UploadedFile("f.csv", text.encode())]).table
    assert table.counts["task-clock"].tolist() == [5, 6]


def test_groups_of_a_value_behind_the_id_of_a_cpu_or_thread_are_no_number_of_cpus() -> None:
    rows = (
        "CPU12               4 946 052 277      cycles",
        "bash-81                 1 234 567      cycles",
        "S0        2      3 000 007      cycles",
    )
    table = read_text("".join([" Performance counter stats for 'a':\n\n", *(f"{row}\n" for row in rows)])).table
    assert table.counts["cycles"].tolist() == [4_946_052_277, 1_234_567, 3_000_007]


def test_intervals_of_perf_before_3_13_have_no_heading() -> None:
    rows = "     1.000100200      1,200      cycles\n     1.000100200        900      instructions    [50.00%]\n"
    text = rows + rows.replace("1.0001", "2.0002").replace("900", "950")
    found = read_text(text)
    same(found.table.counts, [[1200, 900], [1200, 950]])
    same(found.table.share, [[1, 0.5], [1, 0.5]])
    assert found.table.intervals["time"].tolist() == [1.0001002, 2.0002002]
    assert recognise([file(text)])[0] > 0.8
    for other in (text.replace("cycles", "dogs").replace("instructions", "cats"), "what it prints\n" + text):
        assert recognise([file(other)])[0] == 0


def test_totals_of_other_events_are_no_sums_of_the_intervals() -> None:
    other = TOTAL.replace("page-faults", "bus-cycles")
    assert [note for note in read_text(INTERVALS + other).notes if "rows" in note] == [
        "f.txt: rows without a time left out, of events in no interval: 'bus-cycles'.",
        "f.txt: rows of the total (--summary) left out, because the intervals add up to it: 2.",
    ]
