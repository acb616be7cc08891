"""Series with known change points: made ones of many kinds, stages of the sample, programs of Cortex-A15.

Every made series comes from a seed. `tuning` and `held_out` split each source in halves: a default may be chosen on the first and is judged
on the second. Measures are those of the literature on annotated series (van den Burg and Williams 2020, arXiv:2003.06222): covering, and F1
with a margin of 5 samples in which the start of the series counts as a change point that both sides have.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.datasets.readers.series import powmon_series
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.segmentation.compare.segment_agreement import agreement, matched

ROOT = Path(__file__).resolve().parents[3]
CORTEX = ROOT.parent / "shared" / "data" / "cortex_a15_cbench" / "runs_1GHz"
PER_KIND = 24
MARGIN = 5

Series = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class Annotated:
    """One series, shape (n,), and its change points (first indices of new segments)."""

    kind: str
    number: int
    series: Series
    change_points: tuple[int, ...]


def f1_of(true: Sequence[int], found: Sequence[int], margin: int = MARGIN) -> float:
    """F1 with the start counted as a change point of both: 1 where both have none."""
    pairs = 1 + matched(true, found, tolerance=margin)
    return 2 * pairs / (2 + len(true) + len(found))


def covering_of(true: Sequence[int], found: Sequence[int], n: int) -> float:
    return agreement(true, found, n).covering


def _length(random: np.random.Generator) -> int:
    return round(float(np.exp(random.uniform(np.log(50), np.log(500)))))


def _places(random: np.random.Generator, n: int, most: int, *, fewest: int = 0) -> list[int]:
    """Change points whose segments have a twelfth of the series and 6 samples at least."""
    wanted, apart = int(random.integers(fewest, most + 1)), max(6, n // 12)
    for _ in range(200):
        points = sorted(random.choice(np.arange(apart, n - apart), size=min(wanted, max(0, n // apart - 2)), replace=False).tolist())
        if all(b - a >= apart for a, b in zip([0, *points], [*points, n], strict=True)):
            return points
    return points[:1]


def _levels(random: np.random.Generator, n: int, points: list[int], least: float, most: float) -> Series:
    """Levels that differ by `least` to `most` from one to the next."""
    steps = random.uniform(least, most, len(points)) * random.choice([-1, 1], len(points))
    return np.repeat(np.concatenate([[0.0], np.cumsum(steps)]), np.diff([0, *points, n]))


def _ar(random: np.random.Generator, n: int, rho: float) -> Series:
    """Autocorrelated noise with standard deviation 1."""
    noise = random.normal(size=n + 50) * np.sqrt(1 - rho * rho)
    for t in range(1, n + 50):
        noise[t] += rho * noise[t - 1]
    return noise[50:]


def _scaled(random: np.random.Generator, series: Series) -> Series:
    """In units of somebody: scaled and put on an offset."""
    return series * float(np.exp(random.uniform(-3, 12))) + float(random.choice([0.0, 1.0, 100.0])) * np.abs(series).max()


Made = tuple[Series, list[int]]


def white(random: np.random.Generator) -> Made:
    n = _length(random)
    points = _places(random, n, 4)
    return _levels(random, n, points, 1.0, 4) + random.normal(size=n), points


def autocorrelated(random: np.random.Generator) -> Made:
    n = _length(random)
    points = _places(random, n, 3)
    return _levels(random, n, points, 1.5, 6) + _ar(random, n, random.uniform(0.2, 0.9)), points


def autocorrelated_only(random: np.random.Generator) -> Made:
    n = _length(random)
    return _ar(random, n, random.uniform(0.3, 0.97)), []


def trend_only(random: np.random.Generator) -> Made:
    n = _length(random)
    bend = np.linspace(0, 1, n) ** random.uniform(0.5, 2.5)
    return random.choice([-1, 1]) * random.uniform(3, 60) * bend + _ar(random, n, random.uniform(0, 0.8)), []


def trend_and_steps(random: np.random.Generator) -> Made:
    n = _length(random)
    points = _places(random, n, 3, fewest=1)
    slope = random.uniform(-4, 4) * np.linspace(0, 1, n)
    return slope + _levels(random, n, points, 2, 7) + _ar(random, n, random.uniform(0, 0.7)), points


def broken_trend(random: np.random.Generator) -> Made:
    """The slope changes, the level does not."""
    n = _length(random)
    points = _places(random, n, 2, fewest=1)
    slopes = random.uniform(0.5, 2.0) * np.array([1, random.choice([-1.0, 0.0, 5.0]), random.uniform(-4, 4)])
    path = np.cumsum(np.repeat(slopes[: len(points) + 1], np.diff([0, *points, n])))
    return path / np.std(path) * random.uniform(5, 30) + _ar(random, n, random.uniform(0, 0.6)), points


def seasonal(random: np.random.Generator) -> Made:
    n = max(72, _length(random))
    points = _places(random, n, 2)
    period = int(random.choice([4, 7, 12, 24]))
    pattern = random.normal(size=period)
    wave = np.resize(pattern / np.std(pattern), n) * random.uniform(0.5, 2.0)
    grows = np.linspace(1, random.uniform(1, 3), n)
    return wave * grows + random.uniform(0, 4) * grows + _levels(random, n, points, 2.5, 7) + 0.5 * random.normal(size=n), points


def slow_wave(random: np.random.Generator) -> Made:
    n = _length(random)
    points = _places(random, n, 2)
    wave = random.uniform(0.5, 2.0) * np.sin(2 * np.pi * (np.arange(n) * random.uniform(0.7, 3) / n + random.random()))
    return wave + _levels(random, n, points, 1.5, 6) + 0.5 * _ar(random, n, random.uniform(0, 0.5)), points


def random_walk(random: np.random.Generator) -> Made:
    """A walk; where it has change points, it jumps there by many of its steps."""
    n = _length(random)
    points = _places(random, n, 2) if random.random() < 0.6 else []
    walk = np.cumsum(random.standard_t(4, size=n))
    return walk + _levels(random, n, points, 1.0, 2.5) * np.sqrt(n), points


def spikes(random: np.random.Generator) -> Made:
    n = _length(random)
    points = _places(random, n, 3)
    series = _levels(random, n, points, 1.5, 5) + random.normal(size=n)
    at = random.choice(n, size=int(random.integers(1, max(2, n // 40) + 1)), replace=False)
    series[at] += random.uniform(8, 25, len(at)) * random.choice([-1, 1])
    return series, points


def heavy_tails(random: np.random.Generator) -> Made:
    n = _length(random)
    points = _places(random, n, 3)
    return _levels(random, n, points, 2.5, 7) + random.standard_t(random.uniform(2, 4), size=n), points


def rates(random: np.random.Generator) -> Made:
    """Counts: Poisson or spread wider."""
    n = _length(random)
    points = _places(random, n, 3)
    rate = np.exp(np.log(random.uniform(2, 60)) + _levels(random, n, points, 0.4, 1.5))
    return random.poisson(rate * random.gamma(20, 1 / 20, n) if random.random() < 0.5 else rate).astype(float), points


def proportional(random: np.random.Generator) -> Made:
    """Noise that grows with the level, as of counts of events in bursts."""
    n = _length(random)
    points = _places(random, n, 4)
    level = np.exp(_levels(random, n, points, 0.5, 2.0))
    return level * np.exp(random.uniform(0.05, 0.4) * _ar(random, n, random.uniform(0, 0.5))), points


def spread(random: np.random.Generator) -> Made:
    """The deviation changes, the mean does not."""
    n = max(80, _length(random))
    points = _places(random, n, 2, fewest=1)
    return np.exp(_levels(random, n, points, 1.0, 2.0)) * random.normal(size=n), points


def growth(random: np.random.Generator) -> Made:
    """Exponential or in an S: nothing changes but the level, all the time."""
    n = _length(random)
    x = np.linspace(-1, 1, n)
    curve = np.exp(random.uniform(1, 3) * x) if random.random() < 0.5 else 1 / (1 + np.exp(-random.uniform(2, 5) * x))
    return curve / np.std(curve) * random.uniform(5, 40) + _ar(random, n, random.uniform(0, 0.8)), []


def steep_s(random: np.random.Generator) -> Made:
    """Two levels with a passage of a few samples between: one change, in its middle."""
    n = _length(random)
    points = _places(random, n, 1, fewest=1)
    passage = 1 / (1 + np.exp(-(np.arange(n) - points[0]) / random.uniform(0.5, n / 60)))
    return random.uniform(5, 15) * passage + _ar(random, n, random.uniform(0, 0.6)), points


def drop_and_back(random: np.random.Generator) -> Made:
    """A trend or a plateau, a sudden drop, and a slow way back."""
    n = _length(random)
    points = _places(random, n, 1, fewest=1)
    after = np.maximum(np.arange(n) - points[0], 0)
    drop = np.where(np.arange(n) >= points[0], np.exp(-after / (n * random.uniform(0.1, 1.0))), 0.0)
    return random.uniform(0, 3) * np.linspace(0, 1, n) - random.uniform(8, 25) * drop + _ar(random, n, random.uniform(0, 0.6)), points


def blocks(random: np.random.Generator) -> Made:
    """Many levels, a line of a picture."""
    n = max(150, _length(random))
    points = _places(random, n, 10, fewest=5)
    return _levels(random, n, points, 4, 20) + _ar(random, n, random.uniform(0, 0.4)), points


def stairs(random: np.random.Generator) -> Made:
    """Few whole values: what is read in steps."""
    n = _length(random)
    points = _places(random, n, 4)
    return np.rint(_levels(random, n, points, 1, 4) + random.uniform(0.2, 0.5) * random.normal(size=n)), points


def nothing(random: np.random.Generator) -> Made:
    n = _length(random)
    return (random.normal(size=n) if random.random() < 0.5 else random.exponential(size=n)), []


def bump(random: np.random.Generator) -> Made:
    """A level, another one for a while, and the first one again."""
    n = _length(random)
    points = _places(random, n, 2, fewest=2)
    series = np.zeros(n)
    series[points[0] : points[-1] if len(points) > 1 else n] = random.uniform(1.5, 6) * random.choice([-1, 1])
    return series + _ar(random, n, random.uniform(0, 0.7)), points


def wandering(random: np.random.Generator) -> Made:
    """Levels whose noise is a walk that is pulled back: a price, a load."""
    n = _length(random)
    points = _places(random, n, 3)
    return _levels(random, n, points, 2.5, 7) + _ar(random, n, random.uniform(0.85, 0.98)) + 0.2 * random.normal(size=n), points


def season_in_growth(random: np.random.Generator) -> Made:
    """A season that grows with the trend it rides on, and now and then one collapse."""
    n = max(72, _length(random))
    points = _places(random, n, 1)
    trend = np.linspace(1, random.uniform(1.5, 4), n) + 0.03 * np.cumsum(random.normal(size=n))
    season = 1 + random.uniform(0.1, 0.4) * np.sin(2 * np.pi * np.arange(n) / 12) + 0.05 * random.normal(size=n)
    held = np.where(np.arange(n) >= points[0], random.uniform(0.3, 0.7), 1.0) if points else 1.0
    return trend * season * held, points


def ramps(random: np.random.Generator) -> Made:
    """Plateaus with passages of up to a twentieth of the series between them; the change is where a passage begins."""
    n = _length(random)
    points = _places(random, n, 3, fewest=1)
    wide = int(random.integers(1, max(2, n // 20) + 1))
    steps = _levels(random, n, points, 3, 9)
    passed = np.convolve(np.concatenate([np.full(wide - 1, steps[0]), steps]), np.full(wide, 1 / wide), mode="valid")
    return passed + _ar(random, n, random.uniform(0, 0.7)), points


def long_memory(random: np.random.Generator) -> Made:
    """Fractionally integrated noise, which no first-order model fits."""
    n = _length(random)
    points = _places(random, n, 2)
    d, weights = random.uniform(0.15, 0.45), np.ones(n)
    for lag in range(1, n):
        weights[lag] = weights[lag - 1] * (lag - 1 + d) / lag
    return _levels(random, n, points, 2, 6) + np.convolve(random.normal(size=2 * n), weights)[n : 2 * n], points


def volatile(random: np.random.Generator) -> Made:
    """Noise whose deviation comes in clusters (GARCH)."""
    n = _length(random)
    points = _places(random, n, 3)
    noise, variance = np.zeros(n), 1.0
    for t in range(n):
        noise[t] = np.sqrt(variance) * random.normal()
        variance = 0.1 + 0.25 * noise[t] ** 2 + 0.65 * variance
    return _levels(random, n, points, 1.5, 5) + noise, points


def smoothed(random: np.random.Generator) -> Made:
    """Readings that an instrument has averaged over some samples, the passages too; a change begins where the first average sees it."""
    n, wide = _length(random), int(random.integers(2, 8))
    points = _places(random, n, 3)
    steps = np.concatenate([np.zeros(wide - 1), _levels(random, n, points, 1.5, 5)])
    return np.convolve(steps + random.normal(size=len(steps)), np.full(wide, 1 / wide), mode="valid"), points


KINDS: dict[str, Callable[[np.random.Generator], Made]] = {
    each.__name__: each
    for each in (
        white, autocorrelated, autocorrelated_only, trend_only, trend_and_steps, broken_trend, seasonal, slow_wave, random_walk, spikes,
        heavy_tails, rates, proportional, spread, growth, steep_s, drop_and_back, blocks, stairs, nothing, bump,
        wandering, season_in_growth, ramps, long_memory, volatile, smoothed,
    )
}  # fmt: skip


def made() -> Iterator[Annotated]:
    for place, (kind, make) in enumerate(KINDS.items()):
        for number in range(PER_KIND):
            random = np.random.default_rng([place, number])
            series, points = make(random)
            yield Annotated(kind=kind, number=number, series=_scaled(random, series), change_points=tuple(points))


def sample_stages() -> Iterator[Annotated]:
    """Single events of the sample's programs with their stages: eight runs of each program, three events that say something."""
    frame = pd.read_parquet(ROOT / "sample_data" / "series" / "ocoe.parquet")
    for program, runs in frame.groupby("program", sort=True):
        for number in range(8):
            run = runs[runs["run"] == 7 * number + 1]
            codes = pd.factorize(run["stage"])[0]
            points = tuple((np.flatnonzero(np.diff(codes)) + 1).tolist())
            event = ("Ir", "Dr", "Dw")[number // 2 % 3]
            yield Annotated(kind=f"sample {program}", number=number, series=run[event].to_numpy(dtype=float), change_points=points)


def cortex_programs() -> Iterator[Annotated]:
    """Two to four programs of Cortex-A15 one after the other, one event; none where the readings are not at hand."""
    if not CORTEX.is_dir():
        return
    table = powmon_series.read(
        [UploadedFile(str(path.relative_to(CORTEX)), path.read_bytes()) for path in sorted(CORTEX.rglob("*.data"))]
    ).table
    for number in range(48):
        random = np.random.default_rng([99, number])
        application = table.applications[number // 2 % len(table.applications)]
        part = table.run(application, table.runs(application)[0])
        stages = pd.factorize(part.intervals["stage"])[0]
        starts = [0, *(np.flatnonzero(np.diff(stages)) + 1).tolist(), len(stages)]
        first = int(random.integers(0, len(starts) - 5))
        last = first + int(random.integers(2, 5))
        event = str(random.choice(["L1D_CACHE_ACCESS", "INST_RETIRED", "BRANCH_PRED", "L1D_CACHE_REFILL"]))
        values = part.counts[event].iloc[starts[first] : starts[last]] if event in part.counts else part.counts.iloc[:0, 0]
        inside = tuple(start - starts[first] for start in starts[first + 1 : last])
        if len(values) and bool(values.notna().all()):
            yield Annotated(kind="cortex-a15", number=number, series=values.to_numpy(dtype=float), change_points=inside)


@cache
def every() -> tuple[Annotated, ...]:
    """The made series, the sample's stages and Cortex-A15's programs."""
    return (*made(), *sample_stages(), *cortex_programs())


def tuning() -> list[Annotated]:
    return [each for each in every() if each.number % 2 == 0]


def held_out() -> list[Annotated]:
    return [each for each in every() if each.number % 2 == 1]
