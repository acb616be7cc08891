"""How far the course of a HEM over sets goes where nothing changed: the limits in hemcore/compare/releases/course_limits.py.

    python -m benchmarks.make_course_limits > limits.txt

Normal values are drawn again and again, cut exactly by dynamic programming (not by the search that the analysis uses), and the statistic
of `hemcore.compare.releases` is taken: the largest gain per change point, divided by the variance around the best course with as many
changes as are allowed. The quantiles are printed as the table of that module.
"""

import argparse

import numpy as np
from numba import njit

from hemcore.compare.releases.course_limits import PROBABILITIES, most_changes

SIZES = (*range(6, 31), 35, 40, 50, 60, 80, 100)


@njit(cache=True)
def statistics(n: int, most: int, draws: int, rng: np.random.Generator) -> np.ndarray:
    """The statistic of `draws` courses of `n` normal values; shape (draws,)."""
    found = np.empty(draws)
    cost = np.zeros((n + 1, n + 1))
    best = np.empty((most + 1, n + 1))
    for draw in range(draws):
        x = rng.standard_normal(n)
        for start in range(n):
            total, squares = 0.0, 0.0
            for stop in range(start + 1, n + 1):
                total += x[stop - 1]
                squares += x[stop - 1] ** 2
                cost[start, stop] = squares - total * total / (stop - start)
        for stop in range(1, n + 1):
            best[0, stop] = cost[0, stop]
        for k in range(1, most + 1):
            for stop in range(k + 1, n + 1):
                least = np.inf
                for start in range(k, stop):
                    least = min(least, best[k - 1, start] + cost[start, stop])
                best[k, stop] = least
        largest = 0.0
        for k in range(1, most + 1):
            largest = max(largest, (best[0, n] - best[k, n]) / k)
        found[draw] = largest / (best[most, n] / (n - 1 - most))
    return found


def main() -> None:
    """Prints a row per number of sets."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--draws", type=int, default=400_000)
    draws = options.parse_args().draws
    for n in SIZES:
        limits = np.quantile(statistics(n, most_changes(n), draws, np.random.default_rng(n)), 1 - np.array(PROBABILITIES))
        print(f"    {n}: ({', '.join(f'{each:.4g}' for each in limits)}),", flush=True)


if __name__ == "__main__":
    main()
