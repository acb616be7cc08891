"""What a file that is not recognised looks like, and which formats come nearest: where each of them fails."""

import json
import re
from collections import Counter
from collections.abc import Sequence

from hemcore.datasets.readers import decoding
from hemcore.datasets.readers.format import AnyFormat
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.errors import HemError

_HEAD = 64 << 10
_LINES = 60
_NEAREST = 3
_SAID = 160
_WORD = re.compile(r"[A-Za-z_][A-Za-z_-]{2,}")
_UNITED = re.compile(r"[-+]?\d[\d.]*\s*[A-Za-zµ%°][\w/%°]*")
_FIRST_SENTENCE = re.compile(r"(?<!\.)\. (?=[A-Z])")  # not the dots of "Joules: ... J"
_LINE = re.compile(r"\b(?:line|row) (\d+)")
_BINARY = (
    (b"%PDF", "a PDF"), (b"\x89PNG", "a picture (PNG)"), (b"\xff\xd8\xff", "a picture (JPEG)"), (b"GIF8", "a picture (GIF)"),
    (b"\x7fELF", "a program (ELF)"), (b"MZ\x90", "a program for Windows"), (b"PAR1", "a Parquet file"), (b"ARROW1", "an Arrow file"),
    (b"SQLite format 3", "an SQLite database"), (b"\x89HDF", "an HDF5 file"), (b"\x93NUMPY", "an array of NumPy"),
    (b"\x80\x04\x95", "a pickle of Python"), (b"\xd0\xcf\x11\xe0", "a document of Microsoft Office"),
)  # fmt: skip
# What an archive that is a document holds.
_IN_DOCUMENT = (
    (b"word/document.xml", "a Word document"),
    (b"ppt/presentation.xml", "slides of PowerPoint"),
    (b"vnd.oasis.opendocument.text", "a text of LibreOffice"),
    (b"vnd.oasis.opendocument.presentation", "slides of LibreOffice"),
)
_PROGRAMS = {
    "py": "Python", "sh": "a shell", "bash": "a shell", "c": "C", "h": "C", "cpp": "C++", "cc": "C++", "hpp": "C++", "rs": "Rust",
    "go": "Go", "js": "JavaScript", "ts": "TypeScript", "java": "Java", "r": "R", "jl": "Julia", "f90": "Fortran", "pl": "Perl",
}  # fmt: skip
_STAMPED = re.compile(r"\W?(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d\d:\d\d:\d\d)")
_LEVEL = re.compile(r"\b(?:DEBUG|INFO|WARN|WARNING|ERROR|TRACE|FATAL|systemd|kernel)\b", re.IGNORECASE)


def looks_like(file: UploadedFile) -> str:
    """ "it looks like a table of 2 columns of text: name, city": what a file seems to be, without a stop."""
    return f"it looks like {_seems(file)}"


def binary_kind(content: bytes) -> str:
    """ "a picture (PNG)": what a file that is no text is, as far as its first bytes say it; "" of text."""
    for mark, what in _BINARY:
        if content.startswith(mark):
            return what
    if decoding.packed_as(content):
        return ""
    if content.startswith(b"PK\x03\x04"):
        return next((what for inside, what in _IN_DOCUMENT if inside in content), "an archive")
    return "binary data, whose kind its first bytes do not say" if decoding.is_binary(content) else ""


def is_prose(file: UploadedFile) -> bool:
    """Whether it is a program, a page, notes or a log: a text where a row of names is not to be looked for."""
    return bool(_prose(file.name, decoding.head_text(file.content, _HEAD)))


def nearest_to(file: UploadedFile, formats: Sequence[AnyFormat]) -> str:
    """The three formats that come nearest to `file` and where each of them fails: a sentence."""
    head = UploadedFile(file.name, decoding.head_lines(file.content, _HEAD))
    words = Counter(_WORD.findall(decoding.head_text(head.content, _HEAD).lower()))
    ranked = sorted(formats, key=lambda each: -_nearness(each, words, head))
    said = []
    for each in ranked[:_NEAREST]:
        said.append(f"{each.title} ({_failure(each, head)})")
    text = decoding.head_text(head.content, _HEAD)
    cells = [cell.strip(' "') for line in text.split("\n")[1:_LINES] for cell in re.split(r"[,;\t]", line)]
    united = [cell for cell in cells if _UNITED.fullmatch(cell)]
    if united and 3 * len(united) >= len(cells):
        return (
            f"Its cells hold numbers with units, as in {united[0]!r}. Export plain numbers, with the unit in the header (in Grafana:"
            " Inspect, Data, Data options, Formatted data off)."
        )
    return f"The nearest formats: {'; '.join(said)}. Choose a format, or export the readings as a table with a row of column names."


def _nearness(format: AnyFormat, words: Counter[str], file: UploadedFile) -> float:
    """How many of its words are in the format's example, and of the example's in it; and the same ending."""
    own = {word for text in format.example.values() for word in _WORD.findall(text.lower())}
    both = len(own & set(words))
    ending = file.name.rpartition(".")[2].lower()
    return both / (len(own) or 1) + both / (len(words) or 1) + 0.1 * any(name.endswith(f".{ending}") for name in format.example)


def _failure(format: AnyFormat, file: UploadedFile) -> str:
    """Where the format's reader fails: its sentence, cut, with the line."""
    try:
        format.read_with([file])
    except HemError as error:
        said = _FIRST_SENTENCE.split(str(error).removeprefix(f"{file.name}: "), maxsplit=1)[0].removesuffix(".")
        said = said if len(said) <= _SAID else f"{said[: _SAID - 3]}..."
        return said if _LINE.search(said) else f"line 1: {said}"
    return "it can be read if you choose it"


def _seems(file: UploadedFile) -> str:
    if kind := binary_kind(file.content):
        return kind
    text = decoding.plain_lines(decoding.head_lines(file.content, _HEAD).decode("utf-8-sig", errors="replace"))
    lines = [line for line in text.split("\n") if line.strip()][:_LINES]
    first = lines[0].strip() if lines else ""
    if first.startswith(("{", "[")):
        return _json(file.content)
    if prose := _prose(file.name, text):
        return prose
    for separator, name in ((",", "commas"), (";", "semicolons"), ("\t", "tabs"), ("|", "bars")):
        widths = {line.count(separator) for line in lines}
        if len(widths) == 1 and (width := widths.pop()) > 0:
            cells = [cell.strip().strip('"') for cell in first.split(separator)]
            numbers = sum(
                bool(re.fullmatch(r"[-+\d.,eE ]+", cell.strip())) for line in lines[1:] for cell in line.split(separator) if cell.strip()
            )
            of = "numbers without names above them" if re.fullmatch(r"[-+\d.,eE ]+", "".join(cells)) else "numbers" if numbers else "text"
            shown = ", ".join(cells[:4])[:80] + (" ..." if len(cells) > 4 else "")
            return f"a table of {width + 1} columns of {of}, separated by {name}: {shown}"
    return f"a text of {len(lines)}{'+' if len(lines) == _LINES else ''} lines that begins {first[:60]!r}" if first else "an empty file"


def _prose(name: str, text: str) -> str:
    """ "a program in Python", "a log", "notes in Markdown", "a page of HTML"; "" of anything else."""
    lines = [line for line in text.split("\n") if line.strip()][:_LINES]
    ending = name.rpartition(".")[2].lower() if "." in name else ""
    if not lines:
        return ""
    if re.match(r"\s*(?:<\?xml|<!doctype|<html)", lines[0], re.IGNORECASE):
        return "a page of HTML without a table" if "html" in text[:500].lower() else "XML"
    if ending in _PROGRAMS or lines[0].startswith("#!"):
        return f"a program in {_PROGRAMS[ending]}" if ending in _PROGRAMS else f"a script that begins {lines[0][:40]!r}"
    if ending in ("md", "markdown", "rst"):
        return f"notes in Markdown that begin {lines[0].strip()[:60]!r}"
    if 2 * sum(bool(_STAMPED.match(line) and _LEVEL.search(line)) for line in lines) >= len(lines) > 1:
        return f"a log of messages that begins {lines[0].strip()[:60]!r}"
    return ""


def _json(content: bytes) -> str:
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return "JSON that is damaged, or lines of JSON"
    if isinstance(found, dict):
        return f"JSON with the keys {', '.join(map(str, list(found)[:5]))[:100]}"
    inside = found[0] if found else None
    return f"a list in JSON of {len(found):,} " + (
        f"objects with {', '.join(map(str, list(inside)[:5]))[:100]}" if isinstance(inside, dict) else "values"
    )
