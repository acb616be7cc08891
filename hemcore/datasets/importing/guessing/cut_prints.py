"""Prints of tables that leave rows out."""

import re

from hemcore.datasets.importing.raw_grid import HEAD_BYTES
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.errors import ReadError

# Of prints that leave rows out: a tibble's last lines, R's max.print, data.table's "---", the row of dots of pandas, polars and Julia.
_PRINT_BYTES = 40_000
_CUT_SHORT = re.compile(
    r"^[ \t]*(?:#|ℹ|…|\.\.\.)[^\n]*\b\d[\d,.']* more rows?\b|^[ \t]*\[ ?reached [^\n]*max\.print"
    r"|^[ \t]*\d+:[^\n]*\n[ \t]*---[ \t]*\n(?=[ \t]*\d+:)|^[ \t│|]*(?:\.{2,3}|…|⋮)(?:[ \t│┆|]+(?:\.{2,3}|…|⋮))+[ \t│|]*$",
    re.MULTILINE,
)


class CutShortError(ReadError):
    """The print of a table shows only some of its rows."""


def check_not_cut_short(file: UploadedFile) -> None:
    """Raises CutShortError where the end of `file` says that it is a print without some of its rows; no print is larger than its first part
    that is looked at."""
    if file.size > HEAD_BYTES:
        return
    found = _CUT_SHORT.search(file.head(HEAD_BYTES)[-_PRINT_BYTES:].decode(errors="ignore").replace("\r\n", "\n"))
    if found is not None:
        said = found[0].strip().rpartition("\n")[2].strip()[:60]
        raise CutShortError(f"{file.name} is a print that leaves rows out ({said!r}). Print all rows, or send the table as CSV.")
