"""Tables that are not written as rows of separated cells: HTML, LaTeX's tabular, and pairs of keys and values, as the text of a CSV."""

import csv
import io
import re
from html.parser import HTMLParser

from hemcore.datasets.importing.other_forms import line_pairs
from hemcore.datasets.importing.other_forms.written_csv import csv_of_rows
from hemcore.datasets.importing.other_forms.written_records import of_blocks, of_records

_TABBED = re.compile(r"^([A-Za-z_]\w*)\t+(?=[-+]?\d[\d.,]*[ \t]*$)", re.MULTILINE)
_ADDED = re.compile(r"^Successfully added: \S+[ \t]*$", re.MULTILINE)  # papi_command_line, of an event before it counts
_PAIRED = re.compile(r"[:=|]\s|=\S|(?:^|[,;\s])[A-Za-z_]\w*:[-+]?\d")
_TABULAR = re.compile(r"\\begin\{(tabular[x*]?|longtable)\}(.*?)(?:\\end\{\1\}|\Z)", re.DOTALL)
_COLUMNS = re.compile(r"\s*(?:\{[^{}]*\}|\[[^\]]*\])*\s*(\{(?:[^{}]|\{[^{}]*\})*\})?")
_OVER_ROWS = re.compile(r"\\multirow(?:\[[^\]]*\])?\{[^{}]*\}\{[^{}]*\}\{((?:[^{}]|\{[^{}]*\})*)\}")
_OVER_COLUMNS = re.compile(r"\\multicolumn\{(\d{1,3})\}\{[^{}]*\}\{((?:[^{}]|\{[^{}]*\})*)\}")
_RULE = re.compile(
    r"\\(?:hline|toprule|midrule|bottomrule|endhead|endfirsthead|endfoot|endlastfoot|cline\{[^}]*\}|cmidrule(?:\([^)]*\))?\{[^}]*\})"
)
_COMMAND = re.compile(r"\\(?:textbf|textit|texttt|emph|mathrm|num|text)\{([^{}]*)\}")
_ESCAPED = re.compile(r"\\([%&#_$])")
_TAG, _NUMBER = re.compile("<t", re.IGNORECASE), re.compile(r"(?<![\w.:/-])\d[\d.]*(?![\w:/-])")
_LONG = 6  # digits of a number that is no year
_MOST_BELOW = 65_534  # rows below the first of a cell, as HTML has it
_FED = 8 << 20  # characters of a page at once: the parser holds them a second time


def as_table(text: str, notes: list[str] | None = None) -> str | None:
    """CSV with commas, a header and one row for each row, line of pairs or record; None where `text` is no such table.

    Of HTML the largest table is taken (`notes` gets a sentence on the others), a cell over several columns stands over the first, and one
    over several rows in each. Pairs
    stand on one line a row ("a=1 b=2", "a: 1, b: 2") or on one each, with the first key again where the next row
    begins; a time before the first pair becomes the column "time"; a row that lacks a key has an empty cell there. Nothing of markup is run
    or kept. Raises RepeatedKeyError for a line that gives a key two values.
    """
    notes = [] if notes is None else notes
    start = text.lstrip()[:2_000]
    if start.startswith("<") and _TAG.search(text) is not None:
        return _of_html(text, notes)
    if start.startswith(("\\", "%")) and (tabular := _TABULAR.search(text)) is not None:
        names, *rows = _of_latex(tabular[2]) or [[]]
        return csv_of_rows(names, rows)
    if (blocks := of_blocks(text)) is not None:
        return blocks
    text = _ADDED.sub("", text)
    start = text.lstrip()[:2_000]
    if len(keys := _TABBED.findall(start)) > len(set(keys)) > 1:
        text = _TABBED.sub(r"\1: ", text)  # records whose keys come again, no table of two columns
    elif start[:1].isalpha() and (words := line_pairs.of_words(text, notes)) is not None:
        return words
    elif _PAIRED.search(start) is None:
        return None
    found = line_pairs.as_table(text, notes)
    return of_records(text, notes) if found is None else found


class _Table:
    """A table of a page as CSV: its rows but the last, of which more cells may come."""

    def __init__(self) -> None:
        self.rows, self.row, self._text = 0, list[str](), io.StringIO()
        self._below: dict[int, tuple[int, str]] = {}  # column -> in how many rows more its cell stands, and the text of that
        self._down: dict[int, int] = {}
        self._writer = csv.writer(self._text, lineterminator="\n")

    def begin_cells(self, across: int, down: int) -> None:
        """Begin a cell over `across` columns and `down` rows, behind those that stand here from rows above."""
        self._fill()
        self._down |= dict.fromkeys(range(len(self.row), len(self.row) + across), down - 1)
        self.row += [""] * across

    def _fill(self) -> None:
        while len(self.row) in self._below:
            self.row.append(self._below[len(self.row)][1])

    def end_row(self) -> None:
        if self.row:
            self._fill()
            cells = [" ".join(cell.split()) for cell in self.row]
            self._writer.writerow(cells)
            self._below = {at: (rows - 1, text) for at, (rows, text) in self._below.items() if rows > 1}
            self._below |= {at: (min(rows, _MOST_BELOW), cells[at]) for at, rows in self._down.items() if rows > 0}
            self.rows, self.row, self._down = self.rows + 1, [], {}

    def text(self) -> str:
        self.end_row()
        return self._text.getvalue()


class _Tables(HTMLParser):
    """Each table of a page; a table within a table is one of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: list[_Table] = []
        self.strays = 0  # rows in no table
        self.beside = list[str]()  # lines with two numbers or a long one, in no table
        self._open: list[_Table] = []
        self._span, self._cell, self._code = 1, False, False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._code = tag in ("script", "style")
        if tag == "table":
            self.tables.append(_Table())
            self._open.append(self.tables[-1])
        elif tag == "tr" and not self._open:
            self.strays += 1
        elif tag == "tr":
            self._open[-1].end_row()
            self._cell = False
        elif tag in ("td", "th") and self._open:
            span = dict(attrs).get("colspan") or "1"
            down = dict(attrs).get("rowspan") or "1"
            self._span, self._cell = max(min(int(span), 1_000), 1) if span.isdecimal() else 1, True
            self._open[-1].begin_cells(self._span, int(down) if down.isdecimal() else 1)

    def handle_endtag(self, tag: str) -> None:
        self._code = False
        if tag == "table" and self._open:
            self._open.pop().end_row()
        if tag in ("td", "th", "tr", "table"):
            self._cell = False

    def handle_data(self, data: str) -> None:
        if self._cell and self._open and self._open[-1].row:
            self._open[-1].row[-self._span] += data
        elif not self._open and not self._code:
            self.beside += [
                line.strip() for line in data.split("\n") if len(found := _NUMBER.findall(line)) > 1 or len("".join(found)) >= _LONG
            ]


def _of_html(text: str, notes: list[str]) -> str | None:
    parser = _Tables()
    for start in range(0, len(text), _FED):
        parser.feed(text[start : start + _FED])
    parser.close()
    for table in parser.tables:
        table.end_row()
    largest = max(parser.tables, key=lambda table: table.rows, default=None)
    if largest is None or largest.rows < 2:
        return None
    others = [table.rows for table in parser.tables if table is not largest and table.rows > 1]
    if others or parser.strays:
        rows = sum(others) + parser.strays
        notes.append(f"the page has {rows:,} row{'s' * (rows != 1)} in other tables or in none; the largest table alone is read.")
    if parser.beside:
        notes.append(f"lines with numbers beside the table left out: {len(parser.beside):,}, as {parser.beside[0][:60]!r}.")
    return largest.text()


def _of_latex(body: str) -> list[list[str]]:
    body = re.sub(r"(?<!\\)%.*", "", body[_COLUMNS.match(body).end() :])  # type: ignore[union-attr]
    rows = []
    for line in re.split(r"\\\\(?:\[[^\]]*\])?", _RULE.sub("", body)):
        line = _OVER_COLUMNS.sub(lambda over: over[2] + "&" * (int(over[1]) - 1), _OVER_ROWS.sub(r"\1", line))
        plain = _COMMAND.sub(r"\1", line)
        cells = [
            _ESCAPED.sub(r"\1", cell).replace("$", "").replace(r"\pm", "±").replace("~", " ").replace(r"\,", "")
            for cell in re.split(r"(?<!\\)&", plain)
        ]
        if any(cell.strip() for cell in cells):
            rows.append([" ".join(cell.split()) for cell in cells])
    return rows
