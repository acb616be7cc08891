"""Datasets, reports and models of a team's store that no one opens go after HEM_KEEP_DAYS, a week after a first warning; pinned ones stay.

    <owner's folder>/retention.json     {"pinned": [id, ...], "due": {id: "2026-12-02", ...}}

Opened last: the time of the dataset's folder, set when its table is loaded, or of the report's file. A model's file keeps its time, by
which models are listed: for it the last reading counts. Deleted is as by its owner: a dataset can be restored for a day, a report too, a
model cannot.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypedDict

from filelock import FileLock, Timeout

from hemcore.datasets.owners import audit_log, contents, limits, whose
from hemcore.datasets.shelf.durable import disk, put_in_place
from hemcore.datasets.shelf.kept_files import KeptFiles
from hemcore.datasets.shelf.opened import set_opened
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.errors import HemError

KEEP_DAYS = "HEM_KEEP_DAYS"
WARNING_DAYS = 7
_FILE, _DAILY = "retention.json", "daily.json"
_DAY_S = 86_400.0
DeleteReport = Callable[[Path, str], None]  # of the owner whose store the folder is


class _State(TypedDict):
    pinned: list[str]
    due: dict[str, str]


def applies() -> bool:
    """Whether anything goes at all. Raises ParameterError for a HEM_KEEP_DAYS that is no number."""
    return limits.limit(KEEP_DAYS) < float("inf")


def due(root: Path) -> Mapping[str, str]:
    """The ids of what will be deleted of the owner's, unless it is opened or pinned, with the day: "2026-12-02"."""
    if not whose.key_at(root) or not applies():
        return {}
    state, there = _read(root), dict(_things(root))
    return {id: day for id, day in state["due"].items() if id in there and _is_old(there[id], time.time()) and id not in state["pinned"]}


def pinned(root: Path) -> list[str]:
    """The ids that stay."""
    return _read(root)["pinned"]


def pin(root: Path, id: str, stays: bool) -> None:
    """Have the dataset, report or model stay, or no longer. Raises StoreError when the disk does not take it."""
    with disk(root, "pin it"), FileLock(root / f"{_FILE}.lock", mode=0o600):
        state = _read(root)
        state["pinned"] = sorted({*state["pinned"], id} if stays else {*state["pinned"]} - {id})
        _write(root, state)
        kinds = [_what(path) for known, path in _things(root) if known == id]
    audit_log.note(f"{kinds[0] if kinds else 'dataset'}.{'pin' if stays else 'unpin'}", id, at=root)


def daily(base: Path, delete_report: DeleteReport, now: datetime | None = None) -> bool:
    """What a team's server does once a day, whichever of its processes comes first; whether this one did it now."""
    now = datetime.now(UTC) if now is None else now
    with suppress(Timeout), FileLock(base / f"{_DAILY}.lock", timeout=0, mode=0o600):
        if last_daily(base) == f"{now:%Y-%m-%d}":
            return False
        owners = base / whose.OWNERS
        for root in sorted(owners.iterdir()) if owners.is_dir() else ():
            with suppress(HemError, OSError):  # the next owner's turn, and tomorrow again this one's
                if whose.key_at(root):
                    delete_due(root, delete_report, now)
        swept = contents.sweep(base)
        put_in_place(base / _DAILY, json.dumps({"day": f"{now:%Y-%m-%d}", "swept": swept}).encode())
        return True
    return False


def last_daily(base: Path) -> str:
    """The day on which `daily` was last done: "2026-12-02"; "" before the first."""
    try:
        return str(json.loads((base / _DAILY).read_bytes())["day"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def delete_due(root: Path, delete_report: DeleteReport, now: datetime) -> list[str]:
    """Delete what is due, and note what will be; the ids of the deleted."""
    store, gone = DatasetStore(root), []  # this also clears what was deleted long ago
    if not applies():
        return []
    with FileLock(root / f"{_FILE}.lock", mode=0o600):
        state, there = _read(root), dict(_things(root))
        warned = {id: day for id, day in state["due"].items() if id in there}
        state["pinned"], state["due"] = [id for id in state["pinned"] if id in there], {}
        for id in sorted(set(there) - set(state["pinned"])):
            path = there[id]
            if not _is_old(path, now.timestamp()):
                continue
            day = warned.get(id) or _due_day(path, now)
            if day > f"{now:%Y-%m-%d}":
                state["due"][id] = day
                continue
            token = audit_log.source_of_request.set("retention")
            try:
                match _what(path):
                    case "dataset":
                        store.delete(id)
                    case "report":
                        delete_report(root, id)
                    case "model":
                        KeptFiles(path.parent, path.name.removeprefix(id), "model").delete(id)
            finally:
                audit_log.source_of_request.reset(token)
            gone.append(id)
        _write(root, state)
    return gone


def touch(store: DatasetStore, id: str) -> None:
    """Note that the dataset was opened."""
    with suppress(HemError, OSError):  # there is none, or it is not ours
        set_opened(store.folder(id), store.root)


def _things(root: Path) -> Iterator[tuple[str, Path]]:
    """What an owner has by id: the folder of each dataset, the file of each report and model."""
    yield from ((folder.name, folder) for folder in (root / "datasets").glob("*"))
    yield from ((path.stem, path) for path in (root / "reports").glob("*.json"))
    yield from ((path.name.partition(".")[0], path) for path in (root / "models").glob("*.npz"))


def _what(path: Path) -> str:
    return path.parent.name.removesuffix("s")


def _opened(path: Path) -> float:
    found = path.stat()
    return max(found.st_mtime, found.st_atime) if _what(path) == "model" else found.st_mtime


def _is_old(path: Path, now: float) -> bool:
    """Whether it will go in a week, or should have gone."""
    try:
        return now - _opened(path) >= (limits.limit(KEEP_DAYS) - WARNING_DAYS) * _DAY_S
    except FileNotFoundError:
        return False


def _due_day(path: Path, now: datetime) -> str:
    """The day on which it goes: after HEM_KEEP_DAYS, and a week after today at the earliest."""
    opened = datetime.fromtimestamp(_opened(path), UTC)
    return f"{max(opened + timedelta(limits.limit(KEEP_DAYS)), now + timedelta(WARNING_DAYS)):%Y-%m-%d}"


def _read(root: Path) -> _State:
    try:
        found = json.loads((root / _FILE).read_bytes())
        return {"pinned": list(map(str, found["pinned"])), "due": {str(id): str(day) for id, day in found["due"].items()}}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {"pinned": [], "due": {}}


def _write(root: Path, state: _State) -> None:
    put_in_place(root / _FILE, json.dumps(state).encode())
