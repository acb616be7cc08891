"""Where a report's answers come from: datasets by name and hash, and the versions of what computed them."""

import platform
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from hemcore.datasets.shelf import library
from hemcore.datasets.shelf.records import DatasetRecord
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.errors import HemError

_PACKAGES = ("numpy", "pandas", "scipy", "numba", "pyarrow", "plotly")


@dataclass(frozen=True, kw_only=True)
class Source:
    """What is known of a dataset. sha256: of what it was read from, "" = not known. made_from: how it was made of others, in words."""

    id: str
    name: str
    sha256: str = ""
    files: tuple[str, ...] = ()
    made_from: str = ""


def source_of(dataset: str, name: str = "", root: Path | None = None) -> Source:
    """The source of the dataset with the id `dataset`; name: what to call it (default: its name on the shelf). Never raises HemError."""
    called = name or namer(root)(dataset)
    try:
        sha256 = library.fingerprint(dataset, root)
        if dataset.startswith(library.SAMPLE_PREFIX):
            return Source(id=dataset, name=called, sha256=sha256, files=("bundled with HEM Workbench",))
        record = DatasetStore(root).record(dataset)
        return Source(id=dataset, name=called, sha256=sha256, files=record.source_names, made_from=_made_from(record))
    except HemError:
        return Source(id=dataset, name=called)


def _made_from(record: DatasetRecord) -> str:
    made = record.lineage
    if made is None:
        return ""
    params = ", ".join(f"{name} {value}" for name, value in made.params.items())
    parent = f"{made.parent_name or 'the dataset'} ({made.parent})"
    return f"{made.gives} of {made.analysis} with {params or 'no parameters'}, on {parent}, version {made.version}"


def namer(root: Path | None = None) -> Callable[[str], str]:
    """Gives the name of a dataset by its id; the start of the id where it is not on the shelf."""

    def name(dataset: str) -> str:
        try:
            known = {entry.id: entry.name for entry in library.entries(DatasetStore(root))}
        except HemError:
            known = {}
        return known.get(dataset, dataset[:24])

    return name


def versions() -> list[str]:
    """What this process computes with: "numpy 2.4.6"."""
    found = [f"Python {platform.python_version()}"]
    for name, called in (("hem-workbench", "HEM Workbench"), *((each, each) for each in _PACKAGES)):
        try:
            found.append(f"{called} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            continue  # run from its folder, or not needed
    return found
