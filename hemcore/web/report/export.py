"""A report taken away: one page that opens with the network off, a notebook, and the report's own file."""

from typing import Any
from urllib.parse import urlsplit

import streamlit as st

from hemcore.analysis import Question
from hemcore.errors import ParameterError
from hemcore.report import Report, render_html, render_notebook
from hemcore.web import ask, shelf
from hemcore.web.actions import downloads
from hemcore.web.report import PAGE


def buttons(report: Report) -> None:
    """The files, made when they are asked for."""
    name = downloads.slug(report.title) or "report"
    with st.container(horizontal=True, gap="small"):
        for label, kind, mime, make in (
            ("Page (HTML)", "html", "text/html", lambda: render_html(report, _answer, table_of=shelf.table, address=_address(), **_root())),
            ("Notebook", "ipynb", "application/x-ipynb+json", lambda: render_notebook(report, _answer, table_of=shelf.table, **_root())),
            ("Report file (JSON)", "json", "application/json", report.to_json),
        ):
            st.download_button(
                label,
                make,
                file_name=f"{name}.{kind}",
                mime=mime,
                key=PAGE.key(f"download-{kind}"),
                on_click="ignore",
                disabled=not report.items,
                icon=":material/download:",
                type="primary" if kind == "html" else "secondary",
            )
    st.caption(
        "The page works offline in any browser, light or dark, and prints. The notebook computes every answer again using only "
        "hemcore. The command line makes both from the report file: python -m hemcore.report FILE"
    )


def _answer(question: Question) -> Any:
    """The answer where it is at hand. Raises ParameterError where a worker has to compute it first, which is begun, or could not."""
    result = ask.at_hand(question)
    if result is None:
        if why := ask.why_not(question):
            raise ParameterError(why)
        ask.start(question)
        raise ParameterError(f"{question.analysis.title}: it is being computed. Wait for its verdict, then download again.")
    return result


def _root() -> dict[str, Any]:
    return {"root": shelf.store().root}


def _address() -> str:
    parts = urlsplit(st.context.url or "")
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""
