"""Readings as ranks (0 to 1) and normal scores, the scales on which a copula is fitted."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from hemcore.likeness import mid_shares
from hemcore.merge.inputs import CompleteSubexperiments

Matrix = NDArray[np.float64]
Places = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True, eq=False)
class Scored:
    """The readings of the HEMs that change, k of them.

    hems: their names, in the order of first reading. places: for each subexperiment, which of them it reads. shares: for each
    subexperiment, shape (runs, HEMs read), the fraction of all readings of the HEM that are lower, ties counted half: above 0, below 1.
    values: likewise, standardised by mean and sd of all readings of the HEM. pooled: all sorted readings of every HEM, in their own type.
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
        wide = every.astype(float)
        wide -= wide.mean()
        wide /= max(float(wide.std()), np.finfo(float).tiny)
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
