"""What several owners have is stored once: their files are one file of the disk, under <base>/contents/<SHA-256>.

Nobody is told: an upload is read and written like any other, then its files are replaced by those that are there. Where the disk knows no
hard links, each owner has a file.
"""

import hashlib
import os
import uuid
from contextlib import suppress
from pathlib import Path

CONTENTS = "contents"


def store_once(folder: Path, base: Path) -> None:
    """Have the tables' files in `folder`, which nobody sees yet, stored once for the whole store, where the disk can."""
    place = base / CONTENTS
    with suppress(OSError):
        place.mkdir(mode=0o700, exist_ok=True)
        for path in folder.glob("*.parquet"):
            known = place / _digest(path)
            if known.exists() and _digest(known) != known.name:  # damaged on the disk: whole again from here on
                known.unlink()
            with suppress(FileExistsError):
                os.link(path, known)
            other = folder / f"{uuid.uuid4().hex}.partial"
            os.link(known, other)
            os.replace(other, path)
            other.unlink(missing_ok=True)  # a rename to another name of the same file does nothing


def copy_folder(source: Path, target: Path) -> None:
    """The files of `source` in the new folder `target`, without a second copy of them where the disk can. Raises OSError."""
    target.mkdir(mode=0o700)
    for path in source.iterdir():
        try:
            os.link(path, target / path.name)
        except OSError:
            (target / path.name).write_bytes(path.read_bytes())


def sweep(base: Path) -> int:
    """Remove what no owner has any more; how many files."""
    gone = 0
    with suppress(OSError):
        for path in (base / CONTENTS).iterdir():
            with suppress(OSError):
                if path.stat().st_nlink == 1:
                    path.unlink()
                    gone += 1
    return gone


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
