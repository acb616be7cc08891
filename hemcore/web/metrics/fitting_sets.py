"""Whether any definitions at hand give a metric of a dataset, so that a way to the page leads somewhere."""

from hemcore.datasets.shelf import library
from hemcore.datasets.tables.metric_definitions import MetricDefinitions
from hemcore.errors import HemError
from hemcore.events.spelling import EventColumns
from hemcore.metrics.sets.definition_sets import best_of_ours, with_events
from hemcore.metrics.table_counts import event_names
from hemcore.web import shelf


def fits(table: object) -> bool:
    """Whether a set of the project, or one on the shelf, has a metric with all its events in `table`."""
    events = EventColumns(event_names(table))
    if best_of_ours(events):
        return True
    uploads = (entry.id for entry in library.entries(shelf.store(), MetricDefinitions.__name__))
    return any(_has_one(id, events) for id in uploads)


def _has_one(id: str, events: EventColumns) -> bool:
    try:
        definitions = shelf.table(id)
    except HemError:
        return False  # a damaged upload is told where it is opened
    assert isinstance(definitions, MetricDefinitions)
    return bool(with_events(definitions, events))
