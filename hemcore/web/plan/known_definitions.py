"""The definitions of metrics that a plan can be made for, and the choice of those that a list of HEMs was made from."""

from hemcore.datasets.shelf import library
from hemcore.datasets.tables.hem_list import HemList
from hemcore.datasets.tables.metric_definitions import MetricDefinitions
from hemcore.metrics import OURS, our_definitions
from hemcore.planning import PlanParams
from hemcore.web import shelf
from hemcore.web.form import Values
from hemcore.web.frame import Frame


def named_definitions() -> dict[str, str]:
    """The labels of the definitions to choose from, by id: uploaded ones, then the project's own sets."""
    uploaded = {entry.id: entry.label for entry in library.entries(shelf.store(), MetricDefinitions.__name__)}
    return uploaded | {id: f"own set: {title}" for id, title in OURS.items()}


def definitions_of(id: str) -> MetricDefinitions:
    """The definitions under an id of `named_definitions`. Raises as the shelf does."""
    found = our_definitions(id) if id in OURS else shelf.table(id)
    assert isinstance(found, MetricDefinitions)
    return found


def definitions_choice(frame: Frame, table: HemList) -> Values:
    """The definitions of a list for metrics, first those that have all its metrics; nothing for any other list."""
    if not table.metrics:
        return {}
    named = named_definitions()
    fitting = [id for id in named if {*table.metrics} <= {*definitions_of(id).names}]
    options = [*fitting, *(id for id in named if id not in fitting)]
    return frame.form.values(PlanParams, ("definitions",), choices={"definitions": options}, format_func=lambda id: named.get(id, id))
