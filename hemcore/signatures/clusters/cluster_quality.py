"""How good a clustering is: silhouette, agreement of two, a profile of each cluster."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.datasets.tables.signature_table import METRICS
from hemcore.signatures.class_rules import Floats
from hemcore.signatures.signature_rows import energy_j, gpu_active

SILHOUETTE_ROWS = 2_000
_PROFILED = (*METRICS, "DC_NODE_POWER_W", "TIME_SEC")


def silhouette(points: Floats, labels: NDArray[np.integer], seed: int) -> float:
    """The mean silhouette, -1 to 1, of at most 2,000 rows drawn with `seed`; NaN where they are of one cluster only.

    Source: Rousseeuw 1987, Silhouettes, doi:10.1016/0377-0427(87)90125-7.
    """
    drawn = np.random.default_rng(seed).permutation(len(points))[:SILHOUETTE_ROWS]
    present, own = np.unique(labels[drawn], return_inverse=True)
    if len(present) < 2:
        return float("nan")
    if len(present) == len(drawn):
        return 0.0  # by its definition 0 for a row alone in its cluster; scikit-learn refuses rows that are all alone
    from sklearn.metrics import silhouette_score  # takes half a second to import

    return float(silhouette_score(points[drawn], own))


def adjusted_rand_index(one: NDArray[np.integer], other: NDArray[np.integer]) -> float:
    """The agreement of two clusterings of the same rows: 1 if they are the same, about 0 if they agree as by chance.

    1.0 if both have one cluster only, or no rows. Source: Hubert and Arabie 1985, Comparing Partitions, doi:10.1007/BF01908075.
    """
    from sklearn.metrics import adjusted_rand_score

    return float(adjusted_rand_score(one, other))


def profile(frame: pd.DataFrame, labels: NDArray[np.integer], names: list[str]) -> pd.DataFrame:
    """One row per cluster: cluster, signatures, share, the median of each metric, of node power and time, GPU active (rows), energy_kwh.

    Figures that the data does not have, or of a cluster without rows, are NaN.
    """
    energy, active = energy_j(frame) / 3.6e6, gpu_active(frame)
    n = int((labels >= 0).sum())
    rows = []
    for number, name in enumerate(names):
        own = labels == number
        part = frame.loc[own]
        known = energy[own][~np.isnan(energy[own])]
        medians = {metric: _median(part, metric) for metric in _PROFILED}
        rows.append(
            {"cluster": name, "signatures": int(own.sum()), "share": own.sum() / n if n else np.nan}
            | medians
            | {"GPU active": int(active[own].sum()), "energy_kwh": known.sum() if len(known) else np.nan}
        )
    return pd.DataFrame(rows)


def _median(part: pd.DataFrame, name: str) -> float:
    if name not in part.columns or not len(part) or part[name].isna().all():
        return float("nan")
    return float(part[name].quantile(interpolation="lower"))


def principal_directions(points: Floats) -> tuple[Floats, tuple[float, float]]:
    """The two directions of most spread of standardised points, shape (4, 2), and the share of each; the largest entry is positive."""
    spread, directions = np.linalg.eigh(points.T @ points / len(points))
    pca = directions[:, ::-1][:, :2]
    pca = pca * np.where(pca[np.abs(pca).argmax(axis=0), [0, 1]] < 0, -1, 1)
    total = float(spread.sum())
    first, second = (float(each) / total if total > 0 else 0.0 for each in spread[::-1][:2])
    return pca, (first, second)
