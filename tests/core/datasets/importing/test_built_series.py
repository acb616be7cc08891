"""Series built by a recipe."""

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.importing.built_series import rotates

N = np.nan


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ({"A": [1, 2, 3, 4], "B": [1, N, 3, 4]}, False),  # one reading was lost
        ({"A": [1, 2, 3, 4], "B": [1, N, 3, N]}, True),
        ({"A": [1, N, 3, N], "B": [N, 2, N, 4]}, True),
        ({"A": [1, N, N, N], "B": [N, 2, N, N], "C": [N, N, 3, N], "D": [N, N, N, 4]}, True),
        ({"A": [1, 2, 3, 4], "B": [1, 2, N, N]}, False),
        ({"A": [1, 2, 3, 4], "B": [N, N, N, N]}, False),
        ({"A": [1, N, 3], "B": [N, 2, N]}, False),
    ],
)
def test_blanks_that_come_back_mean_counted_in_turns(counts: dict[str, list[float]], expected: bool) -> None:
    rows = len(counts["A"])
    assert rotates(pd.DataFrame(counts, dtype=float), pd.Series(["p 1"] * rows)) is expected
