"""Uploads that a worker reads, so that a hard one holds up nobody else: their bytes wait in the store's folder meanwhile.

<root>/incoming/<random>/names.json, 0, 1, ...       taken away once it is read, else by the store after a day
"""

import json
import re
import shutil
import uuid
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from hemcore.datasets.readers.formats import ReadOptions
from hemcore.datasets.readers.looked import Recognised, inspect_upload
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.shelf.durable import reason
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.errors import StoreError

_ID = re.compile(r"[0-9a-f]{32}")
_NAMES = "names.json"


def stage(files: Sequence[UploadedFile], root: Path | None = None) -> str:
    """Put the files aside in the store under `root` (default: as DatasetStore's); gives what they are called there.

    Raises StoreError when the disk is full or not writable.
    """
    staged = uuid.uuid4().hex
    folder = _folder(staged, root)
    try:
        folder.mkdir(mode=0o700)
        for number, file in enumerate(files):
            (folder / str(number)).write_bytes(file.content)
        (folder / _NAMES).write_text(json.dumps([file.name.encode(errors="replace").decode() for file in files]), encoding="utf-8")
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise StoreError(
            f"The upload could not be put aside in {folder.parent}: {reason(error)}. Free some space and send it again."
        ) from None
    return staged


def discard(staged: str, root: Path | None = None) -> None:
    """Take staged files away, if they are there."""
    shutil.rmtree(_folder(staged, root), ignore_errors=True)


def look_into_staged(*, staged: str, progress: Callable[[float, str], None]) -> Recognised:
    """What the staged files are; for a worker. Raises StoreError when they are gone."""
    files = _files(staged)
    progress(0.1, "looking into the files")
    return inspect_upload(files)


def add_staged(
    *, staged: str, format_key: str | None, options: Mapping[str, Any], name: str, progress: Callable[[float, str], None]
) -> dict[str, Any]:
    """Read the staged files to a dataset, for a worker: {"id": ..., "was_there": whether it was among them before}.

    options: of ReadOptions. Raises StoreError when the files are gone, and as DatasetStore.add does; then they stay, to be read otherwise.
    """
    files, store = _files(staged), DatasetStore()
    progress(0.05, "reading and checking")
    before = {record.id for record in store.records()}
    record = store.add(files, format_key=format_key, options=ReadOptions(**options), name=name)
    discard(staged)
    return {"id": record.id, "was_there": record.id in before}


def _files(staged: str) -> list[UploadedFile]:
    folder = _folder(staged, None)
    try:
        names = json.loads((folder / _NAMES).read_text(encoding="utf-8"))
        return [UploadedFile(name=str(name), content=(folder / str(number)).read_bytes()) for number, name in enumerate(names)]
    except (OSError, ValueError, TypeError):
        raise StoreError("The upload is not there any more. Send it again.") from None


def _folder(staged: str, root: Path | None) -> Path:
    if not _ID.fullmatch(staged):
        raise StoreError(f"upload {staged[:40]!r}: there is none of that name. Send it again.")
    return DatasetStore(root).root / "incoming" / staged
