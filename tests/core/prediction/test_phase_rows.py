"""Which phases are asked for, and small tables of theirs by hand."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.prediction import phase_rows
from hemcore.prediction.explore.params import ExploreParams
from hemcore.prediction.phase_rows import keys_of, one_phase, select_phases, values_of, varied_program, within
from tests.core.prediction.few_programs import rows_of


def table() -> PhaseTable:
    """Two programs, two granularities, two loads; granularity 30 has one phase of each program."""
    rows = [
        ("a", 10, "single core", 0, 100, 200),
        ("a", 10, "single core", 1, 100, 400),
        ("b", 10, "single core", 0, 100, 300),
        ("b", 10, "single core", 1, 200, 600),
        ("b", 10, "single core", 2, 0, 0),
        ("a", 30, "single core", 0, 200, 600),
        ("a", 10, "idle", 0, 100, 250),
    ]
    frame = pd.DataFrame(rows, columns=["program", "granularity", "load", "phase", "Ir", "CYCLES"])
    return PhaseTable(frame=frame, counters=("Ir", "CYCLES"))


def test_how_many_phases_there_are_of_each_granularity_and_load() -> None:
    assert keys_of(table()).sizes.tolist() == [[5, 1], [1, 0]]


@pytest.mark.parametrize(("enough", "rows"), [(4, [0, 1, 2, 3, 4]), (1, [5])])
def test_the_granularity_with_about_enough_phases_is_the_usual_one(monkeypatch: pytest.MonkeyPatch, enough: int, rows: list[int]) -> None:
    monkeypatch.setattr(phase_rows, "_ENOUGH", enough)
    assert select_phases(table(), ExploreParams()).rows.tolist() == rows


def test_the_chosen_load_or_every_load() -> None:
    assert select_phases(table(), ExploreParams(load="idle")).rows.tolist() == [6]
    assert select_phases(table(), ExploreParams(granularity="10"), all_loads=True).rows.tolist() == [0, 1, 2, 3, 4, 6]


def test_the_program_whose_phases_differ_most_per_instruction() -> None:
    # Cycles per instruction of a: 2 and 4 (spread a third of the mean); of b 3 and 3. The phase without instructions has none.
    full = table()
    known = PhaseTable(frame=full.frame[full.frame["Ir"] > 0], counters=full.counters)
    assert varied_program(known, select_phases(known, ExploreParams(granularity="10"))) == "a"
    # Where no program differs the one with most phases.
    even = PhaseTable(frame=full.frame.assign(CYCLES=2 * full.frame["Ir"]), counters=full.counters)
    assert varied_program(even, select_phases(even, ExploreParams(granularity="10"))) == "b"


def test_counts_from_the_least_to_the_largest() -> None:
    values, reach = within(pd.Series([10.0, np.nan, 30.0, 15.0]))
    np.testing.assert_allclose(values, [0, np.nan, 1, 0.25])
    assert reach == 20
    assert within(pd.Series([7, 7]))[0].tolist() == [0, 0]


def test_counts_per_instruction() -> None:
    rows = np.array([0, 3, 4])
    np.testing.assert_allclose(values_of(table(), "CYCLES", rows, per_instruction=True), [2, 3, np.nan])


def test_one_phase_beside_the_others() -> None:
    # CYCLES 400 beside 200, 400, 300, 600 and 0: the median is 300, and three of five have less.
    found = one_phase(table(), 1, np.arange(5)).set_index("counter").loc["CYCLES"]
    assert (found["count"], found["median"], found["more than"], found["per instruction"]) == pytest.approx((400, 300, 0.6, 4))


def test_instructions_are_known_where_every_row_has_some() -> None:
    some = rows_of([5, 6], [1, 2], [0, 0])
    assert some.instructions is not None
    assert some.instructions.tolist() == [1, 2]
    assert replace(some, X=np.array([[3.0], [0.0]])).instructions is None
    assert replace(some, counters=("D1mr",)).instructions is None
