"""Raw tables -> subexperiments."""

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.readers.hem_columns import names_told
from hemcore.errors import HemError, ParameterError, TableError, UnknownNameError
from hemcore.events.t2080 import T2080_EVENTS
from hemcore.merge import hem_names, process_raw_experiments, propose_n_pmcs, split_raw_experiments, subexperiments_from_frames


def raw(columns, rows=3, value=1000):
    return pd.DataFrame(np.full((rows, len(columns)), value) + np.arange(rows)[:, None], columns=columns)


@pytest.mark.parametrize("columns", [["X24", "X110", "X24.1", "X457"], ["24", "110", "24.3", "457"], [24, 110, "24.1", 457]])
def test_codes_become_hems(columns):
    first, second = process_raw_experiments(raw(columns), 2)
    assert list(first.columns) == [T2080_EVENTS[24], T2080_EVENTS[110]]
    assert list(second.columns) == [T2080_EVENTS[24], "L2_MISSES"]


def test_plain_names_lose_the_suffix_of_a_repeat_only():
    assert hem_names(["Ir", "Dr", "Ir.1", "x.5", "Ir.2"]) == ["Ir", "Dr", "Ir", "x.5", "Ir"]
    assert hem_names([]) == []


def test_names_of_ones_own():
    assert hem_names(["X7", "9"], {7: "seven", 9: "nine"}) == ["seven", "nine"]
    assert hem_names(["X7", "Ir"], {"7": "seven", "Ir": "INSTRUCTIONS"}) == ["seven", "INSTRUCTIONS"]


@pytest.mark.parametrize(
    ("columns", "n_pmcs"),
    [
        (["X1", "X24", "X110", "X1.1", "X446", "X457"], 3),
        (["A", "B", "C", "A.1", "D", "E"], 3),
        (["A", "B", "C", "D"], 4),
        (["A", "B", "C", "D", "B.1", "E"], 3),
        (["A", "A.1", "A.2"], 1),
    ],
)
def test_proposed_n_pmcs(columns, n_pmcs):
    assert propose_n_pmcs(columns) == n_pmcs


def test_rows_go_before_columns_and_every_drop_is_listed():
    data = pd.DataFrame({"A": [1000.0, np.nan, 3000], "B": [50.0, 9999, 150], "C": [100.0, 100, 100], "D": [500, 600, 700]})
    result = split_raw_experiments(data, 2, min_mean=100)
    assert [list(frame.columns) for frame in result.subexperiments] == [["A"], ["D"]]
    assert list(result.subexperiments[0]["A"]) == [1000, 3000]  # without its middle row B's mean is 100, which is not above the bound
    told = result.repairs.set_index(["where", "column"])
    assert told.loc[("subexperiment 1", "A"), "rows"] == 1
    assert tuple(told.loc[("subexperiment 1", "B"), ["value", "bound"]]) == (100.0, 100.0)
    assert told.loc[("subexperiment 2", "C"), "value"] == 100.0
    assert list(result.table.frames[1].columns) == ["D"]


def test_min_mean_is_a_parameter_and_without_it_only_what_was_never_counted_goes():
    data = raw(["A", "B"], value=5).assign(C=0, D=[0, 0, 1])
    kept = split_raw_experiments(data, 1)
    assert [list(frame.columns) for frame in kept.subexperiments] == [["A"], ["B"], ["D"]]
    assert kept.not_read == ("C",)
    assert process_raw_experiments(data, 1)[0]["A"].tolist() == [5, 6, 7]
    with pytest.raises(TableError, match=r"min_mean = 100 .*highest mean is 6"):
        process_raw_experiments(data, 1, min_mean=100)


def test_a_subexperiment_with_no_hem_left_is_left_out_and_told():
    data = raw(["A", "B"]).assign(B=0)
    result = split_raw_experiments(data, 1)
    assert result.labels == ("subexperiment 1",)
    assert "subexperiment left out" in result.repairs["what"].iloc[-1]


def test_one_file_a_subexperiment_with_unequal_rows():
    result = subexperiments_from_frames([raw(["X1", "X24"], 3), raw(["X1.1", "X457"], 5)], labels=["a.csv", "b.csv"])
    assert [frame.shape for frame in result.subexperiments] == [(3, 2), (5, 2)]
    assert result.table.common_hems == ["PROCESSOR_CYCLES"]
    plain = subexperiments_from_frames([raw(["Ir", "Dr"]), raw(["Ir.1", "Dw"])])
    assert plain.table.common_hems == ["Ir"]


@pytest.mark.parametrize(
    ("data", "n_pmcs", "error", "message"),
    [
        (raw(list("ABCD")), 3, ParameterError, r"n_pmcs: 3 does not divide the 4 columns; it must be one of 1, 2, 4"),
        (raw(list("AB")), 0, ParameterError, "n_pmcs: 0"),
        (raw(list("AB")), "2", ParameterError, "n_pmcs: '2'"),
        (raw(["X1", "X9999"]), 2, UnknownNameError, "'X9999'"),
        (raw(list("AB")).astype(object).replace(1001, "oops"), 2, TableError, r"'A', row 2: 'oops' is not a number"),
        (raw(["A", "A.1", "B", "C"]), 2, TableError, "'A' appears more than once"),
        (pd.DataFrame([[1, 2]], columns=["A", "A"]), 2, TableError, "'A' appears more than once"),
        (raw(list("AB")).assign(B=np.nan), 2, TableError, "'B' has no value in 3 of them"),
        (raw(list("AB")).assign(B=[1, np.inf, 2.0]), 2, TableError, r"'B', row 2: inf must be finite"),
        (raw(list("AB")).assign(B=[True, False, True]), 2, TableError, "holds bool values"),
        (raw(["A", " "]), 2, TableError, "no name"),
        (pd.DataFrame(), 1, TableError, "0 rows"),
        (pd.DataFrame({"A": []}), 1, TableError, "0 rows"),
        ([1, 2], 1, TableError, "must be a DataFrame"),
    ],
)
def test_bad_input_is_named(data, n_pmcs, error, message):
    with pytest.raises(error, match=message) as caught:
        process_raw_experiments(data, n_pmcs)
    assert isinstance(caught.value, HemError)


def test_frames_errors():
    with pytest.raises(TableError, match="at least one"):
        subexperiments_from_frames([])
    with pytest.raises(TableError, match="1 labels for 2"):
        subexperiments_from_frames([raw(["A"]), raw(["B"])], labels=["x"])
    with pytest.raises(TableError, match="at least one is needed"):
        propose_n_pmcs([])
    with pytest.raises(ParameterError, match="min_mean"):
        process_raw_experiments(raw(["A"]), 1, min_mean=np.nan)


def test_numbers_kept_as_text_are_read_and_nothing_is_mutated():
    data = raw(list("AB")).astype(str)
    before = data.copy()
    assert process_raw_experiments(data, 2)[0]["A"].tolist() == [1000, 1001, 1002]
    pd.testing.assert_frame_equal(data, before)


def test_the_t2080_plan_is_proposed(t2080):
    assert propose_n_pmcs(pd.read_csv(t2080 / "t2080_much_raw.csv", nrows=1).columns) == 6
    assert propose_n_pmcs(pd.read_csv(t2080 / "t2080_hrm_raw.csv", nrows=1).columns) == 6


def test_event_numbers_are_those_of_the_t2080_where_an_anchor_comes_again() -> None:
    assert names_told([["X24", "X25"], ["X24", "X25"]]) == {24: "X24", 25: "X25"}  # one set of columns in two files
    assert names_told([["X24", "X25", "X24.1", "X30"]]) is None
    assert names_told([["X24", "X25"], ["X24", "X30"]]) is None
    assert names_told([["cycles", "cycles.1"]]) == {}
