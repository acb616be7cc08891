"""Share a dataset or a report: with a person, a group, or by link; and the list of whom it is shared with, to end that."""

from collections.abc import Callable, Iterable
from functools import partial

import streamlit as st

from hemcore.datasets.owners import people, shares, whose
from hemcore.errors import HemError
from hemcore.web import sentences
from hemcore.web.boxes import on_demand
from hemcore.web.page import Page
from hemcore.web.team import session_owner


def popover(page: Page, kind: str, id: str, datasets: Iterable[str]) -> None:
    """The button that opens the box. datasets: the ids that receivers must be able to read."""
    with on_demand(page, "Share", ":material/share:", f"Let others read this {kind}.") as is_open:
        if is_open:
            with sentences.show_errors(stop=False):
                _box(page, kind, id, list(datasets))


def _box(page: Page, kind: str, id: str, datasets: list[str]) -> None:
    root, me = whose.folder(), session_owner.identity()
    shared = [each for each in shares.given(root) if each.kind == kind and each.which == id]
    for each in shared:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(sentences.as_text(f"{_receiver(each)}, since {each.since[:10]}"), width="content")
            st.button("End", key=page.key(f"unshare-{each.id}"), on_click=_do, args=(partial(shares.revoke, root, each.id),))
        if each.to == shares.LINK:
            st.code(_link(page, each.id), language=None, wrap_lines=True)
    others = {each.label: each.key for each in people.all_people() if each.key != me.key}
    person = st.selectbox("Person", list(others), index=None, placeholder="Who has signed in here", key=page.key("share-person"))
    group = st.selectbox("Group", me.groups, index=None, placeholder="One of yours", key=page.key("share-group"))
    give = partial(shares.share, root, kind=kind, which=id, datasets=datasets)
    with st.container(horizontal=True):
        for label, to, receiver in (
            ("With the person", shares.PERSON, others.get(person or "")),
            ("With the group", shares.GROUP, group),
            ("By link", shares.LINK, ""),
        ):
            st.button(
                label,
                key=page.key(f"share-with-{to}"),
                disabled=receiver is None,
                on_click=_do,
                args=(partial(give, to=to, receiver=receiver or ""),),
            )
    st.caption("To be read, not changed; it ends when you end it. A link opens it for everyone who may sign in here.")


def _receiver(share: shares.Share) -> str:
    if share.to == shares.PERSON:
        who = people.person(share.receiver)
        return who.label if who is not None else "someone"
    return f"group {share.receiver}" if share.to == shares.GROUP else "whoever has the link"


def _link(page: Page, id: str) -> str:
    address = (st.context.url or "").partition("?")[0]
    return f"{address}?share={id}"


def _do(what: Callable[[], object]) -> None:
    try:
        what()
    except HemError as error:
        st.toast(sentences.as_text(str(error)), icon=":material/error:")
