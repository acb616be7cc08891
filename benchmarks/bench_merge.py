"""HRM and MUCH against the straightforward way with pandas, in the same run: seconds, peak memory, correlation MSE.

    python benchmarks/bench_merge.py [--quick]

HRM: 82 subexperiments x 100,000 runs x 6 HEMs (simulated counts). MUCH: 16 HEMs in the T2080 plan of 24 subexperiments; its readings from
../shared/data where they are (drawn with replacement for the large one), simulated where not. The pandas way of MUCH keeps the best of
n_sims Gaussian samples; it needs a positive definite matrix, so all 16 HEMs are given it through the nearest correlation matrix.
Seconds are the median of the repeats, as many for each way, with the first call beside it: it is slower where memory is new. Peak memory is
what Python and NumPy hold at most beside the readings (tracemalloc, in a run of its own).
"""

import argparse
import gc
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hemcore.merge import correlation_matrix, hrm_merge, much_merge, process_raw_experiments  # noqa: E402
from hemcore.merge.much.repaired_matrix import nearest_correlation  # noqa: E402

T2080 = ROOT.parent / "shared" / "data" / "t2080" / "t2080_much_raw.csv"


def star(n_subexperiments: int, n_runs: int, n_pmcs: int) -> list[pd.DataFrame]:
    """Counts of which the first HEM is the same in each subexperiment."""
    random = np.random.default_rng(0)
    frames = []
    for number in range(n_subexperiments):
        counts = random.normal(2e7, 2e6, (n_runs, n_pmcs))
        counts[:, 1:] = 0.3 * counts[:, :1] + 0.1 * counts[:, 1:]
        names = ["CYCLES", *(f"HEM_{number}_{place}" for place in range(1, n_pmcs))]
        frames.append(pd.DataFrame(counts.astype(np.int64), columns=names))
    return frames


def plan(n_runs: int) -> tuple[list[pd.DataFrame], str]:
    """The T2080 plan with n_runs runs a subexperiment, and where its readings come from."""
    random = np.random.default_rng(0)
    if T2080.exists():
        frames = process_raw_experiments(pd.read_csv(T2080), 6, min_mean=100)
        if n_runs == len(frames[0]):
            return frames, "T2080 readings"
        drawn = [frame.iloc[random.integers(0, len(frame), n_runs)].reset_index(drop=True) for frame in frames]
        return drawn, "T2080 readings, drawn with replacement"
    loads = random.normal(size=(16, 4))
    groups = [group for group in combinations(range(16), 6) if random.random() < 0.01]
    frames = []
    for group in [*groups, *combinations(range(16), 2)]:
        counts = 1e6 + 1e4 * (random.normal(size=(n_runs, 4)) @ loads[list(group)].T + random.normal(size=(n_runs, len(group))))
        frames.append(pd.DataFrame(counts.astype(np.int64), columns=[f"HEM_{place}" for place in group]))
    return frames, "simulated counts"


def hrm_with_pandas(frames: list[pd.DataFrame], anchor: str) -> pd.DataFrame:
    arranged = [frame.sort_values(anchor, kind="stable", ignore_index=True) for frame in frames]
    rest = pd.concat([frame.drop(columns=anchor) for frame in arranged], axis=1)
    readings = pd.concat([frame[anchor] for frame in arranged])
    quantiles = np.quantile(readings, np.linspace(0, 1, len(rest)), method="averaged_inverted_cdf")
    return pd.concat([pd.Series(quantiles, name=anchor), rest], axis=1)


def much_with_pandas(frames: list[pd.DataFrame], n_runs: int, n_sims: int) -> pd.DataFrame:
    hems = list(dict.fromkeys(hem for frame in frames for hem in frame))
    target = pd.DataFrame(np.eye(len(hems)), index=hems, columns=hems)
    for first, second in combinations(hems, 2):
        parts = []
        for frame in frames:
            if first in frame and second in frame:
                both = frame[[first, second]]
                distance = ((both - both.mean()) ** 2).sum(axis=1)
                parts.append(both[(distance - distance.mean()) / distance.std() < 3])
        target.loc[first, second] = target.loc[second, first] = pd.concat(parts).corr().iloc[0, 1]
    readings = {}
    for hem in hems:
        parts = []
        for frame in frames:
            if hem in frame:
                distance = (frame[hem] - frame[hem].mean()) ** 2
                parts.append(frame.loc[(distance - distance.mean()) / distance.std() < 3, hem])
        readings[hem] = pd.concat(parts)
    random = np.random.default_rng(0)
    drawn = pd.DataFrame({hem: np.sort(readings[hem].sample(n_runs, replace=True, random_state=0)) for hem in hems})
    definite = nearest_correlation(target.to_numpy())
    best, least = drawn, np.inf
    for _ in range(n_sims):
        sample = pd.DataFrame(random.multivariate_normal(np.zeros(len(hems)), definite, n_runs, check_valid="ignore"), columns=hems)
        ranks = sample.rank(method="first").astype(int) - 1
        merged = pd.DataFrame({hem: drawn[hem].to_numpy()[ranks[hem]] for hem in hems})
        mse = float(((merged.corr() - target) ** 2).to_numpy().mean())
        if mse < least:
            best, least = merged, mse
    return best


def measured(work: Callable[[], pd.DataFrame], repeats: int) -> tuple[float, float, float, pd.DataFrame]:
    """Median seconds, seconds of the first call, peak MiB and the result of `work`."""
    seconds = []
    for _ in range(repeats):
        gc.collect()
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    gc.collect()
    tracemalloc.start()
    result = work()
    peak = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    return statistics.median(seconds), seconds[0], peak, result


def line(name: str, way: str, seconds: float, first: float, peak: float, base: tuple[float, float], mse: float | None = None) -> None:
    error = "" if mse is None else f"{mse:10.1e}"
    faster, smaller = f"{base[0] / seconds:.1f}x", f"{base[1] / peak:.1f}x"
    print(f"{name:34} {way:22} {seconds:9.3f} {first:9.3f} {faster:>8} {peak:10.1f} {smaller:>8} {error:>10}")


def bench_hrm(n_runs: int, repeats: int) -> None:
    frames = star(82, n_runs, 6)
    name = f"HRM 82 x {n_runs:,} x 6"
    seconds, first, peak, theirs = measured(lambda: hrm_with_pandas(frames, "CYCLES"), repeats)
    base = (seconds, peak)
    line(name, "pandas", seconds, first, peak, base)
    seconds, first, peak, ours = measured(lambda: hrm_merge(frames, "CYCLES"), repeats)
    line(name, "hrm_merge", seconds, first, peak, base)
    apart = sum(int((ours[hem].to_numpy() != theirs[hem].to_numpy()).sum()) for hem in theirs)
    print(f"{'':34} {apart} of {ours.size:,} values differ (quantile probabilities that floating point just misses)")


def bench_much(n_runs: int, n_sims: int, repeats: int) -> None:
    readings, origin = plan(n_runs)
    target = correlation_matrix(readings)
    name = f"MUCH {len(target)} HEMs, {n_runs:,} runs"
    ways: dict[str, Callable[[], pd.DataFrame]] = {
        f"pandas, best of {n_sims}": lambda: much_with_pandas(readings, n_runs, n_sims),
        f"simulated, best of {n_sims}": lambda: much_merge(readings, n_runs, n_sims, 1.0, method="simulated").merged,
        "calibrated": lambda: much_merge(readings, n_runs, n_sims, 1.0).merged,
    }
    base = None
    for way, work in ways.items():
        seconds, first, peak, merged = measured(work, repeats)
        base = base or (seconds, peak)
        line(name, way, seconds, first, peak, base, float(((merged.corr() - target) ** 2).to_numpy().mean()))
    print(f"{'':34} {origin}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="smaller: 10,000 runs, 10 samples in the large case")
    quick = parser.parse_args().quick
    large, repeats = (10_000, 1) if quick else (100_000, 3)
    print(f"{'case':34} {'way':22} {'seconds':>9} {'first':>9} {'faster':>8} {'peak MiB':>10} {'smaller':>8} {'corr. MSE':>10}")
    bench_hrm(large, repeats)
    bench_much(1000, 100, repeats)
    bench_much(large, 10, repeats)


if __name__ == "__main__":
    main()
