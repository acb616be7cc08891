"""How much work one owner, and the whole server, may have done: jobs at once, processor seconds a day, rows a job; asked before it begins.

HEM_MAX_JOBS_PER_OWNER, HEM_MAX_PROCESSOR_SECONDS_PER_OWNER, HEM_MAX_ROWS_PER_JOB; HEM_MAX_JOBS, HEM_MAX_PROCESSOR_SECONDS (all owners)

    <owner's folder>/running/<n>.lock, <base>/running/<n>.lock      held by the server process that runs the n-th job; free when it dies
    <owner's folder>/processor.json, <base>/processor.json          {"day": "2026-11-25", "seconds": 12.5}, UTC
"""

import json
from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout

from hemcore.datasets.owners import whose
from hemcore.datasets.owners.limits import limit
from hemcore.datasets.shelf.durable import put_in_place, reason
from hemcore.errors import HemError, StoreError

_SPENT = "processor.json"


def begin(root: Path, *, seconds: float | None = None, rows: int = 0) -> Callable[[], None]:
    """Take the place of one more job of the owner whose store `root` is; returns what gives it back. One user's store has no limits.

    seconds: about how long it takes; rows: of its dataset. Raises HemError, a sentence, if it may not begin, and as the store does.
    """
    if not whose.key_at(root):
        return lambda: None
    most_rows = limit("HEM_MAX_ROWS_PER_JOB")
    if rows > most_rows:
        raise HemError(
            f"This dataset has {rows:,} rows; a job may have {most_rows:,.0f}. Choose fewer, by a part or a level of it, or ask your"
            " administrator, who can raise HEM_MAX_ROWS_PER_JOB."
        )
    _check_processor(root, "HEM_MAX_PROCESSOR_SECONDS_PER_OWNER", seconds or 0.0, "You have")
    _check_processor(whose.base_at(root), "HEM_MAX_PROCESSOR_SECONDS", seconds or 0.0, "Everyone together has")
    with ExitStack() as places:
        if not _take(places, root, "HEM_MAX_JOBS_PER_OWNER"):
            most = limit("HEM_MAX_JOBS_PER_OWNER")
            raise HemError(
                f"You have {most:g} jobs that are not done; {most:g} are allowed. Wait for one, or cancel one in the list of jobs."
            )
        if not _take(places, whose.base_at(root), "HEM_MAX_JOBS"):
            most = limit("HEM_MAX_JOBS")
            raise HemError(f"This server has {most:g} jobs of everyone that are not done; {most:g} are allowed. Try again in a while.")
        held = places.pop_all()
    return held.close


def spend(root: Path, seconds: float) -> None:
    """Note that workers spent processor seconds on a job of the owner whose store `root` is. Raises OSError."""
    for folder in (root, whose.base_at(root)) if whose.key_at(root) and seconds > 0 else ():
        with FileLock(folder / f"{_SPENT}.lock", mode=0o600):
            put_in_place(folder / _SPENT, json.dumps({"day": _today(), "seconds": spent(folder) + seconds}).encode())


def spent(folder: Path) -> float:
    """The processor seconds of today, of the owner whose folder it is, or of everyone; 0 before the first."""
    try:
        found = dict(json.loads((folder / _SPENT).read_bytes()))
        return float(found["seconds"]) if found["day"] == _today() else 0.0
    except (OSError, ValueError, KeyError, TypeError):
        return 0.0


def _check_processor(folder: Path, name: str, seconds: float, who: str) -> None:
    most = limit(name)
    if most == float("inf") or (now := spent(folder)) + seconds <= most:
        return
    more = f", and this takes about {seconds:,.0f} s" if seconds >= 1 else ""
    raise HemError(
        f"{who} used {now:,.0f} s of processor time today; {most:,.0f} s are allowed{more}. The count begins anew at 00:00 UTC: wait until"
        f" then, or ask your administrator, who can raise {name}."
    )


def _take(places: ExitStack, folder: Path, name: str) -> bool:
    """Whether one of the places of `folder` was free; then it is held until `places` is closed."""
    most = limit(name)
    if most == float("inf"):
        return True
    try:
        (folder / "running").mkdir(mode=0o700, exist_ok=True)
        for number in range(int(most)):
            lock = FileLock(folder / "running" / f"{number}.lock", timeout=0, mode=0o600, thread_local=False)
            try:
                lock.acquire()
            except Timeout:
                continue
            places.callback(lock.release)
            return True
    except OSError as error:
        raise StoreError(f"The job could not be counted in {folder}: {reason(error)}. Is the folder writable?") from None
    return False


def _today() -> str:
    return f"{datetime.now(UTC):%Y-%m-%d}"
