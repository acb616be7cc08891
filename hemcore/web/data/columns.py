"""The columns of a dataset: figures and a small picture of each, what its name means, and where values are missing."""

import math
from typing import Any, Literal

import pandas as pd
import streamlit as st

from hemcore import glossary as words
from hemcore.charts import sparklines
from hemcore.datasets.tables import kinds
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.web import drawing, hover_help, sentences, shelf, tables
from hemcore.web.data import PAGE
from hemcore.web.everywhere.described_events import described_event

COLUMNS_SHOWN = 300
PREVIEW_ROWS = 200
_SIGNIFICANT = 5
_ROWS, _NAME_WIDTH = 12, 300  # more scroll
_DIGITS = "%.15g"  # what is not 30.615000000000002, as "plain" writes it
_HEADS = {
    "measured": "How many rows have a value.",
    "missing": "How many rows have no value: not counted, which is not 0.",
    "CoV %": "Standard deviation divided by the mean, in %.",
}


@st.cache_data(max_entries=256, show_spinner=False)
def parts(dataset_id: str) -> list[str]:
    """The names of the frames of a dataset."""
    return list(kinds.frames(shelf.table(dataset_id)))


@st.cache_data(max_entries=64, show_spinner=False)
def preview(dataset_id: str, part: str) -> tuple[pd.DataFrame, int, int]:
    """(first rows and columns of a part, how many rows it has, how many columns)."""
    frame = kinds.frames(shelf.table(dataset_id))[part]
    return frame.iloc[:PREVIEW_ROWS, :COLUMNS_SHOWN], len(frame), frame.shape[1]


@st.cache_data(max_entries=64, show_spinner="Reading the columns")
def figures(dataset_id: str, part: str, wanted: str = "") -> tuple[pd.DataFrame, int]:
    """(figures and picture of the first numeric columns whose name has `wanted`, how many such there are)."""
    table = shelf.table(dataset_id)
    numbers = kinds.frames(table)[part].select_dtypes("number")
    named = [name for name in numbers.columns if wanted.strip().lower() in str(name).lower()]
    shown = numbers[named[:COLUMNS_SHOWN]]
    found = kinds.columns(shown)
    for name in ("least", "median", "mean", "largest"):
        found[name] = found[name].map(_telling)
    arrays = [shown[name].to_numpy(dtype=float, na_value=math.nan) for name in shown.columns]
    if isinstance(table, CounterSeries):
        times = sparklines.row_times(table.intervals) if len(table.intervals) == len(shown) else None
        pictures = [sparklines.course(each, times) for each in arrays]
    else:
        pictures = [sparklines.distribution(each) for each in arrays]
    found.insert(1, "picture", pictures)
    return found, len(named)


@st.cache_data(max_entries=64, show_spinner=False)
def texts(dataset_id: str, part: str) -> pd.DataFrame:
    """Of each column of text: how many rows are filled in, and how many different values they have."""
    frame = kinds.frames(shelf.table(dataset_id))[part].select_dtypes(exclude="number").iloc[:, :COLUMNS_SHOWN]
    filled = frame.notna() & (frame != "")
    different = [frame[name][filled[name]].nunique() for name in frame.columns]
    return pd.DataFrame({"column": list(frame.columns), "filled in": filled.sum().to_numpy(), "different": different})


@st.cache_data(max_entries=64, show_spinner=False)
def gaps(dataset_id: str, part: str) -> sparklines.MissingStrip | None:
    """Where values are missing in a part; None where none is."""
    return sparklines.missing_strip(kinds.frames(shelf.table(dataset_id))[part])


def show_figures(dataset_id: str, part: str) -> None:
    """The table of columns and, where something is missing, the strips."""
    wanted = ""
    if preview(dataset_id, part)[2] > COLUMNS_SHOWN:
        wanted = st.text_input("Filter columns by name", key=PAGE.key("wanted"), placeholder="part of a name")
    found, many = figures(dataset_id, part, wanted)
    # Not remembered with the figures: definitions may be uploaded later.
    meanings = [words.define(name) or described_event(name) or "" for name in found["column"].astype(str)]
    if any(meanings):
        found = found.assign(meaning=meanings)
    if not many and not wanted:
        st.dataframe(texts(dataset_id, part), hide_index=True, alt=f"Columns of {part}")
        st.caption(sentences.as_text(f"{part} has no numeric column."))
        return
    st.dataframe(
        found,
        hide_index=True,
        placeholder=tables.MISSING,
        height=_height(len(found)),
        alt=f"Statistics of each column of {part}",
        column_config=_config(dataset_id, found),
    )
    caption = f"Statistics of {part}; missing = not counted, not 0."
    if many > len(found):
        caption += f" {len(found):,} of {many:,} columns are shown; filter by name to see others."
    st.caption(sentences.as_text(caption))
    strip = gaps(dataset_id, part)
    if strip is not None:
        figure = sparklines.missing(strip, uirevision=f"{dataset_id} {part}")
        drawing.show(figure, key=PAGE.key("missing"), alt=f"Where values of {part} are missing")


def show_preview(dataset_id: str, part: str) -> None:
    """The first rows, with what a column's name means at its head."""
    rows, n_rows, n_columns = preview(dataset_id, part)
    heads = {str(name): st.column_config.Column(help=text) for name in rows.columns if (text := hover_help.help_of(str(name))) is not None}
    st.dataframe(rows, height=_height(len(rows)), placeholder=tables.MISSING, alt=f"First rows of {part}", column_config=heads)
    left_out = []
    if n_rows > len(rows):
        left_out.append(f"The first {len(rows)} of {n_rows:,} rows.")
    if n_columns > rows.shape[1]:
        left_out.append(f"The first {rows.shape[1]} of {n_columns:,} columns.")
    if left_out:
        st.caption(sentences.as_text(" ".join(left_out)))


def _in_order(dataset_id: str) -> bool:
    """Whether the rows follow one another in time, so that a column has a course."""
    return kinds.kind_of(shelf.table(dataset_id)).name == "CounterSeries"


def _config(dataset_id: str, found: pd.DataFrame) -> dict[str, Any]:
    numbers = ("measured", "missing", "least", "median", "mean", "largest")
    config: dict[str, Any] = {
        name: st.column_config.NumberColumn(format=_DIGITS if _has_small(found[name]) else "localized", help=_HEADS.get(name))
        for name in numbers
    }
    if _in_order(dataset_id):
        config["picture"] = st.column_config.LineChartColumn("course", help="Its values over time, run after run.", width=140)
    else:
        config["picture"] = st.column_config.BarChartColumn(
            "distribution", help="How many rows have each value, from smallest to largest.", width=140, y_min=0
        )
    longest = max((len(str(name)) for name in found["column"]), default=0)
    config["column"] = st.column_config.TextColumn(width=min(_NAME_WIDTH, max(80, 16 + 7 * longest)))
    config["CoV %"] = st.column_config.NumberColumn(format="%.1f", help=_HEADS["CoV %"])
    return config | {"meaning": st.column_config.TextColumn("what it is", width="large")}


def _has_small(values: pd.Series) -> bool:
    """Whether one is below a thousandth and not 0: the grid would write it as 0 in the reader's language."""
    size = values.abs()
    return bool(((size > 0) & (size < 1e-3)).any())


def _height(rows: int) -> int | Literal["auto"]:
    return "auto" if rows <= _ROWS else 425


def _telling(value: float) -> float:
    """Five significant digits; what is before the point in full."""
    if not math.isfinite(value) or value == 0:
        return value
    return round(float(value), max(0, _SIGNIFICANT - 1 - math.floor(math.log10(abs(value)))))
