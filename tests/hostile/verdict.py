"""What became of a mutated upload: refused in a sentence, read as before, or read with what was touched changed or listed; else a fault."""

import math
import re
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import pandas as pd

from hemcore.datasets import CounterSeries, PhaseTable, SignatureTable, Subexperiments
from hemcore.datasets.importing.inspection import inspect
from hemcore.datasets.readers.formats import ReadResult
from hemcore.datasets.readers.recognition import read_upload
from hemcore.datasets.readers.uploaded_files import UploadedFile, expand
from hemcore.datasets.tables.hem_list import HemList
from hemcore.datasets.tables.metric_definitions import MetricDefinitions
from hemcore.datasets.tables.signature_table import METRICS
from hemcore.errors import HemError, ReadError
from tests.hostile.mutations import Mutation
from tests.hostile.originals import Original

SOUND = ("refused", "as before", "touched alone", "listed")
FAULTS = ("crash", "no place", "slow", "untouched changed", "lost untold")
_PLACE = re.compile(
    r"\bline|column|row|file|from line|JSON|table|upload|entry|empty|damaged|cells|format|run |signatures|series", re.IGNORECASE
)
_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_SLOW_S = 20.0
Values = Counter[tuple[str, float]]


@dataclass(frozen=True)
class Outcome:
    """verdict: one of SOUND or FAULTS; why: more, for a fault."""

    verdict: str
    why: str = ""


@cache
def read_before(original: Original) -> tuple[ReadResult, Values]:
    """The original as it is read, with its values."""
    found = _read(original, original.files)
    return found, values_of(found)


def _read(original: Original, files: Sequence[UploadedFile]) -> ReadResult:
    """As `hem.read` or as the page reads them, whose questions are among the notes."""
    if not original.previewed:
        return read_upload(expand(files))
    shown = inspect(files)
    if shown.result is None:
        raise ReadError(shown.fault)
    return shown.result._replace(notes=(*shown.result.notes, *(doubt.question for doubt in shown.doubts)))


def values_of(found: ReadResult) -> Values:
    """(event, value) of every reading, as often as it stands; to 12 digits."""
    table = found.table
    if isinstance(table, CounterSeries):
        frames = [table.counts]
    elif isinstance(table, Subexperiments):
        frames = list(table.frames)
    elif isinstance(table, SignatureTable):
        frames = [table.frame[list(METRICS)]]
    elif isinstance(table, HemList):
        return Counter((str(hem), 1.0) for hem in table.hems)
    elif isinstance(table, MetricDefinitions):
        return Counter((f"{name}: {formula}", 1.0) for name, formula in zip(table.frame["name"], table.frame["formula"], strict=True))
    else:
        assert isinstance(table, PhaseTable)
        frames = [table.frame[list(table.counters)]]
    counted: Values = Counter()
    for frame in frames:
        for name in frame.columns:
            numbers = pd.to_numeric(frame[name]).to_numpy(dtype=float)
            counted.update((str(name), float(f"{value:.12g}")) for value in numbers if not math.isnan(value))
    return counted


def judge(original: Original, mutation: Mutation) -> Outcome:
    """Read the mutated files and compare with the read of the original."""
    before, values = read_before(original)
    start = time.process_time()
    try:
        found = _read(original, mutation.files)
    except HemError as error:
        said = str(error)
        named = _PLACE.search(said) is not None or any(file.name[:20] in said for file in mutation.files)
        return Outcome("refused") if named and len(said) < 4_000 else Outcome("no place", said[:300])
    except Exception:
        return Outcome("crash", traceback.format_exc(limit=-3))
    if time.process_time() - start > _SLOW_S:
        return Outcome("slow", f"{time.process_time() - start:.1f} s")
    now = values_of(found)
    if type(found.table) is not type(before.table):
        return _another_format(mutation)
    # A repair more, or one of more rows.
    more = len(found.repairs) > len(before.repairs) or found.repairs["rows"].sum() > before.repairs["rows"].sum()
    lists_more = bool(_listed(found) - _listed(before))
    told = more or lists_more or not set(found.notes) <= set(before.notes)
    if now == values:
        return Outcome("as before")
    if mutation.same:
        return Outcome("listed") if told and not now - values else Outcome("untouched changed", _said(values, now))
    return _compared(original, mutation, values, now, told)


def _listed(found: ReadResult) -> set[tuple[str, str]]:
    """The columns of which something was left out, and what."""
    return {
        (str(column), str(what)) for column, what in zip(found.repairs["column"], found.repairs["what"], strict=True) if "left out" in what
    }


def _another_format(mutation: Mutation) -> Outcome:
    # Another kind of table is a choice that the page shows and that can be changed; of the same words it would be a fault.
    return Outcome("untouched changed", "another kind of table") if mutation.same else Outcome("touched alone")


def _compared(original: Original, mutation: Mutation, values: Values, now: Values, told: bool) -> Outcome:
    old, new, heading = _touched(original.files, mutation.files)
    may_lose = mutation.may_lose or (heading and not original.previewed)
    if heading or (original.previewed and {name for name, _ in values} != {name for name, _ in now}):
        # Names are in the first lines: what they name may go, come, or be called otherwise.
        values, now = (Counter({("", value): times for (_, value), times in _without_names(each).items()}) for each in (values, now))
    lost, gained = values - now, now - values
    stands = _is_named if "hem_list" in original.name.lower() else _stands
    stray = [each for each in lost if not stands(each, old)] if not original.derived else []
    odd = [each for each in gained if not stands(each, new)] if not original.derived else []
    if (stray or odd) and not (told or heading):
        return Outcome("untouched changed", _said(values, now))
    if lost.total() > gained.total() and not (told or may_lose):
        return Outcome("lost untold", _said(values, now))
    return Outcome("listed" if told else "touched alone")


def _without_names(values: Values) -> Values:
    found: Values = Counter()
    for (_, value), times in values.items():
        found["", value] += times
    return found


def _touched(before: tuple[UploadedFile, ...], after: tuple[UploadedFile, ...]) -> tuple[bytes, bytes, bool]:
    """(what stood in the lines that were changed, what stands there now, whether they are among the first lines)."""
    for old, new in zip(before, after, strict=False):
        if old.content != new.content:
            one, two = old.content.split(b"\n"), new.content.split(b"\n")
            start = next((n for n, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
            end = next(
                (n for n, (a, b) in enumerate(zip(one[:start:-1], two[:start:-1], strict=False)) if a != b),
                max(0, min(len(one), len(two)) - start - 1),
            )
            names = max((n for n, line in enumerate(one[:40]) if _is_heading(line)), default=0)
            words_alone = not any(byte in b"0123456789" for line in one[start : len(one) - end] for byte in line)
            return (
                b"\n".join(one[max(0, start - 1) : len(one) - end + 1]),
                b"\n".join(two[max(0, start - 1) : len(two) - end + 1]),
                start <= names or words_alone,
            )
    return b"", b"", False


def _is_heading(line: bytes) -> bool:
    return (
        line.count(b",") + line.count(b";") + line.count(b"\t") > 1
        and len(re.findall(rb"[A-Za-z_]{2,}", line)) > len(_digits(line).split())
    ) or (line[:1] in (b"#", b"{") or b"TABLE" in line or b"Label" in line or b"stats for" in line or line.startswith(b"Start"))


def _digits(line: bytes) -> bytes:
    return b" ".join(re.findall(rb"(?<![A-Za-z_\d])\d[\d.]*", line))


def _is_named(reading: tuple[str, float], lines: bytes) -> bool:
    """Whether a HEM is named in the lines."""
    return reading[0] in lines.decode("utf-8", errors="replace")


def _stands(reading: tuple[str, float], lines: bytes) -> bool:
    """Whether the number of a reading is in the lines, in whatever notation."""
    value = reading[1]
    plain = f"{value:.12g}"
    squeezed, numbers = _written(lines)
    if plain.replace(".", "").strip("0") in squeezed:
        return True
    return any(math.isclose(each, value, rel_tol=1e-9) for each in numbers)


@lru_cache(maxsize=2)
def _written(lines: bytes) -> tuple[str, tuple[float, ...]]:
    """The lines without marks between digits, and their numbers."""
    text = lines.decode("latin-1")
    return re.sub(r"[,.'\u00a0 ]", "", text), tuple(float(each) for each in _NUMBER.findall(text) if len(each) < 300)


def _said(values: Values, now: Values) -> str:
    return f"lost {list((values - now).items())[:4]}, gained {list((now - values).items())[:4]}"
