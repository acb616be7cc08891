"""A merge as the page, the report and the notebook show it."""

from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from hemcore.merge.params import CopulaParams, HrmParams, MuchParams
from hemcore.merge.trust.correlation_intervals import COLUMNS
from hemcore.merge.trust.outlier_shift import OutlierEffect
from hemcore.merge.trust.sampling_noise import TruthError
from hemcore.merge.trust.subexperiment_agreement import Agreement
from hemcore.merge.unread_pairs import UnreadPairs, never_together


@dataclass(frozen=True, kw_only=True, eq=False)
class Checks:
    """What is known about the readings before they are merged: their measured_intervals, and whether the subexperiments agree."""

    intervals: pd.DataFrame
    agreement: Agreement


@dataclass(frozen=True, kw_only=True, eq=False)
class MergeReport:
    """A merge as the page shows it.

    merged: shape (runs, HEMs), counts per run.
    target: measured correlations of the merged HEMs, HEMs x HEMs, NaN for a pair never read together.
    achieved: Pearson correlations of the merged table.
    readings: number of runs that read both HEMs of each pair; 0 = never read together.
    mse: mean squared difference of achieved and target over the known entries; NaN if there is none.
    worst: the pair that differs most and its difference; None if no pair is known.
    left_out: one row per HEM or reading that is not in the merged table: hem, because, r (NaN if r is not the reason).
    n_hems: number of HEMs read. n_subexperiments: number of subexperiments merged.
    params: the parameters of the merge.
    outliers: the effect of the runs that MUCH left out; None for a merge that uses every run.
    noise: the standard error of a measured r, root mean square over the measured pairs; NaN if none is known.
    truth: the error of achieved against the truth; None if the table has no truth.
    intervals: measured_intervals of the merged pairs that were read together, with merged (see with_merged). outside: those whose merged r
        is outside.
    agreement: whether the subexperiments agree; None if not checked.
    sparse: why the counts of a HEM are too few for a sure correlation, a sentence; "" if none is.
    completable: whether the pairs that MUCH filled could be filled without changing the measured ones.
    n_pmcs: how many HEMs the machine counts at once; 0 = unknown.
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
    intervals: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=[*COLUMNS, "merged"]))
    outside: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=[*COLUMNS, "merged"]))
    agreement: Agreement | None = None
    sparse: str = ""
    completable: bool = True
    n_pmcs: int = 0

    @property
    def pairs_compared(self) -> int:
        """Number of pairs of merged HEMs that have both a measured correlation and one in the merged table."""
        differences = (self.achieved - self.target).to_numpy(dtype=float)
        return int(np.isfinite(differences[np.triu_indices(len(differences), 1)]).sum())

    @property
    def pairs_read_together(self) -> tuple[int, int]:
        """Number of pairs of merged HEMs that were read together, and number of all pairs."""
        n = len(self.readings)
        upper = self.readings.to_numpy()[np.triu_indices(n, 1)]
        return int((upper > 0).sum()), n * (n - 1) // 2

    @property
    def unread(self) -> UnreadPairs:
        """The pairs of merged HEMs that were never read together."""
        return never_together(self.readings, self.n_pmcs)
