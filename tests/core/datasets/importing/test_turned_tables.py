"""Tables with two levels of names, sheets of one event each, merged cells, asides and statistics beside readings."""

import json

import pandas as pd
import pytest

from hemcore.datasets.importing.inspection import Preview, inspect
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.subexperiments import Subexperiments

TIMES = ".1,10,20,30,40\n.2,12,22,32,42\n.3,11,21,31,41\n"
RUNS_OF_FOUR = "1,10,20,5,7\n2,11,24,9,8\n3,17,22,6,2\n"
TWO = "t,cycles,misses\n.1,4,1\n.2,20,3\n.3,9,2\n"
RUNS = "run,cycles,misses\n1,10,20\n2,11,21\n3,12,22\n"


def seen(**files: str) -> Preview:
    return inspect([UploadedFile(f"{name}.csv", text.encode()) for name, text in files.items()])


def phases(found: Preview) -> pd.DataFrame:
    assert found.result is not None, found.fault
    assert isinstance(found.result.table, PhaseTable)
    return found.result.table.frame


def series(found: Preview) -> CounterSeries:
    assert found.result is not None, found.fault
    assert isinstance(found.result.table, CounterSeries)
    return found.result.table


def runs(found: Preview) -> list[pd.DataFrame]:
    assert found.result is not None, found.fault
    assert isinstance(found.result.table, Subexperiments)
    return list(found.result.table.frames)


@pytest.mark.parametrize(
    "header",
    [
        ",fft,,sha,\ntime_s,cycles,misses,cycles,misses\n",  # merged cells
        "version,fft,fft,sha,sha\nevent,cycles,misses,cycles,misses\ntime_s,,,,\n",  # pandas
    ],
)
def test_programs_over_the_same_events_are_series_of_their_own(header: str) -> None:
    table = series(seen(lab=header + TIMES))
    assert table.intervals["application"].tolist() == ["fft"] * 3 + ["sha"] * 3
    assert table.counts["misses"].tolist() == [20, 22, 21, 40, 42, 41]


def test_programs_under_the_same_events_are_series_of_their_own() -> None:
    table = series(seen(lab=",cycles,,instructions,\ntime_s,fft,sha,fft,sha\n" + TIMES))
    assert table.intervals["application"].tolist() == ["fft"] * 3 + ["sha"] * 3
    assert table.counts["instructions"].tolist() == [30, 32, 31, 40, 42, 41]


@pytest.mark.parametrize("labels", [("L1", "L2"), ("user", "kernel"), ("Core 0", "Core 1")])
def test_parts_of_the_names_of_events_stay_such(labels: tuple[str, str]) -> None:
    table = series(seen(lab=f",{labels[0]},,{labels[1]},\ntime_s,cycles,misses,cycles,misses\n{TIMES}"))
    assert table.counts.columns.tolist() == [f"{label} {name}" for label in labels for name in ("cycles", "misses")]


def test_events_as_rows_under_programs_and_their_phases() -> None:
    frame = phases(seen(lab="Event,cg,,mg,\n,setup,solve,setup,solve\ncycles,1,2,3,4\nmisses,5,6,7,8\n"))
    assert frame["program"].tolist() == ["cg", "cg", "mg", "mg"]
    assert frame["phase name"].tolist() == ["setup", "solve"] * 2
    assert frame["misses"].tolist() == [5, 6, 7, 8]


def test_sheets_of_one_event_each_are_one_table() -> None:
    header = "program,phase 1,phase 2\n"
    frame = phases(seen(cycles=f"{header}fft,1,2\nsha,3,4\n", misses=f"{header}fft,5,6\nsha,7,8\n"))
    assert frame[["program", "phase"]].to_numpy().tolist() == [["fft", 1], ["fft", 2], ["sha", 1], ["sha", 2]]
    assert frame["misses"].tolist() == [5, 6, 7, 8]
    table = series(seen(cycles="time_s,value\n.1,5\n.2,6\n.3,7\n", misses="time_s,value\n.1,1\n.2,2\n.3,3\n"))
    assert table.counts.to_numpy().tolist() == [[5, 1], [6, 2], [7, 3]]
    assert len(runs(seen(lab1=RUNS, lab2=RUNS.replace("misses", "branches")))) == 2


def test_merged_cells_name_all_their_rows() -> None:
    rows = "".join(f"{run if not at else ''},{at / 10 + 0.1:.1f},{10 * run + at},5\n" for run in (1, 2) for at in range(3))
    table = series(seen(lab=f"run,time_s,cycles,misses\n{rows}"))
    assert table.intervals["run"].tolist() == [1, 1, 1, 2, 2, 2]
    rows = "".join(f"{'2026-03-01' if not at else ''},12:00:0{at},{10 + at},5\n" for at in range(4))
    assert series(seen(lab=f"Date,Time,cycles,misses\n{rows}")).intervals["time"].diff().tolist()[1:] == [1, 1, 1]
    # Within each program its runs are merged too.
    cells = [("fft", "1"), ("", ""), ("", "2"), ("", ""), ("sha", "1"), ("", ""), ("", "2"), ("", "")]
    rows = "".join(f"{program},{run},{at % 2},{at},5\n" for at, (program, run) in enumerate(cells))
    table = series(seen(lab=f"program,run,time_s,cycles,misses\n{rows}"))
    assert table.intervals["run"].tolist() == [1, 1, 2, 2, 1, 1, 2, 2]


def test_headings_among_events_are_left_out() -> None:
    frames = runs(seen(lab="HEM,Run 1,Run 2\nGeneral,,\ncycles,1,2\nCaches,,\nmisses,5,6\n"))
    assert frames[0].to_numpy().tolist() == [[1, 5], [2, 6]]


def test_what_stands_beside_a_table_is_left_out_with_a_word() -> None:
    lines = RUNS.splitlines() + [f"{run},{run + 9},{run + 19}" for run in range(4, 9)]
    beside = [",,event,mean", ",,cycles,13.5", *[""] * 7]
    found = seen(lab="".join(f"{line}{aside}\n" for line, aside in zip(lines, beside, strict=True)))
    assert runs(found)[0].shape == (8, 2)
    assert any("beside the table" in line for line in found.repairs)


@pytest.mark.parametrize(
    "other", ["event,mean,std\ncycles,11,1\nmisses,21,1\n", ",cycles,misses\ncount,3,3\nmean,11,21\nstd,1,1\nmin,10,20\nmax,12,22\n"]
)
def test_statistics_beside_readings_are_left_out(other: str) -> None:
    found = seen(raw=RUNS, summary=other)
    assert [frame.to_numpy().tolist() for frame in runs(found)] == [[[10, 20], [11, 21], [12, 22]]]
    assert any("summary.csv" in line and "left out" in line for line in found.repairs)


def test_a_plan_and_sources_beside_readings_are_left_out() -> None:
    found = seen(plan="group,event\n1,cycles\n1,misses\n", g1=RUNS, g2=RUNS.replace("misses", "branches"))
    assert len(runs(found)) == 2
    files = [UploadedFile("Makefile", b"all:\n\tcc a.c\n"), UploadedFile("g.csv", RUNS.encode())]
    assert inspect(files).result is not None


def test_further_counters_of_the_same_programs_stand_in_their_rows() -> None:
    frame = phases(seen(a="program,cycles,misses\nfft,1,2\nsha,3,4\n", b="program,branches,stalls\nsha,7,8\nfft,5,6\n"))
    assert frame[["program", "cycles", "stalls"]].to_numpy().tolist() == [["fft", 1, 6], ["sha", 3, 8]]


def test_events_as_rows_under_programs_with_digits_in_their_names() -> None:
    frame = phases(seen(lab="Event,gzip,bzip2,505.mcf\ncycles,1,2,3\nmisses,4,5,6\n"))
    assert frame["program"].tolist() == ["gzip", "bzip2", "505.mcf"]
    assert len(runs(seen(lab="Event,r1,r2,r3\ncycles,1,2,3\nmisses,4,5,6\n"))[0]) == 3


def test_first_rows_with_blanks_that_rotate_are_data() -> None:
    rows = "".join(f"{at},{',' * (at % 3)}{10 + at}{',' * (2 - at % 3)},,,\n" for at in range(1, 13))
    assert len(series(seen(lab=f"time s,cycles,misses,branches,a,b,c\n{rows}")).counts) == 12


def test_marks_of_remarks_before_the_names() -> None:
    rows = ".1,10,20\n.2,11,21\n.3,12,22\n"
    for above in ("% log\n% time_s,cycles,misses\n", "% log\n% columns: time_s, cycles, misses\n", "// time_s,cycles,misses\n"):
        assert series(seen(lab=above + rows)).counts.columns.tolist() == ["cycles", "misses"]


def test_numbers_in_blocks_are_programs() -> None:
    rows = "".join(f"{program},{phase},{phase + 7},5\n" for program in (505, 520, 523) for phase in range(3))
    assert phases(seen(lab=f"benchmark,phase,cycles,misses\n{rows}"))["program"].tolist() == ["505"] * 3 + ["520"] * 3 + ["523"] * 3


def test_lengths_of_intervals_beside_lists_of_values_are_asked_about() -> None:
    events = [{"event": name, "interval_s": 0.1, "values": [7, 8, 9, 7, 8]} for name in ("cycles", "misses")]
    file = UploadedFile("a.json", json.dumps(events).encode())
    (doubt,) = inspect([file]).doubts
    table = series(inspect([file], doubt.answers[0][1]))
    assert table.counts["misses"].tolist() == [7, 8, 9, 7, 8]


def test_equal_clocks_of_several_days_tell_no_programs_apart() -> None:
    rows = "".join(f"2026-03-0{day},10:00:0{at},{at % 2},{10 * day + at}\n" for day in (1, 2) for at in range(4))
    assert set(series(seen(lab=f"Date,Time,state,cycles\n{rows}")).intervals["application"]) == {"lab", "lab part 2"}


def test_dates_without_a_year() -> None:
    rows = "".join(f"Feb 2{8 + at // 2} 23:59:5{at},{10 + at},{at}\n" for at in range(4))
    assert series(seen(lab=f"Time,cycles,misses\n{rows}")).intervals["time"].diff().tolist()[1:] == [86401, 1, 1]


def test_tables_of_one_page_are_read_each_by_itself() -> None:
    tables = [RUNS, RUNS.replace("misses", "branches")]
    cells = [[line.split(",") for line in table.splitlines()] for table in tables]
    latex = ["\\\\\n".join(" & ".join(row) for row in rows) for rows in cells]
    html = ["".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows) for rows in cells]
    marked = ["\n".join("| " + " | ".join(row) + " |" for row in [rows[0], ["---"] * 3, *rows[1:]]) for rows in cells]
    for name, text in (
        ("a.html", "".join(f"<h3>Group {number}</h3><table>{rows}</table>" for number, rows in enumerate(html))),
        (
            "a.tex",
            "".join(f"\\caption{{Group {number}}}\\begin{{tabular}}{{rrr}}{rows}\\end{{tabular}}" for number, rows in enumerate(latex)),
        ),
        ("a.md", "".join(f"## Group {number}\n\n{rows}\n\n" for number, rows in enumerate(marked))),
    ):
        found = inspect([UploadedFile(name, text.encode())])
        assert [frame.shape for frame in runs(found)] == [(3, 2), (3, 2)]
        assert found.result is not None
        assert [label.split()[-1] for label in found.result.table.labels] == ["0", "1"]  # type: ignore[union-attr]


def test_files_of_the_same_events_are_asked_about() -> None:
    found = seen(fft=RUNS, sha=RUNS)
    (doubt,) = found.doubts
    files = [UploadedFile(f"{name}.csv", RUNS.encode()) for name in ("fft", "sha")]
    assert phases(inspect(files, doubt.answers[0][1]))["program"].tolist() == ["fft"] * 3 + ["sha"] * 3
    assert not seen(run1=RUNS, run2=RUNS).doubts


def test_files_of_one_run_each_are_runs() -> None:
    found = seen(**{f"r{at}": f"event,count\ncycles,{at}\nmisses,{at + 5}\n" for at in (10, 20, 30)})
    assert runs(found)[0].to_numpy().tolist() == [[10, 15], [20, 25], [30, 35]]
    mixed = {f"r{at}": f"event,count\ncycles,{at + 10}\n{'misses' if at % 2 else 'branches'},5\n" for at in range(4)}
    assert [len(frame) for frame in runs(seen(**mixed))] == [2, 2]


def test_runs_and_programs_in_the_names_of_columns() -> None:
    table = series(seen(lab="time_s,cycles_run1,misses_run1,cycles_run2,misses_run2\n" + TIMES))
    assert table.intervals["run"].tolist() == [1, 1, 1, 2, 2, 2]
    assert table.counts["cycles"].tolist() == [10, 12, 11, 30, 32, 31]
    table = series(seen(lab="time_s,fft:cycles,fft:misses,sha:cycles,sha:misses\n" + TIMES))
    assert table.intervals["application"].tolist() == ["fft"] * 3 + ["sha"] * 3
    kept = series(seen(lab="time_s,cycles:u,cycles:k,instructions:u,instructions:k\n" + TIMES))
    assert kept.counts.columns.tolist() == ["cycles:u", "cycles:k", "instructions:u", "instructions:k"]


def test_computed_columns_with_errors_take_no_run_away() -> None:
    found = seen(lab="run,cycles,misses,ratio\n1,10,20,0.5\n2,11,0,#DIV/0!\n3,12,22,0.55\n")
    assert runs(found)[0].shape == (3, 2)
    assert any("computed" in line for line in found.repairs)


def test_codes_and_ranks_as_names() -> None:
    assert series(seen(lab="time (s),0x11,0x08\n.1,10,20\n.2,12,21\n.3,11,22\n")).counts.columns.tolist() == ["0x11", "0x08"]
    frame = phases(seen(lab="Rank,Benchmark,cycles,misses\n1,fft,9,3\n2,sha,7,4\n3,aes,5,6\n"))
    assert frame["program"].tolist() == ["fft", "sha", "aes"]


def test_letters_and_numbers_over_groups_and_over_columns() -> None:
    rows = "1,10,20,30,40\n2,12,22,32,42\n3,11,21,31,41\n"
    groups = runs(seen(lab=",A,,B,\nrun,cycles,branches,cycles,misses\n" + rows))
    assert [frame.columns.tolist() for frame in groups] == [["cycles", "branches"], ["cycles", "misses"]]
    for above in (",1,2,3,4", ",A,B,C,D"):
        assert len(runs(seen(lab=f"{above}\nrun,cycles,branches,stalls,misses\n{rows}"))) == 1


def test_sums_of_series_beside_them_are_left_out() -> None:
    one, other = ("time_s,cycles,misses\n" + "".join(f".{at},{at % 3 + more},{at % 2}\n" for at in range(1, 7)) for more in (5, 7))
    found = seen(run1=one, run2=other, totals="run,cycles,misses\n1,36,3\n2,48,3\n")
    assert series(found).intervals["run"].max() == 2
    assert any("sums of the others" in line for line in found.repairs)
    assert seen(run1=one, run2=other, totals="run,cycles,misses\n1,37,3\n2,48,3\n").fault


@pytest.mark.parametrize(
    "header",
    [
        """time_s,"('fft', 'cycles')","('fft', 'misses')","('sha', 'cycles')","('sha', 'misses')"\n""",
        """"('time_s', '')","('fft', 'cycles')","('fft', 'misses')","('sha', 'cycles')","('sha', 'misses')"\n""",
        "time_s,cycles.fft,misses.fft,cycles.sha,misses.sha\n",
        "Machine,Xeon\n,fft,,sha,\ntime_s,cycles,misses,cycles,misses\n",  # a title of two cells
    ],
)
def test_two_levels_in_one_name_are_programs_and_events(header: str) -> None:
    table = series(seen(lab=header + TIMES))
    assert table.intervals["application"].tolist() == ["fft"] * 3 + ["sha"] * 3
    assert table.counts["misses"].tolist() == [20, 22, 21, 40, 42, 41]


@pytest.mark.parametrize("labels", [("est", "se"), ("user", "kernel"), ("x", "y"), ("lower", "upper")])
def test_what_stands_behind_a_point_may_be_a_part_of_the_name(labels: tuple[str, str]) -> None:
    names = ",".join(f"{event}.{label}" for label in labels for event in ("cycles", "misses"))
    (frame,) = runs(seen(lab=f"run,{names}\n" + RUNS_OF_FOUR))
    assert frame.columns.tolist() == names.split(",")


@pytest.mark.parametrize("index", ["", "time_s,,,,,,,,\n"])
def test_three_levels_are_programs_runs_and_events(index: str) -> None:
    first = "program,fft,,,,sha,,,\nrun,run 1,,run 2,,run 1,,run 2,\n"
    events = f"{'event' if index else 'time_s'}{',cycles,misses' * 4}\n"
    table = series(seen(lab=first + events + index + ".1,11,12,13,14,15,16,17,18\n.2,1,2,3,4,5,6,7,8\n"))
    assert table.intervals["application"].tolist() == ["fft"] * 4 + ["sha"] * 4
    assert table.intervals["run"].tolist() == [1, 1, 2, 2] * 2
    assert table.counts["misses"].tolist() == [12, 2, 14, 4, 16, 6, 18, 8]


def test_events_in_rows_without_a_name_over_them_are_events_where_programs_stand_across() -> None:
    frame = phases(seen(lab=",fft,sha,aes\ncycles,10,20,30\nmisses,1,2,3\ninstructions,40,50,60\n"))
    assert frame["program"].tolist() == ["fft", "sha", "aes"]
    assert frame["misses"].tolist() == [1, 2, 3]
    # Programs may be called by what they load.
    assert phases(seen(lab=",ops,watts\ncache,10,20\nbranch,1,2\ntlb,40,50\n"))["program"].tolist() == ["cache", "branch", "tlb"]


def test_one_day_in_many_rows_is_no_time() -> None:
    rows = [f"{day}.03.2026,{11 * row % 7},{5 * row % 9}" for row, day in enumerate([2, 2, 2, 2, 3, 3, 3, 3])]
    (frame,) = runs(seen(lab="Datum,cycles,misses\n" + "\n".join(rows) + "\n"))
    assert len(frame) == 8
    daily = "\n".join(f"{row + 1}.03.2026{cells[9:]}" for row, cells in enumerate(rows))
    assert len(series(seen(lab="Datum,cycles,misses\n" + daily + "\n")).counts) == 8


@pytest.mark.parametrize(("other", "kept"), [(0, False), (61_000, True)])
def test_numbers_that_are_the_instants_of_the_date_times_are_no_count(other: int, kept: bool) -> None:
    rows = [
        f"2026-03-02T10:{minute:02}:00Z,{1772446200000 + minute * 60_000 + other * (minute > 3)},{minute * 7 % 5}" for minute in range(8)
    ]
    table = series(seen(lab="key_as_string,key,cycles\n" + "\n".join(rows) + "\n"))
    assert ("key" in table.counts) is kept


def test_units_behind_the_mark_of_a_remark_are_units() -> None:
    table = series(seen(lab="% t,cycles,misses\n% ms,count,count\n" + "".join(f"{row * 5},{row * 7 % 4},3\n" for row in range(1, 9))))
    assert table.counts.columns.tolist() == ["cycles", "misses"]
    assert table.intervals["time"].diff().iloc[1:].round(9).tolist() == [0.005] * 7


def test_a_table_of_the_means_of_programs_beside_their_runs_is_left_out() -> None:
    files = {"fft/r1": TWO, "fft/r2": TWO.replace("20", "32"), "sha/r1": TWO, "sha/r2": TWO}
    found = seen(**files, means="program,cycles,misses\nfft,13,2\nsha,11,2\n")  # (4 + 20 + 9 + 4 + 32 + 9) / 6 and (4 + 20 + 9) / 3
    assert set(series(found).counts.columns) == {"cycles", "misses"}
    assert any("means.csv" in line and "or their means" in line for line in found.repairs)


def test_thousandths_in_a_column_of_their_own_join_the_time_of_day() -> None:
    rows = [f"2026/03/02,11:00:0{row // 4},{row % 4 * 250},{row * 7 % 5}" for row in range(8)]
    table = series(seen(lab="Date,Time,Millisecond,W\n" + "\n".join(rows) + "\n"))
    assert table.intervals["time"].diff().iloc[1:].round(9).tolist() == [0.25] * 7
    assert table.counts.columns.tolist() == ["W"]


@pytest.mark.parametrize("times", [(11.9, 12.5, 3.7, 4.1), (3.7, 4.1, 3.9, 12.5)])
def test_what_falls_beside_a_name_in_each_row_is_how_long_it_took(times: tuple[float, ...]) -> None:
    rows = "".join(f"| `{name}` | 5 | {time} |\n" for name, time in zip(("base", "-O1", "-Ofast", "-Os"), times, strict=True))
    found = seen(README="| flags | cycles | time (s) |\n|:--|--:|--:|\n" + rows)
    assert phases(found)["time (s)"].tolist() == list(times)


def test_the_mean_and_the_spread_of_a_time_are_no_axis() -> None:
    rows = "".join(f"k{row},{row * 7 % 5 + 9},1,{1 + row * 3 % 4 / 10},.0{row}\n" for row in range(1, 7))
    frame = phases(seen(agg=",cycles,,time,\n,mean,std,mean,std\nkernel,,,,\n" + rows))
    assert {"cycles mean", "time mean"} < set(frame.columns)
    assert {"cycles std", "time std"}.isdisjoint(frame.columns)


def test_a_remark_in_a_row_of_its_own_is_left_out() -> None:
    found = seen(lab="time,cycles,note\n.1,5,\n.2,7,\n,,# moved to core 4\n.3,6,\n.4,8,ok\n")
    assert series(found).counts["cycles"].tolist() == [5, 7, 6, 8]
    assert any("row 4: a remark between the rows" in line for line in found.repairs)


def test_times_under_a_corner_that_names_their_unit() -> None:
    table = series(seen(lab="event / t in ms,10,20,30\ncycles,5,7,6\nmisses,1,2,3\n"))
    assert table.counts["misses"].tolist() == [1, 2, 3]
    assert table.intervals["time"].diff().iloc[1:].round(9).tolist() == [0.01, 0.01]
