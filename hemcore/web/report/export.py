"""A report taken away: one page that opens with the network off, a PDF, a notebook, and the report's own file."""

import streamlit as st

from hemcore.analysis import Question, ResultT
from hemcore.errors import ParameterError
from hemcore.headline import counted_noun
from hemcore.report import Report, pdf, render_html, render_notebook
from hemcore.report.pdf import Paper
from hemcore.web import ask, sentences, shelf
from hemcore.web.actions import downloads
from hemcore.web.report import PAGE


def buttons(report: Report) -> None:
    """The files, made when they are asked for."""
    name = downloads.slug(report.title) or "report"
    address = _address()  # the thread that makes the file has no browser
    with st.container(horizontal=True, gap="small"):
        for label, kind, mime, make in (
            (
                "Page (HTML)",
                "html",
                "text/html",
                lambda: render_html(report, _answer, table_of=shelf.table, address=address, root=shelf.store().root),
            ),
            (
                "Notebook",
                "ipynb",
                "application/x-ipynb+json",
                lambda: render_notebook(report, _answer, table_of=shelf.table, root=shelf.store().root),
            ),
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
        paper = _pdf_button(report)
    if paper is not None:
        _pdf(report, paper, f"{name}.pdf")
    st.caption(
        "The page works offline in any browser, light or dark, and prints. The notebook computes every answer again using only "
        "hemcore. The command line makes all of them from the report file: hem-workbench report FILE"
    )


def _pdf_button(report: Report) -> Paper | None:
    """The paper, if a PDF is asked for. Disabled, with the reason as help, where no browser can print it."""
    why = pdf.missing()
    help = sentences.as_text(why) if why else "Prints one page per item; takes some seconds."
    chosen = [
        paper
        for paper in pdf.PAPERS
        if st.button(
            f"Make PDF ({paper})",
            key=PAGE.key(f"pdf-{paper}"),
            icon=":material/print:",
            disabled=bool(why) or not report.items,
            help=help,
        )
    ]
    return chosen[0] if chosen else None


def _pdf(report: Report, paper: Paper, file_name: str) -> None:
    """Make the PDF, with progress, and offer it; or say why not."""
    with sentences.show_errors(stop=False):
        progress = st.progress(0.0, text="Writing the page")
        try:
            page = render_html(report, _answer, table_of=shelf.table, root=shelf.store().root)
            progress.progress(0.5, text=f"Printing {counted_noun(len(report.items), 'item')} on {paper}")
            content = pdf.render_pdf(page, paper)
        finally:
            progress.empty()
        st.download_button(
            f"Download the PDF ({len(content) / 2**20:.1f} MiB)",
            content,
            file_name=file_name,
            mime="application/pdf",
            key=PAGE.key("download-pdf"),
            on_click="ignore",
            icon=":material/download:",
        )


def _answer(question: Question[ResultT]) -> ResultT:
    """The answer where it is at hand. Raises ParameterError where a worker has to compute it first, which is begun, or could not."""
    result = ask.at_hand(question)
    if result is None:
        if why := ask.why_not(question):
            raise ParameterError(why)
        ask.start(question)
        raise ParameterError(f"{question.analysis.title}: it is being computed. Wait for its verdict, then download again.")
    return result


def _address() -> str:
    """Where the app is, with the path that a proxy has before its pages; "" outside a browser."""
    return (st.context.url or "").partition("?")[0].rpartition("/")[0]
