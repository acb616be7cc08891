"""The lines of `perf stat` output: its words for missing values, its ids of CPUs, and its remarks."""

import re

import numpy as np

from hemcore.datasets.readers import decoding
from hemcore.datasets.readers.uploaded_files import UploadedFile

# Counts are at least 0, so that -1 can stand for an event that the processor does not have.
NOT_SUPPORTED = -1.0
WORDS = {"<not counted>": np.nan, "<not supported>": NOT_SUPPORTED}
# CPU0, S0, S0-D0-C1, N0 ... of a -A, --per-socket, --per-core, --per-node run.
PLACE = r"(?:CPU|[SDCN])-?\d+(?:-[A-Z]+\d+)*"
SAMPLED_LINES = 200
_SAMPLED_BYTES = 200_000
_SEARCHED = 8_000_000
_UNDER_HEADING = 20_000
_HEADING = re.compile(rb"(?:^|[\r\n])[ \t]*(?:Performance counter stats for |#\s+time\s[^\r\n]*\b(?:counts|GHz|insn per cycle)\b)")


def text_of(file: UploadedFile) -> str:
    """The text of a file, without a byte order mark. Raises ReadError where it is binary or empty."""
    remedy = "Send the output of perf stat; a perf.data is turned into it by `perf stat report`."
    return decoding.text_of(file.name, file.content, remedy=remedy)


def sample_of(file: UploadedFile) -> list[str]:
    """The first lines of a file, at most SAMPLED_LINES and no half one; none where it is binary or empty."""
    head = decoding.head_of(file.content, _SAMPLED_BYTES)
    if b"\x00" in head[:4096]:
        return []
    lines = decoding.plain_lines(head.decode("utf-8", errors="replace").removeprefix("\ufeff")).split("\n")
    if len(file.content) > _SAMPLED_BYTES and len(lines) > 1:
        lines = lines[:-1]
    return lines[:SAMPLED_LINES]


def from_heading(file: UploadedFile) -> tuple[int, list[str]]:
    """(the number of the first heading's line, from 1; the lines from it on), wherever it is in the first megabytes, below what the
    program itself printed; (1, []) where there is none.
    """
    head = decoding.head_of(file.content, _SEARCHED)
    found = _HEADING.search(head)
    if found is None or b"\x00" in head[:4096]:
        return 1, []
    text = decoding.plain_lines(head[found.start() : found.start() + _UNDER_HEADING].decode("utf-8", errors="replace"))
    before = head[: found.start()].count(b"\n") + 1
    return before + len(text) - len(text.lstrip("\n")), text.lstrip("\n").split("\n")


def number_of(printed: str) -> float:
    """A number as printed, with a decimal point or comma and no other separators, or one of WORDS."""
    word = WORDS.get(printed)
    return float(printed.replace(",", ".")) if word is None else word


def is_remark(line: str) -> bool:
    """A blank line or a `# ...` remark."""
    return not line.strip() or line.lstrip().startswith("#")


def is_start(line: str) -> bool:
    """`# started on ...`: perf wrote another run to the file (-o, --append)."""
    return re.match(r"\s*# started on ", line) is not None
