"""The download bar: the table as CSV and Parquet, the picture as PNG and SVG, and the Python that makes them."""

import io
from collections.abc import Callable
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

_MIME = {
    "csv": "text/csv",
    "json": "application/json",
    "parquet": "application/vnd.apache.parquet",
    "png": "image/png",
    "svg": "image/svg+xml",
}


def bar(
    *,
    name: str,
    table: Callable[[], pd.DataFrame],
    figure: go.Figure | None,
    snippet: str,
    json: Callable[[], bytes] | None = None,
    of: str = "The table",
) -> None:
    """One popover with the downloads and the snippet. Files, and the table itself, are made when they are asked for, not on every rerun.

    json: the same table for programs, where it has a form of its own. of: what the table holds, in words.
    """
    with st.popover("Take away", icon=":material/download:"):
        st.caption(of)
        with st.container(horizontal=True):
            _button("CSV", f"{name}.csv", lambda: csv_bytes(table()))
            _button("Parquet", f"{name}.parquet", lambda: parquet_bytes(table()))
            if json is not None:
                _button("JSON", f"{name}.json", json)
        if figure is not None:
            st.caption("The picture")
            with st.container(horizontal=True):
                _button("PNG", f"{name}.png", lambda: image_bytes(figure, "png"))
                _button("SVG", f"{name}.svg", lambda: image_bytes(figure, "svg"))
        st.caption("The Python that makes the table, with hemcore alone")
        st.code(snippet, language="python")


def csv_bytes(table: pd.DataFrame) -> bytes:
    """UTF-8 CSV without the index; a name or a text that a spreadsheet would run as a formula gets a leading apostrophe."""
    texts = {name: table[name].map(_harmless) for name in table.select_dtypes(["object", "string"]).columns}
    safe = table.assign(**texts).rename(columns=_harmless)
    return safe.to_csv(index=False).encode()


def _harmless(words: Any) -> Any:
    return f"'{words}" if isinstance(words, str) and words[:1] in ("=", "+", "-", "@", "\t") else words


def parquet_bytes(table: pd.DataFrame) -> bytes:
    """Parquet without the index."""
    buffer = io.BytesIO()
    table.to_parquet(buffer, index=False)
    return buffer.getvalue()


def image_bytes(figure: go.Figure, kind: str) -> bytes:
    """The figure on white, 1,200 pixels wide, drawn by the machine's Chromium."""
    drawn = go.Figure(figure).update_layout(
        template="plotly_white", paper_bgcolor="white", margin={"l": 70, "r": 30, "b": 60}, title={"x": 0.01, "font": {"weight": 600}}
    )
    return drawn.to_image(format=kind, width=1200, height=figure.layout.height or 700, scale=2 if kind == "png" else 1)


def _button(label: str, file_name: str, make: Any) -> None:
    kind = file_name.rpartition(".")[2]
    st.download_button(label, make, file_name=file_name, mime=_MIME[kind], key=f"download-{file_name}", on_click="ignore")
