"""Three or more sets in order: from which set on a HEM changed, by how much, and whether sets scatter as far by themselves.

From six sets on, their scatter around the course says what noise is, that of nights and machines included, which no scatter of runs within
a set shows. Each HEM's course (the logarithm of its level) is cut by the exact search of Segmentation; its statistic is the largest gain
per change point over the variance around the course with the most changes allowed, or over that of the runs if it is larger. Its
distribution without changes is known (`course_limits`), and findings are controlled over all HEMs (Benjamini-Hochberg). Of three to five
sets, each is compared with the one before it: then noise is that of the runs alone, and the verdict says so.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import stdtrit

from hemcore.analysis import AnyAnalysis
from hemcore.compare.false_discoveries import adjusted
from hemcore.compare.params import CompareParams, StatisticName
from hemcore.compare.releases.course_limits import limit_at, most_changes, probability_of
from hemcore.compare.releases.levels_of_sets import SetLevels, set_levels
from hemcore.compare.run_sets import Compared, run_set_of
from hemcore.compare.two_sets import comparison_of
from hemcore.errors import ParameterError

Floats = NDArray[np.float64]
_FOUND = 1.2816  # a change must lie so many errors beyond the limit to be found nine times in ten
COLUMNS = ("hem", "place", "set", "change", "low", "high", "probability", "adjusted")


@dataclass(frozen=True, kw_only=True, eq=False)
class Releases:
    """The courses of HEMs over sets.

    changes: one row per change point, the surest HEMs first, in order: hem, place (of the first set of the new level, from 1), set (its
        label), change (relative, from the level before to the new one) with its interval low to high, probability (that chance alone goes
        so far), adjusted (over all HEMs). Empty where nothing changed.
    table: one row per HEM, the surest first: hem, change_points, probability, adjusted, changed, provable (the change that these sets would
        have shown nine times in ten, in the middle; NaN unknown), first, last (mean or median count of a run).
    levels: of the sets. params: of the comparison.
    """

    changes: pd.DataFrame
    table: pd.DataFrame
    levels: SetLevels
    params: CompareParams

    @property
    def over_sets(self) -> bool:
        """Whether noise is the scatter of the sets; else it is that of the runs alone."""
        return not self.levels.steps

    @property
    def bound(self) -> float:
        """The largest change that could hide in a HEM that did not change; NaN if none is known."""
        rest = self.table.loc[~self.table["changed"], "provable"].dropna()
        return float(rest.max()) if len(rest) else float("nan")

    @cached_property
    def courses(self) -> pd.DataFrame:
        """One row per HEM and set: hem, place (from 0), set, change (relative to the first set) with its interval low to high, segment
        (the change of the level of the segment that the set is in)."""
        levels = self.levels
        relative = levels.logs - levels.logs[0]
        reach = levels.reach(self.params.level)
        rows = []
        for number, hem in enumerate(levels.hems):
            cuts = self.changes.loc[self.changes["hem"] == hem, "place"].astype(int).tolist()
            parts = np.split(relative[:, number], cuts)
            segment = np.concatenate([np.full(len(part), part.mean()) for part in parts])
            rows.append(
                pd.DataFrame(
                    {
                        "hem": hem,
                        "place": np.arange(len(levels.labels)),
                        "set": levels.labels,
                        "change": np.expm1(relative[:, number]),
                        "low": np.expm1(relative[:, number] - reach[:, number]),
                        "high": np.expm1(relative[:, number] + reach[:, number]),
                        "segment": np.expm1(segment),
                    }
                )
            )
        return pd.concat(rows, ignore_index=True)


def releases(
    tables: Mapping[str, Compared] | Sequence[Compared],
    *,
    level: float = 0.9,
    rate: float = 0.05,
    statistic: StatisticName = "mean",
    seed: int = 0,
) -> Releases:
    """From which of three or more sets on each HEM changed. tables: of one kind, in order; labels of a mapping name the sets.

    level, rate, statistic, seed: as of CompareParams. Raises TableError as `set_levels`, ParameterError for a parameter or no tables.
    """
    if not isinstance(tables, Mapping | list | tuple):
        raise ParameterError(f"tables: a {type(tables).__name__} is not several tables. Give a list or a mapping from label to table.")
    named = tables if isinstance(tables, Mapping) else {f"set {number}": table for number, table in enumerate(tables, start=1)}
    params = CompareParams(level=level, rate=rate, statistic=statistic, seed=seed)
    return releases_of(set_levels({str(label): run_set_of(table) for label, table in named.items()}, params), params)


def releases_of(levels: SetLevels, params: CompareParams) -> Releases:
    """The courses at the level and rate of `params`."""
    found = _between_neighbours(levels, params) if levels.steps else _over_sets(levels, params)
    table = found[0]
    order = np.lexsort((table["change_points"].to_numpy() == 0, table["probability"].fillna(2.0)))
    table = table.iloc[order].reset_index(drop=True)
    ranks = {hem: rank for rank, hem in enumerate(table["hem"])}
    changes = pd.DataFrame(found[1], columns=list(COLUMNS))
    changes = changes.iloc[np.lexsort((changes["place"], changes["hem"].map(ranks)))].reset_index(drop=True)
    return Releases(changes=changes, table=table, levels=levels, params=params)


def _frame(levels: SetLevels, points: Sequence[int], probability: Floats, params: CompareParams, provable: Floats) -> pd.DataFrame:
    controlled = adjusted(probability)
    return pd.DataFrame(
        {
            "hem": np.array(levels.hems, dtype=object),
            "change_points": np.asarray(points, dtype=int),
            "probability": probability,
            "adjusted": controlled,
            "changed": controlled <= params.rate,
            "provable": provable,
            "first": levels.counts[0],
            "last": levels.counts[-1],
        }
    )


def _over_sets(levels: SetLevels, params: CompareParams) -> tuple[pd.DataFrame, list[dict[str, object]]]:
    from hemcore.segmentation.search.path_by_threshold import threshold_path

    n, m = levels.logs.shape
    most = most_changes(n)
    of_runs = np.nan_to_num(np.nanmean(np.where(np.isfinite(levels.variances), levels.variances, 0.0), axis=0))
    paths, variances, statistics = [], np.zeros(m), np.zeros(m)
    for hem in range(m):
        x = levels.logs[:, hem] - levels.logs[:, hem].mean()
        # In units of their scatter, so that what counts as rounding is the same for every HEM.
        unit = float(x.std())
        unit = unit if unit > 1e-12 else 1.0
        path = threshold_path(x / unit, 0.0, float(n), statistic="mean", min_distance=1)
        rows = path.intervals[path.intervals["n_change_points"] <= most]
        points, residual = rows["n_change_points"].to_numpy(dtype=int), rows["residual"].to_numpy(dtype=float)
        variances[hem] = max(residual[0] / (n - 1 - points[0]), of_runs[hem] / unit**2, 1e-24)
        gains = [(residual[-1] - left) / k for k, left in zip(points, residual, strict=True) if k]
        statistics[hem] = max(gains, default=0.0) / variances[hem]
        paths.append((path, unit))
    probability = np.array([probability_of(each, n) for each in statistics])
    controlled = adjusted(probability)
    hems = np.flatnonzero(controlled <= params.rate)
    # That of the last finding that Benjamini and Hochberg make; without any, what a single one needs.
    asked = params.rate * max(len(hems), 1) / m
    limit = limit_at(asked, n)
    changes: list[dict[str, object]] = []
    counted = np.zeros(m, dtype=int)
    for hem in hems.tolist():
        path, _ = paths[hem]
        # The strictest finding may lie at the limit itself.
        threshold = min(limit, statistics[hem] * (1 - 1e-9)) * variances[hem]
        cut = path.at(threshold)
        cut = cut if cut.n_change_points <= most else path.with_at_most(most)
        counted[hem] = cut.n_change_points
        changes += _steps(levels, hem, np.array(cut.change_points), of_runs[hem], probability[hem], controlled[hem], params.level)
    half = np.sqrt(n / ((n // 2) * (n - n // 2)))
    units = np.array([unit for _, unit in paths])
    provable = np.expm1(np.minimum((np.sqrt(limit_at(params.rate / m, n)) + _FOUND) * np.sqrt(variances) * units * half, 700.0))
    return _frame(levels, counted.tolist(), probability, params, provable), changes


def _steps(
    levels: SetLevels, hem: int, cuts: NDArray[np.int64], of_runs: float, probability: float, controlled: float, level: float
) -> list[dict[str, object]]:
    """Each change point with its change and interval: Student's t, with the scatter around the levels of the segments."""
    x = levels.logs[:, hem]
    parts = np.split(x, cuts)
    freedom = len(x) - len(parts)
    variance = max(sum(float(((part - part.mean()) ** 2).sum()) for part in parts) / freedom, of_runs)
    found = []
    for place, first, second in zip(cuts.tolist(), parts[:-1], parts[1:], strict=True):
        step = float(second.mean() - first.mean())
        reach = float(stdtrit(freedom, (1 + level) / 2)) * np.sqrt(variance * (1 / len(first) + 1 / len(second)))
        ends = np.expm1([step, step - reach, step + reach])
        values = (levels.hems[hem], place, levels.labels[place], *ends.tolist(), float(probability), float(controlled))
        found.append(dict(zip(COLUMNS, values, strict=True)))
    return found


def _between_neighbours(levels: SetLevels, params: CompareParams) -> tuple[pd.DataFrame, list[dict[str, object]]]:
    """Each set against the one before it, controlled over all HEMs and steps."""
    places = {hem: number for number, hem in enumerate(levels.hems)}
    steps = [comparison_of(each, params).table for each in levels.steps]
    rows = pd.concat([each.assign(place=place) for place, each in enumerate(steps, start=1)], ignore_index=True)
    rows = rows[rows["hem"].isin(places) & (rows["measure"] == "relative")].reset_index(drop=True)
    rows["adjusted"] = adjusted(rows["probability"])
    found = rows[rows["adjusted"] <= params.rate].copy()
    found["set"] = [levels.labels[place] for place in found["place"]]
    least = rows.groupby("hem")["probability"].min().reindex(levels.hems)
    # Of several steps of one HEM, the surest counts (Bonferroni).
    probability = np.minimum(least.to_numpy(dtype=float) * len(steps), 1.0)
    ends = rows.assign(end=rows[["low", "high"]].abs().max(axis=1, skipna=False)).groupby("hem")["end"].max().reindex(levels.hems)
    points = found.groupby("hem").size().reindex(levels.hems).fillna(0).astype(int)
    table = _frame(levels, points.tolist(), probability, params, ends.to_numpy(dtype=float))
    table["changed"] = table["change_points"] > 0
    changes = found[list(COLUMNS)].to_dict("records")
    return table, [{str(name): value for name, value in each.items()} for each in changes]


def asked_by_courses() -> tuple[AnyAnalysis, ...]:
    """The search for change points."""
    from hemcore.segmentation.analysis import PATH  # who compares two sets does not wait for it

    return (PATH,)
