"""How much one owner, and the whole store, may hold; asked before work begins, and again under a lock when a dataset goes on the shelf.

HEM_MAX_GB_PER_OWNER, HEM_MAX_DATASETS_PER_OWNER; HEM_MAX_GB, HEM_MAX_DATASETS (all owners together); without a number, no limit
"""

import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock

from hemcore.datasets.owners import whose
from hemcore.errors import ParameterError, StoreError

_GB = 1e9
_INCOMING = "incoming"


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


def used(root: Path, skip: Collection[str] = ()) -> int:
    """The bytes under `root` but for folders named in `skip`, each file as if no other owner had it; 0 without the folder."""
    return sum(found.st_size for found in _files(root, skip))


def held(base: Path, skip: Collection[str] = ()) -> int:
    """The bytes of every owner of the store, what several have counted once; but for folders named in `skip`."""
    return sum({(found.st_dev, found.st_ino): found.st_size for found in _files(base / whose.OWNERS, skip)}.values())


def check_room(root: Path, more: int = 0, *, incoming: bool = False) -> None:
    """Raise StoreError if the owner whose store `root` is may not add a dataset of about `more` bytes; never for one user's store.

    incoming: count what is on its way, too, as before another upload is taken.
    """
    if not whose.key_at(root):
        return
    base = whose.base_at(root)
    most, most_in_all = limit("HEM_MAX_GB_PER_OWNER"), limit("HEM_MAX_GB")
    most_datasets, most_datasets_in_all = limit("HEM_MAX_DATASETS_PER_OWNER"), limit("HEM_MAX_DATASETS")
    if most_datasets < float("inf") and (count := _datasets(root)) >= most_datasets:
        raise StoreError(f"You have {count:,} datasets; {most_datasets:,.0f} are allowed. Delete some on the Data page, and try again.")
    if most_datasets_in_all < float("inf"):
        count = sum(_datasets(each) for each in (base / whose.OWNERS).iterdir())
        if count >= most_datasets_in_all:
            raise StoreError(
                f"This server has {count:,} datasets of everyone; {most_datasets_in_all:,.0f} are allowed. Delete some on the Data page, or"
                " ask your administrator, who can raise HEM_MAX_DATASETS."
            )
    skip = () if incoming else (_INCOMING,)
    if most < float("inf") and (own := used(root, skip)) + more > most * _GB:
        own -= _drop_answers(root, own + more - most * _GB)
    if most < float("inf") and own + more > most * _GB:
        raise StoreError(
            f"You use {own / _GB:.2f} GB of {most:g} GB, and this would add {more / _GB:.2f} GB. Delete datasets on the Data page (their"
            " space is free after a day), or ask your administrator for more."
        )
    if most_in_all < float("inf") and (all_ := held(base, skip)) + more > most_in_all * _GB:
        all_ -= _drop_answers(root, all_ + more - most_in_all * _GB)
    if most_in_all < float("inf") and all_ + more > most_in_all * _GB:
        raise StoreError(
            f"This server holds {all_ / _GB:.2f} GB of {most_in_all:g} GB for everyone, and this would add {more / _GB:.2f} GB. Ask your"
            " administrator, who can raise HEM_MAX_GB."
        )


@contextmanager
def room_for(root: Path, folder: Path | None = None) -> Iterator[None]:
    """`check_room` for what is in `folder`, to be moved to the shelf inside: until then no server of this store adds anything.

    folder: None where the bytes are counted already.
    """
    if not whose.key_at(root):
        yield
        return
    with FileLock(whose.base_at(root) / "limits.lock", mode=0o600):
        check_room(root, 0 if folder is None else used(folder))
        yield


def _drop_answers(root: Path, bytes_: float) -> int:
    """Remove filed answers of the owner, which can be computed again, until so many bytes are free; how many were."""
    gone, folder = 0, root / "answers"
    with suppress(OSError):  # another server may drop them too
        for path in sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime):
            if gone < bytes_:
                size = path.stat().st_size
                path.unlink()
                gone += size
    return gone


def _datasets(root: Path) -> int:
    return sum(1 for _ in (root / "datasets").iterdir()) if (root / "datasets").is_dir() else 0


def _files(root: Path, skip: Collection[str]) -> Iterator[os.stat_result]:
    """Of each file under `root`, but for folders named in `skip`."""
    for folder, below, names in os.walk(root):
        below[:] = [name for name in below if name not in skip]
        for name in names:
            with suppress(OSError):  # it has just gone
                yield os.stat(os.path.join(folder, name), follow_symlinks=False)
