"""Files, folders and samples to typed tables, with the same readers as uploads."""

import io
import warnings
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from glob import has_magic
from pathlib import Path, PurePath
from typing import Any

import pandas as pd

from hemcore.datasets.importing.guessing.doubt import Doubt
from hemcore.datasets.importing.inspection import apply, apply_unpacked, doubts_about, inspect_unpacked
from hemcore.datasets.importing.recipe import ImportRecipe, recipe_of
from hemcore.datasets.readers.formats import ReadOptions, ReadResult
from hemcore.datasets.readers.recognition import recognise, unpack
from hemcore.datasets.readers.uploaded_files import UploadedFile, UploadLimits, expand
from hemcore.datasets.shelf import library
from hemcore.datasets.shelf import samples as shelf_samples
from hemcore.datasets.tables.checks import listed
from hemcore.datasets.tables.kinds import Table
from hemcore.datasets.tables.typed_table import Repairs, with_repairs
from hemcore.errors import ReadError, UnknownNameError

_WHAT = "Give a path, a folder, an open file, or a list of them: hem.read('runs.csv')."


class RepairWarning(UserWarning):
    """Something was left out or repaired while reading; see the table's `repairs`."""


def read(
    source: object = None,
    *more: object,
    format: str | None = None,
    n_pmcs: int | None = None,
    min_mean: float | None = None,
    counters: str | Sequence[str] = "",
    recipe: ImportRecipe | Mapping[str, object] | str | None = None,
) -> Table:
    """Read files into a typed table: Subexperiments, CounterSeries, PhaseTable, SignatureTable, HemList or
    MetricDefinitions.

    source, more: paths (text or Path, with wildcards), folders, open files, bytes, or lists of these; .zip, .gz and .xlsx are unpacked, and
    all files form one dataset, as in an upload. format: the key of a format; None: detected.
    n_pmcs, min_mean, counters: as in ReadOptions; counters may be a list.
    recipe: how plain tables and sheets are read (an ImportRecipe, its fields, or its JSON), as the import step of the app gives it; then
    format, n_pmcs, min_mean and counters say nothing.

    Whatever is left out, repaired or in doubt is listed in the table's `repairs`, with a RepairWarning.
    Raises ReadError if a file cannot be read, TableError and ParameterError as the readers do.
    """
    if recipe is not None:
        files = list(_files([source, *more]))
        return _with_warning(files, apply(recipe_of(recipe), files), stacklevel=3)
    given: dict[str, Any] = {"n_pmcs": n_pmcs, "min_mean": min_mean, "counters": _joined(counters)}
    options = ReadOptions(**{name: value for name, value in given.items() if value is not None})
    return _read(list(_files([source, *more])), format, options, stacklevel=3)


def read_as(source: object, kind: str) -> Table:
    """Like `read`, preferring a format that yields a table of `kind`: columns of numbers can be several kinds."""
    files = list(_files([source]))
    fits = next((match.key for match in recognise(expand(files)) if match.format.kind == kind), None)
    return _read(files, fits, ReadOptions(), stacklevel=5)


def samples() -> pd.DataFrame:
    """The bundled samples, one row each: name (for `load`), title, kind (of table)."""
    names = shelf_samples.names()
    rows = {"name": names, "title": [shelf_samples.title(each) for each in names], "kind": [shelf_samples.kind(each) for each in names]}
    return pd.DataFrame(rows)


def load(name: object = None) -> Table:
    """A bundled sample ("series-ocoe", see `samples`), or a stored dataset by its id. Raises UnknownNameError for any other name."""
    if isinstance(name, str):
        plain = library.base_id(name.removeprefix(library.SAMPLE_PREFIX))
        if plain in shelf_samples.names():
            return library.load(library.id_at(f"{library.SAMPLE_PREFIX}{plain}", library.level_of(name)))
        if len(library.base_id(name)) == 64:
            return library.load(name)
    raise UnknownNameError(
        f"load: {str(name)[:60]!r} is neither a sample nor the id of a dataset; the samples are {listed(shelf_samples.names())}."
        " To read files: hem.read('file')."
    )


def sample_or_none(name: str) -> Table | None:
    """The sample called `name`; None if there is none, or a file has that name."""
    plain = name.removeprefix(library.SAMPLE_PREFIX)
    return shelf_samples.load(plain) if plain in shelf_samples.names() and not Path(name).exists() else None


def _read(files: list[UploadedFile], format: str | None, options: ReadOptions, *, stacklevel: int) -> Table:
    unpacked = unpack(files)
    if format is None and not unpacked.matches and (found := (shown := inspect_unpacked(unpacked)).recipe) is not None:
        if found.first_line:
            raise ReadError(f"{files[0].name}: no table as a whole; {_lines_to_read(found)}")
        # A README or a plan lies next to what a tool wrote.
        return _with_warning(files, apply_unpacked(found, unpacked), shown.doubts, stacklevel=stacklevel + 1)
    try:
        result = unpacked.read(format_key=format, options=options)
    except ReadError as error:
        found = inspect_unpacked(unpacked).recipe if format is None else None
        if found is None or not found.first_line:
            raise
        raise ReadError(f"{error} Or: {_lines_to_read(found)}") from None
    doubts = doubts_about(unpacked, result) if format is None else ()
    return _with_warning(files, result, doubts, stacklevel=stacklevel + 1)


def _lines_to_read(recipe: ImportRecipe) -> str:
    parted = ", 'delimiter': 'aligned'" if recipe.delimiter == "aligned" else ""
    return (
        f"lines {recipe.first_line} to {recipe.last_line} look like a table. To read them:"
        f" hem.read(file, recipe={{'first_line': {recipe.first_line}, 'last_line': {recipe.last_line}{parted}}})."
    )


def _with_warning(files: Sequence[UploadedFile], result: ReadResult[Table], doubts: Sequence[Doubt] = (), *, stacklevel: int) -> Table:
    notes = (*result.notes, *(doubt.remark for doubt in doubts))
    table: Table = with_repairs(result.table, Repairs(frame=result.repairs, notes=notes))
    if len(table.repairs) or doubts:
        warnings.warn(f"{files[0].name}: {table.repairs!r}", RepairWarning, stacklevel=stacklevel)
    return table


def _files(sources: Iterable[object]) -> Iterator[UploadedFile]:
    for number, each in enumerate(sources, start=1):
        if isinstance(each, str | PurePath):
            yield from _of_path(Path(each))
        elif isinstance(each, UploadedFile):
            yield each
        elif isinstance(each, bytes | bytearray | memoryview):
            yield UploadedFile(f"file {number}", bytes(each))
        elif callable(getattr(each, "read", None)):
            yield _of_open_file(each, number)
        elif isinstance(each, pd.DataFrame | pd.Series) or hasattr(each, "__array__"):
            raise ReadError(f"read: a {type(each).__name__} is already in memory. Pass it to an analysis: hem.segment(frame).")
        elif isinstance(each, dict) or not isinstance(each, Iterable):
            raise ReadError(f"read: a {type(each).__name__} is not a file. {_WHAT}")
        else:
            inside = list(each)
            if not inside:
                raise ReadError(f"read: an empty {type(each).__name__}; it contains no file. {_WHAT}")
            yield from _files(inside)


def _of_path(path: Path) -> Iterator[UploadedFile]:
    path = path.expanduser()
    try:
        if path.is_dir():
            yield _zipped(path)
        elif not path.exists() and has_magic(str(path)):
            found = sorted(Path(path.anchor or ".").glob(str(path.relative_to(path.anchor))))
            if not found:
                raise ReadError(f"{path}: no matching file in {Path.cwd()}. Correct the pattern.")
            for each in found:
                yield from _of_path(each)
        else:
            yield UploadedFile(path.name, path.read_bytes())
    except FileNotFoundError:
        known = ", ".join(shelf_samples.names())
        raise ReadError(
            f"{path}: no such file or folder (in {Path.cwd()}). Correct the path; to load a sample ({known}), use hem.load."
        ) from None
    except (OSError, ValueError) as error:
        if isinstance(error, ReadError):
            raise
        raise ReadError(f"{path}: it cannot be read ({error}). Correct the path or its permissions.") from None


def _zipped(folder: Path) -> UploadedFile:
    """A folder as a .zip: its subfolders distinguish files of the same name, and the runs of a plan."""
    made, size = io.BytesIO(), 0
    with zipfile.ZipFile(made, "w") as archive:
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder)
            if path.is_file() and not any(part.startswith(".") for part in name.parts):
                size += path.stat().st_size
                if size > UploadLimits().max_bytes:
                    raise ReadError(f"{folder}: its files exceed the limit of 512 MiB. Give the files of one dataset only.")
                archive.writestr(name.as_posix(), path.read_bytes())
    return UploadedFile(f"{folder.name}.zip", made.getvalue())


def _of_open_file(file: Any, number: int) -> UploadedFile:
    name = getattr(file, "name", "")
    try:
        content = file.read()
    except (OSError, ValueError) as error:
        raise ReadError(f"{name or 'file'}: it cannot be read ({error}). Open it again.") from None
    content = content.encode() if isinstance(content, str) else content
    if not isinstance(content, bytes):
        raise ReadError(f"read: a {type(file).__name__} returns neither bytes nor text. {_WHAT}")
    return UploadedFile(PurePath(name).name if isinstance(name, str) and name else f"file {number}", content)


def _joined(names: str | Sequence[str]) -> str:
    return names if isinstance(names, str) else "; ".join(map(str, names))
