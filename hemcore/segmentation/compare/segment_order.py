"""How well runs agree if their segments have the same order but different durations."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from hemcore.aligned_order import agreement_in_order, level_unit, levels_of
from hemcore.errors import ParameterError
from hemcore.segmentation.compare.segment_agreement import check_change_points


def runs_in_order(runs: Sequence[tuple[Sequence[int], int, ArrayLike]]) -> pd.DataFrame:
    """How well the segments of each run of a program follow the order of its first run, whatever their durations.

    runs: (change points, n_samples, levels of the segments) of each, at least one; levels as for `agreement_in_order`. If no level is
    below 0, as with counts, their square roots are compared; the unit is the standard deviation of all runs' levels.
    Returns one row per run, including the first (1 and 0): in_order and duration_change of `agreement_in_order`.
    Raises ParameterError for no runs, for change points that `agreement` rejects, and if levels and segments differ in number.
    """
    if not len(runs):
        raise ParameterError("runs is empty; at least one run (change points, n_samples, levels) is needed.")
    levels, lengths = [], []
    for number, (change_points, n_samples, given) in enumerate(runs):
        points = check_change_points(change_points, n_samples, argument=f"change points of runs[{number}], ")
        lengths.append(np.diff([0, *points, n_samples]))
        levels.append(levels_of(given, lengths[-1], f"levels of runs[{number}]")[0])
    if all(np.nanmin(each, initial=0.0) >= 0 for each in levels):
        levels = [np.sqrt(each) for each in levels]
    unit = level_unit(levels)
    found = [
        agreement_in_order(levels[0], other, lengths[0], their_lengths, unit=unit)
        for other, their_lengths in zip(levels, lengths, strict=True)
    ]
    return pd.DataFrame({"in_order": [each.in_order for each in found], "duration_change": [each.duration_change for each in found]})
