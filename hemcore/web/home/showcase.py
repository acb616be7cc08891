"""Home's cards: what each page answers, its picture and verdict on a bundled sample, and the link that opens just that."""

from collections.abc import Sequence

import streamlit as st

from hemcore.web import cards, pictures, shelf
from hemcore.web.home import previews
from hemcore.web.page import Page
from hemcore.web.sentences import as_text


def showcase(pages: Sequence[Page]) -> None:
    """A card for each page that has a start and a picture; the text at once, pictures as they are ready."""
    shown = [page for page in pages if page.start and page.picture]
    ready = 0
    with st.container(key="home-showcase"):
        for number, page in enumerate(shown):
            with st.container(border=True, height="stretch", key=f"home-card-{number}"):
                ready += _card(page, key=f"home.picture-{number}")
    previews.begin(shown)
    if ready < len(shown):
        _watch(shown, ready)


def open_link(page: Page, label: str) -> None:
    """A link to `page`, on its first start's sample where it has one that is here."""
    entry = shelf.start_entry(page.start[0]) if page.start else None
    query = page.query(entry.label, page.start[0].choices) if entry is not None else None
    st.page_link(page.script, label=label, icon=":material/play_arrow:", query_params=query)


def _card(page: Page, *, key: str) -> bool:
    """Draw the card; returns whether its picture was ready."""
    st.subheader(f"{page.icon} {as_text(page.title)}", anchor=False)
    st.markdown(as_text(page.answers))
    entry, preview = shelf.start_entry(page.start[0]), previews.find(page)
    with st.container(key=f"{key}-place".replace(".", "-")):
        if preview is None:
            st.caption("The picture is being computed; the rest of the page does not wait for it.")
        elif preview.figure is None:
            st.caption(as_text(preview.told or "There is nothing to draw."))
        else:
            pictures.show(preview.figure, key=key, alt=f"{page.title} on its sample", still=True)
    if preview is not None and preview.verdict is not None:
        cards.verdict_words(preview.verdict)
    if entry is None:
        st.caption("Its bundled sample is not here. Restore sample_data/ from the repository, or open the page on your own data.")
    open_link(page, f"Open {page.title}" if entry is None else f"Open {page.title} on “{entry.name}”")
    return preview is not None


@st.fragment(run_every=0.7)
def _watch(pages: Sequence[Page], drawn: int) -> None:
    ready = sum(previews.find(page) is not None for page in pages)
    if ready > drawn:
        st.rerun()
    st.caption(f"{ready} of {len(pages)} pictures are ready.")
