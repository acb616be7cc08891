"""Text out of bytes: UTF-8, UTF-16 and UTF-32 by their byte order marks or their zeros, else Latin-1; every end of line a newline; what
editors, spreadsheets and a power cut leave in a file is no part of it.
"""

import codecs
import json
import re
from collections.abc import Iterator
from typing import Any

from hemcore.datasets.readers.letters import digits
from hemcore.datasets.readers.system.log_marks import without_marks
from hemcore.datasets.reading_progress import EVERY, passed
from hemcore.errors import ReadError

# UTF-32 first: its mark begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Which bytes of four are 0 in ASCII text without a mark.
_ZEROS = {(1, 2, 3): "utf-32-le", (0, 1, 2): "utf-32-be", (1, 3): "utf-16-le", (0, 2): "utf-16-be"}
_FEWEST = 4
_WIDTH = 4
# No letter: what a program makes of the end of a line that puts CR before each LF of UTF-16 as if it were one byte.
_HALF_BREAK = "\u0a0d"
# CR alone, NEL, LINE and PARAGRAPH SEPARATOR: unread, they would make many rows one.
_LINE_END = re.compile(rb"\r\n|\r|\n")
# Ctrl-Z of DOS, form feeds of printed pages.
_ENDS = (b"\x1a", b"\x0c")
_WHOLE = (b"\n", b"\r", b"}", b"]")  # zeros behind anything else cut its last line
_NO_BREAK = re.compile(rb"(?:\xc2\xa0)+(?=\r?\n|\Z)")
_SEPARATORS = rb",;\t|"
_BEGIN = rb"(?:^|(?<=[" + _SEPARATORS + rb"])|(?<=\xef\xbb\xbf))"
_END = rb"(?=[" + _SEPARATORS + rb"\r\n]|\Z)"
# A cell in quotes that it would do without. Inside another cell in quotes nothing fits, since there each quote is doubled.
_QUOTED = re.compile(_BEGIN + rb'"([^"\r\n' + _SEPARATORS + rb']+)"' + _END, re.MULTILINE)
_PLUS = re.compile(_BEGIN + rb"\+(?=\d[\d.]*(?:[eE][+-]?\d+)?" + _END + rb")", re.MULTILINE)
_MAY_BE_GROUPED = re.compile(rb"_\d{3}")  # what _GROUPED needs, found by far quicker
_GROUPED = re.compile(_BEGIN + rb"\d{1,3}(?:_\d{3})+" + _END, re.MULTILINE)
# 1.5D+09 of Fortran's double precision.
_FORTRAN = re.compile(rb"(?<![\w.])(\d*\.\d+|\d+\.)[dD](?=[+-]\d{2,3}(?![\w.]))")
# 3.57 \\times 10^{6} of papers, "3.57·10⁶" of notes.
_TENS = re.compile(
    rb"(?<![\w.])(\d+(?:[.,]\d+)?) ?(?:\xc3\x97|\xc2\xb7|\\times|\\cdot|x(?= ?10\^)) ?10"
    rb"(?:\^\{?([+-]?\d{1,2})\}?|((?:\xe2\x81[\xb0-\xbb]|\xc2[\xb9\xb2\xb3])+))(?![\w.])"
)
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
# A line of several cells in one cell, as of a CSV that a spreadsheet put into its first column; a line behind its number, as of cat -n.
_IN_ONE_CELL = re.compile(rb'"((?:[^"\r\n]|"")*[,;\t|](?:[^"\r\n]|"")*)"[ ]*\r?')
_NUMBERED = re.compile(rb"(?=[ ]*\d+\t)[ \d]{6,}\t")
_MOST_LINES = 32 << 20  # they are held one by one
_HEAD, _PIECE, _MOST_ABOVE = 1 << 16, 1 << 20, 3
# Where the mark of a packed file stands, the mark, and what it is.
_PACKED = (
    (0, b"BZh", "a bzip2 file"),
    (0, b"\xfd7zXZ\0", "an xz file"),
    (0, b"\x28\xb5\x2f\xfd", "a zstd file"),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (0, b"Rar!\x1a", "a RAR archive"),
    (257, b"ustar", "a tar archive"),
)
_LINE_ENDS = ("\r\n", "\r", "\x85", "\u2028", "\u2029")


def utf8(content: bytes) -> bytes:
    """`content` in UTF-8 without a mark where it starts with the mark of UTF-16 or UTF-32; else, and where it is damaged, as it is."""
    encoding = _encoding(content)
    if encoding is None:
        return content
    try:
        text = content.decode(encoding).removeprefix("\ufeff")
        return content if _HALF_BREAK in text else text.encode()
    except UnicodeError:
        return content


def tidied(content: bytes) -> bytes:
    """`content` as every reader sees it: in UTF-8 where it was UTF-16 or UTF-32, without zeros, Ctrl-Z and form feeds at its end, byte
    order marks inside and no-break spaces at the ends of its lines, and, where it is a table, without quotes around cells that need none,
    plus signs before numbers and underscores between their digits, as Python, Rust and Julia write them; the D of an exponent of Fortran
    is an E, 3.57·10⁶ is 3.57e6; numbers and times as East Asia writes them are as digits.plain has them. Lines that are each one cell with
    several in it are these, lines behind their numbers have none. What was put around the lines of a tool goes too, see without_marks.

    What is binary is returned as it is; JSON and XML keep their quotes and signs.
    """
    content = utf8(content)
    if _encoding(content) is not None:
        return content
    content = _without_remains(content)
    if b"\x00" in content[:4096]:
        return content
    content = _out_of_lines(without_marks(content))
    head = content[:_HEAD].removeprefix(codecs.BOM_UTF8).lstrip()
    if head[:1] in (b"{", b"[", b"<"):
        return content
    if digits.are_in(content):
        content = b"".join(map(digits.plain, _pieces(content)))
    if b'"' in head and _QUOTED.search(head):
        content = b"".join(map(_unquoted, _pieces(content)))
    if _MAY_BE_GROUPED.search(head) and _GROUPED.search(head):
        content = b"".join(_GROUPED.sub(lambda found: found[0].replace(b"_", b""), piece) for piece in _pieces(content))
    if _FORTRAN.search(head):
        content = b"".join(_FORTRAN.sub(rb"\1E", piece) for piece in _pieces(content))
    if b"10" in head and _TENS.search(head):
        content = b"".join(_TENS.sub(_exponent, piece) for piece in _pieces(content))
    signed = b"+" in head and _PLUS.search(head)
    return b"".join(_PLUS.sub(b"", piece) for piece in _pieces(content)) if signed else content


def _exponent(found: re.Match[bytes]) -> bytes:
    return found[1] + b"e" + (found[2] or found[3].decode().translate(_RAISED).encode())


def _out_of_lines(content: bytes) -> bytes:
    """`content` without the quotes that make each of its lines one cell, or their numbers; a line of one cell may stand above."""
    lines = content.removeprefix(codecs.BOM_UTF8).split(b"\n")
    pattern = next((each for line in lines[:20] for each in (_IN_ONE_CELL, _NUMBERED) if each.match(line)), None)
    if pattern is None or len(content) > _MOST_LINES:
        return content
    found = [each for line in lines if (each := pattern.match(line)) is not None]
    if pattern is _NUMBERED:
        numbered = [int(each[0]) for each in found] == list(range(1, len(found) + 1)) and len(lines) <= len(found) + _MOST_ABOVE
        return b"\n".join(pattern.sub(b"", line, count=1) for line in lines) if numbered else content
    whole = len(found) > 1 and all(pattern.fullmatch(line) or not any(sign in line for sign in b',;\t|"') for line in lines)
    return b"\n".join(pattern.sub(lambda cell: cell[1].replace(b'""', b'"'), line) for line in lines) if whole else content


def _without_remains(content: bytes) -> bytes:
    """Text without what editors, spreadsheets and a power cut leave: zeros, Ctrl-Z and form feeds at its end, marks inside, no-break spaces
    at the ends of its lines. What holds zeros elsewhere is returned as it is; zeros at the end of what begins as no text stay."""
    is_text = content.removeprefix(codecs.BOM_UTF8)[:1].isascii()
    plain = content.rstrip(b"\x00") if content.endswith(b"\x00") and is_text else content
    if b"\x00" in plain[:4096]:
        return content
    if plain[-_HEAD:].rstrip(b"\r\n").endswith(_ENDS):
        content = plain.rstrip(b"\x1a\x0c\x00\r\n") + b"\n"
    elif plain.endswith(_WHOLE):
        content = plain
    mark = codecs.BOM_UTF8 if content.startswith(codecs.BOM_UTF8) else b""
    if content.rfind(codecs.BOM_UTF8) > 0:
        content = mark + content.replace(codecs.BOM_UTF8, b"")
    return _NO_BREAK.sub(b"", content) if b"\xc2\xa0" in content else content


def _pieces(content: bytes) -> Iterator[bytes]:
    """Whole lines, about a megabyte at a time: a substitution holds all that it puts together as small parts."""
    start = 0
    while start < len(content):
        end = content.find(b"\n", start + _PIECE) + 1 or content.find(b"\r", start + _PIECE) + 1 or len(content)
        yield content[start:end]
        start = end


def _unquoted(piece: bytes) -> bytes:
    separators = [each for each in (b",", b";", b"\t", b"|") if each in piece]
    if len(separators) == 1:  # by far the quickest, where every cell is in quotes that it would do without
        between, lines = piece.count(b'"' + separators[0] + b'"'), piece.count(b"\n") + (not piece.endswith(b"\n"))
        if between == piece.count(separators[0]) and piece.count(b'"') == 2 * (between + lines):
            return piece.translate(None, b'"')
    return _QUOTED.sub(rb"\1", piece)


def head_bytes(length: int) -> int:
    """How many bytes of a file head_of needs, whatever its encoding."""
    return _WIDTH * (length + 1)


def head_of(content: bytes, length: int) -> bytes:
    """The first `length` bytes of `content`, or as many characters where it is UTF-16 or UTF-32, in UTF-8 then."""
    encoding = _encoding(content)
    if encoding is None:
        return content[:length]
    head = content[: head_bytes(length)]
    return head.decode(encoding, errors="replace")[: length + 1].removeprefix("\ufeff").encode(errors="replace")


def head_text(content: bytes, length: int) -> str:
    """head_of as text, without a byte order mark, its lines as plain_lines has them; what is no UTF-8 is marked."""
    return plain_lines(head_of(content, length).decode("utf-8-sig", errors="replace"))


def head_lines(content: bytes, length: int = 1_000_000) -> bytes:
    """The whole lines among the first `length` bytes of `content`, as head_of gives them; where the first line is longer, its beginning."""
    head = head_of(content, length)
    if len(head) < length:
        return head
    end = max(head.rfind(b"\n"), head.rfind(b"\r"))
    return head[: end + 1] if end >= 0 else head


def first_lines(content: bytes, count: int) -> bytes:
    """The first `count` lines of `content` in UTF-8, as head_lines gives them, without a byte order mark; a newline for each end of line
    that is one in every encoding.
    """
    return b"\n".join(_LINE_END.split(head_lines(content).removeprefix(codecs.BOM_UTF8), count)[:count])


def text_of(name: str, content: bytes, *, remedy: str) -> str:
    """The text of a file, without a byte order mark, its lines as plain_lines has them.

    Raises ReadError where it is binary (then it ends in `remedy`) or empty.
    """
    if packed := packed_as(content):
        raise ReadError(f"{name}: it is {packed}, which is not opened here. Unpack it, or send its files in a .zip or .gz.")
    plain, binary = _plain(content)
    if binary:
        raise ReadError(f"{name}: not a text file. {remedy}")
    try:
        text = plain_lines(plain.decode("utf-8-sig"))
    except UnicodeDecodeError:
        # There the byte of NEL is most often the ellipsis of Windows.
        text = plain.decode("latin-1").replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise ReadError(f"{name}: the file is empty. Send the file with the readings.")
    return text


def packed_as(content: bytes) -> str:
    """ "a bzip2 file": which packed file it is that is not opened here; "" where it is none."""
    return next((what for start, mark, what in _PACKED if content.startswith(mark, start)), "")


def is_binary(content: bytes) -> bool:
    """Whether a file is no text: it has zeros in its beginning, or the mark of an encoding that its bytes break."""
    return _plain(content)[1]


def _plain(content: bytes) -> tuple[bytes, bool]:
    """(`content` in UTF-8 without what editors leave, whether it is no text)."""
    whole = utf8(content)
    plain = _without_remains(whole)
    return plain, (_encoding(content) is not None and whole is content) or b"\x00" in plain[:4096]


def plain_lines(text: str) -> str:
    """`text` with a newline for each end of line, whatever it was: CR, LF, both, NEL, U+2028 or U+2029, one or another in one text."""
    for end in _LINE_ENDS:
        if end in text:
            text = text.replace(end, "\n")
    return text


def lines_of(text: str, *, ends: bool = False) -> Iterator[str]:
    """The lines of a text that plain_lines has made, one after the other: a text of 200 MB is not held twice.

    ends: each with its newline, as csv.reader needs them, and none behind the last newline.
    """
    start, told = 0, EVERY
    while (end := text.find("\n", start)) >= 0:
        if end > told:
            passed(EVERY)
            told += EVERY
        yield text[start : end + ends]
        start = end + 1
    if start < len(text) or not ends:
        yield text[start:]


class RepeatedKeyError(ReadError):
    """An object of JSON, or a line of pairs, says two things of one key."""


def one_value_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object or line with these keys and values. Raises RepeatedKeyError where a key comes again with another value: which was
    meant, nobody knows."""
    found = dict(pairs)
    if len(found) < len(pairs):
        for key, value in pairs:
            if found[key] != value:
                both = f"{str(value)[:30]!r} and {str(found[key])[:30]!r}"
                raise RepeatedKeyError(
                    f"the key {key[:60]!r} stands twice in one object or line, with {both}. Give each value a name of its own."
                )
    return found


JSON = json.JSONDecoder(object_pairs_hook=one_value_each)


def is_text(words: str) -> bool:
    """Whether `words` can be kept and shown; half a surrogate pair, which JSON can say as an escape, cannot."""
    try:
        words.encode()
    except UnicodeEncodeError:
        return False
    return True


def _encoding(content: bytes) -> str | None:
    found = next((encoding for mark, encoding in _MARKS if content.startswith(mark)), None)
    head = content[:64]
    if found is not None or b"\x00" not in head or len(head) < 2 * _FEWEST:
        return found
    zeros = tuple(place for place in range(_WIDTH) if not any(head[place::_WIDTH]))
    others = [place for place in range(_WIDTH) if place not in zeros]
    return _ZEROS.get(zeros) if all(all(head[place::_WIDTH]) for place in others) else None
