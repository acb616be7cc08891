"""A page without a dataset: what it does in a sentence, its picture of a sample, one button that opens it, and where to upload."""

from collections.abc import Callable

import streamlit as st

from hemcore.datasets.shelf.library import Entry
from hemcore.resources import PAGES
from hemcore.web import drawing, shelf
from hemcore.web.page import Page, Start
from hemcore.web.starts import previews


def show(page: Page, upload: Callable[[], None] | None = None) -> None:
    """Draw it here; the picture follows when it is computed. upload: draws a field for files, over the link to the Data page."""
    offered = [(start, entry) for start in page.start if (entry := shelf.start_entry(start)) is not None]
    with st.container(key="frame-empty"):
        with st.container(gap="small"):
            st.markdown(f"**{page.purpose}**")
            st.markdown("No dataset is chosen yet: choose one at the side, or open a bundled sample.")
            for number, (start, entry) in enumerate(offered):
                _start_button(page, start, entry, first=number == 0)
            if upload is not None:
                upload()
            st.page_link(PAGES / "data.py", label="Upload your own readings", icon=":material/upload:")
        with st.container():
            if offered and page.picture:
                previews.begin([page])
                _picture(page)
    drawing.fetch_early(page.key("fetch"))


def _start_button(page: Page, start: Start, entry: Entry, *, first: bool) -> None:
    st.button(
        entry.name,
        key=page.key(f"start-{start.sample}"),
        icon=":material/play_arrow:",
        on_click=_choose,
        args=(page, entry.label, start),
        type="primary" if first else "secondary",
    )


def _choose(page: Page, label: str, start: Start) -> None:
    query = page.query(label, start.choices)
    st.session_state.update(query | {page.key(name): value for name, value in start.choices.items()})
    # Streamlit does not write the value of a widget that is not yet drawn to the URL.
    st.query_params.update({name: value for name, value in query.items() if name != page.key("dataset")})


def _picture(page: Page) -> None:
    preview = previews.find(page)
    if preview is None:
        _watch(page)
    elif preview.figure is not None:
        drawing.show(preview.figure, key=page.key("preview"), alt=f"{page.title} on its sample", still=True)


@st.fragment(run_every=0.7)
def _watch(page: Page) -> None:
    if previews.find(page) is not None:
        st.rerun()
    st.caption("The picture of the sample is being computed; you can go on.")
