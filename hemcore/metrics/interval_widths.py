"""How wide intervals would be with other numbers of runs.

The variance of a mean falls as one over its runs, so the part of a metric's variance that a subexperiment's runs cause is multiplied by
runs there are / runs there would be. That holds where the runs to come are like those that there are.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.metrics.results import MetricsReport

# As many runs as the curves show at most and at least, of each subexperiment.
FEWEST, MOST = 10, 100_000


def widths(report: MetricsReport, runs: Mapping[str, float]) -> pd.DataFrame:
    """One row per metric with an interval and a value other than 0, the widest first: metric, now and then (half of its 80 % interval,
    relative to the value). runs: by subexperiment, how many there would be; others stay as they are.

    Where the variance has no known shares (one subexperiment, or none varies alone), all runs count as one part.
    """
    known = _known(report)
    found = pd.DataFrame({"metric": known.metrics, "now": known.half, "then": known.then(runs)})
    return found.sort_values("now", ascending=False, kind="stable").reset_index(drop=True)


def median_width(report: MetricsReport, runs: Mapping[str, float]) -> float:
    """The median over metrics of `widths`' `then`; NaN without a metric."""
    return float(_medians(report, runs))


def _medians(report: MetricsReport, runs: Mapping[str, float | NDArray[np.float64]]) -> NDArray[np.float64]:
    """`median_width` at each of as many numbers of runs as `runs` has."""
    then = _known(report).then(runs)
    return np.asarray(np.median(then, axis=-1)) if then.shape[-1] else np.full(then.shape[:-1], np.nan)


def curves(report: MetricsReport, numbers: Sequence[float]) -> pd.DataFrame:
    """The median interval, half of it relative to the value, at each of `numbers` of runs: columns `runs`, `all` (every subexperiment has
    as many) and one per subexperiment (it alone has, and no fewer than it has now)."""
    steps = np.asarray(numbers, dtype=float)
    found = {"runs": steps, "all": _medians(report, dict.fromkeys(report.runs, steps))}
    if len(report.runs) > 1:
        found |= {part: _medians(report, {part: np.maximum(steps, runs)}) for part, runs in report.runs.items()}
    return pd.DataFrame(found)


def repeating(report: MetricsReport, more: int) -> pd.DataFrame:
    """One row per subexperiment, that whose repetition narrows the intervals most first: subexperiment, runs (now), median interval (half,
    relative, with `more` further runs of it alone), narrower (share by which the median falls)."""
    now = median_width(report, {})
    rows = [(part, runs, median_width(report, {part: runs + more})) for part, runs in report.runs.items()]
    found = pd.DataFrame(rows, columns=["subexperiment", "runs", "median interval"])
    found["narrower"] = 1 - found["median interval"] / now if now > 0 else np.nan
    return found.sort_values("median interval", kind="stable").reset_index(drop=True)


@dataclass(frozen=True)
class _Known:
    """metrics: those with an interval. half: of it, relative, shape (metrics,). shares: of the variance, (metrics, parts). runs: now."""

    metrics: Sequence[str]
    half: NDArray[np.float64]
    shares: NDArray[np.float64]
    runs: Mapping[str, int]

    def then(self, runs: Mapping[str, float | NDArray[np.float64]]) -> NDArray[np.float64]:
        """Half of each interval, shape (metrics,); of arrays of n numbers of runs, (n, metrics)."""
        less = np.stack(np.broadcast_arrays(*[now / runs.get(part, now) for part, now in self.runs.items()]))
        return np.asarray(np.sqrt(self.shares @ less).T * self.half)


_found: WeakKeyDictionary[MetricsReport, _Known] = WeakKeyDictionary()


def _known(report: MetricsReport) -> _Known:
    if report not in _found:
        rows = report.rows
        known = rows[rows["value"].notna() & rows["low"].notna() & (rows["value"] != 0)]
        half = ((known["high"] - known["low"]) / 2 / known["value"].abs()).to_numpy(dtype=float)
        by_part = report.shares.pivot(index="metric", columns="subexperiment", values="share").reindex(columns=list(report.runs))
        shares = by_part.reindex(known["metric"]).to_numpy(dtype=float)
        equal = np.array(list(report.runs.values()), dtype=float) / sum(report.runs.values())
        shares = np.where(np.isfinite(shares).all(axis=1, keepdims=True), shares, equal)
        _found[report] = _Known(known["metric"].tolist(), half, shares, report.runs)
    return _found[report]
