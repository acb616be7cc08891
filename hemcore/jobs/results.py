"""Where results of finished jobs are: small ones in memory, others in the store's folder, the last used of them in memory too.

    <root>/results/<job's id>.<random>      a result;  the same with .partial      being written

The sum of each file is held by the server that asked for it and checked before the file is read.
"""

import contextlib
import errno
import hashlib
import pickle
import threading
import time
import weakref
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hemcore.errors import HemError, StoreError
from hemcore.jobs import codec

# Bytes above which a result does not travel: the worker writes it to the store's folder. Not more, since what came over the wire is given
# back to the system late or never: fifty results of 20 MiB left a server of 140 MiB at 650 MiB, though three of them were held.
TRAVELS = 2**20
# Bytes of results read from files that stay in memory, the last used; half of it for one of them.
IN_MEMORY = 64 * 2**20
# Bytes of what a called function may return.
MAX_CALL_RESULT = 32 * 2**20
STALE_S = 24 * 3600

_lock = threading.Lock()
_in_memory: "list[Held]" = []  # those read from files, the last used at the end


@dataclass(frozen=True)
class Filed:
    """A result in a file: its name under <root>/results, its SHA-256 and size."""

    name: str
    sum: str
    size: int


def size_of(result: Any) -> int:
    """About how many bytes `result` takes. Raises TypeError when it cannot be sent to another process."""
    buffers: list[pickle.PickleBuffer] = []
    try:
        # Buffers are counted and not copied.
        rest = pickle.dumps(result, protocol=5, buffer_callback=buffers.append)
    except Exception as error:
        raise TypeError(f"its result cannot be sent back: {type(error).__name__}: {error}") from error
    return len(rest) + sum(buffer.raw().nbytes for buffer in buffers)


def folder_of(root: Path | None) -> Path:
    """The folder of results in the store `root` (None: the default), made if need be. Raises StoreError as the store does."""
    from hemcore.datasets.shelf.store import DatasetStore

    folder = DatasetStore(root).root / "results"
    with _disk(folder, "make the folder"):
        folder.mkdir(exist_ok=True)
    return folder


def file(result: Any, name: str, root: Path | None) -> Filed:
    """Write `result` under `name`. Raises StoreError when the disk does not take it, TypeError for what has no form as a file."""
    folder = folder_of(root)
    partial = folder / f"{name}.partial"
    with _disk(folder, "keep the result"):
        try:
            codec.write(partial, result)
            filed = Filed(name, _sum(partial), partial.stat().st_size)
            partial.replace(folder / name)
        finally:
            partial.unlink(missing_ok=True)
    return filed


def clean(root: Path | None) -> None:
    """Remove what a server left behind that ended without a goodbye: files that nobody has read for a day."""
    for path in folder_of(root).iterdir():
        with contextlib.suppress(OSError):  # another server may clean just now
            if time.time() - path.stat().st_mtime > STALE_S:
                path.unlink()


@dataclass(frozen=True)
class Sent:
    """A result that travels, and about how many bytes it takes."""

    result: Any
    size: int


class Held:
    """The result of one job: in memory where it is small, else in a file, and in memory while it is one of the last used.

    root: the store's folder.
    """

    def __init__(self, given: Filed | Sent, root: Path | None) -> None:
        self.size = given.size
        self._root = root
        self._filed = given if isinstance(given, Filed) else None
        self._result: Any = given.result if isinstance(given, Sent) else None
        # While anybody holds it (the page's cache), it is not read again.
        self._known: weakref.ref[Any] | None = None
        self._lost = ""
        self._lock = threading.Lock()

    def result(self) -> Any:
        """The result. Raises HemError when it is not there any more."""
        with self._lock:
            if self._lost:
                raise HemError(self._lost)
            if self._filed is None:
                return self._result
            result = self._result
            if result is None and self._known is not None:
                result = self._known()
            if result is None:
                result = self._read(self._filed)
            self._result = result
            with contextlib.suppress(TypeError):  # numbers and text have no weak references
                self._known = weakref.ref(result)
        _make_room(self)
        return result

    def drop(self) -> None:
        """Its job is forgotten: the file goes; what is small stays for who still holds the job."""
        with self._lock:
            if self._filed is not None:
                self._lose("the result was let go, as one of the oldest")
                forget(self._filed.name, self._root)
        with _lock:
            if self in _in_memory:
                _in_memory.remove(self)

    def let_go(self) -> None:
        """Out of memory; it is in its file."""
        with self._lock:
            self._result = None

    def _lose(self, why: str) -> None:
        self._result = self._known = None
        self._lost = f"{why}. Start it again if you want it."

    def _read(self, filed: Filed) -> Any:
        try:
            path = folder_of(self._root) / filed.name
            if _sum(path) != filed.sum:
                raise ValueError("its sum is not the one that it was written with")
            path.touch()
            return codec.read(path)
        except FileNotFoundError:
            where = "Workers on other machines need the store's folder (HEM_DATA_DIR) on a disk that the server sees"
            self._lose(f"the result is not in the store's folder any more: {filed.name[:8]}. {where}")
        except (OSError, ValueError, TypeError, KeyError, IndexError, AttributeError, zipfile.BadZipFile) as error:
            self._lose(f"the result's file {filed.name[:8]} is damaged ({str(error).rstrip('.')})")
            forget(filed.name, self._root)
        raise HemError(self._lost)


def forget(name: str, root: Path | None) -> None:
    """Remove the file of a result that nobody will ask for, written or being written."""
    with contextlib.suppress(OSError, HemError):
        for path in (folder_of(root) / name, folder_of(root) / f"{name}.partial"):
            path.unlink(missing_ok=True)


def _make_room(used: Held) -> None:
    """Let go of what was used longest ago where `used` makes it too much."""
    if used.size > IN_MEMORY // 2:
        used.let_go()
        return
    gone = []
    with _lock:
        if used in _in_memory:
            _in_memory.remove(used)
        _in_memory.append(used)
        while sum(each.size for each in _in_memory) > IN_MEMORY:
            gone.append(_in_memory.pop(0))
    for each in gone:
        each.let_go()


def _sum(path: Path) -> str:
    with path.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


@contextlib.contextmanager
def _disk(folder: Path, to_do: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise StoreError(f"The disk of {folder} is full: could not {to_do}. Free some space and try again.") from None
        raise StoreError(f"Could not {to_do} in {folder}: {error.strerror or error}. Is the folder writable?") from None
