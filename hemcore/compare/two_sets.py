"""Two sets of runs compared: each HEM's change, its interval, and whether chance explains it."""

import numpy as np
import pandas as pd

from hemcore.compare.false_discoveries import adjusted
from hemcore.compare.params import CompareParams, StatisticName
from hemcore.compare.replicates import replicates_of
from hemcore.compare.results import COLUMNS, Comparison, Replicates
from hemcore.compare.run_sets import Compared, run_set_of
from hemcore.compare.tail_probabilities import ends


def compare(
    before: Compared,
    after: Compared,
    *,
    paired: bool = False,
    level: float = 0.9,
    rate: float = 0.05,
    statistic: StatisticName = "mean",
    seed: int = 0,
) -> Comparison:
    """What changed from `before` to `after`, two tables of one kind, with intervals and false findings controlled over all HEMs.

    paired, level, rate, statistic, seed: as of CompareParams. The tables are not changed. Raises TableError for tables that cannot be
    compared (other kind or unit, no common HEM or program, one run), ParameterError for a parameter. Sources: see `permuted`, `medians`,
    `dependent_runs` and `false_discoveries`.
    """
    params = CompareParams(paired=paired, level=level, rate=rate, statistic=statistic, seed=seed)
    return comparison_of(replicates_of(run_set_of(before), run_set_of(after), params), params)


def comparison_of(replicates: Replicates, params: CompareParams) -> Comparison:
    """The comparison at the level and rate of `params`: read off the replicates, nothing is drawn."""
    rows = replicates.rows
    estimate, error = rows["estimate"].to_numpy(dtype=float), rows["error"].to_numpy(dtype=float)
    below, above = ends(replicates.tails, params.level)
    # Where no change is not too far out, the interval holds it, also where probabilities jump between the steps of `ends`.
    usual = rows["probability"].to_numpy(dtype=float) >= 1 - params.level
    low_end, high_end = estimate - below * error, estimate + above * error
    scaled = [estimate, np.where(usual, np.minimum(low_end, 0.0), low_end), np.where(usual, np.maximum(high_end, 0.0), high_end)]
    relative = (rows["measure"] == "relative").to_numpy()
    change, low, high = (np.where(relative, np.expm1(np.clip(each, -700, 700)), each) for each in scaled)
    controlled = adjusted(rows["probability"])
    found = controlled <= params.rate
    table = rows.assign(change=change, low=low, high=high, adjusted=controlled, changed=found)
    table["runs_needed"] = _runs_needed(table, estimate, (scaled[2] - scaled[1]) / 2)
    strength = np.where(error > 0, np.abs(estimate) / np.where(error > 0, error, 1.0), np.where(estimate == 0, 0.0, np.inf))
    order = np.lexsort((-np.nan_to_num(strength, nan=-1.0), table["probability"].fillna(2.0)))
    kept = [*COLUMNS, *(name for name in rows.columns if name not in COLUMNS and name != "estimate")]
    return Comparison(
        table=table.iloc[order][kept].reset_index(drop=True),
        over=replicates.over,
        programs=replicates.programs,
        halves=replicates.halves,
        notes=replicates.notes,
        params=params,
        places=replicates.places,
        sets=replicates.sets,
    )


def _runs_needed(table: pd.DataFrame, estimate: np.ndarray, half: np.ndarray) -> np.ndarray:
    """Further runs of each set with which the interval, which shrinks with the root of their number, would leave out 0."""
    runs = table[["runs_before", "runs_after"]].max(axis=1).to_numpy(dtype=float)
    with np.errstate(all="ignore"):
        more = np.ceil(runs * np.maximum((half / np.abs(estimate)) ** 2 - 1, 0.0))
    undecided = ~table["changed"].to_numpy(dtype=bool) & (estimate != 0) & (more > 0) & (more < 1e9)
    return np.where(undecided, more, np.nan)
