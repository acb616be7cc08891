"""A button of a verdict that plans further readings: Plan opens on a list of HEMs made for it."""

from collections.abc import Mapping

import streamlit as st

from hemcore.datasets.shelf import library
from hemcore.datasets.tables.hem_list import HemList
from hemcore.web import shelf


def open_plan(hems: HemList, *, name: str, source: str, choices: Mapping[str, object]) -> None:
    """Keep `hems` among the visitor's data and open Plan on them with `choices` of its fields. Raises StoreError as the store does."""
    from hemcore.web.pages import page_named  # the pages import their analyses when they are asked

    plan = page_named("plan")
    record = shelf.store().take(hems, name=name[:120], source=source)
    entry = next(each for each in library.entries(shelf.store(), plan.kind) if each.id == record.id)
    st.switch_page(plan.script, query_params=plan.query(entry.label, choices))
