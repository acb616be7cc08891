"""Comparisons of correlation matrices, and the order in which they are shown."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.spatial.distance import squareform

from hemcore.merge.much.matrices import matrix_mse


def cluster_order(matrix: pd.DataFrame) -> list[str]:
    """The HEMs of a correlation matrix with similar ones next to each other: average linkage on 1 - |r|, optimal leaf order.

    An unknown r (NaN) counts as 0. Fewer than three HEMs keep their order.
    """
    names = [str(name) for name in matrix.index]
    if len(names) < 3:
        return names
    distance = np.clip(1 - np.abs(np.nan_to_num(matrix.to_numpy(dtype=float))), 0, None)
    distance = (distance + distance.T) / 2
    np.fill_diagonal(distance, 0)
    return [names[i] for i in leaves_list(linkage(squareform(distance, checks=False), "average", optimal_ordering=True))]


def mean_squared_difference(one: pd.DataFrame, other: pd.DataFrame) -> float:
    """`matrix_mse` of the entries known in both, diagonal included; NaN if no pair is known in both."""
    first, second = _side_by_side(one, other)
    known = np.isfinite(first) & np.isfinite(second)
    pairs = known & ~np.eye(len(known), dtype=bool)
    return matrix_mse(first[known], second[known]) if pairs.any() else float("nan")


def worst_pair(one: pd.DataFrame, other: pd.DataFrame) -> tuple[str, str, float] | None:
    """The pair whose correlations differ most, and the difference (one minus other); None if no pair is known in both."""
    ours, theirs = _side_by_side(one, other)
    first, second = np.triu_indices(len(ours), 1)
    apart = (ours - theirs)[first, second]
    if not np.isfinite(apart).any():
        return None
    worst = int(np.nanargmax(np.abs(apart)))
    return one.index[first[worst]], one.index[second[worst]], float(apart[worst])


def _side_by_side(one: pd.DataFrame, other: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    return one.to_numpy(dtype=float), other.loc[one.index, one.columns].to_numpy(dtype=float)


def ranked_by_strength(matrix: pd.DataFrame, hem: str) -> pd.Series:
    """r of `hem` with each other HEM, the strongest |r| first; unknown ones (NaN) last."""
    column = matrix[hem].drop(hem)
    return column.reindex(column.abs().sort_values(ascending=False, na_position="last").index)


def pair_as_read(frames: Sequence[pd.DataFrame], first: str, second: str) -> pd.DataFrame:
    """Every run that read both HEMs, as columns `first` and `second`; empty if none did."""
    both = [frame[[first, second]] for frame in frames if first in frame.columns and second in frame.columns]
    return pd.concat(both, ignore_index=True) if both else pd.DataFrame(columns=[first, second], dtype=float)


def pooled_readings(frames: Sequence[pd.DataFrame], hem: str) -> np.ndarray:
    """All readings of `hem` in all frames, without missing values."""
    return pd.concat([frame[hem] for frame in frames if hem in frame.columns]).dropna().to_numpy()
