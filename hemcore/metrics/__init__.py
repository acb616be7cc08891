"""Metrics: formulas over events (IPC, miss ratios, top-down), evaluated on readings, with intervals.

definitions = read_definitions("skylakex_metrics.json", "skylakex_core.json")   # or what `perf list -j --details` printed
evaluate(definitions, table)            # a column per metric; the rows of the table
metric_intervals(definitions, table)    # 80 % intervals over whole runs, and which subexperiment the doubt is from
top_down(definitions, table)            # the tree, and the path of the bottleneck
"""

from collections.abc import Callable

from hemcore.callable_room import make_callable
from hemcore.datasets.tables.metric_definitions import Metric, MetricDefinitions
from hemcore.metrics.bootstrap import Bootstrapped, bootstrapped, metric_intervals, variance_shares
from hemcore.metrics.identities import check_identities
from hemcore.metrics.metric_values import Evaluation, evaluate, evaluation
from hemcore.metrics.params import MetricsParams
from hemcore.metrics.sets.definition_sets import OURS, our_definitions, read_definitions
from hemcore.metrics.tree import TopDown, top_down

__all__ = [
    "OURS",
    "Bootstrapped",
    "Evaluation",
    "Metric",
    "MetricDefinitions",
    "MetricsParams",
    "TopDown",
    "bootstrapped",
    "check_identities",
    "evaluate",
    "evaluation",
    "metric_intervals",
    "our_definitions",
    "read_definitions",
    "top_down",
    "variance_shares",
]


def _question() -> Callable[..., object]:
    from hemcore.front.questions import metrics

    return metrics


make_callable(__name__, _question)
