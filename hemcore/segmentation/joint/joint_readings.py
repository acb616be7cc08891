"""What joint segmentation searches: counts of several events on one scale, and where bursts make a change point cheaper."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.ndimage import median_filter

from hemcore.errors import ParameterError
from hemcore.segmentation.search.searches import LARGEST

# Of the counted samples of an event, this share at either end is set to the value where it begins: a start-up, an unfinished last interval
# and a lone spike are no phases.
TAIL = 0.04
# A burst stands this share of the highest one above the running median of this many samples; an event that stands so in more than this
# share of its samples has no bursts, only noise.
_BURST, _WIDTH, _RARE = 0.1, 9, 0.05
# An interval in which at least so many events burst is taken for the begin of other code.
_TOGETHER = 2


@dataclass(frozen=True, kw_only=True, eq=False)
class Readings:
    """Standardised samples of the events that say something.

    samples: shape (events, n), 0 where not counted. counted: the same shape. events: their names.
    constant: those left out, since they have one value in all but the tails, or none; where that is so of all events, those that vary at
        all stay.
    weights: shape (n + 1,), what the penalty of a change point at each index is multiplied with, in halves: 2, or 1 at a burst of several
        events and after it.
    """

    samples: NDArray[np.float64]
    counted: NDArray[np.bool_]
    events: tuple[str, ...]
    constant: tuple[str, ...]
    weights: NDArray[np.int64]


def readings(counts: pd.DataFrame, *, bursts: bool = True) -> Readings:
    """Square roots of counts (which even out the noise of counts), tails cut, in standard deviations of the event around its mean.

    counts: shape (n, events), n >= 1, NaN: not counted. An event with a value below 0 is no count and stays as it is.
    Raises ParameterError for a table without rows, columns or with what is no number, infinite or above 1e140.
    """
    values = _numbers(counts)
    cut = _read(counts, values, bursts, TAIL)
    return cut if cut.events else _read(counts, values, bursts, 0.0)


def _read(counts: pd.DataFrame, values: NDArray[np.float64], bursts: bool, tail: float) -> Readings:
    counted = np.isfinite(values)
    kept, names, constant, rows = [], [], [], []
    marks = np.zeros(len(counts), dtype=np.int64)
    for place, name in enumerate(counts.columns.astype(str)):
        inside = counted[:, place]
        given = values[inside, place]
        if len(given) == 0 or given.min() == given.max():
            constant.append(name)
            continue
        roots = np.sqrt(given) if given.min() >= 0 else given / np.abs(given).max()
        marks[inside] += _bursts(roots)
        low, high = np.quantile(roots, [tail, 1 - tail])
        cut = np.clip(roots, low, high)
        scaled = cut / max(np.abs(cut).max(), np.finfo(float).tiny)
        spread = scaled.std()
        if not spread > 1e-12:
            constant.append(name)
            continue
        row = np.zeros(len(counts))
        row[inside] = (scaled - scaled.mean()) / spread
        kept.append(place)
        names.append(name)
        rows.append(row)
    weights = np.full(len(counts) + 1, 2, dtype=np.int64)
    if bursts:
        at = np.flatnonzero(marks >= _TOGETHER)
        weights[at] = 1
        weights[at + 1] = 1
    return Readings(
        samples=np.array(rows) if rows else np.empty((0, len(counts))),
        counted=np.ascontiguousarray(counted[:, kept].T),
        events=tuple(names),
        constant=tuple(constant),
        weights=weights,
    )


def _numbers(counts: pd.DataFrame) -> NDArray[np.float64]:
    if not isinstance(counts, pd.DataFrame):
        raise ParameterError(f"counts: it is {type(counts).__name__}; a DataFrame is needed, a row a sample and a column an event.")
    if not len(counts) or not counts.shape[1]:
        raise ParameterError(f"counts: it has {len(counts):,} rows and {counts.shape[1]:,} columns; at least one of each is needed.")
    if counts.columns.has_duplicates:
        raise ParameterError(f"counts: column {counts.columns[counts.columns.duplicated()][0]!r} comes twice. Give each event once.")
    try:
        values = counts.to_numpy(dtype=np.float64, na_value=np.nan)
    except (TypeError, ValueError):
        wrong = next((name for name in counts.columns if counts[name].dtype.kind not in "iufb"), counts.columns[0])
        raise ParameterError(f"counts: column {wrong!r} is not numbers. Leave it out, or give counts.") from None
    # NaN is not counted; infinite is a mistake.
    wrong_at = np.argwhere(np.abs(np.where(np.isnan(values), 0.0, values)) > LARGEST)
    if len(wrong_at):
        row, column = wrong_at[0]
        raise ParameterError(
            f"counts: sample {row + 1} of {counts.columns[column]!r} is {values[row, column]:g}; each must be a finite number of at most "
            f"{LARGEST:g}. Correct it or leave it out."
        )
    return values


def _bursts(roots: NDArray[np.float64]) -> NDArray[np.bool_]:
    above = roots - median_filter(roots, size=_WIDTH, mode="nearest")
    burst = (above > _BURST * above.max()) & (above > 0)
    return burst if burst.mean() <= _RARE else np.zeros(len(roots), dtype=np.bool_)
