"""What changed between two sets of runs, metric by metric, with intervals from the draws of both.

Ratios are compared by their logarithm, percentages and shares of a tree by their difference. Draws of the same readings belong together one
by one (the same runs were drawn); those of others are independent. Source: Efron and Tibshirani 1993, chapters 8 and 13.
"""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.metrics.bootstrap import LEVEL
from hemcore.metrics.results import MetricsReport

Floats = NDArray[np.float64]
COLUMNS = ("metric", "unit", "measure", "now", "baseline", "change", "low", "high", "differs")


def changes(now: MetricsReport, before: MetricsReport) -> pd.DataFrame:
    """One row per metric that has a value in both, the largest change of each measure first: metric, unit, measure ("points" of a
    percentage, "relative", or "difference" where a value is not positive), now and baseline (in `unit`), change with its 80 % interval
    low to high, differs (whether the interval is without 0; NaN without an interval).

    Points are those of 1 (0.02 = 2 percentage points), relative changes shares of the baseline (0.1 = 10 % more). Empty if no metric has a
    value in both.
    """
    known, earlier = now.rows[now.rows["value"].notna()], before.rows[before.rows["value"].notna()].set_index("metric")
    shared = known[known["metric"].isin(earlier.index)]
    columns = ("metric", "value", "scale", "unit")
    found = [
        _change(metric, unit, value * scale, old * old_scale, scale * now.draws[metric], old_scale * _fitting(now, before, metric))
        for metric, value, scale, unit in shared[list(columns)].to_numpy(dtype=object).tolist()
        for old, old_scale in [earlier.loc[metric, ["value", "scale"]].astype(float)]
    ]
    rows = pd.DataFrame(found, columns=list(COLUMNS))
    order = rows["change"].abs().sort_values(ascending=False, kind="stable").index
    return rows.loc[order].sort_values("measure", kind="stable").reset_index(drop=True)


def node_changes(now: MetricsReport, before: MetricsReport) -> pd.DataFrame:
    """One row per node that has a share in both trees, in the order of the tree: metric, level, parent, now, baseline, change, low, high
    (of the share), differs. Empty without two trees."""
    empty = pd.DataFrame(columns=["metric", "level", "parent", "now", "baseline", "change", "low", "high", "differs"])
    if now.tree is None or before.tree is None:
        return empty
    earlier = before.tree.nodes.dropna(subset="share").set_index("metric")
    columns = ["metric", "level", "parent", "share", "to_share"]
    rows = []
    for metric, level, parent, share, to_share in now.tree.nodes.dropna(subset="share")[columns].to_numpy(dtype=object).tolist():
        if metric in earlier.index:
            old, old_to_share = (float(each) for each in earlier.loc[metric, ["share", "to_share"]])
            drawn = _less(now.draws[metric] * to_share, _fitting(now, before, metric) * old_to_share)
            rows.append((metric, level, parent, share, old, share - old, *_interval(drawn)))
    return pd.DataFrame(rows, columns=list(empty.columns)) if rows else empty


def _change(metric: str, unit: str, now: float, before: float, drawn: Floats, earlier: Floats) -> tuple[object, ...]:
    if unit == "%":
        return (metric, unit, "points", now, before, (now - before) / 100, *_interval(_less(drawn, earlier) / 100))
    if now > 0 and before > 0 and not (np.nan_to_num(drawn, nan=1.0) <= 0).any() and not (np.nan_to_num(earlier, nan=1.0) <= 0).any():
        low, high, differs = _interval(_less(np.log(drawn), np.log(earlier)))
        return (metric, unit, "relative", now, before, now / before - 1, float(np.expm1(low)), float(np.expm1(high)), differs)
    return (metric, unit, "difference", now, before, now - before, *_interval(_less(drawn, earlier)))


def _fitting(now: MetricsReport, before: MetricsReport, metric: str) -> Floats:
    """The baseline's draws in the order in which they go with those of now."""
    draws = before.draws[metric]
    same = now.event_means == before.event_means and dict(now.runs) == dict(before.runs)
    paired = same and (now.params.draws, now.params.seed) == (before.params.draws, before.params.seed)
    # One seed draws the same numbers of runs: moved by one, those of other readings are independent of them.
    return draws if paired else np.roll(draws, 1)


def _less(drawn: Floats, earlier: Floats) -> Floats:
    """The difference of as many draws as there are in both."""
    return drawn[: len(earlier)] - earlier[: len(drawn)]


def _interval(drawn: Floats) -> tuple[float, float, float]:
    known = drawn[np.isfinite(drawn)]
    if 2 * len(known) <= len(drawn):
        return np.nan, np.nan, np.nan
    low, high = np.quantile(known, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high), float(low > 0 or high < 0)
