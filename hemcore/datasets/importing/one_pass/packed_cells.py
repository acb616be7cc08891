"""The cells of a small table in little memory: a thousand files of many columns are held at once while their table is put together."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

_BETWEEN = "\0"  # stands in no cell, as raw_grid.body_of has it


@dataclass(frozen=True, eq=False)
class PackedCells:
    """index, columns: of the frame of texts that was packed. written: its cells, row by row. numbers: shape (rows, plain columns), columns
    that are numbers or say that there is none (NaN); at: the column of `numbers` that each column is, -1 for any other.
    """

    index: pd.Index
    columns: pd.Index
    written: bytes
    numbers: NDArray[np.float64]
    at: NDArray[np.int32]

    def texts(self) -> pd.DataFrame:
        """The frame that was packed, made anew at each call."""
        cells = np.array(self.written.decode().split(_BETWEEN), dtype=object).reshape(len(self.index), len(self.columns))
        return pd.DataFrame(cells, index=self.index, columns=self.columns, dtype=object)

    def column(self, place: int) -> pd.Series:
        """The texts of one column."""
        cells = self.written.decode().split(_BETWEEN)[place :: len(self.columns)]
        return pd.Series(cells, index=self.index, name=self.columns[place], dtype=object)

    def plain(self, place: int) -> NDArray[np.float64] | None:
        """The numbers of a plain column; None of any other."""
        at = self.at[place]
        return self.numbers[:, at] if at >= 0 else None


def packed(texts: pd.DataFrame, plain: Mapping[Hashable, NDArray[np.float64]]) -> PackedCells | None:
    """`texts`, whose plain columns are `plain`; None where there is no cell, or one has a sign that parts cells or is no letter."""
    cells = texts.to_numpy(dtype=object).ravel().tolist()
    try:
        written = _BETWEEN.join(cells).encode()
    except UnicodeEncodeError:
        return None
    if not cells or written.count(b"\0") != len(cells) - 1:
        return None
    numbers = np.column_stack([np.empty((len(texts), 0)), *plain.values()])
    order = {column: place for place, column in enumerate(plain)}
    at = np.array([order.get(column, -1) for column in texts.columns], dtype=np.int32)
    return PackedCells(texts.index, texts.columns, written, numbers, at)
