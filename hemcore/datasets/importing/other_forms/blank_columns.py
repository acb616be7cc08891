"""Text whose columns blanks part, with tabs between them: times and names that hold a blank stay whole, rules and remarks go; and remarks
between rows that other signs part."""

import csv
import io
import re
from itertools import islice

from hemcore.datasets.readers.decoding import lines_of
from hemcore.errors import ReadError

_LOOKED_AT = 400
_CELL_STRING = re.compile(r"\{'([^'{}\n]*)'\}")  # of Matlab's tables
# A mail that is quoted, and Matlab's remarks above a table of numbers.
_QUOTED, _ABOVE = re.compile(r"^>+ ?", re.MULTILINE), re.compile(r"(?:%[^\n]*\n)+(?=\s*[-+\d.])")
# What was typed into a console of R, Python or Julia above a table, and R's prompt below it.
_PROMPTED = re.compile(r"\A(?:(?:>|>>>|\+|\.\.\.|julia>|In ?\[\d+\]:)[ ][^\n]*\n)+(?=[ ]*[\w\"])")
_PROMPT_BELOW = re.compile(r"\n> [^\n]*\n?\Z")
# "12:00:01 AM" and "2026-03-04 12:00:01" among columns that blanks separate are one cell each.
_HALF_DAY = re.compile(r"\b(\d{1,2}:\d{2}:\d{2}) +([AP]M)\b")
_STAMP = re.compile(r"\b(\d{4}-\d{2}-\d{2}) +(\d{1,2}:\d{2}:\d{2})\b")
_SPREAD = re.compile(r"(?<=\d) +(?:±|\+/-) *(\d)")  # a spread is a column of its own, as JMH names it
_GAP = re.compile(r" {2,}")
# Of dcgmi dmon: "GPU 0" under "#Entity", and a line of units under each of its headers.
_RESTARTED = re.compile(r"^[^\n]*[;,\t]LINUX-RESTART\b[^\n]*$", re.MULTILINE)  # of sadf
# Colours and moves of a console, and the marks of sections in GitLab's logs.
_COLOURS = re.compile(r"\x1b(?:\[[0-9;?]*[A-Za-z]|\][^\x07\x1b]*(?:\x07|\x1b\\))|^section_(?:start|end):\d+:[\w-]+\r?", re.MULTILINE)
_BOX_RULES, _BARS = re.compile(r"^[ \t]*[┌├└╞╭╰╔╠╚┏┣┗┡┢][─━═┬┳╦┼╇╪┴┻╧┤┫╣┩┪┐┓╗┘┛╝┯┷╤╭╮╯╰]*[ \t]*$", re.MULTILINE), str.maketrans("│┃", "||")
_ENTITY, _IDS = re.compile(r"^((?:GPU|CPU|Switch)[A-Z-]*) (\d+)(?=[ ]{2})", re.MULTILINE), re.compile(r"^ID\b[^\n]*$", re.MULTILINE)
_RESTART = re.compile(r"^\d\d:\d\d:\d\d(?: [AP]M)?\s+LINUX RESTART.*$", re.MULTILINE)  # of sar: its header comes again
_MOST_ABOVE, _FEWEST_FOLDED = 3, 3
# Lines that begin with "#" between rows of numbers; a row of numbers put out of use by it.
_REMARKS = re.compile(r'^(["\d+.-][^\n]*\n)((?:#[^\n]*\n)+)(?=["\d+.-])', re.MULTILINE)
_ROW_OUT = re.compile(r'#\s*["\d+.-]')
# Rules of dashes over columns, and remarks between rows of data.
_DASHES = re.compile(r"^[ ]*[-_=]{3,}(?:[ ]+[-_=]{2,})*[ ]*$", re.MULTILINE)
_WITHIN = re.compile(r"(?<=\n)([ ]*[-+]?[\d.]+\s.*\n)((?:[ ]*\n)*(?:#.*\n)+)")

# What pandas, SQL clients and ClickHouse write below a table.
_TRAILER = re.compile(
    r"\n\s*(?:\[\d+ rows x \d+ columns\]|\(\d+ (?:rows?|zeilen?|lignes?|filas?|righe|linhas?)(?: affected)?\)"
    r"|\d+ rows? (?:in set|selected|affected)\b[^\n]*|(?:Name: [^\n]*, |Freq: [^\n]*, )?(?:Length: \d+, )?dtype: \w+)\s*\Z",
    re.IGNORECASE,
)


def unquoted(text: str) -> str:
    """`text` without the signs of a quotation in a mail before each line, without the braces of Matlab's cells of text, and with "#" for
    the "%" of Matlab's remarks above a table; and without the count of rows that a tool prints below it."""
    text = text[: below.start() + 1] if (below := _TRAILER.search(text, max(len(text) - 300, 0))) is not None else text
    text = _COLOURS.sub("", text) if "\x1b" in text else text
    text = _RESTARTED.sub("", text) if "LINUX-RESTART" in text else text
    if "{'" in text:
        text = _CELL_STRING.sub(r" \1 ", text)
    if text.startswith("#Entity "):
        return _IDS.sub("", _ENTITY.sub(r"\1-\2", text).replace("#Entity ", "Entity  "))
    if text[:1] == ">" and all(line[:1] in (">", "") for line in lines_of(text)):
        return _QUOTED.sub("", text)
    text = _PROMPTED.sub("\n", text[: text.rindex("\n> ") + 1] if _PROMPT_BELOW.search(text) else text)
    if text[:2] == "% " and not text.startswith("% time") and (above := _ABOVE.match(text)) is not None:
        return re.sub("^%", "#", above[0], flags=re.MULTILINE) + text[above.end() :]
    return text


def drawn_plainly(text: str) -> str:
    """`text` without colours, with "|" for the bars of boxes and blank lines for their rules."""
    text = _COLOURS.sub("", text) if "\x1b" in text else text
    return _BOX_RULES.sub("", text).translate(_BARS) if any(bar in text for bar in "│┃") else text


def names_end_over_values(text: str) -> bool:
    """Whether the names in the first line end, or begin, where the values below them do, in each row, and nothing stands over the first
    cells, as R and pandas print names of rows."""
    lines = (line for line in islice(lines_of(text), _LOOKED_AT) if line.strip())
    names = [each.span() for each in re.finditer(r"\S+", head)] if (head := next(lines, ""))[:1] == " " else []
    rows = 0
    for line in lines if names else ():
        if line[:1] == " " and rows and not re.search(r"(?<!\S)[-+]?\.?\d", line):
            break  # the names of the next block
        first, *cells = [each.span() for each in re.finditer(r"\S+", line)]
        if len(cells) != len(names) or first[1] > names[0][0]:
            return False
        if any(cell[1] != name[1] and cell[0] != name[0] for cell, name in zip(cells, names, strict=True)):
            return False
        rows += 1
    return rows > 1


def tabbed(name: str, text: str) -> tuple[str, tuple[str, ...]]:
    """(`text`, a tab between its columns; the remarks between its rows, which are blank lines there, so that each row keeps its number).

    Raises ReadError, naming the line, for a cell that is too long.
    """
    remarks: list[str] = []

    remarks += _RESTART.findall(text)
    text = _RESTART.sub("", _unfolded(text))
    if sparse := _with_whole_index(text) or _with_labels(text):
        return sparse, ()
    text = _WITHIN.sub(lambda found: _blanked(found, remarks), _DASHES.sub("", _SPREAD.sub(r" \1", text)))
    whole = _with_whole_names(text)
    if not whole:
        rows = csv.reader(lines_of(_with_whole_times(text), ends=True), delimiter=" ", skipinitialspace=True)
        try:
            made = io.StringIO()
            made.writelines("\t".join(map(_quoted, row)) + "\n" for row in rows)
            whole = made.getvalue()
        except csv.Error as error:
            raise ReadError(f"{name}: line {rows.line_num} does not fit a table ({error}). Correct the line, or leave it out.") from None
    return whole, tuple(remarks)


def _unfolded(text: str) -> str:
    """`text` with the blocks next to each other into which pandas and R fold a wide table: names, then rows that begin alike in each."""
    lines = [line for line in lines_of(text) if line.strip()]
    heads = [number for number, line in enumerate(lines) if line[:1] == " " and not re.search(r"(?<!\S)[-+]?\.?\d", line)]
    rows = heads[1] if len(heads) > 1 and heads[0] == 0 else 0
    if rows < _FEWEST_FOLDED or heads != list(range(0, len(lines), rows)) or len(lines) % rows:
        return text
    blocks = [[line.split() for line in lines[head : head + rows]] for head in heads]
    if any([row[0] for row in block[1:]] != [row[0] for row in blocks[0][1:]] for block in blocks):
        return text
    names = [name for block in blocks for name in block[0] if name != "\\"]
    body = [[row[0], *(cell for block in blocks for cell in block[at][1:])] for at, row in enumerate(blocks[0][1:], start=1)]
    return "".join(" ".join(row) + "\n" for row in (["", *names], *body))


def _with_whole_index(text: str) -> str:
    """`text` with tabs between its columns where pandas printed an index of several levels, whose names stand alone in the second line and
    of which those that come again are blank; else ""."""
    lines = lines_of(text)
    head, second = next(lines, ""), next(lines, "")
    names = second.split()
    if len(names) < 2 or not head.strip() or len(second.rstrip()) > len(head) - len(head.lstrip()) or re.search(r"\d", second):
        return ""
    rows = [(line, line.split()) for line in lines]
    for heads in (_GAP.split(head.strip()), head.split()):  # a name may hold a blank
        width = len(names) + len(heads)
        fits = [len(cells) == width or (line[0] == " " and len(heads) < len(cells) < width) for line, cells in rows if cells]
        if all(fits):
            body = ["\t".join((*[""] * (width - len(cells)), *cells)) if cells else "" for _, cells in rows]
            return "\n".join(["\t".join((*names, *heads)), "", *body]) + "\n"
    return ""


def _with_labels(text: str) -> str:
    """`text` with tabs between its columns where pandas printed names of columns in two levels: each of the first line stands over the
    first of its group, and the name of the index alone in the third; else ""."""
    lines = lines_of(text)
    above, second, third = next(lines, ""), next(lines, ""), next(lines, "")
    names = [(found.end(), found[0]) for found in re.finditer(r"\S+", second)]
    labels = {found.end(): found[0] for found in re.finditer(r"\S+", above)}
    twice = len({name for _, name in names}) < len(names)
    if not (above[:1] == second[:1] == " " and twice and 1 < len(labels) < len(names) and len(third.split()) == 1):
        return ""
    places = {min((end for end, _ in names if end >= at), default=names[-1][0]): label for at, label in labels.items()}
    made = ["\t".join(("", *(places.get(end, "") for end, _ in names))), "\t".join(("", *(name for _, name in names))), third.strip()]
    for line in lines:
        if line.strip() and len(line.split()) != len(names) + 1:
            return ""
        made.append("\t".join(line.split()))
    return "\n".join(made) + "\n"


def without_remarks(text: str, separator: str) -> tuple[str, tuple[str, ...]]:
    """(`text`, the remarks between its rows of numbers, which are blank lines there, so that each row keeps its number). A line of as many
    cells as the row above it may name other columns and stays, unless it is a row of numbers itself."""
    remarks: list[str] = []

    def blank(found: re.Match[str]) -> str:
        said = found[2].splitlines()
        if any(line.count(separator) == found[1].count(separator) and not _ROW_OUT.match(line) for line in said):
            return found[0]
        return _blanked(found, remarks)

    return _REMARKS.sub(blank, text), tuple(remarks)


def _blanked(found: re.Match[str], remarks: list[str]) -> str:
    """A row and the remarks below it, which join `remarks`, as the row and blank lines."""
    remarks.extend(line.strip() for line in found[2].split("\n") if line.strip())
    return found[1] + "\n" * found[2].count("\n")


def _with_whole_times(text: str) -> str:
    """`text` with times that hold a blank as one cell, unless the header has a name for each half."""
    halves = _HALF_DAY.sub(r"\1\2", text)
    text = halves if _evenness(halves) >= _evenness(text) else text
    stamps = _STAMP.sub(r"\1T\2", text)
    return stamps if _evenness(stamps) > _evenness(text) else text


def _with_whole_names(text: str) -> str:
    """`text` with tabs between its columns where two blanks or more part them, as in "L1 misses   L2 misses", and one does not; else "".

    A few lines above and one below may be of another width."""
    raw = [line for line in islice(lines_of(text), _LOOKED_AT) if line.strip()]
    lines = [line.strip() for line in raw]
    if (
        len(raw) > 2
        and raw[0][:1] == " " != raw[1][:1]
        and len(_GAP.split(lines[0])) + 1 == len(_GAP.split(lines[1])) < len(lines[0].split())
    ):
        # Nothing stands over the names of the rows, and a name holds a blank.
        return "".join(_GAP.sub("\t", f"  {line.strip()}" if line == raw[0] else line.strip()) + "\n" for line in lines_of(text))
    widths = [len(_GAP.split(line)) for line in lines]
    width = max(set(widths), key=widths.count, default=0)
    first = widths.index(width) if widths else 0
    end = len(lines) - (len(lines) == len(widths) and widths[-1:] == [1])
    if width < 2 or first > _MOST_ABOVE or set(widths[first:end]) != {width} or end - first < 2:
        return ""
    if {len(line.split()) for line in lines[first + 1 : end]} != {width} or len(lines[first].lstrip("# ").split()) == width:
        return ""
    return "".join(f"{_GAP.sub(chr(9), line.strip())}\n" for line in lines_of(text))


def _evenness(text: str) -> float:
    """The share of the first lines that have the usual number of cells between blanks."""
    widths = [len(cells) for line in islice(lines_of(text, ends=True), _LOOKED_AT) if (cells := line.split())]
    return max(map(widths.count, set(widths))) / len(widths) if widths else 0.0


def _quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"' if re.search('["\t\n]', cell) else cell
