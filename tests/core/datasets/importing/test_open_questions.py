"""What is asked of a guess, by hand: each question, its answers, and the tables of which nothing is asked."""

import pandas as pd
import pytest

import hemcore as hem
from hemcore.datasets import CounterSeries, PhaseTable, Subexperiments
from hemcore.datasets.importing.guessing.open_questions import grows_evenly, is_setting, neighbours_alike, rises_evenly
from hemcore.datasets.importing.inspection import Preview, inspect
from hemcore.datasets.readers.uploaded_files import UploadedFile

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
    return "".join(",".join(map(str, row)) + "\n" for row in zip(*columns, *zip(*COUNTS, strict=True), strict=True))


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
    (frame,) = answered(found, "Events", text).result.table.frames
    assert list(frame.columns) == ["hit", "miss", "other"]
    assert frame.iloc[1].tolist() == [611, 702, 655]
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
