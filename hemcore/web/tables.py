"""Tables on a page: readable headings, numbers with five significant digits."""

import math
import re
from typing import Any, Literal

import numpy as np
import pandas as pd
import streamlit as st

from hemcore.charts import headings
from hemcore.headline import percent
from hemcore.web import hover_help, sentences

MISSING = "–"  # by itself a grid writes "None"
_SENTENCES = {"why", "note"}  # also "why ..."
_SIGNIFICANT = 5
_MOST_DECIMALS = 9
# In the locale format a grid shows at most this many decimals: smaller numbers would be 0.
_LOCALE_DECIMALS = 3
_ONE_DECIMAL = 0.0005  # "0.1%" from here on
_UP = 1 + 1e-12
_WHOLE = 24  # rows shown without scrolling
# A number that is given as text, since the numbers of its column differ in kind.
_NUMBER = re.compile(r"[−+-]?[<>]?\d[\d,]*(\.\d+)?%?( × 10[⁻⁰¹²³⁴-⁹]+)?")
_UNIT_PX = 150  # "cycles per instruction"
# Logarithms: their differences matter. Correlations: as sentences write them, and one digit more.
_FIXED_DECIMALS = {"objective": 2, "residual": 2, "max_residual": 2, "r": 3}


def show(frame: pd.DataFrame, *, alt: str, **more: Any) -> None:
    """Draw `frame` without its index, and without scrolling if it is short.

    Numbers have five significant digits of the largest value in their column, or up to three decimals where a smaller one would be 0;
    shares are percentages.
    """
    numbers = frame.select_dtypes("number")
    shares = [name for name in numbers.columns if headings.is_share(str(name))]
    digits = {name: _FIXED_DECIMALS.get(str(name), _digits(numbers[name])) for name in numbers.columns if name not in shares}
    decimals = {name: _share_decimals(frame[name]) for name in shares}
    rounded = frame.round(digits | decimals)
    # A grid cuts digits off: 0.471 is 47.0% where it is held as 0.47099999999999997.
    rounded = rounded.assign(**{str(name): rounded[name] * _UP for name in shares})
    config = {str(name): _column(str(name), rounded[name], decimals.get(name, 3)) for name in frame.columns}
    height: Literal["content", "auto"] = "content" if len(frame) <= _WHOLE else "auto"
    st.dataframe(rounded, hide_index=True, placeholder=MISSING, alt=alt, column_config=config, height=height, **more)


def show_plain(frame: pd.DataFrame) -> None:
    """Draw a few rows as text: a grid announces new values to a screen reader 0.2 s late."""
    numeric = [pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values) for _, values in frame.items()]
    heads = [sentences.as_text(headings.heading(str(name))) for name in frame.columns]
    lines = [heads, ["---:" if number else ":---" for number in numeric]]
    lines += [[_plain(str(name), value) for name, value in zip(frame.columns, row, strict=True)] for row in frame.itertuples(index=False)]
    st.markdown("\n".join(f"| {' | '.join(line)} |" for line in lines))


def _plain(name: str, value: Any) -> str:
    if pd.isna(value):
        return ""
    if pd.api.types.is_bool(value):
        return "yes" if value else "no"
    if not pd.api.types.is_number(value):
        return sentences.as_text(" ".join(str(value).split()))
    if headings.is_share(name):
        return percent(float(str(value)), 1)
    digits = 0 if pd.api.types.is_integer(value) else _digits(pd.Series([value]))
    return sentences.as_text(f"{value:,.{digits}f}")


def _column(name: str, values: pd.Series, share_decimals: int) -> Any:
    label = headings.heading(name)
    help = hover_help.help_of(label)
    if headings.is_share(name):
        # As cards, verdicts and reports write them: "16.3%"; a grid by itself takes "16.26%". The step says how many decimals.
        return st.column_config.NumberColumn(label, help=help, format="percent", step=10.0**-share_decimals)
    if name.partition(" ")[0] in _SENTENCES:
        return st.column_config.TextColumn(label, help=help, width="medium")
    if pd.api.types.is_bool_dtype(values):
        return st.column_config.CheckboxColumn(label, help=help)
    if pd.api.types.is_numeric_dtype(values):
        decimals = _decimals(values)
        return st.column_config.NumberColumn(label, help=help, format="localized" if decimals == _LOCALE_DECIMALS else f"%.{decimals}f")
    written = [text for each in values.head(_WHOLE) if (text := str(each)) not in ("", MISSING)]
    if written and all(_NUMBER.fullmatch(text) for text in written):
        return st.column_config.TextColumn(label, help=help, alignment="right")
    if name == "unit":
        return st.column_config.TextColumn(label, help=help, width=_UNIT_PX)
    return st.column_config.Column(label, help=help)


def _share_decimals(values: pd.Series) -> int:
    """Decimals of shares for one decimal of a percentage; for two if one would write a share that is not 0 as 0."""
    known = np.abs(pd.to_numeric(values, errors="coerce").to_numpy(dtype=float, na_value=np.nan))
    return 4 if ((known > 0) & (known < _ONE_DECIMAL)).any() else 3


def _decimals(values: pd.Series) -> int:
    """The fewest decimals, at least 3, that show all of these rounded values exactly."""
    known = values.to_numpy(dtype=float, na_value=np.nan)
    known = known[np.isfinite(known)]
    return next((places for places in range(_LOCALE_DECIMALS, _MOST_DECIMALS) if (np.round(known, places) == known).all()), _MOST_DECIMALS)


def _digits(values: pd.Series) -> int:
    sizes = np.abs(values.to_numpy(dtype=float, na_value=np.nan))
    sizes = sizes[np.isfinite(sizes) & (sizes > 0)]
    if not len(sizes):
        return 0
    digits = min(_MOST_DECIMALS, max(0, _SIGNIFICANT - 1 - math.floor(math.log10(sizes.max()))))
    first = -math.floor(math.log10(sizes.min()))  # the decimal that is not 0
    return max(digits, first) if first <= _LOCALE_DECIMALS else digits
