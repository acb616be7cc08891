"""Checks of a correlation matrix given by the caller, and the distance between two."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.datasets.tables.checks import check_column_names, listed
from hemcore.errors import ParameterError, TableError

_ROUNDING = 1e-8


def check_cor_matrix(cor_matrix: pd.DataFrame) -> None:
    """Raise TableError unless it is square, with the same labels on both sides, symmetric, with r in [-1, 1] and ones on the diagonal.

    NaN is allowed (a pair never read together), on the diagonal too (a HEM that never changes).
    """
    if not isinstance(cor_matrix, pd.DataFrame):
        raise TableError(f"cor_matrix: a {type(cor_matrix).__name__}; it must be a DataFrame with HEM names on both sides.")
    check_column_names(cor_matrix.columns, "cor_matrix")
    if list(cor_matrix.index) != list(cor_matrix.columns):
        raise TableError(
            f"cor_matrix: its rows are {listed(cor_matrix.index)}, its columns {listed(cor_matrix.columns)}; they must be the same."
        )
    values = cor_matrix.to_numpy(dtype=float)
    asymmetric = np.abs(values - values.T) > _ROUNDING
    asymmetric |= np.isnan(values) != np.isnan(values.T)
    too_large = np.abs(values) > 1 + _ROUNDING
    off_one = np.eye(len(values), dtype=bool) & (np.abs(values - 1) > _ROUNDING)
    for broken, bound in ((asymmetric, "the same both ways"), (too_large, "within -1 and 1"), (off_one, "1 on the diagonal")):
        if broken.any():
            row, column = (int(at) for at in np.argwhere(broken)[0])
            pair = f"{str(cor_matrix.index[row])!r} with {str(cor_matrix.columns[column])!r}"
            raise TableError(f"cor_matrix: r of {pair} is {values[row, column]:g}; it must be {bound}.")


def check_dep_lvl(dep_lvl: float) -> None:
    """Raise ParameterError unless 0 < dep_lvl <= 1."""
    if not 0 < dep_lvl <= 1:
        raise ParameterError(f"dep_lvl: {dep_lvl} must be above 0 and at most 1: the largest correlation allowed between two kept HEMs.")


def matrix_mse(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    """Mean squared difference over all entries, diagonal included (as in R); NaN if an entry is NaN; 0.0 without entries."""
    return float(np.mean((first - second) ** 2)) if first.size else 0.0
