"""Where a dataset comes from: its files, or for a kept result the dataset, the analysis and the parameters that make it again."""

import json
from pprint import pformat

import streamlit as st

from hemcore.analysis import Question
from hemcore.datasets.shelf import library
from hemcore.datasets.shelf.library import Entry
from hemcore.datasets.shelf.records import DatasetRecord, Lineage
from hemcore.errors import HemError
from hemcore.registry import question_from
from hemcore.report.answers import parameter_rows, value_text
from hemcore.web import sentences, shelf
from hemcore.web.data import PAGE, opening_page
from hemcore.web.data.shelf_table import added, title_of

_NAMED = 8


def show(entry: Entry, record: DatasetRecord | None) -> None:
    """Files or lineage, when it was added, and the SHA-256 that names it."""
    if record is None:
        st.markdown("A bundled sample: made for this program; units and origin are in sample_data/README.md.")
    else:
        if record.lineage is not None:
            _lineage(record.lineage)
        else:
            st.markdown("Read from " + sentences.as_text(", ".join(record.source_names[:_NAMED])) + _more(record.source_names))
            st.caption("Python code that reads these files, or others of their shape, the same way")
            st.code(reading(record), language="python", wrap_lines=True)
        st.caption(sentences.as_text(f"Added {added(record)}"))
    st.caption("SHA-256, which identifies it in reports")
    st.code(library.fingerprint(entry.id, shelf.store().root), language=None, wrap_lines=True)


def _lineage(lineage: Lineage) -> None:
    there = {each.id: each for each in library.entries(shelf.store())}
    parent = there.get(library.base_id(lineage.parent))
    st.markdown(f"Kept: **{sentences.as_text(lineage.gives)}** by {sentences.as_text(title_of(lineage.analysis))}, from")
    if parent is not None:
        # Not a page link: on the page that it leads to, that would leave the address, and so Back, behind.
        st.button(
            sentences.as_text(parent.name),
            key=PAGE.key("parent"),
            icon=":material/database:",
            type="tertiary",
            on_click=opening_page.ask,
            args=(parent.id,),
            help="Open it.",
        )
    else:
        name = lineage.parent_name or lineage.parent[:8]
        st.caption(sentences.as_text(f"{name}, which is no longer here"))
    question = _question(lineage)
    rows = [(row.title, row.given) for row in parameter_rows(question)] if question is not None else []
    rows = rows or [(name, value_text(value)) for name, value in lineage.params.items()]
    table = [{"Parameter": title, "Value": given} for title, given in rows]
    wide = {"Parameter": st.column_config.TextColumn(width=200), "Value": st.column_config.TextColumn(width=240)}
    alt = "The parameters it was computed with"
    st.dataframe(table, hide_index=True, width="content", key=PAGE.key("lineage"), column_config=wide, alt=alt)
    st.caption(sentences.as_text(f"HEM Workbench {lineage.version}"))
    if question is not None:
        st.caption("Python code that computes it again, using only hemcore")
        st.code(python(lineage), language="python", wrap_lines=True)


def _question(lineage: Lineage) -> Question | None:
    """The question that was answered; None where this version does not know it."""
    try:
        return question_from({"analysis": lineage.analysis, "dataset": lineage.parent, "params": lineage.params})
    except HemError:
        return None


def _more(names: tuple[str, ...]) -> str:
    return f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""


def reading(record: DatasetRecord) -> str:
    """Python that reads the files of an upload to the table that is kept, as `table`."""
    names = list(record.source_names)
    files = repr(names[0] if len(names) == 1 else names)
    if not record.recipe:
        return f"import hemcore as hem\n\ntable = hem.read({files})"
    recipe = pformat(json.loads(record.recipe), width=100, sort_dicts=False)
    return f"import hemcore as hem\n\nrecipe = {recipe}\ntable = hem.read({files}, recipe=recipe)"


def python(lineage: Lineage) -> str:
    """Python that makes the kept table again, as `kept`."""
    question = {"analysis": lineage.analysis, "dataset": lineage.parent, "params": dict(lineage.params)}
    return "\n".join(
        [
            "from hemcore.datasets import load",
            "from hemcore.registry import question_from",
            "",
            f"question = question_from({question!r})",
            "table = load(question.dataset)",
            f"keeps = next(each for each in question.analysis.keeps if each.name == {lineage.gives!r})",
            "kept = keeps.make(question.answer(table), table)",
        ]
    )
