"""The upload panel: files in, the format recognised or chosen, the dataset on the shelf."""

import streamlit as st

from hemcore.datasets.readers import recognise
from hemcore.datasets.readers.files import UploadedFile, expand
from hemcore.datasets.readers.formats import FORMATS, ReadOptions
from hemcore.web import sentences, shelf
from hemcore.web.data import PAGE
from hemcore.web.form import Form

_AUTOMATIC = "Recognise"
# In the session: how many uploads are done, and what the last one led to, to be said once.
_DONE, _OUTCOME = "uploads_done", "upload_outcome"


def panel() -> None:
    """Draw the panel. What is uploaded is kept by the store; nothing of it stays in the session, and the panel is empty after it."""
    with st.container(border=True):
        st.markdown("**Upload**")
        done = st.session_state.get(_DONE, 0)
        sent = st.file_uploader(
            "Files of one dataset",
            accept_multiple_files=True,
            # Only another widget forgets the files of an upload that is done.
            key=f"upload-{done}" if done else "upload",
            help="CSV, text, JSON or .data files, workbooks of Excel (.xlsx), .gz or a .zip of them, 200 MB at most. One dataset an "
            "upload: several files, or sheets, are its subexperiments, or the runs of a series.",
        )
        _tell_outcome()
        if not sent:
            st.caption(
                "Recognised: subexperiments (stacked side by side, or one file each), output of perf stat (CSV, JSON or text),"
                " Cortex-A15 event logs, series in CSV (one column an event, counts or cumulative counters) and EAR signatures (eacct)."
            )
            return
        files = [UploadedFile(name=file.name, content=file.getvalue()) for file in sent]
        with sentences.shown_as_sentence(stop=False):
            _read(files)


def _read(files: list[UploadedFile]) -> None:
    parts = expand(files)
    matches = recognise.recognise(parts)
    titles = {match.format.title: match.format.key for match in matches} | {each.title: each.key for each in FORMATS}
    if matches:
        st.markdown(f"Recognised: **{sentences.as_text(matches[0].format.title)}**")
        st.caption(sentences.as_text(matches[0].why))
    chosen = st.selectbox("Format", [_AUTOMATIC, *titles], key="upload_format", help="Choose one to override what was recognised.")
    key = titles.get(chosen)
    read_as = next((each for each in FORMATS if each.key == key), matches[0].format if matches else None)
    options = ReadOptions()
    if read_as is not None and read_as.kind == "Subexperiments":
        options = ReadOptions(**Form(PAGE).values(ReadOptions, ("n_pmcs", "min_mean")))
    name = st.text_input("Name", value=files[0].name, max_chars=120, key="upload_name")
    pressed = st.button("Put on the shelf", type="primary", icon=":material/library_add:", disabled=read_as is None)
    if read_as is None:
        sentences.show(recognise.why_not_recognised(parts))
    elif pressed:
        before = shelf.store().records()
        with st.spinner("Reading and checking"):
            record = shelf.store().add(files, format_key=key, options=options, name=name.strip() or files[0].name)
        st.session_state["opened"] = record.id
        st.session_state[_OUTCOME] = record.name, record in before
        st.session_state[_DONE] = st.session_state.get(_DONE, 0) + 1
        st.rerun()


def _tell_outcome() -> None:
    """What the upload that emptied the panel led to."""
    name, was_there = st.session_state.pop(_OUTCOME, ("", False))
    if was_there:
        st.info(f"Already on the shelf: these files are the dataset {sentences.as_text(name)}. Nothing was added.", icon=":material/info:")
    elif name:
        st.toast(f"On the shelf: {sentences.as_text(name)}", icon=":material/check:")
