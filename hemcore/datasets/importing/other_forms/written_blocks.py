"""Several tables in a page of HTML, in LaTeX or in Markdown, each with the heading above it."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from hemcore.datasets.importing.header_words import meaning_of, plain
from hemcore.datasets.importing.raw_grid import grid_of
from hemcore.datasets.importing.units.cell_kinds import is_reading
from hemcore.datasets.readers.decoding import text_of
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.errors import HemError

_HTML = re.compile(r"<table\b(?:(?!<table\b).)*?</table>", re.DOTALL | re.IGNORECASE)
_LATEX = re.compile(r"\\begin\{(tabular[x*]?|longtable)\}.*?\\end\{\1\}", re.DOTALL)
_MARKDOWN = re.compile(r"^[ ]*\|[^\n]*\n[ ]*\|(?:[ ]*:?-+:?[ ]*\|)+[ ]*\n(?:[ ]*\|[^\n]*(?:\n|\Z))+", re.MULTILINE)
_TAGS, _CAPTION = re.compile(r"<[^>]*>"), re.compile(r"\\caption\{([^{}]*)\}|<caption[^>]*>(.*?)</caption>", re.DOTALL)
_HEADINGS = re.compile(r"\\(?:chapter|(?:sub)*section|(?:sub)?paragraph|textbf|textit|emph)\*?(?:\[[^\]]*\])?\{([^{}]*)\}")
_COMMANDS = re.compile(r"\\[a-zA-Z]+(?:\[[^\]]*\])?(?:\{[^{}]*\})?")
_FEWEST_ROWS, _MOST, _LONGEST = 2, 200, 60
_NOT_IN_NAMES = re.compile(r"[/\\\x00-\x1f]+|[\s:]+$")


def blocks_of(file: UploadedFile) -> list[tuple[str, UploadedFile]]:
    """(its title, the table alone) for each table of `file`, where there are several and all begin with the same column, over two rows of
    readings at least; else nothing."""
    try:
        text = text_of(file.name, file.content, remedy="")
        pattern = _HTML if text.lstrip()[:1] == "<" else _LATEX if "\\begin{" in text else _MARKDOWN
        found = list(_titled(text, pattern))
        if not 1 < len(found) <= _MOST or (pattern is _HTML and "<tr" in _HTML.sub("", text)):
            return []
        made = [(title, UploadedFile(file.name, block.encode(errors="surrogateescape"))) for title, block in found]
        tables = [[row for row in grid_of(table).rows if any(row)] for _, table in made]
    except HemError:
        return []
    if any(len(rows) <= _FEWEST_ROWS or not any(map(is_reading, rows[-1])) for rows in tables):
        return []
    firsts = {meaning_of(rows[0][0]).role or plain(rows[0][0]) for rows in tables}
    return made if len(firsts) == 1 else []


def names_of_tables(name: str, titles: Sequence[str]) -> list[str]:
    """A name for each table of the file `name`, with its title in it."""
    titles = [title_in_name(title) or f"table {number}" for number, title in enumerate(titles, start=1)]
    again = Counter(titles)
    titles = [f"{title} ({number})" if again[title] > 1 else title for number, title in enumerate(titles, start=1)]
    path = PurePosixPath(name)
    return [str(path.with_name(f"{path.stem} {title}{path.suffix}")) for title in titles]


def title_in_name(title: str) -> str:
    """What of the title of a table stands in the name of a file; "" where nothing can."""
    return _NOT_IN_NAMES.sub(" ", title)[:_LONGEST].strip()


def _titled(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    end = 0
    for block in pattern.finditer(text):
        above = text[end : block.start()]
        caption = _CAPTION.search(above + (block[0] if pattern is _HTML else ""))
        lines = [line.strip(" #*:=-") for line in _COMMANDS.sub(" ", _HEADINGS.sub(r"\1", _TAGS.sub("\n", above))).split("\n")]
        yield (caption[1] or caption[2] if caption is not None else next((line for line in reversed(lines) if line), "")), block[0]
        end = block.end()
