"""The next steps of a verdict on segments: what else may show phases, or confirm them."""

import math

from hemcore.errors import Remedy
from hemcore.headline import ADD_RUNS, FEW_RUNS, LITTLE_EXPLAINED
from hemcore.segmentation.results import SegmentedRun
from hemcore.segmentation.smooth_courses import level_changes

# What may show phases that one event does not.
_TOGETHER = Remedy(label="All events together", choose={"view": "All events together"})
_ALL_RUNS = Remedy(label="Compare all runs", choose={"view": "All runs"})
ADD_EVENTS = Remedy(label="Add events", page="data")
_MEAN = Remedy(label="Use the mean", choose={"statistic": "mean"})


def further(found: SegmentedRun) -> Remedy:
    """What else may show phases, or whether these come again: the other runs if they wait to be compared, the other events, more runs."""
    if found.found is None and len(found.thresholds.runs) > 1 and found.run.segmentation.change_points:
        return _ALL_RUNS
    alone = ADD_RUNS if len(found.thresholds.runs) < FEW_RUNS else ADD_EVENTS
    return _TOGETHER if len(found.events) > 1 else alone


def more_phases(found: SegmentedRun) -> Remedy:
    """The next step for a run of one segment: a threshold whose segments explain it, or the mean if that changes, or what else there is."""
    some = found.path.path.intervals.query("n_change_points > 0").sort_values("threshold_to", ascending=False)
    numbers, starts, ends = (some[name].tolist() for name in ("n_change_points", "threshold_from", "threshold_to"))
    for number, low, high in zip(numbers, starts, ends, strict=True):
        if number <= found.params.max_change_points and found.path.at(low).explained >= LITTLE_EXPLAINED:
            return at_threshold(int(number) + 1, low, high)
    changes = found.run.segmentation.statistic != "mean" and level_changes(found.run.samples.counts)
    return _MEAN if changes else further(found)


def at_threshold(phases: int, low: float, high: float) -> Remedy:
    """The step to `phases` phases, which the run has from threshold `low` up to `high`."""
    rounded = math.ceil(100 * low) / 100
    return Remedy(label=f"Show {phases} phases", choose={"threshold": rounded if rounded < high else low})
