"""Tasks for workers: answer a question, or call a function of hemcore. Sent as plain values, looked up on the worker."""

import contextlib
import functools
import importlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hemcore import durations
from hemcore.analysis import AskedQuestion, Question
from hemcore.errors import HemError, ParameterError
from hemcore.jobs.filed_results import Filed
from hemcore.plugins import is_ours
from hemcore.registry import question_from

if TYPE_CHECKING:
    from hemcore.datasets.tables.kinds import Table

# (fraction done, note); raises Cancelled.
Report = Callable[[float, str], None]
# The store's folder if this process was started with one: workers on another machine may have another path.
_OWN_STORE = os.environ.get("HEM_DATA_DIR") or None


@dataclass(frozen=True)
class Home:
    """Where work comes from. root: the server's store (None: its default). versions: of what it computes with, empty for workers that it
    started itself here. shared: whether workers see its store."""

    root: str | None
    versions: Mapping[str, str]
    shared: bool = True

    @property
    def folder(self) -> Path | None:
        """The store's folder on the server."""
        return Path(self.root) if self.root else None


@dataclass(frozen=True)
class Answer:
    """Answer the question `question` (Question.to_dict). filed: where the answer is, if it was computed before."""

    question: AskedQuestion
    filed: Filed | None = None

    @property
    def name(self) -> str:
        """Its name in messages."""
        return self.question["analysis"]

    def run(self, root: str | None, progress: Report, results: Sequence[object]) -> object:
        """The result, from the dataset in the store `root`."""
        question = question_from(self.question)
        table = stored_table(question.dataset, root)
        progress(0.0, "")
        return question.answer(table, progress)


@dataclass(frozen=True)
class Parts(Answer):
    """Split `question` into its parts."""

    def run(self, root: str | None, progress: Report, results: Sequence[object]) -> list[AskedQuestion]:
        """Question.to_dict of each part, in order; empty if it has none."""
        question = question_from(self.question)
        analysis = question.analysis
        assert analysis.part is not None
        pieces = analysis.parts_of(stored_table(question.dataset, root), analysis.relevant_params(question.params))
        return [Question(analysis=analysis.part, dataset=question.dataset, params=piece).to_dict() for piece in pieces]


@dataclass(frozen=True)
class Gather(Answer):
    """Combine the answers of the parts into the answer of `question`."""

    def run(self, root: str | None, progress: Report, results: Sequence[object]) -> object:
        """The result, from those of the parts, in order."""
        question = question_from(self.question)
        assert question.analysis.gather is not None
        return question.analysis.gather(stored_table(question.dataset, root), question.analysis.relevant_params(question.params), results)


@dataclass(frozen=True)
class Call:
    """Call the function called `function` ("hemcore.room.module:name") with `arguments`."""

    function: str
    arguments: Mapping[str, object]

    @property
    def name(self) -> str:
        """Its name in messages."""
        return self.function.partition(":")[2]

    def run(self, root: str | None, progress: Report, results: Sequence[object]) -> object:
        """What the function returns."""
        return function_named(self.function)(progress=progress, **self.arguments)


Task = Answer | Call


def call_of(function: Callable[..., object], arguments: Mapping[str, object]) -> Call:
    """The Call of `function`. Raises ParameterError if a worker could not import it by name, or for arguments that are not JSON values."""
    module, qualified = getattr(function, "__module__", None), getattr(function, "__qualname__", None)
    name = f"{module}:{qualified}"
    try:
        named = function_named(name)
    except HemError:
        named = None
    if named is None or named is not function:
        raise ParameterError(f"function: {name} is not at the top level of a hemcore module, so no worker can find it. Move it there.")
    try:
        plain = json.loads(json.dumps(dict(arguments), allow_nan=False))
    except (TypeError, ValueError) as error:
        plain, why = None, f" ({error})"
    else:
        why = ""
    if plain != arguments or "progress" in arguments:
        remedy = "Pass numbers, text, booleans, None, and lists or dicts of these with text keys; the worker passes progress."
        raise ParameterError(f"arguments: not all of {sorted(map(str, arguments))} are plain{why}. {remedy}")
    return Call(name, plain)


def function_named(name: str) -> Callable[..., object]:
    """The function called `name` ("hemcore.room.module:function"). Raises HemError if it does not exist here."""
    module, _, function = name.partition(":")
    if not (is_ours(module) and "." in module and function.isidentifier()):
        raise HemError(f"{name}: not a function at the top level of a module of hemcore or of a plugin.")
    try:
        return getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError) as error:
        raise HemError(f"{name}: the worker cannot import it ({error}). Install this version of hemcore where the workers run.") from error


def use_store(root: str | None) -> None:
    """Make the server's store the default one, unless this process was started with one.

    Safe, since local workers have one thread, and others serve one server, which has one store.
    """
    if _OWN_STORE is None and root is not None:
        os.environ["HEM_DATA_DIR"] = root
    elif _OWN_STORE is None:
        os.environ.pop("HEM_DATA_DIR", None)


def store_folder(root: str | None) -> Path | None:
    """The path of the store's folder for this process; `root`: for the server (None: the default)."""
    folder = _OWN_STORE or root
    return Path(folder) if folder else None


def stored_table(dataset: str, root: str | None) -> "Table":
    """The dataset's table; the last one is cached, since the parts of a job use the same one. Raises as `load` does."""
    return _loaded(dataset, store_folder(root))


@functools.lru_cache(maxsize=1)
def _loaded(dataset: str, folder: Path | None) -> "Table":
    from hemcore.datasets.shelf.library import load
    from hemcore.datasets.shelf.store import DatasetStore

    with contextlib.suppress(HemError):  # no folder can be written: nothing is remembered
        durations.keep_in(DatasetStore(folder).root)
    return load(dataset, folder)
