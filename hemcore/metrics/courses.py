"""One metric over one run of a series, cut into segments by the rule of Segmentation."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from hemcore.analysis import Analysis, Progress
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.metric_definitions import MetricDefinitions
from hemcore.errors import HemError
from hemcore.metrics.metric_values import evaluable, evaluation
from hemcore.metrics.params import COURSE_FIELDS, MetricsParams
from hemcore.metrics.results import MetricCourse
from hemcore.metrics.sets.used_definitions import definitions_for
from hemcore.metrics.table_counts import counts_of

if TYPE_CHECKING:
    from hemcore.segmentation.params import SegmentationParams
    from hemcore.segmentation.results import RunsAtThreshold, RunSegments

_SEGMENTS = ("begin", "end", "mean", "deviation", "intervals")


def course_of(
    table: CounterSeries, params: MetricsParams, progress: Progress | None = None, definitions: MetricDefinitions | None = None
) -> MetricCourse:
    """The metric, application and run that `params` name (empty: the first that lacks nothing, else the first; the first application, run).

    Intervals without a value are gaps: no segment rests on them. A metric that is negative somewhere is segmented after its least value is
    taken away, which changes no difference. Raises UnknownNameError for a name that is not there, and as `evaluate` does.
    """
    counts = counts_of(table)
    known = definitions if definitions is not None else definitions_for(params, counts.events)[0]
    application = params.application or table.applications[0]
    run = params.run if params.run is not None else int(table.runs(application)[0])
    metric = params.metric or [*evaluable(known, counts, params.constant_values), *known.names][0]
    one = table.run(application, run)
    values = evaluation(known, one, constants=params.constant_values, metrics=[metric]).frame[metric].to_numpy(dtype=float)
    if progress is not None:
        progress(0.1, f"segments of {metric}")
    least = min(0.0, float(np.nanmin(values))) if np.isfinite(values).any() else 0.0
    found, why = None, ""
    try:
        of_metric = replace(one, counts=pd.DataFrame({"metric": values - least}), mode="OCOE", share=None, truth=None)
        segmentation = _asked_by_course()[0]
        params_of = segmentation.params(application=application, event="metric")
        found = segmentation.of(of_metric, params_of).runs[0]
    except HemError as error:
        why = f"{metric} is not segmented: {error}" if np.isfinite(values).any() else f"{metric} has no value in this run."
    edges = None if found is None else found.samples.edges
    begin, end = (np.arange(len(values)), np.arange(1, len(values) + 1)) if edges is None else (edges[:-1], edges[1:])
    course = pd.DataFrame({"begin": begin.astype(float), "end": end.astype(float), "value": values})
    return MetricCourse(
        metric=metric,
        application=application,
        run=run,
        course=course,
        segments=pd.DataFrame(columns=list(_SEGMENTS), dtype=float) if found is None else _segments(course, found),
        in_seconds=edges is not None,
        chosen_by="" if found is None else found.segmentation.chosen_by,
        why=why,
        params=params,
    )


def _segments(course: pd.DataFrame, found: "RunSegments") -> pd.DataFrame:
    """The segments of `found` (RunSegments) with the metric's own mean and deviation."""
    positions = found.samples.positions
    parts = np.split(positions, found.segmentation.change_points)
    values = course["value"].to_numpy()
    rows = [
        (course["begin"].iloc[part[0]], course["end"].iloc[part[-1]], values[part].mean(), values[part].std(), len(part)) for part in parts
    ]
    return pd.DataFrame(rows, columns=list(_SEGMENTS))


def _asked_by_course() -> "tuple[Analysis[CounterSeries, SegmentationParams, RunsAtThreshold], ...]":
    from hemcore.segmentation.analysis import BY_RULE  # who asks for metrics alone does not wait for it

    return (BY_RULE,)


COURSE: Analysis[CounterSeries, MetricsParams, MetricCourse] = Analysis(
    name="metrics.course",
    title="Segments of a metric",
    params=MetricsParams,
    reads=COURSE_FIELDS,
    compute=course_of,
    asks=_asked_by_course,
    gives="segments",
    named_by=("metric",),
)
