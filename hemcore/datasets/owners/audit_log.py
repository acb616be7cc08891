"""The log of who did what: <base>/audit/audit.jsonl, one JSON object per line, only ever appended to; no contents, no names of data.

    {"when": "2026-11-25T09:30:00.123+00:00", "who": "<owner's key>", "what": "dataset.add", "which": "<id>", "source": "192.0.2.7"}

Above 8 MiB it becomes audit-<time>.jsonl and a new one begins.
"""

import json
import logging
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import Path

from hemcore.datasets.owners import whose

MOST_BYTES = 8 * 2**20
logger = logging.getLogger(__name__)
# Where whoever asks now comes from; the server tells: by a function for its sessions, for a request of a program in its thread.
source_here: Callable[[], str] = lambda: ""  # noqa: E731
source_of_request: ContextVar[str] = ContextVar("hem_source_of_request", default="")


def note(what: str, which: str = "", *, at: Path | None = None, who: str | None = None, source: str | None = None) -> None:
    """Append a line. at: a folder of the store, or an owner's in it (default: of whoever asks); one user's store has no log.

    A disk that does not take it is written to the server's own log: work does not stop for it.
    """
    if at is None and not whose.has_owners():
        return
    root = whose.folder() if at is None else at
    owner = whose.key_at(root) if who is None else who
    if not owner:
        return
    when = datetime.now(UTC).isoformat(timespec="milliseconds")
    line = {
        "when": when,
        "who": owner,
        "what": what,
        "which": which,
        "source": source_of_request.get() or source_here() if source is None else source,
    }
    try:
        _append(whose.base_at(root) / "audit", json.dumps(line) + "\n")
    except OSError as error:
        logger.error("audit: %s %s could not be written: %s", what, which, error.strerror)


def lines(base: Path) -> Iterator[dict[str, str]]:
    """Every line, the oldest first; those that cannot be read are left out."""
    folder = base / "audit"
    rotated = sorted(folder.glob("audit-*.jsonl")) if folder.is_dir() else []
    for path in (*rotated, folder / "audit.jsonl"):
        if path.is_file():
            yield from _read(path.read_text(encoding="utf-8", errors="replace").splitlines())


def last(base: Path, most: int) -> list[dict[str, str]]:
    """The last lines of the file that is written now, at most `most`, the oldest first; empty without one."""
    path = base / "audit" / "audit.jsonl"
    kept = deque(path.read_text(encoding="utf-8", errors="replace").splitlines(), most) if path.is_file() else ()
    return list(_read(kept))


def _read(kept: Iterable[str]) -> Iterator[dict[str, str]]:
    for line in kept:
        with suppress(ValueError, TypeError):
            yield dict(json.loads(line))


def _append(folder: Path, line: str) -> None:
    from filelock import FileLock

    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / "audit.jsonl"
    with FileLock(folder / "lock", mode=0o600):
        if path.exists() and path.stat().st_size > MOST_BYTES:
            os.rename(path, folder / f"audit-{datetime.now(UTC):%Y%m%dT%H%M%S%f}.jsonl")
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(handle, line.encode())
        finally:
            os.close(handle)
