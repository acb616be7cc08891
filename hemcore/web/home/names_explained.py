"""Home's glossary: every name that the pages use, with a search."""

import streamlit as st

from hemcore.glossary import GLOSSARY


def words() -> None:
    """An expander with the glossary as a table; nothing of it is made before it is opened."""
    box = st.expander(
        "Glossary: terms and event names", icon=":material/dictionary:", key="home.words", on_change="rerun", bind="query-params"
    )
    if not box.open:
        return
    with box:
        asked = (
            st.text_input("Find a term", key="home.word", placeholder="HEM, threshold, L2_MISSES", bind="query-params").casefold().split()
        )
        found = [
            {"Name": word.name, "Meaning": word.definition, "Area": word.group, "Source": word.source}
            for word in GLOSSARY.values()
            if all(part in f"{word.name} {word.definition} {word.group}".casefold() for part in asked)
        ]
        if not found:
            st.caption("No match. Try part of a word.")
            return
        st.caption(f"{len(found):,} of {len(GLOSSARY):,} names")
        import pandas as pd  # not before it is opened

        columns = {"Meaning": st.column_config.TextColumn(width="large"), "Name": st.column_config.TextColumn(width="medium")}
        st.dataframe(pd.DataFrame(found), hide_index=True, alt="The glossary", key="home.words-table", column_config=columns)
