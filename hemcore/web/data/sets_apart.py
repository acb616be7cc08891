"""Sets of runs of the same HEMs in one dataset, one per configuration: each kept as a dataset of its own, so that Compare takes them."""

import streamlit as st

from hemcore.datasets.shelf.library import Entry
from hemcore.datasets.tables.kinds import Table
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import HemError
from hemcore.web import sentences, shelf
from hemcore.web.data import PAGE, opening_page

_MOST = 20


def are_sets(table: Table) -> bool:
    """Whether a table holds sets of runs, at most 20 (Subexperiments.sets)."""
    return isinstance(table, Subexperiments) and 2 <= table.sets <= _MOST


def button(entry: Entry, table: Subexperiments) -> None:
    """Keeps each set as a dataset of its own and opens the last one, which Compare compares with the others."""
    st.button(
        f"Split into {len(table.frames)} sets to compare",
        key=PAGE.key("sets-apart"),
        icon=":material/call_split:",
        type="tertiary",
        help="All subexperiments read the same HEMs. Each is kept as a dataset; the last one opens, to be compared with the others.",
        on_click=_split,
        args=(entry,),
    )


def _split(entry: Entry) -> None:
    try:
        table = shelf.table(entry.id)
        assert isinstance(table, Subexperiments)
        for label, frame in zip(table.labels, table.frames, strict=True):
            # Without its label: Compare matches subexperiments by it.
            own = Subexperiments(frames=(frame,), n_pmcs=table.n_pmcs, not_read=table.not_read)
            name = f"{entry.name[: max(1, 118 - len(label[:60]))]}: {label[:60]}"
            record = shelf.store().take(own, name=name, source=f"{entry.name} ({entry.id[:8]}), {label}")
        opening_page.ask(record.id)
        st.toast(f"Kept {len(table.frames)} sets.", icon=":material/check:")
    except HemError as error:
        st.toast(sentences.as_text(str(error)), icon=":material/error:")
