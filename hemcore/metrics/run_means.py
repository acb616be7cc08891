"""What each event counts per run on average, from subexperiments that read different events.

An event's mean is that of the runs that read it. Where an anchor was read in every subexperiment, it is (mean of the anchor over all
runs) x (sum of the event / sum of the anchor, over the runs that read the event): the ratio estimator, which cancels that some
subexperiments' runs were longer. Source: W. G. Cochran, Sampling Techniques, 3rd edition, chapter 6.
"""

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from hemcore.datasets.tables.checks import listed
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import ParameterError

Floats = NDArray[np.float64]


class RunMeans:
    """Means per run of `table`. anchor: the HEM read in every subexperiment whose ratios count; None without one."""

    def __init__(self, table: Subexperiments, anchor: str | None = None) -> None:
        """anchor: None = the first HEM of every subexperiment; "" = no anchor. Raises ParameterError if it is not read in each."""
        common = table.common_hems if len(table.frames) > 1 else []
        if anchor and anchor not in table.common_hems:
            raise ParameterError(
                f"anchor: {anchor[:60]!r} is not read in every subexperiment; those that are: {listed(common) or 'none'}. Choose one."
            )
        chosen = anchor if anchor is not None else next(iter(common), "")
        self.table, self.hems = table, table.hems
        self._frames = [frame.to_numpy(dtype=float) for frame in table.frames]
        self._known = [(~np.isnan(values)).astype(float) for values in self._frames]
        self._values = [np.nan_to_num(values) for values in self._frames]
        if chosen and not all(frame[chosen].sum() > 0 for frame in table.frames):
            chosen = ""
        self.anchor: str | None = chosen or None
        self.runs = [len(frame) for frame in table.frames]

    def observed(self) -> dict[str, Floats]:
        """The means of the runs as they are, shape (1,) each."""
        return self.means([np.ones((1, n)) for n in self.runs])

    def stacked(self, weights: Sequence[list[Floats]], alone: Collection[int] | None = None) -> dict[str, Floats]:
        """The means for several sets of weights, one after the other. alone: the subexperiments whose runs count; None for all."""
        blocks = [self.means(each, alone) for each in weights]
        return {hem: np.concatenate([block[hem] for block in blocks]) for hem in self.hems}

    def means(self, weights: list[Floats], alone: Collection[int] | None = None) -> dict[str, Floats]:
        """The mean of each HEM per replicate; NaN if no weight is on a run that counted it.

        weights: per subexperiment, shape (replicates, runs) or (1, runs) if they are the same in all. alone: the subexperiments whose runs
        count; None for all.
        """
        sums: dict[str, Floats | float] = dict.fromkeys(self.hems, 0.0)
        sizes: dict[str, Floats | float] = dict.fromkeys(self.hems, 0.0)
        anchor_sum: Floats | float = 0.0
        anchor_size: Floats | float = 0.0
        for number, (frame, values, known, weight) in enumerate(zip(self.table.frames, self._values, self._known, weights, strict=True)):
            if alone is not None and number not in alone:
                continue
            names = list(frame.columns)
            base = known
            if self.anchor is not None:
                place = names.index(self.anchor)
                anchor, read = values[:, [place]], known[:, [place]]
                anchor_sum = anchor_sum + (weight @ anchor)[:, 0]
                anchor_size = anchor_size + (weight @ read)[:, 0]
                base, values = known * anchor, values * read
            total, size = weight @ values, weight @ base
            for column, name in enumerate(names):
                sums[name] = sums[name] + total[:, column]
                sizes[name] = sizes[name] + size[:, column]
        with np.errstate(invalid="ignore", divide="ignore"):
            level = 1.0 if self.anchor is None else _ratio(anchor_sum, anchor_size)
            replicates = max(len(weight) for weight in weights)
            return {name: np.broadcast_to(_ratio(sums[name], sizes[name]) * level, (replicates,)) for name in self.hems}


def _ratio(above: Floats | float, below: Floats | float) -> Floats:
    return np.where(np.asarray(below) > 0, np.asarray(above) / np.asarray(below), np.nan)


def bootstrap_weights(runs: Mapping[int, int], n_runs: list[int], draws: int, random: np.random.Generator) -> list[Floats]:
    """How often each run is drawn in each replicate, per subexperiment: `runs[g]` drawn with replacement; those not in `runs` once each."""
    return [
        random.multinomial(runs[g], np.full(n, 1 / n), size=draws).astype(float) if g in runs else np.ones((1, n))
        for g, n in enumerate(n_runs)
    ]
