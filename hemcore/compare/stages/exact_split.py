"""The change of a count split into what a phase lasts longer and what it counts faster, without a rest.

A phase counts length x rate. Its change is (change of length) x (mean of both rates) + (change of rate) x (mean of both lengths), exactly;
a phase that one set lacks is all length. Errors are those of the parts' influence on each run (F. R. Hampel 1974, doi 10.2307/2285666),
intervals Student's t with B. L. Welch's degrees of freedom (1947, doi 10.1093/biomet/34.1-2.28). Runs that depend on their neighbours are
taken in blocks.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Split:
    """One phase and HEM. before, after: mean counts per run (0 if the set lacks the phase). by_length + by_rate = after - before.

    error: standard error of the change, NaN with fewer than two runs. freedom: its degrees of freedom. length_error: of by_length.
    """

    before: float
    after: float
    by_length: float
    error: float
    length_error: float
    freedom: float

    @property
    def change(self) -> float:
        """after - before."""
        return self.after - self.before

    @property
    def by_rate(self) -> float:
        """What remains of the change."""
        return self.change - self.by_length

    @property
    def probability(self) -> float:
        """That chance alone goes as far as the change; NaN without an error."""
        if not np.isfinite(self.error):
            return float("nan")
        return float(2 * stdtr(self.freedom, -abs(self.change) / self.error)) if self.error > 0 else float(self.change == 0)


def split(
    before: tuple[Floats, Floats] | None, after: tuple[Floats, Floats] | None, *, block: int = 1, unseen: float = 1.0, paired: bool = False
) -> Split:
    """The split of one phase and HEM. before, after: (counts, lengths) of each run, shape (runs,), finite; None if the set lacks the phase.

    block: consecutive runs that are taken together. unseen: how many times larger the variance is than such blocks show, unless
    paired. paired: run i before belongs to run i after.
    """
    counts = [0.0 if each is None else float(each[0].mean()) for each in (before, after)]
    lengths = [0.0 if each is None else float(each[1].mean()) for each in (before, after)]
    rates = [count / length if length > 0 else np.nan for count, length in zip(counts, lengths, strict=True)]
    rates = [rates[1 - place] if np.isnan(rate) else rate for place, rate in enumerate(rates)]
    longer, rate = lengths[1] - lengths[0], (rates[0] + rates[1]) / 2
    both = before is not None and after is not None
    influences, of_length = [], []
    for sign, each, count, length in zip((-1.0, 1.0), (before, after), counts, lengths, strict=True):
        if each is None:
            continue
        own = each[0] - count
        influences.append(sign * own)
        # d(longer x rate): by the length of the set and, through its own rate, by its counts and its length.
        slope = longer / 2 / length if length > 0 and both else 0.0
        of_length.append((sign * rate - slope * count / max(length, 1e-300)) * (each[1] - length) + slope * own if both else sign * own)
    error, freedom = _error(influences, block, paired, unseen)
    return Split(
        before=counts[0],
        after=counts[1],
        by_length=float(longer * rate) if np.isfinite(rate) else 0.0,
        error=error,
        length_error=_error(of_length, block, paired, unseen)[0],
        freedom=freedom,
    )


def _error(influences: list[Floats], block: int, paired: bool, unseen: float) -> tuple[float, float]:
    """The standard error of a sum of means, and its degrees of freedom."""
    if paired and len(influences) == 2:
        influences, unseen = [influences[0] + influences[1]], 1.0
    variances, freedoms = [], []
    for each in influences:
        starts = np.arange(max(len(each) // block, 1)) * block
        sums = np.add.reduceat(each, starts)
        n = len(sums)
        if n < 2:
            return float("nan"), float("nan")
        variances.append(float((sums**2).sum()) * n / (n - 1) / len(each) ** 2)
        freedoms.append(n - 1)
    total = sum(variances)
    if total <= 0:
        return 0.0, float(min(freedoms))
    return float(np.sqrt(total * unseen)), total**2 / sum(one**2 / freedom for one, freedom in zip(variances, freedoms, strict=True))
