"""How near merged rows come to rows read together: the copula merge beside HRM and MUCH, on two truths, in the same run.

    python benchmarks/bench_copula.py [--quick]

The project's own collection (7 subexperiments x 500 runs, 14 HEMs) against its truth of 1,000 runs that read all HEMs; the same with 350
runs a subexperiment; the T2080 readings with one subexperiment of 24 held out, which is the truth for its HEMs (8 folds; where
../shared/data has them). Figures are medians over seeds or folds: mean squared error of Pearson's r and Spearman's rho over the pairs,
energy distance (U-statistic on ranks), AUC of a random forest (RF) and of gradient boosted trees (GB) in five folds. True rows: half the
truth's rows against the other half. Then how often intervals hold the true r, and whether halves of a user's runs rank ten merges as the
truth does. --quick: one seed, two folds, no ranking.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import spearmanr
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hemcore.datasets import load  # noqa: E402
from hemcore.errors import HemError  # noqa: E402
from hemcore.likeness import MEASURES, compared, energy_distance  # noqa: E402
from hemcore.merge import copula_merge, hrm_merge, measured_intervals, merge_quality, much_merge, process_raw_experiments  # noqa: E402

T2080 = ROOT.parent / "shared" / "data" / "t2080" / "t2080_much_raw.csv"
Frames = Sequence[pd.DataFrame]
Merge = Callable[[Frames, int, int], pd.DataFrame]


def _hrm(frames: Frames, n_runs: int, seed: int) -> pd.DataFrame:
    """HRM by the HEM that most subexperiments read, of those that read it."""
    anchor = max(dict.fromkeys(hem for frame in frames for hem in frame), key=lambda hem: sum(hem in frame for frame in frames))
    return hrm_merge([frame for frame in frames if anchor in frame], anchor)


def _much(frames: Frames, n_runs: int, seed: int, **how: object) -> pd.DataFrame:
    return much_merge(frames, n_runs, 100, 1.0, seed=seed, unmeasured="complete", **how).merged  # type: ignore[arg-type]


METHODS: dict[str, Merge] = {
    "HRM": _hrm,
    "MUCH, simulated (R's way)": lambda frames, n_runs, seed: _much(frames, n_runs, seed, method="simulated"),
    "MUCH, calibrated": _much,
    "copula by EM alone": lambda frames, n_runs, seed: copula_merge(frames, n_runs, components=1, swaps=0, seed=seed).merged,
    "copula_merge": lambda frames, n_runs, seed: copula_merge(frames, n_runs, seed=seed).merged,
}
# What a page's comparison might rank: the merges, and weaker forms of them.
RANKED: dict[str, Merge] = {
    **{name: merge for name, merge in METHODS.items() if name != "HRM"},
    "mixture alone": lambda frames, n_runs, seed: copula_merge(frames, n_runs, swaps=0, seed=seed).merged,
    "1 feature": lambda frames, n_runs, seed: copula_merge(frames, n_runs, features=1, seed=seed).merged,
    "2 features": lambda frames, n_runs, seed: copula_merge(frames, n_runs, features=2, seed=seed).merged,
    "4 features": lambda frames, n_runs, seed: copula_merge(frames, n_runs, features=4, seed=seed).merged,
    "MUCH without tails": lambda frames, n_runs, seed: _much(frames, n_runs, seed, outlier_zscore=1.0),
    "independent": lambda frames, n_runs, seed: _shuffled(frames, n_runs, seed),
}


def _shuffled(frames: Frames, n_runs: int, seed: int) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    pooled = pd.concat(frames)
    return pd.DataFrame({hem: random.choice(pooled[hem].dropna(), n_runs) for hem in pooled})


def figures(merged: pd.DataFrame, truth: pd.DataFrame, seed: int) -> dict[str, float]:
    hems = [hem for hem in truth if hem in merged]
    merged, truth = merged[hems], truth[hems]
    upper = np.triu_indices(len(hems), 1)
    found = {
        how: float((((merged.corr(how) - truth.corr(how)).to_numpy()[upper]) ** 2).mean()) for how in ("pearson", "spearman")
    }  # fmt: skip
    found["energy"] = energy_distance(truth, merged)
    ranks = pd.concat([truth, merged]).rank().to_numpy()
    belongs = np.repeat([0, 1], [len(truth), len(merged)])
    folds = StratifiedKFold(5, shuffle=True, random_state=seed)
    for name, trees in (
        ("RF", RandomForestClassifier(100, min_samples_leaf=3, random_state=seed)),
        ("GB", GradientBoostingClassifier(random_state=seed)),
    ):
        told = cross_val_predict(trees, ranks, belongs, cv=folds, method="predict_proba")[:, 1]
        found[name] = float(roc_auc_score(belongs, told))
    return found


def table(title: str, rounds: Sequence[tuple[Frames, pd.DataFrame]], n_runs: int) -> None:
    """A row a method: medians over the rounds, each (readings, truth)."""
    print(f"\n{title}\n{'method':28} {'Pearson':>9} {'Spearman':>9} {'energy':>9} {'RF':>6} {'GB':>6} {'s':>6}")
    halves = []
    for seed, (_, truth) in enumerate(rounds):
        order = np.random.default_rng(seed).permutation(len(truth))
        halves.append(figures(truth.iloc[order[::2]], truth.iloc[order[1::2]], seed))
    _line("true rows", halves, [])
    for name, merge in METHODS.items():
        found, seconds = [], []
        for seed, (frames, truth) in enumerate(rounds):
            try:
                start = time.perf_counter()
                merged = merge(frames, n_runs, seed)
                seconds.append(time.perf_counter() - start)
            except HemError as error:
                print(f"{name:28} {error}")
                break
            found.append(figures(merged, truth, seed))
        if len(found) == len(rounds):
            _line(name, found, seconds)


def _line(name: str, found: Sequence[dict[str, float]], seconds: Sequence[float]) -> None:
    middle = {each: statistics.median(one[each] for one in found) for each in found[0]}
    took = f"{statistics.median(seconds):6.2f}" if seconds else ""
    errors = f"{middle['pearson']:9.2e} {middle['spearman']:9.2e} {middle['energy']:9.5f}"
    print(f"{name:28} {errors} {middle['RF']:6.3f} {middle['GB']:6.3f} {took}", flush=True)


def coverage(frames: Frames, truth: pd.DataFrame, collections: int) -> None:
    real, held = truth.corr(), []
    for seed in range(collections):
        random = np.random.default_rng(seed)
        drawn = [truth.iloc[random.integers(0, len(truth), len(frame))][list(frame)].reset_index(drop=True) for frame in frames]
        rows = measured_intervals(drawn)
        r = np.array([real.loc[a, b] for a, b in zip(rows["hem_a"], rows["hem_b"], strict=True)])
        held.append((rows["low"] <= r) & (r <= rows["high"]))
    share = np.array(held, dtype=float)
    print(f"\n90 % intervals over {collections} collections drawn from the truth: mean coverage {share.mean():.3f}", end="")
    print(f", worst of {share.shape[1]} pairs {share.mean(axis=0).min():.2f}")


def ranking(frames: Frames, truth: pd.DataFrame) -> None:
    ways = {name: lambda halves, n_runs, merge=merge: merge(halves, n_runs, 0) for name, merge in RANKED.items()}
    judged = merge_quality(frames, ways).rows.set_index("method")
    real = pd.DataFrame({name: compared(merge(frames, 1000, 0), truth) for name, merge in RANKED.items()}).T
    print(f"\nrank correlation of {len(RANKED)} merges judged by halves of the runs with the truth's ranking: ", end="")
    print(", ".join(f"{name} {spearmanr(judged.loc[list(RANKED), name], real[name])[0]:.2f}" for name in MEASURES))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="one seed, two folds, no ranking of methods")
    quick = parser.parse_args().quick
    seeds = range(1 if quick else 3)
    sample = load("sample-subexperiments-much")
    frames, truth = list(sample.frames), sample.truth
    copula_merge(frames, 100, swaps=10)  # compiled before anything is timed
    table("project's own collection, 7 x 500 runs, merged to 1,000", [(frames, truth)] * len(seeds), 1000)
    fewer = [([frame.sample(350, random_state=seed) for frame in frames], truth) for seed in seeds]
    table("project's own collection, 7 x 350 runs, merged to 1,000", fewer, 1000)
    if T2080.exists():
        parts = process_raw_experiments(pd.read_csv(T2080), 6, min_mean=100)
        folds = [([*parts[:at], *parts[at + 1 :]], parts[at]) for at in range(0, 24, 3)]
        table("T2080, one subexperiment of 24 held out, merged to 1,000", folds[: 2 if quick else 8], 1000)
    coverage(frames, truth, 4 if quick else 40)
    if not quick:
        ranking(frames, truth)


if __name__ == "__main__":
    main()
