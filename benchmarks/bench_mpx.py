"""Multiplexed counts: the estimators' scores on real readings against the figures that were measured before, and seconds.

    python benchmarks/bench_mpx.py [--quick]

Sample: the multiplexed sample with its truth (96 runs), and all runs of the OCOE sample with 3 of 4 slots hidden, at each of the four
places where a rotation can begin (--quick: the first, of runs 49 to 60), and how far 12 runs a program, each in a rotation of its own,
scatter around these. Cortex-A15: cBench of ../shared/data at 1 GHz, the test programs
of its authors' split and all 30, by the same way; series with a count above 0 in under 90 % of the slots are left out. Protocol: hidden
slots alone, the last slot of a run left out, RA clamped at 0, series with fewer than 20 hidden truths above 0 left out; weak5 is the mean
over D1mr, D1mw, DLmr, DLmw and Bcm. Each promise is told as met or not; nothing is asserted.
Seconds are of the processor, medians: DTW of 450 and 5,000 slots against dtaidistance (pip install dtaidistance; left out where it is not
there) and its equality, and a move of k on the sample: every estimator and its scores for 12 runs of one program.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hemcore.datasets.shelf import samples  # noqa: E402
from hemcore.datasets.tables.counter_series import CounterSeries  # noqa: E402
from hemcore.mpx import MpxParams, dtw_cost, evaluate, warm  # noqa: E402
from hemcore.mpx.analysis import ESTIMATE  # noqa: E402
from hemcore.mpx.evaluation import Evaluation  # noqa: E402

CORTEX = ROOT.parent / "shared" / "data" / "cortex_a15_cbench"
WEAK = ("D1mr", "D1mw", "DLmr", "DLmw", "Bcm")
EXPECTED = {"fixed": (0.652, 0.831), "linear": (0.672, 0.861), "pchip": (0.681, 0.865), "harmonic": (0.778, 0.861)}
WITHIN = 0.005


def told(words: str, met: bool) -> None:
    print(f"    {'met    ' if met else 'NOT MET'}  {words}", flush=True)


def scored(table: CounterSeries, *, start: int = 0, dtw: bool = False) -> Evaluation:
    return evaluate(table, params=MpxParams(most_runs=0, start=start, min_share=0), dtw=dtw)


def show(found: Evaluation) -> pd.DataFrame:
    """Print a row a method; returns them by method."""
    rows = found.by_method.set_index("method")
    weak = found.scores[found.scores["event"].isin(WEAK)].groupby("method", observed=True, sort=False)[["ra", "wa"]].mean()
    for name, row in rows.iterrows():
        cost = f"  DTW {row['dtw']:5.1f}" if "dtw" in rows else ""
        hard = f"  weak5 {weak.loc[name, 'ra']:.3f} / {weak.loc[name, 'wa']:.3f}" if name in weak.index else ""
        print(
            f"  {name:9} RA {row['ra']:.3f}  WA {row['wa']:.3f}  total {100 * row['total']:+5.2f} %  off {100 * row['off']:4.2f} %"
            f"{hard}{cost}"
            f"  {int(row['series']):,} series, {int(row['left_out']):,} left out"
        )
    return rows


def promise(rows: pd.DataFrame) -> None:
    for name, (ra, wa) in EXPECTED.items():
        off = max(abs(rows.loc[name, "ra"] - ra), abs(rows.loc[name, "wa"] - wa))
        told(f"{name} within {WITHIN} of RA {ra} and WA {wa}: off by {off:.4f} at most", off <= WITHIN)
    total = rows.loc["linear", "total"]
    told(f"linear's mean signed total under .5 %: {100 * total:+.2f} %", abs(total) < 0.005)


def of_sample(quick: bool) -> None:
    print("Sample, multiplexed runs 61 to 72, their own truth")
    promise(show(scored(samples.load("series-mpx"), dtw=not quick)))  # type: ignore[arg-type]
    whole = samples.load("series-ocoe")
    assert isinstance(whole, CounterSeries)
    if quick:
        late = (whole.intervals["run"] > 48).to_numpy()
        whole = CounterSeries(intervals=whole.intervals[late], counts=whole.counts[late], mode="OCOE", interval_unit=whole.interval_unit)
    every, scores = [], []
    for start in range(1 if quick else 4):
        print(f"Sample, {len(whole.runs(whole.applications[0]))} OCOE runs a program, 1 slot in 4, the first begins with group {start}")
        found = scored(whole, start=start)
        every.append(show(found))
        scores.append(found.scores.assign(start=start))
    if len(every) > 1:
        print("The same, mean over the four places: every run in every rotation")
        promise(pd.concat(every).groupby(level=0, observed=True).mean())
        scatter(pd.concat(scores))


def scatter(scores: pd.DataFrame, times: int = 400) -> None:
    """What 12 runs a program, each in a rotation of its own, say instead of all of them in all."""
    print(f"  Of {times} drawings of 12 runs a program, each in a rotation of its own, the middle 90 %, and how many lie within {WITHIN}:")
    for name, measured in EXPECTED.items():
        rows = scores[scores["method"] == name].groupby(["application", "run", "start"])[["ra", "wa"]]
        sums, counts = rows.sum(), rows.count()
        runs = {str(each): np.unique(sums.loc[each].index.get_level_values("run")) for each in sums.index.unique("application")}
        drawn = []
        for seed in range(times):
            draw = np.random.default_rng(seed)
            keys = [(each, run, draw.integers(4)) for each, own in runs.items() for run in draw.choice(own, 12, replace=False)]
            drawn.append((sums.loc[keys].sum() / counts.loc[keys].sum()).to_numpy())
        low, high = np.quantile(drawn, [0.05, 0.95], axis=0)
        near = float((np.abs(np.array(drawn) - measured) <= WITHIN).all(axis=1).mean())
        said = f"RA {low[0]:.3f} to {high[0]:.3f}, WA {low[1]:.3f} to {high[1]:.3f}"
        print(f"    {name:9} {said}; {near:.0%} near {measured[0]} / {measured[1]}")


def cortex(programs: Sequence[str] | None) -> CounterSeries:
    """cBench at 1 GHz, an application a program; events that are nearly always 0 in a run are not known there."""
    frame = pd.read_csv(CORTEX / "xu3_cset_perfcpu_cBench_eMMC_big.data", sep="\t")
    chosen = frame["CPU(4) Frequency(MHz)"] == 1000
    if programs is not None:
        chosen &= frame["Benchmark"].isin(programs)
    frame = frame[chosen].reset_index(drop=True)
    keys = [frame["Benchmark"], frame["Run(#)"]]
    counts = frame.iloc[:, 8:].astype(float)
    often = (counts > 0).groupby(keys).transform("mean") >= 0.9
    intervals = pd.DataFrame({"application": keys[0], "run": keys[1], "interval": frame.groupby(keys).cumcount()})
    return CounterSeries(intervals=intervals, counts=counts.where(often), mode="OCOE", interval_unit="0.5 s")


def of_cortex() -> None:
    if not CORTEX.is_dir():
        print(f"no Cortex-A15 readings at {CORTEX}: left out")
        return
    split = pd.read_csv(CORTEX / "cbench_split.data", sep="\t")
    for words, programs in (("the 15 test programs", [name.strip() for name in split.iloc[:, 1].dropna()]), ("all 30 programs", None)):
        print(f"Cortex-A15, {words}, 1 slot in 4")
        rows = show(scored(cortex(programs)))
        honest = rows.drop(index="minimum")
        best = str(honest["ra"].idxmax())
        gain, more = rows.loc[best, "ra"] - rows.loc["dcam", "ra"], rows.loc[best, "wa"] - rows.loc["dcam", "wa"]
        told(
            f"the best untrained, {best}, at least .005 RA above dcam with WA no lower: {gain:+.4f}, {more:+.4f}",
            gain >= 0.005 and more >= 0,
        )
        total = rows.loc["linear", "total"]
        told(f"linear's mean signed total under .5 %: {100 * total:+.2f} %", abs(total) < 0.005)


def seconds(work: Callable[[], object], repeats: int) -> float:
    work()
    times = []
    for _ in range(repeats):
        begun = time.process_time()
        work()
        times.append(time.process_time() - begun)
    return statistics.median(times)


def of_time(quick: bool) -> None:
    warm()
    random = np.random.default_rng(0)
    try:
        from dtaidistance import dtw
    except ImportError:
        dtw = None
        print("dtaidistance is not installed: DTW is timed alone")
    for n, times in ((450, 50), (5_000, 1)):
        one, other = (np.cumsum(random.normal(size=n)) + 100 for _ in range(2))

        def own(one: np.ndarray = one, other: np.ndarray = other, times: int = times) -> None:
            for _ in range(times):
                dtw_cost(one, other, log10=False)

        ours = seconds(own, 5) / times
        words = f"  DTW, {n:,} x {n:,}: {1e3 * ours:8.3f} ms"
        if dtw is not None:

            def theirs(one: np.ndarray = one, other: np.ndarray = other, times: int = times) -> None:
                for _ in range(times):
                    dtw.distance_fast(one, other, inner_dist="euclidean")

            peer = seconds(theirs, 5) / times
            cost = dtw.distance_fast(one, other, inner_dist="euclidean")
            words += f", dtaidistance (C) {1e3 * peer:8.3f} ms, {peer / ours:.1f} times as long"
            print(words)
            told("the cost is dtaidistance's", bool(np.isclose(cost, dtw_cost(one, other, log10=False), rtol=1e-12)))
        else:
            print(words)
    table = samples.load("series-ocoe")
    ks = iter(range(2, 1_000))
    took = seconds(lambda: ESTIMATE.of(table, MpxParams(slots_per_count=2 + next(ks) % 12)), 4 if quick else 11)
    print(f"  a move of k on the sample, all estimators, 12 runs scored, one run drawn: {1e3 * took:.0f} ms")
    told("under 300 ms", took < 0.3)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args().quick
    of_sample(quick)
    of_cortex()
    of_time(quick)


if __name__ == "__main__":
    main()
