"""The tasks of one job: where each one runs, its label, its error."""

import json
from collections.abc import Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hemcore.analysis import AskedQuestion
from hemcore.errors import Remedy
from hemcore.jobs.job import Place
from hemcore.jobs.tasks import Task
from hemcore.jobs.turns import Turn
from hemcore.jobs.worker import Stopped
from hemcore.params import control
from hemcore.registry import analysis_named

if TYPE_CHECKING:
    from distributed import Future


@dataclass(eq=False)
class Piece:
    """One task on the scheduler.

    label: which piece of the job it is, for people. name: of the file for its result; None if another task takes the result. turn: to
    begin; future: once it is submitted. done: the fraction done. complete: whether it counts as done. withdrawn: when it was removed from
    the queue. asked: when the worker was asked to stop it.
    """

    task: Task
    label: str = ""
    results: Sequence[object] = ()
    name: str | None = None
    starts: int = 0
    key: str = ""
    turn: Turn | None = None
    future: "Future | None" = None
    place: Place | None = None
    done: float = 0.0
    complete: bool = False
    ended: bool = False
    withdrawn: float | None = None
    asked: float | None = None

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
    """A piece failed because of its __cause__; label: which piece."""

    def __init__(self, label: str) -> None:
        super().__init__(label)
        self.label = label


def remedies_of(error: BaseException) -> tuple[Remedy, ...]:
    """The remedies of the failed function, for buttons."""
    stopped = error.__cause__ if isinstance(error, PieceFailed) else error
    return stopped.remedies if isinstance(stopped, Stopped) else ()


def error_of(future: "Future") -> BaseException | None:
    """The error of the future; None if it did not fail."""
    # distributed reports no exception for cancelled futures, including those lost with the scheduler.
    return CancelledError() if future.cancelled() else future.exception()


def labels_of(parts: Sequence[AskedQuestion]) -> list[str]:
    """A label for each part: its number and the parameters in which it differs from the others."""
    if not parts:
        return []
    model = analysis_named(parts[0]["analysis"]).params
    differ = [name for name in parts[0]["params"] if len({json.dumps(part["params"][name]) for part in parts}) > 1]
    titles = {name: control(model, name).title.lower() for name in differ}
    labels = []
    for number, part in enumerate(parts):
        differs = ", ".join(f"{title} {part['params'][name]}" for name, title in titles.items())
        labels.append(f"part {number + 1} of {len(parts)}" + (f" ({differs})" if differs else ""))
    return labels
