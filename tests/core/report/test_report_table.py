"""Frames as rows of a page."""

import re

import numpy as np
import pandas as pd

from hemcore.report.report_table import how_many, table_html
from tests.core.report.conftest import HOSTILE


def cells(html: str, tag: str = "td") -> list[str]:
    return re.findall(rf"<{tag}(?: [^>]*)?>(.*?)</{tag}>", html)


def test_each_column_has_its_own_decimals_and_what_is_not_known_is_a_dash():
    frame = pd.DataFrame(
        {
            "count": [1234567.0, np.nan, 3.0],
            "share": [0.5, 0.25, 0.00001],
            "ratio": [0.5, 0.25, 0.00001],
            "kept": [True, False, True],
            "why": ["", None, "x < y"],
            "points": [(1, 2000), (), (3,)],
            "large": [np.inf, 2.5, -np.inf],
        }
    )
    found = np.array(cells(table_html(frame, "t"))).reshape(3, 7).T.tolist()
    assert found[0] == ["1,234,567", "–", "3"]
    assert found[1] == ["50.0%", "25.0%", "&lt;0.01%"]
    assert found[2] == ["0.5000", "0.2500", "1.0 × 10⁻⁵"]
    assert found[3] == ["yes", "no", "yes"]
    assert found[4] == ["", "–", "x &lt; y"]
    assert found[5] == ["1, 2,000", "", "3"]
    assert found[6] == ["∞", "2.500", "−∞"]


def test_at_most_fifty_rows_and_forty_columns_and_it_says_how_many():
    frame = pd.DataFrame(np.zeros((51, 41)))
    html = table_html(frame, "t")
    assert html.count("<tr>") == 51  # with the head
    assert len(cells(html, "th")) == 40
    assert how_many(frame) == "the first 50 of 51 rows, the first 40 of 41 columns"
    assert how_many(frame.iloc[:1, :3]) == "1 row"
    assert how_many(frame.iloc[:50, :3]) == "50 rows"


def test_an_index_that_says_something_is_a_column():
    assert cells(table_html(pd.DataFrame({"r": [0.5]}, index=pd.Index(["Ir"], name="hem")), "t"), "th") == ["HEM", "r"]
    assert cells(table_html(pd.DataFrame({"r": [0.5]}), "t"), "th") == ["r"]
    assert cells(table_html(pd.DataFrame({"r": [0.5, 0.6]}).iloc[[1]], "t"), "th") == ["r"]
    assert cells(table_html(pd.DataFrame({"r": [0.5]}, index=["Ir"]), "t")) == ["Ir", "0.5000"]


def test_words_of_anybody_are_text_and_long_ones_are_cut():
    frame = pd.DataFrame({words: [words * 10] for words in HOSTILE})
    html = table_html(frame, HOSTILE[0])
    assert "<script" not in html
    assert "<img" not in html
    assert "<svg" not in html
    assert max(len(cell) for cell in re.findall(r"W+", html)) < 300


def test_no_rows_and_empty_columns():
    assert how_many(pd.DataFrame({"a": []})) == "0 rows"
    assert cells(table_html(pd.DataFrame({"a": pd.Series([], dtype=float), "b": pd.Series([], dtype=float)}), "t")) == []
    assert cells(table_html(pd.DataFrame({"a": [np.nan, np.nan]}), "t")) == ["–", "–"]
