"""What is asked of a guess, by hand: each question, its answers, and the tables of which nothing is asked."""

import json

import pandas as pd
import pytest

import hemcore as hem
from hemcore.datasets import CounterSeries, PhaseTable, Subexperiments
from hemcore.datasets.importing.guessing.column_facts import grows_evenly, rises_evenly
from hemcore.datasets.importing.guessing.open_questions import is_setting, neighbours_alike
from hemcore.datasets.importing.inspection import Preview, inspect
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.errors import ReadError

COUNTS = [(5_037, 611), (5_091, 702), (5_008, 655), (5_112, 640), (5_050, 699), (5_074, 618), (5_021, 671), (5_103, 690)]


def shown(*texts: str) -> Preview:
    found = inspect([UploadedFile(f"f{place}.csv", text.encode()) for place, text in enumerate(texts)])
    assert not found.fault
    return found


def answered(found: Preview, label: str, text: str) -> Preview:
    (doubt,) = found.doubts
    recipe = next(recipe for each, recipe in doubt.answers if each == label)
    return inspect([UploadedFile("f0.csv", text.encode())], recipe)


def rows(*columns: list[object]) -> str:
    return "".join(
        ",".join(map(str, row)) + "\n"
        for row in zip(*columns, *zip(*COUNTS[: len(columns[0]) if columns else 8], strict=True), strict=True)
    )


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ("1 1 1 2 2 2", True),
        ("1 2 3 1 2 3", True),
        ("1 1 2 2 1 1 2 2", True),
        ("1 1 2 1 2 2", False),
        ("1 2 3 4 5 6", False),
        ("7 7 7 7 7 7", False),
        ("1 2 1 2", False),
        ("1 1 1 1 2 2 2", False),
    ],
)
def test_settings_repeat_in_a_fixed_order(cells: str, expected: bool) -> None:
    assert is_setting(pd.Series(cells.split())) == expected


@pytest.mark.parametrize(
    ("name", "cells", "asked"),
    [
        ("Total", "7,9,8,5", ["total Total"]),
        ("Summe", "7,9,8,5", ["total Summe"]),
        ("Total", "5648,5793,5663,5752", []),  # the sums of both
        ("Total", "7,7,7,7", []),  # which counts nothing
        ("Mean", "7,9,8,5", []),
    ],
)
def test_a_total_that_is_no_sum_is_asked_about(name: str, cells: str, asked: list[str]) -> None:
    text = f"cycles,misses,{name}\n" + "".join(f"{a},{b},{c}\n" for (a, b), c in zip(COUNTS, cells.split(","), strict=False))
    assert [doubt.key for doubt in shown(text).doubts] == asked


def test_names_that_come_again_or_in_several_files_are_subexperiments() -> None:
    once, again = "event,value\ncycles,5010\nmisses,12\n", "event,value\ncycles,5010\nmisses,12\ncycles,5020\nmisses,13\n"
    assert isinstance(shown(once).result.table, CounterSeries)
    assert isinstance(shown(again).result.table, Subexperiments)
    assert isinstance(shown(once, once.replace("10", "30")).result.table, Subexperiments)


def test_even_steps_and_rows_that_are_alike() -> None:
    assert rises_evenly(pd.Series([0.5, 1.0, 1.5, 2.0, 2.5, 3.0]))
    assert not rises_evenly(pd.Series([0.5, 1.0, 1.5, 2.0, 2.5, 3.1]))
    assert not rises_evenly(pd.Series([3.0, 2.5, 2.0, 1.5, 1.0, 0.5]))
    assert not rises_evenly(pd.Series([1.0, 2, 3, 4, 5]))
    assert not rises_evenly(pd.Series([1.0, 2, 3, 4, 5, float("inf")]))
    # Two levels of 16: the lag-1 autocorrelation is 29 / 32, times the root of 32 is 5.1; of eight and eight 13 / 16 * 4 = 3.25.
    assert neighbours_alike(pd.Series([1.0] * 16 + [2.0] * 16))
    assert not neighbours_alike(pd.Series([1.0] * 8 + [2.0] * 8))
    assert not neighbours_alike(pd.Series([1.0, 2.0] * 16))
    assert not neighbours_alike(pd.Series([5.0] * 32))


def test_a_setting_is_left_out_or_tells_programs_apart() -> None:
    text = "threads,cycles,misses\n" + rows([1, 1, 2, 2, 4, 4, 8, 8])
    found = shown(text)
    assert [doubt.question for doubt in found.doubts] == [
        "'threads' repeats 4 values in a fixed order (1, 2, 4): is it a setting, or a count?"
    ]
    left_out, apart, count = (answered(found, label, text) for label, _ in found.doubts[0].answers)
    assert isinstance(left_out.result.table, Subexperiments)
    assert list(left_out.result.table.hems) == ["cycles", "misses"]
    assert isinstance(apart.result.table, PhaseTable)
    assert apart.result.table.frame["program"].tolist() == list("11224488")
    assert list(count.result.table.hems) == ["threads", "cycles", "misses"]
    assert not any(each.doubts for each in (left_out, apart, count))


@pytest.mark.parametrize(
    ("cells", "told", "label", "times"),
    [
        ([3.5 + 0.5 * at for at in range(8)], "evenly (3.5, 4.0, 4.5)", "The time (s)", [3.5, 4.0]),
        ([1_764_150_000 + 2 * at for at in range(8)], "as instants since 1970 do", "The time (epoch s)", [2, 4]),
    ],
)
def test_numbers_that_rise_may_be_the_time(cells: list[object], told: str, label: str, times: list[float]) -> None:
    text = "cycles,strange,misses\n" + "".join(f"{a},{t},{b}\n" for t, (a, b) in zip(cells, COUNTS, strict=True))
    found = shown(text)
    assert told in found.doubts[0].question
    recipe = dict(found.doubts[0].answers)[label]
    table = inspect([UploadedFile("f0.csv", text.encode())], recipe).result.table
    assert isinstance(table, CounterSeries)
    assert table.intervals["time"].tolist()[:2] == times


def test_sizes_that_grow_by_one_factor_may_be_settings() -> None:
    assert grows_evenly(pd.Series([64.0, 128, 256, 512, 1024, 2048]))
    assert not grows_evenly(pd.Series([64.0, 128, 256, 512, 1024, 2049]))
    assert not grows_evenly(pd.Series([0.0, 1, 2, 4, 8, 16]))
    assert not grows_evenly(pd.Series([1.1**at for at in range(8)]))
    # Columns of one name, as of subexperiments side by side, are one question.
    twice = "bucket,cycles,bucket,misses\n" + "".join(f"{2**at},{a},{2**at},{b}\n" for at, (a, b) in enumerate(COUNTS))
    assert [doubt.key for doubt in shown(twice).doubts] == ["setting bucket"]
    found = shown("bucket,cycles,misses\n" + rows([2**at for at in range(8)]))
    assert [doubt.question for doubt in found.doubts] == ["'bucket' grows by one factor (1, 2, 4): is it a setting, or a count?"]


@pytest.mark.parametrize(("names", "asked"), [(("mean", "min"), 0), (("scoreError", "std. error"), 1), (("errors", "Errors"), 0)])
def test_statistics_beside_counts_are_asked(names: tuple[str, str], asked: int) -> None:
    text = f"name,cycles,misses,{names[0]},{names[1]},loads\n" + "".join(
        f"{name},{a},{b},{a + b},{b % 7},{a - b}\n" for name, (a, b) in zip("fft sha crc sort aes lu qr fir".split(), COUNTS, strict=True)
    )
    found = shown(text)
    assert [doubt.key for doubt in found.doubts] == ["statistics"] * asked
    if asked:
        assert answered(found, "Leave out", text).result.table.counters == ("cycles", "misses", "loads")
        assert not answered(found, "Counts", text).doubts


def test_texts_that_are_left_out_may_be_programs() -> None:
    text = "cycles,misses,input\n" + "".join(f"{a},{b},{'ab'[at % 2]}\n" for at, (a, b) in enumerate(COUNTS))
    found = shown(text)
    assert found.doubts[0].question == "'input' holds 2 different texts (a, b): does it tell programs apart?"
    assert answered(found, "Programs", text).result.table.frame["program"].tolist() == list("abababab")
    assert not answered(found, "A remark: leave it out", text).doubts
    assert not shown(text.replace("input", "comment")).doubts
    assert not shown(text.replace(",b\n", ",a\n")).doubts


def test_texts_beside_times_may_be_programs_or_stages() -> None:
    text = "time,cycles,misses,input\n" + "".join(f"{at / 2},{a},{b},{'ab'[at // 4]}\n" for at, (a, b) in enumerate(COUNTS))
    found = shown(text)
    programs, stages = (answered(found, label, text).result.table for label in ("Programs", "Stages"))
    assert isinstance(programs, CounterSeries)
    assert programs.intervals["application"].tolist() == list("aaaabbbb")
    assert stages.intervals["stage"].tolist() == list("aaaabbbb")


def test_texts_of_a_long_table_may_be_programs() -> None:
    text = "event,kernel,value\n" + "".join(
        f"{e},{k},{v}\n" for k, (a, b) in zip("aabbccdd", COUNTS, strict=True) for e, v in (("cycles", a), ("misses", b))
    )
    found = shown(text)
    assert [doubt.key for doubt in found.doubts] == ["names kernel"]
    assert isinstance(answered(found, "A remark: leave it out", text).result.table, CounterSeries | Subexperiments)


@pytest.mark.parametrize(
    ("cells", "labels", "times"),
    [
        (["00:00", "00:10", "00:20", "01:30"], ["Minutes and seconds", "Hours and minutes"], [10, 20, 90, 100]),
        (["09:59", "10:01", "10:03", "10:05"], ["Minutes and seconds", "Hours and minutes"], [2, 4, 6, 8]),
        (["20:30", "22:30", "24:30", "26:30"], [], [120, 240, 360, 480]),
        (["00:10:00", "00:10:10", "00:10:20", "00:10:30"], [], [10, 20, 30, 40]),
    ],
)
def test_minutes_and_seconds_or_hours_and_minutes(cells: list[str], labels: list[str], times: list[float]) -> None:
    text = "Time,cycles,misses\n" + rows(cells)
    found = shown(text)
    assert [label for doubt in found.doubts for label, _ in doubt.answers] == labels
    if labels:
        found = answered(found, labels[0], text)
        assert not answered(shown(text), labels[1], text).doubts
    assert found.result.table.intervals["time"].tolist() == times


def test_rows_in_a_series_may_be_numbered_where_no_name_says_so() -> None:
    text = "cycles,strange,misses\n" + "".join(f"{a},{at},{b}\n" for at, (a, b) in enumerate(COUNTS, start=1))
    found = answered(shown(text), "It numbers the rows: leave it out", text)
    assert isinstance(found.result.table, Subexperiments)
    assert list(found.result.table.hems) == ["cycles", "misses"]
    later = text.replace(",1,", ",0,", 1)  # 0, 2, 3
    assert not shown(later).doubts


def test_a_mean_beside_its_spread_is_the_value() -> None:
    text = "command,mean,stddev,median,user,min,max\n" + "".join(
        f"{c},{a},{b % 9},{a},{b},{a - 9},{a + 9}\n" for c, (a, b) in zip("abc", COUNTS, strict=False)
    )
    found = shown(text)
    assert found.result.table.counters == ("mean", "user")
    assert not found.doubts


def test_settings_are_asked_where_they_vary() -> None:
    text = "program,cycles,misses,threads\n" + "".join(
        f"p{at},{a},{b},{t}\n" for at, ((a, b), t) in enumerate(zip(COUNTS, [1, 4, 2, 2, 1, 8, 4, 1], strict=True))
    )
    assert [doubt.question for doubt in shown(text).doubts] == ["'threads' varies (1, 4, 2): is it a setting, or a count?"]
    same = "".join(f"{line.rpartition(',')[0]},{'threads' if at == 0 else 4}\n" for at, line in enumerate(text.splitlines()))
    assert shown(same).result.table.counters == ("cycles", "misses")


@pytest.mark.parametrize("times", [[4.0, 3.0, 2.0, 1.0], ["14:30:04", "14:30:03", "14:30:02", "14:30:01"]])
def test_the_newest_row_may_stand_first(times: list[object]) -> None:
    found = shown("time,cycles,misses\n" + rows(times))
    assert found.result.table.counts["cycles"].tolist() == [5_112, 5_008, 5_091, 5_037]
    assert found.result.table.intervals["time"].tolist() == [1, 2, 3, 4]
    assert "the newest row stands first: turned round" in " ".join(found.repairs)


@pytest.mark.parametrize(("name", "value"), [("entity_id", "state"), ("itemid", "value"), ("sensor", "reading")])
def test_labels_beside_one_column_of_values_are_events(name: str, value: str) -> None:
    labels = ("23", "24") if name == "itemid" else ("power", "energy")
    text = f"{name},{value},when\n" + "".join(
        f"{label},{number},2026-11-12 14:30:0{at}\n" for at, pair in enumerate(COUNTS) for label, number in zip(labels, pair, strict=True)
    )
    table = shown(text).result.table
    assert isinstance(table, CounterSeries)
    assert table.counts[labels[0]].tolist() == [a for a, _ in COUNTS]


@pytest.mark.parametrize(("step", "asked"), [(250_000_000, True), (10_000, True), (9_999, False)])
def test_times_in_an_unknown_unit(step: int, asked: bool) -> None:
    text = "ts,cycles,misses\n" + rows([step * at for at in range(1, 9)])
    found = shown(text)
    assert [doubt.question for doubt in found.doubts] == [f"'ts' has no unit and its steps are {step:,}: which unit is it?"] * asked
    assert not shown(text.replace("ts,", "ts (ns),")).doubts
    if asked:
        assert [label for label, _ in found.doubts[0].answers] == ["ns", "us", "ms", "s"]
        assert answered(found, "ms", text).result.table.intervals["time"].tolist()[0] == step / 1_000


def test_rows_over_parts_of_the_machine_may_be_events() -> None:
    text = ",node0,node1\n" + "".join(f"{name},{a},{b}\n" for name, (a, b) in zip(("hit", "miss", "other"), COUNTS, strict=False))
    found = shown(text)
    assert isinstance(found.result.table, PhaseTable)
    parts = answered(found, "Events", text).result.table
    assert parts.counters == ("hit", "miss", "other")
    assert parts.frame["program"].tolist() == ["node0", "node1"]  # places, no runs
    assert parts.frame[list(parts.counters)].iloc[1].tolist() == [611, 702, 655]
    assert not answered(found, "Programs", text).doubts
    assert not shown(text.replace(",node0", "program,node0")).doubts


def test_rows_in_an_order_that_runs_have_not_may_be_intervals() -> None:
    text = "cycles,misses\n" + "".join(f"{5_000 + (at // 16) * 900 + 37 * at % 91},{600 + (at // 16) * 90 + at % 7}\n" for at in range(32))
    found = shown(text)
    assert [doubt.key for doubt in found.doubts] == ["order"]
    assert isinstance(found.result.table, Subexperiments)
    assert isinstance(answered(found, "An interval", text).result.table, CounterSeries)
    assert not answered(found, "A run", text).doubts


def test_named_rows_without_times_may_be_runs() -> None:
    text = "program,cycles,misses\n" + rows(list("aabbccdd"))
    found = shown(text)
    assert isinstance(found.result.table, CounterSeries)
    assert isinstance(answered(found, "A run", text).result.table, PhaseTable)


def test_columns_named_as_runs_and_files_of_one_column_are_told() -> None:
    text = "time,cycles_run1,cycles_run2\n" + rows([0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0])
    assert [doubt.key for doubt in shown(text).doubts] == ["numbered"]
    assert [doubt.key for doubt in shown(text.replace("_run", ".")).doubts] == ["numbered"]
    assert not shown(text.replace("_run", "")).doubts
    one = "time,value\n" + "".join(f"{at / 2},{a}\n" for at, (a, _) in enumerate(COUNTS, start=1))
    assert [doubt.key for doubt in shown(one, one.replace("50", "51")).doubts] == ["files"]
    assert not shown(one).doubts


def test_tables_that_leave_nothing_open_are_asked_nothing() -> None:
    assert not shown("run,cycles,misses\n" + rows(list(range(1, 9)))).doubts
    assert not shown("time,cycles,misses\n" + rows([0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0])).doubts
    assert not shown("cycles,misses\n" + rows()).doubts
    assert not shown("run,mean,median\n" + rows(list(range(1, 9)))).doubts


def test_read_warns_of_what_is_not_certain() -> None:
    text = "threads,cycles,misses\n" + rows([1, 1, 2, 2, 4, 4, 8, 8])
    with pytest.warns(UserWarning, match="Check: 'threads' repeats 4 values .* Read as: a count"):
        hem.read(text.encode())


def test_times_that_fall_unevenly_are_no_newest_rows_first() -> None:
    found = inspect([UploadedFile("f.csv", b"threads,time_s,cycles\n1,40.1,5\n2,20.5,6\n4,10.9,7\n8,6.1,8\n")])
    assert list(found.result.table.frames[0]) == ["threads", "time_s", "cycles"]  # how long each took; of the threads is asked
    assert [doubt.key for doubt in found.doubts] == ["setting threads"]


@pytest.mark.parametrize(
    ("text", "counters"),
    [
        ("program,cycles,cycles_lower,cycles_upper\na,5,4,6\nb,7,6,8\nc,9,8,9\n", ["cycles"]),
        ("program,cycles,cycles_lower,misses\na,5,4,6\nb,7,6,8\nc,9,8,9\n", ["cycles", "cycles_lower", "misses"]),
        ("program,cycles,misses\na,5 ± 1,4.5 ± .5%\nb,7 ± 2,6 ± 1\n", ["cycles", "misses"]),
        ("program,cycles,misses\na,5 (1),4.5 (10%)\nb,7 (2),6 (9%)\n", ["cycles", "misses"]),
        (",Name,requests,failed\nGET,a,5,1\nGET,b,7,2\n,Aggregated,12,3\n", ["requests", "failed"]),
        ("event,cycles,cycles,load,load\nthreads,1,2,1,2\nprogram,,,,\na,5,6,7,8\nb,6,5,8,7\n", ["cycles 1", "cycles 2", "load 1"]),
    ],
)  # fmt: skip
def test_bounds_spreads_and_levels_of_names(text: str, counters: list[str]) -> None:
    table = shown(text).result.table
    assert isinstance(table, PhaseTable)
    assert list(table.counters)[:3] == counters
    assert len(table.frame) == 3 - ("±" in text or "(1)" in text or "Name" in text or "event" in text)
    assert table.frame[counters[0]].tolist()[0] == 5


def test_serial_days_lengths_of_intervals_and_durations_beside_instants() -> None:
    days = shown("date,cycles,misses\n" + rows([46_338.5 + at / 86_400 for at in range(8)])).result.table
    assert days.intervals["time"].round(3).tolist() == [1, 2, 3, 4, 5, 6, 7, 8]
    assert str(days.intervals["date"].iloc[0]) == "2026-11-12 12:00:00"
    text = "start,duration,cycles,misses\n" + rows([0, 0.5, 1.0, 2.0], [0.5, 0.5, 1.0, 1.0])
    assert list(shown(text).result.table.counts) == ["cycles", "misses"]
    text = "timestamp,elapsed,bytes\n" + "".join(f"{1_764_150_000 + at},{b},{a}\n" for at, (a, b) in enumerate(COUNTS))
    table = shown(text).result.table
    assert list(table.counts) == ["elapsed", "bytes"]
    assert table.intervals["time"].tolist() == [1, 2, 3, 4, 5, 6, 7, 8]


def test_running_in_percent_is_the_share_counted() -> None:
    text = "time,cycles,cycles_running_pct\n1,5,50\n2,6,25\n3,7,50\n"
    table = shown(text).result.table
    assert (list(table.counts), table.mode) == (["cycles"], "MPX")
    assert table.share["cycles"].tolist() == [0.5, 0.25, 0.5]


def test_numbers_with_something_behind_them_are_told() -> None:
    found = shown("run,cycles,misses,loads\n" + rows([1, 2, 3, 4], ["7.4m", "7.5m", "7.1m", "7.3m"]))
    assert [doubt.key for doubt in found.doubts] == ["unread"]
    assert found.doubts[0].question == "cycles: what is the m of 7.4m?"


def test_labelled_lines_objects_with_lists_and_series() -> None:
    pairs = "".join(f"Sample(t={at / 2}, cycles={a}, misses={b})\n" for at, (a, b) in enumerate(COUNTS, start=1))
    labelled = "".join(f"iter {at}: cycles = {a}, misses = {b}\n" for at, (a, b) in enumerate(COUNTS))
    short = "".join(f"t={at * 100}ms,cycles={a},misses={b}\n" for at, (a, b) in enumerate(COUNTS))
    cycles, misses = (list(each) for each in zip(*COUNTS, strict=True))
    times = [at / 2 for at in range(1, 9)]
    apart = json.dumps({"host": "n7", "time": times, "events": {"cycles": cycles, "misses": misses}})
    series = [{"columns": ["time", "cycles"], "values": list(map(list, COUNTS)), "tags": {"host": host}} for host in "ab"]
    for text in (pairs, labelled, short, apart):
        table = shown(text).result.table
        assert (table.counts if isinstance(table, CounterSeries) else table.frames[0])["misses"].tolist() == misses
    assert shown(json.dumps({"results": [{"series": series}]}).replace('"time"', '"loads"')).result is not None
    samples = json.dumps([{"run": run, "samples": [{"t": t, "cycles": a} for t, a in zip(times, cycles, strict=True)]} for run in (1, 2)])
    table = shown(samples).result.table
    assert table.n_runs == 2
    assert table.counts["cycles"].tolist() == 2 * cycles
    lists = shown(json.dumps([{"event": "cycles", "values": cycles}, {"event": "misses", "values": misses}])).result.table
    assert (lists.counts if isinstance(lists, CounterSeries) else lists.frames[0])["misses"].tolist() == misses


def test_runs_within_runs_of_long_tables_and_elapsed_times_as_an_index() -> None:
    text = "run,iteration,event,count\n" + "".join(
        f"{run},{at},a,{a}\n{run},{at},b,{b}\n" for run in (1, 2) for at, (a, b) in enumerate(COUNTS)
    )
    table = shown(text).result.table
    assert table.n_runs == 2
    assert table.counts["b"].tolist() == 2 * [b for _, b in COUNTS]
    table = shown(",cycles,misses\n" + rows([f"0 days 00:00:0{at}" for at in range(8)])).result.table
    assert table.intervals["time"].tolist() == [1, 2, 3, 4, 5, 6, 7, 8]
    kernels = "Start (ns),Duration (ns),size\n" + rows([5_000 * at for at in range(1, 9)], [7, 3, 8, 2, 9, 1, 6, 4]).replace("\n", ",x\n")
    assert "Duration (ns)" in shown(kernels.replace("size", "size,loads,label")).result.table.counts


def test_medians_between_extremes_durations_of_rows_and_marked_cells() -> None:
    box = shown("program,min,q1,median,q3,max\na,1,2,3,4,5\nb,2,3,4,5,6\nc,1,3,5,6,7\n").result.table
    assert box.counters == ("median",)
    named = shown("Name,Time,Calls\na,5.5,3\nb,1.5,4\nc,3.5,2\n").result.table
    assert (named.counters, named.frame["program"].tolist()) == (("Time", "Calls"), ["a", "b", "c"])
    taken = shown("function,self,total\na,1.5s,3.0s\nb,0.5s,1.0s\n").result.table
    assert taken.frame["self"].tolist() == [1.5, 0.5]
    jira = shown("||run||cycles||misses||\n" + "".join(f"|{at}|{a}|{b}|\n" for at, (a, b) in enumerate(COUNTS))).result.table
    assert list(jira.frames[0]) == ["cycles", "misses"]
    bold = shown(
        "| Program | Cycles | Misses |\n|:--|--:|:-:|\n| `a` | **5,037,111** | 611 |\n| `b` | **5,091,222** | 702 |\n"
    ).result.table
    assert bold.frame["program"].tolist() == ["a", "b"]
    assert bold.frame["Cycles"].tolist() == [5_037_111, 5_091_222]


def _asked(header: str, *columns: list[object]) -> list[str]:
    return [doubt.key for doubt in shown(f"{header},cycles,misses\n{rows(*columns)}").doubts]


def test_what_is_measured_is_no_setting() -> None:
    turns, doubled = [1410, 1395] * 4, [2.0**place for place in range(8)]
    assert _asked("time,size", list(range(0, 80, 10)), turns) == []  # nobody sets anew at each reading
    assert _asked("time,size", list(range(0, 80, 10)), [1, 1, 2, 2] * 2) == ["setting size"]
    assert "setting size" in _asked("size", turns)
    assert "setting PAPI_L2_TCM" not in _asked("PAPI_L2_TCM", turns)
    assert "setting limit" in _asked("name,limit", [f"sort {place}" for place in range(8)], doubled)
    assert "setting limit" not in _asked("name,limit", [f"sort/{place}" for place in range(8)], doubled)
    assert "setting cpu_time" not in _asked("name,cpu_time", [f"sort {place}" for place in range(8)], doubled)


def test_a_temperature_that_rises_evenly_is_no_time_and_millis_are_one() -> None:
    evenly = list(range(40, 48))
    assert _asked("temp", evenly) == []
    assert _asked("state2", evenly) == ["time state2"]
    found = shown(f"millis,cycles,misses\n{rows([331 + 50 * place for place in range(8)])}")
    assert found.doubts == ()
    assert found.recipe is not None
    assert (found.recipe.columns[0].role, found.recipe.columns[0].unit) == ("time", "ms")


def test_names_of_instances_are_asked_about() -> None:
    assert _asked("instance", [f"n{place}:9100" for place in range(8)]) == ["names instance"]


@pytest.mark.parametrize("name", ["duration", "Dauer (s)", "interval length", "durée ms", "dt"])
def test_one_length_in_all_rows_is_asked_about_whatever_it_is_called(name: str) -> None:
    """0.1 s in each of 9 rows is no time that goes on, and no count."""
    text = f"{name},cycles,misses\n" + "".join(f"0.1,{5000 + 37 * at % 91},{600 + 53 * at % 97}\n" for at in range(9))
    found = inspect([UploadedFile("a.csv", text.encode())])
    assert [each.question for each in found.doubts] == [f"{name!r} is the same in every row: is each row a run, or an interval of one run?"]
    made = inspect([UploadedFile("a.csv", text.encode())], dict(found.doubts[0].answers)["An interval"])
    assert (list(made.result.table.counts), len(made.result.table.counts)) == (["cycles", "misses"], 9)
    unit = 1e-3 if name.endswith("ms") else 1
    assert made.result.table.intervals["time"].to_list() == pytest.approx([0.1 * unit * at for at in range(1, 10)])
    assert any("became the times at their ends" in each for each in made.repairs)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("time;cycles\n0;1.234\n1;2.500\n2;4.100\n", True),
        ("zeit,cycles\n0,1.234\n1,2.500\n2,4.100\n", True),
        ("time,cycles\n0,1.234\n1,2.500\n2,4.100\n", False),  # commas part the cells of an English file
        ("time;cycles\n0.5;1.234\n1;2.500\n2;4.100\n", False),  # 0.5 shows what the point is
        ("time;cycles\n0;1234\n1;2500\n2;4100\n", False),
    ],
)
def test_points_before_three_digits_are_asked_about(text: str, asked: bool) -> None:
    found = shown(text)
    assert [doubt.key for doubt in found.doubts] == ["points"] * asked
    if asked:
        thousands = answered(found, "Between thousands: 1234", text)
        assert thousands.result.table.counts["cycles"].tolist() == [1234.0, 2500.0, 4100.0]
        as_guessed = answered(found, "A decimal sign: 1.234", text)
        assert as_guessed.result.table.counts["cycles"].tolist() == [1.234, 2.5, 4.1]
        assert thousands.doubts == as_guessed.doubts == ()


def test_a_decimal_comma_that_is_chosen_takes_points_between_thousands_out() -> None:
    text = b"time;cycles\n0;1.234\n1;2.500\n2;4.100\n"
    assert hem.read(text, recipe={"decimal": ","}).counts["cycles"].tolist() == [1234.0, 2500.0, 4100.0]
    with pytest.raises(ReadError, match=r"'0\.5' does not fit ',' as the decimal sign"):
        hem.read(text.replace(b"1.234", b"0.5"), recipe={"decimal": ","})


def test_names_that_end_in_id_are_no_events_and_german_words_are_known() -> None:
    text = "zeit,wdh,knoten,cycles,config_id\n" + "".join(
        f"{at},{run},7,{5000 + 37 * at % 91},{11 + at % 2}\n" for run in (1, 2) for at in range(9)
    )
    table = hem.read(text.encode())
    assert list(table.counts.columns) == ["cycles"]
    assert table.intervals["run"].unique().tolist() == [1, 2]


def test_phases_that_come_again_without_times_are_asked_about() -> None:
    """Three phases of two programs, twice: two runs of each phase, or six intervals."""
    rows = [f"{program},{phase},{cycles + again},{cycles // 2}" for program in ("sort", "join") for again in (0, 3)
            for phase, cycles in (("init", 100), ("main", 900), ("end", 200))]  # fmt: skip
    found = inspect([UploadedFile("r.csv", "\n".join(["program,phase,cycles,instructions", *rows]).encode())])
    (doubt,) = (each for each in found.doubts if each.key == "order")
    answers = dict(doubt.answers)
    phases = inspect([UploadedFile("r.csv", "\n".join(["program,phase,cycles,instructions", *rows]).encode())], answers["A run"])
    assert phases.result is not None
    assert isinstance(phases.result.table, PhaseTable)
    assert phases.summary.startswith("2 programs, 12 phases")
    # In the order of its phases, a program may as well have been read over time: nothing is asked.
    by_phase = sorted(rows, key=lambda row: row.split(",")[:2])
    assert not any(
        each.key == "order"
        for each in inspect([UploadedFile("r.csv", "\n".join(["program,phase,cycles,instructions", *by_phase]).encode())]).doubts
    )
