"""How often courses over sets show a change that is not there, and how often one that is.

    python benchmarks/bench_releases.py [--sequences 200] [--seed N]

A/A: real readings (as in bench_compare) are dealt into 3 to 30 sets, at random or in their order, where nothing changed. A false finding
is a change point; printed: the share of sequences with any, which the rate (5%) bounds where nothing changes. With "nights", every count
of a HEM in a set is multiplied by a factor of its own (1% deviation): noise that no scatter of runs within a set shows. Beside it what
people do: each set against the one before it by Welch's t-test at 5%.
Planted: 3% and 5% more of one HEM from a random set on, with two sets on either side; found where a change point of that HEM lies at most
one set off. Of those whose error of a set's mean is at most a third of a percent, a sequence of six sets or more.
Prints one line each; exits with 1 where more than 6.2% of the shuffled sequences show a change.
"""

import argparse
import sys
import warnings
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import ttest_ind

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.bench_compare import pools, set_of  # noqa: E402
from hemcore.compare.params import CompareParams  # noqa: E402
from hemcore.compare.releases.course_changes import Releases, releases_of  # noqa: E402
from hemcore.compare.releases.levels_of_sets import set_levels  # noqa: E402

SIZES = (3, 5, 6, 8, 12, 20, 30)
MOST_FALSE, FEWEST_RUNS, STEADY = 0.062, 5, 1 / 300


def dealt(frame: pd.DataFrame, n: int, rng: np.random.Generator, *, ordered: bool) -> list[pd.DataFrame]:
    """`frame` in `n` sets of equally many runs."""
    rows = np.arange(len(frame)) if ordered else rng.permutation(len(frame))
    return [frame.iloc[each].reset_index(drop=True) for each in np.array_split(rows, n)]


def course(sets: list[pd.DataFrame]) -> Releases:
    """The courses at the defaults."""
    params = CompareParams()
    return releases_of(set_levels({f"set {number}": set_of(each) for number, each in enumerate(sets)}, params), params)


def false_rates(frames: list[pd.DataFrame], n: int, sequences: int, rng: np.random.Generator, how: str) -> tuple[float, float]:
    """Shares of sequences with a change point, ours and by Welch's test of neighbours."""
    ours, welch = [], []
    for _ in range(sequences):
        sets = dealt(frames[rng.integers(len(frames))], n, rng, ordered=how == "in order")
        if how == "nights":
            sets = [each * np.exp(rng.normal(0, 0.01, each.shape[1])) for each in sets]
        ours.append(len(course(sets).changes) > 0)
        welch.append(any((ttest_ind(a, b, equal_var=False, nan_policy="omit").pvalue < 0.05).any() for a, b in pairwise(sets)))
    return float(np.mean(ours)), float(np.mean(welch))


def found_rates(frames: list[pd.DataFrame], n: int, sequences: int, rng: np.random.Generator, size: float) -> tuple[float, int]:
    """The share of planted changes that are found, of HEMs whose sets are steady enough, and how many those are."""
    found = []
    for _ in range(sequences):
        sets = dealt(frames[rng.integers(len(frames))], n, rng, ordered=False)
        error = pd.concat([each.std() / each.mean() / np.sqrt(len(each)) for each in sets], axis=1).mean(axis=1)
        steady = error[error <= STEADY].index
        if not len(steady):
            continue
        hem, place = str(rng.choice(steady)), int(rng.integers(2, n - 1))
        sets = [each.assign(**{hem: each[hem] * (1 + size * (number >= place))}) for number, each in enumerate(sets)]
        changes = course(sets).changes
        own = changes[changes["hem"] == hem]
        found.append(bool((np.abs(own["place"] - place) <= 1).any()))
    return (float(np.mean(found)) if found else float("nan")), len(found)


def main() -> int:
    """Runs what the top of this file says."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--sequences", type=int, default=200)
    options.add_argument("--seed", type=int, default=0)
    chosen = options.parse_args()
    rng = np.random.default_rng(chosen.seed)
    warnings.simplefilter("ignore")  # of SciPy, about constant HEMs
    every = pools()
    shuffled = []
    for how in ("shuffled", "in order", "nights"):
        for n in SIZES:
            usable = {name: [each for each in frames if len(each) >= FEWEST_RUNS * n] for name, frames in every.items()}
            rates = {
                name: false_rates(frames, n, chosen.sequences if how == "shuffled" else chosen.sequences // 4, rng, how)
                for name, frames in usable.items()
                if frames
            }
            ours = {name: rate for name, (rate, _) in rates.items()}
            mean = float(np.mean(list(ours.values())))
            if how == "shuffled":
                shuffled.append(mean)
            each = ", ".join(f"{name} {rate:.1%}" for name, rate in ours.items())
            print(f"A/A {how}, {n} sets: {mean:.1%} (Welch {np.mean([w for _, w in rates.values()]):.0%}); {each}", flush=True)
    for size in (0.03, 0.05):
        for n in SIZES:
            parts = []
            for name, frames in every.items():
                usable_frames = [each for each in frames if len(each) >= FEWEST_RUNS * n]
                if usable_frames and n > 3:
                    share, number = found_rates(usable_frames, n, chosen.sequences // 4, rng, size)
                    parts += [f"{name} {share:.0%} of {number}"] if number else []
            if parts:
                print(f"planted {size:.0%}, {n} sets: {', '.join(parts)}", flush=True)
    print(f"A/A shuffled, all: {np.mean(shuffled):.2%}")
    return int(np.mean(shuffled) > MOST_FALSE)


if __name__ == "__main__":
    sys.exit(main())
