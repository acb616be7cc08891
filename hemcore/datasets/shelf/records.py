"""What is known of a stored dataset without opening it, and where a kept result came from; as record.json and back."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hemcore.datasets.shelf.checksums import opened, sealed
from hemcore.datasets.tables.kinds import KINDS, Table, kind_of, shape
from hemcore.errors import ParameterError

FILE = "record.json"
_NAME_LENGTH = 120


@dataclass(frozen=True, kw_only=True)
class Lineage:
    """Where a kept result came from: all that is needed to make it again.

    parent: the id of the dataset that was asked, "sample-..." too; parent_name: what it was called then. analysis: the function, as
    "package.module:function"; params: its parameters, plain JSON; version: of the program. gives: which table of the result ("merged").

    Raises ParameterError where params are not plain JSON (NaN and infinity are not) or another field is not a text or, but for the
    name, empty. params is a copy.
    """

    parent: str
    parent_name: str
    analysis: str
    params: Mapping[str, Any] = field(hash=False)
    version: str
    gives: str

    def __post_init__(self) -> None:
        for name in ("parent", "parent_name", "analysis", "version", "gives"):
            value = getattr(self, name)
            if not isinstance(value, str) or (not value and name != "parent_name"):
                raise ParameterError(f"lineage: {name} is {value!r}; it must be a text that is not empty. Give it.")
        try:
            if not isinstance(self.params, Mapping):
                raise TypeError(f"a {type(self.params).__name__}, not names and values")
            params = json.loads(json.dumps(dict(self.params), allow_nan=False))
        except (TypeError, ValueError, RecursionError) as error:
            raise ParameterError(
                f"lineage: params are not plain JSON ({error}). Give texts, finite numbers, truths, None, lists and dicts."
            ) from None
        object.__setattr__(self, "params", params)

    def dataset_id(self, sums: Mapping[str, str]) -> str:
        """64 hex digits: SHA-256 over this lineage and the sums of the files that keep the table.

        The parent's name does not enter: the same result of a dataset that was renamed meanwhile is the same dataset.
        """
        said = {name: value for name, value in asdict(self).items() if name != "parent_name"}
        canonical = json.dumps({"lineage": said, "files": dict(sums)}, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.sha256(canonical.encode()).hexdigest()


@dataclass(frozen=True, kw_only=True)
class DatasetRecord:
    """What is known of a stored dataset without opening it. created: ISO 8601, UTC. shape: in words.

    lineage: where a kept result came from, None for an upload. source_names: the files of an upload, none for a kept result.
    recipe: the ImportRecipe that an upload was read by, as JSON; "" without one.
    """

    id: str
    name: str
    kind: str
    shape: str
    source_names: tuple[str, ...]
    created: str
    notes: tuple[str, ...] = ()
    lineage: Lineage | None = None
    recipe: str = ""


def read(folder: Path) -> DatasetRecord | None:
    """The record in `folder`; None where it is missing or damaged."""
    try:
        values = dict(json.loads(opened((folder / FILE).read_bytes())))
        values |= {name: tuple(values[name]) for name in ("source_names", "notes")}
        if values.get("lineage") is not None:
            values["lineage"] = Lineage(**values["lineage"])
        record = DatasetRecord(**values)
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None
    texts = (record.id, record.name, record.kind, record.shape, record.created, record.recipe, *record.source_names, *record.notes)
    if record.id != folder.name or not all(isinstance(text, str) and _can_be_shown(text) for text in texts):
        return None
    return record if record.kind in KINDS else None


def text(record: DatasetRecord) -> bytes:
    """What record.json holds of `record`: JSON with its own sum."""
    return sealed(json.dumps(asdict(record), indent=1).encode())


def _can_be_shown(words: str) -> bool:
    try:
        words.encode()
    except UnicodeEncodeError:
        return False
    return True


def described(
    id: str,
    name: str,
    table: Table,
    *,
    source_names: tuple[str, ...] = (),
    notes: tuple[str, ...] = (),
    lineage: Lineage | None = None,
    recipe: str = "",
) -> DatasetRecord:
    """The record of `table` from now on, its texts as a page can show them."""
    return DatasetRecord(
        id=id,
        name=named(name),
        kind=kind_of(table).name,
        shape=shape(table),
        source_names=tuple(_plain(each) for each in source_names),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        notes=tuple(_plain(each) for each in notes),
        lineage=lineage,
        recipe=recipe,
    )


def named(name: str) -> str:
    """`name` as a dataset may be called."""
    return _plain(name)[:_NAME_LENGTH]


def _plain(words: str) -> str:
    """`words` with a question mark for each half of a surrogate pair, which no page can show."""
    return words.encode(errors="replace").decode()
