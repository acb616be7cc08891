"""Uploads on their way to the shelf: unpacked and recognised once, then read, by a page or by a worker.

<root>/incoming/<random>/sent.json, sent/0, sent/1, ...             as they were sent
<root>/incoming/<random>/unpacked.json, unpacked/0, unpacked/1, ... out of their archives, with what they were taken for

The folder goes once the upload is read, else the store removes it after a day.
"""

import shutil
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import BinaryIO, NamedTuple, TypedDict

from hemcore.datasets.importing.inspection import Preview, inspect_unpacked
from hemcore.datasets.importing.raw_grid import HEAD_BYTES
from hemcore.datasets.importing.recipe import ImportRecipe, recipe_of
from hemcore.datasets.owners import limits
from hemcore.datasets.readers import archives
from hemcore.datasets.readers.formats import PLAIN, TABLES, ReadOptions, format_of
from hemcore.datasets.readers.recognition import Match, Recognised, Unpacked, unpack
from hemcore.datasets.readers.uploaded_files import UploadedFile, larger_than
from hemcore.datasets.reading_progress import Progress, reported
from hemcore.datasets.shelf.incoming_files import files_in, folder_of, listed, not_written, rewritten, size_of, write, write_list
from hemcore.datasets.shelf.memory_bound import bounded
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.errors import ReadError, TableError
from hemcore.params import Params

# Bytes, unpacked, up to which an upload is read at once; more is read by a worker.
AT_ONCE = 2**20
# Bytes of the beginnings of files up to which a preview of more than that is made at once.
PREVIEWED_AT_ONCE = 2**20
# Files, in archives too, up to which an upload is read at once: each takes some hundredths of a second, however small it is.
MANY = 30
# How far the recognition is once what needs no whole file was tried: that share of its time with hundreds of files of many columns. Before,
# nothing is claimed, since the time left is judged by it.
_FIRST_TRIES = 0.4
# How far a first look is, once the files are recognised and once what plain tables hold is guessed.
_RECOGNISED, _GUESSED = 0.7, 0.85
_SENT, _UNPACKED = "sent", "unpacked"


class FirstLook(NamedTuple):
    """What the files of an upload are, and its first previews by recipe and options, both as JSON."""

    found: Recognised
    previews: Mapping[tuple[str, str], Preview]


class Added(TypedDict):
    """The dataset of an upload, and whether it was on the shelf before."""

    id: str
    was_there: bool


def stage(files: Sequence[UploadedFile], root: Path | None = None) -> str:
    """Put the files aside in the store under `root` (default: as DatasetStore's); returns the id of the upload.

    Raises StoreError when the disk is full or not writable, or the owner's room is used up.
    """
    staged = uuid.uuid4().hex
    folder = folder_of(staged, root)
    limits.check_room(folder.parent.parent, sum(file.size for file in files), incoming=True)
    try:
        folder.mkdir(mode=0o700)
        write(folder, _SENT, files, {})
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise not_written(folder, error) from None
    return staged


@contextmanager
def receiving(name: str, root: Path | None = None) -> Iterator[tuple[str, BinaryIO]]:
    """The id of an upload of one file called `name`, and where to write its bytes as they come; gone again if anything goes wrong.

    Raises StoreError when the disk is full or not writable.
    """
    staged = uuid.uuid4().hex
    folder = folder_of(staged, root)
    try:
        (folder / _SENT).mkdir(mode=0o700, parents=True)
        with (folder / _SENT / "0").open("wb") as file:
            yield staged, file
        write_list(folder, _SENT, {"names": [name]})
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise not_written(folder, error) from None
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def is_large(staged: str, root: Path | None = None) -> bool:
    """Whether `takes_long` of the upload, as it was sent. Raises StoreError when it is gone."""
    folder = folder_of(staged, root)
    return size_of(folder, _SENT) > AT_ONCE or takes_long(files_in(folder, _SENT))


def takes_long(files: Sequence[UploadedFile]) -> bool:
    """Whether files are left to a worker: more than AT_ONCE bytes, or more than MANY files, when they are unpacked."""
    return larger_than(files, AT_ONCE) or len(files) + sum(archives.entries(file.content) for file in files) > MANY


def previews_at_once(staged: str, root: Path | None = None) -> bool:
    """Whether the beginnings of the files of an upload that is unpacked, of which a preview is made, are few and short."""
    files = files_in(folder_of(staged, root), _UNPACKED)
    return (
        len(files) <= MANY
        and sum(file.size if b"\n" not in file.head(HEAD_BYTES) else min(file.size, HEAD_BYTES) for file in files) <= PREVIEWED_AT_ONCE
    )


def is_staged(staged: str, root: Path | None = None) -> bool:
    """Whether the upload is still there."""
    return folder_of(staged, root).is_dir()


def discard(staged: str, root: Path | None = None) -> None:
    """Remove an upload, if it is there."""
    shutil.rmtree(folder_of(staged, root), ignore_errors=True)


def look_into_staged(*, staged: str, progress: Progress, root: Path | None = None) -> Recognised:
    """What the files of an upload are; unpacks them on the first call. Raises StoreError when they are gone or the disk is full."""
    folder = folder_of(staged, root)
    try:
        return _unpacked(folder, progress)[1]
    except ReadError as error:
        return Recognised(fault=str(error), unpacked=False)


def first_look(*, staged: str, progress: Progress, root: Path | None = None) -> FirstLook:
    """What look_into_staged says, with the previews that plain tables and what no format fits need next, made of the same look.

    The previews are brief. Raises as look_into_staged does.
    """
    folder = folder_of(staged, root)
    try:
        unpacked, found = _unpacked(folder, lambda done, note: progress(_RECOGNISED * done, note))
    except ReadError as error:
        return FirstLook(Recognised(fault=str(error), unpacked=False), {})
    best = found.matches[0] if found.matches and not found.matches[0].asks else None
    if best is not None and best.key not in PLAIN:
        return FirstLook(found, {})
    previews = {("", ""): _previewed(folder, unpacked, found, progress, (_RECOGNISED, _GUESSED))}
    if best is not None and best.key not in TABLES:  # its reader says what results
        recipe, options = ImportRecipe(format=best.key), best.format.options()
        shown = _previewed(folder, unpacked, found, progress, (_GUESSED, 1), recipe, options)
        previews[recipe.to_json(), options.model_dump_json()] = shown
    return FirstLook(found, {key: replace(each, result=None) for key, each in previews.items()})


def preview_staged(
    *, staged: str, progress: Progress, recipe: str = "", options: Mapping[str, object] | None = None, root: Path | None = None,
    brief: bool = False,
) -> Preview:  # fmt: skip
    """The Preview of an upload, as inspection.inspect gives it; unpacks it on the first call. recipe: as chosen, JSON; "" = guessed.
    options: of the recipe's format, where the recipe does not say them. brief: without the table, to be sent by a worker.

    Raises StoreError when the files are gone or the disk is full, ParameterError for a recipe that is none.
    """
    progress(0.1, "looking into the files")
    folder = folder_of(staged, root)
    try:
        unpacked, found = _unpacked(folder)
        chosen = recipe_of(recipe) if recipe else None
        given = format_of(chosen.format).options(**options) if chosen is not None and options is not None else None
        shown = _previewed(folder, unpacked, found, progress, (0.2, 1), chosen, given)
        return replace(shown, result=None) if brief else shown
    except ReadError as error:
        return Preview(title="", why="The files could not be opened.", fault=str(error))


def _previewed(
    folder: Path, unpacked: Unpacked, found: Recognised, progress: Progress, span: tuple[float, float],
    recipe: ImportRecipe | None = None, options: Params | None = None,
) -> Preview:  # fmt: skip
    size, (start, end) = size_of(folder, _UNPACKED), span
    looks = reported(progress, size=size, start=start, end=end, note="looking into the files", steps=False)
    with bounded(size, _first_name(unpacked)), looks:
        return inspect_unpacked(unpacked, recipe, why_not=found.fault, options=options)


def add_staged(
    *, staged: str, format_key: str | None, options: Mapping[str, object], name: str, progress: Progress, root: Path | None = None,
    recipe: str = "",
) -> Added:  # fmt: skip
    """Read an upload to a dataset. options: of the format `format_key`, or of the one that is recognised.

    recipe: an ImportRecipe as JSON; then format_key and options say nothing.

    Raises StoreError when the files are gone or the disk is full, and as DatasetStore.add does; then they stay, to be read in another way.
    """
    store, folder = DatasetStore(root), folder_of(staged, root)
    unpacked, found = _unpacked(folder)
    before = {record.id for record in store.records()}
    read_as = format_key or (found.matches[0].key if found.matches else None)
    model: type[Params] = format_of(read_as).options if read_as is not None else ReadOptions
    chosen = recipe_of(recipe) if recipe else model(**options)
    names = listed(folder, _SENT)["names"]
    size = size_of(folder, _UNPACKED)
    with bounded(size, _first_name(unpacked)), reported(progress, size=size, start=0.05, end=1, note="reading and checking"):
        record = store.add_unpacked(unpacked, names, format_key=format_key, options=chosen, name=name)
    discard(staged, root)
    return {"id": record.id, "was_there": record.id in before}


def add_each(*, staged: Sequence[str], progress: Progress, root: Path | None = None) -> list[Added]:
    """Read several uploads of one file, each to a dataset that has the file's name, as it is recognised.

    Raises ReadError for a file that no format fits or that is in doubt, before any is read, and for one that cannot be read; StoreError
    as add_staged does. None of them stays.
    """
    try:
        names = [listed(folder_of(each, root), _SENT)["names"][0] for each in staged]
        for each, name in zip(staged, names, strict=True):
            found = look_into_staged(staged=each, progress=progress, root=root)
            doubt = found.fault or found.matches[0].asks
            if doubt:
                raise ReadError(f"{_naming(name, doubt)} Add it alone on the Data page, where its format can be chosen.")
        added = []
        for each, name in zip(staged, names, strict=True):
            try:
                added.append(add_staged(staged=each, format_key=None, options={}, name=name, progress=progress, root=root))
            except (ReadError, TableError) as error:
                raise ReadError(_naming(name, str(error))) from None
        return added
    finally:
        for each in staged:
            discard(each, root)


def _naming(name: str, sentence: str) -> str:
    return sentence if name in sentence else f"{name}: {sentence}"


def _unpacked(folder: Path, progress: Progress = lambda done, note: None) -> tuple[Unpacked, Recognised]:
    """The files out of their archives and what they were taken for: from the disk, where they were unpacked before. Those that are
    unpacked now are the very objects that were looked at, of which what was found is remembered."""
    looked_at: list[UploadedFile] = []
    progress(0.0, "looking into the files")
    if not (folder / f"{_UNPACKED}.json").is_file():
        sent = files_in(folder, _SENT)
        with bounded(0, sent[0].name if sent else "upload") as more:
            opened = unpack(sent, unpacked=more).files
            try:
                looked_at = rewritten(folder, _UNPACKED, opened)
            except OSError as error:
                raise not_written(folder, error) from None
            del opened
            size = sum(file.size for file in looked_at)
            after = lambda done, note: progress(done if done > _FIRST_TRIES else 0.0, note)  # noqa: E731
            with reported(after, size=size, start=_FIRST_TRIES, end=1, note="looking into the files", steps=False):
                recognised = asdict(Unpacked(looked_at).recognised())
            try:
                write_list(folder, _UNPACKED, {**recognised, "names": [file.name for file in looked_at]})
            except OSError as error:
                raise not_written(folder, error) from None
        shutil.rmtree(folder / _SENT, ignore_errors=True)
    files, found = looked_at or files_in(folder, _UNPACKED), listed(folder, _UNPACKED)
    matches = tuple(Match(**match) for match in found["matches"])
    titles = tuple((name, title) for name, title in found["files"])
    return Unpacked(files, matches), Recognised(matches=matches, files=titles, fault=found["fault"])


def _first_name(unpacked: Unpacked) -> str:
    return unpacked.files[0].name if unpacked.files else "upload"
