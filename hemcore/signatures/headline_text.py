"""Texts and figures that the headlines of signatures share."""

import numpy as np
import pandas as pd

from hemcore.errors import Remedy
from hemcore.headline import LINE, TRUST_WORDS, Trust, Verdict
from hemcore.signatures.params import USUAL

_BUTTON = 22  # characters that the next step takes of the line
ADD_JOBS = Remedy(label="Add jobs", page="data")
THIS_MACHINE = Remedy(label="It is this machine", choose={"processor": USUAL})


def row_of_least(table: pd.DataFrame, least: pd.Series) -> pd.Series:
    """The row of `table` where `least` is least."""
    return table.iloc[int(least.to_numpy().argmin())]


def known(value: float) -> float | None:
    """`value`; None where it is missing or infinite."""
    return float(value) if value is not None and np.isfinite(value) else None


def verdict_of(answer: str, reasons: list[str], level: Trust) -> Verdict:
    """A verdict that shows the first of `reasons` (at least one, the gravest first), two if they fit one line, the others behind "Why?"."""
    both = " ".join(reasons[:2])
    room = LINE if level == "good" else LINE - _BUTTON
    shown = 2 if len(both.split()) <= TRUST_WORDS and len(f"{answer} {both}") <= room else 1
    return Verdict(answer=answer, trust=" ".join(reasons[:shown]), why=tuple(reasons[shown:]), level=level)
