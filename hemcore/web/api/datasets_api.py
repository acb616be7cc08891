"""Datasets in the API: what is on the owner's shelf, one more, its table, one less."""

import json
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from hemcore.datasets.owners import audit_log, limits, whose
from hemcore.datasets.readers.formats import format_of
from hemcore.datasets.shelf import library, retention, staged
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.datasets.tables import kinds
from hemcore.datasets.tables.frame_files import frame_bytes, long_table
from hemcore.datasets.tables.kinds import Table
from hemcore.errors import HemError, ParameterError
from hemcore.params import Params, parameter
from hemcore.web.api.exchange import Call, Reply, Waiting
from hemcore.web.api.jobs_api import read_file

Form = Literal["csv", "parquet", "json"]


@dataclass(frozen=True, kw_only=True)
class DatasetInfo:
    """kind: the name of its type of table. shape: in words, "" of a sample in the list. created: ISO 8601, UTC; "" of a sample.

    shared_by: "" for one's own.
    """

    id: str
    name: str
    kind: str
    sample: bool
    shape: str = ""
    created: str = ""
    shared_by: str = ""
    notes: tuple[str, ...] = ()


class Listing(Params):
    """Which datasets are listed."""

    name: str = parameter("", title="Name", description="Only those called so.", longest=120)
    kind: str = parameter("", title="Kind", description="Only those of this kind of table, such as CounterSeries.", longest=40)
    samples: bool = parameter(True, title="Samples", description="The bundled samples too.")


class Upload(Waiting):
    """How the file that is sent is read."""

    file: str = parameter("upload", title="File", description="The file's name, which some formats are recognised by.", longest=255)
    name: str = parameter("", title="Name", description="What the dataset is called; the file's name without it.", longest=120)
    format: str = parameter("", title="Format", description="The key of the format; recognised without it.", longest=60)
    options: str = parameter("", title="Options", description="JSON: options of the format, by name.", longest=20_000)
    recipe: str = parameter("", title="Recipe", description="JSON: the recipe of the columns, as the Data page saves it.", longest=20_000)


class TableFile(Params):
    """How a table is sent."""

    format: Form = parameter("csv", title="Format", description="csv, parquet or json (a list of rows).")


def list_datasets(call: Call) -> Reply:
    """The shelf, the newest first, then the samples."""
    store = DatasetStore(call.root)
    wanted = [
        each
        for each in library.entries(store)
        if call.query.name in ("", each.name) and call.query.kind in ("", each.kind) and (call.query.samples or not each.bundled)
    ]
    return Reply(json=[_info(store, each) for each in wanted])


def show_dataset(call: Call) -> Reply:
    """What is known of one."""
    return Reply(json=_one(call, _base(call)))


def add_dataset(call: Call) -> Reply:
    """Read the file that was sent: a small one at once, a large one by a job."""
    query: Upload = call.query
    arguments: dict[str, object] = {
        "format_key": format_of(query.format).key if query.format else None,
        "options": _options(query.options),
        "name": query.name.strip() or query.file[:120],
        "recipe": query.recipe,
    }
    if staged.is_large(call.staged, call.root):
        limits.check_room(call.root)
        return Reply(job=read_file(call.staged, arguments))
    try:
        added = staged.add_staged(staged=call.staged, root=call.root, progress=lambda done, note: None, **arguments)  # type: ignore[arg-type]
    except HemError:
        staged.discard(call.staged, call.root)
        raise
    return Reply(status=200 if added["was_there"] else 201, json=_one(call, added["id"]))


def table_of_dataset(call: Call) -> Reply:
    """Its table, with every value as it is."""
    id = call.path["id"]
    name = library.name_of(id, call.root)
    content = frame_bytes(long_table(table_here(id)), call.query.format)
    audit_log.note("download", library.base_id(id), at=call.root)
    return Reply(content=content, form=call.query.format, file_name=f"{name}.{call.query.format}")


def delete_dataset(call: Call) -> Reply:
    """Delete one of the owner's own; for a day the Data page brings it back."""
    id = _base(call)
    if id.startswith(library.SAMPLE_PREFIX):
        library.find(id, DatasetStore(call.root))
        raise ParameterError(f"dataset {id[:60]!r}: it is a sample, which everyone has. Delete one of your own.")
    DatasetStore(call.root).delete(id)
    return Reply(status=204)


def table_here(id: str) -> Table:
    """The table of `id`; do not change it. Raises UnknownNameError if whoever asks may not see it."""
    store = DatasetStore(whose.folder())
    library.find(id, store)
    retention.touch(store, library.base_id(id))
    return _loaded(id)


@lru_cache(maxsize=4)
def _loaded(id: str) -> Table:
    return library.load(id, whose.folder())  # an id is of contents: the same for all who may see it


def _base(call: Call) -> str:
    return library.base_id(call.path["id"])


def _info(store: DatasetStore, entry: library.Entry) -> DatasetInfo:
    found = DatasetInfo(id=entry.id, name=entry.name, kind=entry.kind, sample=entry.bundled)
    if entry.bundled:
        return found
    record, share = store.record(entry.id), store.shared(entry.id)
    by = "" if share is None else share.name
    return replace(found, shape=record.shape, created=record.created, notes=record.notes, shared_by=by)


def _one(call: Call, id: str) -> DatasetInfo:
    store = DatasetStore(call.root)
    library.find(id, store)
    found = _info(store, next(each for each in library.entries(store) if each.id == id))
    return replace(found, shape=kinds.shape(table_here(id))) if found.sample else found


def _options(text: str) -> dict[str, object]:
    if not text:
        return {}
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise ParameterError(f"options: {text[:60]!r} is no JSON object. Give names and values, such as {{}}.")
    return found
