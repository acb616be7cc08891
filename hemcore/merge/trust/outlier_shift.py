"""The effect of leaving runs out as outliers: which means and correlations it changes.

R's rule (z < 3 on squared distances) is meant for single disturbed runs. For a HEM with a long tail it removes the tail: the merged means
and correlations are those of the rest, and an error against correlations that leave out the same runs cannot show it.
"""

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from hemcore.merge.inputs import SubexperimentsLike, complete_subexperiments
from hemcore.merge.much.gaussian import MvgParams
from hemcore.merge.pair_correlation import correlation_matrix

# From this difference on, a mean (relative to the mean read) and a correlation count as changed.
MEAN_MOVED = 0.05
R_MOVED = 0.05


@dataclass(frozen=True, kw_only=True, eq=False)
class OutlierEffect:
    """The effect of the runs that were left out.

    margins: one row per HEM: hem, readings (number read), left_out (how many of these), mean_read (of all, counts per run), mean_used (of
        those kept), moved (mean_used / mean_read; NaN if mean_read is 0).
    pairs: one row per pair of HEMs with both correlations: hem_a, hem_b, r_read (every run), r_used (outliers left out).
    Both are empty if there is no HEM or no such pair.
    """

    margins: pd.DataFrame
    pairs: pd.DataFrame

    @property
    def left_out(self) -> float:
        """The largest fraction of a HEM's readings that was left out, 0 to 1; 0 if there is no HEM."""
        return float((self.margins["left_out"] / self.margins["readings"]).max()) if len(self.margins) else 0.0

    @property
    def mean_moved(self) -> tuple[str, float] | None:
        """The HEM whose mean changed most, and mean_used / mean_read; None if none changed by MEAN_MOVED or more."""
        away = (self.margins["moved"] - 1).abs()
        if not (away >= MEAN_MOVED).any():
            return None
        row = self.margins.iloc[int(np.nanargmax(away))]
        return str(row["hem"]), float(row["moved"])

    @property
    def r_moved(self) -> tuple[str, str, float, float] | None:
        """The pair whose r changed most: two HEMs, r of every run, r used; None if none changed by R_MOVED or more."""
        away = (self.pairs["r_used"] - self.pairs["r_read"]).abs()
        if not (away >= R_MOVED).any():
            return None
        row = self.pairs.iloc[int(np.argmax(away))]
        return str(row["hem_a"]), str(row["hem_b"]), float(row["r_read"]), float(row["r_used"])

    @property
    def matters(self) -> bool:
        """Whether a mean or a correlation changed enough to be reported."""
        return self.mean_moved is not None or self.r_moved is not None


def outlier_effect(subexperiments: SubexperimentsLike, mvg_params: MvgParams, measured: pd.DataFrame) -> OutlierEffect:
    """The effect of the runs that `mvg_params` and `measured` (from correlation_matrix) leave out, for the HEMs of `mvg_params`.

    `measured` may have more HEMs. Raises TableError for bad subexperiments.
    """
    table = complete_subexperiments(subexperiments)
    hems = list(mvg_params.hems)
    readers = table.readers()
    rows = []
    for hem in hems:
        parts = [table.floats[number][hem] for number in readers[hem]]
        readings = sum(len(part) for part in parts)
        mean = math.fsum(float(part.mean()) * (len(part) / readings) for part in parts)
        used = float(mvg_params.means[hem])
        moved = used / mean if mean != 0 else math.nan
        rows.append((hem, readings, readings - int(mvg_params.counts[hem]), mean, used, moved))
    margins = pd.DataFrame(rows, columns=["hem", "readings", "left_out", "mean_read", "mean_used", "moved"])
    r_used = measured.loc[hems, hems].to_numpy(dtype=float)
    every = correlation_matrix(table, outlier_zscore=math.inf).loc[hems, hems].to_numpy(dtype=float)
    first, second = np.triu_indices(len(hems), 1)
    pairs = pd.DataFrame(
        {
            "hem_a": [hems[at] for at in first],
            "hem_b": [hems[at] for at in second],
            "r_read": every[first, second],
            "r_used": r_used[first, second],
        }
    )
    return OutlierEffect(margins=margins, pairs=pairs.dropna().reset_index(drop=True))
