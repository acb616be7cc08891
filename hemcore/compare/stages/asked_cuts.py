"""Change points of runs by all events together, asked of Segmentation."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from hemcore.analysis import AnyAnalysis
from hemcore.compare.run_sets import Floats
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import HemError


def asked_by_phases() -> tuple[AnyAnalysis, ...]:
    """The analysis that cuts runs."""
    from hemcore.segmentation.analysis import JOINT  # who compares runs alone does not wait for it

    return (JOINT,)


def joint_cut(runs: Sequence[Floats]) -> list[list[int]]:
    """The change points of each run, in pieces; none where nothing can be cut. runs: shape (pieces, hems) each, NaN = not counted."""
    analysis = asked_by_phases()[0]
    numbers = np.repeat(np.arange(1, len(runs) + 1), [len(run) for run in runs])
    intervals = pd.DataFrame({"application": "program", "run": numbers, "interval": np.concatenate([np.arange(len(run)) for run in runs])})
    counts = pd.DataFrame(np.concatenate(runs), columns=[f"H{place}" for place in range(runs[0].shape[1])])
    try:
        found = analysis.of(CounterSeries(intervals=intervals, counts=counts, mode="OCOE"), analysis.params())
    except HemError:  # too short, or nothing was counted: one phase
        return [[] for _ in runs]
    points = {each.run: each.positions[list(each.segmentation.change_points)].tolist() for each in found.runs}
    return [points.get(number, []) for number in range(1, len(runs) + 1)]
