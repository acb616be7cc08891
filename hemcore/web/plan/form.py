"""The Plan page's form: the HEMs, their constraints, and the parameters of the plan."""

from itertools import combinations
from math import comb

import pandas as pd
import streamlit as st

from hemcore.analysis import Question
from hemcore.datasets.readers.hem_lists import hems_in
from hemcore.datasets.shelf import library
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.hem_list import HemList
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import HemError, ParameterError
from hemcore.events.papi_presets import PAPI_PRESETS
from hemcore.events.t2080 import T2080_EVENTS
from hemcore.params import control
from hemcore.planning import PlanParams
from hemcore.planning.analysis import WIDTHS_BY_RUNS
from hemcore.planning.pilot_widths import runs_curve
from hemcore.web import sentences, shelf
from hemcore.web.boxes import on_demand
from hemcore.web.everywhere import slider_strips
from hemcore.web.everywhere.made_once import once
from hemcore.web.form import Values, put, remember_default
from hemcore.web.frame import Frame
from hemcore.web.page import Page
from hemcore.web.plan.known_definitions import definitions_choice

_PASTED, _T2080, _PAPI, _DATASET = "pasted text", "T2080 (e6500)", "PAPI presets", "a dataset"
_SOURCES = (_PASTED, _T2080, _PAPI, _DATASET)
_KINDS = ("Subexperiments", "CounterSeries", "PhaseTable")
_HELP = "Names, one per line or separated by commas; the output of perf list or papi_avail; or a table: hem, counters, limit, metrics."


def hems_box(frame: Frame) -> None:
    """A box for new HEMs: pasted, from a processor's list, or from a dataset. They become a new dataset."""
    with on_demand(frame.page, "New list", ":material/playlist_add:", "Paste or pick the HEMs to read.") as is_open:
        if is_open:
            _new_list(frame.page)


def constraints_box(frame: Frame, table: HemList) -> None:
    """A box with the list as an editable table: which counters may hold a HEM, and limits."""
    with on_demand(
        frame.page, "Counters and limits", ":material/rule:", "Constraints of the processor on reading HEMs together."
    ) as is_open:
        if not is_open:
            return
        st.caption(
            "Counters: those that may hold the HEM, separated by blanks. Empty: every PMC; 0: the first PMC; other names: additional"
            " counters. Limit: a set of HEMs and how many of it can be read at once, such as offcore:2; apart:1 keeps HEMs apart."
        )
        edited = st.data_editor(
            table.frame,
            hide_index=True,
            num_rows="dynamic",
            height=320,
            key=frame.page.key(f"edit-{frame.dataset.id[:12]}"),
            column_config={
                "hem": st.column_config.TextColumn("HEM", required=True),
                "counters": st.column_config.TextColumn("Counters"),
                "limit": st.column_config.TextColumn("Limit"),
                "metrics": st.column_config.TextColumn("Metrics"),
            },
        )
        name = st.text_input(
            "Name", value=_edited(frame.dataset.name), max_chars=120, key=frame.page.key(f"edited-{frame.dataset.id[:12]}")
        )
        st.button(
            "Plan with these",
            key=frame.page.key("use-edited"),
            type="primary",
            on_click=_store,
            args=(frame.page, edited, name, "edited on the Plan page"),
        )


def params_choice(frame: Frame, table: HemList) -> PlanParams:
    """The parameters: PMCs, the goal and its fields, runs and time; the search under "Search"."""
    form = frame.form
    given: Values = form.values(PlanParams, ("n_pmcs", "goal"))
    if given["goal"] != "pairs":
        anchors = table.hems if given["goal"] == "anchor" else ["", *table.hems]
        given |= form.values(PlanParams, ("anchor",), choices={"anchor": anchors}, format_func=lambda hem: hem or "none")
    if given["goal"] == "budget":
        given |= form.values(PlanParams, ("groups",))
    given["wanted"] = _wanted(frame, given["goal"])
    given |= form.values(PlanParams, ("runs",))
    strip = st.container(gap="small")
    given |= form.values(PlanParams, ("seconds_per_run",))
    given |= _pilot(frame, table) | definitions_choice(frame, table)
    with st.expander("Search"):
        given |= form.values(PlanParams, ("time_limit", "seed"))
    params = PlanParams(**given)
    if params.pilot:
        with strip:
            rows = slider_strips.answer(Question(analysis=WIDTHS_BY_RUNS, dataset=frame.dataset.id, params=params))
            if rows is not None:
                slider_strips.show(frame, [once(runs_curve, rows)], params)
    return params


def _pilot(frame: Frame, table: HemList) -> Values:
    """The pilot readings, the first of `_pilots` unless another one is chosen."""
    listed = _pilots(table)
    return frame.form.values(PlanParams, ("pilot",), choices={"pilot": list(listed)}, format_func=lambda id: listed.get(id, id))


def _pilots(table: HemList) -> dict[str, str]:
    """The readings that may be pilots, by id: the visitor's, the newest first, then samples by how many of the HEMs and pairs they read.

    Readings of none of the HEMs come last, whoever's they are.
    """
    entries = {each.id: each.name for each in library.entries(shelf.store(), "Subexperiments")}
    own = [id for id in entries if not id.startswith(library.SAMPLE_PREFIX)]
    samples = sorted(sorted(entries.keys() - set(own)), key=lambda id: _lacking(table, id))
    return {id: entries[id] for id in sorted([*own, *samples], key=lambda id: _lacking(table, id)[0] == len(table.hems))}


def _lacking(table: HemList, pilot: str) -> tuple[int, int]:
    """How many HEMs of the list it did not read, and how many pairs of its own it did not read together."""
    return once(_not_read, table, shelf.table(pilot))


def _not_read(table: HemList, read: Subexperiments) -> tuple[int, int]:
    together = {pair for frame in read.frames for pair in combinations(sorted(frame.columns), 2)}
    return len(set(table.hems) - set(read.hems)), comb(len(read.hems), 2) - len(together)


def _wanted(frame: Frame, goal: str) -> str:
    """The wanted pairs, pasted; collapsed unless the goal is a budget or some are set."""
    field, key = control(PlanParams, "wanted"), frame.page.key("wanted")
    remember_default(frame.page, key, "")
    stands = str(frame.form.stands("wanted") or st.query_params.get(key, ""))
    with st.expander(field.title, expanded=goal == "budget" or bool(stands)):
        text = st.text_area(
            field.title,
            key=key,
            help=field.description,
            placeholder="cycles with LLC-misses\ninstructions with *",
            height=96,
            bind="query-params",
            label_visibility="collapsed",
        )
        st.caption("All pairs." if not text.strip() else "Only these pairs count; others may also be read together.")
    return str(text)


def _new_list(page: Page) -> None:
    source = st.segmented_control("From", _SOURCES, default=_PASTED, required=True, key=page.key("source"), persist_state="session")
    names: list[str] = []
    text = ""
    if source == _PASTED:
        text = st.text_area("HEMs", key=page.key("pasted"), height=180, help=_HELP, placeholder="cycles\ninstructions\nLLC-misses")
    elif source == _DATASET:
        entries = {each.label: each for each in library.entries(shelf.store()) if each.kind in _KINDS}
        label = st.selectbox("Dataset", list(entries), index=None, placeholder="Choose a dataset", key=page.key("from-dataset"))
        names = _events_of(entries[label].id) if label is not None else []
    else:
        every = list(T2080_EVENTS.values()) if source == _T2080 else list(PAPI_PRESETS)
        names = st.multiselect("HEMs", every, key=page.key(f"from-{'t2080' if source == _T2080 else 'papi'}"), placeholder="Choose HEMs")
    if names:
        st.caption(sentences.as_text(f"{len(names):,} HEMs: {', '.join(names[:8])}{' …' if len(names) > 8 else ''}"))
    name = st.text_input("Name", value="HEMs to read", max_chars=120, key=page.key("list-name"), persist_state="session")
    given = text if source == _PASTED else pd.DataFrame({"hem": names})
    st.button(
        "Plan with these",
        key=page.key("use"),
        type="primary",
        disabled=not (text.strip() or names),
        on_click=_store,
        args=(page, given, name, f"{source} on the Plan page"),
    )


def _store(page: Page, given: str | pd.DataFrame, name: str, source: str) -> None:
    """Store a list among the visitor's data, select it, and close the boxes; used as a callback."""
    try:
        table = hems_in(given)[0] if isinstance(given, str) else HemList(frame=given)
        select_list(page, table, name.strip() or "HEMs to read", source)
    except HemError as error:
        st.toast(sentences.as_text(str(error)), icon=":material/error:")


def select_list(page: Page, table: HemList, name: str, source: str) -> None:
    """Store a list among the visitor's data, select it, and close the boxes; in a callback. Raises StoreError as the store does."""
    record = shelf.store().take(table, name=name, source=source)
    entry = next(each for each in library.entries(shelf.store(), page.kind) if each.id == record.id)
    st.session_state[page.key("dataset")] = entry.label
    if pilots := _pilots(table):
        put(page.key("pilot"), next(iter(pilots)))  # the one that stands was chosen for another list
    for box in ("new-list-box", "for-metrics-box", "counters-and-limits-box"):
        st.session_state[page.key(box)] = False


def _events_of(dataset: str) -> list[str]:
    table = shelf.table(dataset)
    if isinstance(table, Subexperiments):
        return table.hems
    if isinstance(table, CounterSeries):
        return list(table.events)
    if isinstance(table, PhaseTable):
        return list(table.counters)
    raise ParameterError("Dataset: it contains no HEMs. Choose another.")


def _edited(name: str) -> str:
    return name if name.endswith("(edited)") else f"{name[:110]} (edited)"
