"""The tasks of one job: where each one runs, its label, its error."""

import json
import logging
from collections.abc import Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hemcore.analysis import AskedQuestion
from hemcore.errors import Remedy
from hemcore.jobs.job import JobError, Place
from hemcore.jobs.tasks import Task
from hemcore.jobs.turns import Turn
from hemcore.jobs.worker import Stopped, error_text
from hemcore.params import control
from hemcore.registry import analysis_named

if TYPE_CHECKING:
    from distributed import Future

_LONGEST = 60  # characters of a parameter's value in a label
MAX_STARTS = 4  # of work that is not done, or had not even started, when its worker died

logger = logging.getLogger(__name__)


@dataclass(eq=False)
class Piece:
    """One task on the scheduler.

    label: which piece of the job it is, for people. name: of the file for its result; None if another task takes the result. turn: to
    begin; future: once it is submitted. starts, begun: how often it was submitted, and how often a worker began it. done: the fraction
    done. complete: whether it counts as done. withdrawn: when it was removed from the queue. asked: when the worker was asked to stop it.
    last_words: a sentence on why its worker died, if it did.
    """

    task: Task
    label: str = ""
    results: Sequence[object] = ()
    name: str | None = None
    starts: int = 0
    begun: int = 0
    key: str = ""
    turn: Turn | None = None
    future: "Future | None" = None
    place: Place | None = None
    done: float = 0.0
    complete: bool = False
    ended: bool = False
    withdrawn: float | None = None
    asked: float | None = None
    last_words: str = ""

    def began_at(self, place: Place) -> str:
        """A worker began it there. Returns why to give it up, a sentence, if so many workers have ended while they did it; else ""."""
        self.place, self.asked, self.begun = place, None, self.begun + 1
        if self.begun <= MAX_STARTS:
            return ""
        return f"{self.label or 'it'} was begun {self.begun} times and its workers ended first. Give it more time or memory."

    @property
    def runs(self) -> bool:
        """Whether a worker is running it."""
        return self.place is not None and not self.ended and (self.withdrawn is not None or not self._is_done)

    @property
    def waits(self) -> bool:
        """Whether it is in the scheduler's queue."""
        return self.future is not None and self.place is None and self.withdrawn is None and not self._is_done

    @property
    def _is_done(self) -> bool:
        return self.future is not None and self.future.done()


class PieceFailed(Exception):
    """A piece failed because of its __cause__; label: which piece; last_words: as its Piece has them."""

    def __init__(self, label: str, last_words: str) -> None:
        super().__init__(label, last_words)
        self.label, self.last_words = label, last_words


def remedies_of(error: BaseException) -> tuple[Remedy, ...]:
    """The remedies of the failed function, for buttons."""
    stopped = error.__cause__ if isinstance(error, PieceFailed) else error
    return stopped.remedies if isinstance(stopped, Stopped) else ()


def error_of(future: "Future") -> BaseException | None:
    """The error of the future; None if it did not fail."""
    # distributed reports no exception for cancelled futures, including those lost with the scheduler.
    return CancelledError() if future.cancelled() else future.exception()


def sentence_of(error: BaseException, kind: str, task: str) -> tuple[str, bool]:
    """Why the job of this kind failed, a sentence that names the part; and whether the scheduler or its workers are gone."""
    from distributed import KilledWorker
    from distributed.scheduler import NoWorkerError

    label = last_words = ""
    if isinstance(error, PieceFailed):
        assert error.__cause__ is not None
        label, last_words, error = error.label, error.last_words, error.__cause__
    who = f"{kind}, {label}" if label else kind
    if isinstance(error, Stopped):
        return (f"{label[:1].upper()}{label[1:]}: {error.sentence}" if label else error.sentence), False
    if isinstance(error, JobError):
        return str(error), False
    if isinstance(error, KilledWorker):
        if last_words:
            return last_words, False
        remedy = "The usual cause is lack of memory: close other programs or choose less data, and try again."
        return f"{who}: the worker died before it finished. {remedy}", False
    if isinstance(error, NoWorkerError):
        return f"{kind}: no worker is left to run it. Try again; new ones will be started.", True
    if isinstance(error, CancelledError):
        # Also how distributed ends futures when the scheduler is gone.
        return f"{kind}: the connection to the workers was lost before it was done. Try again.", True
    logger.error("%s failed outside its function", task, exc_info=error)
    return f"{who}: the workers could not run {task} ({error_text(error)}). Do they have this version of hemcore?", False


def labels_of(parts: Sequence[AskedQuestion]) -> list[str]:
    """A label for each part: its number and the parameters in which it differs from the others."""
    if not parts:
        return []
    model = analysis_named(parts[0]["analysis"]).params
    differ = [name for name in parts[0]["params"] if len({json.dumps(part["params"][name]) for part in parts}) > 1]
    titles = {name: control(model, name).title.lower() for name in differ}
    labels = []
    for number, part in enumerate(parts):
        # A long list of names would leave no place for the rest.
        shown = {title: value for name, title in titles.items() if len(value := str(part["params"][name])) <= _LONGEST}
        differs = ", ".join(f"{title} {value}" for title, value in shown.items())
        labels.append(f"part {number + 1} of {len(parts)}" + (f" ({differs})" if differs else ""))
    return labels
