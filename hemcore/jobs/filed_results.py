"""Results of finished jobs: small ones in memory, others in the store's folder and, if used recently, in memory too.

    <root>/results/<job's id>.<random>      a result;  the same with .partial      being written

The server that requested a result holds the checksum of its file and checks it before reading.
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

from hemcore.errors import HemError, StoreError
from hemcore.jobs import codec

# Larger results (bytes) are written to the store's folder by the worker instead of being sent. Not more, since memory for received data is
# returned to the system late or never: fifty results of 20 MiB left a server of 140 MiB at 650 MiB, although it held only three of them.
TRAVELS = 2**20
# Bytes of recently used results from files that stay in memory; at most half of it for one result.
IN_MEMORY = 64 * 2**20
# Maximum bytes of the result of a called function.
MAX_CALL_RESULT = 32 * 2**20
STALE_S = 24 * 3600

_lock = threading.Lock()
_in_memory: "list[Held]" = []  # results read from files, the most recently used last


@dataclass(frozen=True)
class Filed:
    """A result in a file: its name under <root>/results, its SHA-256 and size."""

    name: str
    sum: str
    size: int


def size_of(result: object) -> int:
    """The approximate size of `result` in bytes. Raises TypeError if it cannot be sent to another process."""
    buffers: list[pickle.PickleBuffer] = []
    try:
        # Buffers are counted, not copied.
        rest = pickle.dumps(result, protocol=5, buffer_callback=buffers.append)
    except Exception as error:
        raise TypeError(f"its result cannot be sent back: {type(error).__name__}: {error}") from error
    return len(rest) + sum(buffer.raw().nbytes for buffer in buffers)


def folder_of(root: Path | None) -> Path:
    """The folder of results in the store `root` (None: the default), created if needed. Raises StoreError as the store does."""
    from hemcore.datasets.shelf.store import DatasetStore

    folder = DatasetStore(root).root / "results"
    with _disk(folder, "create the folder"):
        folder.mkdir(exist_ok=True)
    return folder


def file(result: object, name: str, root: Path | None) -> Filed:
    """Write `result` to the file `name`. Raises StoreError if it cannot be written, TypeError for unsupported types."""
    folder = folder_of(root)
    partial = folder / f"{name}.partial"
    with _disk(folder, "store the result"):
        try:
            codec.write(partial, result)
            filed = Filed(name, _sum(partial), partial.stat().st_size)
            partial.replace(folder / name)
        finally:
            partial.unlink(missing_ok=True)
    return filed


def clean(root: Path | None) -> None:
    """Remove files that a killed server left behind: those not read for a day."""
    for path in folder_of(root).iterdir():
        with contextlib.suppress(OSError):  # another server may be cleaning too
            if time.time() - path.stat().st_mtime > STALE_S:
                path.unlink()


@dataclass(frozen=True)
class Sent:
    """A result sent directly, and its approximate size in bytes."""

    result: object
    size: int


class Held:
    """The result of one job: in memory if small, otherwise in a file, and in memory too while used recently.

    root: the store's folder.
    """

    def __init__(self, given: Filed | Sent, root: Path | None) -> None:
        self.size = given.size
        self._root = root
        self._filed = given if isinstance(given, Filed) else None
        self._result: object = given.result if isinstance(given, Sent) else None
        # While it is referenced (by the page's cache), it is not read again.
        self._known: weakref.ref[object] | None = None
        self._lost = ""
        self._lock = threading.Lock()

    def result(self) -> object:
        """The result. Raises HemError if it no longer exists."""
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
        """Its job is forgotten: delete the file; a small result stays for whoever still holds the job."""
        with self._lock:
            if self._filed is not None:
                self._lose("the result was removed, as one of the oldest")
                forget(self._filed.name, self._root)
        with _lock:
            if self in _in_memory:
                _in_memory.remove(self)

    def let_go(self) -> None:
        """Release the memory; the file remains."""
        with self._lock:
            self._result = None

    def _lose(self, why: str) -> None:
        self._result = self._known = None
        self._lost = f"{why}. Start it again if you want it."

    def _read(self, filed: Filed) -> object:
        try:
            path = folder_of(self._root) / filed.name
            if _sum(path) != filed.sum:
                raise ValueError("its checksum does not match")
            path.touch()
            return codec.read(path)
        except FileNotFoundError:
            where = "Workers on other machines need the store's folder (HEM_DATA_DIR) on a disk that the server can read"
            self._lose(f"the result is no longer in the store's folder: {filed.name[:8]}. {where}")
        except (OSError, ValueError, TypeError, KeyError, IndexError, AttributeError, zipfile.BadZipFile) as error:
            self._lose(f"the result's file {filed.name[:8]} is damaged ({str(error).rstrip('.')})")
            forget(filed.name, self._root)
        raise HemError(self._lost)


def forget(name: str, root: Path | None) -> None:
    """Remove the file of a result that is no longer needed, whether complete or partial."""
    with contextlib.suppress(OSError, HemError):
        for path in (folder_of(root) / name, folder_of(root) / f"{name}.partial"):
            path.unlink(missing_ok=True)


def _make_room(used: Held) -> None:
    """Release the least recently used results if `used` exceeds the limit."""
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
