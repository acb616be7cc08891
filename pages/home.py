"""Home: what each page answers, and a one-click start on sample data."""

import streamlit as st

from hemcore.web import segmentation_data
from hemcore.web.navigation import PAGES, enter, script

enter()

_STARTS = {
    "merge.py": ("Merge the sample readings", {"dataset": "Request server, MUCH collection · sample"}),
    "segmentation.py": (
        "Segment the sample series",
        {"dataset": "Eight staged programs, every event counted · sample", **segmentation_data.START},
    ),
    "data.py": ("Look at the shelf", None),
}

st.title("HEM Workbench")
st.markdown(
    "A processor can count hundreds of hardware events, but only a handful at once, so the readings come in pieces. "
    "This is where the pieces go together and are made plain."
)
for column, entry in zip(st.columns(max(2, len(PAGES))), sorted(PAGES, key=lambda page: page.section), strict=False):
    with column, st.container(border=True, height="stretch"):
        st.subheader(f"{entry.icon} {entry.title}", anchor=False)
        st.write(entry.answers)
        label, query = _STARTS[entry.script]
        st.page_link(script(entry.url_path), label=label, icon=":material/play_arrow:", query_params=query)
st.caption(
    "The bundled samples are real programs read by this project under Valgrind, with their truth kept. Uploads stay on this machine, "
    "in the folder named by HEM_DATA_DIR."
)
