"""The files of an upload in the store's folder of incoming ones: written with their list, and read one at a time."""

import json
import os
import re
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NotRequired, TypedDict

from hemcore.datasets.readers.uploaded_files import LaterFile, UploadedFile
from hemcore.datasets.shelf.durable import reason
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.errors import StoreError

_ID = re.compile(r"[0-9a-f]{32}")


def write(folder: Path, name: str, files: Iterable[UploadedFile], more: Mapping[str, object]) -> None:
    """Write the files to `folder`/`name`, then the list that says that they are complete."""
    write_list(folder, name, {**more, "names": write_files(folder / name, files)})


def write_files(place: Path, files: Iterable[UploadedFile]) -> list[str]:
    """Write the files alone; their names, as a list can have them."""
    place.mkdir(mode=0o700, exist_ok=True)
    names = []
    for number, file in enumerate(files):
        (place / str(number)).write_bytes(file.content)
        names.append(file.name.encode(errors="replace").decode())
    return names


def rewritten(folder: Path, name: str, files: Iterable[UploadedFile]) -> list[UploadedFile]:
    """The files, written to `folder`/`name` without a list yet, as files_in gives them."""
    return _in_place(folder / name, write_files(folder / name, files))


def write_list(folder: Path, name: str, content: Mapping[str, object]) -> None:
    partial = folder / f"{name}.{uuid.uuid4().hex}.partial"
    partial.write_text(json.dumps(content), encoding="utf-8", errors="replace")
    os.replace(partial, folder / f"{name}.json")


class _List(TypedDict):
    """The files in a folder, in order. Of unpacked ones, also their Recognised as JSON has it."""

    names: list[str]
    matches: NotRequired[list[dict[str, Any]]]
    files: NotRequired[list[tuple[str, str]]]
    fault: NotRequired[str]


def listed(folder: Path, name: str) -> _List:
    """The list of files in `folder`/`name`. Raises StoreError when it is gone or damaged."""
    try:
        found: _List = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        found["names"] = list(map(str, found["names"]))
        return found
    except (OSError, ValueError, TypeError, KeyError):
        raise StoreError("The upload is no longer there. Send it again.") from None


def size_of(folder: Path, name: str) -> int:
    """Bytes of the files in `folder`/`name`; 0 where there are none."""
    place = folder / name
    return sum(path.stat().st_size for path in place.iterdir()) if place.is_dir() else 0


def files_in(folder: Path, name: str) -> list[UploadedFile]:
    """The files in `folder`/`name`; the bytes of each are read when they are asked for."""
    return _in_place(folder / name, listed(folder, name)["names"])


def _in_place(place: Path, names: Sequence[str]) -> list[UploadedFile]:
    try:
        paths = [place / str(number) for number in range(len(names))]
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


def not_written(folder: Path, error: OSError) -> StoreError:
    return StoreError(f"The upload could not be stored in {folder.parent}: {reason(error)}. Free some space and send it again.")


def folder_of(staged: str, root: Path | None) -> Path:
    if not _ID.fullmatch(staged):
        raise StoreError(f"upload {staged[:40]!r}: there is no upload of that name. Send it again.")
    return DatasetStore(root).root / "incoming" / staged
