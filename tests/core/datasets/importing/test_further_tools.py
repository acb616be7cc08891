"""Tables of tools and languages that few know: what numbers rows, names a process or a GPU, or is a time, is never a HEM."""

import json

import pytest

from hemcore.datasets import CounterSeries, PhaseTable, Subexperiments
from hemcore.datasets.importing.inspection import Preview, inspect
from hemcore.datasets.importing.other_forms.aligned_columns import aligned
from hemcore.datasets.readers.uploaded_files import UploadedFile

STEPS = range(6)


def seen(text: str, name: str = "f.csv") -> Preview:
    return inspect([UploadedFile(name, text.encode())])


def series(text: str, name: str = "f.csv") -> CounterSeries:
    found = seen(text, name)
    assert found.result is not None, found.fault
    assert isinstance(found.result.table, CounterSeries)
    return found.result.table


@pytest.mark.parametrize(
    "header",
    ["Tiempo (s);ciclos", "Tempo [s];cicli", "Tijd (s);cycli", "Czas;cykle", "Время, с;такты", "时间(秒);周期数", "tidsaxel;cykler"],
)
def test_times_in_other_languages_are_times(header: str) -> None:
    table = series(header + "\n" + "".join(f"{step / 2};{100 + step % 3}\n" for step in STEPS))
    assert table.counts.columns.tolist() == [header.partition(";")[2]]
    assert table.intervals["time"].tolist() == [0.5, 1, 1.5, 2, 2.5, 3]  # the ends of the intervals


@pytest.mark.parametrize("name", ["Execução", "実行", "Körning", "Line #", "whatever"])
def test_numbers_of_rows_are_no_counts(name: str) -> None:
    found = seen(f"{name},cycles,instructions\n" + "".join(f"{step + 1},{100 + step % 3},{50 + step % 2}\n" for step in STEPS))
    assert found.recipe is not None
    assert [column.name for column in found.recipe.columns if column.role == "event"] == ["cycles", "instructions"]


def test_sizes_that_rise_are_no_times() -> None:
    found = seen("bytes,cycles\n" + "".join(f"{64 * step + 64},{100 + step % 3}\n" for step in STEPS))
    assert found.recipe is not None
    assert [column.role for column in found.recipe.columns] == ["event", "event"]


def test_a_number_of_each_reading_beside_its_time_makes_no_runs() -> None:
    table = series("Medición;Tiempo (s);ciclos\n" + "".join(f"{step + 1};{step / 2};{100 + step % 3}\n" for step in STEPS))
    assert table.counts.columns.tolist() == ["ciclos"]
    assert table.intervals["run"].unique().tolist() == [1]


def test_the_mark_of_a_comment_before_the_header_shifts_nothing() -> None:
    rows = "".join(f" 177322050{step}  1000  41822  {80 + step:.2f}  3  lulesh\n" for step in STEPS)
    table = series(f"# Time  UID  PID  %usr  CPU  Command\n{rows}", "pidstat.txt")
    assert table.counts.to_dict("list") == {"%usr": [80, 81, 82, 83, 84, 85]}
    assert table.intervals["application"].unique().tolist() == ["lulesh"]


def test_gpus_that_take_turns_are_told_apart() -> None:
    rows = "".join(f"2026/03/11 09:15:0{step}.{100 + gpu}, {gpu}, {50 * gpu + step % 3} W\n" for step in STEPS for gpu in (0, 1))
    table = series(f"timestamp, index, power.draw [W]\n{rows}")
    assert table.intervals["application"].unique().tolist() == ["0", "1"]
    assert table.counts["power.draw [W]"].tolist() == [value for step in STEPS for value in (step % 3, 50 + step % 3)]


def test_iostat_of_the_processors_is_a_series() -> None:
    rows = "".join(f"avg-cpu:  %user  %system  %idle\n  {10 + step % 3}.00  1.00  {89 - step % 3}.00\n\n" for step in STEPS)
    assert series(rows, "iostat.txt").counts.iloc[1].to_dict() == {"%user": 11, "%system": 1, "%idle": 88}


@pytest.mark.parametrize("header", ["Avg_MHz\tBzy_MHz\tIRQ", "# gpu pwr sm mclk\n# Idx W % MHz"], ids=["turbostat", "nvidia-smi dmon"])
def test_samplers_without_a_time_are_series(header: str) -> None:
    between, first = ("\t", "") if "\t" in header else (" ", "0 ")
    rows = "".join(f"{first}{between.join(str(100 * place + step % 4) for place in (1, 2, 3))}\n" for step in STEPS)
    table = series(f"{header}\n{rows}", "sampler.txt")
    assert table.counts.iloc[1].tolist() == [101, 201, 301]


def test_merged_cells_over_names_and_beside_rows() -> None:
    text = "Zeit;Cache;;Sprünge;\ns;L1;L2;gesamt;falsch\n" + "".join(f"{step};{step % 3};{step % 2};7;1\n" for step in STEPS)
    table = series(text)
    assert table.counts.columns.tolist() == ["Cache L1", "Cache L2", "Sprünge gesamt", "Sprünge falsch"]
    assert table.intervals["time"].tolist() == [1, 2, 3, 4, 5, 6]
    # What is written over a table is no group of its columns.
    text = "Operator,Anna,,Machine,node7\ntime,cycles,instr,branches,misses\n" + "".join(f"{step},{step % 3},5,6,7\n" for step in STEPS)
    assert series(text).counts.columns.tolist() == ["cycles", "instr", "branches", "misses"]
    assert series(text.replace("Machine,node7", "Run 3,")).counts.columns.tolist() == ["cycles", "instr", "branches", "misses"]
    rows = "".join(f"{program if not run else ''},{run},{10 + run},5\n" for program in ("fft", "sha") for run in range(3))
    found = seen(f"Program,Run,cycles,instr\n{rows}")
    assert found.result is not None, found.fault
    assert isinstance(found.result.table, PhaseTable)  # as the same table is without merged cells
    assert found.result.table.frame["program"].tolist() == ["fft"] * 3 + ["sha"] * 3
    assert any("merged cells" in line for line in found.repairs)


def test_benchmarks_of_several_sizes_and_kernels_are_no_runs() -> None:
    for header, names in (("name", ("sort/8", "sort/64", "sort/512")), ("Time (%),Name", ("9,kern0", "5,kern1", "1,kern2"))):
        found = seen(f"{header},cycles,instructions\n" + "".join(f"{name},{100 + at},{50 - at}\n" for at, name in enumerate(names)))
        assert found.result is not None, found.fault
        assert isinstance(found.result.table, PhaseTable)
        assert found.result.table.frame["program"].tolist() == [name.rpartition(",")[2] for name in names]


@pytest.mark.parametrize(
    ("head", "times"),
    [
        ("event,0.5 s,1 s,1.5 s", [0.5, 1, 1.5]),
        ("Event / time [ms],500,1000,1500", [0.5, 1, 1.5]),
        ("Zeit [s],1,2,4", [1, 2, 4]),
        ("event,t=0.5,t=1.0,t=1.5", [0.5, 1, 1.5]),
        ("event,unit,0.5,1,1.5,2,2.5,3", [0.5, 1, 1.5, 2, 2.5, 3]),
    ],
)
def test_a_series_that_lies_on_its_side_is_turned(head: str, times: list[float]) -> None:
    unit, counts = ("," if "unit" in head else ""), {"cycles": [10, 9, 12, 8, 9, 7], "misses": [5, 4, 6, 4, 3, 5]}
    counts = {name: values[: len(times)] for name, values in counts.items()}
    text = head + "".join(f"\n{name}{unit},{','.join(map(str, values))}" for name, values in counts.items()) + "\n"
    table = series(text)
    assert table.intervals["time"].tolist() == times
    assert table.counts.to_dict("list") == counts
    assert any("turned" in line for line in seen(text).repairs)


def test_runs_across_beside_programs_and_events_lose_none() -> None:
    rows = "fft,cycles,10,11\n,misses,1,2\nsha,cycles,20,21\n,misses,3,4\n"
    found = seen(f"program,event,run1,run2\n{rows}")
    assert found.result is not None, found.fault
    assert isinstance(found.result.table, PhaseTable)
    frame = found.result.table.frame
    assert frame[["program", "cycles", "misses"]].to_numpy().tolist() == [["fft", 10, 1], ["fft", 11, 2], ["sha", 20, 3], ["sha", 21, 4]]
    table = series("time_s,event,core0,core1\n1,cycles,10,20\n1,misses,1,2\n2,cycles,8,18\n2,misses,3,4\n3,cycles,12,22\n3,misses,5,6\n")
    by_core = table.counts.groupby(table.intervals["application"])["cycles"].agg(list)
    assert by_core.tolist() == [[10, 8, 12], [20, 18, 22]]
    # Statistics are none of these, and one row per event is read as it is.
    assert "turned" not in " ".join(seen("program,event,mean,max\nfft,cycles,10,11\nsha,cycles,20,21\n").repairs)
    assert "turned" not in " ".join(seen("event,Run 1,Run 2\ncycles,10,11\nmisses,20,21\n").repairs)


def test_a_number_sign_over_row_numbers_shifts_no_column() -> None:
    rows = "".join(f"{step},{step / 2},{step % 3},{step % 2},{'!' if step == 4 else ''}\n" for step in STEPS)
    table = series(f"#,time_s,cycles,misses,note\n{rows}")
    assert table.counts["cycles"].tolist() == [step % 3 for step in STEPS]
    assert table.intervals["time"].tolist() == [0.5, 1, 1.5, 2, 2.5, 3]  # the ends of intervals of which the first starts at 0


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("top - 09:15:00 up 3 days\n  PID USER %CPU\n    1 me 9.0\n", "`pidstat -h -u 1`"),
    ],
)
def test_what_a_tool_wrote_without_a_table_is_told_with_the_remedy(text: str, sentence: str) -> None:
    found = seen(text)
    assert found.result is None
    assert sentence in found.fault
    assert found.fault.startswith("f.csv: line ")


def test_readings_in_several_units_are_in_one() -> None:
    rows = "".join(
        f"{step + 1};cycles;{100 + step % 3};\n{step + 1};stall;{(step + 2) / (1, 1_000)[step % 2]};{('ms', 's')[step % 2]}\n"
        for step in STEPS
    )
    assert series(f"time;event;value;unit\n{rows}").counts["stall"].tolist() == [0.002, 0.003, 0.004, 0.005, 0.006, 0.007]
    mixed = seen(f"time;event;value;unit\n{rows.replace('ms', 'W')}").fault
    assert mixed.endswith("the values of 'stall' are in several units (W, s). Write them in one, or as events of their own.")


def test_series_beside_values_are_events_or_programs() -> None:
    text = "Series;Time;Value\n" + "".join(f"{name};2026-11-20 08:00:0{step};{100 + step % 3}\n" for name in ("a", "b") for step in STEPS)
    (doubt,) = seen(text).doubts
    assert [label for label, _ in doubt.answers] == ["Programs", "Events"]
    files = [UploadedFile("f.csv", text.encode())]
    tables = [inspect(files, recipe).result for _, recipe in doubt.answers]
    assert [each and each.table.counts.columns.tolist() for each in tables] == [["Value"], ["a", "b"]]  # type: ignore[union-attr]


def test_remarks_of_a_logger_are_not_those_of_perf() -> None:
    table = series(
        "# started on node7\n# by me\ntime cycles misses\n" + "".join(f"{step / 10} {100 + step % 3} {9 - step % 2}\n" for step in STEPS)
    )
    assert table.counts.columns.tolist() == ["cycles", "misses"]
    assert "perf started" in seen("# started on node7\n\n").fault


def test_frames_of_grafana_are_one_table() -> None:
    times = [1_795_161_600_000 + 1_000 * step for step in STEPS]

    def frame(event: str, host: str, first: int) -> dict[str, object]:
        fields = [{"name": "Time", "type": "time"}, {"name": "Value", "type": "number", "labels": {"__name__": event, "host": host}}]
        return {"schema": {"fields": fields}, "data": {"values": [times, [first + step % 3 for step in STEPS]]}}

    frames = [frame("cycles", "n1", 100), frame("cycles", "n2", 200), frame("misses", "n1", 10), frame("misses", "n2", 20)]
    table = series(json.dumps({"results": {"A": {"frames": frames}}}), "q.json")
    assert table.intervals.groupby("application")["time"].apply(list).to_dict() == {"n1": [1, 2, 3, 4, 5, 6], "n2": [1, 2, 3, 4, 5, 6]}
    assert table.counts[::6].to_dict("list") == {"cycles": [100, 200], "misses": [10, 20]}
    again = series(json.dumps([frame("cycles", "n1", 100), frame("cycles", "n1", 200)]), "p.json")
    assert again.counts.iloc[0].to_dict() == {"cycles": 100, "cycles (2)": 200}


def test_words_of_names_between_columns_go_to_the_numbers_below_their_end() -> None:
    text = (
        "Path        Min time/rank Max time/rank Time %\n"
        "main             0.000119      0.000131  7.079\n"
        "  loop           0.000067      0.000071 52.093\n"
        "\n"
        "    foo          0.000646      0.000660  3.922\n"
    )
    found = aligned(text)
    assert found is not None
    assert (found.names, found.rows) == (("Path", "Min time/rank", "Max time/rank", "Time %"), 3)
    left = aligned("Task name  Calls made\nfft        12\nsha        7\n")
    assert left is not None
    assert left.names == ("Task name", "Calls made")


def test_rows_under_names_that_come_again_are_one_table() -> None:
    rows = "".join(
        f"T/V   N   Time  Gflops\n----------------\nWR{step}  2{step}  6.{step * 3 % 5}  8.{step}\nstart time Thu Nov 26\n\n"
        for step in STEPS
    )
    found = seen(f"Linpack 2.3\nby A. Petitet\n\n{rows}", "hpl.out")
    assert found.result is not None
    assert isinstance(table := found.result.table, Subexperiments)
    assert table.frames[0][["Time", "Gflops"]].to_numpy().tolist() == [[6 + step * 3 % 5 / 10, 8 + step / 10] for step in STEPS]
    assert found.doubts[0].answers[-1][0] == "Yes, lines 4 to 31"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "".join(f"n7.cycles {100 + step % 3} 176415000{step}\nn7.misses {9 - step % 2} 176415000{step}\n" for step in STEPS),
            {"n7.cycles": [100, 101, 102] * 2, "n7.misses": [9, 8] * 3},
        ),
        (
            "X,CH1,Start,Increment,\nSequence,Volt,-2.0e-04,1.0e-04\n" + "".join(f"{step},{100 + step % 3},,\n" for step in STEPS),
            {"CH1 [Volt]": [100, 101, 102] * 2},
        ),
    ],
    ids=["Graphite", "Rigol"],
)
def test_samples_with_a_time_of_their_own(text: str, expected: dict[str, list[float]]) -> None:
    table = series(text, "f.csv")
    assert table.counts.to_dict("list") == expected
    assert table.intervals["time"].diff().dropna().round(9).nunique() == 1


@pytest.mark.parametrize(
    ("line", "above"),
    [
        ("10:00:0{step}.500 -> {a},{b}", ""),
        ("10:00:0{step}.500 -> {a} {b}", "10:00:00.000 -> cycles misses\n"),
        ("[10:00:0{step}] cycles: {a}  misses: {b}", ""),
        ("[iter {step}] cycles={a} misses={b} t=0.{step}s", "Starting N=512\n"),
    ],
)
def test_lines_that_a_program_prints(line: str, above: str) -> None:
    text = above + "".join(f"{line.format(step=step, a=100 + step % 3, b=9 - step % 2)}\n" for step in STEPS)
    found = seen(f"{text}{'Done.' if 'iter' in line else ''}\n", "log.txt")
    assert found.result is not None
    assert isinstance(table := found.result.table, CounterSeries)
    assert table.counts.to_numpy().T.tolist() == [[100, 101, 102] * 2, [9, 8] * 3]
    assert table.intervals["time"].diff().dropna().round(9).nunique() == 1
    assert ("2 lines without values left out" in str(found.repairs)) == ("iter" in line)


def test_exponents_of_fortran() -> None:
    table = series("time cycles\n" + "".join(f"{step}.0D+00 {step % 3 + 1}.5D+02\n" for step in STEPS), "f.txt")
    assert table.counts["cycles"].tolist() == [150, 250, 350] * 2


def test_several_programs_are_no_subexperiments() -> None:
    found = seen(
        "user,group,application,cycles,misses\n"
        + "".join(f"u{step},hpc,{'ab'[step % 2]},{100 + step % 3},{9 - step % 2}\n" for step in STEPS)
    )
    assert found.result is not None, found.fault
    assert isinstance(table := found.result.table, CounterSeries)
    assert sorted(set(table.intervals["application"])) == ["a", "b"]
    assert found.doubts[-1].key == "order"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "".join(f"--- run {step} ---\nA\t{100 + step % 3}\nB\t{9 - step % 2}\n\n" for step in STEPS),
            {"A": [100, 101, 102] * 2, "B": [9, 8] * 3},
        ),
        (
            "".join(f"Fri Nov 20 08:00:0{step} UTC 2026\nInlet | 04h | ok | 7.1 | 2{step % 3} degrees C\n" for step in STEPS),
            {"Inlet [degrees C]": [20, 21, 22] * 2},
        ),
    ],
    ids=["blocks of tabs", "ipmitool"],
)
def test_records_of_tools(text: str, expected: dict[str, list[float]]) -> None:
    found = seen(text, "f.txt")
    assert found.result is not None, found.fault
    table = found.result.table
    assert isinstance(table, CounterSeries | Subexperiments)
    counts = table.counts if isinstance(table, CounterSeries) else table.frames[0]
    assert counts.to_dict("list") == expected


def test_an_index_of_several_levels_keeps_its_columns() -> None:
    printed = "             cycles  misses\nprogram phase              \nfft     0        10       5\n        1        11       6\n"
    printed += "sha     0        12       7\n        1        13       8\n"
    cells = [["fft", 0, 10, 5], ["fft", 1, 11, 6], ["sha", 0, 12, 7], ["sha", 1, 13, 8]]
    rows = ""
    for program, phase, *counts in cells:
        span = f"<th rowspan=2>{program}</th>" if phase == 0 else ""
        rows += f"<tr>{span}<th>{phase}</th>{''.join(f'<td>{each}</td>' for each in counts)}</tr>"
    head = "<tr><th></th><th></th><th>cycles</th><th>misses</th></tr><tr><th>program</th><th>phase</th><th></th><th></th></tr>"
    page = f"<table>{head}{rows}</table>"
    for text in (printed, page):
        found = seen(text)
        assert found.result is not None, found.fault
        assert isinstance(found.result.table, PhaseTable)
        assert found.result.table.frame[["program", "phase", "cycles", "misses"]].to_numpy().tolist() == cells


@pytest.mark.parametrize("mark", ["  \\", ""])
def test_a_print_that_is_folded_is_one_table(mark: str) -> None:
    first = "".join(f"{step}  {step / 2 + 0.5}  {10 + step % 3}\n" for step in STEPS)
    second = "".join(f"{step}  {5 + step % 2}\n" for step in STEPS)
    table = series(f"   time_s  cycles{mark}\n{first}{chr(10) if mark else ''}   misses\n{second}")
    assert table.counts.to_dict("list") == {"cycles": [10 + step % 3 for step in STEPS], "misses": [5 + step % 2 for step in STEPS]}
    assert table.intervals["time"].tolist() == [step / 2 + 0.5 for step in STEPS]


def test_printed_labels_stand_over_their_columns() -> None:
    rows = "".join(
        f"{step / 2 + 0.5}      {10 + step % 3}       {5 + step % 2}      {20 + step % 3}       {7 + step % 2}\n" for step in STEPS
    )
    table = series(f"         cpu0            cpu1        \n       cycles   misses cycles   misses\ntime_s\n{rows}")
    first = {name: values[0] for name, values in table.counts.to_dict("list").items()}
    assert first == {"cpu0 cycles": 10, "cpu0 misses": 5, "cpu1 cycles": 20, "cpu1 misses": 7}


def test_nodes_of_caliper_are_paths() -> None:
    split = {
        "data": [[0, 1, 12], [2, 3, 45]], "columns": ["path", "count", "sum#papi.A"],
        "column_metadata": [{"is_value": False}, {"is_value": True}, {"is_value": True}],
        "nodes": [{"label": "main"}, {"label": "foo", "parent": 0}, {"label": "bar", "parent": 1}],
    }  # fmt: skip
    found = seen(json.dumps(split), "a.json")
    assert found.result is not None
    assert isinstance(table := found.result.table, PhaseTable)
    assert table.frame[["region", "count", "sum#papi.A"]].to_numpy().tolist() == [["main", 1, 12], ["main/foo/bar", 3, 45]]


def test_only_lines_that_can_be_read_are_offered_of_a_refused_tool() -> None:
    rows = "   5,220  cpu-cycles  # 2.8 GHz\n   6,220  instructions  # 3.8 G/sec\n"
    text = f"tiptop - [root]\n\n#  count  event_name  # count / runtime\n{rows}"
    found = seen(text, "tiptop.txt")
    assert "is of tiptop" in found.fault
    assert all(
        inspect([UploadedFile("s.txt", text.encode())], recipe).result is not None for doubt in found.doubts for _, recipe in doubt.answers
    )
