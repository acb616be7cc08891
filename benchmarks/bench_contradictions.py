"""How often counts that agree are called contradictions, and how often a planted fault of scale is found and named.

    python benchmarks/bench_contradictions.py [--tables 1000] [--quick] [--seed N]

Clean tables: 2 to 4 subexperiments of 20 to 200 runs that read loads, stores, accesses (their sum) and others, of five kinds: runs that
vary together, autocorrelated runs, long tails, deterministic counts, heavy tails. A false alarm is a table with any identity called broken:
at most 1%.
Planted: one of loads, stores, accesses in one subexperiment is 5% more or less; found (anything called broken), and named (that HEM in
that subexperiment, the factor within 0.5%): at least 95%. Beside it what people do: means further apart than three standard errors.
Prints one line each; exits with 1 where a bound is broken.
"""

import argparse
import sys
import time
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hemcore.compare import identities  # noqa: E402
from hemcore.datasets.tables.subexperiments import Subexperiments  # noqa: E402

NAMES = ["loads", "stores", "accesses", "misses", "cycles", "branches"]
KINDS = ("together", "autocorrelated", "long tails", "deterministic", "heavy tails")


def frames_of(rng: np.random.Generator, kind: str) -> list[pd.DataFrame]:
    """Clean subexperiments of one kind."""
    n, spread, means = int(rng.integers(20, 200)), float(rng.choice([0.001, 0.01, 0.05, 0.2])), np.exp(rng.uniform(7, 18, 6))
    frames = []
    for _ in range(int(rng.integers(2, 5))):
        noise = rng.normal(0, 1, n)
        if kind == "autocorrelated":
            for at in range(1, n):
                noise[at] = 0.6 * noise[at - 1] + 0.8 * noise[at]
        elif kind == "long tails":
            noise = rng.exponential(1, n)
        elif kind == "heavy tails":
            noise = np.clip(rng.standard_t(3, n), -10, 10)
        lengths = np.ones(n) if kind == "deterministic" else np.exp(spread * noise)
        own = 1.0 if kind == "deterministic" else np.exp(rng.normal(0, spread / 3, (n, 6)))
        counts = np.round(means * lengths[:, None] * own + rng.poisson(3, (n, 6)))
        counts[:, 2] = counts[:, 0] + counts[:, 1]
        read = [0, 1, 2, *(int(at) for at in rng.permutation([3, 4, 5])[: rng.integers(1, 4)])]
        frames.append(pd.DataFrame(counts[:, read], columns=[NAMES[at] for at in read]))
    return frames


def broken(frames: list[pd.DataFrame]) -> pd.DataFrame:
    """The checks that do not hold."""
    found = identities(Subexperiments(frames=tuple(frames), n_pmcs=6))
    return found[~found["holds"].astype(bool)]


def apart(frames: list[pd.DataFrame]) -> bool:
    """Whether any HEM's means in two subexperiments are further apart than three standard errors."""
    for one, other in combinations(frames, 2):
        for hem in one.columns.intersection(other.columns):
            error = np.hypot(*(each[hem].std() / len(each) ** 0.5 for each in (one, other)))
            if abs(one[hem].mean() - other[hem].mean()) > 3 * error:
                return True
    return False


def main() -> int:
    """Prints the shares; 1 where a bound is broken."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--quick", action="store_true", help="100 tables")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    n = 100 if given.quick else given.tables
    counted = pd.DataFrame(0, index=list(KINDS), columns=["tables", "alarms", "found", "named", "alarms of 3 errors", "found by 3 errors"])
    begun = time.perf_counter()
    for number in range(n):
        rng = np.random.default_rng((given.seed, number))
        kind = KINDS[number % len(KINDS)]
        frames = frames_of(rng, kind)
        at, hem, factor = int(rng.integers(len(frames))), str(rng.choice(NAMES[:3])), float(rng.choice([1.05, 0.95]))
        alarms = [len(broken(frames)) > 0, apart(frames)]
        frames[at] = frames[at].assign(**{hem: np.round(frames[at][hem] * factor)})
        rows = broken(frames)
        place = (rows["hem"] == hem) & (rows["checked_in"] == f"subexperiment {at + 1}")
        named = bool((place & ((rows["factor"] / factor - 1).abs() < 0.005)).any())
        counted.loc[kind] += [1, alarms[0], len(rows) > 0, named, alarms[1], apart(frames)]
    counted.loc["all"] = counted.sum()
    shares = counted.div(counted["tables"], axis=0)
    for kind, row in shares.iterrows():
        print(
            f"{kind:15s} {counted.loc[kind, 'tables']:5d} tables: false alarms {row['alarms']:.1%}, found {row['found']:.1%}, named"
            f" with its factor {row['named']:.1%}; three standard errors: {row['alarms of 3 errors']:.1%}, {row['found by 3 errors']:.1%}"
        )
    whole = shares.loc["all"]
    ratio = whole["alarms of 3 errors"] / max(whole["alarms"], 1 / n)
    print(f"false alarms: {ratio:.0f} times fewer than three standard errors; {(time.perf_counter() - begun) / n * 1e3:.0f} ms a table")
    return int(whole["alarms"] > 0.01 or whole["found"] < 0.95 or whole["named"] < 0.95)


if __name__ == "__main__":
    sys.exit(main())
