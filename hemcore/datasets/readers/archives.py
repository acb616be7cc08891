"""What is in a .zip or .gz, within limits, each entry unpacked when it is asked for. Names are data: no path is built from them."""

import gzip
import io
import lzma
import re
import zipfile
import zlib
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import PurePosixPath
from typing import TypeAlias

from hemcore.errors import ReadError

_CHUNK = 1 << 20
# Of an entry in the list at the end of an archive.
_ENTRY = b"PK\x01\x02"
# The runs of a plan of measurement, one small file each: those of a folder are one file of runs.
_RUN = re.compile(r"run_(\d{1,9})\.(?:perf|json)", re.ASCII)
# The line before each of them.
RUN_BEGINS = b"# started on "
_RUNS = re.compile(r"subexperiment_\d{1,6}", re.ASCII)
# All that a damaged archive makes the standard library raise (a locked one: RuntimeError).
DAMAGE = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, ValueError, OSError, RuntimeError)


class Budget:
    """Bytes that may be unpacked, of all files together. unpacked: is told how many are, each time there are more."""

    def __init__(self, max_bytes: int, unpacked: Callable[[int], None] | None = None) -> None:
        self._left = self._limit = max_bytes
        self._unpacked = unpacked

    def take(self, name: str, size: int) -> None:
        """Count `size` bytes more. Raises ReadError, which names the file, where they are too many."""
        self._left -= size
        if self._left < 0:
            raise ReadError(f"{name}: more than {self._limit / 2**20:,.0f} MiB unpacked, which is the limit. Send fewer or smaller files.")
        if self._unpacked is not None:
            self._unpacked(size)


# The bytes of an entry, counted while they are unpacked; raises ReadError for a damaged one and for too many.
Unpack: TypeAlias = Callable[[Budget], bytes]


def entries(content: bytes) -> int:
    """How many entries the list at the end of an archive has, without reading it: each takes half a kilobyte."""
    return content.count(_ENTRY)


def check_entries(name: str, content: bytes, max_files: int, max_runs: int) -> None:
    """Raise ReadError for millions of entries before the list of them is made."""
    found = entries(content)
    if found > max_files + max_runs:
        raise ReadError(f"{name}: {found:,} entries; at most {max_files:,} are opened. Send the files of one dataset only.")


def entries_of(name: str, content: bytes, max_files: int, max_runs: int) -> list[tuple[str, Unpack]]:
    """(name, how it is unpacked) of what is in a .zip, as uploaded_files.expand has it; an entry that is a .gz is opened too.

    Raises ReadError for a damaged archive, too many entries or runs of a plan, and an entry that is none: a link, a name that leads out.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
        listed = archive.infolist()
    except DAMAGE as error:
        raise ReadError(f"{name}: not a readable .zip ({error}). Create the archive again.") from None
    kept: list[tuple[zipfile.ZipInfo, PurePosixPath]] = []
    runs: list[tuple[zipfile.ZipInfo, PurePosixPath]] = []
    for entry in listed:
        path = PurePosixPath(entry.filename)
        if not (entry.is_dir() or "__MACOSX" in path.parts or any(part.startswith(".") for part in path.parts)):
            (kept if _run_of(path) is None else runs).append((entry, path))
    for count, most, what in ((len(kept), max_files, "entries"), (len(runs), max_runs, "runs of a plan")):
        if count > most:
            raise ReadError(f"{name}: {count:,} {what}; at most {most:,} are opened. Send the files of one dataset only.")
    for entry in listed:
        _check_name(name, entry)
    opened = _runs_together(name, archive, runs)
    # "Run_1/events.csv" and "Run_2/events.csv": the folders alone tell the files apart.
    with_folders = len({path.name.removesuffix(".gz") for _, path in kept}) < len(kept)
    for entry, path in kept:
        opened.append(((str(path) if with_folders else path.name).removesuffix(".gz"), partial(_unpacked, name, archive, entry)))
    return opened


def _run_of(path: PurePosixPath) -> int | None:
    """The number of the run of a plan that a file of this name holds; None for any other file."""
    match = _RUN.fullmatch(path.name)
    return int(match[1]) if match is not None and _RUNS.fullmatch(path.parent.name) else None


def _runs_together(
    name: str, archive: zipfile.ZipFile, listed: Sequence[tuple[zipfile.ZipInfo, PurePosixPath]]
) -> list[tuple[str, Unpack]]:
    """A file for each folder of runs, named after it."""
    folders: dict[tuple[PurePosixPath, str], list[tuple[int, zipfile.ZipInfo]]] = {}
    for entry, path in listed:
        folders.setdefault((path.parent, path.suffix), []).append((_run_of(path) or 0, entry))
    alike = len({folder.name for folder, _ in folders}) < len(folders)
    together: list[tuple[str, Unpack]] = []
    for folder, kind in sorted(folders):
        of_folder = [entry for _, entry in sorted(folders[folder, kind], key=lambda run: run[0])]
        together.append((f"{folder if alike else folder.name}{kind}", partial(_unpacked_runs, name, archive, of_folder)))
    return together


def _unpacked_runs(name: str, archive: zipfile.ZipFile, of_folder: Sequence[zipfile.ZipInfo], budget: Budget) -> bytes:
    """Each run begins with a remark as perf writes it."""
    runs = (_read_entry(name, archive, entry, budget) for entry in of_folder)
    return b"\n".join(run if run.startswith(RUN_BEGINS) else RUN_BEGINS + b"\n" + run for run in runs)


def _unpacked(name: str, archive: zipfile.ZipFile, entry: zipfile.ZipInfo, budget: Budget) -> bytes:
    content = _read_entry(name, archive, entry, budget)
    return gunzipped(f"{name}: {entry.filename}", content, budget) if content[:2] == b"\x1f\x8b" else content


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


def _read_entry(archive_name: str, archive: zipfile.ZipFile, entry: zipfile.ZipInfo, budget: Budget) -> bytes:
    try:
        with archive.open(entry) as stream:
            return _counted(f"{archive_name}: {entry.filename}", stream, budget)
    except ReadError:
        raise
    except DAMAGE as error:
        raise ReadError(f"{archive_name}: the entry {entry.filename!r} is damaged ({str(error)[:60]}). Create the archive again.") from None


def gunzipped(name: str, content: bytes, budget: Budget) -> bytes:
    """What is in a .gz, counted while it is unpacked. Raises ReadError for a damaged one, and as Budget.take does."""
    try:
        with gzip.open(io.BytesIO(content)) as stream:
            return _counted(name, stream, budget)
    except ReadError:
        raise
    except DAMAGE as error:
        raise ReadError(f"{name}: damaged gzip file ({error}). Compress it again.") from None


def _counted(name: str, stream: object, budget: Budget) -> bytes:
    unpacked = io.BytesIO()  # parts that are joined would be held twice
    while part := stream.read(_CHUNK):  # type: ignore[attr-defined]
        budget.take(name, len(part))
        unpacked.write(part)
    return unpacked.getvalue()
