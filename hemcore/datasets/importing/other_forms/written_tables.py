"""Tables that are not written as rows of separated cells: HTML, LaTeX's tabular, and lines of key=value pairs, as the text of a CSV."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from html.parser import HTMLParser
from itertools import islice

from hemcore.datasets.readers import decoding

# "key=value", the value with or without quotes; what stands before the first pair may be the time.
_PAIR = re.compile(r'(?:^|(?<=\s))([A-Za-z_][\w./%-]*)=(?:"([^"]*)"|(\S*))')
_LEADING_TIME = re.compile(r"\[?(\d{4}-\d\d-\d\d[T ][\d:.,]+(?:Z|[+-]\d\d:?\d\d)?|\d{1,2}:\d\d:\d\d(?:[.,]\d+)?|\d+\.\d+)\]?(?=\s)")
_TABULAR = re.compile(r"\\begin\{(tabular[x*]?|longtable)\}(.*?)(?:\\end\{\1\}|\Z)", re.DOTALL)
_COLUMNS = re.compile(r"\s*(?:\{[^{}]*\}|\[[^\]]*\])*\s*(\{(?:[^{}]|\{[^{}]*\})*\})?")
_RULE = re.compile(r"\\(?:hline|toprule|midrule|bottomrule|endhead|endfirsthead|endfoot|cline\{[^}]*\}|cmidrule(?:\([^)]*\))?\{[^}]*\})")
_COMMAND = re.compile(r"\\(?:textbf|textit|texttt|emph|mathrm|num|text)\{([^{}]*)\}")
_ESCAPED = re.compile(r"\\([%&#_$])")
_PROBED, _FEWEST_PAIRS = 50, 2


def as_table(text: str) -> str | None:
    """CSV with commas, a header and one row for each row or line; None where `text` is no such table.

    Of HTML the largest table is taken, and a cell over several columns stands over the first. Of lines of pairs a time before the first
    pair becomes the column "time"; a line that lacks a key has an empty cell there. Nothing of markup is run or kept.
    """
    start = text.lstrip()[:2_000]
    if start.startswith("<") and "<t" in text.lower():
        return _csv(_of_html(text))
    if start.startswith(("\\", "%")) and (found := _TABULAR.search(text)) is not None:
        return _csv(_of_latex(found[2]))
    return _of_pairs(text) if "=" in start else None


def _csv(rows: Sequence[Sequence[str]]) -> str | None:
    if len(rows) < 2:
        return None
    table = io.StringIO()
    csv.writer(table, lineterminator="\n").writerows(rows)
    return table.getvalue()


class _Tables(HTMLParser):
    """The rows of each table of a page; a table within a table is one of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: list[list[list[str]]] = []
        self._open: list[list[list[str]]] = []
        self._span, self._cell = 1, False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self.tables.append([])
            self._open.append(self.tables[-1])
        elif tag == "tr" and self._open:
            self._open[-1].append([])
            self._cell = False
        elif tag in ("td", "th") and self._open:
            if not self._open[-1]:
                self._open[-1].append([])
            span = dict(attrs).get("colspan") or "1"
            self._open[-1][-1] += ["", *[""] * (min(int(span), 1_000) - 1 if span.isdecimal() else 0)]
            self._span, self._cell = max(min(int(span), 1_000), 1) if span.isdecimal() else 1, True

    def handle_endtag(self, tag: str) -> None:
        if tag == "table" and self._open:
            self._open.pop()
        if tag in ("td", "th", "tr", "table"):
            self._cell = False

    def handle_data(self, data: str) -> None:
        if self._cell and self._open and self._open[-1] and self._open[-1][-1]:
            self._open[-1][-1][-self._span] += data


def _of_html(text: str) -> list[list[str]]:
    parser = _Tables()
    parser.feed(text)
    parser.close()
    largest = max(([row for row in table if row] for table in parser.tables), key=len, default=[])
    return [[" ".join(cell.split()) for cell in row] for row in largest]


def _of_latex(body: str) -> list[list[str]]:
    body = re.sub(r"(?<!\\)%.*", "", body[_COLUMNS.match(body).end() :])  # type: ignore[union-attr]
    rows = []
    for line in re.split(r"\\\\(?:\[[^\]]*\])?", _RULE.sub("", body)):
        plain = _COMMAND.sub(r"\1", line)
        cells = [_ESCAPED.sub(r"\1", cell).replace("$", "").replace("~", " ").replace(r"\,", "") for cell in re.split(r"(?<!\\)&", plain)]
        if any(cell.strip() for cell in cells):
            rows.append([" ".join(cell.split()) for cell in cells])
    return rows


def _of_pairs(text: str) -> str | None:
    """None unless each of the first lines has two pairs, all but a few of them the same keys."""
    first = [dict(pairs) for pairs in islice(_pairs(decoding.lines_of(text)), _PROBED)]
    if len(first) < 2 or any(len(pairs) < _FEWEST_PAIRS for pairs in first):
        return None
    common = set.intersection(*map(set, first))
    if len(common) < _FEWEST_PAIRS:
        return None
    places: dict[str, int] = {}
    rows = [{places.setdefault(key, len(places)): value for key, value in pairs} for pairs in _pairs(decoding.lines_of(text))]
    return _csv([list(places), *([row.get(place, "") for place in range(len(places))] for row in rows)])


def _pairs(lines: Iterable[str]) -> Iterator[list[tuple[str, str]]]:
    for line in lines:
        if not line.strip():
            continue
        pairs = [(found[1], found[2] if found[2] is not None else found[3]) for found in _PAIR.finditer(line)]
        time = _LEADING_TIME.match(line)
        yield [("time", time[1]), *pairs] if time is not None and "time" not in dict(pairs) else pairs
