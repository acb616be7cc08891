"""Uploaded files, single or in a .zip or .gz, opened in memory within limits. Names are data: no path is built from them."""

import gzip
import hashlib
import io
import lzma
import re
import zipfile
import zlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from hemcore.datasets.readers import columnar, excel
from hemcore.datasets.readers.decoding import tidied
from hemcore.errors import ReadError

_CHUNK = 1 << 20
_LONGEST_NAME = 255
# Of an entry in the list at the end of an archive.
_ENTRY = b"PK\x01\x02"
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
# The runs of a plan of measurement, one small file each: those of a folder are one file of runs.
_RUN = re.compile(r"run_(\d{1,9})\.(?:perf|json)", re.ASCII)
# The line before each of them.
RUN_BEGINS = b"# started on "
_RUNS = re.compile(r"subexperiment_\d{1,6}", re.ASCII)
# All that a damaged archive makes the standard library raise (a locked one: RuntimeError).
_DAMAGE = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, ValueError, OSError, RuntimeError)


@dataclass(frozen=True)
class UploadedFile:
    """A file as it was sent: its name (shown, never used as a path) and its bytes."""

    name: str
    content: bytes


@dataclass(frozen=True)
class UploadLimits:
    """Bounds on what is unpacked: files and runs of a plan in an archive, bytes of all files, cells and bytes of XML in a workbook."""

    max_files: int = 1_000
    max_runs: int = 100_000
    max_bytes: int = 512 << 20
    max_cells: int = 5_000_000
    max_workbook_bytes: int = 128 << 20


def expand(files: Sequence[UploadedFile], limits: UploadLimits | None = None) -> list[UploadedFile]:
    """The files themselves: .zip and .gz opened, folders, hidden files and __MACOSX left out; order and names kept. A workbook of Excel
    becomes one CSV per sheet (see excel.sheets), a Parquet, Arrow or Feather file one CSV (see columnar.csv_of), in an archive too.

    Runs of a plan (subexperiment_0001/run_00001.perf and so on, or .json of PAPI) are put together, those of a folder in the order of
    their numbers as one file "subexperiment_0001.perf" (or .json).

    Files of an archive are named without their folders, unless two have the same name: then each with its folders ("Run_1/log.csv"). A name
    of more than 255 characters is cut in its middle.

    Sizes are counted while unpacking, whatever an archive says of itself. Raises ReadError for no file at all, an archive that is damaged,
    locked or over the limits, and a name that leads out of the archive.
    """
    limits = limits or UploadLimits()
    budget = _Budget(limits)
    opened: list[UploadedFile] = []
    for file in map(_with_a_usual_name, files):
        if file.content[:4] in _ZIP:
            _check_entries(file, limits)
            opened += _sheets(file, limits, budget) or _unzipped(file, limits, budget)
        elif file.content[:2] == b"\x1f\x8b":
            inside = UploadedFile(file.name.removesuffix(".gz"), _gunzipped(file.name, file.content, budget))
            opened += _sheets(inside, limits, budget) or [inside]
        else:
            budget.take(file.name, len(file.content))
            opened += _sheets(file, limits, budget) or [file]
    if len(opened) > limits.max_files:
        raise ReadError(f"{len(opened):,} files in one upload; at most {limits.max_files:,} are read. Send the files of one dataset only.")
    if not opened:
        raise ReadError(f"{files[0].name if files else 'upload'}: it contains no file. Send at least one.")
    return [_tidied(_with_a_usual_name(each)) for each in opened]


def _tidied(file: UploadedFile) -> UploadedFile:
    content = tidied(file.content)
    return file if content is file.content else replace(file, content=content)


def _with_a_usual_name(file: UploadedFile) -> UploadedFile:
    """`file`, its name cut in the middle where no file system has one as long: it comes back in sentences and lists."""
    return file if len(file.name) <= _LONGEST_NAME else replace(file, name=f"{file.name[:150]}…{file.name[-100:]}")


def larger_than(files: Sequence[UploadedFile], size: int) -> bool:
    """Whether the files have more than `size` bytes, those of archives unpacked; no more than that is unpacked to know it."""
    found = sum(len(file.content) for file in files)
    for file in files:
        with suppress(*_DAMAGE):  # whoever opens it says so
            if file.content[:4] in _ZIP:
                if file.content.count(_ENTRY) > UploadLimits.max_runs:
                    return True  # its list alone takes long
                with zipfile.ZipFile(io.BytesIO(file.content)) as archive:
                    found += sum(each.file_size for each in archive.infolist())
            elif file.content[:2] == b"\x1f\x8b":
                found += len(zlib.decompressobj(31).decompress(file.content, size + 1))
        if found > size:
            return True
    return False


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


class _Budget:
    def __init__(self, limits: UploadLimits) -> None:
        self._left = limits.max_bytes
        self._limit = limits.max_bytes

    def take(self, name: str, size: int) -> None:
        self._left -= size
        if self._left < 0:
            raise ReadError(f"{name}: more than {self._limit / 2**20:,.0f} MiB unpacked, which is the limit. Send fewer or smaller files.")


def _check_entries(file: UploadedFile, limits: UploadLimits) -> None:
    """Raise ReadError for millions of entries before the list of them is made, which takes half a kilobyte each."""
    entries = file.content.count(_ENTRY)
    if entries > limits.max_files + limits.max_runs:
        raise ReadError(f"{file.name}: {entries:,} entries; at most {limits.max_files:,} are opened. Send the files of one dataset only.")


def _sheets(file: UploadedFile, limits: UploadLimits, budget: _Budget) -> list[UploadedFile]:
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
    except _DAMAGE as error:
        if file.name.lower().endswith(excel.ENDINGS):
            raise ReadError(f"{file.name}: a damaged workbook ({error}). Open it in Excel, save it and send it again.") from None
        return []
    return [UploadedFile(name, content) for name, content in made]


def _unzipped(file: UploadedFile, limits: UploadLimits, budget: _Budget) -> list[UploadedFile]:
    try:
        archive = zipfile.ZipFile(io.BytesIO(file.content))
        entries = archive.infolist()
    except _DAMAGE as error:
        raise ReadError(f"{file.name}: not a readable .zip ({error}). Create the archive again.") from None
    runs = sum(_run_of(PurePosixPath(entry.filename)) is not None for entry in entries)
    for count, most, what in ((len(entries) - runs, limits.max_files, "entries"), (runs, limits.max_runs, "runs of a plan")):
        if count > most:
            raise ReadError(f"{file.name}: {count:,} {what}; at most {most:,} are opened. Send the files of one dataset only.")
    kept = []
    for entry in entries:
        _check_name(file.name, entry)
        path = PurePosixPath(entry.filename)
        if not (entry.is_dir() or "__MACOSX" in path.parts or any(part.startswith(".") for part in path.parts)):
            kept.append((entry, path))
    opened = _runs_together(file.name, archive, [(entry, path) for entry, path in kept if _run_of(path) is not None], budget)
    kept = [(entry, path) for entry, path in kept if _run_of(path) is None]
    # "Run_1/events.csv" and "Run_2/events.csv": the folders alone tell the files apart.
    with_folders = len({path.name.removesuffix(".gz") for _, path in kept}) < len(kept)
    for entry, path in kept:
        content = _read_entry(file.name, archive, entry, budget)
        if content[:2] == b"\x1f\x8b":
            content = _gunzipped(f"{file.name}: {entry.filename}", content, budget)
        inside = UploadedFile((str(path) if with_folders else path.name).removesuffix(".gz"), content)
        opened += _sheets(inside, limits, budget) or [inside]
    return opened


def _run_of(path: PurePosixPath) -> int | None:
    """The number of the run of a plan that a file of this name holds; None for any other file."""
    match = _RUN.fullmatch(path.name)
    return int(match[1]) if match is not None and _RUNS.fullmatch(path.parent.name) else None


def _runs_together(
    archive_name: str, archive: zipfile.ZipFile, entries: Sequence[tuple[zipfile.ZipInfo, PurePosixPath]], budget: _Budget
) -> list[UploadedFile]:
    """A file for each folder of runs, named after it; each run begins with a remark as perf writes it."""
    folders: dict[tuple[PurePosixPath, str], list[tuple[int, zipfile.ZipInfo]]] = {}
    for entry, path in entries:
        folders.setdefault((path.parent, path.suffix), []).append((_run_of(path) or 0, entry))
    alike = len({folder.name for folder, _ in folders}) < len(folders)
    together = []
    for folder, kind in sorted(folders):
        of_folder = sorted(folders[folder, kind], key=lambda run: run[0])
        runs = (_read_entry(archive_name, archive, entry, budget) for _, entry in of_folder)
        parts = [part if part.startswith(RUN_BEGINS) else RUN_BEGINS + b"\n" + part for part in runs]
        together.append(UploadedFile(f"{folder if alike else folder.name}{kind}", b"\n".join(parts)))
    return together


def _check_name(archive: str, entry: zipfile.ZipInfo) -> None:
    name = entry.filename
    if name.startswith(("/", "\\")) or "\\" in name or ".." in PurePosixPath(name).parts or name[1:2] == ":":
        raise ReadError(f"{archive}: the entry {name!r} points outside the archive. Create it again with plain names.")
    if (entry.external_attr >> 16) & 0o170000 == 0o120000:
        raise ReadError(f"{archive}: the entry {name!r} is a link, not a file. Create the archive again with the file itself.")
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        # The other decompressors cannot be stopped half way, so that a bomb would be in memory before it is counted.
        raise ReadError(f"{archive}: the entry {name!r} uses an unusual compression. Create the archive again as a plain .zip.")
    if entry.flag_bits & 1:
        raise ReadError(f"{archive}: the entry {name!r} is locked with a password. Send it without the password.")


def _read_entry(archive_name: str, archive: zipfile.ZipFile, entry: zipfile.ZipInfo, budget: _Budget) -> bytes:
    try:
        with archive.open(entry) as stream:
            return _counted(f"{archive_name}: {entry.filename}", stream, budget)
    except ReadError:
        raise
    except _DAMAGE as error:
        raise ReadError(f"{archive_name}: the entry {entry.filename!r} is damaged ({error}). Create the archive again.") from None


def _gunzipped(name: str, content: bytes, budget: _Budget) -> bytes:
    try:
        with gzip.open(io.BytesIO(content)) as stream:
            return _counted(name, stream, budget)
    except ReadError:
        raise
    except _DAMAGE as error:
        raise ReadError(f"{name}: damaged gzip file ({error}). Compress it again.") from None


def _counted(name: str, stream: object, budget: _Budget) -> bytes:
    parts = []
    while part := stream.read(_CHUNK):  # type: ignore[attr-defined]
        budget.take(name, len(part))
        parts.append(part)
    return b"".join(parts)
