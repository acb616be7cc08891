"""A cache of what was read from small files, valid while they do not change: lists are redrawn at every move of a slider."""

from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

_Read = TypeVar("_Read")
_MOST = 2_000


class Remembered(Generic[_Read]):
    """What `read` made of each file; read again if the file was replaced. Thread-safe."""

    def __init__(self) -> None:
        self._known: dict[Path, tuple[tuple[int, int, int], _Read]] = {}

    def of(self, path: Path, read: Callable[[], _Read]) -> _Read:
        """What `read` makes of the file at `path`; None, and what `read` raises, is not remembered, since it may pass."""
        try:
            found = path.stat()
        except OSError:
            self._known.pop(path, None)
            return read()
        stamp = found.st_mtime_ns, found.st_size, found.st_ino
        known = self._known.get(path)
        if known is not None and known[0] == stamp:
            return known[1]
        if len(self._known) >= _MOST:
            self._known.clear()
        made = read()
        if made is not None:
            self._known[path] = stamp, made
        return made
