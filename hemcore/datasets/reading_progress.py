"""How far the reading of an upload is: readers say what they went through, and who waits is told a fraction. Nobody may be waiting."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Progress = Callable[[float, str], None]
# Of the way, what the first time through all bytes is worth; the rest is for further times and steps, each half of what is left.
_FIRST = 0.65
# Bytes between two reports, and less of the way than anybody sees.
EVERY, _LEAST = 1 << 20, 0.005


class _Reading:
    def __init__(self, progress: Progress, size: int, start: float, end: float, note: str, steps: bool) -> None:
        self._progress, self._size, self._start, self._end = progress, max(size, 1), start, end
        self.note, self._steps, self._times, self._told = note, steps, 0.0, start

    def on(self, times: float) -> None:
        self._times += times
        further = self._times - 1
        done = _FIRST * self._times if further <= 0 else _FIRST + (1 - _FIRST) * (1 - 0.5**further)
        at = self._start + (self._end - self._start) * done
        if at - self._told >= _LEAST:
            self._told = at
            self._progress(at, self.note)

    def passed(self, size: int) -> None:
        self.on(size / self._size)

    def step(self, note: str) -> None:
        if self._steps:
            self.note = note
            self.on(max(1 - self._times, 0) + 1)


_reading: ContextVar[_Reading | None] = ContextVar("reading", default=None)


@contextmanager
def reported(progress: Progress, *, size: int, start: float, end: float, note: str, steps: bool = True) -> Iterator[None]:
    """Within, `passed` and `step` move `progress` from `start` to at most `end`, under `note` at first. size: bytes of the upload. steps:
    whether `step` counts: where it is only tried what the upload could be, tables are made in between.

    What `progress` raises (where the work is cancelled) comes out of `passed` and `step`.
    """
    progress(start, note)
    before = _reading.set(_Reading(progress, size, start, end, note, steps))
    try:
        yield
    finally:
        _reading.reset(before)


def passed(size: int) -> None:
    """`size` more bytes of the upload were gone through."""
    if (reading := _reading.get()) is not None:
        reading.passed(size)


def step(note: str) -> None:
    """All bytes were gone through once, and half of what is left comes now: `note`."""
    if (reading := _reading.get()) is not None:
        reading.step(note)
