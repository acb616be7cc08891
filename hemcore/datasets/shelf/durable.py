"""Files that are complete or absent: written under another name, flushed to disk, then renamed."""

import errno
import os
import uuid
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from hemcore.errors import StoreError


def write_durably(path: Path, content: bytes) -> None:
    """Write `content` to `path` and wait until the disk has it. Raises OSError."""
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def put_in_place(path: Path, content: bytes) -> None:
    """The file `path` with `content`, in one step: no reader sees half of it, and its folder lists it after a power cut. Raises OSError."""
    partial = path.parent / f"{path.name}.{uuid.uuid4().hex}.partial"
    try:
        write_durably(partial, content)
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)
    sync(path.parent)


def sync(path: Path) -> None:
    """Wait until the disk has the file or folder `path`. Raises OSError."""
    if os.name == "nt":
        return  # Windows opens no folder
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def reason(error: OSError) -> str:
    """Why the disk did not do it, in words for a sentence: "the disk is full", or what the system says."""
    return "the disk is full" if error.errno == errno.ENOSPC else error.strerror or str(error)


@contextmanager
def disk(root: Path, to_do: str) -> Iterator[None]:
    """An OSError inside as a StoreError that says what could not be done in `root`."""
    try:
        yield
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise StoreError(f"The disk of {root} is full: could not {to_do}. Nothing was lost; free some space and try again.") from None
        raise StoreError(f"Could not {to_do} in {root}: {reason(error)}. Is the folder writable?") from None


def make_private(root: Path, own: Collection[Path], *, alone: Collection[str]) -> None:
    """Make the folders `own`, or close them to everyone else; `root` too, unless it holds more than `alone`, as a home folder does."""
    for folder in own:
        folder.mkdir(parents=True, exist_ok=True)
    ours = {path.name for path in root.iterdir()} <= set(alone)
    for folder in (root, *own) if ours else own:
        if folder.stat().st_mode & 0o077:
            with suppress(PermissionError):  # somebody else's, who shares it
                folder.chmod(0o700)
