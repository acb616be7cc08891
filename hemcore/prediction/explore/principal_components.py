"""Principal component analysis of the counters of phases. Source: Mahajan (2018), section 6.7.1 (14 counters to 2 dimensions)."""

from dataclasses import dataclass
from typing import get_args

import numpy as np
import pandas as pd

from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import ParameterError
from hemcore.events.usual_names import instructions_of
from hemcore.prediction.arrays import Flags, Floats
from hemcore.prediction.explore.params import Scale
from hemcore.prediction.phase_rows import counted, numbers_of, within

_LARGEST = 1e150


@dataclass(frozen=True, kw_only=True, eq=False)
class Projection:
    """Phases in principal components.

    scores: shape (n, c), one row per phase with every counter used, with the index of the table's frame; columns "PC1", "PC2" ...
    loadings: shape (k, c), the weight of each counter (in the units of `scale`) in each component; each column has length 1, and its entry
    with the largest absolute value is positive. explained: the fraction of the total variance in each component, shape (c,). spread: the
    standard deviation by which each counter was divided (1 for "as counted"), centre: its mean; both of the counts, or of the rates.
    left_out: reason by name for each counter not used. n_rows: rows of the table, including those with a missing counter.
    """

    scores: pd.DataFrame
    loadings: pd.DataFrame
    explained: Floats
    centre: pd.Series
    spread: pd.Series
    left_out: dict[str, str]
    n_rows: int
    scale: Scale

    @property
    def n_missing(self) -> int:
        """Number of rows left out because of a missing counter."""
        return self.n_rows - len(self.scores)


def project(table: PhaseTable | pd.DataFrame, *, n_components: int = 3, scale: Scale = "standardised") -> Projection:
    """The first `n_components` principal components of the counters, or as many as there are.

    scale: "standardised" (counts in standard deviations), "per instruction" (counts divided by executed instructions, in standard
    deviations, without the instructions themselves) or "as counted" (unscaled: the counter with the largest counts dominates).

    Rows with a missing counter are left out, and so are counters that are constant or never counted; the result names them. Raises
    ParameterError for an argument outside its bounds, "per instruction" without a counter of instructions, and if fewer than two rows or
    no counter remain.
    """
    if isinstance(n_components, bool) or not isinstance(n_components, int | np.integer) or n_components < 1:
        raise ParameterError(f"n_components: {n_components!r} must be a whole number of at least 1.")
    if scale not in get_args(Scale):
        raise ParameterError(f"scale: {str(scale)[:40]!r} is not known. Choose one of {', '.join(get_args(Scale))}.")
    numbers = numbers_of(table)
    left_out: dict[str, str] = {}
    for name in numbers.columns:
        if not counted(numbers[name]).any():
            left_out[str(name)] = "never counted"
    numbers = numbers[[name for name in numbers.columns if str(name) not in left_out]]
    complete = numbers.notna().all(axis=1).to_numpy() if numbers.shape[1] else np.zeros(len(numbers), dtype=bool)
    if scale == "per instruction":
        numbers, complete = _rates(numbers, complete, left_out)
    rows = np.flatnonzero(complete)
    if len(rows) < 2:
        raise ParameterError(
            f"phases: {len(rows):,} of {len(complete):,} have every counter, but a projection needs 2. Choose fewer counters."
        )
    return _components(numbers.iloc[rows], int(n_components), scale, left_out, len(complete))


def _components(numbers: pd.DataFrame, n_components: int, scale: Scale, left_out: dict[str, str], n_rows: int) -> Projection:
    from sklearn.decomposition import PCA

    columns, names, centres, spreads = [], [], [], []
    for name in numbers.columns:
        unit, reach = within(numbers[name])
        middle = unit - unit.mean()
        spread = float(np.sqrt(middle @ middle / len(middle)))
        if not reach or not spread:
            left_out[str(name)] = "constant"
            continue
        if scale == "as counted" and reach > _LARGEST:
            raise ParameterError(f"{name}: counts up to {reach:g} are too large for an unscaled projection. Choose standardised.")
        least = float(numbers[name].min())
        names.append(str(name))
        centres.append(least + reach * float(unit.mean()))
        spreads.append(reach * spread if scale != "as counted" else 1.0)
        columns.append(middle / spread if scale != "as counted" else reach * middle)
    if not columns:
        raise ParameterError("phases: no counter varies, so there are no components. Choose another granularity or load.")
    points = np.column_stack(columns)
    kept = min(n_components, len(columns), len(points) - 1)
    # One factor for all changes neither directions nor ratios, and keeps squares of tiny counts from vanishing.
    found = PCA(kept, svd_solver="covariance_eigh").fit(points / np.abs(points).max())
    directions = found.components_.T
    directions = directions * np.where(directions[np.abs(directions).argmax(axis=0), np.arange(kept)] < 0, -1.0, 1.0)
    explained = found.explained_variance_ratio_
    parts = pd.Index([f"PC{number}" for number in range(1, kept + 1)])
    of = pd.Index(names)
    return Projection(
        scores=pd.DataFrame(points @ directions, index=numbers.index, columns=parts),
        loadings=pd.DataFrame(directions, index=of, columns=parts),
        explained=explained,
        centre=pd.Series(centres, index=of),
        spread=pd.Series(spreads, index=of),
        left_out=left_out,
        n_rows=n_rows,
        scale=scale,
    )


def _rates(numbers: pd.DataFrame, complete: Flags, left_out: dict[str, str]) -> tuple[pd.DataFrame, Flags]:
    work = instructions_of([str(name) for name in numbers.columns])
    if work is None:
        raise ParameterError("scale: executed instructions were not counted, so there are no counts per instruction. Choose standardised.")
    executed = numbers[work].to_numpy(dtype=float, na_value=np.nan)
    some = executed > 0
    left_out[work] = "the other counters are divided by it"
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        rates = {
            str(name): numbers[name].to_numpy(dtype=float, na_value=np.nan) / np.where(some, executed, np.nan)
            for name in numbers.columns
            if name != work
        }
    found = pd.DataFrame(rates, index=numbers.index)
    return found.where(np.isfinite(found.to_numpy())), complete & some & np.isfinite(found.to_numpy()).all(axis=1)
