"""Kinds of trouble that files of other people had: heads merged over two rows, words for no value, lines of tools below a table, counters
without a time, durations beside names, numbers without a name that are times."""

import pandas as pd
import pytest

from hemcore.datasets.importing.inspection import Preview, apply, inspect
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.subexperiments import Subexperiments


def _seen(text: str, name: str = "a.csv") -> Preview:
    return inspect([UploadedFile(name, text.encode())])


def _answered(text: str) -> object:
    """The table by the first answer to the first question."""
    shown = _seen(text)
    return apply(shown.doubts[0].answers[0][1], [UploadedFile("a.csv", text.encode())]).table


def _series(shown: Preview) -> CounterSeries:
    assert shown.result is not None, shown.fault
    assert isinstance(shown.result.table, CounterSeries)
    return shown.result.table


@pytest.mark.parametrize(
    ("head", "unit"),
    [
        ("Time,Core,,Cache,,Power", "s,-,-,-,-,W"),
        ("Zeit,Kern,,Cache,,Leistung", "s,,,,,W"),
        ("Temps,Coeur,,Cache,,Puissance", "[s],,,,,[W]"),
    ],
)
def test_a_time_over_both_rows_of_a_merged_head_stays_the_time(head: str, unit: str) -> None:
    rows = "0.5,969,1157,36,58,68.5\n1.0,1083,1178,31,57,75.5\n1.5,924,922,20,47,62.5\n2.0,1070,1190,43,43,68\n"
    table = _series(_seen(f"{head}\n,cycles,instructions,L1D,LLC,package\n{unit}\n{rows}"))
    assert table.intervals["time"].tolist() == [0.5, 1.0, 1.5, 2.0]
    assert [name.removesuffix(" [W]").split()[-1] for name in table.counts] == ["cycles", "instructions", "L1D", "LLC", "package"]


@pytest.mark.parametrize(
    "word",
    [
        "n/d",
        "s/d",
        "k/A",
        "n.b.",
        "n.c.",
        "(null)",
        "\\N",
        ".",
        "…",
        "#N/D",
        "#¡DIV/0!",
        "#NOME?",
        "NaT",
        "keine Angabe",
        "***",
        "ERR",
        "s/o",
        "Ohne Angabe",
    ],
)
def test_words_for_no_value_leave_the_cell_empty(word: str) -> None:
    table = _series(_seen(f"Time (s),cycles,misses\n1,700,12\n2,650,{word}\n3,640,17\n4,610,11\n"))
    assert table.counts["misses"].isna().tolist() == [False, True, False, False]
    assert table.counts["cycles"].tolist() == [700, 650, 640, 610]


@pytest.mark.parametrize("line", ["[4 rows x 2 columns]", "(4 rows)", "(4 Zeilen)", "4 rows in set (0.00 sec)", "4 rows selected."])
def test_the_count_of_rows_below_a_table_is_no_row(line: str) -> None:
    shown = _seen(f"   cycles  misses\nrun\n0    1325    847\n1    1003    133\n2    1075    509\n3    1650    588\n\n{line}\n", "a.txt")
    assert shown.result is not None, shown.fault
    assert isinstance(shown.result.table, Subexperiments)
    assert shown.result.table.frames[0]["misses"].tolist() == [847, 133, 509, 588]


def test_counters_since_the_start_become_differences_at_the_uptime() -> None:
    counts = [(5000 + 10 * row, 200 + row * row) for row in range(10)]
    table = _series(_seen("uptime_s,a_total,b_total\n" + "".join(f"{row},{a},{b}\n" for row, (a, b) in enumerate(counts))))
    assert table.counts["a_total"].tolist() == [10] * 9
    assert table.counts["b_total"].tolist() == [1, 3, 5, 7, 9, 11, 13, 15, 17]


def test_counts_that_all_grow_without_a_time_are_asked_about() -> None:
    text = "a,b\n" + "".join(f"{5000 + 7 * row + row * row},{200 + row * row}\n" for row in range(6))
    assert "cumulative" in _seen(text).doubts[0].question
    table = _answered(text)
    assert isinstance(table, CounterSeries)
    assert table.counts["a"].tolist() == [8, 10, 12, 14, 16]
    assert not any(doubt.key == "cumulative" for doubt in _seen(text.replace("5008,", "4999,")).doubts)


@pytest.mark.parametrize("name", ["seconds", "Time (s)", "laufzeit_s"])
def test_seconds_that_fall_beside_names_say_how_long_each_took(name: str) -> None:
    shown = _seen(f'"";"instructions";"{name}"\n"bt.C";31;74\n"cg.C";46;55\n"ep.C";75;66\n"ft.C";31;70\n"is.C";12;71\n')
    assert shown.result is not None, shown.fault
    assert isinstance(shown.result.table, PhaseTable)
    assert shown.result.table.frame[name].tolist() == [74, 55, 66, 70, 71]


def test_seconds_that_grow_unevenly_beside_names_are_asked_about() -> None:
    table = _answered(",instructions,seconds\nbt.C,31,4\ncg.C,46,9\nep.C,75,11\nft.C,31,30\n")
    assert isinstance(table, PhaseTable)
    assert table.frame["seconds"].tolist() == [4, 9, 11, 30]


@pytest.mark.parametrize(
    ("times", "ask"), [([0.5, 1, 1.5, 2, 2.5, 3], True), ([0, 100, 200, 300, 400, 500], True), ([0, 1, 2, 3, 4, 5], False)]
)
def test_numbers_without_a_name_are_asked_about_unless_they_count_rows(times: list[float], ask: bool) -> None:
    text = ",cycles,misses\n" + "".join(f"{time},{900 + 37 * at % 90},{50 + 31 * at % 17}\n" for at, time in enumerate(times))
    assert any("without a name" in doubt.question for doubt in _seen(text).doubts) is ask
    if ask:
        table = _answered(text)
        assert isinstance(table, CounterSeries)
        assert pd.Series(table.intervals["time"]).diff().iloc[1:].nunique() == 1


@pytest.mark.parametrize("name", ["Volt", "Spannung", "current_mA", "accel_x"])
def test_values_below_zero_of_what_is_no_count_leave_their_column_out_and_say_so(name: str) -> None:
    values = [3, 1, -0.5, 2, 4, 1, 3, 2, 1, 2]
    shown = _seen(f"time,{name},n\n" + "".join(f"{at},{value},{50 + at * at % 7}\n" for at, value in enumerate(values, start=1)))
    assert list(_series(shown).counts) == ["n"]
    assert any(name in line and "below 0" in line for line in shown.repairs)


@pytest.mark.parametrize("name", ["betriebszeit_s", "Systemlaufzeit (s)", "temps_de_marche_s", "box_uptime_s"])
def test_compound_words_for_a_time_are_one_where_their_numbers_go_on(name: str) -> None:
    shown = _seen(f"{name};x;y\n" + "".join(f"{5 * row};{3 * row * row + 10};{7 * row % 5}\n" for row in range(6)))
    table = _series(shown)
    assert not shown.doubts
    assert table.counts.columns.tolist() == ["x", "y"]
    assert table.intervals["time"].tolist() == [5, 10, 15, 20, 25, 30]  # the ends of the intervals


def test_how_long_rows_took_is_asked_where_it_grows_by_uneven_steps() -> None:
    text = "messzeit_s;a\n1;7\n2.5;3\n9;4\n"
    (doubt,) = _seen(text).doubts
    assert doubt.question == "'messzeit_s' grows by uneven steps: is it how long each took, or the time at which it was read?"
    assert isinstance(_answered(text), Subexperiments)
    runs = _seen("rechenzeit_s;a\n1;7\n2.5;3\n9;4\n").result
    assert runs is not None
    assert isinstance(runs.table, Subexperiments)


def test_a_print_of_r_in_blocks_between_prompts_is_one_table() -> None:
    blocks = "> print(d)\n   cycles misses\n1     70     12\n2     65     13\n   loads\n1     9\n2     8\n> \n"
    table = _seen(blocks, "console.txt").result
    assert table is not None
    assert isinstance(table.table, Subexperiments)
    assert table.table.frames[0].to_dict("list") == {"cycles": [70, 65], "misses": [12, 13], "loads": [9, 8]}


@pytest.mark.parametrize(
    "text",
    [
        "% rig 2\n% cycles  misses\nX = [\n  70 12; % first\n  65 13;\n];\n",
        "clear all\n% cycles, misses\nX=[70, 12; 65, 13];\nplot(X)\n",
    ],
)
def test_the_remark_above_a_matrix_of_matlab_names_its_columns(text: str) -> None:
    table = _seen(text, "data.m").result
    assert table is not None
    assert isinstance(table.table, Subexperiments)
    assert table.table.frames[0].to_dict("list") == {"cycles": [70, 65], "misses": [12, 13]}


def test_counters_without_a_time_that_are_called_totals_are_asked_about() -> None:
    (doubt,) = _seen("rx_total,tx_total\n5,9\n8,9.5\n9,11\n").doubts
    assert doubt.key == "cumulative"


@pytest.mark.parametrize(
    ("cell", "seconds"),
    [
        ("2026-03-05_10-00-{:02d}", 1),
        ("20260305_1000{:02d}", 1),
        ("2026.03.05 10:00:{:02d},500", 1),
        ("10:0:{}.25", 1),
    ],
)
def test_times_as_names_of_files_and_monitors_have_them(cell: str, seconds: float) -> None:
    table = _series(_seen("Time;cycles\n" + "".join(f"{cell.format(row)};{70 + 7 * row % 5}\n" for row in range(5))))
    assert table.intervals["time"].diff().dropna().tolist() == [seconds] * 4


def test_a_day_and_a_time_of_one_digit_each_are_one_instant() -> None:
    rows = "".join(f"5.3.2026,10:{row // 4}:{row * 15 % 60}.101,{70 + 7 * row % 5}\n" for row in range(6))
    table = _series(_seen(f"Date,Time,clock\n{rows}"))
    assert table.intervals["date"].iloc[[0, 5]].tolist() == [
        pd.Timestamp("2026-03-05 10:00:00.101"),
        pd.Timestamp("2026-03-05 10:01:15.101"),
    ]


def test_what_was_run_and_took_longer_each_time_is_no_time() -> None:
    found = _seen("exec_time_s,cycles\n1.5,70\n1.6,65\n2.9,71\n")
    assert found.result is not None
    assert isinstance(found.result.table, Subexperiments)
    assert not found.doubts
    assert _series(_seen("run_time_s,cycles\n1,70\n2,65\n3,71\n")).intervals["time"].tolist() == [1, 2, 3]  # even steps go on


def test_units_of_climate_under_the_names_are_a_row_of_units() -> None:
    table = _series(_seen("Zeit;Kanal 1;Kanal 2\n;°C;%rF\n1;20,1;40,5\n2;20,2;-,-\n3;20,4;41\n"))
    assert table.counts.iloc[:, 0].tolist() == [20.1, 20.2, 20.4]
    assert table.counts.iloc[:, 1].isna().tolist() == [False, True, False]


def test_means_under_each_group_of_runs_are_left_out_with_their_spreads() -> None:
    # 10, 20, 31: mean 20.33, sd 10.50; 5, 7, 6: mean 6, sd 1.
    rows = "a,1,10\na,2,20\na,3,31\nMean,,20.3\nStd,,10.5\nb,1,5\nb,2,7\nb,3,6\nMean,,6\nStd,,1\n"
    table = _seen(f"Program,Run,cycles\n{rows}").result
    assert table is not None
    assert isinstance(table.table, PhaseTable)
    assert table.table.frame["cycles"].tolist() == [10, 20, 31, 5, 7, 6]
    other = _seen(f"Program,Run,cycles\n{rows.replace('20.3', '21.3', 1)}")
    assert any("named as a summary" in doubt.question for doubt in other.doubts)


def test_headings_of_groups_stand_in_three_columns_too() -> None:
    text = "Test,cycles,misses\nsort\nquick,10,1\nmerge,20,2\nhash\nmurmur,30,3\nsha1,40,4\n"
    table = _seen(text.replace("sort\n", "sort,,\n").replace("hash\n", "hash,,\n")).result
    assert table is not None
    assert isinstance(table.table, PhaseTable)
    assert table.table.frame["program"].tolist() == ["quick", "merge", "murmur", "sha1"]


def test_how_long_each_size_took_is_no_time_of_a_series() -> None:
    sizes = "#bytes #repetitions t[usec]\n" + "".join(f"{size} 1000 {0.5 + size / 7:.2f}\n" for size in (0, 1, 2, 4, 8, 16, 32, 64))
    found = _seen(sizes, "imb.txt").result
    assert found is not None
    assert isinstance(found.table, Subexperiments)
    (doubt,) = _seen("size,time_ms,cycles\n100,1.5,70\n200,6.1,65\n300,13.9,71\n").doubts
    assert doubt.question.startswith("'time_ms' grows by uneven steps: is it how long each took")
    assert not _seen("size,time_ms,cycles\n100,1.5,70\n300,3,65\n200,4.5,71\n").doubts  # no sizes in order


def test_percentiles_of_a_value_are_no_readings() -> None:
    rows = "".join(f"{each},{each**2 / 100 + 5}\n" for each in range(0, 100, 10))
    found = _seen(f"Percentage served,Time in ms\n{rows}")
    assert found.result is None
    assert found.fault.startswith("a.csv: its rows are percentiles (Percentage served)")
    assert _seen(f"Percentage served,Time in ms\n{rows}20,9\n").result is not None  # it falls


@pytest.mark.parametrize(("name", "cells"), [("ratio", ("1.5", "1.14")), ("change", ("50.0%", "14.3%")), ("speed-up", ("0.50", "0.14"))])
def test_ratios_of_two_programs_across_are_no_program(name: str, cells: tuple[str, str]) -> None:
    found = _seen(f"metric,baseline,optimised,{name}\ncycles,900,600,{cells[0]}\ninstructions,800,700,{cells[1]}\n")
    assert found.result is not None
    assert isinstance(found.result.table, PhaseTable)
    assert found.result.table.frame["program"].tolist() == ["baseline", "optimised"]
    assert any("a ratio of two columns before it" in line for line in found.repairs)
    other = _seen(f"metric,baseline,optimised,{name}\ncycles,900,600,{cells[0]}\ninstructions,800,700,0.99\n").result
    assert other is not None
    assert len(getattr(other.table, "programs", "abc")) == 3
