"""Datasets by id, wherever they are: the bundled samples ("sample-NAME") and the store (SHA-256); "ID@socket" is a series by socket, or
the phases that were kept from it, and "ID@PLACE" are the runs of one place.
"""

from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pyarrow as pa

from hemcore.datasets.importing.tool_totals import runs_at
from hemcore.datasets.readers.uploaded_files import UploadedFile, files_id
from hemcore.datasets.shelf import retention, samples
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.hardware_levels import at_level
from hemcore.datasets.tables.kinds import Table
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import UnknownNameError
from hemcore.events.hardware_tree import MACHINE, TREE

SAMPLE_PREFIX = "sample-"
_LEVEL = "@"


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


def entries(store: DatasetStore, kind: str | Collection[str] | None = None) -> list[Entry]:
    """Every dataset, uploads first (newest first), of one kind, of several or of all. Empty only where no sample is of these."""
    kinds = (kind,) if isinstance(kind, str) else kind
    uploaded = [Entry(record.id, record.name, record.kind, False) for record in store.records()]
    bundled = [Entry(f"{SAMPLE_PREFIX}{name}", samples.title(name), samples.kind(name), True) for name in samples.names()]
    return [entry for entry in (*uploaded, *bundled) if kinds is None or entry.kind in kinds]


def renamed(label: str) -> str | None:
    """The label now of the sample that an earlier version labelled `label`; None if there is none."""
    former = label.removesuffix(" · sample")
    name = None if former == label else samples.renamed(former)
    return None if name is None else Entry(f"{SAMPLE_PREFIX}{name}", samples.title(name), samples.kind(name), True).label


def id_at(dataset_id: str, level: str) -> str:
    """The id under which `load` gives the series `dataset_id` at a level of the machine; "" = as it was read."""
    return f"{base_id(dataset_id)}{_LEVEL}{level}" if level else base_id(dataset_id)


def base_id(dataset_id: str) -> str:
    """The id of the dataset itself, without the level."""
    return dataset_id.partition(_LEVEL)[0]


def level_of(dataset_id: str) -> str:
    """The level that `dataset_id` names; "" = as it was read."""
    return dataset_id.partition(_LEVEL)[2]


def name_at(name: str, dataset_id: str) -> str:
    """`name` with the level of `dataset_id` in words: "name, whole machine", "name by socket", "name: PLACE"."""
    level = level_of(dataset_id)
    if level == MACHINE:
        return f"{name}, whole machine"
    return f"{name} by {level}" if level in TREE else f"{name}: {level}" if level else name


def load(dataset_id: str, root: Path | None = None) -> Table:
    """The table of `dataset_id`, at its level where it names one; `root` is the store's folder (default: as DatasetStore's).

    Raises UnknownNameError when there is none of that id or no such level, ReadError when its files are damaged.
    """
    if level_of(dataset_id):
        return viewed(load(base_id(dataset_id), root), dataset_id)
    if dataset_id.startswith(SAMPLE_PREFIX):
        return samples.load(dataset_id.removeprefix(SAMPLE_PREFIX))
    store = DatasetStore(root)
    retention.touch(store, dataset_id)
    return store.load(dataset_id)


def viewed(whole: Table, dataset_id: str) -> Table:
    """`whole` at the level that `dataset_id` names, of subexperiments the runs of the place; itself where it names none.

    Raises UnknownNameError where `whole` has no such level or place.
    """
    if not (level := level_of(dataset_id)):
        return whole
    if isinstance(whole, Subexperiments) and whole.places is not None:
        return runs_at(whole.places, level).table
    if not isinstance(whole, CounterSeries | PhaseTable):
        raise UnknownNameError(f"level: {level[:40]!r} of a {type(whole).__name__}; only a counter series has levels, and phases of one.")
    return at_level(whole, level)


def find(dataset_id: str, store: DatasetStore) -> None:
    """Raise UnknownNameError if `load` would not find the dataset in `store`; reads no table."""
    id = base_id(dataset_id)
    if id.startswith(SAMPLE_PREFIX):
        samples.title(id.removeprefix(SAMPLE_PREFIX))
    else:
        store.record(id)


def rows(dataset_id: str, root: Path | None = None) -> int:
    """The rows of the stored dataset, in all its parts; 0 for a sample, and where there is none or it is damaged: `load` says so."""
    id = base_id(dataset_id)
    with suppress(UnknownNameError, OSError, pa.ArrowException):
        return 0 if id.startswith(SAMPLE_PREFIX) else DatasetStore(root).rows(id)
    return 0


def name_of(dataset_id: str, root: Path | None = None) -> str:
    """The name that people gave the dataset, or the sample's title. Raises UnknownNameError if there is none of that id."""
    id = base_id(dataset_id)
    if id.startswith(SAMPLE_PREFIX):
        return samples.title(id.removeprefix(SAMPLE_PREFIX))
    return DatasetStore(root).record(id).name


def fingerprint(dataset_id: str, root: Path | None = None) -> str:
    """The SHA-256 (64 hex digits) by which a report names the data: of a stored dataset its id, of a sample that of its files.

    A sample's is over the names and the bytes of its files, taken once a process. Raises as load does.
    """
    dataset_id = base_id(dataset_id)
    if dataset_id.startswith(SAMPLE_PREFIX):
        return _fingerprint_of_sample(dataset_id.removeprefix(SAMPLE_PREFIX))
    return DatasetStore(root).record(dataset_id).id


@cache
def _fingerprint_of_sample(name: str) -> str:
    return files_id([UploadedFile(path.name, path.read_bytes()) for path in samples.files(name)])
