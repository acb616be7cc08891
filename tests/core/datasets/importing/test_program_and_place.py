"""Series of several programs by core or thread: each place of each program is read by itself, and sums over places are per program."""

import pytest

from hemcore.datasets import CounterSeries, PhaseTable
from hemcore.datasets.importing.inspection import inspect
from hemcore.datasets.importing.recipe import ColumnRole, ImportRecipe
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.hardware_levels import at_level, levels
from hemcore.errors import ParameterError
from tests.core.datasets.corpus.logged_shapes import EMON, TECPLOT

ROWS = [("lu", 0, 1, 5), ("lu", 1, 1, 6), ("lu", 0, 2, 7), ("lu", 1, 2, 8), ("mg", 0, 1, 10), ("mg", 1, 1, 20), ("mg", 0, 2, 30)]
ROWS += [("mg", 1, 2, 40)]


def series(header: str, rows: list[tuple[object, ...]]) -> CounterSeries:
    found = inspect([UploadedFile("f.csv", "\n".join([header, *(",".join(map(str, row)) for row in rows), ""]).encode())])
    assert found.result is not None, found.fault
    assert found.doubts == ()
    assert isinstance(found.result.table, CounterSeries)
    return found.result.table


@pytest.mark.parametrize("place", ["thread", "core", "socket"])
def test_programs_by_place(place: str) -> None:
    table = series(f"benchmark,{place},time,cycles", ROWS)
    assert list(table.applications) == [f"lu {place} 0", f"lu {place} 1", f"mg {place} 0", f"mg {place} 1"]
    assert table.intervals[place].tolist() == ["0", "1"] * 4
    assert levels(table) == ["machine", place]
    whole = at_level(table, "machine")
    assert list(whole.applications) == ["lu", "mg"]
    assert whole.counts["cycles"].tolist() == [11.0, 15.0, 30.0, 70.0]


def test_runs_of_one_program_by_thread() -> None:
    rows = [("lu", run, thread, time, 10 * run + thread) for run in (1, 2) for time in (1, 2) for thread in (0, 1)]
    table = series("benchmark,run,thread,time,cycles", rows)
    whole = at_level(table, "machine")
    assert whole.intervals["run"].tolist() == [1, 1, 2, 2]
    assert whole.counts["cycles"].tolist() == [21.0, 21.0, 41.0, 41.0]


def test_a_place_that_tells_nothing_apart_is_left_out() -> None:
    table = series("benchmark,core,time,cycles", [(name, core, time, 5) for name, core in (("lu", 0), ("mg", 1)) for time in (1, 2)])
    assert list(table.applications) == ["lu", "mg"]
    assert levels(table) == []


def test_two_columns_are_programs_only_where_one_is_a_place() -> None:
    both = tuple(ColumnRole(name=name, role="program") for name in ("benchmark", "core"))
    assert ImportRecipe(columns=both).columns == both
    with pytest.raises(ParameterError, match="'benchmark' and 'suite' are both 'program'"):
        ImportRecipe(columns=(both[0], ColumnRole(name="suite", role="program")))


def test_programs_by_core_without_times_are_whole_runs() -> None:
    rows = [f"{name},{run},{core},{100 * run + 10 * core + (name == 'is')}" for name in ("ep", "is") for run in (1, 2) for core in (0, 1)]
    found = inspect([UploadedFile("f.csv", "\n".join(["program,run,core,cycles", *rows, ""]).encode())])
    assert found.doubts == ()
    assert found.result is not None
    table = found.result.table
    assert isinstance(table, PhaseTable)
    assert list(table.programs) == ["ep core 0", "ep core 1", "is core 0", "is core 1"]
    assert table.frame["cycles"].tolist() == [100.0, 110.0, 200.0, 210.0, 101.0, 111.0, 201.0, 211.0]
    whole = at_level(table, "machine")
    assert whole.frame["program"].tolist() == ["ep", "ep", "is", "is"]
    assert whole.frame["cycles"].tolist() == [210.0, 410.0, 212.0, 412.0]


def test_the_finest_place_is_named_wherever_its_column_stands() -> None:
    table = series(
        "benchmark,thread,core,time,cycles", [("lu", 2 * core + at, core, time, 5) for time in (1, 2) for core in (0, 1) for at in (0, 1)]
    )
    assert list(table.applications) == ["lu thread 0", "lu thread 1", "lu thread 2", "lu thread 3"]
    assert levels(table) == ["machine", "core", "thread"]
    assert at_level(table, "core").counts["cycles"].tolist() == [10.0] * 4


def test_programs_that_ran_one_after_the_other_have_sums_of_their_own() -> None:
    late = [(name, core, time + 100 * (name == "mg"), cycles) for name, core, time, cycles in ROWS]
    whole = at_level(series("benchmark,core,time,cycles", late), "machine")
    assert whole.counts["cycles"].tolist() == [11.0, 15.0, 30.0, 70.0]


def test_logs_with_the_month_first_and_zones_by_number() -> None:
    emon = inspect([UploadedFile("emon.dat", EMON.encode())]).result
    assert emon is not None
    assert isinstance(emon.table, CounterSeries)
    assert emon.table.intervals["date"].astype(str).str[:10].unique().tolist() == ["2025-03-04"]
    zones = inspect([UploadedFile("counters.dat", TECPLOT.encode())]).result
    assert zones is not None
    assert isinstance(zones.table, CounterSeries)
    assert zones.table.intervals["run"].tolist() == [1, 1, 2, 2]
