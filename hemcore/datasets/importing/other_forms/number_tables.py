"""The plainest tables, as programs write them by the thousand: names in the first line, then numbers without a sign. Read in one pass.

What is read here reads the same the long way round (`parts.read_part`): whatever would need a closer look is not taken.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray

# Names without quotation marks, "=", "|" and what markup begins with: what other forms are told by.
_HEADER = re.compile(rb"[A-Za-z_#,;\t][^\"=|<>{}\x00-\x08\x0a-\x1f\x7f-\xff]*")
_PAIRED = re.compile(rb":(?:\s|\Z)")
_SEPARATOR = re.compile(rb"[\d.]+([,;\t])")
_FIRST_ROW = 2
# A number with a point that may stand between thousands; any other one with a point proves that it is the decimal sign.
_UNCLEAR = re.compile(rb"[1-9]\d{0,2}\.\d{3}")
_POINTED = re.compile(rb"\d+\.\d+")


@dataclass(frozen=True, eq=False)
class NumbersAlone:
    """names: the cells of the header. numbers: shape (rows, columns), row i is row i + 2 of the file. body: the file below its header.

    decimal: "." where a number proves it, else "".
    """

    names: tuple[str, ...]
    separator: str
    numbers: NDArray[np.float64]
    body: bytes
    decimal: str

    @property
    def index(self) -> pd.Index:
        """The numbers of the rows in the file, from 1."""
        return pd.RangeIndex(_FIRST_ROW, _FIRST_ROW + len(self.numbers))

    @property
    def columns(self) -> pd.Index:
        """The places of the columns."""
        return pd.RangeIndex(len(self.names))

    def texts(self) -> pd.DataFrame:
        """The cells as texts, made anew at each call."""
        cells = np.array(_cells(self.body, self.separator), dtype=object).reshape(self.numbers.shape)
        return pd.DataFrame(cells, index=self.index, columns=self.columns)

    def column(self, place: int) -> pd.Series:
        """The texts of one column."""
        return pd.Series(_cells(self.body, self.separator)[place :: len(self.names)], index=self.index, dtype=object)


def numbers_alone(content: bytes, most: int) -> NumbersAlone | None:
    """The table of a file in ASCII: two rows to `most` of them below the names, all of one width of at least two; None for any other."""
    content = content.replace(b"\r\n", b"\n")
    head, _, body = content.partition(b"\n")
    found = _SEPARATOR.match(body[:100])
    if found is None or _HEADER.fullmatch(head) is None or _PAIRED.search(head) is not None or not 2 <= body.count(b"\n") + 1 <= most:
        return None
    names = tuple(name.strip() for name in head.decode().split(found[1].decode()))
    if len(names) < 2 or not all(names[1:]) or _rows(found[1], len(names)).fullmatch(body) is None:
        return None
    cells = _cells(body, found[1].decode())
    numbers = np.asarray(pd.to_numeric(np.array(cells, dtype=object), errors="coerce"), dtype=float).reshape(-1, len(names))
    if len(numbers) < 2 or bool(np.isnan(numbers).any()):
        return None
    proved = any(_UNCLEAR.fullmatch(number) is None for number in _POINTED.findall(body))
    return NumbersAlone(names, found[1].decode(), numbers, body, "." if proved else "")


@lru_cache(maxsize=64)
def _rows(separator: bytes, width: int) -> re.Pattern[bytes]:
    cell = rb"\d{1,30}(?:\.\d{1,30})?"
    row = rb"(?:%s%s){%d}%s" % (cell, separator, width - 1, cell)
    return re.compile(rb"%s(?:\n%s)+\n?" % (row, row))


def _cells(body: bytes, separator: str) -> list[str]:
    return body.decode("ascii").rstrip("\n").replace("\n", separator).split(separator)
