"""What each search finds without being told how many changes there are: covering and F1 over series whose changes are known.

    nice python benchmarks/bench_default_segmentation.py [--all] [--kinds]

Series: tests/core/segmentation/annotated.py, made ones of 27 kinds, the sample's stages and, where ../shared/data has them, programs of
Cortex-A15. A constant of a default may have been chosen on the half with even numbers; the half with odd ones is judged (--all: both).
Covering, and F1 with a margin of 5 samples in which the start counts as a change point of both sides, as the literature on annotated series
has them; beside these F1 within 2 samples for the sample's stages alone, the start not counted. Means over series.

segment(series) alone; Algorithm 1's threshold (largest 100) with each statistic; no change point at all; and ruptures on the series in
standard deviations: Pelt, Binseg (l2) and KernelCPD (rbf) at their BIC penalties, 2 log n (Pelt and Binseg) and log n (KernelCPD, whose
costs are at most 1 a sample), every sample a candidate. Oracles: of each search the best of all its penalties, chosen for each series
and measure with the truth in hand; nobody can have them. Pelt with l2 is exact as our search for the mean is and has the same path,
which is walked once, all of it, by ours (Pelt would take a quarter of an hour); Binseg and KernelCPD at 13 penalties.
"""

import argparse
import sys
import time
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import ruptures

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hemcore.segmentation import agreement, optimal_threshold, segment, threshold_path, warm  # noqa: E402
from tests.core.segmentation.annotated import Annotated, covering_of, every, f1_of, held_out  # noqa: E402

Points = tuple[int, ...]
PENALTIES = np.geomspace(0.1, 100, 13)


def standard(series: np.ndarray) -> np.ndarray:
    spread = series.std()
    return (series - series.mean()) / spread if spread > 0 else series * 0.0


def algorithm_1(statistic: str) -> Callable[[np.ndarray], Points]:
    def find(series: np.ndarray) -> Points:
        searched = standard(series) if statistic == "mean" else series
        threshold = optimal_threshold([searched], 100, statistic=statistic).threshold
        return segment(searched, threshold, statistic=statistic).change_points

    return find


def of_ruptures(name: str, penalty: float | None = None) -> Callable[[np.ndarray], Points]:
    """The search at `penalty` times log n; None: at its BIC penalty."""

    def find(series: np.ndarray) -> Points:
        samples, n = standard(series), len(series)
        if name == "KernelCPD":
            search, usual = ruptures.KernelCPD(kernel="rbf", min_size=2, params={"gamma": 1.0}), 1.0
        else:
            search, usual = getattr(ruptures, name)(model="l2", min_size=2, jump=1), 2.0
        return tuple(search.fit(samples).predict(pen=(usual if penalty is None else penalty) * np.log(n))[:-1])

    return find


def our_path(series: np.ndarray) -> list[Points]:
    samples = standard(series)
    if samples.min() == samples.max():
        return [()]
    return list(threshold_path(samples, 0.5 * np.log(len(samples)), len(samples) + 1.0, statistic="mean").change_points)


DEFAULTS: dict[str, Callable[[np.ndarray], Points]] = {
    "segment(series), its own rule": lambda series: segment(series).change_points,
    "Algorithm 1's threshold, rms": algorithm_1("rms"),
    "Algorithm 1's threshold, mean": algorithm_1("mean"),
    "Algorithm 1's threshold, std": algorithm_1("std"),
    "ruptures.Pelt, l2, BIC": of_ruptures("Pelt"),
    "ruptures.Binseg, l2, BIC": of_ruptures("Binseg"),
    "ruptures.KernelCPD, rbf, BIC": of_ruptures("KernelCPD"),
    "no change point at all": lambda series: (),
}
ORACLES: dict[str, Callable[[np.ndarray], list[Points]]] = {
    "oracle: our path, and Pelt's": our_path,
    "oracle: ruptures.Binseg": lambda series: [of_ruptures("Binseg", each)(series) for each in PENALTIES],
    "oracle: ruptures.KernelCPD": lambda series: [of_ruptures("KernelCPD", each / 4)(series) for each in PENALTIES],
}


def scores(case: Annotated, found: Iterable[Points]) -> tuple[float, float, float]:
    """The best covering, F1 within 5 and, for the sample's stages, F1 within 2 (else NaN) of what was found."""
    n, true, tried = len(case.series), case.change_points, list(found)
    strict = max(agreement(true, points, n).f1 for points in tried) if case.kind.startswith("sample") else np.nan
    return max(covering_of(true, points, n) for points in tried), max(f1_of(true, points) for points in tried), strict


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="the half that defaults were chosen on, too")
    parser.add_argument("--kinds", action="store_true", help="figures of our default for each kind of series")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    warm()
    cases = list(every()) if options.all else held_out()
    true = [len(case.change_points) for case in cases]
    lengths = [len(case.series) for case in cases]
    print(f"{len(cases)} series of {min(lengths)} to {max(lengths)} samples, {np.mean(true):.2f} change points on average")
    print(f"{'':34} covering  F1 in 5  F1 in 2, stages  change points  seconds")
    for name, find in DEFAULTS.items():
        start = time.process_time()
        found = [find(case.series) for case in cases]
        seconds = time.process_time() - start
        figures = np.array([scores(case, [points]) for case, points in zip(cases, found, strict=True)])
        mean = np.nanmean(figures, axis=0)
        many = np.mean([len(points) for points in found])
        print(f"{name:34} {mean[0]:8.3f} {mean[1]:8.3f} {mean[2]:16.3f} {many:14.2f} {seconds:8.1f}", flush=True)
        if options.kinds and name.startswith("segment"):
            kinds = defaultdict(list)
            for case, each in zip(cases, figures, strict=True):
                kinds[case.kind.split()[0]].append(each[:2])
            for kind, values in kinds.items():
                print(f"    {kind:30} {np.mean(values, axis=0)[0]:8.3f} {np.mean(values, axis=0)[1]:8.3f}")
    for name, path in ORACLES.items():
        mean = np.nanmean([scores(case, path(case.series)) for case in cases], axis=0)
        print(f"{name:34} {mean[0]:8.3f} {mean[1]:8.3f} {mean[2]:16.3f}", flush=True)


if __name__ == "__main__":
    main()
