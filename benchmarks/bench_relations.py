"""How often a comparison finds correlations that did not change, those that did, and how often its intervals hold.

    python benchmarks/bench_relations.py [--splits 300] [--quick] [--seed N]

A/A: real readings (samples, NXP T2080, Cortex-A15) are split at random into two sets of 10 to 250 runs, where no correlation changed: the
share of splits with any false finding, which the rate of 5% bounds. Beside it R. A. Fisher's z test, with the same control over all pairs.
Made: pairs of HEMs of one correlation (0, 0.6, 0.95) and a distribution, alone: the share of false findings at 5% of ours and of Fisher's.
Coverage: how often 90% intervals hold the true change of r, from 0.3 to 0.7 and from 0.9 to 0.95.
Planted: of 14 HEMs, one pair of r 0.8 is read in 100 runs as if it had 0.3: found in how many sets.
Speed: two tables of 1e5 runs x 40 HEMs, 780 pairs. Prints one line each; exits with 1 where a bound is broken.
"""

import argparse
import sys
import time
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
from bench_compare import Floats, pools, set_of, split

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scipy.special import ndtr

from hemcore.compare.false_discoveries import adjusted
from hemcore.compare.params import CompareParams
from hemcore.compare.relations import relations_of
from hemcore.errors import TableError
from hemcore.rank_correlation import normal_scores

MOST_FALSE, COVERED = 0.062, (0.86, 0.94)
Made = Callable[[np.random.Generator, int, float], Floats]


def judged(before: pd.DataFrame, after: pd.DataFrame, seed: int = 0) -> pd.DataFrame:
    """The table of our relations."""
    return relations_of(set_of(before), set_of(after), CompareParams(seed=seed)).table


def fishers(before: pd.DataFrame, after: pd.DataFrame) -> Floats:
    """Fisher's probability of each pair."""
    found = []
    for a, b in combinations(before.columns, 2):
        r = [float(np.clip(each[[a, b]].dropna().corr().iloc[0, 1], -0.999999, 0.999999)) for each in (before, after)]
        error = np.sqrt(sum(1 / max(len(each[[a, b]].dropna()) - 3, 1) for each in (before, after)))
        found.append(2 * float(ndtr(-abs(np.arctanh(r[1]) - np.arctanh(r[0])) / error)))
    return np.array(found)


def false_findings(frames: list[pd.DataFrame], splits: int, rng: np.random.Generator) -> tuple[float, float, float]:
    """The shares of splits with a false finding, of ours and of Fisher's; and the coverage of no change."""
    ours, theirs, inside = [], [], []
    for number in range(splits):
        before, after = split(frames, rng)
        try:
            table = judged(before, after, number)
        except TableError:
            continue  # too few runs, or constant HEMs
        ours.append(table["changed"].any())
        theirs.append((adjusted(fishers(before, after)) <= 0.05).any())
        inside += ((table["low"] <= 0) & (table["high"] >= 0)).tolist()
    return float(np.mean(ours)), float(np.mean(theirs)), float(np.mean(inside))


def populations() -> dict[str, Made]:
    """Two HEMs of a given correlation, of their Gaussian parts."""

    def gaussian(rng: np.random.Generator, n: int, r: float) -> Floats:
        g = rng.normal(size=(n, 2))
        g[:, 1] = r * g[:, 0] + np.sqrt(1 - r * r) * g[:, 1]
        return g

    def bimodal(rng: np.random.Generator, n: int, r: float) -> Floats:
        return 0.3 * gaussian(rng, n, r) + (rng.random((n, 1)) < 0.3) * 3

    def poisson(rng: np.random.Generator, n: int, r: float) -> Floats:
        return rng.poisson(3 * np.exp(0.5 * gaussian(rng, n, r))).astype(float)

    def dependent(rng: np.random.Generator, n: int, r: float) -> Floats:
        steps = gaussian(rng, n + 30, r)
        for place in range(1, n + 30):
            steps[place] += 0.6 * steps[place - 1]
        return steps[30:]

    return {
        "normal": gaussian,
        "log-normal 0.3": lambda rng, n, r: np.exp(0.3 * gaussian(rng, n, r)),
        "log-normal 1": lambda rng, n, r: np.exp(gaussian(rng, n, r)),
        "t with 3 degrees": lambda rng, n, r: gaussian(rng, n, r) / np.sqrt(rng.chisquare(3, size=(n, 1)) / 3),
        "bimodal": bimodal,
        "Poisson": poisson,
        "AR(1) 0.6": dependent,
    }


def _frame(values: Floats) -> pd.DataFrame:
    return pd.DataFrame(values, columns=[f"H{place}" for place in range(values.shape[1])])


def of_one_pair(make: Made, rng: np.random.Generator, repeats: int) -> tuple[float, float]:
    """The shares of false findings at 5%, ours and Fisher's, over three correlations and three sizes."""
    found = []
    for r in (0.0, 0.6, 0.95):
        for sizes in ((20, 20), (60, 60), (30, 200)):
            for number in range(repeats):
                before, after = (_frame(make(rng, n, r)) for n in sizes)
                found.append((judged(before, after, number)["probability"].iloc[0] < 0.05, fishers(before, after)[0] < 0.05))
    ours, theirs = np.mean(found, axis=0)
    return float(ours), float(theirs)


def covered(make: Made, rng: np.random.Generator, repeats: int, r: tuple[float, float], n: int) -> float:
    """How often the interval holds the true change."""
    true = [float(np.mean(np.prod(normal_scores(make(np.random.default_rng(9), 200_000, each)), axis=1))) for each in r]
    inside = []
    for number in range(repeats):
        row = judged(*(_frame(make(rng, n, each)) for each in r), seed=number).iloc[0]
        inside.append(row["low"] <= true[1] - true[0] <= row["high"])
    return float(np.mean(inside))


def planted(rng: np.random.Generator, sets: int) -> float:
    """How often the pair whose correlation was weakened is named first and called changed."""
    found = []
    for number in range(sets):
        shared = rng.normal(size=(200, 1))
        values = np.exp(0.2 * (np.sqrt(0.8) * shared + np.sqrt(0.2) * rng.normal(size=(200, 14))))
        after = values[100:].copy()
        after[:, 3] = np.exp(0.2 * (np.sqrt(0.3 * 0.3 / 0.8) * shared[100:, 0] + np.sqrt(1 - 0.09 / 0.8) * rng.normal(size=100)))
        table = judged(_frame(values[:100]), _frame(after), number)
        touched = (table["hem_a"] == "H3") | (table["hem_b"] == "H3")
        found.append(float(table["changed"][touched].mean()))
    return float(np.mean(found))


def main() -> int:
    """Print every figure; 1 if a bound is broken."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--splits", type=int, default=300)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    splits = 40 if given.quick else given.splits
    rng = np.random.default_rng(given.seed)
    kept = True
    rates = []
    for name, frames in pools().items():
        ours, theirs, inside = false_findings(frames, splits, rng)
        rates.append(ours)
        print(f"A/A {name}: {ours:.1%} of splits with a false finding (Fisher's z {theirs:.1%}); intervals hold {inside:.1%}", flush=True)
    print(f"A/A, all sources: {np.mean(rates):.1%} on average, bound {MOST_FALSE:.1%}")
    kept &= float(np.mean(rates)) <= MOST_FALSE
    for name, make in populations().items():
        ours, theirs = of_one_pair(make, rng, max(splits // 3, 10))
        held = [covered(make, rng, splits, r, n) for r in ((0.3, 0.7), (0.9, 0.95)) for n in (30, 120)]
        print(
            f"{name}: {ours:.1%} false at 5% (Fisher's z {theirs:.1%}); 90% intervals hold {' '.join(f'{each:.0%}' for each in held)}"
            " (r .3 to .7, then .9 to .95; 30, 120 runs)",
            flush=True,
        )
    print(f"Planted: {planted(rng, max(splits // 6, 10)):.1%} of the 13 pairs of the HEM that lost its relation are found (100 runs)")
    big = [_frame(rng.normal(size=(100_000, 40)) + rng.normal(size=(100_000, 1))) for _ in range(2)]
    start = time.perf_counter()
    judged(*big)
    print(f"2 x 1e5 runs x 40 HEMs, 780 pairs: {time.perf_counter() - start:.2f} s")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
