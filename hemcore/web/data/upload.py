"""The upload panel: files in, the format recognised or chosen, the dataset among the visitor's own."""

import streamlit as st

from hemcore.datasets.readers.formats import FORMATS, ReadOptions, format_of
from hemcore.datasets.readers.looked import Recognised, inspect_upload
from hemcore.datasets.readers.uploaded_files import UploadedFile, files_id, larger_than
from hemcore.datasets.shelf.records import DatasetRecord
from hemcore.web import sentences, shelf
from hemcore.web.data import PAGE, by_worker, opening_page
from hemcore.web.form import Form

# In the session: how many uploads are done, what the last one led to (to be said once), and the SHA-256 of the files sent.
_DONE, _OUTCOME, _SUMS = "data:uploads_done", "data:upload_outcome", "data:upload_sums"
# Bytes, unpacked, up to which an upload is read at once; more is read by a worker.
AT_ONCE = 2 * 2**20
_ROWS = 5  # more scroll


def panel() -> None:
    """Draw the panel. What is uploaded is kept by the store; nothing of it stays in the session, and the panel is empty after it."""
    with st.container(border=True):
        st.markdown("**Upload**")
        with sentences.show_errors(stop=False):
            if (outcome := by_worker.outcome()) is not None:
                _end(shelf.store().record(outcome["id"]), was_there=outcome["was_there"])
        done = st.session_state.get(_DONE, 0)
        key = PAGE.key("upload")
        sent = st.file_uploader(
            "Files of one dataset",
            accept_multiple_files=True,
            # Only another widget forgets the files of an upload that is done.
            key=f"{key}-{done}" if done else key,
            help="CSV, text, JSON or .data files (UTF-8, or UTF-16 with its mark), workbooks of Excel (.xlsx), .gz or a .zip of them, 200 "
            "MB at most. One dataset an upload: several files, or sheets, are its subexperiments, or the runs of a series.",
        )
        _tell_outcome()
        if by_worker.reads():
            return
        if not sent:
            st.session_state.pop(_SUMS, None)
            st.caption(
                "Choose the files of one dataset; their format is recognised, and you see what they hold before they are added."
                " Read are subexperiments, the runs of a plan, lists of HEMs, output of perf stat, LIKWID and PAPI, Cortex-A15 event logs,"
                " series and phases in CSV and EAR signatures: see How files must look."
            )
            return
        files = [UploadedFile(name=file.name, content=file.getvalue()) for file in sent]
        with sentences.show_errors(stop=False):
            _read(files, _sum([file.file_id for file in sent], files))


def _sum(ids: list[str], files: list[UploadedFile]) -> str:
    """files_id of the upload, taken once: a large one takes a while."""
    known: dict[str, str] = st.session_state.get(_SUMS, {})
    key = " ".join(ids)
    if key not in known:
        known = {key: files_id(files)}
        st.session_state[_SUMS] = known
    return known[key]


@st.cache_data(max_entries=64, show_spinner="Looking into the files")
def recognised(sum: str, _files: list[UploadedFile]) -> Recognised:
    """What the files are, by the sum of their names and bytes; they are opened and looked into once."""
    return inspect_upload(_files)


def _read(files: list[UploadedFile], sum: str) -> None:
    long = larger_than(files, AT_ONCE)
    found = by_worker.looked_into(files, sum) if long else recognised(sum, files)
    if found is None:
        return
    if not found.unpacked:
        sentences.show(found.fault)
        return
    # What is in doubt is chosen, not taken.
    fault = found.fault or (found.matches[0].asks if found.matches else "")
    best = found.matches[0] if found.matches and not fault else None
    if best is not None:
        st.markdown(f"Recognised: **{sentences.as_text(best.format.title)}**")
        st.caption(sentences.as_text(best.why))
    if found.files:
        rows = [{"File": name, "By itself": title} for name, title in found.files]
        st.dataframe(
            rows, hide_index=True, height="auto" if len(rows) <= _ROWS else 180, key=PAGE.key("files"), alt="What each file was taken for"
        )
    titles = {match.format.title: match.key for match in found.matches} | {each.title: each.key for each in FORMATS}
    automatic = f"As recognised: {best.format.title}" if best is not None else "Choose the format" if found.matches else "Recognise"
    help = "Choose one to override what was recognised."
    chosen = st.selectbox("Format", [automatic, *titles], key=PAGE.key(f"format-{sum[:8]}"), help=help)
    key = titles.get(chosen)
    read_as = format_of(key) if key else best.format if best is not None else None
    options = ReadOptions()
    if read_as is not None and read_as.kind == "Subexperiments":
        options = ReadOptions(**Form(PAGE).values(ReadOptions, ("n_pmcs", "min_mean")))
    elif read_as is not None and read_as.key == "phases_wide":
        options = ReadOptions(**Form(PAGE).values(ReadOptions, ("counters",)))
    name = st.text_input("Name", value=files[0].name[:120], max_chars=120, key=PAGE.key(f"name-{sum[:8]}"))
    pressed = st.button("Add to your data", key=PAGE.key("add"), type="primary", icon=":material/library_add:", disabled=read_as is None)
    if read_as is None:
        sentences.show(fault)
    elif pressed and long:
        by_worker.read(files, sum, key, options, name.strip() or files[0].name)
        st.rerun()
    elif pressed:
        before = shelf.store().records()
        with st.spinner("Reading and checking"):
            record = shelf.store().add(files, format_key=key, options=options, name=name.strip() or files[0].name)
        _end(record, was_there=record in before)
        st.rerun()


def _end(record: DatasetRecord, *, was_there: bool) -> None:
    """The panel is empty again, and the dataset open."""
    opening_page.ask(record.id)
    st.session_state[_OUTCOME] = record.name, was_there
    st.session_state[_DONE] = st.session_state.get(_DONE, 0) + 1


def _tell_outcome() -> None:
    """What the upload that emptied the panel led to."""
    name, was_there = st.session_state.pop(_OUTCOME, ("", False))
    if was_there:
        st.info(
            f"Already among your data: these files are the dataset {sentences.as_text(name)}. Nothing was added.", icon=":material/info:"
        )
    elif name:
        st.toast(f"Added to your data: {sentences.as_text(name)}", icon=":material/check:")
