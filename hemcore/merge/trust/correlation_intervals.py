"""Confidence intervals of the measured correlations, from the runs that read each pair."""

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from hemcore.errors import ParameterError
from hemcore.merge.inputs import SubexperimentsLike, complete_subexperiments
from hemcore.merge.pair_correlation import correlation_matrix, readings_together
from hemcore.merge.trust.sampling_noise import standard_errors

LEVEL = 0.90
_FEWEST_RUNS = 4
COLUMNS = ["hem_a", "hem_b", "r", "low", "high", "runs"]


def measured_intervals(subexperiments: SubexperimentsLike, *, level: float = LEVEL) -> pd.DataFrame:
    """An interval for r of each pair of HEMs that was read together: hem_a, hem_b, r, low, high, runs; empty if no pair was.

    r is Pearson's over all runs that read both, none left out; low to high contains the true r in about `level` of all collections. The
    standard error of r is computed from the influence of each run (a sandwich estimate, which does not assume a Gaussian) and transformed
    to Fisher's z = artanh r, where the error of r is nearly constant; quantiles are Student's with runs - 2 degrees of freedom. NaN for
    fewer than 4 runs; low = high = r if r is 1 or -1. A pair never read together has no row: the data cannot show the model's error.

    Raises TableError for bad input, ParameterError for a level outside 0.5 ... 0.999.
    Sources: R. A. Fisher 1921, "On the probable error of a coefficient of correlation deduced from a small sample", Metron 1, 3-32;
    P. J. Huber 1967, "The behavior of maximum likelihood estimates under nonstandard conditions", Proceedings of the Fifth Berkeley
    Symposium 1, 221-233.
    """
    if not 0.5 <= level <= 0.999:
        raise ParameterError(f"level: {level} must be 0.5 to 0.999, the fraction of collections whose interval contains the true r.")
    table = complete_subexperiments(subexperiments)
    measured = correlation_matrix(table, outlier_zscore=np.inf)
    hems = list(measured.columns)
    first, second = np.nonzero(np.triu(np.isfinite(measured.to_numpy(dtype=float)), 1))
    r = measured.to_numpy(dtype=float)[first, second]
    error = standard_errors(table, hems, outlier_zscore=np.inf).to_numpy(dtype=float)[first, second]
    runs = readings_together(table).to_numpy()[first, second]
    with np.errstate(divide="ignore", invalid="ignore"):
        reach = stdtrit(np.maximum(runs - 2, 1), (1 + level) / 2) * error / (1 - r * r)
        low, high = np.tanh(np.arctanh(r) - reach), np.tanh(np.arctanh(r) + reach)
    exact = np.abs(r) >= 1
    low, high = np.where(exact, r, low), np.where(exact, r, high)
    few = runs < _FEWEST_RUNS
    low[few] = high[few] = np.nan
    names = np.array(hems, dtype=object)
    return pd.DataFrame(dict(zip(COLUMNS, (names[first], names[second], r, low, high, runs), strict=True)))


def outside(intervals: pd.DataFrame, achieved: pd.DataFrame) -> pd.DataFrame:
    """The rows of `measured_intervals` whose pair has an r in `achieved` (HEMs x HEMs, possibly not all HEMs) outside low ... high.

    One more column: merged, that r. Empty if every pair is inside.
    """
    known = intervals[intervals["hem_a"].isin(achieved.columns) & intervals["hem_b"].isin(achieved.columns)]
    place = {hem: at for at, hem in enumerate(achieved.columns)}
    at = [known[name].map(place).to_numpy(dtype=int) for name in ("hem_a", "hem_b")]
    known = known.assign(merged=achieved.to_numpy(dtype=float)[at[0], at[1]])
    return known[(known["merged"] < known["low"]) | (known["merged"] > known["high"])].reset_index(drop=True)
