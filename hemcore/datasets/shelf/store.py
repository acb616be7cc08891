"""The dataset store: typed tables on disk as Parquet, under the SHA-256 of what they were read from or computed as.

    <root>/datasets/<id>/record.json, repairs.parquet, 0000.parquet, ...
    <root>/incoming/<random>      being written, or on its way out          <root>/deleted/<id>      can be restored for a day

A dataset appears, goes and comes back by one rename of its whole folder, so that nothing half-written or half-deleted is ever listed.
"""

import errno
import hashlib
import json
import os
import re
import shutil
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pyarrow as pa

from hemcore.datasets.owners import audit_log, contents, limits, shares, whose
from hemcore.datasets.readers.formats import ReadOptions, options_key
from hemcore.datasets.readers.recognition import Unpacked, unpack
from hemcore.datasets.readers.repairs import repairs_table
from hemcore.datasets.readers.uploaded_files import UploadedFile, dataset_id
from hemcore.datasets.shelf import records, table_files
from hemcore.datasets.shelf.durable import disk, make_private, sync, write_durably
from hemcore.datasets.shelf.records import DatasetRecord, Lineage
from hemcore.datasets.shelf.remembered import Remembered
from hemcore.datasets.tables import kinds
from hemcore.datasets.tables.kinds import Table
from hemcore.errors import HemError, ParameterError, StoreError, UnknownNameError
from hemcore.params import Params

_ID = re.compile(r"[0-9a-f]{64}")
_STALE_S = 24 * 3600
# The entries of a root that is ours alone.
_OWN = {"datasets", "incoming", "deleted", "results", "answers", "reports", "staged", "models", "tokens", "durations.jsonl"}
# The columns of lists of repairs stored before all readers shared one form.
_COLUMNS_BEFORE = {"subexperiment": "where", "HEM": "column", "event": "column", "intervals": "rows"}


class DatasetStore:
    """The store under `root` (default: the folder HEM_DATA_DIR names, else the platform's user data folder; of a team, the asker's)."""

    def __init__(self, root: Path | None = None) -> None:
        self.root = Path(root) if root is not None else whose.folder()
        self._remembered: Remembered[DatasetRecord | None] = Remembered()
        self._datasets, self._incoming, self._deleted = (self.root / name for name in ("datasets", "incoming", "deleted"))
        with disk(self.root, "make the folder"):
            make_private(self.root, (self._datasets, self._incoming, self._deleted), alone=_OWN)
            for folder in (*self._incoming.iterdir(), *self._deleted.iterdir()):
                with suppress(FileNotFoundError):  # another upload may end just now
                    if time.time() - folder.stat().st_mtime > _STALE_S:
                        self._clear(folder)

    def add(
        self, files: Sequence[UploadedFile], *, format_key: str | None = None, options: Params | None = None, name: str | None = None
    ) -> DatasetRecord:
        """Unpack, read, check and keep an upload; the same bytes read the same way are one dataset, and are not read again.

        Raises ReadError, TableError or another HemError for what is wrong with the files, StoreError when the disk is full or not writable.
        """
        source_names = [file.name for file in files]
        return self.add_unpacked(unpack(files), source_names, format_key=format_key, options=options, name=name)

    def add_unpacked(
        self,
        unpacked: Unpacked,
        source_names: Sequence[str],
        *,
        format_key: str | None = None,
        options: Params | None = None,
        name: str | None = None,
    ) -> DatasetRecord:
        """`add` for files that are unpacked already; source_names: of the files as they were sent."""
        options = options or ReadOptions()
        new_id = dataset_id(unpacked.files, f"{format_key} {options_key(options)}")
        if (known := records.read(self._datasets / new_id)) is not None and self._is_whole(new_id):
            return known
        limits.check_room(self.root, sum(file.size for file in unpacked.files))
        result = unpacked.read(format_key=format_key, options=options)
        with self._written(result.table, result.repairs) as folder:
            recipe = unpacked.recipe(format_key, options)
            record = records.described(
                new_id, name or source_names[0], result.table, source_names=tuple(source_names), notes=result.notes, recipe=recipe
            )
            self._publish(folder, record)
        return self.record(new_id)

    def keep(self, table: Table, *, name: str, lineage: Lineage) -> DatasetRecord:
        """Keep a result as a dataset with its lineage; the same result of the same question is one dataset, under the name it had first.

        name: cut at 120 characters. Raises TableError for no table and a column that cannot be kept, ParameterError for a blank name,
        StoreError when the disk is full or not writable.
        """
        if not name.strip():
            raise ParameterError("name: it is blank; a kept result needs a name. Give one.")
        kind = kinds.kind_of(table)
        with self._written(table, repairs_table([])) as folder:
            new_id = lineage.dataset_id({"kind": kind.name, **table_files.sums(folder)})
            known = records.read(self._datasets / new_id)
            if known is None or not self._is_whole(new_id):
                self._publish(folder, records.described(new_id, name, table, lineage=lineage))
        return self.record(new_id)

    def take(self, table: Table, *, name: str, source: str, repairs: pd.DataFrame | None = None) -> DatasetRecord:
        """Keep a table that did not come in files (from a database); the same table from the same source is one dataset, as with `keep`.

        source: where it comes from, as text; it is shown. repairs: what was left out. Raises as `keep` does.
        """
        if not name.strip():
            raise ParameterError("name: it is blank; a dataset needs a name. Give one.")
        with self._written(table, repairs_table([]) if repairs is None else repairs) as folder:
            said = json.dumps({"source": source, "kind": kinds.kind_of(table).name, "files": table_files.sums(folder)}, sort_keys=True)
            new_id = hashlib.sha256(said.encode()).hexdigest()
            if records.read(self._datasets / new_id) is None or not self._is_whole(new_id):
                self._publish(folder, records.described(new_id, name, table, source_names=(source,)))
        return self.record(new_id)

    def records(self) -> list[DatasetRecord]:
        """Every dataset, also those that others share, the newest first; without damaged ones. Raises StoreError without its folder."""
        own = self._folders()
        names = {folder.name for folder in own}
        received = [folder for id, (folder, _) in shares.dataset_folders(self.root).items() if id not in names]
        found = [record for folder in (*own, *received) if (record := self._record(folder)) is not None]
        return sorted(found, key=lambda record: (record.created, record.id), reverse=True)

    def deleted(self) -> list[DatasetRecord]:
        """Every dataset that restore can bring back, in no order; those whose record cannot be read are left out."""
        with disk(self.root, "list what was deleted"):
            folders = list(self._deleted.iterdir())
        return [record for folder in folders if (record := self._record(folder)) is not None]

    def damaged(self) -> list[str]:
        """Ids of folders whose record cannot be read; nothing is deleted."""
        return [folder.name for folder in self._folders() if self._record(folder) is None]

    def record(self, id: str) -> DatasetRecord:
        """The record of `id`. Raises UnknownNameError when there is none."""
        record = records.read(self.folder(id))
        if record is None:
            raise UnknownNameError(f"dataset {id[:8]}: its record cannot be read. Upload it again.")
        return record

    def load(self, id: str) -> Table:
        """The table of `id`, as it was checked. Raises UnknownNameError when there is none, StoreError when its files are damaged."""
        folder = self.folder(id)
        try:
            return table_files.read(folder, self.record(id).kind)
        except (OSError, KeyError, ValueError) as error:
            if isinstance(error, HemError):
                raise
            raise StoreError(f"dataset {id[:8]}: its files are damaged ({error}). Delete it and upload it again.") from None

    def rows(self, id: str) -> int:
        """The rows of `id`, in all its parts. Raises UnknownNameError when there is none, and as table_files.rows where it is damaged."""
        return table_files.rows(self.folder(id))

    def repairs(self, id: str) -> pd.DataFrame:
        """Every repair and drop of the reading, one per row (the columns of Repair); empty when there was none. Raises as load does."""
        try:
            return table_files.read_repairs(self.folder(id)).rename(columns=_COLUMNS_BEFORE)
        except UnknownNameError:
            raise
        except (OSError, ValueError, TypeError, pa.ArrowException):
            raise StoreError(f"dataset {id[:8]}: its list of repairs is damaged. Delete the dataset and upload it again.") from None

    def rename(self, id: str, name: str) -> DatasetRecord:
        """Give `id` another name. Raises UnknownNameError when there is none of that id, StoreError when the disk does not take it."""
        record = self.record(id)
        renamed = replace(record, name=records.named(name))
        folder = self._own_folder(id)
        with disk(self.root, "rename the dataset"):
            partial = folder / f"record.{uuid.uuid4().hex}.partial"
            write_durably(partial, records.text(renamed))
            os.replace(partial, folder / records.FILE)
        audit_log.note("dataset.rename", id, at=self.root)
        return self.record(id)

    def shared(self, id: str) -> shares.Share | None:
        """Who shares `id` with this shelf; None for one of its own, and where there is none."""
        return None if (self._datasets / id).is_dir() else shares.dataset_folders(self.root).get(id, (None, None))[1]

    def copy(self, id: str) -> DatasetRecord:
        """Make a dataset that others share one of this shelf's own. Raises as load does, and StoreError when the disk does not take it."""
        record, source = self.record(id), self.folder(id)
        limits.check_room(self.root, sum(path.stat().st_size for path in source.iterdir()))
        folder = self._incoming / uuid.uuid4().hex
        try:
            with disk(self.root, "copy the dataset"):
                contents.copy_folder(source, folder)
                (folder / records.FILE).unlink()
            self._publish(folder, record)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        return self.record(id)

    def delete(self, id: str) -> None:
        """Delete `id`; for a day, restore brings it back. Raises UnknownNameError when there is none."""
        folder = self._own_folder(id)
        with disk(self.root, "delete the dataset"):
            self._clear(self._deleted / id)
            os.utime(folder)  # the day begins now
            os.rename(folder, self._deleted / id)
        audit_log.note("dataset.delete", id, at=self.root)

    def restore(self, id: str) -> DatasetRecord:
        """Bring `id`, deleted less than a day ago, back as it was; one that is on the shelf stays as it is.

        Raises UnknownNameError when it is in neither place, StoreError when the disk does not take it.
        """
        there = bool(_ID.fullmatch(id)) and (self._deleted / id).is_dir()
        if there and not ((self._datasets / id).exists() and self._is_whole(id)):
            with disk(self.root, "restore the dataset"), limits.room_for(self.root):
                self._clear(self._datasets / id)
                os.rename(self._deleted / id, self._datasets / id)
                sync(self._datasets)
            audit_log.note("dataset.restore", id, at=self.root)
        if not there and not (_ID.fullmatch(id) and (self._datasets / id).is_dir()):
            raise UnknownNameError(f"dataset {id[:64]!r} was not deleted in the last 24 hours: it cannot be restored. Upload it again.")
        return self.record(id)

    def _record(self, folder: Path) -> DatasetRecord | None:
        return self._remembered.of(folder / records.FILE, lambda: records.read(folder))

    def _is_whole(self, id: str) -> bool:
        try:
            self.load(id)
            self.repairs(id)
        except HemError:
            return False
        return True

    @contextmanager
    def _written(self, table: Table, repairs: pd.DataFrame) -> Iterator[Path]:
        """A folder of the files of a table, to be published; gone afterwards unless it was."""
        limits.check_room(self.root)
        folder = self._incoming / uuid.uuid4().hex
        try:
            with disk(self.root, "keep the dataset"):
                folder.mkdir()
                table_files.write(folder, table, repairs)
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _publish(self, folder: Path, record: DatasetRecord) -> None:
        """Put a written folder on the shelf under `record`; a damaged one of that id gives way, a whole one stays."""
        place = self._datasets / record.id
        with disk(self.root, "keep the dataset"):
            if whose.key_at(self.root):
                contents.store_once(folder, whose.base_at(self.root))
            write_durably(folder / records.FILE, records.text(record))
            for path in folder.iterdir():
                sync(path)
            sync(folder)
            if place.exists() and not self._is_whole(record.id):
                self._clear(place)
            try:
                with limits.room_for(self.root, folder):
                    os.rename(folder, place)
            except OSError as error:
                if error.errno not in (errno.EEXIST, errno.ENOTEMPTY):
                    raise
                # Another tab kept the same meanwhile: it is the same dataset.
            sync(self._datasets)
        audit_log.note("dataset.add", record.id, at=self.root)

    def _clear(self, folder: Path) -> None:
        """Remove a folder, if it is there: out of its place in one step, the files follow."""
        gone = self._incoming / uuid.uuid4().hex
        if folder.exists():
            os.rename(folder, gone)
            shutil.rmtree(gone, ignore_errors=True)

    def _folders(self) -> list[Path]:
        with disk(self.root, "list the datasets"):
            found = list(self._datasets.iterdir())
        return [folder for folder in found if _ID.fullmatch(folder.name)]

    def folder(self, id: str) -> Path:
        """Where the files of `id` lie, also of one that others share. Raises UnknownNameError when there is none."""
        own = self._datasets / id
        found = own if _ID.fullmatch(id) and own.is_dir() else shares.dataset_folders(self.root).get(id, (None, None))[0]
        if found is None:
            raise UnknownNameError(f"dataset {id[:64]!r} is not on this shelf. Upload it, or choose another.")
        return found

    def _own_folder(self, id: str) -> Path:
        """`_folder`, to be changed. Raises ParameterError for one that others share."""
        if (share := self.shared(id)) is not None:
            raise ParameterError(f"dataset {id[:8]}: {share.name} shares it with you, to be read. Copy it to your data to change it.")
        return self.folder(id)
