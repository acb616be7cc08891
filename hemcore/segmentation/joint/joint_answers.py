"""All events of a counter series cut jointly: every run of an application, and the path of one."""

from itertools import pairwise

import numpy as np
import pandas as pd

from hemcore.analysis import Progress
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ParameterError
from hemcore.segmentation.compare.segment_agreement import agreement_between_runs
from hemcore.segmentation.compare.segment_order import runs_in_order
from hemcore.segmentation.joint.joint_readings import readings
from hemcore.segmentation.joint.joint_results import JointlySegmented, JointRun, RunJointPath
from hemcore.segmentation.joint.joint_runs import segment_runs_jointly
from hemcore.segmentation.joint.joint_search import default_penalty, joint_path, joint_segments_of
from hemcore.segmentation.params import SegmentationParams

# Factors of log(n) an event between which a path is known; above it little is left of most runs.
LOWEST_FACTOR, HIGHEST_FACTOR = 0.5, 50.0


def jointly(table: CounterSeries, params: SegmentationParams, progress: Progress | None = None) -> JointlySegmented:
    """`segment_runs_jointly` of every run of the application, compared with the first one.

    params.joint_penalty is the factor, 0: the one on which the runs agree; where params.min_distance is None, segments have at least
    2 % of each run. An interval in which no event was counted is no sample. Raises UnknownNameError for an unknown application,
    ParameterError where no interval of any run is left, and as `segment_runs_jointly` does.
    """
    asked = params if params.application else params.but(application=table.applications[0])
    taken = [each for run in table.runs(asked.application) if (each := _samples(table, asked, int(run))) is not None]
    if not taken:
        raise ParameterError(f"application: nothing of {asked.application!r} was counted once its runs are trimmed. Trim less.")
    frames = [counts for _, _, counts, _ in taken]
    found = segment_runs_jointly(
        frames, factor=asked.joint_penalty or None, min_segment=asked.min_distance, bursts=asked.joint_bursts, progress=progress
    )
    runs = tuple(
        JointRun(
            run=run,
            positions=positions,
            segmentation=each,
            boundaries=boundaries,
            levels=joint_segments_of(counts.to_numpy(dtype=float, na_value=np.nan), each.change_points),
        )
        for (run, positions, counts, boundaries), each in zip(taken, found.runs, strict=True)
    )
    return JointlySegmented(
        runs=runs,
        factor=found.factor,
        agreeing=found.agreeing if len(runs) > 1 else float("nan"),
        tried=found.tried,
        agreement=_agreement(runs, asked.tolerance),
        explained=_explained(runs),
        segments=_segments(runs, table.interval_unit, asked.application),
        params=asked,
    )


def run_joint_path(table: CounterSeries, params: SegmentationParams, progress: Progress | None = None) -> RunJointPath:
    """Every joint segmentation of one run, from half a log(n) an event to 50. Raises as `jointly` and `joint_path` do."""
    asked = params if params.application else params.but(application=table.applications[0])
    run = asked.run if asked.run is not None else int(table.runs(asked.application)[0])
    taken = _samples(table, asked, run)
    if taken is None:
        raise ParameterError(f"run: nothing of run {run} of {asked.application!r} was counted once it is trimmed. Trim less.")
    counts = taken[2]
    unit = default_penalty(readings(counts), len(counts), 1.0)
    least = asked.min_distance
    path = joint_path(counts, LOWEST_FACTOR * unit, HIGHEST_FACTOR * unit, min_segment=least, bursts=asked.joint_bursts, progress=progress)
    return RunJointPath(run=run, path=path, unit=unit, params=asked.but(run=run))


def _samples(
    table: CounterSeries, params: SegmentationParams, run: int
) -> tuple[int, np.ndarray, pd.DataFrame, tuple[int, ...] | None] | None:
    part = table.run(params.application, run)
    counted = part.counts.notna().any(axis=1).to_numpy(copy=True)
    counted[: params.trim_head] = False
    counted[max(0, len(counted) - params.trim_tail) :] = False
    positions = np.flatnonzero(counted)
    if not len(positions):
        return None
    boundaries = None
    if "stage" in part.intervals.columns:
        stages = pd.factorize(part.intervals["stage"].fillna("").astype(str).to_numpy(dtype=object))[0][positions]
        boundaries = tuple((np.flatnonzero(np.diff(stages)) + 1).tolist())
    return run, positions, part.counts.iloc[positions].reset_index(drop=True), boundaries


def _agreement(runs: tuple[JointRun, ...], tolerance: int) -> pd.DataFrame:
    cut = [(each.segmentation.change_points, len(each.positions)) for each in runs]
    ordered = runs_in_order([(*points, each.levels) for points, each in zip(cut, runs, strict=True)])
    table = agreement_between_runs(cut, tolerance=tolerance, labels=[str(each.run) for each in runs]).assign(
        in_order=ordered["in_order"],
        duration_change=ordered["duration_change"],
        residual=[each.segmentation.residual for each in runs],
        explained=[each.segmentation.explained for each in runs],
    )
    truths = [each.truth(tolerance) for each in runs]
    if any(truth is not None for truth in truths):
        for name in ("covering", "precision", "recall", "f1"):
            table[f"{name}_true"] = [np.nan if truth is None else getattr(truth, name) for truth in truths]
    return table


def _explained(runs: tuple[JointRun, ...]) -> pd.DataFrame:
    together = pd.concat([each.segmentation.explained_by for each in runs], axis=1)
    median = together.median(axis=1).sort_values(ascending=False, kind="stable")
    return pd.DataFrame({"event": median.index.astype(str), "explained": median.to_numpy(dtype=float)})


def _segments(runs: tuple[JointRun, ...], unit: str, application: str) -> pd.DataFrame:
    rows = []
    for each in runs:
        for number, (start, stop) in enumerate(pairwise([0, *each.segmentation.change_points, len(each.positions)]), 1):
            begin, end = int(each.positions[start]), int(each.positions[stop - 1]) + 1
            rows.append((application, each.run, number, begin, end, stop - start, unit))
    return pd.DataFrame(rows, columns=["application", "run", "segment", "start", "stop", "n_samples", "unit"])
