"""The box that fills a plan with what metrics need: definitions, levels of the tree, single metrics, and the processor's counters."""

import streamlit as st

from hemcore.datasets.shelf import library
from hemcore.datasets.tables.hem_list import HemList
from hemcore.errors import HemError
from hemcore.events.spelling import EventColumns
from hemcore.metrics.sets.definition_sets import with_events
from hemcore.planning.metric_hems import depends_on_smt, general_counters, hems_for_metrics
from hemcore.web import sentences, shelf
from hemcore.web.boxes import on_demand
from hemcore.web.form import put
from hemcore.web.frame import Frame
from hemcore.web.page import Page
from hemcore.web.plan.form import select_list
from hemcore.web.plan.known_definitions import definitions_of, named_definitions

_HELP = "Plan what metrics need: only the events of one metric are read together."
# Level 3 of a top-down tree names the unit that is short; deeper levels double the events.
_USUAL_LEVELS = 3


def new_list_box(frame: Frame) -> None:
    """A box that makes a list of HEMs from metrics: chosen definitions, levels or single metrics. The list becomes a new dataset."""
    with on_demand(frame.page, "For metrics", ":material/account_tree:", _HELP) as is_open:
        if is_open:
            with sentences.show_errors(stop=False):
                _new_list(frame.page)


def _new_list(page: Page) -> None:
    by_label = {label: id for id, label in named_definitions().items()}
    chosen, known = _chosen_list(page)
    events = EventColumns(known.hems if known is not None else ())
    first = max(range(len(by_label)), key=lambda place: len(with_events(definitions_of([*by_label.values()][place]), events)))
    label = st.selectbox(
        "Definitions", list(by_label), index=first, key=page.key(f"metrics-from-{chosen[:24]}"), help="Upload definitions on the Data page."
    )
    id = by_label[label]
    definitions = definitions_of(id)
    level_of = {name: metric.level for name, metric in definitions.metrics.items()}
    there = sorted({level for level in level_of.values() if level})
    levels: list[int] = []
    if there:
        usual = [level for level in there if level <= _USUAL_LEVELS]
        counts = {level: list(level_of.values()).count(level) for level in there}
        levels = st.multiselect(
            "Levels of the tree",
            there,
            default=usual,
            format_func=lambda level: f"{level} ({counts[level]:,})",
            key=page.key(f"levels-{id[:12]}"),
        )
    metrics = st.multiselect("Metrics", definitions.names, key=page.key(f"metrics-{id[:12]}"), placeholder="Search by name")
    smt = bool(st.toggle("SMT is on", value=True, key=page.key("smt"))) if depends_on_smt(definitions) else True
    if not (levels or metrics):
        st.caption("Choose levels or metrics.")
        return
    table = hems_for_metrics(definitions, metrics, levels=levels, smt=smt, known=known)
    n_pmcs = general_counters(definitions, smt)
    st.caption(sentences.as_text(f"{len(table.metrics):,} metrics need {len(table.hems):,} HEMs. {' '.join(table.repairs.notes)}"))
    name = st.text_input("Name", value=f"{len(table.metrics):,} metrics", max_chars=120, key=page.key(f"metrics-name-{len(table.metrics)}"))
    st.button("Plan with these", key=page.key("use-metrics"), type="primary", on_click=_store, args=(page, table, name, id, label, n_pmcs))


def _chosen_list(page: Page) -> tuple[str, HemList | None]:
    """The list that is planned now, and its id: what its HEMs and counters suggest."""
    label = st.session_state.get(page.key("dataset"))
    entry = next((each for each in library.entries(shelf.store(), page.kind) if each.label == label), None)
    if entry is None:
        return "", None
    table = shelf.table(entry.id)
    return entry.id, table if isinstance(table, HemList) else None


def _store(page: Page, table: HemList, name: str, definitions: str, label: str, n_pmcs: int | None) -> None:
    """Store and select the list, with the processor's counters, and every pair inside a metric as goal; used as a callback."""
    chosen: dict[str, object] = {"goal": "pairs", "wanted": "", "definitions": definitions}
    try:
        select_list(page, table, name.strip() or "HEMs of metrics", f"metrics of {label}, on the Plan page")
    except HemError as error:
        st.toast(sentences.as_text(str(error)), icon=":material/error:")
        return
    for field, value in (chosen | ({"n_pmcs": n_pmcs} if n_pmcs is not None else {})).items():
        put(page.key(field), value)
