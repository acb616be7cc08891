"""What can be done to a dataset itself: download, rename, delete, and bring back what was deleted."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial

import streamlit as st

from hemcore.datasets.importing.dataset_archive import archive_of
from hemcore.datasets.owners import whose
from hemcore.datasets.shelf import retention
from hemcore.datasets.shelf.library import Entry
from hemcore.errors import HemError
from hemcore.web import sentences, shelf
from hemcore.web.actions.downloads import csv_bytes, parquet_bytes, slug
from hemcore.web.actions.report_box import reports
from hemcore.web.data import PAGE, opening_page
from hemcore.web.team import pin_button, share_box

_NAMED = 60
_MOST_DUE = 5


def actions(entry: Entry, *, readable: bool) -> None:
    """The buttons over an open dataset. readable: whether its files can be read, and so be downloaded."""
    if readable:
        with st.popover("Download", icon=":material/download:"):
            st.caption("Every row and column of the checked data, one file per part.")
            name = slug(entry.name) or entry.id[:8]
            with st.container(horizontal=True):
                _download("CSV (.zip)", f"{name}.csv.zip", partial(zipped, entry.id, "csv"))
                _download("Parquet (.zip)", f"{name}.parquet.zip", partial(zipped, entry.id, "parquet"))
    if entry.bundled:
        return
    if (share := shelf.store().shared(entry.id)) is not None:
        st.caption(sentences.as_text(f"{share.name} shares it with you since {share.since[:10]}, to be read."))
        st.button("Copy to your data", key=PAGE.key("copy"), icon=":material/content_copy:", on_click=_copy, args=(entry.id,))
        return
    if whose.has_owners():
        share_box.popover(PAGE, "dataset", entry.id, [entry.id])
    pin_button.show(PAGE, entry.id)
    with st.popover("Rename", icon=":material/edit:"):
        key = PAGE.key(f"new-name-{entry.id}")
        name = st.text_input("Name", value=entry.name, max_chars=120, key=key)
        st.button("Rename", key=PAGE.key("rename"), disabled=not name.strip() or name == entry.name, on_click=_rename, args=(entry.id, key))
    st.button(
        "Delete", key=PAGE.key("delete"), icon=":material/delete:", on_click=_delete, args=(entry.id,), help="You can undo this for a day."
    )


def warn_of_due(names: Mapping[str, str]) -> None:
    """Say what the server will delete soon, with a button that pins it all. names: of datasets, by id."""
    due = retention.due(whose.folder()) if whose.has_owners() else {}
    if not due:
        return
    called = {entry.id: f"report {entry.title}" for entry in reports().entries()} | dict(names)
    listed = ", ".join(
        f"{called.get(id, f'saved model {id[:8]}')[:_NAMED]} on {day}"
        for id, day in sorted(due.items(), key=lambda each: each[1])[:_MOST_DUE]
    )
    more = f" and {len(due) - _MOST_DUE} more" if len(due) > _MOST_DUE else ""
    st.warning(
        sentences.as_text(f"No one has opened these lately, so they will be deleted: {listed}{more}. Open or pin what you need."),
        icon=":material/schedule:",
    )
    st.button("Pin all of them", key=PAGE.key("pin-due"), icon=":material/keep:", on_click=pin_button.pin, args=(list(due), True))


def not_here(named: str) -> None:
    """Say that the dataset which the link calls `named` is not here; one that was deleted can be brought back."""
    gone = {record.id: record for record in shelf.store().deleted()}
    id = opening_page.find(list(gone), named)
    if id is None:
        sentences.show(f"The link names the dataset {named[:_NAMED]!r}, which is not here. Upload it, or choose another.")
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(f":material/delete: Deleted **{sentences.as_text(gone[id].name)}**.", width="content")
        st.button("Undo", key=PAGE.key("restore"), icon=":material/undo:", on_click=_restore, args=(id,))


def zipped(id: str, form: str) -> bytes:
    """A .zip of the frames of the dataset `id` as files of `form` ("csv" or "parquet"); uploaded, the CSV is the same dataset again."""
    return archive_of(shelf.table(id), csv_bytes if form == "csv" else parquet_bytes, form)


def _download(label: str, file_name: str, make: Callable[[], bytes]) -> None:
    key = PAGE.key(f"download-{file_name}")
    st.download_button(label, make, file_name=file_name, mime="application/zip", key=key, on_click="ignore")


def _rename(id: str, key: str) -> None:
    with _told():
        shelf.store().rename(id, str(st.session_state[key]).strip())


def _copy(id: str) -> None:
    with _told():
        shelf.store().copy(id)
        opening_page.ask(id)


def _delete(id: str) -> None:
    with _told():
        shelf.store().delete(id)
        shelf.loaded_table.clear()
        # The link goes on naming it: that is where Undo is offered.
        opening_page.ask(id)


def _restore(id: str) -> None:
    with _told():
        shelf.store().restore(id)
        opening_page.ask(id)


@contextmanager
def _told() -> Iterator[None]:
    """A HemError of a callback, where nothing can be drawn yet, as a toast."""
    try:
        yield
    except HemError as error:
        st.toast(sentences.as_text(str(error)), icon=":material/error:")
