"""Downloads: the table as CSV, Parquet and JSON, the open tab's picture as PNG and SVG, the link, and the Python code."""

import csv
import io
import re
from collections.abc import Callable, Sequence
from functools import partial
from urllib.parse import quote, urlencode

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from hemcore.analysis import AnyQuestion, Question, ResultT
from hemcore.charts.look import themed
from hemcore.charts.picture import Picture
from hemcore.datasets.readers.answers.own_answers import marked
from hemcore.datasets.shelf.library import Entry
from hemcore.errors import ParameterError
from hemcore.web import ask, sentences
from hemcore.web.boxes import on_demand
from hemcore.web.page import Page

# Spreadsheets skip white space before a sign, and some accept full-width signs; a tab or newline starts a cell.
_SIGN = r"[\s\u0000-\u001f\u200b-\u200f\u2060\ufeff]*[=+\-@＝＋－＠﹦﹢﹣﹫]"
_FORMULA, _CUT = re.compile(rf"{_SIGN}|[\t\n]"), re.compile(rf"[;\t|\n]{_SIGN}")
_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_MIME = {
    "csv": "text/csv",
    "json": "application/json",
    "parquet": "application/vnd.apache.parquet",
    "png": "image/png",
    "svg": "image/svg+xml",
}


def popover(page: Page, question: Question, dataset: Entry, picture: Picture, figures: Sequence[go.Figure]) -> None:
    """A popover with the downloads, the link and the Python code. Files and tables are made on request, not on every rerun."""
    name = file_name(question, dataset)
    with on_demand(page, "Download", ":material/download:") as is_open:
        if not is_open:
            return
        source = question.about(question.analysis.table_from) if question.analysis.table_from is not None else question
        with sentences.show_errors(stop=False):
            _table(page, source, name)
            more = None if picture.needs is None else question.about(picture.needs)
            if more is not None and more.analysis.gives and ask.at_hand(more) is not None:
                _table(page, more, f"{name}_{picture.name}")
        if figures:
            st.caption(sentences.as_text(f"Picture of the open tab: {picture.tab}"))
            for number, figure in enumerate(figures, 1):
                part = f"{name}_{picture.name}{f'_{number}' if len(figures) > 1 else ''}"
                with st.container(horizontal=True):
                    _button(page, "PNG", f"{part}.png", partial(image_bytes, figure, "png"))
                    _button(page, "SVG", f"{part}.svg", partial(image_bytes, figure, "svg"))
        st.caption("Link to this screen")
        st.code(page_link(page), language=None, wrap_lines=True)
        st.caption("Python that computes the table, using only hemcore")
        st.code(question.python(comment="" if dataset.bundled else dataset.name), language="python")
        if picture.needs is not None:
            more = question.about(picture.needs)
            st.caption(sentences.as_text(f"Python that computes the open tab: {picture.tab}"))
            st.code(more.python(), language="python")


def file_name(question: Question, dataset: Entry) -> str:
    """The start of a file name: dataset, analysis and main parameters ("server_much_dep_lvl-0.85")."""
    params = question.to_dict()["params"]
    chosen = [_chosen(field, params[field]) for field in question.analysis.named_by]
    parts = [dataset.name, question.analysis.name.rpartition(".")[2], *(each for each in chosen if each)]
    return "_".join(filter(None, (slug(part) for part in parts)))[:120]


def _chosen(field: str, value: object) -> str:
    return value if isinstance(value, str) else f"{field}-{value:g}" if isinstance(value, float) else f"{field}-{value}"


def page_link(page: Page) -> str:
    """The URL of the page with its current choices."""
    base = (st.context.url or "").partition("?")[0]
    return f"{base}?{page_query()}"


def page_query() -> str:
    """The query of the page's URL, with every value of multiple choices."""
    return urlencode([(name, value) for name in st.query_params for value in st.query_params.get_all(name)], quote_via=quote)


def slug(text: str) -> str:
    """`text` as part of a file name."""
    return re.sub(r"[^\w.\-]+", "-", text).strip("-")[:48]


def _table(page: Page, question: AnyQuestion, name: str) -> None:
    """The table's buttons; if it takes long, first a button that starts its job, and its progress."""
    analysis = question.analysis
    if ask.at_hand(question) is None:
        st.caption(sentences.as_text(f"The table ({analysis.title}) takes a while to compute"))
        if not ask.begun(question):
            st.button("Compute the table", key=page.key("make-table"), icon=":material/play_arrow:", on_click=ask.start, args=(question,))
            return
        done, _ = ask.in_place(question, where="download")
        if not done:
            return
    st.caption(sentences.as_text(f"Table: {analysis.title}"))
    with st.container(horizontal=True):
        _button(page, "CSV", f"{name}.csv", lambda: csv_bytes(_marked(question)))
        _button(page, "Parquet", f"{name}.parquet", lambda: parquet_bytes(_marked(question)))
        to_json = analysis.json
        if to_json is not None:
            _button(page, "JSON", f"{name}.json", lambda: to_json(_ready(question)))


def _marked(question: AnyQuestion) -> pd.DataFrame:
    return marked(question.analysis.table_of(_ready(question)), question.analysis.name)


def _ready(question: Question[ResultT]) -> ResultT:
    """The answer, when a file is requested. Raises ParameterError if it is no longer available."""
    result = ask.at_hand(question)
    if result is None:
        raise ParameterError(f"{question.analysis.title}: the answer is no longer available. Compute the table again, then download it.")
    return result


def csv_bytes(table: pd.DataFrame) -> bytes:
    """UTF-8 CSV without the index; names and texts that a spreadsheet would run as formulas get a leading apostrophe.

    All texts are quoted if a spreadsheet with another separator could split one of them into cells.
    """
    texts = {name: table[name].astype(object).map(_harmless) for name in table.select_dtypes(["object", "string", "category"]).columns}
    safe = table.assign(**texts).rename(columns=_harmless)
    values = (each for column in (safe.columns, *texts.values()) for each in column)
    quoted = any(isinstance(each, str) and _CUT.search(each) for each in values)
    return safe.to_csv(index=False, quoting=csv.QUOTE_NONNUMERIC if quoted else csv.QUOTE_MINIMAL).encode(errors="replace")


def _harmless(value: object) -> object:
    if not isinstance(value, str):
        return value
    # A lone carriage return (or anything else that some programs treat as a line end) is not quoted, so it would end the row.
    plain = _LINE_ENDS.sub("\n", value)
    return f"'{plain}" if _FORMULA.match(plain) else plain


def parquet_bytes(table: pd.DataFrame) -> bytes:
    """Parquet without the index."""
    buffer = io.BytesIO()
    table.to_parquet(buffer, index=False)
    return buffer.getvalue()


def image_bytes(figure: go.Figure, kind: str) -> bytes:
    """The figure on white, 1,200 pixels wide, drawn by Chromium."""
    copy = go.Figure(themed(figure, dark=False))  # the page shows the figure itself again
    drawn = copy.update_layout(paper_bgcolor="white", margin={"l": 70, "r": 30, "b": 60}, title={"x": 0.01, "font": {"weight": 600}})
    return drawn.to_image(format=kind, width=1200, height=figure.layout.height or 700, scale=2 if kind == "png" else 1)


def _button(page: Page, label: str, file_name: str, make: Callable[[], bytes]) -> None:
    kind = file_name.rpartition(".")[2]
    st.download_button(label, make, file_name=file_name, mime=_MIME[kind], key=page.key(f"download-{file_name}"), on_click="ignore")
