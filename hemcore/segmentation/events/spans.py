"""A span of the time axis compared with the rest of the run, event by event."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from hemcore.segmentation.results import RunSegments

COLUMNS = ("event", "samples inside", "mean inside", "mean outside", "inside / outside", "std inside", "change points inside")


def compare_span(runs: Mapping[str, RunSegments], start: float, stop: float) -> pd.DataFrame:
    """One row an event of `runs`: its samples that begin from `start` up to, and without, `stop`, beside all others of the run.

    start, stop: on the run's time axis: s where it has times, else intervals. Means and std are counts an interval; NaN where there is no
    sample, "inside / outside" also where the mean outside is 0. Change points inside: first samples of segments that begin there.
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
