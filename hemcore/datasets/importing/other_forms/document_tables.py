"""Several tables in one plain text, as consoles and Markdown have them, each under its title: each as a file of its own."""

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from hemcore.datasets.importing.other_forms.written_blocks import names_of_tables, title_in_name
from hemcore.datasets.importing.units.cell_kinds import is_missing, is_number
from hemcore.datasets.readers.decoding import text_of
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.errors import HemError

Titled = list[tuple[str, str]]
_LARGEST, _HEAD, _MOST, _FEWEST_ROWS = 4 << 20, 4096, 60, 2
_RULE = re.compile(r"[\s|+:=-]*[-=]{2,}[\s|+:=-]*")
_PROMPT = re.compile(r"(?:>>>|\.\.\.|In ?\[\d*\]:|>|\$)\s.*")
_NO_TITLE = re.compile(r"[,;|\t]|\S {2,}\S")
_GAPS = re.compile(r" {2,}|\t")
_MARKS = " \t#$*_=:`-"


def tables_of_document(file: UploadedFile) -> tuple[UploadedFile, ...]:
    """The tables in `file`, each with its title in its name; () where it is one table, where one has no title, or where there is more than
    titles and tables of two rows of data at least."""
    if file.size > _LARGEST or file.head(100).lstrip()[:1] in (b"{", b"[", b"<", b"\\", b""):
        return ()
    above = file.head(_HEAD).decode(errors="replace").splitlines()
    if not _is_title(next((line for line in above if line.strip() and (_is_title(line) or not _PROMPT.fullmatch(line))), "")):
        return ()  # the first table has no title: the rest is not looked at
    try:
        text = text_of(file.name, file.content, remedy="")
    except HemError:
        return ()
    tables = _of_text(text)
    titles = [title for title, _ in tables]
    if not 1 < len(tables) <= _MOST or not all(map(title_in_name, titles)):
        return ()
    names = names_of_tables(f"{PurePosixPath(file.name).stem}.csv", titles)
    return tuple(UploadedFile(name, body.encode()) for name, (_, body) in zip(names, tables, strict=True))


def _of_text(text: str) -> Titled:
    """Blocks of names over rows, each below a title and nothing else between them; a prompt may stand above the first."""
    blocks: list[tuple[str, list[str]]] = []
    title, block = "", list[str]()
    for line in [*text.splitlines(), "\0"]:
        if line.strip() and (_is_title(line) or line == "\0"):
            if block and not title:
                return []
            blocks += [(title, block)] if block else []
            title, block = line.strip(_MARKS), []
        elif line.strip() and not (_PROMPT.fullmatch(line) and not title):
            block.append(line)
    if len(blocks) < 2 or not all(_is_table(block) for _, block in blocks):
        return []  # one alone is not looked at
    return [(title, "\n".join(_tabbed(block)) + "\n") for title, block in blocks]


def _is_title(line: str) -> bool:
    """Whether a line is a few words, the last of which may be a number, and no row of cells."""
    words = line.strip().split()
    marked = line.lstrip()[:1] in ("#", "$") and not _NO_TITLE.search(line.strip())
    plain = len(words) <= 3 and not _NO_TITLE.search(line.strip()) and line[:1].strip() != "" and _RULE.fullmatch(line) is None
    return (marked or plain) and not any(map(is_number, words[:-1])) and not (len(words) == 1 and is_number(words[0]))


def _is_table(block: Sequence[str]) -> bool:
    """Whether lines are one of names, a rule perhaps, and two rows at least with as many numbers each."""
    rows = [line for line in block if _RULE.fullmatch(line) is None]
    counts = [sum(map(is_number, _cells(line))) for line in rows]
    missing = [sum(map(is_missing, filter(None, _cells(line)))) for line in rows]
    full = {count + none for count, none in zip(counts[1:], missing[1:], strict=True)}
    return len(rows) > _FEWEST_ROWS and counts[0] == 0 and len(full) == 1 and min(counts[1:]) > 0


def _cells(line: str) -> Iterator[str]:
    return (cell.strip() for cell in (line.split("|") if "|" in line else re.split(r"[;\t\s]", line)))


def _tabbed(block: Sequence[str]) -> list[str]:
    """The lines with tabs between their cells where two blanks part them and the names of the rows stand under no name, as pandas prints
    them: a name of two words may make up for the one that is missing."""
    rows = [_GAPS.split(line.strip()) for line in block]
    widths = {len(row) for row in rows[1:]}
    if len(widths) > 1 or len(rows[0]) + 1 not in widths or not block[0][:1].isspace():
        return list(block)
    return ["\t".join(row) for row in (["", *rows[0]], *rows[1:])]
