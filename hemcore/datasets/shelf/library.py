"""Datasets by id, wherever they are: the bundled samples ("sample-NAME") and the store (SHA-256)."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from hemcore.datasets.readers.uploaded_files import UploadedFile, files_id
from hemcore.datasets.shelf import samples
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.datasets.tables.kinds import Table

SAMPLE_PREFIX = "sample-"


@dataclass(frozen=True)
class Entry:
    """A dataset that a page can choose: its id, its name, its kind (the name of its table type) and whether it is bundled."""

    id: str
    name: str
    kind: str
    bundled: bool

    @property
    def label(self) -> str:
        """The name with what distinguishes it from others of that name; links carry it."""
        return f"{self.name} · {'sample' if self.bundled else self.id[:8]}"


def entries(store: DatasetStore, kind: str | None = None) -> list[Entry]:
    """Every dataset, uploads first (newest first), of one kind or of all. Empty only where no sample is of that kind."""
    uploaded = [Entry(record.id, record.name, record.kind, False) for record in store.records()]
    bundled = [Entry(f"{SAMPLE_PREFIX}{name}", samples.title(name), samples.kind(name), True) for name in samples.names()]
    return [entry for entry in (*uploaded, *bundled) if kind is None or entry.kind == kind]


def load(dataset_id: str, root: Path | None = None) -> Table:
    """The table of `dataset_id`; `root` is the store's folder (default: as DatasetStore's).

    Raises UnknownNameError when there is none of that id, ReadError when its files are damaged.
    """
    if dataset_id.startswith(SAMPLE_PREFIX):
        return samples.load(dataset_id.removeprefix(SAMPLE_PREFIX))
    return DatasetStore(root).load(dataset_id)


def fingerprint(dataset_id: str, root: Path | None = None) -> str:
    """The SHA-256 (64 hex digits) by which a report names the data: of a stored dataset its id, of a sample that of its files.

    A sample's is over the names and the bytes of its files, taken once a process. Raises as load does.
    """
    if dataset_id.startswith(SAMPLE_PREFIX):
        return _fingerprint_of_sample(dataset_id.removeprefix(SAMPLE_PREFIX))
    return DatasetStore(root).record(dataset_id).id


@cache
def _fingerprint_of_sample(name: str) -> str:
    return files_id([UploadedFile(path.name, path.read_bytes()) for path in samples.files(name)])
