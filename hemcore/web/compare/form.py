"""The Compare page's form: what is before, and how the change is judged."""

import streamlit as st

from hemcore.analysis import AnyAnalysis
from hemcore.compare.analysis import COMPARE_PHASES, COMPARE_RUNS, COMPARE_SERIES, COMPARE_SIGNATURES
from hemcore.compare.params import CompareParams
from hemcore.datasets.shelf import library
from hemcore.datasets.shelf.library import Entry
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.kinds import Table
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.signature_table import SignatureTable
from hemcore.params import control
from hemcore.signatures.ear.processors import PROCESSORS
from hemcore.signatures.params import USUAL
from hemcore.web.choose_many import keep_those_there, several
from hemcore.web.compare import drop_field
from hemcore.web.compare.sets_before import comparable, of_this_name, partners, seen_alike
from hemcore.web.form import Values
from hemcore.web.frame import Frame

MOST_BETWEEN = 98
_HALVES = "first half of these runs"


def analysis_for(table: Table) -> AnyAnalysis:
    """The comparison of tables of this kind."""
    if isinstance(table, CounterSeries):
        return COMPARE_SERIES
    if isinstance(table, PhaseTable):
        return COMPARE_PHASES
    return COMPARE_SIGNATURES if isinstance(table, SignatureTable) else COMPARE_RUNS


def params_choice(frame: Frame, dataset: Entry, table: Table) -> CompareParams:
    """All parameters; before: the best match unless another one is chosen."""
    form = frame.form
    found = partners(dataset)
    named = {entry.id: entry.label for entry in found}
    # Alone, its halves are compared; an upload with a sample, or with another program's, only where that is chosen.
    alone = not found or found[0].bundled != dataset.bundled or not comparable(dataset, found[0])
    options = ["", *named] if alone else list(named)
    if form.stands("before") not in (None, *options):
        form.put("before", options[0])  # left from another dataset
    chosen = form.values(
        CompareParams, ("before",), choices={"before": options}, format_func=lambda id: named.get(id, id or _HALVES), linked=True
    )
    chosen["before"] = chosen["before"] or options[0]
    if chosen["before"]:
        st.button(
            "Swap before and after",
            key=frame.page.key("swap"),
            icon=":material/swap_horiz:",
            type="tertiary",
            on_click=_swap,
            args=(frame, dataset, chosen["before"]),
        )
    with st.expander("Compare files", expanded=not options[0], key=frame.page.key("drop")):
        drop_field.show()
    chosen["between"] = _between(frame, dataset, {id: label for id, label in named.items() if id != chosen["before"]})
    sets = {name: ";".join(seen_alike(dataset, id) for id in chosen[name].split(";") if id) for name in ("before", "between")}
    chosen |= sets | _of_kind(frame, table)
    chosen |= form.values(CompareParams, ("level", "paired", "statistic"))
    with st.expander("More"):
        chosen |= form.values(CompareParams, ("rate", "seed"))
    return CompareParams(**chosen)


def _of_kind(frame: Frame, table: Table) -> Values:
    """What only some kinds of table have: one of several programs; of signatures without classes, the processor that gives them."""
    if isinstance(table, SignatureTable) and "CLASS" not in table.frame.columns:
        return _one_of(frame, "processor", list(PROCESSORS), f"{USUAL} (assumed)")
    programs: list[str] = []
    if isinstance(table, CounterSeries):
        programs = [str(each) for each in table.applications]
    elif isinstance(table, PhaseTable):
        programs = [str(each) for each in table.frame["program"].unique()]
    return _one_of(frame, "among", programs, "all programs") if len(programs) > 1 else {}


def _one_of(frame: Frame, name: str, known: list[str], none: str) -> Values:
    """A list whose first option stands for ""."""
    if frame.form.stands(name) not in (None, "", *known):
        frame.form.put(name, "")  # left from another dataset
    return frame.form.values(CompareParams, (name,), choices={name: ["", *known]}, format_func=lambda each: each or none, listed=True)


def _between(frame: Frame, dataset: Entry, others: dict[str, str]) -> str:
    """The ids of further sets, in the order chosen; "" for none. A button takes all datasets of this one's name, in the order of names."""
    series = of_this_name(dataset)
    if len(series) > 2:
        st.button(
            f"All {len(series)} of this name",
            key=frame.page.key("of-this-name"),
            icon=":material/stacks:",
            help="The course over all datasets whose names differ in numbers alone, in the order of those numbers.",
            on_click=_take_all,
            args=(frame, series),
            width="stretch",
        )
    if not others:
        return ""
    key = frame.page.key("between")
    keep_those_there(key, list(others.values()), lambda text: [others[id] for id in text.split(";") if id in others])
    field = control(CompareParams, "between")
    labels = several(frame.page, "between", field.title, list(others.values()), [], follows=False, most=MOST_BETWEEN, placeholder="None")
    ids = {label: id for id, label in others.items()}
    return ";".join(ids[label] for label in labels)


def _swap(frame: Frame, dataset: Entry, before: str) -> None:
    frame.form.put("dataset", next(entry.label for entry in partners(dataset) if entry.id == before))
    frame.form.put("before", library.base_id(dataset.id))


def _take_all(frame: Frame, series: list[Entry]) -> None:
    """The first as before, the last as the dataset, the others between."""
    for name, value in {"dataset": series[-1].label, "before": series[0].id, "between": [each.label for each in series[1:-1]]}.items():
        frame.form.put(name, value)
