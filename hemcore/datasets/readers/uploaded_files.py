"""Uploaded files, single or in a .zip or .gz, opened in memory within limits. Names are data: no path is built from them."""

import gzip
import hashlib
import io
import tempfile
import zipfile
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from threading import Lock
from typing import BinaryIO, cast
from weakref import ref

from hemcore.datasets.readers import archives, columnar, excel
from hemcore.datasets.readers.archives import DAMAGE, Budget, gunzipped
from hemcore.datasets.readers.decoding import tidied
from hemcore.datasets.readers.letters.encodings import in_utf8
from hemcore.errors import HemError, ReadError

_LONGEST_NAME = 255
# Bytes of the files fetched last that stay at hand; the very last one always does.
_AT_HAND = 16 << 20
_DOCUMENTS = (".docx", ".pptx", ".odt", ".odp")  # archives that hold no readings
_ZIP, _GZIP = (b"PK\x03\x04", b"PK\x05\x06"), b"\x1f\x8b"
_MARK = 8  # bytes that tell what a file is


@dataclass(frozen=True)
class UploadedFile:
    """A file as it was sent: its name (shown, never used as a path) and its bytes. encoding: that of its letters, as in_utf8 has it."""

    name: str
    content: bytes
    encoding: str = ""

    @property
    def size(self) -> int:
        """Bytes of its content."""
        return len(self.content)

    def head(self, length: int) -> bytes:
        """The first `length` bytes of its content."""
        return self.content[:length]

    def fetcher(self) -> Callable[[], bytes]:
        """What gives the content without keeping the file itself alive."""
        content = self.content
        return lambda: content

    def __hash__(self) -> int:
        return hash(self.name)


class LaterFile(UploadedFile):
    """One of many files, whose bytes are fetched whenever they are asked for: only those fetched last stay in memory.

    fetch: the bytes, the same at each call. content: them, where they have been fetched already; else size says how many they are.
    """

    def __init__(self, name: str, fetch: Callable[[], bytes], content: bytes | None = None, size: int = 0) -> None:
        size = size if content is None else len(content)
        for field, value in (("name", name), ("_fetch", fetch), ("_fetched", content), ("_size", size)):
            object.__setattr__(self, field, value)
        if content is not None:
            _last.add(self)

    @property
    def content(self) -> bytes:
        """The bytes. Raises what `fetch` raises."""
        content: bytes | None = self._fetched  # type: ignore[attr-defined]
        if content is None:
            content = self._fetch()  # type: ignore[attr-defined]
            object.__setattr__(self, "_fetched", content)
            _last.add(self)
        return content

    @property
    def size(self) -> int:
        """As UploadedFile.size; nothing is fetched for it."""
        return self._size  # type: ignore[attr-defined]

    def fetcher(self) -> Callable[[], bytes]:
        """As UploadedFile.fetcher; each call fetches."""
        return self._fetch  # type: ignore[attr-defined]

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, UploadedFile) or (self.name, self.size) != (other.name, other.size):
            return False
        try:
            return self.content == other.content
        except HemError:  # what one of them was fetched from is gone, as that of an earlier upload is
            return False

    __hash__ = UploadedFile.__hash__


class _Last:
    """The files whose bytes are at hand, of all threads; those that are gone for others count until they are the oldest."""

    def __init__(self) -> None:
        self._files: deque[tuple[ref[LaterFile], int]] = deque()
        self._bytes, self._lock = 0, Lock()

    def add(self, file: LaterFile) -> None:
        with self._lock:
            self._files.append((ref(file), file.size))
            self._bytes += file.size
            while self._bytes > _AT_HAND and len(self._files) > 1:
                oldest, size = self._files.popleft()
                self._bytes -= size
                if (gone := oldest()) is not None:
                    object.__setattr__(gone, "_fetched", None)


_last = _Last()


@dataclass(frozen=True)
class UploadLimits:
    """Bounds on what is unpacked: files and runs of a plan in an archive, bytes of all files, cells and bytes of XML in a workbook."""

    max_files: int = 1_000
    max_runs: int = 100_000
    max_bytes: int = 512 << 20
    max_cells: int = 5_000_000
    max_workbook_bytes: int = 128 << 20


def expand(
    files: Sequence[UploadedFile], limits: UploadLimits | None = None, *, unpacked: Callable[[int], None] | None = None
) -> list[UploadedFile]:
    """The files themselves: .zip and .gz opened, folders, hidden files and __MACOSX left out; order and names kept. A workbook of Excel
    becomes one CSV per sheet (see excel.sheets), a Parquet, Arrow or Feather file one CSV (see columnar.csv_of), in an archive too.

    Files of an archive are unpacked one at a time; of many, most are put on the disk until they are asked for (see LaterFile).

    Runs of a plan (subexperiment_0001/run_00001.perf and so on, or .json of PAPI) are put together, those of a folder in the order of
    their numbers as one file "subexperiment_0001.perf" (or .json).

    Files of an archive are named without their folders, unless two have the same name: then each with its folders ("Run_1/log.csv"). A name
    of more than 255 characters is cut in its middle.

    Sizes are counted while unpacking, whatever an archive says of itself; unpacked: is told each.

    Raises ReadError for no file at all, an archive that is damaged, locked or over the limits, and a name that leads out of the archive.
    """
    limits = limits or UploadLimits()
    budget = Budget(limits.max_bytes, unpacked)
    opened: list[UploadedFile] = []
    room = _Room()
    for file in map(_with_a_usual_name, files):
        if file.content[:4] in _ZIP and not file.name.lower().endswith(_DOCUMENTS):
            archives.check_entries(file.name, file.content, limits.max_files, limits.max_runs)
            opened += list(map(_tidied, _sheets(file, limits, budget))) or _unzipped(file, limits, budget, room)
        elif file.content[:2] == _GZIP:
            inside = UploadedFile(file.name.removesuffix(".gz"), gunzipped(file.name, file.content, budget))
            opened += map(_tidied, _sheets(inside, limits, budget) or [inside])
        else:
            budget.take(file.name, file.size)
            opened += map(_tidied, _sheets(file, limits, budget) or [file])
    if len(opened) > limits.max_files:
        raise ReadError(f"{len(opened):,} files in one upload; at most {limits.max_files:,} are read. Send the files of one dataset only.")
    if not opened:
        raise ReadError(f"{files[0].name if files else 'upload'}: it contains no file. Send at least one.")
    return list(map(_with_a_usual_name, opened))


def _tidied(file: UploadedFile) -> UploadedFile:
    if isinstance(file, LaterFile):
        return file
    content, encoding = in_utf8(file.content)
    content = tidied(content)
    return file if content is file.content else replace(file, content=content, encoding=encoding or file.encoding)


def _with_a_usual_name(file: UploadedFile) -> UploadedFile:
    """`file`, its name cut in the middle where no file system has one as long: it comes back in sentences and lists."""
    return file if len(file.name) <= _LONGEST_NAME else replace(file, name=f"{file.name[:150]}…{file.name[-100:]}")


def larger_than(files: Sequence[UploadedFile], size: int) -> bool:
    """Whether the files have more than `size` bytes, those of archives unpacked; no more is unpacked for it. So have archives in archives
    and tables in columns, whose bytes may be far more, and what is damaged. JSON and HTML count four times: they take that long to read."""
    found = sum(file.size * (4 if file.head(64).lstrip(b" \r\n\t\xef\xbb\xbf")[:1] in (b"{", b"[", b"<") else 1) for file in files)
    with suppress(*DAMAGE):
        for file in files:
            heads: Iterable[bytes] = ()
            if file.content[:2] == _GZIP:
                with gzip.open(io.BytesIO(file.content)) as stream:
                    heads = [stream.read(size + 1)]
                found += len(heads[0])
            elif file.content[:4] in _ZIP:
                if archives.entries(file.content) > UploadLimits.max_runs:
                    return True  # its list alone takes long
                archive = zipfile.ZipFile(io.BytesIO(file.content))
                found += sum(each.file_size for each in archive.infolist())
                heads = (archive.open(each).read(_MARK) for each in archive.infolist())
            if found > size or columnar.is_columnar(file.content) or any(map(_may_grow, heads)):
                return True
        return found > size
    return True


def _may_grow(content: bytes) -> bool:
    """Whether what is in an archive is an archive, a workbook or a table in columns."""
    return content[:2] == _GZIP or content[:4] in _ZIP or content.startswith(excel.OLD_FORMAT) or columnar.is_columnar(content)


def dataset_id(files: Sequence[UploadedFile], options: str) -> str:
    """64 hex digits: SHA-256 over the bytes of the files in order and over `options` (how they are read).

    The name of a single file does not enter; the names of several do, since they name the subexperiments.
    """
    digest = hashlib.sha256(options.encode())
    for file in files:
        digest.update(hashlib.sha256(file.content).digest())
        if len(files) > 1:
            digest.update(hashlib.sha256(file.name.encode(errors="replace")).digest())
    return digest.hexdigest()


def files_id(files: Sequence[UploadedFile]) -> str:
    """64 hex digits: SHA-256 over the names and the bytes of the files, in order. What was made of the same files can be kept under it."""
    digest = hashlib.sha256()
    for file in files:
        digest.update(hashlib.sha256(file.name.encode(errors="surrogatepass")).digest())
        digest.update(hashlib.sha256(file.content).digest())
    return digest.hexdigest()


def _sheets(file: UploadedFile, limits: UploadLimits, budget: Budget) -> list[UploadedFile]:
    """The sheets of a workbook, or the table of a Parquet, Arrow or Feather file, as CSV; none where `file` is no such thing."""
    if columnar.is_columnar(file.content):
        most = {"max_cells": limits.max_cells, "max_bytes": limits.max_bytes}
        return [UploadedFile(file.name, columnar.csv_of(file.name, file.content, **most, take=budget.take))]
    if (fault := excel.why_not(file.name, file.content)) is not None:
        raise ReadError(fault)
    if file.content[:4] not in _ZIP and not file.content.startswith(excel.OLD_FORMAT):
        return []
    try:
        if file.content[:4] in _ZIP:
            with zipfile.ZipFile(io.BytesIO(file.content)) as archive:
                if not excel.is_workbook(archive.namelist()):
                    return []
        made = excel.sheets(
            file.name,
            file.content,
            max_unpacked=limits.max_workbook_bytes,
            max_cells=limits.max_cells,
            max_bytes=limits.max_bytes,
            take=budget.take,
        )
    except ReadError:
        raise
    except DAMAGE as error:
        if file.name.lower().endswith(excel.ENDINGS):
            raise ReadError(f"{file.name}: a damaged workbook ({str(error)[:60]}). Open it in Excel, save it and send it again.") from None
        return []
    return [UploadedFile(name, content) for name, content in made]


def _unzipped(file: UploadedFile, limits: UploadLimits, budget: Budget, room: "_Room") -> list[UploadedFile]:
    opened: list[UploadedFile] = []
    for name, unpack in archives.entries_of(file.name, file.content, limits.max_files, limits.max_runs):
        inside = _with_a_usual_name(UploadedFile(name, unpack(budget)))
        opened += list(map(_tidied, _sheets(inside, limits, budget))) or [room.kept(_tidied(inside))]
    return opened


class _Room:
    """Where the files of archives are kept: the first 16 MiB in memory, the others in a temporary file."""

    def __init__(self) -> None:
        self._left, self._lock = _AT_HAND, Lock()
        self._on_disk: BinaryIO | None = None

    def kept(self, file: UploadedFile) -> UploadedFile:
        """`file`, or what fetches it from the disk; where that is full, it stays in memory."""
        self._left -= file.size
        if self._left >= 0:
            return file
        try:
            self._on_disk = self._on_disk or cast(BinaryIO, tempfile.TemporaryFile())  # noqa: SIM115
            place = self._on_disk.seek(0, io.SEEK_END)
            self._on_disk.write(file.content)
        except OSError:
            return file
        return LaterFile(file.name, partial(self._read, place, file.size), file.content)

    def _read(self, place: int, size: int) -> bytes:
        assert self._on_disk is not None
        with self._lock:
            self._on_disk.seek(place)
            return self._on_disk.read(size)
