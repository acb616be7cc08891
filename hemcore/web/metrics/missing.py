"""What the verdict's "Plan the missing events" does: Plan opens on the HEMs of the metrics that lack one."""

from collections.abc import Mapping

import streamlit as st

from hemcore.compare.run_sets import Compared
from hemcore.datasets.shelf.library import Entry
from hemcore.metrics import MetricsParams
from hemcore.metrics.headline import PLAN_MISSING
from hemcore.metrics.sets.used_definitions import definitions_for
from hemcore.metrics.table_counts import counts_of
from hemcore.planning.metric_hems import hems_for_metrics
from hemcore.web import sentences
from hemcore.web.actions import plan_list
from hemcore.web.frame import Frame

# Named by the remedy of the verdict.
_ASKED = next(iter(PLAN_MISSING.choose))


def open_plan(frame: Frame[Compared], dataset: Entry, table: Compared, params: MetricsParams, needs: Mapping[str, tuple[str, ...]]) -> None:
    """Open Plan if the button was pressed: on a new list of all HEMs of the metrics that lack an event. needs: by metric, what it lacks."""
    if not st.session_state.pop(frame.page.key(_ASKED), False):
        return
    lacking = [name for name, lacks in needs.items() if not all(each.startswith("#") for each in lacks)]
    name, source = f"Metrics without events in {dataset.name}", f"metrics of which {dataset.name} lacks an event"
    with sentences.show_errors(stop=False):
        definitions, id = definitions_for(params, counts_of(table).events)
        hems = hems_for_metrics(definitions, lacking)
        plan_list.open_plan(hems, name=name, source=source, choices={"goal": "pairs", "definitions": id})
