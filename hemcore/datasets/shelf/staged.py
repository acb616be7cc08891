"""Uploads on their way to the shelf: unpacked and recognised once, then read, by a page or by a worker.

<root>/incoming/<random>/sent.json, sent/0, sent/1, ...             as they were sent
<root>/incoming/<random>/unpacked.json, unpacked/0, unpacked/1, ... out of their archives, with what they were taken for

The folder goes once the upload is read, else the store removes it after a day.
"""

import json
import os
import re
import shutil
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, NotRequired, TypedDict

from hemcore.datasets.importing.inspection import Preview, inspect_unpacked
from hemcore.datasets.importing.raw_grid import HEAD_BYTES
from hemcore.datasets.importing.recipe import recipe_of
from hemcore.datasets.owners import limits
from hemcore.datasets.readers.formats import ReadOptions, format_of
from hemcore.datasets.readers.recognition import Match, Recognised, Unpacked, unpack
from hemcore.datasets.readers.uploaded_files import LaterFile, UploadedFile, larger_than
from hemcore.datasets.reading_progress import Progress, reported
from hemcore.datasets.shelf.durable import reason
from hemcore.datasets.shelf.memory_bound import bounded
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.errors import ReadError, StoreError, TableError
from hemcore.params import Params

# Bytes, unpacked, up to which an upload is read at once; more is read by a worker.
AT_ONCE = 2**20
# Bytes of the beginnings of files up to which a preview of more than that is made at once.
PREVIEWED_AT_ONCE = 2**20
_ID = re.compile(r"[0-9a-f]{32}")
_SENT, _UNPACKED = "sent", "unpacked"


class Added(TypedDict):
    """The dataset of an upload, and whether it was on the shelf before."""

    id: str
    was_there: bool


def stage(files: Sequence[UploadedFile], root: Path | None = None) -> str:
    """Put the files aside in the store under `root` (default: as DatasetStore's); returns the id of the upload.

    Raises StoreError when the disk is full or not writable, or the owner's room is used up.
    """
    staged = uuid.uuid4().hex
    folder = _folder(staged, root)
    limits.check_room(folder.parent.parent, sum(file.size for file in files), incoming=True)
    try:
        folder.mkdir(mode=0o700)
        _write(folder, _SENT, files, {})
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise _not_written(folder, error) from None
    return staged


@contextmanager
def receiving(name: str, root: Path | None = None) -> Iterator[tuple[str, BinaryIO]]:
    """The id of an upload of one file called `name`, and where to write its bytes as they come; gone again if anything goes wrong.

    Raises StoreError when the disk is full or not writable.
    """
    staged = uuid.uuid4().hex
    folder = _folder(staged, root)
    try:
        (folder / _SENT).mkdir(mode=0o700, parents=True)
        with (folder / _SENT / "0").open("wb") as file:
            yield staged, file
        _list(folder, _SENT, {"names": [name]})
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise _not_written(folder, error) from None
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def is_large(staged: str, root: Path | None = None) -> bool:
    """Whether the upload, as it was sent, has more than AT_ONCE bytes when it is unpacked. Raises StoreError when it is gone."""
    folder = _folder(staged, root)
    return _size(folder, _SENT) > AT_ONCE or larger_than(_files(folder, _SENT), AT_ONCE)


def previews_at_once(staged: str, root: Path | None = None) -> bool:
    """Whether the beginnings of the files of an upload that is unpacked, of which a preview is made, are few and short."""
    files = _files(_folder(staged, root), _UNPACKED)
    return sum(file.size if b"\n" not in file.head(HEAD_BYTES) else min(file.size, HEAD_BYTES) for file in files) <= PREVIEWED_AT_ONCE


def is_staged(staged: str, root: Path | None = None) -> bool:
    """Whether the upload is still there."""
    return _folder(staged, root).is_dir()


def discard(staged: str, root: Path | None = None) -> None:
    """Remove an upload, if it is there."""
    shutil.rmtree(_folder(staged, root), ignore_errors=True)


def look_into_staged(*, staged: str, progress: Progress, root: Path | None = None) -> Recognised:
    """What the files of an upload are; unpacks them on the first call. Raises StoreError when they are gone or the disk is full."""
    folder = _folder(staged, root)
    try:
        return _unpacked(folder, progress)[1]
    except ReadError as error:
        return Recognised(fault=str(error), unpacked=False)


def preview_staged(
    *, staged: str, progress: Progress, recipe: str = "", options: Mapping[str, object] | None = None, root: Path | None = None,
    brief: bool = False,
) -> Preview:  # fmt: skip
    """The Preview of an upload, as inspection.inspect gives it; unpacks it on the first call. recipe: as chosen, JSON; "" = guessed.
    options: of the recipe's format, where the recipe does not say them. brief: without the table, to be sent by a worker.

    Raises StoreError when the files are gone or the disk is full, ParameterError for a recipe that is none.
    """
    progress(0.1, "looking into the files")
    folder = _folder(staged, root)
    try:
        unpacked, found = _unpacked(folder)
        size = _size(folder, _UNPACKED)
        looks = reported(progress, size=size, start=0.2, end=1, note="looking into the files", steps=False)
        with bounded(size, _first_name(unpacked)), looks:
            chosen = recipe_of(recipe) if recipe else None
            given = format_of(chosen.format).options(**options) if chosen is not None and options is not None else None
            shown = inspect_unpacked(unpacked, chosen, why_not=found.fault, options=given)
        return replace(shown, result=None) if brief else shown
    except ReadError as error:
        return Preview(title="", why="The files could not be opened.", fault=str(error))


def add_staged(
    *, staged: str, format_key: str | None, options: Mapping[str, object], name: str, progress: Progress, root: Path | None = None,
    recipe: str = "",
) -> Added:  # fmt: skip
    """Read an upload to a dataset. options: of the format `format_key`, or of the one that is recognised.

    recipe: an ImportRecipe as JSON; then format_key and options say nothing.

    Raises StoreError when the files are gone or the disk is full, and as DatasetStore.add does; then they stay, to be read in another way.
    """
    store, folder = DatasetStore(root), _folder(staged, root)
    unpacked, found = _unpacked(folder)
    before = {record.id for record in store.records()}
    read_as = format_key or (found.matches[0].key if found.matches else None)
    model: type[Params] = format_of(read_as).options if read_as is not None else ReadOptions
    chosen = recipe_of(recipe) if recipe else model(**options)
    names = _listed(folder, _SENT)["names"]
    size = _size(folder, _UNPACKED)
    with bounded(size, _first_name(unpacked)), reported(progress, size=size, start=0.05, end=1, note="reading and checking"):
        record = store.add_unpacked(unpacked, names, format_key=format_key, options=chosen, name=name)
    discard(staged, root)
    return {"id": record.id, "was_there": record.id in before}


def add_each(*, staged: Sequence[str], progress: Progress, root: Path | None = None) -> list[Added]:
    """Read several uploads of one file, each to a dataset that has the file's name, as it is recognised.

    Raises ReadError for a file that no format fits or that is in doubt, before any is read, and for one that cannot be read; StoreError
    as add_staged does. None of them stays.
    """
    try:
        names = [_listed(_folder(each, root), _SENT)["names"][0] for each in staged]
        for each, name in zip(staged, names, strict=True):
            found = look_into_staged(staged=each, progress=progress, root=root)
            doubt = found.fault or found.matches[0].asks
            if doubt:
                raise ReadError(f"{_naming(name, doubt)} Add it alone on the Data page, where its format can be chosen.")
        added = []
        for each, name in zip(staged, names, strict=True):
            try:
                added.append(add_staged(staged=each, format_key=None, options={}, name=name, progress=progress, root=root))
            except (ReadError, TableError) as error:
                raise ReadError(_naming(name, str(error))) from None
        return added
    finally:
        for each in staged:
            discard(each, root)


def _naming(name: str, sentence: str) -> str:
    return sentence if name in sentence else f"{name}: {sentence}"


def _unpacked(folder: Path, progress: Progress = lambda done, note: None) -> tuple[Unpacked, Recognised]:
    """The files out of their archives and what they were taken for: from the disk, where they were unpacked before."""
    progress(0.1, "looking into the files")
    if not (folder / f"{_UNPACKED}.json").is_file():
        sent = _files(folder, _SENT)
        with bounded(0, sent[0].name if sent else "upload") as more:
            unpacked = unpack(sent, unpacked=more)
            size = sum(file.size for file in unpacked.files)
            with reported(progress, size=size, start=0.2, end=1, note="looking into the files", steps=False):
                recognised = asdict(unpacked.recognised())
            try:
                _write(folder, _UNPACKED, unpacked.files, recognised)
            except OSError as error:
                raise _not_written(folder, error) from None
        shutil.rmtree(folder / _SENT, ignore_errors=True)
    files, found = _files(folder, _UNPACKED), _listed(folder, _UNPACKED)
    matches = tuple(Match(**match) for match in found["matches"])
    listed = tuple((name, title) for name, title in found["files"])
    return Unpacked(files, matches), Recognised(matches=matches, files=listed, fault=found["fault"])


def _first_name(unpacked: Unpacked) -> str:
    return unpacked.files[0].name if unpacked.files else "upload"


def _write(folder: Path, name: str, files: Iterable[UploadedFile], more: Mapping[str, object]) -> None:
    """Write the files to `folder`/`name`, then the list that says that they are complete."""
    place = folder / name
    place.mkdir(mode=0o700, exist_ok=True)
    names = []
    for number, file in enumerate(files):
        (place / str(number)).write_bytes(file.content)
        names.append(file.name.encode(errors="replace").decode())
    _list(folder, name, {**more, "names": names})


def _list(folder: Path, name: str, content: Mapping[str, object]) -> None:
    partial = folder / f"{name}.{uuid.uuid4().hex}.partial"
    partial.write_text(json.dumps(content), encoding="utf-8", errors="replace")
    os.replace(partial, folder / f"{name}.json")


class _List(TypedDict):
    """The files in a folder, in order. Of unpacked ones, also their Recognised as JSON has it."""

    names: list[str]
    matches: NotRequired[list[dict[str, Any]]]
    files: NotRequired[list[tuple[str, str]]]
    fault: NotRequired[str]


def _listed(folder: Path, name: str) -> _List:
    """The list of files in `folder`/`name`. Raises StoreError when it is gone or damaged."""
    try:
        found: _List = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        found["names"] = list(map(str, found["names"]))
        return found
    except (OSError, ValueError, TypeError, KeyError):
        raise StoreError("The upload is no longer there. Send it again.") from None


def _size(folder: Path, name: str) -> int:
    """Bytes of the files in `folder`/`name`; 0 where there are none."""
    place = folder / name
    return sum(path.stat().st_size for path in place.iterdir()) if place.is_dir() else 0


def _files(folder: Path, name: str) -> list[UploadedFile]:
    """The files in `folder`/`name`; the bytes of each are read when they are asked for."""
    names = _listed(folder, name)["names"]
    try:
        paths = [folder / name / str(number) for number in range(len(names))]
        return [_StagedFile(each, partial(_bytes_of, path), size=path.stat().st_size) for each, path in zip(names, paths, strict=True)]
    except OSError:
        raise StoreError("The upload is no longer there. Send it again.") from None


class _StagedFile(LaterFile):
    """A file of an upload, on the disk."""

    def head(self, length: int) -> bytes:
        """As UploadedFile.head; no more is fetched than that."""
        read: Callable[..., bytes] = self.fetcher()
        return read(length)


def _bytes_of(path: Path, length: int = -1) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(length)
    except OSError:
        raise StoreError("The upload is no longer there. Send it again.") from None


def _not_written(folder: Path, error: OSError) -> StoreError:
    return StoreError(f"The upload could not be stored in {folder.parent}: {reason(error)}. Free some space and send it again.")


def _folder(staged: str, root: Path | None) -> Path:
    if not _ID.fullmatch(staged):
        raise StoreError(f"upload {staged[:40]!r}: there is no upload of that name. Send it again.")
    return DatasetStore(root).root / "incoming" / staged
