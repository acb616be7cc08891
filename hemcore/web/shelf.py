"""The datasets: which one a page works on, named in the link, loaded once and shared."""

from contextlib import nullcontext

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from hemcore.datasets.shelf import library
from hemcore.datasets.shelf.library import Entry
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.datasets.tables import kinds
from hemcore.datasets.tables.kinds import Table
from hemcore.resources import PAGES
from hemcore.web import labels, sentences
from hemcore.web.form import remember_default
from hemcore.web.page import Page, Start

_NAMED = 200


@st.cache_resource(max_entries=1, show_spinner=False)
def store() -> DatasetStore:
    """The store under HEM_DATA_DIR, one a server."""
    return DatasetStore()


@st.cache_resource(max_entries=16, show_spinner="Loading the dataset")
def table(dataset_id: str) -> Table:
    """The table of `dataset_id`, shared between reruns and users: nobody changes it."""
    return library.load(dataset_id, store().root)


@st.cache_data(max_entries=256, show_spinner=False)
def shape(dataset_id: str) -> str:
    """What the dataset holds, in words."""
    return kinds.shape(table(dataset_id))


def name_of(dataset_id: str) -> str:
    """What a dataset is called before people; the start of its id where it is not here."""
    return next((entry.name for entry in library.entries(store()) if entry.id == dataset_id), dataset_id[:8])


def choose(page: Page, *, empty: DeltaGenerator | None = None) -> Entry:
    """A picker of the datasets of the page's kind. Where none is chosen yet, the designed empty state, and the page stops.

    empty: where the empty state is drawn (default: here).
    """
    entries = {entry.label: entry for entry in library.entries(store(), page.kind)}
    key = page.key("dataset")
    _follow_link(key, entries)
    remember_default(page, key, None)
    chosen = st.selectbox(
        "Dataset",
        list(entries),
        index=None,
        placeholder="Choose a dataset",
        key=key,
        bind="query-params",
        help="Your data stands first, the bundled samples last. The address of this page names the dataset, so a link opens it.",
    )
    if chosen is None:
        with empty if empty is not None else nullcontext():
            _empty_state(page, entries)
        st.stop()
    return entries[chosen]


def start_entry(start: Start) -> Entry | None:
    """The entry of a start's sample; None where that sample is not here."""
    return next((entry for entry in library.entries(store()) if entry.id == f"{library.SAMPLE_PREFIX}{start.sample}"), None)


def _follow_link(key: str, entries: dict[str, Entry]) -> None:
    """A dataset that was renamed since it was chosen, or linked to, is still found; one that is not here is told."""
    stands = st.session_state.get(key)
    named = str(stands or st.query_params.get(key) or "")
    if not named or named in entries:
        return
    same = labels.same_thing(named, [label for label, entry in entries.items() if not entry.bundled])
    if same is not None:
        st.session_state[key] = same
    elif stands:
        sentences.show(f"The dataset {named[:_NAMED]!r} is not here any more. Restore it on the Data page, or choose another.")
    else:
        sentences.show(
            f"The link names the dataset {named[:_NAMED]!r}, which is not here (or is of another kind). Upload it, or choose another."
        )


def _empty_state(page: Page, entries: dict[str, Entry]) -> None:
    with st.container(border=True):
        st.markdown("**No dataset chosen yet.** Choose one on the left, or start with a bundled sample:")
        for start in page.start:
            entry = next((each for each in entries.values() if each.id == f"{library.SAMPLE_PREFIX}{start.sample}"), None)
            if entry is not None:
                st.button(
                    entry.name,
                    key=page.key(f"start-{start.sample}"),
                    icon=":material/play_arrow:",
                    on_click=_choose,
                    args=(page, entry.label, start),
                    type="primary",
                )
        st.page_link(PAGES / "data.py", label="Upload readings of your own", icon=":material/upload:")
    from hemcore.web import pictures  # Home lists datasets before plotly is there

    pictures.fetch_early(page.key("fetch"))


def _choose(page: Page, label: str, start: Start) -> None:
    query = page.query(label, start.choices)
    st.session_state.update(query | {page.key(name): value for name, value in start.choices.items()})
    # Into the address too: what is set for a widget that is not drawn yet does not get there by itself.
    st.query_params.update({name: value for name, value in query.items() if name != page.key("dataset")})
