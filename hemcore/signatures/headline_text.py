"""Texts and figures that the headlines of signatures share."""

import numpy as np
import pandas as pd

from hemcore.headline import TRUST_WORDS, Trust, Verdict


def row_of_least(table: pd.DataFrame, least: pd.Series) -> pd.Series:
    """The row of `table` where `least` is least."""
    return table.iloc[int(least.to_numpy().argmin())]


def known(value: float) -> float | None:
    """`value`; None where it is missing or infinite."""
    return float(value) if value is not None and np.isfinite(value) else None


def verdict_of(answer: str, reasons: list[str], level: Trust) -> Verdict:
    """A verdict that shows the first of `reasons` (at least one, the gravest first), two if short enough, the others behind "Why?"."""
    shown = 2 if len(" ".join(reasons[:2]).split()) <= TRUST_WORDS else 1
    return Verdict(answer=answer, trust=" ".join(reasons[:shown]), why=tuple(reasons[shown:]), level=level)
