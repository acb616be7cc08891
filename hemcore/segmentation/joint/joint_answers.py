"""Joint segmentation of a counter series by all events: every run of an application, and the path of one run."""

from itertools import pairwise

import numpy as np
import pandas as pd

from hemcore.analysis import Progress
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ParameterError
from hemcore.segmentation.compare.segment_agreement import agreement_between_runs
from hemcore.segmentation.compare.segment_order import runs_in_order
from hemcore.segmentation.detrend import events_without_trend
from hemcore.segmentation.joint.joint_readings import readings
from hemcore.segmentation.joint.joint_results import JointlySegmented, JointRun, RunJointPath
from hemcore.segmentation.joint.joint_runs import segment_runs_jointly
from hemcore.segmentation.joint.joint_search import default_penalty, joint_path, joint_segments_of
from hemcore.segmentation.params import SegmentationParams

# Range of a path, in log(n) per event; above it most runs have few change points left.
LOWEST_FACTOR, HIGHEST_FACTOR = 0.5, 50.0


def jointly(table: CounterSeries, params: SegmentationParams, progress: Progress | None = None) -> JointlySegmented:
    """`segment_runs_jointly` of every run of the application, compared with the first one.

    params.joint_penalty is the factor; 0: the one at which the runs agree. If params.min_distance is None, segments have at least 2% of
    each run. params.detrend is subtracted from each event as for one event alone. An interval in which no event was counted is not a
    sample. Raises UnknownNameError for an unknown application, ParameterError if no interval of any run is left, and as
    `segment_runs_jointly` does.
    """
    params = params if params.application else params.but(application=table.applications[0])
    samples = [each for run in table.runs(params.application) if (each := _samples(table, params, int(run))) is not None]
    if not samples:
        raise ParameterError(f"application: no interval of {params.application!r} was counted after trimming its runs. Trim less.")
    frames = [counts for _, _, counts, _ in samples]
    found = segment_runs_jointly(
        frames, factor=params.joint_penalty or None, min_segment=params.min_distance, bursts=params.joint_bursts, progress=progress
    )
    runs = tuple(
        JointRun(
            run=run,
            positions=positions,
            segmentation=each,
            boundaries=boundaries,
            levels=joint_segments_of(counts.to_numpy(dtype=float, na_value=np.nan), each.change_points),
        )
        for (run, positions, counts, boundaries), each in zip(samples, found.runs, strict=True)
    )
    return JointlySegmented(
        runs=runs,
        factor=found.factor,
        agreeing=found.agreeing if len(runs) > 1 else float("nan"),
        tried=found.tried,
        agreement=_agreement(runs, params.tolerance),
        explained=_explained(runs),
        segments=_segments(runs, table.interval_unit, params.application),
        params=params,
    )


def run_joint_path(table: CounterSeries, params: SegmentationParams, progress: Progress | None = None) -> RunJointPath:
    """Every joint segmentation of one run for penalties from 0.5 to 50 log(n) per event. Raises as `jointly` and `joint_path` do."""
    params = params if params.application else params.but(application=table.applications[0])
    run = params.run if params.run is not None else int(table.runs(params.application)[0])
    samples = _samples(table, params, run)
    if samples is None:
        raise ParameterError(f"run: no interval of run {run} of {params.application!r} was counted after trimming. Trim less.")
    counts = samples[2]
    unit = default_penalty(readings(counts), len(counts), 1.0)
    least = params.min_distance
    path = joint_path(counts, LOWEST_FACTOR * unit, HIGHEST_FACTOR * unit, min_segment=least, bursts=params.joint_bursts, progress=progress)
    return RunJointPath(run=run, path=path, unit=unit, params=params.but(run=run))


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
    counts = part.counts.iloc[positions].reset_index(drop=True)
    return run, positions, events_without_trend(counts, positions, params.detrend), boundaries


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
