"""The definitions that parameters name, and which of their metrics a table has the events of."""

from hemcore.datasets.shelf import library
from hemcore.datasets.tables.metric_definitions import MetricDefinitions
from hemcore.errors import ParameterError
from hemcore.events.spelling import EventColumns
from hemcore.metrics.params import MetricsParams
from hemcore.metrics.sets.definition_sets import OURS, best_of_ours, our_definitions


def definitions_for(params: MetricsParams, events: EventColumns) -> tuple[MetricDefinitions, str]:
    """The definitions that `params` name, and their name; of none, the project's own set that fits `events` best, else the first.

    Raises ParameterError if the dataset is of another kind, UnknownNameError if there is none.
    """
    if not params.definitions or params.definitions in OURS:
        name = params.definitions or best_of_ours(events) or next(iter(OURS))
        return our_definitions(name), name
    table = library.load(params.definitions)
    if not isinstance(table, MetricDefinitions):
        raise ParameterError(f"definitions: {params.definitions[:60]!r} holds no metrics. Choose a dataset of metric definitions.")
    return table, params.definitions
