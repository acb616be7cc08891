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
    return bool(best_of_ours(EventColumns(event_names(table))) or upload_that_fits(table))


def upload_that_fits(table: object) -> str:
    """The id of the definitions on the shelf that find all events of most metrics in `table`; "" if none does, or a set of the project
    has one."""
    events = EventColumns(event_names(table))
    uploads = [entry.id for entry in library.entries(shelf.store(), MetricDefinitions.__name__)]
    if not uploads or best_of_ours(events):
        return ""
    found = {id: _metrics_with_events(id, events) for id in uploads}
    best = max(found, key=found.__getitem__)
    return best if found[best] else ""


def _metrics_with_events(id: str, events: EventColumns) -> int:
    try:
        definitions = shelf.table(id)
    except HemError:
        return 0  # a damaged upload is told where it is opened
    assert isinstance(definitions, MetricDefinitions)
    return len(with_events(definitions, events))
