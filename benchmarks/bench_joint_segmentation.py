"""Joint segmentation of all events of the sample's runs, beside changeforest and single events: F1 within 2 intervals, mean of 9 programs.

    nice python benchmarks/bench_joint_segmentation.py [--quick]

Series: sample_data/series/ocoe.parquet, 60 runs of each of 9 programs, 13 events; the truth are the program's own stages.
segment_jointly: one run, its default penalty; without bursts: every change point costs the same, penalties from 1 to 2.6 log n an event.
segment_runs_jointly: the penalty at which most runs of a program have as many segments. changeforest: change_in_mean by binary
segmentation with its defaults, on the same standardised events (without bursts) and on square roots of counts with whole tails.
Single events: `segment` without a threshold, and Algorithm 1's threshold with rms, on Dr.
"""

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hemcore.segmentation import agreement, optimal_threshold, segment, segment_jointly, segment_runs_jointly  # noqa: E402
from hemcore.segmentation.compare.peer_searches import changeforest_points  # noqa: E402
from hemcore.segmentation.joint.joint_readings import readings  # noqa: E402
from hemcore.segmentation.joint.joint_search import default_penalty  # noqa: E402

Points = tuple[int, ...]


def programs(every: int) -> dict[str, list[tuple[pd.DataFrame, Points]]]:
    """Of each program every n-th run: counts and the places where a stage begins."""
    frame = pd.read_parquet(ROOT / "sample_data" / "series" / "ocoe.parquet")
    events = list(frame.columns[5:])
    found: dict[str, list[tuple[pd.DataFrame, Points]]] = {}
    for (program, run), part in frame.groupby(["program", "run"], sort=True):
        if (int(run) - 1) % every == 0:
            begins = np.flatnonzero(np.diff(pd.factorize(part["stage"])[0])) + 1
            found.setdefault(str(program), []).append((part[events].astype(float).reset_index(drop=True), tuple(begins.tolist())))
    return found


def plain(factor: float) -> Callable[[pd.DataFrame], Points]:
    def find(counts: pd.DataFrame) -> Points:
        penalty = default_penalty(readings(counts, bursts=False), len(counts), factor)
        return segment_jointly(counts, penalty=penalty, bursts=False).change_points

    return find


def roots(counts: pd.DataFrame) -> np.ndarray:
    values = np.sqrt(counts.to_numpy())
    spread = values.std(axis=0)
    return np.ascontiguousarray(((values - values.mean(axis=0)) / np.where(spread > 0, spread, 1.0))[:, spread > 0])


def by_algorithm_1(counts: pd.DataFrame) -> Points:
    series = counts["Dr"].to_numpy()
    return segment(series, optimal_threshold([series], 100).threshold).change_points


ONE_RUN: dict[str, Callable[[pd.DataFrame], Points]] = {
    "segment_jointly": lambda counts: segment_jointly(counts).change_points,
    **{f"segment_jointly, no bursts, {factor:g} log n": plain(factor) for factor in (1.0, 1.4, 2.0, 2.6)},
    "changeforest, same readings": lambda counts: changeforest_points(np.ascontiguousarray(readings(counts).samples.T)),
    "changeforest, square roots": lambda counts: changeforest_points(roots(counts)),
    "segment(Dr), its own rule": lambda counts: segment(counts["Dr"].to_numpy()).change_points,
    "segment(Dr), Algorithm 1, rms": by_algorithm_1,
}


def told(name: str, figures: dict[str, float], seconds: float) -> None:
    print(
        f"{name:38} {np.mean(list(figures.values())):.3f}  {'  '.join(f'{each:5.2f}' for each in figures.values())} {seconds:8.1f} s",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="every sixth run")
    cases = programs(6 if parser.parse_args().quick else 1)
    segment_jointly(next(iter(cases.values()))[0][0])
    print(f"{'F1 within 2 intervals, mean and':38} mean   {'  '.join(name[:5] for name in cases)}")
    for name, find in ONE_RUN.items():
        start = time.process_time()
        figures = {
            program: float(np.mean([agreement(true, find(counts), len(counts)).f1 for counts, true in runs]))
            for program, runs in cases.items()
        }
        told(name, figures, time.process_time() - start)
    start = time.process_time()
    figures = {}
    for program, runs in cases.items():
        together = segment_runs_jointly([counts for counts, _ in runs])
        figures[program] = float(
            np.mean([agreement(true, each.change_points, len(counts)).f1 for (counts, true), each in zip(runs, together.runs, strict=True)])
        )
    told("segment_runs_jointly, all runs", figures, time.process_time() - start)


if __name__ == "__main__":
    main()
