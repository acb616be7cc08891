"""The reports on disk, next to the datasets.

    <root>/reports/<id>.json      <root>/reports/deleted/<id>.json      <root>/reports/lock      held while one is written

A report is written to another file and renamed, so that a partial file is never read.
"""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock

from hemcore.datasets.owners import audit_log, shares
from hemcore.datasets.shelf.durable import put_in_place, sync
from hemcore.datasets.shelf.opened import set_opened
from hemcore.datasets.shelf.remembered import Remembered
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.errors import HemError, StoreError, UnknownNameError
from hemcore.report.report_model import LONGEST_TITLE, MOST_BYTES, Report, ReportItem, report_from_json

_FILE = re.compile(r"([0-9a-f]{32})\.json")


@dataclass(frozen=True, kw_only=True)
class ReportEntry:
    """A report in a list. damaged: why it cannot be read, a sentence; everything else is known only if this is ""."""

    id: str
    title: str = ""
    n_items: int = 0
    created: str = ""
    changed: str = ""
    damaged: str = ""


class ReportShelf:
    """The reports under `root` (default: as DatasetStore's)."""

    def __init__(self, root: Path | None = None) -> None:
        self._root = DatasetStore(root).root
        self._reports = self._root / "reports"
        self._deleted = self._reports / "deleted"
        self._remembered: Remembered[ReportEntry] = Remembered()
        with self._disk("create the folder"):
            self._deleted.mkdir(parents=True, exist_ok=True)

    def entries(self, *, deleted: bool = False) -> list[ReportEntry]:
        """Every report, most recently changed first, damaged ones last. deleted: those that `restore` can bring back."""
        folder = self._deleted if deleted else self._reports
        with self._disk("list the reports"):
            ids = sorted(match[1] for path in folder.iterdir() if (match := _FILE.fullmatch(path.name)))
        found = [self._entry(folder, id) for id in ids]
        if not deleted:
            received = shares.report_shares(self._root).items()
            found += [self._entry(place, id) for id, (place, _) in received if id not in ids and (place / f"{id}.json").is_file()]
        return sorted((each for each in found if each is not None), key=lambda each: each.changed, reverse=True)

    def load(self, id: str) -> Report:
        """The report `id`, one that others share too. Raises UnknownNameError if there is none, StoreError if its file is damaged."""
        share = self.shared(id)
        report = self._read(self._reports if share is None else shares.report_shares(self._root)[id][0], id)
        set_opened(self._reports / f"{id}.json", self._root)
        return report

    def shared(self, id: str) -> shares.Share | None:
        """Who shares the report with this shelf; None for one of its own, and where there is none."""
        return None if (self._reports / f"{id}.json").is_file() else shares.report_shares(self._root).get(id, (None, None))[1]

    def create(self, title: str = "Report", intro: str = "") -> Report:
        """A new report without items. Raises ParameterError for texts that do not fit, StoreError if it cannot be written."""
        return self.save(Report(title=title, intro=intro))

    def save(self, report: Report, seen_changed: str | None = None) -> Report:
        """Store `report` and return it with its new `changed`.

        seen_changed: `changed` of the report that was edited (default: report.changed). Raises StoreError if the one on disk has changed
        since, so that no edit is lost unnoticed, and if it cannot be written.
        """
        with self._alone(report.id):
            self._check_seen(report.id, seen_changed if seen_changed is not None else report.changed)
            return self._write(report.as_of_now())

    def update(self, id: str, change: Callable[[Report], Report], seen_changed: str | None = None) -> Report:
        """Apply `change` to the report on disk and store the result; no one else can write it meanwhile.

        seen_changed: as for `save`; None = do not check. Raises as load, save and `change` do.
        """
        if (share := self.shared(id)) is not None:
            raise StoreError(f"report {id[:8]}: {share.name} shares it with you, to be read. Copy it to change it.")
        with self._alone(id):
            report = self.load(id)
            if seen_changed is not None:
                self._check_seen(id, seen_changed)
            return self._write(change(report).but(id=id).as_of_now())

    def add(self, id: str, item: ReportItem) -> Report:
        """Add `item` to the end of the report `id`. Raises as update does, and ParameterError if it is full."""
        return self.update(id, lambda report: report.with_item(item))

    def move(self, id: str, index: int, to: int, seen_changed: str | None = None) -> Report:
        """Move item `index` (from 0) of the report `id` to `to`. Raises as update does, and ParameterError for an index out of range."""
        return self.update(id, lambda report: report.with_moved(index, to), seen_changed)

    def remove(self, id: str, index: int, seen_changed: str | None = None) -> Report:
        """Remove item `index` (from 0) of the report `id`. Raises as `move` does."""
        return self.update(id, lambda report: report.without(index), seen_changed)

    def rename(self, id: str, title: str) -> Report:
        """Change the title of the report `id`. Raises as update does."""
        return self.update(id, lambda report: report.but(title=title))

    def copy(self, id: str) -> Report:
        """A new report with the same author, introduction and items. Raises as load and save do."""
        report = self.load(id)
        title = f"Copy of {report.title}"[:LONGEST_TITLE]
        return self.save(Report(title=title, author=report.author, intro=report.intro, items=report.items))

    def delete(self, id: str) -> None:
        """Delete the report `id`, damaged or not; `restore` brings it back. Raises UnknownNameError if there is none."""
        with self._alone(id):
            path = self._path(self._reports, id)
            with self._disk("delete the report"):
                os.replace(path, self._deleted / path.name)
                sync(self._reports)
        audit_log.note("report.delete", id, at=self._root)

    def restore(self, id: str) -> Report:
        """Restore a deleted report. Raises UnknownNameError if none of that id was deleted, StoreError if the id is in use again."""
        with self._alone(id):
            path = self._path(self._deleted, id)
            if (self._reports / path.name).exists():
                raise StoreError(f"report {id[:8]}: it is already on the list. Delete that one first.")
            with self._disk("restore the report"):
                os.replace(path, self._reports / path.name)
                sync(self._reports)
        return self.load(id)

    def _entry(self, folder: Path, id: str) -> ReportEntry | None:
        try:
            return self._remembered.of(folder / f"{id}.json", lambda: _entry_of(self._read(folder, id)))
        except UnknownNameError:
            return None  # deleted just now
        except HemError as error:
            return ReportEntry(id=id, damaged=str(error))

    def _read(self, folder: Path, id: str) -> Report:
        path = self._path(folder, id)
        try:
            with path.open("rb") as file:
                report = report_from_json(file.read(MOST_BYTES + 1))
        except FileNotFoundError:
            raise UnknownNameError(f"report {id[:8]}: it has just been deleted. Choose another.") from None
        except OSError as error:
            raise StoreError(f"report {id[:8]}: {path} cannot be read ({error.strerror or error}).") from None
        except HemError as error:
            raise StoreError(f"report {id[:8]}: its file is damaged or from another version. {error}") from None
        if report.id != id:
            raise StoreError(f"report {id[:8]}: its file belongs to report {report.id[:8]}. Rename {path} to {report.id}.json.")
        return report

    def _path(self, folder: Path, id: str) -> Path:
        path = folder / f"{id}.json"
        if not _FILE.fullmatch(f"{id}.json") or not path.is_file():
            raise UnknownNameError(f"report {id[:40]!r} does not exist here. Choose another, or create one.")
        return path

    def _check_seen(self, id: str, seen: str) -> None:
        if not (self._reports / f"{id}.json").exists():
            return
        now = self.load(id)
        if now.changed != seen:
            raise StoreError(
                f"report {now.title[:60]!r}: it was changed elsewhere at {now.changed[:19]} and now has {len(now.items)} items; "
                "nothing was overwritten. Reload it and make the change again."
            )

    def _write(self, report: Report) -> Report:
        content = report.to_json()
        if len(content) > MOST_BYTES:
            raise StoreError(f"report: its file would have {len(content):,} bytes; {MOST_BYTES:,} are allowed. Shorten its notes.")
        with self._disk("store the report"):
            put_in_place(self._reports / f"{report.id}.json", content)
        audit_log.note("report.write", report.id, at=self._root)
        return report

    @contextmanager
    def _alone(self, id: str) -> Iterator[None]:
        if not _FILE.fullmatch(f"{id}.json"):
            raise UnknownNameError(f"report {id[:40]!r} does not exist here. Choose another, or create one.")
        with self._disk("write a report"), FileLock(self._reports / "lock", mode=0o600):
            yield

    @contextmanager
    def _disk(self, to_do: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise StoreError(
                f"Could not {to_do} in {self._reports}: {error.strerror or error}. Nothing was lost. Is the disk full or read-only?"
            ) from None


def _entry_of(report: Report) -> ReportEntry:
    return ReportEntry(id=report.id, title=report.title, n_items=len(report.items), created=report.created, changed=report.changed)
