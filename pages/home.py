"""Home: what each page answers, and a one-click start on sample data."""

import streamlit as st

from hemcore.web import shelf
from hemcore.web.home import PAGE
from hemcore.web.navigation import enter
from hemcore.web.pages import PAGES

enter(PAGE)

for page in PAGES[1:]:
    with st.container(border=True):
        st.subheader(f"{page.icon} {page.title}", anchor=False)
        st.write(page.answers)
        query = page.query(shelf.start_label(page.start[0]), page.start[0].choices) if page.start else None
        st.page_link(page.script, label=f"Start {page.title}", icon=":material/play_arrow:", query_params=query)
