"""The optimum that every search is held to: all segmentations weighed, in extended precision."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

_LOG_REALMIN = float(np.log(np.finfo(float).tiny))


def segment_costs(x: NDArray, start: int, statistic: str) -> NDArray:
    """Costs of x[start:start+1], x[start:start+2], ... as facts/segmentation.md defines them."""
    part = x[start:].astype(np.longdouble)
    length = np.arange(1, len(part) + 1)
    if statistic == "rms":
        energy = np.cumsum(part * part)
    else:
        # Measured from the first sample, squares are at most 2 n times the energy: no digit that counts is lost, and constants have none.
        shifted = part - part[0]
        energy = np.cumsum(shifted * shifted) - np.cumsum(shifted) ** 2 / length
    if statistic == "mean":
        return energy
    logs = np.full(len(energy), -np.inf, dtype=np.longdouble)
    np.log(energy, out=logs, where=energy > 0)
    return length * np.maximum(_LOG_REALMIN - np.log(length), logs - np.log(length))


def all_costs(x: NDArray, statistic: str) -> NDArray:
    """Entry [a, b]: the cost of x[a:b]; inf where b <= a."""
    costs = np.full((len(x) + 1, len(x) + 1), np.inf, dtype=np.longdouble)
    for start in range(len(x)):
        costs[start, start + 1 :] = segment_costs(x, start, statistic)
    return costs


def optimum(x: NDArray, threshold: float, statistic: str, min_distance: int) -> tuple[float, list[int]]:
    """(objective, change points) of optimal partitioning without any pruning, O(n^2)."""
    n = len(x)
    costs = all_costs(x, statistic)
    if n < 2 * min_distance:
        return float(costs[0, n]), []
    best = np.full(n + 1, np.inf, dtype=np.longdouble)
    best[0] = -threshold
    last = np.zeros(n + 1, dtype=int)
    for t in range(min_distance, n + 1):
        values = best[: t - min_distance + 1] + costs[: t - min_distance + 1, t]
        last[t] = int(np.argmin(values))
        best[t] = values[last[t]] + threshold
    points = []
    here = last[n]
    while here > 0:
        points.append(int(here))
        here = last[here]
    return float(best[n]), points[::-1]


def is_unique(x: NDArray, threshold: float, statistic: str, min_distance: int, margin: float) -> bool:
    """Whether every other segmentation is worse than the optimum by more than `margin`."""
    n = len(x)
    if n < 2 * min_distance:
        return True
    costs = all_costs(x, statistic)
    for start in range(n):
        costs[start, start + 1 : min(n + 1, start + min_distance)] = np.inf
    until, onwards = (np.full(n + 1, np.inf, dtype=np.longdouble) for _ in range(2))
    until[0], onwards[n] = -threshold, 0
    for t in range(1, n + 1):
        until[t] = np.min(until[:t] + costs[:t, t]) + threshold
        onwards[n - t] = np.min(costs[n - t, n - t + 1 :] + onwards[n - t + 1 :] + threshold)
    best, points = optimum(x, threshold, statistic, min_distance)
    through = until[:, None] + costs + threshold + onwards[None, :]  # the best segmentation of which x[a:b] is a segment
    edges = [0, *points, n]
    through[edges[:-1], edges[1:]] = np.inf
    return bool(np.min(through) > best + margin)


def objective(x: NDArray, points: tuple[int, ...] | list[int], threshold: float, statistic: str) -> float:
    """residual + threshold * number of change points, by the same formulas."""
    edges = [0, *points, len(x)]
    total = sum(segment_costs(x[a:b], 0, statistic)[-1] for a, b in pairwise(edges))
    return float(total + threshold * len(points))


@pytest.fixture(scope="session")
def the_optimum() -> Callable:
    return optimum


@pytest.fixture(scope="session")
def the_objective() -> Callable:
    return objective


@pytest.fixture(scope="session")
def the_optimum_is_unique() -> Callable:
    return is_unique


def rounding(x: NDArray, points: list[int], threshold: float, statistic: str) -> float:
    """What sums in double precision may be off: 1e-11 of all that is summed, and, of squares, what is too small for a float."""
    edges = [0, *points, len(x)]
    summed = sum(abs(float(segment_costs(x[a:b], 0, statistic)[-1])) for a, b in pairwise(edges))
    unit = 1e-310 if statistic == "mean" else float(len(x))
    return 1e-11 * (summed + threshold * (len(points) + (statistic == "mean")) + unit) + 1e-317


@pytest.fixture(scope="session")
def the_rounding() -> Callable:
    return rounding


def random_series(seed: int) -> NDArray[np.float64]:
    """Levels, spikes, zeros, constants and ties, at scales from tiny to huge; 1 to 90 samples."""
    random = np.random.default_rng(seed)
    n = int(random.integers(1, 91))
    kind = seed % 8
    levels = np.repeat(random.uniform(0.1, 10, 6), -(-n // 6))[:n]
    x = {
        0: lambda: levels * (1 + 0.2 * random.normal(size=n)),
        1: lambda: np.where(random.random(n) < 0.08, 100.0, 1.0) * random.uniform(0.5, 1.5, n),
        2: lambda: np.where(random.random(n) < 0.6, 0.0, random.integers(0, 5, n)).astype(float),
        3: lambda: np.full(n, float(random.integers(0, 4))),
        4: lambda: random.integers(0, 3, n).astype(float),
        5: lambda: np.rint(levels) * 7.0,
        6: lambda: np.concatenate([np.zeros(n // 3), levels[: n - n // 3]]),
        7: lambda: np.exp(random.normal(0, 6, n)),
    }[kind]()
    scale = float(random.choice([1e-150, 1e-30, 1e-3, 1.0, 1e6, 2.0**40, 1e60]))
    return np.ascontiguousarray(x * scale)


@pytest.fixture(scope="session")
def a_series() -> Callable:
    return random_series
