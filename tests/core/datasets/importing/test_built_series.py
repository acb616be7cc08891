"""Series built by a recipe."""

import numpy as np
import pandas as pd
import pytest

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


def _of_cores(late: float = 0.0) -> CounterSeries:
    """Two sockets of two cores, three intervals; late: of the last core, s."""
    rows = [
        f"{at + (late if core == 3 else 0)},{core // 2},{core},{count + core},{40 + core}\n"
        for at, count in ((1, 20), (2, 10), (3, 30))
        for core in range(4)
    ]
    files = [UploadedFile("f.csv", f"time,socket,core,cycles,temperature\n{''.join(rows)}".encode())]
    recipe = inspect(files).recipe
    assert recipe is not None
    table = apply(recipe, files).table
    assert isinstance(table, CounterSeries)
    return table


def test_a_column_of_cores_gives_the_levels_of_the_machine() -> None:
    table = _of_cores()
    assert levels(table) == ["machine", "socket", "core"]
    # Counts of 20, 21, 22, 23 are summed, temperatures of 40 to 43 averaged.
    assert at_level(table, "machine").counts.iloc[0].to_dict() == {"cycles": 86, "temperature": 41.5}
    assert at_level(table, "socket").counts["cycles"].tolist()[:3] == [41, 21, 61]


def test_cores_whose_intervals_are_other_moments_are_not_summed() -> None:
    assert levels(_of_cores(late=0.4)) == ["machine", "socket", "core"]
    assert levels(_of_cores(late=0.6)) == []
