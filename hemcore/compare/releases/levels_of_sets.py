"""The level of each HEM in each of several sets of runs, relative to the first, with its error from the scatter of the runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import stdtrit

from hemcore.compare.dependent_runs import run_order, time_of_median
from hemcore.compare.group_matching import matched_groups
from hemcore.compare.medians import median_and_variance, spread_ties
from hemcore.compare.params import CompareParams
from hemcore.compare.releases.course_limits import FEWEST_SETS, MOST_SETS
from hemcore.compare.replicates import replicates_of
from hemcore.compare.results import Replicates
from hemcore.compare.run_sets import RunSet
from hemcore.errors import TableError

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class SetLevels:
    """What a course rests on, whatever its level and rate.

    labels: of the sets, in order. hems: those that all sets counted above 0. logs, variances: shape (sets, hems): the logarithm of the mean
    or median count of a run, averaged over subexperiments or programs, and the variance of its error (NaN: one run). counts: that mean
    or median itself. freedom: shape (sets, hems): degrees of freedom of the variance. steps: of fewer than six sets, the replicates of
    each set against the one before, else empty. notes: which HEMs are left out. params: of the comparison.
    """

    labels: tuple[str, ...]
    hems: tuple[str, ...]
    logs: Floats
    variances: Floats
    counts: Floats
    freedom: Floats
    steps: tuple[Replicates, ...]
    notes: tuple[str, ...]
    params: CompareParams

    @property
    def table(self) -> pd.DataFrame:
        """One row per HEM and set: hem, set, count, log (of the mean count), error."""
        n = len(self.labels)
        return pd.DataFrame(
            {
                "hem": np.repeat(np.array(self.hems, dtype=object), n),
                "set": list(self.labels) * len(self.hems),
                "count": self.counts.T.ravel(),
                "log": self.logs.T.ravel(),
                "error": np.sqrt(self.variances).T.ravel(),
            }
        )

    def reach(self, level: float) -> Floats:
        """Half the width of the interval of each level, shape (sets, hems), at the confidence `level`; NaN where one run is all."""
        found: Floats = stdtrit(np.maximum(self.freedom, 1), (1 + level) / 2) * np.sqrt(self.variances)
        return found


def set_levels(sets: Mapping[str, RunSet], params: CompareParams) -> SetLevels:
    """The levels of three or more sets in their order, by label.

    Raises TableError for fewer, for more than 100, for sets of different kinds or units, and without a HEM that all counted above 0.
    """
    labels, runs = tuple(sets), list(sets.values())
    if not 3 <= len(runs) <= MOST_SETS:
        raise TableError(f"releases: {len(runs)} sets given; a course needs 3 to {MOST_SETS}. Compare two sets with compare.")
    for label, each in zip(labels[1:], runs[1:], strict=True):
        try:
            matched_groups(runs[0], each)
        except TableError as error:
            raise TableError(f"{label}, against {labels[0]}: {error}") from None
    shared = [hem for hem in runs[-1].hems if all(hem in set(each.hems) for each in runs)]
    if not shared:
        raise TableError("releases: no HEM is in all sets. Leave out the set that lacks them, or rename the columns.")
    levels = {hem: _levels(runs, hem, params.statistic) for hem in shared}
    kept = [hem for hem in shared if np.isfinite(levels[hem][0]).all()]
    if not kept:
        raise TableError("releases: no HEM counted above 0 in all sets, so no relative course is known. Choose other sets.")
    parts = [np.stack([levels[hem][place] for hem in kept], axis=1) for place in range(4)]
    steps: tuple[Replicates, ...] = ()
    if len(runs) < FEWEST_SETS:
        steps = tuple(replicates_of(first, second, params) for first, second in pairwise(runs))
    every = list(dict.fromkeys(hem for each in runs for hem in each.hems))
    absent = [hem for hem in every if hem not in kept]
    note = f"Not followed, because a set lacks it or counted 0: {_named(absent)}."
    return SetLevels(
        labels=labels,
        hems=tuple(kept),
        logs=parts[0],
        variances=parts[1],
        counts=parts[2],
        freedom=parts[3],
        steps=steps,
        notes=(note,) if absent else (),
        params=params,
    )


def _levels(runs: Sequence[RunSet], hem: str, statistic: str) -> tuple[Floats, Floats, Floats, Floats]:
    """Logarithm, variance, count and degrees of freedom in each set, each of shape (sets,); over the groups that all sets have."""
    of_sets = [{(g.program, g.label): g.counts[hem].dropna().to_numpy() for g in each.groups if hem in g.counts.columns} for each in runs]
    keys = [key for key, counts in of_sets[0].items() if len(counts) and all(len(each.get(key, [])) for each in of_sets)]
    if not keys:  # read in different subexperiments: over all runs
        of_sets = [{("", ""): np.concatenate([*each.values()])} for each in of_sets]
        keys = [("", "")]
    found = np.array([[_level(each[key], statistic) for key in keys] for each in of_sets])  # (sets, groups, 4)
    n = len(keys)
    return found[:, :, 0].mean(axis=1), found[:, :, 1].sum(axis=1) / n**2, found[:, :, 2].mean(axis=1), found[:, :, 3].sum(axis=1)


def _level(counts: Floats, statistic: str) -> tuple[float, float, float, float]:
    """Of the runs of one group: log, variance, count, degrees of freedom; NaN where the mean or median is not above 0."""
    n = len(counts)
    middle = float(getattr(np, statistic)(counts)) if n else 0.0
    if middle <= 0:
        return np.nan, np.nan, np.nan, 0.0
    time = run_order(counts).time
    if statistic == "median":
        middle, variance = median_and_variance(spread_ties([counts])[0], True)
        return np.log(middle), variance * time_of_median(time), middle, n**0.5
    variance = float(np.var(counts / middle, ddof=1)) / n if n > 1 else np.nan
    return np.log(middle), variance * time, middle, float(n - 1)


def _named(hems: Sequence[str]) -> str:
    shown = ", ".join(name[:40] for name in hems[:3])
    return shown if len(hems) <= 3 else f"{shown} and {len(hems) - 3} more"
