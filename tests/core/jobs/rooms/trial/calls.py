"""Made-up work that is no analysis."""

import os
import threading
import time
from pathlib import Path

from hemcore.datasets.shelf.memory_bound import bounded
from hemcore.errors import HemError
from hemcore.jobs import Progress


def written(path: str, text: str, *, progress: Progress) -> Path:
    progress(0.5, "writing")
    Path(path).write_text(text)
    return Path(path)


def store_named(*, progress: Progress) -> str | None:
    return os.environ.get("HEM_DATA_DIR")


def many_bytes(n: int, *, progress: Progress) -> bytes:
    return os.urandom(n)


def refused(*, progress: Progress) -> None:
    raise HemError("path: there is no such folder. Make it.")


def aborted(after: bool, *, progress: Progress) -> None:
    """End as a library in C++ does that is refused memory while an upload is read, or after that."""
    with bounded(10 << 20, "f.csv"):
        progress(0.5, "reading")
        time.sleep(0.2)
        if not after:
            os.abort()
    time.sleep(0.2)
    os.abort()


def locked(*, progress: Progress) -> object:
    return threading.Lock()


def noted(path: str, name: str, seconds: float, *, progress: Progress) -> str:
    """Append `name` to a file when it begins, then be busy."""
    with Path(path).open("a") as file:
        file.write(f"{name}\n")
    time.sleep(seconds)
    return name
