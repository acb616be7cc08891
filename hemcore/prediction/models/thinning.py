"""Even shares of the phases of large programs, where more phases of the same programs would add time but no accuracy."""

import numpy as np

from hemcore.prediction.arrays import Flags, Whole
from hemcore.prediction.model_rows import Rows

# Phases of each program left out that are used to compare settings.
COMPARED = 150
# Phases that boosting and the local models learn from, of all programs together.
LEARNED = 6_100


def some_of_each(group: Whole, most: int = COMPARED) -> Flags:
    """Whether each row is one of at most `most` evenly spaced rows of its program; group: the program of each row, (n,)."""
    order = np.argsort(group, kind="stable")
    sizes = np.bincount(group)
    starts = np.concatenate([[0], np.cumsum(sizes)])[:-1]
    within = np.empty(len(group), dtype=np.int64)
    within[order] = np.arange(len(group)) - starts[group[order]]
    steps = -(-sizes // most)
    found: Flags = within % np.maximum(steps, 1)[group] == 0
    return found


def at_most(rows: Rows, most: int = LEARNED) -> Rows:
    """`rows`, or of more than `most` as many of each program, evenly spaced: at most its share of `most`, but not fewer than COMPARED."""
    if len(rows) <= most:
        return rows
    return rows.take(some_of_each(rows.group, max(COMPARED, most // len(np.unique(rows.group)))))
