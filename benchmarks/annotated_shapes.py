"""Series shaped as those that people annotate, with the changes that an annotator would mark; none was used to choose a constant.

Levels that a person sees although the noise around them is correlated, on seasons and growth, with outliers, of few counts.
"""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Shape = Callable[[np.random.Generator], tuple[Floats, tuple[int, ...]]]


def _correlated(random: np.random.Generator, n: int, rho: float) -> Floats:
    noise = random.normal(0, np.sqrt(1 - rho * rho), n)
    for at in range(1, n):
        noise[at] += rho * noise[at - 1]
    return noise


def _cuts(random: np.random.Generator, n: int, k: int) -> tuple[int, ...]:
    return tuple(int(n * (at + random.uniform(0.75, 1.25)) / (k + 1)) for at in range(k))


def _steps(random: np.random.Generator, n: int, cuts: tuple[int, ...], least: float) -> Floats:
    heights = np.cumsum([0.0, *(random.choice([-1, 1]) * random.uniform(least, 2.5 * least) for _ in cuts)])
    return np.repeat(heights, np.diff([0, *cuts, n]))


def crisis(random: np.random.Generator) -> tuple[Floats, tuple[int, ...]]:
    """Yearly figures: slow growth, a fall, another level; noise of correlation 0.7."""
    n = int(random.integers(50, 130))
    cuts = _cuts(random, n, int(random.integers(1, 3)))
    return _steps(random, n, cuts, 4) + 2 * np.arange(n) / n + _correlated(random, n, 0.7), cuts


def shop(random: np.random.Generator) -> tuple[Floats, tuple[int, ...]]:
    """Monthly sales: a season of 12 and one or two new levels."""
    n = int(random.integers(90, 260))
    cuts = _cuts(random, n, int(random.integers(1, 3)))
    return _steps(random, n, cuts, 5) + 1.5 * np.sin(np.arange(n) * np.pi / 6) + random.normal(0, 0.7, n), cuts


def outliers(random: np.random.Generator) -> tuple[Floats, tuple[int, ...]]:
    """A sensor: levels, and a fiftieth of the samples far off."""
    n = int(random.integers(150, 450))
    cuts = _cuts(random, n, int(random.integers(0, 4)))
    far = np.where(random.random(n) < 0.02, random.choice([-1, 1], n) * random.uniform(6, 15, n), 0)
    return _steps(random, n, cuts, 3) + random.normal(0, 1, n) + far, cuts


def few_counts(random: np.random.Generator) -> tuple[Floats, tuple[int, ...]]:
    """Accidents a month: Poisson counts of 0.5 to 12."""
    n = int(random.integers(80, 250))
    cuts = _cuts(random, n, int(random.integers(0, 3)))
    rates = np.array([random.uniform(0.5, 3) * (4 if at % 2 else 1) for at in range(len(cuts) + 1)])
    return random.poisson(np.repeat(rates, np.diff([0, *cuts, n]))).astype(float), cuts


def price(random: np.random.Generator) -> tuple[Floats, tuple[int, ...]]:
    """A walk with two jumps that stand out of it."""
    n = int(random.integers(200, 500))
    cuts = _cuts(random, n, 2)
    return np.cumsum(random.normal(0, 0.12, n)) + _steps(random, n, cuts, 6), cuts


def plateau(random: np.random.Generator) -> tuple[Floats, tuple[int, ...]]:
    """Users of a service: a level, a quick rise over a tenth, a level; the annotator marks the middle of the rise."""
    n = int(random.integers(100, 300))
    at = int(n * random.uniform(0.3, 0.7))
    return 8 / (1 + np.exp(-(np.arange(n) - at) / (n / 60))) + _correlated(random, n, 0.5) * 0.6, (at,)


def river(random: np.random.Generator) -> tuple[Floats, tuple[int, ...]]:
    """A year's flow: one small change in skewed noise."""
    n = int(random.integers(80, 160))
    cuts = _cuts(random, n, 1)
    return _steps(random, n, cuts, 1.6) + random.gamma(3, 0.55, n), cuts


def quiet(random: np.random.Generator) -> tuple[Floats, tuple[int, ...]]:
    """Nothing to mark: noise, a line, a season or a walk."""
    n = int(random.integers(80, 300))
    kind = int(random.integers(0, 4))
    course = [np.zeros(n), np.linspace(0, 12, n), 4 * np.sin(np.arange(n) * 2 * np.pi / 24), np.cumsum(random.normal(0, 0.5, n))][kind]
    return course + _correlated(random, n, 0.4), ()


SHAPES: dict[str, Shape] = {
    each.__name__: each for each in (crisis, shop, outliers, few_counts, price, plateau, river, quiet)
}  # fmt: skip


def shapes(number: int = 30) -> Iterator[tuple[str, Floats, tuple[int, ...]]]:
    """`number` series of each shape: name, samples, change points."""
    for place, (name, make) in enumerate(SHAPES.items()):
        for seed in range(number):
            yield (name, *make(np.random.default_rng([place, seed])))
