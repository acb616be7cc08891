"""Confidence intervals of the measured correlations, from the runs that read each pair."""

from collections import defaultdict

import numpy as np
import pandas as pd

from hemcore.errors import ParameterError
from hemcore.likeness import thinned
from hemcore.merge.heavy_tails import heavy_tailed
from hemcore.merge.inputs import CompleteSubexperiments, SubexperimentsLike, complete_subexperiments
from hemcore.rank_correlation import of_counts, of_ranks, r_of_ranks

LEVEL = 0.90
_FEWEST_RUNS = 4
_MOST_RANKED = 20_000
_ROUNDING = 1e-9
COUNTS, RANKS = "counts", "ranks"
COLUMNS = ["hem_a", "hem_b", "r", "low", "high", "runs", "scale", "rests_on"]
# Pearson's r of fewer runs than this is theirs and not the pair's, unless its interval is narrower than _NARROW.
_FEWEST_BEHIND, _NARROW = 4, 0.1


def measured_intervals(subexperiments: SubexperimentsLike, *, level: float = LEVEL) -> pd.DataFrame:
    """An interval for r of each pair of HEMs that was read together: hem_a, hem_b, r, low, high, runs, scale, rests_on; empty if none was.

    scale: "counts", r is Pearson's over all runs that read both, none left out; "ranks", r is that of their normal scores, because one of
    the two has heavy tails (`heavy_tailed`), so that a few runs decide Pearson's r and no interval around it can be relied on. Low to high
    contains the true r of that scale in about `level` of all collections. Standard errors are from the influence of each run (a sandwich
    estimate, no distribution assumed), on Fisher's z = artanh r, with Student's quantiles for as many degrees of freedom as the spread of
    the influences leaves (`rank_correlation.of_counts`, `of_ranks`). Of more than 20,000 runs, ranks use 20,000 evenly spread ones. NaN for
    fewer than 4 runs, or where both HEMs are at one value, such as 0, in all but 3 (of equal ones: 9) runs; else low = high = r if r is 1
    or -1. A pair never read together has no row: the data cannot show the model's error.

    rests_on: how many of the runs decide Pearson's r, the effective number of squared influences q, (sum q)^2 / sum q^2, at most a third of
    the runs; 1 if a single run does. An r that a fiftieth of all runs carry cannot be known from 120: two of these or none are among them.

    Raises TableError for bad input, ParameterError for a level outside 0.5 ... 0.999.
    Sources: R. A. Fisher 1921, "On the probable error of a coefficient of correlation deduced from a small sample", Metron 1, 3-32;
    P. J. Huber 1967, "The behavior of maximum likelihood estimates under nonstandard conditions", Proceedings of the Fifth Berkeley
    Symposium 1, 221-233.
    """
    if not 0.5 <= level <= 0.999:
        raise ParameterError(f"level: {level} must be 0.5 to 0.999, the fraction of collections whose interval contains the true r.")
    table = complete_subexperiments(subexperiments)
    readers = table.readers()
    place = {hem: at for at, hem in enumerate(readers)}
    heavy = {hem for hem, numbers in readers.items() if heavy_tailed(np.concatenate([_column(table, at, hem) for at in numbers]))}
    # Pairs that the same subexperiments read are computed together.
    alike: dict[tuple[int, ...], list[tuple[str, str]]] = defaultdict(list)
    for pair, numbers in _pairs(table, place).items():
        alike[tuple(numbers)].append(pair)
    rows: dict[tuple[str, str], tuple[object, ...]] = {}
    for shared, pairs in alike.items():
        for scale in (COUNTS, RANKS):
            chosen = [pair for pair in pairs if (not heavy.isdisjoint(pair)) == (scale == RANKS)]
            if chosen:
                rows |= _rows(table, shared, chosen, scale, level)
    ordered = sorted(rows, key=lambda pair: (place[pair[0]], place[pair[1]]))
    found = pd.DataFrame([(*pair, *rows[pair]) for pair in ordered], columns=COLUMNS)
    return found.astype({"r": float, "low": float, "high": float, "runs": np.int64, "scale": object, "rests_on": np.int64})


def with_merged(intervals: pd.DataFrame, merged: pd.DataFrame, achieved: pd.DataFrame) -> pd.DataFrame:
    """The rows of `measured_intervals` whose two HEMs are in the table `merged`, with one more column: merged, r there on the row's scale.

    achieved: Pearson's r of the columns of merged, HEMs x HEMs.
    """
    place = {hem: at for at, hem in enumerate(merged.columns)}
    found = intervals[intervals["hem_a"].isin(place) & intervals["hem_b"].isin(place)].reset_index(drop=True)
    first, second = (found[name].map(place).to_numpy(dtype=int) for name in ("hem_a", "hem_b"))
    values = achieved.to_numpy(dtype=float)[first, second]
    ranks = (found["scale"] == RANKS).to_numpy()
    if ranks.any():
        needed = np.unique(np.concatenate([first[ranks], second[ranks]]))
        counts = merged.iloc[:, needed].to_numpy(dtype=float)
        r = r_of_ranks(thinned(counts, _MOST_RANKED))
        values[ranks] = r[np.searchsorted(needed, first[ranks]), np.searchsorted(needed, second[ranks])]
    return found.assign(merged=values)


def outside(intervals: pd.DataFrame) -> pd.DataFrame:
    """The rows of `intervals`, as `with_merged` gives them, whose merged r is outside low ... high; empty if every pair is inside."""
    merged = intervals["merged"]
    return intervals[(merged < intervals["low"] - _ROUNDING) | (merged > intervals["high"] + _ROUNDING)].reset_index(drop=True)


def on_few_runs(intervals: pd.DataFrame) -> pd.DataFrame:
    """The rows of `intervals` whose r fewer than 4 runs decide, the fewest first, but for narrow intervals (high - low up to 0.1)."""
    narrow = intervals["high"] - intervals["low"] <= _NARROW
    return intervals[(intervals["rests_on"] < _FEWEST_BEHIND) & ~narrow].sort_values("rests_on", kind="stable", ignore_index=True)


def _column(table: CompleteSubexperiments, number: int, hem: str) -> np.ndarray:
    return table.floats[number][hem]


def _pairs(table: CompleteSubexperiments, place: dict[str, int]) -> dict[tuple[str, str], list[int]]:
    """The subexperiments that read each pair; the HEM read first stands first."""
    found: dict[tuple[str, str], list[int]] = defaultdict(list)
    for number, frame in enumerate(table.frames):
        read = sorted(frame.columns, key=place.__getitem__)
        for at, first in enumerate(read):
            for second in read[at + 1 :]:
                found[first, second].append(number)
    return found


def _rows(
    table: CompleteSubexperiments, numbers: tuple[int, ...], pairs: list[tuple[str, str]], scale: str, level: float
) -> dict[tuple[str, str], tuple[object, ...]]:
    """The rows of pairs that these subexperiments read, without their HEMs; a pair one of whose HEMs never changes has no row."""
    hems = list(dict.fromkeys(hem for pair in pairs for hem in pair))
    counts = np.concatenate([np.stack([table.floats[number][hem] for hem in hems]) for number in numbers], axis=1).T
    runs, place = len(counts), {hem: at for at, hem in enumerate(hems)}
    by_counts = of_counts(counts)
    found = of_ranks(thinned(counts, _MOST_RANKED)) if scale == RANKS else by_counts
    low, high = found.ends(level) if runs >= _FEWEST_RUNS else (np.full_like(found.r, np.nan),) * 2
    at = {pair: (place[pair[0]], place[pair[1]]) for pair in pairs}
    # The reverse of F. E. Satterthwaite's degrees of freedom.
    behind = np.rint(by_counts.freedom * runs / (2 * runs + by_counts.freedom)).clip(1)
    return {pair: (found.r[of], low[of], high[of], runs, scale, behind[of]) for pair, of in at.items() if np.isfinite(found.r[of])}
