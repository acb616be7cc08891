"""The lists of the Data page: what was uploaded or kept, and the bundled samples; a click on a row opens the dataset."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st

from hemcore.datasets.shelf import library
from hemcore.datasets.shelf.library import Entry
from hemcore.datasets.shelf.records import DatasetRecord
from hemcore.datasets.tables.kinds import KINDS
from hemcore.errors import HemError
from hemcore.headline import counted_noun
from hemcore.registry import analysis_named
from hemcore.web import sentences, shelf
from hemcore.web.data import PAGE, manage, opening_page

_MINE, _SAMPLES = PAGE.key("mine"), PAGE.key("samples")
_FILES_NAMED = 2
_ROWS = 7
_WIDTHS = {"Name": 250, "Kind": 95, "Holds": 310, "From": 130, "Added": 120}
_COLUMNS = {name: st.column_config.TextColumn(width=width) for name, width in _WIDTHS.items()}


def choose() -> tuple[Entry, DatasetRecord | None] | None:
    """Draw the lists; the open dataset with its record (None for a sample), or None where none is open."""
    records = {record.id: record for record in shelf.store().records()}
    entries = {entry.id: entry for entry in library.entries(shelf.store())}
    mine = [id for id, entry in entries.items() if not entry.bundled and id in records]
    samples = [id for id, entry in entries.items() if entry.bundled]
    _damaged_note(shelf.store().damaged())
    found = opening_page.opened({_MINE: mine, _SAMPLES: samples} if mine else {_SAMPLES: samples})
    st.markdown("**Your data**")
    names = {id: entry.name for id, entry in entries.items()}
    manage.warn_of_due(names)
    if mine:
        called = distinct_names([records[id] for id in mine])
        _list([_row(records[id], name, names) for id, name in zip(mine, called, strict=True)], _MINE)
    else:
        st.caption("You have no data yet: upload files, or look at a bundled sample first.")
    with st.expander(f"Bundled samples ({len(samples)})", expanded=not mine or found in samples, icon=":material/science:"):
        rows = [{"Name": entries[id].name, "Kind": KINDS[entries[id].kind].words, "Holds": shelf.shape(id)} for id in samples]
        _list(rows, _SAMPLES)
    if found in entries:
        return entries[found], records.get(found)
    if found is not None:
        manage.not_here(found)
    else:
        st.info("Click a row to open a dataset: its columns, rows and repairs.", icon=":material/info:")
    return None


def distinct_names(records: Sequence[DatasetRecord]) -> list[str]:
    """The names of the records; those of one name with the time they were added, or the start of the id where that is the same too."""
    names = Counter(record.name for record in records)
    times = Counter((record.name, added(record)) for record in records)
    return [
        record.name
        if names[record.name] == 1
        else f"{record.name} · {added(record) if times[record.name, added(record)] == 1 else record.id[:8]}"
        for record in records
    ]


def added(record: DatasetRecord) -> str:
    """When it was added, by the visitor's clock where the browser tells it, else UTC."""
    zone = None
    with suppress(ZoneInfoNotFoundError, ValueError, TypeError):
        zone = ZoneInfo(st.context.timezone or "")
    try:
        time = datetime.fromisoformat(record.created)
    except ValueError:
        return record.created
    return f"{time.astimezone(zone or UTC):%Y-%m-%d %H:%M}" + ("" if zone else " UTC")


def source(record: DatasetRecord, names: Mapping[str, str]) -> str:
    """Where it comes from, in words: its files, or the dataset and the analysis that it was kept from. names: of datasets, by id."""
    lineage = record.lineage
    if lineage is None:
        more = len(record.source_names) - _FILES_NAMED
        return ", ".join(record.source_names[:_FILES_NAMED]) + (f" and {more} more" if more > 0 else "")
    parent = names.get(lineage.parent) or lineage.parent_name or lineage.parent[:8]
    return f"kept from {parent} by {title_of(lineage.analysis)}"


def title_of(analysis: str) -> str:
    """The title of the analysis of this name; the name itself where there is none any more."""
    try:
        return analysis_named(analysis).title
    except HemError:
        return analysis


def _row(record: DatasetRecord, name: str, names: Mapping[str, str]) -> dict[str, str]:
    return {
        "Name": name,
        "Kind": KINDS[record.kind].words,
        "Holds": record.shape,
        "From": source(record, names),
        "Added": added(record),
    }


def _list(rows: list[dict[str, str]], key: str) -> None:
    st.dataframe(
        rows,
        hide_index=True,
        height="auto" if len(rows) <= _ROWS else 255,
        on_select="rerun",
        selection_mode="single-row",
        key=key,
        column_config=_COLUMNS,
        alt="Your data" if key == _MINE else "Bundled samples",
    )


def _damaged_note(ids: Sequence[str]) -> None:
    """Which stored datasets cannot be read; nothing is deleted."""
    if ids:
        sentences.show(
            f"{counted_noun(len(ids), 'dataset')} on disk cannot be read, and so not listed:"
            f" {', '.join(each[:8] for each in ids)}. Upload them again."
        )
