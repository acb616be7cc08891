"""Correlations of counters with each other and with the target.

Source: Mahajan (2018), section 6.7.2 (Pearson); M. G. Kendall, A new measure of rank correlation, Biometrika 30 (1938) 81-93,
doi:10.2307/2332226; W. R. Knight, A computer method for calculating Kendall's tau, JASA 61 (1966) 436-439, doi:10.2307/2282833.
"""

from dataclasses import dataclass
from typing import get_args

import numpy as np
import pandas as pd
from scipy.stats import kendalltau, rankdata

from hemcore.analysis import Progress
from hemcore.datasets.tables.checks import listed
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import ParameterError, UnknownNameError
from hemcore.prediction.arrays import Flags, Floats
from hemcore.prediction.explore.params import Method
from hemcore.prediction.phase_rows import counted, numbers_of, within


@dataclass(frozen=True, kw_only=True, eq=False)
class Correlations:
    """Correlations of k counters. matrix: (k, k), NaN for constant counters and fewer than two common rows; rows: number of common rows."""

    matrix: pd.DataFrame
    rows: pd.DataFrame
    method: Method

    @property
    def counters(self) -> list[str]:
        """The counters, in the order of the table."""
        return [str(name) for name in self.matrix.columns]

    def against(self, target: str) -> pd.DataFrame:
        """One row per counter except the target, largest |r| first: counter, r, rows; r is NaN for a constant.

        Raises UnknownNameError for a target that is not one of the counters.
        """
        if target not in self.matrix.columns:
            raise UnknownNameError(f"target: {target[:60]!r} is not a counter. Choose one of {listed(self.counters)}.")
        others = [name for name in self.matrix.columns if name != target]
        found = pd.DataFrame(
            {
                "counter": others,
                "r": self.matrix.loc[others, target].to_numpy(dtype=float),
                "rows": self.rows.loc[others, target].to_numpy(dtype=np.int64),
            }
        )
        order = np.lexsort((np.arange(len(found)), -found["r"].abs().fillna(-1.0).to_numpy()))
        return found.iloc[order].reset_index(drop=True)

    @property
    def pairs(self) -> pd.DataFrame:
        """One row per pair of counters with a known correlation, largest |r| first: first, second, r, rows."""
        one, other = np.triu_indices(len(self.matrix), 1)
        r, rows = self.matrix.to_numpy()[one, other], self.rows.to_numpy()[one, other]
        known = np.flatnonzero(~np.isnan(r))
        known = known[np.argsort(-np.abs(r[known]), kind="stable")]
        names = np.array(self.counters, dtype=object)
        return pd.DataFrame({"first": names[one[known]], "second": names[other[known]], "r": r[known], "rows": rows[known]})


def correlate(table: PhaseTable | pd.DataFrame, *, method: Method = "pearson", progress: Progress | None = None) -> Correlations:
    """The correlation of every two counters, over the rows in which both were counted.

    table: phases, or a frame whose numeric columns are the counters. method: "pearson" (of counts), "spearman" (of ranks, with average
    ranks for ties) or "kendall" (tau-b: pairs of rows in the same order against pairs in opposite orders). Kendall is exact, in
    O(n log n) per pair of counters: about 25 ms for 1e5 rows.

    NaN for constant counters and fewer than two common rows. Raises ParameterError for another method or no numeric column.
    """
    if method not in get_args(Method):
        raise ParameterError(f"method: {str(method)[:40]!r} is not known. Choose pearson, spearman or kendall.")
    numbers = numbers_of(table)
    k = numbers.shape[1]
    values = [within(numbers.iloc[:, place])[0] for place in range(k)]
    known = [counted(numbers.iloc[:, place]) for place in range(k)]
    sizes = np.array([int(each.sum()) for each in known], dtype=np.int64)
    rows = np.full((k, k), len(numbers), dtype=np.int64)
    if sizes.min() < len(numbers):
        rows = np.array([[int((one & other).sum()) for other in known] for one in known], dtype=np.int64)
    # Prepared once per counter; only pairs with different gaps are prepared again.
    ready = [_ready(each[flag], method) for each, flag in zip(values, known, strict=True)]
    matrix = np.full((k, k), np.nan)
    for one in range(k):
        if progress is not None:
            progress(one / k, f"{method} correlations: counter {one + 1} of {k}")
        for other in range(one, k):
            if rows[one, other] < 2:
                continue
            if rows[one, other] == sizes[one] == sizes[other]:
                first, second = ready[one], ready[other]
            else:
                both = known[one] & known[other]
                first, second = _ready(values[one][both], method), _ready(values[other][both], method)
            if first is not None and second is not None:
                matrix[one, other] = matrix[other, one] = 1.0 if one == other else _pair(first, second, method)
    names = pd.Index([str(name) for name in numbers.columns])
    return Correlations(
        matrix=pd.DataFrame(matrix, index=names, columns=names), rows=pd.DataFrame(rows, index=names, columns=names), method=method
    )


def correlate_with(target: Floats, values: Floats, method: Method) -> float:
    """The correlation of two arrays of counts, shape (n,) each; NaN if one is constant or fewer than two rows have both."""
    both: Flags = np.isfinite(target) & np.isfinite(values)
    first, second = _ready(target[both], method), _ready(values[both], method)
    return float("nan") if first is None or second is None else _pair(first, second, method)


def _ready(values: Floats, method: Method) -> Floats | None:
    """`values` as input of `_pair`: centered and of length 1, of ranks for spearman; None for fewer than two values and for a constant."""
    if len(values) < 2:
        return None
    least, most = values.min(), values.max()
    if not least < most:
        return None
    if method == "kendall":
        return values
    scaled = rankdata(values) if method == "spearman" else np.minimum((values - least) / (most - least), 1.0)
    centred = scaled - scaled.mean()
    found: Floats = centred / np.sqrt(_product(centred, centred))
    return found


def _pair(first: Floats, second: Floats, method: Method) -> float:
    if method == "kendall":
        return float(np.clip(kendalltau(first, second).statistic, -1.0, 1.0))
    return float(np.clip(_product(first, second), -1.0, 1.0))


def _product(first: Floats, second: Floats) -> float:
    # Without BLAS, whose threads cost more than such a sum.
    return float(np.einsum("i,i", first, second))
