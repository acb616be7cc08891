"""Which HEMs are kept when those that depend on another are left out, at one dep_lvl and at every dep_lvl."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.merge.much.matrices import check_cor_matrix, check_dep_lvl
from hemcore.merge.params import LOWEST_DEP_LVL

DROP_COLUMNS = ["hem", "because_of", "r"]


def get_independent_matrix(cor_matrix: pd.DataFrame, dep_lvl: float, *, absolute: bool = False) -> pd.DataFrame:
    """The rows and columns of `cor_matrix` kept at `dep_lvl`, in order; shape (kept HEMs, kept HEMs).

    Goes through the HEMs in order and drops each whose r with a kept HEM exceeds dep_lvl; with `absolute`, |r| (R compares r, which keeps
    a pair at -0.99). NaN never exceeds it. An empty matrix stays empty. Raises ParameterError unless 0 < dep_lvl <= 1, TableError if
    `cor_matrix` is not a correlation matrix. Source: BSC, mergingTools vignette.
    """
    check_cor_matrix(cor_matrix)
    check_dep_lvl(dep_lvl)
    kept, _ = _walk(_compared(cor_matrix, absolute), dep_lvl)
    return cor_matrix.iloc[kept, kept].copy()


def dependent_hems(cor_matrix: pd.DataFrame, dep_lvl: float, *, absolute: bool = False) -> pd.DataFrame:
    """The HEMs that `get_independent_matrix` drops: hem, because_of (the first kept HEM it depends on) and their r; may be empty."""
    check_cor_matrix(cor_matrix)
    check_dep_lvl(dep_lvl)
    _, dropped = _walk(_compared(cor_matrix, absolute), dep_lvl)
    hems, values = list(cor_matrix.columns), cor_matrix.to_numpy(dtype=float)
    return pd.DataFrame([(hems[hem], hems[cause], values[hem, cause]) for hem, cause in dropped.items()], columns=DROP_COLUMNS)


def dep_lvl_path(cor_matrix: pd.DataFrame, *, absolute: bool = False) -> pd.DataFrame:
    """What is kept at every dep_lvl: a step function with one row per change of the kept HEMs.

    Columns dep_lvl, n_kept, smallest_eigenvalue (of the kept HEMs' correlations; NaN if one of these is NaN; below 0: no Gaussian has
    these correlations). A row applies from its dep_lvl up to the next row's; the first is at 0.01, the lowest that MUCH accepts, the last
    at 1.0. Raises TableError if `cor_matrix` is not a correlation matrix. An empty matrix keeps 0 HEMs, smallest eigenvalue NaN.
    """
    check_cor_matrix(cor_matrix)
    values, compared = cor_matrix.to_numpy(dtype=float), _compared(cor_matrix, absolute)
    kept, dropped = _walk(compared, LOWEST_DEP_LVL)
    rows = [(LOWEST_DEP_LVL, len(kept), _smallest_eigenvalue(values, kept))]
    later, earlier = np.tril_indices(len(values), -1)
    r = compared[later, earlier]
    chosen = np.flatnonzero((r > LOWEST_DEP_LVL) & (r <= 1))
    for at in chosen[np.argsort(r[chosen], kind="stable")]:
        # From r on, this pair is no longer dependent: only a HEM dropped because of a kept one can return.
        if later[at] not in dropped or earlier[at] in dropped:
            continue
        now_kept, dropped = _walk(compared, float(r[at]))
        if now_kept != kept:
            kept = now_kept
            row = (float(r[at]), len(kept), _smallest_eigenvalue(values, kept))
            rows = [*rows[:-1], row] if rows[-1][0] == row[0] else [*rows, row]
    if rows[-1][0] < 1.0:
        rows.append((1.0, *rows[-1][1:]))
    return pd.DataFrame(rows, columns=["dep_lvl", "n_kept", "smallest_eigenvalue"])


def _compared(cor_matrix: pd.DataFrame, absolute: bool) -> NDArray[np.float64]:
    # A rounded 1.0000000000000002 must not count as more than 1.
    values = np.clip(cor_matrix.to_numpy(dtype=float), -1.0, 1.0)
    return np.abs(values) if absolute else values


def _walk(compared: NDArray[np.float64], dep_lvl: float) -> tuple[list[int], dict[int, int]]:
    """The kept places, in order, and for each dropped one the first kept place it depends on."""
    kept: list[int] = []
    dropped: dict[int, int] = {}
    for hem in range(len(compared)):
        depends = np.flatnonzero(compared[hem, kept] > dep_lvl)
        if len(depends):
            dropped[hem] = kept[int(depends[0])]
        else:
            kept.append(hem)
    return kept, dropped


def _smallest_eigenvalue(values: NDArray[np.float64], kept: list[int]) -> float:
    part = values[np.ix_(kept, kept)]
    return float(np.linalg.eigvalsh(part)[0]) if len(kept) and np.isfinite(part).all() else np.nan
