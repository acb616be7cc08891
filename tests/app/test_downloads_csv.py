"""No spreadsheet runs what a downloaded CSV holds, whatever it takes for a separator, a line's end or white space."""

import csv
import io
import re

import numpy as np
import pandas as pd
import pytest

from hemcore.web.actions.downloads import csv_bytes

CALL = "=HYPERLINK(1)"
EVIL = [
    CALL, "+1", "-1+2", "@SUM(1)", "\t" + CALL, "\r" + CALL, "\n" + CALL, " " + CALL, "\u00a0" + CALL, "\u3000" + CALL, "\ufeff" + CALL,
    "\u200b" + CALL, "\x0b" + CALL, "\x1f" + CALL, "＝1", "＋1", "－1", "＠A1", " ＝1", "x\r" + CALL, "x\n" + CALL, "x\r\n" + CALL,
    "x\x85" + CALL, "x\u2028" + CALL, "x;" + CALL, "x\t" + CALL, 'x";' + CALL, "x; " + CALL, "x|" + CALL,
]  # fmt: skip
SIGN = re.compile(r"[\s\ufeff\u200b\x00-\x1f]*[=+\-@＝＋－＠]")


def cells(content: bytes, separator: str) -> list[str]:
    """As a spreadsheet reads it."""
    return [cell for row in csv.reader(io.StringIO(content.decode(), newline=""), delimiter=separator) for cell in row]


@pytest.mark.slow
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"], ids=ascii)
@pytest.mark.parametrize("kind", [object, "str", "category"])
@pytest.mark.parametrize("evil", EVIL, ids=ascii)
@pytest.mark.sweep
def test_no_cell_and_no_name_is_a_formula(evil: str, kind: object, separator: str) -> None:
    for table in (pd.DataFrame({"a": pd.Series([evil, "plain"], dtype=kind), "b": [1, 2]}), pd.DataFrame({evil: [1.5], "b": [2]})):
        content = csv_bytes(table)
        for end in ("\x0b", "\x0c", "\x85", "\u2028", "\r"):
            assert end not in content.decode().replace("\r\n", "\n")
        assert not [cell for cell in cells(content, separator) if SIGN.match(cell)]


def test_numbers_and_plain_names_stay_as_they_are() -> None:
    table = pd.DataFrame({"name": ["a b", "c-d", "x=1"], "n": [-1.5, np.nan, 3], "k": pd.Categorical(["u", "v", "u"])})
    assert csv_bytes(table).decode() == "name,n,k\na b,-1.5,u\nc-d,,v\nx=1,3.0,u\n"
    assert csv_bytes(pd.DataFrame({"k": pd.Categorical([-1, 2])})).decode() == "k\n-1\n2\n"
