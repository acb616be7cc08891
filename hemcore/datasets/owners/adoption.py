"""One user's store becomes a team's: what is there gets an owner, the first who signs in or everyone (HEM_ADOPT=everyone).

    <base>/adoption.json       who gets it; written first, removed last

Each thing moves by one rename, and what was moved is not moved again: killed at any step, the next start goes on, and nothing is lost.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path

from filelock import FileLock

from hemcore.datasets.owners import people, whose
from hemcore.datasets.shelf.durable import put_in_place, reason, sync
from hemcore.errors import StoreError

_PLAN = "adoption.json"
# What has an owner, and how deep its things lie: what is being written, and results of jobs, die with the server that had them.
_FOLDERS = ("datasets", "deleted", "reports/deleted", "reports", "models", "answers")
_NOT_THINGS = ("lock", "deleted")


def adopt(key: str, base: Path | None = None) -> int:
    """Give what one user had in the store to the owner `key`, or to everyone; returns how many things moved, 0 when there is nothing.

    The owner who is named in adoption.json gets it, if an earlier start was killed. Raises StoreError if the disk does not do it.
    """
    root = whose.base() if base is None else base
    if not (root / _PLAN).exists() and not any(_things(root)):
        return 0
    try:
        with FileLock(root / f"{_PLAN}.lock", mode=0o600):
            target = _planned(root) or _plan(root, people.EVERYONE if os.environ.get("HEM_ADOPT") == "everyone" else key)
            if target == people.EVERYONE:
                people.signed_in(target, name="Everyone", email="", groups=(), base=root)
            moved = _move(root, whose.folder_of(target, root))
            (root / _PLAN).unlink()
    except OSError as error:
        raise StoreError(
            f"The datasets in {root} could not be given to an owner: {reason(error)}. Nothing is lost; the next sign-in tries again."
        ) from None
    return moved


def _planned(root: Path) -> str:
    try:
        return str(json.loads((root / _PLAN).read_bytes())["owner"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def _plan(root: Path, key: str) -> str:
    put_in_place(root / _PLAN, json.dumps({"owner": key}).encode())
    return key


def _things(root: Path) -> Iterator[Path]:
    for name in _FOLDERS:
        folder = root / name
        if folder.is_dir():
            yield from sorted(each for each in folder.iterdir() if each.name not in _NOT_THINGS and not each.name.endswith(".partial"))


def _move(root: Path, owner: Path) -> int:
    moved = 0
    for thing in list(_things(root)):
        to = owner / thing.relative_to(root)
        if to.exists():  # the owner has uploaded the same bytes: what was there is put aside, in case its name matters
            to = root / "duplicates" / thing.relative_to(root)
        to.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.rename(thing, to)
        sync(to.parent)
        sync(thing.parent)
        moved += 1
    return moved
