"""The Report page before there is a report: what one is in a sentence, its picture, one button that fills one."""

import streamlit as st

from hemcore.charts.colours import MUTED, SERIES
from hemcore.resources import PAGES

# A sheet with a title, a summary, a picture and a table, in colors that both themes show.
_BARS = "".join(
    f'<rect x="{44 + 22 * place}" y="{166 - height}" width="14" height="{height}"/>' for place, height in enumerate((22, 48, 34, 60, 41))
)
_LINES = "".join(f'<path d="M44 {y}H{end}"/>' for y, end in ((66, 236), (80, 222), (94, 230), (192, 236), (206, 236), (220, 236)))
_SHEET = f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 280 250" width="280" height="250" fill="none" stroke="{MUTED}">
<rect x="20" y="10" width="240" height="230" rx="6"/><path d="M44 38H176" stroke-width="6"/><g stroke-width="3">{_LINES}</g>
<path d="M38 166H160"/><g fill="{SERIES[0]}" stroke="none">{_BARS}</g></svg>"""


def show() -> None:
    """Draw it here."""
    with st.container(key="frame-empty"):
        with st.container(gap="small"):
            st.markdown("**A report holds answers with their pictures and how sure they are: one file, as HTML, PDF or notebook.**")
            st.markdown("There is no report yet: press “Add to report” over any answer, or start with an empty one above.")
            st.page_link(PAGES / "home.py", label="Find an answer on Home", icon=":material/home:")
        st.image(_SHEET, alt="A report: a title, a summary, a picture and a table", width=280)
