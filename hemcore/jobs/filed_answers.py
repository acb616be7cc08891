"""Answers that outlive the server: those of finished jobs and of the parts of fanned-out ones, so that a restart begins nothing anew.

    <root>/answers/<key>.<SHA-256>.<dataset>    a result as the codec writes it, and question.json: Question.to_dict
    <root>/answers/<key>.<random>.partial       being written

The key is of the question and of the code with its samples: another version finds none of them. The files used longest ago go first, and
those of a dataset that was deleted for good. Losing one, for whatever reason, costs only time.
"""

import contextlib
import functools
import hashlib
import importlib.util
import json
import logging
import os
import platform
import re
import time
import zipfile
from importlib import metadata
from pathlib import Path

from hemcore import plugins
from hemcore.analysis import AnyQuestion, AskedQuestion
from hemcore.errors import HemError
from hemcore.jobs import filed_results
from hemcore.jobs.filed_results import QUESTION, Filed, Held, Sent
from hemcore.jobs.tasks import Answer, Home, Task
from hemcore.registry import question_from
from hemcore.resources import SAMPLES

FOLDER = "answers"
# Of all files together; one that would take half of it is not kept.
MOST_BYTES = 2 * 2**30
MOST_FILES = 4000
# A process makes room after it has filed so many bytes, or so many files, since that looks at all of them.
ROOM_EVERY, _FILES_BETWEEN = MOST_BYTES // 16, 50
# What the same code may compute differently with.
_LIBRARIES = ("numpy", "scipy", "pandas", "scikit-learn", "numba", "pyarrow")
_NAME = re.compile(r"([0-9a-f]{32})\.([0-9a-f]{64})\.(sample|[0-9a-f]{16})")
_HEX = re.compile("[0-9a-f]{64}")

logger = logging.getLogger(__name__)
# The files of each store, by key, as they were last listed: pages ask at every move of a slider whether a question has one.
_listed: dict[Path | None, dict[str, Filed]] = {}
_since_room = 0  # bytes


@functools.cache
def code_version() -> str:
    """64 hex digits of all that answers come from beside data and parameters: hemcore, plugins, samples, libraries; once a process."""
    return hashlib.sha256(json.dumps(versions()).encode()).hexdigest()


@functools.cache
def versions() -> dict[str, str]:
    """The versions of Python, of the libraries that answers are computed with, and of hemcore with plugins and samples; once a process."""
    found = {"Python": platform.python_version()}
    for name in _LIBRARIES:
        with contextlib.suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    sums = hashlib.sha256()
    specs = [importlib.util.find_spec(package) for package in sorted(plugins.packages())]
    places = [Path(place) for spec in specs if spec is not None for place in spec.submodule_search_locations or ()]
    for place in (*places, SAMPLES):
        for path in sorted(place.rglob("*")):
            within = path.relative_to(place)
            if path.is_file() and not {"__pycache__", FOLDER} & set(within.parts):
                sums.update(f"{within} ".encode() + hashlib.sha256(path.read_bytes()).digest())
    return found | {"hemcore": sums.hexdigest()}


def key_of(id: str) -> str:
    """The key of the question with this id, answered by this code."""
    return hashlib.sha256(f"{code_version()} {id}".encode()).hexdigest()[:32]


def listed(root: Path | None) -> dict[str, Filed]:
    """The files in the store `root` by their keys, looked at now; empty if there is none or the folder cannot be used."""
    found: dict[str, Filed] = {}
    with contextlib.suppress(OSError, HemError), os.scandir(filed_results.folder_of(root, FOLDER)) as entries:
        for entry in entries:
            named = _NAME.fullmatch(entry.name)
            with contextlib.suppress(OSError):  # another server may remove it
                if named is not None:
                    found[named[1]] = Filed(entry.name, named[2], entry.stat().st_size, FOLDER)
    _listed[root] = found
    return found


def held_of(id: str, root: Path | None) -> tuple[AnyQuestion, Held] | None:
    """The question with this id and its answer; None if none is filed, as far as is known from the last list, or it is damaged."""
    known = _listed[root] if root in _listed else listed(root)
    filed = known.get(key_of(id)) if known else None
    if filed is None:
        return None
    try:
        held = Held(filed, root)
        result = held.result()
        with zipfile.ZipFile(filed_results.folder_of(root, FOLDER) / filed.name) as file:
            question = question_from(json.loads(file.read(QUESTION)))
        if question.id != id:
            raise ValueError("it answers another question")
    except Exception as error:  # somebody else may have written it: there is no telling what it makes the libraries raise
        _ignore(filed, error)
        filed_results.forget(filed.name, root, FOLDER)
        known.pop(key_of(id), None)
        return None
    # A small one does not depend on the file any more.
    return question, Held(Sent(result, filed.size), None) if filed.size <= filed_results.TRAVELS else held


def taken(filed: Filed, root: Path | None) -> list[object]:
    """A list of the result in the file; empty if it is gone or damaged: then it is computed."""
    try:
        return [filed_results.read(filed, root)]
    except HemError as error:
        _ignore(filed, error)
        return []


def keep(asked: AskedQuestion, result: object, size: int, root: Path | None) -> Filed | None:
    """File the answer to `asked`, of about `size` bytes; now and then makes room. None if it is too large or the disk does not take it."""
    global _since_room
    if size > MOST_BYTES // 2:
        return None
    try:
        name = key_of(question_from(asked).id)
        ending = asked["dataset"][:16] if _HEX.fullmatch(asked["dataset"]) else "sample"
        filed = filed_results.file(result, name, root, FOLDER, question=asked, ending=ending)
        _since_room += max(filed.size, ROOM_EVERY // _FILES_BETWEEN + 1)
        if _since_room >= ROOM_EVERY:
            _since_room = 0
            make_room(root)
    except (OSError, TypeError, HemError) as error:
        logger.warning("%s: its answer will not survive a restart: %s", asked["analysis"], error)
        return None
    return filed


def filed_here(task: Task, given: Filed | Sent, home: Home) -> Filed | Sent:
    """The answer, filed in the server's store if workers do not see that; `given` if it is a file already, or small."""
    if home.shared or isinstance(given, Filed) or not isinstance(task, Answer):
        return given
    filed = keep(task.question, given.result, given.size, home.folder)
    return given if filed is None or given.size <= filed_results.TRAVELS else filed


def make_room(root: Path | None) -> None:
    """Remove the files used longest ago above the limits, those of deleted datasets, and what a killed server left half-written."""
    folder = filed_results.folder_of(root, FOLDER)
    shelves = [folder.parent / name for name in ("datasets", "deleted")]
    datasets = {"sample", *(each.name[:16] for shelf in shelves if shelf.is_dir() for each in shelf.iterdir())}
    files = []
    with os.scandir(folder) as entries:
        for entry in entries:
            with contextlib.suppress(OSError):  # another server may be making room too
                state, named = entry.stat(), _NAME.fullmatch(entry.name)
                if named is not None and named[3] in datasets:
                    files.append((state.st_mtime_ns, state.st_size, entry.path))
                elif named is not None or (entry.name.endswith(".partial") and time.time() - state.st_mtime > filed_results.STALE_S):
                    os.unlink(entry.path)
    total = 0
    for number, (_, size, path) in enumerate(sorted(files, reverse=True)):
        total += size
        if total > MOST_BYTES or number >= MOST_FILES:
            with contextlib.suppress(OSError):
                os.unlink(path)


def _ignore(filed: Filed, error: Exception) -> None:
    logger.warning("%s/%s… is ignored: %s", FOLDER, filed.name[:8], error)
