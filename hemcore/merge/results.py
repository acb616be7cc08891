"""A merge as the page, the report and the notebook show it."""

from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from hemcore.merge.params import CopulaParams, HrmParams, MuchParams
from hemcore.merge.trust.correlation_intervals import COLUMNS
from hemcore.merge.trust.outlier_shift import OutlierEffect
from hemcore.merge.trust.sampling_noise import TruthError
from hemcore.merge.trust.subexperiment_agreement import Agreement


@dataclass(frozen=True, kw_only=True, eq=False)
class Checks:
    """What is known of the readings before they are merged: measured_intervals of them, and whether they go together."""

    intervals: pd.DataFrame
    agreement: Agreement


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
    outliers: what the runs that MUCH left out move; None for a merge of every run.
    noise: the standard error of a measured r, root mean square over the measured pairs; NaN when none is known.
    truth: how far achieved is from the truth; None where the table has none.
    intervals: of the pairs that were read together and merged, as measured_intervals has them. outside: those whose merged r lies outside.
    agreement: whether the subexperiments go together; None where it was not asked.
    completable: whether the pairs that MUCH filled could be filled without changing what was measured.
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
    params: HrmParams | MuchParams | CopulaParams
    outliers: OutlierEffect | None = None
    noise: float = float("nan")
    truth: TruthError | None = None
    intervals: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=COLUMNS))
    outside: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=[*COLUMNS, "merged"]))
    agreement: Agreement | None = None
    completable: bool = True

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
