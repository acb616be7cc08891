"""The dataset shelf: which dataset a page works on, named in the URL, loaded once and shared."""

from collections.abc import Mapping
from contextlib import nullcontext

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from hemcore.datasets.shelf import library
from hemcore.datasets.shelf.library import Entry
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.datasets.tables import kinds
from hemcore.datasets.tables.kinds import Table
from hemcore.web import errors, navigation


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


def choose(
    kind: str,
    *,
    label: str = "Dataset",
    examples: tuple[str, ...] = (),
    starts: Mapping[str, Mapping[str, str]] | None = None,
    empty: DeltaGenerator | None = None,
) -> Entry:
    """A picker of the datasets of `kind`. Where none is chosen yet, the designed empty state, and the page stops.

    examples: sample names that the empty state offers with one click. starts: what the page's other widgets, by their name in the link,
    are set to then.
    empty: where the empty state is drawn (default: here).
    """
    entries = {entry.label: entry for entry in library.entries(store(), kind)}
    _follow_link(entries)
    chosen = st.selectbox(
        label,
        list(entries),
        index=None,
        placeholder="Choose a dataset",
        key="dataset",
        bind="query-params",
        help="Uploads stand first, the bundled samples last. The address of this page names the dataset, so a link opens it.",
    )
    if chosen is None:
        with empty if empty is not None else nullcontext():
            _empty_state(entries, examples, starts or {})
        st.stop()
    return entries[chosen]


def _follow_link(entries: dict[str, Entry]) -> None:
    """A link to a dataset that was renamed since still finds it, by the start of its id; one that is not here is told."""
    named = st.query_params.get("dataset")
    if not named or named in entries or "dataset" in st.session_state:
        return
    same = [label for label in entries if label.rpartition(" · ")[2] == named.rpartition(" · ")[2] and not entries[label].bundled]
    if same:
        st.session_state["dataset"] = same[0]
    else:
        errors.show(
            f"The link names the dataset {named!r}, which is not on this shelf (or is of another kind). Upload it, or choose another."
        )


def _empty_state(entries: dict[str, Entry], examples: tuple[str, ...], starts: Mapping[str, Mapping[str, str]]) -> None:
    with st.container(border=True):
        st.markdown("**No dataset chosen yet.** Choose one on the left, or start with a bundled sample:")
        for name in examples:
            entry = next((each for each in entries.values() if each.id == f"{library.SAMPLE_PREFIX}{name}"), None)
            if entry is not None:
                st.button(
                    entry.name,
                    key=f"start-{name}",
                    icon=":material/play_arrow:",
                    on_click=_choose,
                    args=(entry.label, starts.get(name, {})),
                    type="primary",
                )
        st.page_link(navigation.script("data"), label="Upload readings of your own", icon=":material/upload:")


def _choose(label: str, rest: Mapping[str, str]) -> None:
    st.session_state.update({"dataset": label, **rest})
    # Into the address too: what is set for a widget that is not drawn yet does not get there by itself.
    st.query_params.update(rest)
