"""Files of JSON: their objects, and one sentence where they are none."""

import json
import math

from hemcore.datasets.readers import decoding
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.errors import ReadError

_HEAD_BYTES = 200_000


def head_text(file: UploadedFile) -> str:
    """The beginning of a file as text; "" where it is none."""
    head = decoding.head_of(file.content, _HEAD_BYTES)
    return "" if b"\x00" in head[:4096] else head.decode("utf-8", errors="replace").removeprefix("\ufeff").lstrip()


def json_of(file: UploadedFile, *, remedy: str) -> object:
    """What the file says. Raises ReadError, naming the line, where it is no JSON; remedy: ends the sentence."""
    text = decoding.text_of(file.name, file.content, remedy=remedy)
    try:
        found: object = decoding.JSON.decode(text)
    except decoding.RepeatedKeyError as error:
        raise ReadError(f"{file.name}: {error}") from None
    except json.JSONDecodeError as error:
        line = text.split("\n")[error.lineno - 1].strip()[:60]
        raise ReadError(f"{file.name}: line {error.lineno}, {line!r}, is not JSON ({error.msg}). Was the file cut off? {remedy}") from None
    except (ValueError, RecursionError) as error:
        raise ReadError(f"{file.name}: from line 1 on not readable as JSON ({str(error)[:80]}). {remedy}") from None
    return found


def number_of(value: object) -> float:
    """A number, or a text that is one; NaN for anything else (null, "NaN")."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return math.nan
    try:
        return float(value)
    except (ValueError, OverflowError):
        return math.nan


def text_of(value: object) -> str:
    """A text or number as text that can be kept; "" for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return ""
    words = str(value)
    return words if decoding.is_text(words) else words.encode(errors="replace").decode()
