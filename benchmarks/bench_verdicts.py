"""How often a green verdict is right: made datasets whose truth is known, by analysis.

    python benchmarks/bench_verdicts.py [--quick] [--seed N]

Segmentation: levels, staircases, square waves, slopes, curves, seasons, walks, spikes, rare events and noise, in 1 to 40 runs; right: the
change points are the true ones (F1 of at least .8 within 2% of the run). Merge: thirteen populations, from normal to sparse and
contaminated, of 4 to 7 HEMs in 15 to 1,000 runs; right: nine of ten merged correlations are within .1 of the true ones. Multiplexing:
levels, seasons, bursts, rare events and noise; right: the relative accuracy promised is met within .05 on 20 other runs of it.
Prediction: programs of linear, saturating, individual and unrelated cost, and by a second generator of powers, cliffs, rooflines and
products of unlike counters; right: 20 further programs have at most 1.5 times the error promised.
Prints, by analysis and kind, the answers, the green, amber and red ones and how many of each are right; exits with 1 where of the green
ones fewer than 95% are.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import ndtr

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hemcore.datasets import CounterSeries, PhaseTable, Subexperiments  # noqa: E402
from hemcore.errors import HemError  # noqa: E402
from hemcore.merge import CopulaParams  # noqa: E402
from hemcore.merge.analysis import COPULA  # noqa: E402
from hemcore.mpx import MpxParams  # noqa: E402
from hemcore.mpx.analysis import ESTIMATE  # noqa: E402
from hemcore.prediction import PredictionParams  # noqa: E402
from hemcore.prediction.evaluate.predictions import EVALUATION  # noqa: E402
from hemcore.prediction.model_rows import select  # noqa: E402
from hemcore.prediction.models.tuning import fit_models  # noqa: E402
from hemcore.segmentation import SegmentationParams  # noqa: E402
from hemcore.segmentation.analysis import SEGMENTATION, THRESHOLDS  # noqa: E402
from hemcore.segmentation.compare.segment_agreement import agreement  # noqa: E402
from hemcore.segmentation.events.event_ranking import rank_events  # noqa: E402

GOAL = 0.95
Floats = NDArray[np.float64]
# (kind, level of the verdict, right) of each made dataset.
Judged = Iterator[tuple[str, str, bool]]
LEVELS = {"good": "green", "limited": "amber", "poor": "red"}


def _series(runs: list[Floats]) -> CounterSeries:
    """One application; each run has shape (intervals,) or (intervals, events)."""
    lengths = [len(each) for each in runs]
    keys = {"run": np.repeat(np.arange(1, len(runs) + 1), lengths), "interval": np.concatenate([np.arange(each) for each in lengths])}
    counts = np.concatenate([each.reshape(len(each), -1) for each in runs])
    events = pd.DataFrame(counts, columns=[f"E{place}" for place in range(counts.shape[1])])
    return CounterSeries(intervals=pd.DataFrame({"application": "made", **keys}), counts=events, mode="OCOE")


# Segmentation.


def _course(kind: str, n: int, random: np.random.Generator) -> tuple[Floats, list[int], float]:
    """(counts without noise, true change points, deviation of the noise) of one run."""
    time, none = np.arange(n), list[int]()
    if kind in ("levels", "staircase", "square wave"):
        k = int(random.integers(1, 9)) if kind == "levels" else int(random.integers(3, 8))
        cuts = sorted(random.choice(np.arange(8, n - 8), k, replace=False).tolist()) if kind == "levels" else []
        cuts = [each for at, each in enumerate(cuts) if at == 0 or each - cuts[at - 1] >= 6]
        cuts = cuts or [n * part // (k + 1) for part in range(1, k + 1)]
        # Neighbouring levels differ by a factor of 1.3 to 5.
        factors = random.uniform(1.3, 5, len(cuts) + 1) ** random.choice([-1, 1], len(cuts) + 1)
        heights = 2_000 * np.cumprod(factors) if kind == "levels" else 1_000.0 + 500 * np.arange(len(cuts) + 1)
        heights = np.where(np.arange(len(cuts) + 1) % 2, 3_000.0, 1_000.0) if kind == "square wave" else heights
        counts = np.repeat(heights, np.diff([0, *cuts, n]))
        # A step within the noise is no step to find.
        return counts, cuts, float(np.abs(np.diff(heights)).min()) * float(random.uniform(0.02, 0.4))
    if kind == "slope":
        return 2_000 + random.choice([-1, 1]) * random.uniform(300, 1_500) * time / n, none, float(random.uniform(5, 80))
    if kind == "curve":
        return 1_000 + random.uniform(300, 2_000) * (time / n) ** random.uniform(1.5, 3), none, float(random.uniform(5, 60))
    if kind == "season":
        turns = 2 * np.pi * time / random.integers(8, max(9, n // 4)) + random.uniform(0, 6)
        return 3_000 + random.uniform(300, 2_000) * np.sin(turns), none, float(random.uniform(10, 100))
    if kind == "walk":
        return np.maximum(20_000 + np.cumsum(random.normal(0, 100, n)), 0), none, 5.0
    counts = np.full(n, 1_000.0)
    if kind == "spikes":
        counts[random.choice(n, int(random.integers(2, 7)), replace=False)] = 9_000
    if kind == "rare":
        counts = np.zeros(n)
        counts[random.choice(n, int(random.integers(1, 6)), replace=False)] = 1
    return counts, none, 0.0 if kind == "rare" else 30.0


def segmentation(random: np.random.Generator, number: int) -> Judged:
    """Runs that repeat one course with noise of their own, or have each its own where nothing is to be found."""
    kinds = ("levels", "staircase", "square wave", "slope", "curve", "season", "walk", "spikes", "rare", "noise")
    for at in range(number):
        kind, n, n_runs = kinds[at % len(kinds)], int(random.integers(60, 500)), int(random.choice([1, 5, 30, 40]))
        course, cuts, deviation = _course(kind, n, random)
        own = kind in ("walk", "spikes", "rare", "noise")
        courses = [_course(kind, n, random)[0] if own else course for _ in range(n_runs)]
        series = _series([np.rint(np.maximum(each + random.normal(0, 1, n) * deviation, 0)) for each in courses])
        best = rank_events(series, SegmentationParams()).best
        params = SegmentationParams(statistic="rms" if best is None else best[1])
        try:
            params = params.but(threshold=float(THRESHOLDS.of(series, params).optimal.threshold))
            found = SEGMENTATION.of(series, params)
        except HemError:
            continue
        close = agreement(cuts, found.run.segmentation.change_points, n, tolerance=max(2, n // 50))
        yield kind, SEGMENTATION.verdict(found).level, bool(cuts) and close.f1 >= 0.8


# Merge.


def _population(kind: str, n_hems: int, random: np.random.Generator) -> Callable[[int], Floats]:
    """A maker of so many runs, shape (runs, n_hems), of HEMs with two common causes."""
    loads, slopes, shifts = random.normal(0, 1, (2, n_hems)), random.uniform(0.2, 1.2, n_hems), random.normal(0, 2, (3, n_hems))
    none, rare = random.uniform(0.1, 0.6, n_hems), random.uniform(0.01, 0.1)
    spread = np.sqrt((loads**2).sum(axis=0) + 0.49)

    def counted(n: int) -> Floats:
        latent = random.normal(0, 1, (n, 2)) @ loads + random.normal(0, 0.7, (n, n_hems))
        if kind == "near copies":
            latent[:, 1] = latent[:, 0] + random.normal(0, 0.02, n)
        if kind == "heavy tails":
            return np.rint(1_000 * np.exp(latent))
        if kind == "bimodal":
            return np.rint(np.where(latent > 0, 20_000, 5_000) + 500 * latent).clip(0)
        if kind == "sparse":
            return random.poisson(np.exp(latent - 5)).astype(float)
        if kind == "zeros":
            return np.where(ndtr(latent / spread) < none, 0, np.rint(3_000 + 800 * latent)).clip(0)
        if kind == "nonlinear":
            return np.rint(20_000 + 2_000 * np.where(np.arange(n_hems) % 2, latent + slopes * latent[:, [0]] ** 2, latent)).clip(0)
        if kind == "regimes":
            return np.rint(20_000 + 2_000 * (shifts[random.integers(0, 3, n)] + 0.5 * latent)).clip(0)
        if kind == "saturating":
            return np.rint(40_000 / (1 + np.exp(-1.5 * latent * slopes)))
        if kind == "work and rate":
            return np.rint(30_000 * random.uniform(0.5, 1.5, (n, 1)) * (1 + 0.15 * np.tanh(latent)))
        if kind == "gamma, Poisson":
            return random.poisson(400 * (random.gamma(4, 0.25, (n, 2)) @ np.abs(loads) + 0.2)).astype(float)
        if kind == "contaminated":
            strays = (random.random((n, 1)) < rare) * random.normal(15_000, 4_000, (n, 1)) * slopes
            return np.rint(20_000 + 1_500 * latent + strays).clip(0)
        return np.floor((latent + 8) / 1.5).clip(0) * 1_000 if kind == "steps" else np.rint(20_000 + 2_000 * latent).clip(0)

    return counted


def merge(random: np.random.Generator, number: int) -> Judged:
    """HEMs with two common causes, in subexperiments that read every pair together: in threes around the first, or in twos."""
    kinds = ("normal", "heavy tails", "bimodal", "sparse", "near copies", "zeros", "nonlinear", "regimes", "saturating", "work and rate",
             "gamma, Poisson", "contaminated", "steps")  # fmt: skip
    for at in range(number):
        kind, n_hems, n_runs = (
            kinds[at % len(kinds)],
            int(random.integers(4, 8)),
            int(random.choice([15, 30, 60, 100, 200, 400, 700, 1_000])),
        )
        counted, names = _population(kind, n_hems, random), [f"H{place}" for place in range(n_hems)]
        truth = np.corrcoef(counted(40_000), rowvar=False)
        pairs = [(a, b) for a in range(n_hems) for b in range(a + 1, n_hems)]
        groups = [sorted({0, a, b}) for a, b in pairs if a] if random.random() < 0.6 else [list(pair) for pair in pairs]
        frames = tuple(pd.DataFrame(counted(n_runs), columns=names)[[names[place] for place in group]] for group in groups)
        try:
            report = COPULA.of(Subexperiments(frames=frames, n_pmcs=max(map(len, groups))), CopulaParams(n_runs=1_000))
        except HemError:
            continue
        achieved = report.achieved.reindex(index=names, columns=names).to_numpy(dtype=float)
        off = np.abs(achieved - truth)[np.triu_indices(n_hems, 1)]
        yield kind, COPULA.verdict(report).level, float(np.mean(off <= 0.1)) >= 0.9


# Multiplexing.


def multiplexing(random: np.random.Generator, number: int) -> Judged:
    """Eight events of one kind, counted in one of k slots; the promise is held against 20 further runs of the same program."""
    kinds = ("levels", "season", "bursts", "rare", "noise")
    for at in range(number):
        kind, n, n_runs = kinds[at % len(kinds)], int(random.integers(80, 400)), int(random.choice([2, 8, 30, 40]))
        courses = [_course({"bursts": "spikes"}.get(kind, kind), n, random) for _ in range(8)]
        means, deviations = np.column_stack([each[0] for each in courses]), np.array([each[2] for each in courses])
        runs = [np.rint(np.maximum(means + random.normal(0, 1, means.shape) * deviations, 0)) for _ in range(n_runs + 20)]
        params = MpxParams(slots_per_count=int(random.choice([2, 4, 8])), most_runs=0)
        try:
            shown, further = (ESTIMATE.of(_series(part), params) for part in (runs[:n_runs], runs[n_runs:]))
        except HemError:
            continue
        promised, met = (each.of(params.method).get("ra", np.nan) for each in (shown, further))
        yield kind, ESTIMATE.verdict(shown).level, bool(abs(promised - met) <= 0.05)


# Prediction.


def _program(kind: str, costs: Floats, random: np.random.Generator) -> tuple[Floats, Floats]:
    """(counts, cycles) of 30 phases of one program: the first generator."""
    counts = np.rint(random.uniform(200, 2_000, 3) * random.lognormal(0, 0.4, (30, 3)))
    cycles = counts @ costs
    if kind == "saturating":
        cycles = 30_000 * np.tanh(cycles / 30_000)
    if kind == "own cost":
        cycles = cycles * random.lognormal(0, 0.3)
    if kind == "unrelated":
        cycles = random.uniform(1_000, 9_000, 30)
    return counts, np.rint(cycles * random.lognormal(0, 0.02, 30))


def _rates(kind: str, random: np.random.Generator) -> Callable[[], tuple[Floats, Floats]]:
    """A maker of programs of the second generator: 15 to 60 phases, 2 to 5 counters of unlike rates per instruction, noise of .5 to 6%.

    power: cycles to the power of .6 to 1.3; cliff: a miss costs more above a rate; roofline: the larger of work and memory; product: two
    counters that wait for each other.
    """
    d = int(random.integers(2, 6))
    base, noise, spread = random.uniform(0.3, 1.5), random.uniform(0.005, 0.06), random.uniform(0.1, 1.0)
    costs = np.concatenate([[base], random.uniform(2, 60, d - 1)])
    rates = np.concatenate([[1], 10 ** random.uniform(-2.5, -1, d - 1)])
    power, cliff = random.uniform(0.6, 1.3), random.uniform(1.5, 6)

    def program() -> tuple[Floats, Floats]:
        n, own = int(random.integers(15, 60)), np.exp(random.normal(0, spread, d))
        work = random.uniform(5_000, 80_000) * random.lognormal(0, 0.3, n)
        counts = np.rint(work[:, None] * rates * own * random.lognormal(0, 0.3, (n, d)))
        counts[:, 0] = np.rint(work)
        cycles, relative = counts @ costs, counts / work[:, None] / rates
        if kind == "power":
            cycles = 20_000 * (cycles / 20_000) ** power
        if kind == "cliff":
            cycles = cycles + np.maximum(relative[:, 1] - 1.5, 0) * rates[1] * work * costs[1] * cliff
        if kind == "roofline":
            cycles = np.maximum(work * base, counts[:, 1:] @ costs[1:] * base / (rates[1:] @ costs[1:]))
        if kind == "product":
            cycles = cycles + relative[:, 1] * relative[:, -1] * work * base / 2
        return counts, np.rint(cycles * random.lognormal(0, noise, n))

    return program


def prediction(random: np.random.Generator, number: int) -> Judged:
    """Programs whose cycles follow the counters, or do not; judged: 20 further programs, by the best model."""
    kinds = ("linear", "saturating", "own cost", "unrelated", "linear rates", "power", "cliff", "roofline", "product")
    for at in range(number):
        kind, costs = kinds[at % len(kinds)], random.uniform(1, 40, 3)
        if kind in kinds[:4]:
            n_programs, program = int(random.choice([4, 8, 12, 20, 30])), partial(_program, kind, costs, random)
        else:
            n_programs, program = int(random.choice([4, 8, 12, 20, 30, 40])), _rates(kind, random)
        frames = []
        for place in range(n_programs + 20):
            counts, cycles = program()
            frame = pd.DataFrame(counts, columns=["Ir", "D1mr", "Bcm", "ILmr", "DLmr"][: counts.shape[1]]).assign(CYCLES=cycles)
            frames.append(frame.assign(program=f"p{place}", granularity=10, load="single core", phase=range(len(frame))))
        params = PredictionParams(models="OLS; cost per event")
        counters = ("CYCLES", *frames[0].columns[: counts.shape[1]])
        shown = EVALUATION.of(PhaseTable(frame=pd.concat(frames[:n_programs], ignore_index=True), counters=counters), params)
        best, promised = str(shown.best["model"]), float(shown.best["mape_mean"])
        rows = select(PhaseTable(frame=pd.concat(frames, ignore_index=True), counters=counters), params).test
        places = np.array([int(rows.groups[code][1:]) for code in rows.group])
        trained = fit_models(rows.take(places < n_programs), (best,), params.form)[best].fitted
        further = rows.take(places >= n_programs)
        errors = np.abs(trained.predict(further) / further.y - 1)
        met = float(pd.Series(errors).groupby(further.group).mean().mean())
        yield kind, EVALUATION.verdict(shown).level, met <= 1.5 * promised


ANALYSES: dict[str, tuple[Callable[[np.random.Generator, int], Judged], int]] = {
    "segmentation": (segmentation, 400),
    "merge": (merge, 650),
    "multiplexing": (multiplexing, 250),
    "prediction": (prediction, 180),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a tenth of the datasets")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", nargs="+", choices=ANALYSES, default=list(ANALYSES))
    options = parser.parse_args()
    missed = False
    for name in options.only:
        judge, number = ANALYSES[name]
        rows = pd.DataFrame(
            judge(np.random.default_rng(options.seed), number // 10 if options.quick else number), columns=["kind", "level", "right"]
        )
        green = rows.loc[rows["level"] == "good", "right"]
        share = float(green.mean()) if len(green) else float("nan")
        missed |= share < GOAL
        print(f"{name}: {len(rows)} answers, {len(green)} green, {share:.1%} of these right (goal {GOAL:.0%})")
        for kind, part in [("all", rows), *rows.groupby("kind", sort=False)]:
            of_level = {word: part.loc[part["level"] == level, "right"] for level, word in LEVELS.items()}
            counted = ", ".join(f"{len(right):>4} {word} ({int(right.sum())} right)" for word, right in of_level.items())
            print(f"   {kind:<14} {counted}")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
