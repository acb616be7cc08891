"""What the judges of `merge_quality` notice: rows of one distribution, and merges that are worse by degrees, on made populations.

    nice python benchmarks/bench_judges.py [--repeats 16] [--only normal near-duplicates]

Twelve judges of five HEMs, 60 and 250 rows each, the anchored plan of bench_populations.py. null: rows read together against such rows:
the standard deviation of the AUC of one judge in units of the Mann-Whitney statistic's, that of the mean of the twelve beside what
judge_sight.py states, and how often the mean is above `told` (1 in 20 is stated). Then merges in which a share of the rows is shuffled
(each HEM by itself) or has the right correlations of normal scores and nothing else: the mean AUC, how often it is above `told`, and the
AUC of a judge of all 20 HEMs and 1,000 rows. Exits with 1 if `told` is exceeded by chance in over 1 of 5 repeats of all.
"""

import argparse
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from bench_populations import planned
from populations import NINE, Population, normal, table
from scipy.stats import norm

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hemcore.likeness import classifier_auc  # noqa: E402
from hemcore.merge.trust.judge_sight import auc_seen, auc_told  # noqa: E402

GROUPS, JUDGES, ROWS = planned("anchored"), 12, 1_000
READ = [GROUPS[at * len(GROUPS) // JUDGES] for at in range(JUDGES)]


def worse(rows: pd.DataFrame, kind: str, share: float, random: np.random.Generator) -> pd.DataFrame:
    """`rows` of which `share` have lost what `kind` loses; every HEM keeps its readings."""
    values, at = rows.to_numpy(copy=True), random.permutation(len(rows))[: round(share * len(rows))]
    if len(at) > 1:
        scores = norm.ppf((rows.rank().to_numpy() - 0.5) / len(rows))
        right = np.corrcoef(scores.T) if kind == "gaussian" else np.eye(len(scores.T))
        drawn = random.multivariate_normal(np.zeros(len(right)), right, len(at), method="eigh")
        values[at] = np.take_along_axis(np.sort(values[at], axis=0), drawn.argsort(axis=0).argsort(axis=0), axis=0)
    return pd.DataFrame(values, columns=rows.columns)


def judged(population: Population, rows: int, kind: str, share: float, random: np.random.Generator, seed: int) -> list[float]:
    """The AUC of each judge, which draws its own rows of one merged table."""
    merged = worse(table(population, random, 4 * rows), kind, share, random)
    return [
        classifier_auc(table(population, random, rows)[hems], merged[hems].sample(rows, random_state=100 * seed + at), seed=seed)
        for at, hems in enumerate(READ)
    ]


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--repeats", type=int, default=16)
    arguments.add_argument("--only", nargs="*", default=["normal", "nonlinear", "near-duplicates", "clayton"])
    given = arguments.parse_args()
    populations, by_chance = {"normal": normal, **NINE}, []
    for rows in (60, 250):
        alone, told, stated = np.sqrt((2 * rows + 1) / (12 * rows * rows)), auc_told(rows, JUDGES), (auc_told(rows, JUDGES) - 0.5) / 1.645
        print(f"{rows} rows: told {told:.3f}, seen {auc_seen(rows, JUDGES):.3f}")
        for name in given.only:
            random = np.random.default_rng(11)
            null = np.array([judged(populations[name], rows, "shuffled", 0.0, random, seed) for seed in range(given.repeats)])
            means = null.mean(axis=1)
            by_chance += (means > told).tolist()
            print(
                f"{name:16} null: mean {means.mean():.3f}, one judge {null.std() / alone:.2f}, sd of means {means.std(ddof=1):.4f} "
                f"(stated {stated:.4f}), above told {(means > told).mean():.2f}",
                flush=True,
            )
            for kind in ("shuffled", "gaussian"):
                for share in (0.2, 0.5, 0.9):
                    few = range(max(2, given.repeats // 3))
                    means = np.mean([judged(populations[name], rows, kind, share, random, seed) for seed in few], axis=1)
                    merged = worse(table(populations[name], random, ROWS), kind, share, random)
                    whole = classifier_auc(table(populations[name], random, ROWS), merged)
                    noticed = (means > told).mean()
                    print(f"{name:16} {kind:8} {share:.1f}: {means.mean():.3f}, noticed {noticed:.2f}; all HEMs {whole:.3f}", flush=True)
    print(f"above told by chance: {np.mean(by_chance):.3f}")
    return int(np.mean(by_chance) > 0.2)


if __name__ == "__main__":
    raise SystemExit(main())
