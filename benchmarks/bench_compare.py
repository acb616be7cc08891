"""How often a comparison finds what is not there, how often it finds what is, and how often its intervals hold.

    python benchmarks/bench_compare.py [--splits 1000] [--quick] [--seed N]

A/A: real readings (two samples, NXP T2080, Cortex-A15) are split at random into two sets of 10 to 250 runs, where nothing changed. A false
finding is a HEM called changed. Printed: the share of splits with any (which the rate bounds where nothing changed: at most 6.2% for 5%;
with its binomial standard error), and of splits x HEMs; --splits are shared among the sources. Beside it what people do: Welch's t-test and
Mann-Whitney's test of each HEM at 5%.
Coverage of no change is printed over all HEMs that vary, and over those of which no count stands in half of the runs or more: two sets of
mostly equal runs mostly have equal means, so that no interval can leave out no change as often as its level says.
Planted: 3% more of one HEM of 14 in 200 runs. The bound: the deviation of a run at which Welch's test at the probability that one of 14
needs (0.05 / 14) finds 3% nine times of ten, and for the median a normal test of it, whose
error is known; the comparison finds the median's error from the runs, which costs some of it near the bound. Below it 90% are to be found.
Coverage: how often 90% intervals hold the true change, of real readings times 1.1 and of made ones (heavy tails, zeros, unequal sets).
Phases: A/A of the change split into phases: 8, 15 or 30 of a program's 60 runs against as many others of them.
Speed: two tables of 1e5 runs x 40 HEMs, the table alone at another level, and the relations.
Prints one line each; exits with 1 where a bound is broken.
"""

import argparse
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import ndtri
from scipy.stats import mannwhitneyu, ttest_ind

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import hemcore as hem  # noqa: E402
from hemcore.compare.params import CompareParams, StatisticName  # noqa: E402
from hemcore.compare.relations.changed_pairs import relations_of  # noqa: E402
from hemcore.compare.replicates import replicates_of  # noqa: E402
from hemcore.compare.results import Comparison  # noqa: E402
from hemcore.compare.run_sets import RunGroup, RunSet, run_set_of  # noqa: E402
from hemcore.compare.stages.asked_cuts import joint_cut  # noqa: E402
from hemcore.compare.stages.program_runs import programs_of  # noqa: E402
from hemcore.compare.stages.stage_changes import stage_changes_of  # noqa: E402
from hemcore.compare.two_sets import comparison_of  # noqa: E402

Floats = NDArray[np.float64]
DATA = ROOT.parent / "shared" / "data"
SIZES = (10, 25, 50, 100, 250)
MOST_FALSE, LEAST_FOUND, COVERED = 0.062, 0.9, (0.88, 0.92)


def set_of(frame: pd.DataFrame) -> RunSet:
    return RunSet(kind="Subexperiments", groups=(RunGroup(label="runs", program="", counts=frame.reset_index(drop=True)),))


def _compared(before: pd.DataFrame, after: pd.DataFrame, statistic: StatisticName = "mean", seed: int = 0) -> Comparison:
    params = CompareParams(statistic=statistic, seed=seed)
    return comparison_of(replicates_of(set_of(before), set_of(after), params), params)


def pools() -> dict[str, list[pd.DataFrame]]:
    """Runs by source: each frame holds runs of one kind."""
    found = {
        "request server, HRM": list(hem.load("subexperiments-hrm").frames),  # type: ignore[union-attr]
        "request server, MUCH": list(hem.load("subexperiments-much").frames),  # type: ignore[union-attr]
    }
    series = run_set_of(hem.load("series-ocoe"))  # type: ignore[arg-type]
    found["9 programs, runs"] = [group.counts for group in series.groups]
    truth = hem.load("subexperiments-hrm").truth  # type: ignore[union-attr]
    if truth is not None:
        found["request server, 14 HEMs"] = [truth]
    if (DATA / "t2080").is_dir():
        found["T2080"] = list(hem.read(DATA / "t2080" / "t2080_much_raw.csv").frames)  # type: ignore[union-attr]
        boards = hem.read(DATA / "cortex_a15_cbench" / "xu3_cset_perfcpu_cBench_eMMC_big.data")
        by = [boards.intervals["application"], boards.intervals["stage"]]  # type: ignore[union-attr]
        found["Cortex-A15"] = [part for _, part in boards.counts.groupby(by) if len(part) >= 20]  # type: ignore[union-attr]
    return found


def split(frames: list[pd.DataFrame], rng: np.random.Generator) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Two sets of different runs of one frame, in random order; their sizes may differ. In their own order the runs of both sets share any
    drift, which then moves no change but widens the intervals."""
    frame = frames[rng.integers(len(frames))]
    sizes = [int(min(rng.choice(SIZES), len(frame) // 2)) for _ in range(2)]
    rows = rng.permutation(len(frame))
    return frame.iloc[rows[: sizes[0]]], frame.iloc[rows[sizes[0] : sum(sizes)]]


def false_findings(frames: list[pd.DataFrame], splits: int, statistic: StatisticName, rng: np.random.Generator) -> dict[str, float]:
    """Shares of splits with a false finding, and of splits x HEMs, of the comparison and of two naive tests; and coverage of no change."""
    ours, welch, ranks, inside, inside_varied = [], [], [], [], []
    for number in range(splits):
        before, after = split(frames, rng)
        table = _compared(before, after, statistic, number).table
        ours.append(table["changed"].to_numpy())
        known = table["error"] > 0  # runs that all count the same have no interval to hold
        holds = (table["low"] <= 0) & (table["high"] >= 0)
        inside += holds[known].tolist()
        both = pd.concat([before, after])
        commonest = table["hem"].map({name: both[name].value_counts(normalize=True).max() for name in both})
        inside_varied += holds[known & (commonest < 0.5)].tolist()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            welch.append(ttest_ind(after, before, equal_var=False, nan_policy="omit").pvalue < 0.05)
            ranks.append(mannwhitneyu(after, before, nan_policy="omit").pvalue < 0.05)
    found = {"covered": float(np.mean(inside)), "covered, varied": float(np.mean(inside_varied))}
    for name, each in (("ours", ours), ("welch", welch), ("ranks", ranks)):
        found[name] = float(np.mean([flags.any() for flags in each]))
        found[f"{name} x HEMs"] = float(np.mean(np.concatenate(each)))
    return found


def false_phases(splits: int, rng: np.random.Generator) -> tuple[float, float]:
    """The shares of splits of one program's runs with a phase whose count is called changed, and with one whose length is."""
    programs = programs_of(hem.load("series-ocoe"))  # type: ignore[arg-type]
    counts, lengths = 0, 0
    for number in range(splits):
        program, n = programs[number % len(programs)], int(rng.choice((8, 15, 30)))
        order = rng.permutation(len(program.runs))
        sets = [[program.chosen(np.sort(rows).tolist())] for rows in (order[:n], order[n : 2 * n])]
        found = stage_changes_of(*sets, CompareParams(), joint_cut)
        counts += bool(found.table["changed"].any())
        lengths += bool(found.length_table["changed"].any())
    return counts / splits, lengths / splits


def made() -> Iterator[tuple[str, Callable[[np.random.Generator, int], Floats], Callable[[np.random.Generator, int], Floats]]]:
    """Distributions before and after whose means are equal."""

    def lognormal(sigma: float) -> Callable[[np.random.Generator, int], Floats]:
        return lambda rng, n: rng.lognormal(-sigma * sigma / 2, sigma, n)

    def pareto(shape: float) -> Callable[[np.random.Generator, int], Floats]:
        return lambda rng, n: rng.pareto(shape, n) + 1

    def zeros(share: float) -> Callable[[np.random.Generator, int], Floats]:
        return lambda rng, n: np.where(rng.random(n) < share, 0.0, rng.poisson(20, n))

    yield "normal, 5%", *(2 * (lambda rng, n: rng.normal(1, 0.05, n),))
    for sigma in (0.3, 1.0, 2.0):
        yield f"log-normal {sigma}", lognormal(sigma), lognormal(sigma)
    for shape in (2.5, 1.5):
        yield f"Pareto {shape}", pareto(shape), pareto(shape)
    yield "half zeros", zeros(0.5), zeros(0.5)
    yield "Poisson 0.3", *(2 * (lambda rng, n: rng.poisson(0.3, n).astype(float),))
    yield "log-normal 0.3, then 0.6", lognormal(0.3), lognormal(0.6)
    yield "AR(1) 0.6", *(2 * (_autoregressive,))


def _autoregressive(rng: np.random.Generator, n: int) -> Floats:
    steps = rng.normal(0, 0.05, n + 50)
    found = np.zeros(n + 50)
    for place in range(1, n + 50):
        found[place] = 0.6 * found[place - 1] + steps[place]
    return 1 + found[50:]


def coverage(
    first: Callable, second: Callable, sizes: tuple[int, int], rng: np.random.Generator, repeats: int, statistic: StatisticName
) -> float:
    """The share of 90% intervals that hold the true change of 10%; 40 independent HEMs a time."""
    inside = []
    for _ in range(repeats):
        before = pd.DataFrame({f"H{place}": first(rng, sizes[0]) for place in range(40)})
        after = pd.DataFrame({f"H{place}": 1.1 * second(rng, sizes[1]) for place in range(40)})
        table = _compared(before, after, statistic).table
        kept = table[(table["measure"] == "relative") & table["low"].notna()]
        inside += ((kept["low"] <= 0.1) & (kept["high"] >= 0.1)).tolist()
    return float(np.mean(inside)) if inside else float("nan")


def planted(frame: pd.DataFrame, repeats: int, rng: np.random.Generator, statistic: StatisticName) -> pd.DataFrame:
    """By HEM: the deviation of a run, and how often 3% more in 200 runs is found."""
    rows = []
    for name in frame.columns:
        found = 0
        for number in range(repeats):
            order = rng.permutation(len(frame))
            before, after = frame.iloc[np.sort(order[:200])], frame.iloc[np.sort(order[200:400])]
            table = _compared(before, after.assign(**{name: after[name] * 1.03}), statistic, number).table.set_index("hem")
            found += bool(table.loc[name, "changed"])
        rows.append((name, frame[name].std() / frame[name].mean(), found / repeats))
    return pd.DataFrame(rows, columns=["hem", "deviation", "found"])


def bound(statistic: StatisticName, runs: int = 200, change: float = 0.03, hems: int = 14, rate: float = 0.05) -> float:
    """The largest deviation of a run, as a share of the mean, at which a change is found nine times of ten; of normal counts."""
    error = np.sqrt(2 / runs) * (np.sqrt(np.pi / 2) if statistic == "median" else 1.0)
    return float(np.log1p(change) / (error * (ndtri(1 - rate / hems / 2) + ndtri(LEAST_FOUND))))


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--splits", type=int, default=1_000)
    asked.add_argument("--quick", action="store_true")
    asked.add_argument("--seed", type=int, default=0)
    asked.add_argument("--only", default="aa,planted,coverage,phases,speed")
    options = asked.parse_args()
    rng, broken = np.random.default_rng(options.seed), 0
    if "aa" in options.only:
        known = pools()
        for statistic in ("mean", "median"):
            each = (60 if options.quick else options.splits) // len(known)
            for name, frames in known.items():
                found = false_findings(frames, each, statistic, rng)  # type: ignore[arg-type]
                print(
                    f"A/A {statistic:6} {name:24} {each} splits: any false {found['ours']:.1%}"
                    f" (± {np.sqrt(found['ours'] * (1 - found['ours']) / each):.1%}), x HEMs {found['ours x HEMs']:.2%},"
                    f" covered {found['covered']:.1%}, varied HEMs {found['covered, varied']:.1%}"
                    f" | Welch {found['welch']:.1%}, {found['welch x HEMs']:.2%}"
                    f" | Mann-Whitney {found['ranks']:.1%}, {found['ranks x HEMs']:.2%}",
                    flush=True,
                )
    if "coverage" in options.only:
        for statistic in ("mean", "median"):
            for name, first, second in made():
                if statistic == "median" and ("then" in name or "zeros" in name or "Poisson" in name):
                    continue  # their means are equal, not their medians; or the median is 0
                parts = []
                for sizes in ((10, 10), (30, 30), (100, 100), (500, 500), (20, 200)):
                    share = coverage(first, second, sizes, rng, 5 if options.quick else 25, statistic)  # type: ignore[arg-type]
                    parts.append(f"{sizes[0]}+{sizes[1]} {share:.1%}")
                print(f"coverage {statistic:6} {name:26} {', '.join(parts)}", flush=True)
    if "planted" in options.only:
        for statistic in ("mean", "median"):
            most = bound(statistic)  # type: ignore[arg-type]
            print(f"planted 3% in 1 of 14, 200 runs, {statistic}: the noise allows it up to a deviation of {most:.1%} of the mean")
            random = np.random.default_rng(1)
            counts = random.normal(1, np.linspace(0.3, 1.5, 14) * most, (1_000, 14))
            frame = pd.DataFrame(counts, columns=[f"H{place}" for place in range(14)])
            rows = planted(frame, 10 if options.quick else 60, rng, statistic)  # type: ignore[arg-type]
            print(rows.round(3).to_string(), flush=True)
            allowed = rows.loc[rows["deviation"] <= most, "found"]
            print(f"  up to the bound: {allowed.mean():.1%} on average, {allowed.min():.1%} at least")
    if "phases" in options.only:
        splits = 60 if options.quick else options.splits
        counts, lengths = false_phases(splits, rng)
        print(f"A/A of phases, {splits} splits: any false count {counts:.1%}, any false length {lengths:.1%}", flush=True)
    if "speed" in options.only:
        random = np.random.default_rng(2)
        big = [pd.DataFrame(random.lognormal(10, 0.5, (100_000, 40)), columns=[f"H{place}" for place in range(40)]) for _ in range(2)]
        start = time.perf_counter()
        params = CompareParams()
        replicates = replicates_of(set_of(big[0]), set_of(big[1]), params)
        took = time.perf_counter() - start
        start = time.perf_counter()
        comparison_of(replicates, params.but(level=0.95))
        level = time.perf_counter() - start
        start = time.perf_counter()
        relations_of(set_of(big[0]), set_of(big[1]), params)
        related = time.perf_counter() - start
        print(f"speed: 2 x 100,000 runs x 40 HEMs {took:.2f} s; another level {1000 * level:.0f} ms; relations {related:.2f} s")
        broken += took > 2
    return int(broken > 0)


if __name__ == "__main__":
    sys.exit(main())
