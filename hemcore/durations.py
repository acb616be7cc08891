"""How long analyses took, to tell how long the next question will take.

A run is a line of JSON: analysis, sizes, choices, repeats, texts, seconds. Those of the bundled samples come with the package
(benchmarks/measure_durations.py measures them); this computer's are appended to a file in the data folder.
"""

import contextlib
import json
import math
import statistics
import threading
import zlib
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, get_origin

from hemcore.params import Params
from hemcore.resources import PACKAGE

FILE = "durations.jsonl"
# Values of a table that an unknown analysis is expected to work through in a second: as many as half of ours do.
VALUES_PER_S = 5_000_000
# Of each analysis the newest kinds of work are remembered, and the newest runs of each, of which the fastest was disturbed least.
MOST_WORKS, _NEWEST = 24, 3
MOST_BYTES = 2**18
# Shorter runs that were expected to be as short say nothing new.
_NOTHING_NEW_S = 0.02
# The first run in a process also imports and compiles: up to so much more than expected may not be its own.
_WARM_UP_S = 5.0
# This computer is at most so many times faster and slower than the one that measured the samples.
_FASTER, _SLOWER = 2.0, 8.0


@dataclass(frozen=True)
class Work:
    """What a question asks of an analysis, as far as its duration depends on it.

    sizes: of the table, in rows, in values, and in rows of a run. choices: parameters that are switches or named options. repeats: numbers
    that multiply the work. texts: a digest of the other texts (names of programs, of models); "" if all are at their defaults.
    """

    analysis: str
    sizes: tuple[int, ...]
    choices: tuple[tuple[str, bool | str], ...] = ()
    repeats: tuple[tuple[str, float], ...] = ()
    texts: str = ""

    def size(self, other: "Work") -> float:
        """How many times larger than the other's this table is, by the measure in which it is largest."""
        return max(one / another for one, another in zip(self.sizes, other.sizes, strict=False))

    def times(self, other: "Work") -> list[float]:
        """How many times as often as in the other each number repeats the work."""
        return [value / dict(other.repeats).get(name, value) for name, value in self.repeats]

    def distance(self, other: "Work") -> tuple[float, ...]:
        """How many choices differ; whether the texts do; how many times larger or smaller the one is, as the sum of logarithms."""
        larger = sum(abs(math.log(each)) for each in (self.size(other), *self.times(other)))
        return len(set(self.choices) ^ set(other.choices)), self.texts != other.texts, larger


def work_of(analysis: str, table: Any, params: Params, reads: Iterable[str], repeats: Iterable[str]) -> Work:
    """The work of `analysis` on `table`; reads: the fields of params it depends on; repeats: those of them that multiply it.

    Runs are as long as they are on average, and so are applications where it reads one.
    """
    # Not .frame of signatures: their other columns are read from disk when asked for.
    data = next((getattr(table, name) for name in ("frames", "first", "counts", "frame") if hasattr(table, name)), table)
    frames = data if isinstance(data, tuple) else (data,)
    rows, values = sum(len(each) for each in frames), sum(each.size for each in frames)
    of_one = len(table.applications) if "application" in reads else 1
    read = {name: getattr(params, name) for name in sorted(reads)}
    fields = type(params).model_fields
    choices = {name: value for name, value in read.items() if isinstance(value, bool) or get_origin(fields[name].annotation) is Literal}
    changed = {name: value for name, value in read.items() if name not in choices and value != fields[name].default}
    texts = [each for each in changed.items() if isinstance(each[1], str | tuple)]
    return Work(
        analysis,
        sizes=tuple(max(1, round(each)) for each in (rows / of_one, values / of_one, rows / getattr(table, "n_runs", 1))),
        choices=tuple(choices.items()),
        repeats=tuple((name, max(float(read[name]), 1e-3)) for name in repeats),
        texts=f"{zlib.crc32(repr(texts).encode()):08x}" if texts else "",
    )


class Durations:
    """The runs in the file `path`, to which several processes append. A damaged or missing file, or a full disk, is no error."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._stamp = (0, 0)  # the file, and how much of it was read
        self._runs: dict[str, dict[Work, deque[float]]] = {}
        self._lock = threading.Lock()

    def of(self, analysis: str) -> dict[Work, float]:
        """The remembered work and the seconds of its fastest run; what was appended meanwhile included."""
        with self._lock:
            self._read()
            return {work: min(runs) for work, runs in self._runs.get(analysis, {}).items()}

    def newest(self) -> list[tuple[Work, float]]:
        """The newest work of each analysis, as `of` has read it."""
        with self._lock:
            return [next((work, min(runs)) for work, runs in reversed(known.items())) for known in self._runs.values()]

    def add(self, work: Work, seconds: float) -> None:
        """Append a run; a file that has grown too large is reduced to what is remembered."""
        with contextlib.suppress(OSError), self._lock:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(line_of(work, seconds))
            if self.path.stat().st_size > MOST_BYTES:
                from hemcore.datasets.shelf.durable import put_in_place  # listing the analyses does not wait for pandas

                self._read()
                kept = [line_of(work, min(runs)) for known in self._runs.values() for work, runs in known.items()]
                put_in_place(self.path, "".join(kept).encode())

    def _read(self) -> None:
        with contextlib.suppress(OSError):
            found = self.path.stat()
            file, begin = self._stamp
            if (found.st_ino, found.st_size) == self._stamp:
                return
            if file != found.st_ino or found.st_size < begin:
                self._runs, begin = {}, 0
            with self.path.open("rb") as opened:
                opened.seek(max(begin, found.st_size - 2 * MOST_BYTES))
                lines = opened.read().splitlines()
                self._stamp = found.st_ino, opened.tell()
            for work, seconds in filter(None, map(_run_of, lines)):
                known = self._runs.setdefault(work.analysis, {})
                known[work] = known.pop(work, deque(maxlen=_NEWEST))  # now the newest
                known[work].append(seconds)
                if len(known) > MOST_WORKS:
                    known.pop(next(iter(known)))


_measured = Durations(PACKAGE / FILE)
_here: Durations | None = None
_begun: set[str] = set()


def keep_in(folder: Path | None) -> None:
    """From now on remember in `folder` what this process computes, and expect what is remembered there. None: nothing is."""
    global _here
    _here = None if folder is None else Durations(folder / FILE)


def expected(work: Work) -> float:
    """About how many seconds it takes here; of an unknown analysis a guess by the size of the table alone."""
    here = {} if _here is None else _here.of(work.analysis)
    slowness = _slowness()
    # What was measured here first: of two runs that are equally near, it counts.
    runs = here | {each: seconds * slowness for each, seconds in _measured.of(work.analysis).items() if each not in here}
    return predicted(work, runs) if runs else max(work.sizes) / VALUES_PER_S


def record(work: Work, seconds: float) -> None:
    """Remember that `work` took `seconds`, if this process remembers anything (`keep_in`) and it says something new."""
    if _here is not None:
        usual, first = expected(work), work.analysis not in _begun
        _begun.add(work.analysis)
        if max(usual, seconds) >= _NOTHING_NEW_S and not (first and usual < seconds < usual + _WARM_UP_S):
            _here.add(work, seconds)


def predicted(work: Work, runs: Mapping[Work, float]) -> float:
    """The seconds of `work` from those of the nearest of `runs`, scaled as the others grow with the table.

    Growth is at least linear and at most quadratic; a smaller table saves at most in proportion.
    """
    nearest = min(runs, key=work.distance)
    alike = [each for each in runs if (each.choices, each.repeats) == (nearest.choices, nearest.repeats)]
    sizes = [math.log(each.size(nearest)) for each in alike]
    several = max(sizes) - min(sizes) > math.log(1.5)
    slope = statistics.linear_regression(sizes, [math.log(runs[each]) for each in alike]).slope if several else 1.0
    size, least = work.size(nearest), 1 if work.size(nearest) > 1 else 0
    return float(runs[nearest] * size ** min(max(slope, least), least + 1) * math.prod(work.times(nearest)))


def _slowness() -> float:
    """How many times longer this computer takes than the one that measured the samples: the median over analyses."""
    found = [] if _here is None else [each for run in _here.newest() if (each := _slower(*run))]
    return min(max(statistics.median(found), 1 / _FASTER), _SLOWER) if found else 1.0


@lru_cache(maxsize=1024)
def _slower(work: Work, seconds: float) -> float:
    """How many times longer a run took than expected from the samples; 0 if that is not known."""
    samples = {each: known for each, known in _measured.of(work.analysis).items() if each.choices == work.choices}
    usual = predicted(work, samples) if samples else 0.0
    return seconds / usual if min(usual, seconds) >= _NOTHING_NEW_S else 0.0


def line_of(work: Work, seconds: float) -> str:
    """The line of a run."""
    analysis, sizes, choices, repeats, texts = astuple(work)
    return json.dumps([analysis, sizes, dict(choices), dict(repeats), texts, float(f"{seconds:.3g}")]) + "\n"


def _run_of(line: bytes) -> tuple[Work, float] | None:
    """The run of a line; None if it is damaged."""
    with contextlib.suppress(ValueError, TypeError, AttributeError, RecursionError):
        analysis, sizes, choices, repeats, texts, seconds = json.loads(line)
        work = Work(analysis, tuple(sizes), tuple(choices.items()), tuple(repeats.items()), texts)
        hash(work)
        if sizes and all(0 < each < math.inf for each in (*sizes, seconds, *repeats.values())):
            return work, seconds
    return None
