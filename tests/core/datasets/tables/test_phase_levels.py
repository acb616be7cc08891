"""Phases and runs that know their places: counts summed over cores, ratios and temperatures averaged, all by hand."""

import numpy as np
import pandas as pd
import pytest

from hemcore.compare.run_sets import run_set_of
from hemcore.datasets.importing.tool_totals import are_totals_by_place, runs_at
from hemcore.datasets.shelf import library
from hemcore.datasets.shelf.store import DatasetStore, Lineage
from hemcore.datasets.tables import kinds
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.hardware_levels import at_level, level_of_segments, levels
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import UnknownNameError

NAN = np.nan
# Socket 0 has cores 0 and 1, socket 1 has core 0 alone; phase 1 lasts three times as long as phase 0.
ROWS = [("0", "0", 0, 10, 40.0), ("0", "0", 1, 20, 60.0), ("0", "1", 0, 30, 50.0), ("0", "1", 1, 40, 70.0), ("1", "0", 0, 1, 30.0)]
ROWS = [*ROWS, ("1", "0", 1, 2, 20.0)]


def phases(cycles: list[float] | None = None) -> PhaseTable:
    frame = pd.DataFrame(
        {
            "program": f"a S{socket}-C{core}",
            "granularity": "segment",
            "load": "run 1",
            "phase": phase,
            "intervals": 3 if phase else 1,
            "whole program": "a",
            "socket": socket,
            "core": core,
            "segments of": "a socket 0",
            "cycles": count,
            "temp": temperature,
        }
        for socket, core, phase, count, temperature in ROWS
    )
    return PhaseTable(frame=frame if cycles is None else frame.assign(cycles=cycles), counters=("cycles", "temp"))


def test_counts_are_summed_and_temperatures_averaged_at_every_level() -> None:
    table = phases()
    assert levels(table) == ["machine", "socket", "core"]
    socket = at_level(table, "socket")
    assert socket.programs == ["a socket 0", "a socket 1"]
    assert socket.frame["phase"].tolist() == [0, 1, 0, 1]
    assert socket.frame["cycles"].tolist() == [40, 60, 1, 2]
    assert socket.frame["temp"].tolist() == [45, 65, 30, 20]
    whole = at_level(table, "machine")
    assert whole.programs == ["a"]
    assert whole.frame["cycles"].tolist() == [41, 62]
    assert whole.frame["temp"].tolist() == [40, 50]
    assert whole.frame["intervals"].tolist() == [1, 3]
    assert whole.counters == ("cycles", "temp")
    assert at_level(table, "core") is table
    assert levels(whole) == []
    assert at_level(socket, "machine").frame["cycles"].tolist() == [41, 62]


def test_runs_and_programs_are_never_summed_together() -> None:
    """The same phases in a second run, and by another program: each keeps its own sums."""
    first = phases().frame
    again = first.assign(load="run 2", cycles=first["cycles"] * 10)
    other = first.assign(program=first["program"].str.replace("a ", "b "), cycles=1, **{"whole program": "b"})
    table = PhaseTable(frame=pd.concat([first, again, other], ignore_index=True), counters=("cycles", "temp"))
    whole = at_level(table, "machine").frame
    assert whole[["program", "load", "phase", "cycles"]].to_numpy().tolist() == [
        ["a", "run 1", 0, 41],
        ["a", "run 1", 1, 62],
        ["a", "run 2", 0, 410],
        ["a", "run 2", 1, 620],
        ["b", "run 1", 0, 3],
        ["b", "run 1", 1, 3],
    ]
    assert run_set_of(table).places == 3


def test_a_sum_without_one_of_its_cores_is_not_known() -> None:
    found = at_level(phases([10, 20, 30, NAN, 1, 2]), "machine").frame["cycles"]
    np.testing.assert_array_equal(found, [41, NAN])


def test_the_level_of_the_segments_and_the_shape_are_told() -> None:
    assert level_of_segments(phases()) == "socket"
    assert kinds.shape(phases()) == "1 program, 3 cores, 6 phases, 2 counters, 1 load"
    plain = PhaseTable(frame=phases().frame.drop(columns=["whole program", "segments of"]), counters=("cycles",))
    assert (levels(plain), level_of_segments(plain)) == ([], "")
    assert levels("no table") == []
    with pytest.raises(UnknownNameError, match="level: 'thread' is not a level of this table; its levels are 'machine', 'socket', 'core'"):
        at_level(phases(), "thread")


def test_an_id_with_a_level_is_the_phases_at_that_level(tmp_path) -> None:
    origin = Lineage(parent="sample-phases", parent_name="s", analysis="a.b", params={}, version="1", gives="segments")
    record = DatasetStore(tmp_path).keep(phases(), name="kept", lineage=origin)
    table = library.load(library.id_at(record.id, "machine"), tmp_path)
    assert isinstance(table, PhaseTable)
    assert table.frame["cycles"].tolist() == [41, 62]


def test_compared_phases_are_runs_of_one_machine_and_their_mean_is_over_time() -> None:
    """Core 0 of socket 0 was at 40 degrees for one interval and at 60 for three: at 55 in all."""
    found = run_set_of(phases())
    assert found.places == 3
    assert found.groups[0].counts.to_dict("list") == {"cycles": [30], "temp": [55]}
    assert run_set_of(at_level(phases(), "machine")).places == 1


def by_place() -> CounterSeries:
    """Two runs by two sockets of one core each: 1 and 3 cycles at 40 and 50 degrees, then 2 and 5 at 42 and 52."""
    places = [(socket, run) for run in (1, 2) for socket in (0, 1)]
    rows = [{"application": f"a S{socket}", "run": run, "interval": 1, "program": "a", "socket": str(socket)} for socket, run in places]
    counts = pd.DataFrame({"cycles": [1.0, 3, 2, 5], "temp": [40.0, 50, 42, 52]})
    return CounterSeries(intervals=pd.DataFrame(rows), counts=counts, mode="OCOE")


def test_runs_of_the_machine_know_those_of_their_places(tmp_path) -> None:
    whole = runs_at(by_place(), "machine").table
    assert isinstance(whole, Subexperiments)
    assert levels(whole) == ["machine", "a S0", "a S1"]
    assert whole.frames[0].to_dict("list") == {"cycles": [4, 7], "temp": [45, 47]}
    assert kinds.shape(whole) == "1 subexperiment, 2 HEMs, 2 runs each, 2 sockets"
    record = DatasetStore(tmp_path).take(whole, name="runs", source="a test")
    stored = DatasetStore(tmp_path).load(record.id)
    assert levels(stored) == levels(whole)
    assert isinstance(stored, Subexperiments)
    assert stored.places is not None
    assert stored.places.mode == "OCOE"
    seen = library.load(library.id_at(record.id, "a S1"), tmp_path)
    assert isinstance(seen, Subexperiments)
    assert seen.frames[0].to_dict("list") == {"cycles": [3, 5], "temp": [50, 52]}
    assert levels(seen) == []
    with pytest.raises(UnknownNameError, match="level: 'a S2' is no place of these runs; they have 'a S0', 'a S1'"):
        library.load(library.id_at(record.id, "a S2"), tmp_path)
    plain = DatasetStore(tmp_path).take(seen, name="plain", source="a test")
    with pytest.raises(UnknownNameError, match="level: 'machine' of a Subexperiments"):
        library.load(library.id_at(plain.id, "machine"), tmp_path)


def test_names_that_each_read_their_own_events_are_subexperiments_of_one_program() -> None:
    """Two runs of A read cycles, two of B read misses, by two cores: 1 + 3 and 2 + 4 cycles, 5 + 7 and 6 + 8 misses."""
    rows = [(name, run, core) for name in "AB" for run in (1, 2) for core in "01"]
    intervals = pd.DataFrame(
        {"application": f"{name} core {core}", "run": run, "interval": 1, "program": name, "core": core} for name, run, core in rows
    )
    counts = pd.DataFrame({"cycles": [1, 3, 2, 4, *[NAN] * 4], "misses": [*[NAN] * 4, 5, 7, 6, 8]})
    table = CounterSeries(intervals=intervals, counts=counts, mode="OCOE")
    assert are_totals_by_place(table)
    whole = runs_at(table, "machine").table
    assert isinstance(whole, Subexperiments)
    assert [frame.to_dict("list") for frame in whole.frames] == [{"cycles": [4, 6]}, {"misses": [12, 14]}]
    assert levels(whole) == ["machine", "runs core 0", "runs core 1"]
    assert whole.places is not None
    seen = runs_at(whole.places, "runs core 1").table
    assert isinstance(seen, Subexperiments)
    assert [frame.to_dict("list") for frame in seen.frames] == [{"cycles": [3, 4]}, {"misses": [7, 8]}]
    # Programs that read the same are programs.
    both = CounterSeries(intervals=intervals, counts=counts.fillna(9), mode="OCOE")
    assert not are_totals_by_place(both)
