"""The dataset store: typed tables on disk as Parquet, under the SHA-256 of what they were read from.

    <root>/datasets/<id>/record.json, repairs.parquet, 0000.parquet, ...      <root>/incoming/<random>      being written

A dataset appears by one rename of its finished folder, so that nothing half-written is ever listed.
"""

import errno
import json
import os
import re
import shutil
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

import pandas as pd
import pyarrow as pa
from platformdirs import user_data_path

from hemcore.datasets.readers.files import UploadedFile, dataset_id, expand
from hemcore.datasets.readers.formats import ReadOptions
from hemcore.datasets.readers.recognise import read_upload
from hemcore.datasets.shelf import table_files
from hemcore.datasets.tables import kinds
from hemcore.datasets.tables.kinds import Table
from hemcore.errors import HemError, StoreError, UnknownNameError

_ID = re.compile(r"[0-9a-f]{64}")
_STALE_S = 24 * 3600
_NAME_LENGTH = 120
# What lists of repairs that were kept before there was one form for all called their columns.
_COLUMNS_BEFORE = {"subexperiment": "where", "HEM": "column", "event": "column", "intervals": "rows"}


@dataclass(frozen=True, kw_only=True)
class DatasetRecord:
    """What is known of a stored dataset without opening it. created: ISO 8601, UTC. shape: in words."""

    id: str
    name: str
    kind: str
    shape: str
    source_names: tuple[str, ...]
    created: str
    notes: tuple[str, ...] = ()


class DatasetStore:
    """The store under `root` (default: the folder HEM_DATA_DIR names, else the platform's user data folder)."""

    def __init__(self, root: Path | None = None) -> None:
        named = os.environ.get("HEM_DATA_DIR")
        self.root = Path(root) if root is not None else Path(named) if named else user_data_path("hem-workbench")
        self._datasets, self._incoming = self.root / "datasets", self.root / "incoming"
        with self._disk("make the folder"):
            self._datasets.mkdir(parents=True, exist_ok=True)
            self._incoming.mkdir(parents=True, exist_ok=True)
            for folder in self._incoming.iterdir():
                with suppress(FileNotFoundError):  # another upload may end just now
                    if time.time() - folder.stat().st_mtime > _STALE_S:
                        shutil.rmtree(folder, ignore_errors=True)

    def add(
        self, files: Sequence[UploadedFile], *, format_key: str | None = None, options: ReadOptions | None = None, name: str | None = None
    ) -> DatasetRecord:
        """Unpack, read, check and keep an upload; the same bytes read the same way are one dataset, and are not read again.

        Raises ReadError, TableError or another HemError for what is wrong with the files, StoreError when the disk is full or not writable.
        """
        unpacked = expand(files)
        options = options or ReadOptions()
        new_id = dataset_id(unpacked, f"{format_key} {options.model_dump_json()}")
        if (known := self._read_record(self._datasets / new_id)) is not None and self._is_whole(new_id):
            return known
        result = read_upload(unpacked, format_key=format_key, options=options)
        record = DatasetRecord(
            id=new_id,
            name=(name or files[0].name)[:_NAME_LENGTH],
            kind=kinds.kind_of(result.table).name,
            shape=kinds.shape(result.table),
            source_names=tuple(file.name for file in files),
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            notes=result.notes,
        )
        if (self._datasets / new_id).exists() and not self._is_whole(new_id):
            self.delete(new_id)
        self._write(record, result.table, result.repairs)
        return self.record(new_id)

    def records(self) -> list[DatasetRecord]:
        """Every dataset, the newest first; those that cannot be read are left out (see damaged)."""
        found = [record for folder in self._folders() if (record := self._read_record(folder)) is not None]
        return sorted(found, key=lambda record: (record.created, record.id), reverse=True)

    def damaged(self) -> list[str]:
        """Ids of folders whose record cannot be read; nothing is deleted."""
        return [folder.name for folder in self._folders() if self._read_record(folder) is None]

    def record(self, id: str) -> DatasetRecord:
        """The record of `id`. Raises UnknownNameError when there is none."""
        record = self._read_record(self._folder(id))
        if record is None:
            raise UnknownNameError(f"dataset {id[:8]}: its record cannot be read. Upload it again.")
        return record

    def load(self, id: str) -> Table:
        """The table of `id`, as it was checked. Raises UnknownNameError when there is none, StoreError when its files are damaged."""
        folder = self._folder(id)
        try:
            return table_files.read(folder, self.record(id).kind)
        except (OSError, KeyError, ValueError) as error:
            if isinstance(error, HemError):
                raise
            raise StoreError(f"dataset {id[:8]}: its files are damaged ({error}). Delete it and upload it again.") from None

    def repairs(self, id: str) -> pd.DataFrame:
        """Every repair and drop that reading made, a row each (the columns of Repair); no row when there was none. Raises as load does."""
        try:
            return pd.read_parquet(self._folder(id) / "repairs.parquet").rename(columns=_COLUMNS_BEFORE)
        except UnknownNameError:
            raise
        except (OSError, ValueError, TypeError, pa.ArrowException):
            raise StoreError(f"dataset {id[:8]}: its list of repairs is damaged. Delete the dataset and upload it again.") from None

    def rename(self, id: str, name: str) -> DatasetRecord:
        """Give `id` another name. Raises UnknownNameError when there is none of that id, StoreError when the disk does not take it."""
        record = self.record(id)
        renamed = DatasetRecord(**(asdict(record) | {"name": name[:_NAME_LENGTH]}))
        folder = self._folder(id)
        with self._disk("rename the dataset"):
            partial = folder / f"record.{uuid.uuid4().hex}.partial"
            _write_durably(partial, _text(renamed))
            os.replace(partial, folder / "record.json")
        return self.record(id)

    def delete(self, id: str) -> None:
        """Forget `id`. Raises UnknownNameError when there is none."""
        folder = self._folder(id)
        with self._disk("delete the dataset"):
            # Out of the list in one step; the files follow.
            gone = self._incoming / uuid.uuid4().hex
            os.rename(folder, gone)
            shutil.rmtree(gone, ignore_errors=True)

    def _is_whole(self, id: str) -> bool:
        try:
            self.load(id)
            self.repairs(id)
        except HemError:
            return False
        return True

    def _write(self, record: DatasetRecord, table: Table, repairs: pd.DataFrame) -> None:
        folder = self._incoming / uuid.uuid4().hex
        try:
            with self._disk("keep the dataset"):
                folder.mkdir()
                table_files.write(folder, table)
                repairs.to_parquet(folder / "repairs.parquet", index=False)
                _write_durably(folder / "record.json", _text(record))
                for path in folder.iterdir():
                    _sync(path)
                _sync(folder)
                try:
                    os.rename(folder, self._datasets / record.id)
                except OSError as error:
                    if error.errno not in (errno.EEXIST, errno.ENOTEMPTY):
                        raise
                    # Another tab kept the same upload meanwhile: it is the same dataset.
                _sync(self._datasets)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _folders(self) -> Iterator[Path]:
        return (folder for folder in self._datasets.iterdir() if _ID.fullmatch(folder.name))

    def _folder(self, id: str) -> Path:
        if not _ID.fullmatch(id) or not (self._datasets / id).is_dir():
            raise UnknownNameError(f"dataset {id[:64]!r} is not on this shelf. Upload it, or choose another.")
        return self._datasets / id

    @staticmethod
    def _read_record(folder: Path) -> DatasetRecord | None:
        try:
            values = json.loads((folder / "record.json").read_text())
            values |= {name: tuple(values[name]) for name in ("source_names", "notes")}
            record = DatasetRecord(**values)
            texts = (record.id, record.name, record.kind, record.shape, record.created, *record.source_names, *record.notes)
            return record if record.id == folder.name and all(isinstance(text, str) for text in texts) else None
        except (OSError, ValueError, TypeError, KeyError):
            return None

    @contextmanager
    def _disk(self, to_do: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            if error.errno == errno.ENOSPC:
                raise StoreError(
                    f"The disk of {self.root} is full: could not {to_do}. Nothing was lost; free some space and try again."
                ) from None
            raise StoreError(f"Could not {to_do} in {self.root}: {error.strerror or error}. Is the folder writable?") from None


def _text(record: DatasetRecord) -> bytes:
    return json.dumps(asdict(record), indent=1).encode()


def _write_durably(path: Path, content: bytes) -> None:
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
