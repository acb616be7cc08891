"""What can happen to a file on its way: by bytes, lines, cells, encodings, ends of lines, numbers, names and archives."""

import gzip
import io
import random
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hemcore.datasets.readers.uploaded_files import UploadedFile

Files = tuple[UploadedFile, ...]
ODD_CELLS = (
    "-1",
    "1e999",
    "9" * 400,
    "9" * 5000,
    "=1+1",
    "1,5",
    "1.234",
    "1'234",
    "0x1F",
    "\x1f5",
    "²",
    "٣",
    "true",
    "x",
    "\ud83d\ude00",
    '"',
    "5 5",
)
EMPTY_CELLS = ("", "NA", "<not counted>", "nan", " ")
ODD_NAMES = ("../../x.csv", "a\x00b.csv", "=1+1.csv", "run_" + "9" * 5000 + ".csv", "\u202egpj.csv", "x" * 300, ".csv", "<b>.csv", "CON")
GARBAGE = (
    b"\x00",
    b"\xff\xfe\x00",
    b"\x1d",
    b";;;;",
    b",,,,,",
    b"hello from the program",
    b"{",
    b"# remark",
    b"\xe2\x80\xa8",
    b"1;2;3",
    b"\t\t",
)
LINE_ENDS = (b"\r", b"\r\n", "\x85".encode(), "\u2028".encode(), "\u2029".encode())
ENCODINGS = ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig", "utf-7")


@dataclass(frozen=True)
class Mutation:
    """kind: what was done, in words. files: what is sent. same: whether all that it said is still said, so that it must be read as it was
    or refused. may_lose: whether what is gone was taken away by hand (a line deleted, a cell emptied), which no reader can know."""

    kind: str
    files: Files
    same: bool = False
    may_lose: bool = False


def mutated(files: Files, chance: random.Random) -> Mutation:
    """One of them, drawn by `chance`."""
    kind, mutate = chance.choice(KINDS)
    place = chance.randrange(len(files))
    content, same, may_lose = mutate(files[place].content, chance)
    changed = UploadedFile(files[place].name, content)
    return (
        Mutation(kind, (*files[:place], changed, *files[place + 1 :]), same, may_lose)
        if kind not in _WHOLE
        else _WHOLE[kind](files, chance)
    )


Changed = tuple[bytes, bool, bool]


def _flip(content: bytes, chance: random.Random) -> Changed:
    made = bytearray(content)
    made[chance.randrange(len(made))] ^= 1 << chance.randrange(8)
    return bytes(made), False, False


def _byte(content: bytes, chance: random.Random) -> Changed:
    place, new = chance.randrange(len(content)), bytes([chance.randrange(256)])
    return content[:place] + chance.choice((b"", new, new + content[place : place + 1])) + content[place + 1 :], False, False


def _block(content: bytes, chance: random.Random) -> Changed:
    start = chance.randrange(len(content))
    end = min(len(content), start + chance.randrange(1, 64))
    new = chance.choice((b"", b"\x00" * (end - start), bytes(chance.randrange(256) for _ in range(end - start)), content[start:end] * 2))
    changed = content[:start] + new + content[end:]
    line = changed[changed.rfind(b"\n", 0, start) + 1 :].partition(b"\n")[0]
    return changed, False, b"\n" in content[start:end] or not line.strip()


def _cut(content: bytes, chance: random.Random) -> Changed:
    return content[: chance.randrange(len(content))], False, True


def _lines(content: bytes, chance: random.Random) -> Changed:
    lines = content.split(b"\n")
    place = chance.randrange(len(lines))
    how = chance.randrange(6)
    if how == 0:
        return b"\n".join([*lines[:place], *lines[place + 1 :]]), False, True
    if how == 1:
        return b"\n".join([*lines[:place], lines[place], *lines[place:]]), False, False
    if how == 2:
        other = chance.randrange(len(lines))
        lines[place], lines[other] = lines[other], lines[place]
        return b"\n".join(lines), False, False
    if how == 3 and place + 1 < len(lines):
        return b"\n".join([*lines[:place], lines[place] + lines[place + 1], *lines[place + 2 :]]), False, False
    if how == 4 and lines[place]:
        lines[place] = lines[place][: chance.randrange(len(lines[place]))]
        return b"\n".join(lines), False, not lines[place].strip()
    lines.insert(place, chance.choice(GARBAGE))
    return b"\n".join(lines), False, False


def _cells(content: bytes, chance: random.Random) -> Changed:
    lines = content.split(b"\n")
    place = chance.randrange(len(lines))
    separator = max((b",", b";", b"\t", b" "), key=lines[place].count)
    cells = lines[place].split(separator)
    at = chance.randrange(len(cells))
    how = chance.randrange(5)
    may_lose = False
    if how == 0:
        cells[at] = chance.choice(ODD_CELLS).encode(errors="replace")
    elif how == 1:
        cells[at], may_lose = chance.choice(EMPTY_CELLS).encode(), True
    elif how == 2 and cells[at]:
        digit = chance.randrange(len(cells[at]))
        cells[at] = cells[at][:digit] + cells[at][digit + 1 :]
        may_lose = not cells[at]
    elif how == 3:
        cells.insert(at, cells[at])
    else:
        del cells[at]
        may_lose = len(cells) == 0
    lines[place] = separator.join(cells)
    return b"\n".join(lines), False, may_lose


def _line_ends(content: bytes, chance: random.Random) -> Changed:
    end, lines = chance.choice(LINE_ENDS), content.split(b"\n")
    share = chance.choice((1.0, 0.5, 0.02))
    made = b"".join(line + (end if chance.random() < share else b"\n") for line in lines[:-1]) + lines[-1]
    return made, True, False


def _encoding(content: bytes, chance: random.Random) -> Changed:
    encoding = chance.choice(ENCODINGS)
    text = content.decode("latin-1")
    return text.encode(encoding), encoding in ("utf-16", "utf-32", "utf-8-sig") and text.isascii(), False


def _decimal_marks(content: bytes, chance: random.Random) -> Changed:
    return content.replace(b".", b",") if chance.random() < 0.7 else content.replace(b",", b"."), False, False


def _damaged_archive(content: bytes, chance: random.Random) -> Changed:
    packed = _zipped((UploadedFile("a.csv", content),)) if chance.random() < 0.5 else gzip.compress(content, mtime=0)
    return chance.choice((_flip, _cut, _block))(packed, chance)[0], True, False


def _nothing(content: bytes, chance: random.Random) -> Changed:
    return content, True, False


def _renamed(files: Files, chance: random.Random) -> Mutation:
    place = chance.randrange(len(files))
    named = UploadedFile(chance.choice(ODD_NAMES), files[place].content)
    return Mutation("name", (*files[:place], named, *files[place + 1 :]), True)


def _archived(files: Files, chance: random.Random) -> Mutation:
    if chance.random() < 0.5:
        return Mutation("archive", tuple(UploadedFile(f"{file.name}.gz", gzip.compress(file.content, mtime=0)) for file in files), True)
    return Mutation("archive", (UploadedFile("all.zip", _zipped(files)),), True)


def _zipped(files: Sequence[UploadedFile]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            archive.writestr(zipfile.ZipInfo(file.name), file.content)
    return buffer.getvalue()


_WHOLE: dict[str, Callable[[Files, random.Random], Mutation]] = {"name": _renamed, "archive": _archived}
KINDS: tuple[tuple[str, Callable[[bytes, random.Random], Changed]], ...] = (
    ("bit", _flip),
    ("byte", _byte),
    ("block", _block),
    ("cut off", _cut),
    ("lines", _lines),
    ("cells", _cells),
    ("line ends", _line_ends),
    ("encoding", _encoding),
    ("decimal marks", _decimal_marks),
    ("damaged archive", _damaged_archive),
    ("name", _nothing),
    ("archive", _nothing),
)
