"""Courses without levels: what rises, falls or repeats smoothly has no phases, however well many segments fit it."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hemcore.segmentation.search.searches import MODEL_COLUMNS, Segmentation
from hemcore.segmentation.segments import segment

Floats = NDArray[np.float64]
Kind = Literal["slope", "curve", "season"]
# A curve must explain this share of the variance to be worth naming.
_EXPLAINED = 0.8
_SHORTEST_PERIOD = 4  # samples
_LEAST_PERIODS = 3
_SPIKE = 3  # samples: two spikes side by side
_SAME_LEVEL = 0.2  # of the height of the spike between them
_FEWEST_BURSTS, _OF_BURSTS, _SHORT, _ONE_LEVEL = 3, 0.75, 1 / 3, 0.9
_MEAN = list(MODEL_COLUMNS).index("mean")


@dataclass(frozen=True, kw_only=True)
class Gradual:
    """A smooth curve that fits a run better than its segments.

    kind: "slope" (a straight line), "curve" (a polynomial of degree 2 or 3) or "season". explained: the share of the variance that it
    explains. rises: of a slope. period: of a season, in samples.
    """

    kind: Kind
    explained: float
    rises: bool = False
    period: float = float("nan")

    @property
    def text(self) -> str:
        """What the course does: "rises steadily", "repeats every 24 intervals"."""
        if self.kind == "season":
            return f"repeats every {self.period:,.0f} intervals"
        return "changes gradually" if self.kind == "curve" else f"{'rises' if self.rises else 'falls'} steadily"


def gradual(counts: Floats) -> Gradual | None:
    """The smooth curve that fits `counts`, shape (n,), best, if it fits better than any levels; otherwise None.

    A curve is a line, a polynomial of
    degree 2 or 3, or a season (a sine with its second harmonic) of at least 3 periods; it must explain at least 80% and have
    the lower Bayesian information criterion (G. Schwarz 1978, "Estimating the dimension of a model", Annals of Statistics 6, 461-464).
    None for fewer than 12 samples and for counts of one value.
    """
    n = len(counts)
    spread = float(((counts - counts.mean()) ** 2).sum()) if n else 0.0
    if n < 12 or not spread > 0:
        return None
    time = np.linspace(-1, 1, n)
    rises = bool(np.polyfit(time, counts, 1)[0] > 0)
    curves: list[tuple[float, Gradual]] = []
    for degree in (1, 2, 3):
        share = 1 - _residual(np.vander(time, degree + 1), counts) / spread
        curves.append((_bic(share, degree + 1, n), Gradual(kind="slope" if degree == 1 else "curve", explained=share, rises=rises)))
    period, residual = _season(counts)
    curves.append((_bic(1 - residual / spread, 6, n), Gradual(kind="season", explained=1 - residual / spread, period=period)))
    fit, best = min(curves, key=lambda each: each[0])
    return best if best.explained >= _EXPLAINED and fit < _bic(*_levels(counts, spread), n) else None


def season_of(counts: Floats) -> float:
    """The period, in samples, of the sine with its second harmonic that fits `counts`, shape (n,), best; NaN if n is too small."""
    return _season(counts)[0]


def level_changes(counts: Floats) -> tuple[int, ...]:
    """The change points of the levels of `counts`, shape (n,), at which the mean changes by more than the noise; () for one value."""
    spread = float(((counts - counts.mean()) ** 2).sum())
    return _cut(counts, spread).change_points if spread > 0 else ()


def _levels(counts: Floats, spread: float) -> tuple[float, int]:
    """(share of the variance explained, parameters) of the levels that the criterion prefers."""
    found = _cut(counts, spread)
    return found.explained, 2 * (found.n_change_points + 1)


def _cut(counts: Floats, spread: float) -> Segmentation:
    n = len(counts)
    # Half the mean square of the differences is the variance of the noise, wherever the level does not change.
    noise = float(np.median(np.abs(np.diff(counts))) / 0.6745) ** 2 / 2
    return segment(counts * np.sqrt(n / spread), max(3 * np.log(n) * noise * n / spread, 1e-6), statistic="mean")


def _bic(explained: float, parameters: int, n: int) -> float:
    return n * float(np.log(max(1 - explained, 1e-12))) + parameters * float(np.log(n))


def spikes(models: Floats) -> int:
    """The number of segments (`Segmentation.models`) that are spikes: at most 3 samples between two segments of about the same level."""
    stops, means = models[:, 1], models[:, _MEAN]
    length = stops - models[:, 0]
    if len(models) < 3:
        return 0
    height = np.abs(means[1:-1] - (means[:-2] + means[2:]) / 2)
    back = np.abs(means[2:] - means[:-2]) < _SAME_LEVEL * height
    return int(((length[1:-1] <= _SPIKE) & back).sum())


def bursts(models: Floats) -> tuple[int, int]:
    """(number, samples in all) of the segments (`Segmentation.models`) that rise from one level and return to it; (0, 0) if these do not
    make the course: there are 3 or more, they last at most a third of the run, three quarters of the change points are theirs, and nine
    tenths of the other samples have one level.
    """
    length, means = models[:, 1] - models[:, 0], models[:, _MEAN]
    if len(models) < 2 * _FEWEST_BURSTS:
        return 0, 0
    height = means[1:-1] - (means[:-2] + means[2:]) / 2
    up = (height > 0) & (np.abs(means[2:] - means[:-2]) < _SAME_LEVEL * height)
    number, samples = int(up.sum()), int(length[1:-1][up].sum())
    if number < _FEWEST_BURSTS or 2 * number < _OF_BURSTS * (len(models) - 1) or samples > _SHORT * length.sum():
        return 0, 0
    between = np.concatenate([[True], ~up, [True]])
    level = np.median(np.repeat(means[between], length[between].astype(int)))
    near = np.abs(means - level) < _SAME_LEVEL * np.median(height[up])
    return (number, samples) if length[between & near].sum() >= _ONE_LEVEL * length[between].sum() else (0, 0)


def _residual(features: Floats, counts: Floats) -> float:
    fitted = features @ np.linalg.lstsq(features, counts, rcond=None)[0]
    return float(((counts - fitted) ** 2).sum())


def _season(counts: Floats) -> tuple[float, float]:
    """(period in samples, residual sum of squares) of the best sine with its second harmonic; (NaN, inf) if n is too small."""
    n = len(counts)
    time = np.arange(n)
    level = np.ones(n)
    power = np.abs(np.fft.rfft(counts - counts.mean())) ** 2
    allowed = np.arange(len(power))
    power[(allowed < _LEAST_PERIODS) | (allowed > n / _SHORTEST_PERIOD)] = 0
    if not power.max(initial=0) > 0:
        return float("nan"), float("inf")
    best = float("nan"), float("inf")
    for cycles in power.argmax() + np.linspace(-0.6, 0.6, 25):
        turns = 2 * np.pi * cycles * time / n
        residual = _residual(np.column_stack([level, np.cos(turns), np.sin(turns), np.cos(2 * turns), np.sin(2 * turns)]), counts)
        if residual < best[1]:
            best = n / float(cycles), residual
    return best
