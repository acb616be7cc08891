"""What editors, spreadsheets, copying and a power cut do to a file changes nothing that is read of it, in any format."""

import csv
import io
import re
from collections.abc import Mapping
from functools import cache

import pandas as pd
import pytest

from hemcore.datasets.readers.decoding import tidied
from hemcore.datasets.readers.formats import FORMATS
from hemcore.datasets.readers.recognition import Unpacked, unpack
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.kinds import frames

MARK, NO_BREAK = "\ufeff", "\u00a0"


def again(text: str, quoting: int, sign: str = "") -> str:
    """A table as a program writes it that reads CSV and writes it; any other text as it is."""
    lines = [line for line in text.splitlines() if line.strip()]
    separator = max(";,\t|", key=text.count)
    if text.lstrip()[:1] in "{[" or text.count(separator) < len(lines):
        return text
    made = io.StringIO()
    writer = csv.writer(made, delimiter=separator, lineterminator="\n", quoting=quoting)  # type: ignore[arg-type]
    for row in csv.reader(io.StringIO(text), delimiter=separator):
        writer.writerow([sign + cell if re.fullmatch(r"\d+(\.\d+)?", cell) else cell for cell in row])
    return made.getvalue()


def marked(text: str, line: int) -> str:
    lines = text.split("\n")
    return "\n".join([*lines[:line], MARK + lines[line], *lines[line + 1 :]]) if len(lines) > line else text


FORMS = {
    "all cells quoted": lambda text: again(text, csv.QUOTE_ALL),
    "plus signs": lambda text: again(text, csv.QUOTE_MINIMAL, "+"),
    "blanks at the ends": lambda text: text.replace("\n", "  \n"),
    "no-break spaces": lambda text: text.replace("\n", f"{NO_BREAK}\n"),
    "a mark within": lambda text: marked(text, 1),
    "a mark in the middle": lambda text: marked(text, text.count("\n") // 2),
    "ends of old Macs": lambda text: text.replace("\n", "\r"),
    "a form feed": lambda text: text + "\x0c\n",
    "Ctrl-Z": lambda text: text + "\x1a",
    "zeros": lambda text: text + "\0" * 8,
}
# The text of time and of ocount is no table; a dataset's own archive is not edited.
UNLIKE = {("timed_commands", "all cells quoted"), ("ocount", "all cells quoted"), ("hem_dataset", "blanks at the ends")}


def example(key: str) -> Mapping[str, str]:
    return next(each.example for each in FORMATS if each.key == key)


@cache
def plain(key: str) -> tuple[str, dict[str, pd.DataFrame]]:
    """What the example as it stands is recognised as, and what is read of it."""
    found = Unpacked([UploadedFile(name, text.encode()) for name, text in example(key).items()])
    return found.matches[0].key, dict(frames(found.read().table))


@pytest.mark.slow
@pytest.mark.whole
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("key", [each.key for each in FORMATS])
def test_every_format_in_every_form(key: str, form: str) -> None:
    if (key, form) in UNLIKE:
        pytest.skip("no table")
    format_of_plain, one = plain(key)
    other = unpack([UploadedFile(name, FORMS[form](text).encode()) for name, text in example(key).items()])
    assert other.matches[0].key == format_of_plain
    two = frames(other.read().table)
    assert list(one) == list(two)
    for name in one:
        pd.testing.assert_frame_equal(one[name], two[name])


@pytest.mark.parametrize(
    ("content", "as_read"),
    [
        (b'"a","b c"\n"1","2,5"\n', b'a,b c\n1,"2,5"\n'),
        (b'a;"b"\n"1";+2.5e+3\n', b"a;b\n1;2.5e+3\n"),
        (b"a,b\n+1,C++\n-1,+x\n", b"a,b\n1,C++\n-1,+x\n"),
        (b'"a","",""\r\n"1","","c d"\r\n', b"a,,\r\n1,,c d\r\n"),
        (b'"a","b"\n"1,5","2"\n' * 60_000, b'a,b\n"1,5",2\n' * 60_000),  # more than a piece
        (b'"a";"b"\n"1";"2"\n' * 60_000, b"a;b\n1;2\n" * 60_000),
        (b"a\n1\n\x0c\n\x1a", b"a\n1\n"),
        (b"a\n1\n\0\0", b"a\n1\n"),
        (b'\xef\xbb\xbf"0.5",1,a\n0.7,"2",a\n', b"\xef\xbb\xbf0.5,1,a\n0.7,2,a\n"),
        ('"a";"b"\n"1";+2\n\x1a'.encode("utf-16"), b"a;b\n1;2\n"),
        ('"a"\t"b"\n"1"\t+2\n'.encode("utf-32-be"), b"a\tb\n1\t2\n"),
    ],
)
def test_what_is_tidied(content: bytes, as_read: bytes) -> None:
    assert tidied(content) == as_read


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b'a,b\n"x,"",y",1\n',  # a quoted cell with quotes in it
        b'["a",\n"b"]\n',
        b'"two\nlines",1\n',
        b"a\n12\0\0",  # its last line is cut
        b"PERFILE2\0\0\0\0\n\0",
        b"\xff\xfe\0\xd8\0\0a\0",  # half a character
        b"\xef\xbb\xbfa,b\n1,2\n",
        b"a,b\n1 +2,3\n",
    ],
)
def test_what_stays(content: bytes) -> None:
    assert tidied(content) is content
