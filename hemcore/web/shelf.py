"""The dataset of a page: chosen, named in the URL, loaded once and shared."""

import json
import re
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from hemcore import durations
from hemcore.analysis import AnyQuestion
from hemcore.datasets.owners import whose
from hemcore.datasets.shelf import library, retention, samples
from hemcore.datasets.shelf.library import Entry
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.datasets.tables import kinds
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.hardware_levels import SEGMENTS_OF, level_of_segments, levels
from hemcore.datasets.tables.kinds import Table
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.events.hardware_tree import MACHINE, is_intensive
from hemcore.params import Params, parameter
from hemcore.resources import PAGES
from hemcore.web import labels, sentences
from hemcore.web.form import Form, remember_default
from hemcore.web.page import Page, Start

_NAMED = 200
_PAGES_OF = {"mpx": "multiplexing"}  # rooms whose page has another name
_ID = re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")


class LevelChoice(Params):
    """At which level of the machine a page looks at a series, or at phases of one."""

    machine_level: str = parameter(
        "",
        title="Level of the machine",
        description="What one application or program is: the whole machine, or each of its parts. Counts of what lies below it are"
        " summed; ratios, shares, frequencies and temperatures are averaged.",
    )


def store() -> DatasetStore:
    """The store of whoever asks: the server's, in HEM_DATA_DIR, or an owner's in it. Raises HemError if no one is signed in."""
    return opened_store(str(whose.folder()))


@lru_cache(maxsize=256)
def opened_store(root: str) -> DatasetStore:
    """The store in the folder `root`; how long analyses take is remembered beside it, or in the store that it is a part of."""
    opened = DatasetStore(Path(root))
    durations.keep_in(whose.base_at(opened.root))
    return opened


def table(dataset_id: str) -> Table:
    """The table of `dataset_id`, shared by all runs and users: do not change it. Raises UnknownNameError if whoever asks may not see it."""
    permit(dataset_id)
    retention.touch(store(), library.base_id(dataset_id))
    return loaded_table(dataset_id)


@st.cache_resource(max_entries=16, show_spinner="Loading the dataset")
def loaded_table(dataset_id: str) -> Table:
    """`table`, once for all who may see it: an id is of contents."""
    if library.level_of(dataset_id):  # the series below it is held once, whichever levels are looked at
        return library.viewed(loaded_table(library.base_id(dataset_id)), dataset_id)
    return library.load(dataset_id, store().root)


def table_of(question: AnyQuestion) -> Table:
    """The table of a question. Raises UnknownNameError if whoever asks may not see it, or what else the question names."""
    permit_named(question)
    return table(question.dataset)


def permit_named(question: AnyQuestion) -> None:
    """Raise UnknownNameError if the question names data, beside its dataset, that whoever asks may not see."""
    if whose.has_owners():
        for id in set(_ID.findall(json.dumps(question.to_dict()["params"]))):
            if not any((store().root / "models").glob(f"{id}.*")):
                permit(id)


def shape(dataset_id: str) -> str:
    """The contents of the dataset in a phrase. Raises as `table` does."""
    permit(dataset_id)
    return known_shape(dataset_id)


@st.cache_data(max_entries=256, show_spinner=False)
def known_shape(dataset_id: str) -> str:
    """`shape`, once for all who may see it."""
    return kinds.shape(table(dataset_id))


def permit(dataset_id: str) -> None:
    """Raise UnknownNameError if the dataset is not on the shelf of whoever asks, so that no cache answers in its place."""
    if whose.has_owners():
        library.find(dataset_id, store())


def name_of(dataset_id: str) -> str:
    """The name of a dataset; the start of its id if it is not here."""
    base = library.base_id(dataset_id)
    return library.name_at(next((entry.name for entry in library.entries(store()) if entry.id == base), base[:8]), dataset_id)


def choose(page: Page, place: DeltaGenerator) -> Entry | None:
    """A picker of the datasets of the page's kinds; None while none is chosen. place: for an error, since a sidebar may be closed."""
    entries = {entry.label: entry for entry in library.entries(store(), page.kinds) if _is_for(entry, page)}
    key = page.key("dataset")
    with place:
        _follow_link(key, entries)
    remember_default(page, key, None)
    chosen = st.selectbox(
        "Dataset",
        list(entries),
        index=None,
        placeholder="Choose a dataset",
        key=key,
        bind="query-params",
        help="Your data first, then the bundled samples. The URL of this page names the dataset, so you can share it as a link.",
    )
    return None if chosen is None else entries[chosen]


def _is_for(entry: Entry, page: Page) -> bool:
    return not entry.bundled or samples.is_for(entry.id.removeprefix(library.SAMPLE_PREFIX), page.name)


def at_level(page: Page, entry: Entry, whole: Table) -> tuple[Entry, Table]:
    """The choice of the level, where the table tells cores apart, and what it gives: the entry under the id of that level, its table.

    It opens on the whole machine where that has counts to sum, else on its parts; phases open at the level of their segments.
    """
    if not (known := levels(whole)):
        _kept_at(entry)
        return entry, whole
    form, old = Form(page), page.key("level")
    if (linked := st.query_params.get(old)) in known:  # as links named it before; on Compare that is a level of confidence
        del st.query_params[old]
        form.put("machine_level", linked)
    finest = levels(whole.places)[-1] if isinstance(whole, Subexperiments) else known[-1]
    first = known.index(level_of_segments(whole) or (MACHINE if _opens_on_the_machine(entry, whole) else known[-1]))
    offered = sorted(known, key=lambda level: abs(known.index(level) - first))
    chosen = str(form.values(LevelChoice, ("machine_level",), choices={"machine_level": offered})["machine_level"])
    if chosen == MACHINE:
        averaged = " Ratios, frequencies and temperatures are averaged." if any(map(is_intensive, map(str, _counts(whole)))) else ""
        whole_of = "All nodes together: their counts" if finest == "node" else f"The whole machine: counts of its {finest}s"
        see = f"Choose one {finest} to see its runs." if isinstance(whole, Subexperiments) else f"Choose {finest} to see each of them."
        st.caption(f"{whole_of} are summed.{averaged} {see}")
    if isinstance(whole, PhaseTable) and SEGMENTS_OF in whole.frame:
        st.caption(sentences.as_text(f"At every level, the phases are the segments of {whole.frame[SEGMENTS_OF].iloc[0]}."))
    if chosen == (MACHINE if isinstance(whole, Subexperiments) else finest):  # as it is stored
        return entry, whole
    viewed = replace(entry, id=library.id_at(entry.id, chosen))
    return viewed, table(viewed.id)


def _counts(whole: Table) -> pd.DataFrame:
    """The counts of a series, of phases, or of runs by place."""
    if isinstance(whole, PhaseTable):
        return whole.frame[list(whole.counters)]
    series = whole.places if isinstance(whole, Subexperiments) else whole
    assert isinstance(series, CounterSeries)
    return series.counts


def _opens_on_the_machine(entry: Entry, whole: Table) -> bool:
    """Whether some events are counts that add up, and their sums are known as often as they are; always of runs, stored as the sums."""
    if isinstance(whole, Subexperiments):
        return True
    counts = [name for name in _counts(whole) if not is_intensive(str(name))]
    summed, own = (float(_counts(each)[counts].isna().mean().mean()) for each in (table(library.id_at(entry.id, MACHINE)), whole))
    return bool(counts) and summed <= own + 0.05


def _kept_at(entry: Entry) -> None:
    """Of what was kept from one level of a table that has several: the level, and where to choose another."""
    lineage = None if entry.bundled else store().record(entry.id).lineage
    if lineage is None or not (level := library.level_of(lineage.parent)):
        return
    parent = next((each for each in library.entries(store()) if each.id == library.base_id(lineage.parent)), None)
    if parent is None:
        return
    st.caption(sentences.as_text(f"Kept from {parent.name} at the level {level}. For another, choose it there and keep again."))
    room = lineage.analysis.partition(".")[0]
    script = PAGES / f"{_PAGES_OF.get(room, room)}.py"
    if script.is_file():
        label, query = f"Choose on {script.stem.capitalize()}", {f"{script.stem}.dataset": parent.label}
        st.page_link(script, label=label, icon=":material/arrow_back:", query_params=query)


def level_choice(dataset_id: str) -> str:
    """The level that the widget has for `dataset_id`; "" where the dataset has none. Raises as `table` does."""
    if level := library.level_of(dataset_id):
        return level
    whole = table(dataset_id)
    known = levels(whole)
    return known[0 if isinstance(whole, Subexperiments) else -1] if known else ""


def start_entry(start: Start) -> Entry | None:
    """The entry of a start's sample; None if the sample is not installed."""
    return next((entry for entry in library.entries(store()) if entry.id == f"{library.SAMPLE_PREFIX}{start.sample}"), None)


def _follow_link(key: str, entries: dict[str, Entry]) -> None:
    """Find a dataset that was renamed after it was chosen or linked to; show an error if it is not here."""
    stands = st.session_state.get(key)
    named = str(stands or st.query_params.get(key) or "")
    if not named or named in entries:
        return
    same = labels.same_thing(named, [label for label, entry in entries.items() if not entry.bundled]) or library.renamed(named)
    if same in entries:
        st.session_state[key] = same
    elif stands:
        sentences.show(f"The dataset {named[:_NAMED]!r} was removed. Restore it on the Data page, or choose another.")
    elif other := next((entry for entry in library.entries(store()) if entry.label == named), None):
        held = kinds.KINDS[other.kind].words
        sentences.show(f"The link names the dataset {named[:_NAMED]!r}, which this page does not take: it holds {held}. Choose another.")
    else:
        sentences.show(f"The link names the dataset {named[:_NAMED]!r}, which is not here. Upload it, or choose another.")
