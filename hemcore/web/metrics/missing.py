"""What the verdict's "Plan the missing events" does: Plan opens on the HEMs of the metrics that lack one."""

from collections.abc import Mapping

import streamlit as st

from hemcore.compare.run_sets import Compared
from hemcore.datasets.shelf import library
from hemcore.datasets.shelf.library import Entry
from hemcore.errors import HemError
from hemcore.metrics import MetricsParams
from hemcore.metrics.headline import PLAN_MISSING
from hemcore.metrics.sets.used_definitions import definitions_for
from hemcore.metrics.table_counts import counts_of
from hemcore.planning.metric_hems import hems_for_metrics
from hemcore.web import sentences, shelf
from hemcore.web.frame import Frame

# Named by the remedy of the verdict.
_ASKED = next(iter(PLAN_MISSING.choose))


def open_plan(frame: Frame[Compared], dataset: Entry, table: Compared, params: MetricsParams, needs: Mapping[str, tuple[str, ...]]) -> None:
    """Open Plan if the button was pressed: on a new list of all HEMs of the metrics that lack an event. needs: by metric, what it lacks."""
    if not st.session_state.pop(frame.page.key(_ASKED), False):
        return
    from hemcore.web.pages import page_named  # the pages import their analyses when they are asked

    plan = page_named("plan")
    lacking = [name for name, lacks in needs.items() if not all(each.startswith("#") for each in lacks)]
    try:
        definitions, id = definitions_for(params, counts_of(table).events)
        hems = hems_for_metrics(definitions, lacking)
        name = f"Metrics without events in {dataset.name}"[:120]
        record = shelf.store().take(hems, name=name, source=f"metrics of which {dataset.name} lacks an event")
    except HemError as error:
        sentences.show(str(error))
        return
    entry = next(each for each in library.entries(shelf.store(), plan.kind) if each.id == record.id)
    st.switch_page(plan.script, query_params=plan.query(entry.label, {"goal": "pairs", "definitions": id}))
