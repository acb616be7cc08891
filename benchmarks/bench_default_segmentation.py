"""What each search finds without being told how many changes there are: covering and F1 over series whose changes are known.

    nice python benchmarks/bench_default_segmentation.py [--all] [--kinds]

Series: tests/core/segmentation/annotated.py, made ones of 27 kinds, the sample's stages and, where ../shared/data has them, programs of
Cortex-A15. A constant of a default may have been chosen on the half with even numbers; the half with odd ones is judged (--all: both).
Covering, and F1 with a margin of 5 samples in which the start counts as a change point of both sides, as the literature on annotated series
has them; beside these F1 within 2 samples for the sample's stages alone, the start not counted. Means over series.

segment(series) alone; Algorithm 1's threshold (largest 100) with each statistic; no change point at all; and ruptures on the series in
standard deviations: Pelt, Binseg (l2) and KernelCPD (rbf) at their BIC penalties, 2 log n (Pelt and Binseg) and log n (KernelCPD, whose
costs are at most 1 a sample), every sample a candidate. Oracles, which nobody can have, since the truth chooses the penalty: of each
search the best of its penalties for each series and measure; and the one penalty, in log n, that is best for all series together, for
each measure its own (both are printed). Pelt with l2 is exact as our search for the mean is and has the same path, which ours walks
(Pelt would take hours); of Binseg and KernelCPD 24 penalties, evenly on a logarithmic scale, for the best of all of Pelt's too.

Covering and F1 within 5 over the 369 series of the half that is judged:
    segment(series)           .893 .900     ruptures.Binseg      BIC .803 .803   best for all .809 .812   best a series .928 .929
    Algorithm 1's, rms        .689 .645     ruptures.Pelt        BIC .782 .770   best for all .803 .812   best a series .933 .934
    Algorithm 1's, mean, std  .729 .685, .404 .415   KernelCPD   BIC .821 .815   best for all .825 .829   best a series .952 .952
    no change point           .605 .647
Over all 743 series it has .901 .905, and .979 .961 on the 240 of annotated_shapes.py, which --shapes judges. What its rule had before it
set single far samples aside and asked whether a slow wave explains steps: .883 .885 (.890 .890 over all), .967 .946 (spikes .862, now
.997; slow waves .690, now .795; drops with a slow way back .755, now .881; lines that break .561, now .515); before it asked whether a
walk, or lines between the segments, explain them: .880 .879, .882 .881 and .964 .943; a rule that compared steps with autocorrelated noise
up to .95: .879 .883, .887 .887 and .939 .935.
"""

import argparse
import sys
import time
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np
import ruptures
from annotated_shapes import shapes

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hemcore.segmentation import agreement, optimal_threshold, segment, threshold_path, warm  # noqa: E402
from tests.core.segmentation.annotated import Annotated, covering_of, every, f1_of, held_out  # noqa: E402

Points = tuple[int, ...]
# In log n: of costs in squared standard deviations, and of KernelCPD's.
PENALTIES, KERNEL_PENALTIES = np.geomspace(0.5, 100, 24), np.geomspace(0.125, 25, 24)


def standard(series: np.ndarray) -> np.ndarray:
    spread = series.std()
    return (series - series.mean()) / spread if spread > 0 else series * 0.0


def algorithm_1(statistic: str) -> Callable[[np.ndarray], Points]:
    def find(series: np.ndarray) -> Points:
        searched = standard(series) if statistic == "mean" else series
        threshold = optimal_threshold([searched], 100, statistic=statistic).threshold
        return segment(searched, threshold, statistic=statistic).change_points

    return find


def of_ruptures(name: str, penalties: Sequence[float]) -> Callable[[np.ndarray], list[Points]]:
    """What the search finds at each of `penalties` times log n."""

    def find(series: np.ndarray) -> list[Points]:
        samples, n = standard(series), len(series)
        if name == "KernelCPD":
            search = ruptures.KernelCPD(kernel="rbf", min_size=2, params={"gamma": 1.0})
        else:
            search = getattr(ruptures, name)(model="l2", min_size=2, jump=1)
        search.fit(samples)
        return [tuple(search.predict(pen=each * np.log(n))[:-1]) for each in penalties]

    return find


def at_bic(name: str) -> Callable[[np.ndarray], Points]:
    find = of_ruptures(name, [1.0 if name == "KernelCPD" else 2.0])
    return lambda series: find(series)[0]


def our_path(series: np.ndarray) -> tuple[list[Points], list[Points]]:
    """The whole path, and its segmentations at PENALTIES."""
    samples, unit = standard(series), np.log(len(series))
    if samples.min() == samples.max():
        return [()], [()] * len(PENALTIES)
    path = threshold_path(samples, PENALTIES[0] * unit, PENALTIES[-1] * unit, statistic="mean")
    return list(path.change_points), [path.at(each * unit).change_points for each in PENALTIES]


def path_of(name: str, penalties: Sequence[float]) -> Callable[[np.ndarray], tuple[list[Points], list[Points]]]:
    def find(series: np.ndarray) -> tuple[list[Points], list[Points]]:
        found = of_ruptures(name, penalties)(series)
        return found, found

    return find


DEFAULTS: dict[str, Callable[[np.ndarray], Points]] = {
    "segment(series), its own rule": lambda series: segment(series).change_points,
    "Algorithm 1's threshold, rms": algorithm_1("rms"),
    "Algorithm 1's threshold, mean": algorithm_1("mean"),
    "Algorithm 1's threshold, std": algorithm_1("std"),
    "ruptures.Pelt, l2, BIC": at_bic("Pelt"),
    "ruptures.Binseg, l2, BIC": at_bic("Binseg"),
    "ruptures.KernelCPD, rbf, BIC": at_bic("KernelCPD"),
    "no change point at all": lambda series: (),
}
# All that was tried, and what was found at each penalty.
ORACLES: dict[str, tuple[Callable[[np.ndarray], tuple[list[Points], list[Points]]], Sequence[float]]] = {
    "ruptures.Pelt, and our path": (our_path, PENALTIES),
    "ruptures.Binseg": (path_of("Binseg", PENALTIES), PENALTIES),
    "ruptures.KernelCPD": (path_of("KernelCPD", KERNEL_PENALTIES), KERNEL_PENALTIES),
}


def scores(case: Annotated, found: Iterable[Points]) -> np.ndarray:
    """Of each segmentation: covering, F1 within 5 and, for the sample's stages, F1 within 2 (else NaN), shape (segmentations, 3)."""
    n, true, stages = len(case.series), case.change_points, case.kind.startswith("sample")
    return np.array(
        [(covering_of(true, each, n), f1_of(true, each), agreement(true, each, n).f1 if stages else np.nan) for each in found], dtype=float
    )


def oracles(name: str, cases: Sequence[Annotated]) -> None:
    """Print the best penalty for each series, and the best one for all."""
    path, penalties = ORACLES[name]
    best, at_each = [], []
    for case in cases:
        tried, told = path(case.series)
        best.append(scores(case, tried).max(axis=0))  # NaN stays NaN
        at_each.append(scores(case, told))
    mean = np.nanmean(best, axis=0)
    print(f"{name + ', oracle a series':42} {mean[0]:8.3f} {mean[1]:8.3f} {mean[2]:16.3f}")
    together = np.nanmean(at_each, axis=0)
    one = together.max(axis=0)
    chosen = ", ".join(f"{penalties[row]:.2g}" for row in together.argmax(axis=0))
    print(f"{name + ', oracle for all':42} {one[0]:8.3f} {one[1]:8.3f} {one[2]:16.3f}   at {chosen} log n", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="the half that defaults were chosen on, too")
    parser.add_argument("--shapes", action="store_true", help="series shaped as those that people annotate, instead")
    parser.add_argument("--kinds", action="store_true", help="figures of our default for each kind of series")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    warm()
    cases = list(every()) if options.all else held_out()
    if options.shapes:
        cases = [Annotated(kind=name, number=at, series=series, change_points=points) for at, (name, series, points) in enumerate(shapes())]
    true = [len(case.change_points) for case in cases]
    lengths = [len(case.series) for case in cases]
    print(f"{len(cases)} series of {min(lengths)} to {max(lengths)} samples, {np.mean(true):.2f} change points on average")
    print(f"{'':42} covering  F1 in 5  F1 in 2, stages  change points  seconds")
    for name, find in DEFAULTS.items():
        start = time.process_time()
        found = [find(case.series) for case in cases]
        seconds = time.process_time() - start
        figures = np.array([scores(case, [points])[0] for case, points in zip(cases, found, strict=True)])
        mean = np.nanmean(figures, axis=0)
        many = np.mean([len(points) for points in found])
        print(f"{name:42} {mean[0]:8.3f} {mean[1]:8.3f} {mean[2]:16.3f} {many:14.2f} {seconds:8.1f}", flush=True)
        if options.kinds and name.startswith("segment"):
            kinds = defaultdict(list)
            for case, each in zip(cases, figures, strict=True):
                kinds[case.kind.split()[0]].append(each[:2])
            for kind, values in kinds.items():
                print(f"    {kind:38} {np.mean(values, axis=0)[0]:8.3f} {np.mean(values, axis=0)[1]:8.3f}")
    for name in ORACLES:
        oracles(name, cases)


if __name__ == "__main__":
    main()
