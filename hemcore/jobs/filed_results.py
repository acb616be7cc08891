"""Results of finished jobs: small ones in memory, others in the store's folder and, if used recently, in memory too.

    <root>/results/<job's id>.<random>      a result;  the same with .partial      being written
    <root>/answers/...                      those that outlive the server (filed_answers.py)

The server that requested a result holds the checksum of its file and checks it before reading.
"""

import contextlib
import errno
import hashlib
import json
import pickle
import threading
import time
import uuid
import weakref
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hemcore.analysis import AskedQuestion
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
RESULTS = "results"
QUESTION = "question.json"

_lock = threading.Lock()
_in_memory: "list[Held]" = []  # results read from files, the most recently used last


@dataclass(frozen=True)
class Filed:
    """A result in a file: its name, its SHA-256 and size, and its folder under <root>."""

    name: str
    sum: str
    size: int
    folder: str = RESULTS


def size_of(result: object) -> int:
    """The approximate size of `result` in bytes. Raises TypeError if it cannot be sent to another process."""
    buffers: list[pickle.PickleBuffer] = []
    try:
        # Buffers are counted, not copied.
        rest = pickle.dumps(result, protocol=5, buffer_callback=buffers.append)
    except Exception as error:
        raise TypeError(f"its result cannot be sent back: {type(error).__name__}: {error}") from error
    return len(rest) + sum(buffer.raw().nbytes for buffer in buffers)


def folder_of(root: Path | None, name: str = RESULTS) -> Path:
    """The folder of results in the store `root` (None: the default), created if needed. Raises StoreError as the store does."""
    from hemcore.datasets.shelf.store import DatasetStore

    folder = DatasetStore(root).root / name
    with _disk(folder, "create the folder"):
        folder.mkdir(exist_ok=True)
    return folder


def file(
    result: object, name: str, root: Path | None, place: str = RESULTS, *, question: AskedQuestion | None = None, ending: str | None = None
) -> Filed:
    """Write `result` to the file `name` of the folder `place`. Raises StoreError if it cannot be written, TypeError for unsupported types.

    question: the one it answers, written beside it. ending: if given, the name goes on with the file's sum and this.
    """
    folder = folder_of(root, place)
    # Several servers may write the same answer.
    partial = folder / (f"{name}.partial" if ending is None else f"{name}.{uuid.uuid4().hex}.partial")
    with _disk(folder, "store the result"):
        try:
            codec.write(partial, result)
            if question is not None:
                with zipfile.ZipFile(partial, "a") as opened:
                    opened.writestr(QUESTION, json.dumps(question))
            found = _sum(partial)
            filed = Filed(name if ending is None else f"{name}.{found}.{ending}", found, partial.stat().st_size, place)
            partial.replace(folder / filed.name)
        finally:
            partial.unlink(missing_ok=True)
    return filed


def read(filed: Filed, root: Path | None) -> object:
    """The result in the file. Raises HemError with a sentence if it is gone, or damaged, when it is removed."""
    try:
        path = folder_of(root, filed.folder) / filed.name
        if _sum(path) != filed.sum:
            raise ValueError("its checksum does not match")
        path.touch()
        return codec.read(path)
    except FileNotFoundError:
        where = "Workers on other machines need the store's folder (HEM_DATA_DIR) on a disk that the server can read"
        raise HemError(f"the result is no longer in the store's folder: {filed.name[:8]}. {where}") from None
    except Exception as error:  # somebody else may have written it: there is no telling what it makes the libraries raise
        forget(filed.name, root, filed.folder)
        raise HemError(f"the result's file {filed.name[:8]} is damaged ({str(error).rstrip('.')})") from None


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
        """Its job is forgotten: delete the file, unless it outlives the job; a small result stays for whoever still holds the job."""
        with self._lock:
            if self._filed is not None and self._filed.folder == RESULTS:
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
            return read(filed, self._root)
        except HemError as error:
            self._lose(str(error))
        raise HemError(self._lost)


def forget(name: str, root: Path | None, place: str = RESULTS) -> None:
    """Remove the file of a result that is no longer needed, whether complete or partial."""
    with contextlib.suppress(OSError, HemError):
        folder = folder_of(root, place)
        for path in (folder / name, folder / f"{name}.partial"):
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
