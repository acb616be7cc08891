"""Compiles the compiled parts before anyone waits for them."""

import numpy as np
import pandas as pd

from hemcore.merge.copula.copula_table import copula_merge


def warm() -> None:
    """Merge a few runs with the copula."""
    level = np.arange(1.0, 31.0)
    copula_merge([pd.DataFrame({"A": level, "B": level % 7 + 1})], 20, swaps=10)
