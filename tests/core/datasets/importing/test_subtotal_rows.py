"""Rows of sums, means and spreads between the rows of a table: left out where their numbers are those of the rows above, as rounded."""

import pandas as pd
import pytest

from hemcore.datasets.importing.footers import statistics_of
from hemcore.datasets.importing.guessing.subtotal_rows import without_subtotals
from hemcore.datasets.readers.repairs import Repair


def _kept(*rows: str) -> list[str]:
    """The first cells of the rows that stay; each row is "name value value"."""
    cells = [[cell.replace("_", " ") for cell in row.split()] for row in rows]
    repairs: list[Repair] = []
    kept = without_subtotals(pd.DataFrame(cells, index=range(2, 2 + len(rows)), dtype=object), repairs, "f.csv")
    assert sum(repair.rows for repair in repairs) == len(rows) - len(kept)
    return [str(cell) for cell in kept[0]]


def test_mean_and_spread_of_one_block_both_tell_of_the_rows_above_them() -> None:
    # 1 and 3: mean 2, standard deviation 1.41; 10 and 20: mean 15, 7.07.
    assert _kept("a 1 10", "b 3 20", "Mean 2 15", "Std 1.41 7.07", "c 5 7", "d 7 9", "Mean 6 8", "e 1 1") == ["a", "b", "c", "d", "e"]


def test_the_next_block_begins_below_the_summaries() -> None:
    # 5 + 7 = 12, not with the 1 and 3 above.
    assert _kept("a 1 10", "b 3 20", "Subtotal 4 30", "c 5 7", "d 7 9", "Subtotal 12 16", "e 1 1") == ["a", "b", "c", "d", "e"]


@pytest.mark.parametrize(("mean", "stays"), [("1.67", False), ("1.66", True), ("1.7", False), ("2.2", True)])
def test_a_mean_may_be_rounded(mean: str, stays: bool) -> None:
    assert ("Mean" in _kept("a 1 1", "b 2 2", "c 2 2", f"Mean {mean} {mean}", "d 9 9")) is stays


def test_names_with_a_word_of_statistics_stay_where_their_numbers_are_others() -> None:
    assert _kept("conv 5 6", "max_pool 7 8", "relu 1 2") == ["conv", "max pool", "relu"]


def test_of_one_row_there_is_a_sum_and_no_number_of_rows() -> None:
    assert _kept("a 5 6", "Subtotal 5 6", "b 7 8") == ["a", "b"]
    assert _kept("a 50 60", "Total_cost 1 1", "b 7 8") == ["a", "Total cost", "b"]


def test_a_cell_without_a_value_is_none_of_the_sum() -> None:
    assert _kept("a 1 10", "b - 20", "c 3 30", "Subtotal 4 60", "d 1 1") == ["a", "b", "c", "d"]


def test_totals_of_a_program_stand_below_its_rows() -> None:
    assert _kept("fft 1 2", "fft 3 4", "fft_Total 4 6", "sha 5 5", "sha 6 6", "sha_Total 11 11", "lu 1 1") == [
        "fft",
        "fft",
        "sha",
        "sha",
        "lu",
    ]
    assert "fft Total" in _kept("fft 1 2", "fft 3 4", "fft_Total 4 7", "sha 5 5", "lu 1 1")


def test_a_total_that_is_none_is_not_the_maximum_of_another() -> None:
    rows = [f"{name} {cycles} {misses}" for name in ("fft", "sha") for cycles, misses in ((2, 5), (3, 10), (4, 15), (9, 31))]
    rows[3], rows[7] = "fft_Total 9 31", "sha_Total 9 31"  # 5 + 10 + 15 is 30
    assert len(_kept(*rows, "lu 1 1")) == 9


def test_beside_numbers_a_word_is_enough() -> None:
    assert _kept("0.1 5 6", "0.2 7 8", "Subtotal 99 99", "0.3 1 2", "0.4 1 2") == ["0.1", "0.2", "0.3", "0.4"]


def test_a_last_summary_is_left_to_the_footers() -> None:
    assert _kept("a 1 10", "b 3 20", "Mean 2 15", "Std 1.41 7.07") == ["a", "b", "Std"]


def test_statistics_of_four_numbers() -> None:
    found = list(statistics_of(pd.Series([1.0, 2, 3, 6]).to_numpy()))
    # Sum 12, mean 3; squares of the distances 4 + 1 + 0 + 9 = 14: variances 14 / 3 and 14 / 4; median 2.5, 1, 6, range 5, 4 of them.
    assert found == pytest.approx([12, 3, (14 / 3) ** 0.5, 3.5**0.5, 14 / 3, 3.5, 2.5, 1, 6, 5, 4])
    assert len(list(statistics_of(pd.Series([1.0, 2]).to_numpy(), named=False))) == 6
