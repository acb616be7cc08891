"""Change points and Algorithm 1 against ruptures, in the same run: seconds, ratios and objectives; and how the time grows.

    python benchmarks/bench_segmentation.py [--quick]

Series of 4,400 samples: simulated (12 levels, noise) and, where ../shared/data has them, the Cortex-A15 readings of 30 programs, one run
after the other. The peer is ruptures.Pelt(min_size=2, jump=1) with the same rms cost on plain NumPy prefix sums, as one would write it, and
beside it, on lists and math.log, the fastest that plain Python does (not the exact CostRms of the project, which is slower than both).
Algorithm 1: 20 runs, thresholds 1 to 20. Ruptures is extrapolated from ONE of its runs, at threshold 10, times 400; beside that, since
optimal_threshold stops where Algorithm 1 does, times the searches that it needs if it stops there too.
Seconds are of the processor, so that other programs count less; every way runs in one thread. Those of ours are the median of the
repeats, half of them before ruptures and half after it, and, beside it, the least; ruptures runs once. Objective: the sum of
segment costs + threshold * change points, less is better, of both by the same sum. Each promise is told as met or not; nothing is asserted.
"""

import argparse
import gc
import math
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import ruptures
from ruptures.base import BaseCost

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hemcore.datasets.readers.series import powmon_series as cortex_a15_log  # noqa: E402
from hemcore.datasets.readers.uploaded_files import UploadedFile  # noqa: E402
from hemcore.segmentation import optimal_threshold, segment, threshold_path, warm  # noqa: E402

CORTEX = ROOT.parent / "shared" / "data" / "cortex_a15_cbench" / "runs_1GHz"
N_SAMPLES, N_RUNS, N_THRESHOLDS = 4_400, 20, 20
THRESHOLD = 10.0
LOG_REALMIN = math.log(2.2250738585072014e-308)
SEGMENT_PROMISE, ALGORITHM_PROMISE = 800, 1_500


class NumpyRms(BaseCost):
    """L log(S / L) by differences of prefix sums."""

    model = "rms on NumPy prefix sums"
    min_size = 2

    def fit(self, signal: np.ndarray) -> "NumpyRms":
        self.signal = signal.reshape(-1, 1)
        self.sums = np.concatenate([[0.0], np.cumsum(signal.ravel() ** 2)])
        return self

    def error(self, start: int, end: int) -> float:
        length, energy = end - start, self.sums[end] - self.sums[start]
        return length * (np.log(energy / length) if energy > 0 else LOG_REALMIN - np.log(length))


class ListRms(NumpyRms):
    """The same without NumPy's overhead on single numbers."""

    model = "rms on lists"

    def fit(self, signal: np.ndarray) -> "ListRms":
        super().fit(signal)
        self.sums = self.sums.tolist()
        return self

    def error(self, start: int, end: int) -> float:
        length, energy = end - start, self.sums[end] - self.sums[start]
        return length * (math.log(energy / length) if energy > 0 else LOG_REALMIN - math.log(length))


def simulated(n_samples: int, n_segments: int, seed: int = 0) -> np.ndarray:
    """Levels of counts one after the other, each interval with a tenth of noise."""
    random = np.random.default_rng(seed)
    levels = np.exp(random.normal(15, 1, n_segments))
    bounds = np.sort(random.choice(np.arange(1, n_samples), n_segments - 1, replace=False))
    return np.rint(np.repeat(levels, np.diff([0, *bounds, n_samples])) * random.normal(1, 0.1, n_samples))


def cortex(event: str) -> np.ndarray | None:
    """N_SAMPLES counts of `event`, its runs end to end, as often as it takes; None where the readings are not there."""
    if not CORTEX.is_dir():
        return None
    files = [UploadedFile(str(path.relative_to(CORTEX)), path.read_bytes()) for path in sorted(CORTEX.rglob("*.data"))]
    counts = cortex_a15_log.read(files).table.counts[event].dropna().to_numpy()
    return np.resize(counts, N_SAMPLES)


def objective(series: np.ndarray, change_points: list[int], threshold: float) -> float:
    parts = np.split(series, change_points)
    return math.fsum(len(part) * math.log(math.fsum(part**2) / len(part)) for part in parts) + threshold * len(change_points)


def measured(work: Callable[[], object], repeats: int) -> list[float]:
    """Seconds of each of the repeats of `work`, which has run once before."""
    work()
    seconds = []
    for _ in range(repeats):
        gc.collect()
        start = time.process_time()
        work()
        seconds.append(time.process_time() - start)
    return seconds


def with_ruptures(series: np.ndarray, cost: BaseCost) -> tuple[float, list[int]]:
    """Seconds of one search and its change points."""
    start = time.process_time()
    found = ruptures.Pelt(custom_cost=cost, min_size=2, jump=1).fit(series).predict(pen=THRESHOLD)
    return time.process_time() - start, found[:-1]


def told(what: str, ratio: float, promise: int | None = None) -> None:
    met = "" if promise is None else f"   promised {promise:,}: {'met' if ratio >= promise else 'NOT MET'}"
    print(f"    {what:68} {ratio:10,.0f} x{met}", flush=True)


def bench_segment(name: str, series: np.ndarray, repeats: int) -> float:
    """Prints one series at one threshold; seconds of one run of ruptures on NumPy prefix sums."""
    print(f"{name}: {len(series):,} samples, threshold {THRESHOLD:g}", flush=True)
    seconds_of_ours = measured(lambda: segment(series, THRESHOLD), repeats)
    ways = {f"ruptures.Pelt, {cost.model}": with_ruptures(series, cost) for cost in (NumpyRms(), ListRms())}
    numpy_way, list_way = (seconds for seconds, _ in ways.values())
    seconds_of_ours += measured(lambda: segment(series, THRESHOLD), repeats)
    least, median = min(seconds_of_ours), statistics.median(seconds_of_ours)
    ways["segment"] = (median, list(segment(series, THRESHOLD).change_points))
    for way, (seconds, points) in ways.items():
        print(f"    {way:42} {1e3 * seconds:12.3f} ms {len(points):5} change points   objective {objective(series, points, THRESHOLD):.9f}")
    print(f"    {'segment, the least of the repeats':42} {1e3 * least:12.3f} ms")
    told("ruptures.Pelt on NumPy prefix sums / segment, median", numpy_way / median, SEGMENT_PROMISE)
    told("ruptures.Pelt on lists / segment, median", list_way / median)
    return numpy_way


def bench_algorithm(name: str, runs: list[np.ndarray], seconds_of_ruptures: float, repeats: int) -> None:
    searches = len(runs) * N_THRESHOLDS
    theirs = searches * seconds_of_ruptures
    print(f"Algorithm 1, {name}: {len(runs)} runs of {len(runs[0]):,} samples, thresholds 1 to {N_THRESHOLDS}", flush=True)
    print(f"    {'ruptures, EXTRAPOLATED from one run, times ' + str(searches):56} {theirs:10.3f} s")
    ways: dict[str, Callable[[], object]] = {
        f"segment, all {searches} searches": lambda: [segment(run, t) for run in runs for t in range(1, N_THRESHOLDS + 1)],
        f"threshold_path of each run, 1 to {N_THRESHOLDS}: all segmentations": lambda: [
            threshold_path(run, 1, N_THRESHOLDS) for run in runs
        ],
        "optimal_threshold, which stops as Algorithm 1 does": lambda: optimal_threshold(runs, N_THRESHOLDS),
    }
    for way, work in ways.items():
        seconds = statistics.median(measured(work, repeats))
        print(f"    {way:56} {seconds:10.3f} s")
        last = way.startswith("optimal")
        told(f"ruptures, {searches} searches (extrapolated) / this", theirs / seconds, ALGORITHM_PROMISE if last else None)
    per_run = optimal_threshold(runs, N_THRESHOLDS).per_run
    needed = int(per_run["threshold"].where(per_run["settled"], N_THRESHOLDS).sum())
    told(f"ruptures, if it stops there too: {needed} searches (extrapolated) / this", needed * seconds_of_ruptures / seconds)


def bench_growth(name: str, sizes: list[int], n_segments: Callable[[int], int], repeats: int) -> None:
    print(name, flush=True)
    before = None
    for size in sizes:
        series = simulated(size, n_segments(size))
        many = repeats if size <= 10_000 else 1
        seconds = statistics.median(measured(lambda series=series: segment(series, THRESHOLD), many))
        exponent = "" if before is None else f"   grows as n^{math.log(seconds / before[1]) / math.log(size / before[0]):.2f}"
        found = segment(series, THRESHOLD).n_change_points
        print(
            f"    {size:10,} samples {found:6,} change points {1e3 * seconds:12.2f} ms {1e9 * seconds / size:10.0f} ns a sample{exponent}"
        )
        sys.stdout.flush()
        before = (size, seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--quick", action="store_true", help="fewer repeats, growth up to 100,000 samples only, and 10,000 in the hard case"
    )
    quick = parser.parse_args().quick
    repeats = 3 if quick else 15
    start = time.process_time()
    warm()
    print(f"compiled, or loaded where it was compiled before, in {time.process_time() - start:.2f} s")
    series = simulated(N_SAMPLES, 12)
    once = bench_segment("simulated, 12 levels", series, repeats)
    bench_algorithm("simulated, 12 levels", [simulated(N_SAMPLES, 12, seed) for seed in range(N_RUNS)], once, min(repeats, 5))
    for event in ("L1D_CACHE_ACCESS", "L1D_CACHE_REFILL"):
        real = cortex(event)
        if real is None:
            print(f"no Cortex-A15 readings at {CORTEX}: left out")
            break
        once = bench_segment(f"Cortex-A15, {event}", real, repeats)
        shifted = [np.roll(real, 211 * number) for number in range(N_RUNS)]
        bench_algorithm(f"Cortex-A15, {event}, begun at {N_RUNS} places", shifted, once, min(repeats, 5))
    bench_growth(
        "growth, segments of about 400 samples: change points grow with n, as PELT's linear time asks",
        [4_400, 10_000, 100_000] if quick else [4_400, 10_000, 100_000, 1_000_000],
        lambda size: size // 400,
        repeats,
    )
    bench_growth(
        "growth, 12 segments whatever n: the hard case of PELT, which drops nothing while nothing changes; here levels are dropped too",
        [4_400, 10_000] if quick else [4_400, 10_000, 100_000, 1_000_000],
        lambda size: 12,
        repeats,
    )


if __name__ == "__main__":
    main()
