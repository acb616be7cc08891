"""Whose shelf: the folder of the store that this thread works in.

    <base>/...                  one user's store
    <base>/owners/<key>/...     an owner's store on a team's server, laid out as one user's

A team's server tells by `serve_owners` who asks; then nobody who is not signed in has a folder. A worker is given the folder with its task.
"""

import hashlib
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from platformdirs import user_data_path

OWNERS = "owners"
_KEY = re.compile(r"[0-9a-f]{32}")
_within: ContextVar[Path | None] = ContextVar("hem_store_folder", default=None)
_key_of_asker: Callable[[], str] | None = None


def key_of(issuer: str, subject: str) -> str:
    """32 hex digits that name the owner `subject` of the provider `issuer`, and nothing of the name."""
    return hashlib.sha256(f"{issuer}\n{subject}".encode()).hexdigest()[:32]


def serve_owners(key_of_asker: Callable[[], str] | None) -> None:
    """From now on every default store of this process is that of the owner whose key `key_of_asker` returns; it raises HemError without
    one. None: one user again."""
    global _key_of_asker
    _key_of_asker = key_of_asker


def has_owners() -> bool:
    """Whether this process serves owners."""
    return _key_of_asker is not None


def base() -> Path:
    """The folder of the whole store: HEM_DATA_DIR, else the platform's user data folder."""
    named = os.environ.get("HEM_DATA_DIR")
    return Path(named) if named else user_data_path("hem-workbench")


def folder() -> Path:
    """The folder of the store for whoever asks now. Raises what the server's question raises if no one is signed in."""
    inside = _within.get()
    if inside is not None:
        return inside
    return base() if _key_of_asker is None else folder_of(_key_of_asker())


def folder_of(key: str, of: Path | None = None) -> Path:
    """The folder of the owner `key` in the store `of` (default: `base`). Raises ValueError for anything but a key."""
    if not _KEY.fullmatch(key):
        raise ValueError(f"{key[:40]!r} is not the key of an owner")
    return (base() if of is None else of) / OWNERS / key


def key_here() -> str:
    """The key of whoever asks now; "" where one user has all. Raises as `folder` does."""
    return key_at(folder())


def key_at(root: Path) -> str:
    """The key of the owner whose store `root` is; "" for one user's."""
    return root.name if root.parent.name == OWNERS and _KEY.fullmatch(root.name) else ""


def base_at(root: Path) -> Path:
    """The folder of the whole store that `root` belongs to."""
    return root.parent.parent if key_at(root) else root


@contextmanager
def within(root: Path | None) -> Iterator[None]:
    """Inside, this thread's default store is `root`; None: no change."""
    token = _within.set(root if root is not None else _within.get())
    try:
        yield
    finally:
        _within.reset(token)
