"""What the verdict's "Plan the missing events" and "Plan with an anchor" do: Plan opens on the HEMs of these metrics or readings."""

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from hemcore.compare.run_sets import Compared
from hemcore.datasets.shelf.library import Entry
from hemcore.datasets.tables.hem_list import HemList
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.metrics import MetricsParams
from hemcore.metrics.headline import PLAN_ANCHOR, PLAN_MISSING
from hemcore.metrics.sets.used_definitions import definitions_for
from hemcore.metrics.table_counts import counts_of
from hemcore.planning.metric_hems import hems_for_metrics
from hemcore.planning.params import possible_pmcs
from hemcore.web import sentences
from hemcore.web.actions import plan_list
from hemcore.web.frame import Frame

# Named by the remedies of the verdict.
_ASKED, _ANCHOR = next(iter(PLAN_MISSING.choose)), next(iter(PLAN_ANCHOR.choose))


def open_plan(frame: Frame[Compared], dataset: Entry, table: Compared, params: MetricsParams, needs: Mapping[str, tuple[str, ...]]) -> None:
    """Open Plan if a button was pressed: on a new list of all HEMs of the metrics that lack an event, or of the readings, with an anchor.

    needs: by metric, what it lacks.
    """
    if st.session_state.pop(frame.page.key(_ANCHOR), False) and isinstance(table, Subexperiments):
        _plan_with_an_anchor(dataset, table)
    if not st.session_state.pop(frame.page.key(_ASKED), False):
        return
    lacking = [name for name, lacks in needs.items() if not all(each.startswith("#") for each in lacks)]
    name, source = f"Metrics without events in {dataset.name}", f"metrics of which {dataset.name} lacks an event"
    with sentences.show_errors(stop=False):
        definitions, id = definitions_for(params, counts_of(table).events)
        hems = hems_for_metrics(definitions, lacking)
        plan_list.open_plan(hems, name=name, source=source, choices={"goal": "pairs", "definitions": id})


def _plan_with_an_anchor(dataset: Entry, table: Subexperiments) -> None:
    """Open Plan on the HEMs of the readings, with the one as anchor that most subexperiments read already."""
    read_in = pd.Series([hem for part in table.frames for hem in part.columns]).value_counts(sort=False)
    anchor = str(read_in.idxmax())
    hems, source = HemList(frame=pd.DataFrame({"hem": list(read_in.index)})), f"HEMs of {dataset.name}, whose subexperiments share none"
    with sentences.show_errors(stop=False):
        choices = {"goal": "anchor", "anchor": anchor, "n_pmcs": possible_pmcs(table.n_pmcs)}
        plan_list.open_plan(hems, name=f"{dataset.name} with an anchor", source=source, choices=choices)
