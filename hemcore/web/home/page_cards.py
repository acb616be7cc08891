"""Home's cards: what each page answers, its picture and verdict on a bundled sample, and the link that opens just that."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from hemcore.web.home.later import Later, open_link
from hemcore.web.page import Page
from hemcore.web.sentences import as_text


def showcase(pages: Sequence[Page]) -> Later:
    """A card for each page that has a start and a picture; the text now, the rest later and pictures as they are ready."""
    shown = [page for page in pages if page.start and page.picture]
    places = []
    with st.container(key="home-showcase"):
        for number, page in enumerate(shown):
            with st.container(border=True, height="stretch", key=f"home-card-{number}"):
                st.subheader(f"{page.icon} {as_text(page.title)}", anchor=False)
                st.markdown(as_text(page.answers))
                places.append((st.container(key=f"home-picture-{number}"), st.container()))
    return st.container(), lambda: _fill(shown, places)


def _fill(pages: Sequence[Page], places: Sequence[tuple[DeltaGenerator, DeltaGenerator]]) -> None:
    from hemcore.web.starts import previews

    previews.begin(pages)
    ready = 0
    for number, (page, (picture, under)) in enumerate(zip(pages, places, strict=True)):
        preview = previews.find(page)
        ready += preview is not None
        with picture:
            _picture(page, preview, key=f"home.picture-{number}")
        with under:
            _under(page, preview)
    if ready < len(pages):
        _watch(pages, ready)


def _picture(page: Page, preview: object, *, key: str) -> None:
    from hemcore.web import drawing
    from hemcore.web.starts.previews import Preview

    if not isinstance(preview, Preview):
        st.caption("The picture is being computed; you can go on.")
    elif preview.figure is None:
        st.caption(as_text(preview.reason or "Nothing to draw."))
    else:
        drawing.show(preview.figure, key=key, alt=f"{page.title} on its sample", still=True)


def _under(page: Page, preview: object) -> None:
    from hemcore.web import cards, shelf
    from hemcore.web.starts.previews import Preview

    if isinstance(preview, Preview) and preview.verdict is not None:
        cards.verdict_text(preview.verdict, brief=True)
    entry = shelf.start_entry(page.start[0])
    if entry is None:
        st.caption("Its bundled sample is missing. Restore sample_data/ from the repository, or open the page with your own data.")
    open_link(page, f"Open {page.title}" if entry is None else f"Open {page.title} on “{entry.name}”")


@st.fragment(run_every=0.7)
def _watch(pages: Sequence[Page], drawn: int) -> None:
    from hemcore.web.starts import previews

    ready = sum(previews.find(page) is not None for page in pages)
    if ready > drawn:
        st.rerun()
    st.caption(f"{ready} of {len(pages)} pictures are ready.")
