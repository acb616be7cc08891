"""Files stored next to the datasets, each named by the SHA-256 of its bytes: duplicates are one file, and damage is detected."""

import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hemcore.datasets.owners import audit_log
from hemcore.datasets.shelf.durable import put_in_place, reason
from hemcore.datasets.shelf.opened import set_opened
from hemcore.errors import StoreError, UnknownNameError

_ID = re.compile(r"[0-9a-f]{64}")


class KeptFiles:
    """The files <sum><suffix> in `folder`, which is created with the first file. what: what one is, for messages ("model")."""

    def __init__(self, folder: Path, suffix: str, what: str) -> None:
        self._folder, self._suffix, self._what = Path(folder), suffix, what

    def keep(self, content: bytes) -> str:
        """Keep `content`; gives its id. Raises StoreError when the disk is full or not writable."""
        id = hashlib.sha256(content).hexdigest()
        path = self._folder / f"{id}{self._suffix}"
        with self._disk("keep"):
            self._folder.mkdir(parents=True, exist_ok=True)
            if not path.exists() or hashlib.sha256(path.read_bytes()).hexdigest() != id:
                put_in_place(path, content)
                audit_log.note(f"{self._what}.keep", id, at=self._folder.parent)
        return id

    def load(self, id: str) -> bytes:
        """The bytes of `id`. Raises UnknownNameError when there are none, StoreError when they are not those that were kept."""
        path = self._path(id)
        with self._disk("read"):
            content = path.read_bytes()
        if hashlib.sha256(content).hexdigest() != id:
            raise StoreError(f"{self._what} {id[:8]}: its file is damaged. Delete it and create it again.")
        set_opened(path, self._folder.parent, read=True)
        return content

    def ids(self) -> list[str]:
        """The id of every file, the newest first; empty if there is none."""
        with self._disk("list"):
            paths = list(self._folder.iterdir()) if self._folder.is_dir() else []
            named = [(path, path.name.removesuffix(self._suffix)) for path in paths if path.name.endswith(self._suffix)]
            found = [(-path.stat().st_mtime, id) for path, id in named if _ID.fullmatch(id)]
        return [id for _, id in sorted(found)]

    def delete(self, id: str) -> None:
        """Delete a file. Raises UnknownNameError when there is none of that id."""
        path = self._path(id)
        with self._disk("delete"):
            path.unlink()
        audit_log.note(f"{self._what}.delete", id, at=self._folder.parent)

    def _path(self, id: str) -> Path:
        path = self._folder / f"{id}{self._suffix}"
        if not _ID.fullmatch(id) or not path.is_file():
            raise UnknownNameError(f"{self._what} {id[:8]!r} is not stored here. Create it again, or choose another.")
        return path

    @contextmanager
    def _disk(self, to_do: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise StoreError(
                f"Could not {to_do} a {self._what} in {self._folder}: {reason(error)}. Free some space, or make the folder writable."
            ) from None
