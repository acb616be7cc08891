"""Which ratios are given by the runs that read all their events, and not by every run that read one of them.

L2 misses per access from the runs that read both are exact where one follows the other; from different runs they carry the chance of both.
Events that have little to do with each other are surer from more runs. What varies less is taken, and the runs that read both wherever the
two differ by more than chance: then the runs of other subexperiments were not like these.
"""

from collections.abc import Callable, Mapping, Sequence
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from hemcore.datasets.tables.metric_definitions import MetricDefinitions
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.events.spelling import EventColumns
from hemcore.metrics.run_means import RunMeans, bootstrap_weights

Floats = NDArray[np.float64]
Columns = Mapping[str, Floats]
# Twice the counts leave a ratio as it is, to this relative difference.
_CLOSE = 1e-9
_DRAWS = 100
# Estimates further apart than this many standard deviations of their difference: chance does that once in 370 times. Where it does, the
# worse estimate is taken: at 2 (once in 20), errors grew by up to 15% and intervals held the truth 1 to 3% less often.
_APART = 3.0
# By table, definitions, and anchor and constants: which subexperiments each metric is taken from, () = all. Values and intervals ask it.
_Decided = dict[str, tuple[int, ...]]
_decided: "WeakKeyDictionary[Subexperiments, WeakKeyDictionary[MetricDefinitions, dict[object, _Decided]]]" = WeakKeyDictionary()


def joint_parts(
    definitions: MetricDefinitions,
    names: Sequence[str],
    means: RunMeans,
    constants: Mapping[str, float],
    values: Callable[[Columns, int], Floats],
) -> dict[tuple[int, ...], list[str]]:
    """The metrics that are taken from the runs of some subexperiments alone, by the numbers of these; the others are left out.

    Such a metric is no part of a tree, whose sums need the same runs, and no identity; all its events are read in each of these; and it
    stays the same if every count is doubled. constants: those given. values: the metrics `names` for columns of that many rows, shape
    (metrics, rows). Each is decided once per table, definitions, anchor and constants.
    """
    if len(means.runs) < 2:
        return {}
    of_table = _decided.setdefault(means.table, WeakKeyDictionary()).setdefault(definitions, {})
    known = of_table.setdefault((means.anchor, *sorted(constants.items())), {})
    if not known.keys() >= set(names):
        known |= _decide(definitions, names, means, values)
    found: dict[tuple[int, ...], list[str]] = {}
    for name in names:
        if known[name]:
            found.setdefault(known[name], []).append(name)
    return found


def _decide(definitions: MetricDefinitions, names: Sequence[str], means: RunMeans, values: Callable[[Columns, int], Floats]) -> _Decided:
    decided: _Decided = dict.fromkeys(names, ())
    candidates = _candidates(definitions, names, means)
    if not candidates:
        return decided
    whole = [np.ones((1, n)) for n in means.runs]
    drawn = bootstrap_weights(dict(enumerate(means.runs)), means.runs, _DRAWS, np.random.default_rng(0))
    columns = means.stacked([whole, drawn])
    pooled = values(columns, _DRAWS + 1)
    twice = values({name: 2.0 * each for name, each in columns.items()}, _DRAWS + 1)
    scale_free = np.isclose(twice, pooled, rtol=_CLOSE, atol=0.0)[:, 0]
    for parts, rows in candidates.items():
        rows = [row for row in rows if scale_free[row]]
        alone = values(means.stacked([whole, drawn], parts), _DRAWS + 1) if rows else pooled
        decided |= {names[row]: parts for row in rows if _is_better(alone[row], pooled[row])}
    return decided


def _candidates(definitions: MetricDefinitions, names: Sequence[str], means: RunMeans) -> dict[tuple[int, ...], list[int]]:
    """The rows of `names` to try, by the subexperiments that read all their events, where others read some of them."""
    events = EventColumns(means.hems)
    read = [set(frame.columns) for frame in means.table.frames]
    found: dict[tuple[int, ...], list[int]] = {}
    for row, name in enumerate(names):
        metric = definitions.metrics[name]
        if metric.level or metric.formula.is_identity:
            continue
        needed = {events.find(each) for each in definitions.needed_events[name]} - {None}
        parts = tuple(number for number, there in enumerate(read) if needed <= there)
        if parts and any(needed & there for number, there in enumerate(read) if number not in parts):
            found.setdefault(parts, []).append(row)
    return found


def _is_better(alone: Floats, pooled: Floats) -> bool:
    """Whether a metric from joint runs varies less than from all, or differs by more than chance. Each: its value, then its draws."""
    if not (np.isfinite(alone).all() and np.isfinite(pooled).all()):
        return bool(np.isfinite(alone[0]) and not np.isfinite(pooled[0]))
    apart = abs(float(alone[0] - pooled[0])) > _APART * float((alone[1:] - pooled[1:]).std(ddof=1))
    return apart or float(alone[1:].var(ddof=1)) < float(pooled[1:].var(ddof=1))
