"""The sources of a report: datasets by name and hash, and software versions."""

import platform
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import hemcore
from hemcore.datasets.shelf import library
from hemcore.datasets.shelf.records import DatasetRecord
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.errors import HemError

_PACKAGES = ("numpy", "pandas", "scipy", "numba", "pyarrow", "plotly")


@dataclass(frozen=True, kw_only=True)
class Source:
    """The origin of a dataset. sha256: of the uploaded bytes, "" = unknown. made_from: how it was computed from another dataset."""

    id: str
    name: str
    sha256: str = ""
    files: tuple[str, ...] = ()
    made_from: str = ""


def source_of(dataset: str, name: str = "", root: Path | None = None) -> Source:
    """The source of the dataset with the id `dataset`; name: its name (default: that on the shelf). Never raises HemError."""
    called = name or namer(root)(dataset)
    try:
        sha256 = library.fingerprint(dataset, root)
        if dataset.startswith(library.SAMPLE_PREFIX):
            return Source(id=dataset, name=called, sha256=sha256, files=("bundled with HEM Workbench",))
        record = DatasetStore(root).record(library.base_id(dataset))
        return Source(id=dataset, name=called, sha256=sha256, files=record.source_names, made_from=_made_from(record))
    except HemError:
        return Source(id=dataset, name=called)


def _made_from(record: DatasetRecord) -> str:
    lineage = record.lineage
    if lineage is None:
        return ""
    params = ", ".join(f"{name} {value}" for name, value in lineage.params.items())
    parent = f"{lineage.parent_name or 'the dataset'} ({lineage.parent})"
    return f"{lineage.gives} of {lineage.analysis} with {params or 'no parameters'}, on {parent}, version {lineage.version}"


def namer(root: Path | None = None) -> Callable[[str], str]:
    """A function from the id of a dataset to its name; to the start of the id if it is not on the shelf."""

    def name(dataset: str) -> str:
        try:
            known = {entry.id: entry.name for entry in library.entries(DatasetStore(root))}
        except HemError:
            known = {}
        base = library.base_id(dataset)
        return library.name_at(known.get(base, base[:24]), dataset)

    return name


def versions() -> list[str]:
    """The versions of HEM Workbench, Python and the main packages: "numpy 2.4.6"."""
    found = [f"HEM Workbench {hemcore.__version__}", f"Python {platform.python_version()}"]
    for name in _PACKAGES:
        try:
            found.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            continue  # not installed
    return found
