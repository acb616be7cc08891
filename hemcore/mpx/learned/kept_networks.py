"""Trained models beside the datasets of the store: <root>/models/<SHA-256 of the file>.npz."""

from pathlib import Path

from hemcore.datasets.shelf.kept_files import KeptFiles
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.mpx.learned.network import TrainedModel, load_model


class ModelShelf:
    """The models of a store; the id of one is the sum of its file, which is checked at each load. root: default: as DatasetStore's."""

    def __init__(self, root: Path | None = None) -> None:
        self._files = KeptFiles(DatasetStore(root).root / "models", ".npz", "model")

    def keep(self, model: TrainedModel) -> str:
        """Keep `model`; gives its id. The same model is kept once. Raises StoreError when the disk is full or not writable."""
        return self._files.keep(model.to_bytes())

    def load(self, id: str) -> TrainedModel:
        """The model `id`. Raises UnknownNameError if there is none, StoreError when its file is damaged."""
        return load_model(self._files.load(id))

    def ids(self) -> list[str]:
        """Every model, the one kept last first; empty where none is."""
        return self._files.ids()

    def delete(self, id: str) -> None:
        """Take a model away. Raises UnknownNameError if there is none of that id."""
        self._files.delete(id)
