"""EAR's model files on the page: downloaded under their names, loaded as data."""

from dataclasses import replace

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from hemcore.charts.picture import Scene
from hemcore.charts.signatures.ear_file_texts import files_of
from hemcore.charts.signatures.view import SignatureView
from hemcore.errors import HemError
from hemcore.signatures import SignatureParams, read_ear_files, write_ear_files
from hemcore.signatures.ear.ear_files import EarFiles
from hemcore.web import sentences
from hemcore.web.form import Values, put
from hemcore.web.frame import Frame
from hemcore.web.signatures import PAGE

_LARGEST = 64 * 1024
_RESULT = f"{PAGE.name}:files-result"


def controls(frame: Frame, scene: Scene) -> Values:
    """The tag, one button per file, and the upload."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = frame.form.values(SignatureView, ("tag", "per_cpu"))
    with st.container(horizontal=True):
        for name, content in files_of(replace(scene, view=SignatureView(**chosen))).items():
            key = PAGE.key(f"file-{name.partition('.')[0]}")
            st.download_button(name, content, file_name=name, mime="text/plain", key=key, icon=":material/download:", on_click="ignore")
    st.file_uploader(
        "Load EAR's files: roofline.TAG.data, medoids.TAG.data, extremes.TAG.data",
        accept_multiple_files=True,
        key=PAGE.key("ear-files"),
        on_change=_load,
        help="They are read as numbers only. Medoids and extremes of one tag belong together.",
    )
    result = st.session_state.get(_RESULT)
    if result is not None:
        good, text = result
        (st.success if good else st.error)(sentences.as_text(text))
    return chosen


def _load() -> None:
    """Put the files' contents into the form; if they do not fit, show why and change nothing."""
    state = st.session_state
    uploaded = state[PAGE.key("ear-files")]
    state[_RESULT] = None
    if not uploaded:
        return
    try:
        state[_RESULT] = (True, _taken(uploaded))
    except HemError as error:
        state[_RESULT] = (False, str(error))


def _taken(uploaded: list[UploadedFile]) -> str:
    """Raises ReadError or ParameterError for files that are not EAR's."""
    order = st.session_state.get(PAGE.key("order"), "code")
    contents = {each.name: each.read(_LARGEST + 1) for each in uploaded}
    files = read_ear_files(contents, order=order)
    fields: Values = {}
    if files.peaks is not None:
        fields |= {"peak_gbs": files.peaks.gbs, "peak_gflops": files.peaks.gflops}
    if files.medoids is not None or files.extremes is not None:
        lines = write_ear_files(EarFiles(tag="x", medoids=files.medoids, extremes=files.extremes), order=order)
        fields |= {name.partition(".")[0]: content.strip() for name, content in lines.items()}
    SignatureParams(order=order, **fields)
    for name, value in fields.items():
        put(PAGE.key(name), value)
    loaded = ", ".join(kind for kind, part in (("roofline", files.peaks), ("medoids", files.medoids), ("extremes", files.extremes)) if part)
    return " ".join([f"Loaded for tag {files.tag}: {loaded}. The form on the left shows the numbers.", *files.warnings])
