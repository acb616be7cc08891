"""HRM: values that a reader can check by hand."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import ParameterError, TableError, UnknownNameError
from hemcore.merge import HrmParams, hrm_merge, merge_hrm
from hemcore.merge.ranks import even_quantiles, mid_quantiles, normal_order, stable_order

ONE = pd.DataFrame({"T": [30, 10, 20], "A": [3, 1, 2]})
TWO = pd.DataFrame({"B": [5, 7, 6], "T": [10, 30, 20]})


def test_runs_are_matched_by_the_anchors_order():
    merged = hrm_merge([ONE, TWO], "T")
    assert list(merged.columns) == ["T", "A", "B"]
    assert merged.to_numpy().tolist() == [[10, 1, 5], [20, 2, 6], [30, 3, 7]]


def test_a_typed_table_gives_the_same():
    table = Subexperiments(frames=(ONE, TWO), n_pmcs=2)
    pd.testing.assert_frame_equal(merge_hrm(table, HrmParams(anchor_hem="T")).merged, hrm_merge([ONE, TWO], "T"))


def test_equal_anchors_stay_in_order():
    frame = pd.DataFrame({"T": [2, 1, 2, 1], "A": [1, 2, 3, 4]})
    assert hrm_merge([frame], "T")["A"].tolist() == [2, 4, 1, 3]


def test_unequal_numbers_of_runs_come_to_the_smallest_with_whole_runs():
    long = pd.DataFrame({"T": [50, 40, 30, 20, 10], "C": [5, 4, 3, 2, 1]})
    merged = hrm_merge([ONE, long], "T")
    assert merged["C"].tolist() == [1, 3, 5]
    assert merged["T"].tolist() == [10, 25, 50]  # of 10 10 20 20 30 30 40 50: the middle falls between 20 and 30


def test_ranks_between_two_runs_are_rounded_halves_up():
    """Of six sorted runs four: ranks 0, 5/3, 10/3, 5; of four runs three: 0, 1.5, 3."""
    six = pd.DataFrame({"T": range(6), "C": range(6)})
    assert hrm_merge([six, pd.DataFrame({"T": range(4)})], "T")["C"].tolist() == [0, 2, 3, 5]
    assert hrm_merge([six.iloc[:4], pd.DataFrame({"T": range(3)})], "T")["C"].tolist() == [0, 2, 3]


def test_a_hem_read_twice_is_kept_once_from_the_most_runs():
    more = pd.DataFrame({"T": [1, 2, 3, 4], "A": [9, 9, 9, 9]})
    result = merge_hrm([ONE, more], HrmParams(anchor_hem="T"))
    assert result.merged["A"].tolist() == [9, 9, 9]
    assert result.sources.to_numpy().tolist() == [["A", "subexperiment 2", 4]]
    assert result.duplicates.to_numpy().tolist() == [["A", "subexperiment 1", 3, "subexperiment 2"]]
    assert hrm_merge([ONE, ONE.assign(A=0)], "T")["A"].tolist() == [1, 2, 3]  # as many runs: the first


def test_one_run():
    assert hrm_merge([ONE.iloc[[0]], TWO.iloc[[0]]], "T").to_numpy().tolist() == [[20, 3, 5]]


def test_rows_without_a_value_are_left_out_and_told():
    result = merge_hrm([ONE.astype(float).assign(A=[3, np.nan, 2]), TWO], HrmParams(anchor_hem="T"))
    assert result.n_runs == 2
    assert result.repairs[["where", "column", "rows"]].to_numpy().tolist() == [["subexperiment 1", "A", 1]]


def test_names_are_data():
    names = {"T": "<img src=x onerror=alert(1)>", "A": "=cmd()", "B": "self"}
    merged = hrm_merge([ONE.rename(columns=names), TWO.rename(columns=names)], names["T"])
    assert list(merged.columns) == list(names.values())


@pytest.mark.parametrize(
    ("frames", "anchor", "error", "message"),
    [
        ([ONE, TWO], "Q", UnknownNameError, r"'Q' is not read in any subexperiment. Choose one of 'T'"),
        ([ONE, TWO], "A", ParameterError, r"'A' is not read in 'subexperiment 2'.*Choose one of 'T'"),
        ([ONE, TWO.drop(columns="T")], "T", ParameterError, "HRM needs a HEM that all of them read"),
        ([ONE, TWO], "", ParameterError, "anchor_hem"),
        ([], "T", TableError, "empty"),
        (ONE, "T", TableError, "give a list"),
        ([ONE, "no"], "T", TableError, "subexperiment 2: a str"),
        ([ONE, TWO.assign(B="x")], "T", TableError, "'B', row 1: 'x'"),
        ([ONE, TWO.assign(B=np.nan)], "T", TableError, "'B' has no value in 3"),
        ([pd.DataFrame([[1, 2]], columns=["T", "T"])], "T", TableError, "more than once"),
        ([ONE.iloc[:0]], "T", TableError, "0 rows"),
    ],
)
def test_bad_input_is_named(frames, anchor, error, message):
    with pytest.raises(error, match=message):
        hrm_merge(frames, anchor)


def test_200_000_runs():
    random = np.random.default_rng(0)
    frames = [pd.DataFrame({"T": random.normal(size=200_000), name: random.normal(size=200_000)}) for name in "AB"]
    merged = hrm_merge(frames, "T")
    assert merged.shape == (200_000, 3)
    assert merged["T"].is_monotonic_increasing


COUNTS = st.lists(st.integers(0, 50), min_size=1, max_size=40)


@given(COUNTS, st.permutations(["T", "A", "B"]))
@settings(max_examples=50, deadline=None)
def test_column_order_does_not_matter_and_arguments_stay(anchor, order):
    frame = pd.DataFrame({"T": anchor, "A": range(len(anchor)), "B": 7})
    before = frame.copy()
    merged = hrm_merge([frame], "T")
    again = hrm_merge([frame[order]], "T")
    pd.testing.assert_frame_equal(merged, again[merged.columns])
    pd.testing.assert_frame_equal(frame, before)
    if len(anchor) > 1:
        pd.testing.assert_frame_equal(
            merged.astype(float), frame.sort_values("T", kind="stable").reset_index(drop=True)[["T", "A", "B"]].astype(float)
        )


@given(st.lists(st.floats(-1e6, 1e6) | st.integers(-(2**40), 2**40), min_size=1, max_size=60))
@settings(deadline=None)
def test_orders_sort_stably(values):
    for array in (np.array(values, dtype=float), np.array(values, dtype=float).round()):
        assert stable_order(array).tolist() == np.argsort(array, kind="stable").tolist()
    normal = np.array(values) % 7.0 - 3
    taken = normal[normal_order(normal)]
    assert (np.diff(taken) >= -(2.0**-30)).all()


def type_1(ordered, probability):
    """The smallest reading whose share of readings reaches the probability."""
    return next(value for rank, value in enumerate(ordered, start=1) if Fraction(rank, len(ordered)) >= probability)


def type_2(ordered, probability):
    """As type 1, but where the share is the probability exactly, the mean of that reading and the next."""
    at = probability * len(ordered)
    if at.denominator == 1 and 0 < at < len(ordered):
        return (ordered[int(at) - 1] + ordered[int(at)]) / 2
    return type_1(ordered, probability)


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=60), st.integers(2, 80))
@example([1, 2, 3, 4], 2)
@settings(deadline=None)
def test_quantiles_are_type_2_and_type_1_by_their_definition(values, n):
    array, ordered = np.array(values), sorted(values)
    assert even_quantiles(array, n).tolist() == [type_2(ordered, Fraction(i, n - 1)) for i in range(n)]
    assert mid_quantiles(np.sort(array), n).tolist() == [type_1(ordered, Fraction(2 * i + 1, 2 * n)) for i in range(n)]


def test_huge_counts_are_merged_as_they_are():
    huge = pd.DataFrame({"T": [2.0**62, 2.0**61, 1], "A": [1e30, 1e29, 1e28]})
    assert hrm_merge([huge], "T").to_numpy().tolist() == huge[::-1].to_numpy().tolist()


def test_mid_quantiles_by_hand():
    assert mid_quantiles(np.array([1, 2, 3, 4]), 2).tolist() == [1, 3]  # 1/4 and 3/4 are reached by the first and the third
    assert mid_quantiles(np.array([1, 2, 3, 4]), 4).tolist() == [1, 2, 3, 4]
    assert mid_quantiles(np.array([1, 2]), 4).tolist() == [1, 1, 2, 2]


def test_whole_numbers_whose_differences_are_no_floats_are_sorted_as_they_are():
    """From -2**53 on, 2**53 and 2**53 + 2 are the same distance away, rounded."""
    assert stable_order(np.array([2.0**53 + 2, 2.0**53, -(2.0**53)])).tolist() == [2, 1, 0]
    assert stable_order(np.array([2**62, 2**62 - 1, -(2**62)])).tolist() == [2, 1, 0]


def test_even_quantiles_by_hand():
    assert even_quantiles(np.array([4, 1, 3, 2]), 3).tolist() == [1, 2.5, 4]
    assert even_quantiles(np.array([4, 1, 3]), 1).tolist() == [3]
    assert stable_order(np.empty(0)).tolist() == []
