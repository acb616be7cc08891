"""Input of a joint segmentation: counts of several events on one scale, and the bursts that make a change point cheaper."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.ndimage import median_filter

from hemcore.errors import ParameterError
from hemcore.segmentation.search.searches import LARGEST

# This share of an event's samples is clipped at each end of their distribution: a start-up, an unfinished last interval or a single spike
# is not a phase.
TAIL = 0.04
# A burst exceeds the running median over _WIDTH samples by more than _BURST of the highest excess; an event with more than _RARE such
# samples has noise, not bursts.
_BURST, _WIDTH, _RARE = 0.1, 9, 0.05
# Number of events that must burst at once for new code to be assumed.
_TOGETHER = 2


@dataclass(frozen=True, kw_only=True, eq=False)
class Readings:
    """Standardised samples of the events that vary.

    samples: shape (events, n), 0 where not counted. counted: the same shape. events: their names.
    constant: events left out because they have no value, or one value apart from the tails; if that holds for all, events that vary in the
        tails stay.
    weights: shape (n + 1,), factors of the penalty of a change point at each index, in halves: 2, or 1 at a burst of several events and
        after it.
    """

    samples: NDArray[np.float64]
    counted: NDArray[np.bool_]
    events: tuple[str, ...]
    constant: tuple[str, ...]
    weights: NDArray[np.int64]


def readings(counts: pd.DataFrame, *, bursts: bool = True) -> Readings:
    """Square roots of counts (which stabilise their variance), tails clipped, standardised per event.

    counts: shape (n, events), n >= 1, NaN: not counted. An event with a value below 0 is not a count and is not square-rooted.
    Raises ParameterError for a table without rows or columns, and for values that are not numbers, infinite or above 1e140.
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
        raise ParameterError(f"counts: it is {type(counts).__name__}; a DataFrame is needed, one row per sample and one column per event.")
    if not len(counts) or not counts.shape[1]:
        raise ParameterError(f"counts: it has {len(counts):,} rows and {counts.shape[1]:,} columns; at least one of each is needed.")
    if counts.columns.has_duplicates:
        raise ParameterError(f"counts: column {counts.columns[counts.columns.duplicated()][0]!r} is there twice. Give each event once.")
    try:
        values = counts.to_numpy(dtype=np.float64, na_value=np.nan)
    except (TypeError, ValueError):
        wrong = next((name for name in counts.columns if counts[name].dtype.kind not in "iufb"), counts.columns[0])
        raise ParameterError(f"counts: column {wrong!r} is not numeric. Leave it out, or give counts.") from None
    # NaN means not counted; infinite is an error.
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
