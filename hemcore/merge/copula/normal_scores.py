"""Readings as ranks (0 to 1) and normal scores, the scales on which a copula is fitted."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from hemcore.likeness import mid_shares
from hemcore.merge.heavy_tails import l_ratios
from hemcore.merge.inputs import CompleteSubexperiments

# Of normal counts it is 0.12, of exponential ones 0.17, of Pareto counts with the exponent 2.2 0.4.
_PEAKED = 0.3

Matrix = NDArray[np.float64]
Places = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True, eq=False)
class Scored:
    """The readings of the HEMs that change, k of them.

    hems: their names, in the order of first reading. places: for each subexperiment, which of them it reads. shares: for each
    subexperiment, shape (runs, HEMs read), the fraction of all readings of the HEM that are lower, ties counted half: above 0, below 1.
    values: likewise, standardised by mean and sd of all readings of the HEM; normal scores where its tails are heavy, since
    otherwise a few runs would decide all means of products. pooled: all sorted readings of every HEM, in their own type.
    """

    hems: list[str]
    places: list[Places]
    shares: list[Matrix]
    values: list[Matrix]
    pooled: dict[str, NDArray[np.number]]

    @property
    def normal(self) -> list[Matrix]:
        """The normal scores of `shares`."""
        return [ndtri(part) for part in self.shares]


def decided_by_few(readings: NDArray[np.number]) -> bool:
    """Whether a few of `readings`, shape (n,), decide their mean products with others: an L-kurtosis above 0.3 (log-normal: sigma 1)."""
    return l_ratios(readings.astype(float))[1] > _PEAKED


def standardised(readings: NDArray[np.number], shares: Matrix, *, heavy: bool) -> Matrix:
    """`readings`, shape (n,), whose ranks (0 to 1) are `shares`, with mean 0 and sd 1; their normal scores if tails are `heavy`."""
    wide = ndtri(shares) if heavy else readings.astype(float)
    wide -= wide.mean()
    return wide / max(float(wide.std()), np.finfo(float).tiny)


def scored(table: CompleteSubexperiments) -> Scored:
    """`table` on both scales; HEMs that never change are only in `pooled`."""
    readers = table.readers()
    pooled: dict[str, NDArray[np.number]] = {}
    shares: dict[tuple[int, str], Matrix] = {}
    values: dict[tuple[int, str], Matrix] = {}
    hems = []
    for hem, numbers in readers.items():
        parts = [table.frames[number][hem].to_numpy() for number in numbers]
        every = np.concatenate(parts)
        order = np.argsort(every, kind="stable")
        pooled[hem] = every[order]
        if pooled[hem][0] == pooled[hem][-1]:
            continue
        hems.append(hem)
        share = np.empty(len(every))
        share[order] = mid_shares(pooled[hem])
        wide = standardised(every, share, heavy=decided_by_few(every))
        ends = np.cumsum([len(part) for part in parts])[:-1]
        for number, one, other in zip(numbers, np.split(share, ends), np.split(wide, ends), strict=True):
            shares[number, hem], values[number, hem] = one, other
    place = {hem: at for at, hem in enumerate(hems)}
    read = [[hem for hem in frame.columns if hem in place] for frame in table.frames]
    chosen = [number for number, names in enumerate(read) if names]
    return Scored(
        hems=hems,
        places=[np.array([place[hem] for hem in read[number]]) for number in chosen],
        shares=[np.column_stack([shares[number, hem] for hem in read[number]]) for number in chosen],
        values=[np.column_stack([values[number, hem] for hem in read[number]]) for number in chosen],
        pooled=pooled,
    )
