"""Compares a span of the time axis with the rest of the run, event by event."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from hemcore.segmentation.results import RunSegments

COLUMNS = ("event", "samples inside", "mean inside", "mean outside", "inside / outside", "std inside", "change points inside")


def compare_span(runs: Mapping[str, RunSegments], start: float, stop: float) -> pd.DataFrame:
    """One row per event of `runs`: the samples that begin from `start` up to but not including `stop`, compared with the others.

    start, stop: on the run's time axis, in s if it has times, otherwise in intervals. Means and std are counts per interval; NaN without a
    sample, "inside / outside" also if the mean outside is 0. Change points inside: segments that begin there, without the first.
    """
    rows = []
    for event, run in runs.items():
        samples = run.samples
        places = np.arange(len(samples.counts))
        seconds = samples.seconds(places)
        begins = samples.interval(places).astype(float) if seconds is None else seconds
        within = (begins >= start) & (begins < stop)
        inside, outside = samples.counts[within], samples.counts[~within]
        mean, others = _mean(inside), _mean(outside)
        cuts = np.array(run.segmentation.change_points, dtype=int)
        ratio = mean / others if others else np.nan
        std = float(inside.std()) if len(inside) else np.nan
        rows.append((event, len(inside), mean, others, ratio, std, int(within[cuts].sum())))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _mean(counts: np.ndarray) -> float:
    return float(counts.mean()) if len(counts) else np.nan
