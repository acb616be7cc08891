"""Trained models beside the datasets of the store: <root>/models/<SHA-256 of the file>.npz."""

import errno
import hashlib
import os
import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hemcore.datasets.shelf.store import DatasetStore
from hemcore.errors import HemError, StoreError, UnknownNameError
from hemcore.mpx.learned.model import TrainedModel, load_model

_ID = re.compile(r"[0-9a-f]{64}")


class ModelShelf:
    """The models of a store; the id of one is the sum of its file, which is checked at each load. root: default: as DatasetStore's."""

    def __init__(self, root: Path | None = None) -> None:
        self._folder = DatasetStore(root).root / "models"
        with self._disk("make the folder"):
            self._folder.mkdir(exist_ok=True)

    def keep(self, model: TrainedModel) -> str:
        """Keep `model`; gives its id. The same model is kept once. Raises StoreError when the disk is full or not writable."""
        content = model.to_bytes()
        id = hashlib.sha256(content).hexdigest()
        path = self._folder / f"{id}.npz"
        with self._disk("keep the model"):
            if path.exists() and hashlib.sha256(path.read_bytes()).hexdigest() == id:
                return id
            partial = self._folder / f"{uuid.uuid4().hex}.partial"
            try:
                with partial.open("wb") as file:
                    file.write(content)
                    file.flush()
                    os.fsync(file.fileno())
                partial.replace(path)
            finally:
                partial.unlink(missing_ok=True)
        return id

    def load(self, id: str) -> TrainedModel:
        """The model `id`. Raises UnknownNameError when there is none, StoreError when its file is damaged."""
        path = self._folder / f"{id}.npz"
        if not _ID.fullmatch(id) or not path.exists():
            raise UnknownNameError(f"model {id[:8]!r} is not kept here. Train it again, or choose another.")
        with self._disk("read the model"):
            content = path.read_bytes()
        if hashlib.sha256(content).hexdigest() != id:
            raise StoreError(f"model {id[:8]}: its file is damaged. Train it again.")
        return load_model(content)

    def ids(self) -> list[str]:
        """Every model, the one kept last first; empty where none is."""
        with self._disk("list the models"):
            found = [(path.stat().st_mtime, path.stem) for path in self._folder.glob("*.npz") if _ID.fullmatch(path.stem)]
        return [id for _, id in sorted(found, reverse=True)]

    def offered(self, events: list[str]) -> dict[str, TrainedModel]:
        """The models by id that a series of these events can be given to, the one kept last first; damaged ones are left out."""
        found = {}
        for id in self.ids():
            try:
                model = self.load(id)
            except HemError:
                continue
            if model.fits(events):
                found[id] = model
        return found

    def delete(self, id: str) -> None:
        """Take a model away. Raises UnknownNameError when there is none of that id."""
        path = self._folder / f"{id}.npz"
        if not _ID.fullmatch(id) or not path.exists():
            raise UnknownNameError(f"model {id[:8]!r} is not kept here.")
        with self._disk("delete the model"):
            path.unlink()

    @contextmanager
    def _disk(self, to_do: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            full = "the disk is full" if error.errno == errno.ENOSPC else error.strerror or str(error)
            raise StoreError(f"Could not {to_do} in {self._folder}: {full}. Free some space, or make the folder writable.") from None
