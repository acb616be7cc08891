"""The view of a dataset of metric definitions: its metrics, and which of the datasets at hand have their events."""

import pandas as pd
import streamlit as st

from hemcore.datasets.shelf import library
from hemcore.datasets.shelf.library import Entry
from hemcore.datasets.tables.kinds import KINDS
from hemcore.datasets.tables.metric_definitions import MetricDefinitions
from hemcore.errors import HemError
from hemcore.events.spelling import EventColumns
from hemcore.metrics.sets.definition_sets import with_events
from hemcore.metrics.table_counts import event_names
from hemcore.web import sentences, shelf, tables
from hemcore.web.data import PAGE
from hemcore.web.pages import page_named

KIND = MetricDefinitions.__name__
_METRICS = "metrics"  # the page that evaluates them
# Datasets that are looked into, the newest first.
_MOST = 30


def show(entry: Entry, table: MetricDefinitions) -> None:
    """The datasets and what they have, then the metrics; with a dataset chosen, also what each metric lacks in it."""
    readings = library.entries(shelf.store(), page_named(_METRICS).kinds)[:_MOST]
    known = {each.label: (each, EventColumns(_events(each.id))) for each in readings}
    fits = {label: len(with_events(table, events)) for label, (_, events) in known.items()}
    order = sorted(fits, key=lambda label: -fits[label])
    chosen = st.selectbox(
        "Events of",
        order,
        key=PAGE.key(f"events-of-{entry.id}"),
        format_func=lambda label: f"{label}: {fits[label]:,} of {len(table.names):,} metrics",
        help="Your datasets and the samples, those with the events of most metrics first.",
    )
    events = None
    if chosen is not None:
        dataset, events = known[str(chosen)]
        page = page_named(_METRICS)
        if fits[str(chosen)]:
            query = page.query(dataset.label, {"definitions": entry.label})
            st.page_link(page.script, label="Evaluate them on these readings", icon=":material/arrow_forward:", query_params=query)
        else:
            st.caption(sentences.as_text(f"{dataset.name} has all events of none of these metrics."))
    tables.show(_rows(table, events), alt="Metrics")
    of_all = pd.DataFrame(
        {
            "dataset": [known[label][0].name for label in order],
            "kind": [KINDS[known[label][0].kind].words for label in order],
            "metrics with all events": [fits[label] for label in order],
        }
    )
    with st.expander("Which datasets have the events?"):
        tables.show(of_all, alt="Datasets and how many metrics have all their events in them")
        if len(readings) == _MOST:
            st.caption(f"The {_MOST} newest datasets are looked into.")


def _rows(table: MetricDefinitions, events: EventColumns | None) -> pd.DataFrame:
    needed = table.needed_events
    frame = table.frame
    shown = pd.DataFrame({"metric": frame["name"]})
    if events is not None:
        found = {each: events.find(each) is not None for some in needed.values() for each in some}
        lacking = [", ".join(each for each in needed[name] if not found[each]) for name in frame["name"]]
        shown["events read"] = ["yes" if not each else "no" for each in lacking]
        shown["lacks"] = lacking
    shown["formula"], shown["events"] = frame["formula"], [", ".join(needed[name]) for name in frame["name"]]
    shown["unit"], shown["level"] = frame["unit"], [str(level) if level else "" for level in frame["level"]]
    shown["parent"], shown["group"], shown["description"] = frame["parent"], frame["group"], frame["description"]
    return shown


@st.cache_data(max_entries=512, show_spinner="Reading the events of your datasets")
def _events(dataset_id: str) -> list[str]:
    """The names of what a dataset counted; empty if it cannot be read."""
    try:
        return event_names(shelf.table(dataset_id))
    except HemError:
        return []
