"""The reports on disk, beside the datasets.

    <root>/reports/<id>.json      <root>/reports/deleted/<id>.json      <root>/reports/lock      held while one is written

A report appears and changes by one rename of a finished file, so that nothing half-written is ever read.
"""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock

from hemcore.datasets.shelf.durable import put_in_place, sync
from hemcore.datasets.shelf.remembered import Remembered
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.errors import HemError, StoreError, UnknownNameError
from hemcore.report.report_model import LONGEST_TITLE, MOST_BYTES, Report, ReportItem, report_from_json

_FILE = re.compile(r"([0-9a-f]{32})\.json")


@dataclass(frozen=True, kw_only=True)
class ReportEntry:
    """What a list of reports shows of one. damaged: why it cannot be read, a sentence; "" = it can, and only then the rest is known."""

    id: str
    title: str = ""
    n_items: int = 0
    created: str = ""
    changed: str = ""
    damaged: str = ""


class ReportShelf:
    """The reports under `root` (default: as DatasetStore's)."""

    def __init__(self, root: Path | None = None) -> None:
        self._reports = DatasetStore(root).root / "reports"
        self._deleted = self._reports / "deleted"
        self._remembered: Remembered[ReportEntry] = Remembered()
        with self._disk("make the folder"):
            self._deleted.mkdir(parents=True, exist_ok=True)

    def entries(self, *, deleted: bool = False) -> list[ReportEntry]:
        """Every report, the one changed last first, the damaged ones at the end; deleted: those that `restore` brings back."""
        folder = self._deleted if deleted else self._reports
        with self._disk("list the reports"):
            ids = sorted(match[1] for path in folder.iterdir() if (match := _FILE.fullmatch(path.name)))
        found = [self._entry(folder, id) for id in ids]
        return sorted((each for each in found if each is not None), key=lambda each: each.changed, reverse=True)

    def load(self, id: str) -> Report:
        """The report `id`, as it was saved. Raises UnknownNameError when there is none, StoreError when its file is damaged."""
        return self._read(self._reports, id)

    def create(self, title: str = "Report", intro: str = "") -> Report:
        """A new report without items. Raises ParameterError for texts that do not fit, StoreError when the disk does not take it."""
        return self.save(Report(title=title, intro=intro))

    def save(self, report: Report, seen_changed: str | None = None) -> Report:
        """Keep `report`; returns it as kept, with its new `changed`.

        seen_changed: `changed` of the report that was edited (default: report.changed). Raises StoreError when the one on disk was changed
        since, so that no edit is lost unnoticed, and when the disk does not take it.
        """
        with self._alone(report.id):
            self._check_seen(report.id, seen_changed if seen_changed is not None else report.changed)
            return self._write(report.as_of_now())

    def update(self, id: str, change: Callable[[Report], Report], seen_changed: str | None = None) -> Report:
        """Keep what `change` makes of the report as it is on disk now; nobody else writes it meanwhile.

        seen_changed: as `save` has it; None = whatever it is now. Raises as load, save and `change` do.
        """
        with self._alone(id):
            report = self.load(id)
            if seen_changed is not None:
                self._check_seen(id, seen_changed)
            return self._write(change(report).but(id=id).as_of_now())

    def add(self, id: str, item: ReportItem) -> Report:
        """The report `id` with `item` as its last. Raises as update does, ParameterError when it is full."""
        return self.update(id, lambda report: report.with_item(item))

    def move(self, id: str, index: int, to: int, seen_changed: str | None = None) -> Report:
        """The report `id` with item `index` (from 0) at `to`. Raises as update does, ParameterError for an index that there is none of."""
        return self.update(id, lambda report: report.with_moved(index, to), seen_changed)

    def remove(self, id: str, index: int, seen_changed: str | None = None) -> Report:
        """The report `id` without item `index` (from 0). Raises as `move` does."""
        return self.update(id, lambda report: report.without(index), seen_changed)

    def rename(self, id: str, title: str) -> Report:
        """The report `id` under another title. Raises as update does."""
        return self.update(id, lambda report: report.but(title=title))

    def copy(self, id: str) -> Report:
        """A new report with the same items. Raises as load and save do."""
        report = self.load(id)
        return self.save(Report(title=f"Copy of {report.title}"[:LONGEST_TITLE], intro=report.intro, items=report.items))

    def delete(self, id: str) -> None:
        """Take the report `id` off the list, damaged or not; `restore` brings it back. Raises UnknownNameError when there is none."""
        with self._alone(id):
            path = self._path(self._reports, id)
            with self._disk("delete the report"):
                os.replace(path, self._deleted / path.name)
                sync(self._reports)

    def restore(self, id: str) -> Report:
        """Bring a deleted report back. Raises UnknownNameError when none of that id was deleted, StoreError when the id is in use again."""
        with self._alone(id):
            path = self._path(self._deleted, id)
            if (self._reports / path.name).exists():
                raise StoreError(f"report {id[:8]}: it is on the list already. Delete that one first.")
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
            raise UnknownNameError(f"report {id[:8]}: it was deleted just now. Choose another.") from None
        except OSError as error:
            raise StoreError(f"report {id[:8]}: {path} cannot be read ({error.strerror or error}).") from None
        except HemError as error:
            raise StoreError(f"report {id[:8]}: its file is damaged or of another version. {error}") from None
        if report.id != id:
            raise StoreError(f"report {id[:8]}: its file is that of report {report.id[:8]}. Rename {path} to {report.id}.json.")
        return report

    def _path(self, folder: Path, id: str) -> Path:
        path = folder / f"{id}.json"
        if not _FILE.fullmatch(f"{id}.json") or not path.is_file():
            raise UnknownNameError(f"report {id[:40]!r} is not on this shelf. Choose another, or make one.")
        return path

    def _check_seen(self, id: str, seen: str) -> None:
        if not (self._reports / f"{id}.json").exists():
            return
        now = self.load(id)
        if now.changed != seen:
            raise StoreError(
                f"report {now.title[:60]!r}: it was changed elsewhere {now.changed[:19]} and has {len(now.items)} items now; "
                "nothing was overwritten. Load it anew and make the change again."
            )

    def _write(self, report: Report) -> Report:
        content = report.to_json()
        if len(content) > MOST_BYTES:
            raise StoreError(f"report: its file would have {len(content):,} bytes; {MOST_BYTES:,} are allowed. Shorten its notes.")
        with self._disk("keep the report"):
            put_in_place(self._reports / f"{report.id}.json", content)
        return report

    @contextmanager
    def _alone(self, id: str) -> Iterator[None]:
        if not _FILE.fullmatch(f"{id}.json"):
            raise UnknownNameError(f"report {id[:40]!r} is not on this shelf. Choose another, or make one.")
        with self._disk("write a report"), FileLock(self._reports / "lock", mode=0o600):
            yield

    @contextmanager
    def _disk(self, to_do: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise StoreError(
                f"Could not {to_do} in {self._reports}: {error.strerror or error}. Nothing was lost; is there space, may one write there?"
            ) from None


def _entry_of(report: Report) -> ReportEntry:
    return ReportEntry(id=report.id, title=report.title, n_items=len(report.items), created=report.created, changed=report.changed)
