"""HEM Workbench: what sample data is here."""

import streamlit as st

from hemcore.datasets import samples

st.set_page_config(page_title="HEM Workbench", layout="wide")
st.title("HEM Workbench")
st.write("Hardware event readings that come in pieces, put together and made plain. These are the sample datasets.")
st.dataframe(
    [{"name": name, "what": samples.title(name), "truth known": samples.has_truth(name)} for name in samples.names()],
    hide_index=True,
)
