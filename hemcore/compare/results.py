"""The results of a comparison."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.compare.params import CompareParams

COLUMNS = (
    "hem", "measure", "change", "low", "high", "probability", "adjusted", "changed", "effect", "runs_needed", "before", "after",
    "runs_before", "runs_after",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True, eq=False)
class Replicates:
    """What a comparison rests on, whatever its level and rate.

    rows: one row per HEM that both sets have: hem, measure, estimate (log ratio, or difference), error (its standard error; NaN if
        unknown), probability, effect, before, after (means or medians of a run), runs_before, runs_after, block, drift, autocorrelation,
        warm_up.
    tails: shape (2, steps, hems): the one-sided probability of the change found, were the true one STEPS errors lower, or higher.
    over: "runs", or "programs" if the intervals are over programs. programs: how many there are (1 if none is named).
    halves: whether the first half of the runs is compared with the second. notes: sentences about the order of the runs and the HEMs
        left out. places: of each run, as of RunSet. sets: how many sets of runs of the same HEMs are
        compared as one, before and after (RunSet.sets).
    """

    rows: pd.DataFrame
    tails: NDArray[np.float64]
    over: str
    programs: int
    halves: bool
    notes: tuple[str, ...]
    params: CompareParams
    places: int = 1
    sets: tuple[int, int] = (1, 1)


@dataclass(frozen=True, kw_only=True, eq=False)
class Comparison:
    """What changed between two sets of runs.

    table: one row per HEM that both sets have, the surest first:
        hem; measure: "relative" (change, low and high are shares of before: 0.1 = 10 % more) or "difference" (in counts, where a mean is
        not surely above 0); change with its interval low to high at `level` (NaN if one run); probability: that chance alone goes this
        far (p-value); adjusted: the same, controlled over all HEMs (Benjamini-Hochberg); changed: whether adjusted is at most `rate`;
        effect: Cliff's delta, -1 to 1, the share of pairs of runs in which after is larger less that in which it is smaller; runs_needed:
        further runs of each set that would settle an undecided HEM if the change stays as it is, NaN where decided; before, after: mean
        or median count of a run; runs_before, runs_after.
    over, programs, halves, notes, places, sets: as of Replicates.
    """

    table: pd.DataFrame
    over: str
    programs: int
    halves: bool
    notes: tuple[str, ...]
    params: CompareParams
    places: int = 1
    sets: tuple[int, int] = (1, 1)

    @cached_property
    def changed(self) -> pd.DataFrame:
        """The rows of `table` that changed."""
        return self.table[self.table["changed"]]

    @cached_property
    def bound(self) -> float:
        """The largest relative change that the intervals of the HEMs that did not change allow; NaN if none is known."""
        rows = self.table[~self.table["changed"] & (self.table["measure"] == "relative")]
        ends = rows[["low", "high"]].abs().max(axis=1).dropna()
        return float(ends.max()) if len(ends) else float("nan")
