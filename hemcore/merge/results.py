"""A merge as the page, the report and the notebook show it."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from hemcore.merge.noise import TruthError
from hemcore.merge.outlier_effect import OutlierEffect
from hemcore.merge.params import HrmParams, MuchParams


@dataclass(frozen=True, kw_only=True, eq=False)
class MergeReport:
    """A merge as the page shows it.

    merged: shape (runs, HEMs), counts a run.
    target: measured correlations of the merged HEMs, HEMs x HEMs, NaN where a pair was never read together.
    achieved: the merged table's own Pearson correlations.
    readings: readings behind each pair, 0 = never read together.
    mse: mean squared difference of achieved and target over the known entries; NaN when there is none.
    worst: the pair that differs most and its difference; None when no pair is known.
    left_out: one row a HEM or reading that is not in the merged table: hem, because, r (NaN where it is not about r).
    n_hems: HEMs read in all. n_subexperiments: how many subexperiments were merged.
    params: what was asked for.
    outliers: what the runs that MUCH left out move; None for HRM, which merges every run.
    noise: the standard error of a measured r, root mean square over the measured pairs; NaN when none is known.
    truth: how far achieved is from the truth; None where the table has none.
    """

    merged: pd.DataFrame
    target: pd.DataFrame
    achieved: pd.DataFrame
    readings: pd.DataFrame
    mse: float
    worst: tuple[str, str, float] | None
    left_out: pd.DataFrame
    n_hems: int
    n_subexperiments: int
    params: HrmParams | MuchParams
    outliers: OutlierEffect | None = None
    noise: float = float("nan")
    truth: TruthError | None = None

    @property
    def pairs_compared(self) -> int:
        """How many pairs of merged HEMs have a correlation that was measured and one in the merged table."""
        differences = (self.achieved - self.target).to_numpy(dtype=float)
        return int(np.isfinite(differences[np.triu_indices(len(differences), 1)]).sum())

    @property
    def pairs_read_together(self) -> tuple[int, int]:
        """How many pairs of merged HEMs were read together, and how many pairs there are."""
        n = len(self.readings)
        upper = self.readings.to_numpy()[np.triu_indices(n, 1)]
        return int((upper > 0).sum()), n * (n - 1) // 2
