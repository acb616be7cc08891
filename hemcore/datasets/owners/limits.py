"""How much one owner, and the whole store, may hold; asked before work begins. Servers over one store look at the same disk.

HEM_MAX_GB_PER_OWNER, HEM_MAX_DATASETS_PER_OWNER, HEM_MAX_GB (all owners together); without a number, no limit
"""

import os
from pathlib import Path

from hemcore.datasets.owners import whose
from hemcore.errors import ParameterError, StoreError

_GB = 1e9


def limit(name: str) -> float:
    """The number in the environment; infinity without one. Raises ParameterError for what is no number above 0."""
    text = os.environ.get(name, "").strip()
    if not text:
        return float("inf")
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if not found > 0:
        raise ParameterError(f"{name}: {text[:40]!r} is not a number above 0. Correct it, or leave it out for no limit.")
    return found


def used(root: Path) -> int:
    """The bytes under `root`, each file as if no other owner had it; 0 without the folder."""
    total = 0
    for folder, _, names in os.walk(root):
        for name in names:
            try:
                total += os.stat(os.path.join(folder, name), follow_symlinks=False).st_size
            except OSError:
                continue  # it went just now
    return total


def held(base: Path) -> int:
    """The bytes of every owner of the store, what several have counted once."""
    seen: dict[tuple[int, int], int] = {}
    for folder, _, names in os.walk(base / whose.OWNERS):
        for name in names:
            try:
                found = os.stat(os.path.join(folder, name), follow_symlinks=False)
            except OSError:
                continue
            seen[found.st_dev, found.st_ino] = found.st_size
    return sum(seen.values())


def check_room(root: Path, more: int = 0) -> None:
    """Raise StoreError if the owner whose store `root` is may not add a dataset of about `more` bytes; never for one user's store."""
    if not whose.key_at(root):
        return
    most, most_datasets, most_in_all = limit("HEM_MAX_GB_PER_OWNER"), limit("HEM_MAX_DATASETS_PER_OWNER"), limit("HEM_MAX_GB")
    if most_datasets < float("inf"):
        count = sum(1 for _ in (root / "datasets").iterdir()) if (root / "datasets").is_dir() else 0
        if count >= most_datasets:
            raise StoreError(f"You have {count:,} datasets; {most_datasets:,.0f} are allowed. Delete some on the Data page, and try again.")
    if most < float("inf") and (own := used(root)) + more > most * _GB:
        raise StoreError(
            f"You use {own / _GB:.2f} GB of {most:g} GB, and this would add {more / _GB:.2f} GB. Delete datasets on the Data page (their"
            " space is free after a day), or ask your administrator for more."
        )
    if most_in_all < float("inf") and (all_ := held(whose.base_at(root))) + more > most_in_all * _GB:
        raise StoreError(
            f"This server holds {all_ / _GB:.2f} GB of {most_in_all:g} GB for everyone, and this would add {more / _GB:.2f} GB. Ask your"
            " administrator, who can raise HEM_MAX_GB."
        )
