"""Series built by a recipe."""

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.importing.cumulative_counts import states_beside
from hemcore.datasets.importing.guessing import growth
from hemcore.datasets.importing.guessing.growth import growth_doubt, only_grows, rotates
from hemcore.datasets.importing.inspection import apply, inspect
from hemcore.datasets.importing.parts import read_part
from hemcore.datasets.importing.plain_tables import look_at
from hemcore.datasets.importing.recipe import ImportRecipe
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.hardware_levels import at_level, levels
from hemcore.errors import ReadError

N = np.nan


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ({"A": [1, 2, 3, 4], "B": [1, N, 3, 4]}, False),  # one reading was lost
        ({"A": [1, 2, 3, 4], "B": [1, N, 3, N]}, True),
        ({"A": [1, N, 3, N], "B": [N, 2, N, 4]}, True),
        ({"A": [1, N, N, N], "B": [N, 2, N, N], "C": [N, N, 3, N], "D": [N, N, N, 4]}, True),
        ({"A": [1, 2, 3, 4], "B": [1, 2, N, N]}, False),
        ({"A": [1, 2, 3, 4], "B": [N, N, N, N]}, False),
        ({"A": [1, N, 3], "B": [N, 2, N]}, False),
    ],
)
def test_blanks_that_come_back_mean_counted_in_turns(counts: dict[str, list[float]], expected: bool) -> None:
    rows = len(counts["A"])
    assert rotates(pd.DataFrame(counts, dtype=float), pd.Series(["p 1"] * rows)) is expected


def test_blanks_rotate_within_each_run() -> None:
    # In each run one set of events is counted from beginning to end: nothing rotates.
    counts = pd.DataFrame({"A": [1.0, 2, N, N, 5, 6, N, N], "B": [N, N, 3.0, 4, N, N, 7, 8]})
    assert not rotates(counts, pd.Series(["p 1"] * 2 + ["p 2"] * 2 + ["p 3"] * 2 + ["p 4"] * 2))
    # In one run it changes at 3 of 7 steps only: less than half.
    assert not rotates(counts, pd.Series(["p 1"] * 8))
    # 2 of 22 values are blank: less than a tenth.
    assert not rotates(pd.DataFrame({"A": [1.0] * 11, "B": [1.0, N] * 2 + [1.0] * 7}), pd.Series(["p 1"] * 11))


def runs(*lengths: int) -> pd.Series:
    return pd.Series([f"p {number}" for number, length in enumerate(lengths) for _ in range(length)])


@pytest.mark.parametrize(
    ("counts", "lengths", "expected"),
    [
        ({"A": range(9)}, (9,), True),  # 8 rises
        ({"A": range(8)}, (8,), False),
        ({"a_total": [1, 2, 3]}, (3,), True),  # called cumulative: 2 rises
        ({"a_total": [1, 2]}, (2,), False),
        ({"a_total": [1, 2, 1]}, (3,), False),
        ({"a_total": [1, 2, 3], "errors_total": [4, 4, 4]}, (3,), True),
        ({"a_total": [1, 2, 3], "B": [1, 2, 3]}, (3,), False),  # B may be a count that rose
        ({"a_total": range(9), "B": range(9)}, (9,), True),
        ({"a_total": [1, 2, 3], "B": [4, 4, 4]}, (3,), True),  # B is a state
        ({"a_total": [1, 2, 3], "B": [4, 2, 4]}, (3,), True),
        ({"a_total": [2**32 - 9, 2**32 - 1, 5]}, (3,), True),  # it wraps at 32 bits
        ({"a_total": [2**31, 2**32 - 1, 2**31]}, (3,), False),
        ({"a_total": [1, 2**33 - 1, 2**33, 2**32 + 5]}, (4,), False),  # of more than 32 bits
        ({"a_totals": [1, 2, 3]}, (3,), False),
        ({"A": [*range(5), *range(5)]}, (5, 5), True),  # it begins anew in each run
        ({"A": [*range(5), *range(5)]}, (10,), False),
        ({"A": range(9), "B": [0] * 9}, (9,), True),  # one may stay at 0
        ({"A": range(9), "B": [7] * 9}, (9,), False),
        ({"A": [*range(9), *[8] * 7]}, (16,), True),  # 8 of 16 rows rise
        ({"A": [*range(9), *[8] * 8]}, (17,), False),
    ],
)
def test_counters_that_only_grow(counts: dict[str, list[float]], lengths: tuple[int, ...], expected: bool) -> None:
    assert only_grows(pd.DataFrame(counts, dtype=float), runs(*lengths)) is expected


def test_a_counter_that_seldom_falls_is_asked_about() -> None:
    # One fall to 8 rises is in doubt, one to 7 is none.
    once = pd.DataFrame({"A": [*range(6), *range(4)]}, dtype=float)
    assert growth_doubt("f", once, runs(10)).startswith("f: column 'A' rises 8 times and falls 1 times in the first 10 rows.")
    assert growth_doubt("f", once[:-1], runs(9)) == ""
    # Nothing fell, but of two columns one does not rise at all; of three columns one is fewer than half.
    grown = pd.DataFrame({"A": range(9), "B": 5}, dtype=float)
    assert growth_doubt("f", grown, runs(9)).startswith("f: column 'A' rises 8 times and falls 0 times")
    assert growth_doubt("f", grown.assign(C=5), runs(9)) == ""
    assert growth_doubt("f", grown[["A"]], runs(9)) == ""
    mixed = pd.DataFrame({"rx_total": [1, 4, 6], "loads": [5, 6, 9]})
    assert growth_doubt("f", mixed, runs(3)).startswith("f: column 'rx_total' rises 2 times and falls 0 times in the first 3 rows.")
    assert growth_doubt("f", mixed.rename(columns={"rx_total": "rx"}), runs(3)) == ""
    assert growth_doubt("f", pd.DataFrame({"rx_total": [1, 4, 2, 6, 5]}), runs(5)) == ""  # 2 falls to 2 rises
    assert "falls 1 times" in growth_doubt("f", pd.DataFrame({"rx_total": [1, 4, 6, 2, 5]}), runs(5))


@pytest.mark.parametrize(
    ("text", "quick"),
    [
        ("time,a,b\n1,2,3\n2,3,1\n3,4,9\n", True),
        ("time (ms),a,b\n1,2,3\n2,3,1\n2,4,9\n", True),
        ("time,a,b\n1,2,3\n3,3,1\n2,4,9\n", False),  # the time goes back
        ("time,a,a\n1,2,3\n2,3,1\n3,4,9\n", False),
        ("time,run,b\n1,2,3\n2,2,1\n3,2,9\n", False),
        ("time,a,b\n1,,3\n2,3,1\n3,4,9\n", False),
        ("time,a,b\n1767225600,2,3\n1767225601,3,1\n1767225602,4,9\n", False),  # seconds since 1970
    ],
)
def test_the_counts_of_one_plain_run_are_those_of_its_series(text: str, quick: bool) -> None:
    file = UploadedFile("f.csv", text.encode())
    recipe = inspect([file]).recipe
    assert recipe is not None
    part = look_at([file]).parts[0] if quick else read_part(file, recipe)
    found = growth._of_one_run(part, recipe)
    assert (found is not None) == quick
    if found is not None:
        slow = growth._of_any_runs(part, recipe)
        pd.testing.assert_frame_equal(found.counts, slow.counts)
        assert (found.runs.tolist(), found.are_shared) == (slow.runs.tolist(), slow.are_shared) == ([0, 0, 0], False)


def test_more_runs_than_are_read_are_told_where_times_begin_again() -> None:
    text = "time,a\n" + "0,1\n1,1\n2,1\n" * 20_001
    with pytest.raises(ReadError, match=r"f.csv: 20,001 runs; at most 20,000 are read"):
        apply(ImportRecipe(), [UploadedFile("f.csv", text.encode())])


def _cores(late: float = 0.0) -> str:
    """Two sockets of two cores, three intervals; late: of the last core, s."""
    rows = [
        f"{at + (late if core == 3 else 0)},{core // 2},{core},{count + core},{40 + core}\n"
        for at, count in ((1, 20), (2, 10), (3, 30))
        for core in range(4)
    ]
    return f"time,socket,core,cycles,temperature\n{''.join(rows)}"


def _read(text: str, name: str = "f.csv") -> Any:
    files = [UploadedFile(name, text.encode())]
    recipe = inspect(files).recipe
    assert recipe is not None
    found = apply(recipe, files)
    assert isinstance(found.table, CounterSeries)
    return found


def _of_cores() -> CounterSeries:
    table: CounterSeries = _read(_cores()).table
    return table


def test_a_column_of_cores_gives_the_levels_of_the_machine() -> None:
    table = _of_cores()
    assert levels(table) == ["machine", "socket", "core"]
    # Counts of 20, 21, 22, 23 are summed, temperatures of 40 to 43 averaged.
    assert at_level(table, "machine").counts.iloc[0].to_dict() == {"cycles": 86, "temperature": 41.5}
    assert at_level(table, "socket").counts["cycles"].tolist()[:3] == [41, 21, 61]


def test_cores_read_a_little_later_are_summed_by_interval_and_it_is_listed() -> None:
    late = _read(_cores(late=0.4))
    assert late.table.counts.equals(_of_cores().counts)
    assert at_level(late.table, "machine").counts["cycles"].tolist() == [86, 46, 126]
    assert late.repairs["what"].tolist() == ["moments of the parts differ by up to 0.4 s: their n-th intervals were read as one"]


def test_each_interval_is_put_to_the_nearest_moment_of_the_others_and_what_has_none_is_in_no_sum() -> None:
    """The last core is read at 1.6, 2.6 and 3.6 s: the first two are nearest to 2 and 3 s, the third to none."""
    found = _read(_cores(late=0.6))
    whole = at_level(found.table, "machine")
    assert whole.intervals["time"].tolist() == [2, 3]
    assert whole.counts["cycles"].tolist() == [10 + 11 + 12 + 23, 30 + 31 + 32 + 13]
    last = found.table.run("core 3", 1)
    assert (last.counts["cycles"].tolist(), last.intervals["time"].tolist()) == ([23, 13, 33], [1.6, 2.6, 3.6])  # as it was read
    assert found.repairs["what"].tolist() == [
        "moments of the parts differ: each was put to the nearest of the part with most of them, up to 0.4 s away;"
        " 1 without one stand alone and are in no sum"
    ]


def test_an_interval_that_may_be_two_is_in_no_sum() -> None:
    """Core 1 lacks 3 s, so that its reading at 4 s may be of 2 s."""
    rows = [f"{at},{core},{10 * (at % 3) + core}" for at in range(1, 7) for core in (0, 1) if (at, core) != (3, 1)]
    table = _read("\n".join(["time,core,cycles", *rows])).table
    whole = at_level(table, "machine")
    assert (whole.intervals["time"].tolist(), whole.counts["cycles"].tolist()) == ([1, 2, 5, 6], [21, 41, 41, 1])


def test_parts_read_in_other_steps_have_no_levels_and_it_is_listed() -> None:
    rows = [f"{at * (2 if core else 1)},{core},{at % 3 + core}" for at in range(1, 7) for core in (0, 1)]
    found = _read("\n".join(["time,core,cycles", *rows]))
    assert levels(found.table) == []
    assert found.table.applications == ["core 0", "core 1"]
    assert found.repairs[["column", "what"]].to_numpy().tolist() == [
        [
            "core",
            "levels of the machine are not offered, since sums over each core would be wrong: the parts were read in steps of 1 to 2 s",
        ]
    ]


def test_hosts_sockets_and_processors_are_levels_of_one_machine() -> None:
    """Two hosts of two sockets of one processor; each counts 1 more than the one before."""
    rows = [
        f"{at},h{host},{socket},{socket},{10 * (at % 3) + 2 * host + socket}" for at in (1, 2, 3) for host in (0, 1) for socket in (0, 1)
    ]
    found = _read("\n".join(["time,host,socket,cpu,cycles", *rows]))
    assert levels(found.table) == ["machine", "node", "thread"]
    assert at_level(found.table, "node").applications == ["f h0", "f h1"]
    assert at_level(found.table, "node").counts["cycles"].tolist() == [21, 41, 1, 25, 45, 5]
    assert at_level(found.table, "machine").counts["cycles"].tolist() == [46, 86, 6]
    assert not len(found.repairs)


def test_json_with_several_tags_has_a_level_for_each() -> None:
    rows = [
        {
            "timestamp": 1_700_000_000 + at,
            "tags": {"host": f"h{host}", "cpu": f"cpu{cpu}"},
            "fields": {"cycles": 10 * (at % 3) + 2 * host + cpu},
        }
        for at in range(4)
        for host in (0, 1)
        for cpu in (0, 1)
    ]
    table = _read(json.dumps(rows), "f.json").table
    assert table.applications == ["h0 cpu0", "h0 cpu1", "h1 cpu0", "h1 cpu1"]
    assert levels(table) == ["machine", "node", "thread"]
    assert at_level(table, "node").counts["cycles"].tolist() == [1, 21, 41, 1, 5, 25, 45, 5]


def test_a_package_of_turbostat_is_a_socket_whose_cores_are_its_own() -> None:
    rows = [f"{at},{package},0,{package},{10 * at + package},{40 + package}" for at in (1, 2, 3) for package in (0, 1)]
    table = _read("\n".join(["time,Package,Core,CPU,IRQ,CoreTmp", *rows])).table
    assert table.events == ["IRQ", "CoreTmp"]
    whole = at_level(table, "machine")
    assert (whole.counts["IRQ"].tolist(), whole.counts["CoreTmp"].tolist()) == ([21, 41, 61], [40.5] * 3)


def test_the_row_of_all_processors_is_no_processor() -> None:
    """mpstat -P ALL: 10 % and 30 % of two processors, 20 % of all."""
    rows = [f"10:00:0{at}  {cpu}  {usr}  {100 - usr}" for at in (1, 2, 3) for cpu, usr in (("all", 20), (0, 10), (1, 30))]
    found = _read("\n".join(["10:00:00  CPU  %usr  %idle", *rows]), "f.txt")
    assert found.table.applications == ["CPU 0", "CPU 1"]
    assert at_level(found.table, "machine").counts["%usr"].tolist() == [20, 20, 20]
    assert "of the whole machine, left out: its parts are read" in found.repairs["what"].tolist()


def test_beside_counters_that_are_called_so_what_falls_is_a_state() -> None:
    text = f"t_s,rx_total,memory,errors_total\n1,7,50,2\n2,9,40,2\n3,{2**32 - 5},60,3\n4,3,45,3\n"
    result = inspect([UploadedFile("a.csv", text.encode())]).result
    assert result is not None
    assert isinstance(result.table, CounterSeries)
    assert result.table.counts.to_dict("list") == {"rx_total": [2, 2**32 - 14, 8], "memory": [40, 60, 45], "errors_total": [0, 1, 0]}
    assert "wrapped, 2**32 added" in result.repairs["what"].tolist()


def test_what_is_called_cumulative_is_no_state_though_it_falls() -> None:
    counts = pd.DataFrame({"a_total": [5, 3, 9], "m": [5, 3, 9], "n": [4, 4, 4], "o": [1, 2, 3], "p": [0, 0, 0]})
    assert states_beside(counts, runs(3)) == {"m", "n"}
    assert states_beside(counts.drop(columns="a_total"), runs(3)) == set()


@pytest.mark.parametrize(
    ("first", "skipped", "intervals", "times"),
    [
        (0, (), [1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 4, 5, 6, 7, 8]),
        (0, (4,), [1, 2, 4, 5, 6, 7, 8], [1, 2, 4, 5, 6, 7, 8]),  # where intervals begin
        (1, (4,), [1, 2, 4, 5, 6, 7, 8], [1, 2, 4, 5, 6, 7, 8]),  # where they end
        (1, (4, 5), [1, 2, 5, 6, 7, 8], [1, 2, 5, 6, 7, 8]),
        (1, (2,), [1, 2, 3, 4, 5, 6, 7], [2, 3, 4, 5, 6, 7, 8]),  # before the first row nothing is missing
    ],
)
def test_a_skipped_row_makes_no_other_interval_longer(first: int, skipped: tuple[int, ...], intervals: list[int], times: list[int]) -> None:
    counts = [104, 101, 103, 100, 102, 105, 101, 104]
    content = "time (s),cycles\n" + "".join(f"{first + place},{count}\n" for place, count in enumerate(counts))
    made = apply(ImportRecipe(skip_rows=skipped), [UploadedFile("a.csv", content.encode())]).table
    assert isinstance(made, CounterSeries)
    assert made.intervals["interval"].tolist() == intervals
    assert made.intervals["time"].tolist() == times


def test_a_skipped_row_that_is_no_interval_leaves_no_gap() -> None:
    content = "time (s),cycles\n" + "".join(f"{place + 1},{count}\n" for place, count in enumerate([104, 101, 103, 100, 102, 105]))
    content = content.replace("3,103", "paused,0\n3,103")
    made = apply(ImportRecipe(skip_rows=(4,)), [UploadedFile("a.csv", content.encode())]).table
    assert isinstance(made, CounterSeries)
    assert made.intervals["interval"].tolist() == [1, 2, 3, 4, 5, 6]
