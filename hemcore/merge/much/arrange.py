"""Arranging readings in the order of a Gaussian sample, for both methods of MUCH."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.merge.ranks import normal_order

Matrix = NDArray[np.float64]


def standardised(columns: list[NDArray[np.number]]) -> Matrix:
    """One row per column of readings, with mean 0 and length 1: the product of two rows is their r; shape (k, n).

    A row whose readings are all equal, or differ by less than float precision, is NaN: it has no correlation.
    """
    rows = np.array(columns, dtype=float)
    rows -= rows.mean(axis=1, keepdims=True)
    lengths = np.sqrt((rows * rows).sum(axis=1))
    lengths[(lengths == 0) | np.array([bool(column.min() == column.max()) for column in columns], dtype=bool)] = np.nan
    rows /= lengths[:, None]
    return rows


def put_in_order(ordered: Matrix, sample: Matrix, out: Matrix) -> None:
    """Fill `out` with `ordered` (both (k, n), rows ascending) giving each row the ranks of the same row of `sample`."""
    for row, values in enumerate(sample):
        out[row, normal_order(values)] = ordered[row]


def correlations(rows: Matrix) -> Matrix:
    """r of every two rows of standardised readings, shape (k, k); the diagonal is 1, or NaN where a row is."""
    matrix = np.clip(rows @ rows.T, -1.0, 1.0)
    np.fill_diagonal(matrix, np.where(np.isnan(np.diag(matrix)), np.nan, 1.0))
    return matrix


def merged_table(columns: list[NDArray[np.number]], hems: list[str], sample: Matrix) -> pd.DataFrame:
    """Sorted readings (k columns of n) with the ranks of `sample` (shape (k, n)) as a table, shape (n, k), in their own type."""
    merged: dict[str, NDArray[np.number]] = {}
    for hem, readings, values in zip(hems, columns, sample, strict=True):
        column = np.empty_like(readings)
        column[normal_order(values)] = readings
        merged[hem] = column
    return pd.DataFrame(merged, copy=False)


def correlation_of_columns(table: pd.DataFrame) -> pd.DataFrame:
    """Pearson's r of the columns of `table` (shape (n, k)), shape (k, k); NaN for a column that never changes, also on the diagonal."""
    rows = standardised([table[hem].to_numpy() for hem in table.columns])
    return pd.DataFrame(correlations(rows), index=table.columns, columns=table.columns)
