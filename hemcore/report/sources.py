"""Where a report's answers come from: datasets by name and hash, and the versions of what computed them."""

import platform
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from hemcore.datasets.shelf import library
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
    try:
        store = DatasetStore(root)
        entry = next((each for each in library.entries(store) if each.id == dataset), None)
        if entry is None:
            return Source(id=dataset, name=name or dataset)
        called = name or entry.name
        if entry.bundled:
            return Source(id=dataset, name=called, files=("bundled with HEM Workbench",))
        return Source(id=dataset, name=called, sha256=dataset, files=store.record(dataset).source_names)
    except HemError:
        return Source(id=dataset, name=name or dataset)


def namer(root: Path | None = None) -> Callable[[str], str]:
    """Gives the name of a dataset by its id."""
    return lambda dataset: source_of(dataset, root=root).name


def versions() -> list[str]:
    """What this process computes with: "numpy 2.4.6"."""
    found = [f"Python {platform.python_version()}"]
    for name, called in (("hem-workbench", "HEM Workbench"), *((each, each) for each in _PACKAGES)):
        try:
            found.append(f"{called} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            continue  # run from its folder, or not needed
    return found
