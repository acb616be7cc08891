"""Files that are complete or absent: written under another name, flushed to disk, then renamed."""

import errno
import os
import uuid
from pathlib import Path


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
