"""Populations of event counts whose law is known: (random, runs) -> counts, shape (runs, 20), for benchmarks and nothing else.

None is fitted to data, and no two share a generator, so that a method cannot be right on all of them by being tuned on one.
"""

from collections.abc import Callable

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import ndtr
from scipy.stats import chi2

Floats = NDArray[np.float64]
Population = Callable[[np.random.Generator, int], Floats]
K = 20
HEMS = tuple(f"H{at:02}" for at in range(K))
_FIXED = np.random.default_rng(20_240_501)
_LOADS = _FIXED.normal(0, 1, (3, K))
_NOISE = _FIXED.uniform(0.4, 1.2, K)
_SIZE = 10 ** _FIXED.uniform(4, 8, K)
_SIGNS = _FIXED.choice([-1.0, 1.0], K)
_REGIMES = _FIXED.uniform(1, 9, (4, K))
_AT = np.arange(K)


def _factors(random: np.random.Generator, n: int) -> Floats:
    """Three common causes and noise, each column with standard deviation 1."""
    values = random.normal(0, 1, (n, 3)) @ _LOADS + random.normal(0, 1, (n, K)) * _NOISE
    return values / np.sqrt((_LOADS**2).sum(axis=0) + _NOISE**2)


def normal(random: np.random.Generator, n: int) -> Floats:
    """Gaussian counts, 8% of spread."""
    return _SIZE * (1 + 0.08 * _factors(random, n))


def heavy_tails(random: np.random.Generator, n: int) -> Floats:
    """A t copula of 4 degrees; log-normal (sigma 1.5) and Pareto (exponent 2.2) in turn, in counters of 63 bits."""
    z = _factors(random, n) / np.sqrt(random.chisquare(4, (n, 1)) / 4)
    u = np.clip(ndtr(z * 0.9), 1e-12, 1 - 1e-12)
    return np.minimum(_SIZE * np.where(np.arange(K) % 2, (1 - u) ** (-1 / 2.2), np.exp(1.5 * z * 0.9)), 2.0**63)


def log_normal(random: np.random.Generator, n: int) -> Floats:
    """Gaussian copula, log-normal counts with sigma 1."""
    return _SIZE * np.exp(_factors(random, n))


def zeros(random: np.random.Generator, n: int) -> Floats:
    """Poisson counts whose mean is a log-normal; about half are 0 in every second column."""
    mean = np.exp(1.1 * _factors(random, n)) * np.where(np.arange(K) % 2, 0.8, 12.0)
    return random.poisson(np.minimum(mean, 1e6)).astype(float)


def bimodal(random: np.random.Generator, n: int) -> Floats:
    """Two states; in one of them half of the relations have the other sign."""
    state = random.random((n, 1)) < 0.4
    z = _factors(random, n)
    return _SIZE * (10 + np.where(state, z * _SIGNS + 4 * (np.arange(K) % 3 - 1), z))


def nonlinear(random: np.random.Generator, n: int) -> Floats:
    """Functions of two causes: lines, squares, hinges, waves, steps."""
    a, b = random.normal(0, 1, (2, n, 1))
    line: list[Callable[[Floats], Floats]] = [lambda x: x, np.square, lambda x: np.maximum(x, 0)]
    shapes = [*line, lambda x: np.sin(2 * x), lambda x: np.exp(0.7 * x), lambda x: np.floor(2 * x) / 2]
    columns = [shapes[at % 6](a if at % 2 else b if at % 3 else (a + b) / 1.4) for at in range(K)]
    values = np.concatenate(columns, axis=1) + random.normal(0, 0.15, (n, K))
    return _SIZE * (10 + values)


def near_duplicates(random: np.random.Generator, n: int) -> Floats:
    """Four events under five names each, a thousandth to a fiftieth apart; the counts are gamma."""
    base = random.gamma(4, 1, (n, 2)) @ np.array([[1, 0.5, 0, 0.7], [0, 0.5, 1, 0.3]]) + random.gamma(2, 0.3, (n, 4))
    apart = np.tile([0.001, 0.003, 0.008, 0.015, 0.02], 4)
    return _SIZE * np.repeat(base, 5, axis=1) * (1 + apart * random.normal(0, 1, (n, K)))


def regimes(random: np.random.Generator, n: int) -> Floats:
    """Four regimes with levels of their own, and Gaussian noise within."""
    at = random.choice(4, n, p=[0.4, 0.3, 0.2, 0.1])
    return _SIZE * (_REGIMES[at] + 0.5 * _factors(random, n))


def program(random: np.random.Generator, n: int) -> Floats:
    """Counts of a program: instructions by input size, misses by a working set with a heavy tail, branches, time."""
    size = random.gamma(6, 1, (n, 1))
    working = random.pareto(2.5, (n, 1)) + 0.5
    miss = size * (1 - np.exp(-working / 2))
    taken = random.beta(8, 3, (n, 1))
    parts = [size, miss, size * taken, size + 8 * miss, working, size * (1 - taken)]
    return _SIZE * np.concatenate([parts[at % 6] for at in range(K)], axis=1) * random.gamma(200, 1 / 200, (n, K))


def xor(random: np.random.Generator, n: int) -> Floats:
    """Triples of which any two are independent and the third's sign is the product of theirs."""
    z = random.normal(0, 1, (n, K))
    for first in range(0, K - 2, 3):
        z[:, first + 2] = np.abs(z[:, first + 2]) * np.sign(z[:, first] * z[:, first + 1])
    return _SIZE * (10 + z)


def clayton(random: np.random.Generator, n: int) -> Floats:
    """A Clayton copula (theta 2: small counts go together), margins chi-squared with 6 degrees."""
    shared = random.gamma(0.5, 1, (n, 1))
    u = (1 + random.exponential(1, (n, K)) / np.maximum(shared, 1e-300)) ** -0.5
    return _SIZE * chi2.ppf(np.clip(u, 1e-12, 1 - 1e-12), 6)


def storage(random: np.random.Generator, n: int) -> Floats:
    """Storage: requests of log-normal size, a cache that hits in three runs of four, rare slow runs, and rare large requests, which alone
    cause splits and often retries."""
    size, large = np.exp(random.normal(0, 0.6, (n, 1))), (random.random((n, 1)) < 0.03) * np.exp(random.normal(3, 0.8, (n, 1)))
    slow = (random.random((n, 1)) < 0.03) * random.gamma(2, 10, (n, 1))
    miss = size * np.where(random.random((n, 1)) < 0.25, 0.6, 0.05) + large
    own = random.gamma(20, 1 / 20, (n, K))
    splits = random.poisson(np.minimum(0.1 * large, 1e6) * np.linspace(0.3, 1.5, K))
    retries = random.poisson(np.minimum(0.3 * slow + 0.05 * large + 0.01, 1e6), (n, K))
    parts = [(size + large) * own, miss * own, (1 + 0.3 * miss + slow) * own, retries.astype(float), splits.astype(float)]
    return np.stack([parts[at % 5][:, at] for at in range(K)], axis=1)


def bursts(random: np.random.Generator, n: int) -> Floats:
    """Quiet gamma counters; in one run of thirty an event adds a burst to each counter of its group of five."""
    quiet = random.gamma(9, 1 / 9, (n, K)) * np.exp(0.2 * _factors(random, n))
    burst = (random.random((n, 4)) < 1 / 30) * random.exponential(6, (n, 4))
    return _SIZE * (quiet + burst[:, _AT % 4] * random.gamma(4, 0.25, (n, K)))


def shared_zeros(random: np.random.Generator, n: int) -> Floats:
    """Units that most runs leave unused: groups of five counters are 0 together in 60 to 95% of runs, log-normal in the others."""
    used = random.random((n, 4)) < np.array([0.4, 0.25, 0.12, 0.05])
    return np.floor(1_000 * used[:, _AT % 4] * np.exp(0.7 * _factors(random, n)) * (random.random((n, K)) > 0.05))


def carriers(random: np.random.Generator, n: int) -> Floats:
    """Unrelated normal counts; one run of fifty, 3 to 9 deviations above in all of them, carries the covariance."""
    far = (random.random((n, 1)) < 0.02) * random.uniform(3, 9, (n, 1)) * np.linspace(0.2, 1, K)
    return _SIZE * (10 + random.normal(0, 1, (n, K)) + far)


NINE: dict[str, Population] = {
    "heavy tails": heavy_tails,
    "zeros": zeros,
    "bimodal": bimodal,
    "nonlinear": nonlinear,
    "near-duplicates": near_duplicates,
    "regimes": regimes,
    "program": program,
    "xor": xor,
    "clayton": clayton,
}
SIX: dict[str, Population] = {
    "normal": normal,
    "heavy tails": heavy_tails,
    "log-normal": log_normal,
    "zeros": zeros,
    "bimodal": bimodal,
    "nonlinear": nonlinear,
    "near-duplicates": near_duplicates,
}
# Of rare runs that carry the relations: those of `carriers` cannot be known from 120 runs, since in 9 collections of 100 none is a carrier.
RARE: dict[str, Population] = {"storage": storage, "bursts": bursts, "shared zeros": shared_zeros, "carriers": carriers}


def table(population: Population, random: np.random.Generator, n: int) -> pd.DataFrame:
    """n runs that read all HEMs together."""
    return pd.DataFrame(population(random, n), columns=list(HEMS))
